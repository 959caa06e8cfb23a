"""Output inside a message: a block with blanks or `>` before each line, prose around it."""

import re
from functools import partial

from tailroom.importers.copies.layers import Layer, LineByLine
from tailroom.importers.writing import is_sentence, is_words

_LEAST_LINES = 5
_QUOTED = re.compile(rb"(?:>[> ]{0,3}> ?|> ?)")
_SET_IN = re.compile(rb"(?: {0,3}\t| {4,12})(?=\S)")
_UNDER_A_LINE = re.compile(rb"(?m)^\S[^\n]*\n(?: {0,3}\t| {4})")
"""Directly below another line, indented lines are no block of Markdown but the tool's own layout."""


def block_of(data: bytes, before: set[str]) -> Layer | None:
    """Return the layer that removes the text before each line of a block; None if there is no block.

    A block has at least five lines, and not fewer than the text outside, which must be prose and not empty.
    The prose remains. `before` are the descriptions of layers that were already removed, and are not tried.
    """
    lines = [line for line in data.split(b"\n") if line.strip()]
    is_layout = _UNDER_A_LINE.search(data) is not None
    for pattern, words in ((_QUOTED, "marks of a quotation"), (_SET_IN, "blanks before a block")):
        prefix = _prefix(lines, pattern)
        if prefix and words not in before and not (pattern is _SET_IN and is_layout):
            inside = [line.startswith(prefix) for line in lines]
            outside = [
                line.decode("utf-8", "replace")
                for line, within in zip(lines, inside, strict=True)
                if not within and line.strip() != prefix.strip()
            ]
            if sum(inside) >= max(_LEAST_LINES, len(outside)) and _is_prose(outside):
                return LineByLine(words, partial(_pattern(prefix).sub, b""))
    return None


def _pattern(prefix: bytes) -> re.Pattern[bytes]:
    """Return a pattern of the prefix at the beginning of lines.

    On otherwise empty lines it also matches the prefix without its blanks, or a tab if it is all blanks.
    """
    bare = prefix.strip() or b"\t"
    return re.compile(rb"(?m)^(?:" + re.escape(prefix) + rb"|" + re.escape(bare) + rb"$)")


def _prefix(lines: list[bytes], pattern: re.Pattern[bytes]) -> bytes:
    """Return the shortest beginning of a line that the pattern matches; empty without any."""
    chunks = [match[0] for line in lines if (match := pattern.match(line)) is not None]
    return min(chunks, key=len, default=b"")


def _is_prose(lines: list[str]) -> bool:
    """Return whether all lines are sentences or words, with one sentence or more; False without lines."""
    return any(map(is_sentence, lines)) and all(is_sentence(line) or is_words(line) for line in lines)
