"""What a kept file holds below its packing: by that copies of a log are compared, packed or not."""

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from tailroom.domain.errors import DomainError
from tailroom.importers.source import from_path


def beginnings(path: Path, sizes: Sequence[int]) -> dict[int, bytes]:
    """SHA-256 of the first so many bytes of a file below its packing, for ascending sizes, in one go.

    A file whose packing is refused has none.
    """
    found: dict[int, bytes] = {}
    wanted = list(sizes)
    digest, done = hashlib.sha256(), 0
    with suppress(DomainError):
        for piece in from_path(path).unpacked():
            at = 0
            while wanted and wanted[0] <= done + len(piece):
                digest.update(piece[at : wanted[0] - done])
                at = wanted[0] - done
                found[wanted.pop(0)] = digest.copy().digest()
            if not wanted:
                break
            digest.update(piece[at:])
            done += len(piece)
    return found


def content_of(path: Path) -> tuple[int, bytes]:
    """Size and SHA-256 of a file below its packing. It was read before, so that nothing is refused."""
    digest, size = hashlib.sha256(), 0
    for piece in from_path(path).unpacked():
        digest.update(piece)
        size += len(piece)
    return size, digest.digest()
