"""P9, P10: numbers that are too regular to be what they are called.

P9: the mean of `r` whole numbers is whole with probability 1/r (remainders equally likely), so `k` printed
means are all whole with probability `r^-k`; at or below one in a million the numbers are not such means. P10:
if more than 100 operations wait for each other, queues make a tail; a maximum (or 99.99 %) below 1.2 times
the mean is implausible. Latencies in ns. Undefined without a number of runs (P9) or an upper end of the tail
(P10). Source: docs/method.md 7; findings K05, R02.
"""

from collections.abc import Iterator, Sequence

from tailroom.domain.claims.claim import Publication
from tailroom.domain.plausibility.finding import (
    Finding,
    NumberBounds,
    bounds_of,
    consistent,
    figure,
    keys_of,
    undecided,
)
from tailroom.domain.plausibility.material import ALL, RunSeries, label_of
from tailroom.domain.plausibility.order import QUANTILE
from tailroom.domain.plausibility.rates import flight_of
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


def averages_of_integers(publication: Publication) -> Iterator[Finding]:
    """Yield the finding of check P9: whether percentiles called averages of n runs can be averages of n whole
    numbers. If all are whole, chance may make that too improbable. The number of runs of the first such
    percentile applies to all.
    """
    stated = [
        claim
        for claim in publication.claims
        if claim.quantity == "latency"
        and QUANTILE.fullmatch(claim.statistic or "")
        and "." in claim.printed.as_printed
        and isinstance(claim.conditions.get("averaged_runs"), int | float)
    ]
    if not stated:
        return
    runs = int(float(stated[0].conditions["averaged_runs"] or 1))
    integers = len([c for c in stated if not c.printed.as_printed.rsplit(".", 1)[1].strip("0")])
    probability = float(runs) ** -integers
    figures = (
        figure("printed", len(stated), "count"),
        figure("whole", integers, "count"),
        figure("runs averaged", runs, "count"),
        figure("by chance once in", float(runs) ** integers, "count"),
    )
    if runs > 1 and integers == len(stated) and probability <= DOUBTFUL:
        statement = (
            f"All {len(stated)} percentiles are whole although each is called the mean of {runs} runs: by "
            f"chance that happens with probability {probability:.0e}. They were rounded, or not averaged."
        )
        yield Finding("P9", "medium", "averages of whole numbers", statement, figures, keys_of(stated))
    else:
        yield consistent("P9", f"Percentiles may be means of {runs} runs.", figures, keys_of(stated))


def tails(series: Sequence[RunSeries]) -> Iterator[Finding]:
    """Yield the findings of check P10: whether the tail over all operations is plausible beside its mean."""
    for run in series:
        mean = run.claim("latency", "mean", ALL)
        below = run.claim("share_below", operation=ALL)
        if mean is None or below is None or below.threshold_ns is None or below.printed.value is None:
            continue
        flight = flight_of(run)
        yield from tail(
            label_of(mean),
            bounds_of(mean),
            float(below.threshold_ns),
            below.printed.value,
            flight=flight[0] if flight else None,
            keys=keys_of((mean, below)),
        )


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
