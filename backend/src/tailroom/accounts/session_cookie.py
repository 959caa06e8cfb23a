"""Decides what a browser keeps after signing in: a signed reference to the token, never the token itself.

The cookie says `<token id>.<expiry>.<signature>`. Revoking the token ends every session made with it,
because the token's row is read on each request.
"""

import base64
import hashlib
import hmac
import os
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

COOKIE_NAME = "tailroom_session"
SESSION_LENGTH = timedelta(days=30)
_PURPOSE = b"tailroom session v1\x00"


@dataclass(frozen=True, slots=True)
class SessionSigner:
    """Signs and reads session cookies with one key."""

    key: bytes

    def sign(self, token_id: UUID, now: datetime) -> str:
        """The cookie's value for a session that begins now."""
        expires = int((now + SESSION_LENGTH).timestamp())
        claim = f"{token_id.hex}.{expires}"
        return f"{claim}.{self._signature(claim)}"

    def read(self, value: str, now: datetime) -> UUID | None:
        """The token's id, or None when the cookie is malformed, forged or expired."""
        claim, _, signature = value.rpartition(".")
        token_hex, _, expires_text = claim.partition(".")
        if not hmac.compare_digest(signature.encode(), self._signature(claim).encode()):
            return None
        if datetime.fromtimestamp(int(expires_text), tz=UTC) <= now:
            return None
        return UUID(hex=token_hex)

    def _signature(self, claim: str) -> str:
        digest = hmac.new(self.key, _PURPOSE + claim.encode(), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(digest).decode().rstrip("=")


def load_or_make_key(home: Path) -> bytes:
    """The signing key in the home folder; made, readable by its owner alone, where there is none yet."""
    path = home / "session-key"
    home.mkdir(parents=True, exist_ok=True)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        key = path.read_bytes()
        if len(key) >= 32:
            return key
        message = f"{path} holds no usable key ({len(key)} bytes); remove it, and everybody signs in again"
        raise ValueError(message) from None
    with os.fdopen(descriptor, "wb") as file:
        key = secrets.token_bytes(32)
        file.write(key)
    return key
