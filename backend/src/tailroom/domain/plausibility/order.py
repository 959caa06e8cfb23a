"""P3, P5, P6: numbers that must be in order.

P3: percentiles, shares over limits and the mean. P5: the whole latency is never shorter than its part on the
device, so at each limit the share by total is at least the share by device. P6: under more load no smaller
share is slow. Latencies in ns, shares as ratios. Only an order that no unrounded numbers satisfy is a
contradiction. Source: docs/method.md 7, 1.2 (p-box of percentiles and mean).
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.knots import MeanContradictsKnots
from tailroom.domain.latency.published import from_percentiles
from tailroom.domain.plausibility.finding import Finding, NumberBounds, bounds_of, consistent, figure
from tailroom.domain.plausibility.material import DEVICE, TOTAL, DriveRow, RunSeries
from tailroom.domain.units import latency_text, percent_text

QUANTILE = re.compile(r"p(\d+(?:\.\d+)?)")
"""Statistic of a claim that is a percentile."""


@dataclass(frozen=True, slots=True)
class OrderedNumber:
    """A number at a position `at` (a quantile, a limit in ns or a load), with the key of its claim."""

    at: float
    label: str
    number: NumberBounds
    key: str


def breaks(
    numbers: Sequence[OrderedNumber], *, falling: bool = False
) -> list[tuple[OrderedNumber, OrderedNumber]]:
    """Return each number that contradicts the order, after the last number before it that it contradicts.
    Numbers should rise with `at`, or fall with `falling`. All pairs are compared, not only neighbours,
    because wide bounds may hide a contradiction.
    """
    ordered = sorted(numbers, key=lambda placed: placed.at)
    test = NumberBounds.surely_below if falling else NumberBounds.surely_above
    broken: list[tuple[OrderedNumber, OrderedNumber]] = []
    for place, later in enumerate(ordered):
        before = [placed for placed in ordered[:place] if placed.at < later.at]
        wrong = [earlier for earlier in before if test(earlier.number, later.number)]
        if wrong:
            broken.append((wrong[-1], later))
    return broken


def percentiles(label: str, quantiles: Sequence[OrderedNumber]) -> Iterator[Finding]:
    """Yield a finding of check P3 for each quantile certainly below an earlier quantile."""
    for first, second in breaks(quantiles):
        words = f"{label}: the {second.label} lies below the {first.label}."
        yield _out_of_order("percentiles", words, "ns", first, second)


def thresholds(rows: Sequence[DriveRow]) -> Iterator[Finding]:
    """Yield the findings of check P3 on shares that grow with their limit, or one that none does."""
    findings: list[Finding] = []
    checked = 0
    for row in rows:
        for clock, shares in row.shares.items():
            checked += len(shares) > 1
            placed = [
                OrderedNumber(at, f"over {latency_text(at)}", ends, key) for at, (ends, key) in shares.items()
            ]
            for first, second in breaks(placed, falling=True):
                lower, higher = latency_text(int(first.at)), latency_text(int(second.at))
                words = f"{row.label}, {clock}: a larger share is over {higher} than over {lower}."
                findings.append(_out_of_order("thresholds", words, "ratio", first, second))
    yield from findings
    if checked and not findings:
        words = f"In all {len(rows)} rows no larger share is over a later limit."
        yield consistent("P3", words, (figure("rows", len(rows), "count"),))


def published_percentiles(series: Sequence[RunSeries]) -> Iterator[Finding]:
    """Yield the findings of check P3 on percentiles and means, or one that all series are in order."""
    findings: list[Finding] = []
    checked = 0
    for run in series:
        for operation in run.operations:
            placed = quantiles_of(run, operation)
            mean = run.claim("latency", "mean", operation)
            label = f"{run.label} {operation.lower()}".strip()
            if len(placed) > 1 or (placed and mean is not None):
                checked += 1
            findings += percentiles(label, placed)
            if mean is not None:
                findings += mean_fits(label, bounds_of(mean), placed, mean.key)
    yield from findings
    if checked and not findings:
        words = f"Means and percentiles of all {checked} series are in order."
        yield consistent("P3", words, (figure("series", checked, "count"),))


def quantiles_of(run: RunSeries, operation: str) -> list[OrderedNumber]:
    """Return the printed latency percentiles of an operation, in document order; empty if there are none."""
    placed = []
    for claim in run.claims:
        match = QUANTILE.fullmatch(claim.statistic or "")
        if claim.quantity == "latency" and claim.operation == operation and match is not None:
            number = bounds_of(claim)
            placed.append(OrderedNumber(float(match[1]) / 100.0, str(claim.statistic), number, claim.key))
    return placed


def _out_of_order(kind: str, words: str, unit: str, *pair: OrderedNumber) -> Finding:
    figures = tuple(figure(placed.label, placed.number, unit) for placed in pair)
    return Finding("P3", "high", f"{kind} out of order", words, figures, tuple(placed.key for placed in pair))


def mean_fits(
    label: str, mean: NumberBounds, quantiles: Sequence[OrderedNumber], key: str
) -> Iterator[Finding]:
    """Yield the finding of check P3 on a mean in ns that is below the least mean that the quantiles allow:
    `m_L = Σ (p_{i+1} − p_i) x_i + (1 − p_K) x_K`.
    """
    bounded = [quantile for quantile in quantiles if quantile.number.lower is not None]
    if mean.upper is None or not bounded:
        return
    try:
        from_percentiles(
            [(repr(quantile.at), int(quantile.number.lower or 0.0)) for quantile in bounded],
            mean_limits_ns=(0.0, mean.upper),
        )
    except MeanContradictsKnots:
        least = _least_mean(bounded)
        yield Finding(
            "P3",
            "high",
            "mean below its percentiles",
            f"{label}: a mean of {latency_text(int(mean.value or mean.upper))} is too small for the "
            f"percentiles beside it, which need at least {latency_text(int(least))}.",
            (figure("mean", mean, "ns"), figure("least mean of the percentiles", least, "ns")),
            (key, *(quantile.key for quantile in bounded)),
        )
    except DomainError:
        pass  # `percentiles` reports percentiles that contradict each other.


def _least_mean(quantiles: Sequence[OrderedNumber]) -> float:
    ordered = sorted(quantiles, key=lambda quantile: quantile.at)
    edges = [*(quantile.at for quantile in ordered), 1.0]
    return sum(
        (edges[i + 1] - edges[i]) * (quantile.number.lower or 0.0) for i, quantile in enumerate(ordered)
    )


def total_at_least_device(
    label: str, at_ns: int, total: NumberBounds, device: NumberBounds, keys: Sequence[str]
) -> Iterator[Finding]:
    """Yield the finding of check P5 on a share certainly larger by device than in total, if it is."""
    if not device.surely_above(total):
        return
    yield Finding(
        "P5",
        "high",
        "device above total",
        f"{label}: at {latency_text(at_ns)} the share by device is larger than the share by total, "
        "which contains it.",
        (figure("total", total, "ratio"), figure("device", device, "ratio")),
        tuple(keys),
    )


def total_and_device(rows: Sequence[DriveRow]) -> Iterator[Finding]:
    """Yield the findings of check P5 on device shares above the total share, or one that there are none."""
    both = [row for row in rows if TOTAL in row.shares and DEVICE in row.shares]
    findings: list[Finding] = []
    for row in both:
        for at in row.shares[TOTAL].keys() & row.shares[DEVICE].keys():
            (total, first), (device, second) = row.shares[TOTAL][at], row.shares[DEVICE][at]
            findings += total_at_least_device(row.label, at, total, device, (first, second))
    yield from findings
    if both and not findings:
        words = f"The share by total is at least the share by device in all {len(both)} rows that give both."
        yield consistent("P5", words, (figure("rows", len(both), "count"),))


def monotone_shares(rows: Sequence[DriveRow]) -> Iterator[Finding]:
    """Yield the findings of check P6 on slow shares that fall with the load, or one that none does."""
    series: dict[tuple[str, str, int], list[OrderedNumber]] = defaultdict(list)
    for row in rows:
        for name, shares in row.shares.items():
            for at, (ends, key) in shares.items():
                if row.load is not None:
                    series[row.set_up, name, at].append(OrderedNumber(row.load, f"{row.load:g}x", ends, key))
    for clock in dict.fromkeys(name for _, name, _ in series):
        comparable = {
            place: placed for place, placed in series.items() if place[1] == clock and len(placed) > 1
        }
        findings = [
            finding
            for (set_up, _, at), placed in comparable.items()
            for finding in _monotone_in_load(f"{set_up}, {clock}, over {latency_text(at)}", placed)
        ]
        yield from findings
        drives = {set_up for set_up, _, _ in comparable}
        if comparable and not findings:
            words = (
                f"By {clock}, the slow share grows with the load for every drive tested at several loads "
                f"({len(drives)})."
            )
            yield consistent("P6", words, (figure("drives", len(drives), "count"),))


def _monotone_in_load(label: str, shares: Sequence[OrderedNumber]) -> Iterator[Finding]:
    peaks: dict[str, list[OrderedNumber]] = {}
    first_of = {}
    for first, second in breaks(shares):
        first_of[first.key] = first
        peaks.setdefault(first.key, []).append(second)
    for key, later in peaks.items():
        first = first_of[key]
        lower = " and ".join(f"{percent_text(each.number.value or 0.0)} at {each.at:g}x" for each in later)
        yield Finding(
            "P6",
            "medium",
            "not monotone in load",
            f"{label}: {percent_text(first.number.value or 0.0)} at {first.at:g}x, but only {lower}. The "
            "lower load was not like the others, or one number is not right.",
            tuple(figure(f"at {each.at:g}x", each.number, "ratio") for each in (first, *later)),
            (key, *(each.key for each in later)),
        )
