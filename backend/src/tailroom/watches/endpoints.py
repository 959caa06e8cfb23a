"""Endpoints of watches: list, create, test, delete, trend, and the comparison of a run with a watch."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path, Query, Request, Response

from tailroom.access import trail
from tailroom.access.capabilities import Capability
from tailroom.access.errors import MailsTooMany, OriginForeign, TokenScope
from tailroom.access.routing import CallerDep, GuardedRoute, SessionDep, needs
from tailroom.access.sending import SendingLimits
from tailroom.budgets.errors import BudgetUnknownProblem
from tailroom.comparison.errors import SubjectsInvalid
from tailroom.kit.clock import utc_now
from tailroom.kit.errors import RequestInvalid, StorageUnavailable, problem_responses
from tailroom.kit.outside_types import LookupText, parse_networks
from tailroom.kit.resources import resources_of
from tailroom.runs.errors import RUN_REFUSALS
from tailroom.watches import service
from tailroom.watches.baselines import compare_with_branch
from tailroom.watches.errors import WatchesTooMany, WatchInvalid, WatchUnknown
from tailroom.watches.schemas import (
    BaselineComparisonOut,
    TrendOut,
    WatchesOut,
    WatchIn,
    WatchMadeOut,
    WatchOut,
)
from tailroom.watches.webhooks import AddressRefused, resolve_allowed

router = APIRouter(prefix="/api/v1/watches", tags=["watches"], route_class=GuardedRoute)
baselines_router = APIRouter(prefix="/api/v1/comparisons", tags=["comparisons"], route_class=GuardedRoute)

WatchIdPath = Annotated[UUID, Path(description="of the list of watches")]
_CHANGES = (TokenScope, OriginForeign, RequestInvalid, StorageUnavailable)


@router.get(
    "",
    summary="What the organisation watches, with its history",
    responses=problem_responses(TokenScope, StorageUnavailable),
)
@needs(Capability.READ)
def list_watches(caller: CallerDep, session: SessionDep) -> WatchesOut:
    """Return the watches, each with the verdicts on its latest runs and the state of its alerts."""
    return WatchesOut(watches=service.list_watches(session, caller.organisation_id))


@router.post(
    "",
    summary="Watch a configuration",
    status_code=201,
    responses=problem_responses(WatchInvalid, WatchesTooMany, BudgetUnknownProblem, *_CHANGES),
)
@needs(Capability.WATCH, threads="questions")
def make_watch(body: WatchIn, caller: CallerDep, request: Request) -> WatchMadeOut:
    """Create a watch with finished runs as its history, with which its later runs are compared."""
    resources = resources_of(request)
    if body.webhook_url is not None:
        # A name server may take its time, so no transaction is open.
        try:
            resolve_allowed(body.webhook_url, parse_networks(resources.settings.alert_networks))
        except AddressRefused as error:
            raise WatchInvalid(f"No alert can be sent to this address: {error}.") from None
    is_stored = resources.mailer.is_stored
    with caller.session() as session:
        watch = service.make_watch(
            session, caller.organisation_id, body, mail_is_stored=is_stored, now=utc_now()
        )
        trail.note(session, watch.name, after={"watch_id": str(watch.watch_id), "budget": watch.budget_name})
        described = service.describe(session, watch)
        return WatchMadeOut(**described.model_dump(), webhook_secret=watch.webhook_secret)


@router.delete(
    "/{watch_id}",
    summary="End a watch",
    status_code=204,
    responses=problem_responses(WatchUnknown, *_CHANGES),
)
@needs(Capability.WATCH)
def end_watch(watch_id: WatchIdPath, caller: CallerDep, session: SessionDep) -> Response:
    """Delete a watch with its history and alerts; its runs are not changed."""
    watch = service.end_watch(session, caller.organisation_id, watch_id)
    trail.note(session, watch.name, before={"watch_id": str(watch_id), "budget": watch.budget_name})
    return Response(status_code=204)


@router.post(
    "/{watch_id}/trial",
    summary="Send a trial alert",
    status_code=202,
    responses=problem_responses(WatchUnknown, WatchInvalid, MailsTooMany, *_CHANGES),
)
@needs(Capability.WATCH)
def try_watch(watch_id: WatchIdPath, caller: CallerDep, session: SessionDep, request: Request) -> WatchOut:
    """Send a test alert by every channel of the watch; it counts towards the limits of mails."""
    sending = request.app.state.sending
    assert isinstance(sending, SendingLimits)  # noqa: S101 - set by the application factory
    return service.try_alerts(session, caller.organisation_id, watch_id, sending, utc_now())


@router.get(
    "/{watch_id}/trend",
    summary="A watched configuration over its runs: figures, changes of level, what else changed",
    responses=problem_responses(TokenScope, WatchUnknown, RequestInvalid, StorageUnavailable),
)
@needs(Capability.READ, threads="analysis", compress=True)
def get_watch_trend(
    watch_id: WatchIdPath,
    caller: CallerDep,
    operation: Annotated[
        LookupText | None,
        Query(min_length=1, max_length=100, description="reads where none is named"),
    ] = None,
) -> TrendOut:
    """Return the figures of the latest 60 runs, and changes of level beyond the variation of equal runs."""
    return service.trend_of(caller.session, caller.organisation_id, watch_id, operation)


@baselines_router.get(
    "/baseline",
    summary="A run against the runs of a branch",
    responses=problem_responses(
        *RUN_REFUSALS,
        WatchUnknown,
        WatchInvalid,
        SubjectsInvalid,
        TokenScope,
        RequestInvalid,
        StorageUnavailable,
    ),
)
@needs(Capability.ASK, threads="analysis")
def get_baseline_comparison(
    branch: Annotated[LookupText, Query(min_length=1, max_length=200, description="a watch by its name")],
    run: Annotated[UUID, Query(description="the new run")],
    caller: CallerDep,
    operation: Annotated[LookupText | None, Query(min_length=1, max_length=100)] = None,
) -> BaselineComparisonOut:
    """Return the comparison of a run with a branch, as by `tailroom compare --baseline BRANCH NEW`."""
    return compare_with_branch(caller, branch, run, operation)
