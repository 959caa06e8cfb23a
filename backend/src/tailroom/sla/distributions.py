"""A distribution that was sent along, as a subject: a document of one series stands for whatever is asked."""

from collections.abc import Sequence
from typing import Any

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.document import Distribution, distributions_of
from tailroom.domain.verdicts.evidence import OperationEvidence, RunEvidence
from tailroom.sla.errors import SubjectInvalid
from tailroom.sla.junk import NotADocument, refuse_junk
from tailroom.sla.schemas import SubjectOut

_MOST_SERIES = 64


def distributions_sent(document: dict[str, Any], operation: str | None) -> Sequence[Distribution]:
    """The series of a document, or those of one operation. Raises SubjectInvalid with the broken rule."""
    try:
        refuse_junk(document)
        found = distributions_of(document)
    except (NotADocument, DomainError, OverflowError) as error:
        raise SubjectInvalid(f"The distribution breaks a rule: {error}.") from error
    if len(found) > _MOST_SERIES:
        raise SubjectInvalid(f"The document holds {len(found)} series; {_MOST_SERIES} are the most.")
    if operation is None:
        return found
    chosen = [one for one in found if one.operation == operation]
    if not chosen:
        names = ", ".join(sorted({one.operation for one in found}))
        raise SubjectInvalid(f"The document has no series of “{operation}”. It has: {names}.")
    return chosen


def evidence_sent(found: Sequence[Distribution], stands_for: str | None) -> RunEvidence:
    """Evidence of the series; `stands_for` is the budget's operation that a single one is asked about as."""
    renamed = stands_for if len(found) == 1 else None
    operations = tuple(
        OperationEvidence(
            operation=renamed or one.operation,
            clock=one.clock,
            record=one.record,
            intervals=one.intervals,
            measured_ns=one.intervals.end_ns if one.intervals is not None else 0,
        )
        for one in found
    )
    return RunEvidence(operations, measured_ns=min((one.measured_ns for one in operations), default=0))


def described(found: Sequence[Distribution], evidence: RunEvidence, asked: str | None) -> SubjectOut:
    """What is said of it. `asked` is the operation that the budget is mainly about."""
    single = found[0] if len(found) == 1 else None
    used = evidence.of(asked) if asked is not None else None
    label = next((one.source for one in found if one.source), "") or "distribution"
    return SubjectOut(
        label=label[:200],
        operation=single.operation if single else asked,
        clock=used.clock if used else None,
        samples=used.record.total if used else None,
        measured_ns=used.measured_ns or None if used else None,
        closed_loop=False,
        source="distribution",
    )
