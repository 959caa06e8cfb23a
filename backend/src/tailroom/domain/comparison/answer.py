"""The answer of a comparison as a sentence: the figure that decides it, with its interval."""

from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from tailroom.domain.comparison.comparison import Comparison, Outcome
from tailroom.domain.comparison.figures import MISSES, THROUGHPUT, is_share, quantile_name
from tailroom.domain.comparison.gains import Effect, Gain
from tailroom.domain.comparison.history import HistoryComparison
from tailroom.domain.units import significant

RUNS_TO_REPEAT = 5
"""Recommended runs of each side; so many usually show a shift of a tenth (docs/performance.md)."""
_WIDEST = 1e12
"""Limits of a ratio further apart are not printed: with two runs on a side they may be 10^40 apart."""
_LEADING = (quantile_name(0.99), quantile_name(0.999), quantile_name(0.95), quantile_name(0.5), THROUGHPUT)
"""Quantities that the sentence may name, the most important first."""
_BY_HISTORY = {
    Outcome.REGRESSION: "Regression: {worse} worse than {runs} vary.",
    Outcome.IMPROVEMENT: "Improvement: {better} better than {runs} vary, and nothing got worse.",
    Outcome.MIXED: "Mixed: {worse} worse, {better} better than {runs} vary.",
    Outcome.NO_CHANGE: "No change: within how {runs} vary.",
    Outcome.NOT_SHOWN: "Not shown: {runs} vary too much to exclude a change.",
}


def quantity_text(quantity: str) -> str:
    """Return the display name of a quantity: `p99`, `throughput`, `mean`, `over 8 ms`, `failed`."""
    return {THROUGHPUT: "throughput", "latency_mean_ns": "mean", MISSES: "failed"}.get(
        quantity,
        quantity.removeprefix("latency_").removesuffix("_ns").removeprefix("share_").replace("_", " "),
    )


def headline(comparison: Comparison, against: Sequence[HistoryComparison] = ()) -> str:
    """Return the answer as one sentence; `against`, earlier runs beside the new run, decides if given."""
    gains = comparison.gains
    if against and comparison.outcome in _BY_HISTORY:
        return _history_text(comparison.outcome, against)
    effect = {Outcome.REGRESSION: Effect.WORSE, Outcome.IMPROVEMENT: Effect.BETTER}.get(comparison.outcome)
    gain = _leading_gain([each for each in gains if effect is None or each.effect is effect])
    text = "" if gain is None else _gain_text(gain)
    worse, better = _quantity_names(gains, Effect.WORSE), _quantity_names(gains, Effect.BETTER)
    tail = "" if effect is None else _tail_text(gains, effect)
    match comparison.outcome:
        case Outcome.REGRESSION:
            sentence = f"Regression: {tail}{text or f'{worse} got worse'}"
        case Outcome.IMPROVEMENT:
            sentence = f"Improvement: {tail}{text or f'{better} got better'}, and nothing got worse"
        case Outcome.MIXED:
            parts = [f"{worse} worse", f"{better} better"]
            leading = _leading_gain([each for each in gains if each.effect in {Effect.WORSE, Effect.BETTER}])
            is_tail_better = leading is not None and leading.effect is Effect.BETTER
            sentence = f"Mixed: {', '.join(reversed(parts) if is_tail_better else parts)}"
        case Outcome.NO_CHANGE:
            sentence = f"No change: {'both records are the same' if comparison.identical else text}"
        case Outcome.UNREPEATED:
            sentence = _unrepeated_text(gains)
        case Outcome.NOT_COMPARABLE:
            count = len(comparison.comparability.reasons)
            sentence = f"Not comparable: {count} {'condition differs' if count == 1 else 'conditions differ'}"
        case Outcome.NOT_SHOWN:
            why = gain and (_either_way_text(gain) or (text and f"{text}; {_why_not_shown(gain)}"))
            sentence = f"Not shown: {why}" if why else "Not shown"
    return f"{sentence}."


