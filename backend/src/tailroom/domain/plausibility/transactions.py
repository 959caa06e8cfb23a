"""P18: consequences of statements about single operations for transactions of N of them, and the reverse.

Parallel: all of N reads end in time with probability `F^N`, so an objective q needs the read quantile
`q^(1/N)`. Sequential: from a mean m follows for any distribution `P(sum ≤ W) ≥ 1 − N·m/W` (Markov). Times in
ns. Source: docs/method.md 1.2, 1.3 and 7; findings D03, D04, D07, K13.
"""

import math
from collections.abc import Iterable, Iterator, Sequence

from tailroom.domain.claims.claim import Publication, PublishedClaim
from tailroom.domain.plausibility.finding import Finding, NumberBounds, bounds_of, consistent, figure, keys_of
from tailroom.domain.plausibility.material import Fact, RunSeries, claims_about, facts_of, label_of
from tailroom.domain.plausibility.order import quantiles_of
from tailroom.domain.units import NS_PER_S, latency_text, percent_text

USUAL_READS, USUAL_WINDOW_NS, USUAL_OBJECTIVE = 250, NS_PER_S, 0.999
"""The fraud check, for results that name no transaction of their own (docs/method.md 1.2)."""


def needed_quantile(reads: float, objective: float) -> float:
    """Return the quantile of single reads that N parallel reads need to be in time with probability q."""
    return math.exp(math.log(objective) / reads)


def transactions(publication: Publication, facts: Sequence[Fact]) -> Iterator[Finding]:
    """Yield the findings of P18 and P2 on statements about transactions, of 1 s unless an SLA is stated."""
    reads = next((c for c in claims_about(publication, "reads_per_transaction")), None)
    if reads is None or not reads.printed.value:
        return
    number = reads.printed.value
    window = next((c.printed.value for c in claims_about(publication, "sla")), None)
    window_ns = NS_PER_S if window is None else window * NS_PER_S
    shares = [
        c
        for c in claims_about(publication, "share_below")
        if c.threshold_ns is not None and c.operation == "READ"
    ]
    yield from _share_says_nothing(shares, number, window_ns)
    timed = [c for c in claims_about(publication, "latency") if c.operation == "TRANSACTION"]
    device = [fact for item in {c.item for c in timed} for fact in facts_of(facts, item, "read_latency")]
    if device:
        yield from _sequential_possible(timed, number, device[0].ends)
    rates = claims_about(publication, "transaction_rate")
    loads = {c.printed.value for c in claims_about(publication, "read_rate") if c.printed.value}
    if rates and loads:
        yield _rates_covered(bounds_of(rates[0]), number, loads, keys_of([*rates, reads]))


