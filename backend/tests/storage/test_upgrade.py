"""A database of an earlier version is brought up to date and keeps its verdicts.

`samples/database_0011.jsonl.gz` was written by the version before migration 0012 (commit d48f4a9), one row
to a line: runs of an agent that pass, fail, go on and were never looked at, a fraud run, a published one;
uploads that were read, and one that waits; two organisations, and a budget of one of them.
"""

import gzip
import json
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from backend.tests.citus import CitusCluster
from backend.tests.uploads.conftest import ACT
from sqlalchemy import text

from tailroom.cli.reference import bring_reference
from tailroom.domain.method import METHOD_VERSION
from tailroom.embedded.postgres import EmbeddedPostgres
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.lanes import LANES
from tailroom.kit.migrations import migrate
from tailroom.kit.notifier import Notifier
from tailroom.kit.raw_files import LocalRawFiles
from tailroom.kit.settings import Settings
from tailroom.kit.transactions import transactions_of
from tailroom.storage.distribution import distribute_new
from tailroom.work.executor import Executor
from tailroom_workers.handlers import handlers

SAMPLE = Path(__file__).parent / "samples" / "database_0011.jsonl.gz"
MIGRATIONS = Path(__file__).parents[3] / "migrations"
WAITING = ACT / "act66_index_1x_1dev_us_60s.log"
FIRST_DISTRIBUTED = "0047"
LOOK_AGAIN = "UPDATE analysis_state SET budgets_digest = NULL, is_final = false, judged_state = NULL"


@pytest.fixture
def old(embedded_postgres: EmbeddedPostgres, empty_postgres_url: str) -> Database:
    """The database as it was; on a cluster by the first version that spread one."""
    database = Database(empty_postgres_url)
    migrate(database.engine, MIGRATIONS, "0011")
    lines = gzip.decompress(SAMPLE.read_bytes()).decode().splitlines()
    with database.transaction() as session:
        for line in lines:
            row = json.loads(line)
            session.execute(
                text(
                    f"INSERT INTO public.{row['table']}"  # noqa: S608 - a table of the sample
                    f" SELECT * FROM json_populate_record(NULL::public.{row['table']}, CAST(:row AS json))"
                ),
                {"row": json.dumps(row["row"])},
            )
    if isinstance(embedded_postgres, CitusCluster):
        migrate(database.engine, MIGRATIONS, FIRST_DISTRIBUTED)
        name = str(database.engine.url.database).removeprefix(embedded_postgres.name(""))
        embedded_postgres.distribute(name)
    return database


def verdicts(database: Database, *, final: bool = True) -> dict[tuple[Any, ...], Any]:
    """Everything about verdicts, by run, budget and version of the method."""
    with database.transaction() as session:
        rows = session.execute(
            text("SELECT * FROM verdict WHERE provisional = :provisional"), {"provisional": not final}
        ).mappings()
        return {
            (row["run_id"], row["budget_name"], row["budget_version"], row["method_version"]): dict(row)
            for row in rows
        }


def work_through(database: Database, redis_url: str, home: Path) -> None:
    """What workers do until nothing is due."""
    settings = Settings(home=home)
    store = LocalRawFiles(home / "raw-files")
    made = handlers(settings, Notifier(redis_url), store, transactions_of(database, None))
    executor = Executor(database, made, {})
    for _ in range(2):
        for lane in LANES:
            assert not executor.work_through(lane, 300.0)


def bring_up_to_date(database: Database, home: Path) -> None:
    store = LocalRawFiles(home / "raw-files")
    with store.stage() as staged:
        staged.write(WAITING.read_bytes())
        store.store(staged)
    migrate(database.engine, MIGRATIONS)
    distribute_new(database.engine)
    with database.transaction() as session:
        bring_reference(session)


def test_verdicts_are_unchanged_and_what_waited_is_done(
    old: Database, redis_url: str, tmp_path: Path
) -> None:
    before = verdicts(old)
    assert len(before) > 5
    assert {row["verdict"] for row in before.values()} == {"FAIL", "INDETERMINATE"}
    bring_up_to_date(old, tmp_path)
    # A verdict by a method from before strengths has none.
    before = {key: row | {"strength": None} for key, row in before.items()}
    assert verdicts(old) == before
    work_through(old, redis_url, tmp_path)
    after = verdicts(old)
    assert {key: after[key] for key in before} == before
    with old.transaction() as session:
        failed = session.execute(text("SELECT kind, error FROM work WHERE error IS NOT NULL")).all()
        assert failed == []
        unread = session.scalar(text("SELECT count(*) FROM upload WHERE read_at IS NULL"))
        assert unread == 0, "the upload that waited is read"
        unjudged = session.scalars(
            text(
                "SELECT run_id FROM run LEFT JOIN analysis_state USING (run_id)"
                " WHERE state = 'finished' AND is_final IS NOT TRUE"
            )
        ).all()
        assert unjudged == [], "runs that nobody had looked at are judged"
    old.dispose()


def test_judging_again_comes_to_the_same(old: Database, redis_url: str, tmp_path: Path) -> None:
    bring_up_to_date(old, tmp_path)
    before = verdicts(old)
    with old.transaction() as session:
        session.execute(text(LOOK_AGAIN))
        bring_reference(session)
    work_through(old, redis_url, tmp_path)
    after = verdicts(old)
    same_method = {key: row for key, row in before.items() if key[3] == METHOD_VERSION}
    for key, row in same_method.items():
        assert after[key]["verdict"] == row["verdict"]
        assert after[key]["fingerprint"] == row["fingerprint"], "it rests on the same"
    assert {key: after[key] for key in before if key not in same_method} == {
        key: row for key, row in before.items() if key not in same_method
    }, "verdicts by an earlier method stay as they are"
    judged = {UUID(str(key[0])) for key in after if key[3] == METHOD_VERSION}
    assert judged >= {UUID(str(key[0])) for key in before}
    assert utc_now() > max(row["computed_at"] for row in before.values())
    old.dispose()
