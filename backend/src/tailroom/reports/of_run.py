"""A stored run as a report: what its page shows, read in short transactions and worked out outside them."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from tailroom.analysis.figures import FiguresOut
from tailroom.analysis.pictures import FIGURES, PERCENTILES, TIMELINE, picture_of
from tailroom.analysis.schemas import PercentilesOut, TimelineOut
from tailroom.catalogue.finding_schema import RunFindingsOut
from tailroom.domain.units import duration_text
from tailroom.domain.verdicts.other_tools import load_text
from tailroom.judging.findings import findings_out
from tailroom.kit.transactions import Transactions
from tailroom.reports.content import (
    SIMULATED_FACT,
    Fact,
    Figure,
    Figures,
    Finding,
    Report,
    SourceFile,
    Subject,
    flattened,
)
from tailroom.runs.schemas import RunDetail
from tailroom.runs.service import describe_run, get_run
from tailroom.storage.run import FINISHED


@dataclass(frozen=True, slots=True)
class Reader:
    """Whose transactions read the run, and as whom it is shown."""

    transactions: Transactions
    organisation_id: UUID
    """Sees the run: its owner, or anybody where it is public."""
    shown_to: UUID
    """Another one than the owner sees verdicts on built-in budgets alone, and no stored files."""


def report_of_run(reader: Reader, run_id: UUID, made_at: datetime) -> Report:
    """Raises RunUnknown, RunRetracted, RunDeleted."""
    asking, transactions = reader.organisation_id, reader.transactions
    with transactions() as session:
        run = get_run(session, asking, run_id)
        detail = describe_run(session, run, reader.shown_to)
        findings = findings_out(session, run)
    curves = PercentilesOut.model_validate_json(picture_of(transactions, asking, run_id, PERCENTILES))
    figures = FiguresOut.model_validate_json(picture_of(transactions, asking, run_id, FIGURES))
    courses = TimelineOut.model_validate_json(picture_of(transactions, asking, run_id, TIMELINE))
    subject = Subject(
        title=detail.title or str(run_id),
        facts=_facts(detail),
        verdicts=tuple(one.model_dump(mode="json") for one in detail.verdicts),
        curves=tuple(curves.curves),
        figures=_figures(figures),
        courses=tuple(one for one in courses.series if one.percentiles),
        configuration=tuple(flattened({"agent": detail.agent, "host": detail.host, "plan": detail.plan})),
        disclosed=tuple(Fact(one.label, str(one.value)) for one in detail.disclosure.disclosed),
        not_disclosed=tuple(one.label for one in detail.disclosure.missing),
        findings=_findings(findings),
        problems=tuple(
            f"{one.file or 'file'}{f', line {one.line}' if one.line else ''}: {one.reason}"
            for one in detail.problems
        ),
        files=tuple(
            SourceFile(one.name, one.sha256, one.size_bytes) for one in detail.files if one.is_current
        ),
        run_id=str(run_id),
        is_final=detail.state == FINISHED and not any(one.provisional for one in detail.verdicts),
    )
    return Report(subject.title, made_at, (subject,), address=f"/runs/{run_id}")


def _facts(run: RunDetail) -> tuple[Fact, ...]:
    ended = run.state if run.outcome is None else run.outcome
    lasted = run.measured_duration_ns or run.data_through_ns
    tool = " ".join(one for one in (run.tool, run.tool_version) if one)
    found = [
        Fact("Run", str(run.run_id)),
        Fact("Workload", run.workload),
        *([SIMULATED_FACT] if run.simulated else []),
        Fact("Measured by", f"{tool} (file)" if run.source == "upload" else "Tailroom's agent"),
        Fact("What was measured", run.target_name or "not stated"),
        Fact("Host", run.host_name or "not stated"),
        Fact("Began", f"{run.started_at:%Y-%m-%d %H:%M:%S} UTC" if run.started_at_known else "not stated"),
        Fact("Lasted", duration_text(lasted)),
        Fact("Ended", f"{ended}: {run.outcome_reason}" if run.outcome_reason else ended),
        Fact("Load", load_text(run.tool, closed_loop=run.closed_loop)),
    ]
    if run.missing:
        found.append(Fact("Missing", f"{len(run.missing)} ranges of intervals have not arrived"))
    return tuple(found)


def _figures(found: FiguresOut) -> tuple[Figures, ...]:
    return tuple(
        Figures(
            one.operation,
            one.clock,
            tuple(Figure(**figure.model_dump()) for figure in one.figures),
        )
        for one in found.operations
    )


def _findings(found: RunFindingsOut) -> tuple[Finding, ...] | None:
    if found.audit_version is None:
        return None
    return tuple(Finding(one.severity, one.check, one.check_title, one.statement) for one in found.findings)
