"""Errors of authentication and authorisation."""

from tailroom.kit.errors import HttpProblem


class TokenMissing(
    HttpProblem,
    status=401,
    title="An access token is needed",
    headers={"WWW-Authenticate": 'Bearer realm="tailroom"'},
):
    """The request has no credentials, and this installation requires them."""


class TokenUnknown(
    HttpProblem,
    status=401,
    title="The access token is not valid",
    headers={"WWW-Authenticate": 'Bearer realm="tailroom", error="invalid_token"'},
):
    """The token or session is unknown, revoked or expired."""


class TokenScope(HttpProblem, status=403, title="The access token does not allow this"):
    """The caller is known, but lacks the capability."""


class RunUnknown(HttpProblem, status=404, title="There is no such run"):
    """There is no such run, or it belongs to another organisation: the answer does not distinguish these."""


class ProofWrong(TokenUnknown, title="The signature is of no agent"):
    """The signature is not from an enrolled agent."""


class ProofStale(HttpProblem, status=409, title="The signature is not for now"):
    """The agent's signature was used before, or its time is too far from the server's clock."""


class OriginForeign(HttpProblem, status=403, title="The request comes from another site"):
    """A browser sent a change from another site's page."""


class GuessesTooMany(
    HttpProblem, status=429, title="Too many tokens that do not exist", headers={"Retry-After": "5"}
):
    """Unknown tokens arrive too fast for typing errors. Valid tokens are still accepted."""


class MailsTooMany(
    HttpProblem, status=429, title="Too many mails were asked for", headers={"Retry-After": "600"}
):
    """Mails or trials of webhooks are requested too often."""
