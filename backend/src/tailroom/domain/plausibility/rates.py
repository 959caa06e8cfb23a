"""P1, P2: operations in flight and rates, such as `operations = rate · time`.

Rates in ops/s, times in seconds, all with the bounds of their rounding; a contradiction is only what no
unrounded numbers satisfy. P1: operations in flight are `L = X · mean` (Little's law); two systems are
compared at equal load only if the ratio of their `L` may lie within [0.8, 1.25]. `what` names the subject.
Source: docs/method.md 7, and 4.4 for the intended rate of a generator (±1 %); oracles `little-kioxia`,
`little-redis`; findings R03, R04.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tailroom.domain.claims.claim import Publication
from tailroom.domain.plausibility.finding import (
    Finding,
    FindingFigure,
    NumberBounds,
    bounds_of,
    consistent,
    figure,
    keys_of,
)
from tailroom.domain.plausibility.material import RunSeries, claims_about
from tailroom.domain.units import NS_PER_S

RATE_TOLERANCE = 0.01
LEAST_RATIO, MOST_RATIO = 0.8, 1.25


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


def runtimes(timed: Sequence[TimedOperations], slack: float = 0.0) -> Iterator[Finding]:
    """Yield findings on runtimes off by over the ratio `slack`, or one that all agree."""
    if not timed:
        return
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
        yield from findings
        return
    away = [
        abs(case.expected_s.value - case.runtime_s.value)
        for case in timed
        if case.expected_s.value is not None and case.runtime_s.value is not None
    ]
    statement = f"Operations divided by rate give the stated time in all {len(timed)} cases."
    figures = (
        figure("cases", len(timed), "count"),
        figure("largest difference of the printed numbers", max(away, default=0.0), "s"),
    )
    yield consistent("P2", statement, figures, (key for case in timed for key in case.keys))


def achieved_rate(achieved: NumberBounds, target: NumberBounds, what: str) -> Finding:
    """Return the finding on whether an achieved rate is the intended one within 1 %, both in ops/s."""
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
        )
    return consistent("P2", f"{what}: the intended rate was kept within 1 %.", figures)


def in_flight(throughput: NumberBounds, parts: Sequence[tuple[float, NumberBounds]]) -> NumberBounds:
    """Return the operations in flight, throughput (ops/s) times mean latency, by Little's law. `parts` holds
    a share of the operations and its mean latency in ns; the shares must add up to 1.
    """
    mean = NumberBounds(0.0, 0.0, 0.0)
    for share, of_operation in parts:
        mean = mean.plus(of_operation.times(share))
    return throughput.times(mean).over(float(NS_PER_S))


def concurrency(flight: NumberBounds, allowed: float) -> Finding:
    """Return the finding on whether more operations are certainly in flight than a closed loop can have.
    `allowed` is the product of threads, connections and pipeline.
    """
    figures = (
        figure("operations in flight", flight, "count"),
        figure("at most, by threads and connections", allowed, "count"),
    )
    if flight.surely_above(allowed):
        statement = (
            f"Rate times mean latency gives at least {flight.lower:,.1f} operations in flight, but threads "
            f"and connections allow at most {allowed:,.0f}. Rate, mean or concurrency is wrong."
        )
        return Finding("P1", "high", "impossible concurrency", statement, figures)
    words = "" if flight.value is None else f"{flight.value:,.1f} operations in flight by rate and mean: "
    return consistent("P1", f"{words}within the {allowed:,.0f} that threads and connections allow.", figures)


def flight_of(run: RunSeries) -> tuple[NumberBounds, tuple[str, ...]] | None:
    """Return the operations in flight of a series with the keys of their claims; None if one is missing."""
    rate = run.claim("throughput")
    if rate is None or not run.parts:
        return None
    parts = [(share, bounds_of(claim)) for share, claim in run.parts]
    return in_flight(bounds_of(rate), parts), keys_of([rate, *(claim for _, claim in run.parts)])


def equal_load(publication: Publication, series: Sequence[RunSeries]) -> Iterator[Finding]:
    """Yield the finding of check P1: whether two configurations had about as many operations in flight."""
    configs = list(dict.fromkeys(run.config for run in series if run.config is not None))
    if len(configs) != 2:
        return
    by_place = {(run.config, run.workload): flight_of(run) for run in series}
    figures: list[FindingFigure] = []
    keys: list[str] = []
    words, unequal = [], []
    for workload in dict.fromkeys(run.workload for run in series):
        new, old = by_place.get((configs[0], workload)), by_place.get((configs[1], workload))
        if new is None or old is None:
            continue
        figures += [
            figure(f"{workload}, {age}", side[0], "count") for age, side in (("new", new), ("old", old))
        ]
        keys += [*new[1], *old[1]]
        words.append(f"{workload} {_whole_text(new[0])} against {_whole_text(old[0])}")
        ratio = new[0].over(old[0])
        if ratio.surely_below(LEAST_RATIO) or ratio.surely_above(MOST_RATIO):
            unequal.append(str(workload))
    cited = tuple(dict.fromkeys(keys))
    if figures and not unequal:
        yield consistent("P1", "Both systems held about as many operations in flight.", figures, cited)
    if not unequal:
        return
    is_hidden = any("thread" in fact or "client" in fact for fact in publication.not_disclosed)
    hidden = " How many client threads ran is not disclosed." if is_hidden else ""
    statement = (
        f"Throughput times mean latency gives these operations in flight, new against old: "
        f"{', '.join(words)}. Workloads {', '.join(unequal)} compare latencies at unequal concurrency."
        f"{hidden}"
    )
    yield Finding("P1", "high", "unequal load", statement, tuple(figures), cited)


def _whole_text(ends: NumberBounds) -> str:
    return "unknown" if ends.value is None else f"{ends.value:,.0f}"


def published_runtimes(publication: Publication, series: Sequence[RunSeries]) -> Iterator[Finding]:
    """Yield the findings of check P2: whether operations by throughput give the printed runtimes."""
    counts = claims_about(publication, "operation_count")
    timed = []
    for run in series:
        rate, runtime = run.claim("throughput"), run.claim("runtime")
        if len(counts) == 1 and rate is not None and runtime is not None:
            keys = keys_of((counts[0], rate, runtime))
            operations = bounds_of(counts[0])
            timed.append(TimedOperations(run.label, operations, bounds_of(rate), bounds_of(runtime), keys))
    yield from runtimes(timed)
