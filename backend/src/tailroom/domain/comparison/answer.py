"""The answer of a comparison as a sentence: the figure that decides it, with its interval."""

from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from tailroom.domain.comparison.comparison import Comparison, Outcome
from tailroom.domain.comparison.figures import MEAN, MISSES, THROUGHPUT, is_share, quantile_name
from tailroom.domain.comparison.gains import Effect, Gain
from tailroom.domain.comparison.history import HistoryComparison

RUNS_TO_REPEAT = 5
"""With so many on each side a shift of a tenth is usually seen (docs/performance.md)."""
_LEADING = (quantile_name(0.99), quantile_name(0.999), quantile_name(0.95), quantile_name(0.5), THROUGHPUT)
"""The first of these that shows the outcome is named."""
_BY_HISTORY = {
    Outcome.REGRESSION: "Regression: {worse} worse than {runs} vary.",
    Outcome.IMPROVEMENT: "Improvement: {better} better than {runs} vary, and nothing got worse.",
    Outcome.MIXED: "Mixed: {worse} worse, {better} better than {runs} vary.",
    Outcome.NO_CHANGE: "No change: within how {runs} vary.",
    Outcome.NOT_SHOWN: "Not shown: {runs} vary too much to exclude a change.",
}
_SHARP_RATIO = 1.1
"""Ends of a ratio further apart than this say little of how much two runs differ."""
_SHOWN_OF_SINGLE_RUNS = frozenset(
    {THROUGHPUT, MEAN, *(quantile_name(each) for each in (0.5, 0.9, 0.95, 0.99))}
)


def quantity_text(quantity: str) -> str:
    """Return the display name of a quantity: `p99`, `throughput`, `mean`, `over 8 ms`, `failed`."""
    return {THROUGHPUT: "throughput", "latency_mean_ns": "mean", MISSES: "failed"}.get(
        quantity,
        quantity.removeprefix("latency_").removesuffix("_ns").removeprefix("share_").replace("_", " "),
    )


def headline(comparison: Comparison, against: Sequence[HistoryComparison] = ()) -> str:
    """Return the answer in one sentence, the same on pages and on the command line.

    `against`: how the new run compares with earlier runs, if these decide.
    """
    gains = comparison.gains
    if against and comparison.outcome in _BY_HISTORY:
        return _history_text(comparison.outcome, against)
    effect = {Outcome.REGRESSION: Effect.WORSE, Outcome.IMPROVEMENT: Effect.BETTER}.get(comparison.outcome)
    gain = _leading([each for each in gains if effect is None or each.effect is effect])
    text = "" if gain is None else _gain_text(gain)
    worse, better = _names(gains, Effect.WORSE), _names(gains, Effect.BETTER)
    match comparison.outcome:
        case Outcome.REGRESSION:
            sentence = f"Regression: {text or f'{worse} got worse'}"
        case Outcome.IMPROVEMENT:
            sentence = f"Improvement: {text or f'{better} got better'}, and nothing got worse"
        case Outcome.MIXED:
            sentence = f"Mixed: {worse} worse, {better} better"
        case Outcome.NO_CHANGE:
            sentence = f"No change: {'both records are the same' if comparison.identical else text}"
        case Outcome.UNREPEATED:
            sentence = _unrepeated_text(gains)
        case Outcome.NOT_COMPARABLE:
            count = len(comparison.comparability.reasons)
            sentence = f"Not comparable: {count} {'condition differs' if count == 1 else 'conditions differ'}"
        case Outcome.NOT_SHOWN:
            why = (
                ""
                if gain is None or not text
                else _either_way_text(gain) or f"{text}; {_why_not_shown(gain)}"
            )
            sentence = f"Not shown: {why}" if why else "Not shown"
    return f"{sentence}."


def _history_text(outcome: Outcome, against: Sequence[HistoryComparison]) -> str:
    worse = [quantity_text(each.quantity) for each in against if each.effect is Effect.WORSE]
    better = [quantity_text(each.quantity) for each in against if each.effect is Effect.BETTER]
    return _BY_HISTORY[outcome].format(
        worse=", ".join(worse or ["failed"]),
        better=", ".join(better),
        runs=f"{min(each.runs for each in against)} earlier runs",
    )


def _names(gains: Sequence[Gain], effect: Effect) -> str:
    return ", ".join(quantity_text(gain.quantity) for gain in gains if gain.effect is effect)


