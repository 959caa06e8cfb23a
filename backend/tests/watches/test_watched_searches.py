"""A watch on searches for the highest load: a fall is heard of once, and what is not shown is no fall."""

from collections.abc import Callable
from datetime import timedelta
from uuid import UUID

import pytest
from backend.tests.analysis.recording import (
    MOMENT,
    SeriesSpec,
    add_intervals,
    add_run,
    finish,
    look_at_run,
    steady,
)
from backend.tests.watches.test_watches import Header, Runs, listed, watched
from fastapi.testclient import TestClient

from tailroom.storage.run import Run

OBJECTIVE = "p99 get < 1ms"
FAST, SLOW = 400_000, 2_000_000
Search = Callable[..., list[UUID]]


@pytest.fixture
def search(runs: Runs) -> Search:
    """Record a search on a server that holds up to a load; return its probes."""

    def record(
        holds: float, loads: list[float], *, ended: str = "precision", objective: str = OBJECTIVE
    ) -> list[UUID]:
        search_id, probes = f"search {len(runs.made)}", []
        for step, load in enumerate(loads, 1):
            specs = [SeriesSpec("get", steady(2_000, 6, FAST if load <= holds else SLOW))]
            ladder = {
                "id": search_id,
                "step": step,
                "kind": "probe",
                "load_per_s": load,
                "objective": objective,
            }
            with runs.database.transaction() as session:
                run_id = add_run(session, specs, organisation=runs.organisation, workload="keyvalue")
                add_intervals(session, run_id, specs)
                finish(session, run_id, specs)
                stored = session.get_one(Run, run_id)
                last = {"search_ended": ended} if step == len(loads) else {}
                stored.title = f"Cache · probe {step}: {load:g}/s"
                stored.started_at = MOMENT + timedelta(minutes=len(runs.made))
                stored.plan = {**stored.plan, "ladder": ladder}
                stored.finish = {**(stored.finish or {}), **last}
                session.flush()
                look_at_run(session, run_id, MOMENT)
                runs.owner = stored.organisation_id
            runs.made.append(run_id)
            probes.append(run_id)
        return probes

    return record


def note(runs: Runs, probes: list[UUID]) -> int:
    return sum(runs.note(run_id) for run_id in probes)


def test_a_highest_load_that_fell_is_heard_of_once(
    client: TestClient, engineer: Header, runs: Runs, search: Search
) -> None:
    first = search(1_000, [1_000, 2_000])
    watch = watched(
        client,
        engineer,
        name="cache",
        run_title="cache",
        budget_name="highest-load",
        webhook_url="https://93.184.215.14/hook",
    )
    assert [result["run_id"] for result in watch["results"]] == [str(first[-1])]
    assert (watch["verdict"], watch["words"]) == ("PASS", "first search")
    assert watch["results"][0]["statement"] == (
        "p99 get < 1ms: holds at 1,000/s, fails at 2,000/s (100.0 % apart)"
    )
    # As much, and a search that was stopped: nothing to hear of.
    assert note(runs, search(1_500, [1_500, 2_000])) == 0
    assert note(runs, search(100, [100, 200], ended="stopped")) == 0
    assert note(runs, search(500, [500, 800])) == 1
    (alert,) = runs.alerts()
    assert alert.message["text"].startswith(
        "cache: PASS → less than before. Highest load that holds: p99 get < 1ms: holds at 500/s,"
    )
    assert note(runs, search(500, [500, 800])) == 0, "it is still less"
    assert note(runs, search(1_200, [1_200, 2_400])) == 1, "it holds as much as before again"
    shown = listed(client, engineer)
    assert [result["verdict"] for result in shown["results"]] == ["PASS", "PASS", "FAIL", "FAIL", "PASS"]


def test_more_load_is_the_new_measure_and_another_objective_has_its_own(
    client: TestClient, engineer: Header, runs: Runs, search: Search
) -> None:
    watched(client, engineer, run_title="CACHE", budget_name="highest-load")
    note(runs, search(1_000, [1_000, 2_000]))
    note(runs, search(4_000, [4_000, 8_000]))
    note(runs, search(3_000, [3_000, 3_500]))
    note(runs, search(100, [100, 200], objective="p99.9 get < 1ms"))
    results = listed(client, engineer)["results"]
    assert [result["words"] for result in results] == [
        "first search",
        "more than before",
        "less than before",
        "first search",
    ]
