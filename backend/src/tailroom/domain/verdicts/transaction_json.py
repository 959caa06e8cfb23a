"""The figures of a transaction verdict as JSON: bounds, room, largest count, models, and the band."""

from itertools import accumulate
from typing import Any

import numpy as np

from tailroom.domain.verdicts.budget_kinds import TransactionBudget
from tailroom.domain.verdicts.documents import plan_document
from tailroom.domain.verdicts.measured_transactions import MeasuredResult
from tailroom.domain.verdicts.plan_model import MixtureModel, PlanModel
from tailroom.domain.verdicts.plan_verdict import TransactionAssessment

_CDF_POINTS_NEAR = 150
_CDF_POINTS_BEYOND = 48
_FIGURES = (
    "p_lower",
    "p_estimate",
    "p_upper",
    "p_lower_confident",
    "p_upper_confident",
    "quantile_lower_ns",
    "quantile_upper_ns",
    "n_guaranteed",
    "n_possible",
)


def document(assessment: TransactionAssessment) -> dict[str, Any]:
    """The transaction part of a verdict."""
    budget, model = assessment.budget, assessment.model
    stage = budget.plan.stages[0]
    known = figures(assessment)
    return {
        "reads": budget.reads,
        "scheduling": stage.scheduling.value if len(budget.plan.stages) == 1 else "plan",
        "plan": plan_document(budget.plan),
        "window_ns": budget.window_ns,
        "reserve_ns": budget.reserve_ns,
        "objective_ratio": budget.objective_ratio,
        **known,
        "samples": known["samples"] or 0,
        "measured": measured_json(assessment.measured) if assessment.measured else None,
        "models": models(assessment),
        "cdf": cdf_points(budget, model) if model else [],
    }


def figures(assessment: TransactionAssessment | None) -> dict[str, Any]:
    """Bounds of the default model, room by the evidence that decided, largest count; null where unknown."""
    found: dict[str, Any] = dict.fromkeys(
        (*_FIGURES, "evidence", "room_lower_ns", "room_upper_ns", "samples")
    )
    if assessment is None:
        return found
    found["evidence"] = assessment.evidence.value if assessment.evidence else None
    window_ns = assessment.budget.reads_window_ns
    taken = assessment.quantile
    if taken is not None:
        found["room_lower_ns"] = None if taken.upper_ns is None else window_ns - taken.upper_ns
        found["room_upper_ns"] = window_ns - taken.lower_ns
    model = assessment.model
    if model is not None:
        found["p_lower"], found["p_estimate"], found["p_upper"] = model.at_window
        found["p_lower_confident"], found["p_upper_confident"] = model.confident.lower, model.confident.upper
        found["quantile_lower_ns"], found["quantile_upper_ns"] = (
            model.quantile.lower_ns,
            model.quantile.upper_ns,
        )
        if model.largest is not None:
            found["n_guaranteed"], found["n_possible"] = model.largest.guaranteed, model.largest.possible
        found["samples"] = model.samples
    return found


def models(assessment: TransactionAssessment) -> dict[str, Any]:
    """Models side by side; null where the record does not allow one."""
    model, measured = assessment.model, assessment.measured
    found: dict[str, Any] = dict.fromkeys(("independent", "interval_mixture", "measured", "worst_case"))
    if measured is not None:
        found["measured"] = measured_json(measured)
    if model is not None:
        lower, estimate, upper = model.pooled.at_window
        found["independent"] = {
            "p_lower": lower,
            "p_estimate": estimate,
            "p_upper": upper,
            "p_lower_confident": model.pooled.confident.lower,
            "p_upper_confident": model.pooled.confident.upper,
        }
        found["worst_case"] = {"p_lower": model.worst.lower, "p_upper": model.worst.upper}
        if model.mixture is not None:
            found["interval_mixture"] = _mixture_json(model.mixture, assessment.budget.objective_ratio)
    return found


def _mixture_json(mixture: MixtureModel, objective: float) -> dict[str, Any]:
    result, confidence = mixture.result, mixture.confidence
    lower, estimate, upper = mixture.at_window
    worst = result.worst_piece
    compliance = result.compliance(objective)
    blocks = confidence.bootstrap
    return {
        "p_lower": lower,
        "p_estimate": estimate,
        "p_upper": upper,
        "p_lower_confident": confidence.ends.lower,
        "p_upper_confident": confidence.ends.upper,
        "piece_count": result.size,
        "piece_duration_ns": mixture.piece_ns,
        "worst_piece": {
            "start_ns": int(result.start_ns[worst]),
            "duration_ns": int(result.duration_ns[worst]),
            "p_lower": min(1.0, float(result.lower[worst])),
            "p_estimate": min(1.0, float(result.estimate[worst])),
            "p_upper": min(1.0, float(result.upper[worst])),
        },
        "meeting_ratio": compliance.meeting_lower,
        "meeting_possible_ratio": compliance.meeting_upper,
        "longest_run_missing": compliance.longest_run_missing,
        "effective_pieces": confidence.effective_pieces,
        "blocks": {
            "lower": blocks.lower,
            "upper": blocks.upper,
            "reason": blocks.reason.value if blocks.reason else None,
            "mean_block_pieces": blocks.mean_block,
            "seed": blocks.seed,
        },
    }


def measured_json(measured: MeasuredResult) -> dict[str, Any]:
    """Whole transactions as they were measured."""
    return {
        "operation": measured.operation,
        "clock": measured.clock,
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


def cdf_points(budget: TransactionBudget, model: PlanModel) -> list[dict[str, Any]]:
    """The band: evenly in time where it rises, then by equal factors up to the window.

    Of the mixture where its curves are there (answers for display), else of the pooled law.
    """
    window_ns = budget.reads_window_ns
    shown = model.mixture.display if model.mixture and model.mixture.display else model.pooled
    close = shown.close_up
    begin_ns = close.quantile_bounds(1e-4).lower_ns
    end_ns = close.quantile_bounds(0.9999).upper_ns or close.horizon_ns
    margin_ns = max(1, (end_ns - begin_ns) // 20)
    first, last = max(0, begin_ns - margin_ns), min(close.horizon_ns, end_ns + margin_ns)
    near = {first + (last - first) * i // (_CDF_POINTS_NEAR - 1) for i in range(_CDF_POINTS_NEAR)}
    points = [(at, *close.within(at)) for at in near]
    if 0 < last < window_ns:
        steps = np.geomspace(last, window_ns, _CDF_POINTS_BEYOND, dtype=np.int64)[1:-1].tolist()
        points += [(at, *shown.curves.within(at)) for at in {*steps, window_ns} - near]
    elif window_ns not in near:
        points.append((window_ns, *shown.curves.within(window_ns)))
    # The two curves come from different grids: a lower bound holds for every later time, an upper bound for
    # every earlier one.
    points.sort()
    lower = list(accumulate((point[1] for point in points), max))
    upper = list(accumulate((min(1.0, point[3]) for point in reversed(points)), min))[::-1]
    return [
        {"t_ns": at, "lower": low, "estimate": min(max(estimate, low), high), "upper": high}
        for (at, _, estimate, _), low, high in zip(points, lower, upper, strict=True)
    ]
