"""Endpoint that imports the pack of an organisation from another installation, for operators."""

import tempfile
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field

from tailroom.access.capabilities import Capability
from tailroom.access.routing import CallerDep, GuardedRoute, needs, threads_of
from tailroom.access.trail import Note
from tailroom.kit.body_limit import RequestTooLarge
from tailroom.kit.clock import utc_now
from tailroom.kit.errors import HttpProblem, problem_responses
from tailroom.kit.outside_types import Lookup
from tailroom.kit.resources import ResourcesDep
from tailroom.operations.installation_endpoints import record
from tailroom.operations.organisation_import import import_pack
from tailroom.operations.organisation_pack import OrganisationPackRefused

IMPORT_PATH = "/api/v1/operations/organisations/import"
router = APIRouter(prefix="/api/v1/operations/organisations", tags=["operations"], route_class=GuardedRoute)
_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


class ImportPackUnreadable(HttpProblem, status=409, code="pack-refused", title="The pack cannot be imported"):
    """The body is not a pack that this installation can import."""


class ImportedOut(BaseModel):
    """Result of an import."""

    organisation_id: UUID
    organisation: str
    new_rows: int = Field(description="0: everything was here already")
    new_runs: int
    drives_left_out: int = Field(description="those that conflict with a drive of another organisation here")
    members: list[str] = Field(description="e-mail addresses; the import gives them no access")


@router.post(
    "/import",
    summary="Read an organisation that another installation exported",
    responses=problem_responses(ImportPackUnreadable, RequestTooLarge),
    openapi_extra=_BODY,
)
@needs(Capability.OPERATE)
async def import_organisation(
    request: Request,
    caller: CallerDep,
    resources: ResourcesDep,
    into: Annotated[
        Lookup | None,
        Query(description="name of the organisation that has the pack's id here, to add its rows to that"),
    ] = None,
) -> ImportedOut:
    """Import an organisation as `tailroom organisation import` does: the whole pack or nothing.

    Importing it again changes nothing. Runs arrive private and are judged again, and members must be invited
    again (`tailroom organisation invite`). Rows are added to an existing organisation only if `into` is its
    name.
    """
    limit, size = resources.settings.upload_limit_bytes, 0
    home = resources.settings.home if resources.settings.home.is_dir() else None
    with tempfile.NamedTemporaryFile(dir=home, suffix=".zip") as file:
        async for chunk in request.stream():
            size += len(chunk)
            if size > limit:
                raise RequestTooLarge(f"A pack may have {limit:,} bytes (TAILROOM_UPLOAD_LIMIT_BYTES).")
            file.write(chunk)
        file.flush()

        def work() -> ImportedOut:
            try:
                result = import_pack(
                    caller.database, resources.raw_files, Path(file.name), utc_now(), into=into
                )
            except OrganisationPackRefused as refusal:
                raise ImportPackUnreadable(f"Nothing was imported: {refusal}") from None
            owner, new = result.manifest.organisation_id, sum(result.rows.values())
            with caller.database.transaction() as session:
                note = Note(result.manifest.organisation, after={"new_rows": new})
                record(session, owner, caller, request, "import_organisation", note)
            return ImportedOut(
                organisation_id=owner,
                organisation=result.manifest.organisation,
                new_rows=new,
                new_runs=result.rows["run"],
                drives_left_out=result.items_left_out,
                members=[member.email for member in result.members],
            )

        return await threads_of(request, "reports").run(work)
