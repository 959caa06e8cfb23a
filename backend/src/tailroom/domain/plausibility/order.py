"""P3, P5, P6, P8: numbers that must be in order, and rows that must be what their labels say.

P3: percentiles, shares over limits and the mean. P5: the whole latency is never shorter than its part on the
device, so at each limit the share by total is at least the share by device. P6: under more load no smaller
share is slow. P8: a row contains the operation that its label names, and a read-modify-write its read.
Latencies in ns, shares as ratios. Each compares bounds: only an order that no unrounded numbers satisfy is a
contradiction. Source: docs/method.md 7, 1.2 (p-box of percentiles and mean) and 4.5 (YCSB counts RMW = read +
update); findings K01, K02, D05.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.knots import MeanContradictsKnots
from tailroom.domain.latency.published import from_percentiles
from tailroom.domain.plausibility.finding import Finding, NumberBounds, consistent, figure
from tailroom.domain.units import latency_text, percent_text


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


def thresholds(label: str, shares: Sequence[OrderedNumber]) -> Iterator[Finding]:
    """Yield a finding of check P3 for each share certainly above the share over a lower limit."""
    for first, second in breaks(shares, falling=True):
        lower, higher = latency_text(int(first.at)), latency_text(int(second.at))
        words = f"{label}: a larger share is over {higher} than over {lower}."
        yield _out_of_order("thresholds", words, "ratio", first, second)


def _out_of_order(kind: str, words: str, unit: str, *pair: OrderedNumber) -> Finding:
    """Return the finding of check P3 on two numbers in the wrong order."""
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
    """Return the least mean in ns that the lower bounds of the quantiles allow."""
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


def monotone_in_load(label: str, shares: Sequence[OrderedNumber]) -> Iterator[Finding]:
    """Yield a finding of check P6 for each load (`at`) with a larger slow share than a higher load."""
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


UPDATE = "UPDATE"
INSERT = "INSERT"
READ_MODIFY_WRITE = "READ-MODIFY-WRITE"
_LABEL_WORDS = (
    (READ_MODIFY_WRITE, ("read-modify-write", "read modify write", "rmw")),
    (UPDATE, ("update",)),
    (INSERT, ("insert",)),
    ("READ", ("read",)),
)


def operation_named(label: str) -> str | None:
    """Return the operation that a row label names, as `READ`, the most specific if several; None if none."""
    text = label.lower()
    return next((name for name, words in _LABEL_WORDS if any(word in text for word in words)), None)


def row_labels(
    table: str,
    stated: str,
    rows: Sequence[tuple[str, str]],
    parts: Sequence[tuple[str, NumberBounds, NumberBounds]] = (),
) -> Iterator[Finding]:
    """Yield the finding on rows `(label, key)` that name another operation than `stated`, that of the table's
    title. `parts` holds (system, mean read latency, mean latency of the labelled operation), which may show
    the true operation.
    """
    wrong = [(label, key) for label, key in rows if operation_named(label) not in {None, stated}]
    if not wrong:
        return
    named = operation_named(wrong[0][0])
    figures = []
    above = False
    for system, read, other in parts:
        left = other.minus(read)
        figures += [
            figure(f"{system}: read", read, "ns"),
            figure(f"{system}: labelled {named}", other, "ns"),
            figure(f"{system}: difference", left, "ns"),
        ]
        above = above or other.surely_above(read)
    differences = " and ".join(
        f"{((other.value or 0) - (read.value or 0)) / 1e3:,.2f} µs" for _, read, other in parts
    )
    tells = (
        f" The values lie above the reads by {differences}, as a read with an update does and an update "
        "alone does not."
        if above and stated == READ_MODIFY_WRITE
        else ""
    )
    statement = (
        f"{table}: the title says {stated.lower()}, {len(wrong)} rows say {str(named).lower()}.{tells}"
    )
    yield Finding(
        "P8", "high", "mislabelled table", statement, tuple(figures), tuple(key for _, key in wrong)
    )


def contains_read(
    label: str, read: NumberBounds, modify: NumberBounds, usual: NumberBounds | None, keys: Sequence[str]
) -> Finding:
    """Return the finding on whether read-modify-writes take at least as long as reads, by their means in ns.
    `usual`, the mean of updates in another workload of the system or None, is only shown.
    """
    left = modify.minus(read)
    figures = [
        figure("read", read, "ns"),
        figure("read-modify-write", modify, "ns"),
        figure("update part", left, "ns"),
    ]
    if usual is not None:
        figures.append(figure("update elsewhere", usual, "ns"))
    if modify.surely_below(read):
        statement = (
            f"{label}: a read-modify-write contains a read, but its mean is printed below that of the reads."
        )
        return Finding("P8", "high", "read-modify-write below read", statement, tuple(figures), tuple(keys))
    return consistent("P8", f"{label}: the read-modify-write takes longer than its read.", figures, keys)


def no_statistic(claims: Sequence[tuple[str, str, NumberBounds]]) -> Iterator[Finding]:
    """Yield the finding on latencies `(label, key, number)` without a named statistic, if any."""
    if not claims:
        return
    yield Finding(
        "P8",
        "medium",
        "undefined statistic",
        f"{len(claims)} latencies name neither mean nor percentile nor maximum: "
        + ", ".join(where for where, _, _ in claims)
        + ".",
        tuple(figure(where, number, "ns") for where, _, number in claims),
        tuple(key for _, key, _ in claims),
    )
