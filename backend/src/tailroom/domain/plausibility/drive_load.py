"""P12: the load of each drive, compared with its specification and with the load it is certified for.

Operations of all drives divided by their number; writes are copied. One multiple of ACT is 2,000 reads and
1,000 writes of 1.5 KB in a second. Source: docs/method.md 7, P12, and 6.1; findings D17, K04, R09, C04, C05.
"""

from collections.abc import Iterator, Sequence

from tailroom.domain import act
from tailroom.domain.claims.claim import Publication, PublishedClaim
from tailroom.domain.plausibility.finding import Finding, NumberBounds, bounds_of, consistent, figure, keys_of
from tailroom.domain.plausibility.material import (
    COPIES,
    DriveRow,
    Fact,
    RunSeries,
    claims_about,
    device_share,
    drive_rows,
    drives_of,
    facts_of,
    label_of,
    limits_of,
)

IDLE_SHARE = 0.2
"""Share of the rated operations below which the drive does not limit the system."""
OPERATIONS_OF_1X = float(act.READS_PER_S + act.WRITES_PER_S)
"""Reads and writes a second of one drive at a load of 1x."""
HALF_STEP = OPERATIONS_OF_1X / 2
FAR_BELOW = 0.2
"""Share of the allowed slow operations below which a rating is a lower bound."""


def specification(
    publication: Publication, series: Sequence[RunSeries], facts: Sequence[Fact]
) -> Iterator[Finding]:
    """Yield the findings on the highest rate of each drive model and its rated reads."""
    from_drive = device_share(publication)
    rates: dict[str, list[PublishedClaim]] = {}
    for run in series:
        rate = run.claim("throughput")
        if rate is not None and rate.item is not None:
            rates.setdefault(rate.item, []).append(rate)
    for item, claims in rates.items():
        best = max(claims, key=lambda claim: claim.printed.value or 0.0)
        drives = drives_of(publication, item, facts)
        rated = facts_of(facts, item, "random_read")
        if drives is None or not rated:
            continue
        # Reads that memory does not serve come from the drives.
        yield _against_specification(
            f"Best rate, {rated[0].name}",
            bounds_of(best).times(from_drive),
            drives=drives.count,
            # Without the width of its rounding.
            rated=NumberBounds.exactly(rated[0].printed.value or 0.0),
            keys=(best.key,),
            also=[
                (label_of(claim), bounds_of(claim).times(from_drive)) for claim in claims if claim is not best
            ],
        )


def _against_specification(
    what: str,
    operations: NumberBounds,
    *,
    drives: float,
    rated: NumberBounds,
    keys: tuple[str, ...],
    also: Sequence[tuple[str, NumberBounds]],
) -> Finding:
    """Return the finding on each drive's operations per second: below a fifth of the rated, above it, or
    consistent. `operations` are those of all drives together. `also` holds further such rates by name, which
    are only shown.
    """
    each = operations.over(drives)
    share = each.over(rated)
    figures = (
        figure("operations per second and drive", each, "ops/s"),
        figure("rated", rated, "ops/s"),
        figure("share of the rated", share, "ratio"),
        *(
            figure(f"share of the rated, {name}", rate.over(drives).over(rated), "ratio")
            for name, rate in also
        ),
    )
    percent = 100.0 * (share.value or 0.0)
    if share.surely_below(IDLE_SHARE):
        statement = (
            f"{what}: each of {drives:g} drives carries {each.value:,.0f} operations per second, "
            f"{percent:.1f} % of the rated {rated.value:,.0f}. The drives do not limit this result."
        )
        return Finding("P12", "high", "attribution", statement, figures, keys)
    if share.surely_above(1.0):
        statement = (
            f"{what}: each of {drives:g} drives would carry {each.value:,.0f} operations per second, more "
            f"than the rated {rated.value:,.0f}."
        )
        return Finding("P12", "high", "above specification", statement, figures, keys)
    statement = (
        f"{what}: each of {drives:g} drives carries {each.value:,.0f} operations per second, {percent:.0f} % "
        "of the rated ones."
    )
    return consistent("P12", statement, figures, keys)


