"""Decides how access tokens and sessions look and how they are remembered: 256 random bits, of which only the
SHA-256 is kept.

A fast hash is right here: both are random, so there is nothing to guess from a dictionary.
"""

import hashlib
import re
import secrets
from datetime import timedelta

from tailroom.access.capabilities import SCOPES, Scope

SESSION_LENGTH = timedelta(days=30)
"""Until a browser has to sign in again, whether with a token or as a person."""
_SHAPE = re.compile(rf"tlr_({'|'.join(SCOPES)})_[A-Za-z0-9_-]{{43}}")


def make_token(scope: Scope) -> str:
    """A fresh token text: `tlr_<scope>_<43 characters>`."""
    return f"tlr_{scope}_{secrets.token_urlsafe(32)}"


def make_session() -> str:
    """A fresh value for the cookie of a session: 43 characters."""
    return secrets.token_urlsafe(32)


def looks_like_token(text: str) -> bool:
    """Whether the text has the shape of a token; says nothing about whether it is known."""
    return _SHAPE.fullmatch(text) is not None


def hash_token(text: str) -> bytes:
    """What is stored instead of a token or the value of a cookie: its SHA-256, 32 bytes."""
    return hashlib.sha256(text.encode()).digest()
