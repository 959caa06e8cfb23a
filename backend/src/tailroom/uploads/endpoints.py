"""Endpoints of uploads and of the files in them."""

from base64 import b64encode
from typing import Annotated
from urllib.parse import quote
from uuid import UUID

from anyio.to_thread import run_sync
from fastapi import APIRouter, Path, Query, Request, Response, status
from fastapi.responses import RedirectResponse, StreamingResponse

from tailroom.access import trail
from tailroom.access.capabilities import Capability
from tailroom.access.errors import OriginForeign, RunUnknown, TokenScope
from tailroom.access.quotas import QuotaReached
from tailroom.access.routing import CallerDep, GuardedRoute, SessionDep, client_address, needs, threads_of
from tailroom.kit.clock import utc_now
from tailroom.kit.errors import HttpProblem, RequestInvalid, StorageUnavailable, problem_responses
from tailroom.kit.outside_types import Cursor, LookupText
from tailroom.kit.raw_files import RawFileMissing, RawFilesUnavailable
from tailroom.kit.resources import Resources, ResourcesDep, resources_of
from tailroom.runs.errors import CursorUnreadable, DisclosureInvalid
from tailroom.uploads import answers, errors, service
from tailroom.uploads.acceptance import (
    CHUNK_BYTES,
    AcceptedUpload,
    accept,
    feed_in_chunks,
    files_unavailable,
    read_if_small,
)
from tailroom.uploads.form_fields import FORM, sender_options
from tailroom.uploads.lines import MOST_CONTEXT, lines_around
from tailroom.uploads.receiving import FormReader, ReceivedForm, too_large
from tailroom.uploads.schemas import LinesOut, UploadAnswersIn, UploadOut, UploadPage
from tailroom.uploads.waiting import SENDER_WAIT

router = APIRouter(prefix="/api/v1", tags=["uploads"], route_class=GuardedRoute)


@router.post(
    "/uploads",
    summary="Send result files",
    status_code=201,
    response_model=UploadOut,
    responses={
        200: {
            "model": UploadOut,
            "description": "No run is new or longer: the files were sent before, or hold no results",
        },
        202: {
            "model": UploadOut,
            "description": "The files are stored; a worker reads them. Request the upload again until its "
            "`state` is not `waiting`",
        },
        **problem_responses(
            errors.UploadTooLarge,
            errors.UploadTooManyFiles,
            errors.UploadMalformed,
            errors.UploadUnreadable,
            QuotaReached,
            RequestInvalid,
            DisclosureInvalid,
            OriginForeign,
            errors.RawFilesAway,
            StorageUnavailable,
        ),
    },
    openapi_extra=FORM,
)
@needs(Capability.UPLOAD)
async def upload_files(request: Request, caller: CallerDep) -> Response:
    """Store the files, read them, and store their results as runs, which are judged like measured runs.

    The same bytes are the same runs; a longer copy of a log replaces the data of its run. If no file can be
    read, the answer gives the reason, and the files are stored. A worker reads large files after the answer
    (202).
    """
    resources = resources_of(request)
    form = await _receive_form(request, resources)
    try:
        threads = threads_of(request, "uploads")
        actor = trail.actor_of(caller, client_address(request))
        return await threads.run(
            lambda: _response(accept(resources, caller, actor, form, sender_options(form.fields))),
            caller.organisation_id,
        )
    finally:
        await run_sync(form.discard)


@router.get(
    "/uploads",
    summary="The organisation's uploads, newest first",
    responses=problem_responses(RequestInvalid, CursorUnreadable, StorageUnavailable),
)
@needs(Capability.READ, compress=True)
def list_uploads(
    caller: CallerDep,
    session: SessionDep,
    limit: Annotated[int, Query(ge=1, le=200, description="uploads on a page")] = 50,
    cursor: Annotated[Cursor | None, Query()] = None,
) -> UploadPage:
    """Return one page of the organisation's uploads, newest first. Uploads are private."""
    return service.list_uploads(session, caller.organisation_id, cursor, limit)


@router.get(
    "/uploads/{upload_id}",
    summary="An upload and its result",
    responses=problem_responses(errors.UploadUnknown, RequestInvalid, StorageUnavailable),
)
@needs(Capability.READ)
def get_upload(
    upload_id: Annotated[UUID, Path(description="id in the answer to the upload")],
    caller: CallerDep,
    session: SessionDep,
) -> UploadOut:
    """Return the files with their formats and problems, and the runs with the facts that are missing."""
    return service.describe(session, caller.organisation_id, upload_id)


@router.patch(
    "/uploads/{upload_id}/answers",
    summary="Add facts that the files of an upload do not state",
    responses={
        202: {"model": UploadOut, "description": "A worker reads its files again; request the upload later"},
        **problem_responses(
            TokenScope,
            OriginForeign,
            errors.UploadUnknown,
            errors.RawFileExpired,
            RunUnknown,
            DisclosureInvalid,
            RequestInvalid,
            StorageUnavailable,
        ),
    },
)
@needs(Capability.PUBLISH, threads="uploads")
def answer_upload(
    upload_id: Annotated[UUID, Path(description="id in the answer to the upload")],
    body: UploadAnswersIn,
    caller: CallerDep,
    resources: ResourcesDep,
    response: Response,
) -> UploadOut:
    """Store answers about an upload, and make its runs due to be judged again if the answers concern them.

    If the unit changes, the files are read again, small files at once.
    """
    now = utc_now()
    with caller.session() as session:
        is_read_again = answers.answer(
            session,
            caller.organisation_id,
            upload_id,
            body.answers,
            now,
            run_id=body.run_id,
            due_at=now + SENDER_WAIT,
        )
        files = service.describe(session, caller.organisation_id, upload_id).files
    if is_read_again:
        sizes = {file.sha256: file.size_bytes for file in files}
        read_if_small(resources, upload_id, sizes.values(), {})
    with caller.session() as session:
        upload = service.describe(session, caller.organisation_id, upload_id)
    response.status_code = 202 if upload.state == "waiting" else 200
    return upload


