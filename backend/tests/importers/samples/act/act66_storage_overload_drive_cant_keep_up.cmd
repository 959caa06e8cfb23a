# tool: ACT, source checkout act-6.6 (commit 1e61500)
# started: 2026-11-20T12:14:22Z
act_storage act66_storage_overload_drive_cant_keep_up.conf > act66_storage_overload_drive_cant_keep_up.log
# exit status: 0   wall: 11 s
python act_latency.py -l act66_storage_overload_drive_cant_keep_up.log -t 5 -n 3 -e 3 -x > act66_storage_overload_drive_cant_keep_up.latency1.txt  # exit status 0
python act_latency.py -l act66_storage_overload_drive_cant_keep_up.log -t 60 > act66_storage_overload_drive_cant_keep_up.latency2.txt  # exit status 255
