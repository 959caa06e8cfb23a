"""What a *sample* of operations proves about a plan of many, under independence, with 95 % confidence.

The record of the operations is a sample: the true law may have more slow ones than were seen. At K edges the
share of operations at or over the edge gets a one-sided Clopper–Pearson limit with error a/K, so that all K
hold together with error a; the slowest law that obeys all of them goes through the plan. Few edges cost
little confidence but round latencies up coarsely; many edges the reverse. So the edges are fixed by window,
number of operations, objective and number of samples before any latency is looked at:

* one edge at an even share of the window: only "no read over the edge" can be shown, with the fewest reads
  (some 749,000 for 250 reads and 99.9 %). Where all operations run at once, this edge is the window, and no
  other one matters;
* three edges (half a share, an eighth and half of the window), or edges at every octave or quarter octave,
  each as soon as the loss that confidence alone costs is at most 70 % of what the objective leaves.

A plan of several operations splits the error between them. A record that does not say how many operations it
holds is no sample: it proves nothing. Source: docs/method.md section 2.3.
"""

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from tailroom.domain.confidence.effective_samples import DesignEffect
from tailroom.domain.confidence.shares import ERROR_ONE_SIDED, share_lower, share_upper
from tailroom.domain.latency.bounds import LatencyBounds, Law
from tailroom.domain.latency.record import LatencyRecord
from tailroom.domain.transactions.composition import transaction_within
from tailroom.domain.transactions.grid import FULL_BINS, check_question
from tailroom.domain.transactions.plan import Plan
from tailroom.domain.transactions.sequential import sum_within

DesignEffectAt = Callable[[int], DesignEffect]
"""Design effect of the share of reads at or over a time in nanoseconds."""

_LOSS_RATIO = 0.7
_UNUSED = 2
"""Simulated transactions where only the certain ends are asked for."""
_AT_ONCE = LatencyBounds.from_points([0.0], [1.0])
"""An operation that takes no time."""


def independent(_time_ns: int) -> DesignEffect:
    """Reads known to be independent."""
    return DesignEffect()


def lower_edges_ns(
    reads: int, window_ns: int, objective: float, samples: int, bins: int = FULL_BINS
) -> tuple[int, ...]:
    """Edges for the lower limit; on the grid, so that rounding costs nothing."""
    check_question(reads, window_ns, objective)
    return _edges_ns(reads, reads, window_ns, objective, samples, bins=bins)


