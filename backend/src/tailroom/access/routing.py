"""Routes behind the door: each names its capability, gets its caller, and works in one thread with one
connection at most.

`@needs(Capability.READ)` stands on every endpoint; a route without it cannot be made, so the process does not
start. A plain function runs in the threads it names: `session: SessionDep` opens the transaction there, in
the caller's name, and ends it before the answer is written. Without that parameter it has no connection, and
opens one for as long as it needs with `caller.session()`.
"""

import asyncio
import inspect
import re
from collections.abc import Callable, Coroutine, Hashable, Sequence
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, get_args

from fastapi import Depends, Request, Response
from fastapi.responses import StreamingResponse
from fastapi.routing import APIRoute
from pydantic import BaseModel
from sqlalchemy.orm import Session
from structlog.contextvars import bind_contextvars

from tailroom.access import trail
from tailroom.access.caller import Caller
from tailroom.access.capabilities import OF_PEOPLE, Capability
from tailroom.access.door import Door
from tailroom.access.errors import GuessesTooMany, OriginForeign, TokenMissing, TokenScope, TokenUnknown
from tailroom.access.kept_answers import KeptAnswers
from tailroom.access.packing import Coding, Sent, coding_of, packed, response_of, sent_of
from tailroom.access.quotas import RequestsTooMany
from tailroom.access.repository import lock_organisation
from tailroom.kit.body_limit import ContentRefused, RequestTooLarge, RequestTooSlow, lower_limit
from tailroom.kit.errors import LocatedProblem, Problem, RequestInvalid, StorageUnavailable, problem_responses
from tailroom.kit.limits import JSON_BODY_BYTES
from tailroom.kit.outside_types import Unstorable, read_json
from tailroom.kit.revisions import watched
from tailroom.kit.threads import Busy, Threads

