"""Checks on tables of drive tests: P3, P5, P6, P7 between publications, P12, P14, P16, P17 and P19."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date

from tailroom.domain import act
from tailroom.domain.claims.claim import Publication
from tailroom.domain.plausibility.attribution import common_loads
from tailroom.domain.plausibility.criteria import (
    ReportedShares,
    criterion_incomplete,
    flipped_by_clock,
    listed_as_passing,
    undecided_rows,
)
from tailroom.domain.plausibility.dates import DatedTest, date_of, missing_dates, one_day_each
from tailroom.domain.plausibility.drive_load import lower_bounds, odd_steps
from tailroom.domain.plausibility.finding import Finding, NumberBounds, consistent, figure
from tailroom.domain.plausibility.material import DEVICE, TOTAL, DriveRow, drive_rows, limits_of
from tailroom.domain.plausibility.order import (
    OrderedNumber,
    monotone_in_load,
    thresholds,
    total_at_least_device,
)
from tailroom.domain.plausibility.tools import act_by_dates
from tailroom.domain.units import latency_text, percent_text

ACT = "act"
"""Name of the tool in claims."""
_ALIKE = 0.05
"""Largest relative difference of equal usable capacities."""


def audit_drive_tests(publication: Publication, others: Sequence[Publication]) -> Iterator[Finding]:
    """Yield the findings on the publication's rows of shares over limits; nothing without such rows. `others`
    are publications that may test the same drives.
    """
    rows = drive_rows(publication)
    if not rows:
        return
    yield from _ordered_thresholds(rows)
    yield from _total_and_device(rows)
    yield from _monotone_shares(rows)
    yield from _between_publications(publication, rows, others)
    yield from _loads(publication, rows)
    yield from _dates(rows)
    yield from _criteria(publication, rows)
    yield from _common_conditions(rows)


def _ordered_thresholds(rows: Sequence[DriveRow]) -> Iterator[Finding]:
    """Yield the findings of check P3 on shares that grow with their limit, or one that none does."""
    findings: list[Finding] = []
    checked = 0
    for row in rows:
        for name, shares in row.shares.items():
            checked += len(shares) > 1
            placed = [
                OrderedNumber(at, f"over {latency_text(at)}", ends, key) for at, (ends, key) in shares.items()
            ]
            findings += thresholds(f"{row.label}, {name}", placed)
    yield from findings
    if checked and not findings:
        words = f"In all {len(rows)} rows no larger share is over a later limit."
        yield consistent("P3", words, (figure("rows", len(rows), "count"),))


def _total_and_device(rows: Sequence[DriveRow]) -> Iterator[Finding]:
    """Yield the findings of check P5 on device shares above the total share, or one that there are none."""
    both = [row for row in rows if TOTAL in row.shares and DEVICE in row.shares]
    findings: list[Finding] = []
    for row in both:
        for at in row.shares[TOTAL].keys() & row.shares[DEVICE].keys():
            (total, first), (device, second) = row.shares[TOTAL][at], row.shares[DEVICE][at]
            findings += total_at_least_device(row.label, at, total, device, (first, second))
    yield from findings
    if both and not findings:
        words = f"The share by total is at least the share by device in all {len(both)} rows that give both."
        yield consistent("P5", words, (figure("rows", len(both), "count"),))


def _monotone_shares(rows: Sequence[DriveRow]) -> Iterator[Finding]:
    """Yield the findings of check P6 on slow shares that fall with the load, or one that none does."""
    series: dict[tuple[str, str, int], list[OrderedNumber]] = defaultdict(list)
    for row in rows:
        for name, shares in row.shares.items():
            for at, (ends, key) in shares.items():
                if row.load is not None:
                    series[row.set_up, name, at].append(OrderedNumber(row.load, f"{row.load:g}x", ends, key))
    for clock in dict.fromkeys(name for _, name, _ in series):
        comparable = {
            place: placed for place, placed in series.items() if place[1] == clock and len(placed) > 1
        }
        findings = [
            finding
            for (set_up, _, at), placed in comparable.items()
            for finding in monotone_in_load(f"{set_up}, {clock}, over {latency_text(at)}", placed)
        ]
        yield from findings
        drives = {set_up for set_up, _, _ in comparable}
        if comparable and not findings:
            words = (
                f"By {clock}, the slow share grows with the load for every drive tested at several loads "
                f"({len(drives)})."
            )
            yield consistent("P6", words, (figure("drives", len(drives), "count"),))


def _between_publications(
    publication: Publication, rows: Sequence[DriveRow], others: Sequence[Publication]
) -> Iterator[Finding]:
    """Yield the findings of check P7 on whether other publications print the same shares for a drive at one
    load. Only the first matching row of each is compared.
    """
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
    """Return whether the shares of two rows may be equal at every common limit, by any clock that both name,
    or that one of them does not state.
    """
    return any(
        not any(
            shares[at][0].surely_differs(other_shares[at][0]) for at in shares.keys() & other_shares.keys()
        )
        for name, shares in row.shares.items()
        for other_name, other_shares in other.shares.items()
        if name == other_name or {name, other_name} - {TOTAL, DEVICE}
    )


def _figures(where: str, row: DriveRow) -> list:  # type: ignore[type-arg]
    """Return a figure for each share of a row; `where` names its publication."""
    return [
        figure(f"{where}, {name}, over {latency_text(at)}", ends, "ratio")
        for name, shares in row.shares.items()
        for at, (ends, _) in shares.items()
    ]


def _loads(publication: Publication, rows: Sequence[DriveRow]) -> Iterator[Finding]:
    """Yield the findings of check P12 on loads that are no half step of ACT, and on lower bounds."""
    rated = [
        (row.drive, NumberBounds.exactly(row.operations_per_s), row.keys[0])
        for row in rows
        if row.operations_per_s is not None
        and row.keys
        and row.tool == ACT
        and not (row.load_as_printed or "").endswith("x")
    ]
    yield from odd_steps(rated)
    limits, keep = limits_of(publication)
    first = min(limits, default=None)
    if first is None or not keep:
        return
    best: dict[str, DriveRow] = {}
    for row in rows:
        if row.load is not None and row.load > (best[row.set_up].load or 0 if row.set_up in best else 0):
            best[row.set_up] = row
    slow = [(row.label, *row.overall[1][first]) for row in best.values() if first in row.overall[1]]
    yield from lower_bounds(slow, limits[first])


def _dates(rows: Sequence[DriveRow]) -> Iterator[Finding]:
    """Yield the findings of checks P14 on the printed dates of ACT tests, and P17 on those before ACT 2.0."""
    tests = [DatedTest(row.drive, row.date, row.keys[0]) for row in rows if row.tool == ACT and row.keys]
    yield from one_day_each(tests)
    yield from missing_dates(tests)
    days = [day for test in tests if test.printed and (day := date_of(test.printed)) is not None]
    if days:
        yield from act_by_dates(max(days, default=date.min), len(days))


def _criteria(publication: Publication, rows: Sequence[DriveRow]) -> Iterator[Finding]:
    """Yield the findings of check P16 by the document's own limits, by those of ACT, and by both clocks."""
    own, keep = limits_of(publication)
    reported = [ReportedShares(row.label, *row.overall) for row in rows]
    official = {**act.LIMITS} if any(row.tool == ACT for row in rows) else own
    if keep:
        failing = [*listed_as_passing(reported, own)]
        yield from failing
        if not failing:
            words = f"All {len(reported)} rows keep the criteria printed with them, or are undecided."
            yield consistent("P16", words)
    elif own:
        yield from criterion_incomplete(reported, own, official)
    yield from undecided_rows(reported, official)
    pairs = [
        (
            ReportedShares(row.label, TOTAL, row.shares[TOTAL]),
            ReportedShares(row.label, DEVICE, row.shares[DEVICE]),
        )
        for row in rows
        if TOTAL in row.shares and DEVICE in row.shares
    ]
    yield from flipped_by_clock(pairs, official)


def _common_conditions(rows: Sequence[DriveRow]) -> Iterator[Finding]:
    """Yield the finding of check P19 on whether the drives share a load and the same over-provisioning."""
    loads: dict[str, set[float]] = defaultdict(set)
    setups: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        if row.load is not None:
            loads[row.set_up].add(row.load)
            setups[row.set_up].add(str(row.over_provisioned))
    if any(len(tested) > 1 for tested in loads.values()):
        yield from common_loads(
            {name: frozenset(values) for name, values in loads.items()},
            {name: frozenset(values) for name, values in setups.items()},
        )
