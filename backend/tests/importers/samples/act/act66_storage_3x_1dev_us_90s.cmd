# tool: ACT, source checkout act-6.6 (commit 1e61500)
# started: 2026-11-20T12:07:07Z
act_storage act66_storage_3x_1dev_us_90s.conf > act66_storage_3x_1dev_us_90s.log
# exit status: 0   wall: 90 s
python act_latency.py -l act66_storage_3x_1dev_us_90s.log -t 10 -n 4 -e 3 -s 7 > act66_storage_3x_1dev_us_90s.latency1.txt  # exit status 0
python act_latency.py -l act66_storage_3x_1dev_us_90s.log -t 30 -s 5 -n 12 > act66_storage_3x_1dev_us_90s.latency2.txt  # exit status 0
python act_latency.py -l act66_storage_3x_1dev_us_90s.log -t 7 -x -s 9 > act66_storage_3x_1dev_us_90s.latency3.txt  # exit status 0
