"""Reports of result files, made without a server: verdicts as in a pack, figures as in a comparison."""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime

from tailroom.analysis.schemas import CurveOut
from tailroom.analysis.shares import quantile_points
from tailroom.catalogue.disclosure import label_of
from tailroom.domain.errors import DomainError
from tailroom.domain.simulated import is_simulated
from tailroom.domain.units import duration_text
from tailroom.domain.verdicts.other_tools import load_text
from tailroom.evidence.load_search import HIGHEST_LOAD, searches_of_files
from tailroom.importers.parsed_run import ParsedRun, ParsedSeries
from tailroom.reports.content import (
    SIMULATED_FACT,
    Report,
    ReportFact,
    ReportSubject,
    SourceFile,
    flatten,
    problem_text,
)
from tailroom.reports.file_verdicts import RunVerdict, lead_first

_ENDED = {
    "finished": "it reached its end",
    "device_too_slow": "what was measured could not keep up",
    "generator_too_slow": "the generator could not keep up",
    "failed": "it failed",
    "killed": "it was killed",
    "growing": "it was still running",
    "unknown": "not stated",
}
"""Text for each state in which a file ends."""


class NothingToReport(DomainError):
    """The files contain no run."""


def report_of_files(
    files: Mapping[str, bytes], runs: Sequence[ParsedRun], verdicts: Sequence[RunVerdict], made_at: datetime
) -> Report:
    """Return the report of files (contents by name) and their runs; `verdicts` have the position of their
    run.

    Raise NothingToReport without runs.
    """
    if not runs:
        raise NothingToReport("no run is in these files: there is nothing to report")
    sources = [SourceFile(name, hashlib.sha256(data).hexdigest(), len(data)) for name, data in files.items()]
    searches = _search_of_each(runs)
    subjects = [
        ReportSubject(
            title=_tool(run) if len(runs) == 1 else f"Run {number + 1}: {_tool(run)}",
            facts=[*_facts(run), *searches[number]],
            verdicts=[
                verdict.assessment.document()
                for verdict in lead_first(run, [row for row in verdicts if row.run == number])
            ],
            curves=[_curve(series) for series in run.series if series.record.total != 0],
            configuration=flatten(dict(run.parameters)),
            not_disclosed=[label_of(name) for name in run.missing],
            problems=[problem_text(problem) for problem in run.problems],
            files=sources,
        )
        for number, run in enumerate(runs)
    ]
    return Report(", ".join(files), made_at, subjects)


def _search_of_each(runs: Sequence[ParsedRun]) -> list[list[ReportFact]]:
    """Return for each run, in order, a fact with the bracket of its load search; empty for other runs."""
    try:
        searches = searches_of_files(runs)
    except DomainError:
        return [[] for _ in runs]
    text_of = {id(judged.record): search.text for search in searches for judged in search.probes}
    return [[ReportFact(HIGHEST_LOAD, text_of[id(run)])] if id(run) in text_of else [] for run in runs]


def _tool(run: ParsedRun) -> str:
    return " ".join(part for part in (run.tool, run.tool_version) if part)


def _facts(run: ParsedRun) -> list[ReportFact]:
    ended = _ENDED.get(run.state.value, run.state.value)
    return [
        *([SIMULATED_FACT] if is_simulated({"parameters": run.parameters}) else []),
        ReportFact("Measured by", _tool(run)),
        ReportFact("Format", run.format),
        ReportFact("Began", f"{run.started_at:%Y-%m-%d %H:%M:%S %Z}" if run.started_at else "not stated"),
        ReportFact("Lasted", "not stated" if run.duration_ns is None else duration_text(run.duration_ns)),
        ReportFact("Ended", f"{ended} ({run.state_text})" if run.state_text else ended),
        ReportFact("Load", load_text(run.tool, closed_loop=run.closed_loop)),
        *([ReportFact("Stated by a person", stated_text(run))] if run.answered else []),
    ]


def stated_text(run: ParsedRun) -> str:
    """Return the facts that a person stated about the files of a run: `unit of the latencies: µs`."""
    return ", ".join(f"{label_of(name)}: {value}" for name, value in run.answered.items())


def _curve(series: ParsedSeries) -> CurveOut:
    record = series.record
    named = [series.operation, *(part for part in (series.device, series.phase) if part)]
    return CurveOut.model_validate(
        {
            "operation": " · ".join(named),
            "clock": series.clock,
            "count": None if record.total is None else record.total - record.misses.total,
            "miss_count": record.misses.total,
            "max_ns": getattr(record, "max_ns", None),
            "points": quantile_points(record),
            "printed": [],
        }
    )
