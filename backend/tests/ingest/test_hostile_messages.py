"""Broken announcements, batches, questions, answers and budgets are answered without a 5xx, and what was
taken breaks no page, neither at once nor when it has been judged.
"""

from collections.abc import Callable

from backend.tests.agent import Agent
from backend.tests.mutations import Attack, Tokens
from fastapi.testclient import TestClient
from sqlalchemy import select

from tailroom.kit.db import Database
from tailroom.kit.lanes import JUDGING
from tailroom.kit.resources import Resources
from tailroom.kit.transactions import transactions_of
from tailroom.storage.run import Run
from tailroom.storage.work import WorkRow
from tailroom.work.executor import Executor
from tailroom_workers.handlers import handlers

MESSAGES = 125
JUDGING_S = 3.0


def test_no_broken_message_is_a_failure_at_once_or_later(
    client: TestClient, agent: Agent, make_token: Callable[..., str], database: Database
) -> None:
    attack = Attack(client, Tokens(agent.token, make_token("viewer"), make_token("engineer")))
    attack.send(MESSAGES, seed=41)
    runs = list(attack.taken)
    assert {status for _, status in attack.statuses} <= {200, 201, 400, 404, 409, 410, 413, 422}
    assert attack.statuses["announcement", 422] > MESSAGES / 10
    assert attack.statuses["announcement", 201] > MESSAGES / 30
    attack.look_at_runs()

    resources: Resources = client.app.state.resources  # type: ignore[attr-defined]
    do = handlers(
        resources.settings, resources.notifier, resources.raw_files, transactions_of(database, None)
    )
    Executor(database, do, {}).work_through(JUDGING, JUDGING_S)
    attack.taken = runs
    attack.look_at_runs()
    attack.look_at_lists()
    with database.transaction() as session:
        mine = select(Run.run_id).where(Run.run_id.in_(runs))
        failed = select(WorkRow.error).where(WorkRow.subject.in_(mine), WorkRow.error.is_not(None))
        assert session.scalars(failed).all() == []
