"""Store the files of an upload and the results of reading them, and describe uploads.

The bytes and their owner are stored before anything is read, so that no accepted file is lost. All runs of an
upload are stored in one transaction.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.importers.parsed_run import Severity
from tailroom.kit.pagination import TimeCursor
from tailroom.kit.raw_files import RawFiles
from tailroom.runs.publication import Answer, publish, store_answers
from tailroom.runs.repository import list_series
from tailroom.runs.schemas import VerdictSummaryOut
from tailroom.runs.service import disclosure_of, read_cursor
from tailroom.runs.verdicts import verdict_summaries
from tailroom.storage.run import Run
from tailroom.storage.series import STATEMENT, Series
from tailroom.storage.upload import RawFile, Upload, UploadFile
from tailroom.uploads import repository
from tailroom.uploads.errors import RawFileExpired, RawFileUnknown, UploadUnknown
from tailroom.uploads.reading import ReadFile, ReadingOptions, StoredFile
from tailroom.uploads.receiving import ReceivedFile
from tailroom.uploads.schemas import (
    UploadedRunOut,
    UploadedSeriesOut,
    UploadFileOut,
    UploadOut,
    UploadPage,
    UploadState,
    UploadSummaryOut,
)
from tailroom.uploads.storing import store_run, values_of_upload
from tailroom.uploads.texts import sentence
from tailroom.work import failures
from tailroom.work.claims import ENDED
from tailroom.work.failures import Failure
from tailroom.work.kinds import JUDGE, READ_UPLOAD, WATCH
from tailroom.work.outbox import make_due


@dataclass(frozen=True, slots=True)
class SenderOptions(ReadingOptions):
    """Options of the sender: how files are read, and what is stored with the runs. They are stored with an
    upload until it is read; then only those about reading stay.
    """

    public: bool = False
    answers: Mapping[str, Answer] = field(default_factory=dict)
    """Facts that the files lack, by name."""
    title: str | None = None
    """Title of the runs; None: the runs' own."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Texts by name to store in the plan of the runs, such as branch and commit."""


def store_files(store: RawFiles, files: Sequence[ReceivedFile]) -> list[StoredFile]:
    """Store and return the received files, in order. Raise RawFilesUnavailable if the store fails."""
    return [
        StoredFile(file.name, file.staged.sha256, file.staged.size_bytes, store.store(file.staged))
        for file in files
    ]


def accept_files(
    session: Session,
    organisation_id: UUID,
    files: Sequence[StoredFile],
    options: SenderOptions,
    now: datetime,
    *,
    due_at: datetime | None = None,
) -> tuple[Upload, bool]:
    """Store the files and options of an upload; return the upload, and whether its files must be read.

    A worker reads them from `due_at` on (None: at once). The same files are read again only if reading was
    not completed or a file was refused, because a later version may read more.
    """
    for file in files:
        repository.note_raw_file(
            session, organisation_id, sha256=file.sha256, size_bytes=file.size_bytes, name=file.name, now=now
        )
    values = values_of_upload(organisation_id, [file.sha256 for file in files], now, options)
    upload, is_new = repository.upsert_upload(session, values)
    before = [] if is_new else repository.files_of(session, upload.upload_id)
    to_read = upload.read_at is None or not before or any(file.refusal is not None for file in before)
    if not to_read:
        return upload, False
    if not before:
        rows = [_waiting_row(upload, number, file) for number, file in enumerate(files)]
        repository.replace_files(session, upload.upload_id, rows)
    named = [
        {"name": file.name, "sha256": file.sha256.hex(), "size_bytes": file.size_bytes} for file in files
    ]
    upload.waiting = {"files": named, **options.stored()}
    upload.read_at, upload.failure = None, None
    session.flush()
    make_due(session, READ_UPLOAD, upload.upload_id, organisation_id, due_at or now, reset=True)
    return upload, True


