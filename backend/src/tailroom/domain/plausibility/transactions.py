"""P18: consequences of statements about single operations for transactions of N of them, and the reverse.

Parallel: all of N reads end in time with probability `F^N`, so an objective q needs the read quantile
`q^(1/N)`. Sequential: from a mean m follows for any distribution `P(sum ≤ W) ≥ 1 − N·m/W` (Markov). Times in
ns. Source: docs/method.md 1.2, 1.3 and 7; findings D03, D04, D07, K13.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tailroom.domain.plausibility.finding import Finding, NumberBounds, consistent, figure
from tailroom.domain.plausibility.samples import StatedNumber, StatedQuantile
from tailroom.domain.units import NS_PER_S, latency_text, percent_text

USUAL_READS, USUAL_WINDOW_NS, USUAL_OBJECTIVE = 250, NS_PER_S, 0.999
"""The fraud check, for results that name no transaction of their own (docs/method.md 1.2)."""


def needed_quantile(reads: float, objective: float) -> float:
    """Return the quantile of single reads that N parallel reads need to be in time with probability q."""
    return math.exp(math.log(objective) / reads)


def percentile_says_nothing(
    statements: Sequence[StatedQuantile], reads: float, window_ns: float
) -> Iterator[Finding]:
    """Yield the finding on shares of single reads that are too small for transactions of N `reads`, of which
    the share `USUAL_OBJECTIVE` must end within `window_ns`.
    """
    objective = USUAL_OBJECTIVE
    weak = [statement for statement in statements if statement.share < needed_quantile(reads, objective)]
    if not weak:
        return
    first = min(weak, key=lambda statement: statement.limit_ns)
    together = first.share**reads
    sequential = reads * first.limit_ns
    late = " and that exceeds the window" if sequential > window_ns else ""
    words = (
        f"{percent_text(first.share)} of single reads within {latency_text(first.limit_ns)} says nothing "
        f"about {reads:g} of them: in parallel all are in time with probability {together:.1e}, half of "
        f"the transactions need the {100 * needed_quantile(reads, 0.5):.3f} % quantile and "
        f"{percent_text(objective)} of them the {100 * needed_quantile(reads, objective):.4f} % one; one "
        f"after another they may take {latency_text(int(sequential))}{late}."
    )
    figures = (
        figure("all in time, independent", together, "ratio"),
        figure("quantile for half", needed_quantile(reads, 0.5), "ratio"),
        figure("quantile for the objective", needed_quantile(reads, objective), "ratio"),
        figure("one after another, at the limit", sequential, "ns"),
        figure("window", window_ns, "ns"),
    )
    yield Finding("P18", "high", "not derivable", words, figures, tuple(statement.key for statement in weak))


def sequential_possible(
    stated: Sequence[StatedNumber], reads: float, device: NumberBounds, device_key: str
) -> Iterator[Finding]:
    """Yield, for each stated time of a transaction, the finding on whether N `reads` in sequence fit it at
    the latency of the device, all in ns. `device_key` is the claim of that latency.
    """
    for whole in stated:
        each = whole.number.over(reads)
        value = each.upper if each.upper is not None else each.value
        if value is None:
            continue
        keys = (whole.key, device_key)
        figures = (
            figure("stated time", whole.number, "ns"),
            figure("for each read, one after another", each, "ns"),
            figure("latency of the device", device, "ns"),
        )
        if each.surely_below(device):
            statement = (
                f"{whole.where}: {reads:g} reads in {latency_text(int(whole.number.value or 0))} leave "
                f"{latency_text(int(value))} for each, less than the {latency_text(int(device.value or 0))} "
                "of the device alone. The reads ran together, or the transaction is smaller; neither is "
                "disclosed."
            )
            yield Finding("P18", "high", "implausible if sequential", statement, figures, keys)
        else:
            words = f"{latency_text(int(value))} for each of {reads:g} sequential reads is possible."
            yield consistent("P18", f"{whole.where}: {words}", figures, keys)


def rates_covered(
    rate: NumberBounds, reads: float, loads: Sequence[float], keys: Sequence[str]
) -> Iterator[Finding]:
    """Yield the finding of check P2 on whether a stated transaction rate is each of the tested read rates
    (`loads`, per second) divided by N `reads`.
    """
    each = sorted({load / reads for load in loads})
    missing = [quotient for quotient in each if rate.surely_differs(quotient, slack=0.01)]
    figures = (
        figure("stated rate", rate, "ops/s"),
        *(figure("reads by N", quotient, "ops/s") for quotient in each),
    )
    if not missing:
        yield consistent(
            "P2", "The transaction rate is the read rate divided by the reads of each.", figures, keys
        )
        return
    if len(missing) == len(each):
        word = "fits none of the tested read rates"
    else:
        word = "covers only a part of the tested read rates"
    statement = (
        f"{rate.value:,.0f} transactions per second {word}: with {reads:g} reads each they give "
        + ", ".join(f"{quotient:,.0f}" for quotient in each)
        + "."
    )
    yield Finding("P2", "medium", "incomplete", statement, figures, tuple(keys))


@dataclass(frozen=True, slots=True)
class Tail:
    """Published mean and highest quantile of reads in ns; `last_share` is that quantile, from 0 to 1."""

    label: str
    mean: NumberBounds
    last: NumberBounds
    last_share: float
    keys: tuple[str, ...]


def tail_not_published(tails: Sequence[Tail]) -> Iterator[Finding]:
    """Yield the finding on results whose highest published quantile is too low for the usual transaction.
    Results without a mean or quantile are skipped.
    """
    reads, window_ns, objective = USUAL_READS, USUAL_WINDOW_NS, USUAL_OBJECTIVE
    needed = needed_quantile(reads, objective)
    open_ended = [
        result for result in tails if result.last_share < needed and result.last.value and result.mean.value
    ]
    if not open_ended:
        return
    guarantees = [
        max(0.0, 1.0 - reads * (result.mean.upper or math.inf) / window_ns) for result in open_ended
    ]
    sums = [reads * (result.last.value or 0.0) for result in open_ended]
    share = max(result.last_share for result in open_ended)
    yield Finding(
        "P18",
        "medium",
        "tail not published",
        f"Nothing above the {100 * share:g} % quantile is published. Nothing supports a statement "
        f"about {percent_text(objective)} of transactions of {reads:g} reads in "
        f"{latency_text(int(window_ns))}, although {reads:g} times that quantile is only "
        f"{min(sums) / 1e6:.0f} to {max(sums) / 1e6:.0f} ms. The means guarantee "
        f"{percent_text(min(guarantees))} to {percent_text(max(guarantees))}, whatever the law.",
        (
            figure("quantile needed", needed, "ratio"),
            figure(f"smallest {reads:g} × quantile", min(sums), "ns"),
            figure(f"largest {reads:g} × quantile", max(sums), "ns"),
            *(
                figure(f"guaranteed by the mean, {result.label}", guarantee, "ratio")
                for result, guarantee in zip(open_ended, guarantees, strict=True)
            ),
        ),
        tuple(key for result in open_ended for key in result.keys),
    )


def measured_against_reads(reads: int, transaction_mean: NumberBounds, read_min: NumberBounds) -> Finding:
    """Return the finding on whether transactions last at least N `reads` times the shortest read (ns)."""
    least = read_min.times(float(reads))
    figures = (
        figure("mean transaction", transaction_mean, "ns"),
        figure(f"{reads} × shortest read", least, "ns"),
    )
    if transaction_mean.surely_below(least):
        statement = (
            f"Transactions with {reads} reads one after another take less on average than {reads} times the "
            "shortest read."
        )
        return Finding("P18", "high", "transactions shorter than their reads", statement, figures)
    return consistent("P18", f"Transactions take at least {reads} times the shortest read.", figures)
