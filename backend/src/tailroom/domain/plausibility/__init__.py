"""Plausibility checks P1 to P20: whether published claims and runs contradict themselves."""

AUDIT_VERSION = 2
"""Version of the checks; raised with any change of findings, which audits everything again."""
