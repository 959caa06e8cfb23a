"""P13: bandwidths and units, `bytes/s = operations/s × bytes`.

`what` names the subject, `keys` are the claims that it cites. Source: docs/method.md 7; finding A06.
"""

import re
from collections.abc import Iterator, Sequence

from tailroom.domain.claims.claim import Publication, PublishedClaim
from tailroom.domain.plausibility.finding import (
    Finding,
    NumberBounds,
    bounds_of,
    consistent,
    figure,
    figure_of,
    keys_of,
)
from tailroom.domain.plausibility.material import Fact, RunSeries, claims_about, device_share, label_of

BITS = 8.0
FAR_BELOW = 0.5
"""Largest ratio of the claimed to the computed bandwidth that is reported as far below."""
_ALIKE = 0.02
"""Largest relative difference of equal write loads."""


def over_link(what: str, payload: NumberBounds, link_bits_per_s: NumberBounds) -> Finding:
    """Return the finding on whether a payload (bytes/s) certainly exceeds the capacity of a link (bits/s)."""
    bits = payload.times(BITS)
    figures = (figure("payload", bits, "bits/s"), figure("link", link_bits_per_s, "bits/s"))
    if bits.surely_above(link_bits_per_s):
        statement = (
            f"{what}: the operations move {(bits.value or 0) / 1e9:,.2f} Gbit/s, more than the link of "
            f"{(link_bits_per_s.value or 0) / 1e9:,.2f} Gbit/s carries."
        )
        return Finding("P13", "high", "bandwidth above link", statement, figures)
    return consistent("P13", f"{what}: the payload fits the link.", figures)


def stated_bandwidth(
    what: str, payload: NumberBounds, stated: NumberBounds, keys: Sequence[str] = ()
) -> Finding:
    """Return the finding on whether a stated bandwidth is rate times size (`payload`), both in bytes/s. They
    differ only if the bounds prove more than 5 %, which are left for headers and rounding.
    """
    figures = (figure("rate times size", payload, "bytes/s"), figure("stated", stated, "bytes/s"))
    if payload.surely_differs(stated, slack=0.05):
        statement = (
            f"{what}: rate times size gives {(payload.value or 0) / 1e6:,.2f} MB/s, "
            f"{(stated.value or 0) / 1e6:,.2f} MB/s are stated."
        )
        return Finding("P13", "medium", "bandwidth", statement, figures, tuple(keys))
    return consistent("P13", f"{what}: rate times size gives the stated bandwidth.", figures, keys)


def bandwidths(publication: Publication, series: Sequence[RunSeries]) -> Iterator[Finding]:
    """Yield the findings on bandwidths without a unit of time, below half of what the operations imply, or
    claimed together with a rate and above what any result at that rate moves.
    """
    stated = [c for c in claims_about(publication, "bandwidth") if c.printed.unit in {"bytes/s", "bits/s"}]
    payloads: list[tuple[RunSeries, NumberBounds, NumberBounds]] = []
    for run in series:
        rate, size = run.claim("throughput"), run.claim("object_size")
        if rate is not None and size is not None:
            number = bounds_of(rate)
            payloads.append((run, number, number.times(bounds_of(size))))
    if payloads:
        yield from _units(stated, payloads)
        yield from _rate_and_bandwidth(publication, stated, payloads)


def _units(
    stated: Sequence[PublishedClaim], payloads: Sequence[tuple[RunSeries, NumberBounds, NumberBounds]]
) -> Iterator[Finding]:
    timeless = [c.key for c in stated if _names_unit(c) and not _names_time(c)]
    implied = []
    for run, _, payload in payloads:
        rows = {claim.row for claim in run.claims}
        bits, words = payload.times(BITS), label_of(run.claims[0])
        implied += [(words, bits, c) for c in stated if c.row in rows and c.printed.unit == "bits/s"]
    low = [
        (words, bits, claim, claim.printed.value)
        for words, bits, claim in implied
        if claim.printed.value is not None and bits.surely_above(claim.printed.value / FAR_BELOW)
    ]
    if not timeless and not low:
        return
    sentences = [f"{len(timeless)} bandwidths are printed without a unit of time"] if timeless else []
    sentences += [
        f"{what}: {(bits.value or 0) / 1e9:,.2f} Gbit/s of payload, of which only more than "
        f"{claimed / 1e9:,.0f} Gbit/s is claimed"
        for what, bits, _, claimed in low
    ]
    figures = tuple(figure(f"payload, {what}", bits, "bits/s") for what, bits, _ in implied)
    keys = (*timeless, *(claim.key for _, _, claim, _ in low))
    yield Finding("P13", "medium", "units", "; ".join(sentences) + ".", figures, keys)


