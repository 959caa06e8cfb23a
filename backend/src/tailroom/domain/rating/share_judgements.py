"""What shares alone say of a transaction, by the model: reads as slow, and as fast, as the shares allow."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import LatencyBounds
from tailroom.domain.latency.knots import KnotsRecord
from tailroom.domain.rating.judging import Knots, State, Why
from tailroom.domain.transactions.many import least_within, most_within
from tailroom.domain.verdicts.budget_kinds import TransactionBudget
from tailroom.domain.verdicts.judge_budget import DISPLAY_BINS


@dataclass(frozen=True, slots=True)
class JudgedTest:
    """What the judge of transactions said of a test."""

    state: int
    why: int
    late_lower: float
    late_upper: float


_UNUSABLE = JudgedTest(State.UNDECIDED, Why.METADATA, 0.0, 1.0)


def by_shares(knots: Knots, places: Sequence[int], budget: TransactionBudget) -> list[JudgedTest]:
    """What the shares of each of these tests say of independent reads."""
    laws = [_laws(knots, place) for place in places]
    usable = [one for one in laws if one is not None]
    try:
        slow = least_within(budget.plan, [one[0] for one in usable], budget.reads_window_ns, DISPLAY_BINS)
        fast = most_within(budget.plan, [one[1] for one in usable], budget.reads_window_ns, DISPLAY_BINS)
    except DomainError:
        # The question has no answer for one of them; alone, it has none for that one only.
        return [_UNUSABLE] if len(places) == 1 else [by_shares(knots, [one], budget)[0] for one in places]
    within = iter(zip(slow, fast, strict=True))
    return [_UNUSABLE if one is None else _judged(*next(within), budget) for one in laws]


def _laws(knots: Knots, place: int) -> tuple[LatencyBounds, LatencyBounds] | None:
    """Of the slowest reads with confidence, for a pass, and of the fastest without it, for a fail."""
    own = slice(int(knots.offsets[place]), int(knots.offsets[place + 1]))
    times, ends = knots.thresholds_ns[knots.at[own]], knots.ends[:, own]
    found = []
    for row in (2, 0):
        lower = np.maximum.accumulate(1.0 - ends[row + 1])
        upper = np.maximum(lower, np.minimum.accumulate((1.0 - ends[row])[::-1])[::-1])
        statements = tuple(zip(times.tolist(), lower.tolist(), upper.tolist(), strict=True))
        try:
            found.append(KnotsRecord(statements).bounds())
        except DomainError:
            return None
    return found[0], found[1]


def _judged(p_lower: float, p_upper: float, budget: TransactionBudget) -> JudgedTest:
    state, why = State.UNDECIDED, Why.RESOLUTION
    if p_lower >= budget.objective_ratio:
        state, why = State.PASSED, Why.DECIDED
    elif p_upper < budget.objective_ratio:
        state, why = State.FAILED, Why.DECIDED
    return JudgedTest(state, why, max(0.0, 1.0 - p_upper), min(1.0, 1.0 - p_lower))
