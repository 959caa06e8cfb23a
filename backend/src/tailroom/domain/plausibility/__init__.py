"""Whether numbers can be true together: the checks P1 to P19 on published claims and on runs."""

AUDIT_VERSION = 1
"""Any change that can change a finding raises it; runs and publications are then audited again."""
