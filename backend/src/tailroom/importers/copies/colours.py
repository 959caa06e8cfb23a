"""Colours and other escape sequences of terminals (ECMA-48): no tool writes them as data."""

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


def without_colours(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the bytes without escape sequences, also where one lies across two chunks."""
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
