"""Questions about SLAs. Nothing is stored by asking."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request

from tailroom.accounts.dependencies import READER_RESPONSES, PrincipalDep
from tailroom.accounts.errors import OriginForeign, TokenScope
from tailroom.budgets.errors import BudgetInvalid, BudgetUnknown
from tailroom.kit.body_limit import LimitedRoute, RequestTooLarge
from tailroom.kit.errors import Problem, RequestInvalid, StorageUnavailable, problem_responses
from tailroom.kit.resources import SessionDep
from tailroom.runs.errors import CursorUnreadable, RunUnknown
from tailroom.sla import evaluating, matching, sizing
from tailroom.sla.cache import RecordCache
from tailroom.sla.errors import QuestionInvalid, SubjectInvalid
from tailroom.sla.schemas import EvaluateIn, EvaluationOut, MatchIn, MatchOut, SizeIn, SizeOut
from tailroom.sla.subjects import KeptRuns

router = APIRouter(prefix="/api/v1/sla", tags=["sla"], responses=READER_RESPONSES, route_class=LimitedRoute)


def get_kept_runs(request: Request) -> KeptRuns:
    """What the requests of one process keep of runs."""
    kept = getattr(request.app.state, "kept_runs", None)
    if kept is None:
        kept = request.app.state.kept_runs = RecordCache()
    found: KeptRuns = kept
    return found


KeptDep = Annotated[KeptRuns, Depends(get_kept_runs)]

_COMMON: tuple[type[Problem], ...] = (
    TokenScope,
    OriginForeign,
    BudgetUnknown,
    BudgetInvalid,
    RequestTooLarge,
    RequestInvalid,
    StorageUnavailable,
)


@router.post(
    "/evaluate",
    operation_id="evaluate_sla",
    summary="Does this record keep that budget?",
    responses=problem_responses(*_COMMON, RunUnknown, SubjectInvalid),
)
def evaluate_sla(
    body: EvaluateIn, principal: PrincipalDep, session: SessionDep, kept: KeptDep
) -> EvaluationOut:
    """The verdict with its bounds, the models side by side, and the band of the transaction's time."""
    return evaluating.evaluate(session, kept, principal.organisation_id, body)


@router.post(
    "/match",
    operation_id="match_sla",
    summary="Which configurations keep a budget?",
    responses=problem_responses(*_COMMON, CursorUnreadable),
)
def match_sla(body: MatchIn, principal: PrincipalDep, session: SessionDep, kept: KeptDep) -> MatchOut:
    """Every configuration of the organisation, and what others have published figures of, each judged as
    `evaluate` does at display resolution.
    """
    return matching.match(session, kept, principal.organisation_id, body)


@router.post(
    "/size",
    operation_id="size_sla",
    summary="How many nodes does a rate of transactions take?",
    responses=problem_responses(*_COMMON, RunUnknown, SubjectInvalid, QuestionInvalid),
)
def size_sla(body: SizeIn, principal: PrincipalDep, session: SessionDep, kept: KeptDep) -> SizeOut:
    """Nodes by reads, writes and data, with the arithmetic; no number where the record does not pass."""
    return sizing.size(session, kept, principal.organisation_id, body)
