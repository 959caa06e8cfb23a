"""The rows that cassandra-stress prints during a run: operations since the previous row.

`total, 5000, 5000, 5000, 5000, 1.1, 0.9, 2.1, 5.2, 12.1, 20.3, 1.0, …`: operations since the beginning, rates
of the interval, its mean, median, percentiles and largest in milliseconds with one decimal, seconds since the
beginning. The percentiles are those of an HdrHistogram of three digits. The head names the columns,
which differ between versions. Source: Cassandra `tools/stress` (`StressMetrics`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from tailroom.domain.latency.bounds import Floats, Int64s
from tailroom.domain.units import NS_PER_MS, NS_PER_S
from tailroom.importers.parsed_run import Claim, Period
from tailroom.importers.period_columns import PeriodCollector, PeriodColumns
from tailroom.importers.printed import MAX_COUNT
from tailroom.importers.problems import Problems
from tailroom.importers.statements import Statements, hdr_ranks_each

HEAD = re.compile(r"[ \t]*(?:type,?\s+)?total ops\s*,(?:\s+adj row/s,)?\s+op/s,\s+pk/s,.{1,400}")
_TYPE = re.compile(r"type,?[ \t]{1,40}")
_ROW = re.compile(
    r"\s*([A-Za-z][\w-]{0,60}),\s+(\d{1,18}),(?:\s+\d{1,18},){3}(?:\s+\d{1,12}\.\d,){7}.{1,300}"
)
"""A row of a version that names its operation, by which it is known without the head."""
_NUMBER = re.compile(r"\s*(\d{1,15}(?:\.\d{1,9})?)\s*")
_COLUMNS = ("total ops", "op/s", "pk/s", "row/s", "mean", "med", ".95", ".99", ".999", "max", "time")
_SHARES = {
    "med": Fraction(1, 2),
    ".95": Fraction(95, 100),
    ".99": Fraction(99, 100),
    ".999": Fraction(999, 1000),
}
_HALF_NS = 50_000
"""Times are rounded to a tenth of a millisecond."""
_BUCKET = 512
"""A value of three digits is at most its 512th part away from what was measured."""
_MOST_ROWS = 100_000
_MOST_RATES = 5_000
_MOST_OPERATIONS = 100
_MOST_MS = 1e9


def is_row(text: str) -> bool:
    """Return whether a line is a row that names its operation."""
    return _ROW.fullmatch(text) is not None


@dataclass(slots=True)
class _Rows:
    """The rows of one operation, with numbers in the order of `_COLUMNS`."""

    numbers: list[tuple[float, ...]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    """The line number of each row."""
    rates: list[str] = field(default_factory=list)
    """The operations a second of each row, as printed."""
    has_fallen: bool = False
    """Whether a count or time fell, so that later rows are those of another run."""


@dataclass(slots=True)
class RunRows:
    """Rows of one run by operation, and the columns of their head."""

    positions: dict[str, int]
    """Position of the cell of each column."""
    width: int
    """Number of cells; 0 if unknown."""
    is_named: bool
    """Whether the first cell is the operation."""
    is_complete: bool = True
    """Whether the rows follow their head, so that the first row counts from 0."""
    rows: dict[str, _Rows] = field(default_factory=dict)

    @staticmethod
    def with_header(text: str) -> "RunRows | None":
        """Return a reader by the head of the table; None if a column is missing."""
        head = text.strip()
        named = _TYPE.match(head) is not None
        cells = [cell.strip() for cell in _TYPE.sub("", head, count=1).split(",")]
        positions = {name: cells.index(name) + named for name in _COLUMNS if name in cells}
        return RunRows(positions, len(cells) + named, named) if len(positions) == len(_COLUMNS) else None

    @staticmethod
    def without_header() -> "RunRows":
        """Return a reader of rows whose head is missing: it reads rows that name their operation, because
        these have the same columns in all versions.

        Its first row of an operation is only the start of the next.
        """
        positions = {name: number for number, name in enumerate(_COLUMNS, 1)}
        return RunRows(positions, 0, is_named=True, is_complete=False)

    def row(self, line_no: int, text: str, problems: Problems) -> bool:
        """Store a row of an operation; return False if the line is no row.

        Rows with impossible or falling numbers, and of too many operations, are dropped with a problem; rows
        after a fall, and over 100,000 of an operation, without.
        """
        cells = text.split(",")
        if len(cells) < len(_COLUMNS) + self.is_named or (self.width and len(cells) != self.width):
            return False
        name = cells[0].strip().lower() if self.is_named else "total"
        cells_matched = [_NUMBER.fullmatch(cells[self.positions[column]]) for column in _COLUMNS]
        if not name or any(match is None for match in cells_matched):
            return False
        texts = [match[1] for match in cells_matched if match is not None]
        numbers = tuple(map(float, texts))
        if name not in self.rows and len(self.rows) >= _MOST_OPERATIONS:
            problems.error("operations", f"more than {_MOST_OPERATIONS} operations", line_no)
            return True
        rows = self.rows.setdefault(name, _Rows())
        if rows.has_fallen or len(rows.lines) >= _MOST_ROWS:
            return True
        if numbers[0] > MAX_COUNT or max(numbers[4:10]) > _MOST_MS or numbers[-1] * NS_PER_S > MAX_COUNT:
            problems.error("row", f"{name}: a number that no row can have", line_no)
        elif rows.numbers and (numbers[0] < rows.numbers[-1][0] or numbers[-1] < rows.numbers[-1][-1]):
            rows.has_fallen = True
            problems.add("falls", f"{name}: the number of operations or the time falls: another run", line_no)
        else:
            rows.numbers.append(numbers)
            rows.lines.append(line_no)
            rows.rates.append(texts[1])
        return True

    @property
    def duration_ns(self) -> int | None:
        """Time from the start of the run to the last row, in ns; None without rows, or for 0 s."""
        ends = [rows.numbers[-1][-1] for rows in self.rows.values() if rows.numbers]
        return round(max(ends) * NS_PER_S) or None if ends else None

    def periods(self, name: str, problems: Problems) -> tuple[Sequence[Period], Statements | None]:
        """Return the intervals of an operation, and the sum of the statements about them.

        The statements are None without operations, and, with a problem, if a row contradicts itself.
        """
        rows = self.rows.get(name)
        if rows is None:
            return (), None
        collector = PeriodCollector(_MOST_ROWS)
        columns = self._columns(rows)
        if columns is not None:
            collector.add(columns)
        for reason in collector.contradictions:
            problems.add("row", f"{name}: {reason}", rows.lines[0])
        collected = collector.periods()
        return collected, collector.merged() if collector.total and not collector.contradictions else None

    def _columns(self, rows: _Rows) -> PeriodColumns | None:
        """Return the intervals of the rows that have operations; None without any."""
        table = np.array(rows.numbers, np.float64).reshape(-1, len(_COLUMNS))
        before = np.zeros((1, len(_COLUMNS))) if self.is_complete else table[:1]
        table = table if self.is_complete else table[1:]
        if not table.size:
            return None
        earlier = np.concatenate((before, table[:-1]))
        counts = (table[:, 0] - earlier[:, 0]).astype(np.int64)
        some = np.flatnonzero(counts)
        if not some.size:
            return None
        counts = counts[some]
        starts_ns, ends_ns = (
            np.rint(columns[some, -1] * NS_PER_S).astype(np.int64) for columns in (earlier, table)
        )
        at = {name: _bounds_ns(table[some, number]) for number, name in enumerate(_COLUMNS)}
        least = [(at["max"][1] + 1, counts)]
        most = []
        for name, share in _SHARES.items():
            low, high = hdr_ranks_each(share, counts)
            least.append((at[name][1] + 1, low))
            most.append((at[name][0], high - 1))
        mean = at["mean"][0].astype(np.float64), at["mean"][1].astype(np.float64)
        return PeriodColumns.of(starts_ns, ends_ns - starts_ns, counts, least, most, mean_ns=mean)

    def rate_claims(self, name: str, operation: str) -> Iterator[Claim]:
        """Yield the operations a second of the first 5,000 rows of `name`, as claims about `operation`."""
        rows = self.rows.get(name, _Rows())
        before_s = 0.0 if self.is_complete or not rows.numbers else None
        for numbers, line_no, text in zip(rows.numbers[:_MOST_RATES], rows.lines, rows.rates, strict=False):
            if before_s is not None and numbers[-1] > before_s:
                span = round(before_s * NS_PER_S), round((numbers[-1] - before_s) * NS_PER_S)
                low, high = max(0.0, numbers[1] - 0.5), numbers[1] + 0.5
                yield Claim(operation, "throughput_ops_per_s", text, low, high, None, line_no, *span)
            before_s = numbers[-1]


def _bounds_ns(values_ms: Floats) -> tuple[Int64s, Int64s]:
    """Return lower and upper bounds in ns of times printed in ms, rounded and in buckets of three digits."""
    middle = np.rint(np.minimum(values_ms, _MOST_MS) * NS_PER_MS).astype(np.int64)
    low, high = np.maximum(0, middle - _HALF_NS), middle + _HALF_NS
    return low - low // _BUCKET, high + high // _BUCKET
