"""Report of a qualification suite, as a page and as a PDF."""

from datetime import UTC, datetime

from fastapi import APIRouter
from fastapi.responses import Response
from markupsafe import Markup

from tailroom.access.capabilities import Capability
from tailroom.access.routing import CallerDep, GuardedRoute, needs
from tailroom.kit.errors import RequestInvalid, StorageUnavailable, problem_responses
from tailroom.qualification.endpoints import SuiteIdPath
from tailroom.qualification.errors import SuiteUnknown
from tailroom.qualification.schemas import SuiteOut
from tailroom.qualification.suite import suite_of
from tailroom.reports.errors import PdfUnavailable
from tailroom.reports.page import template
from tailroom.reports.plot_drawing import key_colour, plot_svg
from tailroom.reports.printed_page import PAGE_CONTENT, PageFormPath, page_response
from tailroom.runs.errors import RUN_REFUSALS

router = APIRouter(prefix="/api/v1/qualifications", tags=["reports"], route_class=GuardedRoute)


@router.get(
    "/{suite_id}/report.{form}",
    summary="The report of a qualification suite under the standard's headings",
    response_class=Response,
    responses=PAGE_CONTENT
    | problem_responses(SuiteUnknown, *RUN_REFUSALS, RequestInvalid, PdfUnavailable, StorageUnavailable),
)
@needs(Capability.READ, threads="reports")
def get_qualification_report(
    suite_id: SuiteIdPath,
    form: PageFormPath,
    caller: CallerDep,
) -> Response:
    """Return the report of a qualification suite, as a page or PDF."""
    page = _suite_page(suite_of(caller.session, caller.organisation_id, suite_id), datetime.now(UTC))
    return page_response(page, form, f"tailroom-qualification-{suite_id}")


def _suite_page(suite: SuiteOut, made_at: datetime) -> str:
    """Return the report as HTML. The same suite gives the same bytes, except for the date."""
    return template("suite.html").render(
        suite=suite,
        made_at=made_at,
        # The drawing escapes the texts in it.
        drawn=lambda plot: Markup(plot_svg(plot)),  # noqa: S704
        key_colour=key_colour,
    )
