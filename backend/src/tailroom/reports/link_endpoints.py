"""Endpoints of links to a run: for its owner, and for readers of the linked report, chart and badge."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import APIRouter, Path, Request
from fastapi.responses import Response
from pydantic import BaseModel, Field

from tailroom.access.caller import NO_ORGANISATION
from tailroom.access.capabilities import Capability
from tailroom.access.errors import GuessesTooMany, OriginForeign, RunUnknown, TokenScope
from tailroom.access.guesses import TokenBucket
from tailroom.access.routing import CallerDep, GuardedRoute, SessionDep, needs, threads_of
from tailroom.kit.clock import utc_now
from tailroom.kit.errors import RequestInvalid, StorageUnavailable, problem_responses
from tailroom.kit.outside_types import NAME, LookupText, RequestBody
from tailroom.kit.resources import resources_of
from tailroom.kit.threads import Busy
from tailroom.reports import links
from tailroom.reports.badge import SVG, ended_badge
from tailroom.reports.endpoints import BYTES, FOR_PAGES_ELSEWHERE, MEDIA_TYPES, TEXT, as_form
from tailroom.reports.errors import LinksTooMany, LinkUnknown, PdfUnavailable
from tailroom.reports.page import message_page, page_of
from tailroom.reports.run_pictures import HTML, Drawing, draw, head_of
from tailroom.reports.run_report import report_of_run
from tailroom.runs.endpoints import RunIdPath
from tailroom.runs.service import get_run
from tailroom.storage.public_reading import as_others

router = APIRouter(tags=["reports"], route_class=GuardedRoute)

Shared = Literal["report.html", "report.pdf", "report.csv", "badge.svg", "chart.svg", "chart"]
MOST_DAYS = 366
_LINK_LABEL_CHARACTERS = 100
_OWNER = problem_responses(TokenScope, OriginForeign, RunUnknown, RequestInvalid, StorageUnavailable)
_SHARED: dict[int | str, dict[str, Any]] = {
    200: {
        "content": {
            "text/html": TEXT,
            "application/pdf": BYTES,
            "text/csv": TEXT,
            SVG: TEXT,
        }
    },
    404: {"description": "there is no such link", "content": {"text/html": TEXT, SVG: TEXT}},
    410: {"description": "the link has ended", "content": {"text/html": TEXT, SVG: TEXT}},
    **problem_responses(RequestInvalid, GuessesTooMany, PdfUnavailable, Busy, StorageUnavailable),
}
_SECRET_HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow",
}
"""The address is the secret: it must not be cached, sent to other sites or listed by search engines."""
SecretPath = Annotated[LookupText, Path(min_length=1, max_length=100, description="of a link")]


class LinkIn(RequestBody):
    """A link to be made, with a label that names its recipient, and the days until it expires."""

    label: Annotated[str, NAME] = Field(
        "", max_length=_LINK_LABEL_CHARACTERS, description="of its recipient; only the owner sees it"
    )
    days: int = Field(30, ge=1, le=MOST_DAYS, description="until it expires")


class LinkOut(BaseModel):
    """A link of a run, without its address, which is shown only once."""

    link_id: UUID
    label: str
    created_at: datetime
    expires_at: datetime
    revoked_at: datetime | None
    is_open: bool = Field(description="neither expired nor taken back")


class LinksOut(BaseModel):
    """The links of a run, newest first."""

    links: list[LinkOut]


class LinkMadeOut(LinksOut):
    """The links of a run, and the address of the new link."""

    path: str = Field(description="address of the new link; it is not given again")


@router.get(
    "/api/v1/runs/{run_id}/links",
    summary="The links to a run",
    responses=problem_responses(TokenScope, RunUnknown, RequestInvalid, StorageUnavailable),
)
@needs(Capability.PUBLISH)
def list_run_links(run_id: RunIdPath, caller: CallerDep, session: SessionDep) -> LinksOut:
    """Return the links of a run, ended links included."""
    return LinksOut(links=_links(session, caller.organisation_id, run_id))


@router.post(
    "/api/v1/runs/{run_id}/links",
    summary="Make a link by which others read the run",
    status_code=201,
    responses=_OWNER | problem_responses(LinksTooMany),
)
@needs(Capability.PUBLISH)
def make_run_link(run_id: RunIdPath, body: LinkIn, caller: CallerDep, session: SessionDep) -> LinkMadeOut:
    """Create a link to the run's report, chart and badge; its address is shown only in this response."""
    owner = caller.organisation_id
    path = links.make_link(session, owner, run_id, label=body.label, days=body.days, now=utc_now())
    return LinkMadeOut(links=_links(session, owner, run_id), path=path)


