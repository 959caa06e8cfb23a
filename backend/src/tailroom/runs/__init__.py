"""Runs and their series: what they are, how far they have come, what is known about their circumstances."""
