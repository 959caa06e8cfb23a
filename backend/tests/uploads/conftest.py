"""Somebody who uploads, through HTTP, in an organisation of their own."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from backend.tests.analysis.recording import look_at_run
from fastapi.testclient import TestClient

from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.raw_files import LocalRawFiles
from tailroom.kit.settings import Settings
from tailroom.kit.transactions import Transactions
from tailroom.uploads.waiting import read_as_worker
from tailroom.work.claims import WorkClaim
from tailroom.work.executor import Executor
from tailroom.work.kinds import READ_UPLOAD

Json = dict[str, Any]
SAMPLES = Path(__file__).parents[1] / "importers" / "samples"
ACT = SAMPLES / "act"


def uploads_reader(settings: Settings, database: Database, within_s: float = 60.0) -> Executor:
    """A worker that reads uploads and does nothing else."""
    store = LocalRawFiles(settings.home / "raw-files")

    def read(claim: WorkClaim, transactions: Transactions) -> None:
        read_as_worker(transactions, store, claim.subject, within_s)

    return Executor(database, {READ_UPLOAD.name: read}, {})


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
    return Uploader(client, database, make_token("engineer"))


@pytest.fixture
def stranger(
    client: TestClient, database: Database, organisation: str, make_token: Callable[..., str]
) -> Uploader:
    """Somebody of another organisation."""
    return Uploader(client, database, make_token("engineer", f"not {organisation}"))
