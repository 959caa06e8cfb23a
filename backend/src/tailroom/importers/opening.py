"""The sources of a path or an upload: the file itself, or the members of a zip or tar archive.

A tar archive is unpacked only once, into an anonymous file that is removed with its last reader.
"""

import io
import lzma
import struct
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, BinaryIO

from tailroom.importers.limits import DEFAULT_LIMITS, Limits
from tailroom.importers.source import CHUNK_BYTES, Source, from_bytes, from_path
from tailroom.importers.unpacking import PackedStreamDamaged, SourceUnreadable, is_tar

_ZIP_FIRST = (b"PK\x03\x04", b"PK\x05\x06")
_ENCRYPTED_FLAG = 0x1
_DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError),
    *(OSError, RuntimeError, ValueError),
)
"""Exceptions that unpacking a damaged member raises, for every compression."""


class ArchiveTooManyFiles(SourceUnreadable):
    """The archive has more members than an upload may have."""


class ArchiveEmpty(SourceUnreadable):
    """The archive holds no file that can be read."""


def tar_members(source: Source) -> list[Source] | None:
    """Return the files of a tar archive, packed or not; None if the source is no tar archive.

    Damage after some files becomes a problem of the last. Raise ArchiveEmpty without a readable file,
    ArchiveTooManyFiles, SourceTooLarge or ArchiveExpandsTooFar at the limits of number, size and ratio.
    """
    first = b""
    for chunk in source.unpacked():
        first += chunk
        if len(first) >= tarfile.BLOCKSIZE:
            break
    if not is_tar(first):
        return None
    opened = _unpacked_file(source)
    members, broken = _directory(source.name, opened, source.limits)
    if not members:
        why = f": {broken}" if broken else ""
        raise ArchiveEmpty(f"{source.name} is a tar archive without a file that can be read{why}")
    sources = [_tar_member(source, opened, member) for member in members]
    if broken:
        sources[-1].note(f"the tar archive is damaged or cut behind this file: {broken}")
    return sources


def _unpacked_file(source: Source) -> Callable[[], IO[bytes]]:
    """Return a function that returns the unpacked file. Raise SourceTooLarge or ArchiveExpandsTooFar."""
    spool = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the sources that read it
    size = 0
    for chunk in source.unpacked():
        size += len(chunk)
        source.check_size(size)
        spool.write(chunk)

    def opened() -> IO[bytes]:
        spool.seek(0)
        return spool

    return opened


def _directory(
    name: str, opened: Callable[[], IO[bytes]], limits: Limits
) -> tuple[list[tarfile.TarInfo], str | None]:
    """Return the regular files of an archive, and the reason why it is cut or damaged, else None.

    Sparse files and those of macOS (`._…`) are left out. Raise ArchiveTooManyFiles above `limits.members`.
    """
    members: list[tarfile.TarInfo] = []
    try:
        with tarfile.open(fileobj=opened(), mode="r:") as archive:
            for member in archive:
                plain = member.isreg() and not member.issparse()
                if not plain or member.name.rsplit("/", 1)[-1].startswith("._"):
                    continue
                members.append(member)
                if len(members) > limits.members:
                    raise ArchiveTooManyFiles(
                        f"{name} holds more than {limits.members} files; that is the most opened at once"
                    )
    except (tarfile.TarError, OSError, ValueError, EOFError, OverflowError) as error:
        return members, str(error)
    return members, None


def _tar_member(source: Source, opened: Callable[[], IO[bytes]], member: tarfile.TarInfo) -> Source:
    """Return the source of a file; reading raises PackedStreamDamaged if the archive is cut inside of it."""

    def chunks() -> Iterator[bytes]:
        at, end = member.offset_data, member.offset_data + member.size
        while at < end:
            # The file is shared with the other members, so that its place is set for each chunk.
            stream = opened()
            stream.seek(at)
            chunk = stream.read(min(CHUNK_BYTES, end - at))
            if not chunk:
                raise PackedStreamDamaged("the archive ends inside this file; what came before was read")
            at += len(chunk)
            yield chunk

    return Source(f"{source.name}/{member.name}", chunks, member.size, source.limits, packed="tar")


