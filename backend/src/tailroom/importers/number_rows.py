"""Lines of whole numbers as a table, a mebibyte at a time; everything else line by line.

Logs of single operations have many million lines. A block whose lines all have the same number of columns is
turned into a table at once; lines that are no plain numbers (words, signs, damage) are taken out first and
given back with their numbers, so that nothing is skipped silently.
"""

import re

import numpy as np
import numpy.typing as npt

from tailroom.domain.latency.bounds import Int64s
from tailroom.importers.source import Block

_ODD = re.compile(rb"(?m)^[0-9 ]*+[^0-9 \n][^\n]*\n")
_MAX_DIGITS = 18
_SPACE, _LINE_FEED, _ZERO, _NINE = 0x20, 0x0A, 0x30, 0x39

Line = tuple[int, bytes]


def rows_of(block: Block, columns: int, *, commas: bool = False) -> tuple[Int64s, list[Line]]:
    """A table with a row for each line of that many whole numbers, and all other lines with their numbers.

    Empty lines are nothing. With `commas`, `", "` and `","` stand between the columns instead of a space. A
    number has at most 18 digits.
    """
    data = block.data if block.data.endswith(b"\n") else block.data + b"\n"
    plain = data.replace(b"\r\n", b"\n") if b"\r" in data else data
    if commas:
        plain = plain.replace(b", ", b" ").replace(b",", b" ")
    if (table := _table(plain, columns)) is not None:
        return table, []
    odd: list[Line] = []
    line_no, counted_to = block.first_line, 0
    for found in _ODD.finditer(plain):
        line_no += plain.count(b"\n", counted_to, found.start())
        counted_to = found.start()
        odd.append((line_no, found[0].rstrip(b"\r\n")))
    if odd and (table := _table(_ODD.sub(b"", plain), columns)) is not None:
        return table, odd
    return _line_by_line(plain, block.first_line, columns)


def _table(data: bytes, columns: int) -> Int64s | None:
    """The table of a block without any irregular line, else none."""
    if not data:
        return np.empty((0, columns), np.int64)
    text = np.frombuffer(data, np.uint8)
    if int(text.max()) > _NINE:
        return None
    ends = np.flatnonzero(text < _ZERO)
    if ends.size % columns or not _regular(text[ends].reshape(-1, columns)):
        return None
    gaps = ends[1:] - ends[:-1]
    first = int(ends[0])
    if first < 1 or int(gaps.min(initial=2)) < 2 or max(first, int(gaps.max(initial=2)) - 1) > _MAX_DIGITS:
        return None
    return np.fromstring(data, dtype=np.int64, sep=" ").reshape(-1, columns)


def _regular(ends: npt.NDArray[np.uint8]) -> bool:
    return bool((ends[:, :-1] == _SPACE).all() and (ends[:, -1] == _LINE_FEED).all())


def _line_by_line(data: bytes, first_line: int, columns: int) -> tuple[Int64s, list[Line]]:
    rows: list[list[int]] = []
    odd: list[Line] = []
    for line_no, line in enumerate(data.split(b"\n")[:-1], first_line):
        fields = line.split(b" ")
        if len(fields) == columns and all(_is_number(field) for field in fields):
            rows.append([int(field) for field in fields])
        elif line.strip():
            odd.append((line_no, line.rstrip(b"\r")))
    return np.array(rows, dtype=np.int64).reshape(-1, columns), odd


def _is_number(field: bytes) -> bool:
    return field.isdigit() and len(field) <= _MAX_DIGITS
