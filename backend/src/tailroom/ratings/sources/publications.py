"""Tests from publications: the shares of one row and one thing that was timed are one tested load.

A row counts if it is linked to a drive of the catalogue, names a load and at least one share with both ends.
Who tested decides the evidence: the vendor of the drive itself, or a third party (the publisher of a tool is
one, whatever it wrote about drives of others).
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from tailroom.domain.claims.claim import Claim, Publication
from tailroom.domain.rating.conditions import EvidenceClass, Generation, MetricClass, OpClass
from tailroom.domain.units import NS_PER_HOUR
from tailroom.ratings.sources.marks import Mark
from tailroom.ratings.sources.tested_load import Share, TestOnRecord

_WORDS = re.compile(r"[a-z0-9]+")
_LATEST_NS = 1 << 62


def published_tests(
    publications: Iterable[Publication],
    vendors: Mapping[str, str],
    marks: Mapping[tuple[str, str], Sequence[Mark]],
) -> list[TestOnRecord]:
    """Every tested load of publications; `vendors` by the slugs of drives, `marks` by slug and row."""
    found: list[TestOnRecord] = []
    for publication in publications:
        shares = [
            one
            for one in publication.claims
            if one.quantity == "exceedance" and one.item in vendors and _has_share(one)
        ]
        order = sorted(shares, key=lambda one: (one.row, one.metric_class or ""))
        for (row, _), group in groupby(order, key=lambda one: (one.row, one.metric_class or "")):
            found.append(_test(publication, list(group), vendors, marks.get((publication.slug, row), ())))
    return found


def _has_share(claim: Claim) -> bool:
    printed = claim.printed
    return (
        claim.threshold_ns is not None
        and claim.load is not None
        and claim.load.multiple is not None
        and printed.unit == "ratio"
        and printed.lower is not None
        and printed.upper is not None
    )


def _test(
    publication: Publication,
    claims: Sequence[Claim],
    vendors: Mapping[str, str],
    marks: Sequence[Mark],
) -> TestOnRecord:
    first = claims[0]
    row = first.row
    filed = next((one.filed_metric_class for one in marks if one.filed_metric_class), None)
    metric = filed or first.metric_class or ""
    conditions = first.conditions
    load = first.load
    assert load is not None and load.multiple is not None and first.item is not None  # noqa: PT018, S101
    hours = _number(conditions.get("duration_h"))
    set_aside = _number(conditions.get("over_provisioning_ratio"))
    rates = (load.reads_per_s, load.writes_per_s)
    return TestOnRecord(
        test_id=f"{publication.slug}:{row}:{metric or MetricClass.UNSTATED}",
        source_title=publication.title,
        visibility="public",
        drive_slug=first.item,
        op_class=_op_class(conditions.get("over_provisioned")),
        metric_class=_known(MetricClass, metric),
        generation=_known(Generation, conditions.get("generation")),
        load_multiple=load.multiple,
        evidence=_evidence(publication, conditions.get("tested_by"), vendors[first.item]),
        shares=_shares(claims),
        publication_slug=publication.slug,
        publication_row=row,
        claim_keys=tuple(one.key for one in claims),
        publisher=publication.publisher,
        capacity_bytes=_whole(conditions.get("capacity_bytes")),
        usable_ratio=None if set_aside is None else 1.0 - set_aside,
        op_as_printed=_text(conditions.get("over_provisioning_as_printed")),
        load_as_printed=load.as_printed,
        duration_ns=None if hours is None else round(hours * NS_PER_HOUR),
        record_bytes=_whole(conditions.get("record_bytes")),
        write_ratio=None if None in rates else rates[1] / (rates[0] + rates[1]),  # type: ignore[operator]
        tool=_text(conditions.get("tool")),
        tool_version=_text(conditions.get("tool_version")),
        tested_at=first.test_date_as_printed,
        operation="read",
        marks=tuple(sorted({one.mark for one in marks})),
        mark_notes=tuple(one.note for one in marks),
    )


def _shares(claims: Sequence[Claim]) -> tuple[Share, ...]:
    """One share a threshold. Where a row prints two, the ends that both allow; if none, the wider of all."""
    by_threshold: dict[int, Share] = {}
    for claim in claims:
        at, printed = claim.threshold_ns, claim.printed
        assert at is not None and printed.lower is not None and printed.upper is not None  # noqa: PT018, S101
        known = by_threshold.get(at)
        lower, upper = printed.lower, min(printed.upper, 1.0)
        if known is not None:
            inner = max(lower, known.lower), min(upper, known.upper)
            lower, upper = (
                inner if inner[0] <= inner[1] else (min(lower, known.lower), max(upper, known.upper))
            )
        by_threshold[at] = Share.printed(at, lower, upper, printed.as_printed)
    return tuple(by_threshold[at] for at in sorted(by_threshold) if at < _LATEST_NS)


def _evidence(publication: Publication, tested_by: Any, vendor: str) -> EvidenceClass:
    tester = tested_by if isinstance(tested_by, str) else publication.publisher
    own, words = _words(vendor), _words(tester)
    return EvidenceClass.VENDOR if own and own <= words else EvidenceClass.THIRD_PARTY


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORDS.findall(text.lower()))


def _op_class(value: Any) -> OpClass:
    if not isinstance(value, bool):
        return OpClass.UNSTATED
    return OpClass.OVER_PROVISIONED if value else OpClass.NONE


def _known(kind: Any, value: Any) -> Any:
    """The member that a text names; "unstated" for anything else."""
    return kind(value) if value in {one.value for one in kind} else kind("unstated")


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _whole(value: Any) -> int | None:
    number = _number(value)
    return None if number is None else round(number)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
