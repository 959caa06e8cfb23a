"""Lines that differ in nothing but their numbers, a mebibyte at a time.

Thousands of status lines of a tool have the same text between their numbers, by which lines are grouped. The
reader of the tool decides the meaning of the numbers by the first line, and the numbers of the other lines
become columns. Other lines are read singly.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tailroom.domain.latency.bounds import Int64s
from tailroom.importers.digits import MAX_DIGITS, PAD, Digits
from tailroom.importers.source import Block

_LINE_FEED, _DOT = 0x0A, 0x2E
_MAX_SHAPES = 16
"""Most shapes of a block; lines of further shapes are read one by one."""
_LEAST_LINES = 8
"""Fewer are read one by one."""
_MAX_DECIMALS = 6
_IS_NUMBER = np.zeros(256, bool)
_IS_NUMBER[[*b"0123456789."]] = True


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """Numbers at one position of all lines: `digits / 10**decimals`, each of `widths` characters."""

    digits: Int64s
    decimals: Int64s
    widths: Int64s

    @property
    def values(self) -> npt.NDArray[np.float64]:
        """The numbers as the nearest doubles. Up to 2**53 and 22 decimals a division rounds only once."""
        scaled: npt.NDArray[np.float64] = self.digits / _POWERS[self.decimals]
        return scaled

    @property
    def is_whole(self) -> bool:
        """Whether no number has a decimal point."""
        return not self.decimals.any()


_POWERS = 10.0 ** np.arange(_MAX_DECIMALS + 1)


@dataclass(slots=True, eq=False)
class Shape:
    """Lines with the same text between their numbers, in order."""

    lines: Int64s
    """Positions of the lines in the block, from 0."""
    example: bytes
    """The first line, without its end."""
    _digits: Digits
    _bounds: Int64s
    """Positions at which each line begins and ends."""
    _stops: Int64s
    """Positions at which each number of each line ends."""
    _widths: Int64s
    _places: dict[int, tuple[int, int]]
    """By the byte of the example at which a number begins: index of the number, and the byte at its end."""
    _read: dict[int, Numbers | None] = field(default_factory=dict)

    def chosen(self, rows: slice) -> "Shape":
        """Return the shape of only the lines at the indices `rows`; the example remains that of all lines."""
        if rows == slice(0, self.lines.size):
            return self
        bounds, stops, widths = (column[rows] for column in (self._bounds, self._stops, self._widths))
        return replace(self, lines=self.lines[rows], _bounds=bounds, _stops=stops, _widths=widths, _read={})

    def numbers(self, begin: int, end: int) -> Numbers | None:
        """Return the numbers at bytes `begin` to `end` of the example; None if any line has none there."""
        at, stop = self._places.get(begin, (-1, -1))
        if stop != end:
            return None
        if at not in self._read:
            self._read[at] = self._numbers(self._stops[:, at], self._widths[:, at])
        return self._read[at]

    def is_constant(self, begin: int, end: int) -> bool:
        """Return whether all lines have the example's number exactly here, with the same characters."""
        numbers = self.numbers(begin, end)
        integer_part, _, behind = self.example[begin:end].partition(b".")
        return (
            numbers is not None
            and bool((numbers.widths == end - begin).all())
            and bool((numbers.decimals == len(behind)).all())
            and bool((numbers.digits == int(integer_part + behind)).all())
        )

    @property
    def longest(self) -> int:
        """Length of the longest line in bytes."""
        return int((self._bounds[:, 1] - self._bounds[:, 0]).max())

    def line(self, row: int) -> bytes:
        """Return the line at index `row` of `lines`, without its line feed."""
        return self._digits.padded[int(self._bounds[row, 0]) : int(self._bounds[row, 1])]

    def texts(self, begin: int) -> list[str]:
        """Return each line's number from byte `begin` on as text. Raise KeyError if none begins there."""
        at = self._places[begin][0]
        stops, widths = self._stops[:, at].tolist(), self._widths[:, at].tolist()
        padded = self._digits.padded
        return [
            padded[stop - width : stop].decode("ascii") for stop, width in zip(stops, widths, strict=True)
        ]

    def _numbers(self, stops: Int64s, widths: Int64s) -> Numbers | None:
        """Return the numbers that end at `stops`, each of `widths` characters.

        None if a text has over 18 characters, over six decimals, two dots, or a dot at either end.
        """
        text = self._digits.text
        if int(widths.max()) > MAX_DIGITS:
            return None
        decimals = np.zeros(stops.size, np.int64)
        dotted = np.zeros(stops.size, bool)
        for behind in range(int(widths.max())):
            is_dot = (text[stops - 1 - behind] == _DOT) & (behind < widths)
            if is_dot.any():
                if (is_dot & dotted).any() or behind == 0 or behind > _MAX_DECIMALS:
                    return None
                decimals[is_dot] = behind
                dotted |= is_dot
        if not dotted.any():
            return Numbers(self._digits.numbers(stops, widths), decimals, widths)
        before = widths - decimals - dotted
        if int(before.min()) < 1:
            return None
        integer_parts = self._digits.numbers(stops - decimals - dotted, before)
        behind_dot = np.where(dotted, self._digits.numbers(stops, np.maximum(decimals, 1)), 0)
        return Numbers(integer_parts * 10**decimals + behind_dot, decimals, widths)


