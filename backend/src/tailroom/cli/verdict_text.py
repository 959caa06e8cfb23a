"""A verdict as lines of text: reason, this run and the next, what would decide or prove it, every figure."""

from collections.abc import Mapping, Sequence
from typing import Any

from tailroom.domain.units import (
    NS_PER_S,
    count_text,
    latencies,
    latency_down,
    latency_text,
    latency_up,
    percent_text,
    share_text,
)
from tailroom.domain.verdicts.assessment import BudgetAssessment
from tailroom.domain.verdicts.budget_kinds import TransactionBudget
from tailroom.domain.verdicts.headline import scope_text

_WIDTH = 14
_FAILED_NS = 60_000 * NS_PER_S
"""Close to the largest time of the model, 2^46 ns, which only failed operations exceed."""


def verdict_lines(assessment: BudgetAssessment, file: str, labels: Sequence[str]) -> list[str]:
    """Return the lines of a verdict: answer, reason, evidence, and figures that apply.

    `file`: name of the file or the query that was judged; `labels`: its series.
    """
    budget, summary = assessment.budget, assessment.summary()
    lines = [
        f"{summary['words']}: {budget.title or budget.name}",
        _line("answer", summary["headline"]["text"]),
        _line("because", summary["reason_text"]),
        _line("in this run", scope_text(summary, "observed")),
        _line("for the next", f"{scope_text(summary, 'proven')}{_confidence(summary)}"),
        *_evidence_lines(summary),
    ]
    validity = summary["validity"]
    if validity is not None and validity["doubtful"]:
        doubtful, slices = count_text(validity["doubtful"]), count_text(validity["slices"])
        lines.append(_line("unreliable", f"{doubtful} of {slices} slices, because of the generator"))
    if isinstance(budget, TransactionBudget):
        lines += _transaction_lines(budget, summary)
    lines += [_row_line(row) for row in summary["rows"]]
    certified = summary["certification"]
    if certified is not None:
        lines.append(_line("certificate", f"{certified['words']}: {certified['reason_text']}"))
    lines += [_line(part["budget"]["name"], part["words"]) for part in summary["criteria"]]
    lines.append(_line("measured", f"{', '.join(labels)} of {file}"))
    lines.append(
        _line("judged by", f"{budget.name}, version {budget.version}; method {summary['method_version']}")
    )
    return lines


def _confidence(summary: Mapping[str, Any]) -> str:
    """Return the confidence as text if the proven share has bounds, else an empty text."""
    has_bounds = summary["proven"]["lower"] is not None and not summary["criteria"]
    return " with 95 % confidence" if has_bounds else ""


def _evidence_lines(summary: Mapping[str, Any]) -> list[str]:
    """Return lines on the evidence that would decide, the share of it that there is, and ways to get it."""
    lines = []
    if summary["decided_by"]:
        name = "would decide" if summary["strength"] is None else "would prove"
        lines.append(_line(name, summary["decided_by"]))
    meter = summary["meter"]
    if meter is None:
        return lines
    if meter["share"] is not None:
        lines.append(_line("evidence", f"{percent_text(meter['share'])} of what is needed"))
    ways = enumerate(meter["ways"])
    return lines + [_line("or" if place else "cheapest", way["text"]) for place, way in ways]


def _transaction_lines(budget: TransactionBudget, summary: Mapping[str, Any]) -> list[str]:
    """Return lines on transaction times, success rates and room left; empty without a success rate."""
    if summary["p_lower"] is None:
        return []
    objective, models, lines = budget.objective_ratio, summary["models"], []
    measured = models["measured"]
    if measured is not None:
        counts = f"{count_text(measured['within_count'])} of {count_text(measured['total_count'])} in time"
        refuted = "; they refute the model" if measured["contradicts_model"] else ""
        lines.append(_line("transactions", f"{counts}{refuted}"))
    is_in_slices = models["interval_mixture"] is not None
    for name, shown, is_of_use in (
        ("interval_mixture", "by slices", is_in_slices),
        ("independent", "pooled", is_in_slices or summary["evidence"] == "measured"),
        ("worst_case", "worst case", True),
    ):
        if is_of_use and models[name] is not None:
            lower, upper = models[name]["p_lower"], models[name]["p_upper"]
            lines.append(_line(shown, share_text(lower, upper, objective, counted=False)))
    room = summary["room_ms"]
    if room["upper"] is not None:
        window = latency_text(budget.reads_window_ns)
        upper_ns = room["upper"] * 1e6
        if upper_ns <= -_FAILED_NS:
            left = f"none: more transactions fail than may take longer than {window}"
        elif upper_ns <= 0:
            left = f"none: at least {latency_down(-upper_ns)} more than {window} in this run"
        elif room["lower"] is None:
            left = f"at most {latency_up(upper_ns)} of {window} in this run"
        else:
            left = f"{latencies(room['lower'] * 1e6, upper_ns)} of {window} in this run"
        lines.append(_line("room", left))
    if summary["n_text"] is not None:
        lines.append(_line("would fit", f"{summary['n_text']} in this run"))
    return lines


def _row_line(row: Mapping[str, Any]) -> str:
    if row["kind"] == "throughput":
        name = row["quantity"].replace("_", " ")
    else:
        name = f"at {latency_text(row['threshold_ns'])}"
    return _line(name, f"{row['words']}: {row['reason_text']}")


def _line(name: str, text: str) -> str:
    return f"  {name:<{_WIDTH}} {text}"
