"""Endpoints of a run's report and evidence pack, and of pictures of a published run for other sites."""

import hashlib
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter, Path, Request, status
from fastapi.responses import RedirectResponse, Response

from tailroom.access.capabilities import Capability
from tailroom.access.routing import CallerDep, GuardedRoute, needs
from tailroom.analysis.export import IntervalsExpired
from tailroom.domain.errors import sentence
from tailroom.kit.errors import RequestInvalid, StorageUnavailable, problem_responses
from tailroom.kit.made_documents import Kind
from tailroom.kit.resources import ResourcesDep, resources_of
from tailroom.reports.badge import SVG
from tailroom.reports.content import Report
from tailroom.reports.errors import PackRefused, PackTooLong, PdfUnavailable
from tailroom.reports.page import page_of
from tailroom.reports.preview import PNG
from tailroom.reports.printing import Unprintable, pdf_of
from tailroom.reports.run_pack import pack_of, pack_source
from tailroom.reports.run_pictures import Picture, picture_of_published
from tailroom.reports.run_report import report_of_run
from tailroom.reports.tables import csv_of, json_ld_of
from tailroom.runs.endpoints import RunIdPath
from tailroom.runs.errors import RUN_REFUSALS
from tailroom.uploads.errors import RawFilesAway

router = APIRouter(prefix="/api/v1/runs", tags=["reports"], route_class=GuardedRoute)

Form = Literal["html", "pdf", "csv", "jsonld"]
FormPath = Annotated[
    Form,
    Path(
        description="html: a page that holds all it needs; pdf: the same on A4; csv: every figure as a row;"
        " jsonld: a description of the run (schema.org)"
    ),
]
MEDIA_TYPES: dict[Form, str] = {
    "html": "text/html; charset=utf-8",
    "pdf": "application/pdf",
    "csv": "text/csv; charset=utf-8",
    "jsonld": "application/ld+json",
}
ZIP = "application/zip"
TEXT = {"schema": {"type": "string"}}
BYTES = {"schema": {"type": "string", "format": "binary"}}
_CONTENT: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {
            "text/html": TEXT,
            "application/pdf": BYTES,
            "text/csv": TEXT,
            "application/ld+json": {"schema": {"type": "object"}},
        }
    }
}
_PACK_REFUSALS = problem_responses(
    *RUN_REFUSALS,
    PackRefused,
    PackTooLong,
    IntervalsExpired,
    RawFilesAway,
    RequestInvalid,
    StorageUnavailable,
)
_PICTURES = problem_responses(*RUN_REFUSALS, RequestInvalid, StorageUnavailable)
_PICTURES[200] = {"content": {SVG: TEXT, PNG: BYTES, "text/html": TEXT}}
_PICTURES[410]["content"] |= {SVG: TEXT}
FOR_PAGES_ELSEWHERE = {
    "Cache-Control": "max-age=300",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors *",
}
"""Headers of pictures: other sites may show them, and no script in them runs."""


@router.get(
    "/{run_id}/report.{form}",
    summary="The report of a run: question, answer, method, figures with bounds, disclosure, configuration",
    response_class=Response,
    responses=_CONTENT | problem_responses(*RUN_REFUSALS, RequestInvalid, PdfUnavailable, StorageUnavailable),
)
@needs(Capability.READ_RUN, threads="reports")
def get_run_report(run_id: RunIdPath, form: FormPath, caller: CallerDep, request: Request) -> Response:
    """Return the figures of the run's page as a report in this form.

    A PDF is stored for a day; an installation with an object store may redirect to it there (307).
    """
    report = report_of_run(caller.session, caller.organisation_id, run_id, datetime.now(UTC))
    if form == "pdf":
        # The date is left out of the state, so that an earlier PDF of the same report is found.
        plain = page_of(replace(report, made_at=datetime.min.replace(tzinfo=UTC)))
        state = hashlib.sha256(plain.encode()).digest()
        return _respond(request, "reports", run_id, state, MEDIA_TYPES[form], lambda: as_pdf(page_of(report)))
    headers = {"Cache-Control": "private, no-cache"}
    if form == "csv":
        headers["Content-Disposition"] = f"attachment; filename=tailroom-run-{run_id}.csv"
    address = str(request.base_url).rstrip("/")
    return Response(as_form(report, form, address), media_type=MEDIA_TYPES[form], headers=headers)


