"""Uploading files, and reading what became of them."""

import json
from collections.abc import Sequence
from typing import Annotated, Any, Literal
from urllib.parse import quote
from uuid import UUID

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field, ValidationError
from sqlalchemy.orm import Session

from tailroom.accounts.dependencies import READER_RESPONSES, PrincipalDep, get_principal
from tailroom.accounts.errors import OriginForeign
from tailroom.kit.clock import utc_now
from tailroom.kit.errors import LocatedProblem, Problem, RequestInvalid, StorageUnavailable, problem_responses
from tailroom.kit.raw_files import RawFileMissing, RawFiles, RawFilesUnavailable
from tailroom.kit.resources import Resources, ResourcesDep, SessionDep, get_resources
from tailroom.runs.errors import CursorUnreadable, DisclosureInvalid
from tailroom.runs.publication import check_answers
from tailroom.uploads import errors, service
from tailroom.uploads.lines import MOST_CONTEXT, lines_around
from tailroom.uploads.reading import KeptFile
from tailroom.uploads.receiving import Form, FormReader, UploadLimits, too_large
from tailroom.uploads.schemas import LinesOut, UploadOut, UploadPage
from tailroom.uploads.waiting import read_at_once

router = APIRouter(prefix="/api/v1", tags=["uploads"], responses=READER_RESPONSES)

_PIECE_BYTES = 1 << 20
_FORM = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["files"],
                    "properties": {
                        "files": {
                            "type": "array",
                            "items": {"type": "string", "format": "binary"},
                            "description": "result files of one or several runs, and their configurations; "
                            "gzip, zstd and zip are opened",
                        },
                        "visibility": {
                            "type": "string",
                            "enum": ["private", "public"],
                            "default": "private",
                        },
                        "answers": {
                            "type": "string",
                            "description": "JSON object: facts that the files do not state, by field",
                        },
                    },
                }
            }
        },
    }
}


class _Fields(BaseModel):
    """The fields of the form beside the files."""

    visibility: Literal["private", "public"] = "private"
    answers: dict[str, str | int | float | bool | None] = Field({}, max_length=200)


@router.post(
    "/uploads",
    operation_id="upload_files",
    summary="Send result files",
    status_code=201,
    response_model=UploadOut,
    responses={
        200: {"model": UploadOut, "description": "The same files were sent before; what they became"},
        202: {
            "model": UploadOut,
            "description": "The files are kept, and reading them takes a while: a worker does it. Ask for "
            "the upload again until its `state` is not `waiting`",
        },
        **problem_responses(
            errors.UploadTooLarge,
            errors.UploadTooManyFiles,
            errors.UploadMalformed,
            errors.UploadUnreadable,
            RequestInvalid,
            DisclosureInvalid,
            OriginForeign,
            errors.RawFilesAway,
            StorageUnavailable,
        ),
    },
    openapi_extra=_FORM,
)
async def upload_files(request: Request) -> Response:
    """Keeps the files, reads them, and stores what they tell as runs, which are judged like measured ones.

    The same bytes again are the same runs; a log that has grown continues its run. Where no file can be read,
    the answer says why, and the files are kept all the same. Large files are read by a worker, after the
    answer (202).
    """
    resources = get_resources(request)
    organisation_id = await run_sync(_organisation_of, request, resources)
    form = await _received(request, resources)
    limiter: CapacityLimiter = request.app.state.upload_limiter
    try:
        return await run_sync(_accept, resources, organisation_id, form, limiter=limiter)
    finally:
        await run_sync(form.discard)


@router.get(
    "/uploads",
    operation_id="list_uploads",
    summary="The organisation's uploads, newest first",
    responses=problem_responses(RequestInvalid, CursorUnreadable, StorageUnavailable),
)
def list_uploads(
    principal: PrincipalDep,
    session: SessionDep,
    limit: Annotated[int, Query(ge=1, le=200, description="uploads on a page")] = 50,
    cursor: Annotated[str | None, Query(description="`next_cursor` of the page before")] = None,
) -> UploadPage:
    """Lists what was sent, in numbers; nobody else sees it."""
    return service.list_uploads(session, principal.organisation_id, cursor, limit)


