"""A verdict as lines for people: the word and why, what would decide it, then every figure with its ends."""

from collections.abc import Sequence
from typing import Any

from tailroom.domain.units import count_text, latency_text, percent_text
from tailroom.domain.verdicts.assessment import BudgetAssessment
from tailroom.domain.verdicts.budget_kinds import TransactionBudget

_WIDTH = 14


def verdict_lines(assessment: BudgetAssessment, file: str, labels: Sequence[str]) -> list[str]:
    """Return every figure that applies, with its bounds."""
    judgement, budget = assessment.judgement, assessment.budget
    reason = f" ({judgement.reason.value})" if judgement.reason else ""
    lines = [
        f"{judgement.verdict.value}{reason}: {budget.title or budget.name}",
        _line("budget", f"{budget.name}, version {budget.version}"),
        _line("measured", f"{', '.join(labels)} of {file}"),
        _line("because", judgement.reason_text),
    ]
    figures = assessment.summary()
    lines.insert(1, _line("answer", figures["headline"]["text"]))
    if judgement.decided_by:
        lines.append(_line("would decide", judgement.decided_by))
    meter = figures["meter"]
    if meter is not None and meter["share"] is not None:
        lines.append(_line("evidence", f"{percent_text(meter['share'])} of what is needed"))
    if meter is not None:
        lines += [
            _line("cheapest" if place == 0 else "or", way["text"]) for place, way in enumerate(meter["ways"])
        ]
    validity = figures["validity"]
    if validity is not None and validity["doubtful"]:
        doubtful, slices = count_text(validity["doubtful"]), count_text(validity["slices"])
        lines.append(_line("unreliable", f"{doubtful} of {slices} slices, because of the generator"))
    if isinstance(budget, TransactionBudget):
        lines += _transaction_lines(budget, figures)
    lines += [_row_line(row) for row in figures["rows"]]
    certified = figures["certification"]
    if certified is not None:
        lines.append(_line("certificate", f"{certified['verdict']}: {certified['reason_text']}"))
    lines += [_line(part["budget"]["name"], part["verdict"]) for part in figures["criteria"]]
    lines.append(_line("method", f"version {figures['method_version']}"))
    return lines


def _transaction_lines(budget: TransactionBudget, figures: dict[str, Any]) -> list[str]:
    if figures["p_lower"] is None:
        return []
    objective = percent_text(budget.objective_ratio)
    lower, upper = percent_text(figures["p_lower"]), percent_text(figures["p_upper"])
    lines = [
        _line("in time", f"{lower} to {upper} by the buckets; {objective} asked"),
        _line(
            "with 95 %",
            f"{percent_text(figures['p_lower_confident'])} to {percent_text(figures['p_upper_confident'])}, "
            "chance included",
        ),
    ]
    models = figures["models"]
    measured = models["measured"]
    if measured is not None:
        counts = f"{count_text(measured['within_count'])} of {count_text(measured['total_count'])} in time"
        ends = f"{percent_text(measured['ratio_lower'])} to {percent_text(measured['ratio_upper'])}"
        refuted = "; they refute the model" if measured["contradicts_model"] else ""
        lines.insert(0, _line("transactions", f"{counts}: {ends} with 95 %{refuted}"))
    for name, shown in (
        ("independent", "pooled"),
        ("interval_mixture", "by slices"),
        ("worst_case", "worst case"),
    ):
        if models[name] is not None and (models["interval_mixture"] or name == "worst_case"):
            ends = f"{percent_text(models[name]['p_lower'])} to {percent_text(models[name]['p_upper'])}"
            lines.append(_line(shown, ends))
    room = figures["room_ms"]
    if room["upper"] is not None:
        window = latency_text(budget.reads_window_ns)
        least = "not certain" if room["lower"] is None else f"{_ms(room['lower'])} for certain"
        lines.append(_line("room", f"{least}, {_ms(room['upper'])} at best, of {window}"))
    if figures["n_guaranteed"] is not None:
        best = figures["n_possible"]
        shown = "no limit known" if best is None else f"{count_text(best)} at best"
        lines.append(_line("would fit", f"{count_text(figures['n_guaranteed'])} for certain, {shown}"))
    return lines


def _row_line(row: dict[str, Any]) -> str:
    if row["kind"] == "throughput":
        return _line(row["quantity"], f"{row['verdict']}: {row['reason_text']}")
    name = latency_text(row["threshold_ns"])
    return _line(f"at {name}", f"{row['verdict']}: {row['reason_text']}")


def _line(name: str, text: str) -> str:
    return f"  {name:<{_WIDTH}} {text}"


def _ms(value: float) -> str:
    return f"{value:.4g} ms" if abs(value) < 1000.0 else f"{value / 1000.0:.4g} s"
