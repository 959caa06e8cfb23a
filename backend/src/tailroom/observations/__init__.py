"""Observations: numbers that observers send about a machine each second, shown beside runs."""