def _unrepeated_text(gains: Sequence[Gain]) -> str:
    """Return by how much two single runs differ, and what would show whether that is a change."""
    ratios = [gain.record_ratio for gain in gains if gain.quantity in _SHOWN_OF_SINGLE_RUNS]
    sharp = [
        (lower, upper)
        for lower, upper in ratios
        if lower and upper is not None and upper <= _SHARP_RATIO * lower
    ]
    return (
        f"{_differs_text(sharp)} in these two runs; how much such runs differ by themselves "
        f"is not known: repeat each {RUNS_TO_REPEAT} times"
    )


def _differs_text(ratios: Sequence[tuple[float, float]]) -> str:
    """Return `Differs by 3–8 %`, rounded outward."""
    if not ratios:
        return "Differs by an unknown amount"
    least = min(max(lower, 1.0 / upper, 1.0) - 1.0 for lower, upper in ratios)
    most = max(max(upper, 1.0 / lower) - 1.0 for lower, upper in ratios)
    low, high = _percent(least, ROUND_FLOOR), _percent(most, ROUND_CEILING)
    return f"Differs by {low}–{high} %" if low != high else f"Differs by {low} %"


def _percent(ratio: float, rounding: str) -> str:
    """Return whole per cent from ten on, else one decimal at most."""
    exact = Decimal(repr(100.0 * ratio))
    step = Decimal(1) if exact >= 10 else Decimal("0.1")
    text = f"{exact.quantize(step, rounding):f}"
    return text.removesuffix(".0")


def _leading(gains: Sequence[Gain]) -> Gain | None:
    by_name = {gain.quantity: gain for gain in gains}
    named = next((by_name[name] for name in _LEADING if name in by_name), None)
    return named or next(iter(gains), None)


def ratio_text(lower: float | None, upper: float | None) -> str:
    """Return a ratio with its bounds, `2.41–2.52 ×`, rounded outward; only one bound if the other is open."""
    if upper is None:
        return f"at least {_figures(lower, ROUND_FLOOR)} ×" if lower else ""
    low, high = _figures(lower or 0.0, ROUND_FLOOR), _figures(upper, ROUND_CEILING)
    return f"{low} ×" if low == high else f"{low}–{high} ×"


def known_ratio(gain: Gain) -> tuple[float | None, float | None]:
    """Return the confidence limits of a ratio; without them the bounds by both records."""
    if gain.ratio_lower is None and gain.ratio_upper is None:
        return gain.record_ratio
    return gain.ratio_lower, gain.ratio_upper


def _gain_text(gain: Gain) -> str:
    lower, upper = known_ratio(gain)
    name = quantity_text(gain.quantity)
    is_time = gain.quantity != THROUGHPUT and not is_share(gain.quantity)
    if is_time and upper is not None and upper < 1.0:
        return f"{name} is {ratio_text(1.0 / upper, 1.0 / lower if lower else None)} faster"
    text = ratio_text(lower, upper)
    if not text:
        return ""
    return f"{name} is {text} {'as long' if is_time else 'of the base'}"


def _either_way_text(gain: Gain) -> str:
    """Return how much a time may be shorter or longer; nothing if only one is possible."""
    lower, upper = known_ratio(gain)
    if gain.quantity == THROUGHPUT or is_share(gain.quantity) or not lower or upper is None:
        return ""
    if not lower < 1.0 < upper:
        return ""
    faster, slower = _figures(1.0 / lower, ROUND_CEILING), _figures(upper, ROUND_CEILING)
    why = "by the figures on record" if gain.ratio_upper is None else "and chance alone could do that"
    return f"{quantity_text(gain.quantity)} may be up to {faster} × faster or {slower} × slower, {why}"


def _why_not_shown(gain: Gain) -> str:
    """Return what keeps the leading figure from being a finding."""
    lower, upper = gain.ratio_lower, gain.ratio_upper
    if lower is None and upper is None:
        return "how much of that is chance is not known"
    if (lower is None or lower <= 1.0) and (upper is None or upper >= 1.0):
        return "chance alone could do that"
    if gain.significant:
        return "other figures are not shown"
    return "that is smaller than what counts as a change"


def _figures(value: float, rounding: str) -> str:
    """Return three significant figures without an exponent."""
    exact = Decimal(repr(value))
    if not exact:
        return "0"
    step = Decimal(1).scaleb(exact.adjusted() - 2)
    return f"{exact.quantize(step, rounding):f}"
