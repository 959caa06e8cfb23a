"""Endpoints for signing in with a token, signing out, the present session, and short tokens of agents."""

from datetime import timedelta

from fastapi import APIRouter, Request, Response, status

from tailroom.access import agent_keys, person_sessions
from tailroom.access.authenticator import refuse_foreign_origin, session_cookie
from tailroom.access.caller import Caller
from tailroom.access.capabilities import Capability
from tailroom.access.errors import (
    GuessesTooMany,
    ProofStale,
    ProofWrong,
    TokenScope,
    TokenUnknown,
)
from tailroom.access.routing import CallerDep, GuardedRoute, authenticator_of, needs, threads_of
from tailroom.access.schemas import OrganisationOut, PersonOut, ProofIn, SessionOut, ShortTokenOut, SignIn
from tailroom.access.service import begin_session, end_session
from tailroom.access.tokens import SESSION_LENGTH, SHORT_TOKEN_LENGTH
from tailroom.kit.clock import utc_now
from tailroom.kit.errors import problem_responses
from tailroom.kit.resources import ResourcesDep

router = APIRouter(prefix="/api/v1/session", tags=["session"], route_class=GuardedRoute)
agent_router = APIRouter(prefix="/api/v1/agent/token", tags=["campaigns"], route_class=GuardedRoute)


@router.get("", summary="Who is signed in")
@needs(Capability.KNOW_ONESELF)
async def get_session(caller: CallerDep) -> SessionOut:
    """Return the caller, how they authenticated, and what they may do; 401 without credentials."""
    return session_out(caller)


@router.post(
    "",
    summary="Sign in with a viewer's or an engineer's token",
    responses=problem_responses(TokenUnknown, TokenScope, GuessesTooMany),
)
@needs(Capability.NONE)
async def create_session(
    body: SignIn, request: Request, response: Response, resources: ResourcesDep
) -> SessionOut:
    """Begin a browser session with a token, set its cookie and return the caller."""
    refuse_foreign_origin(request)
    caller = await authenticator_of(request).with_token(body.token.get_secret_value().strip())

    def begin() -> str:
        with resources.database.transaction() as session:
            return begin_session(session, caller, utc_now())

    set_session(request, response, await threads_of(request, "pages").run(begin), SESSION_LENGTH)
    return session_out(caller)


@router.delete("", summary="Sign out", status_code=status.HTTP_204_NO_CONTENT)
@needs(Capability.NONE)
async def delete_session(request: Request, resources: ResourcesDep) -> Response:
    """End the session for every copy of its cookie, and delete the cookie; harmless if there is none."""
    refuse_foreign_origin(request)
    cookie = request.cookies.get(session_cookie(request))

    def end(value: str) -> None:
        with resources.database.transaction() as session:
            end_session(session, value)
            person_sessions.end(session, value)

    if cookie is not None:
        await threads_of(request, "pages").run(lambda: end(cookie))
    response = Response(status_code=status.HTTP_204_NO_CONTENT)
    forget_session(request, response)
    return response


@agent_router.post(
    "",
    summary="An agent signs for a token of minutes",
    responses=problem_responses(ProofWrong, ProofStale, GuessesTooMany),
)
@needs(Capability.NONE, body_bytes=4096)
async def create_short_token(body: ProofIn, request: Request, resources: ResourcesDep) -> ShortTokenOut:
    """Return a short token for an agent that signed for it with its key. A signature is accepted once."""
    proof = agent_keys.Proof(body.credential_id, body.unix_ns, body.signature)

    def begin() -> str:
        with resources.database.transaction() as session:
            return agent_keys.begin(session, proof, utc_now())

    try:
        text = await threads_of(request, "ingest").run(begin)
    except ProofWrong as refusal:
        raise authenticator_of(request).count_unknown(refusal) from None
    return ShortTokenOut(token=text, expires_in_s=int(SHORT_TOKEN_LENGTH.total_seconds()))


def set_session(request: Request, response: Response, value: str, length: timedelta) -> None:
    """Set the cookie of a session for `length`. Scripts cannot read it, and other sites cannot send it."""
    response.set_cookie(
        session_cookie(request),
        value,
        max_age=int(length.total_seconds()),
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
        path="/",
    )


def forget_session(request: Request, response: Response) -> None:
    """Delete the cookie of a session in the browser."""
    response.delete_cookie(
        session_cookie(request),
        path="/",
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
    )


def session_out(caller: Caller) -> SessionOut:
    """Return the caller as the API shows them."""
    person = caller.person
    return SessionOut(
        organisation=OrganisationOut(id=caller.organisation_id, name=caller.organisation_name),
        access=caller.access,
        scope=caller.scope,
        person=None if person is None else PersonOut(email=person.email, name=person.name),
        capabilities=sorted(caller.capabilities),
    )
