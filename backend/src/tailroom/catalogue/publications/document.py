"""Schema of a publication's file. Unknown keys and values of the wrong type are errors.

Numbers are quoted, as printed; their bounds are calculated (`dataset`). A claim inherits missing values from
its column, then its row, then its table, then the document. docs/reference-data.md explains the format.
"""

from typing import Literal

import msgspec

from tailroom.domain.claims.claim import Relation

ConditionIn = str | bool | int | float | None
RoundingWord = Literal["half", "truncate", "set"]
"""How a number was rounded: to the nearest, cut off, or not at all because it was chosen (`set`)."""


class _Strict(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of the parts of a file: unknown keys are errors."""


class LoadIn(_Strict, frozen=True, kw_only=True):
    """Load of a row; `as_printed` is the document's own wording, if it has one."""

    multiple: float | None = None
    reads_per_s: float | None = None
    writes_per_s: float | None = None
    operations_per_s: float | None = None
    as_printed: str | None = None


class _Shared(_Strict, frozen=True, kw_only=True):
    """Values that a column, row or claim may state about its numbers; None: taken from the next level."""

    subject: str | None = None
    item: str | None = None
    quantity: str | None = None
    statistic: str | None = None
    threshold: str | None = None
    """A time with its unit, such as `8 ms`."""
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
    """A number that belongs to no column (`printed`), or a claim without a number (`text`)."""

    key: str
    printed: str | None = None
    text: str | None = None
    as_printed: str | None = None
    comparison: Relation = Relation.EQUAL


class RowIn(_Shared, frozen=True, kw_only=True):
    """Numbers that were printed together: a cell for each column, null if it is empty."""

    row: str
    label: str | None = None
    load: LoadIn | None = None
    test_date_as_printed: str | None = None
    cells: list[str | None] = []
    as_printed: list[str | None] = []
    """Wording of the cells that were printed as words, null for the others."""
    units: dict[str, str] = {}
    """Units by column, if they differ from row to row."""
    claims: list[ClaimIn] = []


class TableIn(_Strict, frozen=True, kw_only=True):
    """A table of the document, or the statements of its text on one subject."""

    id: str
    title: str
    title_as_printed: str | None = None
    note: str | None = None
    conditions: dict[str, ConditionIn] = {}
    columns: list[ColumnIn] = []
    rows: list[RowIn]


class PublicationFile(_Strict, frozen=True, kw_only=True):
    """Content of a publication's file."""

    format: Literal["tailroom-publication/1"]
    slug: str
    title: str
    publisher: str
    kind: Literal["vendor", "third_party", "commissioned"]
    document: str
    url: str | None = None
    date_as_printed: str | None = None
    bare_zero: Literal["digit", "row"] = "digit"
    """Bounds of a 0 without decimals: `digit`, below 0.5; `row`, by the decimals of others in its row."""
    measurement: dict[str, ConditionIn] = {}
    not_disclosed: list[str] = []
    conditions: dict[str, ConditionIn] = {}
    tables: list[TableIn]
