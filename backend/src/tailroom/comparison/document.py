"""A comparison as a JSON object, as in the API and in `tailroom compare --json`."""

from typing import Any

from tailroom.domain.comparison.comparison import Comparison
from tailroom.domain.comparison.figures import better
from tailroom.domain.comparison.gains import Gain
from tailroom.domain.method import METHOD_VERSION


def document_of(comparison: Comparison) -> dict[str, Any]:
    """Return a comparison as JSON values. `base` and `new` of a gain (one compared quantity) are the middles
    of the measured bounds `…_lower` and `…_upper`. `record_ratio_…` follow from the measured values alone,
    `ratio_…` are confidence limits.
    """
    return {
        "verdict": comparison.outcome.value,
        "comparable": not comparison.comparability.reasons,
        "reasons": list(comparison.comparability.reasons),
        "changes": list(comparison.comparability.changes),
        "factors": list(comparison.comparability.factors),
        "notes": list(comparison.notes),
        "gains": [_gain(gain, comparable=not comparison.comparability.reasons) for gain in comparison.gains],
        "method_version": METHOD_VERSION,
    }


def _gain(gain: Gain, *, comparable: bool) -> dict[str, Any]:
    """Return the JSON values of one compared quantity, without an effect if not comparable."""
    return {
        "quantity": gain.quantity,
        "better": better(gain.quantity).value,
        "base": gain.base.middle,
        "new": gain.new.middle,
        "base_lower": gain.base.lower,
        "base_upper": gain.base.upper,
        "new_lower": gain.new.lower,
        "new_upper": gain.new.upper,
        "record_ratio_lower": gain.record_ratio[0],
        "record_ratio_upper": gain.record_ratio[1],
        "ratio_lower": gain.ratio_lower,
        "ratio_upper": gain.ratio_upper,
        "significant": comparable and gain.significant,
        "effect": gain.effect.value if comparable else "open",
        "why": gain.why or None,
    }
