"""The runs of a load ladder are seen together, each with the verdict that its own page shows, and nobody sees
a step that he may not read.
"""

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from backend.tests.analysis.recording import (
    MOMENT,
    SeriesSpec,
    add_ended_run,
    add_run,
    look_at_run,
    organisation_of,
    steady,
)
from fastapi.testclient import TestClient
from sqlalchemy import event, text

from tailroom.kit.db import Database
from tailroom.runs.ladders import FOLLOWS_WITHIN, ladder_with, step_of
from tailroom.runs.repository import plans_of_ladders, runs_of_ladder
from tailroom.storage.run import Run

FAST, SLOW = 400_000, 2_000_000
USUAL = [("raise", 1, FAST), ("raise", 2, FAST), ("raise", 3, SLOW), ("hold", 2, FAST), ("stress", 4, SLOW)]


class Climb(NamedTuple):
    """A way to record ladders, and to read as their owner or as a stranger."""

    record: Callable[..., list[UUID]]
    read: Callable[..., Any]
    stranger: Callable[..., Any]


@pytest.fixture
def climb(client: TestClient, database: Database, make_token: Callable[..., str], organisation: str) -> Climb:
    def record(ladder: str, steps: Sequence[tuple[str, float, int | None]]) -> list[UUID]:
        return [
            add_step(database, organisation, {"id": ladder, "step": number, "kind": kind}, load, latency_ns)
            for number, (kind, load, latency_ns) in enumerate(steps, 1)
        ]

    def reader(token: str) -> Callable[..., Any]:
        def get(path: str, status: int = 200, **query: Any) -> Any:
            headers = {"Authorization": f"Bearer {token}"}
            answer = client.get(f"/api/v1/runs{path}", headers=headers, params=query)
            assert answer.status_code == status, answer.text
            return answer.json()

        return get

    return Climb(record, reader(make_token("viewer")), reader(make_token("viewer", owner="strangers")))


def add_step(
    database: Database, organisation: str, ladder: Any, load: float | None, latency_ns: int | None
) -> UUID:
    """A run of a minute, judged; one that has just begun where there is no latency."""
    specs = [SeriesSpec("read", steady(2_000, 6, latency_ns or FAST))]
    plan = {"ladder": ladder, "act_storage": {"load_multiple": load}}
    with database.transaction() as session:
        if latency_ns is None:
            return add_run(session, specs, plan=plan, organisation=organisation)
        run_id = add_ended_run(session, specs, plan=plan, organisation=organisation)
    with database.transaction() as session:
        look_at_run(session, run_id, MOMENT)
    return run_id


def words(ladder: Any) -> list[tuple[str, float, str | None]]:
    return [(one["kind"], one["load_multiple"], one["verdict"]) for one in ladder["steps"]]


def test_a_ladder_is_its_runs_with_their_own_verdicts(climb: Climb) -> None:
    runs = climb.record("usual", USUAL)
    climb.record("another", USUAL[:1])
    ladders = [climb.read(f"/{run_id}/ladder") for run_id in runs]
    assert all(one == ladders[0] for one in ladders)
    ladder = ladders[0]
    assert [UUID(one["run_id"]) for one in ladder["steps"]] == runs
    assert words(ladder) == [
        ("raise", 1, "PASS"),
        ("raise", 2, "PASS"),
        ("raise", 3, "FAIL"),
        ("hold", 2, "PASS"),
        ("stress", 4, "FAIL"),
    ]
    assert (ladder["kept_load_multiple"], ladder["broken_load_multiple"]) == (2, 3)
    assert (ladder["held_load_multiple"], ladder["certified_load_multiple"]) == (2, None)
    assert ladder["is_whole"]
    assert ladder["every_step_passed"]
    for step in ladder["steps"]:
        verdicts = climb.read(f"/{step['run_id']}")["verdicts"]
        own = next(one for one in verdicts if one["budget"]["name"] == ladder["budget_name"])
        assert (step["verdict"], step["provisional"]) == (own["verdict"], own["provisional"])
        assert step["rows"] == own["exceedance"]["rows"]
        certification = own["exceedance"]["certification"]["verdict"]
        assert step["certification"] == certification != "PASS"


def test_lists_and_runs_say_which_step_they_are(climb: Climb) -> None:
    runs = climb.record("marked", USUAL[:3])
    alone = climb.record("alone", USUAL[:1])
    listed = {one["run_id"]: one["ladder"] for one in climb.read("")["runs"]}
    marks = [listed[str(run_id)] for run_id in (*runs, *alone)]
    assert [(one["step"], one["step_count"]) for one in marks] == [(1, 3), (2, 3), (3, 3), (1, 1)]
    assert marks[1] == climb.read(f"/{runs[1]}")["ladder"]
    assert marks[1]["load_multiple"] == 2


def test_a_ladder_that_climbs_has_steps_without_verdict(climb: Climb) -> None:
    runs = climb.record("climbing", [*USUAL[:1], ("raise", 2, None)])
    ladder = climb.read(f"/{runs[0]}/ladder")
    assert words(ladder) == [("raise", 1, "PASS"), ("raise", 2, None)]
    assert (ladder["kept_load_multiple"], ladder["broken_load_multiple"]) == (1, None)
    assert ladder["every_step_passed"]
    assert ladder["may_change"]
    assert ladder["held_load_multiple"] is None


def test_a_load_that_is_held_again_keeps_what_it_proved(climb: Climb) -> None:
    runs = climb.record("held", [*USUAL[:3], ("hold", 2, None)])
    ladder = climb.read(f"/{runs[0]}/ladder")
    assert (ladder["kept_load_multiple"], ladder["every_step_passed"]) == (2, True)


