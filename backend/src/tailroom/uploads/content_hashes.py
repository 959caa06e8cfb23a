"""Uncompressed content of a stored file, by which copies of a log are compared."""

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from tailroom.domain.errors import DomainError
from tailroom.importers.source import from_path


def beginnings(path: Path, sizes: Sequence[int]) -> dict[int, bytes]:
    """Return the SHA-256 of the first bytes of a file, uncompressed, for ascending sizes, in one pass.

    A file whose compression is refused has none.
    """
    hashes: dict[int, bytes] = {}
    remaining = list(sizes)
    digest, done = hashlib.sha256(), 0
    with suppress(DomainError):
        for piece in from_path(path).unpacked():
            offset = 0
            while remaining and remaining[0] <= done + len(piece):
                digest.update(piece[offset : remaining[0] - done])
                offset = remaining[0] - done
                hashes[remaining.pop(0)] = digest.copy().digest()
            if not remaining:
                break
            digest.update(piece[offset:])
            done += len(piece)
    return hashes


def content_of(path: Path) -> tuple[int, bytes]:
    """Return size and SHA-256 of a file, uncompressed, without size limits: it was read before."""
    digest, size = hashlib.sha256(), 0
    for piece in from_path(path).unpacked():
        digest.update(piece)
        size += len(piece)
    return size, digest.digest()
