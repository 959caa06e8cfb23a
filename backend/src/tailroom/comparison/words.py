"""Sentences beside the answer of a comparison: factors, changed facts, rates per drive."""

from collections.abc import Sequence

from tailroom.comparison.schemas import PairOut
from tailroom.domain.comparison.answer import quantity_text
from tailroom.domain.comparison.comparison import Comparison
from tailroom.domain.comparison.figures import THROUGHPUT, quantile_name
from tailroom.runs.facts import FactChange


def factors_text(comparison: Comparison) -> str | None:
    """Return a sentence with the number of other differences (factors); None if there are none."""
    count = len(comparison.comparability.factors)
    if not count:
        return None
    more = "1 other factor differs" if count == 1 else f"{count} other factors differ"
    return f"{more}: no single one is shown to be the reason."


def changes_text(changes: Sequence[FactChange]) -> str:
    """Return a sentence with the number of facts that changed; one single fact is given with both values."""
    if not changes:
        return "Nothing that is stated of host, plan and tool changed."
    if len(changes) == 1:
        (change,) = changes
        before, after = change.before or "not stated", change.after or "not stated"
        return f"One fact changed: {change.name}, {before} → {after}."
    return f"{len(changes)} facts changed: no single one is shown to be the reason."


def per_drive_text(counts: Sequence[int | None], pairs: Sequence[PairOut]) -> str:
    """Return a sentence that compares operations per drive and p99 of the last subject with the first, or why
    that is not possible. `counts` has the number of drives of each subject.
    """
    base, last = counts[0], counts[-1]
    if base is None or last is None or not pairs:
        return "On how many drives each load was is not stated."
    if not pairs[-1].comparable:
        return "Not comparable: the loads on each drive differ."
    gains = {gain.quantity: gain for gain in pairs[-1].gains}
    p99 = quantile_name(0.99)
    parts = [
        f"{words} {gains[name].ratio_text}"
        for name, words in ((THROUGHPUT, "operations of each drive"), (p99, quantity_text(p99)))
        if name in gains and gains[name].ratio_text
    ]
    return f"With {_drives(last)} instead of {_drives(base)}: {', '.join(parts) or 'nothing is shown'}."


def _drives(count: int) -> str:
    """Return a number of drives as text."""
    return "1 drive" if count == 1 else f"{count} drives"
