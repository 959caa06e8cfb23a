"""P7, P9, P10: numbers stated twice, and numbers that are too regular to be what they are called.

P9: the mean of `r` whole numbers is whole with probability 1/r (remainders equally likely), so `k` printed
means are all whole with probability `r^-k`; at or below one in a million the numbers are not such means. P10:
if more than 100 operations wait for each other, queues make a tail; a maximum (or 99.99 %) below 1.2 times
the mean is implausible. Latencies in ns. Undefined without a number of runs (P9) or an upper end of the tail
(P10). Source: docs/method.md 7; findings K05, R02.

P7: statements about one quantity contradict each other if their bounds do not overlap (approximate numbers
within `ABOUT_FACTOR`). Source: docs/method.md 7; findings D01, D02, X01, X02.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tailroom.domain.plausibility.finding import Finding, NumberBounds, consistent, figure, undecided
from tailroom.domain.units import latency_text, percent_text

DOUBTFUL = 1e-6
"""Largest probability at which whole numbers are reported."""
LEAST_TAIL_RATIO = 1.2
"""Smallest plausible ratio of the end of the tail to the mean."""
AMPLE_TAIL_RATIO = 1.5
"""Below this ratio of an upper bound of the tail to the mean, the tail is undecided. A convention."""
LEAST_IN_FLIGHT = 100.0
"""Operations in flight up to which no tail is expected."""
LEAST_TAIL_SHARE = 0.9999
"""Smallest share of operations whose largest latency is checked as a tail."""


def averages_of_integers(
    integers: int, printed: int, runs: int, what: str, keys: Sequence[str] = ()
) -> Finding:
    """Return the finding of check P9 on whether the `printed` numbers can be means of `runs` whole numbers
    each. `integers` of them are whole; if all are, chance may make that too improbable. `what` names the
    numbers, `keys` are the cited claims.
    """
    probability = float(runs) ** -integers
    figures = (
        figure("printed", printed, "count"),
        figure("whole", integers, "count"),
        figure("runs averaged", runs, "count"),
        figure("by chance once in", float(runs) ** integers, "count"),
    )
    if runs > 1 and integers == printed and probability <= DOUBTFUL:
        statement = (
            f"All {printed} {what} are whole although each is called the mean of {runs} runs: by chance that "
            f"happens with probability {probability:.0e}. They were rounded, or not averaged."
        )
        return Finding("P9", "medium", "averages of whole numbers", statement, figures, tuple(keys))
    return consistent("P9", f"{what[0].upper()}{what[1:]} may be means of {runs} runs.", figures, keys)


def tail(
    label: str,
    mean: NumberBounds,
    end_ns: float,
    share: float,
    *,
    flight: NumberBounds | None,
    keys: Sequence[str] = (),
) -> Iterator[Finding]:
    """Yield the finding of check P10 on whether `share` of the operations can end before `end_ns`, given the
    mean in ns. Nothing unless certainly more than 100 operations are in flight (`flight`), the share is at
    least 99.99 %, and the mean is known.
    """
    if share < LEAST_TAIL_SHARE or mean.value is None or mean.value <= 0:
        return
    ratio = NumberBounds.exactly(end_ns).over(mean)
    if flight is None or not flight.surely_above(LEAST_IN_FLIGHT):
        return
    figures = [
        figure("mean", mean, "ns"),
        figure("tail ends before", end_ns, "ns"),
        figure("tail by mean", ratio, "x"),
        figure("operations in flight", flight, "count"),
    ]
    if ratio.surely_below(LEAST_TAIL_RATIO):
        statement = (
            f"{label}: {percent_text(share)} of the operations below {latency_text(int(end_ns))} at a mean "
            f"of {latency_text(int(mean.value))} is a tail of {ratio.value:.2f} times the mean, with "
            f"{flight.value:,.0f} operations in flight."
        )
        yield Finding("P10", "high", "implausible tail", statement, tuple(figures), tuple(keys))
        return
    if ratio.value is not None and ratio.value < AMPLE_TAIL_RATIO:
        statement = (
            f"{label}: {percent_text(share)} below {latency_text(int(end_ns))} leaves a tail of at most "
            f"{ratio.value:.2f} times the mean with {flight.value:,.0f} operations in flight; below 1.2 it "
            "would be implausible, and the document does not say how far below the limit it ends."
        )
        yield undecided("P10", statement, figures, keys)
        return
    yield consistent("P10", f"{label}: the tail is as wide as queues make it.", figures, keys)


@dataclass(frozen=True, slots=True)
class StatedNumber:
    """A number that a document states at the place `where`, in a `unit` as of figures; `key` is its claim."""

    where: str
    number: NumberBounds
    unit: str
    key: str


def twice(what: str, first: StatedNumber, second: StatedNumber) -> Finding:
    """Return the finding on whether two statements about `what` agree."""
    figures = (
        figure(first.where, first.number, first.unit),
        figure(second.where, second.number, second.unit),
    )
    keys = (first.key, second.key)
    if first.number.surely_differs(second.number):
        statement = (
            f"{what}: {_text(first)} ({first.where}) and {_text(second)} ({second.where}) cannot both be "
            "true."
        )
        return Finding("P7", "high", "contradiction", statement, figures, keys)
    return consistent("P7", f"{what}: {first.where} and {second.where} agree.", figures, keys)


@dataclass(frozen=True, slots=True)
class StatedQuantile:
    """A share of operations stated to end within a limit; `where` is the place and `key` the claim."""

    where: str
    share: float
    limit_ns: int
    key: str


def quantile_twice(what: str, first: StatedQuantile, second: StatedQuantile) -> Iterator[Finding]:
    """Yield the finding on one share with two limits; nothing if shares differ or limits are equal."""
    if first.share != second.share or first.limit_ns == second.limit_ns:
        return
    statement = (
        f"{what}: {percent_text(first.share)} are said to end within {latency_text(first.limit_ns)} "
        f"({first.where}) and within {latency_text(second.limit_ns)} ({second.where}). The weaker statement "
        "follows from the stronger; which of them was measured is not known."
    )
    figures = (
        figure(f"limit, {first.where}", first.limit_ns, "ns"),
        figure(f"limit, {second.where}", second.limit_ns, "ns"),
        figure("share", first.share, "ratio"),
    )
    yield Finding("P7", "high", "two limits for one share", statement, figures, (first.key, second.key))


def load_reached(
    what: str, intended: StatedNumber, achieved: StatedNumber, belongs: Sequence[str]
) -> Iterator[Finding]:
    """Yield the finding on a rate that is named as the load but certainly was not reached. `belongs` are the
    keys of claims printed for that rate.
    """
    if not achieved.number.surely_below(intended.number):
        return
    share = achieved.number.over(intended.number)
    statement = (
        f"{what}: numbers are printed for {_text(intended)}, but {_text(achieved)} were sustained "
        f"({100.0 * (share.value or 0.0):.0f} %). They belong to the lower rate."
    )
    figures = (
        figure("named as the load", intended.number, intended.unit),
        figure("sustained", achieved.number, achieved.unit),
        figure("share sustained", share, "ratio"),
    )
    yield Finding(
        "P7", "high", "load not reached", statement, figures, (intended.key, achieved.key, *belongs)
    )


def _text(stated: StatedNumber) -> str:
    """Return the stated number with its unit, or “no number”."""
    value = stated.number.value
    if value is None:
        return "no number"
    if stated.unit == "ns":
        return latency_text(int(value))
    if stated.unit == "ratio":
        return percent_text(value)
    if stated.unit == "bytes/s":
        return f"{value / 1e6:,.4g} MB/s"
    return f"{value:,.6g} {stated.unit}".replace(" count", "")
