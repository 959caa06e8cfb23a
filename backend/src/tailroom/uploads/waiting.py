"""Decides who reads an upload, when, and how often: one at a time, at once if that is quick, else a worker.

What waits stands in the database, so nothing is lost when a process dies: the sweep of the workers finds it
again. A file that ends every process that reads it is given up after a few attempts, and kept.
"""

import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID

import structlog
from sqlalchemy.orm import Session

from tailroom.importers.limits import DEFAULT_LIMITS
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.raw_files import RawFiles
from tailroom.storage.upload import Upload
from tailroom.uploads import repository, service
from tailroom.uploads.companions import remembered, to_fetch
from tailroom.uploads.reading import KeptFile, ReadFile, read_files
from tailroom.uploads.texts import sentence

MOST_ATTEMPTS = 3
_NOT_BEFORE = timedelta(seconds=30)
"""So long whoever took an upload has it for themselves, before the sweep looks for it."""
_log = structlog.get_logger(__name__)


def read_at_once(
    database: Database, store: RawFiles, upload_id: UUID, within_s: float, at_hand: Mapping[bytes, Path]
) -> service.News | None:
    """Reads an upload while its sender waits. None: it is left to a worker, because it takes too long or
    somebody else reads it. `at_hand` are files that lie on this machine anyway.
    """
    with database.transaction() as holder:
        if not repository.hold(holder, upload_id):
            return None
        return _read(database, store, upload_id, within_s, at_hand)


def read_in_turn(
    database: Database, store: RawFiles, upload_id: UUID, within_s: float
) -> service.News | None:
    """Reads an upload in a worker. None: another one is being read, or there is nothing to read.

    What takes longer than `within_s` is refused for good. Raises what went wrong; then it waits for the next
    attempt, or is given up.
    """
    with database.transaction() as holder:
        if not (repository.hold_turn(holder) and repository.hold(holder, upload_id)):
            return None
        try:
            return _read(database, store, upload_id, within_s, {}, is_last=True)
        except Exception:
            with database.transaction() as session:
                _give_up_if_often(session, upload_id, "something went wrong each time, which the log tells")
            raise


def uploads_to_read(session: Session, now: datetime, limit: int = 20) -> list[UUID]:
    """Uploads that nobody has read, the oldest first."""
    return repository.uploads_that_wait(session, now - _NOT_BEFORE, limit)


def _read(
    database: Database,
    store: RawFiles,
    upload_id: UUID,
    within_s: float,
    at_hand: Mapping[bytes, Path],
    *,
    is_last: bool = False,
) -> service.News | None:
    until_s = time.monotonic() + within_s
    with database.transaction() as session:
        upload = _begin(session, upload_id)
    if upload is None:
        return None
    organisation_id, limits = upload.organisation_id, replace(DEFAULT_LIMITS, until_s=until_s)
    with ExitStack() as stack:
        kept = [
            KeptFile(
                one["name"],
                sha256 := bytes.fromhex(one["sha256"]),
                one["size_bytes"],
                at_hand.get(sha256) or stack.enter_context(store.on_disk(sha256)),
            )
            for one in upload.waiting["files"]
        ]
        while True:
            with database.transaction() as session:
                accompanied_then = service.accompanied_runs(session, organisation_id)
            beside = remembered(kept, accompanied_then)
            companions = _fetched(database, store, stack, organisation_id, beside)
            read = read_files(kept, limits, companions)
            if not is_last and any(one.took_too_long for one in read):
                _log.info("upload_left_to_a_worker", upload_id=str(upload_id), after_s=within_s)
                return None
            _name_the_time(read, within_s)
            with database.transaction() as session:
                repository.lock_uploads(session, organisation_id)
                accompanied_now = service.accompanied_runs(session, organisation_id)
                changed = accompanied_now != accompanied_then
                if changed and remembered(kept, accompanied_now) != beside:
                    # A shorter copy with its configuration was stored meanwhile.
                    continue
                return service.store_readings(session, organisation_id, upload_id, read, utc_now())


def _fetched(
    database: Database,
    store: RawFiles,
    stack: ExitStack,
    organisation_id: UUID,
    beside: Mapping[bytes, Sequence[bytes]],
) -> dict[bytes, list[KeptFile]]:
    """Companions of files as files of this machine, good until the stack ends. Raises RawFileMissing."""
    if not beside:
        return {}
    with database.transaction() as session:
        raw = repository.raw_files_of(session, organisation_id, to_fetch(beside))
        known = [(one.name, one.sha256, one.size_bytes) for one in raw.values()]
    kept = {
        sha256: KeptFile(name, sha256, size_bytes, stack.enter_context(store.on_disk(sha256)))
        for name, sha256, size_bytes in known
    }
    return {content: [kept[one] for one in contents if one in kept] for content, contents in beside.items()}


def _begin(session: Session, upload_id: UUID) -> Upload | None:
    """Counts an attempt before it is made, because it may end the process. None: nothing is to be read."""
    upload = repository.lock_upload(session, upload_id)
    if upload is None or upload.read_at is not None or upload.failure is not None:
        return None
    if "files" not in upload.waiting:
        return None
    if _give_up_if_often(session, upload_id, "each time the process that read them was ended"):
        return None
    upload.attempts += 1
    session.flush()
    return upload


def _give_up_if_often(session: Session, upload_id: UUID, why: str) -> bool:
    upload = repository.lock_upload(session, upload_id)
    if upload is None or upload.read_at is not None or upload.attempts < MOST_ATTEMPTS:
        return False
    upload.failure = sentence(
        f"the files were tried {upload.attempts} times and could not be read: {why}. They are kept; send "
        "them again to try again"
    )
    session.flush()
    _log.error("upload_given_up", upload_id=str(upload_id), attempts=upload.attempts)
    return True


def _name_the_time(read: list[ReadFile], within_s: float) -> None:
    for one in read:
        if one.took_too_long:
            one.refusal = sentence(
                f"{one.name} could not be read within {within_s:g} s, the most that an upload has"
            )
