"""Checks on statements in a document's text: P7, P13 of definitions, P17, P18."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from tailroom.domain.claims.claim import Publication, PublishedClaim
from tailroom.domain.plausibility.finding import Finding, NumberBounds, bounds_of, figure_of, keys_of
from tailroom.domain.plausibility.material import Fact, claims_about, facts_of
from tailroom.domain.plausibility.rates import stated_bandwidth
from tailroom.domain.plausibility.samples import (
    StatedNumber,
    StatedQuantile,
    load_reached,
    quantile_twice,
    twice,
)
from tailroom.domain.plausibility.tools import tool_version
from tailroom.domain.plausibility.transactions import (
    percentile_says_nothing,
    rates_covered,
    sequential_possible,
)
from tailroom.domain.units import NS_PER_S

_SAME_EVERYWHERE = (
    "read_share",
    "write_share",
    "object_count",
    "record_count",
    "operation_count",
    "cluster_count",
    "node_count",
)
"""Quantities of the whole test, which must have a single value in a document."""
_ALIKE = 0.02
"""Largest relative difference of equal write loads."""


def audit_statements(publication: Publication, facts: Sequence[Fact]) -> Iterator[Finding]:
    """Yield the findings on statements in the text of a document; `facts` are those of the catalogue."""
    yield from _same_everywhere(publication)
    yield from _quantiles(publication)
    yield from _rates_reached(publication)
    yield from _transactions(publication, facts)
    yield from _definitions(publication)
    yield from _tool(publication)


def _label(claim: PublishedClaim) -> str:
    """Return the label of the claim's table row, or the key of the row without a label."""
    return claim.row_label or claim.row


def _stated_number(claim: PublishedClaim) -> StatedNumber:
    """Return a claim as a stated number. An approximate number may be off by the factor `ABOUT_FACTOR`."""
    return StatedNumber(_label(claim), NumberBounds.about(claim.printed), claim.printed.unit, claim.key)


def _same_everywhere(publication: Publication) -> Iterator[Finding]:
    """Yield a finding of check P7 for each pair of rows about one quantity of the whole test."""
    for name in _SAME_EVERYWHERE:
        claims = [c for c in claims_about(publication, name) if c.workload is None]
        for first, second in combinations(claims, 2):
            same = (first.subject, first.operation, first.statistic) == (
                second.subject,
                second.operation,
                second.statistic,
            )
            if same and first.row != second.row:
                what = f"{name.replace('_', ' ').capitalize()} of {first.subject}"
                yield twice(what, _stated_number(first), _stated_number(second))


def _reads(claim: PublishedClaim) -> float | None:
    """Return the reads per second of the load at which a number was measured; None if not stated."""
    return claim.load.reads_per_s if claim.load is not None else None


def _quantiles(publication: Publication) -> Iterator[Finding]:
    """Yield the findings of check P7 on rows with one share of an operation at a load, but other limits."""
    shares = [c for c in claims_about(publication, "share_below") if c.threshold_ns is not None]
    for first, second in combinations(shares, 2):
        alike = (first.subject, first.operation, _reads(first)) == (
            second.subject,
            second.operation,
            _reads(second),
        )
        if alike and first.row != second.row and _reads(first) is not None:
            what = f"{first.subject}, {str(first.operation).lower()} at {_reads(first):,.0f} reads per second"
            yield from quantile_twice(what, _stated_quantile(first), _stated_quantile(second))


def _stated_quantile(claim: PublishedClaim) -> StatedQuantile:
    """Return a claim about a share below a limit as a stated quantile; a missing share or limit becomes 0."""
    return StatedQuantile(_label(claim), claim.printed.value or 0.0, claim.threshold_ns or 0, claim.key)


def _rates_reached(publication: Publication) -> Iterator[Finding]:
    """Yield the findings of check P7 on rates that were named as the load and not sustained."""
    for achieved in claims_about(publication, "update_rate", "read_rate"):
        reads = _reads(achieved)
        if achieved.statistic is None or reads is None:
            continue
        named = [
            c
            for c in publication.claims
            if c.load is not None
            and c.load.reads_per_s == reads
            and c.load.writes_per_s is not None
            and c.quantity != achieved.quantity
        ]
        if not named or named[0].load is None or named[0].load.writes_per_s is None:
            continue
        first = named[0]
        rate = first.load.writes_per_s if first.load and first.load.writes_per_s else 0.0
        intended = StatedNumber(_label(first), NumberBounds.exactly(rate), achieved.printed.unit, first.key)
        what = f"Updates at {reads:,.0f} reads per second"
        yield from load_reached(what, intended, _stated_number(achieved), keys_of(named[1:]))


