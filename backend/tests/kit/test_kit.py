"""Identifiers, cursors, the circuit breaker and binary arrays."""

import json
from datetime import UTC, datetime, timedelta
from uuid import UUID

import numpy as np
import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text

from tailroom.kit.circuit import CircuitBreaker
from tailroom.kit.db import Database, after_commit, execute_pending, execute_with_commit
from tailroom.kit.identifiers import first_id_at, new_id, time_of
from tailroom.kit.pagination import TimeCursor
from tailroom.kit.pg_arrays import ByteaArray, Int8Array
from tailroom.kit.settings import Settings
from tailroom.kit.task_queue import broker_url


def test_identifiers_sort_by_time_and_lie_within_their_day() -> None:
    first, second = new_id(), new_id()
    assert first < second
    assert first.version == 7
    made = time_of(first)
    assert abs(made - datetime.now(tz=UTC)) < timedelta(seconds=5)
    assert first_id_at(made) <= first < first_id_at(made + timedelta(seconds=1))


@given(
    moment=st.datetimes(
        min_value=datetime(1900, 1, 1),  # noqa: DTZ001 - made aware by `timezones`
        timezones=st.just(UTC),
    ),
    identifier=st.uuids(),
)
def test_cursors_come_back_as_they_were(moment: datetime, identifier: object) -> None:
    cursor = TimeCursor(moment, identifier)  # type: ignore[arg-type]
    assert TimeCursor.decode(cursor.encode()) == cursor


@given(st.text(max_size=60))
def test_other_texts_are_no_cursors(content: str) -> None:
    try:
        assert TimeCursor.decode(content).encode() == content
    except ValueError:
        return


def test_the_breaker_lets_one_through_in_each_pause() -> None:
    now = [0.0]
    breaker = CircuitBreaker(2.0, lambda: now[0])
    assert breaker.allows()
    assert breaker.failed() is True
    assert [breaker.allows() for _ in range(3)] == [False] * 3
    now[0] = 2.5
    assert [breaker.allows() for _ in range(3)] == [True, False, False]
    assert breaker.failed() is False
    now[0] = 5.0
    assert breaker.allows()
    assert breaker.record_success() is True
    assert [breaker.allows() for _ in range(3)] == [True] * 3


@pytest.mark.parametrize("length", [0, 1, 5])
def test_arrays_arrive_as_they_are(database: Database, length: int) -> None:
    numbers = np.array([0, -1, 2**63 - 1, -(2**63), 7], dtype=np.int64)[:length]
    blobs = [b"", None, b"\x00\xff", bytes(5000), b"x"][:length]
    with database.transaction() as session:
        raw = session.connection().connection.driver_connection
        assert raw is not None
        cursor = raw.cursor(binary=True)
        cursor.execute("SELECT %s::int8[], %s::bytea[]", (Int8Array(numbers), ByteaArray(blobs)))
        row = cursor.fetchone()
    assert row == (numbers.tolist(), blobs)


NUMBERS = [
    "-0",
    "1.0",
    "1e5",
    "1e400",
    "-1e400",
    "5e-324",
    "0.1234567890123456789",
    "18446744073709551616",
    "1" * 40,
]


@pytest.mark.parametrize("number", NUMBERS)
def test_documents_are_read_as_the_standard_library_reads_them(database: Database, number: str) -> None:
    stored = f'{{"a": [{number}, null, true, "\\u00e9\\ud83d\\ude00"]}}'
    with database.transaction() as session:
        query = text("SELECT CAST(:stored AS jsonb), CAST(CAST(:stored AS jsonb) AS text)")
        read, as_text = session.execute(query, {"stored": stored}).one()
    expected = json.loads(as_text)
    assert read == expected
    assert [type(one) for one in read["a"]] == [type(one) for one in expected["a"]]


def test_what_waits_for_the_commit_happens_after_it_and_only_then(database: Database) -> None:
    happened: list[str] = []
    with database.transaction() as session:
        after_commit(session, lambda: happened.append("committed"))
        assert happened == []
    assert happened == ["committed"]

    def fail() -> None:
        with database.transaction() as session:
            session.execute(text("SELECT 1"))
            after_commit(session, lambda: happened.append("never"))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with database.transaction():
        pass
    assert happened == ["committed"]


def test_what_travels_with_the_commit_is_there_after_it_or_nothing_is(fresh_postgres_url: str) -> None:
    database = Database(fresh_postgres_url, pool_size=1, secured=True)
    organisation_id = new_id()
    add, broken = "INSERT INTO note VALUES (%(text)s)", "INSERT INTO note SELECT 1 / %(zero)s::int"
    with database.transaction() as session:
        session.execute(text("CREATE TABLE note (text text)"))
        session.execute(text("GRANT ALL ON note TO tailroom_member"))

    def notes() -> list[str]:
        with database.transaction() as session:
            return list(session.scalars(text("SELECT text FROM note ORDER BY text")))

    happened: list[str] = []

    def fail(owner: UUID | None, table: str) -> None:
        with database.transaction(owner) as session:
            session.execute(text(f"DELETE FROM {table}"))  # noqa: S608 - ours
            execute_with_commit(session, broken, {"zero": 0})
            execute_with_commit(session, add, {"text": "d"})
            after_commit(session, lambda: happened.append("never"))

    for owner in (None, organisation_id):  # begun by the driver, and by us
        with database.transaction(owner) as session:
            session.execute(text("DELETE FROM note"))
            execute_with_commit(session, add, {"text": "a"})
            assert session.scalar(text("SELECT count(*) FROM note")) == 0
            execute_pending(session)
            assert session.scalar(text("SELECT count(*) FROM note")) == 1
            execute_with_commit(session, add, {"text": "b"})
            execute_with_commit(session, add, {"text": "c"})
            after_commit(session, lambda: happened.append("committed"))
        assert notes() == ["a", "b", "c"]

        with pytest.raises(psycopg.errors.DivisionByZero):
            fail(owner, "note")
        assert notes() == ["a", "b", "c"]
    assert happened == ["committed"] * 2
    database.dispose()


def test_settings_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAILROOM_ALLOWED_HOSTS", "Tail.example, 10.0.0.1 ,")
    monkeypatch.setenv("TAILROOM_LOCAL_ACCESS", "1")
    settings = Settings()
    assert settings.allowed_hosts == ("tail.example", "10.0.0.1")
    assert settings.local_access is True
    monkeypatch.setenv("TAILROOM_ALLOWED_HOSTS", "*")
    with pytest.raises(ValueError, match="needs TAILROOM_PUBLIC_URL"):
        Settings()
    monkeypatch.setenv("TAILROOM_PUBLIC_URL", "https://tail.example")
    assert Settings().allowed_hosts == ("*",)


def test_celery_calls_a_unix_socket_otherwise() -> None:
    assert broker_url("unix:///run/v.sock") == "redis+socket:///run/v.sock"
    assert broker_url("rediss://h:1/0") == "rediss://h:1/0"
