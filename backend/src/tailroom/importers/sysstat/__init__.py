"""The importer of iostat, sar, mpstat and vmstat, whose figures accompany a run."""
