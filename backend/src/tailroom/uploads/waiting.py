"""Reading of uploads: while the sender waits if that is quick, else by a worker.

A waiting upload is due work (`tailroom.work`), so it survives the death of a process, and is given up after a
few attempts. No transaction is open while files are read.
"""

import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
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
from tailroom.uploads.companions import AccompaniedRun, accompanied_runs, find_companions
from tailroom.uploads.reading import ReadFile, ReadingOptions, StoredFile, read_apart
from tailroom.uploads.storing import earlier_copies, note_beginnings
from tailroom.uploads.texts import sentence
from tailroom.work import claims
from tailroom.work.executor import extended
from tailroom.work.kinds import READ_UPLOAD

SENDER_WAIT = timedelta(seconds=30)
"""Time after which a worker may read an upload that the accepting process has not read."""
_log = structlog.get_logger(__name__)


def read_now(
    database: Database, store: RawFiles, upload_id: UUID, within_s: float, local_paths: Mapping[bytes, Path]
) -> list[UUID] | None:
    """Read an upload while its sender waits, `within_s` seconds at most; return the ids of the changed runs.

    None if it takes too long, another process reads it, or there is nothing to read. `local_paths`: copies of
    files by SHA-256. If reading fails, the failed attempt is stored, and the error is raised.
    """
    with database.transaction() as session:
        claim = claims.claim_one(session, READ_UPLOAD.name, upload_id, utc_now())
    if claim is None:
        return None
    transactions = transactions_of(database, claim.organisation_id)
    try:
        with extended(database.transaction, claim):
            changed_ids = _read(transactions, store, upload_id, within_s, local_paths)
    except Exception as error:
        with database.transaction() as session:
            claims.fail(session, claim, f"{type(error).__name__}: {error}", utc_now())
        raise
    with database.transaction() as session:
        if changed_ids is None:
            claims.release(session, claim, utc_now())
        else:
            claims.finish(session, claim, utc_now())
    return changed_ids


def read_as_worker(
    transactions: Transactions, store: RawFiles, upload_id: UUID, within_s: float
) -> list[UUID] | None:
    """Read an upload that a worker has claimed; return the ids of changed runs, None without files to read.

    Files that take longer than `within_s` seconds are refused for good. Raise ProcessEnded if the child
    process was ended, RawFileMissing if a file is not stored any more.
    """
    return _read(transactions, store, upload_id, within_s, {}, is_last=True)


def _read(
    transactions: Transactions,
    store: RawFiles,
    upload_id: UUID,
    within_s: float,
    local_paths: Mapping[bytes, Path],
    *,
    is_last: bool = False,
) -> list[UUID] | None:
    """Read and store the files of an upload, again if their companions or units change meanwhile.

    Return the ids of the changed runs; None if there is nothing to read, or, unless `is_last`, it took too
    long or its process was ended, so that a worker reads it later.
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
                local_paths.get(sha256) or stack.enter_context(store.on_disk(sha256)),
            )
            for entry in upload.waiting["files"]
        ]
        while True:
            with transactions() as session:
                accompanied = accompanied_runs(session, organisation_id)
                units_ns = _units(session, upload_id, files)
            companion_hashes = find_companions(files, accompanied)
            companions = _fetch_companions(transactions, store, stack, organisation_id, companion_hashes)
            try:
                results = read_apart(files, limits, companions, units_ns, options)
            except ProcessEnded:
                if is_last:
                    raise
                return None
            if not is_last and any(file.took_too_long for file in results):
                _log.info("upload_left_to_a_worker", upload_id=str(upload_id), after_s=within_s)
                return None
            _state_time_limit(results, within_s)
            changed_ids = _store(
                transactions,
                upload,
                files,
                results,
                accompanied=accompanied,
                beside=companion_hashes,
                units_ns=units_ns,
            )
            if changed_ids is not None:
                return changed_ids


def _store(
    transactions: Transactions,
    upload: Upload,
    files: Sequence[StoredFile],
    results: Sequence[ReadFile],
    *,
    accompanied: Sequence[AccompaniedRun],
    beside: Mapping[bytes, Sequence[bytes]],
    units_ns: Mapping[bytes, int],
) -> list[UUID] | None:
    """Store results and return the ids of changed runs.

    Return None, and store nothing, if meanwhile the runs that files are read with (companions), or the
    answered units of latencies, have changed.
    """
    organisation_id, upload_id = upload.organisation_id, upload.upload_id
    while True:
        with transactions() as session:
            sizes = earlier_copies(session, organisation_id, results)
        note_beginnings(results, sizes)
        with transactions() as session:
            repository.lock_uploads(session, organisation_id)
            present = accompanied_runs(session, organisation_id)
            if present != accompanied and find_companions(files, present) != beside:
                return None
            if _units(session, upload_id, files) != units_ns:
                return None
            if earlier_copies(session, organisation_id, results) == sizes:
                changed_ids = service.store_results(session, organisation_id, upload_id, results, utc_now())
                if _units(session, upload_id, files) != units_ns:
                    # A file continues a run whose unit was answered, so it is read with this unit.
                    read_again(session, organisation_id, upload_id, utc_now())
                return changed_ids


def _units(session: Session, upload_id: UUID, files: Sequence[StoredFile]) -> dict[bytes, int]:
    return stated_units(session, session.get_one(Upload, upload_id), [file.sha256 for file in files])


def _fetch_companions(
    transactions: Transactions,
    store: RawFiles,
    stack: ExitStack,
    organisation_id: UUID,
    beside: Mapping[bytes, Sequence[bytes]],
) -> dict[bytes, list[StoredFile]]:
    """Return the stored companions of each file, by SHA-256 of the file, as local files until the stack ends.

    `beside`: SHA-256 of the companions by that of the file; deleted companions are left out. Raise
    RawFileMissing if the store lacks a companion that is recorded.
    """
    if not beside:
        return {}
    contents = sorted({content for of_file in beside.values() for content in of_file})
    with transactions() as session:
        raw = repository.raw_files_of(session, organisation_id, contents)
        columns = [(row.name, row.sha256, row.size_bytes) for row in raw.values()]
    files = {
        sha256: StoredFile(name, sha256, size_bytes, stack.enter_context(store.on_disk(sha256)))
        for name, sha256, size_bytes in columns
    }
    return {
        file_sha256: [files[sha256] for sha256 in of_file if sha256 in files]
        for file_sha256, of_file in beside.items()
    }


def _state_time_limit(results: Sequence[ReadFile], within_s: float) -> None:
    """Set the refusal of each file that took too long to a text with the limit, `within_s` seconds."""
    for file in results:
        if file.took_too_long:
            file.refusal = sentence(
                f"{file.name} could not be read within {within_s:g} s, the most that an upload has"
            )
