"""P19: a difference can only be attributed to a single factor if no other factor differs.

Source: docs/method.md 7, P19, and 6.5 (preconditions of a comparison); findings K04, A02.
"""

from collections.abc import Iterator, Mapping, Sequence

from tailroom.domain.plausibility.finding import Finding, consistent, figure

Value = str | float | bool | None


def changed_factors(
    new: Mapping[str, Value], old: Mapping[str, Value], credited: str, keys: Sequence[str] = ()
) -> Iterator[Finding]:
    """Yield the finding on whether more than one factor that both configurations disclose differs. They map
    names of factors to values, None if not disclosed; `credited` is the factor to which the document
    attributes the difference.
    """
    shared = [name for name in new if name in old and new[name] is not None and old[name] is not None]
    if not shared:
        return
    changed = [name for name in shared if new[name] != old[name]]
    if len(changed) <= 1:
        yield consistent("P19", f"Of {len(shared)} disclosed factors at most one differs.", (), keys)
        return
    words = ", ".join(f"{name} ({old[name]} → {new[name]})" for name in changed)
    statement = (
        f"{len(changed)} of {len(shared)} disclosed factors differ between the two systems: {words}. No "
        f"difference can be attributed to {credited} alone."
    )
    figures = (
        figure("factors that differ", len(changed), "count"),
        figure("factors disclosed", len(shared), "count"),
    )
    yield Finding("P19", "high", "attribution", statement, figures, tuple(keys))


def common_loads(
    tested: Mapping[str, frozenset[float]], setups: Mapping[str, frozenset[str]]
) -> Iterator[Finding]:
    """Yield the finding on whether two or more drives of a comparison share a load and a set-up. `tested`
    maps drives to loads as multiples of ACT, `setups` to kinds of over-provisioning.
    """
    if len(tested) < 2:
        return
    common = frozenset.intersection(*tested.values())
    kinds = frozenset().union(*setups.values())
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
