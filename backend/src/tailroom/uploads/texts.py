"""Texts of files in a form that PostgreSQL and JSON can store, and that is safe to show."""

import math
from typing import Any

from tailroom.kit.outside_types import clean_line, clean_text

_LONGEST = 4_000
_DEEPEST = 8


def clean(text: str) -> str:
    """Return a name on one line, without characters that cannot be stored or shown."""
    return clean_line(text)


def sentence(text: str, *, lines: bool = False) -> str:
    """Return a text without control characters, cut to 4,000 characters; `lines`: with its line ends."""
    cleaned = clean_text(text) if lines else clean_line(text)
    return cleaned if len(cleaned) <= _LONGEST else cleaned[: _LONGEST - 1] + "…"


def keepable(value: Any, depth: int = 0) -> Any:
    """Return a value that JSON can store: numbers that are not finite become null, unknown types their text.

    `depth`: how deep the value is nested; below 8 levels it becomes text.
    """
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str):
        return sentence(value, lines=True)
    if depth < _DEEPEST and isinstance(value, dict):
        return {sentence(str(key)): keepable(inner, depth + 1) for key, inner in value.items()}
    if depth < _DEEPEST and isinstance(value, list | tuple):
        return [keepable(inner, depth + 1) for inner in value]
    return sentence(str(value))
