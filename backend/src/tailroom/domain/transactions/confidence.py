"""What a *sample* of reads proves about a transaction of N reads, under independence, with 95 % confidence.

The record of the reads is a sample: the true law may have more slow reads than were seen. At K edges the
share of reads at or over the edge gets a one-sided Clopper–Pearson limit with error a/K, so that all K hold
together with error a; the slowest law that obeys all of them is convolved. Few edges cost little confidence
but round latencies up coarsely; many edges the reverse. So the edges are fixed by window, N, objective and
the number of reads before any latency is looked at:

* one edge at window/N: only "no read over the edge" can be shown, with the fewest reads (some 749,000 for
  250 reads and 99.9 %);
* three edges (window/2N, window/8, window/2), or edges at every octave or quarter octave, each as soon as
  the loss that confidence alone costs is at most 70 % of what the objective leaves.

Source: METHOD.md section 2.3.
"""

import math
from collections.abc import Callable, Sequence

import numpy as np

from tailroom.domain.confidence.effective_samples import DesignEffect
from tailroom.domain.confidence.shares import ERROR_ONE_SIDED, share_lower, share_upper
from tailroom.domain.latency.bounds import Law
from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.transactions.sequential import FULL_BINS, check_question, sum_within

DesignEffectAt = Callable[[int], DesignEffect]
"""Design effect of the share of reads at or over a time in nanoseconds."""

_LOSS_RATIO = 0.7


def independent(_time_ns: int) -> DesignEffect:
    """Reads known to be independent."""
    return DesignEffect()


def lower_edges_ns(
    reads: int, window_ns: int, objective: float, samples: int, bins: int = FULL_BINS
) -> tuple[int, ...]:
    """Edges for the lower limit; on the grid, so that rounding costs nothing."""
    check_question(reads, window_ns, objective)
    share = max(1, bins // reads)
    families: tuple[tuple[float, ...], ...] = (
        _octaves(share, bins, per_octave=4),
        _octaves(share, bins, per_octave=1),
        (share / 2.0, bins / 8.0, bins / 2.0),
    )
    for family in families:
        edges = _on_grid(family, window_ns, bins)
        loss = reads * math.log(len(edges) / ERROR_ONE_SIDED) / max(1, samples)
        if loss <= _LOSS_RATIO * (1.0 - objective):
            return edges
    return _on_grid((share,), window_ns, bins)


def p_within_lower(
    dist: LatencyDist,
    reads: int,
    window_ns: int,
    objective: float,
    *,
    effect_at: DesignEffectAt = independent,
    error: float = ERROR_ONE_SIDED,
    bins: int = FULL_BINS,
) -> float:
    """Lower confidence limit of P(T ≤ window); wrong with at most `error` chance. 0 without reads."""
    if dist.total == 0:
        return 0.0
    edges = lower_edges_ns(reads, window_ns, objective, dist.total, bins)
    within: list[float] = []
    for edge_ns in edges:
        factor = effect_at(edge_ns).factor
        over = dist.at_or_over(edge_ns).upper
        within.append(1.0 - share_upper(over / factor, dist.total / factor, error / len(edges)))
    reached = np.maximum.accumulate(np.array(within))
    law = Law(np.array(edges, dtype=np.float64), np.diff(reached, prepend=0.0))
    return sum_within(law, reads, window_ns, round_up=True, bins=bins)


def p_within_upper(
    dist: LatencyDist,
    reads: int,
    window_ns: int,
    *,
    effect_at: DesignEffectAt = independent,
    error: float = ERROR_ONE_SIDED,
    bins: int = FULL_BINS,
) -> float:
    """Upper confidence limit of P(T ≤ window), from edges at every quarter octave. 1 without reads."""
    check_question(reads, window_ns)
    if dist.total == 0:
        return 1.0
    edges = _on_grid(_octaves(max(1, bins // reads), bins, per_octave=4), window_ns, bins)
    below: list[float] = []
    for edge_ns in edges:
        factor = effect_at(edge_ns).factor
        over = dist.at_or_over(edge_ns).lower
        below.append(1.0 - share_lower(over / factor, dist.total / factor, error / len(edges)))
    possible = np.minimum.accumulate(np.array(below)[::-1])[::-1]
    # What lies below an edge may lie as low as the edge before it; what lies at or over the window is late.
    law = Law(np.array([0, *edges[:-1]], dtype=np.float64), np.diff(possible, prepend=0.0))
    return sum_within(law, reads, window_ns, round_up=False, bins=bins)


def _octaves(share: int, bins: int, per_octave: int) -> tuple[float, ...]:
    """From an eighth of an even share of the window up to the whole window."""
    lowest = share / 8.0
    steps = math.floor(math.log2(bins / lowest) * per_octave)
    return (*(lowest * 2.0 ** (step / per_octave) for step in range(steps)), float(bins))


def _on_grid(family: Sequence[float], window_ns: int, bins: int) -> tuple[int, ...]:
    positions = sorted({max(1, math.floor(position)) for position in family})
    return tuple(position * window_ns // bins for position in positions)
