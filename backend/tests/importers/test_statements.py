"""Statements: what is printed becomes ends between which the truth lies, alone and added up."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.latency.knots import StatementsContradict
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.importers.printed import moment, printed, whole
from tailroom.importers.statements import (
    LatencyImpossible,
    Statements,
    enclosing,
    hdr_bucket_ns,
    merged,
    time_ns,
)


@pytest.mark.parametrize(
    "text", ["nan", "-nan", "inf", "", "1e999", "0x10", "1_000", "٣", "9" * 30, "1,5", " 1"]
)
def test_what_is_no_number_is_none(text: str) -> None:
    assert printed(text) is None
    assert whole(text) is None


def test_a_printed_number_stands_for_all_that_are_printed_like_it() -> None:
    number = printed("0.240")
    assert number is not None
    assert (number.lower, number.upper) == (Fraction(2395, 10_000), Fraction(2405, 10_000))
    assert time_ns(number, 1_000_000) == (239_500, 240_500)


@pytest.mark.parametrize("text", ["0001-01-01 00:00:00", "9999-12-31 23:59:59", "2026-13-01 00:00:00", "x"])
def test_times_that_no_file_can_have_are_none(text: str) -> None:
    assert moment(text) is None


@settings(deadline=None, max_examples=100)
@given(st.integers(0, 10**9), st.sampled_from([(1_000, 3), (8_000, 3), (8_000, 2), (1_000, 5)]))
def test_the_bucket_is_that_of_the_layout(value_us: int, kind: tuple[int, int]) -> None:
    layout = HdrLayout(*kind)
    index = layout.index_of(np.array([value_us * 1_000 // layout.unit_ns]))
    lower, upper = layout.edges_ns(index)
    assert hdr_bucket_ns(layout, value_us) == (int(lower[0]), int(upper[0]))


def test_an_impossible_time_is_an_error() -> None:
    with pytest.raises(LatencyImpossible, match="no latency"):
        hdr_bucket_ns(HdrLayout(), 1 << 62)


def test_statements_that_contradict_each_other_make_no_record() -> None:
    statements = Statements(100)
    statements.at_least(1_000, Fraction(1, 2))
    statements.at_most(2_000, Fraction(1, 4))
    with pytest.raises(StatementsContradict, match=r"at least 0\.5 and at most 0\.25"):
        statements.record()


@settings(deadline=None, max_examples=60)
@given(st.lists(st.lists(st.integers(1, 5_000), min_size=1, max_size=60), min_size=1, max_size=6))
def test_periods_added_up_hold_the_truth_of_the_whole(periods: list[list[int]]) -> None:
    layout = HdrLayout()
    made = []
    for values in periods:
        ordered = sorted(values)
        one = Statements(len(ordered))
        one.span(hdr_bucket_ns(layout, ordered[0])[0], hdr_bucket_ns(layout, ordered[-1])[1])
        rank = max(1, int(0.9 * len(ordered) + 0.5))
        one.hdr_quantile(Fraction(9, 10), *hdr_bucket_ns(layout, ordered[rank - 1]))
        made.append(one)
    record = merged(made).record()
    together = np.array([value for values in periods for value in values])
    assert record.total == together.size
    for time_us in {1, *together.tolist(), *(together + 1).tolist()}:
        least, most = record.cdf_bounds(time_us * 1_000)
        assert least - 1e-12 <= float((together < time_us).mean()) <= most + 1e-12


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.lists(
            st.tuples(st.integers(1, 30), st.integers(0, 8)),
            min_size=1,
            max_size=6,
            unique_by=lambda one: one[0],
        ),
        min_size=1,
        max_size=5,
    )
)
def test_what_holds_of_several_is_the_weakest_of_them(rows: list[list[tuple[int, int]]]) -> None:
    made = []
    for row in rows:
        one = Statements()
        for (time, _), eighths in zip(sorted(row), sorted(eighths for _, eighths in row), strict=True):
            one.at_least(time, Fraction(eighths, 8))
            one.at_most(time, Fraction(min(8, eighths + 1), 8))
        made.append(one)
    record = enclosing(made).record()
    alone = [one.record() for one in made]
    for time in range(32):
        ends = [one.cdf_bounds(time) for one in alone]
        assert record.cdf_bounds(time) == (min(low for low, _ in ends), max(high for _, high in ends))


@settings(deadline=None, max_examples=40)
@given(
    st.from_regex(r"[0-9]{1,6}(\.[0-9]{1,4})?(e[+-]?[0-9])?", fullmatch=True),
    st.sampled_from([1, 1_000, 10**6]),
)
def test_ends_in_whole_numbers_are_those_of_fractions(text: str, unit: int) -> None:
    number = printed(text)
    assert number is not None
    assert number.value == Fraction(text)
    assert number.upper - number.lower == number.ulp
    least, most = max(Fraction(0), number.lower * unit), number.upper * unit
    assert number.ends(unit) == (float(least), float(most))
    assert number.outward(unit) == (math.floor(least), math.ceil(most))
