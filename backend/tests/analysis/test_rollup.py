"""Intervals become slices exactly once, whatever the order and the number of looks."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from backend.tests.analysis.recording import (
    LAYOUT,
    MOMENT,
    Looked,
    SeriesSpec,
    add_ended_run,
    add_intervals,
    add_run,
    due_runs,
    finish,
    look_at_run,
    payload_of,
    steady,
)
from sqlalchemy import select, text

from tailroom.domain.latency.histogram import decode
from tailroom.domain.method import METHOD_VERSION
from tailroom.kit.db import Database
from tailroom.records.rollup import IntervalsLost
from tailroom.runs.verdicts import shown_verdicts
from tailroom.storage.series import Series
from tailroom.storage.slices import MINUTE, AnalysisState, RollupState, Slice
from tailroom.storage.verdicts import VerdictRow

SPECS = [
    SeriesSpec("read", steady(2_000, 14), misses={3: 2}),
    SeriesSpec("read", steady(2_000, 14, seed=2), clock="service"),
    SeriesSpec("read", steady(200, 140, seed=3), kind="tick", interval_ns=1_000_000_000),
]


@pytest.fixture
def database(fresh_postgres_url: str) -> Iterator[Database]:
    found = Database(fresh_postgres_url)
    yield found
    found.dispose()


def look(database: Database, run_id: UUID, seconds: float = 0.0) -> Looked:
    with database.transaction() as session:
        looked = look_at_run(session, run_id, MOMENT + timedelta(seconds=seconds))
    assert looked is not None
    return looked


def stored(database: Database, run_id: UUID) -> tuple[list[Any], list[Any]]:
    """Slices and verdicts as they are compared between runs: everything but ids and times."""
    with database.transaction() as session:
        slices = [
            {
                column.name: getattr(one, column.name)
                for column in Slice.__table__.columns
                if column.name != "run_id"
            }
            for one in session.scalars(
                select(Slice)
                .where(Slice.run_id == run_id)
                .order_by(Slice.series_no, Slice.width, Slice.slice_no)
            )
        ]
        verdicts = [
            (row.result, row.fingerprint)
            for row in session.scalars(
                select(VerdictRow).where(VerdictRow.run_id == run_id).order_by(VerdictRow.budget_name)
            )
        ]
    return slices, verdicts


def undisturbed(database: Database) -> tuple[list[Any], list[Any]]:
    with database.transaction() as session:
        run_id = add_ended_run(session, SPECS)
    look(database, run_id)
    return stored(database, run_id)


def test_slices_hold_exactly_what_was_measured(database: Database) -> None:
    slices, _ = undisturbed(database)
    whole = next(one for one in slices if one["width"] == "run" and one["series_no"] == 0)
    latencies = np.concatenate(SPECS[0].latencies)
    assert (whole["count"], whole["errors"], whole["sum_ns"]) == (28_000, 2, int(latencies.sum()))
    assert (whole["min_ns"], whole["max_ns"]) == (int(latencies.min()), int(latencies.max()))
    assert whole["interval_count"] == 14
    assert whole["duration_ns"] == 140 * 10**9
    merged, direct = decode(whole["histogram"], LAYOUT), decode(payload_of(latencies), LAYOUT)
    assert merged.indices.tolist() == direct.indices.tolist()
    assert merged.counts.tolist() == direct.counts.tolist()
    minutes = [one for one in slices if one["width"] == MINUTE and one["series_no"] == 0]
    assert [one["interval_count"] for one in minutes] == [6, 6, 2]
    assert sum(one["count"] for one in minutes) == 28_000
    assert {one["series_no"] for one in slices} == {0, 1}


def test_any_course_of_events_ends_in_the_same_slices_and_verdicts(database: Database) -> None:
    expected = undisturbed(database)
    rng = np.random.default_rng(4)
    for _ in range(3):
        with database.transaction() as session:
            run_id = add_run(session, SPECS)
        upto = 0
        while upto < 14:
            last = min(13, upto + int(rng.integers(0, 5)))
            with database.transaction() as session:
                add_intervals(session, run_id, SPECS[:2], upto, last)
            if rng.random() < 0.7:
                look(database, run_id, seconds=float(upto))
            upto = last + 1
        with database.transaction() as session:
            add_intervals(session, run_id, SPECS, 14)
            finish(session, run_id, SPECS)
        look(database, run_id, seconds=20.0)
        assert stored(database, run_id) == expected


def test_looking_again_changes_nothing(database: Database) -> None:
    with database.transaction() as session:
        run_id = add_ended_run(session, SPECS)
    assert look(database, run_id).changed == ["slices", "verdicts"]
    before = stored(database, run_id)
    assert look(database, run_id, seconds=100.0).changed == []
    assert stored(database, run_id) == before


def test_a_task_that_dies_leaves_nothing_behind(database: Database) -> None:
    with database.transaction() as session:
        run_id = add_run(session, SPECS)
        add_intervals(session, run_id, SPECS)

    def die() -> None:
        with database.transaction() as session:
            look_at_run(session, run_id, MOMENT)
            raise InterruptedError

    with pytest.raises(InterruptedError):
        die()
    assert stored(database, run_id) == ([], [])
    assert look(database, run_id).rolled_up == 28


def test_only_the_gapless_part_is_rolled_up(database: Database) -> None:
    with database.transaction() as session:
        run_id = add_run(session, SPECS[:1])
        add_intervals(session, run_id, SPECS[:1], 0, 3)
        add_intervals(session, run_id, SPECS[:1], 6, 7)
        session.get_one(Series, (run_id, 0)).contiguous_seq = 3
    assert look(database, run_id).rolled_up == 4
    with database.transaction() as session:
        assert session.get_one(RollupState, (run_id, 0)).through_seq == 3
        add_intervals(session, run_id, SPECS[:1], 4, 5)
        session.get_one(Series, (run_id, 0)).contiguous_seq = 7
    assert look(database, run_id).rolled_up == 4


def test_intervals_that_vanished_before_they_were_rolled_up_are_not_passed_over(database: Database) -> None:
    with database.transaction() as session:
        run_id = add_run(session, SPECS[:1])
        add_intervals(session, run_id, SPECS[:1])
        session.execute(text("DELETE FROM interval WHERE seq = 2"))
    with pytest.raises(IntervalsLost, match="13 intervals from 0 to 13"):
        look(database, run_id)


def test_a_run_that_goes_on_is_judged_every_two_seconds_at_most(database: Database) -> None:
    with database.transaction() as session:
        run_id = add_run(session, SPECS[:1])
        add_intervals(session, run_id, SPECS[:1], 0, 2)
    assert look(database, run_id).judged
    with database.transaction() as session:
        add_intervals(session, run_id, SPECS[:1], 3, 4)
    assert look(database, run_id, seconds=1.0).changed == ["slices"]
    assert due(database, 1.0) == []
    assert due(database, 3.0) == [run_id]
    assert look(database, run_id, seconds=3.0).changed == ["verdicts"]
    with database.transaction() as session:
        assert [one.provisional for one in shown_verdicts(session, [run_id])[run_id]] == [True, True]
        add_intervals(session, run_id, SPECS[:1], 5)
        finish(session, run_id, SPECS[:1])
    assert due(database, 3.1) == [run_id]
    assert look(database, run_id, seconds=3.1).judged
    with database.transaction() as session:
        assert [one.provisional for one in shown_verdicts(session, [run_id])[run_id]] == [False, False]
    assert due(database, 100.0) == []


def test_another_version_of_the_method_judges_again_and_keeps_the_old_verdict(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    with database.transaction() as session:
        run_id = add_ended_run(session, SPECS[:1])
    look(database, run_id)
    newer = METHOD_VERSION + 1
    for module in ("judgement", "renewal"):
        monkeypatch.setattr(f"tailroom.judging.{module}.METHOD_VERSION", newer)
    assert due(database, 0.0) == [run_id]
    look(database, run_id)
    with database.transaction() as session:
        assert session.get_one(AnalysisState, run_id).method_version == newer
        versions = session.scalars(
            select(VerdictRow.method_version)
            .where(VerdictRow.run_id == run_id)
            .order_by(VerdictRow.method_version)
        ).all()
        assert versions == [METHOD_VERSION, METHOD_VERSION, newer, newer]
        assert len(shown_verdicts(session, [run_id])[run_id]) == 2


def test_data_that_contradict_themselves_are_said_to(database: Database) -> None:
    with database.transaction() as session:
        run_id = add_run(session, SPECS[:1])
        add_intervals(session, run_id, SPECS[:1])
        session.execute(text("UPDATE interval SET sum_ns = 1 WHERE seq = 0"))
        session.execute(text("UPDATE interval SET max_ns = 5, min_ns = 5"))
        finish(session, run_id, SPECS[:1])
    look(database, run_id)
    with database.transaction() as session:
        for verdict in shown_verdicts(session, [run_id])[run_id]:
            assert (verdict.verdict, verdict.reason) == ("INDETERMINATE", "metadata")
            assert verdict.reason_text is not None
            assert "contradict" in verdict.reason_text


def due(database: Database, seconds: float) -> list[UUID]:
    with database.transaction() as session:
        return due_runs(session, MOMENT + timedelta(seconds=seconds))
