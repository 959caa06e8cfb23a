"""Logs of HdrHistogram intervals in every dialect, and the percentile tables of the same library."""
