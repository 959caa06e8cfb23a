# tool: ACT, source checkout act-6.6 (commit 1e61500)
# started: 2026-11-20T12:27:29Z
act_storage act66_storage_10x_1dev_us_40s.conf > act66_storage_10x_1dev_us_40s.log
# exit status: 0   wall: 40 s
python act_latency.py -l act66_storage_10x_1dev_us_40s.log -t 10 -s 6 -n 11 -x > act66_storage_10x_1dev_us_40s.latency1.txt  # exit status 0
python act_latency.py -l act66_storage_10x_1dev_us_40s.log -t 10 -s 10 -n 3 -e 3 > act66_storage_10x_1dev_us_40s.latency2.txt  # exit status 0
