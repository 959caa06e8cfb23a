"""Permanent deletion: rows at once, in one transaction; intervals and files by workers, as due work.

Readers of a published run see that it was deleted, and when. An upload is deleted with the runs that were
read from it alone; a file is deleted when no upload has its content.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, func, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from tailroom.kit.made_documents import MadeDocuments
from tailroom.kit.raw_files import RawFiles
from tailroom.kit.transactions import Transactions
from tailroom.storage import tombstone
from tailroom.storage.base import Base
from tailroom.storage.drive_test import PUBLIC_SCOPE, DriveTest, count_change
from tailroom.storage.interval import IntervalRow
from tailroom.storage.objection import PUBLISHED, Objection
from tailroom.storage.organisation import Organisation
from tailroom.storage.run import PRIVATE, Run
from tailroom.storage.run_link import RunLink
from tailroom.storage.suggestion import ACCEPTED, CatalogueSuggestion
from tailroom.storage.tombstone import Tombstone
from tailroom.storage.upload import RawFile, RunSource, Upload, UploadFile
from tailroom.uploads.repository import lock_content, lock_uploads
from tailroom.work.claims import WorkClaim
from tailroom.work.kinds import ERASE
from tailroom.work.outbox import drop, make_due

_ROWS_AT_ONCE = 20_000


def delete_run(session: Session, organisation_id: UUID, run_id: UUID, now: datetime) -> bool:
    """Delete a run and each upload from which no other run was read; return False if there is no such run."""
    lock_uploads(session, organisation_id)
    run = session.scalar(
        select(Run).where(Run.run_id == run_id, Run.organisation_id == organisation_id).with_for_update()
    )
    if run is None:
        return False
    upload_ids = session.scalars(
        select(UploadFile.upload_id)
        .where(UploadFile.organisation_id == organisation_id, UploadFile.run_ids.contains([run_id]))
        .distinct()
    ).all()
    _remove_runs(session, organisation_id, [run], now)
    for upload_id in upload_ids:
        remaining = select(UploadFile.upload_id).where(
            UploadFile.upload_id == upload_id, func.cardinality(UploadFile.run_ids) > 0
        )
        if session.scalar(remaining.limit(1)) is None:
            _remove_upload(session, organisation_id, upload_id, now)
    return True


def delete_upload(session: Session, organisation_id: UUID, upload_id: UUID, now: datetime) -> bool:
    """Delete an upload and the runs that were read from it alone; return False if there is no such upload."""
    lock_uploads(session, organisation_id)
    upload = select(Upload.upload_id).where(
        Upload.upload_id == upload_id, Upload.organisation_id == organisation_id
    )
    if session.scalar(upload.with_for_update()) is None:
        return False
    lists = session.scalars(select(UploadFile.run_ids).where(UploadFile.upload_id == upload_id)).all()
    run_ids = {run_id for run_ids_of_upload in lists for run_id in run_ids_of_upload}
    elsewhere = {
        run_id
        for run_id in run_ids
        if session.scalar(
            select(UploadFile.upload_id)
            .where(
                UploadFile.organisation_id == organisation_id,
                UploadFile.upload_id != upload_id,
                UploadFile.run_ids.contains([run_id]),
            )
            .limit(1)
        )
    }
    # One by one and in one order: a lock names one run, whichever node it lies on.
    own_runs = select(Run).where(Run.organisation_id == organisation_id).with_for_update()
    runs = [session.scalar(own_runs.where(Run.run_id == run_id)) for run_id in sorted(run_ids - elsewhere)]
    _remove_runs(session, organisation_id, [run for run in runs if run is not None], now)
    _remove_upload(session, organisation_id, upload_id, now)
    return True


def delete_organisation(session: Session, organisation_id: UUID, now: datetime) -> None:
    """Delete an organisation with its rows, and leave a tombstone of it and of its runs.

    Workers erase intervals and the content of files later. Accepted suggestions and published objections
    stay, without its name.
    """
    lock_uploads(session, organisation_id)
    while runs := session.scalars(
        select(Run).where(Run.organisation_id == organisation_id).order_by(Run.run_id).limit(500)
    ).all():
        _remove_runs(session, organisation_id, runs, now)
    contents = session.scalars(select(RawFile.sha256).where(RawFile.organisation_id == organisation_id)).all()
    # Accepted suggestions are part of the shared catalogue and stay; their owner is removed.
    accepted = update(CatalogueSuggestion).where(
        CatalogueSuggestion.organisation_id == organisation_id, CatalogueSuggestion.state == ACCEPTED
    )
    session.execute(accepted.values(organisation_id=None, suggested_by="", kept_back=[]))
    published = update(Objection).where(
        Objection.organisation_id == organisation_id, Objection.state == PUBLISHED
    )
    session.execute(published.values(organisation_id=None, made_by=""))
    for table in reversed(Base.metadata.sorted_tables):
        # Intervals are removed by run; the remaining erasures are work of the organisation.
        is_removed_later = table.name in {IntervalRow.__tablename__, Tombstone.__tablename__, "work"}
        if "organisation_id" in table.c and not is_removed_later:
            session.execute(delete(table).where(table.c.organisation_id == organisation_id))
    make_erasure_due(session, organisation_id, organisation_id, contents, now)
    session.execute(delete(Organisation).where(Organisation.id == organisation_id))
    _leave_tombstones(session, tombstone.ORGANISATION, {organisation_id: False}, organisation_id, now)


def erase(
    transactions: Transactions,
    installation: Transactions,
    store: RawFiles,
    made: MadeDocuments,
    claim: WorkClaim,
) -> None:
    """Remove intervals and documents of a deleted run, and files that no organisation has any more.

    It may be repeated. `claim`: the work, whose subject is the run and whose details name the files;
    `installation`: transactions bound to no organisation.
    """
    made.forget(claim.subject)
    while True:
        with transactions() as session:
            columns = select(IntervalRow.run_id, IntervalRow.series_no, IntervalRow.seq)
            rows = columns.where(IntervalRow.run_id == claim.subject).limit(_ROWS_AT_ONCE).subquery()
            deleted = session.execute(
                delete(IntervalRow).where(
                    IntervalRow.run_id == rows.c.run_id,
                    IntervalRow.series_no == rows.c.series_no,
                    IntervalRow.seq == rows.c.seq,
                )
            )
        if deleted.rowcount < _ROWS_AT_ONCE:  # type: ignore[attr-defined]
            break
    for name in (claim.details or {}).get("sha256", ()):
        sha256 = bytes.fromhex(name)
        # A concurrent upload of the same content waits here, and then finds the file gone.
        with installation() as session:
            lock_content(session, sha256)
            if session.scalar(select(RawFile.sha256).where(RawFile.sha256 == sha256).limit(1)) is None:
                store.remove(sha256)


def _remove_runs(session: Session, organisation_id: UUID, runs: Sequence[Run], now: datetime) -> None:
    """Delete runs and what refers to them, but leave tombstones, and the intervals to the workers."""
    ids = [run.run_id for run in runs]
    if not ids:
        return
    for run_id in ids:
        session.execute(
            update(UploadFile)
            .where(UploadFile.organisation_id == organisation_id, UploadFile.run_ids.contains([run_id]))
            .values(run_ids=func.array_remove(UploadFile.run_ids, run_id))
            .execution_options(synchronize_session=False)
        )
    _leave_tombstones(
        session, tombstone.RUN, {run.run_id: run.visibility != PRIVATE for run in runs}, organisation_id, now
    )
    # A link to one of them must answer that it has ended, not that it never existed.
    secrets = session.scalars(select(RunLink.secret_sha256).where(RunLink.run_id.in_(ids))).all()
    _leave_tombstones(
        session,
        tombstone.LINK,
        {tombstone.link_subject(secret): False for secret in sorted(secrets)},
        organisation_id,
        now,
    )
    drop(session, ids)
    # Not by its key: a distributed database has none from this table to runs.
    session.execute(delete(DriveTest).where(DriveTest.run_id.in_(ids)))
    session.execute(delete(Run).where(Run.run_id.in_(ids)))
    session.expire_all()
    for run_id in ids:
        make_due(session, ERASE, run_id, organisation_id, now, reset=True)
    count_change(session, organisation_id)
    count_change(session, PUBLIC_SCOPE)


def _remove_upload(session: Session, organisation_id: UUID, upload_id: UUID, now: datetime) -> None:
    """Delete an upload and leave a tombstone; workers remove its files that are not used elsewhere."""
    contents = session.scalars(
        select(UploadFile.sha256).where(UploadFile.upload_id == upload_id).distinct()
    ).all()
    drop(session, [upload_id])
    session.execute(delete(Upload).where(Upload.upload_id == upload_id))
    unused = [sha256 for sha256 in contents if not _is_used(session, organisation_id, sha256)]
    session.execute(
        delete(RawFile).where(RawFile.organisation_id == organisation_id, RawFile.sha256.in_(unused))
    )
    _leave_tombstones(session, tombstone.UPLOAD, {upload_id: False}, organisation_id, now)
    make_erasure_due(session, organisation_id, upload_id, unused, now)
    session.expire_all()


def _is_used(session: Session, organisation_id: UUID, sha256: bytes) -> bool:
    """Return whether an upload of the organisation has the content, or a run was read from it."""
    by_upload = select(UploadFile.upload_id).where(
        UploadFile.organisation_id == organisation_id, UploadFile.sha256 == sha256
    )
    by_run = select(RunSource.run_id).where(
        RunSource.organisation_id == organisation_id,
        or_(RunSource.sha256 == sha256, RunSource.beside.contains([sha256])),
    )
    return bool(session.scalar(select(or_(by_upload.exists(), by_run.exists()))))


def make_erasure_due(
    session: Session, organisation_id: UUID, subject: UUID, contents: Collection[bytes], now: datetime
) -> None:
    """Let workers remove files from the store, unless an organisation has their content by then.

    `contents`: SHA-256 of the files, may be empty; `subject`: subject of the work.
    """
    if contents:
        details = {"sha256": sorted(sha256.hex() for sha256 in contents)}
        make_due(session, ERASE, subject, organisation_id, now, reset=True, details=details)


def _leave_tombstones(
    session: Session, kind: str, subjects: dict[UUID, bool], organisation_id: UUID, now: datetime
) -> None:
    """Store a tombstone of this kind for each subject (id: whether it was public) that has none yet."""
    rows = [
        {
            "subject": subject,
            "kind": kind,
            "organisation_id": organisation_id,
            "was_public": was_public,
            "deleted_at": now,
        }
        for subject, was_public in subjects.items()
    ]
    if not rows:
        return
    session.execute(insert(Tombstone).values(rows).on_conflict_do_nothing())
