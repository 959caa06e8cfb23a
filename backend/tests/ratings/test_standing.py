"""Rows of two organisations: agreement and disagreement on drives of their own, in eight pairs."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from backend.tests.analysis.recording import MOMENT
from backend.tests.ratings.test_runs import HOST, rows_of, stored
from fastapi.testclient import TestClient
from sqlalchemy import delete

from tailroom.api.app import create_app
from tailroom.catalogue.loading import load_reference
from tailroom.embedded.postgres import EmbeddedPostgres
from tailroom.kit.db import Database
from tailroom.kit.settings import Settings
from tailroom.runs import publication
from tailroom.storage.run import Run

READS = 20_000
"""Operations in each hour."""
Get = Callable[..., Any]


@dataclass
class Board:
    """Published runs of several organisations, and the row that they make together."""

    database: Database
    get: Get
    reader: str
    made: list[UUID]

    def publish(self, owner: str, late_ratio: float, serial: str | None, seed: int = 0) -> UUID:
        """A published day of an organisation."""
        run_id = self.measure(owner, late_ratio, serial, seed)
        with self.database.transaction() as session:
            owner_id = session.get_one(Run, run_id).organisation_id
            publication.publish(session, owner_id, run_id, (), MOMENT)
        return run_id

    def measure(self, owner: str, late_ratio: float, serial: str | None, seed: int = 0) -> UUID:
        """A private day of an organisation: late reads are drawn at this share in each hour."""
        rng = np.random.default_rng(seed)
        latencies = []
        for late in rng.binomial(READS, late_ratio, 24):
            of_hour = np.full(READS, 200_000, np.int64)
            of_hour[:late] = 2_000_000
            latencies.append(of_hour)
        device = {**HOST["block_devices"][0], "serial_sha256": serial, "firmware": "1.0"}  # type: ignore[dict-item]
        run_id = stored(self.database, owner, latencies, block_devices=[device])
        self.made.append(run_id)
        return run_id

    def row(self) -> dict[str, Any]:
        """The public row of response times."""
        rows = rows_of(self.get, self.reader, scope="public", search="s3700")
        ids = {str(run_id) for run_id in self.made}
        (row,) = [
            row
            for row in rows
            if row["metric_class"] == "total"
            and any(test_id.partition(":")[0] in ids for cell in row["cells"] for test_id in cell["test_ids"])
        ]
        return dict(row)

    def clear(self) -> None:
        """Takes the runs away again."""
        with self.database.transaction() as session:
            session.execute(delete(Run).where(Run.run_id.in_(self.made)))
        self.made.clear()


@pytest.fixture(scope="module")
def database(embedded_postgres: EmbeddedPostgres, migrated_template: str) -> Iterator[Database]:
    """A database without public runs of other tests: each of them would be a tester."""
    embedded_postgres.create_database("tailroom_standing", template=migrated_template)
    own = Database(embedded_postgres.url("tailroom_standing"), pool_size=4)
    with own.transaction() as session:
        load_reference(session)
    yield own
    own.dispose()
    embedded_postgres.drop_database("tailroom_standing")


@pytest.fixture(scope="module")
def client(
    settings: Settings, database: Database, embedded_postgres: EmbeddedPostgres
) -> Iterator[TestClient]:
    own = settings.model_copy(update={"database_url": embedded_postgres.url("tailroom_standing")})
    with TestClient(create_app(own), raise_server_exceptions=False) as api:
        yield api


@pytest.fixture
def board(
    database: Database, client: TestClient, make_token: Callable[..., str], organisation: str
) -> Iterator[Board]:
    reader = f"{organisation} reads"
    headers = {"Authorization": f"Bearer {make_token('engineer', reader)}"}

    def get(path: str, owner: str, **parameters: Any) -> Any:
        assert owner == reader
        answer = client.get(f"/api/v1{path}", params=parameters, headers=headers)
        assert answer.status_code == 200, answer.text
        return answer.json()

    found = Board(database, get, reader, [])
    yield found
    found.clear()


def test_a_row_is_confirmed_by_another_organisation_on_another_drive_alone(
    board: Board, organisation: str
) -> None:
    board.publish(f"{organisation} a", 0.01, "a" * 64)
    row = board.row()
    assert row["standing"]["standing"] == "self-reported"
    assert row["firmwares"] == ["1.0"]
    board.publish(f"{organisation} b", 0.01, "a" * 64, seed=1)
    assert board.row()["standing"]["standing"] == "self-reported", "the same drive proves nothing of another"
    board.publish(f"{organisation} b", 0.01, None, seed=2)
    standing = board.row()["standing"]
    assert standing["standing"] == "self-reported"
    assert standing["reason"].endswith("not all state the serial number of their drive.")
    board.publish(f"{organisation} b", 0.01, "c" * 64, seed=3)
    standing = board.row()["standing"]
    assert (standing["standing"], standing["tests"]) == ("confirmed", 4)
    assert (standing["testers"], standing["serials"]) == (2, 2)
    assert 0.0 <= standing["spread_ratio"] < 0.1
    board.publish(f"{organisation} b", 0.03, "d" * 64, seed=4)
    assert board.row()["standing"]["standing"] == "contradicted"


def test_runs_that_were_made_and_not_published_are_counted_beside_the_published_ones(
    board: Board, organisation: str
) -> None:
    def tries() -> tuple[int | None, int]:
        standing = board.row()["standing"]
        return standing["runs_made"], standing["runs_published"]

    for seed in range(2):
        board.measure(organisation, 0.03, "a" * 64, seed=seed)
    board.publish(organisation, 0.01, "a" * 64, seed=3)
    assert tries() == (3, 1)
    board.measure(organisation, 0.03, "b" * 64, seed=4)
    assert tries() == (4, 1), "a later private run counts as well"
    board.measure(f"{organisation} b", 0.01, "c" * 64, seed=5)
    assert tries() == (4, 1), "runs of an organisation that publishes none are its own affair"
    board.publish(f"{organisation} b", 0.01, "d" * 64, seed=6)
    assert tries() == (6, 2)
    assert board.row()["tested_by"] == ["2 organisations"]
