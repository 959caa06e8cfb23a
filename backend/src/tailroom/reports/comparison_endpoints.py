"""Report of a comparison, as a page and as a PDF."""

from datetime import UTC, datetime

from fastapi import APIRouter
from fastapi.responses import Response

from tailroom.access.capabilities import Capability
from tailroom.access.routing import CallerDep, GuardedRoute, needs
from tailroom.analysis.schemas import CurveOut
from tailroom.comparison.errors import SubjectMissing, SubjectsInvalid
from tailroom.comparison.query import ComparisonQueryDep
from tailroom.comparison.schemas import ComparisonOut
from tailroom.comparison.service import compare_subjects
from tailroom.kit.errors import RequestInvalid, StorageUnavailable, problem_responses
from tailroom.reports.errors import PdfUnavailable
from tailroom.reports.page import template
from tailroom.reports.printed_page import PAGE_CONTENT, PageFormPath, page_response
from tailroom.runs.errors import RUN_REFUSALS

router = APIRouter(prefix="/api/v1/comparisons", tags=["reports"], route_class=GuardedRoute)

_EFFECTS = {"better": "better", "worse": "worse", "same": "no change", "open": "not shown"}


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
    """Return the report of a comparison, as a page or PDF."""
    page = _comparison_page(compare_subjects(caller, query), datetime.now(UTC))
    return page_response(page, form, "tailroom-comparison")


def _comparison_page(comparison: ComparisonOut, made_at: datetime) -> str:
    """Return the report as HTML. The same comparison gives the same bytes, except for the date."""
    curves = [
        CurveOut.model_validate(
            {
                "operation": subject.label,
                "clock": subject.clock,
                "count": subject.samples,
                "miss_count": 0,
                "max_ns": None,
                "points": [point.model_dump() for point in subject.curve],
                "printed": [],
            }
        )
        for subject in comparison.subjects
        if subject.curve
    ]
    names = [subject.label for subject in comparison.subjects]
    title = f"{' and '.join([', '.join(names[1:]), names[0]])} compared"
    return template("comparison.html").render(
        comparison=comparison, made_at=made_at, title=title, curves=curves, effects=_EFFECTS
    )
