"""Which verdicts a run shows: the newest of each budget, as the analysis stored them."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.runs.verdict_schema import Verdict


def shown_verdicts(session: Session, run_ids: Sequence[UUID]) -> Mapping[UUID, list[Verdict]]:
    """Verdicts of each run, by budget name."""
    return {}
