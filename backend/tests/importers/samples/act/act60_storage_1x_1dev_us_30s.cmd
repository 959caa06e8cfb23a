# tool: ACT, source checkout act-v6.0 (commit 5637286)
# started: 2026-11-20T12:23:33Z
act_storage act60_storage_1x_1dev_us_30s.conf > act60_storage_1x_1dev_us_30s.log
# exit status: 0   wall: 30 s
python act_latency.py -l act60_storage_1x_1dev_us_30s.log -t 10 -s 6 -n 9 > act60_storage_1x_1dev_us_30s.latency1.txt  # exit status 0
