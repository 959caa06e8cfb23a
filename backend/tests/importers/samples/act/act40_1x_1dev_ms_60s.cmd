# tool: ACT, source checkout act-v4.0 (commit 1ea3e67)
# started: 2026-11-20T12:19:32Z
act act40_1x_1dev_ms_60s.conf > act40_1x_1dev_ms_60s.log
# exit status: 0   wall: 60 s
python act_latency.py -l act40_1x_1dev_ms_60s.log -t 10 > act40_1x_1dev_ms_60s.latency1.txt  # exit status 0
python act_latency.py -l act40_1x_1dev_ms_60s.log -t 10 -n 3 -e 3 -x > act40_1x_1dev_ms_60s.latency2.txt  # exit status 0
