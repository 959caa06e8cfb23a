"""Configurations that somebody watches: what each run of them showed, and who hears of a change."""
