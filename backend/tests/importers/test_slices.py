"""Shares by slice are those of counting by hand; windows are never better than slices; gaps widen ends."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.layouts import Pow2Layout
from tailroom.importers.parsed_run import ParsedSeries, Period
from tailroom.importers.slices import SliceInvalid, exceedance

MS, S = 10**6, 10**9
LAYOUT = Pow2Layout(MS)
Pieces = Sequence[tuple[int, int, int]]
"""Seconds, operations below 1 ms, operations of 1 to 2 ms."""


def _series(pieces: Pieces) -> ParsedSeries:
    ends = np.cumsum([seconds for seconds, *_ in pieces]) * S
    records = IntervalRecords.of(
        [LatencyDist(LAYOUT, Counts(np.array([0, 1]), np.array([quick, slow]))) for _, quick, slow in pieces],
        ends - np.array([seconds for seconds, *_ in pieces]) * S,
        np.array([seconds for seconds, *_ in pieces]) * S,
        layout=LAYOUT,
    )
    return ParsedSeries("read", "service", records.total(), intervals=records)


_pieces = st.lists(st.tuples(st.just(1), st.integers(0, 50), st.integers(0, 50)), min_size=1, max_size=40)


@settings(max_examples=100, deadline=None)
@given(_pieces, st.integers(1, 12))
def test_slices_are_counted_by_hand(pieces: Pieces, length: int) -> None:
    """Every full slice, the rest behind them, the mean of the slices, the worst window by trying all."""
    found = exceedance(_series(pieces), MS, length * S)
    assert found is not None
    full = len(pieces) // length
    assert len(found.slices) == full
    shares = []
    for number, one in enumerate(found.slices):
        part = pieces[number * length : (number + 1) * length]
        count, slow = sum(q + s for _, q, s in part), sum(s for *_, s in part)
        assert (one.start_ns, one.end_ns, one.count) == (
            number * length * S,
            (number + 1) * length * S,
            count,
        )
        assert one.lower_ratio == one.upper_ratio == (slow / count if count else None)
        if count:
            shares.append(slow / count)
    assert (found.rest is None) == (len(pieces) % length == 0)
    if found.rest is not None:
        assert found.rest.count == sum(q + s for _, q, s in pieces[full * length :])
        assert found.rest.end_ns == len(pieces) * S
    if shares:
        assert found.average == pytest.approx((sum(shares) / len(shares),) * 2)
        assert found.worst is not None
        assert found.worst.upper_ratio == max(shares)
    windows = [pieces[at : at + length] for at in range(len(pieces) - length + 1)]
    tried = [
        sum(s for *_, s in part) / total for part in windows if (total := sum(q + s for _, q, s in part))
    ]
    if tried:
        assert found.rolling_worst is not None
        assert found.rolling_worst.upper_ratio == max(tried)
    else:
        assert found.rolling_worst is None


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.integers(1, 5), st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=12),
    st.data(),
)
def test_a_piece_over_an_end_widens_both_slices(pieces: Pieces, data: st.DataObject) -> None:
    """Wherever the operations of long pieces really were, the true shares lie between the ends."""
    length = 3
    found = exceedance(_series(pieces), MS, length * S, whole_pieces=False)
    assert found is not None
    seconds = sum(piece[0] for piece in pieces)
    quick, slow = np.zeros(seconds), np.zeros(seconds)
    at = 0
    for duration, number_quick, number_slow in pieces:
        for target, number in ((quick, number_quick), (slow, number_slow)):
            for _ in range(number):
                target[at + data.draw(st.integers(0, duration - 1))] += 1
        at += duration
    for number, one in enumerate(found.slices):
        inside = slice(number * length, (number + 1) * length)
        count = quick[inside].sum() + slow[inside].sum()
        if count and one.lower_ratio is not None and one.upper_ratio is not None:
            share = slow[inside].sum() / count
            assert one.lower_ratio - 1e-12 <= share <= one.upper_ratio + 1e-12


def test_a_slice_is_a_multiple_of_the_pieces() -> None:
    """As ACT's script makes it; never shorter than a piece."""
    series = _series([(7, 10, 1)] * 10)
    for asked, made in ((7, 7), (10, 14), (1, 7), (15, 21)):
        found = exceedance(series, MS, asked * S)
        assert found is not None
        assert found.slice_ns == made * S


def test_without_a_course() -> None:
    """Only the whole is known: no slices. No slice has no length. A gap of years is not cut into seconds."""
    whole = _series([(1, 5, 5)])
    assert exceedance(ParsedSeries("read", "service", whole.record), MS, S) is None
    with pytest.raises(SliceInvalid):
        exceedance(whole, MS, 0)
    with pytest.raises(SliceInvalid, match="most of them empty"):
        exceedance(_series([(1, 5, 5), (1, 5, 5), (10**9, 5, 5)]), MS, S)


def test_periods_serve_as_well() -> None:
    """Statements about stretches of the run are a course too, where their numbers are known."""
    record = _series([(1, 30, 10)]).record
    series = ParsedSeries(
        "read", "service", record, periods=tuple(Period(at * S, S, record) for at in range(4))
    )
    found = exceedance(series, MS, 2 * S)
    assert found is not None
    assert [(one.count, one.lower_ratio) for one in found.slices] == [(80, 0.25), (80, 0.25)]
