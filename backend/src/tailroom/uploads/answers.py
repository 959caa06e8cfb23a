"""Answers about facts that the files of an upload do not state: unit, operation, and kind of load.

A unit scales every latency, so the files are read again with it. Every change of an upload locks its
organisation's uploads before its runs, to avoid deadlocks. Decided in
docs/adr/0036-leave-verdicts-indeterminate-under-unknown-conditions.md.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.access.errors import RunUnknown
from tailroom.domain.verdicts.unknown_conditions import LATENCY_UNIT, UNITS_NS
from tailroom.runs.conditions import CONDITIONS, canonical_answer, disclosed_value
from tailroom.runs.publication import Answer, check_answers, store_answers
from tailroom.runs.repository import sources_of
from tailroom.storage.upload import Upload, UploadFile
from tailroom.uploads import repository
from tailroom.uploads.errors import RawFileExpired, UploadUnknown
from tailroom.uploads.reading import ReadingOptions
from tailroom.uploads.storing import unit_of
from tailroom.work.kinds import READ_UPLOAD
from tailroom.work.outbox import make_due


def answer(
    session: Session,
    organisation_id: UUID,
    upload_id: UUID,
    answers: Mapping[str, Answer],
    now: datetime,
    *,
    run_id: UUID | None = None,
    due_at: datetime,
) -> bool:
    """Store answers about one run of an upload, or all; return whether the upload has to be read again.

    `answers` by name of the fact; None withdraws an answer. Without `run_id`, a run gets answers about unit,
    operation and load only if it does not state them. Files are read again from `due_at` on, if the unit
    changed. If the files have not been read yet, answers are stored until then. Raise UploadUnknown or
    RunUnknown if there is no such upload, or no such run in it, DisclosureInvalid for an invalid answer, and
    RawFileExpired if a file to read again is not stored any more.
    """
    check_answers(answers)
    repository.lock_uploads(session, organisation_id)
    upload = repository.find_upload(session, organisation_id, upload_id)
    if upload is None:
        raise UploadUnknown(f"There is no upload {upload_id} in this organisation.")
    if upload.read_at is None and "files" in upload.waiting:
        # The runs do not exist yet, or will be read again; they get the answers then.
        earlier = upload.waiting.get("answers") or {}
        upload.waiting = {**upload.waiting, "answers": {**earlier, **answers}}
        return True
    files = repository.files_of(session, upload_id)
    run_ids = sorted({read_id for file in files for read_id in file.run_ids})
    if run_id is not None and run_id not in run_ids:
        raise RunUnknown(f"Upload {upload_id} has no run {run_id}.")
    new_unit = canonical_answer(LATENCY_UNIT, answers.get(LATENCY_UNIT))
    to_read: set[UUID] = set()
    for answered_id in run_ids if run_id is None else [run_id]:
        run = repository.lock_run_and_analysis(session, answered_id)
        applicable = {
            name: value
            for name, value in answers.items()
            if run_id is not None or name not in CONDITIONS or name in run.missing or name in run.disclosed
        }
        answered_before = LATENCY_UNIT in run.disclosed
        store_answers(session, run, applicable, now)
        if LATENCY_UNIT in applicable:
            has_other = answered_before if new_unit is None else unit_of(run.plan) != new_unit
            if has_other:
                to_read.add(_shown_upload(session, organisation_id, answered_id, upload, files))
    for upload_to_read in sorted(to_read):
        read_again(session, organisation_id, upload_to_read, due_at)
    session.flush()
    return upload_id in to_read


def stated_units(session: Session, upload: Upload, contents: list[bytes]) -> dict[bytes, int]:
    """Return the answered units in nanoseconds, by SHA-256 of the content.

    Contents without an answer are left out. An answer that was sent with the upload applies to all its
    contents, others to the contents of their run.
    """
    units_ns: dict[bytes, int] = {}
    for sha256, disclosed in repository.disclosed_of_contents(session, upload.organisation_id, contents):
        unit = UNITS_NS.get(str(disclosed_value(disclosed, LATENCY_UNIT)))
        if unit is not None:
            units_ns[sha256] = unit
    sent = canonical_answer(LATENCY_UNIT, (upload.waiting.get("answers") or {}).get(LATENCY_UNIT))
    if sent in UNITS_NS:
        units_ns |= dict.fromkeys(contents, UNITS_NS[sent])
    return units_ns


def _shown_upload(
    session: Session, organisation_id: UUID, run_id: UUID, upload: Upload, files: Sequence[UploadFile]
) -> UUID:
    """Return the id of an upload that has the file from which a run is shown.

    It is that of `upload` if the file is among its `files`, or if no upload has it; else the organisation's
    upload of this content.
    """
    shown = sources_of(session, run_id)[0].sha256
    if any(file.sha256 == shown for file in files):
        return upload.upload_id
    return repository.upload_of_content(session, organisation_id, shown) or upload.upload_id


def read_again(session: Session, organisation_id: UUID, upload_id: UUID, due_at: datetime) -> None:
    """Make the files of an upload due to be read again at `due_at`. The caller holds `lock_uploads`.

    Nothing changes if there is no such upload, or its files were not read yet. Raise RawFileExpired if one of
    its files is not stored any more.
    """
    upload = repository.find_upload(session, organisation_id, upload_id)
    if upload is None or upload.read_at is None:
        return
    files = repository.files_of(session, upload_id)
    raw = repository.raw_files_of(session, upload.organisation_id, [file.sha256 for file in files])
    expired = sorted({file.name for file in files if file.sha256 not in raw})
    if expired:
        raise RawFileExpired(
            f"The answer needs “{expired[0]}” read again, and the time that files are stored for has passed. "
            "Send it again, then answer."
        )
    named: dict[bytes, str] = {}
    for file in files:
        named.setdefault(file.sha256, raw[file.sha256].name if file.member else file.name)
    upload.waiting = {
        "files": [
            {"name": name, "sha256": sha256.hex(), "size_bytes": raw[sha256].size_bytes}
            for sha256, name in named.items()
        ]
    } | ReadingOptions.from_stored(upload.waiting).stored()
    upload.read_at, upload.failure = None, None
    session.flush()
    make_due(session, READ_UPLOAD, upload.upload_id, upload.organisation_id, due_at, reset=True)
