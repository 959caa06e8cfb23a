"""Verdicts and findings of runs: read a record, compute without a connection, write if it has not changed."""
