"""One thing that copying adds to output, and how it is taken out of a stream of bytes.

A layer that keeps the number of lines is a function of whole lines. The others number what they give by the
lines of the file as it is, so that problems can name those.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Protocol


class Layer(Protocol):
    """Something that copying added: its description, and the bytes without it."""

    @property
    def words(self) -> str:
        """Description of the layer, such as `a clock before each line`."""
        ...

    def applied(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        """Yield the bytes without what was added."""
        ...

    def original_line(self, line_no: int) -> int:
        """Return the line, counted from 1, in which a line of the cleaned bytes stood."""
        ...


@dataclass(frozen=True, slots=True)
class LineByLine:
    """A layer that is removed within lines: lines are emptied or shortened, and each keeps its number."""

    words: str
    cleaned: Callable[[bytes], bytes]
    """Takes and gives whole lines."""

    def applied(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        """Yield cleaned chunks that end with whole lines, except the final chunk."""
        return (self.cleaned(lines) for lines in whole_lines(chunks))

    def original_line(self, line_no: int) -> int:
        """Return the same line number: no line was added or removed."""
        return line_no


class LineNumbers:
    """Line numbers of the file by those of cleaned lines, as stretches that rise by a fixed step."""

    def __init__(self) -> None:
        self._begins: list[int] = []
        self._stretches: list[tuple[int, int]] = []
        self._last = (0, 0)

    def add(self, line_no: int, original: int) -> None:
        """Record the original number of the next line; a second pass over the same bytes changes nothing."""
        if line_no <= self._last[0]:
            return
        if not self._stretches or self.original(line_no) != original:
            last_line, last_original = self._last
            # The step since the last line is known only now: a stretch begins there.
            step = original - last_original if line_no == last_line + 1 else 1
            self._begins.append(line_no)
            self._stretches.append((original, step))
        self._last = (line_no, original)

    def original(self, line_no: int) -> int:
        """Return the line of the file in which cleaned line `line_no` stood, both counted from 1."""
        at = bisect_right(self._begins, line_no) - 1
        if at < 0:
            return line_no
        first, step = self._stretches[at]
        return first + (line_no - self._begins[at]) * step


@dataclass(frozen=True, slots=True, eq=False)
class Renumbered:
    """A layer whose removal joins, cuts or leaves out lines.

    `lines` gives each cleaned piece with its line of the file; one without a line feed is continued by the
    next.
    """

    words: str
    lines: Callable[[Iterator[tuple[int, bytes]]], Iterator[tuple[int, bytes]]]
    numbers: LineNumbers = field(default_factory=LineNumbers)

    def applied(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        """Yield the cleaned bytes in chunks of about 256 KiB; record the line numbers on the way."""
        line_no, begun = 1, False
        pieces: list[bytes] = []
        size = 0
        for original, piece in self.lines(_numbered(whole_lines(chunks))):
            if not begun:
                self.numbers.add(line_no, original)
            begun = not piece.endswith(b"\n")
            line_no += not begun
            pieces.append(piece)
            size += len(piece)
            if size >= _CHUNK_BYTES:
                yield b"".join(pieces)
                pieces, size = [], 0
        if pieces:
            yield b"".join(pieces)

    def original_line(self, line_no: int) -> int:
        """Return the line of the file in which a cleaned line stood, by the lines read so far."""
        return self.numbers.original(line_no)


_CHUNK_BYTES = 1 << 18


def _numbered(chunks: Iterator[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield each line with its number from 1; the parts of a line that was cut have the same."""
    line_no = 1
    for chunk in chunks:
        for line in _cut(chunk):
            yield line_no, line
            line_no += line.endswith(b"\n")


def _cut(chunk: bytes) -> list[bytes]:
    """Return the lines, cut at line feeds alone."""
    lines = [line + b"\n" for line in chunk.split(b"\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def whole_lines(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the bytes, cut behind line feeds; a line longer than a chunk is cut where the chunk is."""
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
