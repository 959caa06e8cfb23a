"""Heads and bodies that come slowly, or that are too large, over real connections; and a process whose
threads are all taken.
"""

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest
from backend.tests.listening import serving
from backend.tests.waiting import until, waits_for_a_lock
from fastapi.testclient import TestClient
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from tailroom.access.routing import GuardedRoute
from tailroom.api import http_protocol
from tailroom.api.app import ROUTERS
from tailroom.kit import body_limit
from tailroom.kit.db import Database
from tailroom.kit.limits import ANSWERS_BODY_BYTES, HEAD_BYTES, JSON_BODY_BYTES, QUESTION_BODY_BYTES
from tailroom.kit.settings import Settings


@pytest.fixture
def address(settings: Settings) -> Iterator[tuple[str, int]]:
    with serving(settings) as (url, _):
        host, port = url.removeprefix("http://").split(":")
        yield host, int(port)


@contextmanager
def connected(address: tuple[str, int]) -> Iterator[socket.socket]:
    with socket.create_connection(address, timeout=60) as found:
        yield found


def answered(connection: socket.socket) -> tuple[int, dict[str, Any]]:
    """Status and document of the answer; the server closes the connection after it."""
    content = b""
    while piece := connection.recv(65_536):
        content += piece
    head, _, body = content.partition(b"\r\n\r\n")
    return int(head.split(b" ")[1]), json.loads(body)


def status_of_one(connection: socket.socket) -> int:
    """The status of one answer, read to its end, of a connection that stays open."""
    with http.client.HTTPResponse(connection) as answer:
        answer.begin()
        answer.read()
        return answer.status


