"""Authenticate requests, and check the capability of their callers, before a body is read.

A bearer token takes precedence over a cookie, a cookie over local access. Concurrent requests are looked up
together, each after its arrival: a token that was revoked before is not accepted.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from hmac import compare_digest
from typing import Literal, NamedTuple, cast
from urllib.parse import urlsplit
from uuid import UUID

from fastapi import Request
from fastapi.security.utils import get_authorization_scheme_param

from tailroom.access import person_sessions, repository
from tailroom.access.caller import NO_ORGANISATION, Caller
from tailroom.access.capabilities import LOCAL_SCOPE, VISITORS, Capability, Role, Scope
from tailroom.access.errors import GuessesTooMany, OriginForeign, RunUnknown, TokenMissing, TokenUnknown
from tailroom.access.guesses import Buckets, rate_limit_key
from tailroom.access.quotas import NOT_COUNTED, RequestsTooMany
from tailroom.access.repository import TokenRecord
from tailroom.access.tokens import hash_token, is_short, looks_like_token
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.errors import HttpProblem, RequestInvalid
from tailroom.kit.threads import RequestBatcher, ThreadPool
from tailroom.storage.local import LOCAL_ORGANISATION
from tailroom.storage.quota import Quota

COOKIE_NAME = "tailroom_session"
"""Name of the session cookie; over TLS see `session_cookie`."""
FORWARDED_HEADERS = (
    "forwarded",
    "via",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-port",
    "x-forwarded-proto",
    "x-real-ip",
)
"""Headers of proxies: a request with any of them is not known to come from this machine."""
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class Credential(NamedTuple):
    """Kind and hash of the credential of a request; the hash is empty for local access."""

    kind: Literal["token", "session", "local"]
    sha256: bytes


_LOCAL = Credential("local", b"")


class Authenticator:
    """Authentication of requests in one process."""

    def __init__(
        self,
        database: Database,
        threads: ThreadPool,
        *,
        local_access: bool,
        open_previews: bool = False,
        operator_token: str | None = None,
        operators: Collection[str] = (),
        open_browsing: bool = False,
        requests_per_minute: int,
        buckets: Buckets | None = None,
    ) -> None:
        """Prepare authentication with the settings of the installation.

        `local_access`: requests from this machine need no token; `open_browsing`, `open_previews`: visitors
        may read public data, or see previews; `operators`: e-mail addresses. All processes behind the port
        share `buckets`.
        """
        self._requests_per_minute = requests_per_minute
        self._buckets = Buckets() if buckets is None else buckets
        self._visitor_capabilities = VISITORS if open_browsing else frozenset[Capability]()
        self._open_previews = open_previews
        self._operator_token = operator_token
        self._operators = frozenset(operators)
        self._database = database
        self._threads = threads
        self._local_access = local_access
        self._batcher: RequestBatcher[Credential, TokenRecord | None] = RequestBatcher(threads, self._look_up)
        self._guesses = self._buckets.of("tokens that do not exist")

    async def authenticate(self, request: Request, capability: Capability) -> Caller:
        """Return the caller of a request, if they have this capability; count the request against its limits.

        Raise TokenMissing without credentials, TokenUnknown for invalid credentials, TokenScope without the
        capability, OriginForeign for a change from a foreign page, GuessesTooMany or RequestsTooMany beyond a
        limit; for an agent RunUnknown if no agent of its organisation sent the run, RequestInvalid for no id.
        """
        if capability is Capability.OPERATE and self._has_operator_token(request):
            return self._caller_without_organisation("token", is_operator=True)
        try:
            caller = await self._caller_of(request)
        except (TokenMissing, TokenUnknown, GuessesTooMany) as error:
            if capability is Capability.OPERATE and isinstance(error, TokenMissing):
                raise TokenMissing(
                    "Looking after the installation needs `Authorization: Bearer` with the operator's token,"
                    " which TAILROOM_OPERATOR_TOKEN sets, or a person whom TAILROOM_OPERATORS names."
                ) from None
            may_show = capability is Capability.SHOW and self._open_previews
            may_browse = capability in self._visitor_capabilities and request.method in _SAFE_METHODS
            if not (may_show or may_browse) or "authorization" in request.headers:
                raise
            address = "" if request.client is None else rate_limit_key(request.client.host)
            self._count_request("address", address, self._requests_per_minute)
            return self._caller_without_organisation("visitor")
        if caller.by_browser and request.method not in _SAFE_METHODS:
            refuse_foreign_origin(request)
        caller.require(capability)
        if capability not in NOT_COUNTED and caller.access != "local":
            if caller.person is None:
                self._count_request("token", caller.token_id, self._requests_per_minute)
            else:
                self._count_request("person", caller.person.person_id, self._requests_per_minute)
        if capability not in NOT_COUNTED and caller.requests_per_minute:
            self._count_request("organisation", caller.organisation_id, caller.requests_per_minute)
        if caller.scope == "agent" and capability is Capability.READ_RUN:
            await self._require_own_run(caller, request.path_params.get("run_id"))
        return caller

    def _count_request(
        self, kind: Literal["address", "token", "person", "organisation"], key: UUID | str | None, limit: int
    ) -> None:
        bucket = self._buckets.of((kind, key, limit), limit, limit / 60)
        if not bucket.take_is_refused():
            return
        more = ", or ask an operator for more" if kind == "organisation" else ""
        raise RequestsTooMany(
            f"One {kind} may ask {limit:,} times a minute; this one asked more. Try"
            f" again in {max(1, bucket.wait_s())} s{more}. What agents send is not counted."
        )

    async def with_token(self, text: str) -> Caller:
        """Return the caller of a token, given its text. Each failure is counted as a guess.

        Raise TokenUnknown if it is unknown, revoked or expired; GuessesTooMany instead after many guesses.
        """
        token = None
        if looks_like_token(text):
            kind: Literal["token", "session"] = "session" if is_short(text) else "token"
            token = await self._batcher.get(Credential(kind, hash_token(text)))
        if token is None and is_short(text):
            raise self._count_failure(
                "The short token of an agent has expired, or is of another installation; sign for another by"
                " `POST /api/v1/agent/token`."
            )
        if token is None:
            raise self._count_failure(
                "No such access token. Check that it was copied whole, or make one with"
                " `tailroom token create`."
            )
        if token.revoked_at is not None:
            raise self._count_failure(
                f"The access token “{token.name}” was revoked on {token.revoked_at:%Y-%m-%d %H:%M} UTC;"
                " make another with `tailroom token create`."
            )
        if token.expires_at is not None and token.expires_at <= utc_now():
            raise self._count_failure(
                f"The access token “{token.name}” expired on {token.expires_at:%Y-%m-%d %H:%M} UTC; make"
                " another."
            )
        return self._caller(token, None)

    async def with_session(self, value: str) -> Caller:
        """Return the caller of a session that has just begun, by the value of its cookie.

        Raise TokenUnknown if there is no such session.
        """
        session_sha256 = hash_token(value)
        token = await self._batcher.get(Credential("session", session_sha256))
        if token is None:
            raise TokenUnknown("The session has ended; sign in again.")
        return self._caller(token, session_sha256)

    def _has_operator_token(self, request: Request) -> bool:
        scheme, text = get_authorization_scheme_param(request.headers.get("authorization"))
        if scheme.lower() != "bearer" or self._operator_token is None:
            return False
        return compare_digest(text.encode(), self._operator_token.encode())

    async def _caller_of(self, request: Request) -> Caller:
        """Return the caller of a request by its token, else its cookie, else local access.

        Raise TokenMissing without any of them or for a malformed header; TokenUnknown for an invalid token
        or, without local access, an ended session; GuessesTooMany instead of that after too many guesses.
        """
        authorization = request.headers.get("authorization")
        if authorization is not None:
            scheme, text = get_authorization_scheme_param(authorization)
            if scheme.lower() != "bearer" or not text:
                raise TokenMissing("The Authorization header must read `Bearer <token>`.")
            return await self.with_token(text)
        proxy = next((name for name in FORWARDED_HEADERS if name in request.headers), None)
        is_local = self._local_access and proxy is None
        cookie = request.cookies.get(session_cookie(request))
        if cookie is not None and not looks_like_token(cookie):
            session_sha256 = hash_token(cookie)
            token = await self._batcher.get(Credential("session", session_sha256))
            if token is not None and token.revoked_at is None:
                return self._caller(token, session_sha256, at_this_machine=is_local)
            if not is_local:
                raise self._count_failure("The session has ended or its token was revoked; sign in again.")
        if is_local:
            local = await self._batcher.get(_LOCAL)
            assert local is not None  # noqa: S101 - _look_up() creates it
            return replace(self._caller(local, None, at_this_machine=True), access="local")
        prefix = (
            f"The request came through a proxy (it has the header {proxy}), so nobody is local. "
            if self._local_access and proxy is not None
            else ""
        )
        raise TokenMissing(
            f"{prefix}This endpoint needs `Authorization: Bearer <token>` or a session."
            " Make a token with `tailroom token create`."
        )

    def _caller(
        self, token: TokenRecord, session_sha256: bytes | None, *, at_this_machine: bool = False
    ) -> Caller:
        person = token.person
        return Caller(
            organisation_id=token.organisation_id,
            organisation_name=token.organisation_name,
            scope=cast(Scope | Role, token.scope),
            access="token" if person is None else "person",
            token_id=token.token_id,
            session_sha256=session_sha256,
            database=self._database,
            requests_per_minute=token.requests_per_minute,
            person=person,
            token_name=token.name if person is None else "",
            at_this_machine=at_this_machine,
            is_operator=person is not None and person.email in self._operators,
        )

    def _caller_without_organisation(
        self, access: Literal["token", "visitor"], *, is_operator: bool = False
    ) -> Caller:
        return Caller(
            organisation_id=NO_ORGANISATION,
            organisation_name="",
            scope="viewer",
            access=access,
            token_id=None,
            session_sha256=None,
            database=self._database,
            is_operator=is_operator,
        )

    def count_unknown(self, refusal: HttpProblem) -> HttpProblem:
        """Count a failed credential as a guess; return `refusal`, or GuessesTooMany beyond the limit."""
        if self._guesses.take_is_refused():
            return GuessesTooMany(
                "Many tokens that do not exist came in the last seconds. Valid ones are let in as always;"
                " try this one again in a moment."
            )
        return refusal

    def _count_failure(self, detail: str) -> HttpProblem:
        """Count a failed credential as a guess; return TokenUnknown with `detail`, or GuessesTooMany."""
        return self.count_unknown(TokenUnknown(detail))

    def _look_up(self, credentials: Collection[Credential]) -> Mapping[Credential, TokenRecord | None]:
        """Return the stored token or session of each credential; store the time of their use once a minute.

        None if it is unknown, or is a session that has expired; revoked credentials and expired tokens are
        returned. Local access creates its organisation if missing.
        """
        now = utc_now()
        by_kind: dict[str, list[bytes]] = {"token": [], "session": [], "local": []}
        for credential in credentials:
            by_kind[credential.kind].append(credential.sha256)
        tokens_by_credential: dict[Credential, TokenRecord | None] = dict.fromkeys(credentials)
        tokens: Mapping[bytes, TokenRecord] = {}
        if by_kind["token"]:
            with self._database.autocommit_connection() as connection:
                tokens = repository.find_tokens(connection, by_kind["token"])
        tokens_by_credential |= {Credential("token", key): token for key, token in tokens.items()}
        used = repository.due_for_use(tokens.values(), now)
        if not (used or by_kind["session"] or by_kind["local"]):
            return tokens_by_credential
        with self._database.transaction() as session:
            if used:
                repository.store_use(session, used, now)
            if by_kind["session"]:
                sessions = dict(repository.find_sessions(session, by_kind["session"]))
                if others := [key for key in by_kind["session"] if key not in sessions]:
                    people = person_sessions.find(session, others)
                    person_sessions.store_use(session, people, now)
                    sessions |= people
                tokens_by_credential |= {
                    Credential("session", key): session
                    for key, session in sessions.items()
                    if session.expires_at is None or session.expires_at > now
                }
            if by_kind["local"]:
                organisation = repository.ensure_organisation(session, LOCAL_ORGANISATION, now)
                quota = session.get(Quota, organisation.id)
                limit = None if quota is None else quota.requests_per_minute
                tokens_by_credential[_LOCAL] = TokenRecord(
                    None, "", LOCAL_SCOPE, organisation.id, organisation.name, None, None, limit
                )
        return tokens_by_credential

    async def _require_own_run(self, caller: Caller, run_id: object) -> None:
        try:
            wanted_id = UUID(str(run_id))
        except ValueError:
            raise RequestInvalid(f"{run_id} is no id of a run.") from None

        def is_own() -> bool:
            with caller.session() as session:
                return repository.is_agents_run(session, caller.organisation_id, wanted_id)

        if not await self._threads.run(is_own):
            raise RunUnknown(
                f"There is no run {wanted_id} that an agent of this organisation has sent, and an agent's"
                " token reads no others."
            )


def session_cookie(request: Request) -> str:
    """Return the name of the session cookie. Over TLS its prefix `__Host-` restricts it to this host."""
    return f"__Host-{COOKIE_NAME}" if request.scope["scheme"] == "https" else COOKIE_NAME


def refuse_foreign_origin(request: Request) -> None:
    """Raise OriginForeign if a page of another site sends the request.

    Programs pass, because they send neither `Sec-Fetch-Site` nor `Origin`, and have no cookies of people.
    """
    site = request.headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        raise OriginForeign(
            f"A page of another site asked for this change (Sec-Fetch-Site: {site}); only Tailroom's"
            " own pages may."
        )
    origin = request.headers.get("origin")
    if origin is not None and _host_of(origin) != request.headers.get("host", "").lower():
        raise OriginForeign(
            f"A page of {origin[:200]} asked for this change; only pages of this installation may."
        )


def _host_of(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return None
