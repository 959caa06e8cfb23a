"""YCSB: summaries, histograms, time series, raw lines, status lines, and the JSON of both exporters."""
