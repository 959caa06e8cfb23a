"""Raw lines of YCSB, `READ,1795178090117,839`: operation, milliseconds since 1970, latency in microseconds.

Lines of any other shape are returned. Latencies are stored to the microsecond up to 262 ms, and to 0.00076 %
beyond, in a histogram for each second, or for longer intervals if these would need too much memory.
Source: `OneMeasurementRaw`.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.hdr_layout import HdrLayout
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.units import NS_PER_MS, NS_PER_US
from tailroom.importers.named_rows import named_rows
from tailroom.importers.samples import Samples
from tailroom.importers.source import Block

_LAYOUT = HdrLayout(NS_PER_US, 5)
_TIMESTAMP_DIGITS = 13
_MS_PER_S = 1_000


@dataclass(slots=True)
class RawOperation:
    """Latencies of the raw lines of one operation, and their first and last time."""

    _samples: Samples
    first_ms: int = 1 << 62
    """The earliest time of a line, since 1970."""
    last_ms: int = 0
    """The latest time of a line, since 1970."""

    @property
    def count(self) -> int:
        """Number of lines."""
        return self._samples.count

    def add(self, at_ms: Int64s, latency_us: Int64s) -> None:
        """Add lines of this operation: times in ms since 1970, and latencies in µs."""
        self.first_ms = min(self.first_ms, int(at_ms.min()))
        self.last_ms = max(self.last_ms, int(at_ms.max()))
        self._samples.add(at_ms // _MS_PER_S, latency_us)

    def intervals(self, run_start_ms: int) -> IntervalRecords:
        """Return the intervals, with starts relative to that of the run. Call it once."""
        return self._samples.intervals(run_start_ms * NS_PER_MS, (self.last_ms + 1) * NS_PER_MS)


class YcsbRawReader:
    """Parser of the raw lines among other lines, by operation."""

    def __init__(self) -> None:
        self.operations: dict[str, RawOperation] = {}
        self._group: list[Samples] = []

    def take(self, block: Block) -> Iterator[tuple[int, bytes]]:
        """Add the raw lines of a block; return the number and bytes of each other line."""
        columns, others = named_rows(block, _TIMESTAMP_DIGITS)
        for rows in columns:
            self.add(rows.name, rows.times, rows.values)
        return others

    def add(self, name: bytes, at_ms: Int64s, latency_us: Int64s) -> None:
        """Add lines of the operation `name`: times in ms since 1970, and latencies in µs."""
        operation = RawOperation(Samples(_LAYOUT, NS_PER_US, self._group))
        self.operations.setdefault(name.decode("utf-8", "replace"), operation).add(at_ms, latency_us)
