"""Signatures of evidence packs: Ed25519, with the key of an installation.

A signature proves that the owner of the key made this manifest; it proves nothing about the measurement. The
public key is part of the pack, so that a reader can compare its fingerprint with the published fingerprint.
Source: RFC 8032.
"""

import base64
import contextlib
import hashlib
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from tailroom.domain.errors import DomainError

_ALGORITHM = "ed25519"
_SIGNATURE_KEYS = {"algorithm", "public_key", "fingerprint", "signature"}


class KeyUnusable(DomainError):
    """The file contains no Ed25519 private key."""


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A private key that signs packs; it is written only to its file."""

    private: Ed25519PrivateKey

    def sign(self, message: bytes) -> dict[str, str]:
        """Return the content of `manifest.sig` for a message; public key and signature are in Base64."""
        public = self.private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        return {
            "algorithm": _ALGORITHM,
            "public_key": base64.b64encode(public).decode(),
            "fingerprint": fingerprint(public),
            "signature": base64.b64encode(self.private.sign(message)).decode(),
        }


def fingerprint(public: bytes) -> str:
    """Return the first 32 hexadecimal digits of the public key's SHA-256, in groups of four."""
    digits = hashlib.sha256(public).hexdigest()[:32]
    return " ".join(digits[at : at + 4] for at in range(0, len(digits), 4))


def key_of(path: Path) -> SigningKey:
    """Return the key in a file; if the file is missing, create it with a new key, for its owner only.

    Raise KeyUnusable if the file is malformed or has another kind of key.
    """
    if not path.exists():
        _make(path)
    try:
        private_key = load_pem_private_key(path.read_bytes(), password=None)
    except (ValueError, TypeError) as error:
        raise KeyUnusable(f"{path} holds no private key that can be read: {error}") from error
    if not isinstance(private_key, Ed25519PrivateKey):
        raise KeyUnusable(f"{path} holds a key of another kind; packs are signed with Ed25519")
    return SigningKey(private_key)


def _make(path: Path) -> None:
    """Create the key file atomically, unless another process creates it at the same moment."""
    path.parent.mkdir(parents=True, exist_ok=True)
    private = Ed25519PrivateKey.generate()
    with tempfile.NamedTemporaryFile(dir=path.parent) as file:  # readable for its owner only
        file.write(private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        file.flush()
        os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(file.name, path)


def signer_of(message: bytes, document: Any) -> str | None:
    """Return the fingerprint of the key that signed a message, by the content of a `manifest.sig`.

    None if the document is malformed or the signature is not valid.
    """
    try:
        if document["algorithm"] != _ALGORITHM or document.keys() != _SIGNATURE_KEYS:
            return None
        return signer_of_signature(message, document["public_key"], document["signature"])
    except (KeyError, TypeError, AttributeError):
        return None


def signer_of_signature(message: bytes, public_key: str, signature: str) -> str | None:
    """Return the fingerprint of a public key if it signed the message, else None; both are in Base64."""
    try:
        key = base64.b64decode(public_key, validate=True)
        public = Ed25519PublicKey.from_public_bytes(key)
        public.verify(base64.b64decode(signature, validate=True), message)
    except (InvalidSignature, TypeError, ValueError):
        return None
    return fingerprint(key)
