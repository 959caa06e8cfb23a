"""Live streams over real connections: what is stored is seen, Valkey may go and come back,
shutting down is quick.
"""

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import msgspec
import psutil
import pytest
from backend.tests.agent import Agent, interval
from backend.tests.listening import serving
from backend.tests.waiting import PATIENCE_S

from tailroom.access.capabilities import Scope
from tailroom.access.service import create_token, revoke_token
from tailroom.embedded.valkey import EmbeddedValkey
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.kit.notifier import Notifier
from tailroom.kit.settings import Settings
from tailroom.live.hub import QUEUE_FRAMES, Listener
from tailroom.live.rights import StreamRight


class Watcher:
    """Reads a stream in a thread, as a page would."""

    def __init__(self, url: str, agent: Agent, headers: dict[str, str] | None = None) -> None:
        self.lines: list[str] = []
        self.ended = threading.Event()
        self._opened = threading.Event()
        self._new = threading.Condition()
        self._url = f"{url}/api/v1/runs/{agent.run_id}/events"
        self._headers = {"Authorization": f"Bearer {agent.token}"} if headers is None else headers
        threading.Thread(target=self._read, daemon=True).start()
        assert self._opened.wait(PATIENCE_S)

    def _read(self) -> None:
        with httpx.stream("GET", self._url, headers=self._headers, timeout=30) as answer:
            assert answer.headers["Content-Type"].startswith("text/event-stream")
            for line in answer.iter_lines():
                with self._new:
                    self.lines.append(line)
                    self._new.notify_all()
                self._opened.set()
        self.ended.set()

    def wait_for(self, condition: Callable[[list[str]], Any], timeout_s: float = PATIENCE_S) -> Any:
        """What the condition finds in the lines, as soon as it finds something."""
        with self._new:
            assert self._new.wait_for(lambda: condition(self.lines), timeout_s), self.lines
            return condition(self.lines)

    def events(self, name: str) -> list[dict[str, Any]]:
        """Data of the events of one name so far."""
        pairs = zip(self.lines, self.lines[1:], strict=False)
        return [
            msgspec.json.decode(data.removeprefix("data: "))
            for event, data in pairs
            if event == f"event: {name}"
        ]


@pytest.fixture
def live_settings(fresh_postgres_url: str, throw_away_valkey: EmbeddedValkey, tmp_path: Path) -> Settings:
    return Settings(
        database_url=fresh_postgres_url,
        redis_url=throw_away_valkey.url,
        home=tmp_path,
        live_heartbeat_s=0.2,
    )


@pytest.fixture
def token(fresh_postgres_url: str) -> str:
    database = Database(fresh_postgres_url, pool_size=1)
    with database.transaction() as session:
        _, text = create_token(session, "local", "test", "agent", utc_now())
    database.dispose()
    return text


def test_what_is_stored_is_seen(live_settings: Settings, token: str) -> None:
    with serving(live_settings) as (url, _), httpx.Client(base_url=url) as client:
        agent = Agent(client, token)
        agent.announce()
        watchers = [Watcher(url, agent) for _ in range(3)]
        other = Agent(client, token)
        other.announce()
        stranger = Watcher(url, other)
        agent.send([interval(0, 0), interval(1, 0), interval(0, 1)])
        agent.finish({0: 1, 1: 0})
        for watcher in watchers:
            watcher.wait_for(lambda lines: "event: ticks" in lines and "event: changed" in lines)
            watcher.wait_for(lambda lines: ": alive" in lines)
            ticks = watcher.events("ticks")[0]
            assert ticks["run_id"] == agent.run_id
            assert [(one["series_no"], one["seq"]) for one in ticks["ticks"]] == [(0, 0), (0, 1)]
            changed = watcher.events("changed")[0]
            assert changed == {"run_id": agent.run_id, "what": ["state"], "state": "finished"}
        assert stranger.events("ticks") == []


