"""Kinds of work: their lanes (queues), numbers of attempts and pauses; and how long a claim lasts."""

from dataclasses import dataclass
from datetime import timedelta

from tailroom.kit.lanes import HOUSEKEEPING, JUDGING, UPLOADS


@dataclass(frozen=True, slots=True)
class WorkKind:
    """One kind of work. `lane`: its default queue; `most_attempts`: attempts before it is given up."""

    name: str
    lane: str
    most_attempts: int = 5
    first_pause: timedelta = timedelta(seconds=1)
    """Pause after the first failure; four times as long after each further failure, at most half an hour."""
    subject_is_run: bool = False
    """Whether its subject is a run."""

    def pause_after(self, attempts: int) -> timedelta:
        """Return the pause after this number of failed attempts (at least 1), at most half an hour."""
        times: int = 4 ** max(0, attempts - 1)
        return min(self.first_pause * times, _PAUSE_MAX)


_PAUSE_MAX = timedelta(minutes=30)

JUDGE = WorkKind("judge", JUDGING, subject_is_run=True)
"""Sum the intervals of a run into slices, and judge it by its budgets."""
AUDIT = WorkKind("audit", JUDGING, subject_is_run=True)
"""Run the plausibility checks on a run."""
RATE = WorkKind("rate", JUDGING, subject_is_run=True)
"""Add a run to the tests of its drive, or update its test."""
DRAW = WorkKind("draw", JUDGING, subject_is_run=True)
"""Compute and store the pictures (API answers) of a finished run."""
READ_UPLOAD = WorkKind("read_upload", UPLOADS, most_attempts=3)
"""Read the files of an upload and store their runs."""
CAMPAIGN = WorkKind("campaign", JUDGING)
"""Advance a campaign, and merge the runs of its phases."""
ERASE = WorkKind("erase", HOUSEKEEPING, most_attempts=10)
"""Delete the data of a deleted run or upload, and unused files."""
DISSOLVE = WorkKind("dissolve", HOUSEKEEPING, most_attempts=10)
"""Remind of the deletion of an organisation, then delete it."""
WATCH = WorkKind("watch", HOUSEKEEPING, subject_is_run=True)
"""Record the verdict on a run in the watches that select it."""
ALERT = WorkKind("alert", HOUSEKEEPING, most_attempts=8, first_pause=timedelta(seconds=10))
"""Deliver an alert by webhook or mail; tried for about two hours."""

KINDS = {
    kind.name: kind
    for kind in (JUDGE, AUDIT, RATE, DRAW, READ_UPLOAD, CAMPAIGN, ERASE, DISSOLVE, WATCH, ALERT)
}

CLAIM_HOLDS = timedelta(seconds=20)
"""A claim that is not extended ends after this time."""
EXTEND_EVERY_S = 5.0
"""Pause between extensions of a claim."""
