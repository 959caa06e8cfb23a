"""Report of a stored run: the content of its page, read in short transactions and calculated outside them."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.analysis.drive_counters import DriveCountersOut
from tailroom.analysis.figures import FiguresOut
from tailroom.analysis.pictures import DRIVE_COUNTERS, FIGURES, PERCENTILES, TIMELINE, picture_of
from tailroom.analysis.schemas import PercentilesOut, TimelineOut
from tailroom.catalogue.finding_schema import RunFindingsOut
from tailroom.domain.errors import DomainError
from tailroom.domain.rating.load_search import probe_of
from tailroom.domain.units import duration_text
from tailroom.domain.verdicts.objective_text import objective_of
from tailroom.domain.verdicts.other_tools import load_text
from tailroom.evidence.load_search import HIGHEST_LOAD
from tailroom.evidence.stored_load_search import search_of_run
from tailroom.judging.findings import findings_out
from tailroom.kit.transactions import Transactions
from tailroom.reports.content import (
    SIMULATED_FACT,
    Figures,
    Report,
    ReportFact,
    ReportFigure,
    ReportFinding,
    ReportSubject,
    SourceFile,
    flatten,
    problem_text,
)
from tailroom.runs.schemas import RunDetail
from tailroom.runs.service import describe_run, get_run
from tailroom.storage.run import FINISHED, Run


@dataclass(frozen=True, slots=True)
class ReportReader:
    """How a run is read for a report: transactions, and the organisations that read it and see it."""

    transactions: Transactions
    organisation_id: UUID
    """The organisation that may see the run: its owner, or any if it is public."""
    shown_to: UUID
    """The organisation of the report's readers. If not the owner: verdicts by built-in budgets, no files."""


def report_of_run(reader: ReportReader, run_id: UUID, made_at: datetime) -> Report:
    """Return the report of a run, with the date `made_at`.

    Raise RunUnknown, RunRetracted or RunDeleted if the reader's organisation may not read the run.
    """
    reader_id, transactions = reader.organisation_id, reader.transactions
    with transactions() as session:
        run = get_run(session, reader_id, run_id)
        detail = describe_run(session, run, reader.shown_to)
        findings = findings_out(session, run)
        search = _load_search_facts(session, run, reader_id)
    curves = PercentilesOut.model_validate_json(picture_of(transactions, reader_id, run_id, PERCENTILES))
    figures = FiguresOut.model_validate_json(picture_of(transactions, reader_id, run_id, FIGURES))
    courses = TimelineOut.model_validate_json(picture_of(transactions, reader_id, run_id, TIMELINE))
    drives = DriveCountersOut.model_validate_json(picture_of(transactions, reader_id, run_id, DRIVE_COUNTERS))
    subject = ReportSubject(
        title=detail.title or str(run_id),
        facts=(*_facts(detail), *search),
        verdicts=tuple(verdict.model_dump(mode="json") for verdict in detail.verdicts),
        curves=tuple(curves.curves),
        figures=_figures(figures),
        courses=tuple(series for series in courses.series if series.percentiles),
        configuration=tuple(flatten({"agent": detail.agent, "host": detail.host, "plan": detail.plan})),
        disclosed=tuple(ReportFact(fact.label, str(fact.value)) for fact in detail.disclosure.disclosed),
        not_disclosed=tuple(fact.label for fact in detail.disclosure.missing),
        findings=_findings(findings),
        drives=_drives(drives),
        problems=tuple(map(problem_text, detail.problems)),
        files=tuple(
            SourceFile(file.name, file.sha256, file.size_bytes) for file in detail.files if file.is_current
        ),
        run_id=str(run_id),
        is_final=detail.state == FINISHED and not any(verdict.provisional for verdict in detail.verdicts),
    )
    return Report(subject.title, made_at, (subject,), address=f"/runs/{run_id}")


def _load_search_facts(session: Session, run: Run, organisation_id: UUID) -> tuple[ReportFact, ...]:
    """Return a fact with the bracket of the load search that the run is a probe of.

    Empty if the run is no probe, or the objective of the search is malformed.
    """
    own = probe_of(run.plan)
    if own is None:
        return ()
    try:
        budget = objective_of(own.objective)
    except DomainError:
        return ()
    only_public = run.organisation_id != organisation_id
    search = search_of_run(session, run, own, budget, only_public=only_public)
    return (ReportFact(HIGHEST_LOAD, search.text),)


def _facts(run: RunDetail) -> tuple[ReportFact, ...]:
    """Return the facts of a run at the top of its report."""
    ended = run.state if run.outcome is None else run.outcome
    lasted = run.measured_duration_ns or run.data_through_ns
    tool = " ".join(part for part in (run.tool, run.tool_version) if part)
    facts = [
        ReportFact("Run", str(run.run_id)),
        ReportFact("Workload", run.workload),
        *([SIMULATED_FACT] if run.simulated else []),
        ReportFact("Measured by", f"{tool} (file)" if run.source == "upload" else "Tailroom's agent"),
        ReportFact("What was measured", run.target_name or "not stated"),
        ReportFact("Host", run.host_name or "not stated"),
        ReportFact(
            "Began", f"{run.started_at:%Y-%m-%d %H:%M:%S} UTC" if run.started_at_known else "not stated"
        ),
        ReportFact("Lasted", duration_text(lasted)),
        ReportFact("Ended", f"{ended}: {run.outcome_reason}" if run.outcome_reason else ended),
        ReportFact("Load", load_text(run.tool, closed_loop=run.closed_loop)),
    ]
    if run.missing:
        facts.append(ReportFact("Missing", f"{len(run.missing)} ranges of intervals have not arrived"))
    return tuple(facts)


def _figures(figures: FiguresOut) -> tuple[Figures, ...]:
    """Return the figures of each operation for a report."""
    return tuple(
        Figures(
            operation.operation,
            operation.clock,
            tuple(
                ReportFigure(**figure.model_dump(include=set(ReportFigure._fields)))
                for figure in operation.figures
            ),
        )
        for operation in figures.operations
    )


def _drives(counters: DriveCountersOut) -> tuple[tuple[str, tuple[ReportFact, ...]], ...]:
    """Return name and counter figures of each drive; without figures a single fact with the reason."""
    return tuple(
        (
            drive.disk,
            tuple(ReportFact(figure.label, figure.text) for figure in drive.figures)
            or (ReportFact("Counters", drive.reason or "not read"),),
        )
        for drive in counters.drives
    )


def _findings(findings: RunFindingsOut) -> tuple[ReportFinding, ...] | None:
    """Return the findings of the plausibility checks; None if the run was not audited."""
    if findings.audit_version is None:
        return None
    return tuple(
        ReportFinding(finding.severity, finding.check, finding.check_title, finding.statement)
        for finding in findings.findings
    )
