"""Printed shares of ACT before 2.0 as a record: a reference for the importer, which reads counts."""

from collections.abc import Mapping
from fractions import Fraction

from tailroom.domain.latency.knots import KnotsRecord
from tailroom.domain.latency.published import NOT_ROUNDED, Number, Rounding, _share, joined
from tailroom.domain.units import NS_PER_MS


def from_legacy_act(
    over_label: Mapping[int, Number],
    rounding: Rounding = NOT_ROUNDED,
    *,
    count: int | None = None,
    semantics: str = "ACT before 2.0: differences of whole-millisecond clocks",
) -> KnotsRecord:
    """Return the record of shares over labels (ms) of ACT before 2.0, whose clocks tick in whole ms.

    Label L counts clock differences of at least 2L, so `P(X >= 2L ms) <= p <= P(X > (2L − 1) ms)`.
    """
    at_least: dict[int, Fraction] = {}
    at_most: dict[int, Fraction] = {}
    for label_ms, printed in sorted(over_label.items()):
        _share(printed, f"the share over label {label_ms} ms")
        low, high = rounding.ends(printed)
        at_least[2 * label_ms * NS_PER_MS] = max(Fraction(0), 1 - high)
        at_most[(2 * label_ms - 1) * NS_PER_MS + 1] = min(Fraction(1), 1 - low)
    return KnotsRecord(joined(at_least, at_most), count, semantics=semantics)
