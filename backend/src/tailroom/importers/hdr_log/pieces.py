"""The intervals of one series of a log: histograms in, columns out, a few hundred at a time.

Times may be kept for every row, payloads may not: a day of them is hundreds of megabytes.
"""

from dataclasses import dataclass, field

import numpy as np

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.hdr_layout import HdrLayout
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.importers.columns import interval_records
from tailroom.importers.hdr_log.decoding import Raw, decoded

_BATCH = 256


@dataclass(slots=True)
class Pieces:
    """Rows of one tag. `layout` is that of the first histogram; others are refused by name."""

    tag: str | None
    line_no: list[int] = field(default_factory=list)
    start_ns: list[int] = field(default_factory=list)
    second_ns: list[int] = field(default_factory=list)
    most: str = ""
    most_of: int | None = None
    layout: tuple[int, int] | None = None
    """Steps of the histogram in its own unit, and significant digits."""
    total: int = 0
    failed: list[tuple[int, str]] = field(default_factory=list)
    _waiting: list[tuple[int, int, int, str, str]] = field(default_factory=list)
    _rows: list[tuple[Int64s, Int64s, Int64s]] = field(default_factory=list)

    def add(self, line_no: int, start_ns: int, second_ns: int, most: str, payload: str) -> None:
        """One row."""
        self._waiting.append((line_no, start_ns, second_ns, most, payload))
        if len(self._waiting) >= _BATCH:
            self.flush()

    def flush(self) -> None:
        """Decodes what is waiting."""
        for line_no, start_ns, second_ns, most, payload in self._waiting:
            try:
                raw = decoded(payload)
                self._take(line_no, start_ns, second_ns, most, raw)
            except DomainError as error:
                self.failed.append((line_no, str(error)))
        self._waiting.clear()

    def _take(self, line_no: int, start_ns: int, second_ns: int, most: str, raw: Raw) -> None:
        if self.layout is None:
            self.layout = (raw.step, raw.digits)
        elif self.layout != (raw.step, raw.digits):
            self.failed.append(
                (
                    line_no,
                    f"the histogram has {raw.digits} digits and steps of {raw.step}, unlike those before it",
                )
            )
            return
        if self.most_of is None and raw.indices.size:
            self.most, self.most_of = most, raw.top()
        piece = len(self.start_ns)
        self.line_no.append(line_no)
        self.start_ns.append(start_ns)
        self.second_ns.append(second_ns)
        self.total += int(raw.counts.sum())
        self._rows.append((np.full(raw.indices.size, piece, dtype=np.int64), raw.indices, raw.counts))

    def intervals(self, unit_ns: int, starts_ns: Int64s, durations_ns: Int64s) -> IntervalRecords:
        """The columns, with the unit in which the histogram counts."""
        step, digits = self.layout or (1, 3)
        rows = (
            tuple(np.concatenate(column) for column in zip(*self._rows, strict=True))
            if self._rows
            else ((np.empty(0, np.int64),) * 3)
        )
        return interval_records(
            HdrLayout(step * unit_ns, digits), starts_ns, durations_ns, (rows[0], rows[1], rows[2])
        )
