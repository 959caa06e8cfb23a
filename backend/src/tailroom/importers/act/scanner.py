"""Blocks of an ACT log as columns: a mebibyte of text is read at once, irregular lines one by one.

Counts are cumulative, as printed, and are not checked. A line that is neither label, heading nor row of
buckets is returned unchanged.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tailroom.domain.latency.bounds import Int64s
from tailroom.importers.act.bucket_rows import Bytes, bucket_entries, words_at

_LF, _SPACE, _OPEN = 10, 32, 40
_LABEL = re.compile(rb"^[aA]fter (\d{1,12}) sec:$")
_TOTAL_END, _LABEL_END = b" total)", b" sec:"
_DIGITS_MAX, _LABEL_DIGITS_MAX = 18, 12
_FIELDS_MAX = 300
"""Most spellings of names that are compared in columns; lines with others are read one by one."""
_SHORTEST = 11
"""`after 1 sec:` and `x (1 total)` are not shorter."""


def _word(end: bytes, *, mask: bool = False) -> np.uint64:
    """Return eight bytes that end in `end` as a little-endian word, or the mask of only these last bytes."""
    return np.uint64(int.from_bytes((b"\xff" * len(end) if mask else end).rjust(8, b"\0"), "little"))


_TOTAL, _TOTAL_MASK = _word(_TOTAL_END), _word(_TOTAL_END, mask=True)
_SEC, _SEC_MASK = _word(_LABEL_END), _word(_LABEL_END, mask=True)
_AFTER, _AFTER_OLD, _AFTER_MASK = (
    np.uint64(int.from_bytes(word, "little")) for word in (b"after ", b"After ", b"\xff" * 6)
)


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """Columns of blocks (`label_…`), of their histograms (`name_no` to `damaged`) and of the buckets.

    `block_no` is −1 for a histogram before the first label or after an empty line. `histogram_no` is the
    position of a bucket's histogram. Counts are cumulative. Lines are counted from 1 in the file.
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
    """Block (−1 before the first), line number and text of each other line."""

    def since(self, block: int) -> "Blocks":
        """Return the blocks from position `block` on, without histograms that belong to no block.

        Positions of blocks and histograms begin at 0 again; numbers of lines and names are unchanged.
        """
        later = np.flatnonzero(self.block_no >= block)
        position = np.full(self.name_no.size, -1, np.int64)
        position[later] = np.arange(later.size)
        entries = np.flatnonzero(position[self.histogram_no] >= 0)
        return Blocks(
            label_s=self.label_s[block:],
            label_line=self.label_line[block:],
            name_no=self.name_no[later],
            block_no=self.block_no[later] - block,
            total=self.total[later],
            heading_line=self.heading_line[later],
            damaged=self.damaged[later],
            histogram_no=position[self.histogram_no[entries]],
            bucket=self.bucket[entries],
            count=self.count[entries],
            others=[
                (block_no - block, line, text) for block_no, line, text in self.others if block_no >= block
            ],
        )


class Names:
    """Numbers of histogram names: `texts` by number, and numbers by name as padded in headings (`fields`)."""

    def __init__(self) -> None:
        self._numbers: dict[bytes, int] = {}
        self.texts: list[bytes] = []
        self.fields: dict[bytes, int] = {}

    def number(self, field: bytes) -> int:
        """Return the number of a name, padded or not, which may be new; add the spelling to `fields`."""
        name = field.rstrip()
        value = self._numbers.get(name)
        if value is None:
            value = self._numbers[name] = len(self.texts)
            self.texts.append(name)
        if len(self.fields) < _FIELDS_MAX:
            self.fields[field] = value
        return value


def label_of(words: bytes) -> int | None:
    """Return the label (s) if these bytes begin with the first line of a block; else None."""
    label = _LABEL.match(words.partition(b"\n")[0].rstrip())
    return None if label is None else int(label.group(1))


