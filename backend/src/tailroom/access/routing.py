"""Guarded routes: each names its capability, gets its caller, and uses at most one connection.

Every endpoint has `@needs(Capability.READ)` or another capability; a route without it cannot be created, so
the process does not start. A plain function runs in the threads it names: the transaction of `session:
SessionDep` begins there, in the caller's name, and ends before the answer is written. Without that parameter
it has no connection, and opens one when needed by `caller.session()`.
"""

import asyncio
import inspect
import re
from collections.abc import Callable, Coroutine, Hashable, Sequence
from contextvars import ContextVar
from functools import wraps
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

from fastapi import Depends, Request, Response
from fastapi.responses import StreamingResponse
from fastapi.routing import APIRoute
from pydantic import BaseModel
from sqlalchemy.orm import Session
from structlog.contextvars import bind_contextvars

from tailroom.access import trail
from tailroom.access.authenticator import Authenticator
from tailroom.access.caller import Caller
from tailroom.access.capabilities import OF_PEOPLE, Capability
from tailroom.access.compression import (
    Coding,
    EncodedResponse,
    accepted_coding,
    compressed,
    encode_response,
    restore_response,
)
from tailroom.access.errors import GuessesTooMany, OriginForeign, TokenMissing, TokenScope, TokenUnknown
from tailroom.access.quotas import RequestsTooMany
from tailroom.access.repository import lock_organisation
from tailroom.kit.body_limit import ContentRefused, RequestTooLarge, RequestTooSlow, lower_limit
from tailroom.kit.errors import (
    HttpProblem,
    LocatedProblem,
    RequestInvalid,
    StorageUnavailable,
    problem_responses,
)
from tailroom.kit.limits import JSON_BODY_BYTES
from tailroom.kit.outside_types import Unstorable, read_json
from tailroom.kit.threads import Busy, ThreadPool

ThreadPoolName = Literal[
    "pages",
    "analysis",
    "ratings",
    "questions",
    "reports",
    "ingest",
    "uploads",
    "live",
    "passwords",
    "provider",
]
_CLIENT_GONE = 499
"""Status for logs and metrics when the client has gone, as nginx counts it."""
_LONG: frozenset[ThreadPoolName] = frozenset({"analysis", "reports"})
"""Thread pools whose work is cancelled when its client disconnects."""
_Endpoint = TypeVar("_Endpoint", bound=Callable[..., Any])
_MARK = "tailroom_needs"
"""Attribute of an endpoint that holds its `Needs`."""
_ID = re.compile(r"[0-9a-fA-F-]{36}")
_request: ContextVar[Request] = ContextVar("request")
"""The request that is being answered."""


class Needs(NamedTuple):
    """Requirements of a route: capability, thread pool, largest body in bytes, compression of answers."""

    capability: Capability
    threads: ThreadPoolName
    body_bytes: int = JSON_BODY_BYTES
    compress: bool = False


class RouteUnguarded(TypeError):
    """A route names no capability."""


def needs(
    capability: Capability,
    threads: ThreadPoolName = "pages",
    *,
    body_bytes: int = JSON_BODY_BYTES,
    compress: bool = False,
) -> Callable[[_Endpoint], _Endpoint]:
    """Return a decorator that stores the requirements of an endpoint for `GuardedRoute`.

    `body_bytes`: largest JSON body; a larger body is refused unread. An endpoint that reads its body itself
    has a limit of its own. `compress`: answers may be compressed, because they have no secret beside text
    from others.
    """

    def mark(endpoint: _Endpoint) -> _Endpoint:
        setattr(endpoint, _MARK, Needs(capability, threads, body_bytes, compress))
        return endpoint

    return mark


async def get_caller(request: Request) -> Caller:
    """Return the caller that the route has authenticated."""
    caller = request.state.caller
    assert isinstance(caller, Caller)  # noqa: S101 - set before any dependency is resolved
    return caller


CallerDep = Annotated[Caller, Depends(get_caller)]


async def get_session(caller: CallerDep) -> Session:
    """Return a session bound to the caller's organisation, without a connection until the endpoint runs."""
    return caller.new_session()


async def get_unbound_session(caller: CallerDep) -> Session:
    """Return a session that is bound to no organisation."""
    return caller.database.new_session()


SessionDep = Annotated[Session, Depends(get_session)]
UnboundSessionDep = Annotated[Session, Depends(get_unbound_session)]
"""Session that is bound to no organisation; its endpoints filter what they show."""