def _transactions(publication: Publication, facts: Sequence[Fact]) -> Iterator[Finding]:
    """Yield the findings of checks P18 and P2: whether the numbers of single reads support statements about
    transactions. Without an SLA, transactions have 1 s.
    """
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
    yield from percentile_says_nothing([_stated_quantile(c) for c in shares], number, window_ns)
    transactions = [c for c in claims_about(publication, "latency") if c.operation == "TRANSACTION"]
    items = {c.item for c in transactions}
    device = [fact for item in items for fact in facts_of(facts, item, "read_latency")]
    if transactions and device:
        stated = [
            StatedNumber(_label(c), NumberBounds(None, c.printed.value, c.printed.value), "ns", c.key)
            for c in transactions
        ]
        yield from sequential_possible(stated, number, device[0].ends, transactions[0].key)
    rates = claims_about(publication, "transaction_rate")
    loads = {c.printed.value for c in claims_about(publication, "read_rate") if c.printed.value}
    if rates and loads:
        keys = keys_of([*rates, reads])
        yield from rates_covered(bounds_of(rates[0]), number, sorted(loads), keys)


def _definitions(publication: Publication) -> Iterator[Finding]:
    """Yield the findings of check P13 on bandwidths of rows with one rate and one size, and write loads."""
    stated = [c for c in claims_about(publication, "bandwidth") if c.printed.unit == "bytes/s"]
    rows = {row for table in publication.tables for row in table.rows}
    for row in sorted(rows):
        claims = publication.claims_of_row(row)
        sizes = [c for c in claims if c.quantity == "object_size" and c.operation is None]
        for operation, quantity in (("READ", "read_rate"), ("WRITE", "write_rate")):
            rates = [c for c in claims if c.quantity == quantity]
            bandwidths = [c for c in claims if c in stated and c.operation == operation]
            if len(sizes) == 1 and len(rates) == 1 and len(bandwidths) == 1:
                payload = bounds_of(rates[0]).times(bounds_of(sizes[0]))
                what = f"{_label(bandwidths[0])}, {operation.lower()}"
                keys = keys_of((rates[0], sizes[0], bandwidths[0]))
                yield stated_bandwidth(what, payload, bounds_of(bandwidths[0]), keys)
    yield from _writes_twice(stated)


def _writes_twice(stated: Sequence[PublishedClaim]) -> Iterator[Finding]:
    """Yield the findings of check P13 on write loads with and without the writes of garbage collection."""
    by_row = {}
    for claim in stated:
        parts = [c for c in stated if c.row == claim.row and c.operation in {"WRITE", "DEFRAGMENTATION"}]
        if claim.operation == "WRITE" and parts:
            by_row[claim.row] = (claim, parts)
    full = [writes for writes in by_row.values() if len(writes[1]) > 1]
    bare = [writes for writes in by_row.values() if len(writes[1]) == 1]
    for first, parts in full[:1]:
        total = bounds_of(parts[0]).plus(bounds_of(parts[1]))
        for second, _ in bare:
            if first.subject == second.subject and total.surely_differs(bounds_of(second), slack=_ALIKE):
                statement = (
                    f"{first.subject}: writes with those of collecting garbage add up to "
                    f"{(total.value or 0) / 1e6:.1f} MB/s ({_label(first)}), and {_label(second)} names "
                    f"{(second.printed.value or 0) / 1e6:.1f} MB/s of writes. Collecting garbage reads, too; "
                    "no read load contains that."
                )
                figures = (
                    *(figure_of(str(c.operation).lower(), c) for c in parts),
                    figure_of(_label(second), second),
                )
                yield Finding(
                    "P13", "medium", "internal load figures", statement, figures, keys_of((*parts, second))
                )


def _tool(publication: Publication) -> Iterator[Finding]:
    """Yield the findings of check P17 on the tool versions that claims name, or else the whole document."""
    named: dict[tuple[str, str], list[str]] = {}
    for claim in publication.claims:
        tool, version = claim.conditions.get("tool"), claim.conditions.get("tool_version")
        if isinstance(tool, str) and isinstance(version, str):
            named.setdefault((tool, version), []).append(claim.key)
    tool, version = publication.measurement.get("tool"), publication.measurement.get("tool_version")
    if not named and isinstance(tool, str) and isinstance(version, str):
        named[tool, version] = []
    for (tool, version), keys in named.items():
        yield from tool_version(tool, version, tuple(keys[:1]))
