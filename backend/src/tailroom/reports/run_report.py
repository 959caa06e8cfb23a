"""Report of a stored run: the content of its page, read in short transactions and calculated outside them."""

from datetime import datetime
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.analysis.drive_counters import DriveCountersOut
from tailroom.analysis.figures import FiguresOut
from tailroom.analysis.pictures import DRIVE_COUNTERS, FIGURES, PERCENTILES, TIMELINE, picture_of
from tailroom.analysis.schemas import PercentilesOut, TimelineOut
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
    Report,
    ReportFact,
    ReportSubject,
    SourceFile,
    flatten,
    problem_text,
)
from tailroom.runs.schemas import RunDetail
from tailroom.runs.service import describe_run, get_run
from tailroom.storage.run import FINISHED, Run


def report_of_run(
    transactions: Transactions,
    reader_id: UUID,
    run_id: UUID,
    made_at: datetime,
    shown_to: UUID | None = None,
) -> Report:
    """Return the report of a run that the organisation `reader_id` may read, with the date `made_at`.

    `shown_to` is the organisation of the report's readers, None for the reader's own: others than the owner
    get verdicts by built-in budgets and no files. Raise RunUnknown, RunRetracted or RunDeleted if
    `reader_id` may not read the run.
    """
    with transactions() as session:
        run = get_run(session, reader_id, run_id)
        detail = describe_run(session, run, shown_to or reader_id)
        findings = findings_out(session, run)
        search = _load_search_facts(session, run, reader_id)
    curves = PercentilesOut.model_validate_json(picture_of(transactions, reader_id, run_id, PERCENTILES))
    figures = FiguresOut.model_validate_json(picture_of(transactions, reader_id, run_id, FIGURES))
    courses = TimelineOut.model_validate_json(picture_of(transactions, reader_id, run_id, TIMELINE))
    drives = DriveCountersOut.model_validate_json(picture_of(transactions, reader_id, run_id, DRIVE_COUNTERS))
    subject = ReportSubject(
        title=detail.title or str(run_id),
        facts=[*_facts(detail), *search],
        verdicts=[verdict.model_dump(mode="json") for verdict in detail.verdicts],
        curves=curves.curves,
        figures=figures.operations,
        courses=[series for series in courses.series if series.percentiles],
        configuration=flatten({"agent": detail.agent, "host": detail.host, "plan": detail.plan}),
        disclosed=[ReportFact(fact.label, str(fact.value)) for fact in detail.disclosure.disclosed],
        not_disclosed=[fact.label for fact in detail.disclosure.missing],
        findings=None if findings.audit_version is None else findings.findings,
        drives=drives.drives,
        problems=[problem_text(problem) for problem in detail.problems],
        files=[
            SourceFile(file.name, file.sha256, file.size_bytes) for file in detail.files if file.is_current
        ],
        run_id=str(run_id),
        is_final=detail.state == FINISHED and not any(verdict.provisional for verdict in detail.verdicts),
    )
    return Report(subject.title, made_at, [subject], address=f"/runs/{run_id}")


def _load_search_facts(session: Session, run: Run, organisation_id: UUID) -> list[ReportFact]:
    """Return a fact with the bracket of the load search that the run is a probe of; empty for other runs."""
    own = probe_of(run.plan)
    if own is None:
        return []
    try:
        budget = objective_of(own.objective)
    except DomainError:
        return []
    only_public = run.organisation_id != organisation_id
    search = search_of_run(session, run, own, budget, only_public=only_public)
    return [ReportFact(HIGHEST_LOAD, search.text)]


def _facts(run: RunDetail) -> list[ReportFact]:
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
    return facts
