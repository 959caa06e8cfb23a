"""Marks of published tests: reviewed, reproduced, disputed, retracted.

The list is part of the package (`reference/marks.yaml`); a note is in our words and cites its source.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Annotated, Literal

import msgspec


class Mark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A reviewer's mark on a row of a publication: slug, row, kind of mark, and a note with its source."""

    publication: str
    row: str
    mark: Literal["reviewed", "reproduced", "disputed", "retracted"]
    note: Annotated[str, msgspec.Meta(min_length=1, max_length=400)]
    filed_metric_class: Literal["total", "device"] | None = None
    """Metric class of a row that does not state what was timed itself; `note` has the reason."""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Content of `reference/marks.yaml`."""

    marks: tuple[Mark, ...]


@cache
def reference_marks() -> Mapping[tuple[str, str], tuple[Mark, ...]]:
    """Return the marks by publication slug and row.

    Raise msgspec.ValidationError if the file is malformed.
    """
    text = files("tailroom.ratings").joinpath("reference/marks.yaml").read_bytes()
    by_row: dict[tuple[str, str], tuple[Mark, ...]] = {}
    for mark in msgspec.yaml.decode(text, type=_File).marks:
        key = (mark.publication, mark.row)
        by_row[key] = (*by_row.get(key, ()), mark)
    return by_row
