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

_LF, _SPACE, _OPEN, _CLOSE = 10, 32, 40, 41
_STRIDE, _LEGACY_STRIDE = 17, 18
_PER_LINE_MAX = 4

# ` (00: 00` and `00000000`, read as little-endian words, and what must not be set when they are taken away.
_FIRST, _ZEROS = np.uint64(0x3030203A30302820), np.uint64(0x3030303030303030)
_FIRST_WRONG, _HIGH = np.uint64(0xF0F0FFFFF0F0FFFF), np.uint64(0xF0F0F0F0F0F0F0F0)
_FIRST_SIX, _SIX = np.uint64(0x0606000006060000), np.uint64(0x0606060606060606)

_ENTRY = re.compile(rb" ?\((\d{2}): (\d{1,18})\) ?")
_LABEL = re.compile(rb"^[aA]fter (\d{1,12}) sec:$")
_TOTAL_END, _LABEL_END = b" total)", b" sec:"
_DIGITS_MAX, _LABEL_DIGITS_MAX = 18, 12
_FIELDS_MAX = 300
"""Names that are compared at once; a test with more devices than ACT allows is read line by line."""
_SHORTEST = 11
"""`after 1 sec:` and `x (1 total)` are not shorter."""


def _word(end: bytes, *, mask: bool = False) -> np.uint64:
    """Return the little-endian word of eight bytes that ends in `end`, or a mask of these last bytes.

    `(word & mask) == _word(end)` then compares the end of eight bytes of a file with `end`.
    """
    return np.uint64(int.from_bytes((b"\xff" * len(end) if mask else end).rjust(8, b"\0"), "little"))


