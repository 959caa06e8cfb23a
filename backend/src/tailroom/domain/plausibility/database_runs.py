"""Checks on published runs of databases: P1 to P4, P8 to P10, P13, P15 of gains, P18."""

import re
from collections.abc import Iterator, Sequence

from tailroom.domain.claims.claim import Publication, PublishedClaim, Relation
from tailroom.domain.plausibility.finding import Finding, NumberBounds, bounds_of, consistent, figure, keys_of
from tailroom.domain.plausibility.gains import GainKind, PrintedGain, gains
from tailroom.domain.plausibility.material import ALL, RunSeries, claims_about, run_series
from tailroom.domain.plausibility.order import (
    READ_MODIFY_WRITE,
    UPDATE,
    OrderedNumber,
    contains_read,
    mean_fits,
    no_statistic,
    operation_named,
    percentiles,
    row_labels,
)
from tailroom.domain.plausibility.rates import (
    BITS,
    Flights,
    TimedOperations,
    equal_load,
    in_flight,
    needs_amplification,
    runtimes,
    units,
)
from tailroom.domain.plausibility.samples import averages_of_integers, tail
from tailroom.domain.plausibility.transactions import Tail, tail_not_published

READ = "READ"
_QUANTILE = re.compile(r"p(\d+(?:\.\d+)?)")
_SINGLE = frozenset({READ, UPDATE, "INSERT", READ_MODIFY_WRITE})


def audit_database_runs(publication: Publication) -> Iterator[Finding]:
    """Yield the findings on throughput, runtime, latencies, gains and bandwidths of published runs."""
    series = run_series(publication)
    yield from _in_flight(publication, series)
    yield from _runtimes(publication, series)
    yield from _percentiles(series)
    yield from _gains(publication)
    yield from _labels(publication, series)
    yield from _averages(publication)
    yield from _tails(series)
    yield from _bandwidths(publication, series)
    yield from _no_tail(series)


def flight_of(run: RunSeries) -> tuple[NumberBounds, tuple[str, ...]] | None:
    """Return the operations in flight of a series, with the keys of the claims that they are calculated from.
    None if the throughput or every mean latency is missing.
    """
    rate = run.claim("throughput")
    if rate is None or not run.parts:
        return None
    parts = [(share, bounds_of(claim)) for share, claim in run.parts]
    return in_flight(bounds_of(rate), parts), keys_of([rate, *(claim for _, claim in run.parts)])


def _in_flight(publication: Publication, series: Sequence[RunSeries]) -> Iterator[Finding]:
    """Yield the finding of check P1: whether two configurations had about as many operations in flight."""
    configs = list(dict.fromkeys(run.config for run in series if run.config is not None))
    if len(configs) != 2:
        return
    by_place = {(run.config, run.workload): flight_of(run) for run in series}
    pairs = []
    for workload in dict.fromkeys(run.workload for run in series):
        new, old = by_place.get((configs[0], workload)), by_place.get((configs[1], workload))
        if new is not None and old is not None:
            pairs.append(Flights(str(workload), new[0], old[0], (*new[1], *old[1])))
    hidden = any("thread" in fact or "client" in fact for fact in publication.not_disclosed)
    yield from equal_load(pairs, clients_disclosed=not hidden)


def _runtimes(publication: Publication, series: Sequence[RunSeries]) -> Iterator[Finding]:
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


def _percentiles(series: Sequence[RunSeries]) -> Iterator[Finding]:
    """Yield the findings of check P3 on percentiles and means, or one that all series are in order."""
    findings: list[Finding] = []
    checked = 0
    for run in series:
        for operation in run.operations:
            placed = _quantiles(run, operation)
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


def _quantiles(run: RunSeries, operation: str) -> list[OrderedNumber]:
    """Return the printed latency percentiles of an operation, in document order; empty if there are none."""
    placed = []
    for claim in run.claims:
        match = _QUANTILE.fullmatch(claim.statistic or "")
        if claim.quantity == "latency" and claim.operation == operation and match is not None:
            number = bounds_of(claim)
            placed.append(OrderedNumber(float(match[1]) / 100.0, str(claim.statistic), number, claim.key))
    return placed


def _gains(publication: Publication) -> Iterator[Finding]:
    """Yield the findings on printed gains (check P4), and on largest gains and missing baselines (P15)."""
    rows: dict[str, list[PublishedClaim]] = {}
    for claim in publication.claims:
        rows.setdefault(claim.row, []).append(claim)
    printed = [gain for claims in rows.values() if (gain := _gain_of(claims)) is not None]
    yield from gains(printed)
    largest = [c for c in claims_about(publication, "gain") if c.conditions.get("over_table") is not None]
    tables = {key: gain for gain in printed for key in gain.keys}
    places = {claim.key: claim.table for claim in publication.claims}
    wrong: list[Finding] = []
    for claim in largest:
        same_table = [gain for key, gain in tables.items() if places[key] == claim.conditions["over_table"]]
        best = max((gain.printed_percent for gain in same_table), default=None)
        stated = 100.0 * (claim.printed.value or 0.0)
        if best is not None and abs(best - stated) > 0.5:
            words = f"{claim.row_label}: {stated:.0f} % is claimed, the largest in the table is {best:.0f} %."
            figures = (
                figure("claimed", stated / 100, "ratio"),
                figure("largest in the table", best / 100, "ratio"),
            )
            wrong.append(Finding("P15", "high", "claim against table", words, figures, (claim.key,)))
    yield from wrong
    if largest and not wrong:
        words = f"All {len(largest)} claimed largest gains are the largest of their tables."
        yield consistent("P15", words, (figure("claims", len(largest), "count"),), keys_of(largest))
    yield from _without_baseline(publication)


