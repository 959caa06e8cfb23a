"""SHA-256 of bodies and answers in `Content-Digest` (RFC 9530).

TLS detects damage in transit itself; plain HTTP on a trusted network, proxies and faulty memory do not, and a
packed body with one wrong bit may unpack to other numbers.
"""

import base64
import hashlib
import re

from tailroom.ingest.errors import BodyDamaged

HEADER = "content-digest"
_SHA256 = re.compile(r"(?:^|[\s,])sha-256=:([A-Za-z0-9+/]{43}=):")


def digest_of(content: bytes) -> str:
    """Return the value of `Content-Digest` for this content: its SHA-256."""
    return f"sha-256=:{base64.b64encode(hashlib.sha256(content).digest()).decode()}:"


def require_undamaged(header: str | None, content: bytes) -> None:
    """Raise BodyDamaged if the header states another SHA-256 than that of the content. A missing header, or
    one with other algorithms only, is accepted.
    """
    named = _SHA256.search(header or "")
    if named and base64.b64decode(named[1]) != hashlib.sha256(content).digest():
        raise BodyDamaged(
            f"The {len(content)} bytes of the body are not those that were sent: their SHA-256 differs from"
            " Content-Digest. Nothing was stored. Send the body again."
        )