_TOTAL, _TOTAL_MASK = _word(_TOTAL_END), _word(_TOTAL_END, mask=True)
_SEC, _SEC_MASK = _word(_LABEL_END), _word(_LABEL_END, mask=True)
_AFTER, _AFTER_OLD, _AFTER_MASK = (
    np.uint64(int.from_bytes(word, "little")) for word in (b"after ", b"After ", b"\xff" * 6)
)


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """Consecutive blocks as columns: an entry for each block (`label_…`: end in s, line), for each histogram
    (`name_no` to `damaged`), and for each filled bucket (`histogram_no`, `bucket`, `count`).

    `histogram_no` is a position among the histograms. A histogram belongs to block `block_no`, or to none
    (−1) where its heading follows an empty line.
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
    """Every other line: the block it is in or after (−1 before the first), line number, text."""

    def since(self, block: int) -> "Blocks":
        """Return the blocks from this index on."""
        later = np.flatnonzero(self.block_no >= block)
        position = np.full(self.name_no.size, -1, np.int64)
        position[later] = np.arange(later.size)
        entries = np.flatnonzero(position[self.histogram_no] >= 0) if self.histogram_no.size else later[:0]
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
                (block_no - block, line, words) for block_no, line, words in self.others if block_no >= block
            ],
        )


class Names:
    """Numbers of histogram names in the order of their first use; `texts` has the names in this order.

    `fields` are the names as they are padded in headings, so that a heading is known by comparing bytes.
    """

    def __init__(self) -> None:
        self._numbers: dict[bytes, int] = {}
        self.texts: list[bytes] = []
        self.fields: dict[bytes, int] = {}

    def number(self, field: bytes) -> int:
        """Return the number of a name, with or without padding."""
        name = field.rstrip()
        value = self._numbers.get(name)
        if value is None:
            value = self._numbers[name] = len(self.texts)
            self.texts.append(name)
        if len(self.fields) < _FIELDS_MAX:
            self.fields[field] = value
        return value


def label_of(words: bytes) -> int | None:
    """Return the label of a block that begins with these bytes; None if no block does."""
    label = _LABEL.match(words.partition(b"\n")[0].rstrip())
    return None if label is None else int(label.group(1))


def scan(data: bytes, first_line: int, names: Names) -> Blocks:
    """Return the columns of whole lines, the first of which is number `first_line`; a last line without line
    feed counts as whole.
    """
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
    spoken = _spoken_lines(
        _ScannedText(data, text, starts, ends), np.flatnonzero(~is_entry & ~is_blank), names
    )
    label_lines, heading_lines, others = spoken.label_line, spoken.heading_line, spoken.others
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
    is_heading = np.zeros(starts.size, np.int64)
    is_heading[heading_lines] = 1
    # Of each line, the heading above it: adding up is three times as quick as looking for each.
    histogram_no = (np.cumsum(is_heading) - 1)[line_of]
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
        label_s=spoken.label_s,
        label_line=label_lines + first_line,
        name_no=spoken.name_no,
        block_no=block_no,
        total=spoken.total,
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


@dataclass(slots=True)
class _Spoken:
    """Labels and headings with their values, and every other line with words; lines are positions from 0."""

    label_line: Int64s
    label_s: Int64s
    heading_line: Int64s
    name_no: Int64s
    total: Int64s
    others: list[tuple[int, bytes]]


@dataclass(frozen=True, slots=True, eq=False)
class _ScannedText:
    """Text of a log: `data` as bytes, `text` the same bytes as an array of numbers.

    `starts`, `ends`: positions of the first byte of each line and of its line feed.
    """

    data: bytes
    text: Bytes
    starts: Int64s
    ends: Int64s


def _spoken_lines(all_lines: _ScannedText, lines: Int64s, names: Names) -> _Spoken:
    """Return the labels, headings and others among `lines` (positions from 0). Names that are known are read
    at once, the first heading of each name and odd lines one by one.
    """
    data, starts, ends = all_lines.data, all_lines.starts, all_lines.ends
    spoken = _known_lines(all_lines, lines, names)
    rest = lines[
        ~np.isin(lines, np.concatenate((spoken.label_line, spoken.heading_line)), assume_unique=True)
    ]
    labels: list[tuple[int, int]] = []
    headings: list[tuple[int, int, int]] = []
    for line, start, end in zip(rest.tolist(), starts[rest].tolist(), ends[rest].tolist(), strict=True):
        words = data[start:end]
        if words.endswith(_TOTAL_END):
            field, _, number = words[: -len(_TOTAL_END)].rpartition(b"(")
            if field.endswith(b" ") and field.strip() and number.isdigit() and len(number) <= _DIGITS_MAX:
                headings.append((line, names.number(field), int(number)))
                continue
        elif words.endswith(_LABEL_END) and (label := _LABEL.match(words)) is not None:
            labels.append((line, int(label.group(1))))
            continue
        spoken.others.append((line, words))
    if labels:
        extra = np.array(labels, np.int64)
        at = np.concatenate((spoken.label_line, extra[:, 0]))
        order = np.argsort(at)
        spoken.label_line = at[order]
        spoken.label_s = np.concatenate((spoken.label_s, extra[:, 1]))[order]
    if headings:
        extra = np.array(headings, np.int64)
        at = np.concatenate((spoken.heading_line, extra[:, 0]))
        order = np.argsort(at)
        spoken.heading_line = at[order]
        spoken.name_no = np.concatenate((spoken.name_no, extra[:, 1]))[order]
        spoken.total = np.concatenate((spoken.total, extra[:, 2]))[order]
    return spoken


def _known_lines(all_lines: _ScannedText, lines: Int64s, names: Names) -> _Spoken:
    """Return the lines that are exactly `after N sec:` or `<known name> (N total)`; `others` stays empty."""
    text = all_lines.text
    begin, end = all_lines.starts[lines], all_lines.ends[lines]
    long_enough = end - begin >= _SHORTEST
    lines, begin, end = lines[long_enough], begin[long_enough], end[long_enough]
    words = _words(text)
    last = words[end - 8]
    is_label = (last & _SEC_MASK) == _SEC
    first = words[begin] & _AFTER_MASK
    is_label &= (first == _AFTER) | (first == _AFTER_OLD)
    label_s, digits = _number_before(text, end[is_label] - 5)
    sound = (digits <= _LABEL_DIGITS_MAX) & (digits == end[is_label] - 5 - begin[is_label] - 6)
    label_line, label_s = lines[is_label][sound], label_s[sound]

    is_heading = (last & _TOTAL_MASK) == _TOTAL
    lines, begin, end = lines[is_heading], begin[is_heading], end[is_heading]
    total, digits = _number_before(text, end - 7)
    open_at = end - 7 - digits - 1
    sound = (digits >= 1) & (digits <= _DIGITS_MAX) & (open_at > begin)
    sound &= text[np.maximum(open_at, 0)] == _OPEN
    name_no = np.full(lines.size, -1, np.int64)
    for field, number in names.fields.items():
        candidates = np.flatnonzero(sound & (open_at - begin == len(field)))
        if candidates.size:
            name_no[candidates[_begin_with(field, words, begin[candidates])]] = number
    is_known = name_no >= 0
    return _Spoken(label_line, label_s, lines[is_known], name_no[is_known], total[is_known], [])


def _begin_with(field: bytes, words: npt.NDArray[np.uint64], at: Int64s) -> npt.NDArray[np.bool_]:
    """Return whether the text at each of the places begins with `field`, by comparing eight bytes at once."""
    same = np.ones(at.size, np.bool_)
    for offset in range(0, len(field), 8):
        part = field[offset : offset + 8]
        mask = np.uint64((1 << 8 * len(part)) - 1)
        same &= (words[at + offset] & mask) == np.uint64(int.from_bytes(part, "little"))
    return same


def _number_before(text: Bytes, end: Int64s) -> tuple[Int64s, Int64s]:
    """Return the digits that end before these places, as a number, and how many there are (19 if
    too many).
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


