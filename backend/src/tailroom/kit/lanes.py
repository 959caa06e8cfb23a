"""Lanes: queues of the workers. What holds one of them up delays none of the others."""

JUDGING = "judging"
"""Verdicts of what has just been measured or uploaded."""
RENEWAL = "renewal"
"""Verdicts that a new method, check or budget makes due, of runs that have theirs."""
UPLOADS = "uploads"
HOUSEKEEPING = "housekeeping"

BACKGROUND = (UPLOADS, RENEWAL, HOUSEKEEPING)
LANES = (JUDGING, *BACKGROUND)