@router.get(
    "/{run_id}/pack.zip",
    summary="The evidence pack of a run: raw files, verdicts, buckets, report, hashes; signed",
    response_class=Response,
    responses={200: {"content": {ZIP: BYTES}}, **_PACK_REFUSALS},
)
@needs(Capability.READ_RUN, threads="reports")
def get_run_pack(run_id: RunIdPath, caller: CallerDep, resources: ResourcesDep, request: Request) -> Response:
    """Return the evidence pack of a run, by built-in budgets; `tailroom verify` recomputes its verdicts.

    A pack is stored for a day. An installation with an object store may redirect to it there (307).
    """
    settings = resources.settings
    source = pack_source(
        caller.session, caller.organisation_id, run_id, resources.raw_files, settings.time_stamp_url
    )
    return _respond(
        request, "packs", run_id, source.state, ZIP, lambda: pack_of(source, run_id, settings.pack_key)
    )


@router.get(
    "/{run_id}/page.html",
    summary="A page of a run that opens without a server, works out its verdicts and answers other questions",
    response_class=Response,
    responses={200: {"content": {"text/html": TEXT}}, **_PACK_REFUSALS},
)
@needs(Capability.READ_RUN, threads="reports")
def get_run_page(run_id: RunIdPath, caller: CallerDep, resources: ResourcesDep, request: Request) -> Response:
    """Return a page that works without a server, from the files of the evidence pack; it is stored for a day.

    It is sent as a file to be saved, because this server's pages do not run scripts from files.
    """
    source = pack_source(caller.session, caller.organisation_id, run_id, resources.raw_files, None)
    key = resources.settings.pack_key
    return _respond(
        request,
        "pages",
        run_id,
        source.state,
        MEDIA_TYPES["html"],
        lambda: pack_of(source, run_id, key, "page"),
    )


@router.get(
    "/{run_id}/embed/{picture}",
    summary="A published run for pages elsewhere: badge, chart, chart in a frame, preview of a link",
    response_class=Response,
    responses=_PICTURES,
)
@needs(Capability.SHOW, threads="reports")
def get_run_picture(
    run_id: RunIdPath,
    picture: Annotated[Picture, Path(description="what is drawn; chart is a page for a frame")],
    caller: CallerDep,
) -> Response:
    """Return a picture of a published run with verdicts by built-in budgets only.

    For a withdrawn or deleted run every picture is the badge `withdrawn` (410).
    """
    drawing = picture_of_published(caller.session, caller.organisation_id, run_id, picture)
    headers = FOR_PAGES_ELSEWHERE
    return Response(drawing.body, drawing.status, media_type=drawing.media_type, headers=headers)


def _respond(  # noqa: PLR0917 - what a document is found and sent by
    request: Request, kind: Kind, run_id: UUID, state: bytes, media_type: str, make: Callable[[], bytes]
) -> Response:
    """Return the document of a run, or a redirect to a short-lived address of it in the object store.

    `state` is a hash of everything that it is made from. If it is not stored, it is made by `make`, whose
    errors are raised, and stored. A report is shown in the browser, other kinds are saved as a file. The
    caller has checked access.
    """
    resources = resources_of(request)
    store = resources.made_documents
    stored = store.find(kind, run_id, state)
    disposition = "inline" if kind == "reports" else "attachment"
    ending = {"reports": "pdf", "packs": "zip", "pages": "html"}[kind]
    headers = {"Content-Disposition": f"{disposition}; filename=tailroom-run-{run_id}.{ending}"}
    content = None
    if stored is not None and (content := store.read(stored)) is None:
        stored = None
    if content is None:
        content = make()
        stored = store.store(kind, run_id, state, content, headers | {"Content-Type": media_type})
    # A page may not fetch from another origin; a browser that leaves the page may, and so may a program.
    may_leave = request.headers.get("sec-fetch-mode", "navigate") == "navigate"
    valid_s = resources.settings.raw_file_address_s if may_leave else None
    if valid_s is not None and stored is not None and (address := store.address(stored, valid_s)) is not None:
        return RedirectResponse(address, status.HTTP_307_TEMPORARY_REDIRECT, {"Cache-Control": "no-store"})
    return Response(content, media_type=media_type, headers={"Cache-Control": "private, no-cache"} | headers)


def as_form(report: Report, form: Form, address: str) -> str | bytes:
    """Return the report in this form; raise PdfUnavailable if no PDF can be made.

    `address` is that of the installation, for JSON-LD.
    """
    match form:
        case "csv":
            return csv_of(report)
        case "jsonld":
            return json_ld_of(report, address)
        case "pdf":
            return as_pdf(page_of(report))
    return page_of(report, {"PDF": "report.pdf", "CSV": "report.csv"})


def as_pdf(page: str) -> bytes:
    """Return the HTML page as PDF. Raise PdfUnavailable if that fails or takes too long."""
    try:
        return pdf_of(page)
    except Unprintable as error:
        raise PdfUnavailable(sentence(error)) from None
