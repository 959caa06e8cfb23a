"""Latencies over the time of a run: steady state, change points, drift, worst hours, burn rates."""
