"""Judge whether transactions end within their window, by measured transactions or by a model.

*Measured* transactions of exactly the budget's plan include all dependence between their reads and are judged
as plain counts. The *model* (`plan_model`) is computed from single operations. The number of measured
transactions alone fixes which of them decides, whatever they show:

* at least 100 measured transactions, or fewer that prove a miss: they decide;
* fewer, or none: the model decides, as long as the measured ones do not contradict it. If they do
  (dependence factor outside 0.5 to 2 with intervals that do not overlap), only they may decide.

Source: docs/method.md sections 0, 1.5, 1.6, 2.1, 2.2, 11 and 12.
"""

from dataclasses import replace

from tailroom.domain.confidence.shares import samples_to_decide
from tailroom.domain.transactions.plan_sums import FULL_BINS
from tailroom.domain.units import (
    count_text,
    exact_percent,
    latency_text,
    least_percent_text,
    most_percent_text,
    needed_text,
    share_text,
)
from tailroom.domain.verdicts.budget_kinds import OWN_OPERATION, TransactionBudget
from tailroom.domain.verdicts.evidence import TRANSACTION, OperationEvidence, RunEvidence
from tailroom.domain.verdicts.generator import GeneratedLoad
from tailroom.domain.verdicts.measured_transactions import (
    Evidence,
    MeasuredResult,
    TransactionAssessment,
    Transfer,
    is_deciding,
    measured_of,
    measured_result,
    transfers,
)
from tailroom.domain.verdicts.other_tools import READ
from tailroom.domain.verdicts.plan_model import PlanModel, model_of
from tailroom.domain.verdicts.plan_words import (
    assumption_text,
    coarse_buckets,
    few_blocks,
    operations_text,
    reads_text,
    too_few_operations,
)
from tailroom.domain.verdicts.refutation import ModelComparison, refutation_of
from tailroom.domain.verdicts.verdict import (
    FEWEST_OPERATIONS,
    UNBOUNDED_SHARE,
    Bounds,
    EvidenceAmount,
    EvidenceMeter,
    Judgement,
    Reason,
    Uncertainty,
    Verdict,
    Way,
    decide,
    judge,
    too_few_samples,
    undecided,
)


def assess(
    budget: TransactionBudget, evidence: RunEvidence, *, bins: int = FULL_BINS
) -> TransactionAssessment:
    """Return the verdict on a transaction budget; undecided if neither transactions nor all of its operations
    were recorded. `bins` is the number of time steps; fewer than `FULL_BINS` are quicker and widen the
    bounds.
    """
    available = {name: evidence.of(name) for name in budget.plan.operations}
    used = {
        name: operation
        for name, operation in available.items()
        if operation is not None and operation.record.total != 0
    }
    absent = [name for name in budget.plan.operations if name not in used]
    model = None if absent else model_of(budget, used, bins)
    transactions = measured_of(budget, evidence)
    reads = used.get(budget.read_operation)
    measured, transfer = None, Transfer.EXACT
    if transactions is not None and transactions.issued is not None:
        transfer = transfers(budget.plan, transactions.issued) or Transfer.EXACT
        measured_budget, measured_model = budget, model
        if transfer is not Transfer.EXACT:
            measured_budget = replace(budget, plan=transactions.issued)
            measured_model = model_of(measured_budget, used, bins) if READ in used else None
        late = 1.0 - measured_model.at_window[1] if measured_model else None
        measured = measured_result(measured_budget, transactions, reads, late, refutation_of(evidence))
    loads = [operation.load for operation in ([transactions] if transactions else used.values())]
    unreliable = [load for load in loads if load.is_unreliable]
    generation = (unreliable or loads or [GeneratedLoad(None, 0)])[0]
    operations = (*used.values(), *((transactions,) if transactions else ()))
    is_enough = measured is not None and is_deciding(budget, measured)
    bears = transfer in (Transfer.NO_LATER, Transfer.NO_EARLIER)
    if measured and transfer is not Transfer.EXACT and ((bears and is_enough) or measured.contradicts):
        return _judge_transferred(
            budget, measured, generation, transfer=transfer, model=model, operations=operations, bins=bins
        )
    exact = measured if transfer is Transfer.EXACT else None
    if exact and (model is None or is_enough or exact.contradicts):
        judgement = _judge_measured(budget, exact, generation)
        return TransactionAssessment(
            *(budget, judgement, model, exact, Evidence.MEASURED, operations, exact.observed)
        )
    if model:
        judgement = _judge_model(budget, model, generation, used=used, bins=bins)
        return TransactionAssessment(
            *(budget, judgement, model, exact, Evidence.MODEL, operations, model.observed),
            unrelated=measured,
        )
    return TransactionAssessment(
        budget, _missing_operations(budget, absent, evidence), None, None, None, operations
    )


