"""Time stamps of evidence packs (RFC 3161): an outside authority states when a manifest existed.

The token covers the bytes of the manifest, which names every other member by its hash. The person who
verifies chooses the trusted authorities, by root certificates; the pack does not.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

import requests
from cryptography.x509 import Certificate, NameOID, load_der_x509_certificate
from rfc3161_client import (
    HashAlgorithm,
    TimestampRequestBuilder,
    TimeStampResponse,
    VerificationError,
    VerifierBuilder,
    decode_timestamp_response,
)

from tailroom.domain.errors import DomainError

_TIMEOUT_S = 15.0
_MOST_BYTES = 256 * 1024
"""Maximum size of an authority's answer."""
_SHA256_OID = "2.16.840.1.101.3.4.2.1"
_QUERY, _REPLY = "application/timestamp-query", "application/timestamp-reply"


class TimeStampRefused(DomainError):
    """The authority sent no valid token for this manifest."""


class TimeStampState(StrEnum):
    """Result of the check of a time stamp: `valid` if a trusted root certificate confirms its authority."""

    VALID = "valid"
    UNCHECKED = "unchecked"
    """The time stamp is about this manifest; no root certificate was given to check its authority."""
    INVALID = "invalid"


@dataclass(frozen=True, slots=True)
class TimeStamp:
    """A checked time stamp.

    `at` and `authority` are as the stamp states them, None if it is malformed. `problem` is why it is
    invalid.
    """

    state: TimeStampState
    at: datetime | None
    authority: str | None
    problem: str | None = None

    def document(self) -> dict[str, Any]:
        """Return the time stamp as JSON values for `--json`."""
        return {
            "state": self.state.value,
            "at": None if self.at is None else self.at.isoformat(),
            "authority": self.authority,
            "problem": self.problem,
        }


def stamp(manifest: bytes, url: str) -> bytes:
    """Return the time stamp of a manifest by the authority at `url`, as its DER reply.

    Raise TimeStampRefused if there is no answer, or it is no token for this manifest and request.
    """
    request = (
        TimestampRequestBuilder()
        .data(manifest)
        .hash_algorithm(HashAlgorithm.SHA256)
        .cert_request(cert_request=True)
        .nonce(nonce=True)
        .build()
    )
    try:
        with requests.post(
            url,
            data=request.as_bytes(),
            headers={"Content-Type": _QUERY, "Accept": _REPLY},
            timeout=_TIMEOUT_S,
            allow_redirects=False,
            stream=True,
        ) as answer:
            body = answer.raw.read(_MOST_BYTES + 1, decode_content=True)
            status = answer.status_code
    except (requests.RequestException, OSError) as error:
        raise TimeStampRefused(f"the time-stamp authority at {url} did not answer: {error}") from error
    if status != requests.codes.ok or len(body) > _MOST_BYTES:
        raise TimeStampRefused(f"the time-stamp authority at {url} answered {status} with {len(body)} bytes")
    try:
        reply = decode_timestamp_response(body)
        is_ours = _imprint(reply) == hashlib.sha256(manifest).digest()
        is_asked = reply.tst_info.nonce == request.nonce
    except ValueError as error:
        raise TimeStampRefused(f"the time-stamp authority at {url} gave no token: {error}") from error
    if not is_ours or not is_asked:
        raise TimeStampRefused(f"the time-stamp authority at {url} gave a token of something else")
    return bytes(body)


def check_stamp(manifest: bytes, reply: bytes, roots: Sequence[Certificate]) -> TimeStamp:
    """Return the check of a DER reply as the time stamp of a manifest.

    The authority is checked against the certificates `roots`; without any, the result is unchecked.
    """
    try:
        decoded = decode_timestamp_response(reply)
        at, authority = decoded.tst_info.gen_time, _authority(decoded)
        is_ours = _imprint(decoded) == hashlib.sha256(manifest).digest()
    except ValueError as error:
        return TimeStamp(TimeStampState.INVALID, None, None, f"it is no time stamp: {error}")
    if not is_ours:
        return TimeStamp(TimeStampState.INVALID, at, authority, "it is about something else")
    if not roots:
        return TimeStamp(TimeStampState.UNCHECKED, at, authority)
    try:
        VerifierBuilder(roots=list(roots)).build().verify_message(decoded, manifest)
    except (VerificationError, ValueError) as error:
        return TimeStamp(TimeStampState.INVALID, at, authority, str(error))
    return TimeStamp(TimeStampState.VALID, at, authority)


def _imprint(reply: TimeStampResponse) -> bytes | None:
    """Return the SHA-256 of the message that a token is about; None if it uses another hash function."""
    imprint = reply.tst_info.message_imprint
    return imprint.message if imprint.hash_algorithm.dotted_string == _SHA256_OID else None


def _authority(reply: TimeStampResponse) -> str | None:
    """Return the common name in the certificate that signed a token, else its subject; None without it."""
    signer = next(iter(reply.signed_data.signer_infos), None)
    for data in reply.signed_data.certificates:
        certificate = load_der_x509_certificate(data)
        if signer is not None and certificate.serial_number == signer.serial_number:
            names = certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)
            return str(names[0].value) if names else certificate.subject.rfc4514_string()
    return None
