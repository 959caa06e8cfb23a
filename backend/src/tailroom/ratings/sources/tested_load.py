"""What a tested load is, whatever its source: the values of a `drive_test` row, and their fingerprint."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any
from uuid import UUID

import numpy as np
import numpy.typing as npt

from tailroom.domain.rating.judging import Doubt

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Share:
    """Share of reads at or over a threshold: by rounding or buckets, with confidence, of the worst hour."""

    threshold_ns: int
    lower: float
    upper: float
    confident_lower: float
    confident_upper: float
    worst_lower: float = 0.0
    worst_upper: float = 1.0
    as_printed: str | None = None

    @classmethod
    def printed(cls, threshold_ns: int, lower: float, upper: float, as_printed: str) -> "Share":
        """A published one: nothing is known of it besides its rounding."""
        return cls(threshold_ns, lower, upper, lower, upper, as_printed=as_printed)


@dataclass(frozen=True, slots=True)
class TestOnRecord:
    """The columns of storage.drive_test.DriveTest, with their meaning."""

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
    shares: tuple[Share, ...]
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
    tested_at: str | None = None
    operation: str | None = None
    clock: str | None = None
    total_count: int | None = None
    design_factor: float = 1.0
    full_hours: int | None = None
    doubt: int = int(Doubt.NONE)
    doubt_text: str | None = None
    device_failed: bool = False
    missing_disclosure: int = 0
    marks: tuple[str, ...] = ()
    mark_notes: tuple[str, ...] = field(default=())

    def values(self) -> dict[str, Any]:
        """As a row, with its fingerprint."""
        row = {one.name: _plain(getattr(self, one.name)) for one in fields(self) if one.name != "shares"}
        order = sorted(self.shares, key=lambda one: one.threshold_ns)
        ends = ends_of(order)
        row["thresholds"] = np.array([one.threshold_ns for one in order], "<i8").tobytes()
        row["ends"] = ends.astype("<f8").tobytes()
        row["as_printed"] = {str(one.threshold_ns): one.as_printed for one in order if one.as_printed}
        row["fingerprint"] = _fingerprint(row)
        return row


def ends_of(shares: Sequence[Share]) -> Floats:
    """Six rows, one column a share."""
    return np.array(
        [
            [one.lower for one in shares],
            [one.upper for one in shares],
            [one.confident_lower for one in shares],
            [one.confident_upper for one in shares],
            [one.worst_lower for one in shares],
            [one.worst_upper for one in shares],
        ],
        np.float64,
    ).reshape(6, len(shares))


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _fingerprint(row: Mapping[str, Any]) -> bytes:
    def text(value: Any) -> str:
        return value.hex() if isinstance(value, bytes) else str(value)

    return hashlib.sha256(json.dumps(row, sort_keys=True, default=text).encode()).digest()
