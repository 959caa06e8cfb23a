"""How bounds become one of three words, and how an undecided case names what would decide it.

PASS only when the worst end of everything that is in doubt still meets the objective; FAIL only when the
best end still misses it; otherwise INDETERMINATE with the first doubt whose removal would decide. Source:
docs/method.md section 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from tailroom.domain.units import NS_PER_HOUR
from tailroom.domain.verdicts.meter import NO_METER, EvidenceMeter


class Verdict(StrEnum):
    """The three answers."""

    PASS = "PASS"  # noqa: S105 - a word of the product, not a password
    FAIL = "FAIL"
    INDETERMINATE = "INDETERMINATE"


class Reason(StrEnum):
    """Why a case is undecided, in the order in which reasons are tried."""

    RESOLUTION = "resolution"
    SAMPLES = "samples"
    DEPENDENCE = "dependence"
    DURATION = "duration"
    GENERATOR = "generator"
    METADATA = "metadata"


class Stage(StrEnum):
    """How far the length of a run carries (docs/method.md 3.4): drives may degrade after hours."""

    PREVIEW = "preview"
    INDICATIVE = "indicative"
    FULL = "full"


_SAME = 1e-12
"""Shares that differ by less are one."""


@dataclass(frozen=True, slots=True)
class Ends:
    """Lower and upper end of the share of operations that meet the objective."""

    lower: float
    upper: float


@dataclass(frozen=True, slots=True)
class Doubt:
    """What keeps the ends apart: what they would be without it, why it is there, what would remove it."""

    reason: Reason
    without: Ends
    text: str
    decided_by: str
    meter: EvidenceMeter = NO_METER


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict in words; `reason`, `decided_by` and `meter` are none when it is decided."""

    verdict: Verdict
    reason: Reason | None
    reason_text: str
    decided_by: str | None
    meter: EvidenceMeter | None = None


def word(ends: Ends, objective: float) -> Verdict:
    """Verdict of the ends alone."""
    if ends.lower >= objective:
        return Verdict.PASS
    return Verdict.FAIL if ends.upper < objective else Verdict.INDETERMINATE


def judge(
    ends: Ends, objective: float, doubts: Sequence[Doubt], *, when_pass: str, when_fail: str
) -> Judgement:
    """Verdict of the ends; undecided, the first doubt in the order of `Reason` whose removal decides it.

    Where no single removal would decide, a doubt about the load stands first, because more data of the same
    kind would be in vain; else the first doubt that keeps the ends apart at all.
    """
    verdict = word(ends, objective)
    if verdict is Verdict.PASS:
        return Judgement(verdict, None, when_pass, None)
    if verdict is Verdict.FAIL:
        return Judgement(verdict, None, when_fail, None)
    order = list(Reason)
    ranked = sorted(doubts, key=lambda doubt: order.index(doubt.reason))
    decisive = [doubt for doubt in ranked if word(doubt.without, objective) is not Verdict.INDETERMINATE]
    in_vain = [doubt for doubt in ranked if doubt.reason is Reason.GENERATOR]
    narrowing = [doubt for doubt in ranked if _narrows(doubt.without, ends)]
    doubt = (decisive or in_vain or narrowing or ranked)[0]
    return Judgement(verdict, doubt.reason, doubt.text, doubt.decided_by, doubt.meter)


def _narrows(without: Ends, ends: Ends) -> bool:
    return without.lower > ends.lower + _SAME or without.upper < ends.upper - _SAME


def first_undecided(judgements: Sequence[Judgement]) -> Judgement | None:
    """Of several demands that must all be met: the first FAIL, else the first undecided in the order of
    reasons; none where all pass.
    """
    failed = [one for one in judgements if one.verdict is Verdict.FAIL]
    if failed:
        return failed[0]
    order = list(Reason)
    undecided = [one for one in judgements if one.verdict is Verdict.INDETERMINATE]
    return min(undecided, key=lambda one: order.index(one.reason) if one.reason else -1, default=None)


def stage_of(measured_ns: int) -> Stage:
    """Preview below 6 hours, full from 24 hours."""
    if measured_ns < 6 * NS_PER_HOUR:
        return Stage.PREVIEW
    return Stage.FULL if measured_ns >= 24 * NS_PER_HOUR else Stage.INDICATIVE