def _edges_ns(
    depth: int, count: int, window_ns: int, objective: float, samples: int, *, bins: int
) -> tuple[int, ...]:
    """Edges for so many operations in a row; all operations of a transaction cost confidence."""
    share = max(1, bins // depth)
    families: tuple[tuple[float, ...], ...] = (
        _octaves(share, bins, per_octave=4),
        _octaves(share, bins, per_octave=1),
        (share / 2.0, bins / 8.0, bins / 2.0),
    )
    for family in families:
        edges = _on_grid(family, window_ns, bins)
        loss = count * math.log(len(edges) / ERROR_ONE_SIDED) / max(1, samples)
        if loss <= _LOSS_RATIO * (1.0 - objective):
            return edges
    return _on_grid((share,), window_ns, bins)


def p_within_lower(
    dist: LatencyRecord,
    reads: int,
    window_ns: int,
    objective: float,
    *,
    effect_at: DesignEffectAt = independent,
    error: float = ERROR_ONE_SIDED,
    bins: int = FULL_BINS,
) -> float:
    """Lower limit of P(T ≤ window) of sequential reads, wrong with a chance of at most `error`. 0 if none."""
    if not dist.total:
        return 0.0
    edges = lower_edges_ns(reads, window_ns, objective, dist.total, bins)
    law = _slowest_law(dist, edges, effect_at, error)
    return sum_within(law, reads, window_ns, round_up=True, bins=bins)


def p_within_upper(
    dist: LatencyRecord,
    reads: int,
    window_ns: int,
    *,
    effect_at: DesignEffectAt = independent,
    error: float = ERROR_ONE_SIDED,
    bins: int = FULL_BINS,
) -> float:
    """Upper limit of P(T ≤ window), from edges at every quarter octave. 1 without reads."""
    check_question(reads, window_ns)
    if not dist.total:
        return 1.0
    edges = upper_edges_ns(reads, window_ns, bins)
    law = _fastest_law(dist, edges, effect_at, error)
    return sum_within(law, reads, window_ns, round_up=False, bins=bins)


def plan_within_lower(
    plan: Plan,
    records: Mapping[str, LatencyRecord],
    window_ns: int,
    objective: float,
    *,
    effects: Mapping[str, DesignEffectAt] | None = None,
    error: float = ERROR_ONE_SIDED,
    bins: int = FULL_BINS,
) -> float:
    """Lower limit of P(T ≤ window) for any plan, `effects` by operation; 0 if any has no sample."""
    check_question(1, window_ns, objective)
    plan.check_measured(records)
    net_ns = window_ns - plan.overhead_ns
    if net_ns <= 0:
        return 0.0
    laws: dict[str, LatencyBounds] = {}
    for name in plan.operations:
        record = records[name]
        if not record.total:
            return 0.0
        count = sum(stage.largest_count for stage in plan.stages if stage.operation == name)
        edges: tuple[int, ...] = (net_ns,)
        if plan.depth > 1:
            edges = _edges_ns(plan.depth, count, net_ns, objective, record.total, bins=bins)
        law = _slowest_law(record, edges, _effect(effects, name), error / len(plan.operations))
        laws[name] = LatencyBounds(law, law, law, continuous=False)
    return transaction_within(plan, laws, window_ns, bins, replications=_UNUSED)[0]


def plan_within_upper(
    plan: Plan,
    records: Mapping[str, LatencyRecord],
    window_ns: int,
    *,
    effects: Mapping[str, DesignEffectAt] | None = None,
    error: float = ERROR_ONE_SIDED,
    bins: int = FULL_BINS,
) -> float:
    """Upper limit of P(T ≤ window) for any plan; an operation without a sample may always be in time."""
    check_question(1, window_ns)
    plan.check_measured(records)
    net_ns = window_ns - plan.overhead_ns
    if net_ns <= 0:
        return transaction_within(plan, dict.fromkeys(plan.operations, _AT_ONCE), window_ns)[2]
    laws: dict[str, LatencyBounds] = {}
    for name in plan.operations:
        record = records[name]
        law = _AT_ONCE.early
        if record.total:
            edges = (net_ns,) if plan.depth == 1 else upper_edges_ns(plan.depth, net_ns, bins)
            law = _fastest_law(record, edges, _effect(effects, name), error / len(plan.operations))
        laws[name] = LatencyBounds(law, law, law, continuous=False)
    return transaction_within(plan, laws, window_ns, bins, replications=_UNUSED)[2]


def upper_edges_ns(reads: int, window_ns: int, bins: int = FULL_BINS) -> tuple[int, ...]:
    """Edges for the upper limit."""
    check_question(reads, window_ns)
    return _on_grid(_octaves(max(1, bins // reads), bins, per_octave=4), window_ns, bins)


def _slowest_law(record: LatencyRecord, edges: Sequence[int], effect_at: DesignEffectAt, error: float) -> Law:
    """Slowest law whose shares at or over the edges obey all limits at once."""
    total = record.total or 0
    within: list[float] = []
    for edge_ns in edges:
        factor = effect_at(edge_ns).factor
        over = record.at_or_over(edge_ns).upper
        within.append(1.0 - share_upper(over / factor, total / factor, error / len(edges)))
    reached = np.maximum.accumulate(np.array(within))
    return Law(np.array(edges, dtype=np.float64), np.diff(reached, prepend=0.0))


def _fastest_law(record: LatencyRecord, edges: Sequence[int], effect_at: DesignEffectAt, error: float) -> Law:
    """Fastest law whose shares at or over the edges obey all limits at once."""
    total = record.total or 0
    below: list[float] = []
    for edge_ns in edges:
        factor = effect_at(edge_ns).factor
        over = record.at_or_over(edge_ns).lower
        below.append(1.0 - share_lower(over / factor, total / factor, error / len(edges)))
    possible = np.minimum.accumulate(np.array(below)[::-1])[::-1]
    # What lies below an edge may lie as low as the edge before it; what lies at or over the window is late.
    return Law(np.array([0, *edges[:-1]], dtype=np.float64), np.diff(possible, prepend=0.0))


def _effect(effects: Mapping[str, DesignEffectAt] | None, name: str) -> DesignEffectAt:
    return (effects or {}).get(name, independent)


def _octaves(share: int, bins: int, per_octave: int) -> tuple[float, ...]:
    """From an eighth of an even share of the window up to the whole window."""
    lowest = share / 8.0
    steps = math.floor(math.log2(bins / lowest) * per_octave)
    return (*(lowest * 2.0 ** (step / per_octave) for step in range(steps)), float(bins))


def _on_grid(family: Sequence[float], window_ns: int, bins: int) -> tuple[int, ...]:
    positions = sorted({max(1, math.floor(position)) for position in family})
    return tuple(position * window_ns // bins for position in positions)
