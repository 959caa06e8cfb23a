"""P11: capacities that follow from counts.

Data volume is objects × size × copies; raw capacity is nodes × drives × capacity of each; all in bytes. A
device that is filled to less than a fifth is over-provisioned by that, whatever its label says. `what` names
the subject in a sentence, `keys` are the claims that it cites. Source: docs/method.md 7 and 8.1; findings
D12, D14, D15, R09.
"""

from collections.abc import Iterator, Sequence

from tailroom.domain.plausibility.finding import Finding, NumberBounds, consistent, figure

INDEX_ENTRY_BYTES = 64
"""Memory in bytes of a key in the index, for each object and copy."""
LITTLE_FILLED = 0.2
"""Share of the raw capacity below which drives count as hardly filled."""
ALIKE = 0.05
"""Largest relative difference of equal capacities, which are printed in round numbers."""

_SIZES = frozenset({"size", "capacity of each"})
"""Names of factors that are numbers of bytes; the others are counts."""


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


def raw_under_another_name(
    what: str, stated: NumberBounds, raw: NumberBounds, copies: float, keys: Sequence[str]
) -> Iterator[Finding]:
    """Yield the finding on a “replicated” capacity of copies that is, within 5 %, the raw capacity."""
    if stated.surely_differs(raw, slack=ALIKE) or copies <= 1:
        return
    yield Finding(
        "P11",
        "low",
        "label",
        f"{what}: {_terabytes(stated)} is the raw capacity of all drives, before {copies:g} copies of the "
        "data.",
        (figure("stated", stated, "bytes"), figure("raw capacity of all drives", raw, "bytes")),
        tuple(keys),
    )


def installed_not_allocated(
    stated: NumberBounds, installed: NumberBounds, allocated: NumberBounds, keys: Sequence[str]
) -> Iterator[Finding]:
    """Yield the finding on “allocated” memory that equals all installed memory, within 5 %, although the
    configuration certainly allocates less.
    """
    if not allocated.surely_below(installed) or stated.surely_differs(installed, slack=ALIKE):
        return
    statement = (
        f"Memory: {_gigabytes(stated)} is called allocated; that is what is installed, and the configuration "
        f"allocates {_gigabytes(allocated)}."
    )
    figures = (
        figure("called allocated", stated, "bytes"),
        figure("installed", installed, "bytes"),
        figure("allocated by configuration", allocated, "bytes"),
    )
    yield Finding("P11", "low", "configuration", statement, figures, tuple(keys))


def filled(what: str, used: NumberBounds, raw: NumberBounds, keys: Sequence[str]) -> Iterator[Finding]:
    """Yield the finding on drives that are certainly less than a fifth full."""
    share = used.over(raw)
    if not share.surely_below(LITTLE_FILLED):
        return
    statement = (
        f"{what}: the drives are {100.0 * (share.value or 0.0):.1f} % full. So much free space hides the "
        "cost of collecting garbage; nothing here shows how they behave when full, or after hours."
    )
    figures = (
        figure("used", used, "bytes"),
        figure("raw capacity", raw, "bytes"),
        figure("filled", share, "ratio"),
    )
    yield Finding("P11", "medium", "steady state", statement, figures, tuple(keys))


def _terabytes(number: NumberBounds) -> str:
    """Return bytes as text in TB, or in GB below 1 TB; an unknown number as 0 GB."""
    value = number.value or 0.0
    return f"{value / 1e12:,.4g} TB" if value >= 1e12 else f"{value / 1e9:,.4g} GB"


def _gigabytes(number: NumberBounds) -> str:
    """Return bytes as text in GB; an unknown number as 0 GB."""
    return f"{(number.value or 0.0) / 1e9:,.4g} GB"
