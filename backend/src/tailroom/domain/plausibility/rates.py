"""P2: operations, time and rate agree: `operations = rate · time`.

Rates in ops/s, times in seconds, all with the bounds of their rounding; a contradiction is only what no
unrounded numbers satisfy. Undefined if one of the three is missing. Source: docs/method.md 7, P2, and 4.4 for
the intended rate of a generator (±1 %).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tailroom.domain.plausibility.finding import Finding, consistent, figure
from tailroom.domain.plausibility.number_bounds import NumberBounds

RATE_TOLERANCE = 0.01


@dataclass(frozen=True, slots=True)
class TimedOperations:
    """A number of operations with their stated rate (ops/s) and stated run time (s)."""

    label: str
    operations: NumberBounds
    rate: NumberBounds
    runtime_s: NumberBounds
    keys: tuple[str, ...] = ()

    @property
    def expected_s(self) -> NumberBounds:
        """Operations divided by rate, in seconds."""
        return self.operations.over(self.rate)


def runtimes(timed: Sequence[TimedOperations], slack: float = 0.0) -> list[Finding]:
    """Return a finding for each runtime that certainly differs from operations divided by rate, or a single
    finding that all agree; empty for no runtimes.

    `slack`: relative tolerance beyond the bounds.
    """
    if not timed:
        return []
    findings = [
        Finding(
            "P2",
            "high",
            "operations, time and rate",
            f"{case.label}: {case.operations.value:,.0f} operations at {case.rate.value:,.1f} per second take"
            f" {case.expected_s.value:,.2f} s, but {case.runtime_s.value:,.2f} s are stated.",
            (figure("operations by rate", case.expected_s, "s"), figure("stated time", case.runtime_s, "s")),
            case.keys,
        )
        for case in timed
        if case.expected_s.surely_differs(case.runtime_s, slack=slack)
    ]
    if findings:
        return findings
    away = [
        abs(case.expected_s.value - case.runtime_s.value)
        for case in timed
        if case.expected_s.value is not None and case.runtime_s.value is not None
    ]
    return [
        consistent(
            "P2",
            f"Operations divided by rate give the stated time in all {len(timed)} cases.",
            (
                figure("cases", len(timed), "count"),
                figure("largest difference of the printed numbers", max(away, default=0.0), "s"),
            ),
            (key for case in timed for key in case.keys),
        )
    ]


def achieved_rate(
    achieved: NumberBounds, target: NumberBounds, what: str, keys: Sequence[str] = ()
) -> Finding:
    """Return the finding on whether the achieved rate is the intended rate within 1 %, both in ops/s; it is
    unless the difference is certainly larger.

    `what` names the subject in the sentence, `keys` are the claims that it cites.
    """
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
