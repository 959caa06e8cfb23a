"""How an endpoint learns who asks, and how requests from other sites' pages are kept out."""

from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, Request
from sqlalchemy.orm import Session

from tailroom.accounts.errors import OriginForeign, TokenMissing, TokenScope, TokenUnknown
from tailroom.accounts.service import Credentials, Principal, identify
from tailroom.accounts.session_cookie import COOKIE_NAME, SessionSigner
from tailroom.kit.clock import utc_now
from tailroom.kit.errors import problem_responses
from tailroom.kit.resources import Resources, ResourcesDep, SessionDep

READER_RESPONSES = problem_responses(TokenMissing, TokenUnknown, TokenScope)
"""What every endpoint that asks who is there may answer."""

_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


def credentials_of(request: Request) -> Credentials:
    """What the request brought along to say who asks."""
    return Credentials(
        authorization=request.headers.get("authorization"), cookie=request.cookies.get(COOKIE_NAME)
    )


def principal_of(
    session: Session, credentials: Credentials, resources: Resources, *, local_access: bool | None = None
) -> Principal:
    """Who asks, by the rules of this installation."""
    settings = resources.settings
    return identify(
        session,
        credentials,
        SessionSigner(resources.session_key),
        local_access=settings.local_access if local_access is None else local_access,
        now=utc_now(),
    )


def get_principal(request: Request, session: SessionDep, resources: ResourcesDep) -> Principal:
    """Who asks. A change asked for by a browser must come from a page of this installation."""
    principal = principal_of(session, credentials_of(request), resources)
    if principal.by_browser and request.method not in _SAFE_METHODS:
        refuse_foreign_origin(request)
    return principal


def refuse_foreign_origin(request: Request) -> None:
    """Raises OriginForeign when a browser says that the request comes from another site's page.

    Programs send neither header and have no cookies of a person's, so they pass.
    """
    site = request.headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        raise OriginForeign(
            f"A page of another site asked for this change (Sec-Fetch-Site: {site}); only Tailroom's"
            " own pages may."
        )
    origin = request.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc.lower() != request.headers.get("host", "").lower():
        raise OriginForeign(f"A page of {origin} asked for this change; only pages of this installation may.")


PrincipalDep = Annotated[Principal, Depends(get_principal)]