def test_strangers_see_published_steps_only_and_not_how_many_there_are(
    climb: Climb, client: TestClient, make_token: Callable[..., str]
) -> None:
    runs = climb.record("private", USUAL)
    climb.stranger(f"/{runs[0]}/ladder", 404)
    owner = {"Authorization": f"Bearer {make_token('engineer')}"}
    assert client.post(f"/api/v1/runs/{runs[1]}/publish", headers=owner).status_code == 200
    ladder = climb.stranger(f"/{runs[1]}/ladder")
    assert words(ladder) == [("raise", 2, "PASS")]
    assert ladder["kept_load_multiple"] == 2
    assert (ladder["broken_load_multiple"], ladder["held_load_multiple"]) == (None, None)
    assert not ladder["is_whole"]
    assert not ladder["every_step_passed"]
    assert climb.stranger(f"/{runs[1]}")["ladder"]["step_count"] is None
    public = {one["run_id"]: one["ladder"] for one in climb.stranger("", scope="public", limit=200)["runs"]}
    assert public[str(runs[1])]["step_count"] is None
    assert not set(public) & {str(run_id) for run_id in (runs[0], *runs[2:])}
    retract = client.post(f"/api/v1/runs/{runs[1]}/retract", headers=owner, json={})
    assert retract.status_code == 200
    climb.stranger(f"/{runs[1]}/ladder", 410)
    assert len(climb.read(f"/{runs[1]}/ladder")["steps"]) == 5


def test_ladders_of_two_organisations_never_meet(climb: Climb, database: Database) -> None:
    runs = climb.record("same name", USUAL[:1])
    other = {"id": "same name", "step": 2, "kind": "raise"}
    add_step(database, "strangers", other, 2, FAST)
    assert words(climb.read(f"/{runs[0]}/ladder")) == [("raise", 1, "PASS")]
    assert climb.read(f"/{runs[0]}")["ladder"]["step_count"] == 1


def test_a_run_of_one_load_has_no_ladder(climb: Climb, database: Database, organisation: str) -> None:
    alone = add_step(database, organisation, None, 1, FAST)
    assert climb.read(f"/{alone}")["ladder"] is None
    assert climb.read(f"/{alone}/ladder", 404)["code"] == "run-outside-ladder"


@pytest.mark.parametrize(
    "ladder",
    [
        7,
        [],
        "x",
        {},
        {"id": 5, "step": 1, "kind": "raise"},
        {"id": "", "step": 1, "kind": "raise"},
        {"id": "x" * 101, "step": 1, "kind": "raise"},
        {"id": "x", "step": True, "kind": "raise"},
        {"id": "x", "step": 0, "kind": "raise"},
        {"id": "x", "step": 1, "kind": "fall"},
        {"id": "x", "step": 1, "kind": ["raise"]},
    ],
)
def test_plans_that_name_no_ladder_are_taken_as_such(
    climb: Climb, database: Database, organisation: str, ladder: Any
) -> None:
    strange = add_step(database, organisation, ladder, None, None)
    assert climb.read(f"/{strange}")["ladder"] is None
    assert str(strange) in {one["run_id"] for one in climb.read("")["runs"]}


def test_a_load_that_is_none_is_not_known() -> None:
    ladder = {"id": "x", "step": 1, "kind": "raise"}
    for section in (None, 5, {}, *({"load_multiple": load} for load in (True, "3x", 0, -1, float("inf")))):
        found = step_of({"ladder": ladder, "act_storage": section})
        assert found is not None
        assert found.load_multiple is None


def test_the_page_may_stop_asking_when_nothing_can_follow(
    climb: Climb, database: Database, organisation: str
) -> None:
    def may_change(
        name: str, steps: Sequence[tuple[str, float, int | None]], after: timedelta, *, told: bool = False
    ) -> bool:
        runs = climb.record(name, steps)
        with database.transaction() as session:
            if told:
                session.get_one(Run, runs[-1]).stop_requested_at = MOMENT
            run = session.get_one(Run, runs[0])
            found = ladder_with(session, organisation_of(session, organisation), run, MOMENT + after)
            return found.may_change

    soon = timedelta(seconds=30)
    assert may_change("one passed", USUAL[:1], soon)
    assert may_change("one broken", USUAL[:3], soon)
    assert not may_change("long ago", USUAL[:1], FOLLOWS_WITHIN + soon)
    assert not may_change("stressed", USUAL, soon)
    assert not may_change("found no load", [("raise", 1, SLOW)], soon)
    assert not may_change("told to stop", [*USUAL[:1], *USUAL[:1]], soon, told=True)
    assert may_change("runs", [*USUAL[:1], ("raise", 2, None)], FOLLOWS_WITHIN + soon)


def test_finding_a_ladder_uses_its_index(climb: Climb, database: Database) -> None:
    run_id = climb.record("indexed", USUAL[:1])[0]
    statements: list[tuple[str, Any]] = []
    with database.transaction() as session:
        session.execute(text("SET LOCAL enable_seqscan = off"))
        run = session.get_one(Run, run_id)
        engine = session.get_bind()

        def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
            statements.append((statement, parameters))

        event.listen(engine, "before_cursor_execute", note)
        try:
            assert runs_of_ladder(session, run.organisation_id, "indexed", only_public=False)
            assert plans_of_ladders(session, run.organisation_id, ["indexed", "other"])
        finally:
            event.remove(engine, "before_cursor_execute", note)
        for statement, parameters in list(statements):
            plan = session.connection().exec_driver_sql(f"EXPLAIN {statement}", parameters).scalars().all()
            assert any("ix_run_organisation_id_ladder_id" in line for line in plan), plan
    assert len(statements) == 2
