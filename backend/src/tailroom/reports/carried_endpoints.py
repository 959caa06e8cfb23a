"""Report about which tests carry a load of production, as a page and as a PDF."""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import Response
from pydantic import ValidationError

from tailroom.access.capabilities import Capability
from tailroom.access.routing import CallerDep, GuardedRoute, needs
from tailroom.budgets.errors import BudgetInvalidProblem, BudgetUnknownProblem
from tailroom.comparison.errors import SubjectMissing, SubjectsInvalid
from tailroom.evidence.errors import SubjectInvalid
from tailroom.kit.errors import RequestInvalid, StorageUnavailable, problem_responses
from tailroom.kit.outside_types import LOOKUP
from tailroom.reports.errors import PdfUnavailable
from tailroom.reports.page import template
from tailroom.reports.printed_page import PAGE_CONTENT, PageFormPath, page_response
from tailroom.runs.errors import RUN_REFUSALS
from tailroom.sla import carried_load
from tailroom.sla.carried_load import CarryIn
from tailroom.sla.endpoints import EvidenceCacheDep
from tailroom.sla.errors import QuestionInvalid

router = APIRouter(prefix="/api/v1/sla", tags=["reports"], route_class=GuardedRoute)

_MOST_CHARACTERS = 8_000
_WORDS = {"yes": "carries it", "no": "does not", "not_shown": "not shown"}


@router.get(
    "/carry/report.{form}",
    summary="The report of a load of production: which tests carry it, at which load, and what that rests on",
    response_class=Response,
    responses=PAGE_CONTENT
    | problem_responses(
        *RUN_REFUSALS,
        BudgetUnknownProblem,
        BudgetInvalidProblem,
        SubjectInvalid,
        SubjectMissing,
        SubjectsInvalid,
        QuestionInvalid,
        RequestInvalid,
        PdfUnavailable,
        StorageUnavailable,
    ),
)
@needs(Capability.ASK, threads="reports")
def get_carried_load_report(
    form: PageFormPath,
    question: Annotated[
        str, Query(max_length=_MOST_CHARACTERS, description="the body of `POST /api/v1/sla/carry`"), LOOKUP
    ],
    caller: CallerDep,
    cache: EvidenceCacheDep,
) -> Response:
    """Return the report of the question which tests carry the load of production, as a page or PDF."""
    try:
        production_question = CarryIn.model_validate_json(question)
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors()[0]["loc"])
        raise QuestionInvalid(f"`question` is no question: {where} {error.errors()[0]['msg']}") from None
    carried = carried_load.carry(caller, cache, production_question)
    page = template("production.html").render(carried=carried, made_at=datetime.now(UTC), words=_WORDS)
    return page_response(page, form, "tailroom-production")
