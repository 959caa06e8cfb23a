"""What a process keeps of ratings: read once, shared, brought up to date by what has changed, read ahead."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import current_thread
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from backend.bench.many_drives import fill
from backend.tests.analysis.recording import MOMENT
from backend.tests.ratings.test_runs import hours, stored
from backend.tests.waiting import until
from fastapi.testclient import TestClient
from sqlalchemy import delete, event
from structlog.testing import capture_logs

from tailroom.kit.db import Database
from tailroom.kit.transactions import within
from tailroom.ratings.answers import decisions
from tailroom.ratings.board import board
from tailroom.ratings.board.board import Board, Boards
from tailroom.ratings.questions.query import LeaderboardQuery
from tailroom.ratings.questions.question import question_of
from tailroom.ratings.read_ahead import Warming
from tailroom.ratings.service import KeptRatings
from tailroom.ratings.sources import refresh
from tailroom.runs import publication
from tailroom.storage.catalogue import CatalogueItem
from tailroom.storage.drive_test import PUBLIC_SCOPE, DriveTest, count_change
from tailroom.storage.run import Run


@contextmanager
def counted(database: Database) -> Iterator[list[str]]:
    """Statements of this thread while the block runs."""
    seen: list[str] = []
    own = current_thread()

    def count(*arguments: object) -> None:
        if current_thread() is own:
            seen.append(str(arguments[2]))

    event.listen(database.engine, "before_cursor_execute", count)
    try:
        yield seen
    finally:
        event.remove(database.engine, "before_cursor_execute", count)


def owner_of(database: Database, run_id: UUID) -> UUID:
    with database.transaction() as session:
        return session.get_one(Run, run_id).organisation_id


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[UUID | None]:
    """Whose boards were read, but for what the API of the other tests reads ahead."""
    found: list[UUID | None] = []
    real = board.load_board

    def load(session: Any, organisation_id: UUID | None, *rest: Any) -> Board:
        if current_thread().name != "ratings-warming":
            found.append(organisation_id)
        time.sleep(0.1)
        return real(session, organisation_id, *rest)

    monkeypatch.setattr(board, "load_board", load)
    return found


@pytest.mark.usefixtures("reference")
def test_a_board_is_read_in_four_statements_and_then_looked_up_in_one(database: Database) -> None:
    boards = Boards()
    with database.transaction() as session:
        session.connection()
        with counted(database) as seen:
            first = boards.current(within(session), None)
        assert len(seen) == 1 + 4, "its revision, and what it consists of"
        with counted(database) as seen:
            assert boards.current(within(session), None) is first
        assert len(seen) == 1


@pytest.mark.usefixtures("reference")
def test_who_needs_the_same_board_at_once_waits_for_one_reading(
    database: Database, read: list[UUID | None]
) -> None:
    boards = Boards()

    def ask(_: int) -> Board:
        with database.transaction() as session:
            return boards.current(within(session), None)

    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(ask, range(3)))
    assert read == [None]
    assert all(one is found[0] for one in found)


@pytest.mark.usefixtures("reference")
def test_an_organisation_with_nothing_of_its_own_shares_the_board_of_everybody(
    database: Database, organisation: str, make_token: Callable[..., str]
) -> None:
    run_id = stored(database, organisation, hours(1, 0.01))
    boards = Boards()
    with database.transaction() as session:
        nobody = UUID(int=7)
        assert boards.current(within(session), nobody) is boards.current(within(session), None)
        owner = session.get_one(Run, run_id).organisation_id
        own = boards.current(within(session), owner)
        assert own is not boards.current(within(session), None)
        assert any(one.run_id == run_id for one in own.tests)
        assert not any(one.run_id == run_id for one in boards.current(within(session), nobody).tests)


@pytest.mark.usefixtures("reference")
def test_a_drive_that_an_organisation_adds_is_there_at_once(
    client: TestClient, make_token: Callable[..., str]
) -> None:
    headers = {"Authorization": f"Bearer {make_token('engineer')}"}
    client.get("/api/v1/leaderboard", headers=headers)
    drive = {"vendor": "Quince", "name": "QX 9000", "source": "a label"}
    answer = client.post("/api/v1/drives", json=drive, headers=headers)
    assert answer.status_code == 201, answer.text
    assert client.get(f"/api/v1/drives/{answer.json()['slug']}", headers=headers).status_code == 200


@pytest.mark.usefixtures("reference")
def test_of_tests_that_are_known_nothing_is_read_again(database: Database, organisation: str) -> None:
    boards = Boards()
    run_id = stored(database, organisation, hours(24, 0.01))
    owner = owner_of(database, run_id)
    with database.transaction() as session:
        before = boards.current(within(session), owner)
    other = stored(database, organisation, hours(24, 0.02))
    with database.transaction() as session:
        after = boards.current(within(session), owner)
        whole = board.load_board(within(session), owner, "all")
    known = {id(one) for one in before.tests}
    assert {one.run_id for one in after.tests if id(one) not in known} == {other}
    assert [tuple(one) for one in after.tests] == [tuple(one) for one in whole.tests]
    for name in ("thresholds_ns", "offsets", "at", "ends"):
        assert np.array_equal(getattr(after.knots, name), getattr(whole.knots, name))
    assert after.rows == whole.rows


@pytest.mark.usefixtures("reference")
def test_a_known_test_that_is_withdrawn_is_known_no_longer(database: Database, organisation: str) -> None:
    boards = Boards()
    run_id = stored(database, organisation, hours(24, 0.01))
    owner = owner_of(database, run_id)

    def runs(whose: UUID | None) -> set[str]:
        with database.transaction() as session:
            found = boards.current(within(session), whose)
            return {one.visibility for one in found.tests if one.run_id == run_id}

    assert (runs(owner), runs(None)) == ({"private"}, set())
    with database.transaction() as session:
        publication.publish(session, owner, run_id, (), MOMENT)
    assert (runs(owner), runs(None)) == ({"public"}, {"public"})
    with database.transaction() as session:
        publication.retract(session, owner, run_id, "wrong drive", MOMENT)
    assert (runs(owner), runs(None)) == ({"retracted"}, set())


@pytest.mark.usefixtures("reference")
def test_what_is_read_ahead_waits_for_whoever_asks(database: Database, read: list[UUID | None]) -> None:
    kept = KeptRatings()
    warming = Warming(database, kept)
    assert warming.read()
    assert read[0] is None
    with database.transaction() as session:
        found = kept.boards.current(within(session), None)
        assert found.answers, "the question that the page opens with is answered"
    times = len(read)
    assert warming.read()
    assert len(read) == times, "nothing has changed"
    with database.transaction() as session:
        count_change(session, PUBLIC_SCOPE)
    assert warming.read()
    assert len(read) > times
    times = len(read)
    with database.transaction() as session:
        assert kept.boards.current(within(session), None) is not found
    assert len(read) == times


@pytest.mark.usefixtures("reference")
def test_without_a_database_nothing_is_read_ahead_and_the_next_request_reads(
    database: Database, read: list[UUID | None]
) -> None:
    kept = KeptRatings()
    away = Database("postgresql+psycopg://nobody@127.0.0.1:1/nothing", pool_size=1)
    warming = Warming(away, kept)
    with capture_logs() as logs:
        assert not warming.read()
        assert not warming.read()
    failures = [one for one in logs if one["event"] == "ratings_not_read_ahead"]
    assert len(failures) == 1, "said once, not every two seconds"
    assert read == []
    with database.transaction() as session:
        assert kept.boards.current(within(session), None).tests
    assert read == [None]


@pytest.mark.usefixtures("reference")
def test_a_process_reads_when_it_starts(client: TestClient, database: Database) -> None:
    boards: Boards = client.app.state.kept_ratings.boards  # type: ignore[attr-defined]
    until(lambda: None in boards.organisations())


@pytest.fixture
def many(database: Database) -> Iterator[None]:
    """Made-up drives."""
    with database.transaction() as session:
        fill(session, 24, 6)
    yield
    with database.transaction() as session:
        session.execute(delete(DriveTest).where(DriveTest.publication_slug == "made-up"))
        session.execute(delete(CatalogueItem).where(CatalogueItem.slug.like("made-up-%")))
        refresh.catalogue_changed(session)


@pytest.mark.usefixtures("reference", "many")
def test_portions_come_to_the_same_as_everything_at_once(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = LeaderboardQuery(reads=250, window_ns=1_000_000_000, reserve_ns=400_000_000)
    with database.transaction() as session:
        found = Boards().current(within(session), None)
        question = question_of(session, UUID(int=7), asked)
        monkeypatch.setattr(decisions, "MOST_SECONDS", 600.0)
        whole = decisions.decide(within(session), found, question, KeptRatings().judged)
        assert whole.is_complete
        kept = KeptRatings().judged
        monkeypatch.setattr(decisions, "MOST_SECONDS", 0.02)
        asked_times, decided = 0, None
        while decided is None or not decided.is_complete:
            decided = decisions.decide(within(session), found, question, kept)
            asked_times += 1
        assert asked_times > 2
        for name in ("state", "why", "basis", "ends"):
            assert np.array_equal(getattr(whole, name), getattr(decided, name), equal_nan=True), name
        assert np.count_nonzero(whole.state) > 100


@pytest.mark.usefixtures("reference", "many")
def test_an_answer_says_how_many_tests_are_not_judged_yet_and_the_next_goes_on(
    client: TestClient, make_token: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    headers = {"Authorization": f"Bearer {make_token('engineer')}"}
    monkeypatch.setattr(decisions, "MOST_SECONDS", 0.02)
    waiting: list[int] = []
    while not waiting or waiting[-1] > 0:
        answer = client.get("/api/v1/leaderboard?equal=false&reads=251&window_ns=600000000", headers=headers)
        waiting.append(answer.json()["tests_waiting"])
        assert any("not been judged yet" in note for note in answer.json()["notes"]) == (waiting[-1] > 0)
    assert len(waiting) > 2
    assert waiting == sorted(set(waiting), reverse=True)
    assert client.get("/api/v1/leaderboard", headers=headers).json()["tests_waiting"] == 0
