"""Names of editions, and the list of changes between two."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tailroom.domain.rating.editions import (
    ChangeKind,
    EditionRow,
    RowChange,
    changes_between,
    is_edition_name,
    quarter_before,
    quarter_of,
)

ROW = EditionRow("a", 3.0, 6.0, (1, 2), "self-reported")


@pytest.mark.parametrize(
    ("month", "present", "ended"),
    [
        (1, "2026-Q1", "2025-Q4"),
        (3, "2026-Q1", "2025-Q4"),
        (4, "2026-Q2", "2026-Q1"),
        (12, "2026-Q4", "2026-Q3"),
    ],
)
def test_a_moment_lies_in_a_quarter(month: int, present: str, ended: str) -> None:
    moment = datetime(2026, month, 15, tzinfo=UTC)
    assert (quarter_of(moment), quarter_before(moment)) == (present, ended)
    assert is_edition_name(present)
    assert not is_edition_name(f"{present}x")


def test_equal_boards_have_no_changes() -> None:
    assert changes_between([ROW], [ROW]) == []


def test_every_kind_of_change_is_listed_with_both_sides() -> None:
    later = replace(ROW, passed_load=None, failed_load=1.0, rank=None, standing="confirmed")
    new = replace(ROW, row_id="b", failed_load=None)
    gone = replace(ROW, row_id="c")
    assert changes_between([ROW, gone], [later, new]) == [
        RowChange("a", ChangeKind.RATING, "holds 3x, fails 6x", "holds no load, fails 1x"),
        RowChange("a", ChangeKind.RANK, "rank 1 to 2", "not ranked"),
        RowChange("a", ChangeKind.STANDING, "self-reported", "confirmed"),
        RowChange("b", ChangeKind.ADDED, None, "holds 3x"),
        RowChange("c", ChangeKind.REMOVED, "holds 3x, fails 6x", None),
    ]
