"""What the method says in types of JSON, to compare with `numbers.json`."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

import numpy as np

_LONG = 12
"""Numbers in a list that are written one by one; more are written as their number and two sums."""
_EMPTY: tuple[Any, ...] = (None, [], {}, "")
_CURVE = 60
"""Points of a curve that are all written; of more every eighth part is."""


def written(value: Any) -> Any:  # noqa: PLR0911 - one for each type
    """The same value in types of JSON; fields that are None, empty or private are left out."""
    match value:
        case Enum() | bool() | int() | str() | None:
            return value
        case float():
            return float(f"{value:.7g}") if np.isfinite(value) else str(value)
        case np.ndarray() | np.generic():
            return written(value.tolist())
        case Mapping():
            document = {str(key): written(each) for key, each in value.items()}
            return {key: each for key, each in document.items() if each not in _EMPTY}
        case Sequence() if len(numbers := _numbers_in(value)) > _LONG:
            places = np.arange(1, len(numbers) + 1)
            return [len(value), *written(np.array([np.sum(numbers), np.sum(np.array(numbers) / places)]))]
        case Sequence() if len(value) > _CURVE:
            return [len(value), *written(value[:: len(value) // 8])]
        case Sequence():
            return [written(each) for each in value]
    assert is_dataclass(value)
    return written({each.name: getattr(value, each.name) for each in fields(value) if each.name[0] != "_"})


def _numbers_in(value: Any) -> list[float]:
    """The numbers of a list, also of lists in it; empty if it holds anything else."""
    if isinstance(value, int | float):
        return [value]
    parts = [_numbers_in(each) for each in value] if isinstance(value, list | tuple) else []
    return [number for part in parts for number in part] if all(parts) else []
