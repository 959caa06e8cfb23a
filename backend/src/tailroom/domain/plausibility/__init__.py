"""Plausibility checks P1 to P19: whether published claims and runs contradict themselves."""

AUDIT_VERSION = 1
"""Raised by any change that can change a finding; runs and publications are then audited again."""
