"""Lines of whole numbers as a table, and lines `name,time,value` of single operations, a mebibyte at a time.

Logs of single operations have many million lines, `READ,1795178090117,839`. Lines of the same form become
columns at once. Others are read singly, or returned with their line numbers if they are no rows of numbers.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tailroom.domain.latency.bounds import Int64s
from tailroom.importers.digits import MAX_DIGITS, PAD, Digits
from tailroom.importers.source import Block

_SIGNS = 3
_DIGIT = re.compile(rb"[0-9]")
_MAX_NAME_BYTES = 24
_MAX_VALUE_DIGITS = 8
_MAX_NAMES = 64
"""Most names of a block; lines of further names are returned."""
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_UInt64s = npt.NDArray[np.uint64]
_LINE_FEED, _COMMA, _ZERO, _NINE = 0x0A, 0x2C, 0x30, 0x39
_Flags = npt.NDArray[np.bool_]

Line = tuple[int, bytes]


@dataclass(frozen=True, slots=True, eq=False)
class NamedRows:
    """Lines of a block with the same name, in order; `times` and `values` have an element for each."""

    name: bytes
    times: Int64s
    values: Int64s


def named_rows(block: Block, time_digits: int) -> tuple[list[NamedRows], Iterator[Line]]:
    """Return the lines `name,time,value` of a block grouped by name, and other lines with their line numbers.

    A time has `time_digits` digits, a value at most eight, a name at most 24 bytes. Empty lines, and lines of
    names after the first 64, are among the others.
    """
    digits = Digits(block.with_line_feeds)
    begins, places, lines = _places(digits.text)
    time_widths = places[:, 1] - places[:, 0] - 1
    value_widths = places[:, 2] - places[:, 1] - 1
    name_widths = places[:, 0] - begins
    is_usual = (
        _all_between(time_widths, time_digits, time_digits)
        and _all_between(name_widths, 1, _MAX_NAME_BYTES)
        and _all_between(value_widths, 1, _MAX_VALUE_DIGITS)
        and digits.count() == int(value_widths.sum()) + time_digits * value_widths.size
    )
    if is_usual:
        columns, others = _named_columns(digits, (begins, places, lines), time_digits)
        # Digits elsewhere may replace signs in a number.
        is_usual = not others.any() and not any(_DIGIT.search(column.name) for column in columns)
    if not is_usual:
        fit = (time_widths == time_digits) & (name_widths >= 1) & (name_widths <= _MAX_NAME_BYTES)
        fit &= (value_widths >= 1) & (value_widths <= _MAX_VALUE_DIGITS) & _are_digits(digits, places)
        columns, others = _named_columns(digits, (begins[fit], places[fit], lines[fit]), time_digits)
    return columns, _marked_lines(block, others)


def _named_columns(
    digits: Digits, rows: tuple[Int64s, Int64s, Int64s], time_digits: int
) -> tuple[list[NamedRows], _Flags]:
    """Return rows grouped by name, and a mask of the other lines of the block.

    `rows` are the position where each begins, those where its three fields end, and the index of its line.
    """
    begins, places, lines = rows
    columns: list[NamedRows] = []
    others = np.ones(digits.has(_LINE_FEED), bool)
    if lines.size:
        times = digits.numbers(places[:, 1], np.full(lines.size, time_digits))
        values = digits.numbers(places[:, 2], places[:, 2] - places[:, 1] - 1)
        for name, chosen in _by_name(digits, begins, places[:, 0]):
            columns.append(NamedRows(name, times[chosen], values[chosen]))
            others[lines[chosen]] = False
    return columns, others


def _places(text: npt.NDArray[np.uint8]) -> tuple[Int64s, Int64s, Int64s]:
    """Return the begins, the field ends (a row of three) and the indices of the lines with two commas."""
    at_feed = text == _LINE_FEED
    at = np.flatnonzero((text == _COMMA) | at_feed)
    if at.size % _SIGNS == 0:
        places = at.reshape(-1, _SIGNS)
        # As many line feeds as rows, each at the end of a row: the other signs are commas.
        if int(np.count_nonzero(at_feed)) == places.shape[0] and at_feed[places[:, -1]].all():
            return np.concatenate(([PAD], places[:-1, -1] + 1)), places, np.arange(places.shape[0])
    last = np.flatnonzero(text[at] == _LINE_FEED)
    commas = np.diff(last, prepend=-1) - 1
    begins = np.concatenate(([PAD], at[last[:-1]] + 1))
    lines = np.flatnonzero(commas == _SIGNS - 1)
    places = at[last[lines][:, None] + np.arange(1 - _SIGNS, 1)]
    return begins[lines], places, lines


def _all_between(widths: Int64s, least: int, most: int) -> bool:
    return int(widths.min(initial=least)) >= least and int(widths.max(initial=least)) <= most


def _are_digits(digits: Digits, places: Int64s) -> _Flags:
    seen = np.concatenate(([0], np.cumsum(digits.text - np.uint8(_ZERO) < np.uint8(10))))
    all_digits: _Flags = np.ones(places.shape[0], bool)
    for first, second in ((0, 1), (1, 2)):
        begin, stop = places[:, first] + 1, places[:, second]
        all_digits &= seen[stop] - seen[begin] == stop - begin
    return all_digits


def _by_name(digits: Digits, begins: Int64s, stops: Int64s) -> Iterator[tuple[bytes, slice | Int64s]]:
    """Yield each of the first 64 names with the indices of its rows, or a full slice if all have it."""
    widths = stops - begins
    words = [_name_word(digits, stops, widths, offset) for offset in range(0, int(widths.max()), 8)]
    left = np.arange(stops.size)
    for _ in range(_MAX_NAMES):
        if not left.size:
            return
        first = int(left[0])
        same = widths[left] == widths[first]
        for word in words:
            same &= word[left] == word[first]
        name = digits.padded[int(begins[first]) : int(stops[first])]
        if same.all():
            yield name, slice(None) if left.size == stops.size else left
            return
        yield name, left[same]
        left = left[~same]


def _name_word(digits: Digits, stops: Int64s, widths: Int64s, offset: int) -> _UInt64s:
    """Return words of the eight bytes that end `offset` before `stops`, with zeros before the names."""
    word = digits.words[stops - offset - 8]
    least, most = int(widths.min()) - offset, int(widths.max()) - offset
    if least >= 8:
        return word
    if least == most:
        word &= _ALL << np.uint64(64 - 8 * most)
        return word
    bytes_left = np.clip(widths - offset, 0, 8).astype(np.uint64)
    word &= np.where(
        bytes_left > 0, _ALL << ((np.uint64(64) - np.uint64(8) * bytes_left) & np.uint64(63)), np.uint64(0)
    )
    return word


def _marked_lines(block: Block, chosen: _Flags) -> Iterator[Line]:
    """Yield number and bytes (without end) of each line of a block in the mask `chosen`."""
    numbers = np.flatnonzero(chosen).tolist()
    lines = block.with_line_feeds.split(b"\n") if numbers else []
    for number in numbers:
        yield block.first_line + number, lines[number].removesuffix(b"\r")


@dataclass(eq=False, slots=True)
class NumberRows:
    """Lines of whole numbers as columns, each converted on access."""

    positions: Int64s
    """Position of each line in its block, from 0."""
    _digits: Digits | None = None
    _stops: Sequence[Int64s] = ()
    _widths: Sequence[Int64s] = ()
    _order: Int64s | None = None
    """Index of each line among the lines of equal form followed by `_others`; None if there are no others."""
    _others: Int64s | None = None
    """The numbers of the lines that were read singly, a row for each."""

    @property
    def size(self) -> int:
        """Number of lines."""
        return self.positions.size

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


_NO_ROWS = NumberRows(np.empty(0, np.int64))


def rows_of(block: Block, columns: int, *, commas: bool = False) -> tuple[NumberRows, list[Line]]:
    """Return the lines of `columns` whole numbers of 1 to 18 digits, and all other lines that are not empty.

    Numbers are separated by a space, or with `commas` by `", "` or `","`.
    """
    plain = block.with_line_feeds
    between = _separator(plain, columns, commas=commas)
    if between is None:
        return _add_single_lines(plain, block.first_line, columns, _NO_ROWS, None, commas=commas)
    alike, others = _Grid(Digits(plain), columns, between).rows()
    if not others.size:
        return alike, []
    return _add_single_lines(plain, block.first_line, columns, alike, others, commas=commas)


def _separator(data: bytes, columns: int, *, commas: bool) -> bytes | None:
    """Return the text between numbers: a space, or with `commas` `", "`, else `","`; None without a row."""
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
        number_rows = NumberRows(np.arange(begins.size), self.digits, stops, widths)
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
    of_alike = np.setdiff1d(np.arange(len(lines)), numbers)
    if not rows:
        return replace(alike, positions=of_alike), odd
    positions = np.concatenate((of_alike, at)).astype(np.int64)
    order = np.argsort(positions, kind="stable")
    others_table = np.array(rows, np.int64)
    return replace(alike, positions=positions[order], _order=order, _others=others_table), odd


def _is_number(field: bytes) -> bool:
    return field.isdigit() and len(field) <= MAX_DIGITS
