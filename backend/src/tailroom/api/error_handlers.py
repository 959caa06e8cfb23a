"""Turn every refusal into `application/problem+json`: of our code, FastAPI, the router and the database."""

from collections.abc import Sequence

import psycopg
import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from psycopg.errors import DiskFull
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.routing import Match, Route

from tailroom.api.middleware import problem_response
from tailroom.kit.body_limit import BodyRefused, ContentRefused
from tailroom.kit.errors import (
    HttpProblem,
    LocatedProblem,
    RequestInvalid,
    StorageUnavailable,
    problem_document,
)

_log = structlog.get_logger(__name__)

_LOGGED_STATUSES = frozenset({401, 403, 429})
"""Refusals that depend on the caller are logged, with the pattern of the route: addresses may be secrets."""
_HTTP_WORDS = {
    404: ("not-found", "There is nothing at this address"),
    405: ("method-not-allowed", "This address does not take that method"),
}
"""Problem code and title by HTTP status."""


def install_error_handlers(app: FastAPI) -> None:
    """Register the handlers of problems, invalid requests, disconnects and database errors."""
    app.add_exception_handler(HttpProblem, _handle_problem)
    app.add_exception_handler(RequestValidationError, _handle_invalid_request)
    app.add_exception_handler(HTTPException, _handle_http_error)
    app.add_exception_handler(ClientDisconnect, _handle_disconnect)
    for error in (OperationalError, InterfaceError, PoolTimeout, DBAPIError, psycopg.OperationalError):
        app.add_exception_handler(error, _handle_database_error)


def _request_id(request: Request) -> str | None:
    value = request.scope.get("state", {}).get("request_id")
    return value if isinstance(value, str) else None


def _handle_problem(request: Request, error: Exception) -> Response:
    """Return the response of a problem that our code raised; log a status of `_LOGGED_STATUSES`."""
    assert isinstance(error, HttpProblem)  # noqa: S101 - registered for it
    if error.status in _LOGGED_STATUSES:
        route = getattr(request.scope.get("route"), "path", "")
        _log.info("refused", code=error.code, status=error.status, method=request.method, route=route)
    return problem_response(error.document(_request_id(request)), error.headers)


def _handle_invalid_request(request: Request, error: Exception) -> Response:
    """Return 422 with a problem for each part of the request without the documented form, at most 20."""
    assert isinstance(error, RequestValidationError)  # noqa: S101 - registered for it
    problems = [
        LocatedProblem(
            field=".".join(str(part) for part in problem["loc"][1:]) or str(problem["loc"][0]),
            reason=str(problem["msg"]),
        )
        for problem in error.errors()
    ]
    places = ", ".join(dict.fromkeys(str(problem["loc"][0]) for problem in error.errors()))
    refusal = RequestInvalid(
        f"The {places or 'request'} does not have the documented form; see `problems` and"
        " /api/v1/openapi.json.",
        problems,
    )
    return problem_response(refusal.document(_request_id(request)))


def _handle_http_error(request: Request, error: Exception) -> Response:
    """Return the response of an HTTP error of FastAPI or the router; its 400 becomes an invalid request."""
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for it
    if isinstance(error, BodyRefused):
        # The rest of what was sent on this connection is not read.
        return problem_response(error.problem.document(_request_id(request)), {"Connection": "close"})
    if isinstance(error, ContentRefused):
        return problem_response(error.problem.document(_request_id(request)))
    if error.status_code == 400:
        refusal = RequestInvalid("The body cannot be read as JSON in UTF-8.")
        return problem_response(refusal.document(_request_id(request)))
    code, title = _HTTP_WORDS.get(error.status_code, ("request-refused", "The request was refused"))
    details = {
        404: f"There is nothing at {request.url.path}. The API is described in /api/v1/openapi.json.",
        405: f"{request.url.path} does not take {request.method}. The Allow header names what it takes.",
    }
    document = problem_document(
        error.status_code,
        code,
        title,
        details.get(error.status_code, str(error.detail)),
        request_id=_request_id(request),
    )
    headers = dict(error.headers or {})
    if error.status_code == 405:
        headers["Allow"] = ", ".join(_methods_of(request)) or headers.get("Allow", "")
    return problem_response(document, headers)


def _methods_of(request: Request) -> list[str]:
    """Return the methods of all routes with a request's address, sorted; empty if there is no such route."""
    routes: Sequence[Route] = request.app.state.routes
    matching = (route for route in routes if route.matches(request.scope)[0] is not Match.NONE)
    return sorted({method for route in matching for method in route.methods or ()})


def _handle_disconnect(_request: Request, _error: Exception) -> Response:
    return Response(status_code=499)


def _handle_database_error(request: Request, error: Exception) -> Response:
    """Return 503 if the database is away, too slow or full; raise any other database error again."""
    if isinstance(error, DBAPIError) and not isinstance(error, OperationalError | InterfaceError):
        raise error
    is_full = isinstance(getattr(error, "orig", error), DiskFull)
    event = "storage_full" if is_full else "storage_unavailable"
    _log.warning(event, path=request.url.path, error=str(error).partition("\n")[0])
    what = "has no room left" if is_full else "cannot be reached or did not answer in time"
    refusal = StorageUnavailable(f"The database {what}; nothing was stored. Send the request again later.")
    return problem_response(refusal.document(_request_id(request)), refusal.headers)
