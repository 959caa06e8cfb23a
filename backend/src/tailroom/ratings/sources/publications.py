"""Tests from publications: a test is the shares of slow reads in one row, on one clock.

A row counts if it is linked to a drive of the catalogue and names a load. Its record is that of
`evidence.publication`, so that every page judges the same figures. The evidence class follows from the
tester: the vendor of the drive itself, or a third party (also the publisher of a tool, except for its own
drives).

Marks (reviewed, reproduced, disputed, retracted) are part of the package (`reference/marks.yaml`); a note is
in our words and cites its source.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Literal

import msgspec

from tailroom.domain.claims.claim import Publication, PublishedClaim
from tailroom.domain.latency.knots import KnotsRecord
from tailroom.domain.rating.conditions import ActGeneration, EvidenceClass, MetricClass, OpClass
from tailroom.domain.verdicts.evidence import OperationEvidence
from tailroom.domain.verdicts.exceedance import exceedance
from tailroom.evidence.publication import CLOCKS_OF_METRICS, READ, published_of
from tailroom.ratings.sources.tested_load import record_document, share_document
from tailroom.storage.drive_test import DriveTest


class Mark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A reviewer's mark on a row of a publication: slug, row, kind of mark, and a note with its source."""

    publication: str
    row: str
    mark: Literal["reviewed", "reproduced", "disputed", "retracted"]
    note: Annotated[str, msgspec.Meta(min_length=1, max_length=400)]
    filed_metric_class: Literal["total", "device"] | None = None
    """Metric class of a row that does not state what was timed itself; `note` has the reason."""


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    marks: tuple[Mark, ...]


@cache
def reference_marks() -> Mapping[tuple[str, str], tuple[Mark, ...]]:
    """Return the marks by publication slug and row. Raise msgspec.ValidationError if malformed."""
    text = files("tailroom.ratings").joinpath("reference/marks.yaml").read_bytes()
    by_row: dict[tuple[str, str], tuple[Mark, ...]] = {}
    for mark in msgspec.yaml.decode(text, type=_File).marks:
        key = (mark.publication, mark.row)
        by_row[key] = (*by_row.get(key, ()), mark)
    return by_row


_WORDS = re.compile(r"[a-z0-9]+")


def published_tests(
    publications: Iterable[Publication],
    vendors: Mapping[str, str],
    marks: Mapping[tuple[str, str], Sequence[Mark]],
) -> list[DriveTest]:
    """Return a test for each row and clock with printed shares, of drives in `vendors` (vendor by slug)."""
    return [
        _test(publication, claims, operation, vendors, marks.get((publication.slug, published.row), ()))
        for publication in publications
        for published in published_of(publication)
        if published.of_drive
        for operation in published.operations
        if (claims := _claims_of(publication, published.row, operation.clock)) and claims[0].item in vendors
    ]


def _claims_of(publication: Publication, row: str, clock: str) -> list[PublishedClaim]:
    return [
        claim
        for claim in publication.claims_of_row(row)
        if claim.quantity == "exceedance"
        and claim.threshold_ns is not None
        and claim.load is not None
        and CLOCKS_OF_METRICS[claim.metric_class or "unstated"] == clock
    ]


def _test(
    publication: Publication,
    claims: Sequence[PublishedClaim],
    operation: OperationEvidence,
    vendors: Mapping[str, str],
    marks: Sequence[Mark],
) -> DriveTest:
    first = claims[0]
    filed = next((mark.filed_metric_class for mark in marks if mark.filed_metric_class), None)
    metric = filed or first.metric_class or ""
    conditions = first.conditions
    load, record = first.load, operation.record
    assert load is not None and load.multiple is not None and first.item is not None  # noqa: PT018, S101
    assert isinstance(record, KnotsRecord)  # noqa: S101 - what documents print
    set_aside = _number(conditions.get("over_provisioning_ratio"))
    rates = (load.reads_per_s, load.writes_per_s)
    return DriveTest(
        test_id=f"{publication.slug}:{first.row}:{metric or MetricClass.UNSTATED}",
        source_title=publication.title,
        visibility="public",
        drive_slug=first.item,
        op_class=_op_class(conditions.get("over_provisioned")),
        metric_class=_member(MetricClass, metric),
        generation=_member(ActGeneration, conditions.get("generation")),
        load_multiple=load.multiple,
        evidence=_evidence(publication, conditions.get("tested_by"), vendors[first.item]),
        clock=operation.clock,
        exceedances=_shares(claims, record),
        record=record_document(record),
        publication_slug=publication.slug,
        publication_row=first.row,
        claim_keys=[claim.key for claim in claims],
        publisher=publication.publisher,
        capacity_bytes=_whole(conditions.get("capacity_bytes")),
        usable_ratio=None if set_aside is None else 1.0 - set_aside,
        op_as_printed=_text(conditions.get("over_provisioning_as_printed")),
        load_as_printed=load.as_printed,
        duration_ns=operation.measured_ns or None,
        record_bytes=_whole(conditions.get("record_bytes")),
        write_ratio=None if None in rates else rates[1] / (rates[0] + rates[1]),  # type: ignore[operator]
        tool=_text(conditions.get("tool")),
        tool_version=_text(conditions.get("tool_version")),
        tested_at=first.test_date_as_printed,
        total_count=record.total,
        operation=READ,
        design_factor=1.0,
        missing_disclosure=0,
        marks=sorted({mark.mark for mark in marks}),
        mark_notes=[mark.note for mark in marks],
    )


def _shares(claims: Sequence[PublishedClaim], record: KnotsRecord) -> list[dict[str, Any]]:
    """Return the shares at the printed thresholds, ascending; of several figures for one threshold the last.

    The bounds are those of the record that verdicts use: a label of ACT before 2.0 is not the time it names.
    """
    as_printed = {
        claim.threshold_ns: claim.printed.as_printed for claim in claims if claim.threshold_ns is not None
    }
    shares = (exceedance(record, threshold_ns) for threshold_ns in sorted(as_printed))
    return [
        share_document(
            share.threshold_ns,
            share.share_lower,
            share.share_upper,
            as_printed=as_printed[share.threshold_ns],
            total_count=record.total,
        )
        for share in shares
    ]


def _evidence(publication: Publication, tested_by: Any, vendor: str) -> EvidenceClass:
    """Return VENDOR if the tester's name, else the publisher's, has all words of the vendor's name."""
    tester = tested_by if isinstance(tested_by, str) else publication.publisher
    vendor_words, tester_words = _words(vendor), _words(tester)
    return (
        EvidenceClass.VENDOR if vendor_words and vendor_words <= tester_words else EvidenceClass.THIRD_PARTY
    )


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORDS.findall(text.lower()))


def _op_class(value: Any) -> OpClass:
    if not isinstance(value, bool):
        return OpClass.UNSTATED
    return OpClass.OVER_PROVISIONED if value else OpClass.NONE


def _member(kind: Any, value: Any) -> Any:
    return kind(value) if value in {member.value for member in kind} else kind("unstated")


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _whole(value: Any) -> int | None:
    number = _number(value)
    return None if number is None else round(number)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
