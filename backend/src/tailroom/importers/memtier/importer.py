"""The importer of memtier_benchmark's JSON (`json_report`) and text. Its HDR logs are read by `hdr_log`.

The columns of the text depend on version, cluster mode and `--print-percentiles`, so they are read from the
head of the table, and rows by their names. Progress is written over itself with carriage returns.
"""

import re
from collections import Counter
from fractions import Fraction

from tailroom.importers.importer import ContentUnreadable, Detection
from tailroom.importers.memtier.json_report import read_reports
from tailroom.importers.memtier.rows import CommandRow, PercentRow, Quantile
from tailroom.importers.memtier.runs import RunReport, measured_runs
from tailroom.importers.parsed_run import EndState, ParsedRun, Value
from tailroom.importers.printed import MAX_TEXT_BYTES, amount, printed, whole
from tailroom.importers.source import Head, Source
from tailroom.importers.text_runs import ToolImporter, finished

HEADER = re.compile(r"Type\s+Ops/sec\s.*")
DISTRIBUTION = re.compile(r"Type\s+<= msec\s+Percent\s*")
TITLE = re.compile(
    r"ALL STATS|RUN #\d+ RESULTS|(?:BEST|WORST) RUN RESULTS|AGGREGATED AVERAGE RESULTS \(\d+ runs\)"
)
PROGRESS = re.compile(
    r"\[RUN #(\d{1,9}) (\d{1,9})%, +\d+ secs\].*?: +(\d{1,18}) ops, +\d+ \(avg: +(\d{1,18})\) ops/sec,.*"
)
_COLUMN = re.compile(r"p[\d.]+ Latency|Avg\. Latency|\S+")
_QUANTILE = re.compile(r"p(\d{1,3}(?:\.\d{1,6})?) Latency")
_INFORMATION = re.compile(
    r"(\d+) +(Threads|Connections per thread|Seconds|Requests per (?:client|thread))\s*"
)
_TABLE_ROW = re.compile(r"(\S+)\s+(-?nan|[\d.]+)\s+([\d.]+)\s*")
_NOISE = re.compile(
    r"[=-]{3,}|Request Latency Distribution|setting requests to \d+|Writing .*|Saving .*|Json file .*|"
    r"\[RUN.*|"
    r"Performing data verification.*|Data verification.*|ALL STATS|---"
)
_WHOLE = 100
_INTERRUPTED = re.compile(r"\[RUN #\d+\] Interrupted by user.*")
_JSON_MARKS = ('"run information"', '"ALL STATS"', '"AGGREGATED AVERAGE RESULTS', '"Connections per thread"')


