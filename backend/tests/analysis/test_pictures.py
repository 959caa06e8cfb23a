"""Pictures are made once for a finished run, and shown only while what they were made from is as it was."""

from collections.abc import Callable, Iterator
from uuid import UUID

import pytest
from backend.tests.analysis.recording import (
    MOMENT,
    SeriesSpec,
    add_ended_run,
    add_intervals,
    add_run,
    look_at_run,
    steady,
)
from fastapi.testclient import TestClient
from sqlalchemy import delete, func, select, text, update
from sqlalchemy.orm import Session

from tailroom.analysis.pictures import PICTURES, draw
from tailroom.kit.db import Database
from tailroom.kit.transactions import transactions_of
from tailroom.storage.run import PUBLIC, Run
from tailroom.storage.run_picture import RunPicture
from tailroom.storage.slices import AnalysisState
from tailroom.storage.work import WorkRow
from tailroom.work.kinds import DRAW

SPECS = [
    SeriesSpec("read", steady(2_000, 6)),
    SeriesSpec("read", steady(200, 60, seed=5), kind="tick", interval_ns=1_000_000_000),
]
MARK = b'{"kept":true}'

Viewer = dict[str, str]


@pytest.fixture
def run_id(database: Database, organisation: str) -> Iterator[UUID]:
    with database.transaction() as session:
        # Of a workload without questions about transactions, which take most of the time of judging.
        run_id = add_ended_run(session, SPECS, workload="reads", organisation=organisation)
        look_at_run(session, run_id, MOMENT)
    yield run_id
    with database.transaction() as session:
        session.execute(delete(WorkRow).where(WorkRow.subject == run_id))
        session.execute(delete(Run).where(Run.run_id == run_id))


@pytest.fixture
def stranger(make_token: Callable[..., str], organisation: str) -> Viewer:
    return {"Authorization": f"Bearer {make_token('viewer', f'not {organisation}')}"}


def path(run_id: UUID, name: str) -> str:
    return f"/api/v1/runs/{run_id}/{name}"


def owner_of(session: Session, run_id: UUID) -> UUID:
    return session.get_one(Run, run_id).organisation_id


def drawn(database: Database, run_id: UUID) -> None:
    """Has a worker draw the pictures, as the run's organisation."""
    with database.transaction() as session:
        owner = owner_of(session, run_id)
    assert draw(transactions_of(database, owner), run_id)


def marked(database: Database, run_id: UUID) -> None:
    """Kept pictures, so that an answer tells whether it is one of them."""
    with database.transaction() as session:
        session.execute(update(RunPicture).where(RunPicture.run_id == run_id).values(body=MARK))


def count_of(database: Database, run_id: UUID) -> int:
    with database.transaction() as session:
        query = select(func.count()).select_from(RunPicture).where(RunPicture.run_id == run_id)
        return session.scalar(query) or 0


def test_the_last_verdict_makes_pictures_due(database: Database, run_id: UUID) -> None:
    with database.transaction() as session:
        assert session.get(WorkRow, (run_id, DRAW.name)) is not None


@pytest.mark.parametrize("name", [one.name for one in PICTURES])
def test_what_is_kept_is_what_is_worked_out(
    client: TestClient, database: Database, run_id: UUID, viewer: Viewer, name: str
) -> None:
    worked_out = client.get(path(run_id, name), headers=viewer)
    assert worked_out.status_code == 200
    assert count_of(database, run_id) == 1, "whoever asks first keeps it"
    with database.transaction() as session:
        session.execute(delete(RunPicture).where(RunPicture.run_id == run_id))
    drawn(database, run_id)
    assert count_of(database, run_id) == len(PICTURES)
    assert client.get(path(run_id, name), headers=viewer).content == worked_out.content
    marked(database, run_id)
    assert client.get(path(run_id, name), headers=viewer).content == MARK


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE analysis_state SET computed_at = '2020-01-01T00:00:00Z' WHERE run_id = :run_id",
        "UPDATE analysis_state SET is_final = false WHERE run_id = :run_id",
        "UPDATE run SET expired_classes = 1 WHERE run_id = :run_id",
        "UPDATE run SET state = 'finishing' WHERE run_id = :run_id",
        "UPDATE run_picture SET form = sha256('another version') WHERE run_id = :run_id",
        (
            "INSERT INTO budget SELECT organisation_id, 'own', 1, '{}', '{}', sha256('x'), now() FROM run"
            " WHERE run_id = :run_id"
        ),
        "DELETE FROM analysis_state WHERE run_id = :run_id",
    ],
)
def test_a_picture_of_something_that_has_changed_is_not_shown(
    client: TestClient, database: Database, run_id: UUID, viewer: Viewer, change: str
) -> None:
    drawn(database, run_id)
    marked(database, run_id)
    assert client.get(path(run_id, "timeline"), headers=viewer).content == MARK
    with database.transaction() as session:
        session.execute(text(change), {"run_id": run_id})
    answer = client.get(path(run_id, "timeline"), headers=viewer)
    assert answer.json()["run_id"] == str(run_id)


def test_a_run_that_goes_on_has_no_kept_pictures(
    client: TestClient, database: Database, organisation: str, viewer: Viewer
) -> None:
    with database.transaction() as session:
        run_id = add_run(session, SPECS, organisation=organisation)
        add_intervals(session, run_id, SPECS)
        look_at_run(session, run_id, MOMENT)
        assert session.get_one(AnalysisState, run_id).is_final is False
    assert client.get(path(run_id, "timeline"), headers=viewer).status_code == 200
    assert count_of(database, run_id) == 0
    assert not draw(transactions_of(database, None), run_id)


def test_others_see_pictures_of_public_runs_unless_they_show_the_owners_own_limits(
    client: TestClient, database: Database, run_id: UUID, stranger: Viewer
) -> None:
    drawn(database, run_id)
    marked(database, run_id)
    assert client.get(path(run_id, "timeline"), headers=stranger).status_code == 404
    with database.transaction() as session:
        session.execute(update(Run).where(Run.run_id == run_id).values(visibility=PUBLIC))
    assert client.get(path(run_id, "timeline"), headers=stranger).content == MARK
    with database.transaction() as session:
        session.execute(
            text("INSERT INTO budget VALUES (:owner, 'own', 1, '{}', '{}', sha256('x'), now())"),
            {"owner": owner_of(session, run_id)},
        )
        session.execute(update(RunPicture).where(RunPicture.run_id == run_id).values(budget_count=1))
    answer = client.get(path(run_id, "timeline"), headers=stranger)
    assert answer.json()["run_id"] == str(run_id)


def test_another_number_of_points_is_worked_out(
    client: TestClient, database: Database, run_id: UUID, viewer: Viewer
) -> None:
    drawn(database, run_id)
    marked(database, run_id)
    few = client.get(path(run_id, "timeline"), params={"max_points": 3}, headers=viewer).json()
    assert len(few["series"][0]["ticks"]["start_ns"]) <= 3
