"""Errors of authentication and authorisation."""

from typing import ClassVar

from tailroom.kit.errors import HttpProblem


class TokenMissing(HttpProblem):
    """The request has no credentials, and this installation requires them."""

    status = 401
    code = "token-missing"
    title = "An access token is needed"
    headers: ClassVar[dict[str, str]] = {"WWW-Authenticate": 'Bearer realm="tailroom"'}


class TokenUnknown(HttpProblem):
    """The token or session is unknown, revoked or expired."""

    status = 401
    code = "token-unknown"
    title = "The access token is not valid"
    headers: ClassVar[dict[str, str]] = {"WWW-Authenticate": 'Bearer realm="tailroom", error="invalid_token"'}


class TokenScope(HttpProblem):
    """The caller is known, but lacks the capability."""

    status = 403
    code = "token-scope"
    title = "The access token does not allow this"


class RunUnknown(HttpProblem):
    """There is no such run, or it belongs to another organisation: the answer does not distinguish these."""

    status = 404
    code = "run-unknown"
    title = "There is no such run"


class ProofWrong(TokenUnknown):
    """The signature is not from an enrolled agent."""

    code = "proof-wrong"
    title = "The signature is of no agent"


class ProofStale(HttpProblem):
    """The agent's signature was used before, or its time is too far from the server's clock."""

    status = 409
    code = "proof-stale"
    title = "The signature is not for now"


class OriginForeign(HttpProblem):
    """A browser sent a change from another site's page."""

    status = 403
    code = "origin-foreign"
    title = "The request comes from another site"


class GuessesTooMany(HttpProblem):
    """Unknown tokens arrive too fast for typing errors. Valid tokens are still accepted."""

    status = 429
    code = "guesses-too-many"
    title = "Too many tokens that do not exist"
    headers: ClassVar[dict[str, str]] = {"Retry-After": "5"}


class MailsTooMany(HttpProblem):
    """Mails or trials of webhooks are requested too often."""

    status = 429
    code = "mails-too-many"
    title = "Too many mails were asked for"
    headers: ClassVar[dict[str, str]] = {"Retry-After": "600"}
