"""Reading of an organisation's pack: verification of its manifest and parts, and the rows of a part.

The author of a pack is not trusted: sizes are limited before anything is unpacked.
"""

import hashlib
import zipfile
from collections.abc import Iterator
from typing import Any

import msgspec

from tailroom.kit.raw_files import CHUNK_BYTES
from tailroom.operations.organisation_pack import (
    FORMAT,
    MANIFEST,
    MEMBERS,
    ORGANISATION,
    ROWS_AT_ONCE,
    TABLES,
    OrganisationPackRefused,
    PackManifest,
)

_LARGEST_TEXT_BYTES = 64 * 2**20
"""Limit of a row, and of a part that is read at once."""
_ALWAYS_UNPACKED_BYTES, _LARGEST_RATIO = 256 * 2**20, 100
"""A pack may unpack to the larger of this size and this multiple of its own (usual: 20)."""

PackRow = tuple[str, dict[str, Any]]
"""A row as its line of JSON, and as the parsed object."""


def verify_manifest(pack: zipfile.ZipFile) -> PackManifest:
    """Return the manifest of a pack after verifying the hash of every part that it names.

    Raise OrganisationPackRefused if a hash differs or is missing, or the pack has another form or unpacks to
    too many bytes. Raise KeyError for a missing part, and other errors of `zipfile`.
    """
    parts = pack.infolist()
    if len({part.filename for part in parts}) < len(parts):
        raise OrganisationPackRefused("The pack holds two parts of one name.")
    if any(part.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED} for part in parts):
        raise OrganisationPackRefused("The pack is compressed by another method than Tailroom writes.")
    unpacked = sum(part.file_size for part in parts)
    packed = sum(part.compress_size for part in parts)
    if unpacked > max(_ALWAYS_UNPACKED_BYTES, _LARGEST_RATIO * packed):
        raise OrganisationPackRefused(
            f"The pack would unpack to {unpacked:,} bytes, out of all proportion to its size."
        )
    try:
        manifest = msgspec.json.decode(part_text(pack, MANIFEST), type=PackManifest)
    except (KeyError, msgspec.DecodeError) as error:
        raise OrganisationPackRefused(
            f"This is no pack of an organisation, or one that was not finished: {error}."
        ) from error
    required = {ORGANISATION, MEMBERS, *(f"{table}.jsonl" for table in TABLES)}
    if missing := required - manifest.sha256.keys():
        raise OrganisationPackRefused(f"The pack has no hash of {', '.join(sorted(missing))}.")
    if manifest.format != FORMAT:
        raise OrganisationPackRefused(f"The pack has form {manifest.format}; this version reads {FORMAT}.")
    for name, expected in manifest.sha256.items():
        digest = hashlib.sha256()
        with pack.open(name) as part:
            while chunk := part.read(CHUNK_BYTES):
                digest.update(chunk)
        if digest.hexdigest() != expected:
            raise OrganisationPackRefused(f"{name} in the pack is not what was written: its SHA-256 differs.")
    return manifest


def part_text(pack: zipfile.ZipFile, name: str) -> bytes:
    """Return the bytes of a part. Raise KeyError if missing, OrganisationPackRefused if too large."""
    if pack.getinfo(name).file_size > _LARGEST_TEXT_BYTES:
        raise OrganisationPackRefused(f"{name} of the pack is larger than {_LARGEST_TEXT_BYTES:,} bytes.")
    return pack.read(name)


def row_batches(pack: zipfile.ZipFile, name: str) -> Iterator[list[PackRow]]:
    """Yield the rows of a part in batches of at most `ROWS_AT_ONCE`.

    Raise OrganisationPackRefused for a row that is too large, msgspec.DecodeError for invalid JSON.
    """
    with pack.open(name) as part:
        rows: list[PackRow] = []
        while line := part.readline(_LARGEST_TEXT_BYTES + 1):
            if len(line) > _LARGEST_TEXT_BYTES:
                raise OrganisationPackRefused(
                    f"A row of {name} is larger than {_LARGEST_TEXT_BYTES:,} bytes."
                )
            rows.append((line.decode(), msgspec.json.decode(line, type=dict[str, Any])))
            if len(rows) == ROWS_AT_ONCE:
                yield rows
                rows = []
        if rows:
            yield rows