def store_results(
    session: Session, organisation_id: UUID, upload_id: UUID, results: Sequence[ReadFile], now: datetime
) -> list[UUID]:
    """Store the results of an upload, make the changed runs due to be judged, and return their ids.

    The sender's options are applied, and only those about reading stay stored. Raise UploadUnknown if the
    upload was deleted.
    """
    repository.lock_uploads(session, organisation_id)
    upload = _upload(session, organisation_id, upload_id)
    changed_ids: list[UUID] = []
    rows: list[UploadFile] = []
    for number, file in enumerate(results):
        run_ids: list[UUID] = []
        for position in range(len(file.runs)):
            run, changed = store_run(session, organisation_id, file, position, now)
            run_ids.append(run.run_id)
            if changed:
                changed_ids.append(run.run_id)
                make_due(session, JUDGE, run.run_id, organisation_id, now, reset=True)
        rows.append(_file_row(upload, number, file, run_ids))
    repository.replace_files(session, upload_id, rows)
    options = SenderOptions.from_stored(upload.waiting)
    # Reading options also apply when the files are read again.
    upload.read_at, upload.failure = now, None
    upload.waiting = ReadingOptions.from_stored(upload.waiting).stored()
    session.flush()
    apply_options(session, organisation_id, upload_id, options, now)
    return changed_ids


def apply_options(
    session: Session, organisation_id: UUID, upload_id: UUID, options: SenderOptions, now: datetime
) -> None:
    """Apply the options that are set to the upload's runs. Raise DisclosureInvalid for an invalid answer."""
    if options == SenderOptions():
        return
    for run_id in _run_ids(repository.files_of(session, upload_id)):
        run = repository.lock_run_and_analysis(session, run_id)
        if options.title is not None and run.title != options.title:
            # Watches select runs by their titles.
            run.title = options.title
            make_due(session, WATCH, run_id, organisation_id, now, reset=True)
        if options.labels:
            run.plan = {**run.plan, "labels": dict(options.labels)}
        if options.answers:
            store_answers(session, run, options.answers, now)
        if options.public:
            publish(session, organisation_id, run_id, run.shown_names, now)
    session.flush()


def describe(session: Session, organisation_id: UUID, upload_id: UUID) -> UploadOut:
    """Return an upload for the API, with its files and its runs that still exist. Raise UploadUnknown."""
    upload = _upload(session, organisation_id, upload_id)
    files = repository.files_of(session, upload_id)
    ids = _run_ids(files)
    runs = repository.runs_by_id(session, organisation_id, ids)
    raw = repository.raw_files_of(session, organisation_id, [file.sha256 for file in files])
    verdicts = verdict_summaries(session, ids)
    failure = _failure_reasons(session, [upload]).get(upload_id)
    return UploadOut(
        upload_id=upload_id,
        created_at=upload.created_at,
        read_at=upload.read_at,
        state=_state(upload, failure),
        failure=failure,
        files=[_file_out(file, raw.get(file.sha256)) for file in files],
        runs=[
            _run_out(runs[run_id], list_series(session, run_id), verdicts.get(run_id, []))
            for run_id in ids
            if run_id in runs
        ],
    )


def list_uploads(session: Session, organisation_id: UUID, cursor_text: str | None, limit: int) -> UploadPage:
    """Return a page, newest first, after `cursor_text` (None: the first). Raise CursorUnreadable."""
    cursor = None if cursor_text is None else read_cursor(cursor_text)
    rows = repository.page_of_uploads(session, organisation_id, cursor, limit + 1)
    uploads, more = rows[:limit], len(rows) > limit
    files = repository.files_of_uploads(session, [upload.upload_id for upload in uploads])
    ids = _run_ids([file for files_of_upload in files.values() for file in files_of_upload])
    problems = repository.problems_of_runs(session, organisation_id, ids)
    failures = _failure_reasons(session, uploads)
    return UploadPage(
        uploads=[
            _summary(upload, files[upload.upload_id], problems, failures.get(upload.upload_id))
            for upload in uploads
        ],
        next_cursor=TimeCursor(uploads[-1].created_at, uploads[-1].upload_id).encode() if more else None,
        total=repository.count_uploads(session, organisation_id),
    )


def raw_file(session: Session, organisation_id: UUID, sha256_text: str) -> RawFile:
    """Return a sent file by its SHA-256 (hexadecimal). Raise RawFileUnknown, RawFileExpired if deleted."""
    sha256 = bytes.fromhex(sha256_text)
    file = repository.find_raw_file(session, organisation_id, sha256)
    if file is None:
        if repository.upload_of_content(session, organisation_id, sha256) is not None:
            raise RawFileExpired(
                "This installation stores files for a limited time, and this one's has passed. "
                "Its runs and verdicts stay; send the file again to have it stored."
            )
        raise RawFileUnknown(f"This organisation has sent no file of SHA-256 {sha256_text}.")
    return file


