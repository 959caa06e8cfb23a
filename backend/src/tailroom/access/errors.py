"""Refusals about who asks."""

from typing import ClassVar

from tailroom.kit.errors import Problem


class TokenMissing(Problem):
    """No credentials, and this installation does not allow that."""

    status = 401
    code = "token-missing"
    title = "An access token is needed"
    headers: ClassVar[dict[str, str]] = {"WWW-Authenticate": 'Bearer realm="tailroom"'}


class TokenUnknown(Problem):
    """The token or session is unknown, revoked or expired."""

    status = 401
    code = "token-unknown"
    title = "The access token is not valid"
    headers: ClassVar[dict[str, str]] = {"WWW-Authenticate": 'Bearer realm="tailroom", error="invalid_token"'}


class TokenScope(Problem):
    """The token is valid and does not allow this."""

    status = 403
    code = "token-scope"
    title = "The access token does not allow this"


class RunUnknown(Problem):
    """There is no such run, or it belongs to somebody else: the answer does not say which."""

    status = 404
    code = "run-unknown"
    title = "There is no such run"


class ProofWrong(TokenUnknown):
    """Not signed by an agent that is enrolled here."""

    code = "proof-wrong"
    title = "The signature is of no agent"


class ProofStale(Problem):
    """Signed by the agent, and not for now: used before, or by another clock."""

    status = 409
    code = "proof-stale"
    title = "The signature is not for now"


class OriginForeign(Problem):
    """A browser sent a change from another site's page."""

    status = 403
    code = "origin-foreign"
    title = "The request comes from another site"


class GuessesTooMany(Problem):
    """Tokens that do not exist come faster than anybody mistypes. Valid ones pass all the same."""

    status = 429
    code = "guesses-too-many"
    title = "Too many tokens that do not exist"
    headers: ClassVar[dict[str, str]] = {"Retry-After": "5"}


class MailsTooMany(Problem):
    """Mails are asked for too often."""

    status = 429
    code = "mails-too-many"
    title = "Too many mails were asked for"
    headers: ClassVar[dict[str, str]] = {"Retry-After": "600"}
