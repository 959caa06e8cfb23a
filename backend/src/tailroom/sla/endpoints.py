"""Endpoints of questions about SLAs. A question stores nothing."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Query, Request

from tailroom.access.capabilities import Capability
from tailroom.access.errors import OriginForeign, TokenScope
from tailroom.access.routing import CallerDep, GuardedRoute, needs
from tailroom.budgets.errors import BudgetInvalidProblem, BudgetUnknownProblem
from tailroom.comparison.errors import SubjectMissing, SubjectsInvalid
from tailroom.comparison.query import SUBJECTS_MAX
from tailroom.evidence.errors import SubjectInvalid
from tailroom.evidence.reader import EvidenceCache
from tailroom.kit.body_limit import RequestTooLarge
from tailroom.kit.clock import utc_now
from tailroom.kit.errors import HttpProblem, RequestInvalid, StorageUnavailable, problem_responses
from tailroom.kit.limits import QUESTION_BODY_BYTES
from tailroom.records.cache import RecordCache
from tailroom.runs.endpoints import RunIdPath
from tailroom.runs.errors import RUN_REFUSALS, CursorUnreadable
from tailroom.sla import carried_load, evaluations, load_search, matches, relaxations, sizing
from tailroom.sla.carried_load import CarriedOut, CarryIn
from tailroom.sla.errors import QuestionInvalid, QuestionTooLarge, RunOutsideSearch
from tailroom.sla.load_search_schema import ComparedSearchesOut, LoadSearchOut
from tailroom.sla.matches import MatchOutcomeCache
from tailroom.sla.question_schemas import EvaluateIn, MatchIn, RelaxIn, SizeIn
from tailroom.sla.schemas import EvaluationOut, MatchOut, RelaxationsOut, SizeOut

router = APIRouter(prefix="/api/v1/sla", tags=["sla"], route_class=GuardedRoute)


async def get_evidence_cache(request: Request) -> EvidenceCache:
    """Return the process's cache of evidence of runs; create it if there is none."""
    cache: EvidenceCache | None = getattr(request.app.state, "evidence_cache", None)
    if cache is None:
        cache = request.app.state.evidence_cache = RecordCache()
    return cache


async def get_match_outcomes(request: Request) -> MatchOutcomeCache:
    """Return the process's cache of outcomes of matches, as set by the application factory."""
    cache: MatchOutcomeCache = request.app.state.match_outcomes
    return cache


EvidenceCacheDep = Annotated[EvidenceCache, Depends(get_evidence_cache)]
MatchOutcomesDep = Annotated[MatchOutcomeCache, Depends(get_match_outcomes)]

_COMMON: tuple[type[HttpProblem], ...] = (
    TokenScope,
    OriginForeign,
    BudgetUnknownProblem,
    BudgetInvalidProblem,
    RequestTooLarge,
    RequestInvalid,
    QuestionTooLarge,
    StorageUnavailable,
)


@router.post(
    "/evaluate",
    summary="Does this record meet that budget?",
    responses=problem_responses(*_COMMON, *RUN_REFUSALS, SubjectInvalid),
)
@needs(Capability.ASK, threads="questions", body_bytes=QUESTION_BODY_BYTES, compress=True)
def evaluate_sla(body: EvaluateIn, caller: CallerDep, cache: EvidenceCacheDep) -> EvaluationOut:
    """Return the verdict on one record with its bounds, and the results of all models.

    For transactions, the bounds of the distribution of their times are included.
    """
    return evaluations.evaluate(caller, cache, body)


@router.post(
    "/relax",
    summary="Which least change of the budget lets a record pass?",
    responses=problem_responses(*_COMMON, *RUN_REFUSALS, SubjectInvalid),
)
@needs(Capability.ASK, threads="questions", body_bytes=QUESTION_BODY_BYTES)
def relax_sla(body: RelaxIn, caller: CallerDep, cache: EvidenceCacheDep) -> RelaxationsOut:
    """Return for each part of the budget the least change with which the record passes, if there is one."""
    return relaxations.relax(caller, cache, body)


@router.post(
    "/match",
    summary="Which configurations meet a budget?",
    responses=problem_responses(*_COMMON, CursorUnreadable),
)
@needs(Capability.ASK, threads="questions", compress=True)
def match_sla(
    body: MatchIn, caller: CallerDep, cache: EvidenceCacheDep, outcomes: MatchOutcomesDep
) -> MatchOut:
    """Return configurations of the organisation, and public ones, judged by a budget as `evaluate` does."""
    return matches.match(caller, cache, outcomes, body)


@router.post(
    "/size",
    summary="How many nodes does a rate of transactions need?",
    responses=problem_responses(*_COMMON, *RUN_REFUSALS, SubjectInvalid, QuestionInvalid),
)
@needs(Capability.ASK, threads="questions", body_bytes=QUESTION_BODY_BYTES)
def size_sla(body: SizeIn, caller: CallerDep, cache: EvidenceCacheDep) -> SizeOut:
    """Return the number of nodes with its calculation; the number is null if the record does not pass."""
    return sizing.size(caller, cache, body)


@router.post(
    "/carry",
    summary="Which configurations would have carried the load of production?",
    responses=problem_responses(
        *_COMMON, *RUN_REFUSALS, SubjectInvalid, SubjectMissing, SubjectsInvalid, QuestionInvalid
    ),
)
@needs(Capability.ASK, threads="questions", body_bytes=QUESTION_BODY_BYTES)
def carry_production_load(body: CarryIn, caller: CallerDep, cache: EvidenceCacheDep) -> CarriedOut:
    """Judge each record at its own load, and compare that load with the busiest period of production."""
    return carried_load.carry(caller, cache, body)


@router.get(
    "/load-searches",
    summary="Searches for the highest load side by side",
    responses=problem_responses(*_COMMON, *RUN_REFUSALS, SubjectInvalid),
)
@needs(Capability.ASK, threads="questions")
def compare_load_searches(
    caller: CallerDep,
    run: Annotated[
        list[UUID],
        Query(min_length=1, max_length=SUBJECTS_MAX, description="any probe of each; the base first"),
    ],
) -> ComparedSearchesOut:
    """Return for each search the bracket of its highest load (the loads between which it lies), compared with
    that of the first. Null for a run that is no probe of a search.
    """
    with caller.session() as session:
        return load_search.compared_searches(session, caller.organisation_id, run)


@router.get(
    "/load-search/{run_id}",
    summary="The search for the highest load that a run is a probe of",
    responses=problem_responses(*_COMMON, *RUN_REFUSALS, RunOutsideSearch, SubjectInvalid),
)
@needs(Capability.ASK, threads="questions")
def get_load_search(run_id: RunIdPath, caller: CallerDep) -> LoadSearchOut:
    """Return every probe of the search, judged by its objective, and the bracket of the highest load.

    Of another organisation's search only published probes are included.
    """
    with caller.session() as session:
        return load_search.load_search_with(session, caller.organisation_id, run_id, utc_now())
