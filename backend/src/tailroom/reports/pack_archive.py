"""Reading the archive of an evidence pack: its members, its manifest, its hashes and its final digest.

The archive is not trusted: if programs could unpack it differently, it is damaged or refused.
"""

import hashlib
import io
import json
import struct
import zipfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tailroom.domain.errors import DomainError
from tailroom.domain.method import METHOD_VERSION
from tailroom.importers.limits import DEFAULT_LIMITS
from tailroom.reports.packing import (
    MANIFEST,
    PACK_VERSION,
    SEAL_BYTES,
    SIGNATURE,
    TIME_STAMP,
    member_name,
    repeated_name,
    seal_of,
)

_COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_MANIFEST_KEYS = {"tailroom_pack", "method_version", "tailroom_version", "made_at", "files"}
_LOCAL_HEAD = struct.Struct("<14xIIIHH")
"""Header of a member (APPNOTE 4.3.7): checksum, both sizes, lengths of name and extra field."""


class PackUnreadable(DomainError):
    """A file is no evidence pack, is of a newer version of pack or method, or has too many bytes."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A place where the pack differs from the members derived from its raw files, with both values."""

    where: str
    packed: Any
    derived: Any

    def document(self) -> dict[str, Any]:
        """Return the difference as JSON values for `--json`."""
        return {"where": self.where, "packed": self.packed, "found": self.derived}


_OTHER_BYTES = Difference("the archive itself", "its members", "bytes beside them, or other heads")
"""Difference of an archive with bytes outside its members."""


def read_members(data: bytes) -> tuple[dict[str, bytes], list[Difference]]:
    """Return the readable members of an archive by name, and a difference for each damaged member.

    Raise PackUnreadable if it is no archive, or programs might unpack it differently.
    """
    members: dict[str, bytes] = {}
    broken: list[Difference] = []
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = archive.infolist()
            _check_directory(infos)
            if not _is_contiguous(data, infos, archive.start_dir):
                broken.append(_OTHER_BYTES)
            for info in infos:
                try:
                    members[info.filename] = archive.read(info)
                except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as error:
                    broken.append(Difference(info.filename, "readable", f"damaged: {error}"))
    except PackUnreadable:
        raise
    except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError, struct.error) as error:
        raise PackUnreadable(f"it is no zip archive: {error}") from error
    return members, broken


def _check_directory(infos: Sequence[zipfile.ZipInfo]) -> None:
    """Raise PackUnreadable for too many bytes, repeated or unsafe names, or an unexpected compression."""
    if sum(info.file_size for info in infos) > DEFAULT_LIMITS.unpacked_bytes:
        raise PackUnreadable(f"it says that it unpacks to more than {DEFAULT_LIMITS.unpacked_bytes} bytes")
    if (name := repeated_name(info.filename for info in infos)) is not None:
        raise PackUnreadable(f"it holds {name!r} twice, and programs differ in which of them they unpack")
    for info in infos:
        if member_name(info.orig_filename) != info.orig_filename:
            raise PackUnreadable(
                f"its member {info.orig_filename!r} has a name that programs unpack elsewhere"
                " or show otherwise"
            )
        if info.compress_type not in _COMPRESSIONS:
            raise PackUnreadable(
                f"its member {info.filename!r} is packed by method {info.compress_type}; packs are deflated"
            )


def _is_contiguous(data: bytes, infos: Sequence[zipfile.ZipInfo], directory_at: int) -> bool:
    """Return whether the members fill all bytes from the first to the directory at `directory_at`.

    Each must have a header equal to its directory entry, so that a program that ignores the directory reads
    the same members.
    """
    at = 0
    for info in infos:
        head = data[at : at + _LOCAL_HEAD.size]
        if info.header_offset != at or len(head) < _LOCAL_HEAD.size:
            return False
        crc, packed, unpacked, name_bytes, extra_bytes = _LOCAL_HEAD.unpack(head)
        if (crc, packed, unpacked) != (info.CRC, info.compress_size, info.file_size):
            return False
        at += _LOCAL_HEAD.size + name_bytes + extra_bytes + packed
    return at == directory_at


def read_manifest(members: dict[str, bytes]) -> dict[str, Any]:
    """Return the manifest.

    Raise PackUnreadable if it is missing, malformed, or of a newer version of pack or method.
    """
    if MANIFEST not in members:
        raise PackUnreadable(f"it holds no readable {MANIFEST}: it is no evidence pack")
    manifest: dict[str, Any] = parsed(members[MANIFEST], MANIFEST)
    try:
        pack, method, files = manifest["tailroom_pack"], manifest["method_version"], manifest["files"]
        datetime.fromisoformat(manifest["made_at"])
        is_well_formed = manifest.keys() <= _MANIFEST_KEYS and all(
            file.keys() == {"sha256", "bytes"} and isinstance(file["sha256"], str) for file in files.values()
        )
    except (KeyError, TypeError, AttributeError, ValueError):
        is_well_formed, pack, method = False, None, None
    if not is_well_formed or not isinstance(pack, int) or not isinstance(method, int):
        raise PackUnreadable(f"its {MANIFEST} is not that of an evidence pack")
    if pack > PACK_VERSION or method > METHOD_VERSION:
        raise PackUnreadable(
            f"it was made by method {method} in a pack of version {pack}; this tailroom knows method "
            f"{METHOD_VERSION} and packs of version {PACK_VERSION}: verify it with a newer one"
        )
    return manifest


def hash_differences(
    manifest: dict[str, Any], members: dict[str, bytes], broken: set[str]
) -> list[Difference]:
    """Return a difference for each member that is missing, changed or unlisted, unless it is in `broken`."""
    differences = []
    for name, listed in manifest["files"].items():
        if name in broken:
            continue
        if name not in members:
            differences.append(Difference(name, "in the pack", "missing"))
            continue
        digest = hashlib.sha256(members[name]).hexdigest()
        size_bytes = len(members[name])
        if digest != listed["sha256"]:
            differences.append(Difference(name, listed["sha256"], digest))
        elif size_bytes != listed["bytes"]:
            differences.append(Difference(f"{MANIFEST}.files.{name}.bytes", listed["bytes"], size_bytes))
    extra = [name for name in members if name not in {MANIFEST, SIGNATURE, TIME_STAMP, *manifest["files"]}]
    return differences + [Difference(name, "not in the manifest", "in the pack") for name in extra]


def seal_differences(data: bytes) -> list[Difference]:
    """Return a difference if the archive does not end with the digest of the bytes before it, else none."""
    if seal_of(data[:-SEAL_BYTES]) == data[-SEAL_BYTES:]:
        return []
    return [
        Difference("the archive itself", "as it was written", "changed, or packed again by another program")
    ]


def parsed(data: bytes, name: str) -> Any:
    """Return the JSON document of a member.

    Raise PackUnreadable if it is no JSON, repeats a key, or has NaN or infinity.
    """
    try:
        document = json.loads(data, object_pairs_hook=_refuse_repeated_keys)
        json.dumps(document, allow_nan=False)
    except (ValueError, RecursionError) as error:
        raise PackUnreadable(f"its {name} is no JSON that can be read: {error}") from error
    return document


def _refuse_repeated_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return a JSON object. Raise ValueError for a repeated key: programs differ in which value they use."""
    document = dict(pairs)
    if len(document) < len(pairs):
        raise ValueError("a key stands twice in an object")
    return document
