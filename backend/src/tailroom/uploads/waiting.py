"""Reading of uploads: at once while the sender waits, if that is quick, else by a worker.

A waiting upload is due work (`tailroom.work`), so nothing is lost when a process dies, several uploads are
read at the same time, and a file that ends every process that reads it is given up after a few attempts, and
stays stored. No transaction is open while files are read.
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
from tailroom.kit.child_process import ProcessEnded
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.raw_files import RawFiles
from tailroom.kit.transactions import Transactions, transactions_of
from tailroom.storage.upload import Upload
from tailroom.uploads import repository, service
from tailroom.uploads.answers import read_again, stated_units
from tailroom.uploads.companions import AccompaniedRun, remembered, to_fetch
from tailroom.uploads.reading import ReadFile, StoredFile, read_apart
from tailroom.uploads.reading_options import ReadingOptions
from tailroom.uploads.storing import earlier_copies, note_beginnings
from tailroom.uploads.texts import sentence
from tailroom.work import claims
from tailroom.work.executor import extended
from tailroom.work.kinds import READ_UPLOAD

SENDER_WAITS = timedelta(seconds=30)
"""The process that accepted an upload may read it for this long, before a worker does."""
_log = structlog.get_logger(__name__)


def read_at_once(
    database: Database, store: RawFiles, upload_id: UUID, within_s: float, at_hand: Mapping[bytes, Path]
) -> service.RunChanges | None:
    """Read an upload while its sender waits, `within_s` seconds at most; return the changed runs.

    None if it is left to a worker, because it takes too long or another process reads it. `at_hand`: local
    copies of files by SHA-256.
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
) -> service.RunChanges | None:
    """Read an upload in a worker that has claimed it; return the changed runs, None if nothing is to read.

    Files that take longer than `within_s` are refused for good. Raise ProcessEnded, and what reading raises.
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
) -> service.RunChanges | None:
    """Read and store the files of an upload, again if their companions or units change meanwhile.

    `is_last`: without a worker to leave it to. Return None if it was not read.
    """
    until_s = time.monotonic() + within_s
    with transactions() as session:
        upload = session.get(Upload, upload_id)
    if upload is None or upload.read_at is not None or "files" not in upload.waiting:
        return None
    organisation_id, limits = upload.organisation_id, replace(DEFAULT_LIMITS, until_s=until_s)
    options = ReadingOptions.from_stored(upload.waiting)
    with transactions() as session:
        repository.require_sent(
            session, organisation_id, [entry["sha256"] for entry in upload.waiting["files"]]
        )
    with ExitStack() as stack:
        files = [
            StoredFile(
                entry["name"],
                sha256 := bytes.fromhex(entry["sha256"]),
                entry["size_bytes"],
                at_hand.get(sha256) or stack.enter_context(store.on_disk(sha256)),
            )
            for entry in upload.waiting["files"]
        ]
        while True:
            with transactions() as session:
                accompanied_then = service.accompanied_runs(session, organisation_id)
                units_ns = _units(session, upload_id, files)
            companions_of = remembered(files, accompanied_then)
            companions = _fetch_companions(transactions, store, stack, organisation_id, companions_of)
            try:
                read = read_apart(files, limits, companions, units_ns, options)
            except ProcessEnded:
                if is_last:
                    raise
                return None
            if not is_last and any(file.took_too_long for file in read):
                _log.info("upload_left_to_a_worker", upload_id=str(upload_id), after_s=within_s)
                return None
            _state_time_limit(read, within_s)
            inputs = _ReadingInputs(
                organisation_id, upload_id, files, accompanied_then, companions_of, units_ns
            )
            news = _store(transactions, inputs, read)
            if news is not None:
                return news


@dataclass(frozen=True, slots=True)
class _ReadingInputs:
    """Inputs of a reading: files, companions, units, and the accompanied runs stored at that time."""

    organisation_id: UUID
    upload_id: UUID
    files: Sequence[StoredFile]
    accompanied: tuple[AccompaniedRun, ...]
    beside: Mapping[bytes, Sequence[bytes]]
    units_ns: Mapping[bytes, int]


def _store(
    transactions: Transactions, inputs: _ReadingInputs, read: Sequence[ReadFile]
) -> service.RunChanges | None:
    """Store a reading and return the changed runs; None if the files have to be read again.

    That is the case if a shorter copy with its configuration was stored meanwhile, or a unit was answered.
    """
    organisation_id = inputs.organisation_id
    while True:
        with transactions() as session:
            sizes = earlier_copies(session, organisation_id, read)
        note_beginnings(read, sizes)
        with transactions() as session:
            repository.lock_uploads(session, organisation_id)
            present = service.accompanied_runs(session, organisation_id)
            if present != inputs.accompanied and remembered(inputs.files, present) != inputs.beside:
                return None
            if _units(session, inputs.upload_id, inputs.files) != inputs.units_ns:
                return None
            if earlier_copies(session, organisation_id, read) == sizes:
                news = service.store_readings(session, organisation_id, inputs.upload_id, read, utc_now())
                if _units(session, inputs.upload_id, inputs.files) != inputs.units_ns:
                    # The file is a longer copy of one whose unit was answered: the answer is its unit too.
                    read_again(session, organisation_id, inputs.upload_id, utc_now())
                return news


def _units(session: Session, upload_id: UUID, files: Sequence[StoredFile]) -> dict[bytes, int]:
    """Return the answered latency units of files in nanoseconds, by SHA-256."""
    return stated_units(session, session.get_one(Upload, upload_id), [file.sha256 for file in files])


def _fetch_companions(
    transactions: Transactions,
    store: RawFiles,
    stack: ExitStack,
    organisation_id: UUID,
    beside: Mapping[bytes, Sequence[bytes]],
) -> dict[bytes, list[StoredFile]]:
    """Return the companions of each file as local files, which exist until the stack ends.

    `beside`: their SHA-256 by that of the file. Raise RawFileMissing.
    """
    if not beside:
        return {}
    with transactions() as session:
        raw = repository.raw_files_of(session, organisation_id, to_fetch(beside))
        columns = [(row.name, row.sha256, row.size_bytes) for row in raw.values()]
    files = {
        sha256: StoredFile(name, sha256, size_bytes, stack.enter_context(store.on_disk(sha256)))
        for name, sha256, size_bytes in columns
    }
    return {
        content: [files[content_] for content_ in contents if content_ in files]
        for content, contents in beside.items()
    }


def _state_time_limit(read: Sequence[ReadFile], within_s: float) -> None:
    """Set the refusal of files that took too long to the limit that applied."""
    for file in read:
        if file.took_too_long:
            file.refusal = sentence(
                f"{file.name} could not be read within {within_s:g} s, the most that an upload has"
            )
