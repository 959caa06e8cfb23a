"""Uploads that take long are answered at once and read by a worker; who dies on the way loses nothing."""

import json
import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from uuid import UUID

import pytest
from backend.tests.uploads.conftest import ACT, Json, Uploader, uploads_reader
from fastapi.testclient import TestClient
from sqlalchemy import delete, select, update

from tailroom.api.app import create_app
from tailroom.importers.registry import FileResult
from tailroom.importers.source import from_bytes
from tailroom.kit import child_process
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.raw_files import LocalRawFiles, RawFileMissing
from tailroom.kit.settings import Settings
from tailroom.kit.transactions import transactions_of
from tailroom.storage.upload import RawFile, Upload
from tailroom.storage.work import WorkRow
from tailroom.uploads import reading, waiting
from tailroom.uploads.waiting import read_as_worker, read_now
from tailroom.work.claims import claim_one
from tailroom.work.kinds import CLAIM_HOLDS, READ_UPLOAD

NOW = timedelta(0)
LOG = ACT / "act40_1x_1dev_ms_60s.log"
ANSWERS = {"host.cpu.model": "a processor"}


@contextmanager
def installation(settings: Settings, database: Database, token: str, **changed: float) -> Iterator[Uploader]:
    """An installation with other limits."""
    with TestClient(create_app(settings.model_copy(update=changed))) as client:
        yield Uploader(client, database, token)


@pytest.fixture
def impatient(settings: Settings, database: Database, make_token: Callable[..., str]) -> Iterator[Uploader]:
    """Reads nothing while the sender waits."""
    with installation(settings, database, make_token("engineer"), upload_at_once_bytes=1_000) as found:
        yield found


def read_by_worker(
    settings: Settings, database: Database, upload_id: str, within_s: float = 60.0, after: timedelta = NOW
) -> bool:
    """What a worker does; False where nothing is to be done or somebody else does it."""
    with database.transaction() as session:
        claim = claim_one(session, READ_UPLOAD.name, UUID(upload_id), utc_now() + after)
    if claim is None:
        return False
    uploads_reader(settings, database, within_s).do(claim)
    return True


def waiting_ids(database: Database, later: timedelta = timedelta(minutes=1)) -> list[str]:
    """What workers find by then."""
    query = select(WorkRow.subject).where(
        WorkRow.kind == READ_UPLOAD.name, WorkRow.given_up_at.is_(None), WorkRow.due_at <= utc_now() + later
    )
    with database.transaction() as session:
        return [str(one) for one in session.scalars(query)]


def send_large(uploader: Uploader, **fields: str) -> Json:
    """Sends the log and is told to come again."""
    answer = uploader.send_paths(LOG, LOG.with_suffix(".conf"), status=202, **fields)
    assert answer["state"] == "waiting"
    return answer


def test_a_file_that_the_organisation_has_not_sent_is_not_read(
    impatient: Uploader, settings: Settings, database: Database
) -> None:
    """The store is everybody's; a row that came in a pack may name any content of it."""
    sent = send_large(impatient)
    contents = [bytes.fromhex(one["sha256"]) for one in sent["files"]]
    with database.transaction() as session:
        owner = session.get_one(Upload, UUID(sent["upload_id"])).organisation_id
        session.execute(delete(RawFile).where(RawFile.organisation_id == owner, RawFile.sha256.in_(contents)))
    store = LocalRawFiles(settings.home / "raw-files")
    with pytest.raises(RawFileMissing, match="has not sent"):
        read_as_worker(transactions_of(database, owner), store, UUID(sent["upload_id"]), 60.0)
    gone = impatient.client.delete(f"/api/v1/uploads/{sent['upload_id']}", headers=impatient.headers)
    assert gone.status_code in {200, 204}, gone.text


