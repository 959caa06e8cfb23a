"""The runs of the reports of memtier_benchmark that are measurements of their own."""

import re
from dataclasses import dataclass, field, replace
from datetime import datetime

from tailroom.importers.disclosure import not_stated
from tailroom.importers.memtier.rows import CommandRow, claims_of, series_of
from tailroom.importers.parsed_run import Claim, EndState, ParsedRun, ParsedSeries, Problem, Severity, Value
from tailroom.importers.problems import ProblemList
from tailroom.importers.text_runs import Ending

_USUAL = frozenset({"Sets", "Gets", "Waits", "Totals"})
_AVERAGE = re.compile(r"AGGREGATED AVERAGE RESULTS \(\d+ runs\)")
_SINGLE = re.compile(r"RUN #\d+ RESULTS")
_PARAMETERS_OF_FACTS = {
    "address": "server",
    "connections": "connections_per_thread",
    "keys": "key_maximum",
    "value_bytes": "data_size",
}


class _DistinctProblems(ProblemList):
    """Problems of a report, each once."""

    def add(self, reason: str, line: int | None = None, severity: Severity = Severity.WARNING) -> None:
        """Add a problem, unless it is there already."""
        if Problem(reason, line, severity) not in self:
            super().add(reason, line, severity)


@dataclass(slots=True)
class RunReport:
    """A set of results in the file, such as `ALL STATS` or `RUN #1 RESULTS`."""

    title: str
    parameters: dict[str, Value]
    rows: list[CommandRow] = field(default_factory=list)
    ending: Ending = (EndState.UNKNOWN, "")
    started_at: datetime | None = None
    duration_ns: int | None = None
    connection_errors: int = 0
    """The largest number of connection errors of any command."""
    problems: ProblemList = field(default_factory=_DistinctProblems)


def measured_runs(reports: list[RunReport], form: str) -> list[ParsedRun]:
    """Return each run of one or more reports; without single runs, the best and the worst (once if equal).

    Averages over runs are left out with a note. If there is nothing else, each is a run with rates only.
    """
    single = [report for report in reports if report.title == "ALL STATS" or _SINGLE.fullmatch(report.title)]
    averages = [report for report in reports if _AVERAGE.fullmatch(report.title)]
    others = [report for report in reports if report not in single and report not in averages]
    chosen = single or others or averages
    if not single and len(others) == 2 and _have_equal_numbers(others[0], others[1]):
        others[0].problems.note("the best and the worst run are the same one, as some versions print them")
        chosen = others[:1]
    if chosen is averages:
        for report in averages:
            report.rows = [CommandRow(row.name, row.line_no, rate=row.rate) for row in report.rows]
    for report in averages:
        chosen[0].problems.note(
            f"`{report.title}` is an average over runs and no measurement; it was left out"
        )
    if single and others:
        chosen[0].problems.note("the best and the worst run stand there again; they were left out")
    return [_run(report, form, several=len(chosen) > 1) for report in chosen]


def _have_equal_numbers(first: RunReport, second: RunReport) -> bool:
    shown, other = (
        [(row.name, row.count, row.rate, row.mean_ms, row.histogram) for row in report.rows]
        for report in (first, second)
    )
    return shown == other


def _cut_periods(series: ParsedSeries, duration_ns: int | None) -> ParsedSeries:
    if duration_ns is None or not series.periods:
        return series
    periods = [
        replace(period, duration_ns=min(period.duration_ns, duration_ns - period.start_ns))
        if duration_ns >= period.start_ns
        else period
        for period in series.periods
    ]
    return replace(series, periods=tuple(periods))


def _run(report: RunReport, form: str, *, several: bool) -> ParsedRun:
    """Return the run of a report; with `several` its title becomes a parameter. Problems go to the report."""
    by_command = any(row.name.partition(" #")[0] not in _USUAL for row in report.rows if row.rate is not None)
    series: list[ParsedSeries] = []
    claims: list[Claim] = []
    for row in report.rows:
        is_total = row.name == "Totals"
        wrong = row.drop_zero_percentiles()
        if wrong is not None:
            report.problems.add(wrong, row.line_no)
        if row.misses_per_s is not None and row.misses_per_s.value > 0 and not is_total:
            report.problems.note(
                f"{row.name}: {row.misses_per_s.text} a second found nothing; their latencies are among the "
                "others",
                row.line_no,
            )
        claims += claims_of(row, with_bandwidth=not (is_total and by_command))
        if is_total:
            continue
        parsed = series_of(row, report.problems)
        series += [_cut_periods(parsed, report.duration_ns)] if parsed is not None else []
    if by_command:
        report.problems.note(
            "with --command the bandwidth of `Totals` is twice that of its commands; it was left out"
        )
    if report.connection_errors:
        report.problems.add(
            f"{report.connection_errors} connection errors; what they cost is not in the latencies"
        )
        claims.append(Claim.of_count("total", "error_count", report.connection_errors))
    if not series:
        report.problems.add("no latencies of any command")
    if several:
        report.parameters["run"] = report.title
    return ParsedRun(
        format=form,
        tool="memtier_benchmark",
        tool_version=None,
        series=tuple(series),
        state=report.ending[0],
        state_text=report.ending[1],
        claims=tuple(claims),
        problems=tuple(report.problems),
        missing=not_stated(
            "tool_version",
            *(() if report.started_at else ("started_at",)),
            *(fact for fact, name in _PARAMETERS_OF_FACTS.items() if name not in report.parameters),
        ),
        parameters=report.parameters,
        started_at=report.started_at,
        duration_ns=report.duration_ns,
        closed_loop=True,
    )
