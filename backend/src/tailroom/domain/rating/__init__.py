"""Loads that a drive has been shown to hold, and which drives may be ranked together."""
