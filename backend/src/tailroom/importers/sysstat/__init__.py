"""The importer of iostat, sar, mpstat and vmstat, whose figures stand beside a run."""
