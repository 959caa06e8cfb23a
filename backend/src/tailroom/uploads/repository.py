"""Queries about uploads, raw files, and sources of runs (which run was read from which content).

Every query is scoped by organisation.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, delete, func, literal, select, text, tuple_
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from tailroom.access.repository import lock_organisation
from tailroom.kit.pagination import TimeCursor
from tailroom.kit.raw_files import RawFileMissing
from tailroom.storage.interval import IntervalRow
from tailroom.storage.run import Run
from tailroom.storage.run_picture import RunPicture
from tailroom.storage.series import Series
from tailroom.storage.slices import AnalysisState, RollupState, Slice
from tailroom.storage.upload import RawFile, RunSource, Upload, UploadFile


def lock_uploads(session: Session, organisation_id: UUID) -> None:
    """Lock an organisation's uploads for the transaction, in which waiting for any lock fails after 60 s."""
    # Another process may be storing a large upload; after a timeout this upload would be read again.
    session.execute(text("SET LOCAL lock_timeout = '60s'"))
    lock_organisation(session, organisation_id)


def lock_content(session: Session, sha256: bytes, *, shared: bool = False) -> None:
    """Lock a content for the transaction: exclusively to remove it, `shared` to record that it was sent."""
    lock = func.pg_advisory_xact_lock_shared if shared else func.pg_advisory_xact_lock
    session.execute(select(lock(int.from_bytes(sha256[:8], "big", signed=True))))


def note_raw_file(
    session: Session, organisation_id: UUID, *, sha256: bytes, size_bytes: int, name: str, now: datetime
) -> None:
    """Store that the organisation has sent this content, with name and time of the first upload."""
    lock_content(session, sha256, shared=True)
    statement = insert(RawFile).values(
        organisation_id=organisation_id, sha256=sha256, size_bytes=size_bytes, name=name, stored_at=now
    )
    session.execute(statement.on_conflict_do_nothing())


def find_raw_file(session: Session, organisation_id: UUID, sha256: bytes) -> RawFile | None:
    """Return a file of the organisation by SHA-256; None if it was not sent, or was deleted."""
    return session.get(RawFile, (organisation_id, sha256))


def require_sent(session: Session, organisation_id: UUID, contents: Sequence[str]) -> None:
    """Raise RawFileMissing if the organisation lacks a stored file with any of these SHA-256 (hexadecimal).

    All organisations share the store, so this protects the contents of others.
    """
    hashes = {bytes.fromhex(content) for content in contents}
    if len(raw_files_of(session, organisation_id, list(hashes))) < len(hashes):
        raise RawFileMissing("a file is named that this organisation has not sent, or that was deleted")


def upsert_upload(session: Session, values: dict[str, Any]) -> tuple[Upload, bool]:
    """Store an upload unless its content hash is stored; return the stored upload, and whether it is new."""
    created = session.scalar(
        insert(Upload).values(values).on_conflict_do_nothing().returning(Upload.upload_id)
    )
    upload = session.scalars(
        select(Upload).where(
            Upload.organisation_id == values["organisation_id"],
            Upload.content_sha256 == values["content_sha256"],
        )
    ).one()
    return upload, created is not None


def find_upload(session: Session, organisation_id: UUID, upload_id: UUID) -> Upload | None:
    """Return the upload, if it belongs to the organisation; None otherwise."""
    return session.scalar(
        select(Upload).where(Upload.upload_id == upload_id, Upload.organisation_id == organisation_id)
    )


def page_of_uploads(
    session: Session, organisation_id: UUID, cursor: TimeCursor | None, limit: int
) -> Sequence[Upload]:
    """Return at most `limit` uploads after the cursor, newest first; from the newest if it is None."""
    query = select(Upload).where(Upload.organisation_id == organisation_id)
    if cursor is not None:
        position = tuple_(literal(cursor.moment), literal(cursor.identifier))
        query = query.where(tuple_(Upload.created_at, Upload.upload_id) < position)
    return session.scalars(
        query.order_by(Upload.created_at.desc(), Upload.upload_id.desc()).limit(limit)
    ).all()


