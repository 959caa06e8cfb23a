"""Text of a comparison for `tailroom compare`, and the exit code of each outcome."""

from collections.abc import Sequence

from tailroom.cli.baselines import Baseline
from tailroom.cli.pipeline_files import Check, CheckState
from tailroom.domain.comparison.answer import headline, known_ratio, quantity_text, ratio_text
from tailroom.domain.comparison.comparison import Comparison, Outcome
from tailroom.domain.comparison.figures import THROUGHPUT, Figure, is_share
from tailroom.domain.comparison.gains import Effect, Gain
from tailroom.domain.comparison.history import HistoryComparison
from tailroom.domain.units import latency_text, percent_text

EXIT_CODES = {
    Outcome.REGRESSION: 1,
    Outcome.MIXED: 1,
    Outcome.IMPROVEMENT: 0,
    Outcome.NO_CHANGE: 0,
    Outcome.UNREPEATED: 0,
    Outcome.NOT_SHOWN: 3,
    Outcome.NOT_COMPARABLE: 3,
}


def exit_code(comparison: Comparison, *, strict: bool) -> int:
    """Return the exit code of an outcome; with `strict`, 3 instead of 0 if single runs prove nothing."""
    if strict and comparison.outcome is Outcome.UNREPEATED:
        return EXIT_CODES[Outcome.NOT_SHOWN]
    return EXIT_CODES[comparison.outcome]


def history_lines(baseline: Baseline | None, differences: Sequence[HistoryComparison]) -> list[str]:
    """Return lines about the differences from the runs of the baseline; empty without a baseline."""
    if baseline is None:
        return []
    if not differences:
        count = len(baseline.history)
        return ["", f"Compared with {count} {'run' if count == 1 else 'runs'} of {baseline.branch}."]
    return [
        "",
        f"By how {differences[0].runs} runs of {baseline.branch} differ:",
        *(_history_line(difference) for difference in differences),
    ]


def _history_line(difference: HistoryComparison) -> str:
    quantity = difference.quantity
    return (
        f"{quantity_text(quantity):<12} {_value(quantity, difference.value):>12} "
        f"(by chance {_value(quantity, difference.lower)} to {_value(quantity, difference.upper)}) "
        f"{difference.effect.value}"
    )


def _value(quantity: str, value: float) -> str:
    return f"{value:,.0f}/s" if quantity == THROUGHPUT else latency_text(round(value))


def answer(comparison: Comparison, differences: Sequence[HistoryComparison] = ()) -> str:
    """Return the answer as a sentence; if the runs are not comparable, with every reason."""
    reasons = comparison.comparability.reasons
    return f"Not comparable: {' '.join(reasons)}" if reasons else headline(comparison, differences)


def checks(comparison: Comparison) -> list[Check]:
    """Return each figure as a check of a pipeline: failed if worse, skipped if not shown, else passed.

    All are skipped if the runs are not comparable.
    """
    comparable = comparison.outcome is not Outcome.NOT_COMPARABLE
    states = {Effect.WORSE: CheckState.FAILED, Effect.OPEN: CheckState.SKIPPED}
    return [
        Check(
            quantity_text(gain.quantity),
            states.get(gain.effect, CheckState.PASSED) if comparable else CheckState.SKIPPED,
            _line(gain, comparable=comparable),
        )
        for gain in comparison.gains
    ]


def lines(comparison: Comparison, differences: Sequence[HistoryComparison] = ()) -> list[str]:
    """Return the answer, a line for each figure, the factors that differ, and the notes."""
    comparable = comparison.outcome is not Outcome.NOT_COMPARABLE
    text = [answer(comparison, differences), ""]
    text += [_line(gain, comparable=comparable) for gain in comparison.gains]
    if comparison.comparability.factors:
        several = len(comparison.comparability.factors)
        text += ["", f"{several} other {'factor differs' if several == 1 else 'factors differ'}: "]
        text[-1] += ", ".join(comparison.comparability.factors)
    return [*text, "", *comparison.notes]


def _line(gain: Gain, *, comparable: bool) -> str:
    ratio = ratio_text(*known_ratio(gain)) or "ratio not known"
    effect = gain.effect.value if comparable else ""
    name, base, new = quantity_text(gain.quantity), _text(gain.base), _text(gain.new)
    return f"{name:<12} {base:>24} → {new:<24} {ratio:<18} {effect}".rstrip()


def _text(figure: Figure) -> str:
    """Return a figure as text: the middle of a throughput, else the bounds of a share or latency."""
    if figure.quantity == THROUGHPUT:
        return f"{figure.middle:,.0f}/s"
    if is_share(figure.quantity):
        shares = [percent_text(share) for share in dict.fromkeys((figure.lower, figure.upper or 0.0))]
        return "–".join(shares)
    lower = latency_text(round(figure.lower))
    if figure.upper is None:
        return f"over {lower}"
    upper = latency_text(round(figure.upper))
    return lower if lower == upper else f"{lower}–{upper}"
