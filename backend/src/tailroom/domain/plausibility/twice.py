"""P7: one quantity stated twice, in a document or in two publications.

Statements contradict each other if their bounds do not overlap (approximate numbers within `ABOUT_FACTOR`).
Source: docs/method.md 7; findings D01, D02, X01, X02.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

from tailroom.domain.claims.claim import Publication, PublishedClaim
from tailroom.domain.plausibility.finding import (
    Finding,
    FindingFigure,
    NumberBounds,
    consistent,
    figure,
    keys_of,
)
from tailroom.domain.plausibility.material import DEVICE, TOTAL, DriveRow, claims_about, drive_rows, label_of
from tailroom.domain.units import latency_text, percent_text

_ALIKE = 0.05
"""Largest relative difference of equal usable capacities."""
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


def same_everywhere(publication: Publication) -> Iterator[Finding]:
    """Yield a finding for each pair of rows about one quantity of the whole test."""
    for name in _SAME_EVERYWHERE:
        claims = [c for c in claims_about(publication, name) if c.workload is None]
        for first, second in combinations(claims, 2):
            same = (first.subject, first.operation, first.statistic) == (
                second.subject,
                second.operation,
                second.statistic,
            )
            if same and first.row != second.row:
                yield _compare(f"{name.replace('_', ' ').capitalize()} of {first.subject}", first, second)


def _compare(what: str, *claims: PublishedClaim) -> Finding:
    number, other_number = (NumberBounds.about(claim.printed) for claim in claims)
    here, there = map(label_of, claims)
    unit, other_unit = (claim.printed.unit for claim in claims)
    figures, keys = (
        (figure(here, number, unit), figure(there, other_number, other_unit)),
        tuple(c.key for c in claims),
    )
    if number.surely_differs(other_number):
        numbers = f"{_text(number, unit)} ({here}) and {_text(other_number, other_unit)} ({there})"
        statement = f"{what}: {numbers} cannot both be true."
        return Finding("P7", "high", "contradiction", statement, figures, keys)
    return consistent("P7", f"{what}: {here} and {there} agree.", figures, keys)


def _reads(claim: PublishedClaim) -> float | None:
    return claim.load.reads_per_s if claim.load is not None else None


def limits_of_one_share(publication: Publication) -> Iterator[Finding]:
    """Yield a finding for each pair of rows with one share of an operation at a load, but other limits."""
    shares = [c for c in claims_about(publication, "share_below") if c.threshold_ns is not None]
    for first, second in combinations(shares, 2):
        reads, share = _reads(first), first.printed.value or 0.0
        alike = (first.subject, first.operation, reads, share) == (
            second.subject,
            second.operation,
            _reads(second),
            second.printed.value,
        )
        limits_ns = [claim.threshold_ns or 0 for claim in (first, second)]
        if not alike or first.row == second.row or reads is None or limits_ns[0] == limits_ns[1]:
            continue
        here, there = label_of(first), label_of(second)
        statement = (
            f"{first.subject}, {str(first.operation).lower()} at {reads:,.0f} reads per second: "
            f"{percent_text(share)} are said to end within {latency_text(limits_ns[0])} ({here}) and within "
            f"{latency_text(limits_ns[1])} ({there}). The weaker statement follows from the stronger; which "
            "of them was measured is not known."
        )
        figures = (
            figure(f"limit, {here}", limits_ns[0], "ns"),
            figure(f"limit, {there}", limits_ns[1], "ns"),
            figure("share", share, "ratio"),
        )
        yield Finding("P7", "high", "two limits for one share", statement, figures, (first.key, second.key))


def rates_reached(publication: Publication) -> Iterator[Finding]:
    """Yield the findings on rates that are named as the load but certainly were not sustained."""
    for achieved in claims_about(publication, "update_rate", "read_rate"):
        reads = _reads(achieved)
        if achieved.statistic is None or reads is None:
            continue
        named = [
            (c, c.load.writes_per_s)
            for c in publication.claims
            if c.load is not None
            and c.load.reads_per_s == reads
            and c.load.writes_per_s is not None
            and c.quantity != achieved.quantity
        ]
        sustained, unit = NumberBounds.about(achieved.printed), achieved.printed.unit
        if not named or not sustained.surely_below(named[0][1]):
            continue
        intended = NumberBounds.exactly(named[0][1])
        share = sustained.over(intended)
        statement = (
            f"Updates at {reads:,.0f} reads per second: numbers are printed for {_text(intended, unit)}, but "
            f"{_text(sustained, unit)} were sustained ({100.0 * (share.value or 0.0):.0f} %). They belong to "
            "the lower rate."
        )
        figures = (
            figure("named as the load", intended, unit),
            figure("sustained", sustained, unit),
            figure("share sustained", share, "ratio"),
        )
        (first, _), *others = named
        keys = (first.key, achieved.key, *keys_of(claim for claim, _ in others))
        yield Finding("P7", "high", "load not reached", statement, figures, keys)


def _text(number: NumberBounds, unit: str) -> str:
    value = number.value
    if value is None:
        return "no number"
    if unit == "ns":
        return latency_text(int(value))
    if unit == "ratio":
        return percent_text(value)
    if unit == "bytes/s":
        return f"{value / 1e6:,.4g} MB/s"
    return f"{value:,.6g} {unit}".replace(" count", "")


def between_publications(
    publication: Publication, rows: Sequence[DriveRow], others: Sequence[Publication]
) -> Iterator[Finding]:
    """Yield the findings on shares of a drive at one load in other publications, by their first such row."""
    for document in others:
        if document.slug == publication.slug:
            continue
        theirs = drive_rows(document)
        for row in rows:
            same = [
                other_row
                for other_row in theirs
                if other_row.load == row.load and _is_same_drive(row, other_row)
            ]
            if row.load is not None and same:
                yield _compare_rows(row, same[0], theirs, document)


def _is_same_drive(first: DriveRow, second: DriveRow) -> bool:
    """Return whether two rows are of the same drive, over-provisioning and usable size (within 5 %). An
    unknown drive counts as different, an unknown over-provisioning or size as equal.
    """
    if first.item is None or first.item != second.item:
        return False
    if None not in (first.over_provisioned, second.over_provisioned) and (
        first.over_provisioned != second.over_provisioned
    ):
        return False
    first_bytes, second_bytes = first.usable_bytes, second.usable_bytes
    return (
        first_bytes is None
        or second_bytes is None
        or abs(first_bytes - second_bytes) <= _ALIKE * max(first_bytes, second_bytes)
    )


def _compare_rows(row: DriveRow, other: DriveRow, theirs: Sequence[DriveRow], where: Publication) -> Finding:
    """Return the finding on whether two publications print the same shares for a drive at one load. `theirs`
    are all rows of `where`: if they differ, a row of another load that fits is named.
    """
    figures = [*_figures("here", row), *_figures(where.title, other)]
    keys = row.keys
    if _agree(row, other):
        words = f"{row.label}: this document and “{where.title}” print the same shares."
        return Finding("P7", "info", "agreement", words, tuple(figures), keys)
    fitting = [
        candidate
        for candidate in theirs
        if candidate.load != row.load and _is_same_drive(row, candidate) and _agree(row, candidate)
    ]
    fits = f" They fit {fitting[0].load:g}x there." if fitting else ""
    first = min(row.overall[1])
    here, there = row.overall[1][first][0], other.overall[1][first][0]
    statement = (
        f"{row.label}: {percent_text(here.value or 0)} over {latency_text(first)} here, "
        f"{percent_text(there.value or 0)} in “{where.title}”.{fits}"
    )
    return Finding("P7", "medium", "two publications", statement, tuple(figures), keys)


def _agree(row: DriveRow, other: DriveRow) -> bool:
    """Return whether the shares may be equal at every common limit, by any clock both may have."""
    return any(
        not any(
            shares[at][0].surely_differs(other_shares[at][0]) for at in shares.keys() & other_shares.keys()
        )
        for name, shares in row.shares.items()
        for other_name, other_shares in other.shares.items()
        if name == other_name or {name, other_name} - {TOTAL, DEVICE}
    )


def _figures(where: str, row: DriveRow) -> list[FindingFigure]:
    return [
        figure(f"{where}, {name}, over {latency_text(at)}", ends, "ratio")
        for name, shares in row.shares.items()
        for at, (ends, _) in shares.items()
    ]
