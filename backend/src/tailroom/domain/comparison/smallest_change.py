"""The default smallest change, in a module of its own because `tailroom compare --help` shows it at once.

Importing `figures` takes a third of a second, because it imports numpy and scipy.
"""

SMALLEST_CHANGE_RATIO = 0.05
"""Smallest relative difference that is called a change: runs differ by less than that by chance."""