def _rate_and_bandwidth(
    publication: Publication,
    stated: Sequence[PublishedClaim],
    payloads: Sequence[tuple[RunSeries, NumberBounds, NumberBounds]],
) -> Iterator[Finding]:
    """Yield the finding on a rate claimed with more device bandwidth than any result at that rate moves."""
    together = []
    for rate in claims_about(publication, "throughput"):
        if rate.workload is not None or rate.printed.lower is None or rate.statistic is not None:
            continue
        disks = [c for c in stated if c.row == rate.row and c.statistic == "disk"]
        reached = [payload for payload in payloads if not payload[1].surely_below(rate.printed.lower)]
        if disks and reached and all(payload[2].surely_below(bounds_of(disks[0])) for payload in reached):
            together.append((rate, disks[0], reached[0]))
    if not together:
        return
    _, disk, (_, _, payload) = together[0]
    claimed = NumberBounds(disk.printed.lower, disk.printed.lower, disk.printed.value)
    read = payload.times(device_share(publication))
    if not read.surely_below(claimed):
        return
    needed = claimed.over(read)
    statement = (
        f"{len(together)} statements of rate and bandwidth together: operations of this size move "
        f"{(payload.value or 0) / 1e6:,.0f} MB/s, of which {(read.value or 0) / 1e6:,.0f} MB/s come from the "
        f"device; the bandwidth claimed with them needs {needed.value:,.1f} times as much."
    )
    figures = (
        figure("payload", payload, "bytes/s"),
        figure("from the device", read, "bytes/s"),
        figure("claimed", claimed, "bytes/s"),
        figure("amplification needed", needed, "x"),
    )
    keys = keys_of(claim for rate, disk, _ in together for claim in (rate, disk))
    yield Finding("P13", "high", "claims of different tests combined", statement, figures, keys)


def _names_unit(claim: PublishedClaim) -> bool:
    return re.search(r"\d\s*[KMGT]?i?[Bb]", claim.printed.as_printed) is not None


def _names_time(claim: PublishedClaim) -> bool:
    return re.search(r"/\s*s|ps\b|per\s", claim.printed.as_printed) is not None


def definitions(publication: Publication) -> Iterator[Finding]:
    """Yield the findings on bandwidths of rows with one rate and one size, and write loads."""
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
                what = f"{label_of(bandwidths[0])}, {operation.lower()}"
                keys = keys_of((rates[0], sizes[0], bandwidths[0]))
                yield stated_bandwidth(what, payload, bounds_of(bandwidths[0]), keys)
    yield from _writes_twice(stated)


def _writes_twice(stated: Sequence[PublishedClaim]) -> Iterator[Finding]:
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
                    f"{(total.value or 0) / 1e6:.1f} MB/s ({label_of(first)}), and {label_of(second)} names "
                    f"{(second.printed.value or 0) / 1e6:.1f} MB/s of writes. Collecting garbage reads, too; "
                    "no read load contains that."
                )
                figures = (
                    *(figure_of(str(c.operation).lower(), c) for c in parts),
                    figure_of(label_of(second), second),
                )
                yield Finding(
                    "P13", "medium", "internal load figures", statement, figures, keys_of((*parts, second))
                )


def hardware_units(facts: Sequence[Fact]) -> Iterator[Finding]:
    """Yield the finding on facts printed in a unit of another quantity, if there are any."""
    wrong = [f for f in facts if f.conditions.get("unit_printed") is not None]
    if not wrong:
        return
    words = "; ".join(f"{f.name}: {f.field.replace('_', ' ')} as {f.printed.as_printed}" for f in wrong)
    cores = [
        (f, next((s for s in facts if s.item == f.item and s.field == "cpu_sockets"), None))
        for f in facts
        if f.field == "cpu_cores" and f.conditions.get("per") == "not stated"
    ]
    both = [(f, s) for f, s in cores if s is not None and (s.printed.value or 0) > 1]
    more = "".join(
        f" {f.name} has {s.printed.value:g} sockets: {f.printed.value:g} cores are "
        f"{(f.printed.value or 0) * (s.printed.value or 0):g} if they are counted by socket, which is not "
        "said."
        for f, s in both
    )
    yield Finding(
        "P13",
        "medium",
        "hardware table",
        f"Frequencies are printed in a unit of transfers ({words}).{more}",
        tuple(
            figure(f"{f.name}: cores of all sockets, if by socket", f.ends.times(s.ends), "count")
            for f, s in both
        ),
        (),
    )
