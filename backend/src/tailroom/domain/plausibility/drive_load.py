"""P12: the load of each drive, compared with its specification and with the load it is certified for.

Operations of all drives divided by their number; writes are copied. One multiple of ACT is 2,000 reads and
1,000 writes of 1.5 KB in a second. `what` names the subject in a sentence, `keys` are the claims that it
cites. Source: docs/method.md 7, P12, and 6.1; findings D17, K04, R09, C04, C05.
"""

from collections.abc import Iterator, Sequence

from tailroom.domain import act
from tailroom.domain.plausibility.finding import Finding, NumberBounds, consistent, figure

IDLE_SHARE = 0.2
"""Share of the rated operations below which the drive does not limit the system."""
OPERATIONS_OF_1X = float(act.READS_PER_S + act.WRITES_PER_S)
"""Reads and writes a second of one drive at a load of 1x."""
HALF_STEP = OPERATIONS_OF_1X / 2
FAR_BELOW = 0.2
"""Share of the allowed slow operations below which a rating is a lower bound."""


def against_specification(
    what: str,
    operations: NumberBounds,
    *,
    drives: float,
    rated: NumberBounds,
    keys: Sequence[str] = (),
    also: Sequence[tuple[str, NumberBounds]] = (),
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
        return Finding("P12", "high", "attribution", statement, figures, tuple(keys))
    if share.surely_above(1.0):
        statement = (
            f"{what}: each of {drives:g} drives would carry {each.value:,.0f} operations per second, more "
            f"than the rated {rated.value:,.0f}."
        )
        return Finding("P12", "high", "above specification", statement, figures, tuple(keys))
    statement = (
        f"{what}: each of {drives:g} drives carries {each.value:,.0f} operations per second, {percent:.0f} % "
        "of the rated ones."
    )
    return consistent("P12", statement, figures, keys)


def against_certified(
    what: str,
    reads: NumberBounds,
    writes: NumberBounds,
    *,
    copies: float,
    drives: float,
    certified: NumberBounds,
    keys: Sequence[str],
) -> Finding:
    """Return the finding on whether the load of each drive is certainly above the load that it is certified
    for. `reads` and `writes` are per second over all drives, and each write is done `copies` times.
    `certified` is a multiple of ACT.
    """
    each = reads.plus(writes.times(copies)).over(drives)
    multiple = each.over(OPERATIONS_OF_1X)
    share = multiple.over(certified)
    figures = (
        figure("operations per second and drive", each, "ops/s"),
        figure("in multiples of ACT", multiple, "x"),
        figure("certified", certified, "x"),
        figure("share of the certified", share, "ratio"),
    )
    words = f"{what}: {each.value:,.0f} operations per second and drive are {multiple.value:.1f}x of ACT"
    if multiple.surely_above(certified):
        statement = f"{words}, above the {certified.value:g}x that the drive is certified for."
        return Finding("P12", "medium", "above certified load", statement, figures, tuple(keys))
    return consistent("P12", f"{words}, within the certified {certified.value:g}x.", figures, keys)


def odd_steps(rows: Sequence[tuple[str, NumberBounds, str]]) -> Iterator[Finding]:
    """Yield the finding on loads that are no multiple of half an ACT step (1,500 operations/s), or that all
    are. A row is `(label, operations per second, key of the claim)`. Unknown loads count as in order.
    """
    odd = [row for row in rows if row[1].value is not None and row[1].value % HALF_STEP]
    if rows and not odd:
        yield consistent("P12", f"All {len(rows)} loads are half steps of ACT.")
    if not odd:
        return
    yield Finding(
        "P12",
        "medium",
        "odd load",
        "; ".join(
            f"{label}: {number.value:,.0f} per second is no multiple of 1,500" for label, number, _ in odd
        )
        + ", half a step of ACT.",
        tuple(figure(label, number.over(OPERATIONS_OF_1X), "x") for label, number, _ in odd),
        tuple(key for _, _, key in odd),
    )


def lower_bounds(rows: Sequence[tuple[str, NumberBounds, str]], limit: float) -> Iterator[Finding]:
    """Yield the finding on drives whose highest tested load is only a lower bound: certainly less than a
    fifth of the allowed share was slow. A row is `(label, share over the first limit, key of the claim)`.
    """
    far = [row for row in rows if row[1].surely_below(FAR_BELOW * limit)]
    if not far:
        return
    yield Finding(
        "P12",
        "medium",
        "rating not comparable",
        f"{len(far)} of {len(rows)} ratings were reached with less than a fifth of what the limit "
        "allows: they were not driven to where they fail, so their rates are lower bounds.",
        tuple(figure(label, number, "ratio") for label, number, _ in far),
        tuple(key for _, _, key in far),
    )
