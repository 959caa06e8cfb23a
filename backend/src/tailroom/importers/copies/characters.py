"""The encoding of a text, and characters that no tool writes as data: escape sequences and no-break spaces.

Web pages and word processors put no-break spaces where a tool wrote a blank. The narrow space (U+202F) also
groups the digits of large numbers; there it is removed. Source: ECMA-48.
"""

import codecs
import re
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
ESCAPE = b"\x1b"
_SEQUENCE = re.compile(
    rb"\x1b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\x07\x1b\n]{0,512}(?:\x07|\x1b\\)|"
    rb"[()][0-9A-Za-z]|[=>78cDEHMNOZ])"
)
_FORWARD = re.compile(rb"\x1b\[(\d{1,3})C")
"""The cursor moves over blanks that are on the screen already: how terminals write tables."""
_LONGEST_SEQUENCE = 600
_WIDE, _NARROW = b"\xc2\xa0", b"\xe2\x80\xaf"
_GROUPS = re.compile(rb"(?<=\d)\xe2\x80\xaf(?=\d{3})")
_LONGEST_LINE = 1 << 20


def encoding_of(first: bytes) -> str:
    """Return Python's name of the encoding by byte order mark or, for UTF-16, zeros; else `utf-8`."""
    for mark, name in _MARKS:
        if first.startswith(mark):
            return name
    sample = first[:_SAMPLE_BYTES]
    if len(sample) >= _MIN_BYTES:
        even, odd = sample[::2], sample[1::2]
        if odd.count(b"\0") >= _SHARE * len(odd) and b"\0" not in even:
            return "utf-16-le"
        if even.count(b"\0") >= _SHARE * len(even) and b"\0" not in odd:
            return "utf-16-be"
    return "utf-8"


def decoded(data: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the bytes as UTF-8 without byte order mark; UTF-16 is converted, the rest unchanged."""
    first = next(data, b"")
    while len(first) < _MIN_BYTES and (more := next(data, b"")):
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


def without_colours(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the bytes without escape sequences, even across chunks; movements to the right become blanks."""
    carry = b""
    for chunk in chunks:
        if ESCAPE not in chunk and not carry:
            yield chunk
            continue
        data = carry + chunk
        # A title ends with a sequence of its own, so the last escape may lie within an incomplete sequence.
        end = max((match.end() for match in _SEQUENCE.finditer(data)), default=0)
        cut = data.find(ESCAPE, max(end, len(data) - _LONGEST_SEQUENCE))
        complete, carry = (data, b"") if cut < 0 else (data[:cut], data[cut:])
        if b"C" in complete:
            complete = _FORWARD.sub(lambda match: b" " * int(match[1]), complete)
        if plain := _SEQUENCE.sub(b"", complete):
            yield plain
    if carry:
        yield carry


def has_unbroken_blanks(data: bytes) -> bool:
    """Return whether the bytes hold no-break spaces."""
    # Nearly every file is ASCII, which is seen ten times as fast as two signs are looked for.
    return not data.isascii() and (_WIDE in data or _NARROW in data)


def with_plain_blanks(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the bytes with blanks for no-break spaces; narrow spaces between groups of digits are removed."""
    carry = b""
    for chunk in chunks:
        data = carry + chunk
        carry = b""
        if has_unbroken_blanks(data) or not data[-2:].isascii():
            # The digits of the line decide how a blank is read.
            cut = data.rfind(b"\n") + 1 or (len(data) if len(data) > _LONGEST_LINE else 0)
            data, carry = _replace_no_break_spaces(data[:cut]), data[cut:]
        if data:
            yield data
    if carry:
        yield _replace_no_break_spaces(carry)


def _replace_no_break_spaces(data: bytes) -> bytes:
    return _GROUPS.sub(b"", data).replace(_NARROW, b" ").replace(_WIDE, b" ")
