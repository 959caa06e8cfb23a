"""The one place that turns a judgement into what every door says: word, reason, headline, evidence meter.

Run page, drive page, `/sla`, uploads, lists, badges, CSV, API and `tailroom judge` take these fields as they
are and calculate none of them, so the same record, budget and method read the same everywhere. A headline
prints the interval, never one of its ends as if it were the value. Source: docs/method.md section 10, C4 and
C9.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from tailroom.domain.units import duration_text, latency_text, percent_text, share_text
from tailroom.domain.verdicts.budget_kinds import (
    Budget,
    CompletionBudget,
    ExceedanceBudget,
    Limit,
    TransactionBudget,
)
from tailroom.domain.verdicts.exceedance import LimitRow, LimitsAssessment
from tailroom.domain.verdicts.meter import NO_METER
from tailroom.domain.verdicts.plan_verdict import Evidence, TransactionAssessment
from tailroom.domain.verdicts.rates import FloorRow, rate_text
from tailroom.domain.verdicts.verdict import Judgement, Reason, Scope, Strength, Verdict

_Row = TypeVar("_Row", LimitRow, FloorRow)
_REASONS = {
    Reason.RESOLUTION: "buckets too coarse",
    Reason.SAMPLES: "too few operations",
    Reason.DEPENDENCE: "measured transactions contradict the model",
    Reason.DURATION: "run too short",
    Reason.GENERATOR: "load generator unreliable",
    Reason.METADATA: "conditions unknown",
}


class Assessed(Protocol):
    """What an assessment of a budget has to say of itself."""

    @property
    def budget(self) -> Budget: ...
    @property
    def judgement(self) -> Judgement: ...
    @property
    def data_through_ns(self) -> int: ...
    @property
    def transaction(self) -> TransactionAssessment | None: ...
    @property
    def limits(self) -> LimitsAssessment | None: ...
    @property
    def floors(self) -> Sequence[FloorRow]: ...
    @property
    def criteria(self) -> Sequence["Assessed"]: ...
    @property
    def is_published(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Headline:
    """What was found as an interval beside what was asked, both in `unit`; none where nothing is known."""

    text: str
    lower: float | None = None
    upper: float | None = None
    asked: float | None = None
    unit: str | None = None
    basis: str | None = None
    """`measured`, `model` or `counted`."""

    def document(self) -> dict[str, Any]:
        """As the API says it."""
        return {
            "text": self.text,
            "lower": self.lower,
            "upper": self.upper,
            "asked": self.asked,
            "unit": self.unit,
            "basis": self.basis,
        }


def stated(assessment: Assessed) -> dict[str, Any]:
    """Verdict, reason, headline and evidence meter of an assessment, as every door shows them."""
    judgement = assessment.judgement
    meter = None
    if judgement.strength is not Strength.PROVEN and judgement.decided_by is not None:
        meter = (judgement.meter or NO_METER).with_time(assessment.data_through_ns).document()
    shows_late = _shows_late(assessment)
    return {
        "verdict": judgement.verdict.value,
        "strength": judgement.strength.value if judgement.strength else None,
        "words": words(judgement, is_published=assessment.is_published),
        "observed": scope_document(judgement.observed, shows_late=shows_late),
        "proven": scope_document(judgement.proven, shows_late=shows_late),
        "reason": judgement.reason.value if judgement.reason else None,
        "unproven": judgement.unproven.value if judgement.unproven else None,
        "reason_text": judgement.reason_text,
        "decided_by": judgement.decided_by,
        "headline": headline(assessment).document(),
        "meter": meter,
    }


def words(judgement: Judgement, *, is_published: bool = False) -> str:
    """Return the verdict and its strength as a person reads them."""
    return words_of(judgement.verdict, judgement.strength, judgement.reason, is_published=is_published)


def words_of(
    verdict: Verdict, strength: Strength | None, reason: Reason | None, *, is_published: bool = False
) -> str:
    """Return "PASS, proven", "FAIL in this run", "PASS in its test" or "Undecided: resolution"."""
    match strength:
        case Strength.PROVEN:
            return f"{verdict.value}, proven"
        case Strength.OBSERVED:
            return f"{verdict.value} in {'its test' if is_published else 'this run'}"
        case _:
            return f"Undecided: {_REASONS[reason]}" if reason else "Undecided"


def scope_document(scope: Scope, *, shows_late: bool) -> dict[str, Any]:
    """Return one scope as the API says it: bounds in the unit of the headline; of rates and ends none."""
    bounds = scope.bounds and (scope.bounds.of_the_rest if shows_late else scope.bounds)
    return {
        "verdict": scope.verdict.value,
        "lower": bounds.lower if bounds else None,
        "upper": bounds.upper if bounds else None,
    }


def _shows_late(assessment: Assessed) -> bool:
    """Whether the headline is a share of slow operations, which a budget about exceedances asks for."""
    return isinstance(assessment.budget, ExceedanceBudget)


def headline(assessment: Assessed) -> Headline:
    """The interval that the verdict rests on, in one line."""
    budget = assessment.budget
    if assessment.criteria:
        return _of_parts(assessment)
    if isinstance(budget, TransactionBudget):
        return _of_transactions(budget, assessment.transaction)
    if isinstance(budget, CompletionBudget):
        lasted, asked = assessment.data_through_ns, budget.duration_ns
        return Headline(
            f"lasted {duration_text(lasted)}; {duration_text(asked)} asked",
            float(lasted),
            float(lasted),
            float(asked),
            "ns",
            "counted",
        )
    if assessment.limits is not None:
        return _of_limit(_telling(assessment.limits.rows))
    measured = [row for row in assessment.floors if row.measured is not None]
    if measured:
        return _of_floor(_telling(measured))
    return Headline("nothing measured")


def _of_transactions(budget: TransactionBudget, found: TransactionAssessment | None) -> Headline:
    asked, window = budget.objective_ratio, latency_text(budget.reads_window_ns)
    if found is None or found.evidence is None or found.observed is None:
        return Headline(f"nothing measured; {percent_text(asked)} asked", asked=asked, unit="ratio")
    bounds = found.observed
    basis = "measured" if found.evidence is Evidence.MEASURED else "model"
    return Headline(
        f"{share_text(bounds.lower, bounds.upper, asked, counted=basis == 'measured')} of transactions keep {window}; "
        f"{percent_text(asked)} asked",
        bounds.lower,
        bounds.upper,
        asked,
        "ratio",
        basis,
    )


def _of_limit(row: LimitRow) -> Headline:
    measured, limit = row.measured, row.limit
    if not isinstance(limit, Limit):
        lower, upper = 1.0 - measured.share_upper, 1.0 - measured.share_lower
        at, asked = latency_text(limit.below_ns), percent_text(limit.quantile)
        text = f"{share_text(lower, upper, limit.quantile)} take less than {at}; {asked} asked"
        return Headline(text, lower, upper, limit.quantile, "ratio", "counted")
    at, asked = latency_text(limit.threshold_ns), percent_text(limit.ratio)
    shown = share_text(measured.share_lower, measured.share_upper, limit.ratio)
    text = f"{shown} take {at} or longer; less than {asked} asked"
    return Headline(text, measured.share_lower, measured.share_upper, limit.ratio, "ratio", "counted")


def _of_floor(row: FloorRow) -> Headline:
    quantity, asked = row.floor.quantity, row.floor.above
    if row.measured is None:
        return Headline("nothing measured", asked=asked, unit="per_s")
    low, high = rate_text(quantity, row.measured.lower), rate_text(quantity, row.measured.upper)
    shown = low if low == high else f"{low} to {high}"
    text = f"{shown}; more than {rate_text(quantity, asked)} asked"
    return Headline(text, row.measured.lower, row.measured.upper, asked, "per_s", "counted")


def _of_parts(assessment: Assessed) -> Headline:
    verdicts = [criterion.judgement.verdict for criterion in assessment.criteria]
    failed, open_cases = verdicts.count(Verdict.FAIL), verdicts.count(Verdict.INDETERMINATE)
    counts = [
        f"{verdicts.count(Verdict.PASS)} of {len(verdicts)} parts pass",
        *([f"{failed} fail"] if failed else []),
        *([f"{open_cases} undecided"] if open_cases else []),
    ]
    return Headline(", ".join(counts), basis="counted")


def _telling(rows: Sequence[_Row]) -> _Row:
    """The row that the verdict is about: the first FAIL, else the first undecided, else the first."""
    for word in (Verdict.FAIL, Verdict.INDETERMINATE):
        for row in rows:
            if row.judgement.verdict is word:
                return row
    return rows[0]
