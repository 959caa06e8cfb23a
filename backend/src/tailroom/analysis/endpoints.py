"""Reading what the analysis knows about a run: over time, as percentile curves, as shares over thresholds."""

from typing import Annotated

from fastapi import APIRouter, Query

from tailroom.accounts.dependencies import READER_RESPONSES, PrincipalDep
from tailroom.analysis.auditing import findings_out
from tailroom.analysis.course import course_of
from tailroom.analysis.course_schemas import CourseOut
from tailroom.analysis.schemas import ExceedancesOut, PercentilesOut, TimelineOut
from tailroom.analysis.shares import exceedances_of, percentiles_of
from tailroom.analysis.timeline import timeline_of
from tailroom.catalogue.finding_schema import RunFindingsOut
from tailroom.kit.errors import RequestInvalid, StorageUnavailable, problem_responses
from tailroom.kit.resources import SessionDep
from tailroom.runs.endpoints import RunIdPath
from tailroom.runs.errors import RunUnknown
from tailroom.runs.service import get_run

router = APIRouter(prefix="/api/v1/runs", tags=["analysis"], responses=READER_RESPONSES)

_RESPONSES = problem_responses(RunUnknown, RequestInvalid, StorageUnavailable)


@router.get(
    "/{run_id}/timeline", operation_id="get_run_timeline", summary="A run over time", responses=_RESPONSES
)
def get_run_timeline(
    run_id: RunIdPath,
    principal: PrincipalDep,
    session: SessionDep,
    max_points: Annotated[int, Query(ge=1, le=2000, description="stretches of time at most")] = 600,
) -> TimelineOut:
    """Counts and percentiles over time; stretches are gathered so that there are at most `max_points`."""
    return timeline_of(session, get_run(session, principal.organisation_id, run_id), max_points)


@router.get(
    "/{run_id}/course",
    operation_id="get_run_course",
    summary="How a run went: steady state, changes, worst hours, error budget",
    responses=_RESPONSES,
)
def get_run_course(run_id: RunIdPath, principal: PrincipalDep, session: SessionDep) -> CourseOut:
    """Every operation at the limits that its budgets set; what cannot be told says why."""
    return course_of(session, get_run(session, principal.organisation_id, run_id))


@router.get(
    "/{run_id}/percentiles",
    operation_id="get_run_percentiles",
    summary="Percentile curves of a run",
    responses=_RESPONSES,
)
def get_run_percentiles(run_id: RunIdPath, principal: PrincipalDep, session: SessionDep) -> PercentilesOut:
    """Every operation and clock; each quantile with the edges of the bucket that holds it."""
    return percentiles_of(session, get_run(session, principal.organisation_id, run_id))


@router.get(
    "/{run_id}/exceedance",
    operation_id="get_run_exceedance",
    summary="Shares of slow operations of a run",
    responses=_RESPONSES,
)
def get_run_exceedance(run_id: RunIdPath, principal: PrincipalDep, session: SessionDep) -> ExceedancesOut:
    """Every operation, clock and exact threshold, with confidence limits and, where one is set, the limit."""
    return exceedances_of(session, get_run(session, principal.organisation_id, run_id))


@router.get(
    "/{run_id}/findings",
    operation_id="get_run_findings",
    summary="What the plausibility checks found in a run",
    responses=_RESPONSES,
)
def get_run_findings(run_id: RunIdPath, principal: PrincipalDep, session: SessionDep) -> RunFindingsOut:
    """In the order of the checks; those that were made and found nothing are among them."""
    return findings_out(session, get_run(session, principal.organisation_id, run_id))
