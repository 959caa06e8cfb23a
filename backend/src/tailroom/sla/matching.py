"""Which configurations keep a budget: every run of the organisation, each judged by the same judge."""

from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from tailroom.analysis.record import load_record
from tailroom.budgets.documents import document_of
from tailroom.domain.method import METHOD_VERSION
from tailroom.sla.evaluating import chosen_budget, evaluation_of
from tailroom.sla.schemas import MatchIn, MatchOut
from tailroom.storage.run import Run


def match(session: Session, organisation_id: UUID, asked: MatchIn) -> MatchOut:
    """Every configuration against a budget."""
    budget = chosen_budget(session, organisation_id, asked.budget)
    runs = session.scalars(
        select(Run).where(Run.organisation_id == organisation_id).order_by(Run.started_at.desc())
    ).all()
    found = [evaluation_of(load_record(session, run), budget) for run in runs[: asked.limit]]
    words = [one.verdict for one in found]
    return MatchOut.model_validate(
        {
            "budget": {"document": document_of(budget)},
            "method_version": METHOD_VERSION,
            "counts": {
                "meets": words.count("PASS"),
                "misses": words.count("FAIL"),
                "undecided": words.count("INDETERMINATE"),
            },
            "items": [one.model_dump() for one in found],
            "next_cursor": None,
            "not_looked_at": len(runs) - len(found),
        }
    )
