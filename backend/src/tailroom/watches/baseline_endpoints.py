"""Endpoint that compares a run with the baseline of a branch."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query

from tailroom.access.capabilities import Capability
from tailroom.access.errors import TokenScope
from tailroom.access.routing import CallerDep, GuardedRoute, needs
from tailroom.comparison.errors import SubjectsInvalid
from tailroom.kit.errors import RequestInvalid, StorageUnavailable, problem_responses
from tailroom.kit.outside_types import LookupText
from tailroom.runs.errors import RUN_REFUSALS
from tailroom.watches.baselines import compare_with_branch
from tailroom.watches.errors import WatchInvalid, WatchUnknown
from tailroom.watches.schemas import BaselineComparisonOut

router = APIRouter(prefix="/api/v1/comparisons", tags=["comparisons"], route_class=GuardedRoute)


@router.get(
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