class TextReader:
    """Parser of the lines of a text report; call `line` for each, then `finish`."""

    def __init__(self) -> None:
        self.reports: list[RunReport] = []
        self.parameters: dict[str, Value] = {}
        self._columns: list[str] = []
        self._in_distribution = False
        self._title = "ALL STATS"
        self._interrupted = False
        self._has_results = False
        """Whether results follow the last settings or progress, so that later ones belong to another run."""
        self._last_progress: dict[str, tuple[int, int, str]] = {}
        """Last progress by number of the run: per cent, operations, and mean rate."""
        self._above: list[tuple[dict[str, tuple[int, int, str]], bool]] = []
        """Progress above each report, and whether the user interrupted its run."""
        self._row_counts: Counter[str] = Counter()
        """Number of rows of each command (`Sets`, `GET`) in the last report."""
        self._by_name: dict[str, CommandRow] = {}
        """Rows of the last report by their names in its distribution."""
        self._last_row: CommandRow | None = None
        """The command of the last line of a distribution."""

    def line(self, line_no: int, raw: str) -> None:
        """Add one line; of a line that was written over with carriage returns only the last text counts."""
        text = raw.rstrip("\r").rsplit("\r", 1)[-1].rstrip()
        if (progress := PROGRESS.fullmatch(text)) is not None:
            self._begin_run()
            self._last_progress[progress[1]] = int(progress[2]), int(progress[3]), progress[4]
        elif _INTERRUPTED.fullmatch(text):
            self._begin_run()
            self._interrupted = True
        elif TITLE.fullmatch(text):
            self._title = text
        elif (information := _INFORMATION.fullmatch(text)) is not None:
            self._begin_run()
            self.parameters["_".join(information[2].lower().split())] = whole(information[1])
        elif HEADER.fullmatch(text):
            self._columns = _COLUMN.findall(text)
            self._in_distribution = False
            self._row_counts, self._by_name = Counter(), {}
            self._has_results = True
            self.reports.append(RunReport(self._title, dict(self.parameters)))
            self._above.append((dict(self._last_progress), self._interrupted))
        elif DISTRIBUTION.fullmatch(text):
            self._in_distribution = True
        elif not text or _NOISE.fullmatch(text):
            if not text:
                self._columns = []
            elif text == "---" and self._last_row is not None:
                self._last_row.has_whole_table = True
        elif self._in_distribution and self.reports and (row := _TABLE_ROW.fullmatch(text)) is not None:
            self._read_distribution_row(line_no, row)
        elif self._columns and self.reports:
            self._read_row(line_no, text.split())
        elif self.reports:
            self.reports[-1].problems.add(f"not a line of the report: {text[:80]!r}", line_no)

    def finish(self) -> list[RunReport]:
        """Return the reports with end states; without results, reports of the last progress of each run."""
        if not self.reports:
            return [self._from_progress(number, *done) for number, done in self._last_progress.items()]
        for report, (done, was_interrupted) in zip(self.reports, self._above, strict=True):
            if not report.parameters:
                report.parameters.update(self.parameters)
            report.ending = finished("the results were printed at the end")
            if was_interrupted:
                report.ending = EndState.KILLED, "interrupted by its user"
            _add_progress(report, done)
        return self.reports

    def _begin_run(self) -> None:
        """If the last run has results, forget its settings, progress and interruption."""
        if self._has_results:
            self._has_results = False
            self.parameters, self._last_progress, self._interrupted = {}, {}, False

    def _from_progress(self, number: str, percent: int, count: int, rate: str) -> RunReport:
        """Return the report of progress without results: its operations and mean rate, as `Totals`."""
        report = RunReport("ALL STATS" if number == "1" else f"RUN #{number} RESULTS", dict(self.parameters))
        report.rows.append(CommandRow("Totals", count=count, rate=printed(rate)))
        if percent >= _WHOLE and not self._interrupted:
            report.ending = finished("the progress reached 100 %")
        else:
            report.ending = EndState.KILLED, f"the progress ends at {percent} %"
        return report

    def _read_row(self, line_no: int, cells: list[str]) -> None:
        report = self.reports[-1]
        if len(cells) != len(self._columns):
            reason = f"the row has {len(cells)} columns, the head of its table {len(self._columns)}"
            report.problems.error(f"{reason}; it was left out", line_no)
            return
        named = dict(zip(self._columns, cells, strict=True))
        earlier = self._row_counts[cells[0].partition(" #")[0]]
        row = CommandRow(cells[0] if not earlier else f"{cells[0]} #{earlier + 1}", line_no)
        row.rate, row.kilobytes_per_s, row.hits_per_s, row.misses_per_s = (
            amount(named.get(column, "")) for column in ("Ops/sec", "KB/sec", "Hits/sec", "Misses/sec")
        )
        if row.rate is None:
            reason = f"`{named.get('Ops/sec')}` is no rate; the row was left out"
            report.problems.error(reason, line_no)
            return
        row.mean_ms = amount(named.get("Avg. Latency", named.get("Latency", "")))
        if row.rate.value > 0:
            for column, cell in named.items():
                quantile, value = _QUANTILE.fullmatch(column), amount(cell)
                if quantile is not None and value is not None and float(quantile[1]) < 100:
                    row.quantiles.append(Quantile(Fraction(quantile[1]) / 100, value))
        self._add_row(report, row)

    def _add_row(self, report: RunReport, row: CommandRow) -> None:
        report.rows.append(row)
        self._row_counts[row.name.partition(" #")[0]] += 1
        self._by_name.setdefault(row.name.lower(), row)

    def _read_distribution_row(self, line_no: int, match: re.Match[str]) -> None:
        report = self.reports[-1]
        percent = printed(match[3])
        if percent is None:
            report.problems.error("the share is no number; the row was left out", line_no)
            return
        name = match[1]
        row = self._by_name.get(name.lower() + "s") or self._by_name.get(name.lower())
        if row is None:
            row = CommandRow(name, line_no)
            self._add_row(report, row)
        if row.table and row.table[-1].percent.value > percent.value:
            report.problems.error(f"the share of {name} falls; the row was left out", line_no)
            return
        row.table.append(PercentRow(printed(match[2]), percent, line_no))
        self._last_row = row


def _add_progress(report: RunReport, done: dict[str, tuple[int, int, str]]) -> None:
    """Set the count of `Totals`, if it is unknown, by the last progress of the run, if there is any."""
    progress = done.get(report.title.removeprefix("RUN #").removesuffix(" RESULTS"))
    if progress is None and report.title == "ALL STATS" and len(done) == 1:
        progress = next(iter(done.values()))
    total = next((row for row in report.rows if row.name == "Totals"), None)
    if progress is not None and total is not None and total.count is None:
        total.count = progress[1] or None


def _detect(head: Head) -> Detection | None:
    if head.text.lstrip().startswith("{"):
        marks = [mark for mark in _JSON_MARKS if mark in head.text]
        if not marks and not ('"configuration"' in head.text and '"key_pattern"' in head.text):
            return None
        return Detection(
            "memtier-json",
            "memtier_benchmark",
            None,
            f"JSON with {marks[0] if marks else 'its configuration'}",
        )
    for line in head.lines:
        if HEADER.fullmatch(line.rstrip()) or DISTRIBUTION.fullmatch(line):
            return Detection("memtier-text", "memtier_benchmark", None, "the table `Type Ops/sec …`")
        if TITLE.fullmatch(line) and line != "ALL STATS":
            return Detection("memtier-text", "memtier_benchmark", None, f"the title `{line}`")
    if "[RUN #1]" in head.text and "Launching threads now" in head.text:
        return Detection("memtier-text", "memtier_benchmark", None, "the progress `[RUN #1 …]`")
    return None


def _runs(source: Source) -> list[ParsedRun]:
    if source.head.text.lstrip().startswith("{"):
        return measured_runs(read_reports(source.whole(), source.name), "memtier-json")
    reader = TextReader()
    for line_no, raw in source.lines():
        reader.line(line_no, raw[-MAX_TEXT_BYTES:].decode("utf-8", "replace"))
    reports = reader.finish()
    if not reports:
        raise ContentUnreadable(
            f"{source.name} is output of memtier_benchmark, but has no table of results: the run was "
            "stopped, or this is its standard error"
        )
    return measured_runs(reports, "memtier-text")


MEMTIER = ToolImporter("memtier", "memtier_benchmark", _detect, _runs)