def test_a_large_upload_is_answered_before_it_is_read(
    impatient: Uploader, settings: Settings, database: Database
) -> None:
    sent = send_large(impatient, visibility="public", answers=json.dumps(ANSWERS))
    assert [one["name"] for one in sent["files"]] == [LOG.name, "act40_1x_1dev_ms_60s.conf"]
    assert (sent["read_at"], sent["runs"], sent["failure"]) == (None, [], None)
    listed = impatient.get("/uploads")["uploads"][0]
    assert (listed["state"], listed["file_count"], listed["first_name"]) == ("waiting", 2, LOG.name)
    assert sent["upload_id"] in waiting_ids(database, NOW), "nobody waits for it to be read"
    assert read_by_worker(settings, database, sent["upload_id"])
    found = impatient.get(f"/uploads/{sent['upload_id']}")
    assert (found["state"], found["files"][0]["format"]) == ("read", "act-storage")
    (run,) = found["runs"]
    assert run["visibility"] == "public"
    assert [one["field"] for one in run["disclosure"]["disclosed"]] == list(ANSWERS)
    assert sent["upload_id"] not in waiting_ids(database)
    assert not read_by_worker(settings, database, sent["upload_id"]), "there is nothing left to read"
    again = impatient.send_paths(LOG, LOG.with_suffix(".conf"), status=200)
    assert again["upload_id"] == sent["upload_id"]


def test_what_takes_too_long_is_left_to_a_worker(
    settings: Settings, database: Database, make_token: Callable[..., str]
) -> None:
    token = make_token("engineer")
    with installation(settings, database, token, upload_at_once_s=0.0) as uploader:
        sent = send_large(uploader)
        assert sent["upload_id"] in waiting_ids(database, NOW), "it is left to a worker"
        assert read_by_worker(settings, database, sent["upload_id"])
        assert len(uploader.get(f"/uploads/{sent['upload_id']}")["runs"]) == 1


def test_what_takes_too_long_for_a_worker_is_refused_and_kept(
    impatient: Uploader, settings: Settings, database: Database
) -> None:
    sent = send_large(impatient)
    assert read_by_worker(settings, database, sent["upload_id"], within_s=0.0)
    found = impatient.get(f"/uploads/{sent['upload_id']}")
    assert found["state"] == "read"
    assert found["runs"] == []
    assert "within 0 s" in found["files"][0]["refusal"]
    # Sending it again tries again.
    assert send_large(impatient)["upload_id"] == sent["upload_id"]
    assert read_by_worker(settings, database, sent["upload_id"])
    assert len(impatient.get(f"/uploads/{sent['upload_id']}")["runs"]) == 1


def reads_without_end(*_: object) -> Iterator[FileResult]:
    """Hold the interpreter for minutes by a single call, as a regular expression can."""
    yield FileResult(str(pow(7, 10**9)), from_bytes("", b""))


def test_a_reader_that_looks_at_no_clock_is_ended(
    impatient: Uploader, settings: Settings, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "OVERTIME_S", 0.2)
    sent = send_large(impatient)
    upload_id, store = UUID(sent["upload_id"]), LocalRawFiles(settings.home / "raw-files")
    with monkeypatch.context() as patched:
        # A fork has the function that is put in its place.
        patched.setattr(child_process, "start_method", lambda: "fork")
        patched.setattr(reading, "read_together", reads_without_end)
        with database.transaction() as session:
            session.execute(update(WorkRow).where(WorkRow.subject == upload_id).values(due_at=utc_now()))
        assert read_now(database, store, upload_id, 0.2, {}) is None
        assert sent["upload_id"] in waiting_ids(database, NOW), "it is left to a worker"
        assert read_as_worker(transactions_of(database, None), store, upload_id, 0.2) is not None
    found = impatient.get(f"/uploads/{sent['upload_id']}")
    assert found["state"] == "read"
    assert ["within 0.2 s" in one["refusal"] for one in found["files"]] == [True, True]
    kept = impatient.client.get(f"/api/v1/raw-files/{found['files'][0]['sha256']}", headers=impatient.headers)
    assert kept.content == LOG.read_bytes()


