"""Layers: additions by copying that can be removed from a stream of bytes.

Removing a layer may change the number of lines. Such a layer records the line of the file for each cleaned
line, so that problems can name it.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from io import BytesIO


@dataclass(frozen=True, slots=True)
class LineByLine:
    """A layer that is removed within lines: lines are emptied or shortened, and each keeps its number."""

    words: str
    """Description of the layer, such as `a clock before each line`."""
    cleaned: Callable[[bytes], bytes]
    """Return the given whole lines without the addition."""

    def applied(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        """Yield cleaned chunks of whole lines; a line that is longer than a chunk is cleaned in parts."""
        return (self.cleaned(lines) for lines in whole_lines(chunks))

    def original_line(self, line_no: int) -> int:
        """Return the same line number: no line was added or removed."""
        return line_no


@dataclass(slots=True, eq=False)
class Renumbered:
    """A layer whose removal joins, cuts or leaves out lines.

    `lines` yields cleaned pieces, each with its line of the file, from numbered lines. A piece without a line
    feed is continued by the next. Line numbers are recorded as stretches that rise by a fixed step.
    """

    words: str
    lines: Callable[[Iterator[tuple[int, bytes]]], Iterator[tuple[int, bytes]]]
    _begins: list[int] = field(default_factory=list)
    """First cleaned line of each stretch."""
    _stretches: list[tuple[int, int]] = field(default_factory=list)
    """Line of the file at the begin of each stretch, and its step."""
    _last: tuple[int, int] = (0, 0)

    def applied(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        """Yield the cleaned bytes in chunks of about 256 KiB; record the line numbers on the way."""
        line_no, begun = 1, False
        pieces: list[bytes] = []
        size = 0
        for original, piece in self.lines(_numbered(whole_lines(chunks))):
            if not begun:
                self._record(line_no, original)
            begun = not piece.endswith(b"\n")
            line_no += not begun
            pieces.append(piece)
            size += len(piece)
            if size >= _CHUNK_BYTES:
                yield b"".join(pieces)
                pieces, size = [], 0
        if pieces:
            yield b"".join(pieces)

    def _record(self, line_no: int, original: int) -> None:
        """Record the line of the file for the next cleaned line; ignore a line that was already recorded."""
        if line_no <= self._last[0]:
            return
        if not self._stretches or self.original_line(line_no) != original:
            last_line, last_original = self._last
            # The step since the last line is known only now: a stretch begins there.
            step = original - last_original if line_no == last_line + 1 else 1
            self._begins.append(line_no)
            self._stretches.append((original, step))
        self._last = (line_no, original)

    def original_line(self, line_no: int) -> int:
        """Return the line of the file for a cleaned line, which must have been read, both from 1."""
        at = bisect_right(self._begins, line_no) - 1
        if at < 0:
            return line_no
        first, step = self._stretches[at]
        return first + (line_no - self._begins[at]) * step


Layer = LineByLine | Renumbered
"""An addition by copying."""
_CHUNK_BYTES = 1 << 18


def _numbered(chunks: Iterator[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield each line with its number from 1; parts of a cut line have the same number."""
    line_no = 1
    for chunk in chunks:
        for line in BytesIO(chunk):
            yield line_no, line
            line_no += line.endswith(b"\n")


def whole_lines(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the bytes in chunks of whole lines; a line that is longer than a chunk is cut."""
    carry = b""
    for chunk in chunks:
        data = carry + chunk
        cut = data.rfind(b"\n") + 1
        if not cut:
            cut = len(data)
        yield data[:cut]
        carry = data[cut:]
    if carry:
        yield carry