def count_uploads(session: Session, organisation_id: UUID) -> int:
    """Return the number of uploads of the organisation."""
    query = select(func.count()).select_from(Upload).where(Upload.organisation_id == organisation_id)
    return int(session.scalar(query) or 0)


def files_of_uploads(session: Session, upload_ids: Sequence[UUID]) -> dict[UUID, list[UploadFile]]:
    """Return the files of each upload in order, by upload id; empty for an upload without files."""
    if not upload_ids:
        return {}
    rows = session.scalars(
        select(UploadFile).where(UploadFile.upload_id.in_(upload_ids)).order_by(UploadFile.file_no)
    )
    by_upload: dict[UUID, list[UploadFile]] = {upload_id: [] for upload_id in upload_ids}
    for row in rows:
        by_upload[row.upload_id].append(row)
    return by_upload


def problems_of_runs(
    session: Session, organisation_id: UUID, ids: Sequence[UUID]
) -> dict[UUID, list[dict[str, Any]]]:
    """Return the stored problems of the files of the organisation's runs, by run id."""
    if not ids:
        return {}
    rows = session.execute(
        select(Run.run_id, Run.problems).where(Run.organisation_id == organisation_id, Run.run_id.in_(ids))
    )
    return {row.run_id: row.problems for row in rows}


def files_of(session: Session, upload_id: UUID) -> list[UploadFile]:
    """Return the files of an upload in their order."""
    return files_of_uploads(session, [upload_id])[upload_id]


def replace_files(session: Session, upload_id: UUID, files: Sequence[UploadFile]) -> None:
    """Store the results of the files of an upload in place of the previous results."""
    session.execute(delete(UploadFile).where(UploadFile.upload_id == upload_id))
    session.add_all(files)
    session.flush()


def raw_files_of(session: Session, organisation_id: UUID, contents: Sequence[bytes]) -> dict[bytes, RawFile]:
    """Return the organisation's stored files with these SHA-256, by SHA-256; others are left out."""
    rows = session.scalars(
        select(RawFile).where(RawFile.organisation_id == organisation_id, RawFile.sha256.in_(contents))
    )
    return {row.sha256: row for row in rows}


def runs_by_id(session: Session, organisation_id: UUID, ids: Sequence[UUID]) -> dict[UUID, Run]:
    """Return the organisation's runs with these ids, by id; others are left out."""
    rows = session.scalars(select(Run).where(Run.organisation_id == organisation_id, Run.run_id.in_(ids)))
    return {row.run_id: row for row in rows}


def lock_run_and_analysis(session: Session, run_id: UUID) -> Run:
    """Lock an existing run and its analysis state for the transaction; return the run as stored now."""
    run = session.scalars(
        select(Run)
        .where(Run.run_id == run_id)
        .with_for_update(key_share=True)
        .execution_options(populate_existing=True)
    ).one()
    session.execute(
        select(AnalysisState.run_id).where(AnalysisState.run_id == run_id).with_for_update()
    ).all()
    return run


def upload_of_content(session: Session, organisation_id: UUID, sha256: bytes) -> UUID | None:
    """Return the id of the first upload with this SHA-256, even if the file was deleted; None without any."""
    return session.scalar(
        select(UploadFile.upload_id)
        .where(UploadFile.organisation_id == organisation_id, UploadFile.sha256 == sha256)
        .order_by(UploadFile.upload_id)
        .limit(1)
    )


def disclosed_of_contents(
    session: Session, organisation_id: UUID, contents: Sequence[bytes]
) -> list[tuple[bytes, dict[str, Any]]]:
    """Return pairs of SHA-256 and answers, for each of these contents and each run that was read from it."""
    rows = session.execute(
        select(RunSource.sha256, Run.disclosed)
        .join(Run, Run.run_id == RunSource.run_id)
        .where(RunSource.organisation_id == organisation_id, RunSource.sha256.in_(contents))
        .order_by(RunSource.sha256, RunSource.run_id)
    )
    return [(sha256, disclosed) for sha256, disclosed in rows]


