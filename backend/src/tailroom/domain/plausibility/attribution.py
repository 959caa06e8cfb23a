"""P19: a difference can only be attributed to a single factor if no other factor differs.

Source: docs/method.md 7, P19, and 6.5 (preconditions of a comparison); findings K04, A02.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from tailroom.domain.claims.claim import Publication
from tailroom.domain.plausibility.finding import Finding, consistent, figure, keys_of
from tailroom.domain.plausibility.material import DriveRow, Fact, RunSeries, claims_about, drives_of

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


def changed_factors(
    publication: Publication, series: Sequence[RunSeries], facts: Sequence[Fact]
) -> Iterator[Finding]:
    """Yield the finding on whether two configurations differ in more than one factor."""
    items: dict[str, str] = {}
    for run in series:
        item = next((c.item for c in run.claims if c.item is not None), None)
        if run.config is not None and item is not None:
            items.setdefault(run.config, item)
    if len(items) != 2:
        return
    new, old = (_disclosed_factors(publication, item, facts) for item in items.values())
    shared = [name for name in new if name in old]
    if not shared:
        return
    changed = [name for name in shared if new[name] != old[name]]
    keys = keys_of(claims_about(publication, "gain")[:1])
    if len(changed) <= 1:
        yield consistent("P19", f"Of {len(shared)} disclosed factors at most one differs.", (), keys)
        return
    words = ", ".join(f"{name} ({old[name]} → {new[name]})" for name in changed)
    statement = (
        f"{len(changed)} of {len(shared)} disclosed factors differ between the two systems: {words}. No "
        "difference can be attributed to the drives alone."
    )
    figures = (
        figure("factors that differ", len(changed), "count"),
        figure("factors disclosed", len(shared), "count"),
    )
    yield Finding("P19", "high", "attribution", statement, figures, keys)


def _disclosed_factors(publication: Publication, item: str, facts: Sequence[Fact]) -> Mapping[str, str]:
    drives = drives_of(publication, item, facts)
    if drives is None or drives.server is None:
        return {}
    values = {"drive": next((f.name for f in facts if f.item == item), item)}
    for prefix, owner, names in (("drive ", item, _DRIVE_FACTORS), ("", drives.server, _FACTORS)):
        for name in names:
            stated = (f.printed.as_printed for f in facts if f.item == owner and f.field == name)
            if (printed := next(stated, None)) is not None:
                values[prefix + name.replace("_", " ")] = printed
    return values


def common_loads(rows: Sequence[DriveRow]) -> Iterator[Finding]:
    """Yield the finding on whether the drives share a load and the same over-provisioning; nothing unless two
    or more drives were tested, one of them at several loads.
    """
    tested: dict[str, set[float]] = defaultdict(set)
    kinds = set()
    for row in rows:
        if row.load is not None:
            tested[row.set_up].add(row.load)
            kinds.add(row.over_provisioned)
    if len(tested) < 2 or not any(len(loads) > 1 for loads in tested.values()):
        return
    common = set.intersection(*tested.values())
    figures = (
        figure("drives", len(tested), "count"),
        figure("loads that all were tested at", len(common), "count"),
        figure("ways of over-provisioning", len(kinds), "count"),
    )
    if common and len(kinds) <= 1:
        yield consistent("P19", f"All {len(tested)} drives share a load and a set-up.", figures)
        return
    lacking = sorted(name for name, loads in tested.items() if 1.0 not in loads)
    only_one = sorted(name for name, loads in tested.items() if loads == {1.0})
    parts = []
    if not common:
        parts.append(f"no load was tested on all {len(tested)} drives")
    if len(kinds) > 1:
        parts.append(f"{len(kinds)} ways of over-provisioning are mixed")
    if lacking:
        parts.append(f"without 1x: {', '.join(lacking)}")
    if only_one:
        parts.append(f"with 1x only: {', '.join(only_one)}")
    words = "; ".join(parts)
    statement = f"{words[0].upper()}{words[1:]}. The table compares no two of them at equal conditions."
    yield Finding("P19", "high", "unequal comparison", statement, figures)
