"""Whether transactions keep their window: which evidence decides, and what it says.

Two kinds of evidence exist. *Measured* transactions of exactly the asked plan hold all dependence between
their reads and are judged as plain counts. The *model* (`plan_model`) works from single operations. Which of
them decides is fixed by the number of measured transactions alone, before any of them is looked at, so the
chance of a wrong verdict stays 5 % on each side:

* at least 2,995 measured transactions (as many as show 99.9 % with none late), or fewer that prove a miss:
  they decide;
* fewer, or none: the model decides, as long as the measured ones do not contradict it. If they do
  (dependence factor outside 0.5 to 2 with intervals that do not overlap), only they may decide.

Source: docs/method.md sections 0, 1.5, 1.6, 2.1, 2.2; docs/adr/0009 and 0010.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from tailroom.domain.confidence.shares import (
    samples_for_share,
    samples_to_decide,
    share_lower,
    share_upper,
)
from tailroom.domain.latency.distribution import TimeBounds
from tailroom.domain.transactions.sequential import FULL_BINS, LargestCount
from tailroom.domain.units import (
    count_text,
    latency_text,
    least_percent_text,
    most_percent_text,
    percent_text,
)
from tailroom.domain.verdicts.budget_kinds import TransactionBudget
from tailroom.domain.verdicts.evidence import TRANSACTION, OperationEvidence, RunEvidence
from tailroom.domain.verdicts.generator import Generation
from tailroom.domain.verdicts.measured_transactions import (
    DECIDING,
    MeasuredResult,
    Transfer,
    ends_no_later,
    measured_of,
    measured_result,
    transactions_needed,
    transfers,
)
from tailroom.domain.verdicts.meter import EvidenceMeter, Way, WayOut
from tailroom.domain.verdicts.other_tools import READ
from tailroom.domain.verdicts.plan_model import PlanModel, model_of
from tailroom.domain.verdicts.plan_words import (
    assumption_text,
    operations_text,
    reads_text,
    resolution_doubt,
    samples_doubt,
)
from tailroom.domain.verdicts.refutation import Refutation, refutation_of
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
    ends: Ends | None = None
    """Limits of the share in time that the verdict rests on; none where nothing was measured."""
    transfer: Transfer = Transfer.EXACT
    """Of measured transactions of another plan: in which direction they bear on this one."""
    beside: MeasuredResult | None = None
    """Measured transactions that say nothing about this plan, but about others with as many at a time."""

    @property
    def quantile(self) -> TimeBounds | None:
        """Where the objective's quantile lies, by the evidence that decided: the room is what it leaves."""
        if self.transfer is not Transfer.EXACT and self.measured is not None:
            return self._transferred(self.measured)
        decisive = self.measured if self.evidence is Evidence.MEASURED else self.model
        return decisive.quantile if decisive else None

    @property
    def largest(self) -> LargestCount | None:
        """Largest count that fits: by the model, and by what measured transactions proved of theirs."""
        found = self.model.largest if self.model is not None else None
        measured = self.measured or self.beside
        if measured is None or len(self.budget.plan.stages) > 1 or self.budget.plan.overhead_ns:
            return found
        if measured.contradicts and found is not None:
            found = LargestCount(0, None)
        objective = self.budget.objective_ratio
        if found is None or not (measured.contradicts or is_deciding(self.budget, measured)):
            return found
        proven = word(measured.confident, objective)
        asked, issued = self.budget.plan.with_count(measured.reads).only_stage, measured.plan.only_stage
        if proven is Verdict.PASS and ends_no_later(asked, issued):
            possible = None if found.possible is None else max(found.possible, measured.reads)
            return LargestCount(max(found.guaranteed, measured.reads), possible)
        if proven is Verdict.FAIL and ends_no_later(issued, asked):
            fewer = measured.reads - 1
            possible = fewer if found.possible is None else min(found.possible, fewer)
            return LargestCount(min(found.guaranteed, possible), possible)
        return found

    def _transferred(self, measured: MeasuredResult) -> TimeBounds:
        known, proven = TimeBounds(0, None), measured.quantile
        if self.model is not None and not measured.contradicts:
            known = self.model.quantile
        if self.transfer is Transfer.BESIDE:
            return known
        if self.transfer is Transfer.NO_LATER:
            ends = [at for at in (known.upper_ns, proven.upper_ns) if at is not None]
            return TimeBounds(min(known.lower_ns, proven.lower_ns), min(ends, default=None))
        upper = None
        if known.upper_ns is not None and proven.upper_ns is not None:
            upper = max(known.upper_ns, proven.upper_ns)
        return TimeBounds(max(known.lower_ns, proven.lower_ns), upper)


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
    measured, transfer = None, Transfer.EXACT
    if whole is not None and whole.issued is not None:
        transfer = transfers(budget.plan, whole.issued) or Transfer.EXACT
        own, own_model = budget, model
        if transfer is not Transfer.EXACT:
            own = replace(budget, plan=whole.issued)
            own_model = model_of(own, used, bins) if READ in used else None
        modelled = (own_model.at_window[1], own_model.confident) if own_model else None
        measured = measured_result(own, whole, reads, modelled, refutation_of(evidence))
    generation = (whole or _most_doubtful(list(used.values()))).load if whole or used else Generation(None, 0)
    kept = (*used.values(), *((whole,) if whole else ()))
    is_enough = measured is not None and is_deciding(budget, measured)
    bears = transfer in (Transfer.NO_LATER, Transfer.NO_EARLIER)
    if measured and transfer is not Transfer.EXACT and ((bears and is_enough) or measured.contradicts):
        return _transferred(
            budget, measured, generation, transfer=transfer, model=model, kept=kept, used=used, bins=bins
        )
    if measured and transfer is Transfer.EXACT and (model is None or is_enough):
        judgement = _judge_measured(budget, measured, generation)
        return TransactionAssessment(
            budget, judgement, model, measured, Evidence.MEASURED, kept, measured.confident
        )
    if model:
        exact = measured if transfer is Transfer.EXACT else None
        judgement = _judge_model(budget, model, exact, generation, used=used, bins=bins)
        is_measured = exact is not None and exact.contradicts
        by = Evidence.MEASURED if is_measured else Evidence.MODEL
        ends = exact.confident if exact is not None and exact.contradicts else model.confident
        return TransactionAssessment(budget, judgement, model, exact, by, kept, ends, beside=measured)
    return TransactionAssessment(budget, _nothing(budget, absent, evidence), None, None, None, kept)