class TestHeads:
    def test_headers_that_never_end_are_refused_before_they_fill_memory(
        self, address: tuple[str, int]
    ) -> None:
        with connected(address) as connection:
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n")
            sent = 0
            line = b"X-More: " + b"m" * 8_000 + b"\r\n"
            try:
                while sent < 50 * 2**20:
                    connection.sendall(line)
                    sent += len(line)
            except OSError:
                pass  # It has hung up.
        assert sent < 8 * 2**20, "the server has read far more than it takes"

    def test_the_refusal_says_how_much_may_come(self, address: tuple[str, int]) -> None:
        with connected(address) as connection:
            head = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-More: "
            connection.sendall(head + b"m" * (HEAD_BYTES - len(head) + 1))
            status, problem = answered(connection)
        assert (status, problem["code"]) == (431, "head-too-large")
        assert f"{HEAD_BYTES:,}" in problem["detail"]

    def test_a_long_address_counts_too(self, address: tuple[str, int]) -> None:
        with connected(address) as connection:
            connection.sendall(b"GET /" + b"a" * HEAD_BYTES)
            assert answered(connection)[0] == 431

    def test_a_body_is_not_taken_for_a_head(self, address: tuple[str, int]) -> None:
        body = b"x" * JSON_BODY_BYTES  # together with the head more than a head may have
        head = b"POST /api/v1/session HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: %d"
        with connected(address) as connection:
            connection.sendall(head % len(body) + b"\r\n\r\n" + body)
            assert answered(connection)[0] == 422

    def test_a_head_that_is_sent_by_halves_is_given_up(
        self, address: tuple[str, int], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(http_protocol, "HEAD_SECONDS", 0.5)
        with connected(address) as connection:
            connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n")
            status, problem = answered(connection)
        assert (status, problem["code"]) == (408, "head-too-slow")

    def test_the_second_head_of_a_connection_has_its_own_time(
        self, address: tuple[str, int], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(http_protocol, "HEAD_SECONDS", 3.0)
        whole = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        with connected(address) as connection:
            connection.sendall(whole)
            assert status_of_one(connection) == 200
            time.sleep(3.5)
            connection.sendall(whole)
            assert status_of_one(connection) == 200, "who is silent between two requests is not cut off"
            connection.sendall(whole[:20])
            assert answered(connection)[0] == 408

    def test_who_connects_and_says_nothing_is_let_go(
        self, address: tuple[str, int], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(http_protocol, "HEAD_SECONDS", 0.5)
        with connected(address) as connection:
            assert connection.recv(1) == b""


def test_a_body_of_which_nothing_comes_is_given_up(
    address: tuple[str, int], make_token: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(body_limit, "SILENCE_S", 0.5)
    head = (
        f"POST /api/v1/runs HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {make_token()}\r\n"
        "Connection: close\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"
    )
    with connected(address) as connection:
        connection.sendall(head.encode())
        status, problem = answered(connection)
    assert (status, problem["code"]) == (408, "body-too-slow")


def test_threads_that_are_all_taken_answer_503_and_say_when_to_come_back(
    settings: Settings, make_token: Callable[..., str], database: Database
) -> None:
    few = settings.model_copy(update={"page_threads": 1, "wait_s": 0.5, "lock_timeout_s": 20.0})
    headers = {"Authorization": f"Bearer {make_token('engineer')}"}
    with serving(few) as (url, _), database.engine.connect() as holder:
        # One request has the only thread and waits for a table that somebody else holds.
        holder.execute(text("LOCK TABLE budget IN ACCESS EXCLUSIVE MODE"))
        first = threading.Thread(
            target=lambda: httpx.get(f"{url}/api/v1/budgets", headers=headers, timeout=30), daemon=True
        )
        first.start()
        until(lambda: waits_for_a_lock(database))
        answer = httpx.get(f"{url}/api/v1/runs", headers=headers, timeout=30)
        holder.rollback()
        first.join(30)
    assert (answer.status_code, answer.json()["code"]) == (503, "busy")
    assert int(answer.headers["Retry-After"]) >= 1


def test_postgres_ends_what_nobody_waits_for_any_more(settings: Settings, database: Database) -> None:
    hasty = settings.model_copy(update={"statement_timeout_s": 0.3, "lock_timeout_s": 0.3})
    found = Database.from_settings(hasty)
    try:
        with pytest.raises(DBAPIError) as slow, found.transaction() as session:
            session.execute(text("SELECT pg_sleep(5)"))
        assert isinstance(slow.value.orig, psycopg.errors.QueryCanceled)
        with database.engine.connect() as holder:
            holder.execute(text("LOCK TABLE budget IN ACCESS EXCLUSIVE MODE"))
            with pytest.raises(DBAPIError) as locked, found.transaction() as session:
                session.execute(text("SELECT count(*) FROM budget"))
            holder.rollback()
        assert isinstance(locked.value.orig, psycopg.errors.LockNotAvailable | psycopg.errors.QueryCanceled)
    finally:
        found.dispose()


class TestJson:
    """Bodies that are parsed between other requests are small; what needs more says so in `needs`."""

    @pytest.mark.parametrize(
        ("method", "path", "limit_bytes"),
        [
            ("POST", "/api/v1/session", JSON_BODY_BYTES),
            ("POST", "/api/v1/budgets", JSON_BODY_BYTES),
            ("POST", "/api/v1/drives", JSON_BODY_BYTES),
            ("POST", "/api/v1/sla/match", JSON_BODY_BYTES),
            ("POST", "/api/v1/sla/evaluate", QUESTION_BODY_BYTES),
            ("POST", "/api/v1/sla/size", QUESTION_BODY_BYTES),
            ("PATCH", f"/api/v1/runs/{UUID(int=1)}/disclosure", ANSWERS_BODY_BYTES),
            ("POST", f"/api/v1/runs/{UUID(int=1)}/retract", JSON_BODY_BYTES),
        ],
    )
    @pytest.mark.parametrize("is_announced", [True, False], ids=["with length", "in chunks"])
    def test_a_route_takes_what_it_needs_and_no_more(  # noqa: PLR0917 - each is a parameter
        self,
        client: TestClient,
        make_token: Callable[..., str],
        method: str,
        path: str,
        limit_bytes: int,
        is_announced: bool,
    ) -> None:
        headers = {"Authorization": f"Bearer {make_token('engineer')}", "Content-Type": "application/json"}
        # Blanks are JSON too: the largest body is read and answered by its content.
        for size, is_refused in ((limit_bytes, False), (limit_bytes + 1, True)):
            body = b"{" + b" " * (size - 2) + b"}"
            content = body if is_announced else iter((body[:1000], body[1000:]))
            answer = client.request(method, path, headers=headers, content=content)
            assert (answer.status_code == 413) is is_refused, answer.text
            if is_refused:
                assert answer.json()["code"] == "body-too-large"
                assert f"{limit_bytes:,} bytes" in answer.json()["detail"]

    def test_every_route_that_parses_json_has_a_limit_of_its_own(self) -> None:
        routes = [one for router in ROUTERS for one in router.routes if isinstance(one, GuardedRoute)]
        parsing = [one for one in routes if one.body_field is not None]
        assert len(parsing) >= 8
        assert all(one.needs.body_bytes <= QUESTION_BODY_BYTES for one in parsing)
