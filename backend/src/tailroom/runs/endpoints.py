"""Reading runs, and asking one to stop."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path, Query

from tailroom.access.capabilities import Capability
from tailroom.access.errors import OriginForeign, RunUnknown, TokenScope
from tailroom.access.routing import CallerDep, GuardedRoute, SessionDep, needs
from tailroom.kit.clock import utc_now
from tailroom.kit.db import after_commit
from tailroom.kit.errors import RequestInvalid, StorageUnavailable, problem_responses
from tailroom.kit.limits import ANSWERS_BODY_BYTES
from tailroom.kit.outside_types import Cursor, LookupText
from tailroom.kit.resources import ResourcesDep
from tailroom.runs import ladders, machine_logs, publication, service
from tailroom.runs.errors import (
    RUN_REFUSALS,
    CursorUnreadable,
    DisclosureInvalid,
    RunAlreadyFinished,
    RunOutsideLadder,
)
from tailroom.runs.ladder_schemas import LadderOut
from tailroom.runs.machine_logs import LogsBesideOut
from tailroom.runs.repository import RunFilter
from tailroom.runs.schemas import (
    DisclosureIn,
    PublicationIn,
    RetractionIn,
    RunDetail,
    RunNamesOut,
    RunPage,
    RunSort,
    RunState,
    Scope,
)

router = APIRouter(prefix="/api/v1/runs", tags=["runs"], route_class=GuardedRoute)

RunIdPath = Annotated[UUID, Path(description="the run's id, a UUIDv7")]


@router.get(
    "",
    summary="The organisation's runs and what others have published, newest first unless sorted",
    responses=problem_responses(RequestInvalid, CursorUnreadable, StorageUnavailable),
)
@needs(Capability.READ, compress=True)
def list_runs(  # noqa: PLR0917 - each query parameter is one
    caller: CallerDep,
    session: SessionDep,
    limit: Annotated[int, Query(ge=1, le=200, description="runs on a page")] = 50,
    cursor: Annotated[Cursor | None, Query()] = None,
    state: Annotated[RunState | None, Query(description="only runs in this state")] = None,
    workload: Annotated[LookupText | None, Query(max_length=100, description="only this workload")] = None,
    q: Annotated[LookupText | None, Query(max_length=200, description="text in title or host name")] = None,
    scope: Annotated[
        Scope, Query(description="the organisation's own runs, what anybody has published, or both")
    ] = "all",
    sort: Annotated[
        RunSort,
        Query(description="the order; a leading minus is descending, runs that are equal follow by id"),
    ] = "-started",
    run: Annotated[
        list[UUID] | None,
        Query(
            max_length=200, description="only these runs; repeat it for several, to see what became of them"
        ),
    ] = None,
) -> RunPage:
    """Return one page of runs with short forms of their verdicts."""
    run_filter = RunFilter(state=state, workload=workload, text=q, scope=scope, run_ids=run, sort=sort)
    return service.list_runs(session, caller.organisation_id, run_filter, cursor, limit)


@router.get(
    "/{run_id}",
    summary="One run",
    responses=problem_responses(*RUN_REFUSALS, RequestInvalid, StorageUnavailable),
)
@needs(Capability.READ_RUN, compress=True)
def get_run(run_id: RunIdPath, caller: CallerDep, session: SessionDep) -> RunDetail:
    """Return everything about a run besides its distributions."""
    run = service.get_run(session, caller.organisation_id, run_id)
    return service.describe_run(session, run, caller.organisation_id)


@router.get(
    "/{run_id}/ladder",
    summary="The load ladder that a run is a step of",
    responses=problem_responses(*RUN_REFUSALS, RunOutsideLadder, RequestInvalid, StorageUnavailable),
)
@needs(Capability.READ_RUN)
def get_run_ladder(run_id: RunIdPath, caller: CallerDep, session: SessionDep) -> LadderOut:
    """Return every step with its verdict on ACT's limits, and the highest load that these verdicts prove.

    A ladder (runs at rising loads) of another organisation has only its published steps.
    """
    run = service.get_run(session, caller.organisation_id, run_id)
    return ladders.ladder_with(session, caller.organisation_id, run, utc_now())


@router.get(
    "/{run_id}/beside",
    summary="Logs of iostat, sar, mpstat and vmstat that cover the time of a run",
    responses=problem_responses(*RUN_REFUSALS, RequestInvalid, StorageUnavailable),
)
@needs(Capability.READ_RUN)
def get_run_beside(run_id: RunIdPath, caller: CallerDep, session: SessionDep) -> LogsBesideOut:
    """Return logs from the run's upload, and logs of the same time that do not name another machine. Times
    are compared if run and log state a time zone. Other organisations than the run's owner get no logs.
    """
    run = service.get_run(session, caller.organisation_id, run_id)
    return machine_logs.logs_beside(session, caller.organisation_id, run)


@router.post(
    "/{run_id}/stop",
    summary="Ask a run to stop",
    responses=problem_responses(
        TokenScope, OriginForeign, RunUnknown, RunAlreadyFinished, RequestInvalid, StorageUnavailable
    ),
)
@needs(Capability.STOP)
def stop_run(run_id: RunIdPath, caller: CallerDep, session: SessionDep, resources: ResourcesDep) -> RunDetail:
    """Ask the agent to end early, in the answer to its next batch. A repeated request changes nothing."""
    run, is_new = service.request_stop(session, caller.organisation_id, run_id)
    if is_new:
        after_commit(session, lambda: resources.notifier.changed(run.run_id, ["state"], run.state))
    return service.describe_run(session, run)


_OWNER_RESPONSES = problem_responses(
    TokenScope, OriginForeign, RunUnknown, RequestInvalid, StorageUnavailable, DisclosureInvalid
)


@router.patch(
    "/{run_id}/disclosure",
    summary="Add facts that the run does not state",
    responses=_OWNER_RESPONSES,
)
@needs(Capability.PUBLISH, body_bytes=ANSWERS_BODY_BYTES)
def answer_disclosure(
    run_id: RunIdPath, disclosure: DisclosureIn, caller: CallerDep, session: SessionDep
) -> RunDetail:
    """Store answers about a run with their time, apart from the measurement; null withdraws an answer."""
    run = publication.answer(session, caller.organisation_id, run_id, disclosure.answers, utc_now())
    return service.describe_run(session, run)


@router.get(
    "/{run_id}/names",
    summary="Names that publishing a run may show, by kind",
    responses=problem_responses(RunUnknown, RequestInvalid),
)
@needs(Capability.PUBLISH)
def get_run_names(run_id: RunIdPath, caller: CallerDep, session: SessionDep) -> RunNamesOut:
    """Return the organisation's own names in a run, by kind.

    A publication shows names of the selected kinds, and replaces others with neutral names, such as "host 1".
    """
    names = publication.names(session, caller.organisation_id, run_id)
    return RunNamesOut.model_validate(names)


@router.post("/{run_id}/publish", summary="Let everybody read a run", responses=_OWNER_RESPONSES)
@needs(Capability.PUBLISH)
def publish_run(
    run_id: RunIdPath, caller: CallerDep, session: SessionDep, request: PublicationIn | None = None
) -> RunDetail:
    """Publish a run for all readers of this installation who have its link; raw files stay private.

    Names of kinds outside `shown` are replaced, for example by "host 1". The last request decides.
    """
    shown = frozenset(request.shown if request is not None else ())
    run = publication.publish(session, caller.organisation_id, run_id, shown, utc_now())
    return service.describe_run(session, run)


@router.post("/{run_id}/retract", summary="Withdraw a published run", responses=_OWNER_RESPONSES)
@needs(Capability.PUBLISH)
def retract_run(
    run_id: RunIdPath, request: RetractionIn, caller: CallerDep, session: SessionDep
) -> RunDetail:
    """Withdraw a published run; other readers see when and why. A run that is not public does not change."""
    run = publication.retract(session, caller.organisation_id, run_id, request.reason, utc_now())
    return service.describe_run(session, run)
