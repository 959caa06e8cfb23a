"""Plausibility checks P1 to P20: whether published claims and runs contradict themselves."""

AUDIT_VERSION = 2
"""Version of the checks; any change that can change a finding raises it, and all runs and publications are
audited again.
"""
