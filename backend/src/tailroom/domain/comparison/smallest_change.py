"""The smallest change by default; in a module of its own, because it is shown before anything is computed."""

SMALLEST_CHANGE_RATIO = 0.05
"""Below this nothing is called a change, however many operations show it: one run is not every run."""
