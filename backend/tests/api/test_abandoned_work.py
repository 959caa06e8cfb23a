"""Work for an answer ends when the client has gone, and when it takes too long."""

import socket
import threading
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import httpx
import pytest
from backend.tests.reports.storing import stored
from backend.tests.waiting import PATIENCE_S

from tailroom.analysis import pictures
from tailroom.analysis.run_reader import RunReader
from tailroom.kit import deadlines
from tailroom.kit.db import Database


class Endless:
    """A picture that is never ready, and looks at the clock as every loop does."""

    def __init__(self) -> None:
        self.begun, self.ended = threading.Event(), threading.Event()

    def __call__(self, reader: RunReader) -> Any:  # noqa: ARG002 - as pictures are made
        self.begun.set()
        try:
            while True:
                deadlines.check()
                time.sleep(0.01)
        finally:
            self.ended.set()


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> Endless:
    """Figures take for ever."""
    made = Endless()
    picture = pictures.Picture("endless", pictures.FIGURES.schema, made)
    monkeypatch.setattr("tailroom.analysis.endpoints.FIGURES", picture)
    return made


def test_work_ends_when_its_client_has_gone(
    endless: Endless,
    server_address: str,
    database: Database,
    organisation: str,
    make_token: Callable[..., str],
) -> None:
    token, other = make_token("viewer"), make_token("viewer", "somebody else")
    with stored(database, organisation) as add:
        run_id: UUID = add()
        place = urlsplit(server_address)
        assert place.hostname is not None
        with socket.create_connection((place.hostname, place.port or 80)) as client:
            head = f"GET /api/v1/runs/{run_id}/figures HTTP/1.1\r\nHost: {place.netloc}\r\n"
            client.sendall(f"{head}Authorization: Bearer {token}\r\n\r\n".encode())
            assert endless.begun.wait(PATIENCE_S)
            # Another organisation is answered beside it.
            answer = httpx.get(
                f"{server_address}/api/v1/runs/{run_id}/percentiles",
                headers={"Authorization": f"Bearer {other}"},
                timeout=60,
            )
            assert answer.status_code == 404
            assert not endless.ended.is_set()
        assert endless.ended.wait(PATIENCE_S)
