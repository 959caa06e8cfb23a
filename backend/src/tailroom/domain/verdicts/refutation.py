"""Test whether measured whole transactions refute the model of single operations, once per record.

The model of the plan that each measured transaction followed is compared with the measured curve at 95 %
confidence: over the whole time axis (Dvoretzky, Kiefer, Wolfowitz), and for rare late transactions, which
such a band cannot resolve, by limits of the share at a few times. Window, objective and grid of a question
are not used, so a quick and a full answer never disagree about it. Source: docs/method.md sections 1.5, 2.1
and 10 (C5); docs/adr/0010.
"""

from collections.abc import Hashable
from dataclasses import dataclass, replace

import numpy as np

from tailroom.domain.confidence.shares import clopper_pearson, curve_half_width, known_total
from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.distribution import LatencyRecord
from tailroom.domain.transactions.design_effects import agrees, dependence_factor
from tailroom.domain.transactions.plan import Plan
from tailroom.domain.transactions.work import for_every_question
from tailroom.domain.verdicts.budget_kinds import TransactionBudget
from tailroom.domain.verdicts.evidence import TRANSACTION, OperationEvidence, RunEvidence
from tailroom.domain.verdicts.other_tools import READ
from tailroom.domain.verdicts.plan_model import model_of
from tailroom.domain.verdicts.verdict import Bounds

_BINS = 1 << 14
_ERROR = 0.05
"""Largest chance that a true model is refuted."""
_COMPARED_AT = 256
_LATE_SHARES = (0.1, 0.01, 1e-3, 1e-4)
"""Shares of late transactions near which measured and modelled shares are compared at single times."""


@dataclass(frozen=True, slots=True)
class ModelComparison:
    """Bounds of the measured and the modelled share within `at_ns`, at which their gap is largest."""

    gap: float
    """Distance between the bounds `measured` and `modelled`; 0 if the model is not refuted."""
    at_ns: int
    """Time in ns since the start of a transaction."""
    measured: Bounds
    """Share of transactions within this time, with 95 % confidence at all times together."""
    modelled: Bounds

    @property
    def is_refuted(self) -> bool:
        """Whether the measured transactions contradict every distribution that the model allows."""
        return self.gap > 0.0


def refutation_of(evidence: RunEvidence) -> ModelComparison | None:
    """Return the comparison of a record's transactions with the model of its reads, cached, if both are
    known.
    """
    recorded = evidence.as_recorded or evidence
    transactions, reads = recorded.of(TRANSACTION), recorded.of(READ)
    if transactions is None or reads is None or transactions.issued is None:
        return None
    if not known_total(transactions.record) or reads.record.total == 0:
        return None
    if _key(reads) not in transactions.computed_results:
        with for_every_question():
            transactions.computed_results[_key(reads)] = _compare(transactions, transactions.issued, reads)
    refutation: ModelComparison | None = transactions.computed_results[_key(reads)]
    return refutation


def cache_refutation(evidence: RunEvidence, refutation: ModelComparison | None) -> None:
    """Cache the comparison with compact evidence, which has no slices to compute it from."""
    transactions, reads = evidence.of(TRANSACTION), evidence.of(READ)
    if transactions is not None and reads is not None:
        transactions.computed_results[_key(reads)] = refutation


def _key(reads: OperationEvidence) -> Hashable:
    return ("refutation", reads.clock)


def _compare(
    transactions: OperationEvidence, issued: Plan, reads: OperationEvidence
) -> ModelComparison | None:
    used = {READ: reads}
    budget = TransactionBudget("measured", 1, "", "", issued, 1, 0.5)
    times = _times_ns(transactions.record)
    if not times.size:
        return None
    tail = _tail_ns(transactions.record, times)
    candidates = [_compare_over_axis(transactions, budget, used, times, tail)]
    candidates += [
        _compare_at_window(transactions, replace(budget, window_ns=int(at)), used, tail.size) for at in tail
    ]
    return max(candidates, key=lambda candidate: candidate.gap)


def _times_ns(record: LatencyRecord) -> Int64s:
    edges = record.edges_ns()
    edges = edges[edges > 0]
    if edges.size > _COMPARED_AT:
        edges = edges[np.linspace(0, edges.size - 1, _COMPARED_AT).astype(np.int64)]
    return edges


def _tail_ns(record: LatencyRecord, times: Int64s) -> Int64s:
    """Return the `times` around each of `_LATE_SHARES`: the last with more late, the first without."""
    late = 1.0 - record.below_each(times)[0] / known_total(record)
    places = [int(np.searchsorted(-late, -share, side="right")) for share in _LATE_SHARES]
    indices = {index for edge in places for index in (edge - 1, edge) if 0 <= index < times.size}
    return times[sorted(indices)]


def _compare_over_axis(
    transactions: OperationEvidence,
    budget: TransactionBudget,
    used: dict[str, OperationEvidence],
    times: Int64s,
    tail: Int64s,
) -> ModelComparison:
    """Return the comparison at the time with the largest gap between measured and modelled band. The measured
    band is widened by the largest design effect at the times `tail`.
    """
    total = known_total(transactions.record)
    factor = max(effect.factor for effect in transactions.effects_at(tail)) if tail.size else 1.0
    half = curve_half_width(max(1, int(total / factor)), _ERROR / 2.0)
    least, most = transactions.record.below_each(times)
    low, high = np.maximum(least / total - half, 0.0), np.minimum(most / total + half, 1.0)
    # Records count what lies strictly below a time; times are whole nanoseconds.
    before = np.maximum(times - 1, 1)
    model_low, _, model_high = model_of(budget, used, _BINS).default.band(before, before)
    gap = np.maximum(low - model_high, model_low - high)
    worst = int(np.argmax(gap))
    return ModelComparison(
        max(0.0, float(gap[worst])),
        int(times[worst]),
        Bounds(float(low[worst]), float(high[worst])),
        Bounds(float(model_low[worst]), float(model_high[worst])),
    )


def _compare_at_window(
    transactions: OperationEvidence,
    budget: TransactionBudget,
    operations: dict[str, OperationEvidence],
    comparisons: int,
) -> ModelComparison:
    """Return the comparison of the shares within the window. The gap is 0 if late shares differ by less than
    a factor of two; `comparisons` share the chance of error.
    """
    at_ns = budget.window_ns
    late, total = transactions.record.at_or_over(at_ns), known_total(transactions.record)
    effect, error = transactions.effect_at(at_ns).factor, _ERROR / 2.0 / comparisons
    measured = Bounds(
        1.0 - clopper_pearson(late.upper / effect, total / effect, error).upper,
        1.0 - clopper_pearson(late.lower / effect, total / effect, error).lower,
    )
    model = model_of(budget, operations, _BINS)
    modelled = model.confident
    gap = max(0.0, measured.lower - modelled.upper, modelled.lower - measured.upper)
    factor = dependence_factor(late.upper / total, 1.0 - model.at_window[1])
    if factor is not None and agrees(factor):
        gap = 0.0
    return ModelComparison(gap, at_ns, measured, modelled)
