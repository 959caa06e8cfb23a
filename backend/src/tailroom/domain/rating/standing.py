"""How well a row of the leaderboard is confirmed: by one tester, by repeats, or by a second organisation.

Two tests at one load agree if they have the same decided verdict and their shares at every limit differ by no
more than chance (Newcombe's interval on effective samples) or by less than a tenth of the limit. A row is
confirmed at the load that its rating rests on: by a second organisation, on a drive with another serial
number. Source: docs/method.md 6.8.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations

from tailroom.domain.confidence.shares import newcombe
from tailroom.domain.verdicts.verdict import Verdict

FEWEST_REPEATS = 3
"""Least number of agreeing tests of one tester that count as repeated."""
TOLERANCE_RATIO = 0.1
"""Difference of two shares, as a ratio of the limit, below which they agree whatever the number of reads."""
AGREEMENT_ERROR = 0.01
"""Chance of error that two tests of the same drive disagree, over all limits together."""


class Standing(StrEnum):
    """How well a row is confirmed: REPEATED by its own tester, CONFIRMED by a second organisation."""

    SELF_REPORTED = "self-reported"
    REPEATED = "repeated"
    CONFIRMED = "confirmed"
    CONTRADICTED = "contradicted"
    """An independent test of the same load disagrees."""


class Agreement(StrEnum):
    """Whether two tests agree."""

    AGREE = "agree"
    DISAGREE = "disagree"
    OPEN = "open"
    """One of them is undecided."""


@dataclass(frozen=True, slots=True)
class LimitShare:
    """Bounds of the share of reads at or over a limit's threshold, and the share that the limit allows."""

    lower: float
    upper: float
    limit_ratio: float


@dataclass(frozen=True, slots=True)
class ConfirmingTest:
    """Any test of a row, whether or not it confirms another. `tester` is an organisation or publisher,
    `serials` are hashes of the serial numbers of its drives, empty if not stated, and `load` is a multiple of
    ACT's load. `shares` has one entry for each limit, in order, empty if not judged; `samples` is the
    effective number of reads, None without a count.
    """

    tester: str
    serials: frozenset[str]
    load: float
    verdict: Verdict
    shares: tuple[LimitShare, ...]
    samples: float | None


@dataclass(frozen=True, slots=True)
class RowStanding:
    """The standing of a row, its reason as a sentence, and the numbers of tests and testers at any load."""

    standing: Standing
    reason: str
    tests: int
    testers: int
    serials: int
    """Number of different serial numbers."""
    spread_ratio: float | None
    """Largest difference of drives' shares at the first limit, as a ratio of it; None below two."""


def agreement(first: ConfirmingTest, second: ConfirmingTest) -> Agreement:
    """Return whether two tests at one load agree in verdict and shares; OPEN if either is undecided."""
    if Verdict.INDETERMINATE in {first.verdict, second.verdict}:
        return Agreement.OPEN
    if first.verdict is not second.verdict:
        return Agreement.DISAGREE
    pairs = list(zip(first.shares, second.shares, strict=False))
    differ = any(
        _shares_differ(first_share, second_share, first, second, len(pairs))
        for first_share, second_share in pairs
    )
    return Agreement.DISAGREE if differ else Agreement.AGREE


def _shares_differ(
    first_share: LimitShare,
    second_share: LimitShare,
    first: ConfirmingTest,
    second: ConfirmingTest,
    limits: int,
) -> bool:
    """Return whether two shares at one limit differ by more than buckets, tolerance and, with counts, chance
    allow. `limits` share the chance of error.
    """
    lower, upper, below, above = first_share.upper, second_share.lower, first.samples, second.samples
    if lower >= upper:
        lower, upper, below, above = second_share.upper, first_share.lower, above, below
    if upper - lower < TOLERANCE_RATIO * first_share.limit_ratio:
        return False
    if below is None or above is None:
        return True
    return newcombe(upper * above, above, lower * below, below, AGREEMENT_ERROR / limits).lower > 0.0


def standing_of(tests: Sequence[ConfirmingTest], load: float | None) -> RowStanding:
    """Return the standing of a row whose rating rests on `load`; `load` is None if no test decides it."""
    testers = {test.tester for test in tests}
    serials = frozenset[str]().union(*(test.serials for test in tests))
    standing, reason = _standing(tests, load)
    return RowStanding(standing, reason, len(tests), len(testers), len(serials), _drive_spread(tests, load))


def _standing(tests: Sequence[ConfirmingTest], load: float | None) -> tuple[Standing, str]:
    """Return the standing of a row whose rating rests on `load`, and the reason for it in words."""
    at_load = [test for test in tests if test.load == load]
    independent = [
        (first, second, agreement(first, second))
        for first, second in combinations(tests, 2)
        if first.load == second.load and _are_independent(first, second)
    ]
    if any(result is Agreement.DISAGREE for *_, result in independent):
        return Standing.CONTRADICTED, "An independent test of the same load, on another drive, differs."
    if load is None:
        return Standing.SELF_REPORTED, "No test decides it."
    if any(result is Agreement.AGREE and first.load == load for first, _, result in independent):
        return Standing.CONFIRMED, "A second organisation measured the same on another drive."
    repeats = [_count_repeats(at_load, tester) for tester in sorted({test.tester for test in at_load})]
    if max(repeats, default=0) >= FEWEST_REPEATS:
        return Standing.REPEATED, f"{max(repeats)} tests of one tester agree with each other."
    return Standing.SELF_REPORTED, _missing_text(at_load)


def _are_independent(first: ConfirmingTest, second: ConfirmingTest) -> bool:
    """Return whether two tests are of different testers and of drives with different serial numbers."""
    is_other_drive = first.serials and second.serials and not first.serials & second.serials
    return bool(is_other_drive) and first.tester != second.tester


def _count_repeats(tests: Sequence[ConfirmingTest], tester: str) -> int:
    """Return how many of these tests are decided tests of a tester; 0 if any two of them disagree."""
    own = [test for test in tests if test.tester == tester and test.verdict is not Verdict.INDETERMINATE]
    disagree = any(agreement(first, second) is Agreement.DISAGREE for first, second in combinations(own, 2))
    return 0 if disagree else len(own)


def _missing_text(tests: Sequence[ConfirmingTest]) -> str:
    """Return what a row lacks to be confirmed, as a sentence."""
    if len({test.tester for test in tests}) < 2:
        return "One tester; a second organisation with another drive would confirm it."
    if not all(test.serials for test in tests):
        return "Several testers, and not all state the serial number of their drive."
    return "Several testers, and no two decided tests of different drives at the rated load."


def _drive_spread(tests: Sequence[ConfirmingTest], load: float | None) -> float | None:
    """Return the largest difference between drives in their mean share at the first limit, as a ratio of that
    limit. None for fewer than two drives with serial numbers at this load, or for a limit of 0.
    """
    by_drive: dict[frozenset[str], list[LimitShare]] = {}
    for test in tests:
        if test.load == load and test.serials and test.shares:
            by_drive.setdefault(test.serials, []).append(test.shares[0])
    if len(by_drive) < 2:
        return None
    middles = [
        sum((share.lower + share.upper) / 2.0 for share in shares) / len(shares)
        for shares in by_drive.values()
    ]
    limit_ratio = next(iter(by_drive.values()))[0].limit_ratio
    return (max(middles) - min(middles)) / limit_ratio if limit_ratio > 0.0 else None
