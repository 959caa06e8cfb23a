"""Design effects: factors by which clumping of slow operations over slices increases the variance of their
share.

Dependence between the operations of measured transactions, compared with a model of them: the factor `D =
P_meas(T > W) / P_model(T > W)` and the variance inflation `Var(T) / (N Var X)`. Source: docs/method.md
section 1.5.
"""

from collections.abc import Callable

import numpy as np

from tailroom.domain.confidence.effective_samples import DesignEffect
from tailroom.domain.latency.bounds import Int64s, LatencyBounds
from tailroom.domain.latency.distribution import LatencyRecord

DesignEffectAt = Callable[[int], DesignEffect]
"""Design effect of the share of operations at or over a time in nanoseconds."""
_BODY = 128
"""Parts of the sample between evenly spaced ranks; below the least of them there are four to an octave."""
_FIRST_RANKS = 8
"""Number of slowest operations each of which has a rank."""


def independent(_: int) -> DesignEffect:
    """Return a design effect with the factor 1, for operations without a time course."""
    return DesignEffect()


def effect_times_ns(record: LatencyRecord) -> Int64s:
    """Return the ascending latencies at which design effects are computed: edges of the record's buckets next
    to ranks that depend on the number of operations alone; none if that is unknown or 0.
    """
    if not record.total:
        return np.empty(0, np.int64)
    edges = np.asarray(record.edges_ns(), dtype=np.int64)
    edges = edges[edges > 0]
    certain, possible = record.below_each(edges)
    most, least = record.total - certain, record.total - possible
    ranks = _ranks(record.total)
    # The first edge with at most each rank over it, and the last edge with at least each rank over it.
    after = np.searchsorted(-most, -ranks)
    before = np.searchsorted(-least, -ranks[1:], side="right") - 1
    places = np.unique(np.concatenate((after[after < edges.size], before[before >= 0])))
    return np.asarray(edges[places], dtype=np.int64)


def _ranks(total: int) -> Int64s:
    """Return ascending ranks: 0 to 8, four for each doubling up to 1/128 of `total`, then every 1/128."""
    ranks = {0, *range(1, min(total, _FIRST_RANKS + 1))}
    ranks |= {total * part // _BODY for part in range(1, _BODY)}
    rank = float(_FIRST_RANKS)
    while rank < total / _BODY:
        ranks.add(int(rank))
        rank *= 2.0**0.25
    return np.array(sorted(ranks), dtype=np.int64)


_SMALLEST_EXCEEDANCE = 1e-10
"""Smallest modelled share of late transactions that is compared."""
_AGREES = (0.5, 2.0)
"""Dependence factors between which the model agrees with the measurement."""


def dependence_factor(measured_late: float, modelled_late: float) -> float | None:
    """Return the measured / modelled share of late transactions; None if the latter is below 1e-10."""
    return None if modelled_late < _SMALLEST_EXCEEDANCE else measured_late / modelled_late


def agrees(factor: float) -> bool:
    """Return whether a dependence factor lies from a half to two, both included."""
    return _AGREES[0] <= factor <= _AGREES[1]


def variance_inflation(transactions: LatencyRecord, single: LatencyBounds, reads: int) -> float | None:
    """Return an estimate of `Var(T) / (N Var X)` for transactions of N reads; None if reads do not vary."""
    of_one = single.middle.variance_ns2()
    if of_one <= 0.0:
        return None
    return transactions.bounds().middle.variance_ns2() / (reads * of_one)
