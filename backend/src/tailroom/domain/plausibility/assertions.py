"""P15: assertions of a text about its own tables, in structured form, compared with the tables.

A reader has entered the rows and quantities of a sentence; whether it is true is computed here from the
bounds of the printed numbers. If the rows are missing, that is itself a finding. Source: docs/method.md 7,
P15; findings A01, A04, A07, A14, C03, D09, K10.
"""

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from tailroom.domain.claims.claim import Publication
from tailroom.domain.plausibility.criteria import accepted_anyway
from tailroom.domain.plausibility.finding import Finding, NumberBounds, bounds_of, consistent, figure, keys_of
from tailroom.domain.plausibility.material import DriveRow, Fact, claims_about, facts_of, limits_of
from tailroom.domain.units import latency_text, percent_text


class Assertion(Struct, frozen=True, forbid_unknown_fields=True):
    """A statement of a document in structured form, about the items with the slugs `subject` and `other`.

    Fields that a `kind` does not need are None. The kinds are `lower_than` (the subject has a smaller share
    over the limits than `other` at every common load), `none_over` (no request of the subject over any limit
    above the first), `accepted` (`rows` are named acceptable, or left without a verdict), `cited` (the text
    states `value`, a ratio over the first limit, for `subject_as_printed`), `specification_below` (the
    specification is better than `value` ns), `direction` (`quantity` rises) and `no_effect`
    (over-provisioning brings no benefit). A finding cites the claims of `claim_keys`.
    """

    kind: Literal[
        "lower_than", "none_over", "accepted", "cited", "specification_below", "direction", "no_effect"
    ]
    publication: str
    subject: str | None = None
    """Slug of the sentence's item; None if it cannot be identified."""
    subject_as_printed: str | None = None
    other: str | None = None
    rows: tuple[str, ...] = ()
    value: float | None = None
    quantity: str | None = None
    claim_keys: tuple[str, ...] = ()


def audit_assertions(
    publication: Publication,
    rows: Sequence[DriveRow],
    assertions: Sequence[Assertion],
    facts: Sequence[Fact],
) -> Iterator[Finding]:
    """Yield the findings on the assertions about this publication. `rows` are its tests of drives, `facts`
    the stated facts of the catalogue.
    """
    for assertion in assertions:
        if assertion.publication != publication.slug:
            continue
        match assertion.kind:
            case "lower_than":
                yield from _lower_than(assertion, rows)
            case "none_over":
                yield from _none_over(assertion, rows)
            case "accepted":
                accepted = [row for row in rows if row.row in assertion.rows]
                yield from accepted_anyway(accepted, limits_of(publication)[0])
            case "cited":
                yield from _cited(assertion, rows)
            case "specification_below":
                yield from _specification_below(assertion, facts)
            case "direction":
                yield from _direction(assertion, publication)
            case "no_effect":
                yield from _no_effect(assertion, rows)


def _slow(row: DriveRow) -> tuple[NumberBounds, str]:
    shares = row.overall[1]
    return shares[min(shares)]


def _common_rows(
    rows: Sequence[DriveRow], first_item: str | None, second_item: str | None
) -> list[tuple[DriveRow, DriveRow]]:
    return [
        (first, second)
        for first in rows
        for second in rows
        if first.item == first_item
        and second.item == second_item
        and first.load is not None
        and first.load == second.load
        and first.over_provisioned == second.over_provisioned
    ]


def _lower_than(assertion: Assertion, rows: Sequence[DriveRow]) -> Iterator[Finding]:
    """Yield the finding on whether the subject's slow share is lower than the other's at a common load."""
    pairs = _common_rows(rows, assertion.subject, assertion.other)
    higher = [(a, b) for a, b in pairs if _slow(a)[0].surely_above(_slow(b)[0])]
    named = [row for row in rows if row.subject == assertion.subject_as_printed]
    if not higher and named:
        yield consistent("P15", f"{assertion.subject_as_printed} is as asserted at every common load.")
        return
    candidates = sorted(
        {
            row.item
            for row in rows
            if row.item not in {assertion.subject, assertion.other}
            and row.item is not None
            and row.item.split("-")[0] == (assertion.subject or "").split("-")[0]
        }
    )
    fitting = [
        item
        for item in candidates
        if (pairs := _common_rows(rows, item, assertion.other))
        and all(_slow(a)[0].surely_below(_slow(b)[0]) for a, b in pairs)
    ]
    words = "; ".join(
        f"{a.load:g}x {percent_text(_slow(a)[0].value or 0)} against {percent_text(_slow(b)[0].value or 0)}"
        for a, b in higher
    )
    missing = "" if named else f"{assertion.subject_as_printed} has no row. "
    label = next((row.subject for row in rows if row.item == assertion.subject), str(assertion.subject))
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
        f"The text gives {assertion.subject_as_printed} a lower latency than the "
        f"{_names(rows, [str(assertion.other)])[0]}. {missing}{label} is slower at every common load: "
        f"{words}.{fits}",
        tuple(figures),
        (*assertion.claim_keys, *(key for pair in higher for row in pair for key in (_slow(row)[1],))),
    )


def _names(rows: Sequence[DriveRow], items: Sequence[str]) -> list[str]:
    return [next((row.subject for row in rows if row.item == item), item) for item in items]


