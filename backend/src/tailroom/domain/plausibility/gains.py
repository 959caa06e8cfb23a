"""P4: printed gains recomputed from the two printed numbers that they compare; P15 of gains.

A reduction is `1 − new/old`, an increase `new/old − 1`, both printed in whole per cent. Source:
docs/method.md 7, P4; finding K06.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tailroom.domain.claims.claim import Publication, PublishedClaim, Relation
from tailroom.domain.plausibility.finding import Finding, NumberBounds, bounds_of, consistent, figure, keys_of
from tailroom.domain.plausibility.material import RunSeries, claims_about, label_of

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


def published_gains(publication: Publication) -> Iterator[Finding]:
    """Yield the findings of check P4 on printed gains, and of P15 on gains that are called the largest."""
    rows: dict[str, list[PublishedClaim]] = {}
    for claim in publication.claims:
        rows.setdefault(claim.row, []).append(claim)
    printed = [gain for claims in rows.values() if (gain := _gain_of(claims)) is not None]
    yield from _recomputed_gains(printed)
    largest = [c for c in claims_about(publication, "gain") if c.conditions.get("over_table") is not None]
    tables = {key: gain for gain in printed for key in gain.keys}
    places = {claim.key: claim.table for claim in publication.claims}
    wrong: list[Finding] = []
    for claim in largest:
        same_table = [gain for key, gain in tables.items() if places[key] == claim.conditions["over_table"]]
        best = max((gain.printed_percent for gain in same_table), default=None)
        stated = 100.0 * (claim.printed.value or 0.0)
        if best is not None and abs(best - stated) > 0.5:
            words = f"{claim.row_label}: {stated:.0f} % is claimed, the largest in the table is {best:.0f} %."
            figures = (
                figure("claimed", stated / 100, "ratio"),
                figure("largest in the table", best / 100, "ratio"),
            )
            wrong.append(Finding("P15", "high", "claim against table", words, figures, (claim.key,)))
    yield from wrong
    if largest and not wrong:
        words = f"All {len(largest)} claimed largest gains are the largest of their tables."
        yield consistent("P15", words, (figure("claims", len(largest), "count"),), keys_of(largest))


def _gain_of(claims: Sequence[PublishedClaim]) -> PrintedGain | None:
    stated = [c for c in claims if c.quantity == "gain" and c.printed.value is not None]
    sides = [c for c in claims if c.config is not None and c.quantity != "gain"]
    if len(stated) != 1 or len(sides) != 2 or any(c.printed.value is None for c in sides):
        return None
    kind = stated[0].conditions.get("gain_kind")
    if kind not in set(GainKind):
        return None
    new, old = sides
    label = " ".join(part for part in (new.workload, new.quantity, new.operation, new.statistic) if part)
    return PrintedGain(
        label,
        100.0 * (stated[0].printed.value or 0.0),
        bounds_of(new),
        bounds_of(old),
        GainKind(str(kind)),
        keys_of((stated[0], new, old)),
    )


def _recomputed_gains(printed: Sequence[PrintedGain]) -> Iterator[Finding]:
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


def without_baseline(publication: Publication, series: Sequence[RunSeries]) -> Iterator[Finding]:
    """Yield the finding that a speed factor has no printed baseline, with those that throughputs imply."""
    factors = [c for c in claims_about(publication, "speed_factor") if c.printed.comparison is Relation.EQUAL]
    rates = [run.claim("throughput") for run in series]
    measured = [claim for claim in rates if claim is not None]
    if not factors or not measured:
        return
    factor = bounds_of(factors[0])
    figures = [figure("factor", factor, "x")]
    for claim in measured:
        implied = bounds_of(claim).over(factor)
        figures.append(figure(f"implied baseline of {label_of(claim)}", implied, "ops/s"))
    words = ", ".join(f"{(claim.printed.value or 0) / (factor.value or 1):,.0f}" for claim in measured)
    statement = (
        f"A factor of {factor.value:g} is claimed and its baseline is not printed; the results imply {words} "
        "operations per second for it."
    )
    yield Finding("P15", "medium", "no baseline", statement, tuple(figures), keys_of(factors))
