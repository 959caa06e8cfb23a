"""P4: printed gains recomputed from the two printed numbers that they compare.

A reduction is `1 − new/old`, an increase `new/old − 1`, both printed in whole per cent. Source:
docs/method.md 7, P4; finding K06.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tailroom.domain.plausibility.finding import Finding, NumberBounds, consistent, figure

_ROUNDING_SLACK = 1e-9


class GainKind(StrEnum):
    """Whether a gain lowers a quantity (latency) or raises it (throughput)."""

    REDUCTION = "reduction"
    INCREASE = "increase"


class GainClass(StrEnum):
    """How a printed gain was rounded, or that it is wrong."""

    ROUNDED = "rounded"
    TRUNCATED = "truncated"
    WRONG = "wrong"


def gain(new: NumberBounds, old: NumberBounds, kind: GainKind) -> NumberBounds:
    """Return the gain as a ratio, with the bounds that the printed numbers allow; None if `old` may be 0."""
    part = new.over(old)
    unity = NumberBounds.exactly(1.0)
    return unity.minus(part) if kind is GainKind.REDUCTION else part.minus(unity)


def classify(recomputed: NumberBounds, printed_percent: float) -> GainClass:
    """Return how a gain, printed in whole per cent, was rounded. It is wrong only if the bounds prove it. A
    gain without bounds, or on the boundary, counts as rounded.
    """
    value = recomputed.value
    if value is None or recomputed.lower is None or recomputed.upper is None:
        return GainClass.ROUNDED
    percent = 100.0 * value
    if abs(percent - printed_percent) <= 0.5 + _ROUNDING_SLACK:
        return GainClass.ROUNDED
    if printed_percent <= percent < printed_percent + 1.0:
        return GainClass.TRUNCATED
    low, high = 100.0 * recomputed.lower, 100.0 * recomputed.upper
    if high < printed_percent - 0.5 or low >= printed_percent + 1.0:
        return GainClass.WRONG
    return GainClass.ROUNDED if percent < printed_percent else GainClass.TRUNCATED


@dataclass(frozen=True, slots=True)
class PrintedGain:
    """A printed gain in per cent, the two numbers that it compares, and the keys of all three claims."""

    label: str
    printed_percent: float
    new: NumberBounds
    old: NumberBounds
    kind: GainKind
    keys: tuple[str, ...]

    @property
    def recomputed(self) -> NumberBounds:
        """The recomputed gain as a ratio."""
        return gain(self.new, self.old, self.kind)

    @property
    def group(self) -> GainClass:
        """How the gain was rounded, or that it is wrong."""
        return classify(self.recomputed, self.printed_percent)


def gains(printed: Sequence[PrintedGain]) -> Iterator[Finding]:
    """Yield a finding for each wrong gain and one on all truncated gains, or one that all are right."""
    if not printed:
        return
    cut = [entry for entry in printed if entry.group is GainClass.TRUNCATED]
    wrong = [entry for entry in printed if entry.group is GainClass.WRONG]
    for entry in wrong:
        yield Finding(
            "P4",
            "high",
            "wrong gain",
            f"{entry.label}: {entry.printed_percent:.0f} % is printed, the two numbers give "
            f"{100.0 * (entry.recomputed.value or 0.0):.2f} %.",
            (figure("recomputed gain", entry.recomputed, "ratio"),),
            entry.keys,
        )
    values = [entry.recomputed.value or 0.0 for entry in printed]
    headline = [
        figure("gains", len(printed), "count"),
        figure("truncated", len(cut), "count"),
        figure("wrong", len(wrong), "count"),
        figure("smallest recomputed gain", min(values), "ratio"),
        figure("largest recomputed gain", max(values), "ratio"),
    ]
    if cut:
        each = [
            figure(entry.label, entry.recomputed, "ratio", f"{entry.printed_percent:.0f} %") for entry in cut
        ]
        yield Finding(
            "P4",
            "medium",
            "rounding",
            f"{len(printed)} gains recomputed, from {100 * min(values):.2f} % to {100 * max(values):.2f} %: "
            f"{len(cut)} are truncated where rounding gives one point more, {len(wrong) or 'none'} wrong.",
            (*headline, *each),
            tuple(dict.fromkeys(key for entry in cut for key in entry.keys)),
        )
    elif not wrong:
        words = f"All {len(printed)} printed gains follow from the numbers beside them."
        yield consistent("P4", words, headline, (key for entry in printed for key in entry.keys))