def _none_over(assertion: Assertion, rows: Sequence[DriveRow]) -> Iterator[Finding]:
    """Yield the finding on shares over later limits, certainly above 0, which the text denies."""
    tested = [row for row in rows if row.item == assertion.subject]
    some = [
        (row, name, at, share, key)
        for row in tested
        for name, shares in row.shares.items()
        for at, (share, key) in shares.items()
        if at > min(shares) and share.value and share.lower is not None and share.lower > 0
    ]
    if not some:
        if tested:
            yield consistent(
                "P15", f"{tested[0].drive}: no share over the later limits is printed, as asserted."
            )
        return
    words = "; ".join(
        f"{row.load:g}x {percent_text(share.value or 0)} over {latency_text(at)} ({name})"
        for row, name, at, share, _ in some
    )
    yield Finding(
        "P15",
        "medium",
        "contradiction text/table",
        f"The text finds no requests of the {tested[0].subject} over the later limits; the table prints "
        f"{words}.",
        tuple(
            figure(f"{row.label}, over {latency_text(at)}", share, "ratio") for row, _, at, share, _ in some
        ),
        (*assertion.claim_keys, *(key for *_, key in some)),
    )


def _cited(assertion: Assertion, rows: Sequence[DriveRow]) -> Iterator[Finding]:
    """Yield the finding on whether the table lists the drive whose value the text cites, if it cites any."""
    if assertion.value is None:
        return
    named = [
        row for row in rows if assertion.subject_as_printed and assertion.subject_as_printed in row.subject
    ]
    holding = [
        row
        for row in rows
        if row.overall[1]
        and not _slow(row)[0].surely_differs(assertion.value)
        and row.item == assertion.subject
    ]
    if named:
        yield consistent("P15", f"{assertion.subject_as_printed} is listed.")
        return
    fits = (
        f"; {percent_text(assertion.value)} is what the table prints for {holding[0].subject}"
        if holding
        else ""
    )
    yield Finding(
        "P15",
        "medium",
        "text/table",
        f"The text cites {percent_text(assertion.value)} of {assertion.subject_as_printed}, which no row "
        f"lists{fits}.",
        (
            figure("cited", assertion.value, "ratio"),
            *(figure(row.label, _slow(row)[0], "ratio") for row in holding),
        ),
        (*assertion.claim_keys, *(_slow(row)[1] for row in holding)),
    )


def _specification_below(assertion: Assertion, facts: Sequence[Fact]) -> Iterator[Finding]:
    """Yield the finding on whether a rated latency is certainly above the asserted value in ns."""
    if assertion.value is None:
        return
    fields = {name: facts_of(facts, assertion.subject, name) for name in ("read_latency", "write_latency")}
    stated = {name: matches[0].ends for name, matches in fields.items() if matches}
    above = {name: bounds for name, bounds in stated.items() if bounds.surely_above(assertion.value)}
    if not above:
        if stated:
            yield consistent("P15", "The specification is as asserted.")
        return
    words = ", ".join(
        f"{name.replace('_', ' ')} {latency_text(int(bounds.value or 0))}" for name, bounds in stated.items()
    )
    statement = (
        f"The specification of the drive is said to be better than {latency_text(int(assertion.value))}; it "
        f"states {words}."
    )
    figures = (
        figure("claimed", assertion.value, "ns"),
        *(figure(name, bounds, "ns") for name, bounds in stated.items()),
    )
    yield Finding("P15", "medium", "contradiction", statement, figures, assertion.claim_keys)


def _direction(assertion: Assertion, publication: Publication) -> Iterator[Finding]:
    """Yield the finding on whether a quantity that the text calls risen is certainly lower in a row."""
    claims = [c for c in claims_about(publication, str(assertion.quantity)) if c.config is not None]
    configs = list(dict.fromkeys(c.config for c in claims))
    if len(configs) != 2:
        return
    rows: dict[str, dict[str | None, NumberBounds]] = {}
    for claim in claims:
        rows.setdefault(claim.row, {})[claim.config] = bounds_of(claim)
    pairs = [(sides[configs[0]], sides[configs[1]]) for sides in rows.values() if len(sides) == 2]
    fell = [pair for pair in pairs if pair[0].surely_below(pair[1])]
    if not fell:
        yield consistent("P15", f"{assertion.quantity} rose, as asserted.")
        return
    yield Finding(
        "P15",
        "low",
        "wording",
        f"The text speaks of increased {assertion.quantity}; it fell in {len(fell)} of {len(pairs)} pairs.",
        (figure("pairs", len(pairs), "count"), figure("fell", len(fell), "count")),
        keys_of(claims),
    )


def _no_effect(assertion: Assertion, rows: Sequence[DriveRow]) -> Iterator[Finding]:
    """Yield the largest difference of slow shares with and without over-provisioning at equal loads."""
    tested = [row for row in rows if row.item == assertion.subject and row.load is not None]
    pairs = [
        (a, b)
        for a in tested
        for b in tested
        if a.load == b.load and a.over_provisioned is True and b.over_provisioned is False
    ]
    if not pairs:
        return
    away = [abs((_slow(a)[0].value or 0) - (_slow(b)[0].value or 0)) for a, b in pairs]
    yield consistent(
        "P15",
        f"{tested[0].drive}: with and without over-provisioning the slow shares differ by at most "
        f"{100 * max(away):.2f} points at {len(pairs)} common loads, which fits the text.",
        (figure("largest difference", max(away), "ratio"), figure("common loads", len(pairs), "count")),
        (key for pair in pairs for row in pair for key in (_slow(row)[1],)),
    )
