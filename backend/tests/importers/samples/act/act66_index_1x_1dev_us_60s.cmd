# tool: ACT, source checkout act-6.6 (commit 1e61500)
# started: 2026-11-20T12:14:45Z
act_index act66_index_1x_1dev_us_60s.conf > act66_index_1x_1dev_us_60s.log
# exit status: 0   wall: 60 s
python act_latency.py -l act66_index_1x_1dev_us_60s.log -t 10 -s 5 -n 10 > act66_index_1x_1dev_us_60s.latency1.txt  # exit status 0
python act_latency.py -l act66_index_1x_1dev_us_60s.log -t 10 -s 5 -n 10 -h reads -h writes -x > act66_index_1x_1dev_us_60s.latency2.txt  # exit status 0
