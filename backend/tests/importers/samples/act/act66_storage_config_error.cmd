# tool: ACT, source checkout act-6.6 (commit 1e61500)
# started: 2026-11-20T12:24:33Z
act_storage act66_storage_config_error.conf > act66_storage_config_error.log
# exit status: 255   wall: 0 s
python act_latency.py -l act66_storage_config_error.log -t 10 > act66_storage_config_error.latency1.txt  # exit status 255
