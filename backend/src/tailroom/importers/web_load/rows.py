"""Single requests as raw results: exact to the nanosecond where a tool writes them so, else between two
ends."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

import numpy as np

from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.hdr_layout import HdrLayout
from tailroom.domain.units import NS_PER_S
from tailroom.importers.parsed_run import EndState, ParsedRun, ParsedSeries
from tailroom.importers.problems import Problems
from tailroom.importers.samples import MAX_VALUE, Samples
from tailroom.importers.statements import GRAIN, Statements
from tailroom.importers.text_runs import Value, summarised_run

LAYOUT = HdrLayout(125, 3)
_FIRST_NS, _LAST_NS = 10**18 // 2, 7 * 10**18
_MOST_KNOTS = 2_000
_MOST_SECOND = 1 << 33


@dataclass(slots=True)
class Requests:
    """Requests of the same kind, on the clock of the tool; the first start and the last end are in ns since
    1970.
    """

    samples: Samples = field(default_factory=lambda: Samples(LAYOUT, 1))
    first_ns: int = 1 << 62
    last_ns: int = 0

    def add(self, end_ns: Int64s, latency_ns: Int64s) -> int:
        """Add requests with their ends and latencies; return how many were left out as impossible."""
        good = (latency_ns >= 0) & (latency_ns < MAX_VALUE) & (end_ns >= 0)
        good &= end_ns // NS_PER_S < _MOST_SECOND
        end_ns, latency_ns = end_ns[good], latency_ns[good]
        if end_ns.size:
            self.samples.add(end_ns // NS_PER_S, latency_ns)
            self.first_ns = min(self.first_ns, int((end_ns - latency_ns).min()))
            self.last_ns = max(self.last_ns, int(end_ns.max()))
        return int(good.size - end_ns.size)

    def miss(self, at_ns: int) -> None:
        """Add a request without an answer, at this time in ns."""
        if 0 <= at_ns // NS_PER_S < _MOST_SECOND:
            self.samples.miss(at_ns // NS_PER_S, errors=1)
            self.first_ns, self.last_ns = min(self.first_ns, at_ns), max(self.last_ns, at_ns)


def run_of_rows(
    form: str,
    tool: str,
    held: Mapping[str, Requests],
    problems: Problems,
    semantics: str,
    *,
    closed_loop: bool,
    parameters: Mapping[str, Value] | None = None,
) -> ParsedRun:
    """Return the run of raw results, with an interval for each second.

    `form`, `tool`: format and tool of the run; `held`: requests by operation.
    """
    filled = {
        name: requests for name, requests in held.items() if requests.samples.count or requests.samples.misses
    }
    start_ns = max(0, min((requests.first_ns for requests in filled.values()), default=0))
    end_ns = max((requests.last_ns for requests in filled.values()), default=0) + 1
    series = []
    for name, each in filled.items():
        intervals = each.samples.intervals(start_ns, end_ns)
        series.append(
            ParsedSeries(
                name,
                "service",
                each.samples.record(intervals),
                intervals=intervals,
                semantics=semantics,
                source_name=name,
            )
        )
    is_known = _FIRST_NS < start_ns < _LAST_NS
    return summarised_run(
        form,
        tool,
        [],
        series,
        problems,
        state=EndState.UNKNOWN,
        state_text="raw results have no mark at their end",
        parameters=parameters,
        duration_ns=end_ns - start_ns if series else None,
        started_at=datetime.fromtimestamp(start_ns / NS_PER_S, UTC) if is_known else None,
        closed_loop=closed_loop,
    )


def statements_of_rounded(amounts: Counter[int], unit_ns: int) -> Statements:
    """Return what requests prove whose times are rounded to whole units: each lies within half a unit. Of
    many different times some are enough.

    `amounts`: number of requests by time in units of `unit_ns`.
    """
    values = sorted(amounts)
    counts = np.cumsum([amounts[number] for number in values]).tolist()
    made = Statements(counts[-1] if counts else 0)
    if not counts:
        return made
    for at in _chosen(len(values)):
        value, held = values[at], counts[at]
        made.least_part((2 * value + 1) * unit_ns // 2 + 1, held * GRAIN)
        made.most_part(max(0, (2 * value - 1) * unit_ns // 2), (held - amounts[value]) * GRAIN)
    made.span(max(0, (2 * values[0] - 1) * unit_ns // 2), (2 * values[-1] + 1) * unit_ns // 2 + 1)
    total = sum(amount * held for amount, held in amounts.items()) * unit_ns / counts[-1]
    made.mean_ns = max(0.0, total - unit_ns / 2), total + unit_ns / 2
    return made


def _chosen(size: int) -> Sequence[int]:
    """Return the positions, among `size` times in order, of those that are stated; closer together towards
    the slowest.
    """
    if size <= _MOST_KNOTS:
        return range(size)
    # Closer together towards the slowest, about which questions are.
    steps = np.unique(size - 1 - np.geomspace(1, size, _MOST_KNOTS).astype(np.int64) + 1)
    return [int(step) for step in steps.tolist() if 0 <= step < size]
