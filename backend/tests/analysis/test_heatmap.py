"""Latencies over time as cells: nothing lost, nothing split, never more than asked for."""

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from backend.tests.analysis.recording import (
    SeriesSpec,
    steady,
)
from fastapi.testclient import TestClient
from sqlalchemy import text

from tailroom.analysis import heatmap
from tailroom.kit.db import Database

LATENCIES = steady(500, 40)
SPECS = [SeriesSpec("read", LATENCIES, misses={3: 2})]
INTERVAL_NS = 10_000_000_000


@pytest.fixture
def client(local_client: TestClient) -> TestClient:
    return local_client


@pytest.fixture
def run_id(store_judged: Callable[[Sequence[SeriesSpec]], UUID]) -> UUID:
    return store_judged(SPECS)


def read(client: TestClient, run_id: UUID, **asked: Any) -> dict[str, Any]:
    answer = client.get(
        f"/api/v1/runs/{run_id}/heatmap", params={"operation": "read", "clock": "response", **asked}
    )
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_every_operation_is_in_the_cell_of_its_time_and_latency(client: TestClient, run_id: UUID) -> None:
    found = read(client, run_id)
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


def test_ranges_follow_each_other_and_hold_the_whole_extent(client: TestClient, run_id: UUID) -> None:
    rows = read(client, run_id)["rows"]
    assert [one["upper_ns"] for one in rows[:-1]] == [one["lower_ns"] for one in rows[1:]]
    assert sum(one["count"] for one in rows) == sum(len(one) for one in LATENCIES)


@pytest.mark.parametrize("most", [2, 7, 39])
def test_long_runs_are_gathered_without_losing_an_operation(
    client: TestClient, run_id: UUID, most: int
) -> None:
    columns = read(client, run_id, max_columns=most)["columns"]
    assert len(columns) <= most
    assert sum(sum(one["counts"]) for one in columns) == sum(len(one) for one in LATENCIES)


def test_a_part_of_the_run_is_that_part_alone(client: TestClient, run_id: UUID) -> None:
    found = read(client, run_id, from_ns=5 * INTERVAL_NS, to_ns=9 * INTERVAL_NS)
    assert [one["start_ns"] // INTERVAL_NS for one in found["columns"]] == [5, 6, 7, 8]
    assert sum(one["count"] for one in found["rows"]) == sum(len(one) for one in LATENCIES[5:9])


def test_minutes_stand_for_intervals_that_are_too_many_or_gone(
    client: TestClient, run_id: UUID, fresh_postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(heatmap, "_MOST_INTERVALS", 10)
    many = read(client, run_id)
    assert len(many["columns"]) == 7
    assert sum(one["count"] for one in many["rows"]) == sum(len(one) for one in LATENCIES)
    monkeypatch.undo()
    database = Database(fresh_postgres_url)
    with database.transaction() as session:
        session.execute(text("DELETE FROM interval WHERE run_id = :run_id"), {"run_id": run_id})
    database.dispose()
    assert read(client, run_id) == many


def test_what_was_not_measured_has_no_columns(client: TestClient, run_id: UUID) -> None:
    nothing = read(client, run_id, operation="write")
    assert (nothing["rows"], nothing["columns"]) == ([], [])
    beyond = read(client, run_id, from_ns=10**15)
    assert (beyond["rows"], beyond["columns"]) == ([], [])


def test_an_extent_that_ends_before_it_begins_is_refused(client: TestClient, run_id: UUID) -> None:
    answer = client.get(
        f"/api/v1/runs/{run_id}/heatmap",
        params={"operation": "read", "clock": "response", "from_ns": 5, "to_ns": 5},
    )
    assert answer.status_code == 422
    assert "to_ns" in answer.text


def test_without_a_name_it_is_of_the_first_operation_by_response_time(
    client: TestClient, store_judged: Callable[[Sequence[SeriesSpec]], UUID]
) -> None:
    specs = [SeriesSpec("read", steady(300, 4), clock=clock) for clock in ("service", "response")]
    run_id = store_judged([*specs, SeriesSpec("write", steady(200, 4))])
    first = client.get(f"/api/v1/runs/{run_id}/heatmap")
    assert first.status_code == 200
    assert first.json() == read(client, run_id)


def test_a_part_without_a_name_is_refused(client: TestClient, run_id: UUID) -> None:
    for asked in ({"operation": "read"}, {"clock": "response"}, {"to_ns": 5}, {"max_columns": 7}):
        answer = client.get(f"/api/v1/runs/{run_id}/heatmap", params=asked)
        assert answer.status_code == 422, asked
        assert "`operation` and `clock`" in answer.json()["detail"]