class SourceMissing(SourceUnreadable):
    """There is no such file."""


class SourceNotAFile(SourceUnreadable):
    """The path is a directory, a pipe or a device."""


class SourceNotAllowed(SourceUnreadable):
    """The file exists, but cannot be opened or read, mostly because that is not permitted."""


class ArchiveBroken(SourceUnreadable):
    """A zip archive without a readable directory, or that states to unpack to more than the limit."""


def is_zip(first: bytes) -> bool:
    """Return whether these first bytes are those of a zip archive."""
    return first[:4] in _ZIP_FIRST


def open_path(path: Path, name: str | None = None, limits: Limits = DEFAULT_LIMITS) -> list[Source]:
    """Return the source of a file on disk, or those of an archive's files; empty for a zip without files.

    Messages show `name`. Raise SourceMissing, SourceNotAFile or SourceNotAllowed without a readable file,
    ArchiveBroken or ArchiveTooManyFiles for a damaged or too large zip, and the errors of `tar_members`.
    """
    shown = name or str(path)
    try:
        if not path.exists():
            raise SourceMissing(f"there is no file {shown}")
        if not path.is_file():
            kind = "a directory: name the files in it" if path.is_dir() else "not a regular file"
            raise SourceNotAFile(f"{shown} is {kind}")
        with path.open("rb") as stream:
            first = stream.read(4)
        if not is_zip(first):
            source = from_path(path, shown, limits)
            return tar_members(source) or [source]
    except OSError as error:
        raise SourceNotAllowed(f"{shown} cannot be read: {error.strerror or error}") from error
    return _zip_members(shown, lambda: path.open("rb"), limits)


def open_bytes(name: str, data: bytes, limits: Limits = DEFAULT_LIMITS) -> list[Source]:
    """Return the source of bytes in memory, or those of an archive's files; empty for a zip without files.

    Raise ArchiveBroken or ArchiveTooManyFiles for a damaged or too large zip, and errors of `tar_members`.
    """
    if is_zip(data):
        return _zip_members(name, lambda: io.BytesIO(data), limits)
    source = from_bytes(name, data, limits)
    return tar_members(source) or [source]


def _zip_members(name: str, opened: Callable[[], BinaryIO], limits: Limits) -> list[Source]:
    """Return a source for each file of a zip archive. Raise ArchiveTooManyFiles or ArchiveBroken."""
    try:
        with opened() as stream, zipfile.ZipFile(stream) as archive:
            # A damaged directory may hold a member without a name.
            members = [info for info in archive.infolist() if not info.filename.endswith("/")]
    except (zipfile.BadZipFile, zlib.error, OSError, ValueError, NotImplementedError) as error:
        raise ArchiveBroken(
            f"{name} opens as a zip archive, but its directory is unreadable: {error}"
        ) from error
    members = [info for info in members if not info.filename.startswith("__MACOSX/")]
    if len(members) > limits.members:
        raise ArchiveTooManyFiles(
            f"{name} holds {len(members)} files; {limits.members} at most are opened at once"
        )
    declared = sum(info.file_size for info in members)
    if declared > limits.unpacked_bytes:
        raise ArchiveBroken(
            f"{name} says that it unpacks to {declared} bytes; {limits.unpacked_bytes} are the limit"
        )
    return [_zip_member(name, opened, info, limits) for info in members]


def _zip_member(
    archive_name: str, opened: Callable[[], BinaryIO], info: zipfile.ZipInfo, limits: Limits
) -> Source:
    """Return the source of a member; reading a damaged or encrypted member raises PackedStreamDamaged."""

    def chunks() -> Iterator[bytes]:
        if info.flag_bits & _ENCRYPTED_FLAG:
            raise PackedStreamDamaged("the member of the archive is encrypted")
        try:
            with opened() as stream, zipfile.ZipFile(stream) as archive, archive.open(info) as member:
                while chunk := member.read(CHUNK_BYTES // 16):
                    yield chunk
        except _DAMAGED as error:
            raise PackedStreamDamaged(
                f"the member of the archive is damaged ({error}); what came before was read"
            ) from error

    return Source(f"{archive_name}/{info.filename}", chunks, info.compress_size, limits, packed="zip")
