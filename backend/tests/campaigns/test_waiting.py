"""Idle agents wait: their answer begins at once, says that it lives, ends when there is something to do."""

import json
import threading
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest
from backend.tests.campaigns.asking import Asking
from sqlalchemy import update

from tailroom.access.service import revoke_token
from tailroom.campaigns import waiting
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.limits import AGENT_WAIT_SECONDS
from tailroom.storage.campaign import ServingAgent

LONG = {"version": {"version": "1"}, "wait_s": 20, "longest_wait_s": AGENT_WAIT_SECONDS}


@pytest.fixture(autouse=True)
def brisk(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, seconds in (("CALLS_EVERY_S", 0.05), ("REMOVALS_EVERY_S", 0.2), ("BLANK_EVERY_S", 0.1)):
        monkeypatch.setattr(waiting, name, seconds)


class Waiter:
    """An agent that waits, in a thread."""

    def __init__(self, url: str, let_in: dict[str, str], asked: dict[str, Any] = LONG) -> None:
        self.pieces: list[bytes] = []
        self.blank, self.ended = threading.Event(), threading.Event()
        self._url, self._let_in, self._asked = url, let_in, asked
        threading.Thread(target=self._wait, daemon=True).start()

    def _wait(self) -> None:
        path = f"{self._url}/api/v1/agent/poll"
        with httpx.stream("POST", path, json=self._asked, headers=self._let_in, timeout=60) as answer:
            for piece in answer.iter_bytes():
                self.pieces.append(piece)
                self.blank.set()
        self.ended.set()

    def answer(self) -> Any:
        """What it was told in the end."""
        assert self.ended.wait(60)
        return json.loads(b"".join(self.pieces))


def seen_at(database: Database, agent_id: UUID) -> Any:
    with database.transaction() as session:
        return session.query(ServingAgent.seen_at).filter(ServingAgent.agent_id == agent_id).scalar()


@pytest.fixture
def waiter(asking: Asking, server_address: str) -> Iterator[tuple[UUID, dict[str, str], Waiter]]:
    agent_id, let_in = asking.enrol("a")
    found = Waiter(server_address, let_in)
    assert found.blank.wait(60)
    yield agent_id, let_in, found
    asking.client.delete(f"/api/v1/agents/{agent_id}", headers=asking.headers)
    assert found.ended.wait(60)


def test_a_campaign_ends_the_wait(asking: Asking, waiter: tuple[UUID, dict[str, str], Waiter]) -> None:
    agent_id, _, found = waiter
    assert not found.ended.is_set()
    assert asking.begin([str(agent_id)]).status_code == 201
    (command,) = found.answer()["commands"]
    assert '"kind": "prepare"' in command["text"]
    assert found.pieces[0].strip() == b"", "it began with a blank"


def test_who_waits_is_present(waiter: tuple[UUID, dict[str, str], Waiter], database: Database) -> None:
    agent_id, _, _ = waiter
    long_ago = utc_now() - timedelta(hours=1)
    with database.transaction() as session:
        session.execute(
            update(ServingAgent).where(ServingAgent.agent_id == agent_id).values(seen_at=long_ago)
        )
    looked = threading.Event()
    for _ in range(600):
        if seen_at(database, agent_id) > long_ago:
            break
        looked.wait(0.1)
    assert seen_at(database, agent_id) > long_ago


@pytest.mark.parametrize("how", ["removed", "token revoked", "asked again"])
def test_who_may_not_wait_any_more_is_answered(
    how: str,
    asking: Asking,
    waiter: tuple[UUID, dict[str, str], Waiter],
    database: Database,
    server_address: str,
) -> None:
    agent_id, let_in, found = waiter
    if how == "removed":
        asking.client.delete(f"/api/v1/agents/{agent_id}", headers=asking.headers)
    elif how == "token revoked":
        with database.transaction() as session:
            token_id = session.query(ServingAgent.token_id).filter(ServingAgent.agent_id == agent_id).scalar()
            revoke_token(session, token_id, utc_now())
    else:
        Waiter(server_address, let_in, {"version": {"version": "1"}, "wait_s": 1})
    assert found.answer() == {"commands": []}


def test_a_wait_has_an_end(asking: Asking, server_address: str) -> None:
    _, let_in = asking.enrol("a")
    assert Waiter(server_address, let_in, {"version": {"version": "1"}, "wait_s": 1}).answer() == {
        "commands": []
    }
    too_long = {"version": {"version": "1"}, "longest_wait_s": AGENT_WAIT_SECONDS + 1}
    refused = asking.client.post("/api/v1/agent/poll", json=too_long, headers=let_in)
    assert (refused.status_code, refused.json()["code"]) == (422, "request-invalid")
