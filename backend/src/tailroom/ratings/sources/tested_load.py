"""A drive test from any source: the values of a `drive_test` row, and their fingerprint."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from typing import Any
from uuid import UUID

from tailroom.domain.drive_counters.of_test import figures_document
from tailroom.domain.drive_counters.summary import CounterFigure
from tailroom.domain.latency.knots import KnotsRecord
from tailroom.domain.rating.variant import Traits


@dataclass(frozen=True, slots=True)
class Share:
    """Share of reads that took `threshold_ns` or longer: bounds of a printed, rounded figure, or of a count.
    Counts are None if they are not stated.
    """

    threshold_ns: int
    lower_ratio: float
    upper_ratio: float
    as_printed: str | None = None
    over_count: int | None = None
    total_count: int | None = None


@dataclass(frozen=True, slots=True)
class DriveTestRecord:
    """Values of a row of storage.drive_test.DriveTest, which explains them; None: not stated."""

    __test__ = False

    test_id: str
    source_title: str
    visibility: str
    drive_slug: str
    op_class: str
    metric_class: str
    generation: str
    load_multiple: float
    evidence: str
    clock: str
    exceedances: tuple[Share, ...]
    record: KnotsRecord | None = None
    """Figures of a published test; None for a run."""
    organisation_id: UUID | None = None
    run_id: UUID | None = None
    publication_slug: str | None = None
    publication_row: str | None = None
    claim_keys: tuple[str, ...] = ()
    publisher: str | None = None
    capacity_bytes: int | None = None
    usable_ratio: float | None = None
    op_as_printed: str | None = None
    load_as_printed: str | None = None
    duration_ns: int | None = None
    record_bytes: int | None = None
    write_ratio: float | None = None
    preconditioned: bool | None = None
    tool: str | None = None
    tool_version: str | None = None
    withdrawn_at: datetime | None = None
    withdrawal_reason: str | None = None
    tested_at: str | None = None
    operation: str = "read"
    total_count: int | None = None
    design_factor: float = 1.0
    missing_disclosure: int = 0
    firmware: str | None = None
    serials_sha256: str | None = None
    traits: Traits | None = None
    counters: tuple[CounterFigure, ...] = ()
    marks: tuple[str, ...] = ()
    mark_notes: tuple[str, ...] = ()

    def values(self, state: str = "") -> dict[str, Any]:
        """Return the column values with a fingerprint of them and of the `state` of the source."""
        row: dict[str, Any] = {field.name: getattr(self, field.name) for field in fields(self)}
        row = {name: list(value) if isinstance(value, tuple) else value for name, value in row.items()}
        row["exceedances"] = [asdict(share) for share in self.exceedances]
        row["counters"] = figures_document(self.counters)
        row["record"] = None if self.record is None else record_document(self.record)
        content = json.dumps({**row, "state": state}, sort_keys=True, default=str)
        return {**row, "fingerprint": hashlib.sha256(content.encode()).digest()}


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
