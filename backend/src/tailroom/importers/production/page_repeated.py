"""Pages that repeat, equal but for their numbers, read by columns; and contiguous lines of histograms.

Lines are read one by one until two consecutive pages have the same lines. Then whole pages are compared with
that sequence byte by byte, and only their numbers are read. Pages that differ are read line by line again.

Buckets, sum and count of a histogram have the same name and labels, and differ by their edges and numbers: as
programs write them, each histogram is a match of a pattern. Other lines (with exemplars, escapes, or an edge
that is not the last label) are read one by one.
"""

import re
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from tailroom.domain.latency.bounds import Bools, Floats, Int64s
from tailroom.importers.production.page_scrapes import PageHistogram, Scrape, Scrapes, number_of

BUCKET, SUM, COUNT, CREATED = "_bucket", "_sum", "_count", "_created"
MARKS = (BUCKET, SUM, COUNT, CREATED)
END_OF_PAGE = "# EOF"
MOST_LINES = 100_000
"""Most lines of a page that are remembered."""
_NUMERALS = b"0123456789.eE+-NaIinf \n"
_LONGEST_NUMBERS = 64
"""Most bytes of the numbers of a line."""
_TIME_NUMERALS = b"0123456789."
_SPACE, _LINE_FEED = 0x20, 0x0A

Bytes = np.ndarray[tuple[int, ...], np.dtype[np.uint8]]
Part = tuple[PageHistogram, str, str | None]
"""The histogram of a line, its suffix (such as `_bucket`), and the edge if it is a bucket."""
_LABEL = r'[A-Za-z_]\w*+="[^"\\\n{}]*+"'
_LABELS = rf"(?:(?!le=){_LABEL}(?:,(?!le=){_LABEL})*+)?"
_NUMBER = r"(?:[-+]?[\d.]++(?:[eE][-+]?\d++)?|[-+]?Inf|NaN)"
_EDGE = r'le="[^"\\\s{},]++"'
_TIME = r"(?: -?[\d.]++(?:[eE][-+]?\d++)?)?+"
_WHOLE = re.compile(
    rf"^([A-Za-z_:][\w:]*?){BUCKET}\{{({_LABELS})(,?){_EDGE}\}} {_NUMBER}({_TIME})\n"
    rf"(?:\1{BUCKET}\{{\2\3{_EDGE}\}} {_NUMBER}\4\n)*+"
    rf"((?:\1(?:{SUM}|{COUNT})(?:\{{\2\}})? {_NUMBER}\4\n){{0,2}}+)",
    re.ASCII | re.MULTILINE,
)
_LONGEST_LABELS = 8_192


class PageLine(NamedTuple):
    """A line of a page: the text before its numbers, and its part of a histogram (None for other lines)."""

    text: str
    part: Part | None
    begins: bool
    """Whether it begins a scrape of its histogram."""
    has_numbers: bool

    @property
    def is_marked(self) -> bool:
        """Whether the line may belong to a histogram: it has numbers, and a suffix such as `_bucket`."""
        return self.has_numbers and any(mark in self.text for mark in MARKS)

    @property
    def ends_page(self) -> bool:
        """Whether the line is `# EOF`, which ends a page."""
        return self.text.strip() == END_OF_PAGE


@dataclass(slots=True)
class PageSequence:
    """Lines since the start of a scrape, to find the sequence that pages repeat."""

    lines: list[PageLine] = field(default_factory=list)
    beginnings: dict[str, int] = field(default_factory=dict)
    """Index in `lines` of each line that begins a scrape, by its text."""
    earlier: tuple[str, ...] = ()
    """Texts of the lines of the previous page."""

    def repeated_before(self, text: str) -> "RepeatedPage | None":
        """Return the page if the line with this text begins it for the third time; else None.

        None, too, if it has only a part of a histogram. If the line begins a page again, all lines are
        removed, and their texts remembered for the next comparison.
        """
        first = self.beginnings.get(text)
        if first is None:
            return None
        page = self.lines[first:]
        self.lines.clear()
        self.beginnings.clear()
        texts = tuple(line.text for line in page)
        if texts == self.earlier:
            return RepeatedPage.of(page)
        self.earlier = texts
        return None

    def add(self, line: PageLine) -> None:
        """Add a line; after 100,000 lines the earlier lines are removed."""
        if len(self.lines) >= MOST_LINES:
            self.clear()
        if line.begins:
            self.beginnings[line.text] = len(self.lines)
        self.lines.append(line)

    def clear(self) -> None:
        """Remove every line, and forget the previous page."""
        self.lines.clear()
        self.beginnings.clear()
        self.earlier = ()


