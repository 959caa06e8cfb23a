"""Open Graph tags with a picture, for the page of a published run.

They are sent to callers who may see the run, or to all if the installation allows it (`open_previews`).
"""

import re
from uuid import UUID

import structlog
from markupsafe import Markup
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request

from tailroom.access.capabilities import Capability
from tailroom.access.routing import authenticator_of, threads_of
from tailroom.domain.verdicts.headline import words_of_document
from tailroom.kit.errors import HttpProblem
from tailroom.reports.preview import HEIGHT, WIDTH
from tailroom.reports.run_pictures import published_head
from tailroom.reports.words import answer_of

_RUN = re.compile(r"/runs/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/?", re.IGNORECASE)
_TAG = Markup('<meta property="{}" content="{}" />')
_log = structlog.get_logger(__name__)


async def preview_tags(request: Request) -> bytes:
    """Return elements for the head of the page of a published run.

    Empty for another address or method, for a run that the caller may not see, and if the run cannot be read.
    """
    match = _RUN.fullmatch(request.url.path)
    if match is None or request.method != "GET":
        return b""
    run_id = UUID(match[1])
    try:
        caller = await authenticator_of(request).authenticate(request, Capability.SHOW)
        head = await threads_of(request, "pages").run(
            lambda: published_head(caller.session, caller.organisation_id, run_id), caller.organisation_id
        )
    except HttpProblem:
        return b""
    except (SQLAlchemyError, OSError):
        _log.warning("preview_left_out", run_id=str(run_id))
        return b""
    base_url = f"{request.url.scheme}://{request.url.netloc}"
    lead = None if head.lead is None else head.lead.model_dump(mode="json")
    tags = {
        "og:site_name": "Tailroom",
        "og:type": "article",
        "og:title": head.title,
        "og:description": f"{words_of_document(lead)}: {answer_of(lead)}" if lead else "Nothing was judged.",
        "og:url": f"{base_url}/runs/{run_id}",
        "og:image": f"{base_url}/api/v1/runs/{run_id}/embed/preview.png",
        "og:image:width": str(WIDTH),
        "og:image:height": str(HEIGHT),
        "twitter:card": "summary_large_image",
    }
    linked_data = Markup(
        '<link rel="alternate" type="application/ld+json" href="/api/v1/runs/{}/report.jsonld" />'
    )
    return "".join(
        [*(_TAG.format(name, text) for name, text in tags.items()), linked_data.format(run_id)]
    ).encode()
