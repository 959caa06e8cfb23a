"""Turn bounds into a verdict with its strength, and name the data that would decide or prove an open case.

Every budget is answered in two scopes. *Observed*: the run is the whole population, so its bounds are apart
only by resolution, rounding and unreliable slices. *Proven*: the run is a sample of what the system does, so
confidence, dependence and closed loops widen the bounds as well; they always contain the observed bounds.
PASS needs the lower bound at or over the objective, FAIL the upper bound below it. A verdict is *proven* if
the proven bounds decide, *observed* if only those of the run do. Source: docs/method.md section 11.

The evidence meter is the share of the needed evidence that an undecided case has: effective samples so far
divided by samples needed at the observed share of slow operations, so that open cases can be ranked. A way to
the missing evidence always has an amount. Source: docs/method.md section 10, C9.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from tailroom.domain.units import NS_PER_HOUR, duration_text, latency_text, needed_text, percent_text


class Way(StrEnum):
    """Ways to get the missing evidence, cheapest first: data that a source already has need no run."""

    EXACT = "exact_calculation"
    """The same record, calculated with all time steps instead of the few of a quick answer."""
    PERCENTILE = "percentile"
    """A further percentile from the source, which does not publish it."""
    COUNTER = "exact_counter"
    """An exact counter, or a bucket edge, at one time."""
    OPERATIONS = "operations"
    """More operations at this load."""
    TRANSACTIONS = "measured_transactions"
    """Whole transactions, measured as such."""
    TIME = "time"
    """More time at this load."""


_AMOUNTS: Mapping[Way, tuple[str, Callable[[float], str]]] = {
    Way.EXACT: ("count", lambda _: "the exact calculation"),
    Way.PERCENTILE: ("ratio", lambda share: f"the time that {percent_text(share)} of operations keep"),
    Way.COUNTER: ("ns", lambda at_ns: f"an exact counter at {latency_text(round(at_ns))}"),
    Way.OPERATIONS: ("count", lambda count: f"{needed_text(round(count))} more operations at this load"),
    Way.TRANSACTIONS: ("count", lambda count: f"{needed_text(round(count))} more measured transactions"),
    Way.TIME: ("ns", lambda time_ns: f"{duration_text(round(time_ns))} more at this load"),
}
"""Unit of the amount of each way, and a function that returns the amount in words."""


@dataclass(frozen=True, slots=True)
class EvidenceAmount:
    """A way to the missing evidence, and its amount in the unit that `_AMOUNTS` has for the way."""

    way: Way
    amount: float

    def document(self) -> dict[str, Any]:
        """Return the JSON document of the API."""
        unit, text_of = _AMOUNTS[self.way]
        return {"way": self.way.value, "amount": self.amount, "unit": unit, "text": text_of(self.amount)}


@dataclass(frozen=True, slots=True)
class EvidenceMeter:
    """The effective evidence so far and the evidence needed, None if unknown, in `unit`: `operations` or
    `transactions`. Each of `ways` leads to the missing evidence.
    """

    effective: float | None = None
    needed: float | None = None
    unit: str = "operations"
    ways: tuple[EvidenceAmount, ...] = ()

    @property
    def share(self) -> float | None:
        """Share of the needed evidence, at most 0.999 because the verdict is undecided; None if unknown."""
        if self.effective is None or self.needed is None or self.needed <= 0.0:
            return None
        return min(self.effective / self.needed, _ALMOST)

    def with_time(self, measured_ns: int) -> "EvidenceMeter":
        """Return the meter with the time of the missing evidence, from that so far (`measured_ns`)."""
        share = self.share
        if not share or measured_ns <= 0 or any(way.way is Way.TIME for way in self.ways):
            return self
        left_ns = float(round(measured_ns * (1.0 / share - 1.0)))
        return replace(self, ways=(*self.ways, EvidenceAmount(Way.TIME, left_ns)))

    def document(self) -> dict[str, Any]:
        """Return the JSON document of the API; ways are ordered from the cheapest."""
        ways = sorted(self.ways, key=lambda way: list(Way).index(way.way))
        return {
            "share": self.share,
            "effective": self.effective,
            "needed": self.needed,
            "unit": self.unit,
            "ways": [way.document() for way in ways],
        }


_ALMOST = 0.999
NO_METER = EvidenceMeter()


FEWEST_OPERATIONS = 100
"""Fewest operations or transactions of a PASS that is observed but not proven."""


class Verdict(StrEnum):
    """PASS, FAIL or INDETERMINATE (undecided)."""

    PASS = "PASS"  # noqa: S105 - a word of the product, not a password
    FAIL = "FAIL"
    INDETERMINATE = "INDETERMINATE"


WORST_FIRST = (Verdict.FAIL, Verdict.INDETERMINATE, Verdict.PASS)
"""The verdicts in the order in which the worst of several counts."""


class Strength(StrEnum):
    """Scope of a decided verdict: proven for the next run, or observed in this run alone."""

    PROVEN = "proven"
    OBSERVED = "observed"


class Reason(StrEnum):
    """Why a case is undecided or unproven, in the order in which reasons are tried."""

    RESOLUTION = "resolution"
    """Buckets are too coarse."""
    SAMPLES = "samples"
    """There are too few operations."""
    DEPENDENCE = "dependence"
    """Measured transactions contradict the model of independent operations."""
    DURATION = "duration"
    """The run is too short."""
    GENERATOR = "generator"
    """The load was not as intended, or is unknown."""
    METADATA = "metadata"
    """Facts are not stated, or contradict each other."""


class LengthStage(StrEnum):
    """Stage of a run by length: `preview` below 6 h, `indicative`, `full` from 24 h (docs/method.md 3.4)."""

    PREVIEW = "preview"
    INDICATIVE = "indicative"
    FULL = "full"


_TOLERANCE = 1e-12
"""Largest difference of equal shares."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Lower and upper bound of a share of operations or transactions that meet the objective."""

    lower: float
    upper: float

    def around(self, other: "Bounds") -> "Bounds":
        """Return the smallest bounds that contain both."""
        return Bounds(min(self.lower, other.lower), max(self.upper, other.upper))

    @property
    def complement(self) -> "Bounds":
        """Bounds of the share that does not meet the objective."""
        return Bounds(1.0 - self.upper, 1.0 - self.lower)


