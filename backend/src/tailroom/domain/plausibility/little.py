"""P1: operations in flight by Little's law, and whether two systems were tested at the same load.

`L = X · mean`: throughput in operations per second times mean latency in seconds. A client of `n` threads
that wait for answers has at most `n` (times the pipeline's depth) operations in flight. Two systems are
compared at equal load only if the ratio of their `L` may lie within [0.8, 1.25]. Undefined if throughput or
mean is not given. Source: docs/method.md 7, P1; oracles `little-kioxia`, `little-redis`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tailroom.domain.plausibility.finding import Finding, FindingFigure, consistent, figure
from tailroom.domain.plausibility.number_bounds import NumberBounds
from tailroom.domain.units import NS_PER_S

LEAST_RATIO, MOST_RATIO = 0.8, 1.25


def in_flight(throughput: NumberBounds, parts: Sequence[tuple[float, NumberBounds]]) -> NumberBounds:
    """Return the operations in flight: throughput (ops/s) times the mean latency (ns) of all operations.

    `parts` are `(share of the operations, mean)`; the shares add up to 1.
    """
    mean = NumberBounds(0.0, 0.0, 0.0)
    for share, of_operation in parts:
        mean = mean.plus(of_operation.times(share))
    return throughput.times(mean).over(float(NS_PER_S))


def concurrency(flight: NumberBounds, allowed: float, what: str, keys: Sequence[str] = ()) -> Finding:
    """Return the finding on whether certainly more operations are in flight than a closed loop can have.

    `allowed`: threads × pipeline; `what` names in the sentence the setting behind it, `keys` are the claims
    it cites.
    """
    figures = (
        figure("operations in flight", flight, "count"),
        figure(f"at most, by {what}", allowed, "count"),
    )
    if flight.surely_above(allowed):
        return Finding(
            "P1",
            "high",
            "impossible concurrency",
            f"Rate times mean latency gives at least {flight.lower:,.1f} operations in flight, but {what} "
            f"allow at most {allowed:,.0f}. Rate, mean or concurrency is wrong.",
            figures,
            tuple(keys),
        )
    words = "" if flight.value is None else f"{flight.value:,.1f} operations in flight by rate and mean: "
    return consistent("P1", f"{words}within the {allowed:,.0f} that {what} allow.", figures, keys)


@dataclass(frozen=True, slots=True)
class Flights:
    """Operations in flight of one workload on two systems, with the keys of the claims behind them."""

    workload: str
    new: NumberBounds
    old: NumberBounds
    keys: tuple[str, ...]

    @property
    def ratio(self) -> NumberBounds:
        """Operations in flight of the new system divided by those of the old."""
        return self.new.over(self.old)

    @property
    def unequal(self) -> bool:
        """Whether the ratio surely lies outside [0.8, 1.25]."""
        return self.ratio.surely_below(LEAST_RATIO) or self.ratio.surely_above(MOST_RATIO)


def equal_load(pairs: Sequence[Flights], clients_disclosed: bool) -> list[Finding]:
    """Return the finding on whether both systems had equally many operations in flight; empty for no pairs.

    `clients_disclosed`: whether the document states the number of clients.
    """
    if not pairs:
        return []
    figures: list[FindingFigure] = []
    for pair in pairs:
        figures += [
            figure(f"{pair.workload}, new", pair.new, "count"),
            figure(f"{pair.workload}, old", pair.old, "count"),
        ]
    keys = tuple(dict.fromkeys(key for pair in pairs for key in pair.keys))
    unequal = [pair for pair in pairs if pair.unequal]
    if not unequal:
        return [consistent("P1", "Both systems held about as many operations in flight.", figures, keys)]
    words = ", ".join(
        f"{pair.workload} {_whole_text(pair.new)} against {_whole_text(pair.old)}" for pair in pairs
    )
    named = ", ".join(pair.workload for pair in unequal)
    hidden = "" if clients_disclosed else " How many client threads ran is not disclosed."
    return [
        Finding(
            "P1",
            "high",
            "unequal load",
            f"Throughput times mean latency gives these operations in flight, new against old: {words}. "
            f"Workloads {named} compare latencies at unequal concurrency.{hidden}",
            tuple(figures),
            keys,
        )
    ]


def _whole_text(ends: NumberBounds) -> str:
    """Return the value without decimals, or `unknown`."""
    return "unknown" if ends.value is None else f"{ends.value:,.0f}"
