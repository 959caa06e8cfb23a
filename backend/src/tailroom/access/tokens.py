"""Decides how access tokens and sessions look and how they are remembered: 256 random bits, of which only the
SHA-256 is kept.

A fast hash is right here: both are random, so there is nothing to guess from a dictionary. The last six
characters are a checksum of the others, so that a program that looks for secrets in files knows a token from
other text, and a mistyped one is refused unasked.
"""

import hashlib
import re
import secrets
import string
import zlib
from datetime import timedelta

from tailroom.access.capabilities import SCOPES, Scope

SESSION_LENGTH = timedelta(days=30)
"""Until a browser has to sign in again, whether with a token or as a person."""
SHORT_TOKEN_LENGTH = timedelta(minutes=15)
"""Of what an agent with a key of its own gets for a signature."""
_SHORT = "short"
_SHAPE = re.compile(
    rf"(?P<signed>tlr_(?:{'|'.join((*SCOPES, _SHORT))})_[A-Za-z0-9_-]{{43}})(?P<sum>[0-9A-Za-z]{{6}})?"
)
"""Without a checksum: as tokens were made before there was one."""
_DIGITS = string.digits + string.ascii_uppercase + string.ascii_lowercase


def make_token(scope: Scope) -> str:
    """A fresh token text: `tlr_<scope>_<43 characters><6 of checksum>`."""
    return _with_checksum(f"tlr_{scope}_{secrets.token_urlsafe(32)}")


def make_short_token() -> str:
    """A fresh token for an agent that signed for it."""
    return _with_checksum(f"tlr_{_SHORT}_{secrets.token_urlsafe(32)}")


def make_session() -> str:
    """A fresh value for the cookie of a session: 43 characters."""
    return secrets.token_urlsafe(32)


def looks_like_token(text: str) -> bool:
    """Whether the text has the shape of a token; says nothing about whether it is known."""
    found = _SHAPE.fullmatch(text)
    return found is not None and (found["sum"] is None or text == _with_checksum(found["signed"]))


def is_short(text: str) -> bool:
    """Whether the text is one for which an agent signed."""
    return text.startswith(f"tlr_{_SHORT}_") and looks_like_token(text)


def _with_checksum(text: str) -> str:
    """CRC-32 in six digits of base 62, as others who make tokens do."""
    left, digits = zlib.crc32(text.encode()), ""
    for _ in range(6):
        left, digit = divmod(left, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return text + digits


def hash_token(text: str) -> bytes:
    """What is stored instead of a token or the value of a cookie: its SHA-256, 32 bytes."""
    return hashlib.sha256(text.encode()).digest()