def test_a_process_has_only_so_many_streams(live_settings: Settings, token: str) -> None:
    few = live_settings.model_copy(update={"live_streams": 1})
    with serving(few) as (url, _), httpx.Client(base_url=url) as client:
        agent = Agent(client, token)
        agent.announce()
        Watcher(url, agent)
        headers = {"Authorization": f"Bearer {token}"}
        answer = client.get(f"/api/v1/runs/{agent.run_id}/events", headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (503, "busy")
        assert int(answer.headers["Retry-After"]) >= 1


def test_valkey_goes_and_comes_back(
    live_settings: Settings, token: str, throw_away_valkey: EmbeddedValkey
) -> None:
    with serving(live_settings) as (url, _), httpx.Client(base_url=url) as client:
        agent = Agent(client, token)
        agent.announce()
        watcher = Watcher(url, agent)
        psutil.Process(throw_away_valkey.process.pid).kill()
        throw_away_valkey.process.wait(60)
        beats = len(watcher.lines)
        watcher.wait_for(lambda lines: lines[beats:].count(": alive") >= 2)
        assert agent.send([interval(0, 0)]).status_code == 200
        late = Watcher(url, agent)
        throw_away_valkey.restart()
        for one in (watcher, late):
            one.wait_for(lambda lines: "event: changed" in lines)
            assert one.events("changed")[0]["what"] == ["state", "verdicts", "slices"]
        notifier = Notifier(live_settings.redis_url)
        notifier.changed(UUID(agent.run_id), ["verdicts"], "running")
        notifier.close()
        for one in (watcher, late):
            one.wait_for(lambda lines: lines.count("event: changed") >= 2)


def test_shutting_down_ends_streams_at_once(live_settings: Settings, token: str) -> None:
    with serving(live_settings) as (url, server), httpx.Client(base_url=url) as client:
        agent = Agent(client, token)
        agent.announce()
        watcher = Watcher(url, agent)
        client.close()
        server.config.timeout_graceful_shutdown = 10 * int(PATIENCE_S)
        server.end()
        assert watcher.ended.wait(PATIENCE_S), "it waited for the time-out"


def test_a_stream_ends_when_it_is_old(live_settings: Settings, token: str) -> None:
    aged = live_settings.model_copy(update={"live_max_lifetime_s": 0.5})
    with serving(aged) as (url, _), httpx.Client(base_url=url) as client:
        agent = Agent(client, token)
        agent.announce()
        assert Watcher(url, agent).ended.wait(PATIENCE_S)


def test_a_stream_ends_when_its_right_ends(live_settings: Settings, token: str) -> None:
    """Revoked, signed out, withdrawn: each within two seconds, and no other stream with it."""
    database = Database(live_settings.database_url, pool_size=1)

    def other_token(scope: Scope, organisation: str = "local") -> tuple[UUID, dict[str, str]]:
        with database.transaction() as session:
            made, text = create_token(session, organisation, "test", scope, utc_now())
            return made.id, {"Authorization": f"Bearer {text}"}

    with serving(live_settings) as (url, _), httpx.Client(base_url=url) as client:
        agent = Agent(client, token)
        agent.announce()
        _, engineer = other_token("engineer")
        _, foreign = other_token("viewer", "strangers")
        revoked_id, revoked = other_token("viewer")
        own = client.post("/api/v1/session", json={"token": revoked["Authorization"][7:]})
        assert own.status_code == 200
        signed_in = {"Cookie": f"tailroom_session={client.cookies['tailroom_session']}"}
        assert client.post(f"/api/v1/runs/{agent.run_id}/publish", headers=engineer).status_code == 200
        staying = Watcher(url, agent)
        of_session, of_token = Watcher(url, agent, signed_in), Watcher(url, agent, revoked)
        of_stranger = Watcher(url, agent, foreign)

        assert client.delete("/api/v1/session").status_code == 204
        assert of_session.ended.wait(PATIENCE_S)
        assert not of_token.ended.is_set()
        with database.transaction() as session:
            revoke_token(session, revoked_id, utc_now())
        assert of_token.ended.wait(PATIENCE_S)
        assert not of_stranger.ended.is_set()
        retracted = client.post(f"/api/v1/runs/{agent.run_id}/retract", headers=engineer, json={})
        assert retracted.status_code == 200
        assert of_stranger.ended.wait(PATIENCE_S)
        assert not staying.ended.is_set()
    database.dispose()


def test_a_slow_page_is_dropped_after_what_it_was_promised() -> None:
    async def scenario() -> list[bytes | None]:
        listener = Listener(StreamRight(new_id(), new_id(), None, None))
        taken = [listener.offer(b"frame") for _ in range(QUEUE_FRAMES + 5)]
        assert taken == [True] * QUEUE_FRAMES + [False] * 5
        return [await listener.next_frame(1) for _ in range(QUEUE_FRAMES + 1)]

    frames = asyncio.run(scenario())
    assert frames == [b"frame"] * QUEUE_FRAMES + [None]


def test_an_organisation_has_so_many_streams_and_no_more(
    live_settings: Settings, token: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tailroom.live.endpoints.ORGANISATION_STREAMS", 2)
    with serving(live_settings) as (url, _), httpx.Client(base_url=url) as client:
        agent = Agent(client, token)
        agent.announce()
        watchers = [Watcher(url, agent) for _ in range(2)]
        refused = agent.get("/events")
        assert (refused.status_code, refused.json()["code"]) == (503, "busy")
        assert not any(one.ended.is_set() for one in watchers)
