"""Plausibility checks P1 to P20: whether published claims and runs contradict themselves."""

AUDIT_VERSION = 2
"""Raised by any change that can change a finding; runs and publications are then audited again."""