def _share_says_nothing(
    claims: Sequence[PublishedClaim], reads: float, window_ns: float
) -> Iterator[Finding]:
    """Yield the finding on shares of single reads that are too small for transactions of N `reads`."""
    objective = USUAL_OBJECTIVE
    stated = [(claim.threshold_ns or 0, claim.printed.value or 0.0, claim.key) for claim in claims]
    weak = [entry for entry in stated if entry[1] < needed_quantile(reads, objective)]
    if not weak:
        return
    limit_ns, share, _ = min(weak, key=lambda entry: entry[0])
    together = share**reads
    sequential = reads * limit_ns
    late = " and that exceeds the window" if sequential > window_ns else ""
    words = (
        f"{percent_text(share)} of single reads within {latency_text(limit_ns)} says nothing "
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
    yield Finding("P18", "high", "not derivable", words, figures, tuple(key for _, _, key in weak))


def _sequential_possible(
    timed: Sequence[PublishedClaim], reads: float, device: NumberBounds
) -> Iterator[Finding]:
    """Yield for each stated time (ns) whether N `reads` in sequence fit it at the latency of the device."""
    for claim in timed:
        whole_ns = claim.printed.value or 0.0
        whole = NumberBounds(None, whole_ns, whole_ns)
        each = whole.over(reads)
        keys = (claim.key, timed[0].key)
        figures = (
            figure("stated time", whole, "ns"),
            figure("for each read, one after another", each, "ns"),
            figure("latency of the device", device, "ns"),
        )
        left = latency_text(int(each.upper or 0.0))
        if each.surely_below(device):
            statement = (
                f"{label_of(claim)}: {reads:g} reads in {latency_text(int(whole_ns))} leave {left} for each, "
                f"less than the {latency_text(int(device.value or 0))} of the device alone. The reads ran "
                "together, or the transaction is smaller; neither is disclosed."
            )
            yield Finding("P18", "high", "implausible if sequential", statement, figures, keys)
        else:
            words = f"{left} for each of {reads:g} sequential reads is possible."
            yield consistent("P18", f"{label_of(claim)}: {words}", figures, keys)


def _rates_covered(
    rate: NumberBounds, reads: float, loads: Iterable[float], keys: tuple[str, ...]
) -> Finding:
    """Return the finding of check P2: is a transaction rate each tested read rate (`loads`) by N `reads`?"""
    each = sorted({load / reads for load in loads})
    missing = [quotient for quotient in each if rate.surely_differs(quotient, slack=0.01)]
    figures = (
        figure("stated rate", rate, "ops/s"),
        *(figure("reads by N", quotient, "ops/s") for quotient in each),
    )
    if not missing:
        words = "The transaction rate is the read rate divided by the reads of each."
        return consistent("P2", words, figures, keys)
    covered = "fits none" if len(missing) == len(each) else "covers only a part"
    statement = (
        f"{rate.value:,.0f} transactions per second {covered} of the tested read rates: with {reads:g} "
        f"reads each they give {', '.join(f'{quotient:,.0f}' for quotient in each)}."
    )
    return Finding("P2", "medium", "incomplete", statement, figures, keys)


def tail_not_published(series: Sequence[RunSeries]) -> Iterator[Finding]:
    """Yield the finding on series whose highest quantile of reads is too low for the usual transaction."""
    reads, window_ns, objective = USUAL_READS, USUAL_WINDOW_NS, USUAL_OBJECTIVE
    needed = needed_quantile(reads, objective)
    shares, sums, guarantees, keys = [], [], [], []
    for run in series:
        mean = run.claim("latency", "mean", "READ")
        quantiles = sorted(quantiles_of(run, "READ"), key=lambda quantile: quantile.at)
        if mean is None or not mean.printed.value or not quantiles:
            continue
        last = quantiles[-1]
        if last.at >= needed or not last.number.value:
            continue
        guarantee = max(0.0, 1.0 - reads * (mean.printed.upper or math.inf) / window_ns)
        shares.append(last.at)
        sums.append(reads * last.number.value)
        guarantees.append((run.label, guarantee))
        keys += [mean.key, last.key]
    if not shares:
        return
    surely = [guarantee for _, guarantee in guarantees]
    yield Finding(
        "P18",
        "medium",
        "tail not published",
        f"Nothing above the {100 * max(shares):g} % quantile is published. Nothing supports a statement "
        f"about {percent_text(objective)} of transactions of {reads:g} reads in "
        f"{latency_text(int(window_ns))}, although {reads:g} times that quantile is only "
        f"{min(sums) / 1e6:.0f} to {max(sums) / 1e6:.0f} ms. The means guarantee "
        f"{percent_text(min(surely))} to {percent_text(max(surely))}, whatever the law.",
        (
            figure("quantile needed", needed, "ratio"),
            figure(f"smallest {reads:g} × quantile", min(sums), "ns"),
            figure(f"largest {reads:g} × quantile", max(sums), "ns"),
            *(figure(f"guaranteed by the mean, {label}", share, "ratio") for label, share in guarantees),
        ),
        tuple(keys),
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