def _gain_of(claims: Sequence[PublishedClaim]) -> PrintedGain | None:
    """Return the printed gain of a row that has exactly one, of a known kind, and two other numbers."""
    stated = [c for c in claims if c.quantity == "gain" and c.printed.value is not None]
    sides = [c for c in claims if c.config is not None and c.quantity != "gain"]
    if len(stated) != 1 or len(sides) != 2 or any(c.printed.value is None for c in sides):
        return None
    kind = stated[0].conditions.get("gain_kind")
    if kind not in set(GainKind):
        return None
    new, old = sides
    label = " ".join(part for part in (new.workload, new.quantity, new.operation, new.statistic) if part)
    return PrintedGain(
        label,
        100.0 * (stated[0].printed.value or 0.0),
        bounds_of(new),
        bounds_of(old),
        GainKind(str(kind)),
        keys_of((stated[0], new, old)),
    )


def _without_baseline(publication: Publication) -> Iterator[Finding]:
    """Yield the finding of check P15 that the first exact speed factor has no printed baseline, and the
    baselines that throughputs imply.
    """
    factors = [c for c in claims_about(publication, "speed_factor") if c.printed.comparison is Relation.EQUAL]
    rates = [run.claim("throughput") for run in run_series(publication)]
    measured = [claim for claim in rates if claim is not None]
    if not factors or not measured:
        return
    factor = bounds_of(factors[0])
    figures = [figure("factor", factor, "x")]
    for claim in measured:
        implied = bounds_of(claim).over(factor)
        figures.append(figure(f"implied baseline of {claim.row_label or claim.row}", implied, "ops/s"))
    words = ", ".join(f"{(claim.printed.value or 0) / (factor.value or 1):,.0f}" for claim in measured)
    statement = (
        f"A factor of {factor.value:g} is claimed and its baseline is not printed; the results imply {words} "
        "operations per second for it."
    )
    yield Finding("P15", "medium", "no baseline", statement, tuple(figures), keys_of(factors))


def _labels(publication: Publication, series: Sequence[RunSeries]) -> Iterator[Finding]:
    """Yield the findings of check P8 on labels of rows, read-modify-writes and unnamed statistics."""
    titles = {table.id: table.title_as_printed or table.title for table in publication.tables}
    findings: list[Finding] = []
    tables: dict[tuple[str, str], dict[str, PublishedClaim]] = {}
    for claim in publication.claims:
        if claim.operation in _SINGLE and claim.row_label and claim.config is not None:
            tables.setdefault((claim.table, claim.operation), {}).setdefault(claim.row, claim)
    for (table, operation), rows in tables.items():
        if not any(
            operation_named(claim.row_label or "") not in {None, operation} for claim in rows.values()
        ):
            continue
        workload = next(iter(rows.values())).workload
        parts = [
            (str(run.config), bounds_of(read), bounds_of(other))
            for run in series
            if run.workload == workload
            and (read := run.claim("latency", "mean", READ)) is not None
            and (other := run.claim("latency", "mean", operation)) is not None
        ]
        labels = [(claim.row_label or "", claim.key) for claim in rows.values()]
        findings += row_labels(titles[table], operation, labels, parts)
    yield from findings
    if tables and not findings:
        yield consistent("P8", "Row labels name the operations of their tables.")
    yield from _read_modify_writes(series)
    unnamed = [
        (claim.row_label or claim.row, claim.key, bounds_of(claim))
        for claim in claims_about(publication, "latency")
        if claim.statistic is None and claim.operation is not None
    ]
    yield from no_statistic(unnamed)


def _read_modify_writes(series: Sequence[RunSeries]) -> Iterator[Finding]:
    """Yield the findings of check P8: whether read-modify-writes last at least as long as reads."""
    for run in series:
        read = run.claim("latency", "mean", READ)
        modify = run.claim("latency", "mean", READ_MODIFY_WRITE)
        if read is None or modify is None:
            continue
        updates = [
            claim
            for sibling in series
            if sibling.config == run.config
            and (claim := sibling.claim("latency", "mean", UPDATE)) is not None
        ]
        usual = bounds_of(updates[0]) if updates else None
        means = (bounds_of(read), bounds_of(modify))
        yield contains_read(run.label, *means, usual, keys_of((read, modify)))


