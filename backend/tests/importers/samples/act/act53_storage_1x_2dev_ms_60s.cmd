# tool: ACT, source checkout act-v5.3 (commit 4353d9a)
# started: 2026-11-20T12:16:46Z
act_storage act53_storage_1x_2dev_ms_60s.conf > act53_storage_1x_2dev_ms_60s.log
# exit status: 0   wall: 60 s
python act_latency.py -l act53_storage_1x_2dev_ms_60s.log -t 10 > act53_storage_1x_2dev_ms_60s.latency1.txt  # exit status 0
python act_latency.py -l act53_storage_1x_2dev_ms_60s.log -t 10 -n 3 -e 3 -x > act53_storage_1x_2dev_ms_60s.latency2.txt  # exit status 0
