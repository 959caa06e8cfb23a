"""Whole forms in which output is handed on: pages of the web, lines of JSON, doubled line ends."""

import html
import json
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from tailroom.importers.copies.layers import Layer, LineByLine, Renumbered

_KEYS = ("log", "message", "MESSAGE", "msg", "text", "line")
"""Keys under which Docker, Fluent Bit, journald and loggers store the line."""
_PAGE = re.compile(rb"(?i)\s*<(?:!doctype html|html|head|body|pre|div|p|span|code|textarea)\b[^<>]*>")
_OWN_PAGE = re.compile(rb"(?i)\s*<(?:title>Vdbench|pre>\s*\*\s*\* 'flatfile)")
"""Tools that write HTML themselves."""
_TEXT_TAGS = rb"pre|code|textarea|samp"
_TEXT_TAG = re.compile(rb"(?i)<(/?)(?:" + _TEXT_TAGS + rb")\b[^<>]*>")
_BREAK = re.compile(rb"(?i)<br\s*/?>(?!\r?\n)")
_TAG = re.compile(rb"</?[A-Za-z!][^<>]*>")
_ENTITY = re.compile(rb"&(?:lt|gt|amp|quot|apos|nbsp|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});")
_UNESCAPED = re.compile(rb'[<>"]|&(?!(?:lt|gt|amp|quot|apos|nbsp|#\d{1,7}|#[xX][0-9a-fA-F]{1,6});)')
_NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"
_OTHER_ENDS = "line ends of another system"
_MIN_DOUBLED = 6
_MIN_RETURNS = 2


def wrapping_of(data: bytes) -> Layer | None:
    """Return the layer around a copied file (HTML, line ends, JSON, blank lines); None without any."""
    if _PAGE.match(data) and not _OWN_PAGE.match(data):
        inside = not _TEXT_TAG.search(data)
        return Renumbered("an HTML page", lambda lines: _Page(inside=inside).lines(lines))
    if _ENTITY.search(data) and not _UNESCAPED.search(data):
        return LineByLine("HTML entities", _unescaped)
    return _line_ends_of(data) or _lines_layer(data)


def _line_ends_of(data: bytes) -> Layer | None:
    """Return the layer of line ends without line feeds or with doubled carriage returns; else None."""
    returns, feeds = data.count(b"\r"), data.count(b"\n")
    if returns >= _MIN_RETURNS and not feeds:
        return LineByLine(_OTHER_ENDS, lambda lines: lines.replace(b"\r", b"\n"))
    if returns >= _MIN_RETURNS and data.count(b"\r\r\n") == feeds:
        return LineByLine(_OTHER_ENDS, lambda lines: lines.replace(b"\r\r\n", b"\n"))
    return None


def _lines_layer(data: bytes) -> Layer | None:
    """Return the layer of JSON around each line, or of a blank line after each; None without any."""
    lines = data.removesuffix(b"\n").split(b"\n")
    filled = [line for line in lines if line.strip()]
    key = _key_of(filled)
    if key is not None:
        return Renumbered("the JSON of a log collector around each line", _Messages(key, filled))
    if _is_doubled(lines):
        return Renumbered("a blank line after each line", _drop_added_blank_lines)
    return None


def _is_doubled(lines: Sequence[bytes]) -> bool:
    """Return whether six or more filled lines have an odd number of blank lines between each two."""
    filled = [number for number, line in enumerate(lines) if line.strip()]
    return len(filled) >= _MIN_DOUBLED and all(
        (after - before) % 2 == 0 for before, after in pairwise(filled)
    )


def _drop_added_blank_lines(lines: Iterator[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
    """Yield the numbered lines without the first blank line after each yielded line."""
    after_filled_line = False
    for number, line in lines:
        if after_filled_line and not line.strip():
            after_filled_line = False
            continue
        after_filled_line = line.endswith(b"\n")
        yield number, line


def _key_of(lines: Sequence[bytes]) -> str | None:
    """Return the first of `_KEYS` with text in the first line, if it has text in all lines; else None."""
    chosen: str | None = None
    for line in lines:
        value = _object(line) if line.startswith(b"{") else None
        if value is None:
            return None
        if chosen is None:
            chosen = next((key for key in _KEYS if isinstance(value.get(key), str)), None)
        if chosen is None or not isinstance(value.get(chosen), str):
            return None
    return chosen


def _object(line: bytes) -> dict[str, object] | None:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


class _Messages:
    """Extracts the text under a key of JSON lines.

    If any text of the sample ends with a line feed, a text without a line feed is continued by the next text;
    else each text is a line.
    """

    def __init__(self, key: str, sample: Sequence[bytes]) -> None:
        self._key = key
        texts = (value.get(key) for line in sample if (value := _object(line)) is not None)
        self._is_ended = any(isinstance(text, str) and text.endswith("\n") for text in texts)

    def __call__(self, lines: Iterator[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
        """Yield the text under the key of each numbered line, with its number; other lines unchanged.

        A text of several lines is yielded line by line with the same number, with a carriage return whole.
        """
        for number, line in lines:
            value = _object(line) if line.startswith(b"{") else None
            text = None if value is None else value.get(self._key)
            if not isinstance(text, str):
                yield number, line
                continue
            if not self._is_ended and not text.endswith("\n"):
                text += "\n"
            data = text.encode("utf-8", "replace")
            for piece in data.splitlines(keepends=True) if b"\r" not in data else [data]:
                yield number, piece


class _Page:
    """Extracts the text of a page in `<pre>` and similar tags; other lines are emptied.

    With `inside`, text before the first such tag is extracted too, as in a page without such tags.
    """

    def __init__(self, *, inside: bool) -> None:
        self._inside = inside

    def lines(self, lines: Iterator[tuple[int, bytes]]) -> Iterator[tuple[int, bytes]]:
        """Yield the text of each numbered line without tags; `<br>` makes several of the same number."""
        for number, line in lines:
            text = _unescaped(self._text(line))
            for piece in text.splitlines(keepends=True) if text.count(b"\n") > 1 else [text]:
                yield number, piece

    def _text(self, line: bytes) -> bytes:
        """Return the text of a line without tags, and remember whether a `<pre>` is open at its end."""
        text, at = bytearray(), 0
        for tag in _TEXT_TAG.finditer(line):
            if self._inside:
                text += line[at : tag.start()]
            self._inside, at = not tag[1], tag.end()
        if self._inside:
            text += line[at:]
        elif line.endswith(b"\n"):
            text += b"\n"
        return _TAG.sub(b"", _BREAK.sub(b"\n", bytes(text)))


def _unescaped(data: bytes) -> bytes:
    """Return the bytes with entities of HTML replaced, no-break spaces as blanks; without `&` unchanged."""
    if b"&" not in data:
        return data
    return (
        html.unescape(data.decode("utf-8", "surrogateescape"))
        .replace(_NO_BREAK_SPACE, " ")
        .encode("utf-8", "surrogateescape")
    )
