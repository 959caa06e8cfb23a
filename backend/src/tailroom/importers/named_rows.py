"""Lines `name,time,value` of single operations, a mebibyte at a time: READ,1795178090117,839.

Files have gigabytes of them. Lines of the usual shape become columns at once, for each name; other lines are
returned with their numbers.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tailroom.domain.latency.bounds import Int64s
from tailroom.importers.digits import PAD, Digits
from tailroom.importers.source import Block

_COMMA, _LINE_FEED = 0x2C, 0x0A
_SIGNS = 3
_DIGIT = re.compile(rb"[0-9]")
_MAX_NAME_BYTES = 24
_MAX_VALUE_DIGITS = 8
_MAX_NAMES = 64
"""Most names of a block; lines of further names are returned."""
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_Flags = npt.NDArray[np.bool_]
_UInt64s = npt.NDArray[np.uint64]


@dataclass(frozen=True, slots=True, eq=False)
class NamedRows:
    """Lines of a block with the same name, in order; `times` and `values` have an element for each."""

    name: bytes
    times: Int64s
    values: Int64s


def named_rows(block: Block, time_digits: int) -> tuple[list[NamedRows], Iterator[tuple[int, bytes]]]:
    """Return the lines `name,time,value` of a block, grouped by name, and all other lines with their numbers.

    A time has `time_digits` digits, a value at most eight, a name at most 24 bytes. Empty lines, and lines of
    names after the first 64, are among the others.
    """
    data = block.data if block.data.endswith(b"\n") else block.data + b"\n"
    data = data.replace(b"\r\n", b"\n") if b"\r" in data else data
    digits = Digits(data)
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
        columns, others = _columns(digits, (begins, places, lines), time_digits)
        # Digits elsewhere may replace signs in a number.
        is_usual = not others.any() and not any(_DIGIT.search(column.name) for column in columns)
    if not is_usual:
        fit = (time_widths == time_digits) & (name_widths >= 1) & (name_widths <= _MAX_NAME_BYTES)
        fit &= (value_widths >= 1) & (value_widths <= _MAX_VALUE_DIGITS) & _are_digits(digits, places)
        columns, others = _columns(digits, (begins[fit], places[fit], lines[fit]), time_digits)
    return columns, _lines(data, block.first_line, others)


def _columns(
    digits: Digits, rows: tuple[Int64s, Int64s, Int64s], time_digits: int
) -> tuple[list[NamedRows], _Flags]:
    """Return rows by name, and a mask of the other lines of the block.

    `rows` are the position where each begins, those where its three fields stop, and its line number from 0.
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
    """Return arrays about the lines with two commas: where each begins, where its three fields end (a row for
    each line), and its number from 0.
    """
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
    """Return whether all widths are from `least` to `most`; True without any."""
    return int(widths.min(initial=least)) >= least and int(widths.max(initial=least)) <= most


def _are_digits(digits: Digits, places: Int64s) -> _Flags:
    """Return a mask of the rows whose time and value are digits only."""
    seen = np.concatenate(([0], np.cumsum(digits.text - np.uint8(0x30) < np.uint8(10))))
    all_digits: _Flags = np.ones(places.shape[0], bool)
    for first, second in ((0, 1), (1, 2)):
        begin, stop = places[:, first] + 1, places[:, second]
        all_digits &= seen[stop] - seen[begin] == stop - begin
    return all_digits


def _by_name(digits: Digits, begins: Int64s, stops: Int64s) -> Iterator[tuple[bytes, slice | Int64s]]:
    """Yield each of the first 64 names with its rows, by first row; a full slice if all rows have it."""
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
    """Return for each row, as one word, the eight bytes that end `offset` bytes before position `stops`.

    Bytes before the name, which has `widths` bytes, are 0.
    """
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


def _lines(data: bytes, first_line: int, chosen: _Flags) -> Iterator[tuple[int, bytes]]:
    """Yield number, from `first_line` on, and bytes (without end) of each line in the mask `chosen`."""
    numbers = np.flatnonzero(chosen)
    if not numbers.size:
        return
    lines = data.split(b"\n")
    for number in numbers.tolist():
        yield first_line + number, lines[number].removesuffix(b"\r")
