"""The course of a long run is drawn from stored slices, with the same figures as from its intervals."""

from uuid import UUID

import pytest
from backend.tests.analysis.recording import SeriesSpec, add_intervals, add_run, steady
from sqlalchemy import delete, update
from sqlalchemy.orm import Session

from tailroom.analysis.run_reader import RunReader
from tailroom.analysis.schemas import TimelineOut
from tailroom.analysis.timeline import timeline_of
from tailroom.domain.units import NS_PER_MINUTE, NS_PER_S
from tailroom.kit.transactions import same_transaction
from tailroom.records.rollup import roll_up
from tailroom.storage.interval import IntervalRow
from tailroom.storage.run import Run
from tailroom.storage.slices import MINUTE, TEN_MINUTES, Slice

HALF_DAY, TENS = 720, 72
SPECS = [
    SeriesSpec("read", steady(4, HALF_DAY), interval_ns=NS_PER_MINUTE),
    SeriesSpec("read", steady(4, HALF_DAY, seed=2), interval_ns=NS_PER_MINUTE, clock="service"),
    SeriesSpec("read", steady(1, 60, seed=3), kind="tick", interval_ns=NS_PER_S),
]


@pytest.fixture
def run_id(session: Session) -> UUID:
    """Half a day, of which nothing is in slices yet."""
    found = add_run(session, SPECS)
    session.get_one(Run, found).data_through_ns = HALF_DAY * NS_PER_MINUTE
    return found


def drawn(session: Session, run_id: UUID) -> TimelineOut:
    run = session.get_one(Run, run_id)
    return timeline_of(RunReader.of(same_transaction(session), run.organisation_id, run_id), TENS)


@pytest.mark.parametrize("through", [HALF_DAY - 1, HALF_DAY - 8, HALF_DAY - 1 - 20])
def test_from_slices_and_what_is_in_none_yet_as_from_intervals(
    session: Session, run_id: UUID, through: int
) -> None:
    add_intervals(session, run_id, SPECS, 0, through)
    roll_up(same_transaction(session), run_id)
    if through < HALF_DAY - 1:
        add_intervals(session, run_id, SPECS, through + 1)
    from_slices = drawn(session, run_id)
    session.execute(delete(Slice).where(Slice.run_id == run_id))
    from_intervals = drawn(session, run_id)
    for one, other in zip(from_slices.series, from_intervals.series, strict=True):
        assert len(one.percentiles) == TENS
        assert one.percentiles == other.percentiles
    counts = [sum(one.ticks.count) for one in from_slices.series]
    assert counts == [4 * HALF_DAY] * 2, "ticks of a long run are too many to read"


def test_a_late_short_last_interval_adds_no_point(session: Session) -> None:
    spec = SeriesSpec("read", steady(4, 4), interval_ns=NS_PER_S)
    run_id = add_run(session, [spec])
    add_intervals(session, run_id, [spec])
    late = {"start_ns": 36 * NS_PER_S // 10, "duration_ns": 3 * NS_PER_S // 10}
    session.execute(
        update(IntervalRow).where(IntervalRow.run_id == run_id, IntervalRow.seq == 3).values(late)
    )
    run = session.get_one(Run, run_id)
    series = timeline_of(RunReader.of(same_transaction(session), run.organisation_id, run_id), 4).series[0]
    assert series.ticks.count == [8, 4, 4]
    assert len(series.percentiles) == 3


@pytest.mark.parametrize("missing", [TEN_MINUTES, MINUTE])
def test_slices_that_lack_a_part_are_left_alone(session: Session, run_id: UUID, missing: str) -> None:
    """As of a run that was rolled up before there were ten minutes."""
    add_intervals(session, run_id, SPECS)
    roll_up(same_transaction(session), run_id)
    whole = drawn(session, run_id)
    of_run = Slice.run_id == run_id, Slice.slice_no < 3
    session.execute(delete(Slice).where(*of_run, Slice.width == TEN_MINUTES))
    session.execute(delete(Slice).where(*of_run, Slice.width == missing))
    found = drawn(session, run_id)
    for one, other in zip(found.series, whole.series, strict=True):
        assert sum(point.count or 0 for point in one.percentiles) == 4 * HALF_DAY
        assert one.percentiles == other.percentiles
