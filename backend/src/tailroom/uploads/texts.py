"""Decides how texts out of files are made such that PostgreSQL and JSON can keep them."""

import math
from typing import Any

_LONGEST = 4_000
_DEEPEST = 8


def clean(text: str) -> str:
    """Without what cannot be kept: NUL characters and halves of surrogate pairs become replacement signs."""
    return text.replace("\x00", "\ufffd").encode("utf-8", "replace").decode("utf-8")


def sentence(text: str) -> str:
    """A text of a length that an answer may have."""
    kept = clean(text)
    return kept if len(kept) <= _LONGEST else kept[: _LONGEST - 1] + "…"


def keepable(value: Any, depth: int = 0) -> Any:
    """A value as JSON can keep it: numbers that are none become null, anything unknown its text."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str):
        return sentence(value)
    if depth < _DEEPEST and isinstance(value, dict):
        return {sentence(str(key)): keepable(inner, depth + 1) for key, inner in value.items()}
    if depth < _DEEPEST and isinstance(value, list | tuple):
        return [keepable(inner, depth + 1) for inner in value]
    return sentence(str(value))
