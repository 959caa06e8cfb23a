"""How many nodes a rate of transactions takes."""

from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.sla.evaluating import evaluate
from tailroom.sla.schemas import EvaluateIn, SizeIn, SizeOut


def size(session: Session, organisation_id: UUID, asked: SizeIn) -> SizeOut:
    """Nodes by reads, writes and data."""
    judged = evaluate(session, organisation_id, EvaluateIn(subject=asked.subject, budget=asked.budget))
    return SizeOut(
        nodes=None,
        parts=[],
        reads_per_s_per_node=None,
        transactions_per_s_per_node=None,
        goodput_transactions_per_s=None,
        verdict=judged.verdict,
        reason=judged.reason,
        reason_text=judged.reason_text,
        decided_by=judged.decided_by,
        assumptions=[],
        subject=judged.subject,
        budget=judged.budget,
    )
