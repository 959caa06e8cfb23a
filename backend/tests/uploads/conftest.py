"""Somebody who uploads, through HTTP, in an organisation of their own."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from fastapi.testclient import TestClient

from tailroom.analysis.service import look_at_run
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database

Json = dict[str, Any]
SAMPLES = Path(__file__).parents[1] / "importers" / "samples"
ACT = SAMPLES / "act"


class Uploader:
    """Sends files and looks at what they became; the worker's part is done here, at once."""

    def __init__(self, client: TestClient, database: Database, token: str) -> None:
        self.client, self.database = client, database
        self.headers = {"Authorization": f"Bearer {token}"}

    def send(self, files: list[tuple[str, bytes]], status: int | None = 201, **fields: str) -> Json:
        """Sends named contents."""
        parts = [("files", (name, data, "application/octet-stream")) for name, data in files]
        answer = self.client.post("/api/v1/uploads", files=parts, data=fields, headers=self.headers)
        assert status is None or answer.status_code == status, answer.text
        body: Json = answer.json()
        return body

    def send_paths(self, *paths: Path, status: int | None = 201, **fields: str) -> Json:
        """Sends files of the samples."""
        return self.send([(path.name, path.read_bytes()) for path in paths], status, **fields)

    def get(self, path: str, status: int = 200, **query: Any) -> Json:
        """Reads something of the API."""
        answer = self.client.get(f"/api/v1{path}", headers=self.headers, params=query)
        assert answer.status_code == status, answer.text
        body: Json = answer.json()
        return body

    def post(self, path: str, body: Json, status: int = 200) -> Json:
        """Asks for a change, or a question."""
        answer = self.client.post(f"/api/v1{path}", headers=self.headers, json=body)
        assert answer.status_code == status, answer.text
        found: Json = answer.json()
        return found

    def judged(self, run_id: str) -> Json:
        """The run after a worker has looked at it."""
        with self.database.transaction() as session:
            assert look_at_run(session, UUID(run_id), utc_now()) is not None
        return self.get(f"/runs/{run_id}")


@pytest.fixture
def uploader(client: TestClient, database: Database, make_token: Callable[..., str]) -> Uploader:
    """Somebody with a token of this test's organisation."""
    return Uploader(client, database, make_token("viewer"))


@pytest.fixture
def stranger(client: TestClient, database: Database, make_token: Callable[..., str]) -> Uploader:
    """Somebody of another organisation."""
    return Uploader(client, database, make_token("viewer", "somebody else"))
