"""P1, P2, P13: operations in flight, rates and bandwidths agree, such as `operations = rate · time`.

Rates in ops/s, times in seconds, all with the bounds of their rounding; a contradiction is only what no
unrounded numbers satisfy. P1: operations in flight are `L = X · mean` (Little's law); two systems are
compared at equal load only if the ratio of their `L` may lie within [0.8, 1.25]. P13: `bytes/s = operations/s
× bytes`. `what` names the subject, `keys` are the claims that it cites. Source: docs/method.md 7, and 4.4
for the intended rate of a generator (±1 %); oracles `little-kioxia`, `little-redis`; findings R03, R04, A06.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tailroom.domain.plausibility.finding import Finding, FindingFigure, NumberBounds, consistent, figure
from tailroom.domain.units import NS_PER_S

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


def runtimes(timed: Sequence[TimedOperations], slack: float = 0.0) -> Iterator[Finding]:
    """Yield a finding for each runtime that differs from operations divided by rate by over the ratio
    `slack`, or one that all agree.
    """
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
    """Return the finding on whether an achieved rate is the intended one within 1 %, both in ops/s. They
    differ only if the bounds prove it. `what` names the subject.
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
        )
    return consistent("P2", f"{what}: the intended rate was kept within 1 %.", figures)


LEAST_RATIO, MOST_RATIO = 0.8, 1.25


def in_flight(throughput: NumberBounds, parts: Sequence[tuple[float, NumberBounds]]) -> NumberBounds:
    """Return the operations in flight, throughput (ops/s) times mean latency, by Little's law. `parts` holds
    a share of the operations and its mean latency in ns; the shares must add up to 1.
    """
    mean = NumberBounds(0.0, 0.0, 0.0)
    for share, of_operation in parts:
        mean = mean.plus(of_operation.times(share))
    return throughput.times(mean).over(float(NS_PER_S))


def concurrency(flight: NumberBounds, allowed: float, what: str) -> Finding:
    """Return the finding on whether more operations are certainly in flight than a closed loop can have.
    `allowed` is threads × pipeline, and `what` names these settings.
    """
    figures = (
        figure("operations in flight", flight, "count"),
        figure(f"at most, by {what}", allowed, "count"),
    )
    if flight.surely_above(allowed):
        statement = (
            f"Rate times mean latency gives at least {flight.lower:,.1f} operations in flight, but {what} "
            f"allow at most {allowed:,.0f}. Rate, mean or concurrency is wrong."
        )
        return Finding("P1", "high", "impossible concurrency", statement, figures)
    words = "" if flight.value is None else f"{flight.value:,.1f} operations in flight by rate and mean: "
    return consistent("P1", f"{words}within the {allowed:,.0f} that {what} allow.", figures)


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


def equal_load(pairs: Sequence[Flights], clients_disclosed: bool) -> Iterator[Finding]:
    """Yield the finding on whether both systems had about as many operations in flight. `clients_disclosed`
    is whether the document states its number of clients.
    """
    if not pairs:
        return
    figures: list[FindingFigure] = []
    for pair in pairs:
        figures += [
            figure(f"{pair.workload}, new", pair.new, "count"),
            figure(f"{pair.workload}, old", pair.old, "count"),
        ]
    keys = tuple(dict.fromkeys(key for pair in pairs for key in pair.keys))
    unequal = [pair for pair in pairs if pair.unequal]
    if not unequal:
        yield consistent("P1", "Both systems held about as many operations in flight.", figures, keys)
        return
    words = ", ".join(
        f"{pair.workload} {_whole_text(pair.new)} against {_whole_text(pair.old)}" for pair in pairs
    )
    named = ", ".join(pair.workload for pair in unequal)
    hidden = "" if clients_disclosed else " How many client threads ran is not disclosed."
    statement = (
        f"Throughput times mean latency gives these operations in flight, new against old: {words}. "
        f"Workloads {named} compare latencies at unequal concurrency.{hidden}"
    )
    yield Finding("P1", "high", "unequal load", statement, tuple(figures), keys)


