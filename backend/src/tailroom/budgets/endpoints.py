"""Reading budgets, and storing a version of a budget."""

from fastapi import APIRouter, Response

from tailroom.access.capabilities import Capability
from tailroom.access.errors import OriginForeign, TokenScope
from tailroom.access.routing import CallerDep, GuardedRoute, SessionDep, needs
from tailroom.budgets import service
from tailroom.budgets.errors import BudgetConflict, BudgetInvalidProblem, BudgetNameTaken, BudgetsFull
from tailroom.budgets.schemas import BudgetIn, BudgetItemOut, BudgetsOut
from tailroom.kit.body_limit import RequestTooLarge
from tailroom.kit.clock import utc_now
from tailroom.kit.errors import RequestInvalid, StorageUnavailable, problem_responses

router = APIRouter(prefix="/api/v1/budgets", tags=["budgets"], route_class=GuardedRoute)


@router.get("", summary="Budgets that can be asked about", responses=problem_responses(StorageUnavailable))
@needs(Capability.READ)
def list_budgets(caller: CallerDep, session: SessionDep) -> BudgetsOut:
    """Return the built-in budgets, then every version of the organisation's own."""
    return service.list_budgets(session, caller.organisation_id)


@router.post(
    "",
    summary="Store a version of a budget",
    status_code=201,
    responses={
        200: {"model": BudgetItemOut, "description": "The same content was stored already"},
        **problem_responses(
            TokenScope,
            OriginForeign,
            BudgetConflict,
            BudgetNameTaken,
            BudgetsFull,
            BudgetInvalidProblem,
            RequestTooLarge,
            RequestInvalid,
            StorageUnavailable,
        ),
    },
)
@needs(Capability.EDIT_BUDGETS)
def store_budget(body: BudgetIn, caller: CallerDep, session: SessionDep, response: Response) -> BudgetItemOut:
    """Store a version of a budget; the same content again changes nothing, other content is refused. All runs
    of the workloads in `applies_to` are judged by the newest version of each name from now on.
    """
    item, is_new = service.store_budget(session, caller.organisation_id, body, utc_now())
    if not is_new:
        response.status_code = 200
    return item
