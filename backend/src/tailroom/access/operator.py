"""Whoever looks after the installation: not a member of an organisation, and let in to figures about all of
them, never to what they hold.
"""

from hmac import compare_digest

from fastapi import Request

from tailroom.access.door import FORWARDED_HEADERS
from tailroom.access.errors import TokenMissing, TokenUnknown
from tailroom.kit.settings import Settings


def require_operator(request: Request, settings: Settings) -> None:
    """By `Authorization: Bearer` with the operator's token, or by being local. Raises TokenMissing,
    TokenUnknown.
    """
    kind, _, text = request.headers.get("authorization", "").partition(" ")
    expected = settings.operator_token
    if kind.lower() == "bearer" and expected is not None:
        if compare_digest(text.strip().encode(), expected.get_secret_value().encode()):
            return
        raise TokenUnknown("This is not the token of the operator (TAILROOM_OPERATOR_TOKEN).")
    proxy = any(name in request.headers for name in FORWARDED_HEADERS)
    if settings.local_access and not proxy:
        return
    raise TokenMissing(
        "Figures of the whole installation need `Authorization: Bearer` with the operator's token, which"
        " TAILROOM_OPERATOR_TOKEN sets."
    )
