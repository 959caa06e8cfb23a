"""Accepting an upload: receive its body, store its files, read them, and answer."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from uuid import UUID

from anyio.to_thread import run_sync
from fastapi import Request
from sqlalchemy.orm import Session

from tailroom.access import quotas, trail
from tailroom.access.caller import Caller
from tailroom.kit.clock import utc_now
from tailroom.kit.errors import HttpProblem, LocatedProblem
from tailroom.kit.raw_files import RawFiles, RawFilesUnavailable
from tailroom.kit.resources import Resources
from tailroom.uploads import errors, repository, service
from tailroom.uploads.receiving import ReceivedForm
from tailroom.uploads.schemas import UploadOut
from tailroom.uploads.waiting import SENDER_WAIT, read_now

CHUNK_BYTES = 1 << 20
"""Bytes of a body that are written to disk at a time."""


@dataclass(frozen=True, slots=True)
class AcceptedUpload:
    """A stored upload and the answer to its sender."""

    upload_id: UUID
    result: UploadOut | HttpProblem
    """The upload, or a problem if none of its files could be read."""
    changed: bool
    """Whether a run is new, or replaced by a longer copy or another unit; false if a worker reads later."""


async def feed_in_chunks(request: Request, feed: Callable[[bytes], None]) -> None:
    """Pass the body of a request to `feed` in threads: `CHUNK_BYTES` or more at a time, then the rest."""
    buffered = bytearray()
    async for chunk in request.stream():
        buffered += chunk
        if len(buffered) >= CHUNK_BYTES:
            await run_sync(feed, bytes(buffered))
            buffered.clear()
    await run_sync(feed, bytes(buffered))


def files_unavailable(error: RawFilesUnavailable) -> errors.RawFilesAway:
    """Return the refusal of an upload whose files cannot be stored now."""
    return errors.RawFilesAway(f"The files cannot be stored now: {error}. Nothing was stored.")


def accept(
    resources: Resources,
    caller: Caller,
    actor: trail.Actor,
    form: ReceivedForm,
    options: service.SenderOptions,
) -> AcceptedUpload:
    """Store the files as an upload and return it; small files are read at once, and their runs stored.

    Each step is durable before the next begins. Larger uploads are read by a worker. Files that were all read
    before without refusal are not read again, but the sender's options are applied. Raise QuotaReached if the
    organisation may not store so much, RawFilesAway if the store is not available or the content is being
    deleted.
    """
    store: RawFiles = resources.raw_files
    sizes = {file.staged.sha256: file.staged.size_bytes for file in form.files}
    with caller.session() as session:
        quotas.require_upload(session, caller.organisation_id, sizes, utc_now())
    try:
        files = service.store_files(store, form.files)
    except RawFilesUnavailable as error:
        raise files_unavailable(error) from None
    organisation_id, now = caller.organisation_id, utc_now()
    sizes_bytes = [file.size_bytes for file in files]
    with caller.session() as session:
        due_at = now + (SENDER_WAIT if _is_small(resources, sizes_bytes) else timedelta(0))
        # The audit trail locks the organisation, which every transaction locks before its uploads.
        repository.lock_uploads(session, organisation_id)
        upload, to_read = service.accept_files(session, organisation_id, files, options, now, due_at=due_at)
        if not all(store.has(file.sha256) for file in files):
            raise errors.RawFilesAway("The same content is being deleted at this moment. Send it again.")
        upload_id = upload.upload_id
        if to_read:
            # Names are deleted with the upload, so the audit trail has only number and size of its files.
            size = {"files": len(sizes_bytes), "size_bytes": sum(sizes_bytes)}
            note = trail.Note(str(upload_id), after=size)
            trail.record(session, organisation_id, actor, "upload_files", note)
        else:
            service.apply_options(session, organisation_id, upload_id, options, now)
    paths = {file.sha256: file.path for file in files}
    changes = read_if_small(resources, upload_id, sizes_bytes, paths) if to_read else []
    with caller.session() as session:
        result = _describe(session, organisation_id, upload_id)
    for run_id in changes or ():
        resources.notifier.changed(run_id, ["state", "slices", "verdicts"], "finished")
    return AcceptedUpload(upload_id, result, bool(changes))


def read_if_small(
    resources: Resources, upload_id: UUID, sizes_bytes: Iterable[int], local_paths: Mapping[bytes, Path]
) -> list[UUID] | None:
    """Read a small upload and return the ids of changed runs; None if it is large, slow or already read.

    `local_paths`: copies of files by SHA-256.
    """
    if not _is_small(resources, sizes_bytes):
        return None
    within_s = resources.settings.upload_at_once_s
    return read_now(resources.database, resources.raw_files, upload_id, within_s, local_paths)


def _is_small(resources: Resources, sizes_bytes: Iterable[int]) -> bool:
    return sum(sizes_bytes) <= resources.settings.upload_at_once_bytes


def _describe(session: Session, organisation_id: UUID, upload_id: UUID) -> UploadOut | HttpProblem:
    """Return the upload for the API, or the refusal if all files were refused and reading is complete."""
    upload = service.describe(session, organisation_id, upload_id)
    refused = [file for file in upload.files if file.refusal is not None]
    if upload.state == "waiting" or upload.runs or len(refused) < len(upload.files):
        return upload
    first = refused[0]
    refusal = errors.UploadUnreadable(
        f"{first.refusal}. "
        + (f"{len(refused)} files could not be read. " if len(refused) > 1 else "")
        + f"What was sent is stored: upload {upload_id}.",
        [LocatedProblem(field=file.name, reason=file.refusal or "") for file in refused],
    )
    refusal.headers = {"Location": f"/api/v1/uploads/{upload_id}"}  # type: ignore[misc]
    return refusal
