"""A distribution that was sent along, as a subject: a document of one series stands for whatever is asked."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.document import Distribution, distributions_of
from tailroom.domain.verdicts.budget_kinds import Budget
from tailroom.domain.verdicts.evidence import OperationEvidence, RunEvidence
from tailroom.domain.verdicts.other_tools import own_operations, read_operation
from tailroom.evidence.errors import SubjectInvalid
from tailroom.evidence.junk import NotADocument, refuse_junk

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


@dataclass(frozen=True, slots=True)
class Sent:
    """The series of a document, as a source of evidence; a single one stands for whatever is asked."""

    series: Sequence[Distribution]
    stands_for: str | None = None
    """The operation of the budget that a single series is asked about as."""

    @property
    def measured_ns(self) -> int:
        """See `EvidenceSource`."""
        return min((_measured_ns(one) for one in self.series), default=0)

    @property
    def own_operations(self) -> tuple[str, ...]:
        """See `EvidenceSource`."""
        names = [one.operation for one in self.series]
        return own_operations(names, read_operation(None, names, {}, {}))

    def evidence(self, budget: Budget) -> RunEvidence:  # noqa: ARG002 - whoever sends it chooses
        """See `EvidenceSource`."""
        renamed = self.stands_for if len(self.series) == 1 else None
        operations = tuple(
            OperationEvidence(
                operation=renamed or one.operation,
                clock=one.clock,
                record=one.record,
                intervals=one.intervals,
                measured_ns=_measured_ns(one),
            )
            for one in self.series
        )
        return RunEvidence(operations, measured_ns=self.measured_ns)


def _measured_ns(one: Distribution) -> int:
    return one.intervals.end_ns if one.intervals is not None else 0
