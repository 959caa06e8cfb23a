"""An upgrade refuses no data: processes of the version before go on storing while migrations run and after
them, because migrations only add. What the version before knows of the schema is read from its own schema.
"""

import threading
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from alembic import command
from alembic.script import ScriptDirectory
from backend.tests.analysis.recording import SeriesSpec, add_intervals, add_run, steady
from sqlalchemy import Column, Engine, MetaData, func, insert, inspect, literal, select, text

from tailroom.kit.db import Database, TimeLimits
from tailroom.kit.identifiers import new_id
from tailroom.kit.migrations import _config, migrate, schema_is_current

MIGRATIONS = Path(__file__).parents[3] / "migrations"
STEPS = 3
"""So many of the newest migrations are gone through: more than one release has."""
ENOUGH = 20
LIMITS = TimeLimits(5.0, 30.0, 60.0)


def _before() -> str:
    revisions = [one.revision for one in ScriptDirectory.from_config(_config(MIGRATIONS)).walk_revisions()]
    return revisions[STEPS]


@pytest.fixture
def old(fresh_postgres_url: str) -> tuple[Database, UUID]:
    """The database of the version before, with a run of one interval."""
    database = Database(fresh_postgres_url, pool_size=6, limits=LIMITS)
    specs = [SeriesSpec("reads", steady(100, 1))]
    with database.transaction() as session:
        run_id = add_run(session, specs)
        add_intervals(session, run_id, specs)
    with database.engine.connect() as connection:
        config = _config(MIGRATIONS)
        config.attributes["connection"] = connection
        command.downgrade(config, _before())
        connection.commit()
    return database, run_id


class Sender(threading.Thread):
    """A process of the version before: announces runs and stores intervals by the columns that it knows."""

    def __init__(self, engine: Engine, run_id: UUID) -> None:
        super().__init__(daemon=True)
        self._engine, self._run_id = engine, run_id
        self._known = MetaData()
        self._known.reflect(engine, only=["run", "series", "interval", "work"])
        self.acknowledged: list[int] = []
        self.runs: list[UUID] = []
        self.problem: BaseException | None = None
        self.stopped = threading.Event()

    def run(self) -> None:
        seq = 0
        try:
            while not self.stopped.is_set():
                seq += 1
                with self._engine.begin() as connection:
                    connection.execute(self._again("interval", seq=seq))
                self.acknowledged.append(seq)
                another = new_id()
                with self._engine.begin() as connection:
                    connection.execute(self._again("run", run_id=another))
                self.runs.append(another)
        except BaseException as error:  # noqa: BLE001 - the test tells of it
            self.problem = error

    def _again(self, name: str, **changed: Any) -> Any:
        """The first row of the run once more, but for some values."""
        table = self._known.tables[name]

        def value(column: Column[Any]) -> Any:
            return literal(changed[column.name], column.type) if column.name in changed else column

        rows = select(*(value(one) for one in table.columns)).where(table.c.run_id == self._run_id)
        if name == "interval":
            rows = rows.where(table.c.seq == 0)
        return insert(table).from_select([one.name for one in table.columns], rows)

    def wait_for(self, more: int) -> None:
        wanted = len(self.acknowledged) + more
        while len(self.acknowledged) < wanted and self.problem is None:
            self.stopped.wait(0.01)


def shape(engine: Engine) -> dict[str, dict[str, tuple[str, bool]]]:
    """Columns of every table: their type, and whether they may be left out."""
    found = inspect(engine)
    return {
        table: {
            one["name"]: (str(one["type"]), one["nullable"] or one["default"] is not None)
            for one in found.get_columns(table)
        }
        for table in found.get_table_names()
    }


def test_the_version_before_goes_on_storing_while_migrations_run(old: tuple[Database, UUID]) -> None:
    database, run_id = old
    sender = Sender(database.engine, run_id)
    sender.start()
    sender.wait_for(ENOUGH)
    during = len(sender.acknowledged)
    migrate(database.engine, MIGRATIONS)
    during = len(sender.acknowledged) - during
    sender.wait_for(ENOUGH)
    sender.stopped.set()
    sender.join()
    assert sender.problem is None, f"refused: {sender.problem}"
    print(f"{during} intervals stored while migrations ran, {len(sender.acknowledged)} in all")
    with database.transaction() as session:
        stored = session.scalar(text("SELECT count(*) FROM interval WHERE seq > 0"))
        runs = session.scalar(select(func.count()).select_from(text("run")))
    assert stored == len(sender.acknowledged), "what was acknowledged is there"
    assert runs == 1 + len(sender.runs)
    database.dispose()


def test_migrations_only_add(old: tuple[Database, UUID]) -> None:
    database, _ = old
    before = shape(database.engine)
    migrate(database.engine, MIGRATIONS)
    after = shape(database.engine)
    for table, columns in before.items():
        assert table in after, f"{table} is gone, and the version before uses it"
        for name, (kind, _) in columns.items():
            assert after[table].get(name, ("",))[0] == kind, f"{table}.{name} is another"
        for name in after[table].keys() - columns.keys():
            assert after[table][name][1], f"{table}.{name} is new, and the version before does not fill it in"
        for name, (_, may_miss) in columns.items():
            assert after[table][name][1] or not may_miss, f"{table}.{name} is needed now"
    database.dispose()


def test_a_process_stays_ready_beside_a_later_schema(old: tuple[Database, UUID]) -> None:
    database, _ = old
    assert not schema_is_current(database.engine, MIGRATIONS), "an earlier one has to be migrated first"
    migrate(database.engine, MIGRATIONS)
    assert schema_is_current(database.engine, MIGRATIONS)
    with database.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    assert schema_is_current(database.engine, MIGRATIONS), "a later version has migrated"
    database.dispose()
