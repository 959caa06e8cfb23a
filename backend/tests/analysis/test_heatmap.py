"""Latencies over time as cells: nothing lost, nothing split, never more than asked for."""

import math
from collections.abc import Callable
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from backend.tests.analysis.recording import SeriesSpec, steady
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text

from tailroom.analysis import heatmap
from tailroom.domain.latency.layouts import NEVER_NS
from tailroom.kit.db import Database

LATENCIES = steady(500, 40)
SPECS = [SeriesSpec("read", LATENCIES, misses={3: 2})]
INTERVAL_NS = 10_000_000_000


@pytest.fixture
def run_id(store: Callable[..., UUID]) -> UUID:
    return store(*SPECS)


@pytest.fixture
def heat(read: Callable[..., Any]) -> Callable[..., Any]:
    """Reads the cells of a run, by default of its reads in all its time."""
    usual = {"operation": "read", "clock": "response"}
    return lambda run_id, **asked: read(run_id, "/heatmap", **usual | asked)


def test_every_operation_is_in_the_cell_of_its_time_and_latency(
    heat: Callable[..., Any], run_id: UUID
) -> None:
    found = heat(run_id)
    rows, columns = found["rows"], found["columns"]
    assert len(columns) == len(LATENCIES)
    assert len(rows) <= heatmap.HEATMAP_ROWS
    for column, latencies in zip(columns, LATENCIES, strict=True):
        assert column["count"] == len(latencies)
        held = np.zeros(len(rows), np.int64)
        held[column["first_row"] : column["first_row"] + len(column["counts"])] = column["counts"]
        # Latencies are stored in whole microseconds, rounded down, which is where ranges may end.
        stored = latencies // 1_000 * 1_000
        for row, count in zip(rows, held, strict=True):
            assert count == ((stored >= row["lower_ns"]) & (stored < row["upper_ns"])).sum()
    assert [one["miss_count"] for one in columns] == [2 if at == 3 else 0 for at in range(len(columns))]


def test_ranges_follow_each_other_and_hold_the_whole_extent(heat: Callable[..., Any], run_id: UUID) -> None:
    rows = heat(run_id)["rows"]
    assert [one["upper_ns"] for one in rows[:-1]] == [one["lower_ns"] for one in rows[1:]]
    assert sum(one["count"] for one in rows) == sum(len(one) for one in LATENCIES)


def _edges_ns(buckets: set[tuple[int, int]]) -> list[int]:
    """Return the edges of latency ranges for filled buckets."""
    lower, upper = np.array(sorted(buckets), np.int64).reshape(-1, 2).T
    edges: list[int] = heatmap.range_edges_ns(lower, upper).tolist()
    return edges


@given(st.sets(st.tuples(st.integers(0, 60), st.sampled_from([1, 2, 7, NEVER_NS])), max_size=40))
def test_every_edge_that_cuts_no_bucket_ends_a_range(drawn: set[tuple[int, int]]) -> None:
    buckets = {(lower, min(lower + width, NEVER_NS)) for lower, width in drawn}
    every = {edge for bucket in buckets for edge in bucket}
    assert _edges_ns(buckets) == sorted(
        edge for edge in every if not any(lower < edge < upper for lower, upper in buckets)
    )


@pytest.mark.parametrize("first", [0, 1, 41])
@pytest.mark.parametrize("beyond", [set[tuple[int, int]](), {(5_000, NEVER_NS)}])
def test_too_many_ranges_end_at_evenly_spaced_logarithms(first: int, beyond: set[tuple[int, int]]) -> None:
    """A range begins at 0, and one has no end, beside the others."""
    start, steps = max(1, first), heatmap.HEATMAP_ROWS - 2
    ratio = (5_000 / start) ** (1 / steps)
    aims = [start * ratio**step for step in range(steps)]
    spaced = {math.ceil(aim - 1e-9) for aim in aims}
    open_end = {NEVER_NS} if beyond else set()
    edges = _edges_ns({(lower, lower + 1) for lower in range(first, 5_000)} | beyond)
    assert edges == sorted({first, *spaced, 5_000, *open_end})


@pytest.mark.parametrize("first", [0, 41, 10**15])
def test_ranges_are_at_most_as_many_as_rows(first: int) -> None:
    most = heatmap.HEATMAP_ROWS
    for count in (most, most + 1):
        every = list(range(first, first + count + 1))
        edges = _edges_ns({(lower, lower + 1) for lower in every[:-1]})
        assert (len(edges) - 1 <= most, edges[0], edges[-1]) == (True, every[0], every[-1])
        assert (edges == every) == (count == most)


@pytest.mark.parametrize("most", [2, 7, 39])
def test_long_runs_are_gathered_without_losing_an_operation(
    heat: Callable[..., Any], run_id: UUID, most: int
) -> None:
    columns = heat(run_id, max_columns=most)["columns"]
    assert len(columns) <= most
    assert sum(sum(one["counts"]) for one in columns) == sum(len(one) for one in LATENCIES)


def test_a_part_of_the_run_is_that_part_alone(heat: Callable[..., Any], run_id: UUID) -> None:
    found = heat(run_id, from_ns=5 * INTERVAL_NS, to_ns=9 * INTERVAL_NS)
    assert [one["start_ns"] // INTERVAL_NS for one in found["columns"]] == [5, 6, 7, 8]
    assert sum(one["count"] for one in found["rows"]) == sum(len(one) for one in LATENCIES[5:9])


def test_minutes_stand_for_intervals_that_are_too_many_or_gone(
    heat: Callable[..., Any], run_id: UUID, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heatmap, "_MOST_INTERVALS", 10)
    many = heat(run_id)
    assert len(many["columns"]) == 7
    assert sum(one["count"] for one in many["rows"]) == sum(len(one) for one in LATENCIES)
    part = heat(run_id, from_ns=6 * INTERVAL_NS, to_ns=18 * INTERVAL_NS)
    assert [one["start_ns"] for one in part["columns"]] == [6 * INTERVAL_NS, 12 * INTERVAL_NS]
    monkeypatch.undo()
    with database.transaction() as session:
        session.execute(text("DELETE FROM interval WHERE run_id = :run_id"), {"run_id": run_id})
    assert heat(run_id) == many


def test_what_was_not_measured_has_no_columns(heat: Callable[..., Any], run_id: UUID) -> None:
    nothing = heat(run_id, operation="write")
    assert (nothing["rows"], nothing["columns"]) == ([], [])
    beyond = heat(run_id, from_ns=10**15)
    assert (beyond["rows"], beyond["columns"]) == ([], [])


def test_an_extent_that_ends_before_it_begins_is_refused(heat: Callable[..., Any], run_id: UUID) -> None:
    assert "to_ns" in heat(run_id, status=422, from_ns=5, to_ns=5)["detail"]


def test_without_a_name_it_is_of_the_first_operation_by_response_time(
    read: Callable[..., Any], heat: Callable[..., Any], store: Callable[..., UUID]
) -> None:
    specs = [SeriesSpec("read", steady(300, 4), clock=clock) for clock in ("service", "response")]
    run_id = store(*specs, SeriesSpec("write", steady(200, 4)))
    assert read(run_id, "/heatmap") == heat(run_id)


def test_a_part_without_a_name_is_refused(read: Callable[..., Any], run_id: UUID) -> None:
    for asked in ({"operation": "read"}, {"clock": "response"}, {"to_ns": 5}, {"max_columns": 7}):
        assert "`operation` and `clock`" in read(run_id, "/heatmap", 422, **asked)["detail"]