ThreadsName = Literal[
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
"""For logs and figures alone, as nginx counts it."""
_LONG: frozenset[ThreadsName] = frozenset({"analysis", "reports"})
"""Threads whose work is ended when its client has gone."""
_Endpoint = TypeVar("_Endpoint", bound=Callable[..., Any])
_MARK = "tailroom_needs"
_REQUEST = "tailroom_request"
_ID = re.compile(r"[0-9a-fA-F-]{36}")
_KEYWORD = inspect.Parameter.KEYWORD_ONLY


class Needs(NamedTuple):
    """What a route asks of its caller, and which threads it uses."""

    capability: Capability
    threads: ThreadsName
    is_kept: bool = False
    body_bytes: int = JSON_BODY_BYTES
    packs: bool = False


class RouteUnguarded(TypeError):
    """A route without a capability."""


def needs(
    capability: Capability,
    threads: ThreadsName = "pages",
    *,
    is_kept: bool = False,
    body_bytes: int = JSON_BODY_BYTES,
    packs: bool = False,
) -> Callable[[_Endpoint], _Endpoint]:
    """Says what the caller of an endpoint must be allowed. What takes long has the threads `questions`.

    `is_kept`: an answer depends on the question and on what is read from the database alone, neither on the
    time nor on what the process has in memory, and may be given again while that has not changed.

    `body_bytes`: most that a body of JSON may have. It is parsed between other requests, so what a route does
    not need is refused unread. Endpoints that read their body themselves have their own limits.

    `packs`: answers may be large, and hold nothing secret beside what others may have written into them.
    """

    def mark(endpoint: _Endpoint) -> _Endpoint:
        setattr(endpoint, _MARK, Needs(capability, threads, is_kept, body_bytes, packs))
        return endpoint

    return mark


class _OpenSession:
    """Marks the parameter that gets the transaction of the request."""


SessionDep = Annotated[Session, _OpenSession]
UnboundSessionDep = Annotated[Session, _OpenSession, "unbound"]
"""Likewise, but in nobody's name: it sees people, tokens and codes, and names the organisation itself."""


async def get_caller(request: Request) -> Caller:
    """Who asks, as the door has found."""
    caller = request.state.caller
    assert isinstance(caller, Caller)  # noqa: S101 - set before any dependency is asked
    return caller


CallerDep = Annotated[Caller, Depends(get_caller)]


def door_of(request: Request) -> Door:
    """The door of the process."""
    door = request.app.state.door
    assert isinstance(door, Door)  # noqa: S101 - set by the application factory
    return door


def threads_of(request: Request, name: ThreadsName) -> Threads:
    """Threads of the process, by kind of work."""
    threads = request.app.state.threads[name]
    assert isinstance(threads, Threads)  # noqa: S101 - set by the application factory
    return threads


def kept_answers_of(request: Request) -> KeptAnswers:
    """What the process keeps of answers."""
    kept = request.app.state.kept_answers
    assert isinstance(kept, KeptAnswers)  # noqa: S101 - set by the application factory
    return kept


_ANY: tuple[type[Problem], ...] = (Busy, StorageUnavailable)
_AT_THE_DOOR: tuple[type[Problem], ...] = (
    TokenMissing,
    TokenUnknown,
    TokenScope,
    GuessesTooMany,
    RequestsTooMany,
)
_OF_BODIES: tuple[type[Problem], ...] = (OriginForeign, RequestTooLarge, RequestTooSlow, RequestInvalid)


def _with_refusals(
    responses: dict[int | str, dict[str, Any]], errors: Sequence[type[Problem]]
) -> dict[int | str, dict[str, Any]]:
    """What a route answers besides success, its own refusals first; nothing is named twice."""
    merged = {status: dict(one) for status, one in responses.items()}
    for status, refusal in problem_responses(*errors).items():
        mine = merged.setdefault(status, {**refusal, "description": ""})
        said = mine["description"].split("; ") if mine["description"] else []
        new = [one for one in refusal["description"].split("; ") if one not in said]
        mine["description"] = "; ".join([*said, *new])
    return merged


class _StrictRequest(Request):
    """A request whose JSON is read as all of the product reads it."""

    async def json(self) -> Any:
        """Raises ValueError for what is no JSON, ContentRefused for what cannot be stored."""
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
    """A route behind the door."""

    needs: Needs

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        found = getattr(endpoint, _MARK, None)
        if not isinstance(found, Needs):
            raise RouteUnguarded(f"{path}: {endpoint.__name__} names no capability; put @needs(…) on it")
        self.needs = found
        is_read_only = set(options.get("methods") or ["GET"]) <= {"GET"}
        errors = [*(_AT_THE_DOOR if found.capability is not Capability.NONE else ())]
        errors += [] if is_read_only else _OF_BODIES
        if errors:
            options["responses"] = _with_refusals(options.get("responses") or {}, [*errors, *_ANY])
        if found.capability is not Capability.NONE and not inspect.iscoroutinefunction(endpoint):
            response_class = options.get("response_class")
            is_stream = isinstance(response_class, type) and issubclass(response_class, StreamingResponse)
            endpoint = _in_threads(
                endpoint,
                found,
                options.get("status_code") or 200,
                is_shared=is_read_only and not is_stream,
                is_own=found.capability in OF_PEOPLE,
                recorded=found.capability in trail.RECORDED and not is_read_only,
            )
        super().__init__(path, endpoint, **options)

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler, behind the door: nothing of the body is read before it is known who sends it."""
        handler = super().get_route_handler()
        capability, _, is_kept, body_bytes, packs = self.needs
        is_parsed = self.body_field is not None

        async def guarded(request: Request) -> Response:
            request = _StrictRequest(request.scope, request.receive)
            if (run_id := request.path_params.get("run_id")) is not None and _ID.fullmatch(run_id):
                bind_contextvars(run_id=run_id)
            if is_parsed:
                lower_limit(request.scope, body_bytes)
            if capability is Capability.NONE:
                return await handler(request)
            caller = request.state.caller = await door_of(request).enter(request, capability)
            if is_kept:
                question = _question(request, caller, packs=packs)
                kept = kept_answers_of(request).find(question, caller.revisions)
                if kept is not None:
                    return response_of(kept)
            return await handler(request)

        return guarded


def _in_threads(
    endpoint: Callable[..., Any],
    needed: Needs,
    status: int,
    *,
    is_shared: bool,
    is_own: bool,
    recorded: bool,
) -> Callable[..., Coroutine[Any, Any, Response]]:
    """The endpoint as FastAPI sees it: its parameters but for session and caller, its work in a thread."""
    signature = inspect.signature(endpoint)
    parameters = list(signature.parameters.values())
    sessions = [one.name for one in parameters if _OpenSession in get_args(one.annotation)[1:]]
    session_name = sessions[0] if sessions else None
    is_unbound = any("unbound" in get_args(one.annotation)[1:] for one in parameters)
    # The framework would look for the caller among everything that a request may bring along.
    callers = [one.name for one in parameters if one.annotation == CallerDep]
    # FastAPI hands the request to one parameter alone.
    own = next((one.name for one in parameters if one.annotation is Request), None)

    taken = {session_name, *callers}

    async def run(**values: Any) -> Response:
        request: Request = values.pop(_REQUEST) if own is None else values[own]
        caller: Caller = request.state.caller
        values.update(dict.fromkeys(callers, caller))
        threads = threads_of(request, needed.threads)

        def work() -> Response:
            if session_name is None:
                result = endpoint(**values)
                if recorded:
                    with caller.session() as session:
                        _record(session, caller, request, endpoint.__name__)
            else:
                with caller.database.transaction() if is_unbound else caller.session() as session:
                    if recorded:
                        # What the endpoint locks comes after it, as everywhere: see `lock_organisation`.
                        lock_organisation(session, caller.organisation_id)
                    result = endpoint(**values, **{session_name: session})
                    if recorded:
                        _record(session, caller, request, endpoint.__name__)
            return _as_response(result, values, status)

        coding = _coding(request) if needed.packs else None

        def sent_work() -> Sent:
            sent = sent_of(work())
            return packed(sent, coding) if needed.packs else sent

        if not is_shared:
            whole = (lambda: response_of(sent_work())) if needed.packs else work
            return await threads.run(whole, caller.organisation_id)
        question = _question(request, caller, is_own=is_own, packs=needed.packs)
        if needed.threads in _LONG:
            answer = threads.shared(question, sent_work, caller.organisation_id)
            sent = await _while_connected(request, answer)
            return Response(status_code=_CLIENT_GONE) if sent is None else response_of(sent)
        if not needed.is_kept:
            return response_of(await threads.shared(question, sent_work, caller.organisation_id))
        before, names = caller.revisions, set()

        def watched_work() -> Sent:
            with watched() as read:
                sent = sent_work()
            names.update(read)
            return sent

        sent = await threads.shared(question, watched_work, caller.organisation_id)
        # Whoever shares the work of another has not watched it.
        if names:
            kept_answers_of(request).keep(question, names, before, sent)
        return response_of(sent)

    run.__name__, run.__doc__, run.__module__ = endpoint.__name__, endpoint.__doc__, endpoint.__module__
    run.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[
            *(one.replace(kind=_KEYWORD) for one in parameters if one.name not in taken),
            *([inspect.Parameter(_REQUEST, _KEYWORD, annotation=Request)] if own is None else []),
        ]
    )
    return run


async def _while_connected(request: Request, answer: Coroutine[Any, Any, Sent]) -> Sent | None:
    """Return the answer, or None once its client has gone: then it is not waited for any more."""
    waiting = asyncio.ensure_future(answer)
    gone = asyncio.ensure_future(_disconnected(request))
    try:
        await asyncio.wait({waiting, gone}, return_when=asyncio.FIRST_COMPLETED)
        return waiting.result() if waiting.done() else None
    finally:
        gone.cancel()
        waiting.cancel()


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _record(session: Session, caller: Caller, request: Request, action: str) -> None:
    """Leaves an event of what was just done; in its transaction, where that is still open."""
    subject = " ".join(str(one) for one in request.path_params.values())
    address = "" if request.client is None else request.client.host
    what = trail.noted(session) or trail.Note(subject)
    trail.record(session, caller.organisation_id, trail.actor_of(caller, address), action, what)


def _coding(request: Request) -> Coding | None:
    return coding_of(request.headers.get("accept-encoding"))


def _question(request: Request, caller: Caller, *, packs: bool, is_own: bool = False) -> Hashable:
    """Everything that an answer to a GET depends on besides the data. `is_own`: also on the person who asks,
    and not on their role alone.
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
        _coding(request) if packs else None,
    )


def _as_response(result: Any, values: dict[str, Any], status: int) -> Response:
    """What an endpoint gave back as bytes; written here, in the thread and after the transaction."""
    if isinstance(result, Response):
        return result
    assert isinstance(result, BaseModel)  # noqa: S101 - endpoints give models or responses
    response = Response(result.model_dump_json(by_alias=True), status, media_type="application/json")
    for beside in values.values():
        if isinstance(beside, Response):
            response.status_code = beside.status_code or response.status_code
            response.raw_headers.extend(beside.raw_headers)
    return response