def client_address(request: Request) -> str:
    """Return the network address that a request came from; empty if the server does not name it."""
    return "" if request.client is None else request.client.host


def authenticator_of(request: Request) -> Authenticator:
    """Return the authenticator that the application factory has stored in the application."""
    authenticator = request.app.state.authenticator
    assert isinstance(authenticator, Authenticator)  # noqa: S101 - set by the application factory
    return authenticator


def threads_of(request: Request, name: ThreadPoolName) -> ThreadPool:
    """Return the thread pool of this name, which the application factory has stored in the application."""
    threads = request.app.state.threads[name]
    assert isinstance(threads, ThreadPool)  # noqa: S101 - set by the application factory
    return threads


_ANY: tuple[type[HttpProblem], ...] = (Busy, StorageUnavailable)
_AUTHENTICATION: tuple[type[HttpProblem], ...] = (
    TokenMissing,
    TokenUnknown,
    TokenScope,
    GuessesTooMany,
    RequestsTooMany,
)
_OF_BODIES: tuple[type[HttpProblem], ...] = (OriginForeign, RequestTooLarge, RequestTooSlow, RequestInvalid)


def _add_refusals(
    responses: dict[int | str, dict[str, Any]], errors: Sequence[type[HttpProblem]]
) -> dict[int | str, dict[str, Any]]:
    """Return a copy of a route's OpenAPI responses, extended by these errors; none is described twice."""
    merged = {status: dict(response) for status, response in responses.items()}
    for status, refusal in problem_responses(*errors).items():
        entry = merged.setdefault(status, {**refusal, "description": ""})
        texts = entry["description"].split("; ") if entry["description"] else []
        new = [text for text in refusal["description"].split("; ") if text not in texts]
        entry["description"] = "; ".join([*texts, *new])
    return merged


class _StrictRequest(Request):
    """A request whose JSON is parsed by `read_json`."""

    async def json(self) -> Any:
        """Return the parsed body, the same document at each call.

        Raise ValueError for invalid JSON, ContentRefused for values that cannot be stored.
        """
        if not hasattr(self, "_json"):
            try:
                self._json = read_json(await self.body())
            except Unstorable as error:
                where = LocatedProblem(field=error.path or "body", reason=error.reason)
                raise ContentRefused(
                    RequestInvalid(f"The body cannot be stored: {error}.", [where])
                ) from None
        return self._json


