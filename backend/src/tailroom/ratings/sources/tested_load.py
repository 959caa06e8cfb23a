"""Tests of drives from any source, as rows of `DriveTest`: their columns, and a fingerprint of them."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from tailroom.domain.latency.knots import KnotsRecord
from tailroom.storage.drive_test import DriveTest

_NAMES = [column.name for column in DriveTest.__table__.columns]
_COLUMNS = _NAMES[: _NAMES.index("fingerprint")]
"""Columns that describe a test: those before the fingerprint, which is made of them."""


def column_values(test: DriveTest, state: str = "") -> dict[str, Any]:
    """Return the columns that describe a test, with a fingerprint of them and of the source's `state`."""
    row = {name: getattr(test, name) for name in _COLUMNS}
    content = json.dumps({**row, "state": state}, sort_keys=True, default=str)
    return {**row, "fingerprint": hashlib.sha256(content.encode()).digest()}


def share_document(
    threshold_ns: int,
    lower_ratio: float,
    upper_ratio: float,
    *,
    as_printed: str | None = None,
    over_count: int | None = None,
    total_count: int | None = None,
) -> dict[str, Any]:
    """Return the share of reads at or over a threshold, as stored with a test; None: not stated."""
    return {
        "threshold_ns": threshold_ns,
        "lower_ratio": lower_ratio,
        "upper_ratio": upper_ratio,
        "as_printed": as_printed,
        "over_count": over_count,
        "total_count": total_count,
    }


def record_document(record: KnotsRecord) -> dict[str, Any]:
    """Return the record of a published test as a JSON document, without loss."""
    return {
        "knots": [list(knot) for knot in record.knots],
        "count": record.count,
        "semantics": record.semantics,
    }


def record_of(document: Mapping[str, Any]) -> KnotsRecord:
    """Return the record in a document of `record_document`. Raise DomainError if it contradicts itself."""
    knots = tuple((int(at), float(lower), float(upper)) for at, lower, upper in document["knots"])
    return KnotsRecord(knots, document["count"], semantics=document["semantics"])
