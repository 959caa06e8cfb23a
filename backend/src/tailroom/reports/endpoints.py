"""The report of a run, for people and for programs."""

from datetime import UTC, datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter, Path
from fastapi.responses import Response

from tailroom.access.caller import Caller
from tailroom.access.capabilities import Capability
from tailroom.access.routing import CallerDep, GuardedRoute, needs
from tailroom.kit.errors import RequestInvalid, StorageUnavailable, problem_responses
from tailroom.reports.content import Report
from tailroom.reports.errors import PdfUnavailable
from tailroom.reports.of_run import Reader, report_of_run
from tailroom.reports.page import page_of
from tailroom.reports.printing import Unprintable, pdf_of
from tailroom.runs.endpoints import RunIdPath
from tailroom.runs.errors import RUN_REFUSALS

router = APIRouter(prefix="/api/v1/runs", tags=["reports"], route_class=GuardedRoute)

Form = Literal["html", "pdf"]
FormPath = Annotated[Form, Path(description="html: a page that holds all it needs; pdf: the same on A4")]
_MEDIA_TYPES: dict[Form, str] = {"html": "text/html; charset=utf-8", "pdf": "application/pdf"}
_CONTENT: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {
            "text/html": {"schema": {"type": "string"}},
            "application/pdf": {"schema": {"type": "string", "format": "binary"}},
        }
    }
}


@router.get(
    "/{run_id}/report.{form}",
    operation_id="get_run_report",
    summary="The report of a run: question, answer, method, figures with bounds, disclosure, configuration",
    response_class=Response,
    responses=_CONTENT | problem_responses(*RUN_REFUSALS, RequestInvalid, PdfUnavailable, StorageUnavailable),
)
@needs(Capability.READ_RUN, threads="reports")
def get_run_report(run_id: RunIdPath, form: FormPath, caller: CallerDep) -> Response:
    """The same figures as the run's page. Equal but for its date while the run is as it is."""
    report = _report(caller, run_id)
    headers = {"Cache-Control": "private, no-cache"}
    if form == "html":
        forms = {"PDF": "report.pdf"}
        return Response(page_of(report, forms), media_type=_MEDIA_TYPES[form], headers=headers)
    headers["Content-Disposition"] = f"inline; filename=tailroom-run-{run_id}.pdf"
    return Response(printed(page_of(report)), media_type=_MEDIA_TYPES[form], headers=headers)


def printed(page: str) -> bytes:
    """The page as PDF. Raises PdfUnavailable."""
    try:
        return pdf_of(page)
    except Unprintable as error:
        text = str(error)
        raise PdfUnavailable(f"{text[0].upper()}{text[1:]}.") from None


def _report(caller: Caller, run_id: UUID) -> Report:
    reader = Reader(caller.session, caller.organisation_id, caller.organisation_id)
    return report_of_run(reader, run_id, datetime.now(UTC))