def shapes_of(block: Block) -> list[Shape]:
    """Return the shapes of the first 16 groups of lines with equal text, without groups under eight lines.

    A shape leaves out lines whose numbers are at other places than in the first line of the group.
    """
    digits = Digits(block.with_line_feeds)
    is_number = _IS_NUMBER[digits.text]
    is_number[:PAD] = True
    at = np.flatnonzero(~is_number)
    signs = digits.text[at]
    ends = np.flatnonzero(signs == _LINE_FEED)
    left = np.arange(ends.size)
    firsts = np.concatenate(([0], ends[:-1] + 1))
    sizes = ends - firsts + 1
    begins = np.concatenate(([PAD], at[ends[:-1]] + 1))
    shapes: list[Shape] = []
    for _ in range(_MAX_SHAPES):
        if left.size < _LEAST_LINES:
            break
        first = int(left[0])
        size = int(sizes[first])
        alike = left[sizes[left] == size]
        table = firsts[alike][:, None] + np.arange(size)
        same = (signs[table] == signs[firsts[first] : firsts[first] + size]).all(axis=1)
        chosen = alike[same]
        if chosen.size >= _LEAST_LINES:
            shape = _shape(digits, at[table if same.all() else table[same]], begins[chosen], chosen)
            shapes += [] if shape is None else [shape]
        left = np.setdiff1d(left, chosen, assume_unique=True)
    return shapes


def line_ranges(shapes: list[Shape], size: int) -> Iterator[tuple[int, int, Shape | None]]:
    """Yield `(begin, end, shape)` for all lines of a block of `size` lines, in order.

    `begin` and `end` (exclusive) are positions of lines from 0; the shape holds just these lines. It is None
    for lines of no shape, and for fewer than eight in succession, which must be read singly.
    """
    which, row = np.full(size, -1), np.zeros(size, np.int64)
    for number, shape in enumerate(shapes):
        which[shape.lines] = number
        row[shape.lines] = np.arange(shape.lines.size)
    cuts = (np.flatnonzero(np.diff(which)) + 1).tolist()
    for begin, end in pairwise((0, *cuts, size)):
        number = int(which[begin]) if begin < size else -1
        if number < 0 or end - begin < _LEAST_LINES:
            yield begin, end, None
        else:
            first = int(row[begin])
            yield begin, end, shapes[number].chosen(slice(first, first + end - begin))


def _shape(digits: Digits, places: Int64s, begins: Int64s, lines: Int64s) -> Shape | None:
    """Return the shape of the lines that have numbers exactly where the first of them has.

    Other lines are left out. None if the first line has no number or is not ASCII. `places` (a row for each
    line, a column for each byte outside numbers) are positions of these bytes in the text, `begins` those
    where lines begin, and `lines` the positions of the lines in the block.
    """
    first = int(begins[0])
    example = digits.padded[first : int(places[0, -1])]
    with_number = np.flatnonzero(np.diff(places[0], prepend=first - 1) - 1)
    if not with_number.size or not example.isascii():
        return None
    stops = places[:, with_number]
    starts = places[:, np.maximum(with_number - 1, 0)] + 1
    starts[:, with_number == 0] = begins[:, None]
    widths = stops - starts
    # A number where the first line has none is missing in the sum of the others.
    fit = widths.min(axis=1) >= 1
    fit &= widths.sum(axis=1) == places[:, -1] - begins - (places.shape[1] - 1)
    ends = (stops[0] - first).tolist()
    numbered = {
        int(at) - first: (number, end)
        for number, (at, end) in enumerate(zip(starts[0].tolist(), ends, strict=True))
    }
    bounds = np.stack((begins, places[:, -1]), axis=1)
    if not fit.all():
        lines, bounds, stops, widths = lines[fit], bounds[fit], stops[fit], widths[fit]
    return Shape(lines, example, digits, bounds, stops, widths, numbered)
