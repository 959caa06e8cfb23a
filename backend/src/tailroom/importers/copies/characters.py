"""Characters that no tool writes as data: escape sequences of terminals (ECMA-48) and no-break spaces.

Web pages and word processors put no-break spaces where a tool wrote a blank. The narrow one (U+202F) also
groups the digits of large numbers in some languages; there it is removed.
"""

import re
from collections.abc import Iterator

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


def without_colours(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the bytes without escape sequences, even if one lies across two chunks.

    A movement of the cursor to the right becomes blanks. Incomplete and unknown sequences remain.
    """
    carry = b""
    for chunk in chunks:
        if ESCAPE not in chunk and not carry:
            yield chunk
            continue
        data = carry + chunk
        last = data.rfind(ESCAPE)
        cut = len(data)
        if len(data) - last < _LONGEST_SEQUENCE and _SEQUENCE.match(data, last) is None and last >= 0:
            cut = last
        carry = data[cut:]
        complete = data[:cut]
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
    """Yield the bytes with a blank for each no-break space, even if one lies across two chunks.

    A narrow space between groups of digits is removed. Chunks with such spaces are cut at line ends.
    """
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
    """Return the bytes with a blank for each no-break space, and without narrow spaces in numbers.

    A narrow space is in a number if a digit is before it and three digits follow.
    """
    return _GROUPS.sub(b"", data).replace(_NARROW, b" ").replace(_WIDE, b" ")
