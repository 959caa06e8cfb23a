"""Partitions stand ready before they are needed, take the rows of their day, and go when their
runs are old.
"""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from sqlalchemy import text

from tailroom.kit.db import Database
from tailroom.kit.identifiers import first_id_at
from tailroom.storage.partitions import create_partitions, drop_expired_partitions, partition_days

NOW = datetime(2026, 3, 10, 15, 30, tzinfo=UTC)


@pytest.fixture
def own_database(fresh_postgres_url: str) -> Database:
    return Database(fresh_postgres_url, pool_size=2)


def add_row(database: Database, run_id: UUID, *, last_data_at: datetime | None = None) -> str:
    """Stores an interval (and, with a time, a run that is still sending); the partition it went to."""
    with database.transaction() as session:
        session.execute(
            text(
                "INSERT INTO interval SELECT :run, 0, 0, :run, 0, 1, 0, 0, 0, 0, 0, NULL, NULL,"
                " NULL, 0, '', NULL, now()"
            ),
            {"run": run_id},
        )
        if last_data_at is not None:
            session.execute(
                text("INSERT INTO organisation VALUES (:id, 'someone', now()) ON CONFLICT DO NOTHING"),
                {"id": run_id},
            )
            session.execute(
                text(
                    "INSERT INTO run (run_id, organisation_id, title, workload, state, started_at,"
                    " started_at_unix_ns, planned_duration_ns, agent, host, plan, content_sha256,"
                    " last_data_at, data_through_ns, created_at)"
                    " VALUES (:run, :run, '', '', 'running', now(), 0, 1,"
                    " '{}', '{}', '{}', '', :at, 0, now())"
                ),
                {"run": run_id, "at": last_data_at},
            )
        return str(
            session.scalar(
                text("SELECT tableoid::regclass FROM interval WHERE run_id = :run"), {"run": run_id}
            )
        )


def test_rows_go_to_the_partition_of_their_day(own_database: Database) -> None:
    with own_database.transaction() as session:
        made = create_partitions(session, NOW, 2)
        assert made == ["interval_20260310", "interval_20260311", "interval_20260312"]
        assert create_partitions(session, NOW, 2) == []
    assert add_row(own_database, first_id_at(datetime(2026, 3, 11, tzinfo=UTC))) == "interval_20260311"
    end = first_id_at(datetime(2026, 3, 11, tzinfo=UTC))
    assert add_row(own_database, UUID(int=end.int - 1)) == "interval_20260310"
    assert add_row(own_database, first_id_at(NOW - timedelta(days=30))) == "interval_default"
    own_database.dispose()


def test_a_day_that_began_in_the_default_partition_stays_there(own_database: Database) -> None:
    add_row(own_database, first_id_at(NOW))
    with own_database.transaction() as session:
        assert create_partitions(session, NOW, 1) == ["interval_20260311"]
    own_database.dispose()


def test_old_partitions_go_and_what_still_grows_stays(own_database: Database) -> None:
    with own_database.transaction() as session:
        create_partitions(session, NOW, 3)
    old_in_default = first_id_at(NOW - timedelta(days=1))
    add_row(own_database, old_in_default)
    growing = first_id_at(NOW + timedelta(days=1))
    later = NOW + timedelta(days=10)
    add_row(own_database, growing, last_data_at=later - timedelta(hours=1))
    with own_database.transaction() as session:
        assert drop_expired_partitions(session, later, 7) == ["interval_20260310"]
        assert [day.day for day in partition_days(session)] == [11, 12, 13]
        kept = session.scalars(text("SELECT run_id FROM interval")).all()
        assert kept == [growing]
    with own_database.transaction() as session:
        much_later = later + timedelta(days=30)
        assert len(drop_expired_partitions(session, much_later, 7)) == 3
        assert session.scalar(text("SELECT count(*) FROM interval")) == 0
    own_database.dispose()
