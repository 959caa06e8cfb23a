"""Lines of whole numbers as a table, a mebibyte at a time; other lines one by one.

Logs of single operations have many million lines. Lines of the same form become a table at once; others are
read singly and, if they are no rows of numbers, returned with their numbers.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tailroom.domain.latency.bounds import Int64s
from tailroom.importers.digits import MAX_DIGITS, PAD, Digits
from tailroom.importers.source import Block

_LINE_FEED, _ZERO, _NINE = 0x0A, 0x30, 0x39
_Flags = npt.NDArray[np.bool_]

Line = tuple[int, bytes]


@dataclass(eq=False, slots=True)
class NumberRows:
    """Lines of whole numbers as columns, each converted on access."""

    size: int
    """Number of lines."""
    _digits: Digits | None = None
    _stops: Sequence[Int64s] = ()
    _widths: Sequence[Int64s] = ()
    _order: Int64s | None = None
    """Index of each line among the lines of equal form followed by `_others`; None if there are no others."""
    _others: Int64s | None = None
    """The numbers of the lines that were read singly, a row for each."""

    def column(self, number: int, part: slice = slice(None)) -> Int64s:
        """Return column `number` (from 0) of all lines, or of a slice of them; converted at each call."""
        if self._digits is None:
            alike = np.empty(0, np.int64)
        elif self._order is None:
            return self._digits.numbers(self._stops[number][part], self._widths[number][part])
        else:
            alike = self._digits.numbers(self._stops[number], self._widths[number])
        if self._others is None or self._order is None:
            return alike
        return np.concatenate((alike, self._others[:, number]))[self._order][part]


def rows_of(block: Block, columns: int, *, commas: bool = False) -> tuple[NumberRows, list[Line]]:
    """Return the lines of `columns` whole numbers (1 to 18 digits each), and all other
    lines that are not empty.

    Numbers are separated by a space, or with `commas` by `", "` or `","`.
    """
    data = block.data if block.data.endswith(b"\n") else block.data + b"\n"
    plain = data.replace(b"\r\n", b"\n") if b"\r" in data else data
    between = _separator(plain, columns, commas=commas)
    if between is None:
        return _add_single_lines(plain, block.first_line, columns, NumberRows(0), None, commas=commas)
    alike, others = _Grid(Digits(plain), columns, between).rows()
    if not others.size:
        return alike, []
    return _add_single_lines(plain, block.first_line, columns, alike, others, commas=commas)


def _separator(data: bytes, columns: int, *, commas: bool) -> bytes | None:
    """Return the text between numbers, with `commas` `", "` before `","`; None if no line is a row."""
    for between in (b", ", b",") if commas else (b" ",):
        number = rb"[0-9]{1,18}+"
        if re.search(rb"(?m)^%s(?:%s%s){%d}\n" % (number, between, number, columns - 1), data):
            return between
    return None


@dataclass(slots=True)
class _Grid:
    """Finds the lines of `columns` numbers with the text `between` in between, and where each number ends."""

    digits: Digits
    columns: int
    between: bytes

    def rows(self) -> tuple[NumberRows, Int64s]:
        """Return the rows of this form, and the positions (from 0) of all other lines, in order."""
        text = self.digits.text
        signs = len(self.between) * (self.columns - 1) + 1
        at = np.flatnonzero(text < _ZERO)
        if at.size % signs == 0:
            places = at.reshape(-1, signs)
            fitting, fit = self._rows_and_mask(places, np.concatenate(([PAD], places[:-1, -1] + 1)))
            if fit is None and self._has_only_rows(at):
                return fitting, np.empty(0, np.int64)
        ends = at[text[at] == _LINE_FEED]
        begins = np.concatenate(([PAD], ends[:-1] + 1))
        before = np.searchsorted(at, begins)
        right = np.searchsorted(at, ends) - before == signs - 1
        right[np.searchsorted(ends, np.flatnonzero(text > _NINE))] = False
        lines = np.flatnonzero(right)
        places = at[before[lines][:, None] + np.arange(signs)]
        expected = np.frombuffer(self.between * (self.columns - 1) + b"\n", np.uint8)
        alike = (text[places] == expected).all(axis=1)
        fitting, fit = self._rows_and_mask(places[alike], begins[lines[alike]])
        right[lines[~alike]] = False
        if fit is not None:
            right[lines[alike][~fit]] = False
            fitting, _ = self._rows_and_mask(places[alike][fit], begins[lines[alike]][fit])
        return fitting, np.flatnonzero(~right)

    def _has_only_rows(self, at: Int64s) -> bool:
        """Return whether the bytes at `at` separate the numbers of whole rows, and all others are digits."""
        text = self.digits.text
        expected = np.frombuffer(self.between * (self.columns - 1) + b"\n", np.uint8)
        return int(text.max()) <= _NINE and bool((text[at].reshape(-1, expected.size) == expected).all())

    def _rows_and_mask(self, places: Int64s, begins: Int64s) -> tuple[NumberRows, _Flags | None]:
        """Return the rows, and a mask of valid rows: numbers of 1 to 18 digits; None if all are valid.

        `places` (rows by separators) are positions of separators, `begins` those of rows.
        """
        step = len(self.between)
        stops = [places[:, number * step] for number in range(self.columns)]
        widths = [stops[0] - begins, *(two - begin - step for begin, two in pairwise(stops))]
        gaps = [places[:, at + 1] - places[:, at] for at in range(0, step * (self.columns - 1), step)]
        number_rows = NumberRows(begins.size, self.digits, stops, widths)
        narrow = all(
            int(width.min(initial=1)) >= 1 and int(width.max(initial=1)) <= MAX_DIGITS for width in widths
        )
        if narrow and (step == 1 or all(int(gap.max(initial=1)) == 1 for gap in gaps)):
            return number_rows, None
        fit = np.ones(begins.size, bool)
        for digits in widths:
            fit &= (digits >= 1) & (digits <= MAX_DIGITS)
        for gap in gaps if step > 1 else ():
            fit &= gap == 1
        return number_rows, fit


def _add_single_lines(
    data: bytes, first_line: int, columns: int, alike: NumberRows, others: Int64s | None, *, commas: bool
) -> tuple[NumberRows, list[Line]]:
    """Return `alike` with the rows among the lines at positions `others`, and the lines that are no rows.

    If `others` is None, all lines are read singly. Empty lines are left out.
    """
    lines = data.split(b"\n")[:-1]
    numbers = list(range(len(lines))) if others is None else others.tolist()
    rows: list[list[int]] = []
    at: list[int] = []
    odd: list[Line] = []
    for number in numbers:
        line = lines[number]
        spaced = line.replace(b", ", b" ").replace(b",", b" ") if commas else line
        fields = spaced.split(b" ")
        if len(fields) == columns and all(_is_number(field) for field in fields):
            rows.append([int(field) for field in fields])
            at.append(number)
        elif line.strip():
            odd.append((first_line + number, line.rstrip(b"\r")))
    if not rows:
        return alike, odd
    of_alike = np.setdiff1d(np.arange(len(lines)), numbers)
    order = np.argsort(np.concatenate((of_alike, at)).astype(np.int64), kind="stable")
    return replace(alike, size=order.size, _order=order, _others=np.array(rows, np.int64)), odd


def _is_number(field: bytes) -> bool:
    """Return whether a field is 1 to 18 digits."""
    return field.isdigit() and len(field) <= MAX_DIGITS
