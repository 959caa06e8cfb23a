"""The default smallest change, in its own module because pages show it without any computation."""

SMALLEST_CHANGE_RATIO = 0.05
"""Smallest relative difference that is called a change: runs differ by less than that by chance."""
