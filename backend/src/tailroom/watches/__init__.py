"""Watched configurations: the verdict on each of their runs, and alerts of changes."""
