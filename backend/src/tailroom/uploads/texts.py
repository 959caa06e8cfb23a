"""Texts of files made safe to store in PostgreSQL and JSON, and to show."""

import math
from typing import Any

from tailroom.kit.outside_types import clean_line, clean_text

_CHARACTERS_MAX = 4_000
_DEPTH_MAX = 8


def sentence(text: str, *, lines: bool = False) -> str:
    """Return any text of a file in a form that can be stored and shown, on one line; `lines`: line ends stay.

    Characters that cannot be shown become `?`. A text over 4,000 characters is cut, and then ends in `…`.
    """
    cleaned = clean_text(text) if lines else clean_line(text)
    return cleaned if len(cleaned) <= _CHARACTERS_MAX else cleaned[: _CHARACTERS_MAX - 1] + "…"


def storable_json(value: Any, depth: int = 0) -> Any:
    """Return a value that JSON can store: numbers that are not finite become null, other types their text.

    Texts and keys are cleaned and cut as by `sentence`; texts that are values keep their line ends. `depth`:
    current depth of nesting; objects and lists from depth 8 on become text.
    """
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, str):
        return sentence(value, lines=True)
    if depth < _DEPTH_MAX and isinstance(value, dict):
        return {sentence(str(key)): storable_json(inner, depth + 1) for key, inner in value.items()}
    if depth < _DEPTH_MAX and isinstance(value, list | tuple):
        return [storable_json(inner, depth + 1) for inner in value]
    return sentence(str(value))
