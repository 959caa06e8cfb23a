"""Endpoints of a run's analysis: over time, as percentile curves, as shares over thresholds."""

from collections.abc import AsyncIterator
from functools import partial
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response, StreamingResponse

from tailroom.access.caller import Caller
from tailroom.access.capabilities import Capability
from tailroom.access.routing import CallerDep, GuardedRoute, SessionDep, needs, threads_of
from tailroom.analysis.course_schemas import CourseOut
from tailroom.analysis.drive_counters import DriveCountersOut
from tailroom.analysis.export import IntervalExport, IntervalsExpired, RunFromFile
from tailroom.analysis.figures import FiguresOut
from tailroom.analysis.heatmap import HEATMAP_COLUMNS, heatmap_of
from tailroom.analysis.pictures import (
    COURSE,
    DRIVE_COUNTERS,
    EXCEEDANCE,
    FIGURES,
    HEATMAP,
    PERCENTILES,
    TIMELINE,
    TIMELINE_POINTS,
    Picture,
    picture_of,
)
from tailroom.analysis.run_reader import RunReader
from tailroom.analysis.schemas import ExceedancesOut, HeatmapOut, PercentilesOut, TimelineOut
from tailroom.analysis.timeline import timeline_of
from tailroom.catalogue.finding_schema import RunFindingsOut
from tailroom.domain.verdicts.budget_kinds import Clock
from tailroom.judging.findings import findings_out
from tailroom.kit.errors import RequestInvalid, StorageUnavailable, problem_responses
from tailroom.kit.outside_types import LookupText
from tailroom.kit.threads import Busy
from tailroom.runs.endpoints import RunIdPath
from tailroom.runs.errors import RUN_REFUSALS
from tailroom.runs.service import get_run

router = APIRouter(prefix="/api/v1/runs", tags=["analysis"], route_class=GuardedRoute)

_RESPONSES = problem_responses(*RUN_REFUSALS, RequestInvalid, StorageUnavailable)


@router.get("/{run_id}/timeline", summary="A run over time", response_model=TimelineOut, responses=_RESPONSES)
@needs(Capability.READ_RUN, threads="analysis", compress=True)
def get_run_timeline(
    run_id: RunIdPath,
    caller: CallerDep,
    max_points: Annotated[
        int, Query(ge=1, le=2000, description="stretches of time at most; percentiles have 300 at most")
    ] = TIMELINE_POINTS,
) -> Response:
    """Return counts in at most `max_points` periods, and percentiles in at most 300.

    With the default number the answer of a finished run is stored.
    """
    if max_points == TIMELINE_POINTS:
        return _picture(caller, run_id, TIMELINE)
    reader = RunReader.of(caller.session, caller.organisation_id, run_id)
    return _json(timeline_of(reader, max_points).model_dump_json(by_alias=True))


@router.get(
    "/{run_id}/heatmap",
    summary="Latencies of a run over time, as counts by time and latency",
    response_model=HeatmapOut,
    responses=_RESPONSES,
)
@needs(Capability.READ_RUN, threads="analysis", compress=True)
def get_run_heatmap(
    *,
    run_id: RunIdPath,
    caller: CallerDep,
    operation: Annotated[
        LookupText | None,
        Query(
            min_length=1,
            max_length=100,
            description="with `clock`; default: what the run names first, by response time where it has one",
        ),
    ] = None,
    clock: Clock | None = None,
    from_ns: Annotated[int, Query(ge=0, lt=2**62, description="since the start of the run")] = 0,
    to_ns: Annotated[int | None, Query(ge=1, lt=2**62, description="default: the end of the data")] = None,
    max_columns: Annotated[
        int, Query(ge=2, le=HEATMAP_COLUMNS, description="stretches of time at most")
    ] = HEATMAP_COLUMNS,
) -> Response:
    """Return the counts of at most 80 latency ranges in at most `max_columns` periods.

    Without `operation` and `clock` the answer is the whole run, and the other parameters are refused. Periods
    are never shorter than an interval.
    """
    if to_ns is not None and to_ns <= from_ns:
        raise RequestInvalid(f"to_ns is {to_ns}, which is not after from_ns, {from_ns}")
    if operation is None or clock is None:
        if (operation, clock, from_ns, to_ns, max_columns) != (None, None, 0, None, HEATMAP_COLUMNS):
            raise RequestInvalid(
                "a part of a run, or another number of columns, needs `operation` and `clock`"
            )
        return _picture(caller, run_id, HEATMAP)
    reader = RunReader.of(caller.session, caller.organisation_id, run_id)
    heatmap = heatmap_of(reader, operation, clock, from_ns=from_ns, to_ns=to_ns, max_columns=max_columns)
    return _json(heatmap.model_dump_json())


