"""Whether transactions keep their window: which evidence decides, and what it says.

Two kinds of evidence exist. *Measured* transactions of exactly the asked kind hold all dependence between
their reads and are judged as plain counts. The *model* (`plan_model`) works from single operations. Which of
them decides is fixed by the number of measured transactions alone, before any of them is looked at, so the
chance of a wrong verdict stays 5 % on each side:

* at least as many measured transactions as could show the objective with no miss (2,995 for 99.9 %): they
  decide;
* fewer, or none: the model decides, as long as the measured ones do not contradict it. If they do
  (dependence factor outside 0.5 to 2 with intervals that do not overlap), only they may decide, and with so
  few of them that can only be a FAIL.

Source: METHOD.md sections 0, 1.5, 1.6, 2.1, 2.2; docs/adr/0009 and 0010.
"""

from dataclasses import dataclass
from enum import StrEnum

from tailroom.domain.confidence.shares import samples_for_share, share_lower, share_upper
from tailroom.domain.latency.distribution import TimeBounds
from tailroom.domain.transactions.sequential import FULL_BINS
from tailroom.domain.units import count_text, latency_text, percent_text
from tailroom.domain.verdicts.budget_kinds import TransactionBudget
from tailroom.domain.verdicts.evidence import TRANSACTION, OperationEvidence, RunEvidence
from tailroom.domain.verdicts.generator import Generation
from tailroom.domain.verdicts.measured_transactions import (
    MeasuredResult,
    measured_of,
    measured_result,
    transactions_needed,
)
from tailroom.domain.verdicts.plan_model import PlanModel, model_of
from tailroom.domain.verdicts.plan_words import (
    assumption_text,
    operations_text,
    resolution_doubt,
    samples_doubt,
)
from tailroom.domain.verdicts.verdict import Doubt, Ends, Judgement, Reason, Verdict, judge, word


class Evidence(StrEnum):
    """What a verdict rests on."""

    MODEL = "model"
    MEASURED = "measured"


@dataclass(frozen=True, slots=True)
class TransactionAssessment:
    """Verdict with everything that it rests on; the model is none where an operation was not recorded."""

    budget: TransactionBudget
    judgement: Judgement
    model: PlanModel | None
    measured: MeasuredResult | None
    evidence: Evidence | None
    used: tuple[OperationEvidence, ...] = ()

    @property
    def quantile(self) -> TimeBounds | None:
        """Where the objective's quantile lies, by the evidence that decided: the room is what it leaves."""
        decisive = self.measured if self.evidence is Evidence.MEASURED else self.model
        return decisive.quantile if decisive else None


def assess(
    budget: TransactionBudget, evidence: RunEvidence, *, bins: int = FULL_BINS
) -> TransactionAssessment:
    """Verdict on a budget. `bins` below `FULL_BINS` widen the bounds: for pictures and runs under way."""
    found = {name: evidence.of(name) for name in budget.plan.operations}
    used = {name: one for name, one in found.items() if one is not None and one.record.total != 0}
    absent = [name for name in budget.plan.operations if name not in used]
    model = None if absent else model_of(budget, used, bins)
    whole = measured_of(budget, evidence)
    reads = used.get(budget.read_operation)
    modelled = (model.at_window[1], model.confident) if model else None
    measured = measured_result(budget, whole, reads, modelled) if whole else None
    generation = (whole or _most_doubtful(list(used.values()))).load if whole or used else Generation(None, 0)
    kept = (*used.values(), *((whole,) if whole else ()))
    if measured and (model is None or measured.total >= transactions_needed(budget)):
        judgement = _judge_measured(budget, measured, generation)
        return TransactionAssessment(budget, judgement, model, measured, Evidence.MEASURED, kept)
    if model:
        judgement = _judge_model(budget, model, measured, generation, used=used, bins=bins)
        by = Evidence.MEASURED if measured and measured.contradicts else Evidence.MODEL
        return TransactionAssessment(budget, judgement, model, measured, by, kept)
    return TransactionAssessment(budget, _nothing(budget, absent, evidence), None, None, None, kept)


def _most_doubtful(used: list[OperationEvidence]) -> OperationEvidence:
    doubtful = [one for one in used if one.load.is_too_little or one.load.is_too_much]
    return (doubtful or used)[0]


