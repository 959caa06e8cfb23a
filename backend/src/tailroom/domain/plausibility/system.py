"""Checks that need facts of the catalogue: P11 capacities, P12 load of each drive, P19 differences."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tailroom.domain.claims.claim import Publication, PublishedClaim
from tailroom.domain.plausibility import capacity
from tailroom.domain.plausibility.attribution import Value, changed_factors
from tailroom.domain.plausibility.drive_load import against_certified, against_specification
from tailroom.domain.plausibility.finding import Finding, NumberBounds, bounds_of, figure, keys_of
from tailroom.domain.plausibility.material import (
    Fact,
    RunSeries,
    claims_about,
    condition,
    drive_rows,
    facts_of,
    run_series,
)

_FACTORS = (
    "cpu_model",
    "cpu_cores",
    "cpu_frequency",
    "memory",
    "memory_transfer_rate",
    "operating_system",
    "kernel",
    "data_drive_count",
)
_DRIVE_FACTORS = ("interface",)
_COPIES = "namespace.replication-factor"
_ALLOCATED = "namespace.memory-size"
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT])")
_UNITS = {"K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}


@dataclass(frozen=True, slots=True)
class Drives:
    """The drives of a configuration: slug of the model, number, bytes of each, slug of the server."""

    item: str
    count: float
    each: NumberBounds | None
    server: str | None


def audit_system(
    publication: Publication, others: Sequence[Publication], facts: Sequence[Fact]
) -> Iterator[Finding]:
    """Yield the findings of checks P11, P12, P13 and P19 on claims and the catalogue's facts that the
    document states. Nothing is yielded without such facts.
    """
    own_facts = [fact for fact in facts if fact.source == publication.slug]
    if not own_facts:
        return
    series = run_series(publication)
    yield from _specification(publication, series, own_facts)
    yield from _certified_loads(publication, others, own_facts)
    yield from _capacities(publication, own_facts)
    yield from _factors(publication, series, own_facts)
    yield from _units(own_facts)


def drives_of(publication: Publication, item: str | None, facts: Sequence[Fact]) -> Drives | None:
    """Return the tested drives of an item (a slug), or None without an item or without a stated number. If
    the item itself states no number, it is drives of each server × servers, with one server if not stated.
    """
    if item is None:
        return None
    counts = facts_of(facts, item, "device_count")
    if counts and counts[0].printed.value:
        server = counts[0].conditions.get("tested_in")
        return Drives(item, counts[0].printed.value, None, server if isinstance(server, str) else None)
    tested = [f for f in facts if f.conditions.get("tested_in") == publication.slug]
    per_node = [f for f in tested if f.field == "data_drive_count" and f.printed.value]
    if not per_node or not per_node[0].printed.value:
        return None
    role = per_node[0].conditions.get("role")
    nodes = [f for f in tested if f.field == "node_count" and f.conditions.get("role") == role]
    each = [f for f in tested if f.field == "data_drive_capacity"]
    number = per_node[0].printed.value * ((nodes[0].printed.value or 1.0) if nodes else 1.0)
    return Drives(item, number, each[0].ends if each else None, per_node[0].item)


def _specification(
    publication: Publication, series: Sequence[RunSeries], facts: Sequence[Fact]
) -> Iterator[Finding]:
    """Yield the findings of check P12 on the highest rate of each drive model and its rated reads."""
    shares = [c.printed.value for c in claims_about(publication, "data_volume") if c.statistic == "share"]
    from_drive = float(shares[0]) if shares and shares[0] is not None else 1.0
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
        yield against_specification(
            f"Best rate, {rated[0].name}",
            bounds_of(best).times(from_drive),
            drives=drives.count,
            # Without the width of its rounding.
            rated=NumberBounds.exactly(rated[0].printed.value or 0.0),
            keys=(best.key,),
            also=[
                (claim.row_label or claim.row, bounds_of(claim).times(from_drive))
                for claim in claims
                if claim is not best
            ],
        )


def _certified_loads(
    publication: Publication, others: Sequence[Publication], facts: Sequence[Fact]
) -> Iterator[Finding]:
    """Yield, for each row with a read and an update rate, the finding of check P12 against the certified
    load: the largest load at which other publications tested the drive.
    """
    item = next(
        (c.item for c in publication.claims if c.item and c.quantity in {"latency", "share_below"}), None
    )
    drives = drives_of(publication, item, facts)
    copies = next((f.printed.value for f in facts if f.field == _COPIES and f.printed.value), None)
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
        if len(reads) == 1 and len(writes) == 1:
            words = (
                f"{reads[0].printed.value:,.0f} reads and {writes[0].printed.value:,.0f} updates per second"
            )
            yield against_certified(
                words,
                bounds_of(reads[0]),
                bounds_of(writes[0]),
                copies=copies,
                drives=drives.count,
                certified=NumberBounds.exactly(max(certified)),
                keys=keys_of((reads[0], writes[0])),
            )


def _first_claim(publication: Publication, name: str, **conditions: object) -> PublishedClaim | None:
    """Return the first claim about a quantity of the whole test that has these conditions, or None."""
    return next(
        (
            c
            for c in claims_about(publication, name)
            if c.workload is None and all(c.conditions.get(key) == value for key, value in conditions.items())
        ),
        None,
    )


def _capacities(publication: Publication, facts: Sequence[Fact]) -> Iterator[Finding]:
    """Yield the findings of check P11: whether volumes, capacities and memory are their products."""
    objects, size = _first_claim(publication, "object_count"), _first_claim(publication, "object_size")
    copies = next((f for f in facts if f.field == _COPIES), None)
    if objects is not None and size is not None:
        factors = [("objects", bounds_of(objects)), ("size", bounds_of(size))]
        plain = _first_claim(publication, "data_volume", replicated=False)
        if plain is not None:
            keys = keys_of((plain, objects, size))
            yield capacity.product("Data volume", bounds_of(plain), factors, keys)
        doubled = _first_claim(publication, "data_volume", replicated=True)
        if doubled is not None and copies is not None:
            keys = keys_of((doubled, objects, size))
            both = [*factors, ("copies", copies.ends)]
            yield capacity.product("Data volume with copies", bounds_of(doubled), both, keys)
    yield from _raw_capacity(publication, facts, copies)
    yield from _total_capacity(publication, facts)
    yield from _memory(publication, facts, copies, objects)


def _raw_capacity(publication: Publication, facts: Sequence[Fact], copies: Fact | None) -> Iterator[Finding]:
    """Yield the findings of check P11 on the total drive capacity: its product, whether it is before copies,
    and whether the data fill a fifth.
    """
    stated = _first_claim(publication, "capacity")
    used = _first_claim(publication, "data_volume", replicated=True)
    name = condition(publication.claims, "drive")
    drives = drives_of(publication, name if isinstance(name, str) else None, facts)
    if stated is None or drives is None or drives.each is None:
        return
    raw = drives.each.times(drives.count)
    factors = [("drives", NumberBounds.exactly(drives.count)), ("capacity of each", drives.each)]
    label = stated.row_label or "capacity"
    yield capacity.product(label, bounds_of(stated), factors, (stated.key,))
    if copies is not None and stated.conditions.get("replicated") is True:
        number = copies.printed.value or 1.0
        yield from capacity.raw_under_another_name(label, bounds_of(stated), raw, number, (stated.key,))
    if used is not None:
        yield from capacity.filled(label, bounds_of(used), raw, keys_of((used, stated)))


def _total_capacity(publication: Publication, facts: Sequence[Fact]) -> Iterator[Finding]:
    """Yield the finding of check P11 on whether the total capacity is drives × the nearest one sold."""
    total = next((f for f in facts if f.field == "data_drives_capacity_total"), None)
    name = condition(publication.claims, "drive")
    drives = drives_of(publication, name if isinstance(name, str) else None, facts)
    if total is None or drives is None:
        return
    sizes = [f.printed.value for f in facts_of(facts, drives.item, "capacity") if f.printed.value]
    each = (total.printed.value or 0.0) / drives.count
    nearest = min(sizes, key=lambda size: abs(size - each), default=None)
    if nearest is not None:
        factors = [
            ("drives", NumberBounds.exactly(drives.count)),
            ("capacity of each", NumberBounds.exactly(nearest)),
        ]
        yield capacity.product("Capacity of all drives", total.ends, factors, ())


def _memory(
    publication: Publication, facts: Sequence[Fact], copies: Fact | None, objects: PublishedClaim | None
) -> Iterator[Finding]:
    """Yield the findings of check P11 on memory called allocated, and on whether the index fits."""
    claims = [c for c in claims_about(publication, "memory") if c.printed.unit == "bytes"]
    allocated_memory = next((c for c in claims if c.statistic is None), None)
    used = next((c for c in claims if c.statistic == "used"), None)
    nodes = _first_claim(publication, "node_count")
    installed = next(
        (f for f in facts if f.field == "memory" and f.conditions.get("role") in {"database cluster", None}),
        None,
    )
    set_to = next((f for f in facts if f.field == _ALLOCATED), None)
    if allocated_memory is not None and nodes is not None and installed is not None:
        number = bounds_of(nodes)
        every = installed.ends.times(number)
        per_node = None if set_to is None else _bytes_of(set_to.printed.as_printed)
        if per_node is not None:
            keys = keys_of((allocated_memory, nodes))
            allocated = NumberBounds.exactly(per_node).times(number)
            yield from capacity.installed_not_allocated(bounds_of(allocated_memory), every, allocated, keys)
    if used is not None and objects is not None and copies is not None:
        factors = [
            ("objects", bounds_of(objects)),
            ("copies", copies.ends),
            ("bytes of an index entry", NumberBounds.exactly(float(capacity.INDEX_ENTRY_BYTES))),
        ]
        keys = keys_of((used, objects))
        yield capacity.product("Memory of the index", bounds_of(used), factors, keys)


def _bytes_of(text: str) -> float | None:
    """Return the bytes of a text such as `48G` (48 × 10⁹); None for other text."""
    match = _SIZE.fullmatch(text.strip())
    return None if match is None else float(match[1]) * _UNITS[match[2]]


def _factors(
    publication: Publication, series: Sequence[RunSeries], facts: Sequence[Fact]
) -> Iterator[Finding]:
    """Yield the finding of check P19 on whether two configurations differ in more than one factor."""
    items: dict[str, str] = {}
    for run in series:
        item = next((c.item for c in run.claims if c.item is not None), None)
        if run.config is not None and item is not None:
            items.setdefault(run.config, item)
    if len(items) != 2:
        return
    sides = [_disclosed_factors(publication, item, facts) for item in items.values()]
    if all(sides):
        gains = claims_about(publication, "gain")
        yield from changed_factors(sides[0], sides[1], "the drives", keys_of(gains[:1]))


def _disclosed_factors(publication: Publication, item: str, facts: Sequence[Fact]) -> Mapping[str, Value]:
    """Return the disclosed factors of a configuration by name, as printed; empty for an unknown server."""
    drives = drives_of(publication, item, facts)
    values: dict[str, Value] = {"drive": next((f.name for f in facts if f.item == item), item)}
    for name in _DRIVE_FACTORS:
        matches = [f for f in facts if f.item == item and f.field == name]
        if matches:
            values[f"drive {name}"] = matches[0].printed.as_printed
    if drives is None or drives.server is None:
        return {}
    for name in _FACTORS:
        matches = [f for f in facts if f.item == drives.server and f.field == name]
        if matches:
            values[name.replace("_", " ")] = matches[0].printed.as_printed
    return values


def _units(facts: Sequence[Fact]) -> Iterator[Finding]:
    """Yield the finding of check P13 on facts printed in a unit of another quantity, if there are any."""
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
