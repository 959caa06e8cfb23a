"""Lanes: queues of the workers. Work in one lane does not delay that in another."""

JUDGING = "judging"
"""Verdicts on new data: just measured or uploaded."""
RENEWAL = "renewal"
"""Verdicts on runs that have verdicts, after a change of method, checks or budgets."""
UPLOADS = "uploads"
HOUSEKEEPING = "housekeeping"

BACKGROUND = (UPLOADS, RENEWAL, HOUSEKEEPING)
LANES = (JUDGING, *BACKGROUND)