def _whole_text(ends: NumberBounds) -> str:
    """Return the value without decimals as text, or `unknown` if it is None."""
    return "unknown" if ends.value is None else f"{ends.value:,.0f}"


BITS = 8.0
FAR_BELOW = 0.5
"""Largest ratio of the claimed to the computed bandwidth that is reported as far below."""


def over_link(what: str, payload: NumberBounds, link_bits_per_s: NumberBounds) -> Finding:
    """Return the finding on whether a payload (bytes/s) certainly exceeds the capacity of a link (bits/s)."""
    bits = payload.times(BITS)
    figures = (figure("payload", bits, "bits/s"), figure("link", link_bits_per_s, "bits/s"))
    if bits.surely_above(link_bits_per_s):
        statement = (
            f"{what}: the operations move {(bits.value or 0) / 1e9:,.2f} Gbit/s, more than the link of "
            f"{(link_bits_per_s.value or 0) / 1e9:,.2f} Gbit/s carries."
        )
        return Finding("P13", "high", "bandwidth above link", statement, figures)
    return consistent("P13", f"{what}: the payload fits the link.", figures)


def stated_bandwidth(
    what: str, payload: NumberBounds, stated: NumberBounds, keys: Sequence[str] = ()
) -> Finding:
    """Return the finding on whether a stated bandwidth is rate times size (`payload`), both in bytes/s. They
    differ only if the bounds prove more than 5 %, which are left for headers and rounding.
    """
    figures = (figure("rate times size", payload, "bytes/s"), figure("stated", stated, "bytes/s"))
    if payload.surely_differs(stated, slack=0.05):
        statement = (
            f"{what}: rate times size gives {(payload.value or 0) / 1e6:,.2f} MB/s, "
            f"{(stated.value or 0) / 1e6:,.2f} MB/s are stated."
        )
        return Finding("P13", "medium", "bandwidth", statement, figures, tuple(keys))
    return consistent("P13", f"{what}: rate times size gives the stated bandwidth.", figures, keys)


def needs_amplification(
    what: str, payload: NumberBounds, from_device: float, claimed: NumberBounds, keys: Sequence[str]
) -> Iterator[Finding]:
    """Yield the finding on a device bandwidth that certainly exceeds what the operations of its claim move,
    both in bytes/s. `from_device` is the share of the payload that the device serves.
    """
    read = payload.times(from_device)
    if not read.surely_below(claimed):
        return
    needed = claimed.over(read)
    statement = (
        f"{what}: operations of this size move {(payload.value or 0) / 1e6:,.0f} MB/s, of which "
        f"{(read.value or 0) / 1e6:,.0f} MB/s come from the device; the bandwidth claimed with them needs "
        f"{needed.value:,.1f} times as much."
    )
    figures = (
        figure("payload", payload, "bytes/s"),
        figure("from the device", read, "bytes/s"),
        figure("claimed", claimed, "bytes/s"),
        figure("amplification needed", needed, "x"),
    )
    yield Finding("P13", "high", "claims of different tests combined", statement, figures, tuple(keys))


def units(
    without_time: Sequence[str], implied: Sequence[tuple[str, NumberBounds, NumberBounds, str]]
) -> Iterator[Finding]:
    """Yield the finding on bandwidths without a unit of time (their keys), or below half of what the
    operations imply: tuples (subject, implied bits/s, claimed bits/s, key).
    """
    low = [
        item
        for item in implied
        if item[2].value is not None and item[1].surely_above(item[2].value / FAR_BELOW)
    ]
    if not without_time and not low:
        return
    sentences = [f"{len(without_time)} bandwidths are printed without a unit of time"] if without_time else []
    sentences += [
        f"{what}: {(bits.value or 0) / 1e9:,.2f} Gbit/s of payload, of which only more than "
        f"{(claimed.value or 0) / 1e9:,.0f} Gbit/s is claimed"
        for what, bits, claimed, _ in low
    ]
    yield Finding(
        "P13",
        "medium",
        "units",
        "; ".join(sentences) + ".",
        tuple(figure(f"payload, {what}", bits, "bits/s") for what, bits, _, _ in implied),
        (*without_time, *(key for *_, key in low)),
    )