@dataclass(frozen=True, slots=True, eq=False)
class _Columns:
    """Places of a histogram's numbers: indices among those lines of the page that have numbers."""

    histogram: PageHistogram
    edges: list[str]
    """Edge of each bucket as written (`le`)."""
    buckets: list[int]
    """Place of each bucket, in the order of `edges`."""
    page: int
    """Number of pages that end in the sequence before its lines."""
    total: int | None
    sum: int | None
    created: int | None
    """Places of the lines `_count`, `_sum` and `_created`; None without such a line."""

    def times(self, times: list[bytes] | None, size: int) -> list[bytes] | None:
        """Return the time of each scrape as written, from the times of all lines, `size` for each page.

        Empty if lines have none (`times` is None); None if buckets of a scrape have different times.
        """
        if times is None:
            return []
        each = [times[bucket::size] for bucket in self.buckets]
        if any(before != after for before, after in pairwise(each)):
            return None
        return each[0]

    def append(self, numbers: Floats, times: list[bytes], page: int) -> None:
        """Add scrapes to the histogram, from `numbers`: a row for each page, a column for each place.

        `times` are those of the scrapes as written, empty without times. `page` is the number of pages that
        ended before the last of these pages.
        """
        rows = numbers.shape[0]
        nothing = np.full(rows, np.nan)
        at = np.array([number_of(time.decode()) for time in times]) if times else nothing
        counts = numbers[:, self.buckets]
        totals = nothing if self.total is None else numbers[:, self.total]
        sums = nothing if self.sum is None else numbers[:, self.sum]
        last = Scrape(self.edges, array("d", counts[-1]), times[-1].decode() if times else None)
        last.total, last.sum = float(totals[-1]), float(sums[-1])
        scrapes = Scrapes(tuple(self.edges), counts[:-1], at[:-1], totals[:-1].copy(), sums[:-1].copy())
        self.histogram.append(scrapes, last, page + self.page)


@dataclass(frozen=True, slots=True, eq=False)
class RepeatedPage:
    """Lines that pages repeat: the bytes before each number, and the places of the histograms' numbers."""

    texts: bytes
    lengths: Int64s
    """Bytes of each line before its numbers; `texts` holds all of them without line feeds."""
    has_numbers: Bools
    marked: Int64s
    """Indices, among lines with numbers, of those that may belong to a histogram."""
    columns: tuple[_Columns, ...]
    ends: int
    """Number of pages that end in the sequence."""

    @classmethod
    def of(cls, lines: Sequence[PageLine]) -> "RepeatedPage | None":
        """Return the repeated page of these lines, in which several pages may end by `# EOF`.

        None if no line is of a histogram, or if a histogram's lines are not those of exactly one scrape.
        """
        columns = _columns(lines)
        if columns is None:
            return None
        texts = [line.text.encode() for line in lines]
        return cls(
            b"".join(texts),
            np.array([len(text) for text in texts], np.int64),
            np.array([line.has_numbers for line in lines], np.bool_),
            np.flatnonzero([line.is_marked for line in lines if line.has_numbers]),
            columns,
            sum(line.ends_page for line in lines),
        )

    def read(self, data: bytes, page: int) -> tuple[int, int] | None:
        """Add the whole pages at the beginning of `data` to their histograms, after `page` ended pages.

        Return the number of pages and of their bytes, `(0, 0)` for less than a page. If a page differs or has
        no end, add none and return None.
        """
        content = np.frombuffer(data, np.uint8)
        ends = np.flatnonzero(content == _LINE_FEED)
        pages = ends.size // self.lengths.size
        if not pages:
            longest = len(self.texts) + self.lengths.size * _LONGEST_NUMBERS
            return None if len(data) > longest else (0, 0)
        ends = ends[: pages * self.lengths.size]
        read_bytes = int(ends[-1]) + 1
        numbers = self._numbers(content[:read_bytes], ends, pages)
        if numbers is None or not self._append(*numbers, pages, page):
            return None
        return pages, read_bytes

    def _numbers(
        self, content: Bytes, ends: Int64s, pages: int
    ) -> tuple[list[bytes], list[bytes] | None] | None:
        """Return values and times (or None) of lines that end at `ends`; None if the text differs."""
        starts = np.concatenate((np.zeros(1, np.int64), ends[:-1] + 1))
        behind = starts + np.tile(self.lengths, pages)
        has_numbers = np.tile(self.has_numbers, pages)
        if (behind > ends).any() or (behind[~has_numbers] != ends[~has_numbers]).any():
            return None
        steps = np.zeros(content.size, np.int8)
        steps[starts] = 1
        # The text of an empty line ends where it begins.
        steps[behind] -= 1
        is_text = np.cumsum(steps, dtype=np.int8).view(np.bool_)
        if content[is_text].tobytes() != self.texts * pages:
            return None
        rest = content[~is_text]
        lengths = ends - behind
        return _split(rest, np.cumsum(lengths + 1)[has_numbers], lengths[has_numbers])

    def _append(self, values: list[bytes], times: list[bytes] | None, pages: int, page: int) -> bool:
        """Add the scrapes of all pages to their histograms, and return True.

        Add none and return False for an invalid number, or different times in a scrape. `values` and `times`
        have a text for each line with numbers, page after page.
        """
        size = len(values) // pages
        try:
            numbers = np.array([float(value) for value in values]).reshape(pages, size)
        except ValueError:
            return False
        if not np.isfinite(numbers[:, self.marked]).all():
            return False
        stated = [columns.times(times, size) for columns in self.columns]
        if None in stated:
            return False
        for columns, moments in zip(self.columns, stated, strict=True):
            columns.append(numbers, moments or [], page + (pages - 1) * self.ends)
            if columns.created is not None:
                columns.histogram.created = values[columns.created - size].decode()
        return True


