"""How much time a plan leaves for computing, for certain and at best.

`room(q) = window − Q_T(q)`, between the ends of the quantile of the data's time. Where the computing itself
has a distribution, the two are convolved: `P(T + C ≤ W)`. Percentiles of T and C are never added or
subtracted: that a transaction is slow in both is rarer than in either. Source: METHOD.md section 1.6.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tailroom.domain.latency.bounds import LatencyBounds
from tailroom.domain.transactions.composition import transaction_within
from tailroom.domain.transactions.curves import TransactionCurves
from tailroom.domain.transactions.grid import FULL_BINS, check_question
from tailroom.domain.transactions.plan import Plan, Stage

SCORING = "scoring"
"""Name of the computing as a stage of its own; no record has it."""


@dataclass(frozen=True, slots=True)
class Room:
    """Time left of the window, in ns; negative where the data alone takes longer.

    `lower_ns` is none where the record sets no upper end to the time of the data.
    """

    lower_ns: int | None
    upper_ns: int


def room(curves: TransactionCurves, window_ns: int, objective: float) -> Room:
    """What the objective's quantile of the data's time (overheads included) leaves of a window."""
    check_question(1, window_ns, objective)
    taken = curves.quantile_bounds(objective)
    lower = None if taken.upper_ns is None else window_ns - taken.upper_ns
    return Room(lower, window_ns - taken.lower_ns)


def within_with_scoring(
    plan: Plan,
    laws: Mapping[str, LatencyBounds],
    scoring: LatencyBounds,
    window_ns: int,
    bins: int = FULL_BINS,
) -> tuple[float, float, float]:
    """Lower bound, estimate and upper bound of P(T + C ≤ window), data and computing independent."""
    whole = replace(plan, stages=(*plan.stages, Stage(SCORING, 1)))
    return transaction_within(whole, {**laws, SCORING: scoring}, window_ns, bins)
