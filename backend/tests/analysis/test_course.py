"""The course of a run over HTTP: what happened is found, what cannot be told says why."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from backend.tests.analysis.recording import SeriesSpec, add_run, steady
from sqlalchemy import text

from tailroom.analysis import course
from tailroom.kit.db import Database

MINUTE = 60 * 10**9
HOUR = 60 * MINUTE
LATE = 120


def worsening() -> SeriesSpec:
    """Three and a half hours in minutes: after two, one read in twelve is slow instead of one in fifty."""
    rng = np.random.default_rng(3)
    minutes = []
    for minute in range(210):
        latencies = np.full(400, 300_000, dtype=np.int64) + rng.integers(0, 5_000, 400)
        slow = (8 if minute < LATE else 33) + int(rng.integers(-2, 3))
        latencies[:slow] = 3_000_000
        minutes.append(latencies)
    return SeriesSpec("read", minutes, interval_ns=MINUTE)


def test_a_run_that_gets_worse_is_told_with_time_and_levels(
    store: Callable[..., UUID], read: Callable[..., Any]
) -> None:
    answer = read(store(worsening(), SeriesSpec("read", steady(10, 3), clock="service")), "/course")
    assert not answer["provisional"]
    (reads,) = answer["operations"]
    assert (reads["operation"], reads["clock"], reads["piece_count"]) == ("read", "response", 210)
    assert reads["steady_state"]["rounds"] == 21
    assert reads["steady_state"]["series"][0]["first_round"] == 0
    assert reads["ramp"]["cut_ns"] is not None or reads["ramp"]["reason"]
    first = reads["thresholds"][0]
    assert (first["threshold_ns"], first["limit_ratio"], first["budget_name"]) == (10**6, 0.05, "act-limits")
    before, after = first["levels"]["levels"]
    assert after["start_ns"] == LATE * MINUTE
    assert before["limits"]["lower"] < 0.02 < before["limits"]["upper"]
    assert after["limits"]["lower"] < 0.083 < after["limits"]["upper"]
    assert after["p_value"] < 0.001
    degraded = first["late_degradation"]
    assert (degraded["is_degraded"], degraded["changed_ns"], degraded["lasts"]) == (True, LATE * MINUTE, True)
    assert degraded["hours_until_failing"] == 2
    assert first["worst_aligned_hour"]["start_ns"] == 2 * HOUR
    assert first["worst_rolling_hour"]["start_ns"] >= 2 * HOUR
    assert first["worst_rolling_hour"]["worst_upper"] >= first["worst_aligned_hour"]["worst_upper"]
    assert first["compliance"] == {
        "hours": 3,
        "kept_ratio": pytest.approx(2 / 3),
        "first_violation_ns": 2 * HOUR,
        "longest_violation_hours": 1,
        "reason": None,
    }
    burn = first["burn"]
    assert burn["total_count"] == 210 * 400
    assert burn["budget_count"] == pytest.approx(0.05 * 210 * 400)
    assert burn["consumed_ratio"] == sorted(burn["consumed_ratio"])
    assert burn["consumed_ratio"][-1] == pytest.approx(burn["bad_count"] / burn["budget_count"])
    assert {one["length_ns"]: one["reason"] is None for one in burn["fastest"]} == {
        5 * MINUTE: True,
        30 * MINUTE: True,
        HOUR: True,
        6 * HOUR: False,
    }
    assert all("full" in one["reason"] for one in burn["alerts"] if one["long_ns"] > HOUR)
    last = reads["thresholds"][-1]
    assert (last["threshold_ns"], last["late_degradation"]["is_degraded"]) == (64 * 10**6, False)


def test_a_short_run_says_why_nothing_can_be_told(
    store: Callable[..., UUID], read: Callable[..., Any]
) -> None:
    answer = read(store(SeriesSpec("read", steady(200, 6)), ended=False), "/course")
    assert answer["provisional"]
    (reads,) = answer["operations"]
    assert "too few rounds" in reads["steady_state"]["reason"]
    assert reads["ramp"] == {"cut_ns": None, "mser_cut_ns": None, "reason": reads["ramp"]["reason"]}
    for threshold in reads["thresholds"]:
        for part in ("levels", "drift", "late_degradation", "worst_aligned_hour", "worst_rolling_hour"):
            assert threshold[part]["reason"], part
        assert threshold["compliance"]["reason"]
        assert all(one["reason"] for one in threshold["burn"]["alerts"])
    assert all(one["reason"] for one in reads["steps"])


def test_a_run_without_data_has_a_course_without_anything(
    database: Database, organisation: str, read: Callable[..., Any]
) -> None:
    with database.transaction() as session:
        run_id = add_run(session, [SeriesSpec("read", [])], organisation=organisation)
    (reads,) = read(run_id, "/course")["operations"]
    assert (reads["piece_count"], reads["reason"]) == (0, "nothing was measured yet")
    assert reads["thresholds"][0]["burn"]["reason"]


def test_minutes_tell_the_same_as_intervals_where_there_are_too_many(
    store: Callable[..., UUID],
    read: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    database: Database,
) -> None:
    run_id = store(worsening())
    by_intervals = read(run_id, "/course")
    monkeypatch.setattr(course, "_MOST_INTERVALS", 100)
    assert read(run_id, "/course") == by_intervals
    monkeypatch.undo()
    with database.transaction() as session:
        session.execute(text("DELETE FROM interval WHERE run_id = :run_id"), {"run_id": run_id})
    assert read(run_id, "/course") == by_intervals


def test_data_that_contradict_themselves_are_said_to(
    store: Callable[..., UUID], read: Callable[..., Any], database: Database
) -> None:
    run_id = store(SeriesSpec("read", steady(200, 6)))
    with database.transaction() as session:
        session.execute(
            text("UPDATE interval SET start_ns = 5 WHERE run_id = :run_id AND seq > 2"), {"run_id": run_id}
        )
    (reads,) = read(run_id, "/course")["operations"]
    assert "contradict" in reads["reason"]
    assert reads["thresholds"] == []
