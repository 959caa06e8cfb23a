"""P7: the same quantity stated more than once must be the same number.

Two statements are about the same quantity if subject, operation, statistic, limit and load agree as far as
both give them. They contradict each other if their bounds do not overlap (approximate numbers within
`ABOUT_FACTOR`). The same share below two limits at the same load is a quantile stated twice: the weaker
statement follows from the stronger, so the measured limit is unknown. Source: docs/method.md 7; findings D01,
D02, X01, X02.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tailroom.domain.plausibility.finding import Finding, Severity, consistent, figure
from tailroom.domain.plausibility.number_bounds import NumberBounds
from tailroom.domain.units import latency_text, percent_text


@dataclass(frozen=True, slots=True)
class StatedNumber:
    """A statement of a quantity; `where` names its place, `unit` is as in figures, `key` is its claim."""

    where: str
    number: NumberBounds
    unit: str
    key: str


def twice(
    what: str,
    first: StatedNumber,
    second: StatedNumber,
    severity: Severity = "medium",
    kind: str = "contradiction",
) -> Finding:
    """Return the finding on whether two statements of the same quantity, which `what` names, agree.

    `severity` and `kind` are those of the finding if they contradict each other.
    """
    figures = (
        figure(first.where, first.number, first.unit),
        figure(second.where, second.number, second.unit),
    )
    keys = (first.key, second.key)
    if first.number.surely_differs(second.number):
        return Finding(
            "P7",
            severity,
            kind,
            f"{what}: {_text(first)} ({first.where}) and {_text(second)} ({second.where}) cannot both be "
            "true.",
            figures,
            keys,
        )
    return consistent("P7", f"{what}: {first.where} and {second.where} agree.", figures, keys)


@dataclass(frozen=True, slots=True)
class StatedQuantile:
    """A share of the operations that is stated to end within a limit.

    `where` names the place of the statement, `key` is its claim.
    """

    where: str
    share: float
    limit_ns: int
    key: str


def quantile_twice(what: str, first: StatedQuantile, second: StatedQuantile) -> Finding | None:
    """Return the finding on a share with two limits; None unless shares are equal and limits differ."""
    if first.share != second.share or first.limit_ns == second.limit_ns:
        return None
    return Finding(
        "P7",
        "high",
        "two limits for one share",
        f"{what}: {percent_text(first.share)} are said to end within {latency_text(first.limit_ns)} "
        f"({first.where}) and within {latency_text(second.limit_ns)} ({second.where}). The weaker statement "
        "follows from the stronger; which of them was measured is not known.",
        (
            figure(f"limit, {first.where}", first.limit_ns, "ns"),
            figure(f"limit, {second.where}", second.limit_ns, "ns"),
            figure("share", first.share, "ratio"),
        ),
        (first.key, second.key),
    )


def load_reached(
    what: str, intended: StatedNumber, achieved: StatedNumber, belongs: Sequence[str]
) -> Finding | None:
    """Return the finding on a rate that is named as a load but was certainly not reached; None otherwise.

    `belongs`: keys of the claims that are printed for this load.
    """
    if not achieved.number.surely_below(intended.number):
        return None
    share = achieved.number.over(intended.number)
    return Finding(
        "P7",
        "high",
        "load not reached",
        f"{what}: numbers are printed for {_text(intended)}, but {_text(achieved)} were sustained "
        f"({100.0 * (share.value or 0.0):.0f} %). They belong to the lower rate.",
        (
            figure("named as the load", intended.number, intended.unit),
            figure("sustained", achieved.number, achieved.unit),
            figure("share sustained", share, "ratio"),
        ),
        (intended.key, achieved.key, *belongs),
    )


def _text(stated: StatedNumber) -> str:
    """Return the stated number with its unit, or “no number”."""
    value = stated.number.value
    if value is None:
        return "no number"
    if stated.unit == "ns":
        return latency_text(int(value))
    if stated.unit == "ratio":
        return percent_text(value)
    if stated.unit == "bytes/s":
        return f"{value / 1e6:,.4g} MB/s"
    return f"{value:,.6g} {stated.unit}".replace(" count", "")
