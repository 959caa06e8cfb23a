"""The report of a qualification suite, as a page and as a PDF."""

from datetime import UTC, datetime

from fastapi import APIRouter
from fastapi.responses import Response

from tailroom.access.capabilities import Capability
from tailroom.access.routing import CallerDep, GuardedRoute, needs
from tailroom.kit.errors import RequestInvalid, StorageUnavailable, problem_responses
from tailroom.qualification.endpoints import SuiteIdPath
from tailroom.qualification.errors import SuiteUnknown
from tailroom.qualification.suite import suite_of
from tailroom.reports.errors import PdfUnavailable
from tailroom.reports.printed_page import PAGE_CONTENT, PageFormPath, page_response
from tailroom.reports.suite_page import suite_page
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
    """Return the figures of the suite as a report, which is the same bytes each time but for its date."""
    page = suite_page(suite_of(caller.session, caller.organisation_id, suite_id), datetime.now(UTC))
    return page_response(page, form, f"tailroom-qualification-{suite_id}")
