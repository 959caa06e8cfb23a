"""What a report says, before it is set as a page: figures as they were calculated elsewhere, none of its own.

Verdicts are the documents that API, packs and `tailroom judge` take from an assessment; curves and figures
are those of the run's page and of comparisons. The same subjects give the same content but its date.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from tailroom.analysis.schemas import CurveOut, TimelineSeriesOut
from tailroom.domain.method import METHOD_VERSION
from tailroom.kit.free_documents import rows_of


class Fact(NamedTuple):
    """A thing with what is known of it, both as people read them."""

    label: str
    text: str


SIMULATED_FACT = Fact("Simulated", "simulated by an engine without a drive or server")
"""Stands before how a run was measured, where nothing was."""


class Figure(NamedTuple):
    """One quantity: what the record holds for certain, and limits with chance where they are known.

    In the unit that the name ends in; `domain.comparison.figures` says what each end is.
    """

    quantity: str
    lower: float
    upper: float | None
    lower_limit: float | None
    upper_limit: float | None
    why_no_limits: str


@dataclass(frozen=True, slots=True)
class Figures:
    """Figures of one operation on one clock."""

    operation: str
    clock: str
    figures: tuple[Figure, ...]


class SourceFile(NamedTuple):
    """A file that a run was read from."""

    name: str
    sha256: str
    size_bytes: int


class Finding(NamedTuple):
    """What a plausibility check found."""

    severity: str
    check: str
    title: str
    statement: str


@dataclass(frozen=True, slots=True)
class Subject:
    """One run with everything that is shown of it."""

    title: str
    facts: tuple[Fact, ...]
    verdicts: tuple[Mapping[str, Any], ...]
    """As `BudgetAssessment.document` says them, the answer of the run first."""
    curves: tuple[CurveOut, ...]
    figures: tuple[Figures, ...] = ()
    courses: tuple[TimelineSeriesOut, ...] = ()
    configuration: tuple[Fact, ...] = ()
    disclosed: tuple[Fact, ...] = ()
    """Added by a person; the measurement does not state it."""
    not_disclosed: tuple[str, ...] = ()
    findings: tuple[Finding, ...] | None = None
    """None: nobody has audited it."""
    problems: tuple[str, ...] = ()
    files: tuple[SourceFile, ...] = ()
    run_id: str | None = None
    """None: the run was read from a file and is not stored."""
    is_final: bool = True
    """False: the run goes on, or its verdicts may change with what is missing."""

    @property
    def lead(self) -> Mapping[str, Any] | None:
        """The verdict that answers; none where nothing was judged."""
        return self.verdicts[0] if self.verdicts else None


@dataclass(frozen=True, slots=True)
class Report:
    """One or more runs, and when this was written."""

    title: str
    made_at: datetime
    subjects: tuple[Subject, ...]
    method_version: int = METHOD_VERSION
    address: str | None = None
    """Where the installation shows the subject, as a path."""


def flattened(document: Any) -> list[Fact]:
    """A free document as rows: `cpu.model`, `block_devices.1.firmware`; empty parts say nothing."""
    return [Fact(*row) for row in rows_of(document)]
