"""Formats and content encodings of bodies, which are unpacked in chunks and never beyond the limit."""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass

import zstandard
from starlette.requests import Request

from tailroom.ingest.content_digest import HEADER, require_undamaged
from tailroom.ingest.errors import BodyTooLarge, BodyUnreadable, FormatUnsupported
from tailroom.kit.limits import BODY_MEMBERS

JSON = "application/json"
MSGPACK = "application/msgpack"
_FORMATS = {
    JSON: JSON,
    MSGPACK: MSGPACK,
    "application/x-msgpack": MSGPACK,
    "application/vnd.msgpack": MSGPACK,
}
_ENCODINGS = ("identity", "gzip", "zstd")
_CHUNK_BYTES = 256 * 1024
_ZSTD_INPUT_BYTES = 512
"""Input for a call of the decompressor; four bytes may unpack to 128 KiB, so it returns 16 MiB at most."""
_GZIP_WINDOW = 16 + zlib.MAX_WBITS
_ZSTD_WINDOW_BYTES = 32 * 2**20


@dataclass(frozen=True, slots=True)
class Body:
    """A body as sent. `format` is `JSON` or `MSGPACK`, `encoding` is `identity`, `gzip` or `zstd`."""

    format: str
    encoding: str
    content: bytes


async def read_body(request: Request) -> Body:
    """Return the body of a request as sent; `kit.body_limit` bounds its size. Raise FormatUnsupported, before
    reading, for another content type or encoding, and BodyDamaged if its SHA-256 is not that in the header
    `Content-Digest`.
    """
    content_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if content_type not in _FORMATS:
        raise FormatUnsupported(f"Content-Type is {content_type or 'missing'}; send {JSON} or {MSGPACK}.")
    encoding = request.headers.get("content-encoding", "identity").strip().lower() or "identity"
    if encoding not in _ENCODINGS:
        raise FormatUnsupported(f"Content-Encoding is {encoding}; send gzip, zstd or none.")
    content = await request.body()
    require_undamaged(request.headers.get(HEADER), content)
    return Body(_FORMATS[content_type], encoding, content)


def unpack(body: Body, limit_bytes: int) -> bytes:
    """Return the unpacked content; content that is not packed is returned whatever its size. Raise
    BodyUnreadable for damaged content, BodyTooLarge beyond `limit_bytes`.
    """
    if body.encoding == "identity":
        return body.content
    decompress = _decompress_gzip if body.encoding == "gzip" else _decompress_zstd
    chunks: list[bytes] = []
    size = 0
    try:
        for chunk in decompress(body.content):
            size += len(chunk)
            if size > limit_bytes:
                raise BodyTooLarge(
                    f"The body is larger; the limit is {limit_bytes} bytes unpacked. Send the intervals in"
                    " several batches."
                )
            chunks.append(chunk)
    except (zlib.error, zstandard.ZstdError, _MalformedBody) as error:
        raise BodyUnreadable(f"The body is not valid {body.encoding}: {error}. Send it again.") from None
    return b"".join(chunks)


class _MalformedBody(Exception):
    """A packed body ends too early or has too many members (gzip) or frames (zstd)."""


def _decompress_gzip(content: bytes) -> Iterator[bytes]:
    """Yield the unpacked content of all gzip members in chunks of at most 256 KiB."""
    rest = content
    members = 0
    while rest:  # a gzip body may consist of several members
        members = _count_member(members)
        inflater = zlib.decompressobj(_GZIP_WINDOW)
        chunk = inflater.decompress(rest, _CHUNK_BYTES)
        while chunk or inflater.unconsumed_tail:
            yield chunk
            chunk = inflater.decompress(inflater.unconsumed_tail, _CHUNK_BYTES)
        if not inflater.eof:
            raise _MalformedBody("it ends too early")
        rest = inflater.unused_data


def _decompress_zstd(content: bytes) -> Iterator[bytes]:
    """Yield the unpacked content of all zstd frames in chunks of at most 16 MiB."""
    unpacker = zstandard.ZstdDecompressor(max_window_size=_ZSTD_WINDOW_BYTES)
    rest = memoryview(content)
    members = 0
    while rest:  # a zstd body may consist of several frames
        members = _count_member(members)
        frame = unpacker.decompressobj()
        while rest and not frame.eof:
            chunk, rest = rest[:_ZSTD_INPUT_BYTES], rest[_ZSTD_INPUT_BYTES:]
            yield frame.decompress(chunk)
            if frame.eof and frame.unused_data:
                rest = memoryview(content)[len(content) - len(rest) - len(frame.unused_data) :]
        if not frame.eof:
            raise _MalformedBody("it ends too early")


def _count_member(members: int) -> int:
    """Return the number of members so far plus 1; raise _MalformedBody if that exceeds `BODY_MEMBERS`. The
    limit exists because each member costs a copy of the bytes after it.
    """
    if members == BODY_MEMBERS:
        raise _MalformedBody(f"it has more than {BODY_MEMBERS} parts")
    return members + 1