def _split(rest: Bytes, line_ends: Int64s, lengths: Int64s) -> tuple[list[bytes], list[bytes] | None] | None:
    """Return values and times of the lines that have numbers; times are None if no line has one.

    None for other text, or if only some lines have a time. `rest` is the text behind names and labels.
    """
    text = rest.tobytes()
    if text.translate(None, _NUMERALS):
        return None
    spaces, before, numbers = np.flatnonzero(rest == _SPACE), line_ends - lengths - 1, text.split()
    if spaces.size == line_ends.size == len(numbers):
        return (numbers, None) if np.array_equal(spaces, before) else None
    if spaces.size != 2 * line_ends.size or spaces.size != len(numbers):
        return None
    first, second = spaces[0::2], spaces[1::2]
    is_right = np.array_equal(first, before) and (second > first + 1).all() and (second < line_ends - 2).all()
    if not is_right or b"".join(numbers[1::2]).translate(None, _TIME_NUMERALS):
        return None
    return numbers[0::2], numbers[1::2]


def _columns(lines: Sequence[PageLine]) -> tuple[_Columns, ...] | None:
    """Return the places of each histogram's numbers; None without any, or for lines of two scrapes."""
    each: dict[int, list[tuple[int, int, PageLine]]] = {}
    place = page = 0
    for line in lines:
        if line.part is not None:
            each.setdefault(id(line.part[0]), []).append((place, page, line))
        place += line.has_numbers
        page += line.ends_page
    columns = [_columns_of(of_histogram) for of_histogram in each.values()]
    complete = tuple(of_histogram for of_histogram in columns if of_histogram is not None)
    return complete if complete and len(complete) == len(columns) else None


def _columns_of(lines: Sequence[tuple[int, int, PageLine]]) -> _Columns | None:
    """Return the places of a histogram's numbers; None if its lines are not those of a single scrape.

    Each line comes with its place among lines with numbers, and the number of pages that ended before it.
    """
    _, page, first = lines[0]
    is_whole = first.begins and not any(line.begins for *_, line in lines[1:])
    if first.part is None or not is_whole or any(other != page for _, other, _ in lines):
        return None
    stated: dict[str, list[int]] = {suffix: [] for suffix in MARKS}
    edges: list[str] = []
    for place, _, line in lines:
        _, suffix, edge = line.part or first.part
        stated[suffix].append(place)
        edges += [] if edge is None else [edge]
    if any(len(stated[suffix]) > 1 for suffix in (SUM, COUNT, CREATED)):
        return None
    total, sum_, created = (next(iter(stated[suffix]), None) for suffix in (COUNT, SUM, CREATED))
    return _Columns(first.part[0], edges, stated[BUCKET], page, total, sum_, created)


@dataclass(frozen=True, slots=True)
class ContiguousHistogram:
    """A histogram in a text, between two positions in characters; `lines` is its number of lines."""

    begin: int
    end: int
    metric: str
    labels: str
    lines: int
    scrape: Scrape


def contiguous_histograms(text: str) -> Iterator[ContiguousHistogram | None]:
    """Yield the histograms in order, skipping other text; None once the rest must be read line by line."""
    for match in _WHOLE.finditer(text):
        metric, labels, comma, time, totals = match.groups()
        edges, counts = _buckets(match, f'{metric}{BUCKET}{{{labels}{comma}le="', time)
        is_written_so = bool(labels) == bool(comma) and len(labels) <= _LONGEST_LABELS
        if not is_written_so or len(set(edges)) < len(edges):
            yield None
            return
        scrape = Scrape(edges, counts, time[1:] or None)
        stem = f"{metric}%s{{{labels}}} " if labels else f"{metric}%s "
        lines = totals.splitlines()
        for line in lines:
            number = line.removesuffix(time)
            if line.startswith(stem % SUM):
                scrape.sum = number_of(number[len(stem) - 2 + len(SUM) :])
            elif line.startswith(stem % COUNT):
                scrape.total = number_of(number[len(stem) - 2 + len(COUNT) :])
            else:
                yield None
                return
        yield ContiguousHistogram(match.start(), match.end(), metric, labels, len(edges) + len(lines), scrape)


def _buckets(match: re.Match[str], before_edge: str, time: str) -> tuple[list[str], "array[float]"]:
    """Return edges as written and cumulative counts; each line has the texts `before_edge` and `time`."""
    text = match.string[match.start() : match.start(5)]
    pieces = text.replace(before_edge, "").replace(f"{time}\n", "\n").replace('"} ', "\n").split("\n")
    counts = pieces[1:-1:2]
    try:
        return pieces[:-1:2], array("d", map(float, counts))
    except ValueError:
        return pieces[:-1:2], array("d", map(number_of, counts))