@router.get(
    "/uploads/{upload_id}",
    operation_id="get_upload",
    summary="What became of an upload",
    responses=problem_responses(errors.UploadUnknown, RequestInvalid, StorageUnavailable),
)
def get_upload(
    upload_id: Annotated[UUID, Path(description="as the answer to the upload named it")],
    principal: PrincipalDep,
    session: SessionDep,
) -> UploadOut:
    """Files with their formats and problems, runs with what is missing about them."""
    return service.describe(session, principal.organisation_id, upload_id)


Sha256Path = Annotated[str, Path(pattern=r"^[0-9a-f]{64}$", description="SHA-256 of the file, in hex")]


@router.get(
    "/raw-files/{sha256}/lines",
    operation_id="get_raw_file_lines",
    summary="Text around a line of a file",
    responses=problem_responses(
        errors.RawFileUnknown,
        errors.LineUnknown,
        errors.MemberUnknown,
        errors.RawFileUnshowable,
        errors.RawFilesAway,
        RequestInvalid,
        StorageUnavailable,
    ),
)
def get_raw_file_lines(  # noqa: PLR0917 - each query parameter is one
    sha256: Sha256Path,
    request: Request,
    resources: ResourcesDep,
    line: Annotated[int, Query(ge=1, le=1 << 40, description="counts from 1, as in problems")] = 1,
    context: Annotated[int, Query(ge=0, le=MOST_CONTEXT, description="lines before and after it")] = 3,
    member: Annotated[
        str | None, Query(max_length=4_000, description="file inside a zip archive, as the upload names it")
    ] = None,
) -> LinesOut:
    """Lines as problems number them, gzip, zstd and zip opened, to those who sent the file.

    Bytes that are no text are shown by signs; lines longer than 2,000 characters are cut.
    """
    # No connection of the pool is held while a large file is read.
    with resources.database.transaction() as session:
        principal = get_principal(request, session, resources)
        found = service.raw_file(session, principal.organisation_id, sha256)
    return lines_around(resources.raw_files, found, line=line, context=context, member=member)


