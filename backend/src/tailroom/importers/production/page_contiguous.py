"""Histograms of a page with contiguous lines, as programs write them: each is a match of a pattern.

Buckets, sum and count of a histogram have the same name and labels, and differ by their edges and numbers.
Other lines (with exemplars, escapes, or an edge that is not the last label) are read one by one.
"""

import re
from array import array
from collections.abc import Iterator
from dataclasses import dataclass

from tailroom.importers.production.page_repeated import BUCKET, COUNT, SUM
from tailroom.importers.production.page_scrapes import Scrape, number_of

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


@dataclass(frozen=True, slots=True)
class ContiguousHistogram:
    """A histogram of a text: where its lines begin and end (positions in characters), their number
    (`lines`), and its content.
    """

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