def is_deciding(budget: TransactionBudget, measured: MeasuredResult) -> bool:
    """Whether measured transactions decide about their own plan: enough of them, or a proven miss."""
    proven = word(measured.confident, budget.objective_ratio)
    return measured.total >= DECIDING or proven is Verdict.FAIL


def _transferred(
    budget: TransactionBudget,
    measured: MeasuredResult,
    generation: Generation,
    *,
    transfer: Transfer,
    model: PlanModel | None,
    kept: tuple[OperationEvidence, ...],
    used: dict[str, OperationEvidence],
    bins: int,
) -> TransactionAssessment:
    """A plan beside the one that was measured: what the measurement proves carries over along dominance.

    A plan that ends no later is in time at least as often as was measured, one that ends no earlier at most
    as often; the model adds what it knows, as long as the measurement does not refute it, and never says
    more than the measured plan itself allows in the other direction.
    """
    known = model.confident if model is not None and not measured.contradicts else Ends(0.0, 1.0)
    proven = measured.confident
    if transfer is Transfer.NO_LATER:
        ends = Ends(max(known.lower, proven.lower), max(known.upper, proven.upper))
        decides = proven.lower > known.lower
    elif transfer is Transfer.BESIDE:
        ends, decides = known, False
    else:
        ends = Ends(min(known.lower, proven.lower), min(known.upper, proven.upper))
        decides = proven.upper < known.upper
    by = Evidence.MEASURED if decides or model is None or measured.contradicts else Evidence.MODEL
    window = latency_text(budget.reads_window_ns)
    of_plan = f" of {reads_text(measured.plan.only_stage)}"
    counted = _counted_text(measured, window, of_plan)
    refuted = measured.refutation if measured.contradicts else None
    doubts: list[Doubt] = []
    if model is not None and refuted is None:
        doubts = [resolution_doubt(budget, model, used, bins), samples_doubt(budget, model, used)]
    else:
        doubts = [
            Doubt(
                Reason.DEPENDENCE,
                Ends(0.0, 1.0),
                f"{counted}, which proves nothing of this plan"
                if refuted is None
                else _refuted_text(refuted, of_plan),
                f"at least {count_text(transactions_needed(budget))} measured transactions of this plan",
                EvidenceMeter(
                    0.0,
                    float(transactions_needed(budget)),
                    "transactions",
                    (WayOut(Way.TRANSACTIONS, float(transactions_needed(budget))),),
                ),
            )
        ]
    least, most = least_percent_text(ends.lower), most_percent_text(ends.upper)
    relation = "this plan ends no later" if transfer is Transfer.NO_LATER else "this plan ends no earlier"
    judgement = judge(
        generation.widened(ends),
        budget.objective_ratio,
        generation.beside(doubts, ends),
        when_pass=f"{counted}, and {relation}: at least {least} with 95 % confidence",
        when_fail=f"{counted}, and {relation}: at most {most} with 95 % confidence",
    )
    return TransactionAssessment(budget, judgement, model, measured, by, kept, ends, transfer)


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
    counted = _counted_text(whole, window)
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
                EvidenceMeter(ways=(WayOut(Way.COUNTER, float(budget.reads_window_ns)),)),
            )
        )
    doubts.append(
        Doubt(
            Reason.SAMPLES,
            shares,
            f"{counted}, which proves only {least_percent_text(whole.confident.lower)} with 95 % confidence",
            _more_transactions(budget, whole),
            _meter(budget, whole),
        )
    )
    doubts = generation.beside(doubts, whole.confident)
    return judge(
        generation.widened(whole.confident),
        budget.objective_ratio,
        doubts,
        when_pass=f"{counted}: at least {least_percent_text(whole.confident.lower)} with 95 % confidence",
        when_fail=f"{counted}: at most {most_percent_text(whole.confident.upper)} with 95 % confidence",
    )


