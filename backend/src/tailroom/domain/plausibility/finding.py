"""The findings of the plausibility checks: the check, a statement, its figures, and the claims behind it.

A check without a contradiction yields a finding of the kind `consistent`, and `undecided` if the numbers
allow both answers. Neither is a contradiction.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from tailroom.domain.claims.claim import PublishedClaim
from tailroom.domain.plausibility.number_bounds import NumberBounds

Severity = Literal["high", "medium", "low", "info"]
Origin = Literal["computed", "reviewed"]

CONSISTENT = "consistent"
UNDECIDED = "undecided"
COMPUTED: Origin = "computed"
REVIEWED: Origin = "reviewed"

TITLES = {
    "P1": "Operations in flight (Little's law)",
    "P2": "Operations, time and rate",
    "P3": "Order of percentiles, thresholds and means",
    "P4": "Gains, recomputed",
    "P5": "Total at or above device",
    "P6": "Slow share grows with load",
    "P7": "The same quantity stated twice",
    "P8": "Labels",
    "P9": "Averages of whole numbers",
    "P10": "Plausible tail",
    "P11": "Capacity arithmetic",
    "P12": "Load of each drive",
    "P13": "Bandwidth and units",
    "P14": "Duration and dates",
    "P15": "Statements held against the tables",
    "P16": "Own criteria",
    "P17": "Tool version",
    "P18": "Transactions and single operations",
    "P19": "What a difference can be attributed to",
    "P20": "Counters of the drive",
}
"""Title of each check. Source: docs/method.md section 7."""


@dataclass(frozen=True, slots=True)
class FindingFigure:
    """A number of a finding in `unit` (ns, ratio, ops/s, bytes, bytes/s, count, x …), with its bounds; None:
    unknown.
    """

    label: str
    value: float | None
    lower: float | None
    upper: float | None
    unit: str
    as_printed: str | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of a check, `P1` to `P20` (`TITLES`). `kind` names the observation in a word or two.

    `reference`: its number in the reviewers' list of findings, if any.
    """

    check: str
    severity: Severity
    kind: str
    statement: str
    figures: tuple[FindingFigure, ...] = ()
    claim_keys: tuple[str, ...] = ()
    origin: Origin = COMPUTED
    reference: str | None = None

    @property
    def contradicts(self) -> bool:
        """Whether the finding is neither `consistent` nor `undecided`."""
        return self.kind not in {CONSISTENT, UNDECIDED}


def figure(
    label: str, number: NumberBounds | float, unit: str, as_printed: str | None = None
) -> FindingFigure:
    """Return the figure of a number with bounds, or of an exact number; both in `unit`."""
    if isinstance(number, NumberBounds):
        return FindingFigure(label, number.value, number.lower, number.upper, unit, as_printed)
    return FindingFigure(label, float(number), float(number), float(number), unit, as_printed)


def figure_of(label: str, claim: PublishedClaim) -> FindingFigure:
    """Return the printed number of a claim as a figure, with its bounds and unit."""
    printed = claim.printed
    return FindingFigure(label, printed.value, printed.lower, printed.upper, printed.unit, printed.as_printed)


def consistent(
    check: str, statement: str, figures: Iterable[FindingFigure] = (), claim_keys: Iterable[str] = ()
) -> Finding:
    """Return the finding that a check found no contradiction."""
    return Finding(check, "info", CONSISTENT, statement, tuple(figures), tuple(claim_keys))


def undecided(
    check: str, statement: str, figures: Iterable[FindingFigure] = (), claim_keys: Iterable[str] = ()
) -> Finding:
    """Return the finding that the numbers allow both answers."""
    return Finding(check, "low", UNDECIDED, statement, tuple(figures), tuple(claim_keys))


def keys_of(claims: Iterable[PublishedClaim]) -> tuple[str, ...]:
    """Return the keys of the claims in their order, equal keys once."""
    return tuple(dict.fromkeys(claim.key for claim in claims))