class GuardedRoute(APIRoute):
    """A route that authenticates the caller, and runs plain functions in threads.

    Raise RouteUnguarded if its endpoint has no `@needs(…)`.
    """

    needs: Needs

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        requirements = getattr(endpoint, _MARK, None)
        if not isinstance(requirements, Needs):
            raise RouteUnguarded(f"{path}: {endpoint.__name__} names no capability; put @needs(…) on it")
        self.needs = requirements
        options["operation_id"] = endpoint.__name__
        is_read_only = set(options.get("methods") or ["GET"]) <= {"GET"}
        errors = [*(_AUTHENTICATION if requirements.capability is not Capability.NONE else ())]
        errors += [] if is_read_only else _OF_BODIES
        if requirements.capability is Capability.NONE:
            options["openapi_extra"] = {**(options.get("openapi_extra") or {}), "security": []}
        if errors:
            options["responses"] = _add_refusals(options.get("responses") or {}, [*errors, *_ANY])
        if requirements.capability is not Capability.NONE and not inspect.iscoroutinefunction(endpoint):
            response_class = options.get("response_class")
            is_stream = isinstance(response_class, type) and issubclass(response_class, StreamingResponse)
            endpoint = _wrap_for_threads(
                endpoint,
                requirements,
                options.get("status_code") or 200,
                is_shared=is_read_only and not is_stream,
                is_own=requirements.capability in OF_PEOPLE,
                recorded=requirements.capability in trail.RECORDED and not is_read_only,
            )
        super().__init__(path, endpoint, **options)

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the handler with authentication before it, so that no body of an unknown caller is read."""
        handler = super().get_route_handler()
        capability, body_bytes = self.needs.capability, self.needs.body_bytes
        is_parsed = self.body_field is not None

        async def guarded(request: Request) -> Response:
            request = _StrictRequest(request.scope, request.receive)
            if (run_id := request.path_params.get("run_id")) is not None and _ID.fullmatch(run_id):
                bind_contextvars(run_id=run_id)
            if is_parsed:
                lower_limit(request.scope, body_bytes)
            if capability is Capability.NONE:
                return await handler(request)
            request.state.caller = await authenticator_of(request).authenticate(request, capability)
            _request.set(request)
            return await handler(request)

        return guarded


def _wrap_for_threads(
    endpoint: Callable[..., Any],
    needed: Needs,
    status: int,
    *,
    is_shared: bool,
    is_own: bool,
    recorded: bool,
) -> Callable[..., Coroutine[Any, Any, Response]]:
    """Return an asynchronous endpoint that runs a plain function in its thread pool, in its transaction.

    `status`: of a successful answer; `is_shared`: equal concurrent requests share one answer; `is_own`: the
    answer depends on the person; `recorded`: the change is recorded in the audit trail.
    """

    @wraps(endpoint)
    async def run(**values: Any) -> Response:
        request = _request.get()
        caller: Caller = request.state.caller
        threads = threads_of(request, needed.threads)
        session = next((value for value in values.values() if isinstance(value, Session)), None)

        def work() -> Response:
            if session is None:
                result = endpoint(**values)
                if recorded:
                    with caller.session() as own:
                        _record(own, caller, request, endpoint.__name__)
            else:
                with caller.database.begin(session):
                    if recorded:
                        # The endpoint's locks come after the organisation's: see `lock_organisation`.
                        lock_organisation(session, caller.organisation_id)
                    result = endpoint(**values)
                    if recorded:
                        _record(session, caller, request, endpoint.__name__)
            return _as_response(result, values, status)

        coding = _coding(request) if needed.compress else None

        def encode() -> EncodedResponse:
            answer = encode_response(work())
            return compressed(answer, coding) if needed.compress else answer

        if not is_shared:
            run_work = (lambda: restore_response(encode())) if needed.compress else work
            return await threads.run(run_work, caller.organisation_id)
        key = _request_key(request, caller, is_own=is_own, compress=needed.compress)
        if needed.threads in _LONG:
            answer = threads.shared(key, encode, caller.organisation_id)
            encoded = await _await_while_connected(request, answer)
            return Response(status_code=_CLIENT_GONE) if encoded is None else restore_response(encoded)
        return restore_response(await threads.shared(key, encode, caller.organisation_id))

    return run


async def _await_while_connected(
    request: Request, answer: Coroutine[Any, Any, EncodedResponse]
) -> EncodedResponse | None:
    """Return the answer, or raise its error; if the client disconnects first, cancel it and return None."""
    waiting = asyncio.ensure_future(answer)
    disconnected = asyncio.ensure_future(_wait_for_disconnect(request))
    try:
        await asyncio.wait({waiting, disconnected}, return_when=asyncio.FIRST_COMPLETED)
        return waiting.result() if waiting.done() else None
    finally:
        disconnected.cancel()
        waiting.cancel()


async def _wait_for_disconnect(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _record(session: Session, caller: Caller, request: Request, action: str) -> None:
    """Record a change with the details of `trail.note`, else with the parameters of the path as subject."""
    subject = " ".join(str(path_param) for path_param in request.path_params.values())
    address = client_address(request)
    note = trail.noted(session) or trail.Note(subject)
    trail.record(session, caller.organisation_id, trail.actor_of(caller, address), action, note)


def _coding(request: Request) -> Coding | None:
    return accepted_coding(request.headers.get("accept-encoding"))


def _request_key(request: Request, caller: Caller, *, compress: bool, is_own: bool = False) -> Hashable:
    """Return a key that is equal for two GET requests that get the same answer from the same data.

    `compress`: it may be compressed; `is_own`: it depends on the person, and not only on their role.
    """
    return (
        caller.organisation_id,
        caller.organisation_name,
        caller.scope,
        caller.access,
        caller.person if is_own else None,
        request.scope["path"],
        request.scope["query_string"],
        request.headers.get("if-none-match"),
        _coding(request) if compress else None,
    )


def _as_response(result: Any, values: dict[str, Any], status: int) -> Response:
    """Return the result of an endpoint, a model or a response, as a response.

    `values`: its arguments; a Response among them contributes its status and headers to that of a model.
    """
    if isinstance(result, Response):
        return result
    assert isinstance(result, BaseModel)  # noqa: S101 - endpoints give models or responses
    response = Response(result.model_dump_json(by_alias=True), status, media_type="application/json")
    for beside in values.values():
        if isinstance(beside, Response):
            response.status_code = beside.status_code or response.status_code
            response.raw_headers.extend(beside.raw_headers)
    return response
