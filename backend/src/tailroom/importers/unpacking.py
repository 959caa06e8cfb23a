"""Unpacking of gzip and zstd in bounded chunks.

A damaged stream gives everything before the damage and then raises `PackedStreamDamaged`.
"""

import zlib
from collections.abc import Iterator

import zstandard

from tailroom.domain.errors import DomainError

_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_ZSTD_FEED_BYTES = 1 << 8
"""A block of a few bytes may expand to 128 KiB, so that these unpack to 8 MiB at most."""
_ZSTD_WINDOW_BYTES = 1 << 27
_GZIP_FLAG_RESERVED = 0xE0
_GZIP_CAREFUL_BYTES = 64
_GZIP_FEED_BYTES = 1 << 14
"""Bytes after a member are copied when it ends; at most so many."""
_GZIP_EMPTY_MEMBERS = 1_000
"""Tools end a file with a single empty member; a file with more than this is refused."""


class SourceUnreadable(DomainError):
    """The bytes cannot be read at all; each subclass is a reason."""


class SourceTooLarge(SourceUnreadable):
    """The source exceeds the size limit of result files."""


class ArchiveExpandsTooFar(SourceUnreadable):
    """The content unpacks to many times its stored size."""


class LayersTooDeep(SourceUnreadable):
    """The content is packed too many times over."""


class ReadingOverdue(Exception):
    """The time to read a file is over. It is no error about content, so handlers of these let it pass."""


class ReadingTooLong(SourceUnreadable):
    """Reading takes longer than the caller can wait."""


class PackingUnsupported(SourceUnreadable):
    """The compression or archive is recognised, but not supported."""


class PackedStreamDamaged(DomainError):
    """The packed stream is damaged or ends early; everything before has been read."""


_UNSUPPORTED = (
    (b"\xfd7zXZ\x00", "xz"),
    (b"BZh", "bzip2"),
    (b"7z\xbc\xaf\x27\x1c", "7-Zip"),
    (b"\x04\x22\x4d\x18", "lz4"),
    (b"Rar!\x1a\x07", "RAR"),
)


def is_gzip(first: bytes) -> bool:
    """Return whether the first bytes are those of gzip (RFC 1952)."""
    return first[:3] == b"\x1f\x8b\x08" and (len(first) < 4 or not first[3] & _GZIP_FLAG_RESERVED)


def is_zstd(first: bytes) -> bool:
    """Return whether the first bytes are those of zstd (RFC 8878), a skippable frame included."""
    return first[:4] == _ZSTD_MAGIC or (first[1:4] == b"\x2a\x4d\x18" and 0x50 <= first[0] <= 0x5F)


def is_tar(first: bytes) -> bool:
    """Return whether the first block has the mark of POSIX and GNU archives."""
    return first[257:262] == b"ustar"


def refuse_unsupported(first: bytes, name: str) -> None:
    """Raise PackingUnsupported if these first bytes are of a packing that is recognised and not opened."""
    for magic, what in _UNSUPPORTED:
        if first.startswith(magic) and not (magic == b"BZh" and first[4:10] != b"1AY&SY"):
            raise PackingUnsupported(f"{name} is packed with {what}: unpack it, or use gzip, zstd or zip")
    for is_archive, what in ((first.startswith(b"PK\x03\x04"), "zip"), (is_tar(first), "tar")):
        if is_archive:
            raise PackingUnsupported(f"{name} is a {what} archive inside another archive: unpack one of them")


def gunzipped(packed: Iterator[bytes], piece_bytes: int) -> Iterator[bytes]:
    """Yield all members joined, in pieces. Raise PackedStreamDamaged, also for over 1,000 empty members."""
    stream = zlib.decompressobj(wbits=31)
    begun, is_empty, empty_members = False, True, 0
    for data in _small_pieces(packed):
        while data:
            if not begun and not data.strip(b"\x00"):
                break  # padding after the last member
            begun = True
            before = stream.copy()
            try:
                piece = stream.decompress(data, piece_bytes)
            except zlib.error as error:
                yield from _read_until_damage(before, data)
                raise PackedStreamDamaged(
                    f"the gzip stream is damaged ({error}); everything before that was read"
                ) from error
            if piece:
                is_empty = False
                yield piece
            data = stream.unconsumed_tail  # noqa: PLW2901 - what is left of it
            if stream.eof:
                empty_members += is_empty
                if empty_members > _GZIP_EMPTY_MEMBERS:
                    raise PackedStreamDamaged(
                        f"the gzip stream has more than {_GZIP_EMPTY_MEMBERS} empty members"
                    )
                data = stream.unused_data  # noqa: PLW2901
                stream, begun, is_empty = zlib.decompressobj(wbits=31), False, True
    while begun and (piece := _next_output(stream, piece_bytes)):
        yield piece
    if begun and not stream.eof:
        raise PackedStreamDamaged("the gzip stream ends before its end mark; everything up to there was read")


def _small_pieces(packed: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the bytes in pieces of at most 16 KiB, which are cheap to copy."""
    for chunk in packed:
        for at in range(0, len(chunk), _GZIP_FEED_BYTES):
            yield chunk[at : at + _GZIP_FEED_BYTES]


def _read_until_damage(stream: "zlib._Decompress", data: bytes) -> Iterator[bytes]:
    """Yield the readable output of a damaged chunk, in small steps: a failing call loses its output."""
    for at in range(0, len(data), _GZIP_CAREFUL_BYTES):
        try:
            yield stream.decompress(data[at : at + _GZIP_CAREFUL_BYTES])
        except zlib.error:
            return


def _next_output(stream: "zlib._Decompress", piece_bytes: int) -> bytes:
    """Return at most `piece_bytes` of further output. Raise PackedStreamDamaged for a damaged stream."""
    try:
        return stream.decompress(stream.unconsumed_tail, piece_bytes)
    except zlib.error as error:
        raise PackedStreamDamaged(
            f"the gzip stream is damaged ({error}); everything before that was read"
        ) from error


def unzstd(packed: Iterator[bytes]) -> Iterator[bytes]:
    """Yield all frames of a zstd stream, joined. Raise PackedStreamDamaged if it is damaged or cut."""
    decompressor = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW_BYTES)
    frame = decompressor.decompressobj()
    begun = False
    for chunk in packed:
        for at in range(0, len(chunk), _ZSTD_FEED_BYTES):
            data = chunk[at : at + _ZSTD_FEED_BYTES]
            while data:
                begun = True
                try:
                    piece = frame.decompress(data)
                except zstandard.ZstdError as error:
                    raise PackedStreamDamaged(
                        f"the zstd stream is damaged ({error}); everything before that was read"
                    ) from error
                if piece:
                    yield piece
                data = b""
                if frame.eof:
                    data = frame.unused_data
                    frame, begun = decompressor.decompressobj(), False
    if begun:
        raise PackedStreamDamaged("the zstd stream ends before its end mark; everything up to there was read")