def _nothing(budget: TransactionBudget, absent: list[str], evidence: RunEvidence) -> Judgement:
    if not evidence.operations and len(budget.plan.stages) == 1:
        text = f"neither `{absent[0]}` operations nor transactions have been measured yet"
        return Judgement(
            Verdict.INDETERMINATE,
            Reason.SAMPLES,
            text,
            f"measured `{absent[0]}` operations or transactions",
        )
    names = " and ".join(f"`{name}`" for name in absent)
    there = ", ".join(f"`{name}`" for name in evidence.names if name != TRANSACTION) or "none"
    return Judgement(
        Verdict.INDETERMINATE,
        Reason.SAMPLES,
        f"no {names} has been measured (measured: {there}); no operation is derived from another",
        f"measured {names} operations",
    )


def _judge_measured(budget: TransactionBudget, whole: MeasuredResult, generation: Generation) -> Judgement:
    total = whole.total
    shares = Ends(whole.within_lower / total, whole.within_upper / total)
    doubts: list[Doubt] = []
    window = latency_text(budget.reads_window_ns)
    counted = f"{count_text(whole.within_lower)} of {count_text(total)} measured transactions kept {window}"
    if whole.within_lower < whole.within_upper:
        middle = (whole.within_lower + whole.within_upper) / 2.0
        late = (total - middle) / whole.effect.factor
        effective = total / whole.effect.factor
        doubts.append(
            Doubt(
                Reason.RESOLUTION,
                Ends(1.0 - share_upper(late, effective), 1.0 - share_lower(late, effective)),
                f"no bucket edge and no exact counter at {window} for measured transactions",
                f"an exact counter of transactions at {window}",
            )
        )
    doubts.append(
        Doubt(
            Reason.SAMPLES,
            shares,
            f"{counted}, which proves only {percent_text(whole.confident.lower)} with 95 % confidence",
            _more_transactions(budget, whole),
        )
    )
    doubts = generation.beside(doubts, whole.confident)
    return judge(
        generation.widened(whole.confident),
        budget.objective_ratio,
        doubts,
        when_pass=f"{counted}: at least {percent_text(whole.confident.lower)} with 95 % confidence",
        when_fail=f"{counted}: at most {percent_text(whole.confident.upper)} with 95 % confidence",
    )


def _more_transactions(budget: TransactionBudget, whole: MeasuredResult) -> str:
    late_ratio = (whole.total - whole.within_lower) / whole.total
    allowed = 1.0 - budget.objective_ratio
    if late_ratio < 0.95 * allowed:
        needed = int(samples_for_share(late_ratio, allowed) * whole.effect.factor)
        return f"about {count_text(needed)} measured transactions at this share of late ones"
    late, limit = percent_text(late_ratio), percent_text(allowed)
    return f"more measured transactions: {late} late lies too near the {limit} allowed"


def _judge_model(
    budget: TransactionBudget,
    model: PlanModel,
    whole: MeasuredResult | None,
    generation: Generation,
    *,
    used: dict[str, OperationEvidence],
    bins: int,
) -> Judgement:
    objective = budget.objective_ratio
    window = latency_text(budget.reads_window_ns)
    resolved = Ends(model.at_window[0], model.at_window[2])
    ends = model.confident
    doubts: list[Doubt] = []
    if word(generation.widened(ends), objective) is Verdict.INDETERMINATE:
        doubts = [resolution_doubt(budget, model, used, bins), samples_doubt(budget, model, used)]
    if whole is not None and whole.contradicts:
        # Too few measured transactions to show the objective, but enough to refute the model.
        ends = whole.confident
        decided = word(model.confident, objective) is not Verdict.INDETERMINATE
        doubts = [
            Doubt(
                Reason.DEPENDENCE,
                model.confident if decided else resolved,
                f"measured transactions contradict the model of single operations: "
                f"{percent_text(whole.two_sided.lower)} to {percent_text(whole.two_sided.upper)} kept "
                f"{window}, the model says {percent_text(model.at_window[1])}",
                f"at least {count_text(transactions_needed(budget))} measured transactions "
                f"({count_text(whole.total)} so far)",
            )
        ]
    doubts = generation.beside(doubts, ends)
    shown = f"{operations_text(model, used)} show that"
    assumed = assumption_text(model)
    return judge(
        generation.widened(ends),
        objective,
        doubts,
        when_pass=f"{shown} at least {percent_text(ends.lower)} of transactions keep {window} with 95 % "
        f"confidence, {assumed}",
        when_fail=f"{shown} at most {percent_text(ends.upper)} of transactions keep {window} with 95 % "
        f"confidence, {assumed}",
    )
