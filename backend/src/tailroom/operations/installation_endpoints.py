"""Endpoints about the whole installation, for its operator. Roles in an organisation give no access."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path, Request
from sqlalchemy.orm import Session

from tailroom.access import trail
from tailroom.access.caller import Caller
from tailroom.access.capabilities import Capability
from tailroom.access.quotas import quota_of
from tailroom.access.routing import CallerDep, GuardedRoute, client_address, needs
from tailroom.access.trail import Note
from tailroom.kit.clock import utc_now
from tailroom.kit.errors import HttpProblem, problem_responses
from tailroom.operations.installation_schemas import OverviewOut
from tailroom.operations.overview import MOST_WORKS, overview
from tailroom.operations.schemas import LimitsIn, LimitsOut, RetryOut
from tailroom.storage.organisation import Organisation
from tailroom.storage.quota import Quota
from tailroom.work import failures, outbox


class OrganisationUnknown(HttpProblem, status=404, title="There is no such organisation"):
    """The installation has no such organisation."""


router = APIRouter(prefix="/api/v1/operations", tags=["operations"], route_class=GuardedRoute)


@router.get("", summary="Work, storage, partitions, agents and backups")
@needs(Capability.OPERATE)
def get_operations(caller: CallerDep) -> OverviewOut:
    """Return the figures of all organisations together. Row counts of tables are PostgreSQL's estimates."""
    with caller.database.transaction() as session:
        return overview(session, utc_now())


@router.post("/retry", summary="Try everything again that was given up")
@needs(Capability.OPERATE)
def retry_all_work(caller: CallerDep, request: Request) -> RetryOut:
    """Make the failed work of every organisation due again; return how many works that are."""
    with caller.database.transaction() as session:
        failed = {failure.organisation_id for failure in failures.newest(session, None, MOST_WORKS)}
        for organisation_id in sorted(failed):
            note = Note("everything given up")
            record(session, organisation_id, caller, request, "retry_all_work", note)
        return RetryOut(works=outbox.retry(session, None, utc_now()))


@router.post("/retry/{subject}", summary="Try again what failed about one thing")
@needs(Capability.OPERATE)
def retry_work(
    subject: Annotated[UUID, Path(description="of the work that was given up")],
    caller: CallerDep,
    request: Request,
) -> RetryOut:
    """Make the failed work of a run, upload or other subject due again; harmless if nothing failed."""
    with caller.database.transaction() as session:
        for failure in failures.by_subject(session, [subject]).get(subject, []):
            note = Note(f"{failure.kind} {subject}")
            record(session, failure.organisation_id, caller, request, "retry_work", note)
        return RetryOut(works=outbox.retry(session, subject, utc_now()))


@router.put(
    "/organisations/{organisation_id}/quota",
    summary="Limit what an organisation may have",
    responses=problem_responses(OrganisationUnknown),
)
@needs(Capability.OPERATE)
def set_quota(
    organisation_id: Annotated[UUID, Path(description="of the overview")],
    body: LimitsIn,
    caller: CallerDep,
    request: Request,
) -> LimitsOut:
    """Replace all limits of an organisation. Existing data stays; new data beyond a limit is refused."""
    with caller.database.transaction() as session:
        if session.get(Organisation, organisation_id) is None:
            raise OrganisationUnknown(f"There is no organisation {organisation_id}.")
        before = LimitsOut.model_validate(quota_of(session, organisation_id)).model_dump()
        session.merge(Quota(organisation_id=organisation_id, **body.model_dump()))
        session.flush()
        note = Note("quota", before=before, after=body.model_dump())
        record(session, organisation_id, caller, request, "set_quota", note)
    return LimitsOut(**body.model_dump())


def record(  # noqa: PLR0917 - what an event states
    session: Session, organisation_id: UUID, caller: Caller, request: Request, action: str, note: Note
) -> None:
    """Record an operator's action in the audit trail of the organisation; do nothing if it does not exist."""
    if session.get(Organisation, organisation_id) is not None:
        actor = trail.operator_of(caller, client_address(request))
        trail.record(session, organisation_id, actor, action, note)
