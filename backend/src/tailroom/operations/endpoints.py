"""Endpoints about failed work, the quota, and permanent deletion of runs and uploads."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path, Query, Response

from tailroom.access import quotas
from tailroom.access.capabilities import Capability
from tailroom.access.errors import RunUnknown
from tailroom.access.routing import CallerDep, GuardedRoute, SessionDep, needs
from tailroom.kit.clock import utc_now
from tailroom.kit.errors import RequestInvalid, problem_responses
from tailroom.operations import removal
from tailroom.operations.schemas import (
    FailureOut,
    FailuresOut,
    LimitsOut,
    QuotaOut,
    RetryOut,
    UsageOut,
)
from tailroom.runs.endpoints import RunIdPath
from tailroom.runs.repository import find_run
from tailroom.runs.service import unknown_run
from tailroom.uploads.errors import UploadUnknown
from tailroom.uploads.repository import find_upload
from tailroom.work import failures, outbox

router = APIRouter(prefix="/api/v1", tags=["operations"], route_class=GuardedRoute)

UploadIdPath = Annotated[UUID, Path(description="as the answer to the upload named it")]


@router.get(
    "/work/given-up",
    summary="What was tried too often and is tried no more",
    responses=problem_responses(RequestInvalid),
)
@needs(Capability.READ)
def list_given_up_work(
    caller: CallerDep,
    session: SessionDep,
    limit: Annotated[int, Query(ge=1, le=200, description="works, the newest first")] = 50,
) -> FailuresOut:
    """Return the organisation's own work that failed too often, newest first.

    `POST …/retry` of the run or upload makes it due again.
    """
    given_up = failures.newest(session, caller.organisation_id, limit)
    return FailuresOut(
        failures=[
            FailureOut(
                work=failure.kind,
                subject=failure.subject,
                attempts=failure.attempts,
                error=failure.error,
                given_up_at=failure.given_up_at,
            )
            for failure in given_up
        ]
    )


@router.get("/quota", summary="What the organisation may have, and has")
@needs(Capability.READ)
def get_quota(caller: CallerDep, session: SessionDep) -> QuotaOut:
    """Return the organisation's limits and its usage. Operators set the limits; null is no limit."""
    limits = quotas.quota_of(session, caller.organisation_id)
    usage = quotas.usage_of(session, caller.organisation_id, utc_now())
    return QuotaOut(limits=LimitsOut.model_validate(limits), usage=UsageOut.model_validate(usage))


@router.post(
    "/runs/{run_id}/retry",
    summary="Try again what failed about a run",
    responses=problem_responses(RunUnknown),
)
@needs(Capability.RETRY)
def retry_run(run_id: RunIdPath, caller: CallerDep, session: SessionDep) -> RetryOut:
    """Make the failed work of a run due again, with all its attempts; return how many works that are."""
    run = find_run(session, caller.organisation_id, run_id)
    if run is None or run.organisation_id != caller.organisation_id:
        raise unknown_run(run_id)
    return RetryOut(works=outbox.retry(session, run_id, utc_now()))


@router.delete(
    "/runs/{run_id}",
    summary="Delete a run for good",
    status_code=204,
    response_class=Response,
    responses=problem_responses(RunUnknown),
)
@needs(Capability.DELETE)
def delete_run(run_id: RunIdPath, caller: CallerDep, session: SessionDep) -> Response:
    """Delete the run with its data and results for good.

    An upload from which no other run was read is deleted too. Readers of a published run see that it was
    deleted.
    """
    if not removal.delete_run(session, caller.organisation_id, run_id, utc_now()):
        raise unknown_run(run_id)
    return Response(status_code=204)


@router.post(
    "/uploads/{upload_id}/retry",
    summary="Try again to read an upload",
    responses=problem_responses(UploadUnknown),
)
@needs(Capability.RETRY)
def retry_upload(upload_id: UploadIdPath, caller: CallerDep, session: SessionDep) -> RetryOut:
    """Make the failed work of an upload due again, with all its attempts; return how many works that are."""
    if find_upload(session, caller.organisation_id, upload_id) is None:
        raise _unknown_upload(upload_id)
    return RetryOut(works=outbox.retry(session, upload_id, utc_now()))


@router.delete(
    "/uploads/{upload_id}",
    summary="Delete an upload for good",
    status_code=204,
    response_class=Response,
    responses=problem_responses(UploadUnknown),
)
@needs(Capability.DELETE)
def delete_upload(upload_id: UploadIdPath, caller: CallerDep, session: SessionDep) -> Response:
    """Delete the upload with its files, and with the runs that were read from it alone, for good."""
    if not removal.delete_upload(session, caller.organisation_id, upload_id, utc_now()):
        raise _unknown_upload(upload_id)
    return Response(status_code=204)


def _unknown_upload(upload_id: UUID) -> UploadUnknown:
    return UploadUnknown(f"There is no upload {upload_id} in this organisation.")
