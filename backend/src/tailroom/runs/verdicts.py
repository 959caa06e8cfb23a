"""Which verdicts a run shows: of each budget the one by the newest versions of budget and method."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import distinct_on
from sqlalchemy.orm import Session

from tailroom.runs.verdict_schema import Verdict
from tailroom.storage.verdicts import VerdictRow


def shown_verdicts(
    session: Session, run_ids: Sequence[UUID], only: str | None = None
) -> Mapping[UUID, list[Verdict]]:
    """Verdicts of each run, by budget name; of one budget, where only that is asked for."""
    shown: dict[UUID, list[Verdict]] = {}
    if not run_ids:
        return shown
    rows = session.scalars(
        select(VerdictRow)
        .where(VerdictRow.run_id.in_(run_ids), *([] if only is None else [VerdictRow.budget_name == only]))
        .ext(distinct_on(VerdictRow.run_id, VerdictRow.budget_name))
        .order_by(
            VerdictRow.run_id,
            VerdictRow.budget_name,
            VerdictRow.budget_version.desc(),
            VerdictRow.method_version.desc(),
        )
    )
    for row in rows:
        shown.setdefault(row.run_id, []).append(verdict_of(row))
    return shown


def verdict_of(row: VerdictRow) -> Verdict:
    """A stored verdict as the API shows it."""
    return Verdict.model_validate(
        {"verdict_id": row.verdict_id, "computed_at": row.computed_at, **row.result}
    )
