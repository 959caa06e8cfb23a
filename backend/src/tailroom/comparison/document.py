"""A comparison as the one object that scripts and pages read."""

from typing import Any

from tailroom.domain.comparison.comparison import Comparison
from tailroom.domain.comparison.figures import Figure, better
from tailroom.domain.comparison.gains import Gain
from tailroom.domain.method import METHOD_VERSION


def document_of(found: Comparison) -> dict[str, Any]:
    """`base` and `new` of a gain are middles of what the records say; `…_lower` and `…_upper` their ends.
    `record_ratio_…` hold by the records alone, `ratio_…` with chance.
    """
    return {
        "verdict": found.outcome.value,
        "comparable": not found.comparability.reasons,
        "reasons": list(found.comparability.reasons),
        "changes": list(found.comparability.changes),
        "factors": list(found.comparability.factors),
        "notes": list(found.notes),
        "gains": [_gain(one, comparable=not found.comparability.reasons) for one in found.gains],
        "method_version": METHOD_VERSION,
    }


def _gain(one: Gain, *, comparable: bool) -> dict[str, Any]:
    return {
        "quantity": one.quantity,
        "better": better(one.quantity).value,
        "base": one.base.middle,
        "new": one.new.middle,
        **_ends("base", one.base),
        **_ends("new", one.new),
        "record_ratio_lower": one.record_ratio[0],
        "record_ratio_upper": one.record_ratio[1],
        "ratio_lower": one.ratio_lower,
        "ratio_upper": one.ratio_upper,
        "significant": comparable and one.significant,
        "effect": one.effect.value if comparable else "open",
        "why": one.why or None,
    }


def _ends(side: str, figure: Figure) -> dict[str, float | None]:
    return {f"{side}_lower": figure.lower, f"{side}_upper": figure.upper}
