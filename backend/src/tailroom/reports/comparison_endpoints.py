"""The report of a comparison: the answers of the compare page, as a page and as a PDF."""

from datetime import UTC, datetime

from fastapi import APIRouter
from fastapi.responses import Response

from tailroom.access.capabilities import Capability
from tailroom.access.routing import CallerDep, GuardedRoute, needs
from tailroom.comparison.errors import SubjectMissing, SubjectsInvalid
from tailroom.comparison.query import ComparisonQueryDep
from tailroom.comparison.service import compare_subjects
from tailroom.kit.errors import RequestInvalid, StorageUnavailable, problem_responses
from tailroom.reports.comparison_page import comparison_page
from tailroom.reports.errors import PdfUnavailable
from tailroom.reports.printed_page import PAGE_CONTENT, PageFormPath, page_response
from tailroom.runs.errors import RUN_REFUSALS

router = APIRouter(prefix="/api/v1/comparisons", tags=["reports"], route_class=GuardedRoute)


@router.get(
    "/report.{form}",
    summary="The report of a comparison: answers, objections, every gain with its limits",
    response_class=Response,
    responses=PAGE_CONTENT
    | problem_responses(
        *RUN_REFUSALS, SubjectMissing, SubjectsInvalid, RequestInvalid, PdfUnavailable, StorageUnavailable
    ),
)
@needs(Capability.ASK, threads="reports")
def get_comparison_report(
    form: PageFormPath,
    query: ComparisonQueryDep,
    caller: CallerDep,
) -> Response:
    """Return the figures of the comparison as a report, which is the same bytes each time but for
    its date.
    """
    page = comparison_page(compare_subjects(caller, query), datetime.now(UTC))
    return page_response(page, form, "tailroom-comparison")
