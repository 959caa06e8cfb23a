"""The members of tar archives, plain or packed, as sources.

An archive is unpacked once, into an anonymous file that is removed with its last reader, so that reading a
member does not unpack everything before it again.
"""

import tarfile
import tempfile
from collections.abc import Callable, Iterator
from typing import IO

from tailroom.importers.limits import Limits
from tailroom.importers.source import CHUNK_BYTES, Source
from tailroom.importers.unpacking import PackedStreamDamaged, SourceTooLarge, SourceUnreadable, is_tar


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
    sources = [_member(source, opened, member) for member in members]
    if broken:
        sources[-1].note(f"the tar archive is damaged or cut behind this file: {broken}")
    return sources


def _unpacked_file(source: Source) -> Callable[[], IO[bytes]]:
    """Unpack a source into an anonymous file; return a function that rewinds and returns it.

    Raise SourceTooLarge or ArchiveExpandsTooFar at the limits of size and ratio.
    """
    spool = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the sources that read it
    size = 0
    for chunk in source.unpacked():
        size += len(chunk)
        if size > source.limits.unpacked_bytes:
            raise SourceTooLarge(f"{source.name} unpacks to more than {source.limits.unpacked_bytes} bytes")
        source.check_ratio(size)
        spool.write(chunk)

    def opened() -> IO[bytes]:
        spool.seek(0)
        return spool

    return opened


def _directory(
    name: str, opened: Callable[[], IO[bytes]], limits: Limits
) -> tuple[list[tarfile.TarInfo], str | None]:
    """Return the regular files of an archive, and the reason why it is cut or damaged, else None.

    Sparse files, and those of macOS (`._…`), are left out. Raise ArchiveTooManyFiles
    over `limits.members` files.
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


def _member(source: Source, opened: Callable[[], IO[bytes]], member: tarfile.TarInfo) -> Source:
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
