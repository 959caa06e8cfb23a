"""The default smallest change, in its own module because pages show it without any computation."""

SMALLEST_CHANGE_RATIO = 0.05
"""Smaller differences are not called a change, however many operations show them: runs differ by chance."""