def _judge_transferred(
    budget: TransactionBudget,
    measured: MeasuredResult,
    generation: GeneratedLoad,
    *,
    transfer: Transfer,
    model: PlanModel | None,
    operations: tuple[OperationEvidence, ...],
    bins: int,
) -> TransactionAssessment:
    """Return the verdict on a plan by measured transactions of another, which ends no earlier or no later.
    The model adds its bounds unless the measurement refutes it.
    """
    used = {operation.operation: operation for operation in operations if operation.operation != TRANSACTION}
    trusted = None if measured.contradicts else model
    in_run = _bounds_by_counts(transfer, trusted.observed if trusted else UNBOUNDED_SHARE, measured.observed)
    in_next = _bounds_by_counts(
        transfer, trusted.confident if trusted else UNBOUNDED_SHARE, measured.confident
    )
    if trusted is not None and (in_run, in_next) == (trusted.observed, trusted.confident):
        # The counts of another plan add nothing to the model, so its sentences leave them out.
        judgement = _judge_model(budget, trusted, generation, used=used, bins=bins)
        return TransactionAssessment(
            *(budget, judgement, model, measured, Evidence.MODEL, operations, in_run, transfer)
        )
    decides = trusted is None or in_run != trusted.observed
    of_plan = f" of {reads_text(measured.plan.only_stage)}"
    counted = _counted_text(measured, latency_text(budget.reads_window_ns), of_plan)
    relation = {
        Transfer.NO_LATER: ", and this plan ends no later",
        Transfer.NO_EARLIER: ", and this plan ends no earlier",
    }.get(transfer, "")
    unproven: list[Uncertainty] = [_more_transactions(budget, measured)]
    if trusted is not None:
        causes = [coarse_buckets(budget, trusted, used, bins, generation)]
        unproven.append(few_blocks(budget, trusted, used))
    else:
        refuted = measured.refutation if measured.contradicts else None
        text = f"{counted}, which does not decide about this plan"
        too_few = too_few_samples(
            text if refuted is None else _refuted_text(refuted, of_plan),
            f"at least {FEWEST_OPERATIONS} measured transactions of this plan",
            0.0,
            float(FEWEST_OPERATIONS),
            Way.TRANSACTIONS,
        )
        causes = [replace(too_few, reason=Reason.DEPENDENCE)]
    judgement = judge(
        generation.observed(in_run),
        generation.proven(in_next),
        budget.objective_ratio,
        undecided_by=generation.undecided_by(causes, in_run),
        unproven_by=generation.unproven_by(unproven, in_next),
        fact=f"{counted}{relation}",
        proves=_proof_text(in_next, budget.objective_ratio),
        too_few=too_few_operations(budget, trusted, used) if trusted and not decides else None,
    )
    by = Evidence.MEASURED if decides else Evidence.MODEL
    return TransactionAssessment(*(budget, judgement, model, measured, by, operations, in_run, transfer))


def _bounds_by_counts(transfer: Transfer, modelled: Bounds, counted: Bounds) -> Bounds:
    """Return the higher of both bounds if the plan ends no later, the lower if no earlier."""
    if transfer not in (Transfer.NO_LATER, Transfer.NO_EARLIER):
        return modelled
    bound = max if transfer is Transfer.NO_LATER else min
    return Bounds(bound(modelled.lower, counted.lower), bound(modelled.upper, counted.upper))


def _missing_operations(budget: TransactionBudget, absent: list[str], evidence: RunEvidence) -> Judgement:
    if not evidence.operations and len(budget.plan.stages) == 1:
        operations = "operations" if absent[0] == OWN_OPERATION else f"`{absent[0]}` operations"
        return undecided(
            Reason.SAMPLES,
            f"neither {operations} nor transactions have been measured yet",
            f"measured {operations} or transactions",
        )
    names = " and ".join(f"`{name}`" for name in absent)
    measured = ", ".join(f"`{name}`" for name in evidence.names if name != TRANSACTION) or "none"
    return undecided(
        Reason.SAMPLES,
        f"no {names} has been measured (measured: {measured}); no operation is derived from another",
        f"measured {names} operations",
    )