Sha256Path = Annotated[str, Path(pattern=r"^[0-9a-f]{64}$", description="SHA-256 of the file, in hex")]


@router.get(
    "/raw-files/{sha256}/lines",
    summary="Text around a line of a file",
    responses=problem_responses(
        errors.RawFileUnknown,
        errors.RawFileExpired,
        errors.LineUnknown,
        errors.ArchiveMemberUnknown,
        errors.RawFileUnshowable,
        errors.RawFilesAway,
        RequestInvalid,
        StorageUnavailable,
    ),
)
@needs(Capability.READ, threads="questions")
def get_raw_file_lines(  # noqa: PLR0917 - each query parameter is one
    sha256: Sha256Path,
    caller: CallerDep,
    resources: ResourcesDep,
    line: Annotated[int, Query(ge=1, le=1 << 40, description="counts from 1, as in problems")] = 1,
    context: Annotated[int, Query(ge=0, le=MOST_CONTEXT, description="lines before and after it")] = 3,
    member: Annotated[
        LookupText | None,
        Query(max_length=4000, description="file inside a zip archive, as the upload names it"),
    ] = None,
) -> LinesOut:
    """Return lines of a file, unpacked, by the numbers of problems, to the organisation that sent it.

    Bytes that are no text are replaced by symbols; lines longer than 2,000 characters are cut.
    """
    # No connection of the pool is held while a large file is read.
    with caller.session() as session:
        file = service.raw_file(session, caller.organisation_id, sha256)
    return lines_around(resources.raw_files, file, line=line, context=context, member=member)


@router.get(
    "/raw-files/{sha256}",
    summary="A file as it was sent",
    response_class=StreamingResponse,
    responses={
        200: {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}},
        307: {"description": "The address of the file in the object store, valid for a moment"},
        **problem_responses(
            errors.RawFileUnknown,
            errors.RawFileExpired,
            errors.RawFilesAway,
            RequestInvalid,
            StorageUnavailable,
        ),
    },
)
@needs(Capability.READ)
def get_raw_file(
    sha256: Sha256Path, caller: CallerDep, session: SessionDep, resources: ResourcesDep
) -> Response:
    """Return the unchanged bytes of a file to the organisation that sent it.

    An installation with an object store may redirect to an address there, which is valid for a moment.
    """
    file = service.raw_file(session, caller.organisation_id, sha256)
    valid_s = resources.settings.raw_file_address_s
    if valid_s is not None and (address := resources.raw_files.address(file.sha256, valid_s)) is not None:
        return RedirectResponse(address, status.HTTP_307_TEMPORARY_REDIRECT, {"Cache-Control": "no-store"})
    try:
        chunks = resources.raw_files.chunks(file.sha256)
    except (RawFileMissing, RawFilesUnavailable) as error:
        raise errors.RawFilesAway(f"“{file.name}” cannot be read now: {error}.") from None
    headers = {
        "Content-Length": str(file.size_bytes),
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(file.name, safe='')}",
        "Repr-Digest": f"sha-256=:{b64encode(bytes.fromhex(sha256)).decode()}:",
    }
    return StreamingResponse(chunks, media_type="application/octet-stream", headers=headers)


async def _receive_form(request: Request, resources: Resources) -> ReceivedForm:
    """Return the form with its files on disk; they are removed if receiving fails.

    Raise UploadTooLarge before reading if the announced length is too large, and the refusals of
    `FormReader`; RawFilesAway if the files cannot be stored.
    """
    settings = resources.settings
    limit = settings.upload_limit_bytes
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced) > limit + CHUNK_BYTES * settings.upload_files_limit:
        raise too_large(limit)
    reader = FormReader(
        request.headers.get("content-type", ""),
        resources.raw_files,
        most_bytes=limit,
        most_files=settings.upload_files_limit,
    )
    try:
        await feed_in_chunks(request, reader.feed)
        return await run_sync(reader.finish)
    except RawFilesUnavailable as error:
        reader.form.discard()
        raise files_unavailable(error) from None
    except BaseException:
        reader.form.discard()
        raise


def _response(accepted: AcceptedUpload) -> Response:
    """Return the response to an upload: 201 for changed runs, 202 while it waits for a worker, else 200."""
    if isinstance(accepted.result, HttpProblem):
        raise accepted.result
    status = 201 if accepted.changed else 200
    status = 202 if accepted.result.state == "waiting" else status
    return Response(
        accepted.result.model_dump_json(),
        status_code=status,
        media_type="application/json",
        headers={"Location": f"/api/v1/uploads/{accepted.upload_id}"}
        | ({"Retry-After": "2"} if status == 202 else {}),
    )
