"""The encoding of a text by its first bytes, and the text as UTF-8 without a byte order mark."""

import codecs
from collections.abc import Iterator

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE_BYTES = 256
_MIN_BYTES = 16
_SHARE = 0.9
"""Least share of ASCII among the characters."""


def encoding_of(first: bytes) -> str:
    """Return Python's name of the encoding by byte order mark or, for UTF-16, zeros; else `utf-8`."""
    for mark, name in _MARKS:
        if first.startswith(mark):
            return name
    sample = first[: min(_SAMPLE_BYTES, len(first) // 2 * 2)]
    if len(sample) >= _MIN_BYTES:
        even, odd = sample[::2], sample[1::2]
        if odd.count(b"\0") >= _SHARE * len(odd) and b"\0" not in even:
            return "utf-16-le"
        if even.count(b"\0") >= _SHARE * len(even) and b"\0" not in odd:
            return "utf-16-be"
    return "utf-8"


def decoded(data: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the bytes as UTF-8 without byte order mark; UTF-16, which Windows shells write, is converted.

    Invalid UTF-16 is replaced; bytes of any other encoding are unchanged.
    """
    first = next(data, b"")
    while 0 < len(first) < _MIN_BYTES and (more := next(data, b"")):
        first += more
    encoding = encoding_of(first)
    if encoding.startswith("utf-16"):
        decoder = codecs.getincrementaldecoder(encoding)("replace")
        yield decoder.decode(first).encode("utf-8", "replace")
        for chunk in data:
            yield decoder.decode(chunk).encode("utf-8", "replace")
        yield decoder.decode(b"", final=True).encode("utf-8", "replace")
        return
    if first:
        yield first.removeprefix(codecs.BOM_UTF8)
    yield from data
