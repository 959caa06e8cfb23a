"""The figures of a transaction verdict as JSON: bounds, headroom, largest count, models, and the band for a
chart.
"""

import itertools
from typing import Any

import numpy as np

from tailroom.domain.transactions.plan_search import LargestCount
from tailroom.domain.units import count_text
from tailroom.domain.verdicts.budget_kinds import TransactionBudget, plan_document
from tailroom.domain.verdicts.measured_transactions import MeasuredResult, TransactionAssessment, Transfer
from tailroom.domain.verdicts.plan_model import PlanModel, SliceModel
from tailroom.domain.verdicts.plan_words import reads_text

_CDF_POINTS_NEAR = 150
_CDF_POINTS_BEYOND = 48
"""Number of points of a chart up to the quantile, and beyond it up to the window."""
FIGURES = (
    *("p_lower", "p_estimate", "p_upper", "p_lower_confident", "p_upper_confident"),
    *("quantile_lower_ns", "quantile_upper_ns", "n_guaranteed", "n_possible", "n_text"),
    *("evidence", "samples", "blocks"),
)
"""Names of the figures of a transaction document that its summary has as well."""


def document(assessment: TransactionAssessment) -> dict[str, Any]:
    """Return the JSON document of a transaction verdict; `samples` is 0 if the number is unknown."""
    budget, model = assessment.budget, assessment.model
    known_figures = figures(assessment)
    return {
        "reads": budget.reads,
        "scheduling": budget.plan.stages[0].scheduling.value if len(budget.plan.stages) == 1 else "plan",
        "plan": plan_document(budget.plan),
        "window_ns": budget.window_ns,
        "reserve_ns": budget.reserve_ns,
        "objective_ratio": budget.objective_ratio,
        **known_figures,
        "samples": known_figures["samples"] or 0,
        "measured": known_figures["models"]["measured"],
        "cdf": cdf_points(budget, model) if model else [],
    }


def figures(assessment: TransactionAssessment) -> dict[str, Any]:
    """Return the figures of a verdict by name, None if unknown, and its `models`. Bounds are from the default
    model, the headroom (`room_…_ns`: window less quantile) from the deciding evidence.
    """
    document: dict[str, Any] = dict.fromkeys((*FIGURES, "room_lower_ns", "room_upper_ns"))
    document["models"] = _models(assessment)
    document["evidence"] = assessment.evidence.value if assessment.evidence else None
    window_ns, quantile = assessment.budget.reads_window_ns, assessment.quantile
    if quantile is not None:
        document["room_lower_ns"] = None if quantile.upper_ns is None else window_ns - quantile.upper_ns
        document["room_upper_ns"] = window_ns - quantile.lower_ns
    model = assessment.model
    if model is not None:
        document |= _bounds_json(model.default)
        document["quantile_lower_ns"] = model.quantile.lower_ns
        document["quantile_upper_ns"] = model.quantile.upper_ns
        document["samples"], document["blocks"] = model.samples, model.blocks
        largest = assessment.largest
        if largest is not None:
            document["n_text"] = fitting_text(largest)
            if not largest.is_unlimited:
                document["n_guaranteed"], document["n_possible"] = largest.guaranteed, largest.possible
    return document


def fitting_text(largest: LargestCount) -> str:
    """Return how many operations fit: `715–1,627`, `715`, `at least 36`, `no limit found`, `not known`."""
    if largest.is_unlimited:
        return "no limit found"
    if largest.possible is None:
        if not largest.guaranteed:
            return "not known"
        return f"at least {count_text(largest.guaranteed)}"
    least, most = count_text(largest.guaranteed), count_text(largest.possible)
    return least if least == most else f"{least}–{most}"


def _models(assessment: TransactionAssessment) -> dict[str, Any]:
    model, measured = assessment.model, assessment.measured
    documents: dict[str, Any] = dict.fromkeys(("independent", "interval_mixture", "measured", "worst_case"))
    if measured is not None:
        documents["measured"] = _measured_json(measured, assessment.transfer)
    if model is not None:
        documents["independent"] = _bounds_json(model.pooled)
        documents["worst_case"] = {"p_lower": model.worst.lower, "p_upper": model.worst.upper}
        if model.mixture is not None:
            documents["interval_mixture"] = _mixture_json(model.mixture, assessment.budget.objective_ratio)
    return documents


def _bounds_json(model: SliceModel) -> dict[str, float]:
    lower, estimate, upper = model.at_window
    return {
        "p_lower": lower,
        "p_estimate": estimate,
        "p_upper": upper,
        "p_lower_confident": model.confident.lower,
        "p_upper_confident": model.confident.upper,
    }


def _mixture_json(mixture: SliceModel, objective: float) -> dict[str, Any]:
    groups = mixture.groups
    lower, estimate, upper = (values[groups.group_of_slice] for values in mixture.by_group)
    worst = int(np.argmin(estimate))
    missing = upper < objective
    runs = [len(list(run)) for missed, run in itertools.groupby(missing.tolist()) if missed]
    return {
        **_bounds_json(mixture),
        "piece_count": groups.slice_count,
        "piece_duration_ns": int(np.median(groups.duration_ns)),
        "worst_piece": {
            "start_ns": int(groups.start_ns[worst]),
            "duration_ns": int(groups.duration_ns[worst]),
            "p_lower": min(1.0, float(lower[worst])),
            "p_estimate": min(1.0, float(estimate[worst])),
            "p_upper": min(1.0, float(upper[worst])),
        },
        "meeting_ratio": float((lower >= objective).mean()),
        "meeting_possible_ratio": float(1.0 - missing.mean()),
        "longest_run_missing": max(runs, default=0),
        "independent_blocks": mixture.independent_blocks(),
    }


def _measured_json(measured: MeasuredResult, transfer: Transfer) -> dict[str, Any]:
    """Return results of measured transactions; `within_count` and `ratio` are lower bounds by the buckets."""
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
        "reads": measured.reads,
        "is_asked": transfer is Transfer.EXACT,
        "plan_text": reads_text(measured.plan.only_stage),
        "contradicts_model": measured.contradicts,
        "largest_gap": measured.refutation.gap if measured.refutation else None,
        "largest_gap_at_ns": measured.refutation.at_ns if measured.refutation else None,
    }


def cdf_points(budget: TransactionBudget, model: PlanModel) -> list[dict[str, Any]]:
    """Return the band of the default model for a chart: bounds and estimate within ascending times in ns.
    Times are even to an eighth beyond the quantile, then grow by equal factors to the window.
    """
    window_ns, shown = budget.reads_window_ns, model.default
    quantile = shown.quantile
    last = quantile.upper_ns if quantile.upper_ns is not None else 8 * window_ns
    last = max(budget.reads + budget.plan.overhead_ns, last + last // 8)
    near = {max(1, last * i // (_CDF_POINTS_NEAR - 1)) for i in range(_CDF_POINTS_NEAR)}
    times = near | {window_ns}
    if last < window_ns:
        times |= set(np.geomspace(last, window_ns, _CDF_POINTS_BEYOND, dtype=np.int64).tolist())
    at = np.array(sorted(times), dtype=np.int64)
    # The sums on these grids were computed for the quantile and, unless it is far later, for the window.
    grids = [quantile.upper_ns or window_ns, window_ns]
    lower, estimate, upper = shown.band(at, np.array(grids[: 1 + (window_ns <= 2 * grids[0])], np.int64))
    return [
        {"t_ns": int(time), "lower": float(low), "estimate": float(middle), "upper": float(high)}
        for time, low, middle, high in zip(at, lower, estimate, upper, strict=True)
    ]
