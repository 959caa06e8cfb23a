"""Schema of a publication's file. Unknown keys and values of the wrong type are errors.

Numbers are quoted, as printed; their bounds are calculated (`dataset`). A claim inherits missing values from
its column, then its row, then its table, then the document. docs/reference-data.md explains the format.
"""

from typing import Literal

import msgspec

from tailroom.domain.claims.printed import Relation

ConditionIn = str | bool | int | float | None
RoundingWord = Literal["half", "truncate", "set"]
"""`set`: a number that was chosen, not measured, and has no width."""


class _Strict(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class LoadIn(_Strict, frozen=True, kw_only=True):
    """Load of a row; `as_printed` where the document words it."""

    multiple: float | None = None
    reads_per_s: float | None = None
    writes_per_s: float | None = None
    operations_per_s: float | None = None
    as_printed: str | None = None


class _Shared(_Strict, frozen=True, kw_only=True):
    """Values that a column, row or claim may state about its numbers."""

    subject: str | None = None
    item: str | None = None
    quantity: str | None = None
    statistic: str | None = None
    threshold: str | None = None
    """`8 ms`."""
    operation: str | None = None
    workload: str | None = None
    metric_class: Literal["total", "device", "unstated"] | None = None
    config: str | None = None
    unit: str | None = None
    rounding: RoundingWord | None = None
    conditions: dict[str, ConditionIn] = {}


class ColumnIn(_Shared, frozen=True, kw_only=True):
    """A column of a table; its key becomes part of the keys of its claims."""

    key: str


class ClaimIn(_Shared, frozen=True, kw_only=True):
    """A number outside columns, or a claim that names none (`text`)."""

    key: str
    printed: str | None = None
    text: str | None = None
    as_printed: str | None = None
    comparison: Relation = Relation.EQUAL


class RowIn(_Shared, frozen=True, kw_only=True):
    """Numbers that were printed together: one cell for each column, null where it is empty."""

    row: str
    label: str | None = None
    load: LoadIn | None = None
    test_date_as_printed: str | None = None
    cells: list[str | None] = []
    as_printed: list[str | None] = []
    """Wording of cells whose digits replace words."""
    units: dict[str, str] = {}
    """Units of cells that differ from row to row, by column."""
    claims: list[ClaimIn] = []


class TableIn(_Strict, frozen=True, kw_only=True):
    """A table of the document, or what its text says about one thing."""

    id: str
    title: str
    title_as_printed: str | None = None
    note: str | None = None
    conditions: dict[str, ConditionIn] = {}
    columns: list[ColumnIn] = []
    rows: list[RowIn]


class PublicationFile(_Strict, frozen=True, kw_only=True):
    """The file of a publication."""

    format: Literal["tailroom-publication/1"]
    slug: str
    title: str
    publisher: str
    kind: Literal["vendor", "third_party", "commissioned"]
    document: str
    url: str | None = None
    date_as_printed: str | None = None
    bare_zero: Literal["digit", "row"] = "digit"
    """Bounds of a 0 without decimals: anything under half of 1, or as the numbers of its row."""
    measurement: dict[str, ConditionIn] = {}
    not_disclosed: list[str] = []
    conditions: dict[str, ConditionIn] = {}
    tables: list[TableIn]
