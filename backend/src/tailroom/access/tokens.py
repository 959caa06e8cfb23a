"""Access tokens and values of sessions: 256 random bits, of which only the SHA-256 is stored.

The last six characters of a token are a checksum of the others, so that secret scanners recognise it, and a
mistyped token is refused without a look-up.
"""

import hashlib
import re
import secrets
import string
import zlib
from datetime import timedelta

from tailroom.access.capabilities import SCOPES, Scope

SESSION_LENGTH = timedelta(days=30)
"""Lifetime of a session that a browser begins with a token; use does not extend it."""
SHORT_TOKEN_LENGTH = timedelta(minutes=15)
"""Lifetime of the token that an agent gets for a signature."""
_SHORT = "short"
_SHAPE = re.compile(
    rf"(?P<signed>tlr_(?:{'|'.join((*SCOPES, _SHORT))})_[A-Za-z0-9_-]{{43}})(?P<sum>[0-9A-Za-z]{{6}})?"
)
"""Tokens of earlier versions have no checksum."""
_DIGITS = string.digits + string.ascii_uppercase + string.ascii_lowercase


def make_token(scope: Scope) -> str:
    """Return a new random token: `tlr_<scope>_<43 characters><checksum of 6 characters>`."""
    return _append_checksum(f"tlr_{scope}_{secrets.token_urlsafe(32)}")


def make_short_token() -> str:
    """Return a new random token for an agent that has signed; its scope reads `short`."""
    return _append_checksum(f"tlr_{_SHORT}_{secrets.token_urlsafe(32)}")


def make_session() -> str:
    """Return a new random value of 43 characters: the cookie of a session, or a code in a link."""
    return secrets.token_urlsafe(32)


def looks_like_token(text: str) -> bool:
    """Return whether the text has the form of a token, with the right checksum if it has one."""
    match = _SHAPE.fullmatch(text)
    return match is not None and (match["sum"] is None or text == _append_checksum(match["signed"]))


def is_short(text: str) -> bool:
    """Return whether the text has the form of a short token of an agent; see `looks_like_token`."""
    return text.startswith(f"tlr_{_SHORT}_") and looks_like_token(text)


def _append_checksum(text: str) -> str:
    """Return the text with its CRC-32 in six digits of base 62, as is usual for tokens."""
    left, digits = zlib.crc32(text.encode()), ""
    for _ in range(6):
        left, digit = divmod(left, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return text + digits


def hash_token(text: str) -> bytes:
    """Return the SHA-256 of a token or of the value of a cookie, 32 bytes, which is stored instead of it."""
    return hashlib.sha256(text.encode()).digest()
