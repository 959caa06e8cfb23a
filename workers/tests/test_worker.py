"""A real worker and beat on a real broker: verdicts come, hints or not, and Valkey may come and go."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID

import psutil
import pytest
from backend.tests.analysis.recording import SeriesSpec, add_intervals, add_run, finish, steady
from backend.tests.waiting import until
from redis import Redis

from tailroom.embedded.valkey import EmbeddedValkey
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.kit.lanes import HOUSEKEEPING, JUDGING
from tailroom.kit.notifier import Notifier
from tailroom.kit.raw_files import LocalRawFiles
from tailroom.kit.task_queue import HOUSEKEEP
from tailroom.runs.verdict_schemas import VerdictOut
from tailroom.runs.verdicts import shown_verdicts
from tailroom.storage.organisation import Organisation
from tailroom.storage.partitions import partition_days
from tailroom.storage.run import Run
from tailroom.uploads.reading import StoredFile
from tailroom.uploads.repository import files_of
from tailroom.uploads.service import SenderOptions, accept_files
from tailroom.work.kinds import JUDGE
from tailroom.work.outbox import make_due

UPLOADED = Path(__file__).parents[2] / "backend/tests/importers/samples/act/act40_1x_1dev_ms_60s.log"
SPECS = [SeriesSpec("read", steady(2_000, 60)), SeriesSpec("read", steady(2_000, 60), clock="service")]


@dataclass(frozen=True)
class Place:
    """Where worker and beat find their services, and where they write what they say."""

    database_url: str
    redis_url: str
    folder: Path

    @property
    def log(self) -> Path:
        return self.folder / "celery.log"

    def worker(self) -> AbstractContextManager[subprocess.Popen[bytes]]:
        return self._celery("worker", "--concurrency", "1", "--loglevel", "INFO")

    def beat(self) -> AbstractContextManager[subprocess.Popen[bytes]]:
        return self._celery("beat", "--pidfile", "", "--loglevel", "INFO")

    @contextmanager
    def _celery(self, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
        environment = {
            **os.environ,
            "TAILROOM_DATABASE_URL": self.database_url,
            "TAILROOM_REDIS_URL": self.redis_url,
            "TAILROOM_HOME": str(self.folder),
        }
        command = [sys.executable, "-m", "celery", "--app", "tailroom_workers.app:app", "--quiet", *arguments]
        with self.log.open("ab") as out:
            process = subprocess.Popen(command, env=environment, stdout=out, stderr=out, cwd=self.folder)
            try:
                yield process
            finally:
                process.terminate()
                process.wait(timeout=20)


@pytest.fixture
def database(fresh_postgres_url: str) -> Iterator[Database]:
    opened = Database(fresh_postgres_url)
    yield opened
    opened.dispose()


def finished_run(database: Database) -> UUID:
    with database.transaction() as session:
        run_id = add_run(session, SPECS)
        add_intervals(session, run_id, SPECS)
        finish(session, run_id, SPECS)
        make_due(session, JUDGE, run_id, session.get_one(Run, run_id).organisation_id, utc_now())
    return run_id


def verdicts_of(database: Database, run_id: UUID, place: Place) -> list[VerdictOut]:
    """Waits until the run has its final verdicts."""

    def final() -> list[VerdictOut]:
        with database.transaction() as session:
            verdicts = shown_verdicts(session, [run_id]).get(run_id, [])
        return [] if any(verdict.provisional for verdict in verdicts) else verdicts

    return until(final, told=place.log.read_text)


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[EmbeddedValkey]:
    with EmbeddedValkey.start(tmp_path / "valkey", tmp_path / "valkey.log") as started:
        yield started


def test_a_worker_judges_with_hints_without_them_and_after_its_broker_was_away(
    database: Database, fresh_postgres_url: str, valkey: EmbeddedValkey, tmp_path: Path
) -> None:
    """One worker for all of it: its start costs more than what it is asked to do."""
    place = Place(fresh_postgres_url, valkey.url, tmp_path)
    with place.worker() as worker:
        _a_hint_brings_the_verdicts_and_tells_who_watches(database, place)
        run_id, upload_id = finished_run(database), _waiting_upload(database, tmp_path)
        with place.beat() as beat:
            assert verdicts_of(database, run_id, place), "nobody gave a hint"
            _an_upload_that_waits_is_read_and_judged(database, upload_id, place)
            _housekeeping_makes_partitions(database, place)
            psutil.Process(valkey.process.pid).kill()
            valkey.process.wait(60)
            unheard = finished_run(database)
            valkey.restart()
            assert verdicts_of(database, unheard, place)
            assert [process.poll() for process in (worker, beat)] == [None, None]


def _a_hint_brings_the_verdicts_and_tells_who_watches(database: Database, place: Place) -> None:
    run_id = finished_run(database)
    notifier, listener = Notifier(place.redis_url), Redis.from_url(place.redis_url)
    heard = listener.pubsub(ignore_subscribe_messages=True)  # type: ignore[no-untyped-call]
    heard.subscribe(f"tailroom:run:{run_id}")
    assert notifier.hint(JUDGING, at_once=True)
    verdicts = verdicts_of(database, run_id, place)
    assert [verdict.budget.name for verdict in verdicts] == ["act-limits", "fraud-250-sequential"]
    messages: list[dict[str, bytes]] = []
    while len(messages) < 2:
        # The first message that comes back may be the (ignored) answer to the subscription.
        messages.append(until(lambda: heard.get_message(timeout=1.0)))
    for message, what in zip(messages, (b'["slices","verdicts"]', b'["verdicts"]'), strict=True):
        assert message["data"].startswith(b"event: changed\ndata: ")
        assert b'"what":' + what in message["data"], "first the verdicts, then the findings"
    heard.close()
    listener.close()
    notifier.close()


def _housekeeping_makes_partitions(database: Database, place: Place) -> None:
    notifier = Notifier(place.redis_url)
    assert notifier.tasks.hint(HOUSEKEEP, queue=HOUSEKEEPING)
    notifier.close()

    def days_now() -> list[datetime]:
        with database.transaction() as session:
            return list(partition_days(session))

    days = until(days_now)
    assert (utc_now() + timedelta(days=1)).date() in [day.date() for day in days]


def _waiting_upload(database: Database, folder: Path) -> UUID:
    """Stores an upload that is due, without a hint; its id."""
    content = UPLOADED.read_bytes()
    store = LocalRawFiles(folder / "raw-files")
    with store.stage() as staged:
        staged.write(content)
        file = StoredFile("act.log", staged.sha256, len(content), store.store(staged))
    long_ago = utc_now() - timedelta(minutes=5)
    with database.transaction() as session:
        organisation = Organisation(id=new_id(), name="somebody", created_at=long_ago)
        session.add(organisation)
        session.flush()
        upload, to_read = accept_files(session, organisation.id, [file], SenderOptions(), long_ago)
        upload_id = upload.upload_id
    assert to_read
    return upload_id


def _an_upload_that_waits_is_read_and_judged(database: Database, upload_id: UUID, place: Place) -> None:
    def runs_now() -> list[UUID]:
        with database.transaction() as session:
            return [run for file in files_of(session, upload_id) for run in file.run_ids]

    (run_id,) = until(runs_now, told=place.log.read_text)
    assert "act-limits" in {verdict.budget.name for verdict in verdicts_of(database, run_id, place)}
