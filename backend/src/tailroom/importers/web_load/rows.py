"""Single requests as raw results: exact to the nanosecond, or within the rounding of the tool."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import numpy as np

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.distribution import Misses
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.domain.units import NS_PER_S
from tailroom.importers.importer import ContentUnreadable
from tailroom.importers.parsed_run import EndState, ParsedRun, ParsedSeries
from tailroom.importers.problems import Problems
from tailroom.importers.samples import MAX_VALUE, Samples
from tailroom.importers.source import Block, Source
from tailroom.importers.statements import GRAIN, Statements
from tailroom.importers.text_runs import PrintedRun

LAYOUT = HdrLayout(125, 3)
"""Buckets of single requests: steps of 125 ns, then 0.1 %."""
_FIRST_NS, _LAST_NS = 10**18 // 2, 7 * 10**18
_MOST_KNOTS = 2_000
_MOST_SECOND = 1 << 33
RAW_ENDING = EndState.UNKNOWN, "raw results have no mark at their end"


@dataclass(slots=True)
class Requests:
    """Requests of one operation; first start and last end in ns since 1970, 2**62 and 0 without any."""

    samples: Samples = field(default_factory=lambda: Samples(LAYOUT, 1))
    first_ns: int = 1 << 62
    last_ns: int = 0

    @property
    def is_empty(self) -> bool:
        """Whether there is no request, answered or not."""
        return not self.samples.count and not self.samples.misses

    def add(self, end_ns: Int64s, latency_ns: Int64s) -> int:
        """Add requests by end and latency in ns; return the number of impossible ones left out."""
        good = (latency_ns >= 0) & (latency_ns < MAX_VALUE) & (end_ns >= 0)
        good &= end_ns // NS_PER_S < _MOST_SECOND
        end_ns, latency_ns = end_ns[good], latency_ns[good]
        if end_ns.size:
            self.samples.add(end_ns // NS_PER_S, latency_ns)
            self.first_ns = min(self.first_ns, int((end_ns - latency_ns).min()))
            self.last_ns = max(self.last_ns, int(end_ns.max()))
        return int(good.size - end_ns.size)

    def miss(self, at_ns: int) -> None:
        """Add a request without an answer as an error at this time in ns; ignore an impossible time."""
        if 0 <= at_ns // NS_PER_S < _MOST_SECOND:
            self.samples.miss(at_ns // NS_PER_S, errors=1)
            self.first_ns, self.last_ns = min(self.first_ns, at_ns), max(self.last_ns, at_ns)


def run_of_rows(
    form: str,
    tool: str,
    by_operation: Mapping[str, Requests],
    problems: Problems,
    semantics: str,
    *,
    closed_loop: bool,
) -> ParsedRun:
    """Return the run of raw results by operation, in the format `form`. It moves the samples: call it once.

    Intervals are seconds, or longer if they need too much memory. Empty operations are left out.
    """
    filled = {name: requests for name, requests in by_operation.items() if not requests.is_empty}
    start_ns = max(0, min((requests.first_ns for requests in filled.values()), default=0))
    end_ns = max((requests.last_ns for requests in filled.values()), default=0) + 1
    series = []
    for name, requests in filled.items():
        intervals = requests.samples.intervals(start_ns, end_ns)
        series.append(
            ParsedSeries(
                name,
                "service",
                requests.samples.record(intervals),
                intervals=intervals,
                semantics=semantics,
                source_name=name,
            )
        )
    has_date = _FIRST_NS < start_ns < _LAST_NS
    started_at = datetime.fromtimestamp(start_ns / NS_PER_S, UTC) if has_date else None
    run = PrintedRun(1, problems=problems, duration_ns=end_ns - start_ns if series else None)
    return run.parsed(form, tool, [], series, RAW_ENDING, started_at=started_at, closed_loop=closed_loop)


def read_rows(
    block: Block, pattern: re.Pattern[bytes], tool: str, problems: Problems, head: str = ""
) -> list[Any]:
    """Return the groups of lines that fit `pattern`; report others, except empty lines and the `head`."""
    rows = pattern.findall(block.data)
    if len(rows) != block.data.count(b"\n") + (not block.data.endswith(b"\n")):
        for line_no, line in block.lines():
            is_head = bool(head) and line.startswith(head.encode())
            if line.strip() and not is_head and not pattern.fullmatch(line):
                shown = line[:60].decode("utf-8", "replace")
                problems.add("row", f"no row of {tool}: {shown!r}", line_no)
    return rows


def statements_of_rounded(counts: Counter[int], unit_ns: int) -> Statements:
    """Return the bounds of the distribution and the mean of rounded latencies.

    `counts`: requests by latency in `unit_ns`, one or more. Of over 2,000 latencies, a selection is bounded.
    """
    values = sorted(counts)
    cumulative = np.cumsum([counts[value] for value in values]).tolist()
    statements = Statements(cumulative[-1])
    for at in _select_positions(len(values)):
        value, below = values[at], cumulative[at]
        statements.least_part((2 * value + 1) * unit_ns // 2 + 1, below * GRAIN)
        statements.most_part(max(0, (2 * value - 1) * unit_ns // 2), (below - counts[value]) * GRAIN)
    statements.span(max(0, (2 * values[0] - 1) * unit_ns // 2), (2 * values[-1] + 1) * unit_ns // 2 + 1)
    mean_ns = sum(value * count for value, count in counts.items()) * unit_ns / cumulative[-1]
    statements.mean_ns = max(0.0, mean_ns - unit_ns / 2), mean_ns + unit_ns / 2
    return statements


def rounded_series(
    source: Source, counts: Counter[int], unit_ns: int, semantics: str, name: str, *, errors: int = 0
) -> ParsedSeries:
    """Return the series of rounded latencies and `errors`. Raise ContentUnreadable for a contradiction."""
    try:
        record = statements_of_rounded(counts, unit_ns).record(Misses(errors=errors))
    except DomainError as error:
        raise ContentUnreadable(f"{source.name}: {error}") from error
    return ParsedSeries("request", "service", record, semantics=semantics, source_name=name)


def _select_positions(size: int) -> Sequence[int]:
    """Return at most 2,000 positions among `size` ascending latencies, denser towards the slowest."""
    if size <= _MOST_KNOTS:
        return range(size)
    positions: list[int] = np.unique(size - np.geomspace(1, size, _MOST_KNOTS).astype(np.int64)).tolist()
    return positions
