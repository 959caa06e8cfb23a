"""The course of a series in memory is what is stored, whatever the chunks and the number of series."""

import numpy as np
import pytest
from backend.tests.analysis.recording import (
    LAYOUT,
    SeriesSpec,
    add_ended_run,
    steady,
)
from sqlalchemy import text
from sqlalchemy.orm import Session

from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.layouts import HdrLayout, LayoutsDiffer
from tailroom.domain.verdicts.plan_groups import fewer_digits
from tailroom.kit.transactions import same_transaction
from tailroom.records import courses
from tailroom.records.repository import SlicesVanished
from tailroom.records.rollup import roll_up
from tailroom.records.run_record import load_record
from tailroom.storage.run import Run

EMPTY = np.empty(0, np.int64)
LATENCIES = [*steady(300, 5), EMPTY, *steady(300, 7, seed=2)]
SPEC = SeriesSpec("read", LATENCIES, misses={5: 3, 6: 1})


def recorded(session: Session, *specs: SeriesSpec) -> Run:
    run_id = add_ended_run(session, specs)
    roll_up(same_transaction(session), run_id)
    return session.get_one(Run, run_id)


@pytest.mark.parametrize("chunk", [1, 4, 512])
def test_intervals_are_read_as_they_were_stored(
    session: Session, monkeypatch: pytest.MonkeyPatch, chunk: int
) -> None:
    monkeypatch.setattr(courses, "_CHUNK", chunk)
    record = load_record(session, recorded(session, SPEC)).operations[0]
    intervals = record.intervals
    assert intervals.size == len(LATENCIES)
    for position, latencies in enumerate(LATENCIES):
        piece = intervals.distribution(position)
        indices, counts = np.unique(LAYOUT.index_of(latencies // 1000), return_counts=True)
        assert piece.counts.indices.tolist() == indices.tolist()
        assert piece.counts.counts.tolist() == counts.tolist()
        assert piece.misses.total == SPEC.misses.get(position, 0)
        assert piece.pins == {at: int((latencies >= at).sum()) for at in SPEC.pins}
    whole = intervals.total()
    assert isinstance(record.dist, LatencyDist)
    assert whole.counts.counts.tolist() == record.dist.counts.counts.tolist()
    assert (whole.total, whole.sum_ns) == (record.dist.total, record.dist.sum_ns)


def test_after_retention_the_minutes_are_the_course(session: Session) -> None:
    run = recorded(session, SPEC)
    session.execute(text("DELETE FROM interval WHERE run_id = :run_id"), {"run_id": run.run_id})
    record = load_record(session, run).operations[0]
    assert record.intervals.size == 3
    assert record.intervals.total().total == record.dist.total


def test_pieces_that_vanish_between_two_looks_are_not_passed_over(session: Session) -> None:
    run = recorded(session, SPEC)
    record = load_record(session, run).operations[0]
    session.execute(text("DELETE FROM interval WHERE run_id = :run_id AND seq = 3"), {"run_id": run.run_id})
    with pytest.raises(SlicesVanished, match="12"):
        _ = record.intervals


def test_several_series_of_an_operation_are_added_up_over_time(session: Session) -> None:
    others = SeriesSpec("read", steady(200, 13, seed=9), pins=(1_000_000, 2_000_000))
    record = load_record(session, recorded(session, SPEC, others)).operations[0]
    together = record.intervals
    assert together.size == 13
    assert together.thresholds_ns == (1_000_000,)
    assert together.totals.tolist() == [
        one.size + 200 + SPEC.misses.get(position, 0) for position, one in enumerate(LATENCIES)
    ]
    assert together.total().total == record.dist.total


def test_series_reach_together_as_far_as_the_shorter_one() -> None:
    def pieces(size: int, layout: HdrLayout = LAYOUT, early_ns: int = 0) -> IntervalRecords:
        one = IntervalRecords.empty(layout)
        none = np.zeros(size, np.int64)
        return IntervalRecords(
            layout=one.layout,
            start_ns=np.maximum(np.arange(size) * 10_000 - early_ns, 0),
            duration_ns=np.full(size, 10_000),
            offsets=np.arange(size + 1),
            indices=np.full(size, 7),
            counts=np.full(size, 2),
            errors=none,
            timeouts=none,
            unfinished=none,
            sum_ns=none,
            min_ns=none,
            max_ns=none,
        )

    together = courses.merged([pieces(6), pieces(4, early_ns=3)])
    assert together.totals.tolist() == [4, 4, 4, 4]
    assert courses.merged([pieces(6), pieces(0)]).size == 0
    with pytest.raises(LayoutsDiffer):
        courses.merged([pieces(6), pieces(6, HdrLayout(1000, 2))])


@pytest.mark.parametrize(("most", "expected"), [(13, [1] * 13), (5, [3, 3, 3, 3, 1]), (1, [13])])
def test_coarser_pieces_lose_nothing(session: Session, most: int, expected: list[int]) -> None:
    intervals = load_record(session, recorded(session, SPEC)).operations[0].intervals
    coarse = courses.coarsened(intervals, most)
    assert (coarse.duration_ns // 10_000_000_000).tolist() == expected
    assert int(coarse.totals.sum()) == int(intervals.totals.sum())


def test_fewer_digits_widen_buckets_and_lose_nothing(session: Session) -> None:
    fine = load_record(session, recorded(session, SPEC)).operations[0].intervals
    wide = fewer_digits(fine, 2)
    assert wide.layout == HdrLayout(1000, 2)
    assert wide.indices.size < fine.indices.size
    assert wide.totals.tolist() == fine.totals.tolist()
    for position, latencies in enumerate(LATENCIES):
        indices, counts = np.unique(HdrLayout(1000, 2).index_of(latencies // 1000), return_counts=True)
        assert wide.distribution(position).counts.indices.tolist() == indices.tolist()
        assert wide.distribution(position).counts.counts.tolist() == counts.tolist()
    for at_ns in (350_000, 400_001, 1_000_000):
        for (least, most), (low, high) in zip(
            zip(*wide.over(at_ns), strict=True), zip(*fine.over(at_ns), strict=True), strict=True
        ):
            assert least <= low <= high <= most
    assert fewer_digits(wide, 2) is wide
    assert fewer_digits(IntervalRecords.empty(LAYOUT), 2).size == 0