def scan(data: bytes, first_line: int, names: Names) -> Blocks:
    """Return the columns of complete lines, the first of number `first_line`; add their names to `names`."""
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    if not data.endswith(b"\n"):
        data += b"\n"
    text = np.frombuffer(data, np.uint8)
    ends = np.flatnonzero(text == _LF)
    if (text[ends - 1] == _SPACE).any() and b" sec: " in data:
        # ACT writes no blank there: a terminal or a mail has padded the lines.
        return scan(b"\n".join(line.rstrip(b" \t") for line in data.split(b"\n")), first_line, names)
    starts = np.concatenate((np.zeros(1, np.int64), ends[:-1] + 1))
    lengths = ends - starts
    second = text[np.minimum(starts + 1, text.size - 1)]
    is_entry = (lengths >= 2) & (text[starts] == _SPACE) & (second == _OPEN)
    is_blank = lengths == 0
    neither = np.flatnonzero(~is_entry & ~is_blank)
    lines = _classify(data, neither, starts[neither], ends[neither], names)
    label_lines, heading_lines, others = lines.label_line, lines.heading_line, lines.others

    (line_of, bucket, count), damaged_lines = bucket_entries(
        data, text, starts, lengths, np.flatnonzero(is_entry)
    )
    is_heading = np.zeros(starts.size, np.int64)
    is_heading[heading_lines] = 1
    # Of each line, the heading above it: adding up is three times as quick as looking for each.
    histogram_no = (np.cumsum(is_heading) - 1)[line_of]
    damaged = np.zeros(heading_lines.size, np.bool_)
    for line in damaged_lines:
        heading = int(np.searchsorted(heading_lines, line)) - 1
        if heading >= 0:
            damaged[heading] = True
        others.append((line, data[starts[line] : ends[line]]))
    others.sort()
    has_heading = histogram_no >= 0
    if not has_heading.all():
        histogram_no, bucket, count = histogram_no[has_heading], bucket[has_heading], count[has_heading]
    other_blocks = np.searchsorted(label_lines, np.array([line for line, _ in others], np.int64)) - 1
    return Blocks(
        label_s=lines.label_s,
        label_line=label_lines + first_line,
        name_no=lines.name_no,
        block_no=_block_numbers(heading_lines, label_lines, np.flatnonzero(is_blank)),
        total=lines.total,
        heading_line=heading_lines + first_line,
        damaged=damaged,
        histogram_no=histogram_no,
        bucket=bucket,
        count=count,
        others=[
            (int(block), line + first_line, other)
            for block, (line, other) in zip(other_blocks, others, strict=True)
        ],
    )


def _block_numbers(heading_lines: Int64s, label_lines: Int64s, blank_lines: Int64s) -> Int64s:
    """Return the position of each heading's block; −1 without a label above, or after an empty line."""
    block_no = np.searchsorted(label_lines, heading_lines) - 1
    if not blank_lines.size or not label_lines.size:
        return block_no
    last_blank = np.searchsorted(blank_lines, heading_lines) - 1
    label_line = label_lines[np.maximum(block_no, 0)]
    is_after_blank = (last_blank >= 0) & (blank_lines[np.maximum(last_blank, 0)] > label_line)
    return np.where(is_after_blank, -1, block_no)


@dataclass(slots=True)
class _ClassifiedLines:
    """Labels and headings with their values, and other lines with text; lines are positions from 0."""

    label_line: Int64s
    label_s: Int64s
    heading_line: Int64s
    name_no: Int64s
    total: Int64s
    others: list[tuple[int, bytes]]


def _classify(data: bytes, lines: Int64s, starts: Int64s, ends: Int64s, names: Names) -> _ClassifiedLines:
    """Return labels, headings and other lines among `lines` (from `starts` to `ends`); add new `names`."""
    classified = _classify_at_once(np.frombuffer(data, np.uint8), lines, starts, ends, names)
    classes = np.concatenate((classified.label_line, classified.heading_line))
    is_rest = ~np.isin(lines, classes, assume_unique=True)
    rest = zip(*(column[is_rest].tolist() for column in (lines, starts, ends)), strict=True)
    labels: list[tuple[int, int]] = []
    headings: list[tuple[int, int, int]] = []
    for line, start, end in rest:
        text = data[start:end]
        if text.endswith(_TOTAL_END):
            field, _, number = text[: -len(_TOTAL_END)].rpartition(b"(")
            if field.endswith(b" ") and field.strip() and number.isdigit() and len(number) <= _DIGITS_MAX:
                headings.append((line, names.number(field), int(number)))
                continue
        elif text.endswith(_LABEL_END) and (label := _LABEL.match(text)) is not None:
            labels.append((line, int(label.group(1))))
            continue
        classified.others.append((line, text))
    classified.label_line, classified.label_s = _merged((classified.label_line, classified.label_s), labels)
    classified.heading_line, classified.name_no, classified.total = _merged(
        (classified.heading_line, classified.name_no, classified.total), headings
    )
    return classified


