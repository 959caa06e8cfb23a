"""What a closed-loop record might have looked like with a schedule: a "what if", never evidence.

A client that waits for an answer before it asks again leaves out the requests that a stall would have
delayed. HdrHistogram's correction invents them: a latency v over the expected interval I stands also for
v − I, v − 2I, … as long as they are at least I. It is shown beside the record, marked as invented, and
decides nothing: coordinated data cannot pass. There is one curve and no bounds, because the correction is not
monotone: a longer latency may add short inventions. Source: METHOD.md 4.3, oracle `co`; HdrHistogram's
`recordValueWithExpectedInterval`.
"""

from dataclasses import dataclass

import numpy as np

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Law
from tailroom.domain.latency.cells import representatives_ns
from tailroom.domain.latency.distribution import DistributionEmpty, LatencyDist
from tailroom.domain.latency.layouts import NEVER_NS

_INVENTED_AT_MOST = 4_000_000
_ROUNDING = 1e-9


class CorrectionImpossible(DomainError):
    """An expected interval that is none, an open bucket, or too many requests to invent."""


@dataclass(frozen=True, slots=True, eq=False)
class WhatIf:
    """An invented law beside the recorded one. It has no counts at thresholds: nothing here may decide."""

    expected_interval_ns: int
    recorded: int
    invented: int
    law: Law

    def mean_ns(self) -> float:
        """Mean of the invented law."""
        return self.law.mean_ns()

    def quantile_ns(self, quantile: float) -> float:
        """Quantile of the invented law."""
        if not 0.0 <= quantile <= 1.0:
            raise CorrectionImpossible(f"quantile {quantile} is not between 0 and 1")
        running = np.cumsum(self.law.ratio)
        position = int(np.searchsorted(running, quantile - 1e-12, side="left"))
        return float(self.law.at_ns[min(position, self.law.at_ns.size - 1)])


def what_if_scheduled(dist: LatencyDist, expected_interval_ns: int) -> WhatIf:
    """The record with the requests that a schedule of one in `expected_interval_ns` would have added.

    Every bucket stands at its representative; misses have no latency and are left out. Raises
    `DistributionEmpty` without latencies, and `CorrectionImpossible` for an interval that is not positive, an
    open bucket, or millions of inventions.
    """
    if not expected_interval_ns > 0:
        raise CorrectionImpossible(f"the expected interval is {expected_interval_ns} ns: it must be positive")
    if dist.count == 0:
        raise DistributionEmpty("no operation has a latency, so there is nothing to correct")
    cells = dist.cells
    if (cells.upper_ns == NEVER_NS).any():
        raise CorrectionImpossible("the longest latency is not known: its bucket is open")
    at_ns = representatives_ns(cells, dist.sum_ns)
    further = np.maximum(0, np.floor(at_ns / expected_interval_ns + _ROUNDING).astype(np.int64) - 1)
    if int(further.sum()) > _INVENTED_AT_MOST:
        raise CorrectionImpossible(
            f"{int(further.sum())} different latencies would have to be invented, {_INVENTED_AT_MOST} at most"
        )
    step = np.arange(int(further.sum())) - np.repeat(np.cumsum(further) - further, further) + 1
    times = np.concatenate((at_ns, np.repeat(at_ns, further) - step * expected_interval_ns))
    amounts = np.concatenate((cells.counts, np.repeat(cells.counts, further)))
    order = np.argsort(times, kind="stable")
    total = int(amounts.sum())
    law = Law(times[order], amounts[order] / total)
    return WhatIf(expected_interval_ns, dist.count, total - dist.count, law)