@router.delete(
    "/api/v1/runs/{run_id}/links/{link_id}",
    summary="End a link",
    responses=_OWNER | problem_responses(LinkUnknown),
)
@needs(Capability.PUBLISH)
def revoke_run_link(
    run_id: RunIdPath,
    link_id: Annotated[UUID, Path(description="of the list of links")],
    caller: CallerDep,
    session: SessionDep,
) -> LinksOut:
    """End a link and return the run's links. No error if it has ended already."""
    links.revoke(session, caller.organisation_id, run_id, link_id, utc_now())
    return LinksOut(links=_links(session, caller.organisation_id, run_id))


@router.get(
    "/shared/{secret}",
    summary="The run that a link leads to",
    response_class=Response,
    responses=_SHARED,
)
@needs(Capability.NONE)
async def follow_link(secret: SecretPath, request: Request) -> Response:
    """Return the report of the linked run as a page, without credentials: the address is the secret."""
    return await _respond_to_link(request, secret, "report.html")


@router.get(
    "/shared/{secret}/{name}",
    summary="The report, chart or badge of the run that a link leads to",
    response_class=Response,
    responses=_SHARED,
)
@needs(Capability.NONE)
async def follow_link_to(
    secret: SecretPath, name: Annotated[Shared, Path(description="what is asked for")], request: Request
) -> Response:
    """Return the report, chart or badge of the linked run in this form, without credentials."""
    return await _respond_to_link(request, secret, name)


async def _respond_to_link(request: Request, secret: str, name: Shared) -> Response:
    """Return the response to a link: 404 if there is none, 410 if it has ended, even during the drawing."""
    database = resources_of(request).database

    def follow() -> links.LinkTarget | None:
        with database.transaction() as session:
            return links.follow(session, secret, utc_now())

    pages = threads_of(request, "pages")
    link = await pages.run(follow)
    if link is None:
        guesses: TokenBucket = request.app.state.link_guesses
        if guesses.take_is_refused():
            raise GuessesTooMany("Many links that do not exist were tried in the last seconds. Try again.")
        return _response(_no_access_drawing(name, 404), name)
    if link.has_ended:
        return _response(_no_access_drawing(name, 410), name)

    def make() -> Drawing:
        transactions = as_others(lambda: database.transaction(link.organisation_id))
        drawing = _draw_linked(transactions, link, name)
        # A link that was revoked while the drawing was made has ended for this request too.
        link_after = follow()
        return (
            drawing if link_after is not None and not link_after.has_ended else _no_access_drawing(name, 410)
        )

    key = ("link", link.run_id, secret, name)
    return _response(await threads_of(request, "reports").shared(key, make, link.organisation_id), name)


def _draw_linked(transactions: Callable[[], Any], link: links.LinkTarget, name: Shared) -> Drawing:
    """Return report, chart or badge of the linked run, as an organisation other than the owner sees it."""
    owner, run_id = link.organisation_id, link.run_id
    match name:
        case "badge.svg" | "chart.svg" | "chart":
            with transactions() as session:
                head = head_of(session, get_run(session, owner, run_id))
            return draw(transactions, owner, run_id, name, head)
    report = report_of_run(transactions, owner, run_id, utc_now(), NO_ORGANISATION)
    # Readers of a link have no access to the run's own page.
    report = replace(report, address=None)
    if name == "report.html":
        return Drawing(page_of(report), HTML)
    if name == "report.pdf":
        return Drawing(as_form(report, "pdf", ""), MEDIA_TYPES["pdf"])
    return Drawing(as_form(report, "csv", ""), MEDIA_TYPES["csv"])


def _no_access_drawing(name: Shared, status: int) -> Drawing:
    """Return a badge or page that states that the link has ended (status 410) or does not exist (404)."""
    if name in {"badge.svg", "chart.svg"}:
        return Drawing(ended_badge("link ended" if status == 410 else "no such link"), SVG, status)
    if status == 410:
        text = "It has expired, or whoever made it has taken it back. Ask them for another one."
        return Drawing(message_page("This link has ended", text), HTML, status)
    return Drawing(
        message_page("There is no such link", "Check that the address was copied whole."), HTML, status
    )


def _response(drawing: Drawing, name: Shared) -> Response:
    """Return the HTTP response of a drawing; other sites may show badges and charts."""
    headers = dict(_SECRET_HEADERS)
    if name in {"badge.svg", "chart.svg", "chart"}:
        headers = FOR_PAGES_ELSEWHERE | headers
    return Response(drawing.body, drawing.status, media_type=drawing.media_type, headers=headers)


def _links(session: SessionDep, organisation_id: UUID, run_id: UUID) -> list[LinkOut]:
    """Return the links of a run for the API, newest first; raise RunUnknown for a run of another owner."""
    now = utc_now()
    names = ("link_id", "label", "created_at", "expires_at", "revoked_at")
    return [
        LinkOut(
            **{name: getattr(link, name) for name in names},
            is_open=link.revoked_at is None and link.expires_at > now,
        )
        for link in links.links_of(session, organisation_id, run_id)
    ]