def _merged(columns: tuple[Int64s, ...], rows: Sequence[tuple[int, ...]]) -> tuple[Int64s, ...]:
    """Return the columns with `rows` (tuples of the same numbers) added, ordered by the first column."""
    if not rows:
        return columns
    extra = np.array(rows, np.int64)
    order = np.argsort(np.concatenate((columns[0], extra[:, 0])))
    return tuple(np.concatenate((column, extra[:, at]))[order] for at, column in enumerate(columns))


def _classify_at_once(
    text: Bytes, lines: Int64s, begin: Int64s, end: Int64s, names: Names
) -> _ClassifiedLines:
    """Return the lines that are exactly `after N sec:` or `<known name> (N total)`; `others` stays empty."""
    long_enough = end - begin >= _SHORTEST
    lines, begin, end = lines[long_enough], begin[long_enough], end[long_enough]
    words = words_at(text)
    last = words[end - 8]
    is_label = (last & _SEC_MASK) == _SEC
    first = words[begin] & _AFTER_MASK
    is_label &= (first == _AFTER) | (first == _AFTER_OLD)
    label_s, digits = _number_before(text, end[is_label] - 5)
    is_valid = (digits <= _LABEL_DIGITS_MAX) & (digits == end[is_label] - 5 - begin[is_label] - 6)
    label_line, label_s = lines[is_label][is_valid], label_s[is_valid]

    is_heading = (last & _TOTAL_MASK) == _TOTAL
    lines, begin, end = lines[is_heading], begin[is_heading], end[is_heading]
    total, digits = _number_before(text, end - 7)
    open_at = end - 7 - digits - 1
    is_valid = (digits >= 1) & (digits <= _DIGITS_MAX) & (open_at > begin)
    is_valid &= text[np.maximum(open_at, 0)] == _OPEN
    name_no = np.full(lines.size, -1, np.int64)
    for field, number in names.fields.items():
        candidates = np.flatnonzero(is_valid & (open_at - begin == len(field)))
        if candidates.size:
            name_no[candidates[_is_field_at(field, words, begin[candidates])]] = number
    has_name = name_no >= 0
    return _ClassifiedLines(label_line, label_s, lines[has_name], name_no[has_name], total[has_name], [])


def _is_field_at(field: bytes, words: npt.NDArray[np.uint64], at: Int64s) -> npt.NDArray[np.bool_]:
    same = np.ones(at.size, np.bool_)
    for offset in range(0, len(field), 8):
        part = field[offset : offset + 8]
        mask = np.uint64((1 << 8 * len(part)) - 1)
        same &= (words[at + offset] & mask) == np.uint64(int.from_bytes(part, "little"))
    return same


def _number_before(text: Bytes, end: Int64s) -> tuple[Int64s, Int64s]:
    """Return the numbers that end before these positions, and how many digits they have.

    0 digits: there is no number; 19: it has more than 18 digits, and its value is wrong.
    """
    value, digits = np.zeros(end.size, np.int64), np.zeros(end.size, np.int64)
    active = np.ones(end.size, np.bool_)
    place = 1
    for back in range(1, _DIGITS_MAX + 2):
        digit = text[np.maximum(end - back, 0)] - np.uint8(48)
        active &= (digit <= 9) & (end >= back)
        if not active.any():
            break
        digits += active
        if back <= _DIGITS_MAX:
            value += np.where(active, digit.astype(np.int64) * place, 0)
            place *= 10
    return value, digits
