"""Evidence from a distribution document in a request; a single series serves for any operation."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.document import Distribution, distributions_of
from tailroom.domain.verdicts.evidence import OperationEvidence, RunEvidence
from tailroom.domain.verdicts.other_tools import own_operations, read_operation
from tailroom.evidence.errors import SubjectInvalid

_INTEGER_LIMIT = 2**63


class InvalidValue(ValueError):
    """A value that no document may contain; the message has its path in the document."""


def refuse_invalid_values(document: Any) -> None:
    """Raise InvalidValue for a number that is not finite or beyond 64 bits, or invalid text."""
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
    return "\x00" not in value and not any("\ud800" <= character <= "\udfff" for character in value)


_MOST_SERIES = 64


def distributions_sent(document: dict[str, Any], operation: str | None) -> Sequence[Distribution]:
    """Return the series of a document, or only those of an operation. Raise SubjectInvalid."""
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


def own_operations_sent(series: Sequence[Distribution]) -> tuple[str, ...]:
    """Return the operations that a question about the record's own operation may mean; may be empty."""
    names = [entry.operation for entry in series]
    return own_operations(names, read_operation(None, names, {}, {}))


def evidence_sent(series: Sequence[Distribution], stands_for: str | None = None) -> RunEvidence:
    """Return the evidence of all series, for any budget; a single series is named `stands_for`, if set."""
    renamed = stands_for if len(series) == 1 else None
    operations = tuple(
        OperationEvidence(
            operation=renamed or entry.operation,
            clock=entry.clock,
            record=entry.record,
            intervals=entry.intervals,
            measured_ns=_measured_ns(entry),
        )
        for entry in series
    )
    return RunEvidence(operations, measured_ns=measured_ns_sent(series))


def measured_ns_sent(series: Sequence[Distribution]) -> int:
    """Return the measured duration (ns) of the series that ends first; 0 if any has no intervals."""
    return min(map(_measured_ns, series))


def _measured_ns(series: Distribution) -> int:
    return series.intervals.end_ns if series.intervals is not None else 0
