"""How the record of a run becomes verdicts: which series answer which budget, and what is shown of that.

The result depends on the record alone (no clock, no order of arrival), so the same data give the same bytes.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np

from tailroom.analysis.record import OperationRecord, RunRecord
from tailroom.domain.errors import DomainError
from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.transactions.sequential import FULL_BINS
from tailroom.domain.verdicts import exceedance, transaction_verdict
from tailroom.domain.verdicts.budget import Budget, ExceedanceBudget, TransactionBudget
from tailroom.domain.verdicts.exceedance import ExceedanceAssessment
from tailroom.domain.verdicts.generator import Generation
from tailroom.domain.verdicts.transaction_verdict import (
    MeasuredEvidence,
    MeasuredResult,
    ModelResult,
    ReadEvidence,
    TransactionAssessment,
)
from tailroom.domain.verdicts.verdict import Judgement, Reason, Verdict, stage_of
from tailroom.storage.run import FINISHED

_LIVE_BINS = 1 << 14
_CDF_POINTS_NEAR = 150
_CDF_POINTS_BEYOND = 48


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict as it is stored."""

    budget: Budget
    kind: str
    judgement: Judgement
    provisional: bool
    data_through_ns: int
    fingerprint: bytes
    result: dict[str, Any]


def judge_run(record: RunRecord, budgets: Sequence[Budget]) -> list[Judged]:
    """One verdict for each budget, in the order of the budgets."""
    return [judge_by(record, budget) for budget in budgets]


def is_final(record: RunRecord) -> bool:
    """Nothing more will come: the run is finished, and everything that it holds is rolled up."""
    return record.run.state == FINISHED and all(
        part.series.contiguous_seq + 1 == (part.total.numbers["interval_count"] if part.total else 0)
        for operation in record.operations
        for part in operation.parts
    )


def judge_by(record: RunRecord, budget: Budget) -> Judged:
    """The verdict of one budget on a record."""
    provisional = not is_final(record)
    used = _records_for(record, budget)
    measured_ns = min((one.measured_ns for one in used), default=0)
    details: dict[str, Any] = {"exceedance": None, "transaction": None}
    kind = "exceedance" if isinstance(budget, ExceedanceBudget) else "transaction"
    try:
        if isinstance(budget, ExceedanceBudget):
            judgement, details["exceedance"] = _exceedance(budget, used, measured_ns)
        else:
            bins = _LIVE_BINS if provisional else FULL_BINS
            judgement, details["transaction"] = _transaction(budget, used, bins)
    except DomainError as error:
        # Data that contradict themselves allow no number; the verdict says so instead of going missing.
        judgement = Judgement(
            Verdict.INDETERMINATE,
            Reason.METADATA,
            f"the data contradict themselves: {error}",
            "a consistent record",
        )
    result = {
        "budget": {
            "name": budget.name,
            "version": budget.version,
            "title": budget.title,
            "question": budget.question,
        },
        "kind": kind,
        "verdict": judgement.verdict.value,
        "reason": judgement.reason.value if judgement.reason else None,
        "reason_text": judgement.reason_text,
        "decided_by": judgement.decided_by,
        "stage": stage_of(measured_ns).value,
        "provisional": provisional,
        "method_version": METHOD_VERSION,
        "data_through_ns": measured_ns,
        **details,
    }
    return Judged(
        budget, kind, judgement, provisional, measured_ns, _fingerprint(budget, used, provisional), result
    )


def _records_for(record: RunRecord, budget: Budget) -> list[OperationRecord]:
    """Records that a budget is judged by: of reads, and measured transactions if they are of its kind."""
    if isinstance(budget, ExceedanceBudget):
        names = [budget.operation]
    else:
        names = [budget.read_operation]
        if _reads_of_measured(record) == budget.reads:
            names.append(budget.transaction_operation)
    found = [record.of(name) for name in names]
    return [one for one in found if one is not None]


def _reads_of_measured(record: RunRecord) -> int | None:
    """Reads in each measured transaction, as the plan of the run says."""
    plan = record.run.plan
    part = plan.get("fraud", plan)
    reads = part.get("reads_per_transaction") if isinstance(part, dict) else None
    return reads if isinstance(reads, int) else None


def _exceedance(
    budget: ExceedanceBudget, used: list[OperationRecord], measured_ns: int
) -> tuple[Judgement, dict[str, Any] | None]:
    if not used:
        text = f"no operation `{budget.operation}` has been measured"
        return Judgement(
            Verdict.INDETERMINATE, Reason.SAMPLES, text, f"measured `{budget.operation}` operations"
        ), None
    record = used[0]
    assessment = exceedance.assess(
        budget,
        record.dist,
        record.generation,
        measured_ns=measured_ns,
        slices=record.full_hours([limit.threshold_ns for limit in budget.limits]),
        effect_at=record.effect_at,
    )
    return assessment.judgement, _exceedance_json(budget, record, assessment, measured_ns)


def _exceedance_json(
    budget: ExceedanceBudget, record: OperationRecord, assessment: ExceedanceAssessment, measured_ns: int
) -> dict[str, Any]:
    return {
        "operation": record.operation,
        "clock": record.clock,
        "rows": [
            {
                "threshold_ns": row.limit.threshold_ns,
                "limit_ratio": row.limit.ratio,
                "over_count": row.measured.over_upper,
                "total_count": row.measured.total,
                "ratio": row.measured.ratio if row.measured.total else None,
                "ratio_lower": row.measured.ratio_lower if row.measured.total else None,
                "ratio_upper": row.measured.ratio_upper if row.measured.total else None,
                "verdict": row.judgement.verdict.value,
            }
            for row in assessment.rows
        ],
        "certification": {
            "required_duration_ns": budget.certification_duration_ns,
            "measured_duration_ns": measured_ns,
            "verdict": assessment.certification.verdict.value,
            "reason_text": assessment.certification.reason_text,
        },
    }


