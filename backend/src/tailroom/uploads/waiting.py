"""Decides who reads an upload and when: at once while its sender waits, if that is quick, else a worker.

What waits is work that is due (`tailroom.work`), so nothing is lost when a process dies, several are read at
the same time, and a file that ends every process that reads it is given up after a few attempts, and stored.
No transaction is open while files are read.
"""

import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import structlog
from sqlalchemy.orm import Session

from tailroom.importers.limits import DEFAULT_LIMITS
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.forks import ProcessEnded
from tailroom.kit.raw_files import RawFiles
from tailroom.kit.transactions import Transactions, transactions_of
from tailroom.storage.upload import Upload
from tailroom.uploads import repository, service
from tailroom.uploads.answers import read_again, stated_units
from tailroom.uploads.companions import Accompanied, remembered, to_fetch
from tailroom.uploads.reading import KeptFile, ReadFile, read_apart
from tailroom.uploads.storing import earlier_copies, note_beginnings
from tailroom.uploads.texts import sentence
from tailroom.work import claims
from tailroom.work.executor import extended
from tailroom.work.kinds import READ_UPLOAD

SENDER_WAITS = timedelta(seconds=30)
"""So long whoever took an upload has it for themselves, before a worker does it."""
_log = structlog.get_logger(__name__)


def read_at_once(
    database: Database, store: RawFiles, upload_id: UUID, within_s: float, at_hand: Mapping[bytes, Path]
) -> service.News | None:
    """Reads an upload while its sender waits. None: it is left to a worker, because it takes too long or
    somebody else reads it. `at_hand` are files that lie on this machine anyway.
    """
    with database.transaction() as session:
        claim = claims.claim_one(session, READ_UPLOAD.name, upload_id, utc_now())
    if claim is None:
        return None
    transactions = transactions_of(database, claim.organisation_id)
    try:
        with extended(database.transaction, claim):
            news = _read(transactions, store, upload_id, within_s, at_hand)
    except Exception as error:
        with database.transaction() as session:
            claims.fail(session, claim, f"{type(error).__name__}: {error}", utc_now())
        raise
    with database.transaction() as session:
        if news is None:
            claims.release(session, claim, utc_now())
        else:
            claims.finish(session, claim, utc_now())
    return news


def read_in_turn(
    transactions: Transactions, store: RawFiles, upload_id: UUID, within_s: float
) -> service.News | None:
    """Reads an upload in a worker, which has claimed it. None: there is nothing to read.

    What takes longer than `within_s` is refused for good. Raises what went wrong.
    """
    return _read(transactions, store, upload_id, within_s, {}, is_last=True)


def _read(
    transactions: Transactions,
    store: RawFiles,
    upload_id: UUID,
    within_s: float,
    at_hand: Mapping[bytes, Path],
    *,
    is_last: bool = False,
) -> service.News | None:
    until_s = time.monotonic() + within_s
    with transactions() as session:
        upload = session.get(Upload, upload_id)
    if upload is None or upload.read_at is not None or "files" not in upload.waiting:
        return None
    organisation_id, limits = upload.organisation_id, replace(DEFAULT_LIMITS, until_s=until_s)
    with transactions() as session:
        repository.require_sent(session, organisation_id, [one["sha256"] for one in upload.waiting["files"]])
    with ExitStack() as stack:
        files = [
            KeptFile(
                one["name"],
                sha256 := bytes.fromhex(one["sha256"]),
                one["size_bytes"],
                at_hand.get(sha256) or stack.enter_context(store.on_disk(sha256)),
            )
            for one in upload.waiting["files"]
        ]
        while True:
            with transactions() as session:
                accompanied_then = service.accompanied_runs(session, organisation_id)
                units_ns = _units(session, upload_id, files)
            beside = remembered(files, accompanied_then)
            companions = _fetched(transactions, store, stack, organisation_id, beside)
            try:
                read = read_apart(files, limits, companions, units_ns)
            except ProcessEnded:
                if is_last:
                    raise
                return None
            if not is_last and any(one.took_too_long for one in read):
                _log.info("upload_left_to_a_worker", upload_id=str(upload_id), after_s=within_s)
                return None
            _name_the_time(read, within_s)
            asked = _Asked(organisation_id, upload_id, files, accompanied_then, beside, units_ns)
            news = _store(transactions, asked, read)
            if news is not None:
                return news


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is read, and what was on record of the organisation when it was."""

    organisation_id: UUID
    upload_id: UUID
    files: Sequence[KeptFile]
    accompanied: tuple[Accompanied, ...]
    beside: Mapping[bytes, Sequence[bytes]]
    units_ns: Mapping[bytes, int]


def _store(transactions: Transactions, asked: _Asked, read: Sequence[ReadFile]) -> service.News | None:
    """None: a shorter copy with its configuration was stored meanwhile, or somebody has answered a unit: the
    files have to be read again.
    """
    organisation_id = asked.organisation_id
    while True:
        with transactions() as session:
            sizes = earlier_copies(session, organisation_id, read)
        note_beginnings(read, sizes)
        with transactions() as session:
            repository.lock_uploads(session, organisation_id)
            now = service.accompanied_runs(session, organisation_id)
            if now != asked.accompanied and remembered(asked.files, now) != asked.beside:
                return None
            if _units(session, asked.upload_id, asked.files) != asked.units_ns:
                return None
            if earlier_copies(session, organisation_id, read) == sizes:
                news = service.store_readings(session, organisation_id, asked.upload_id, read, utc_now())
                if _units(session, asked.upload_id, asked.files) != asked.units_ns:
                    # A longer copy of a file whose unit somebody has answered: the answer is its unit too.
                    read_again(session, organisation_id, asked.upload_id, utc_now())
                return news


def _units(session: Session, upload_id: UUID, files: Sequence[KeptFile]) -> dict[bytes, int]:
    return stated_units(session, session.get_one(Upload, upload_id), [one.sha256 for one in files])


def _fetched(
    transactions: Transactions,
    store: RawFiles,
    stack: ExitStack,
    organisation_id: UUID,
    beside: Mapping[bytes, Sequence[bytes]],
) -> dict[bytes, list[KeptFile]]:
    """Companions of files as files of this machine, good until the stack ends. Raises RawFileMissing."""
    if not beside:
        return {}
    with transactions() as session:
        raw = repository.raw_files_of(session, organisation_id, to_fetch(beside))
        known = [(one.name, one.sha256, one.size_bytes) for one in raw.values()]
    found = {
        sha256: KeptFile(name, sha256, size_bytes, stack.enter_context(store.on_disk(sha256)))
        for name, sha256, size_bytes in known
    }
    return {content: [found[one] for one in contents if one in found] for content, contents in beside.items()}


def _name_the_time(read: Sequence[ReadFile], within_s: float) -> None:
    for one in read:
        if one.took_too_long:
            one.refusal = sentence(
                f"{one.name} could not be read within {within_s:g} s, the most that an upload has"
            )