def certified_loads(
    publication: Publication, others: Sequence[Publication], facts: Sequence[Fact]
) -> Iterator[Finding]:
    """Yield findings against the certified load: the largest at which other publications tested the drive."""
    item = next(
        (c.item for c in publication.claims if c.item and c.quantity in {"latency", "share_below"}), None
    )
    drives = drives_of(publication, item, facts)
    copies = next((f.printed.value for f in facts if f.field == COPIES and f.printed.value), None)
    certified = [
        row.load
        for document in others
        if document.slug != publication.slug
        for row in drive_rows(document)
        if row.item == item and row.load is not None
    ]
    if drives is None or copies is None or not certified:
        return
    rows = {claim.row for claim in claims_about(publication, "read_rate")}
    for row in [name for table in publication.tables for name in table.rows if name in rows]:
        claims = publication.claims_of_row(row)
        reads = [c for c in claims if c.quantity == "read_rate" and c.printed.value]
        writes = [c for c in claims if c.quantity == "update_rate" and c.printed.value]
        if len(reads) != 1 or len(writes) != 1:
            continue
        each = bounds_of(reads[0]).plus(bounds_of(writes[0]).times(copies)).over(drives.count)
        multiple, most = each.over(OPERATIONS_OF_1X), NumberBounds.exactly(max(certified))
        figures = (
            figure("operations per second and drive", each, "ops/s"),
            figure("in multiples of ACT", multiple, "x"),
            figure("certified", most, "x"),
            figure("share of the certified", multiple.over(most), "ratio"),
        )
        words = (
            f"{reads[0].printed.value:,.0f} reads and {writes[0].printed.value:,.0f} updates per second: "
            f"{each.value:,.0f} operations per second and drive are {multiple.value:.1f}x of ACT"
        )
        keys = keys_of((reads[0], writes[0]))
        if multiple.surely_above(most):
            statement = f"{words}, above the {most.value:g}x that the drive is certified for."
            yield Finding("P12", "medium", "above certified load", statement, figures, keys)
        else:
            yield consistent("P12", f"{words}, within the certified {most.value:g}x.", figures, keys)


def odd_steps(tests: Sequence[DriveRow]) -> Iterator[Finding]:
    """Yield the finding on rates of ACT that are no multiple of half a step (1,500/s), or that all are."""
    rated = [
        (row, row.operations_per_s)
        for row in tests
        if row.operations_per_s is not None and not (row.load_as_printed or "").endswith("x")
    ]
    odd = [(row, rate) for row, rate in rated if rate % HALF_STEP]
    if rated and not odd:
        yield consistent("P12", f"All {len(rated)} loads are half steps of ACT.")
    if odd:
        words = "; ".join(f"{row.drive}: {rate:,.0f} per second is no multiple of 1,500" for row, rate in odd)
        figures = (
            figure(row.drive, NumberBounds.exactly(rate).over(OPERATIONS_OF_1X), "x") for row, rate in odd
        )
        keys = tuple(row.keys[0] for row, _ in odd)
        yield Finding("P12", "medium", "odd load", f"{words}, half a step of ACT.", tuple(figures), keys)


def lower_bounds(publication: Publication, rows: Sequence[DriveRow]) -> Iterator[Finding]:
    """Yield the finding on drives whose highest tested load is only a lower bound: certainly less than a
    fifth of the share that the document allows was slow.
    """
    limits, keep = limits_of(publication)
    first = min(limits, default=None)
    if first is None or not keep:
        return
    best: dict[str, DriveRow] = {}
    for row in rows:
        if row.load is not None and row.load > (best[row.set_up].load or 0 if row.set_up in best else 0):
            best[row.set_up] = row
    slow = [(row.label, *row.overall[1][first]) for row in best.values() if first in row.overall[1]]
    far = [(label, share, key) for label, share, key in slow if share.surely_below(FAR_BELOW * limits[first])]
    if far:
        yield Finding(
            "P12",
            "medium",
            "rating not comparable",
            f"{len(far)} of {len(slow)} ratings were reached with less than a fifth of what the limit "
            "allows: they were not driven to where they fail, so their rates are lower bounds.",
            tuple(figure(label, share, "ratio") for label, share, _ in far),
            tuple(key for _, _, key in far),
        )
