"""P4: printed gains recomputed from the two printed numbers that they compare.

A reduction is `1 − new/old`, an increase `new/old − 1`. In per cent and whole points a printed gain is
`rounded` (the recomputed one rounds to it), `truncated` (its digits were cut off), or `wrong` where no
numbers that are printed like the two give it either way. Undefined where one of the numbers is missing or
zero. Source: docs/method.md 7, P4; finding K06.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from tailroom.domain.plausibility.ends import Ends
from tailroom.domain.plausibility.finding import Finding, consistent, figure

_SLACK = 1e-9


class GainKind(StrEnum):
    """What better means."""

    REDUCTION = "reduction"
    INCREASE = "increase"


class GainClass(StrEnum):
    """How a printed gain came about."""

    ROUNDED = "rounded"
    TRUNCATED = "truncated"
    WRONG = "wrong"


def gain(new: Ends, old: Ends, kind: GainKind) -> Ends:
    """The gain as a ratio, with the ends that the printed numbers allow."""
    part = new.over(old)
    one = Ends.exactly(1.0)
    return one.minus(part) if kind is GainKind.REDUCTION else part.minus(one)


def classify(recomputed: Ends, printed_percent: float) -> GainClass:
    """Of a gain that is printed in whole per cent.

    Numbers on the boundary of both are taken as rounded: that is no complaint. Wrong is only what both ends
    prove.
    """
    value = recomputed.value
    if value is None or recomputed.lower is None or recomputed.upper is None:
        return GainClass.ROUNDED
    percent = 100.0 * value
    if abs(percent - printed_percent) <= 0.5 + _SLACK:
        return GainClass.ROUNDED
    if printed_percent <= percent < printed_percent + 1.0:
        return GainClass.TRUNCATED
    low, high = 100.0 * recomputed.lower, 100.0 * recomputed.upper
    if high < printed_percent - 0.5 or low >= printed_percent + 1.0:
        return GainClass.WRONG
    return GainClass.ROUNDED if percent < printed_percent else GainClass.TRUNCATED


@dataclass(frozen=True, slots=True)
class PrintedGain:
    """One printed gain, and what it compares."""

    label: str
    printed_percent: float
    new: Ends
    old: Ends
    kind: GainKind
    keys: tuple[str, ...]

    @property
    def recomputed(self) -> Ends:
        """As a ratio."""
        return gain(self.new, self.old, self.kind)

    @property
    def group(self) -> GainClass:
        """How it came about."""
        return classify(self.recomputed, self.printed_percent)


def gains(printed: Sequence[PrintedGain]) -> list[Finding]:
    """Every gain recomputed: how many are rounded, truncated, wrong."""
    if not printed:
        return []
    cut = [one for one in printed if one.group is GainClass.TRUNCATED]
    wrong = [one for one in printed if one.group is GainClass.WRONG]
    found = [
        Finding(
            "P4",
            "high",
            "wrong gain",
            f"{one.label}: {one.printed_percent:.0f} % is printed, the two numbers give "
            f"{100.0 * (one.recomputed.value or 0.0):.2f} %.",
            (figure("recomputed gain", one.recomputed, "ratio"),),
            one.keys,
        )
        for one in wrong
    ]
    values = [one.recomputed.value or 0.0 for one in printed]
    headline = [
        figure("gains", len(printed), "count"),
        figure("truncated", len(cut), "count"),
        figure("wrong", len(wrong), "count"),
        figure("smallest recomputed gain", min(values), "ratio"),
        figure("largest recomputed gain", max(values), "ratio"),
    ]
    if cut:
        each = [figure(one.label, one.recomputed, "ratio", f"{one.printed_percent:.0f} %") for one in cut]
        found.append(
            Finding(
                "P4",
                "medium",
                "rounding",
                f"{len(printed)} gains recomputed, from {100 * min(values):.2f} % to {100 * max(values):.2f} "
                f"%: {len(cut)} are truncated where rounding gives one point more, "
                f"{len(wrong) or 'none'} wrong.",
                (*headline, *each),
                tuple(dict.fromkeys(key for one in cut for key in one.keys)),
            )
        )
    elif not wrong:
        found.append(
            consistent(
                "P4",
                f"All {len(printed)} printed gains follow from the numbers beside them.",
                headline,
                (key for one in printed for key in one.keys),
            )
        )
    return found
