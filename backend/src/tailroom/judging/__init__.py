"""Verdicts and findings of runs: read data, compute without a connection, write if nothing has changed."""
