"""Names of editions of the leaderboard, and what has changed between two of them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

_NAME = re.compile(r"20\d\d-Q[1-4]")
_MONTHS = 3


class ChangeKind(StrEnum):
    """Kind of a difference of a row between two editions; STANDING is how well the row is confirmed."""

    ADDED = "added"
    REMOVED = "removed"
    RATING = "rating"
    RANK = "rank"
    STANDING = "standing"


@dataclass(frozen=True, slots=True)
class EditionRow:
    """The fields of a leaderboard row by which editions are compared. Loads are multiples of ACT's load, None
    without such a load. `rank` is the best and worst possible rank, None if not ranked. `standing` is a value
    of `standing.Standing`.
    """

    row_id: str
    passed_load: float | None
    failed_load: float | None
    rank: tuple[int, int] | None
    standing: str


@dataclass(frozen=True, slots=True)
class RowChange:
    """A change of a row, with both sides in words, None in the edition that lacks the row."""

    row_id: str
    kind: ChangeKind
    before: str | None
    after: str | None


def is_edition_name(text: str) -> bool:
    """Return whether a text names a quarter of 2000 to 2099, such as `2026-Q4`."""
    return _NAME.fullmatch(text) is not None


def quarter_of(moment: datetime) -> str:
    """Return the name of the quarter of a moment, such as `2026-Q4`, in the moment's own time zone."""
    return f"{moment.year}-Q{(moment.month - 1) // _MONTHS + 1}"


def quarter_before(moment: datetime) -> str:
    """Return the name of the last quarter that ended before a moment, in the moment's own time zone."""
    quarter = (moment.month - 1) // _MONTHS
    return f"{moment.year}-Q{quarter}" if quarter else f"{moment.year - 1}-Q4"


def changes_between(before: Sequence[EditionRow], after: Sequence[EditionRow]) -> list[RowChange]:
    """Return the differences between two editions, in the order of the later; removed rows come last."""
    earlier: Mapping[str, EditionRow] = {row.row_id: row for row in before}
    later = {row.row_id for row in after}
    changes: list[RowChange] = []
    for row in after:
        if row.row_id not in earlier:
            changes.append(RowChange(row.row_id, ChangeKind.ADDED, None, _rating_text(row)))
        else:
            changes += _changes_of(earlier[row.row_id], row)
    return changes + [
        RowChange(row.row_id, ChangeKind.REMOVED, _rating_text(row), None)
        for row in before
        if row.row_id not in later
    ]


def _changes_of(before: EditionRow, after: EditionRow) -> list[RowChange]:
    """Return the changes of a row that both editions have; empty if rating, rank and standing are equal."""
    texts = {
        ChangeKind.RATING: (_rating_text(before), _rating_text(after)),
        ChangeKind.RANK: (_rank_text(before), _rank_text(after)),
        ChangeKind.STANDING: (before.standing, after.standing),
    }
    return [RowChange(after.row_id, kind, *pair) for kind, pair in texts.items() if pair[0] != pair[1]]


def _rating_text(row: EditionRow) -> str:
    """Return a row's rating in words: `holds 3x, fails 6x`, `holds no load, fails 1x`, or `holds 3x`."""
    holds = "holds no load" if row.passed_load is None else f"holds {row.passed_load:g}x"
    return holds if row.failed_load is None else f"{holds}, fails {row.failed_load:g}x"


def _rank_text(row: EditionRow) -> str:
    """Return the rank or range of ranks of a row in words; `not ranked` without a rank."""
    if row.rank is None:
        return "not ranked"
    best, worst = row.rank
    return f"rank {best}" if best == worst else f"rank {best} to {worst}"
