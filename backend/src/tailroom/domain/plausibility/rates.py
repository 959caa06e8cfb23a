"""P2: operations, time and rate belong together: `operations = rate · time`.

Rates in ops/s, times in seconds, all with the ends that their printing allows; a contradiction is only what
no numbers that are printed like these can satisfy. Undefined where one of the three is missing. Source:
docs/method.md 7, P2, and 4.4 for the rate that a generator was to keep (±1 %).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tailroom.domain.plausibility.ends import Ends
from tailroom.domain.plausibility.finding import Finding, consistent, figure

RATE_TOLERANCE = 0.01


@dataclass(frozen=True, slots=True)
class Timed:
    """Operations, and how long they took by one statement and at which rate by another."""

    label: str
    operations: Ends
    rate: Ends
    runtime_s: Ends
    keys: tuple[str, ...] = ()

    @property
    def expected_s(self) -> Ends:
        """Operations by rate."""
        return self.operations.over(self.rate)


def runtimes(timed: Sequence[Timed], slack: float = 0.0) -> list[Finding]:
    """Whether each runtime is what operations and rate give; `slack` is allowed on top of the ends."""
    if not timed:
        return []
    found = [
        Finding(
            "P2",
            "high",
            "operations, time and rate",
            f"{one.label}: {one.operations.value:,.0f} operations at {one.rate.value:,.1f} per second take "
            f"{one.expected_s.value:,.2f} s, but {one.runtime_s.value:,.2f} s are stated.",
            (figure("operations by rate", one.expected_s, "s"), figure("stated time", one.runtime_s, "s")),
            one.keys,
        )
        for one in timed
        if one.expected_s.surely_differs(one.runtime_s, slack=slack)
    ]
    if found:
        return found
    away = [
        abs(one.expected_s.value - one.runtime_s.value)
        for one in timed
        if one.expected_s.value is not None and one.runtime_s.value is not None
    ]
    return [
        consistent(
            "P2",
            f"Operations divided by rate give the stated time in all {len(timed)} cases.",
            (
                figure("cases", len(timed), "count"),
                figure("largest difference of the printed numbers", max(away, default=0.0), "s"),
            ),
            (key for one in timed for key in one.keys),
        )
    ]


def achieved_rate(achieved: Ends, target: Ends, what: str, keys: Sequence[str] = ()) -> Finding:
    """Whether the load that was to be applied was applied, within 1 %."""
    share = achieved.over(target)
    figures = (
        figure("achieved rate", achieved, "ops/s"),
        figure("intended rate", target, "ops/s"),
        figure("achieved share", share, "ratio"),
    )
    if share.surely_below(1.0 - RATE_TOLERANCE) or share.surely_above(1.0 + RATE_TOLERANCE):
        percent = 100.0 * (share.value or 0.0)
        return Finding(
            "P2",
            "high",
            "load not reached" if share.surely_below(1.0) else "load exceeded",
            f"{what}: {percent:.1f} % of the intended rate was achieved; latencies belong to the achieved "
            "load.",
            figures,
            tuple(keys),
        )
    return consistent("P2", f"{what}: the intended rate was kept within 1 %.", figures, keys)