def _transaction(
    budget: TransactionBudget, used: list[OperationRecord], bins: int
) -> tuple[Judgement, dict[str, Any]]:
    reads = next((one for one in used if one.operation == budget.read_operation), None)
    whole = next((one for one in used if one.operation == budget.transaction_operation), None)
    scheduled = whole or reads
    assessment = transaction_verdict.assess(
        budget,
        ReadEvidence(reads.dist, reads.effect_at) if reads else None,
        MeasuredEvidence(whole.dist, whole.effect_at) if whole else None,
        scheduled.generation if scheduled else Generation(None, 0),
        bins=bins,
    )
    return assessment.judgement, _transaction_json(budget, assessment, whole)


def _transaction_json(
    budget: TransactionBudget, assessment: TransactionAssessment, whole: OperationRecord | None
) -> dict[str, Any]:
    model = assessment.model
    measured = None
    if assessment.measured is not None and whole is not None:
        measured = _measured_json(assessment.measured, whole)
    return {
        "reads": budget.reads,
        "scheduling": "sequential",
        "window_ns": budget.window_ns,
        "reserve_ns": budget.reserve_ns,
        "objective_ratio": budget.objective_ratio,
        **_model_json(model),
        **_room_json(budget, assessment),
        "measured": measured,
        "cdf": cdf_points(budget, model) if model else [],
    }


def _model_json(model: ModelResult | None) -> dict[str, Any]:
    if model is None:
        names = (
            "p_lower",
            "p_estimate",
            "p_upper",
            "p_lower_confident",
            "quantile_lower_ns",
            "quantile_upper_ns",
            "n_guaranteed",
            "n_possible",
        )
        return dict.fromkeys(names) | {"samples": 0}
    lower, estimate, upper = model.at_window
    return {
        "p_lower": lower,
        "p_estimate": estimate,
        "p_upper": upper,
        "p_lower_confident": model.confident.lower,
        "quantile_lower_ns": model.quantile.lower_ns,
        "quantile_upper_ns": model.quantile.upper_ns,
        "n_guaranteed": model.largest.guaranteed,
        "n_possible": model.largest.possible,
        "samples": model.samples,
    }


def _room_json(budget: TransactionBudget, assessment: TransactionAssessment) -> dict[str, Any]:
    """What is left of the window at the objective's quantile, by the evidence that the verdict rests on."""
    used = assessment.quantile
    left_ns = budget.reads_window_ns
    return {
        "evidence": assessment.evidence.value if assessment.evidence else None,
        "room_lower_ns": None if used is None or used.upper_ns is None else left_ns - used.upper_ns,
        "room_upper_ns": None if used is None else left_ns - used.lower_ns,
    }


def _measured_json(measured: MeasuredResult, record: OperationRecord) -> dict[str, Any]:
    return {
        "operation": record.operation,
        "clock": record.clock,
        "within_count": measured.within_lower,
        "total_count": measured.total,
        "ratio": measured.within_lower / measured.total,
        "ratio_lower": measured.confident.lower,
        "ratio_upper": measured.confident.upper,
        "dependence_factor": measured.dependence_factor,
        "variance_inflation": measured.variance_inflation,
        "quantile_lower_ns": measured.quantile.lower_ns,
        "quantile_upper_ns": measured.quantile.upper_ns,
    }


def cdf_points(budget: TransactionBudget, model: ModelResult) -> list[dict[str, Any]]:
    """The band between its bounds: evenly in time where it rises, then by equal factors up to the window."""
    close, window_ns = model.close_up, budget.reads_window_ns
    begin_ns = close.quantile_bounds(1e-4).lower_ns
    end_ns = close.quantile_bounds(0.9999).upper_ns or close.horizon_ns
    margin_ns = max(1, (end_ns - begin_ns) // 20)
    first, last = max(0, begin_ns - margin_ns), min(close.horizon_ns, end_ns + margin_ns)
    near = {first + (last - first) * i // (_CDF_POINTS_NEAR - 1) for i in range(_CDF_POINTS_NEAR)}
    points = [(at, *close.within(at)) for at in near]
    if 0 < last < window_ns:
        steps = np.geomspace(last, window_ns, _CDF_POINTS_BEYOND, dtype=np.int64)[1:-1].tolist()
        points += [(at, *model.curves.within(at)) for at in {*steps, window_ns} - near]
    elif window_ns not in near:
        points.append((window_ns, *model.at_window))
    # The two curves come from different grids: a lower bound holds for every later time, an upper bound for
    # every earlier one.
    points.sort()
    lower = list(accumulate((point[1] for point in points), max))
    upper = list(accumulate((point[3] for point in reversed(points)), min))[::-1]
    return [
        {"t_ns": at, "lower": low, "estimate": min(max(estimate, low), high), "upper": high}
        for (at, _, estimate, _), low, high in zip(points, lower, upper, strict=True)
    ]


def _fingerprint(budget: Budget, used: list[OperationRecord], provisional: bool) -> bytes:
    digest = hashlib.sha256(f"{budget.name} {budget.version} {METHOD_VERSION} {provisional}".encode())
    for record in used:
        record.update_fingerprint(digest)
    return digest.digest()
