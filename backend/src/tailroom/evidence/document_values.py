"""Refusal of JSON values that no document may hold: non-finite numbers, large integers and broken text."""

import math
from collections.abc import Iterator
from typing import Any

_INTEGER_LIMIT = 2**63


class InvalidValue(ValueError):
    """A value that no document may contain; the message has its path in the document."""


def refuse_invalid_values(document: Any) -> None:
    """Raise InvalidValue for a number that is not finite, an integer beyond 64 bits, or broken text.

    Broken text has NUL characters or unpaired surrogates; keys of objects are checked too.
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