def _averages(publication: Publication) -> Iterator[Finding]:
    """Yield the finding of check P9: whether percentiles called averages of n runs can be averages of n whole
    numbers. The number of runs of the first such percentile applies to all.
    """
    stated = [
        claim
        for claim in publication.claims
        if claim.quantity == "latency"
        and _QUANTILE.fullmatch(claim.statistic or "")
        and "." in claim.printed.as_printed
        and isinstance(claim.conditions.get("averaged_runs"), int | float)
    ]
    if not stated:
        return
    runs = int(float(stated[0].conditions["averaged_runs"] or 1))
    integers = [c for c in stated if not c.printed.as_printed.rsplit(".", 1)[1].strip("0")]
    yield averages_of_integers(len(integers), len(stated), runs, "percentiles", keys_of(stated))


def _tails(series: Sequence[RunSeries]) -> Iterator[Finding]:
    """Yield the findings of check P10: whether the tail over all operations is plausible beside its mean."""
    for run in series:
        mean = run.claim("latency", "mean", ALL)
        below = run.claim("share_below", operation=ALL)
        if mean is None or below is None or below.threshold_ns is None or below.printed.value is None:
            continue
        flight = flight_of(run)
        yield from tail(
            mean.row_label or mean.row,
            bounds_of(mean),
            float(below.threshold_ns),
            below.printed.value,
            flight=flight[0] if flight else None,
            keys=keys_of((mean, below)),
        )


def _bandwidths(publication: Publication, series: Sequence[RunSeries]) -> Iterator[Finding]:
    """Yield the findings of check P13 on bandwidths without a unit of time, far below rate times size, or
    above what the operations move.
    """
    stated = [c for c in claims_about(publication, "bandwidth") if c.printed.unit in {"bytes/s", "bits/s"}]
    timeless = [c.key for c in stated if _names_unit(c) and not _names_time(c)]
    payloads: list[tuple[RunSeries, NumberBounds, NumberBounds]] = []
    for run in series:
        rate, size = run.claim("throughput"), run.claim("object_size")
        if rate is not None and size is not None:
            number = bounds_of(rate)
            payloads.append((run, number, number.times(bounds_of(size))))
    implied = []
    for run, _, payload in payloads:
        rows = {claim.row for claim in run.claims}
        nets = [c for c in stated if c.row in rows and c.printed.unit == "bits/s"]
        words = run.claims[0].row_label or run.claims[0].row
        bits = payload.times(BITS)
        implied += [(words, bits, NumberBounds(None, None, c.printed.value), c.key) for c in nets]
    if payloads:
        yield from units(timeless, implied)
    yield from _rate_and_bandwidth(publication, stated, payloads)


def _rate_and_bandwidth(
    publication: Publication,
    stated: Sequence[PublishedClaim],
    payloads: Sequence[tuple[RunSeries, NumberBounds, NumberBounds]],
) -> Iterator[Finding]:
    """Yield the finding of check P13 on a rate claimed together with more device bandwidth than any result at
    that rate moves. `payloads` holds for each series its rate (ops/s) and its payload (bytes/s).
    """
    flash = [c.printed.value for c in claims_about(publication, "data_volume") if c.statistic == "share"]
    share = float(flash[0]) if flash and flash[0] is not None else 1.0
    together = []
    for rate in claims_about(publication, "throughput"):
        if rate.workload is not None or rate.printed.lower is None or rate.statistic is not None:
            continue
        disks = [c for c in stated if c.row == rate.row and c.statistic == "disk"]
        reached = [payload for payload in payloads if not payload[1].surely_below(rate.printed.lower)]
        if disks and reached and all(payload[2].surely_below(bounds_of(disks[0])) for payload in reached):
            together.append((rate, disks[0], reached[0]))
    if together:
        rate, disk, (_, _, payload) = together[0]
        keys = keys_of(claim for first, second, _ in together for claim in (first, second))
        claimed = NumberBounds(disk.printed.lower, disk.printed.lower, disk.printed.value)
        words = f"{len(together)} statements of rate and bandwidth together"
        yield from needs_amplification(words, payload, share, claimed, keys)


def _names_unit(claim: PublishedClaim) -> bool:
    """Return whether the printed number has a unit of bytes or bits."""
    return re.search(r"\d\s*[KMGT]?i?[Bb]", claim.printed.as_printed) is not None


def _names_time(claim: PublishedClaim) -> bool:
    """Return whether the printed number has a unit of time."""
    return re.search(r"/\s*s|ps\b|per\s", claim.printed.as_printed) is not None


def _no_tail(series: Sequence[RunSeries]) -> Iterator[Finding]:
    """Yield the finding of check P18 on series whose highest quantile of reads is too low."""
    tails = []
    for run in series:
        placed = sorted(_quantiles(run, READ), key=lambda quantile: quantile.at)
        mean = run.claim("latency", "mean", READ)
        if placed and mean is not None:
            last = placed[-1]
            keys = (mean.key, last.key)
            tails.append(Tail(run.label, bounds_of(mean), last.number, last.at, keys))
    yield from tail_not_published(tails)
