"""Content of a report, without its layout; all figures are calculated elsewhere.

Verdicts are the documents of assessments, as in the API, packs and `tailroom judge`; curves and figures are
those of the run's page and of comparisons. The same subjects give the same content, except for its date.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from tailroom.analysis.schemas import CurveOut, TimelineSeriesOut
from tailroom.catalogue.finding_schema import FindingOut
from tailroom.domain.method import METHOD_VERSION
from tailroom.importers.parsed_run import Problem
from tailroom.kit.free_documents import rows_of
from tailroom.runs.schemas import FileProblemOut

if TYPE_CHECKING:
    # `tailroom verify` makes reports of files and must not load the database for it.
    from tailroom.analysis.drive_counters import MeasuredDriveOut
    from tailroom.analysis.figures import MeasuredOut


class ReportFact(NamedTuple):
    """A row of a report: a label and its text."""

    label: str
    text: str


SIMULATED_FACT = ReportFact("Simulated", "simulated by an engine without a drive or server")
"""First fact of a run that was simulated and not measured."""


class SourceFile(NamedTuple):
    """A file that a run was read from, with its SHA-256 in hexadecimal."""

    name: str
    sha256: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class ReportSubject:
    """A run with the content of its report."""

    title: str
    facts: Sequence[ReportFact]
    verdicts: Sequence[Mapping[str, Any]]
    """Documents of `BudgetAssessment.document`, the lead verdict first."""
    curves: Sequence[CurveOut]
    figures: "Sequence[MeasuredOut]" = ()
    courses: Sequence[TimelineSeriesOut] = ()
    """Latencies over time."""
    configuration: Sequence[ReportFact] = ()
    """Parameters of the file, or agent, host and plan of a stored run, a row for each value."""
    disclosed: Sequence[ReportFact] = ()
    """Facts stated by a person, not by the measurement."""
    not_disclosed: Sequence[str] = ()
    """Labels of the facts that must be disclosed and are not."""
    findings: Sequence[FindingOut] | None = None
    """Findings of the plausibility checks; None: not audited."""
    drives: "Sequence[MeasuredDriveOut]" = ()
    """The measured drives with their counters."""
    problems: Sequence[str] = ()
    """Problems of reading the files."""
    files: Sequence[SourceFile] = ()
    run_id: str | None = None
    """None: the run was read from a file and is not stored."""
    is_final: bool = True
    """False: the run has not ended, or missing data may change its verdicts."""

    @property
    def lead(self) -> Mapping[str, Any] | None:
        """Lead verdict, which is the answer of the run; None if no budget was judged."""
        return self.verdicts[0] if self.verdicts else None


@dataclass(frozen=True, slots=True)
class Report:
    """A report of one or more runs."""

    title: str
    made_at: datetime
    subjects: Sequence[ReportSubject]
    method_version: int = METHOD_VERSION
    address: str | None = None
    """Path of the run's page in the installation; None if there is none."""


def flatten(document: Any) -> list[ReportFact]:
    """Return a nested document as rows named by path, such as `cpu.model` or `block_devices.1.firmware`.

    Positions count from 1. A list of plain values is one row; empty parts have no row.
    """
    return [ReportFact(*row) for row in rows_of(document)]


def problem_text(problem: Problem | FileProblemOut) -> str:
    """Return a problem of a file as text, after the name of the file and the line, if known."""
    line = f", line {problem.line}" if problem.line else ""
    return f"{problem.file or 'file'}{line}: {problem.reason}"
