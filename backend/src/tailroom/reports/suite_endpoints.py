"""The report of a qualification suite, as a page and as a PDF."""

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path
from fastapi.responses import Response

from tailroom.access.capabilities import Capability
from tailroom.access.routing import CallerDep, GuardedRoute, needs
from tailroom.kit.errors import RequestInvalid, StorageUnavailable, problem_responses
from tailroom.qualification.endpoints import SuiteIdPath
from tailroom.qualification.errors import SuiteUnknown
from tailroom.qualification.suite import suite_of
from tailroom.reports.endpoints import MEDIA_TYPES, as_pdf
from tailroom.reports.errors import PdfUnavailable
from tailroom.reports.suite_page import suite_page
from tailroom.runs.errors import RUN_REFUSALS

router = APIRouter(prefix="/api/v1/qualifications", tags=["reports"], route_class=GuardedRoute)

_CONTENT: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {
            "text/html": {"schema": {"type": "string"}},
            "application/pdf": {"schema": {"type": "string", "format": "binary"}},
        }
    }
}


@router.get(
    "/{suite_id}/report.{form}",
    operation_id="get_qualification_report",
    summary="The report of a qualification suite under the standard's headings",
    response_class=Response,
    responses=_CONTENT
    | problem_responses(SuiteUnknown, *RUN_REFUSALS, RequestInvalid, PdfUnavailable, StorageUnavailable),
)
@needs(Capability.READ, threads="reports")
def get_qualification_report(
    suite_id: SuiteIdPath,
    form: Annotated[Literal["html", "pdf"], Path(description="html: holds all it needs; pdf: on A4")],
    caller: CallerDep,
) -> Response:
    """The same figures as the suite itself, and the same bytes but for its date."""
    page = suite_page(suite_of(caller.session, caller.organisation_id, suite_id), datetime.now(UTC))
    headers = {"Cache-Control": "private, no-cache"}
    if form == "pdf":
        headers["Content-Disposition"] = f"inline; filename=tailroom-qualification-{suite_id}.pdf"
    return Response(as_pdf(page) if form == "pdf" else page, media_type=MEDIA_TYPES[form], headers=headers)
