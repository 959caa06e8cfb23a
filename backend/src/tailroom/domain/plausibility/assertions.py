"""P15: what a text asserts about its own tables, restated in structured form and held against them.

A reader says which rows and quantities a sentence is about; whether it is true is calculated here, on the
ends of the printed numbers. Undefined where the rows are missing, which is itself a finding. Source:
docs/method.md 7, P15; findings A01, A04, A07, A14, C03, D09, K10.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tailroom.domain.claims.claim import Publication
from tailroom.domain.plausibility.criteria import Reported, accepted_anyway
from tailroom.domain.plausibility.ends import Ends
from tailroom.domain.plausibility.finding import Finding, consistent, figure, keys_of
from tailroom.domain.plausibility.material import DriveRow, Fact, drive_rows, facts_of, limits_of, of_quantity
from tailroom.domain.units import latency_text, percent_text


@dataclass(frozen=True, slots=True)
class Assertion:
    """One sentence of a document in our form. What a kind does not need is none.

    `kind`: `lower_than` (subject slower share than other at every common load), `none_over` (no request of
    the subject over any limit above the first), `accepted` (rows named acceptable, or left without a
    verdict), `cited` (`value`, a ratio over the first limit, is said of `subject_as_printed`),
    `specification_below` (the subject's specification is said to lie below `value` ns), `direction`
    (`quantity` is said to rise), `no_effect` (no benefit from over-provisioning).
    """

    kind: str
    publication: str
    subject: str | None = None
    """Slug of the item that the sentence is about, as far as it can be identified."""
    subject_as_printed: str | None = None
    other: str | None = None
    rows: tuple[str, ...] = ()
    value: float | None = None
    quantity: str | None = None
    claim_keys: tuple[str, ...] = ()


def audit_assertions(
    publication: Publication, assertions: Sequence[Assertion], facts: Sequence[Fact]
) -> Iterator[Finding]:
    """Every assertion that is about this publication."""
    rows = drive_rows(publication)
    for one in assertions:
        if one.publication == publication.slug:
            yield from _KINDS[one.kind](one, publication, rows, facts)


Check = Callable[[Assertion, Publication, Sequence[DriveRow], Sequence[Fact]], Iterator[Finding]]


def _slow(row: DriveRow) -> tuple[Ends, str]:
    """The share over the first limit, by the whole latency."""
    shares = row.overall[1]
    return shares[min(shares)]


def _common(rows: Sequence[DriveRow], one: str | None, two: str | None) -> list[tuple[DriveRow, DriveRow]]:
    """Rows of two drives at the same load, over-provisioned alike."""
    return [
        (first, second)
        for first in rows
        for second in rows
        if first.item == one
        and second.item == two
        and first.load is not None
        and first.load == second.load
        and first.over_provisioned == second.over_provisioned
    ]


def _lower_than(
    one: Assertion, _: Publication, rows: Sequence[DriveRow], __: Sequence[Fact]
) -> Iterator[Finding]:
    pairs = _common(rows, one.subject, one.other)
    higher = [(a, b) for a, b in pairs if _slow(a)[0].surely_above(_slow(b)[0])]
    named = [row for row in rows if row.subject == one.subject_as_printed]
    if not higher and named:
        yield consistent("P15", f"{one.subject_as_printed} is as asserted at every common load.")
        return
    candidates = sorted(
        {
            row.item
            for row in rows
            if row.item not in {one.subject, one.other}
            and row.item is not None
            and row.item.split("-")[0] == (one.subject or "").split("-")[0]
        }
    )
    fitting = [
        item
        for item in candidates
        if (found := _common(rows, item, one.other))
        and all(_slow(a)[0].surely_below(_slow(b)[0]) for a, b in found)
    ]
    words = "; ".join(
        f"{a.load:g}x {percent_text(_slow(a)[0].value or 0)} against {percent_text(_slow(b)[0].value or 0)}"
        for a, b in higher
    )
    missing = "" if named else f"{one.subject_as_printed} has no row. "
    label = next((row.subject for row in rows if row.item == one.subject), str(one.subject))
    fits = f" Of the same maker, {', '.join(_names(rows, fitting))} would fit." if fitting else ""
    figures = [
        figure(f"{row.label}, over the first limit", _slow(row)[0], "ratio")
        for pair in higher
        for row in pair
    ]
    yield Finding(
        "P15",
        "high",
        "contradiction text/table",
        f"The text gives {one.subject_as_printed} a lower latency than the "
        f"{_names(rows, [str(one.other)])[0]}. {missing}{label} is slower at every common load: "
        f"{words}.{fits}",
        tuple(figures),
        (*one.claim_keys, *(key for pair in higher for row in pair for key in (_slow(row)[1],))),
    )


def _names(rows: Sequence[DriveRow], items: Sequence[str]) -> list[str]:
    return [next((row.subject for row in rows if row.item == item), item) for item in items]


def _none_over(
    one: Assertion, _: Publication, rows: Sequence[DriveRow], __: Sequence[Fact]
) -> Iterator[Finding]:
    mine = [row for row in rows if row.item == one.subject]
    some = [
        (row, name, at, ends, key)
        for row in mine
        for name, shares in row.shares.items()
        for at, (ends, key) in shares.items()
        if at > min(shares) and ends.value and ends.lower is not None and ends.lower > 0
    ]
    if not some:
        if mine:
            yield consistent(
                "P15", f"{mine[0].drive}: no share over the later limits is printed, as asserted."
            )
        return
    words = "; ".join(
        f"{row.load:g}x {percent_text(ends.value or 0)} over {latency_text(at)} ({name})"
        for row, name, at, ends, _ in some
    )
    yield Finding(
        "P15",
        "medium",
        "contradiction text/table",
        f"The text finds no requests of the {mine[0].subject} over the later limits; the table prints "
        f"{words}.",
        tuple(figure(f"{row.label}, over {latency_text(at)}", ends, "ratio") for row, _, at, ends, _ in some),
        (*one.claim_keys, *(key for *_, key in some)),
    )


def _accepted(
    one: Assertion, publication: Publication, rows: Sequence[DriveRow], _: Sequence[Fact]
) -> Iterator[Finding]:
    limits, _keep = limits_of(publication)
    mine = [Reported(row.label, *row.overall) for row in rows if row.row in one.rows]
    yield from accepted_anyway(mine, limits, [key for row in mine for key in row.keys])


def _cited(one: Assertion, _: Publication, rows: Sequence[DriveRow], __: Sequence[Fact]) -> Iterator[Finding]:
    if one.value is None:
        return
    named = [row for row in rows if one.subject_as_printed and one.subject_as_printed in row.subject]
    holding = [
        row
        for row in rows
        if row.overall[1] and not _slow(row)[0].surely_differs(one.value) and row.item == one.subject
    ]
    if named:
        yield consistent("P15", f"{one.subject_as_printed} is listed.")
        return
    fits = f"; {percent_text(one.value)} is what the table prints for {holding[0].subject}" if holding else ""
    yield Finding(
        "P15",
        "medium",
        "text/table",
        f"The text cites {percent_text(one.value)} of {one.subject_as_printed}, which no row lists{fits}.",
        (
            figure("cited", one.value, "ratio"),
            *(figure(row.label, _slow(row)[0], "ratio") for row in holding),
        ),
        (*one.claim_keys, *(_slow(row)[1] for row in holding)),
    )


def _specification_below(
    one: Assertion, _: Publication, __: Sequence[DriveRow], facts: Sequence[Fact]
) -> Iterator[Finding]:
    if one.value is None:
        return
    fields = {name: facts_of(facts, one.subject, name) for name in ("read_latency", "write_latency")}
    known = {name: found[0].ends for name, found in fields.items() if found}
    above = {name: ends for name, ends in known.items() if ends.surely_above(one.value)}
    if not above:
        if known:
            yield consistent("P15", "The specification is as asserted.")
        return
    words = ", ".join(
        f"{name.replace('_', ' ')} {latency_text(int(ends.value or 0))}" for name, ends in known.items()
    )
    yield Finding(
        "P15",
        "medium",
        "contradiction",
        f"The specification of the drive is said to be better than {latency_text(int(one.value))}; it states "
        f"{words}.",
        (figure("claimed", one.value, "ns"), *(figure(name, ends, "ns") for name, ends in known.items())),
        one.claim_keys,
    )


def _direction(
    one: Assertion, publication: Publication, _: Sequence[DriveRow], __: Sequence[Fact]
) -> Iterator[Finding]:
    claims = [c for c in of_quantity(publication, str(one.quantity)) if c.config is not None]
    configs = list(dict.fromkeys(c.config for c in claims))
    if len(configs) != 2:
        return
    rows: dict[str, dict[str | None, Ends]] = {}
    for claim in claims:
        rows.setdefault(claim.row, {})[claim.config] = Ends.of(claim.printed)
    pairs = [(found[configs[0]], found[configs[1]]) for found in rows.values() if len(found) == 2]
    fell = [pair for pair in pairs if pair[0].surely_below(pair[1])]
    if not fell:
        yield consistent("P15", f"{one.quantity} rose, as asserted.")
        return
    yield Finding(
        "P15",
        "low",
        "wording",
        f"The text speaks of increased {one.quantity}; it fell in {len(fell)} of {len(pairs)} pairs.",
        (figure("pairs", len(pairs), "count"), figure("fell", len(fell), "count")),
        keys_of(claims),
    )


def _no_effect(
    one: Assertion, _: Publication, rows: Sequence[DriveRow], __: Sequence[Fact]
) -> Iterator[Finding]:
    mine = [row for row in rows if row.item == one.subject and row.load is not None]
    pairs = [
        (a, b)
        for a in mine
        for b in mine
        if a.load == b.load and a.over_provisioned is True and b.over_provisioned is False
    ]
    if not pairs:
        return
    away = [abs((_slow(a)[0].value or 0) - (_slow(b)[0].value or 0)) for a, b in pairs]
    yield consistent(
        "P15",
        f"{mine[0].drive}: with and without over-provisioning the slow shares differ by at most "
        f"{100 * max(away):.2f} points at {len(pairs)} common loads, which fits the text.",
        (figure("largest difference", max(away), "ratio"), figure("common loads", len(pairs), "count")),
        (key for pair in pairs for row in pair for key in (_slow(row)[1],)),
    )


_KINDS: dict[str, Check] = {
    "lower_than": _lower_than,
    "none_over": _none_over,
    "accepted": _accepted,
    "cited": _cited,
    "specification_below": _specification_below,
    "direction": _direction,
    "no_effect": _no_effect,
}

KINDS = frozenset(_KINDS)
