"""The answer of a comparison as a sentence: the figure that decides it, with its interval."""

from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from tailroom.comparison.schemas import PairOut
from tailroom.domain.comparison.comparison import Comparison, Outcome
from tailroom.domain.comparison.figures import MISSES, THROUGHPUT, is_share, quantile_name
from tailroom.domain.comparison.gains import Effect, Gain
from tailroom.runs.facts import FactChange

_LEADING = (quantile_name(0.99), quantile_name(0.999), quantile_name(0.95), quantile_name(0.5), THROUGHPUT)
"""Of several figures that show the same, the one that is named."""


def quantity_text(quantity: str) -> str:
    """`p99`, `throughput`, `mean`, `over 8 ms`, `failed`."""
    return {THROUGHPUT: "throughput", "latency_mean_ns": "mean", MISSES: "failed"}.get(
        quantity,
        quantity.removeprefix("latency_").removesuffix("_ns").removeprefix("share_").replace("_", " "),
    )


def headline(found: Comparison) -> str:
    """One sentence: what is shown, by how much, and for an unequal pair that nothing is."""
    wanted = {Outcome.REGRESSION: Effect.WORSE, Outcome.IMPROVEMENT: Effect.BETTER}.get(found.outcome)
    gain = _leading([one for one in found.gains if wanted is None or one.effect is wanted])
    said = "" if gain is None else _gain_text(gain)
    match found.outcome:
        case Outcome.REGRESSION:
            return f"Worse: {said}."
        case Outcome.IMPROVEMENT:
            return f"Better: {said}, and nothing got worse."
        case Outcome.NO_CHANGE:
            return f"No change: {said}."
        case Outcome.NOT_COMPARABLE:
            count = len(found.comparability.reasons)
            return f"Not comparable: {count} {'condition differs' if count == 1 else 'conditions differ'}."
        case _:
            if gain is None or not said:
                return "Not shown."
            return f"Not shown: {_either_way_text(gain) or f'{said}; {_why_not_shown(gain)}'}."


def factors_text(found: Comparison) -> str | None:
    """That a difference has no single cause; none where nothing else differs."""
    count = len(found.comparability.factors)
    if not count:
        return None
    more = "1 other factor differs" if count == 1 else f"{count} other factors differ"
    return f"{more}: no single one is shown to be the reason."


def changes_text(changes: Sequence[FactChange]) -> str:
    """How much changed between two runs, and what where it is one fact."""
    if not changes:
        return "Nothing that is stated of host, plan and tool changed."
    if len(changes) == 1:
        (one,) = changes
        return f"One fact changed: {one.name}, {one.before or 'not stated'} → {one.after or 'not stated'}."
    return f"{len(changes)} facts changed: no single one is shown to be the reason."


def per_drive_text(counts: Sequence[int | None], pairs: Sequence[PairOut]) -> str:
    """How much of its own load each of several drives in one server does."""
    base, last = counts[0], counts[-1]
    if base is None or last is None or not pairs:
        return "On how many drives each load was is not stated."
    if not pairs[-1].comparable:
        return "Not comparable: the loads on each drive differ."
    gains = {one.quantity: one for one in pairs[-1].gains}
    parts = [
        f"{_per_drive_name(name)} {gains[name].ratio_text}"
        for name in (THROUGHPUT, quantile_name(0.99))
        if name in gains and gains[name].ratio_text
    ]
    return f"With {_drives(last)} instead of {_drives(base)}: {', '.join(parts) or 'nothing is shown'}."


def _per_drive_name(quantity: str) -> str:
    return "operations of each drive" if quantity == THROUGHPUT else quantity_text(quantity)


def _drives(count: int) -> str:
    return "1 drive" if count == 1 else f"{count} drives"


def _leading(gains: Sequence[Gain]) -> Gain | None:
    by_name = {one.quantity: one for one in gains}
    named = next((by_name[name] for name in _LEADING if name in by_name), None)
    return named or next(iter(gains), None)


def ratio_text(lower: float | None, upper: float | None) -> str:
    """`2.41–2.52 ×`, rounded outward; one end alone where the other is open, nothing where both are."""
    if upper is None:
        return f"at least {_figures(lower, ROUND_FLOOR)} ×" if lower else ""
    low, high = _figures(lower or 0.0, ROUND_FLOOR), _figures(upper, ROUND_CEILING)
    return f"{low} ×" if low == high else f"{low}–{high} ×"


def known_ratio(gain: Gain) -> tuple[float | None, float | None]:
    """With chance where that is known, else by what the records say."""
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
    """A time that may be shorter as well as longer, said as that; nothing where only one of both may be."""
    lower, upper = known_ratio(gain)
    if gain.quantity == THROUGHPUT or is_share(gain.quantity) or not lower or upper is None:
        return ""
    if not lower < 1.0 < upper:
        return ""
    faster, slower = _figures(1.0 / lower, ROUND_CEILING), _figures(upper, ROUND_CEILING)
    why = "by the figures on record" if gain.ratio_upper is None else "and chance alone could do that"
    return f"{quantity_text(gain.quantity)} may be up to {faster} × faster or {slower} × slower, {why}"


def _why_not_shown(gain: Gain) -> str:
    """What keeps the leading figure from being a finding."""
    lower, upper = gain.ratio_lower, gain.ratio_upper
    if lower is None and upper is None:
        return "how much of that is chance is not known"
    if (lower is None or lower <= 1.0) and (upper is None or upper >= 1.0):
        return "chance alone could do that"
    if gain.significant:
        return "other figures are not shown"
    return "that is smaller than what counts as a change"


def _figures(value: float, rounding: str) -> str:
    """Three significant figures, and never an exponent."""
    exact = Decimal(repr(value))
    if not exact:
        return "0"
    step = Decimal(1).scaleb(exact.adjusted() - 2)
    return f"{exact.quantize(step, rounding):f}"
