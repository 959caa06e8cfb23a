"""Evidence from a distribution document in a request; a single series serves for any operation."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.document import Distribution, distributions_of
from tailroom.domain.verdicts.budget_kinds import Budget
from tailroom.domain.verdicts.evidence import OperationEvidence, RunEvidence
from tailroom.domain.verdicts.other_tools import own_operations, read_operation
from tailroom.evidence.errors import SubjectInvalid

_INTEGER_LIMIT = 2**63


class InvalidValue(ValueError):
    """A value that no document may contain; the message has its path in the document."""


def refuse_invalid_values(document: Any) -> None:
    """Raise InvalidValue for a number that is not finite, an integer beyond 64 bits, or a text or key with
    NUL characters or unpaired surrogates.
    """
    for place, value in _leaves(document):
        if isinstance(value, float) and not math.isfinite(value):
            raise InvalidValue(f"{place} is {value}, which is no number")
        if isinstance(value, int) and not -_INTEGER_LIMIT <= value < _INTEGER_LIMIT:
            raise InvalidValue(f"{place} is an integer that does not fit into 64 bits")
        if isinstance(value, str) and not _is_text(value):
            raise InvalidValue(f"{place} is text with characters that are none")


def _leaves(document: Any) -> Iterator[tuple[str, Any]]:
    """Yield (path, value) of every value that is neither object nor list, and of every key of an object."""
    waiting: list[tuple[str, Any]] = [("the document", document)]
    while waiting:
        place, value = waiting.pop()
        if isinstance(value, dict):
            for key, inner in value.items():
                yield f"a key of {place}", key
                waiting.append((f"{place}.{key}" if place != "the document" else f"`{key}`", inner))
        elif isinstance(value, list):
            waiting.extend((f"{place}[{position}]", inner) for position, inner in enumerate(value))
        else:
            yield place, value


def _is_text(value: str) -> bool:
    """Return whether a text has neither NUL characters nor unpaired surrogates."""
    return "\x00" not in value and not any("\ud800" <= character <= "\udfff" for character in value)


_MOST_SERIES = 64


def distributions_sent(document: dict[str, Any], operation: str | None) -> Sequence[Distribution]:
    """Return the series of a document, or only those of an operation if given. Raise SubjectInvalid if it
    breaks a rule, has more than `_MOST_SERIES` series, or none of the operation.
    """
    try:
        refuse_invalid_values(document)
        series = distributions_of(document)
    except (InvalidValue, DomainError, OverflowError) as error:
        raise SubjectInvalid(f"The distribution breaks a rule: {error}.") from error
    if len(series) > _MOST_SERIES:
        raise SubjectInvalid(f"The document holds {len(series)} series; {_MOST_SERIES} are the most.")
    if operation is None:
        return series
    chosen = [entry for entry in series if entry.operation == operation]
    if not chosen:
        names = ", ".join(sorted({entry.operation for entry in series}))
        raise SubjectInvalid(f"The document has no series of “{operation}”. It has: {names}.")
    return chosen


@dataclass(frozen=True, slots=True)
class SentDistributions:
    """A distribution document of a request, as a source of evidence."""

    series: Sequence[Distribution]
    stands_for: str | None = None
    """The budget's operation for which a single series is used; None: that of its name."""

    @property
    def measured_ns(self) -> int:
        """Measured duration (ns) of the series that ends first; 0 if any has no intervals."""
        return min((_measured_ns(series) for series in self.series), default=0)

    @property
    def own_operations(self) -> tuple[str, ...]:
        """Operations that a question about the record's own operation may mean; may be empty."""
        names = [series.operation for series in self.series]
        return own_operations(names, read_operation(None, names, {}, {}))

    def evidence(self, budget: Budget) -> RunEvidence:  # noqa: ARG002 - the sender has chosen the series
        """Return all series, for any budget. A single series has the name `stands_for`, if set."""
        renamed = self.stands_for if len(self.series) == 1 else None
        operations = tuple(
            OperationEvidence(
                operation=renamed or series.operation,
                clock=series.clock,
                record=series.record,
                intervals=series.intervals,
                measured_ns=_measured_ns(series),
            )
            for series in self.series
        )
        return RunEvidence(operations, measured_ns=self.measured_ns)


def _measured_ns(series: Distribution) -> int:
    """Return the end of the intervals of a series in ns; 0 without intervals."""
    return series.intervals.end_ns if series.intervals is not None else 0
