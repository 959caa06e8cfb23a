"""Partitions stand ready before they are needed, take the rows of their day, and go when their
runs are old.
"""

import threading
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from backend.tests.analysis.recording import SeriesSpec, add_intervals, add_run, steady
from backend.tests.waiting import PATIENCE_S, until, waits_for_a_lock
from sqlalchemy import text

from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.identifiers import first_id_at
from tailroom.kit.settings import Settings
from tailroom.kit.transactions import same_transaction
from tailroom.operations.retention import Expired, expire
from tailroom.records.rollup import roll_up
from tailroom.records.run_record import load_record
from tailroom.storage.partitions import create_partitions, drop_partition, partition_days
from tailroom.storage.run import Run

NOW = datetime(2026, 3, 10, 15, 30, tzinfo=UTC)
SETTINGS = Settings()
SPECS = [
    SeriesSpec("read", steady(100, 3)),
    SeriesSpec("read", steady(10, 30, seed=3), kind="tick", interval_ns=1_000_000_000),
]


@pytest.fixture
def own_database(fresh_postgres_url: str) -> Database:
    return Database(fresh_postgres_url, pool_size=4)


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
                text(
                    "INSERT INTO organisation VALUES (:id, gen_random_uuid()::text, now())"
                    " ON CONFLICT DO NOTHING"
                ),
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
        parts = "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'interval'::regclass"
        has = "SELECT count(*) FROM {} WHERE run_id = :run"
        (found,) = [
            part
            for part in session.scalars(text(parts)).all()
            if session.scalar(text(has.format(part)), {"run": run_id})
        ]
        return str(found)


def test_rows_go_to_the_partition_of_their_day(own_database: Database) -> None:
    made = create_partitions(own_database.engine, NOW, 2)
    assert made == ["interval_20260310", "interval_20260311", "interval_20260312"]
    assert create_partitions(own_database.engine, NOW, 2) == []
    assert add_row(own_database, first_id_at(datetime(2026, 3, 11, tzinfo=UTC))) == "interval_20260311"
    end = first_id_at(datetime(2026, 3, 11, tzinfo=UTC))
    assert add_row(own_database, UUID(int=end.int - 1)) == "interval_20260310"
    assert add_row(own_database, first_id_at(NOW - timedelta(days=30))) == "interval_default"
    own_database.dispose()


def test_a_day_that_began_in_the_default_partition_stays_there(own_database: Database) -> None:
    add_row(own_database, first_id_at(NOW))
    assert create_partitions(own_database.engine, NOW, 1) == ["interval_20260311"]
    own_database.dispose()


def test_old_partitions_go_each_by_itself_and_what_still_grows_stays(own_database: Database) -> None:
    create_partitions(own_database.engine, NOW, 3)
    later = NOW + timedelta(days=10)
    growing = first_id_at(NOW + timedelta(days=1))
    add_row(own_database, growing, last_data_at=later - timedelta(hours=1))
    beside = UUID(int=growing.int + 1)
    add_row(own_database, beside, last_data_at=later - timedelta(days=8))
    gone = expire(own_database.engine, own_database.transaction, SETTINGS, later)
    assert gone.partitions == 3
    with own_database.transaction() as session:
        assert [day.day for day in partition_days(session)] == [11], "a run goes on there"
        assert session.scalars(text("SELECT run_id FROM interval")).all() == [growing], (
            "the other one has gone"
        )
    assert expire(own_database.engine, own_database.transaction, SETTINGS, later) == Expired()
    much_later = later + timedelta(days=30)
    assert expire(own_database.engine, own_database.transaction, SETTINGS, much_later).partitions == 1
    own_database.dispose()


def test_what_is_not_in_the_slices_stays_however_old(own_database: Database) -> None:
    create_partitions(own_database.engine, NOW, 0)
    with own_database.transaction() as session:
        run_id = add_run(session, SPECS)
        add_intervals(session, run_id, SPECS)
        session.get_one(Run, run_id).last_data_at = NOW
    much_later = utc_now() + timedelta(days=100)
    expire(own_database.engine, own_database.transaction, SETTINGS, much_later)
    with own_database.transaction() as session:
        kinds = "SELECT DISTINCT kind FROM interval JOIN series USING (run_id, series_no)"
        assert session.scalars(text(kinds)).all() == ["histogram"], "ticks are in no slices"
        roll_up(same_transaction(session), run_id)
    assert expire(own_database.engine, own_database.transaction, SETTINGS, much_later).runs > 0
    with own_database.transaction() as session:
        assert session.scalar(text("SELECT count(*) FROM interval")) == 0
        widths = session.scalars(text("SELECT DISTINCT width FROM slice ORDER BY width")).all()
        assert widths == ["hour", "run"], "minutes go after the intervals"
        record = load_record(session, session.get_one(Run, run_id))
        assert record.operations[0].dist.total == 300, "the whole is as it was"
        assert record.operations[0].intervals.size == 1, "hours are what is left of the course"
    own_database.dispose()


def test_ingest_does_not_wait_behind_a_partition_that_cannot_go_yet(own_database: Database) -> None:
    """A reader holds the whole table; whoever writes meanwhile must not queue behind the one who waits."""
    create_partitions(own_database.engine, NOW, 1)
    day = NOW.replace(hour=0, minute=0)
    with own_database.transaction() as reader:
        reader.execute(text("SELECT count(*) FROM interval"))
        dropping = threading.Thread(target=drop_partition, args=(own_database.engine, day))
        dropping.start()
        for number in range(3):
            until(lambda: waits_for_a_lock(own_database))
            # Behind a lock request without a time-out it would wait for the end of the reader.
            add_row(own_database, UUID(int=first_id_at(NOW).int + 7 + number))
    dropping.join(PATIENCE_S)
    with own_database.transaction() as session:
        assert day not in partition_days(session), "it goes once nobody is in the way"
    own_database.dispose()
