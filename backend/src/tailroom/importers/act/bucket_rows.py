"""Rows of buckets of an ACT log as columns.

Rows have a fixed shape up to ten digits a count, so that they are read as a table of bytes. A row of any
other shape goes through a pattern.
"""

import re
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from tailroom.domain.latency.bounds import Int64s
from tailroom.importers.digits import join_digits

Bytes = npt.NDArray[np.uint8]
Entries = tuple[Int64s, Int64s, Int64s]
"""Line (position from 0), bucket number and count of each entry, ordered by line."""

BUCKETS_MAX = 65
"""Bucket numbers are 0 to 64: the position of the highest bit of a 64-bit number."""

_CLOSE = 41
_STRIDE, _LEGACY_STRIDE = 17, 18
_PER_LINE_MAX = 4

# ` (00: 00` and `00000000`, read as little-endian words, and what must not be set when they are taken away.
_FIRST, _ZEROS = np.uint64(0x3030203A30302820), np.uint64(0x3030303030303030)
_FIRST_WRONG, _HIGH = np.uint64(0xF0F0FFFFF0F0FFFF), np.uint64(0xF0F0F0F0F0F0F0F0)
_FIRST_SIX, _SIX = np.uint64(0x0606000006060000), np.uint64(0x0606060606060606)

_ENTRY = re.compile(rb" ?\((\d{2}): (\d{1,18})\) ?")


def bucket_entries(
    data: bytes, text: Bytes, starts: Int64s, lengths: Int64s, lines: Int64s
) -> tuple[Entries, list[int]]:
    """Return the entries of `lines` (positions from 0), and the lines among them that are no row of buckets.

    These hold other text or a bucket above 64, and have no entries. `text` holds the bytes of `data`;
    `starts` and `lengths` are those of all its lines.
    """
    size = lengths[lines]
    stride = np.where(size % _STRIDE == 0, _STRIDE, np.where(size % _LEGACY_STRIDE == 0, _LEGACY_STRIDE, 0))
    per_line = np.where(stride > 0, size // np.maximum(stride, 1), 0)
    has_shape = (per_line >= 1) & (per_line <= _PER_LINE_MAX)
    slow = lines[~has_shape].tolist()
    fast, stride, per_line = lines[has_shape], stride[has_shape], per_line[has_shape]
    line_of = np.repeat(fast, per_line)
    within = np.arange(line_of.size) - np.repeat(np.cumsum(per_line) - per_line, per_line)
    at = np.repeat(starts[fast], per_line) + within * np.repeat(stride, per_line)
    bucket, count, is_valid = _fixed_entries(text, at)
    is_valid &= bucket < BUCKETS_MAX
    if not is_valid.all():
        invalid_lines = np.unique(line_of[~is_valid])
        is_kept = ~np.isin(line_of, invalid_lines)
        line_of, bucket, count = line_of[is_kept], bucket[is_kept], count[is_kept]
        slow += invalid_lines.tolist()
    damaged: list[int] = []
    rows: list[tuple[int, int, int]] = []
    for line in slow:
        start = int(starts[line])
        entries = list(_pattern_entries(data[start : start + int(lengths[line])]))
        rows.extend((line, *entry) for entry in entries)
        if not entries:
            damaged.append(line)
    if rows:
        extra = np.array(rows, np.int64)
        line_of, bucket, count = (
            np.concatenate((column, extra[:, at])) for at, column in enumerate((line_of, bucket, count))
        )
        order = np.argsort(line_of, kind="stable")
        line_of, bucket, count = line_of[order], bucket[order], count[order]
    return (line_of, bucket, count), damaged


def words_at(text: Bytes) -> npt.NDArray[np.uint64]:
    """Return a view: the eight bytes from each position on as a little-endian word; empty below 8 bytes."""
    return np.ndarray((max(text.size - 7, 0),), dtype="<u8", buffer=text, strides=(1,))


def _fixed_entries(text: Bytes, at: Int64s) -> tuple[Int64s, Int64s, npt.NDArray[np.bool_]]:
    """Return bucket and count of the entries ` (NN: DDDDDDDDDD)` at these positions, and which are valid.

    The numbers of invalid entries are meaningless. Of two words of eight bytes, the first holds the bucket
    and two digits of the count, the second eight digits, which three multiplications turn into a number.
    """
    words = words_at(text)
    # An expected byte becomes zero, a digit its number; a byte up to 9 has no bit of its high
    # half, and none after adding 6.
    first, second = words[at] ^ _FIRST, words[at + 8] ^ _ZEROS
    bad = (first | (first + _FIRST_SIX)) & _FIRST_WRONG
    bad |= (second | (second + _SIX)) & _HIGH
    is_valid = (bad == 0) & (text[at + 16] == _CLOSE)
    # Digits of a little-endian word become pairs.
    first *= np.uint64(2561)
    bucket = (first >> np.uint64(24)) & np.uint64(0xFF)
    second = join_digits(second)
    first >>= np.uint64(56)
    if first.any():
        second += first * np.uint64(100_000_000)
    return bucket.view(np.int64), second.view(np.int64), is_valid


def _pattern_entries(line: bytes) -> Iterator[tuple[int, int]]:
    """Yield bucket and count of each entry; none if the line holds other text or a bucket above 64."""
    matches = list(_ENTRY.finditer(line))
    borders = [0, *(border for match in matches for border in match.span()), len(line)]
    if any(end != start for end, start in zip(borders[::2], borders[1::2], strict=True)):
        return
    numbers = [(int(match[1]), int(match[2])) for match in matches]
    if all(bucket < BUCKETS_MAX for bucket, _ in numbers):
        yield from numbers
