"""A run is announced, goes on, is asked to stop, finishes, and is finished when nothing is missing
any more.
"""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from backend.tests.agent import Agent, interval, series
from fastapi.testclient import TestClient
from sqlalchemy import update

from tailroom.kit.db import Database
from tailroom.storage.work import WorkRow
from tailroom.work.kinds import JUDGE


def test_announcing_again_is_harmless_and_otherwise_is_refused(agent: Agent) -> None:
    first, again = agent.announce(), agent.announce()
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json() == {"run_id": agent.run_id, "directive": "continue"}
    other = agent.announce(title="another run")
    assert (other.status_code, other.json()["code"]) == (409, "run-conflict")
    assert agent.get().json()["title"] == "a run"


def test_the_order_of_keys_does_not_make_another_announcement(agent: Agent) -> None:
    agent.announce(plan={"a": 1, "b": {"c": 2, "d": 3}})
    assert agent.announce(plan={"b": {"d": 3, "c": 2}, "a": 1}).status_code == 200


def test_finished_at_once_when_everything_is_there(agent: Agent) -> None:
    agent.announce()
    agent.send([interval(0, 0), interval(0, 1)])
    finished = agent.finish({0: 1})
    assert finished.json() == {"complete": True, "missing": [], "directive": "continue"}
    run = agent.get().json()
    assert (run["state"], run["outcome"], run["measured_duration_ns"]) == (
        "finished",
        "completed",
        30_000_000_000,
    )


def test_finishing_until_the_last_gap_is_filled(agent: Agent) -> None:
    agent.announce()
    agent.send([interval(0, 0), interval(0, 3)])
    finished = agent.finish({0: 4, 1: 1}, outcome="interrupted", reason="power cut")
    assert finished.json()["complete"] is False
    assert finished.json()["missing"] == [
        {"series": 0, "from_seq": 1, "to_seq": 2},
        {"series": 0, "from_seq": 4, "to_seq": 4},
        {"series": 1, "from_seq": 0, "to_seq": 1},
    ]
    run = agent.get().json()
    assert (run["state"], run["outcome_reason"]) == ("finishing", "power cut")
    assert run["missing"] == finished.json()["missing"]
    agent.send([interval(0, 1), interval(0, 2), interval(0, 4)])
    assert agent.get().json()["state"] == "finishing"
    agent.send([interval(1, 1), interval(1, 0)])
    assert agent.get().json()["state"] == "finished"


def test_only_the_interval_that_ends_a_run_lets_judging_begin_anew(agent: Agent, database: Database) -> None:
    agent.announce()
    agent.send([interval(0, 0)])
    agent.finish({0: 2})
    with database.transaction() as session:
        session.execute(update(WorkRow).where(WorkRow.subject == UUID(agent.run_id)).values(attempts=3))

    def attempts() -> int:
        with database.transaction() as session:
            return session.get_one(WorkRow, (UUID(agent.run_id), JUDGE.name)).attempts

    agent.send([interval(0, 1)])
    assert attempts() == 3
    agent.send([interval(0, 2)])
    assert attempts() == 0


def test_the_same_finish_is_harmless_and_another_is_refused(agent: Agent) -> None:
    agent.announce()
    agent.send([interval(0, 0)])
    assert agent.finish({0: 0}).json() == agent.finish({0: 0}).json()
    assert agent.finish({0: 0, 1: -1}).status_code == 200
    other = agent.finish({0: 0}, outcome="failed")
    assert (other.status_code, other.json()["code"]) == (409, "finish-conflict")


def test_beyond_the_end_is_refused_and_repeating_is_not(agent: Agent) -> None:
    agent.announce()
    agent.send([interval(0, 0)])
    agent.finish({0: 0})
    assert agent.send([interval(0, 0)]).json()["acknowledged"] == {"0": 0}
    beyond = agent.send([interval(0, 0), interval(0, 1)])
    assert (beyond.status_code, beyond.json()["code"]) == (409, "run-already-finished")
    assert [(one["series"], one["seq"]) for one in beyond.json()["problems"]] == [(0, 1)]
    assert agent.send([interval(1, 0)]).json()["code"] == "run-already-finished"


def test_a_finish_that_forgets_what_is_stored_is_refused(agent: Agent) -> None:
    agent.announce()
    agent.send([interval(0, 0), interval(0, 1)])
    short = agent.finish({0: 0})
    assert short.status_code == 422
    assert short.json()["problems"][0]["field"] == "last_seq"
    assert agent.get().json()["state"] == "running"


def test_a_finish_with_bad_keys_or_fields_is_refused(agent: Agent) -> None:
    agent.announce()
    path = f"/api/v1/runs/{agent.run_id}/finish"
    good: dict[str, Any] = {"outcome": "completed", "reason": None, "duration_ns": 1, "last_seq": {}}
    for change in (
        {"last_seq": {"x": 1}},
        {"last_seq": {"99999999": 1}},
        {"last_seq": {"0": -2}},
        {"last_seq": {"²": 1}},
        {"outcome": "great"},
        {"duration_ns": -1},
        {"reason": "a\x00"},
    ):
        assert agent.post(path, good | change).status_code == 422, change
    assert agent.post(path, good).json()["complete"] is True


def test_a_stop_is_told_with_the_next_answer(
    agent: Agent, client: TestClient, make_token: Callable[..., str]
) -> None:
    agent.announce()
    viewer = {"Authorization": f"Bearer {make_token('engineer')}"}
    assert agent.send([interval(0, 0)]).json()["directive"] == "continue"
    stopped = client.post(f"/api/v1/runs/{agent.run_id}/stop", headers=viewer)
    assert stopped.status_code == 200
    asked_at = stopped.json()["stop_requested_at"]
    again = client.post(f"/api/v1/runs/{agent.run_id}/stop", headers=viewer)
    assert again.json()["stop_requested_at"] == asked_at
    assert agent.send([interval(0, 1)]).json()["directive"] == "stop"
    assert agent.announce().json()["directive"] == "stop"
    assert agent.finish({0: 1}, outcome="stopped").json()["directive"] == "continue"
    assert agent.get().json()["outcome"] == "stopped"


def test_a_finished_run_cannot_be_stopped(
    agent: Agent, client: TestClient, make_token: Callable[..., str]
) -> None:
    agent.announce()
    agent.finish({})
    viewer = {"Authorization": f"Bearer {make_token('engineer')}"}
    answer = client.post(f"/api/v1/runs/{agent.run_id}/stop", headers=viewer)
    assert (answer.status_code, answer.json()["code"]) == (409, "run-already-finished")


def test_series_may_be_defined_after_the_finish_when_it_names_them(agent: Agent) -> None:
    agent.announce()
    agent.finish({4: 0})
    assert agent.send([interval(4, 0)], [series(4)]).status_code == 200
    assert agent.get().json()["state"] == "finished"
