"""Readers of the files of nosqlbench: CSV, statistics, log and console."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tailroom.domain.units import NS_PER_MS, NS_PER_S
from tailroom.importers.metric_choice import is_count_name
from tailroom.importers.nosqlbench.metrics import UNITS, MetricCells, NosqlbenchMetric, State
from tailroom.importers.printed import moment, printed
from tailroom.importers.problems import Problems
from tailroom.importers.source import Source
from tailroom.importers.text_runs import text_lines

_SHAPE = "count,max,mean,min,stddev,p50,p75,p95,p98,p99,p999"
_RATES = "mean_rate,m1_rate,m5_rate,m15_rate,rate_unit"
CSV_TIMER = f"t,{_SHAPE},{_RATES},duration_unit"
CSV_OTHERS = {f"t,{_SHAPE}": "histogram", f"t,count,{_RATES}": "meter", "t,value": "gauge"}
STATS_LEGEND = "#Tag,Interval_Start,Interval_Length,count,min,p25,p50,p75,p90,p95,p98,p99,p999,p9999,max"
STATS_COMMENT = "#logging stats for session "
_STATS_COLUMNS = {key: place for place, key in enumerate(STATS_LEGEND.split(",")[3:])}
_STATS_UNIT = re.compile(r"#\[TimeUnit: (\w{1,20})\]")
_STATS_START = re.compile(r"#\[StartTime: ([\d.]{1,20}) \(seconds since epoch\).*")
LOG_TIMER = re.compile(r"(.{0,300}?)\btype=TIMER, name=([^,=\s]{1,500}), (count=.{1,2000})")
_LOG_FIELD = re.compile(r"(\w{1,20})=([^,\s]{1,60})")
_LOG_TIME = re.compile(r"\s*(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)[.,](\d{3})\b.*")
BANNER = re.compile(r"\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4},? \d{1,2}:\d\d:\d\d\s?(?:AM|PM)? ={10,}")
SECTION = re.compile(r"-- (Gauges|Counters|Histograms|Meters|Timers|Summaries|Other Metrics) -{10,}")
_CONSOLE_FIELD = re.compile(
    r"\s+(count|min|max|mean|stddev|median|mean rate|1-minute rate|\d{2}(?:\.\d{1,2})?%) (?:=|<=) "
    r"(\S{1,40})(?: (\S{1,40}))?"
)
_LABELLED = re.compile(r"([\w.-]{1,300})\{(.{0,2000})\}")
_LABEL = re.compile(r'(\w{1,40})="([^"]{0,200})"')
_COUNTED = re.compile(r"(\S{1,300})\s+count=(\d{1,18})")
COUNTS_BEGIN = "-- BEGIN NON-ZERO metric counts"
_MAX_METRICS = 2_000
MAX_STATES = 1_000_000


@dataclass(slots=True)
class Session:
    """The metrics of a run by name, the problems of their files, and the start of the run."""

    metrics: dict[str, NosqlbenchMetric] = field(default_factory=dict)
    problems: Problems = field(default_factory=Problems)
    epoch: bool = False
    """Whether `State.at_ns` counts from 1970."""
    start_ns: int | None = None
    """Start of the run on the clock of `State.at_ns`; None if the file does not state it."""
    counts: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Line number and count of each name that is printed without latencies."""

    def add(self, name: str, unit: str, state: State, *, exact: bool = False) -> None:
        """Add a report of a timer; leave it out with a problem for a wrong unit, or if there are too many."""
        metric = self.metrics.get(name)
        if metric is None:
            unit_pair = UNITS.get(unit.lower())
            if unit_pair is None:
                self.problems.add("unit", f"{name}: {unit[:40]!r} is no unit of time", state.line)
                return
            if len(self.metrics) >= _MAX_METRICS:
                self.problems.error("metrics", f"more than {_MAX_METRICS} metrics", state.line)
                return
            metric = self.metrics[name] = NosqlbenchMetric(name, *unit_pair, exact_counts=exact)
        elif UNITS.get(unit.lower()) != (metric.unit_ns, metric.unit):
            self.problems.add(
                "unit", f"{name}: in {unit[:40]} here, and in {metric.unit} before; left out", state.line
            )
            return
        if len(metric.states) >= MAX_STATES:
            self.problems.error("states", f"{name}: more than {MAX_STATES} reports", state.line)
            return
        metric.states.append(state)


def read_csv(source: Source, session: Session) -> None:
    """Add the rows of a timer's file. A unit in lower case marks a metric of another program."""
    session.epoch = True
    name = source.stem
    keys = {key: place for place, key in enumerate(CSV_TIMER.split(","))}
    for line_no, text in text_lines(source):
        if not text or text == CSV_TIMER:
            continue
        cells = text.split(",")
        at_s = printed(cells[0])
        if len(cells) != len(keys) or at_s is None or not 0 <= at_s.value < 1 << 33:
            session.problems.add("row", f"no row of a timer: {text[:80]!r}", line_no)
            continue
        row = MetricCells(keys, text)
        session.add(name, row["duration_unit"], State(line_no, row, int(at_s.value * NS_PER_S)))
        if name in session.metrics and row["duration_unit"].islower():
            session.metrics[name].is_nosqlbench = False