@router.get(
    "/raw-files/{sha256}",
    operation_id="get_raw_file",
    summary="A file as it was sent",
    response_class=StreamingResponse,
    responses={
        200: {"content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}},
        **problem_responses(errors.RawFileUnknown, errors.RawFilesAway, RequestInvalid, StorageUnavailable),
    },
)
def get_raw_file(
    sha256: Sha256Path,
    principal: PrincipalDep,
    session: SessionDep,
    resources: ResourcesDep,
) -> StreamingResponse:
    """The bytes, unchanged, to those who sent them."""
    found = service.raw_file(session, principal.organisation_id, sha256)
    try:
        pieces = resources.raw_files.chunks(found.sha256)
    except (RawFileMissing, RawFilesUnavailable) as error:
        raise errors.RawFilesAway(f"“{found.name}” cannot be read now: {error}.") from None
    headers = {
        "Content-Length": str(found.size_bytes),
        "Content-Disposition": f"attachment; filename*=UTF-8''{quote(found.name, safe='')}",
        "Digest": f"sha-256={sha256}",
    }
    return StreamingResponse(pieces, media_type="application/octet-stream", headers=headers)


def _organisation_of(request: Request, resources: Resources) -> UUID:
    """Who sends; nothing is read of the body before that is known."""
    with resources.database.transaction() as session:
        return get_principal(request, session, resources).organisation_id


async def _received(request: Request, resources: Resources) -> Form:
    """The form, on disk. Nothing of it stays when it is refused, or when the sender goes away."""
    settings = resources.settings
    limit = settings.upload_limit_bytes
    announced = request.headers.get("content-length", "")
    if announced.isdecimal() and int(announced) > limit + _PIECE_BYTES * settings.upload_files_limit:
        raise too_large(limit)
    reader = FormReader(
        request.headers.get("content-type", ""),
        resources.raw_files,
        UploadLimits(limit, settings.upload_files_limit),
    )
    try:
        waiting = bytearray()
        async for piece in request.stream():
            waiting += piece
            if len(waiting) >= _PIECE_BYTES:
                await run_sync(reader.feed, bytes(waiting))
                waiting.clear()
        await run_sync(reader.feed, bytes(waiting))
        return reader.finish()
    except RawFilesUnavailable as error:
        reader.form.discard()
        raise errors.RawFilesAway(f"The files cannot be kept now: {error}. Nothing was stored.") from None
    except BaseException:
        reader.form.discard()
        raise


def _accept(resources: Resources, organisation_id: UUID, form: Form) -> Response:
    """Keeps, reads and stores; each step is durable before the next one begins."""
    wishes = _wishes(form.fields)
    store: RawFiles = resources.raw_files
    try:
        kept = service.keep_files(store, form.files)
    except RawFilesUnavailable as error:
        raise errors.RawFilesAway(f"The files cannot be kept now: {error}. Nothing was stored.") from None
    database, now = resources.database, utc_now()
    with database.transaction() as session:
        upload, to_read = service.accept_files(session, organisation_id, kept, wishes, now)
        upload_id = upload.upload_id
        if not to_read:
            service.grant(session, organisation_id, upload_id, wishes, now)
    news = _read_now(resources, upload_id, kept) if to_read else service.News()
    with database.transaction() as session:
        answer = _answer(session, organisation_id, upload_id)
    if news is None:
        resources.notifier.read_upload(upload_id, at_once=True)
    for run_id in news.run_ids if news else ():
        resources.notifier.changed(run_id, ["state", "slices", "verdicts"], "finished")
        resources.notifier.look_at(run_id, at_once=True)
    if isinstance(answer, Problem):
        raise answer
    status = 201 if news and news.run_ids else 200
    status = 202 if answer.state == "waiting" else status
    return Response(
        answer.model_dump_json(),
        status_code=status,
        media_type="application/json",
        headers={"Location": f"/api/v1/uploads/{upload_id}"}
        | ({"Retry-After": "2"} if status == 202 else {}),
    )


def _read_now(resources: Resources, upload_id: UUID, kept: Sequence[KeptFile]) -> service.News | None:
    """What was read while the sender waits; none: a worker reads it."""
    settings = resources.settings
    if sum(one.size_bytes for one in kept) > settings.upload_at_once_bytes:
        return None
    at_hand = {one.sha256: one.path for one in kept}
    store = resources.raw_files
    return read_at_once(resources.database, store, upload_id, settings.upload_at_once_s, at_hand)


def _answer(session: Session, organisation_id: UUID, upload_id: UUID) -> UploadOut | Problem:
    """What became of it; a refusal where nothing of it could be read."""
    found = service.describe(session, organisation_id, upload_id)
    refused = service.refusals(found.files)
    if found.state == "waiting" or found.runs or len(refused) < len(found.files):
        return found
    first = refused[0]
    refusal = errors.UploadUnreadable(
        f"{first.refusal}. "
        + (f"{len(refused)} files could not be read. " if len(refused) > 1 else "")
        + f"What was sent is kept: upload {upload_id}.",
        [LocatedProblem(field=one.name, reason=one.refusal or "") for one in refused],
    )
    refusal.headers = {"Location": f"/api/v1/uploads/{upload_id}"}  # type: ignore[misc]
    return refusal


def _wishes(fields: dict[str, str]) -> service.Wishes:
    given: dict[str, Any] = {name: value for name, value in fields.items() if name in _Fields.model_fields}
    try:
        if "answers" in given:
            given["answers"] = json.loads(given["answers"])
        checked = _Fields.model_validate(given)
    except (ValidationError, ValueError, RecursionError) as error:
        where = "visibility or answers"
        raise RequestInvalid(
            f"The field {where} does not have the documented form.",
            [LocatedProblem(field=where, reason=str(error)[:500])],
        ) from None
    check_answers(checked.answers)
    return service.Wishes(checked.visibility == "public", checked.answers)