def _counted_text(whole: MeasuredResult, window: str, of_plan: str = "") -> str:
    counts = f"{count_text(whole.within_lower)} of {count_text(whole.total)}"
    return f"{counts} measured transactions{of_plan} kept {window}"


def _more_transactions(budget: TransactionBudget, whole: MeasuredResult) -> str:
    late_ratio = (whole.total - whole.within_lower) / whole.total
    allowed = 1.0 - budget.objective_ratio
    if late_ratio < 0.95 * allowed:
        needed = int(samples_for_share(late_ratio, allowed) * whole.effect.factor)
        return f"about {count_text(needed)} measured transactions at this share of late ones"
    late, limit = percent_text(late_ratio), percent_text(allowed)
    return f"more measured transactions: {late} late lies too near the {limit} allowed"


def _few_measured(budget: TransactionBudget, whole: MeasuredResult) -> EvidenceMeter:
    """How many of the transactions are there that must decide where the model is refuted."""
    needed = float(transactions_needed(budget))
    more = max(1.0, needed - whole.total)
    return EvidenceMeter(float(whole.total), needed, "transactions", (WayOut(Way.TRANSACTIONS, more),))


def _meter(budget: TransactionBudget, whole: MeasuredResult) -> EvidenceMeter:
    """How many of the measured transactions that would decide are there, at the share seen so far."""
    effective = whole.total / whole.effect.factor
    late_ratio = (whole.total - whole.within_lower) / whole.total
    wanted = samples_to_decide(late_ratio, 1.0 - budget.objective_ratio)
    if wanted is None:
        return EvidenceMeter(effective, unit="transactions")
    more = max(1.0, float(round((wanted - effective) * whole.effect.factor)))
    return EvidenceMeter(effective, wanted, "transactions", (WayOut(Way.TRANSACTIONS, more),))


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
    if whole is not None and whole.refutation is not None and whole.contradicts:
        # Too few measured transactions to show the objective, but enough to refute the model.
        ends = whole.confident
        decided = word(model.confident, objective) is not Verdict.INDETERMINATE
        doubts = [
            Doubt(
                Reason.DEPENDENCE,
                model.confident if decided else resolved,
                _refuted_text(whole.refutation),
                f"at least {count_text(transactions_needed(budget))} measured transactions "
                f"({count_text(whole.total)} so far)",
                _few_measured(budget, whole),
            )
        ]
    doubts = generation.beside(doubts, ends)
    least, most = least_percent_text(ends.lower), most_percent_text(ends.upper)
    shown, assumed = f"{operations_text(model, used)} show that", f", {assumption_text(model)}"
    if whole is not None and whole.contradicts:
        shown, assumed = f"{_counted_text(whole, window)}, so", ""
    return judge(
        generation.widened(ends),
        objective,
        doubts,
        when_pass=f"{shown} at least {least} of transactions keep {window} with 95 % confidence{assumed}",
        when_fail=f"{shown} at most {most} of transactions keep {window} with 95 % confidence{assumed}",
    )


def _refuted_text(found: Refutation, of_plan: str = "") -> str:
    measured, modelled = (
        f"{least_percent_text(ends.lower)} to {most_percent_text(ends.upper)}"
        for ends in (found.measured, found.modelled)
    )
    return (
        f"measured transactions{of_plan} contradict the model of single operations: within "
        f"{latency_text(found.at_ns)} {measured} of them ended, the model says {modelled}"
    )