_Entries = tuple[Int64s, Int64s, Int64s]
"""Line, bucket and count of every entry, in order."""


def _entries(
    data: bytes, text: Bytes, starts: Int64s, lengths: Int64s, lines: Int64s
) -> tuple[_Entries, list[int]]:
    """Return the entries of `lines`, and those lines that are no row of buckets."""
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
    bucket, count, good = _numbers(text, at)
    good &= bucket < BUCKETS_MAX
    if not good.all():
        bad = np.unique(line_of[~good])
        valid = ~np.isin(line_of, bad)
        line_of, bucket, count = line_of[valid], bucket[valid], count[valid]
        slow = np.sort(np.concatenate((slow, bad)))
    return _with_slow((line_of, bucket, count), data, starts, lengths, slow)


def _numbers(text: Bytes, at: Int64s) -> tuple[Int64s, Int64s, npt.NDArray[np.bool_]]:
    """Return bucket and count of the entries ` (NN: DDDDDDDDDD)` that begin at these places, and whether
    there is such an entry at each.

    Two words of eight bytes each: the first holds what is fixed, the bucket and two digits of the count, the
    second eight digits, which become a number by three multiplications of neighbours.
    """
    words = _words(text)
    # An expected byte becomes zero, a digit its number; a byte up to 9 has no bit of its high
    # half, and none after adding 6.
    first, second = words[at] ^ _FIRST, words[at + 8] ^ _ZEROS
    bad = (first | (first + _FIRST_SIX)) & _FIRST_WRONG
    bad |= (second | (second + _SIX)) & _HIGH
    good = (bad == 0) & (text[at + 16] == _CLOSE)
    # Digits of a little-endian word: pairs, then fours, then all eight.
    first *= np.uint64(2561)
    bucket = (first >> np.uint64(24)) & np.uint64(0xFF)
    second *= np.uint64(2561)
    second >>= np.uint64(8)
    second &= np.uint64(0x00FF00FF00FF00FF)
    second *= np.uint64(6553601)
    second >>= np.uint64(16)
    second &= np.uint64(0x0000FFFF0000FFFF)
    second *= np.uint64(42949672960001)
    second >>= np.uint64(32)
    first >>= np.uint64(56)
    if first.any():
        second += first * np.uint64(100_000_000)
    return bucket.view(np.int64), second.view(np.int64), good


def _words(text: Bytes) -> npt.NDArray[np.uint64]:
    """Return the eight bytes from each place on, as little-endian words; reading them there is twice as quick
    as copying rows of eight bytes.
    """
    return np.ndarray((max(text.size - 7, 0),), dtype="<u8", buffer=text, strides=(1,))


def _with_slow(
    entries: _Entries, data: bytes, starts: Int64s, lengths: Int64s, slow: Int64s
) -> tuple[_Entries, list[int]]:
    """Return the entries with those of the lines `slow`, whose counts have more digits, and the lines that
    fit no pattern.
    """
    odd: list[int] = []
    spans: list[tuple[int, int, int]] = []
    for line in slow.tolist():
        start = int(starts[line])
        of_line = list(_pattern_entries(data[start : start + int(lengths[line])]))
        if of_line:
            spans.extend((line, number, amount) for number, amount in of_line)
        else:
            odd.append(line)
    if not spans:
        return entries, odd
    extra = np.array(spans, np.int64)
    line_of, bucket, count = (
        np.concatenate((column, extra[:, number])) for number, column in enumerate(entries)
    )
    order = np.argsort(line_of, kind="stable")
    return (line_of[order], bucket[order], count[order]), odd


def _pattern_entries(line: bytes) -> Iterator[tuple[int, int]]:
    """Yield buckets and counts of a line that holds nothing else; none where it does."""
    matches = list(_ENTRY.finditer(line))
    spans = [match.span() for match in matches]
    covers_line = bool(spans) and spans[0][0] == 0 and spans[-1][1] == len(line)
    if not covers_line or any(span[1] != other[0] for span, other in pairwise(spans)):
        return
    numbers = [(int(match.group(1)), int(match.group(2))) for match in matches]
    if all(bucket < BUCKETS_MAX for bucket, _ in numbers):
        yield from numbers