UNBOUNDED_SHARE = Bounds(0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Scope:
    """The answer for this run, or proven for the next; `bounds` is None if no share is known."""

    verdict: Verdict
    bounds: Bounds | None = None


@dataclass(frozen=True, slots=True)
class Uncertainty:
    """A cause of wide bounds: the bounds without it, its reason, and the data that would remove it."""

    reason: Reason
    without: Bounds
    text: str
    decided_by: str
    meter: EvidenceMeter = NO_METER


def too_few_samples(
    text: str, decided_by: str, so_far: float, needed: float, way: Way = Way.OPERATIONS
) -> Uncertainty:
    """Return the uncertainty of fewer operations, or of fewer transactions, than are needed at least."""
    unit = "transactions" if way is Way.TRANSACTIONS else "operations"
    amount = EvidenceAmount(way, max(1.0, needed - so_far))
    meter = EvidenceMeter(so_far, needed, unit, (amount,))
    return Uncertainty(Reason.SAMPLES, UNBOUNDED_SHARE, text, decided_by, meter)


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict with its strength and reason. `strength` is None if it is undecided, `reason` if it is not.
    `unproven` is the reason that an observed verdict is not proven, None for other verdicts and if it cannot
    be proven. `decided_by` names the cheapest data that would decide or prove it, `meter` is the evidence so
    far; both are None if no further data of this kind would.
    """

    verdict: Verdict
    reason: Reason | None
    reason_text: str
    decided_by: str | None
    meter: EvidenceMeter | None = None
    strength: Strength | None = None
    unproven: Reason | None = None
    observed: Scope = Scope(Verdict.INDETERMINATE)
    proven: Scope = Scope(Verdict.INDETERMINATE)


def decide(bounds: Bounds, objective: float) -> Verdict:
    """Return PASS if the lower bound reaches the objective, FAIL if the upper is below, else undecided."""
    if bounds.lower >= objective:
        return Verdict.PASS
    return Verdict.FAIL if bounds.upper < objective else Verdict.INDETERMINATE


def undecided(
    reason: Reason, text: str, decided_by: str | None, meter: EvidenceMeter | None = None
) -> Judgement:
    """Return an INDETERMINATE judgement without bounds."""
    return Judgement(Verdict.INDETERMINATE, reason, text, decided_by, meter)


def observed(verdict: Verdict, text: str, bounds: Bounds | None = None) -> Judgement:
    """Return a decided judgement about this run alone, which no further data would prove for the next run."""
    return Judgement(verdict, None, text, None, strength=Strength.OBSERVED, observed=Scope(verdict, bounds))


def judge(
    observed_bounds: Bounds,
    proven_bounds: Bounds,
    objective: float,
    *,
    undecided_by: Sequence[Uncertainty],
    unproven_by: Sequence[Uncertainty],
    fact: str,
    proves: str,
    too_few: Uncertainty | None = None,
) -> Judgement:
    """Return the verdict from two bounds of the share that meets the objective: in this run, and with
    confidence (`proven_bounds`, widened to contain those of the run). `undecided_by` are the causes that the
    first are wide, `unproven_by` that the second are wider; each must have a cause if its bounds do not
    decide. `fact` states the counts of this run, `proves` the proven bounds. `too_few` is the reason that the
    run has too few operations for an observed PASS, None if it has enough.
    """
    proven_bounds = proven_bounds.around(observed_bounds)
    in_run = Scope(decide(observed_bounds, objective), observed_bounds)
    in_next = Scope(decide(proven_bounds, objective), proven_bounds)
    if in_next.verdict is not Verdict.INDETERMINATE:
        return Judgement(
            in_next.verdict,
            None,
            f"{fact}; {proves}",
            None,
            strength=Strength.PROVEN,
            observed=in_run,
            proven=in_next,
        )
    if in_run.verdict is Verdict.INDETERMINATE:
        cause = decisive(undecided_by, observed_bounds, objective)
    elif in_run.verdict is Verdict.PASS and too_few is not None:
        cause, in_run = too_few, Scope(Verdict.INDETERMINATE, observed_bounds)
    else:
        cause = decisive(unproven_by, proven_bounds, objective)
        return replace(
            observed(in_run.verdict, f"{fact}; {cause.text}", observed_bounds),
            decided_by=cause.decided_by,
            meter=cause.meter,
            unproven=cause.reason,
            proven=in_next,
        )
    open_case = undecided(cause.reason, cause.text, cause.decided_by, cause.meter)
    return replace(open_case, observed=in_run, proven=in_next)


def decisive(causes: Sequence[Uncertainty], bounds: Bounds, objective: float) -> Uncertainty:
    """Return the first cause, in the order of `Reason`, without which the bounds decide; else one in the
    generator, because more data of the same kind would not help; else one that widens the bounds.
    """
    ranked = sorted(causes, key=lambda cause: list(Reason).index(cause.reason))
    deciding = [cause for cause in ranked if decide(cause.without, objective) is not Verdict.INDETERMINATE]
    generator = [cause for cause in ranked if cause.reason is Reason.GENERATOR]
    narrowing = [
        cause
        for cause in ranked
        if cause.without.lower > bounds.lower + _TOLERANCE or cause.without.upper < bounds.upper - _TOLERANCE
    ]
    return (deciding or generator or narrowing or ranked)[0]


def combined(judgements: Sequence[Judgement], when_pass: str) -> Judgement:
    """Return the judgement on several limits that must all be met; `judgements` must not be empty. Words and
    bounds are those of the deciding limit: the first FAIL, proven before observed; else the first undecided
    in the order of `Reason`; else the first that is only observed. `when_pass` is the text of a PASS.
    """
    reasons = list(Reason)

    def rank(judgement: Judgement) -> tuple[int, int]:
        match judgement.verdict:
            case Verdict.FAIL:
                return (0 if judgement.strength is Strength.PROVEN else 1, 0)
            case Verdict.INDETERMINATE:
                return (2, reasons.index(judgement.reason) if judgement.reason else -1)
            case _:
                return (3 if judgement.strength is Strength.OBSERVED else 4, 0)

    leading = min(judgements, key=rank)
    in_run = _worst_scope([judgement.observed for judgement in judgements], leading.observed)
    in_next = _worst_scope([judgement.proven for judgement in judgements], leading.proven)
    text = when_pass if leading.verdict is Verdict.PASS else leading.reason_text
    return replace(leading, reason_text=text, observed=in_run, proven=in_next)


def _worst_scope(scopes: Sequence[Scope], leading: Scope) -> Scope:
    return replace(leading, verdict=min((scope.verdict for scope in scopes), key=WORST_FIRST.index))


def stage_of(measured_ns: int) -> LengthStage:
    """Return the stage of a run by its length: preview below 6 hours, full from 24, else indicative."""
    if measured_ns < 6 * NS_PER_HOUR:
        return LengthStage.PREVIEW
    return LengthStage.FULL if measured_ns >= 24 * NS_PER_HOUR else LengthStage.INDICATIVE
