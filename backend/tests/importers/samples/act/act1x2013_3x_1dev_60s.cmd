# tool: ACT, source checkout act-v2-2013 (commit e1ecd83)
# started: 2026-11-20T12:22:32Z
act act1x2013_3x_1dev_60s.conf > act1x2013_3x_1dev_60s.log
# exit status: 0   wall: 61 s
python act_latency.py -l act1x2013_3x_1dev_60s.log -t 10 > act1x2013_3x_1dev_60s.latency1.txt  # exit status 0
python act_latency.py -l act1x2013_3x_1dev_60s.log -t 10 -n 3 -e 3 -x > act1x2013_3x_1dev_60s.latency2.txt  # exit status 0
