"""The histograms of vdbench: exact counts between edges in milliseconds.

A row ` 0.020 <       0.040         1,234  12.3400  45.6700  ++` counts whole microseconds `[min, max)`.
Counts have separators of thousands, which depend on the language of the machine. Before 5.04 rows had no edge
but `max`, and are not read.
"""

import re
from dataclasses import dataclass, field

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.layouts import NEVER_NS
from tailroom.domain.units import NS_PER_MS
from tailroom.importers.exact_counts import distribution_of
from tailroom.importers.printed import MAX_COUNT, printed
from tailroom.importers.statements import MAX_TIME_NS

TITLES = {
    "Reads and writes:": "all",
    "Reads:": "read",
    "Writes:": "write",
    "Only reads done for this workload:": "read",
    "Only writes done for this workload:": "write",
}
_ROW = re.compile(
    r"\s*(\d{1,12}(?:\.\d{1,3})?) <\s+(max|\d{1,12}(?:\.\d{1,3})?)\s+"
    r"(\d{1,3}(?:[.,\u00a0\u202f' ]?\d{3}){0,5})\s+(\d{1,3}[.,]\d{4})\s+\d{1,3}[.,]\d{4}(?:\s+.*)?"
)
_MAX_ROWS = 100
_ROUNDED = 0.001
"""Shares are printed with four decimals."""


class HistogramContradicts(DomainError):
    """The rows of a histogram contradict each other."""


@dataclass(slots=True)
class Histogram:
    """A printed histogram of reads, writes or both: the rows under one title."""

    operation: str
    line: int
    rows: list[tuple[int, int, int]] = field(default_factory=list)
    """Lower and upper edge in ns, and count."""
    percents: list[float] = field(default_factory=list)
    """The share in per cent that is printed beside each count."""

    def row(self, text: str) -> bool:
        """Store a row; return False for any other line, and after 100 rows."""
        match = _ROW.fullmatch(text)
        if match is None or len(self.rows) >= _MAX_ROWS:
            return False
        count = int(re.sub(r"\D", "", match[3]))
        self.rows.append((_edge_ns(match[1]), _edge_ns(match[2]), count))
        self.percents.append(float(match[4].replace(",", ".")))
        return True

    @property
    def count(self) -> int:
        """Number of operations in all rows."""
        return sum(count for _, _, count in self.rows)

    def distribution(self) -> LatencyDist:
        """Return the exact counts.

        Raise BucketsOverlap, or HistogramContradicts if the printed shares do not fit, or if there are no
        counts or more than can be added exactly.
        """
        edges_ns = [edge for low, high, _ in self.rows for edge in (low, high) if edge != NEVER_NS]
        if not 0 < self.count <= MAX_COUNT or max(edges_ns) >= MAX_TIME_NS:
            raise HistogramContradicts("its counts are beyond what can be added exactly, or there are none")
        distribution = distribution_of(self.rows)
        for (_, _, count), percent in zip(self.rows, self.percents, strict=True):
            if abs(100 * count / self.count - percent) > _ROUNDED:
                raise HistogramContradicts(f"{count} of {self.count} operations are not {percent} %")
        return distribution


def _edge_ns(text: str) -> int:
    """Return a printed edge (ms) in ns; `NEVER_NS` for `max`."""
    number = None if text == "max" else printed(text)
    return NEVER_NS if number is None else int(number.value * NS_PER_MS)
