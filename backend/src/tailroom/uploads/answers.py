"""Answers about what the files of an upload leave open: their unit, what was timed, and the load.

A unit scales every latency, so the files are read again with it. Everything that changes an upload and its
runs takes the upload first, then the runs: files that are sent again meanwhile wait, and nobody waits for
each other. Decided in docs/adr/0036-leave-verdicts-indeterminate-under-unknown-conditions.md.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.domain.verdicts.unknown_conditions import LATENCY_UNIT, UNITS_NS
from tailroom.runs.conditions import CONDITIONS, usual, value_of
from tailroom.runs.errors import RunUnknown
from tailroom.runs.publication import Answer, check_answers, note_answers
from tailroom.storage.upload import Upload, UploadFile
from tailroom.uploads import repository
from tailroom.uploads.errors import RawFileExpired, UploadUnknown
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
    """Notes answers about one run of an upload, or about each; whether the upload has to be read again.

    About each: only facts that a run leaves open, or that were answered before. Null takes an answer back.
    Raises UploadUnknown, RunUnknown, DisclosureInvalid.
    """
    check_answers(answers)
    repository.lock_uploads(session, organisation_id)
    upload = repository.find_upload(session, organisation_id, upload_id)
    if upload is None:
        raise UploadUnknown(f"There is no upload {upload_id} in this organisation.")
    if upload.read_at is None and "files" in upload.waiting:
        # Its runs are not there, or will be read again in a moment: they get the answers then.
        known = upload.waiting.get("answers") or {}
        upload.waiting = {**upload.waiting, "answers": {**known, **answers}}
        return True
    files = repository.files_of(session, upload_id)
    run_ids = sorted({one for file in files for one in file.run_ids})
    if run_id is not None and run_id not in run_ids:
        raise RunUnknown(f"Upload {upload_id} has no run {run_id}.")
    wanted = usual(LATENCY_UNIT, answers.get(LATENCY_UNIT))
    to_read: set[UUID] = set()
    for one in run_ids if run_id is None else [run_id]:
        run = repository.lock_run_and_analysis(session, one)
        asked = {
            name: value
            for name, value in answers.items()
            if run_id is not None or name not in CONDITIONS or name in run.missing or name in run.disclosed
        }
        answered_before = LATENCY_UNIT in run.disclosed
        note_answers(session, run, asked, now)
        if LATENCY_UNIT in asked:
            has_other = answered_before if wanted is None else unit_of(run.plan) != wanted
            if has_other:
                to_read.add(_shown_upload(session, organisation_id, one, upload, files))
    for one in sorted(to_read):
        read_again(session, organisation_id, one, due_at)
    session.flush()
    return upload_id in to_read


def stated_units(session: Session, upload: Upload, contents: list[bytes]) -> dict[bytes, int]:
    """Nanoseconds of the unit that somebody has answered, by content: with the upload, or about a run."""
    found: dict[bytes, int] = {}
    known = repository.disclosed_of_contents(session, upload.organisation_id, contents)
    for sha256, disclosed in known:
        unit = UNITS_NS.get(str(value_of(disclosed, LATENCY_UNIT)))
        if unit is not None:
            found[sha256] = unit
    sent = usual(LATENCY_UNIT, (upload.waiting.get("answers") or {}).get(LATENCY_UNIT))
    if sent in UNITS_NS:
        found |= dict.fromkeys(contents, UNITS_NS[sent])
    return found


def _shown_upload(
    session: Session, organisation_id: UUID, run_id: UUID, upload: Upload, files: Sequence[UploadFile]
) -> UUID:
    """The upload that holds what is shown of a run: a longer copy may have come with another one."""
    shown = repository.largest_source(session, run_id).sha256
    if any(one.sha256 == shown for one in files):
        return upload.upload_id
    return repository.upload_of_content(session, organisation_id, shown) or upload.upload_id


def read_again(session: Session, organisation_id: UUID, upload_id: UUID, due_at: datetime) -> None:
    """Has the files of an upload read again from `due_at` on. The caller holds `lock_uploads`.

    Raises RawFileExpired when a file of it is not stored any more.
    """
    upload = repository.find_upload(session, organisation_id, upload_id)
    if upload is None or upload.read_at is None:
        return
    files = repository.files_of(session, upload_id)
    raw = repository.raw_files_of(session, upload.organisation_id, [one.sha256 for one in files])
    gone = sorted({one.name for one in files if one.sha256 not in raw})
    if gone:
        raise RawFileExpired(
            f"The answer needs “{gone[0]}” read again, and the time that files are stored for has passed. "
            "Send it again, then answer."
        )
    named: dict[bytes, str] = {}
    for one in files:
        named.setdefault(one.sha256, raw[one.sha256].name if one.member else one.name)
    upload.waiting = {
        "files": [
            {"name": name, "sha256": sha256.hex(), "size_bytes": raw[sha256].size_bytes}
            for sha256, name in named.items()
        ],
        "public": False,
        "answers": {},
    }
    upload.read_at, upload.failure = None, None
    session.flush()
    make_due(session, READ_UPLOAD, upload.upload_id, upload.organisation_id, due_at, anew=True)
