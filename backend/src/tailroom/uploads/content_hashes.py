"""Hashes of the uncompressed content of a file, to compare copies of a log."""

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from tailroom.domain.errors import DomainError
from tailroom.importers.source import from_path


def beginnings(path: Path, sizes: Sequence[int]) -> dict[int, bytes]:
    """Return the SHA-256 of the first bytes of a file, uncompressed, by number of bytes.

    `sizes`: these numbers, ascending; sizes beyond the end of the file, or beyond the place where unpacking
    is refused, are left out.
    """
    hashes: dict[int, bytes] = {}
    remaining = list(sizes)
    digest, done = hashlib.sha256(), 0
    with suppress(DomainError):
        for chunk in from_path(path).unpacked():
            offset = 0
            while remaining and remaining[0] <= done + len(chunk):
                digest.update(chunk[offset : remaining[0] - done])
                offset = remaining[0] - done
                hashes[remaining.pop(0)] = digest.copy().digest()
            if not remaining:
                break
            digest.update(chunk[offset:])
            done += len(chunk)
    return hashes


def content_of(path: Path) -> tuple[int, bytes]:
    """Return size in bytes and SHA-256 of a file, uncompressed. Raise DomainError if unpacking is refused."""
    digest, size = hashlib.sha256(), 0
    for chunk in from_path(path).unpacked():
        digest.update(chunk)
        size += len(chunk)
    return size, digest.digest()