def test_only_one_reads_an_upload_at_a_time(
    impatient: Uploader, settings: Settings, database: Database
) -> None:
    sent = send_large(impatient)
    with database.transaction() as other:
        assert claim_one(other, READ_UPLOAD.name, UUID(sent["upload_id"]), utc_now() - CLAIM_HOLDS)
        assert not read_by_worker(settings, database, sent["upload_id"]), "its row is locked"
        sent_too = impatient.send_paths(LOG, status=202)
        assert read_by_worker(settings, database, sent_too["upload_id"]), "another one is not held up"
    with database.transaction() as other:
        assert claim_one(other, READ_UPLOAD.name, UUID(sent["upload_id"]), utc_now())
    assert not read_by_worker(settings, database, sent["upload_id"]), "somebody has claimed it"
    assert read_by_worker(settings, database, sent["upload_id"], after=CLAIM_HOLDS * 2)


def test_a_worker_that_is_killed_while_it_reads_loses_nothing(
    impatient: Uploader, settings: Settings, database: Database
) -> None:
    """By SIGKILL, after the run was written and before it was committed; the lock goes with the process."""
    sent = send_large(impatient)
    program = textwrap.dedent(
        """
        import os, signal, sys
        from pathlib import Path
        from uuid import UUID
        from tailroom.kit.clock import utc_now
        from tailroom.kit.db import Database
        from tailroom.kit.raw_files import LocalRawFiles
        from tailroom.kit.transactions import transactions_of
        from tailroom.uploads import storing, waiting
        from tailroom.work.claims import claim_one
        stored = storing.insert_rows
        def die(*args, **named):
            stored(*args, **named)
            os.kill(os.getpid(), signal.SIGKILL)
        storing.insert_rows = die
        database, store = Database(sys.argv[1]), LocalRawFiles(Path(sys.argv[2]))
        upload_id = UUID(sys.argv[3])
        with database.transaction() as session:
            assert claim_one(session, "read_upload", upload_id, utc_now())
        waiting.read_as_worker(transactions_of(database, None), store, upload_id, 60.0)
        """
    )
    words = [settings.database_url, str(settings.home / "raw-files"), sent["upload_id"]]
    killed = subprocess.run([sys.executable, "-c", program, *words], env=os.environ, check=False, timeout=120)
    assert killed.returncode == -signal.SIGKILL
    assert impatient.get(f"/uploads/{sent['upload_id']}")["state"] == "waiting"
    assert sent["upload_id"] in waiting_ids(database)
    assert not read_by_worker(settings, database, sent["upload_id"]), "the claim of the dead holds a moment"
    assert read_by_worker(settings, database, sent["upload_id"], after=CLAIM_HOLDS * 2)
    (run,) = impatient.get(f"/uploads/{sent['upload_id']}")["runs"]
    assert impatient.judged(run["run_id"])["series"][0]["received_count"] == 60


def test_a_file_that_ends_every_reader_is_given_up_and_kept(
    impatient: Uploader, settings: Settings, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent = send_large(impatient)

    def broken(*_: object) -> None:
        raise MemoryError

    with monkeypatch.context() as patched:
        patched.setattr(waiting, "read_apart", broken)
        for _ in range(READ_UPLOAD.most_attempts):
            assert sent["upload_id"] in waiting_ids(database)
            assert read_by_worker(settings, database, sent["upload_id"])
    found = impatient.get(f"/uploads/{sent['upload_id']}")
    assert found["state"] == "failed"
    assert "tried 3 times" in found["failure"]
    assert sent["upload_id"] not in waiting_ids(database)
    assert not read_by_worker(settings, database, sent["upload_id"])
    kept = impatient.client.get(f"/api/v1/raw-files/{found['files'][0]['sha256']}", headers=impatient.headers)
    assert kept.content == LOG.read_bytes()
    assert send_large(impatient)["upload_id"] == sent["upload_id"]
    assert read_by_worker(settings, database, sent["upload_id"])
    assert impatient.get(f"/uploads/{sent['upload_id']}")["state"] == "read"
