"""Decides whether a body arrived as it was sent: the SHA-256 of `Content-Digest` (RFC 9530), both ways.

TLS notices damage on its way by itself; plain HTTP on a trusted network, proxies and faulty memory do not,
and a packed body with one wrong bit may unpack to other numbers.
"""

import base64
import hashlib
import re

from tailroom.ingest.errors import BodyDamaged

HEADER = "content-digest"
_SHA256 = re.compile(r"(?:^|[\s,])sha-256=:([A-Za-z0-9+/]{43}=):")


def digest_of(content: bytes) -> str:
    """The value of the header for this content, as it goes over the wire."""
    return f"sha-256=:{base64.b64encode(hashlib.sha256(content).digest()).decode()}:"


def require_undamaged(header: str | None, content: bytes) -> None:
    """Raises BodyDamaged where the header names another SHA-256 than the content has.

    Without the header, or with other algorithms alone, nothing is known and nothing refused.
    """
    named = _SHA256.search(header or "")
    if named and base64.b64decode(named[1]) != hashlib.sha256(content).digest():
        raise BodyDamaged(
            f"The {len(content)} bytes of the body are not those that were sent: their SHA-256 differs from"
            " Content-Digest. Nothing was stored. Send the body again."
        )
