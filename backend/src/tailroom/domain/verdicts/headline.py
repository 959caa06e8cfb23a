"""The words of a judgement, the same on every page and export: verdict, reason, headline, evidence meter.

Run page, drive page, `/sla`, uploads, lists, badges, CSV, API and `tailroom judge` take these fields as they
are and calculate none of them, so the same record, budget and method read the same everywhere. A headline
prints the interval, never a single bound as if it were the value. Source: docs/method.md section 10, C4 and
C9.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from tailroom.domain.units import duration_text, exact_percent, latency_text, proven_share_text, share_text
from tailroom.domain.verdicts.budget_kinds import (
    Budget,
    CompletionBudget,
    ExceedanceBudget,
    Limit,
    TransactionBudget,
)
from tailroom.domain.verdicts.exceedance import LimitRow, LimitsAssessment, percentile_fact, slice_word
from tailroom.domain.verdicts.measured_transactions import Evidence
from tailroom.domain.verdicts.rates import FloorRow, rate_text, rates_text
from tailroom.domain.verdicts.verdict import (
    NO_METER,
    WORST_FIRST,
    Judgement,
    Reason,
    Scope,
    Strength,
    Verdict,
)

if TYPE_CHECKING:
    from tailroom.domain.verdicts.assessment import BudgetAssessment

_Row = TypeVar("_Row", LimitRow, FloorRow)
_REASONS = {
    Reason.RESOLUTION: "buckets too coarse",
    Reason.SAMPLES: "too few operations",
    Reason.DEPENDENCE: "measured transactions contradict the model",
    Reason.DURATION: "run too short",
    Reason.GENERATOR: "load generator unreliable",
    Reason.METADATA: "conditions unknown",
}


@dataclass(frozen=True, slots=True)
class Headline:
    """The result from `lower` to `upper`, and the `required` value, each None if there is none. All are in
    `unit`: `ratio`, `ns` or `per_s`.
    """

    text: str
    lower: float | None = None
    upper: float | None = None
    required: float | None = None
    unit: str | None = None
    basis: str | None = None
    """Source of the result: `measured` transactions, a `model`, or `counted` operations; None if nothing was
    measured.
    """

    def document(self) -> dict[str, Any]:
        """Return the JSON document of the API, in which `required` has the name `asked`."""
        return {
            "text": self.text,
            "lower": self.lower,
            "upper": self.upper,
            "asked": self.required,
            "unit": self.unit,
            "basis": self.basis,
        }


VERDICT_FIELDS = (
    *("verdict", "strength", "words", "observed", "proven", "reason", "unproven"),
    *("reason_text", "decided_by", "headline", "meter"),
)


def verdict_fields(assessment: "BudgetAssessment", *, is_provisional: bool = False) -> dict[str, Any]:
    """Return the JSON fields of `VERDICT_FIELDS`; `meter` is None if proven, or if no data decide."""
    judgement = assessment.judgement
    meter = None
    if judgement.strength is not Strength.PROVEN and judgement.decided_by is not None:
        meter = (judgement.meter or NO_METER).with_time(assessment.data_through_ns).document()
    shows_late = isinstance(assessment.budget, ExceedanceBudget)
    # The bounds of a rule set's judgement are those of one of its parts.
    observed, proven = (
        replace(scope, bounds=None) if assessment.criteria else scope
        for scope in (judgement.observed, judgement.proven)
    )
    return {
        "verdict": judgement.verdict.value,
        "strength": judgement.strength.value if judgement.strength else None,
        "words": words(judgement, is_provisional=is_provisional, is_published=assessment.is_published),
        "observed": scope_document(observed, shows_late=shows_late),
        "proven": scope_document(proven, shows_late=shows_late),
        "reason": judgement.reason.value if judgement.reason else None,
        "unproven": judgement.unproven.value if judgement.unproven else None,
        "reason_text": judgement.reason_text,
        "decided_by": judgement.decided_by,
        "headline": headline(assessment).document(),
        "meter": meter,
    }


def words(judgement: Judgement, *, is_provisional: bool = False, is_published: bool = False) -> str:
    """Return the verdict and its strength in words, such as “PASS, proven” (`words_of`)."""
    by = judgement.verdict, judgement.strength, judgement.reason
    return words_of(*by, is_provisional=is_provisional, is_published=is_published)


def words_of(
    verdict: Verdict,
    strength: Strength | None,
    reason: Reason | None,
    *,
    is_provisional: bool = False,
    is_published: bool = False,
) -> str:
    """Return "PASS, proven", "FAIL in this run", "PASS in its test" (published) or "Undecided: buckets too
    coarse". For a provisional verdict it is "PASS so far, proven" and so on. A verdict without strength, by a
    method before 8, is its word alone.
    """
    so_far = " so far" if is_provisional else ""
    if verdict is Verdict.INDETERMINATE:
        return f"Undecided{so_far}: {_REASONS[reason]}" if reason else f"Undecided{so_far}"
    match strength:
        case Strength.PROVEN:
            return f"{verdict.value}{so_far}, proven"
        case Strength.OBSERVED:
            return f"{verdict.value}{so_far or (' in its test' if is_published else ' in this run')}"
        case None:
            return f"{verdict.value}{so_far}"


def words_of_document(document: Mapping[str, Any]) -> str:
    """Return the verdict of a stored or received document in words; composed if absent (methods before 8)."""
    strength, reason = document.get("strength"), document.get("reason")
    return document.get("words") or words_of(
        Verdict(document["verdict"]),
        Strength(strength) if strength else None,
        Reason(reason) if reason else None,
        is_provisional=bool(document.get("provisional")),
    )


def scope_text(verdict: Mapping[str, Any], scope: str) -> str:
    """Return the answer in a scope, `observed` or `proven`, of a verdict's document as text: `FAIL: 5.4–7.6
    %` or `undecided`. Bounds are left out for budgets that are not about a share, and for rule sets.
    """
    answer = verdict[scope]
    word = "undecided" if answer["verdict"] == Verdict.INDETERMINATE else answer["verdict"]
    if answer["lower"] is None or verdict.get("criteria"):
        return word
    is_counted = verdict["headline"]["basis"] != "model"
    required = verdict["headline"]["asked"]
    shares_text = proven_share_text if scope == "proven" else share_text
    return f"{word}: {shares_text(answer['lower'], answer['upper'], required, counted=is_counted)}"


def scope_document(scope: Scope, *, shows_late: bool) -> dict[str, Any]:
    """Return the answer in one scope for the API. With `shows_late` its bounds are of the share that does not
    meet the objective, as in a headline about slow operations.
    """
    bounds = scope.bounds and (scope.bounds.complement if shows_late else scope.bounds)
    return {
        "verdict": scope.verdict.value,
        "lower": bounds.lower if bounds else None,
        "upper": bounds.upper if bounds else None,
    }


def headline(assessment: "BudgetAssessment") -> Headline:
    """Return the interval that the verdict rests on, as a line of text with its bounds, if it has any."""
    budget = assessment.budget
    if assessment.criteria:
        return _parts_headline(assessment)
    if isinstance(budget, TransactionBudget):
        return _transaction_headline(budget, assessment)
    if isinstance(budget, CompletionBudget):
        lasted_ns, required_ns = assessment.data_through_ns, budget.duration_ns
        text = f"lasted {duration_text(lasted_ns)}; {duration_text(required_ns)} asked"
        return Headline(text, float(lasted_ns), float(lasted_ns), float(required_ns), "ns", "counted")
    if assessment.limits is not None:
        return _limits_headline(assessment.limits, budget, assessment.judgement.verdict)
    measured = [row for row in assessment.floors if row.measured is not None]
    if measured:
        return _floor_headline(_decisive_row(measured))
    return Headline(_missing_text(assessment))


def _missing_text(assessment: "BudgetAssessment") -> str:
    return "not judged" if assessment.judgement.reason is Reason.METADATA else "nothing measured"


def _transaction_headline(budget: TransactionBudget, assessment: "BudgetAssessment") -> Headline:
    transaction = assessment.transaction
    objective, window = budget.objective_ratio, latency_text(budget.reads_window_ns)
    if transaction is None or transaction.evidence is None or transaction.observed is None:
        text = f"{_missing_text(assessment)}; {exact_percent(objective)} asked"
        return Headline(text, required=objective, unit="ratio")
    bounds = transaction.observed
    basis = "measured" if transaction.evidence is Evidence.MEASURED else "model"
    shares = share_text(bounds.lower, bounds.upper, objective, counted=basis == "measured")
    text = f"{shares} of transactions keep {window}; {exact_percent(objective)} asked"
    return Headline(text, bounds.lower, bounds.upper, objective, "ratio", basis)


def _limits_headline(limits: LimitsAssessment, budget: Budget, verdict: Verdict) -> Headline:
    """Return the deciding limit's headline; a FAIL by a slice alone shows no share, which would read like a
    PASS.
    """
    row = _decisive_row(limits.rows)
    is_by_slice = verdict is Verdict.FAIL and row.judgement.verdict is not Verdict.FAIL
    if is_by_slice and isinstance(budget, ExceedanceBudget):
        part = slice_word(budget.certification_slice_ns)
        return Headline(f"a full {part} breaks a limit; every full {part} must keep all", basis="counted")
    return _limit_headline(row)


def _limit_headline(row: LimitRow) -> Headline:
    measured, limit = row.measured, row.limit
    if not isinstance(limit, Limit):
        lower, upper = 1.0 - measured.share_upper, 1.0 - measured.share_lower
        at, objective = latency_text(limit.below_ns), exact_percent(limit.quantile)
        if row.stated_ns is not None:
            text = f"{percentile_fact(limit, row.stated_ns)}; less than {at} asked"
        else:
            text = f"{share_text(lower, upper, limit.quantile)} take less than {at}; {objective} asked"
        return Headline(text, lower, upper, limit.quantile, "ratio", "counted")
    at, objective = latency_text(limit.threshold_ns), exact_percent(limit.ratio)
    shown = share_text(measured.share_lower, measured.share_upper, limit.ratio)
    text = f"{shown} take {at} or longer; less than {objective} asked"
    return Headline(text, measured.share_lower, measured.share_upper, limit.ratio, "ratio", "counted")


def _floor_headline(row: FloorRow) -> Headline:
    quantity, floor, measured = row.floor.quantity, row.floor.above, row.measured
    assert measured is not None  # noqa: S101 - `headline` selects measured rows
    text = f"{rates_text(quantity, measured)}; more than {rate_text(quantity, floor)} asked"
    return Headline(text, measured.lower, measured.upper, floor, "per_s", "counted")


def _parts_headline(assessment: "BudgetAssessment") -> Headline:
    verdicts = [criterion.judgement.verdict for criterion in assessment.criteria]
    failed, open_cases = verdicts.count(Verdict.FAIL), verdicts.count(Verdict.INDETERMINATE)
    counts = [
        f"{verdicts.count(Verdict.PASS)} of {len(verdicts)} parts pass",
        *([f"{failed} fail"] if failed else []),
        *([f"{open_cases} undecided"] if open_cases else []),
    ]
    return Headline(", ".join(counts), basis="counted")


def _decisive_row(rows: Sequence[_Row]) -> _Row:
    """Return the row that decides the verdict: the first FAIL, else the first undecided, else the first."""
    return min(rows, key=lambda row: WORST_FIRST.index(row.judgement.verdict))
