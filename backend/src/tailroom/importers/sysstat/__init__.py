"""The importer of iostat and sar, whose figures stand beside a run."""
