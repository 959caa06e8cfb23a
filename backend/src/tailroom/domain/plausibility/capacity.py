"""P11: capacities that follow from counts.

Data volume is objects × size × copies; raw capacity is nodes × drives × capacity of each; all in bytes. A
device that is filled to less than a fifth is over-provisioned by that, whatever its label says. Source:
docs/method.md 7 and 8.1; findings D12, D14, D15, R09.
"""

import re
from collections.abc import Iterator, Sequence

from tailroom.domain.claims.claim import Publication, PublishedClaim
from tailroom.domain.plausibility.finding import Finding, NumberBounds, bounds_of, consistent, figure, keys_of
from tailroom.domain.plausibility.material import COPIES, Fact, claims_about, facts_of, tested_drives

INDEX_ENTRY_BYTES = 64
"""Memory in bytes of a key in the index, for each object and copy."""
LITTLE_FILLED = 0.2
"""Share of the raw capacity below which drives count as hardly filled."""
ALIKE = 0.05
"""Largest relative difference of equal capacities, which are printed in round numbers."""

_SIZES = frozenset({"size", "capacity of each"})
"""Names of factors that are numbers of bytes; the others are counts."""
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT])")
_UNITS = {"K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}


def capacities(publication: Publication, facts: Sequence[Fact]) -> Iterator[Finding]:
    """Yield the findings on whether volumes, capacities and memory are their products."""
    objects, size = _first_claim(publication, "object_count"), _first_claim(publication, "object_size")
    copies = next((f for f in facts if f.field == COPIES), None)
    if objects is not None and size is not None:
        factors = [("objects", bounds_of(objects)), ("size", bounds_of(size))]
        plain = _first_claim(publication, "data_volume", replicated=False)
        if plain is not None:
            keys = keys_of((plain, objects, size))
            yield product("Data volume", bounds_of(plain), factors, keys)
        doubled = _first_claim(publication, "data_volume", replicated=True)
        if doubled is not None and copies is not None:
            keys = keys_of((doubled, objects, size))
            both = [*factors, ("copies", copies.ends)]
            yield product("Data volume with copies", bounds_of(doubled), both, keys)
    yield from _raw_capacity(publication, facts, copies)
    yield from _total_capacity(publication, facts)
    yield from _memory(publication, facts, copies, objects)


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


def product(
    what: str, stated: NumberBounds, factors: Sequence[tuple[str, NumberBounds]], keys: Sequence[str]
) -> Finding:
    """Return the finding on whether a stated capacity in bytes is the product of its factors, within 5 %."""
    recomputed = NumberBounds.exactly(1.0)
    for _, factor in factors:
        recomputed = recomputed.times(factor)
    figures = (
        figure(f"{what}, stated", stated, "bytes"),
        figure(f"{what}, recomputed", recomputed, "bytes"),
        *(figure(name, factor, "bytes" if name in _SIZES else "count") for name, factor in factors),
    )
    words = " × ".join(name for name, _ in factors)
    if stated.surely_differs(recomputed, slack=ALIKE):
        statement = f"{what}: {_terabytes(stated)} is stated, {words} gives {_terabytes(recomputed)}."
        return Finding("P11", "medium", "capacity", statement, figures, tuple(keys))
    return consistent("P11", f"{what}: {words} gives the stated {_terabytes(stated)}.", figures, keys)


def _raw_capacity(publication: Publication, facts: Sequence[Fact], copies: Fact | None) -> Iterator[Finding]:
    """Yield the findings on the total drive capacity: its product, whether a “replicated” one is, within 5 %,
    that before copies, and whether the data certainly fill less than a fifth.
    """
    claim = _first_claim(publication, "capacity")
    used = _first_claim(publication, "data_volume", replicated=True)
    drives = tested_drives(publication, facts)
    if claim is None or drives is None or drives.each is None:
        return
    stated, raw, label = bounds_of(claim), drives.each.times(drives.count), claim.row_label or "capacity"
    factors = [("drives", NumberBounds.exactly(drives.count)), ("capacity of each", drives.each)]
    yield product(label, stated, factors, (claim.key,))
    number = 0.0 if copies is None else copies.printed.value or 1.0
    is_replicated = claim.conditions.get("replicated") is True and number > 1
    if is_replicated and not stated.surely_differs(raw, slack=ALIKE):
        statement = (
            f"{label}: {_terabytes(stated)} is the raw capacity of all drives, before {number:g} copies of "
            "the data."
        )
        figures = figure("stated", stated, "bytes"), figure("raw capacity of all drives", raw, "bytes")
        yield Finding("P11", "low", "label", statement, figures, (claim.key,))
    if used is not None and (share := bounds_of(used).over(raw)).surely_below(LITTLE_FILLED):
        statement = (
            f"{label}: the drives are {100.0 * (share.value or 0.0):.1f} % full. So much free space hides "
            "the cost of collecting garbage; nothing here shows how they behave when full, or after hours."
        )
        sizes = figure("used", bounds_of(used), "bytes"), figure("raw capacity", raw, "bytes")
        filled = figure("filled", share, "ratio")
        yield Finding("P11", "medium", "steady state", statement, (*sizes, filled), keys_of((used, claim)))


def _total_capacity(publication: Publication, facts: Sequence[Fact]) -> Iterator[Finding]:
    total = next((f for f in facts if f.field == "data_drives_capacity_total"), None)
    drives = tested_drives(publication, facts)
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
        yield product("Capacity of all drives", total.ends, factors, ())


def _memory(
    publication: Publication, facts: Sequence[Fact], copies: Fact | None, objects: PublishedClaim | None
) -> Iterator[Finding]:
    """Yield the findings on “allocated” memory that equals all installed memory, within 5 %, although the
    configuration certainly allocates less, and on whether the index fits.
    """
    claims = [c for c in claims_about(publication, "memory") if c.printed.unit == "bytes"]
    allocated_memory = next((c for c in claims if c.statistic is None), None)
    used = next((c for c in claims if c.statistic == "used"), None)
    nodes = _first_claim(publication, "node_count")
    installed = next(
        (f for f in facts if f.field == "memory" and f.conditions.get("role") in {"database cluster", None}),
        None,
    )
    set_to = next((f for f in facts if f.field == "namespace.memory-size"), None)
    per_node = None if set_to is None else _bytes_of(set_to.printed.as_printed)
    if allocated_memory and nodes and installed and per_node is not None:
        stated, number = bounds_of(allocated_memory), bounds_of(nodes)
        every, allocated = installed.ends.times(number), NumberBounds.exactly(per_node).times(number)
        if allocated.surely_below(every) and not stated.surely_differs(every, slack=ALIKE):
            statement = (
                f"Memory: {_gigabytes(stated)} is called allocated; that is what is installed, and the "
                f"configuration allocates {_gigabytes(allocated)}."
            )
            figures = (
                figure("called allocated", stated, "bytes"),
                figure("installed", every, "bytes"),
                figure("allocated by configuration", allocated, "bytes"),
            )
            keys = keys_of((allocated_memory, nodes))
            yield Finding("P11", "low", "configuration", statement, figures, keys)
    if used is not None and objects is not None and copies is not None:
        factors = [
            ("objects", bounds_of(objects)),
            ("copies", copies.ends),
            ("bytes of an index entry", NumberBounds.exactly(float(INDEX_ENTRY_BYTES))),
        ]
        keys = keys_of((used, objects))
        yield product("Memory of the index", bounds_of(used), factors, keys)


def _bytes_of(text: str) -> float | None:
    match = _SIZE.fullmatch(text.strip())
    return None if match is None else float(match[1]) * _UNITS[match[2]]


def _terabytes(number: NumberBounds) -> str:
    value = number.value or 0.0
    return f"{value / 1e12:,.4g} TB" if value >= 1e12 else f"{value / 1e9:,.4g} GB"


def _gigabytes(number: NumberBounds) -> str:
    return f"{(number.value or 0.0) / 1e9:,.4g} GB"