@router.get(
    "/{run_id}/intervals",
    summary="The stored intervals of a run, as the result file of its agent",
    response_class=StreamingResponse,
    responses={
        200: {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}},
        **problem_responses(
            *RUN_REFUSALS, RunFromFile, IntervalsExpired, RequestInvalid, Busy, StorageUnavailable
        ),
    },
)
@needs(Capability.READ_RUN)
async def get_run_intervals(run_id: RunIdPath, caller: CallerDep, request: Request) -> StreamingResponse:
    """Stream a run as lines of JSON: announcement, series, intervals and finish.

    Without a finish, the run has not ended, or the answer was cut off.
    """
    threads, owner = threads_of(request, "analysis"), caller.organisation_id

    def begin() -> IntervalExport:
        """Return the export of the run, with its series looked up."""
        return IntervalExport.of(RunReader.of(caller.session, owner, run_id))

    lines = (await threads.run(begin, owner)).lines()

    async def send_lines() -> AsyncIterator[bytes]:
        """Yield the lines of the file, each made in a worker thread."""
        while (line := await threads.run(partial(next, lines, None), owner)) is not None:
            yield line

    headers = {"Content-Disposition": f"attachment; filename=run-{run_id}.ndjson"}
    return StreamingResponse(send_lines(), media_type="application/x-ndjson", headers=headers)


@router.get(
    "/{run_id}/course",
    summary="How a run went: steady state, changes, worst hours, error budget",
    response_model=CourseOut,
    responses=_RESPONSES,
)
@needs(Capability.READ_RUN, threads="analysis", compress=True)
def get_run_course(run_id: RunIdPath, caller: CallerDep) -> Response:
    """Return changes, trends and steady state of every operation, each with a reason if not computed."""
    return _picture(caller, run_id, COURSE)


@router.get(
    "/{run_id}/percentiles",
    summary="Percentile curves of a run",
    response_model=PercentilesOut,
    responses=_RESPONSES,
)
@needs(Capability.READ_RUN, threads="analysis", compress=True)
def get_run_percentiles(run_id: RunIdPath, caller: CallerDep) -> Response:
    """Return the percentiles of every operation and clock (kind of time) as the bounds of their buckets."""
    return _picture(caller, run_id, PERCENTILES)


@router.get(
    "/{run_id}/exceedance",
    summary="Shares of slow operations of a run",
    response_model=ExceedancesOut,
    responses=_RESPONSES,
)
@needs(Capability.READ_RUN, threads="analysis", compress=True)
def get_run_exceedance(run_id: RunIdPath, caller: CallerDep) -> Response:
    """Return the share of operations at or over each threshold, with confidence limits and any set limit."""
    return _picture(caller, run_id, EXCEEDANCE)


@router.get(
    "/{run_id}/figures",
    summary="What a run brings to comparisons: figures with limits, and their conditions",
    response_model=FiguresOut,
    responses=_RESPONSES,
)
@needs(Capability.READ_RUN, threads="analysis", compress=True)
def get_run_figures(run_id: RunIdPath, caller: CallerDep) -> Response:
    """Return the figures of every operation and clock (kind of time), as `tailroom compare` uses them."""
    return _picture(caller, run_id, FIGURES)


@router.get(
    "/{run_id}/drive-counters",
    summary="Counters of the measured drives of a run",
    response_model=DriveCountersOut,
    responses=_RESPONSES,
)
@needs(Capability.READ_RUN, threads="analysis", compress=True)
def get_run_drive_counters(run_id: RunIdPath, caller: CallerDep) -> Response:
    """Return each reading of the drives' own counters, and bounds of their differences over the run."""
    return _picture(caller, run_id, DRIVE_COUNTERS)


@router.get("/{run_id}/findings", summary="What the plausibility checks found in a run", responses=_RESPONSES)
@needs(Capability.READ_RUN, compress=True)
def get_run_findings(run_id: RunIdPath, caller: CallerDep, session: SessionDep) -> RunFindingsOut:
    """Return the results of the checks in their order, also of checks that raised no finding."""
    return findings_out(session, get_run(session, caller.organisation_id, run_id))


def _picture(caller: Caller, run_id: UUID, picture: Picture) -> Response:
    """Return the response with a picture of a run, stored or computed now."""
    return _json(picture_of(caller.session, caller.organisation_id, run_id, picture))


def _json(body: str | bytes) -> Response:
    """Return a JSON response with this body, which is JSON already."""
    return Response(body, media_type="application/json")
