"""What agents may write of themselves so that their sum is refused in words, and no worker fails over it."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from backend.tests.agent import Agent, interval, series
from fastapi.testclient import TestClient
from sqlalchemy import select

from tailroom.campaigns.merging import NotMergeable, merge_runs
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.limits import RUN_OPERATIONS
from tailroom.kit.transactions import transactions_of
from tailroom.storage.run import Run

PHASE = {"apart_ns": 0, "lost": [], "state": "ended"}


@pytest.fixture
def sum_of(
    client: TestClient, database: Database, make_token: Callable[..., str]
) -> Callable[..., tuple[UUID, list[str]]]:
    """Adds up runs of two agents, each with operations of its own and its own words about itself."""

    def added_up(names: tuple[list[str], list[str]], **said: Any) -> tuple[UUID, list[str]]:
        ids = []
        for operations in names:
            agent = Agent(client, make_token("agent"))
            assert agent.announce(workload="fraud", **said).status_code in {200, 201}
            definitions = [series(2 * number, operation=name) for number, name in enumerate(operations)]
            answer = agent.send([interval(2 * number, 0) for number in range(len(operations))], definitions)
            assert answer.status_code == 200, answer.text
            agent.finish({2 * number: 0 for number in range(len(operations))})
            ids.append(UUID(agent.run_id))
        with database.transaction() as session:
            runs = list(session.scalars(select(Run).where(Run.run_id.in_(ids))))
            session.expunge_all()
        transactions = transactions_of(database, runs[0].organisation_id)
        return merge_runs(transactions, "the sum", PHASE, runs, utc_now())

    return added_up


def test_a_sum_of_more_operations_than_a_run_may_have_is_refused(sum_of: Callable[..., Any]) -> None:
    most = [f"op{number}" for number in range(RUN_OPERATIONS)]
    with pytest.raises(NotMergeable, match=r"too large: it has 201 operations"):
        sum_of((most, ["another"]))


def test_a_sum_that_no_number_holds_is_refused(sum_of: Callable[..., Any]) -> None:
    with pytest.raises(NotMergeable, match=r"cannot be stored: plan\.fraud\.connections"):
        sum_of((["read"], ["read"]), plan={"title": "a run", "fraud": {"connections": 2**62}})


@pytest.mark.parametrize(
    "said",
    [
        {"plan": {"title": "a run", "campaign": "no campaign", "job": ["no job"]}},
        {"plan": {"title": "a run", "campaign": {"id": ["x"], "agents": "many"}}},
        {"plan": {"title": "a run", "fraud": {"connections": True, "transactions_per_s": "x"}}},
        {"host": {"hostname": "bench-01", "clock": {"started_at_uncertainty_ns": "unknown"}}},
        {"host": {"hostname": "bench-01", "clock": "unknown"}},
    ],
    ids=["no campaign", "agents", "connections", "uncertainty", "clock"],
)
def test_what_an_agent_says_of_itself_fails_no_worker(
    sum_of: Callable[..., Any], said: dict[str, Any]
) -> None:
    run_id, _ = sum_of((["read"], ["read"]), **said)
    assert isinstance(run_id, UUID)
