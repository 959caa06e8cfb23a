"""Endpoints to export an organisation, and to delete it after a period of grace."""

from collections.abc import Iterator
from datetime import timedelta
from typing import IO, Annotated, Any

from fastapi import APIRouter, BackgroundTasks, Request
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, Field

from tailroom.access import trail
from tailroom.access.caller import Caller
from tailroom.access.capabilities import Capability
from tailroom.access.routing import CallerDep, GuardedRoute, SessionDep, client_address, needs
from tailroom.kit.clock import utc_now
from tailroom.kit.errors import HttpProblem, problem_responses
from tailroom.kit.outside_types import LOOKUP, RequestBody
from tailroom.kit.raw_files import CHUNK_BYTES
from tailroom.kit.resources import resources_of
from tailroom.operations import organisation_deletion, organisation_export

router = APIRouter(prefix="/api/v1/organisation", tags=["organisation"], route_class=GuardedRoute)
_PACK: dict[int | str, dict[str, Any]] = {200: {"content": {"application/zip": {}}}}


class NameDiffers(HttpProblem, status=409, title="The name is another one"):
    """The name in the request, which prevents a deletion by mistake, is not the organisation's."""


class DeletionIn(RequestBody):
    """The name of the organisation that shall be deleted."""

    name: Annotated[str, Field(max_length=200, description="as it is called now"), LOOKUP]


class DeletionOut(BaseModel):
    """When the organisation will be deleted."""

    due_at: Annotated[str | None, Field(description="when, ISO 8601 in UTC; null: it stays")]


@router.put(
    "/deletion",
    summary="Have the organisation deleted after days of grace",
    responses=problem_responses(NameDiffers),
)
@needs(Capability.MANAGE_ORGANISATION)
def ask_for_deletion(
    body: DeletionIn,
    caller: CallerDep,
    session: SessionDep,
    request: Request,
    background: BackgroundTasks,
) -> DeletionOut:
    """Request the deletion of the organisation after the days of grace. Every member gets a mail.

    Until then the organisation works as usual, and any owner can withdraw the request.
    """
    if body.name.strip() != caller.organisation_name.strip():
        raise NameDiffers(
            f"The organisation is called {caller.organisation_name!r}. Write its name to delete it."
        )
    resources = resources_of(request)
    grace = timedelta(days=resources.settings.deletion_grace_days)
    due_at = organisation_deletion.request(session, caller.organisation_id, utc_now(), grace)
    recipients = organisation_deletion.recipients_of(session, caller.organisation_id)
    base = (resources.settings.public_url or str(request.base_url)).rstrip("/")
    for email in recipients.emails:
        mail = organisation_deletion.mail_about_request(recipients.name, due_at, _name(caller), base)
        background.add_task(resources.mailer.send, email, *mail)
    return DeletionOut(due_at=due_at.isoformat())


@router.delete("/deletion", summary="Cancel the deletion of the organisation")
@needs(Capability.MANAGE_ORGANISATION)
def take_deletion_back(
    caller: CallerDep, session: SessionDep, request: Request, background: BackgroundTasks
) -> DeletionOut:
    """Withdraw the request for deletion; every member gets a mail. Harmless without a request."""
    if organisation_deletion.withdraw(session, caller.organisation_id):
        recipients = organisation_deletion.recipients_of(session, caller.organisation_id)
        for email in recipients.emails:
            mail = organisation_deletion.mail_about_withdrawal(recipients.name, _name(caller))
            background.add_task(resources_of(request).mailer.send, email, *mail)
    return DeletionOut(due_at=None)


@router.get(
    "/export",
    summary="Everything that the organisation owns, as a pack",
    response_class=StreamingResponse,
    responses=_PACK,
)
@needs(Capability.MANAGE_ORGANISATION, "reports")
def export_organisation(caller: CallerDep, request: Request) -> StreamingResponse:
    """Return a pack of all runs with data and verdicts, uploaded files, budgets, prices, drives and members.

    It has the audit trail too, but no credentials. `tailroom organisation import` of another installation
    reads it.
    """
    resources = resources_of(request)
    now = utc_now()
    pack = organisation_export.to_temporary_file(
        caller.database, resources.raw_files, caller.organisation_id, now, resources.settings.home
    )
    with caller.database.transaction() as session:
        address = client_address(request)
        actor = trail.actor_of(caller, address)
        note = trail.Note(caller.organisation_name)
        trail.record(session, caller.organisation_id, actor, "export_organisation", note)
    headers = {"Content-Disposition": f'attachment; filename="tailroom-organisation-{now:%Y%m%d-%H%M%S}.zip"'}
    return StreamingResponse(_pieces(pack), media_type="application/zip", headers=headers)


def _pieces(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while chunk := file.read(CHUNK_BYTES):
            yield chunk


def _name(caller: Caller) -> str:
    return caller.person.email if caller.person is not None else caller.token_name
