"""What people have found out about single published tests: reviewed, reproduced, disputed, retracted.

The list is part of the package (`reference/marks.yaml`); a note is in our words and names what it rests on.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Annotated, Literal

import msgspec


class Mark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One mark on one row of a publication."""

    publication: str
    row: str
    mark: Literal["reviewed", "reproduced", "disputed", "retracted"]
    note: Annotated[str, msgspec.Meta(min_length=1, max_length=400)]
    filed_metric_class: Literal["total", "device"] | None = None
    """Of a row that does not say what was timed: how it is filed all the same, with the reason in `note`."""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    marks: tuple[Mark, ...]


@cache
def reference_marks() -> Mapping[tuple[str, str], tuple[Mark, ...]]:
    """Marks by publication and row. Raises msgspec.ValidationError with the place where the file is wrong."""
    text = files("tailroom.ratings").joinpath("reference/marks.yaml").read_bytes()
    found: dict[tuple[str, str], tuple[Mark, ...]] = {}
    for one in msgspec.yaml.decode(text, type=_File).marks:
        key = (one.publication, one.row)
        found[key] = (*found.get(key, ()), one)
    return found
