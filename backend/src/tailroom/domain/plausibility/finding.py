"""Decides what a finding is: a check, what it found in our words, the numbers behind it, and the claims it
rests on.

A check that could be made and found nothing says so with a finding of the kind `consistent`; one whose
numbers leave both answers open, with `undecided`. Neither contradicts anything.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from tailroom.domain.claims.claim import Claim
from tailroom.domain.plausibility.ends import Ends

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
}
"""What each check is called. Source: docs/method.md section 7."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One number of a finding in `unit` (ns, ratio, ops/s, bytes, bytes/s, count, x …), with its ends."""

    label: str
    value: float | None
    lower: float | None
    upper: float | None
    unit: str
    as_printed: str | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check found. `reference` is the number of the finding in the list of known ones, if any."""

    check: str
    severity: Severity
    kind: str
    statement: str
    figures: tuple[Figure, ...] = ()
    claim_keys: tuple[str, ...] = ()
    origin: Origin = COMPUTED
    reference: str | None = None

    @property
    def contradicts(self) -> bool:
        """Something is wrong or doubtful, and not merely looked at."""
        return self.kind not in {CONSISTENT, UNDECIDED}


def figure(label: str, number: Ends | float, unit: str, as_printed: str | None = None) -> Figure:
    """A figure of a number with ends, or of an exact one."""
    if isinstance(number, Ends):
        return Figure(label, number.value, number.lower, number.upper, unit, as_printed)
    return Figure(label, float(number), float(number), float(number), unit, as_printed)


def figure_of(label: str, claim: Claim) -> Figure:
    """A figure of a printed number."""
    printed = claim.printed
    return Figure(label, printed.value, printed.lower, printed.upper, printed.unit, printed.as_printed)


def consistent(
    check: str, statement: str, figures: Iterable[Figure] = (), claim_keys: Iterable[str] = ()
) -> Finding:
    """The check was made and nothing contradicts itself."""
    return Finding(check, "info", CONSISTENT, statement, tuple(figures), tuple(claim_keys))


def undecided(
    check: str, statement: str, figures: Iterable[Figure] = (), claim_keys: Iterable[str] = ()
) -> Finding:
    """The numbers allow both answers."""
    return Finding(check, "low", UNDECIDED, statement, tuple(figures), tuple(claim_keys))


def keys_of(claims: Iterable[Claim]) -> tuple[str, ...]:
    """Keys of claims, each once, in order."""
    return tuple(dict.fromkeys(claim.key for claim in claims))