def find_source(
    session: Session,
    organisation_id: UUID,
    sha256: bytes,
    member: str,
    run_no: int,
    *,
    chosen: str,
    beside: Sequence[bytes] | None = None,
) -> RunSource | None:
    """Return the earliest source of the run that was read from this content; None if it was never read.

    `member`: the file within an archive, `run_no`: number of the run in the file, `chosen`: text of the
    choice of histograms. `beside`: only if it was read together with exactly these contents, in this order.
    """
    content = [RunSource.sha256 == sha256, RunSource.member == member]
    if beside is not None:
        content.append(RunSource.beside == list(beside))
    return session.scalar(
        _sources(organisation_id, run_no, chosen, *content).order_by(RunSource.read_at).limit(1)
    )


def find_content(
    session: Session, organisation_id: UUID, content_sha256: bytes, run_no: int, chosen: str
) -> RunSource | None:
    """Return the earliest source of a run with this uncompressed content; None if it was never read.

    `run_no` and `chosen` are as in `find_source`. Members of archives are left out.
    """
    content = RunSource.content_sha256 == content_sha256, RunSource.member == ""
    return session.scalar(
        _sources(organisation_id, run_no, chosen, *content).order_by(RunSource.read_at).limit(1)
    )


def shorter_sources(
    session: Session, organisation_id: UUID, content_bytes: int, run_format: str, run_no: int, *, chosen: str
) -> list[RunSource]:
    """Return the sources of runs of a format with fewer uncompressed bytes, the largest first.

    `run_no` and `chosen` are as in `find_source`. Runs without measurements and members of archives are left
    out.
    """
    content = RunSource.content_bytes < content_bytes, RunSource.member == ""
    query = (
        _sources(organisation_id, run_no, chosen, *content)
        .join(Run, Run.run_id == RunSource.run_id)
        # A beginning without measurements may belong to any log.
        .where(Run.format == run_format, Run.data_through_ns > 0)
    )
    return list(session.scalars(query.order_by(RunSource.content_bytes.desc())))


def _sources(
    organisation_id: UUID, run_no: int, chosen: str, *content: ColumnElement[bool]
) -> Select[RunSource]:
    """Return a query for the sources of runs of this number and choice of histograms, of these contents."""
    return select(RunSource).where(
        RunSource.organisation_id == organisation_id,
        RunSource.run_no == run_no,
        RunSource.chosen == chosen,
        *content,
    )


def sources_of_accompanied_runs(session: Session, organisation_id: UUID) -> list[RunSource]:
    """Return all sources of runs that have measurements and a source with companions."""
    with_companions = select(RunSource.run_id).where(
        RunSource.organisation_id == organisation_id, func.cardinality(RunSource.beside) > 0
    )
    return list(
        session.scalars(
            select(RunSource)
            .join(Run, Run.run_id == RunSource.run_id)
            .where(
                RunSource.organisation_id == organisation_id,
                RunSource.run_id.in_(with_companions),
                # A beginning without measurements may belong to any log.
                Run.data_through_ns > 0,
            )
        )
    )


def store_source(session: Session, values: dict[str, Any]) -> None:
    """Store that a run was read from a content; replace companions, time and name if it is stored already."""
    statement = insert(RunSource).values(values)
    changed = {name: statement.excluded[name] for name in ("beside", "read_at", "name")}
    session.execute(statement.on_conflict_do_update(index_elements=("run_id", "sha256"), set_=changed))


def remove_readings(session: Session, run_id: UUID) -> None:
    """Delete all read data of a run, its analysis and pictures; verdicts stay until replaced."""
    for model in (IntervalRow, Slice, RollupState, AnalysisState, RunPicture, Series):
        session.execute(delete(model).where(model.run_id == run_id))