def _summary(
    upload: Upload,
    files: Sequence[UploadFile],
    problems: Mapping[UUID, list[dict[str, Any]]],
    failure: str | None,
) -> UploadSummaryOut:
    """Return an upload for a list; `problems`: of runs by id, `failure`: why it was given up."""
    run_ids = _run_ids(files)
    distinct = [problem for file in files for problem in file.problems]
    # Some problems are stored with the file and with its runs; each counts once.
    for run_id in run_ids:
        distinct += [problem for problem in problems.get(run_id, ()) if problem not in distinct]
    return UploadSummaryOut(
        upload_id=upload.upload_id,
        created_at=upload.created_at,
        read_at=upload.read_at,
        state=_state(upload, failure),
        file_count=len(files),
        run_count=len(run_ids),
        first_name=files[0].name if files else "",
        refused_count=sum(file.refusal is not None for file in files),
        problem_count=sum(problem["severity"] != Severity.NOTE for problem in distinct),
    )


def _failure_reasons(session: Session, uploads: Sequence[Upload]) -> dict[UUID, str]:
    reasons = {upload.upload_id: upload.failure for upload in uploads if upload.failure is not None}
    for upload_id, failed in failures.by_subject(session, [upload.upload_id for upload in uploads]).items():
        reasons[upload_id] = _failure_text(failed[0])
    return reasons


def _failure_text(failure: Failure) -> str:
    reason = "an error each time, which the log of the worker names"
    if failure.error == ENDED:
        reason = "each time the process that read them was ended"
    return sentence(
        f"the files were tried {failure.attempts} times and could not be read: {reason}. They are stored; "
        "have them tried again, or send them again"
    )


def _state(upload: Upload, failure: str | None) -> UploadState:
    if failure is not None:
        return "failed"
    return "waiting" if upload.read_at is None else "read"


def _upload(session: Session, organisation_id: UUID, upload_id: UUID) -> Upload:
    """Return an upload of the organisation. Raise UploadUnknown if it has none of this id."""
    upload = repository.find_upload(session, organisation_id, upload_id)
    if upload is None:
        raise UploadUnknown(f"There is no upload {upload_id} in this organisation.")
    return upload


def _run_ids(files: Sequence[UploadFile]) -> list[UUID]:
    return list(dict.fromkeys(run_id for file in files for run_id in file.run_ids))


def _waiting_row(upload: Upload, number: int, file: StoredFile) -> UploadFile:
    return UploadFile(
        upload_id=upload.upload_id,
        file_no=number,
        organisation_id=upload.organisation_id,
        name=sentence(file.name),
        sha256=file.sha256,
        problems=[],
        run_ids=[],
    )


def _file_row(upload: Upload, number: int, file: ReadFile, run_ids: list[UUID]) -> UploadFile:
    detection = file.detection
    return UploadFile(
        upload_id=upload.upload_id,
        file_no=number,
        organisation_id=upload.organisation_id,
        name=file.name,
        member=file.member,
        sha256=file.stored.sha256,
        format=detection.format if detection else None,
        tool=detection.tool if detection else None,
        tool_version=sentence(detection.version) if detection and detection.version else None,
        reason=sentence(detection.reason) if detection else None,
        refusal=file.refusal,
        read_with=file.read_with,
        problems=file.problems,
        run_ids=run_ids,
    )


def _file_out(file: UploadFile, raw: RawFile | None) -> UploadFileOut:
    columns = {name: getattr(file, name) for name in UploadFileOut.model_fields.keys() - {"size_bytes"}}
    return UploadFileOut.model_validate(
        columns
        | {
            "member": file.member or None,
            "sha256": file.sha256.hex(),
            "size_bytes": raw.size_bytes if raw else 0,
        }
    )


def _layout_of(series: Series) -> str:
    """Return the kind of the buckets of a series, or of its one record; `statement` without buckets."""
    layout = series.layout or (series.statement or {}).get("layout") or {"t": STATEMENT}
    return STATEMENT if layout["t"] == "knots" else str(layout["t"])


def _run_out(run: Run, series: Sequence[Series], verdicts: Sequence[VerdictSummaryOut]) -> UploadedRunOut:
    return UploadedRunOut.model_validate(
        {
            **{name: getattr(run, name) for name in UploadedRunOut.model_fields if name in Run.__table__.c},
            "series": [
                UploadedSeriesOut(
                    operation=part.operation,
                    clock=part.clock,
                    device=part.device,
                    phase=part.phase,
                    source_name=part.source_name,
                    layout=_layout_of(part),
                    interval_count=part.received,
                )
                for part in series
            ],
            "disclosure": disclosure_of(run),
            "verdicts": verdicts,
        }
    )
