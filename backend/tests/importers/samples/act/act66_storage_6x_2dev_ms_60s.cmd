# tool: ACT, source checkout act-6.6 (commit 1e61500)
# started: 2026-11-20T12:10:37Z
act_storage act66_storage_6x_2dev_ms_60s.conf > act66_storage_6x_2dev_ms_60s.log
# exit status: 0   wall: 60 s
python act_latency.py -l act66_storage_6x_2dev_ms_60s.log -t 10 > act66_storage_6x_2dev_ms_60s.latency1.txt  # exit status 0
python act_latency.py -l act66_storage_6x_2dev_ms_60s.log -t 10 -n 3 -e 3 -x -h reads -h /dev/loop0-reads -h /dev/loop1-reads > act66_storage_6x_2dev_ms_60s.latency2.txt  # exit status 0
