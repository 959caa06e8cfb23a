"""Blocks of an ACT log as columns: a mebibyte of text read at once, whatever is odd line by line.

Lines of buckets have a fixed shape up to ten digits a count, so that they are read as a table of bytes; a
line of any other shape goes through a pattern, and what fits neither is handed on as it is. Nothing here
judges: counts are cumulative, as they stand.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tailroom.domain.latency.bounds import Int64s

Bytes = npt.NDArray[np.uint8]

BUCKETS_MAX = 65
"""Bucket numbers are 0 to 64: the position of the highest bit of a 64-bit number."""

_LF, _SPACE, _OPEN, _CLOSE, _COLON, _ZERO = 10, 32, 40, 41, 58, 48
_STRIDE, _LEGACY_STRIDE = 17, 18
_PER_LINE_MAX = 4
_DIGIT_AT = slice(6, 16)
_FIXED_AT = np.array([0, 1, 4, 5, 16])
_FIXED = np.array([_SPACE, _OPEN, _COLON, _SPACE, _CLOSE], np.uint8)
_PLACES = 10.0 ** np.arange(9, -1, -1)
_ENTRY = re.compile(rb" ?\((\d{2}): (\d{1,18})\) ?")
_LABEL = re.compile(rb"^[aA]fter (\d{1,12}) sec:$")
_TOTAL_END = b" total)"


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """Consecutive blocks. `histogram_no` of a bucket points into the columns of the histograms.

    A histogram stands in block `block_no`, or in none (−1) where its heading follows an empty line.
    """

    label_s: Int64s
    label_line: Int64s
    name_no: Int64s
    block_no: Int64s
    total: Int64s
    heading_line: Int64s
    damaged: npt.NDArray[np.bool_]
    histogram_no: Int64s
    bucket: Int64s
    count: Int64s
    others: list[tuple[int, int, bytes]]
    """Every other line: block it stands in or after (−1 before the first), line number, text."""

    def since(self, block: int) -> "Blocks":
        """The blocks from one on."""
        kept = np.flatnonzero(self.block_no >= block)
        position = np.full(self.name_no.size, -1, np.int64)
        position[kept] = np.arange(kept.size)
        entries = np.flatnonzero(position[self.histogram_no] >= 0) if self.histogram_no.size else kept[:0]
        return Blocks(
            label_s=self.label_s[block:],
            label_line=self.label_line[block:],
            name_no=self.name_no[kept],
            block_no=self.block_no[kept] - block,
            total=self.total[kept],
            heading_line=self.heading_line[kept],
            damaged=self.damaged[kept],
            histogram_no=position[self.histogram_no[entries]],
            bucket=self.bucket[entries],
            count=self.count[entries],
            others=[(one - block, line, words) for one, line, words in self.others if one >= block],
        )


class Names:
    """Numbers for the names of histograms, given as they are met; `texts` in their order."""

    def __init__(self) -> None:
        self._numbers: dict[bytes, int] = {}
        self.texts: list[bytes] = []

    def number(self, name: bytes) -> int:
        """The number of a name."""
        found = self._numbers.get(name)
        if found is None:
            found = self._numbers[name] = len(self.texts)
            self.texts.append(name)
        return found


def label_of(words: bytes) -> int | None:
    """The label of the block that begins with these bytes; none where they begin no block."""
    label = _LABEL.match(words.partition(b"\n")[0].rstrip(b"\r"))
    return None if label is None else int(label.group(1))


def scan(data: bytes, first_line: int, names: Names) -> Blocks:
    """Columns of whole lines (a last line without line feed is one too)."""
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    if not data.endswith(b"\n"):
        data += b"\n"
    text = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(text == _LF)
    starts = np.concatenate((np.zeros(1, np.int64), ends[:-1] + 1))
    lengths = ends - starts
    second = text[np.minimum(starts + 1, text.size - 1)]
    is_entry = (lengths >= 2) & (text[starts] == _SPACE) & (second == _OPEN)
    is_blank = lengths == 0
    spoken = _spoken_lines(data, starts, ends, np.flatnonzero(~is_entry & ~is_blank), names)
    label_s, label_at, name_no, total, heading_at, others = spoken

    heading_lines = np.array(heading_at, np.int64)
    label_lines = np.array(label_at, np.int64)
    block_no = np.searchsorted(label_lines, heading_lines) - 1
    blank_lines = np.flatnonzero(is_blank)
    last_blank = np.searchsorted(blank_lines, heading_lines) - 1
    if blank_lines.size and label_lines.size:
        after_blank = (last_blank >= 0) & (
            blank_lines[np.maximum(last_blank, 0)] > label_lines[np.maximum(block_no, 0)]
        )
        block_no = np.where(after_blank, -1, block_no)

    entry_lines = np.flatnonzero(is_entry)
    (line_of, bucket, count), odd = _entries(data, text, starts, lengths, entry_lines)
    histogram_no = np.searchsorted(heading_lines, line_of) - 1
    damaged = np.zeros(heading_lines.size, np.bool_)
    for line in odd:
        owner = int(np.searchsorted(heading_lines, line)) - 1
        if owner >= 0:
            damaged[owner] = True
        others.append((line, data[starts[line] : ends[line]]))
    others.sort()
    owned = histogram_no >= 0
    if not owned.all():
        histogram_no, bucket, count = histogram_no[owned], bucket[owned], count[owned]
    other_blocks = np.searchsorted(label_lines, np.array([line for line, _ in others], np.int64)) - 1
    return Blocks(
        label_s=np.array(label_s, np.int64),
        label_line=label_lines + first_line,
        name_no=np.array(name_no, np.int64),
        block_no=block_no,
        total=np.array(total, np.int64),
        heading_line=heading_lines + first_line,
        damaged=damaged,
        histogram_no=histogram_no,
        bucket=bucket,
        count=count,
        others=[
            (int(block), line + first_line, words)
            for block, (line, words) in zip(other_blocks, others, strict=True)
        ],
    )


_Spoken = tuple[list[int], list[int], list[int], list[int], list[int], list[tuple[int, bytes]]]


def _spoken_lines(data: bytes, starts: Int64s, ends: Int64s, lines: Int64s, names: Names) -> _Spoken:
    """Labels and headings with their values and lines; every other line as it stands."""
    label_s: list[int] = []
    label_at: list[int] = []
    name_no: list[int] = []
    total: list[int] = []
    heading_at: list[int] = []
    others: list[tuple[int, bytes]] = []
    for line, start, end in zip(lines.tolist(), starts[lines].tolist(), ends[lines].tolist(), strict=True):
        words = data[start:end]
        if words.endswith(_TOTAL_END):
            name, _, number = words[: -len(_TOTAL_END)].rpartition(b" (")
            if name and number.isdigit() and len(number) <= 18:
                name_no.append(names.number(name.rstrip()))
                total.append(int(number))
                heading_at.append(line)
                continue
        elif words.endswith(b" sec:") and (label := _LABEL.match(words)) is not None:
            label_s.append(int(label.group(1)))
            label_at.append(line)
            continue
        others.append((line, words))
    return label_s, label_at, name_no, total, heading_at, others


_Entries = tuple[Int64s, Int64s, Int64s]
"""Line, bucket and count of every entry, in order."""


def _entries(
    data: bytes, text: Bytes, starts: Int64s, lengths: Int64s, lines: Int64s
) -> tuple[_Entries, list[int]]:
    """The entries of the lines, and the lines that are no row of buckets."""
    size = lengths[lines]
    stride = np.where(size % _STRIDE == 0, _STRIDE, np.where(size % _LEGACY_STRIDE == 0, _LEGACY_STRIDE, 0))
    each = np.where(stride > 0, size // np.maximum(stride, 1), 0)
    shaped = (each >= 1) & (each <= _PER_LINE_MAX)
    slow = lines[~shaped]
    fast, stride, each = lines[shaped], stride[shaped], each[shaped]
    line_of = np.repeat(fast, each)
    first_of_line = np.cumsum(each) - each
    within = np.arange(line_of.size) - np.repeat(first_of_line, each)
    at = np.repeat(starts[fast], each) + within * np.repeat(stride, each)
    if at.size == 0:
        none = np.empty(0, np.int64)
        return _with_slow((none, none, none), data, starts, lengths, slow)
    windows = np.lib.stride_tricks.sliding_window_view(text, _STRIDE)[at]
    digits = windows[:, _DIGIT_AT] - np.uint8(_ZERO)
    tens, ones = windows[:, 2] - np.uint8(_ZERO), windows[:, 3] - np.uint8(_ZERO)
    good = (
        (windows[:, _FIXED_AT] == _FIXED).all(axis=1) & (digits <= 9).all(axis=1) & (tens <= 9) & (ones <= 9)
    )
    bucket = tens.astype(np.int64) * 10 + ones
    count = (digits.astype(np.float64) @ _PLACES).astype(np.int64)
    good &= bucket < BUCKETS_MAX
    if not good.all():
        bad = np.unique(line_of[~good])
        kept = ~np.isin(line_of, bad)
        line_of, bucket, count = line_of[kept], bucket[kept], count[kept]
        slow = np.sort(np.concatenate((slow, bad)))
    return _with_slow((line_of, bucket, count), data, starts, lengths, slow)


def _with_slow(
    entries: _Entries, data: bytes, starts: Int64s, lengths: Int64s, slow: Int64s
) -> tuple[_Entries, list[int]]:
    """Adds the lines whose counts have more digits, by pattern; gives back those that fit no pattern."""
    odd: list[int] = []
    found: list[tuple[int, int, int]] = []
    for line in slow.tolist():
        start = int(starts[line])
        of_line = list(_pattern_entries(data[start : start + int(lengths[line])]))
        if of_line:
            found.extend((line, number, amount) for number, amount in of_line)
        else:
            odd.append(line)
    if not found:
        return entries, odd
    extra = np.array(found, np.int64)
    line_of, bucket, count = (
        np.concatenate((column, extra[:, number])) for number, column in enumerate(entries)
    )
    order = np.argsort(line_of, kind="stable")
    return (line_of[order], bucket[order], count[order]), odd


def _pattern_entries(line: bytes) -> Iterator[tuple[int, int]]:
    """Buckets and counts of a line that holds nothing else; nothing where it does."""
    matches = list(_ENTRY.finditer(line))
    spans = [match.span() for match in matches]
    whole = bool(spans) and spans[0][0] == 0 and spans[-1][1] == len(line)
    if not whole or any(one[1] != other[0] for one, other in pairwise(spans)):
        return
    numbers = [(int(match.group(1)), int(match.group(2))) for match in matches]
    if all(bucket < BUCKETS_MAX for bucket, _ in numbers):
        yield from numbers
