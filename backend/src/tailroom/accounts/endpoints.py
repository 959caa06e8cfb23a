"""Signing in to the pages, signing out, and who is signed in."""

from fastapi import APIRouter, Request, Response, status

from tailroom.accounts.dependencies import READER_RESPONSES, PrincipalDep, refuse_foreign_origin
from tailroom.accounts.errors import OriginForeign, TokenScope, TokenUnknown
from tailroom.accounts.schemas import OrganisationOut, SessionOut, SignIn
from tailroom.accounts.service import Principal, sign_in
from tailroom.accounts.session_cookie import COOKIE_NAME, SESSION_LENGTH, SessionSigner
from tailroom.kit.clock import utc_now
from tailroom.kit.errors import RequestInvalid, StorageUnavailable, problem_responses
from tailroom.kit.resources import ResourcesDep, SessionDep

router = APIRouter(prefix="/api/v1/session", tags=["session"])


@router.get(
    "",
    operation_id="get_session",
    summary="Who is signed in",
    responses={**READER_RESPONSES, **problem_responses(StorageUnavailable)},
)
def get_session(principal: PrincipalDep) -> SessionOut:
    """Who asks and how they are known; 401 when nobody is signed in."""
    return _session_out(principal)


@router.post(
    "",
    operation_id="create_session",
    summary="Sign in with a viewer's token",
    responses={
        401: problem_responses(TokenUnknown)[401],
        403: problem_responses(TokenScope, OriginForeign)[403],
        **problem_responses(RequestInvalid, StorageUnavailable),
    },
)
def create_session(
    body: SignIn, request: Request, response: Response, session: SessionDep, resources: ResourcesDep
) -> SessionOut:
    """Keeps a session in a cookie that scripts cannot read and other sites cannot send."""
    refuse_foreign_origin(request)
    now = utc_now()
    principal = sign_in(session, body.token.get_secret_value().strip(), now)
    assert principal.token_id is not None  # noqa: S101 - signing in is by token
    response.set_cookie(
        COOKIE_NAME,
        SessionSigner(resources.session_key).sign(principal.token_id, now),
        max_age=int(SESSION_LENGTH.total_seconds()),
        httponly=True,
        samesite="strict",
        secure=request.url.scheme == "https",
        path="/",
    )
    return _session_out(principal)


@router.delete(
    "",
    operation_id="delete_session",
    summary="Sign out",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=problem_responses(OriginForeign),
)
def delete_session(request: Request) -> Response:
    """Forgets the session in this browser; harmless when there is none."""
    refuse_foreign_origin(request)
    response = Response(status_code=status.HTTP_204_NO_CONTENT)
    response.delete_cookie(
        COOKIE_NAME, path="/", httponly=True, samesite="strict", secure=request.url.scheme == "https"
    )
    return response


def _session_out(principal: Principal) -> SessionOut:
    return SessionOut(
        organisation=OrganisationOut(id=principal.organisation_id, name=principal.organisation_name),
        access=principal.access,
        scope=principal.scope,
    )
