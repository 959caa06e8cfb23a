"""Whether whole transactions that were measured refute the model of single operations: once for a record.

The model of the plan that each measured transaction followed is held against the measured curve with
95 % confidence: over the whole time axis (Dvoretzky, Kiefer, Wolfowitz), and where hardly any transaction is
late, which such a band cannot see, by limits of the share at a few times. Neither window nor objective nor
grid of a question has a say, so a quick answer and a full one never disagree about it.
Source: docs/method.md sections 1.5, 2.1 and 10 (C5); docs/adr/0038.
"""

from collections.abc import Hashable
from dataclasses import dataclass, replace

import numpy as np

from tailroom.domain.confidence.quantiles import known_total
from tailroom.domain.confidence.shares import clopper_pearson, curve_half_width
from tailroom.domain.latency.bounds import Int64s
from tailroom.domain.latency.record import LatencyRecord
from tailroom.domain.transactions.dependence import dependence_factor
from tailroom.domain.transactions.plan import Plan
from tailroom.domain.transactions.work import for_every_question
from tailroom.domain.verdicts.budget_kinds import TransactionBudget
from tailroom.domain.verdicts.evidence import TRANSACTION, OperationEvidence, RunEvidence
from tailroom.domain.verdicts.other_tools import READ
from tailroom.domain.verdicts.plan_model import model_of
from tailroom.domain.verdicts.verdict import Bounds

_BINS = 1 << 14
_ERROR = 0.05
_COMPARED_AT = 256
_LATE_SHARES = (0.1, 0.01, 1e-3, 1e-4)


@dataclass(frozen=True, slots=True)
class Refutation:
    """Measured transactions beside the model, where the two lie furthest apart."""

    gap: float
    """Distance of their bands as a share of transactions; 0 where they meet everywhere."""
    at_ns: int
    measured: Bounds
    """Share of transactions within this time, with 95 % confidence at all times together."""
    modelled: Bounds

    @property
    def is_refuted(self) -> bool:
        """Whether no law that the model allows fits the measured transactions."""
        return self.gap > 0.0


def refutation_of(evidence: RunEvidence) -> Refutation | None:
    """What the transactions of a record say of its reads; none where either is missing."""
    recorded = evidence.as_recorded or evidence
    whole, reads = recorded.of(TRANSACTION), recorded.of(READ)
    if whole is None or reads is None or whole.issued is None:
        return None
    if not known_total(whole.record) or reads.record.total == 0:
        return None
    if _key(reads) not in whole.worked_out:
        with for_every_question():
            whole.worked_out[_key(reads)] = _compared(whole, whole.issued, reads)
    found: Refutation | None = whole.worked_out[_key(reads)]
    return found


def keep_refutation(evidence: RunEvidence, found: Refutation | None) -> None:
    """Keeps it with evidence of the same record that cannot tell any more."""
    whole, reads = evidence.of(TRANSACTION), evidence.of(READ)
    if whole is not None and reads is not None:
        whole.worked_out[_key(reads)] = found


def _key(reads: OperationEvidence) -> Hashable:
    return ("refutation", reads.clock)


def _compared(whole: OperationEvidence, issued: Plan, reads: OperationEvidence) -> Refutation | None:
    used = {READ: reads}
    asked = TransactionBudget("measured", 1, "", "", issued, 1, 0.5)
    times = _times_ns(whole.record)
    if not times.size:
        return None
    tail = _tail_ns(whole.record, times)
    found = [_over_the_axis(whole, asked, used, times, tail)]
    found += [_at(whole, replace(asked, window_ns=int(at)), used, tail.size) for at in tail]
    return max(found, key=lambda one: one.gap)


def _times_ns(record: LatencyRecord) -> Int64s:
    edges = record.edges_ns()
    edges = edges[edges > 0]
    if edges.size > _COMPARED_AT:
        edges = edges[np.linspace(0, edges.size - 1, _COMPARED_AT).astype(np.int64)]
    return edges


def _tail_ns(record: LatencyRecord, times: Int64s) -> Int64s:
    """The last time at which so many are late, and the first at which no more are."""
    late = 1.0 - record.below_each(times)[0] / known_total(record)
    places = [int(np.searchsorted(-late, -share, side="right")) for share in _LATE_SHARES]
    found = {place for one in places for place in (one - 1, one) if 0 <= place < times.size}
    return times[sorted(found)]


def _over_the_axis(
    whole: OperationEvidence,
    asked: TransactionBudget,
    used: dict[str, OperationEvidence],
    times: Int64s,
    tail: Int64s,
) -> Refutation:
    """The two bands. The largest design effect of all the times that are looked at counts."""
    total = known_total(whole.record)
    factor = max(one.factor for one in whole.effects_at(tail)) if tail.size else 1.0
    half = curve_half_width(max(1, int(total / factor)), _ERROR / 2.0)
    least, most = whole.record.below_each(times)
    low, high = np.maximum(least / total - half, 0.0), np.minimum(most / total + half, 1.0)
    # Records count what lies strictly below a time; times are whole nanoseconds.
    model_low, _, model_high = model_of(asked, used, _BINS).default.band(np.maximum(times - 1, 1))
    gap = np.maximum(low - model_high, model_low - high)
    worst = int(np.argmax(gap))
    return Refutation(
        max(0.0, float(gap[worst])),
        int(times[worst]),
        Bounds(float(low[worst]), float(high[worst])),
        Bounds(float(model_low[worst]), float(model_high[worst])),
    )


def _at(
    whole: OperationEvidence, asked: TransactionBudget, used: dict[str, OperationEvidence], times: int
) -> Refutation:
    """At one of so many times: apart with confidence on both sides, and by more than a factor of two."""
    at_ns = asked.window_ns
    late, total = whole.record.at_or_over(at_ns), known_total(whole.record)
    factor, error = whole.effect_at(at_ns).factor, _ERROR / 2.0 / times
    measured = Bounds(
        1.0 - clopper_pearson(late.upper / factor, total / factor, error).upper,
        1.0 - clopper_pearson(late.lower / factor, total / factor, error).lower,
    )
    model = model_of(asked, used, _BINS)
    modelled = model.confident
    gap = max(0.0, measured.lower - modelled.upper, modelled.lower - measured.upper)
    ratio = dependence_factor(
        (1.0 - measured.upper, late.upper / total, 1.0 - measured.lower),
        (1.0 - modelled.upper, 1.0 - model.at_window[1], 1.0 - modelled.lower),
    )
    if ratio is not None and ratio.agrees:
        gap = 0.0
    return Refutation(gap, at_ns, measured, modelled)
