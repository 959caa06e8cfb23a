"""Reports as an HTML page or its PDF: of a production load, of a comparison, of a qualification suite."""

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query
from fastapi.responses import Response
from markupsafe import Markup
from pydantic import ValidationError

from tailroom.access.capabilities import Capability
from tailroom.access.routing import CallerDep, GuardedRoute, needs
from tailroom.analysis.schemas import CurveOut
from tailroom.budgets.errors import BudgetInvalidProblem, BudgetUnknownProblem
from tailroom.comparison.errors import SubjectMissing, SubjectsInvalid
from tailroom.comparison.query import ComparisonQueryDep
from tailroom.comparison.service import compare_subjects
from tailroom.evidence.errors import SubjectInvalid
from tailroom.kit.errors import RequestInvalid, StorageUnavailable, problem_responses
from tailroom.kit.outside_types import LOOKUP
from tailroom.qualification.endpoints import SuiteIdPath
from tailroom.qualification.errors import SuiteUnknown
from tailroom.qualification.suite import suite_of
from tailroom.reports.endpoints import BYTES, MEDIA_TYPES, TEXT, as_pdf
from tailroom.reports.errors import PdfUnavailable
from tailroom.reports.page import template
from tailroom.reports.plot_drawing import key_colour, plot_svg
from tailroom.runs.errors import RUN_REFUSALS
from tailroom.sla import carried_load
from tailroom.sla.carried_load import CarryIn
from tailroom.sla.endpoints import EvidenceCacheDep
from tailroom.sla.errors import QuestionInvalid

router = APIRouter(prefix="/api/v1", tags=["reports"], route_class=GuardedRoute)
suite_router = APIRouter(prefix="/api/v1/qualifications", tags=["reports"], route_class=GuardedRoute)

PageForm = Literal["html", "pdf"]
PageFormPath = Annotated[PageForm, Path(description="html: holds all it needs; pdf: on A4")]
_PAGE_CONTENT: dict[int | str, dict[str, Any]] = {
    200: {"content": {"text/html": TEXT, "application/pdf": BYTES}}
}
_QUESTION_CHARACTERS = 8_000
_CARRIED_WORDS = {"yes": "carries it", "no": "does not", "not_shown": "not shown"}
_EFFECTS = {"better": "better", "worse": "worse", "same": "no change", "open": "not shown"}


@router.get(
    "/sla/carry/report.{form}",
    summary="The report of a load of production: which tests carry it, at which load, and what that rests on",
    response_class=Response,
    responses=_PAGE_CONTENT
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
        str,
        Query(max_length=_QUESTION_CHARACTERS, description="the body of `POST /api/v1/sla/carry`"),
        LOOKUP,
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
    return _respond(form, "production", "tailroom-production", carried=carried, words=_CARRIED_WORDS)


@router.get(
    "/comparisons/report.{form}",
    summary="The report of a comparison: answers, objections, every gain with its limits",
    response_class=Response,
    responses=_PAGE_CONTENT
    | problem_responses(
        *RUN_REFUSALS, SubjectMissing, SubjectsInvalid, RequestInvalid, PdfUnavailable, StorageUnavailable
    ),
)
@needs(Capability.ASK, threads="reports")
def get_comparison_report(form: PageFormPath, query: ComparisonQueryDep, caller: CallerDep) -> Response:
    """Return the report of a comparison, as a page or PDF."""
    comparison = compare_subjects(caller, query)
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
    content = {"comparison": comparison, "title": title, "curves": curves, "effects": _EFFECTS}
    return _respond(form, "comparison", "tailroom-comparison", **content)


@suite_router.get(
    "/{suite_id}/report.{form}",
    summary="The report of a qualification suite under the standard's headings",
    response_class=Response,
    responses=_PAGE_CONTENT
    | problem_responses(SuiteUnknown, *RUN_REFUSALS, RequestInvalid, PdfUnavailable, StorageUnavailable),
)
@needs(Capability.READ, threads="reports")
def get_qualification_report(suite_id: SuiteIdPath, form: PageFormPath, caller: CallerDep) -> Response:
    """Return the report of a qualification suite, as a page or PDF."""
    return _respond(
        form,
        "suite",
        f"tailroom-qualification-{suite_id}",
        suite=suite_of(caller.session, caller.organisation_id, suite_id),
        # The drawing escapes the texts in it.
        drawn=lambda plot: Markup(plot_svg(plot)),  # noqa: S704
        key_colour=key_colour,
    )


def _respond(form: PageForm, page_template: str, file_name: str, **content: Any) -> Response:
    """Return the response with a page or its PDF; `file_name` is that of the PDF without its ending. Raise
    PdfUnavailable if no PDF can be made. The same content gives the same bytes, except for the date.
    """
    page = template(f"{page_template}.html").render(made_at=datetime.now(UTC), **content)
    headers = {"Cache-Control": "private, no-cache"}
    if form == "pdf":
        headers["Content-Disposition"] = f"inline; filename={file_name}.pdf"
    return Response(as_pdf(page) if form == "pdf" else page, media_type=MEDIA_TYPES[form], headers=headers)