def _history_text(outcome: Outcome, against: Sequence[HistoryComparison]) -> str:
    """Return the answer by earlier runs; “failed” is worse if only failed operations increased."""
    worse = [quantity_text(each.quantity) for each in against if each.effect is Effect.WORSE]
    better = [quantity_text(each.quantity) for each in against if each.effect is Effect.BETTER]
    return _BY_HISTORY[outcome].format(
        worse=", ".join(worse or ["failed"]),
        better=", ".join(better),
        runs=f"{min(each.runs for each in against)} earlier runs",
    )


def _quantity_names(gains: Sequence[Gain], effect: Effect) -> str:
    return ", ".join(quantity_text(gain.quantity) for gain in gains if gain.effect is effect)


def _tail_text(gains: Sequence[Gain], effect: Effect) -> str:
    """Return the state of the leading quantity, to start a sentence; empty if it has this effect."""
    tail = _leading_gain(gains)
    if tail is None or tail.effect is effect:
        return ""
    return f"{quantity_text(tail.quantity)} {'no change' if tail.effect is Effect.SAME else 'not shown'}; "


def _unrepeated_text(gains: Sequence[Gain]) -> str:
    """Return by how much the leading quantity of two single runs differs, and how often to repeat them."""
    tail = _leading_gain(gains)
    text = tail and (_either_way_text(tail) or (_gain_text(tail) and f"{_gain_text(tail)} in these two runs"))
    return f"{text or 'Not shown'}; repeat each {RUNS_TO_REPEAT} times to show a change"


def _leading_gain(gains: Sequence[Gain]) -> Gain | None:
    """Return the gain that the sentence names: the first of `_LEADING`, else the first, or None."""
    by_name = {gain.quantity: gain for gain in gains}
    named = next((by_name[name] for name in _LEADING if name in by_name), None)
    return named or next(iter(gains), None)


def ratio_text(lower: float | None, upper: float | None) -> str:
    """Return a ratio with its bounds as text, `2.41–2.52 ×`, rounded outward. Without an upper bound it is
    `at least 2.41 ×`, and empty if the lower bound is missing or 0 as well, or the bounds are too far apart.
    """
    if lower and upper and upper / lower > _WIDEST:
        return ""
    if upper is None:
        return f"at least {_three_figures(lower, ROUND_FLOOR)} ×" if lower else ""
    low, high = _three_figures(lower or 0.0, ROUND_FLOOR), _three_figures(upper, ROUND_CEILING)
    return f"{low} ×" if low == high else f"{low}–{high} ×"


def known_ratio(gain: Gain) -> tuple[float | None, float | None]:
    """Return the confidence limits of `new / base`, or its bounds by both records if both limits are None."""
    if gain.ratio_lower is None and gain.ratio_upper is None:
        return gain.record_ratio
    return gain.ratio_lower, gain.ratio_upper


def _gain_text(gain: Gain) -> str:
    """Return the ratio of new to base in words, such as “p99 is 1.2–1.3 × faster”; empty if it is open."""
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
    """Return by which factors a latency may be shorter or longer; empty for others and if it is decided."""
    lower, upper = known_ratio(gain)
    if gain.quantity == THROUGHPUT or is_share(gain.quantity) or not lower or upper is None:
        return ""
    if not lower < 1.0 < upper:
        return ""
    faster, slower = _three_figures(1.0 / lower, ROUND_CEILING), _three_figures(upper, ROUND_CEILING)
    times = f"up to {faster} × faster or {slower} × slower"
    if not ratio_text(lower, upper):
        times = "any number of times faster or slower"
    why = "by the figures on record" if gain.ratio_upper is None else "and chance alone could do that"
    return f"{quantity_text(gain.quantity)} may be {times}, {why}"


def _why_not_shown(gain: Gain) -> str:
    """Return the reason why the leading quantity does not show a change."""
    lower, upper = gain.ratio_lower, gain.ratio_upper
    if lower is None and upper is None:
        return "how much of that is chance is not known"
    if (lower is None or lower <= 1.0) and (upper is None or upper >= 1.0):
        return "chance alone could do that"
    if gain.significant:
        return "other figures are not shown"
    return f"that {'is' if gain.effect is Effect.SAME else 'may be'} smaller than what counts as a change"


def _three_figures(value: float, rounding: str) -> str:
    return f"{significant(Decimal(repr(value)), 3, rounding):f}"