def _judge_measured(
    budget: TransactionBudget, measured: MeasuredResult, generation: GeneratedLoad
) -> Judgement:
    window = latency_text(budget.reads_window_ns)
    causes: list[Uncertainty] = []
    if measured.within_lower < measured.within_upper:
        middle = (measured.observed.lower + measured.observed.upper) / 2.0
        causes.append(
            Uncertainty(
                Reason.RESOLUTION,
                Bounds(middle, middle),
                f"buckets too coarse at {window}: "
                f"{share_text(measured.observed.lower, measured.observed.upper, budget.objective_ratio)} of "
                f"{count_text(measured.total)} measured transactions in time",
                f"an exact counter of transactions at {window}",
                EvidenceMeter(ways=(EvidenceAmount(Way.COUNTER, float(budget.reads_window_ns)),)),
            )
        )
    refuted = ""
    if measured.contradicts and measured.total < FEWEST_OPERATIONS and measured.refutation is not None:
        refuted = f"; {_refuted_text(measured.refutation)}"
    return judge(
        generation.observed(measured.observed),
        generation.proven(measured.confident),
        budget.objective_ratio,
        undecided_by=generation.undecided_by(causes, measured.observed),
        unproven_by=generation.unproven_by([_more_transactions(budget, measured)], measured.confident),
        fact=_counted_text(measured, window),
        proves=_proof_text(measured.confident, budget.objective_ratio),
        too_few=_too_few_transactions(measured, refuted),
    )


def _counted_text(measured: MeasuredResult, window: str, of_plan: str = "") -> str:
    counts = f"{count_text(measured.within_lower)} of {count_text(measured.total)}"
    return f"{counts} measured transactions{of_plan} kept {window}"


def _proof_text(confident: Bounds, objective: float) -> str:
    if confident.lower >= objective:
        return f"at least {least_percent_text(confident.lower)} with 95 % confidence"
    return f"at most {most_percent_text(confident.upper)} with 95 % confidence"


def _too_few_transactions(measured: MeasuredResult, refuted: str) -> Uncertainty | None:
    if measured.total >= FEWEST_OPERATIONS:
        return None
    counts = f"{count_text(measured.total)} of at least {FEWEST_OPERATIONS}"
    return too_few_samples(
        f"too few transactions for a PASS: {counts}{refuted}",
        f"{FEWEST_OPERATIONS} measured transactions",
        float(measured.total),
        float(FEWEST_OPERATIONS),
        Way.TRANSACTIONS,
    )


def _more_transactions(budget: TransactionBudget, measured: MeasuredResult) -> Uncertainty:
    """Return why counted transactions do not prove what they show, with the number that would, if any."""
    objective = budget.objective_ratio
    passes = measured.observed.lower >= objective
    least, most = least_percent_text(measured.confident.lower), most_percent_text(measured.confident.upper)
    text = f"proves {least if passes else f'at most {most}'} with 95 % confidence"
    late_ratio = (measured.total - measured.within_lower) / measured.total
    needed = samples_to_decide(late_ratio, 1.0 - objective)
    effective = measured.total / measured.effect.factor
    ways: tuple[EvidenceAmount, ...] = ()
    if needed is None:
        way_out = f"another run: the share late lies at the {exact_percent(1.0 - objective)} allowed"
    else:
        more = max(1.0, float(round((needed - effective) * measured.effect.factor)))
        ways = (EvidenceAmount(Way.TRANSACTIONS, more),)
        total = needed_text(round(measured.total + more))
        way_out = f"{total} measured transactions at this share of late ones"
    meter = EvidenceMeter(effective, needed, "transactions", ways)
    return Uncertainty(Reason.SAMPLES, measured.observed, text, way_out, meter)


def _judge_model(
    budget: TransactionBudget,
    model: PlanModel,
    generation: GeneratedLoad,
    *,
    used: dict[str, OperationEvidence],
    bins: int,
) -> Judgement:
    objective, in_run, in_next = budget.objective_ratio, model.observed, model.confident
    window = latency_text(budget.reads_window_ns)
    shares = share_text(in_run.lower, in_run.upper, objective, counted=False)
    fact = (
        f"{shares} of transactions keep {window}, modelled from {operations_text(model, used)}"
        f"{assumption_text(model)}"
    )
    causes, unproven = [], []
    if decide(generation.observed(in_run), objective) is Verdict.INDETERMINATE:
        causes = [coarse_buckets(budget, model, used, bins, generation)]
    elif decide(generation.proven(in_next), objective) is Verdict.INDETERMINATE:
        unproven = [few_blocks(budget, model, used)]
    return judge(
        generation.observed(in_run),
        generation.proven(in_next),
        objective,
        undecided_by=generation.undecided_by(causes, in_run),
        unproven_by=generation.unproven_by(unproven, in_next),
        fact=fact,
        proves=_proof_text(in_next, objective),
        too_few=too_few_operations(budget, model, used),
    )


def _refuted_text(refutation: ModelComparison, of_plan: str = "") -> str:
    measured, modelled = (
        share_text(bounds.lower, bounds.upper, counted=False)
        for bounds in (refutation.measured, refutation.modelled)
    )
    return (
        f"measured transactions{of_plan} contradict the model of single operations: within "
        f"{latency_text(refutation.at_ns)} {measured} of them ended, the model says {modelled}"
    )