def read_stats(source: Source, session: Session) -> None:
    """Add the rows of a file of `--log-histostats` as reports, or as counts if they hold no times."""
    for line_no, text in text_lines(source):
        if text.startswith("#"):
            unit, start = _STATS_UNIT.fullmatch(text), _STATS_START.fullmatch(text)
            if unit is not None and unit[1] != "NANOSECONDS":
                session.problems.add(
                    "unit", f"the head says {unit[1].lower()}, but nosqlbench writes nanoseconds", line_no
                )
            seconds = printed(start[1]) if start is not None else None
            if seconds is not None and 0 < seconds.value < 1 << 33:
                session.start_ns, session.epoch = int(seconds.value * NS_PER_S), True
            continue
        cells = text.removeprefix("Tag=").split(",")
        # A tag of labels may hold commas itself; the numbers follow it.
        begin, length = (
            (printed(cell) for cell in (cells[-14], cells[-13])) if len(cells) > 14 else (None, None)
        )
        if begin is None or length is None or not 0 <= length.value < 1 << 33 or abs(begin.value) > 1 << 33:
            if text:
                session.problems.add("row", f"no row of statistics: {text[:80]!r}", line_no)
            continue
        at_ns = (session.start_ns or 0) + int((begin.value + length.value) * NS_PER_S)
        fields = MetricCells(_STATS_COLUMNS, ",".join(cells[-12:]))
        state = State(line_no, fields, at_ns, int(length.value * NS_PER_S))
        name = _tag(",".join(cells[:-14]))
        if not is_count_name(name):
            session.add(name, "nanoseconds", state, exact=True)
        elif state.count is not None and (name in session.counts or len(session.counts) < _MAX_METRICS):
            before = session.counts.get(name, (line_no, 0))
            session.counts[name] = (before[0], before[1] + state.count)


def _tag(text: str) -> str:
    """Return the metric of a tag (`{activity="main",name="result"}`), else the text; `all` if it is empty."""
    labels = dict(_LABEL.findall(text))
    values = [labels[key] for key in ("scenario", "activity", "name") if labels.get(key)]
    return "_".join(values) or text.strip() or "all"


def read_log(source: Source, session: Session) -> None:
    """Add the lines `type=TIMER, name=…` of the session's log as reports."""
    for line_no, text in text_lines(source):
        match = LOG_TIMER.fullmatch(text)
        if match is None:
            continue
        fields = {key if key != "median" else "p50": value for key, value in _LOG_FIELD.findall(match[3])}
        session.add(match[2], fields.get("duration_unit", ""), State(line_no, fields, _log_time_ns(match[1])))


def _log_time_ns(text: str) -> int | None:
    """Return the time before a line in ns on the log's clock, from a fixed day; None without it."""
    match = _LOG_TIME.fullmatch(text)
    at = moment(match[1]) if match is not None else None
    if match is None or at is None:
        return None
    seconds = at.toordinal() * 86_400 + at.hour * 3_600 + at.minute * 60 + at.second
    return seconds * NS_PER_S + int(match[2]) * NS_PER_MS


def read_console(source: Source, session: Session) -> None:
    """Add the timers of the console summary as reports, and the counts of all other metrics with a count."""
    for paragraph in _paragraphs(text_lines(source), session):
        state = State(paragraph.line, paragraph.fields)
        is_timer = paragraph.section == "Timers" or (
            "mean_rate" in paragraph.fields and paragraph.section != "Meters"
        )
        if paragraph.unit is not None and is_timer:
            session.add(paragraph.name, paragraph.unit, state)
        elif state.count is not None:
            session.counts[paragraph.name] = (paragraph.line, state.count)


@dataclass(slots=True)
class _Paragraph:
    """A metric of the summary: section, name (empty before the first), line number, and numbers below it."""

    section: str = ""
    name: str = ""
    line: int = 0
    unit: str | None = None
    """The unit of its times as printed; None until a line states it."""
    fields: dict[str, str] = field(default_factory=dict)
    """Printed numbers by their names in the CSV, such as `p999`."""

    def add(self, key: str, text: str, unit: str | None, line_no: int, problems: Problems) -> None:
        """Add the number of a line, unless its unit of time differs from the first, which is reported."""
        if unit is not None and unit.lower() in UNITS:
            if self.unit is not None and unit != self.unit:
                problems.add("unit", f"{self.name}: {key} is in another unit; left out", line_no)
                return
            self.unit = unit
        self.fields[key] = text


def _paragraphs(lines: Iterable[tuple[int, str]], session: Session) -> Iterator[_Paragraph]:
    """Yield each metric of the summary; short lines `name count=n` go to the counts of the session."""
    paragraph, short = _Paragraph(), False
    for line_no, text in lines:
        match = _CONSOLE_FIELD.fullmatch(text) if paragraph.name else None
        if match is not None:
            paragraph.add(_console_key(match[1]), match[2], match[3], line_no, session.problems)
            continue
        begins = SECTION.fullmatch(text)
        ends = begins is not None or not text or BANNER.fullmatch(text) is not None
        if ends or (paragraph.section and not text.startswith(" ")):
            if paragraph.fields:
                yield paragraph
            section = begins[1] if begins is not None else paragraph.section
            paragraph = _Paragraph(section, "" if ends else _metric_name(text), line_no)
        short = short or text.startswith(COUNTS_BEGIN)
        if short and (counted := _COUNTED.fullmatch(text)) is not None:
            session.counts[counted[1]] = (line_no, int(counted[2]))
    if paragraph.fields:
        yield paragraph


def _metric_name(text: str) -> str:
    """Return `main_result` for `result{activity="main"}`; any other text, up to 500 characters, as it is."""
    if text.startswith("{"):
        return _tag(text)
    match = _LABELLED.fullmatch(text)
    if match is None:
        return text[:500]
    labels = dict(_LABEL.findall(match[2]))
    return "_".join([*(labels[key] for key in ("scenario", "activity") if key in labels), match[1]])


def _console_key(text: str) -> str:
    """Return the CSV's name of a number: `p999` for `99.9%`, `p50` for `median`, `mean_rate`."""
    if text == "median":
        return "p50"
    if text.endswith("%"):
        return "p" + text.removesuffix("%").replace(".", "")
    return text.replace(" ", "_")
