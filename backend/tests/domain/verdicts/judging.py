"""Records and runs for tests of verdicts, and the verdict on a coarse grid."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tailroom.domain.latency.distribution import LatencyDist, LatencyRecord, Misses
from tailroom.domain.latency.document import distributions_of
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.layouts import ExplicitLayout, HdrLayout
from tailroom.domain.units import NS_PER_S
from tailroom.domain.verdicts.assessment import BudgetAssessment
from tailroom.domain.verdicts.evidence import OperationEvidence, RunEvidence
from tailroom.domain.verdicts.judge_budget import judge_budget

BINS = 1 << 12
LAYOUT = HdrLayout()


def record(amounts: dict[int, int], misses: int = 0, pins: tuple[int, ...] = ()) -> LatencyDist:
    """Latencies in ns and how often each was seen, in fine buckets; `pins` are counted exactly."""
    at = np.array(sorted(amounts), dtype=np.int64)
    counts = Counts(LAYOUT.index_of(at // 1000), np.array([amounts[int(one)] for one in at], np.int64))
    exact = {pin: sum(n for latency, n in amounts.items() if latency >= pin) for pin in pins}
    return LatencyDist(LAYOUT, counts, exact, Misses(errors=misses))


def explicit(edges: Sequence[int], counts: Sequence[int], *, open_ended: bool = False) -> LatencyDist:
    layout = ExplicitLayout(tuple(edges), open_ended)
    return LatencyDist(layout, Counts(np.arange(len(counts)), np.array(counts, np.int64)))


def course(pieces: Sequence[LatencyDist], piece_ns: int = 10 * NS_PER_S) -> IntervalRecords:
    return IntervalRecords.of(pieces, [i * piece_ns for i in range(len(pieces))], [piece_ns for _ in pieces])


def run_of(
    one: LatencyRecord | Sequence[LatencyDist], *, operation: str = "read", **more: Any
) -> RunEvidence:
    """A run with one operation; a sequence is its course over time."""
    if isinstance(one, Sequence):
        intervals = course(one)
        found = OperationEvidence(
            operation, "response", intervals.total(), intervals, measured_ns=intervals.end_ns, **more
        )
    else:
        found = OperationEvidence(operation, "response", one, **more)
    return RunEvidence((found,))


def published(**document: Any) -> LatencyRecord:
    (found,) = distributions_of(document)
    return found.record


def judged(budget: Any, evidence: RunEvidence) -> BudgetAssessment:
    return judge_budget(budget, evidence, bins=BINS)
