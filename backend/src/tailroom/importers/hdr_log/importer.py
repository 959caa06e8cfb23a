"""The importer of HdrHistogram logs: YCSB, memtier_benchmark, asbench, jHiccup and others in this format.

A log does not state its unit. If the header names the tool, the unit is known. Otherwise the column of the
largest value shows which library wrote it, whose convention gives the unit: the libraries for Java and Python
divide nanoseconds by 1,000,000, the library for C prints the value unchanged, in microseconds for each known
tool. As that is only a convention, the user must then confirm the unit.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime

import numpy as np

from tailroom.domain.errors import DomainError
from tailroom.domain.units import NS_PER_S, NS_PER_US
from tailroom.importers.disclosure import not_stated
from tailroom.importers.hdr_log.percentile_table import UNIT_NAMES, looks_like_table, read_table
from tailroom.importers.hdr_log.rows import (
    EPOCH_FROM_S,
    LEGEND,
    ROW,
    HdrLogRow,
    Section,
    TagIntervals,
    offset_ns,
    parse_row,
    second_is_end,
)
from tailroom.importers.importer import Certainty, ContentUnreadable, Detection
from tailroom.importers.metric_choice import is_count_name
from tailroom.importers.parsed_run import EndState, ParsedRun, ParsedSeries, Value, last_end_ns
from tailroom.importers.printed import MAX_COUNT, printed
from tailroom.importers.problems import ProblemList
from tailroom.importers.source import Head, Source
from tailroom.importers.text_runs import ToolImporter

_MOST_STRANGE = 20
"""A file with more unreadable lines and without a row is no log but a text about logs."""
_MAX_SECTIONS = 100
_MAX_TAGS = 1_000
_MAX_FILLED_BUCKETS = 1 << 22
"""Most filled buckets of a run in memory: 8 bytes each during reading, 24 in the result."""
_CLOSED_LOOP_TOOLS = ("ycsb", "memtier_benchmark", "asbench")
_UNIT_NS = {**dict.fromkeys(_CLOSED_LOOP_TOOLS, NS_PER_US), "jhiccup": 1, "nosqlbench": 1}
_NEVER_STATED = ("address", "connections", "keys", "value_bytes")
_NAMED_BY_FILE = ("read", "write", "udf", "get", "set", "wait", "update", "insert", "scan")

SEMANTICS = {
    "ycsb": "one call of the database binding, cut to whole microseconds",
    "memtier_benchmark": "from sending a command to its answer, on a clock of whole microseconds",
    "asbench": "one call, from a clock of whole microseconds before and after it; calls of more than about "
    "1.05 s and failed calls are not in it",
    "jhiccup": "delay of an idle thread",
    "nosqlbench": "one stage of an operation, by the name of its timer, on a clock of nanoseconds",
}


@dataclass(slots=True)
class _LogRun:
    """One run of a log during reading; `series` are by tag, None for rows without a tag."""

    section: Section = field(default_factory=Section)
    series: dict[str | None, TagIntervals] = field(default_factory=dict)
    problems: ProblemList = field(default_factory=ProblemList)
    has_rows: bool = False


def _detect(head: Head) -> Detection | None:
    section = Section()
    rows = legend = False
    for line in head.lines[:200]:
        section.header(line)
        rows = rows or ROW.fullmatch(line) is not None
        legend = legend or LEGEND.fullmatch(line) is not None
    if rows or legend or section.log_version is not None:
        reason = "rows `start,…,max,HIST…`" if rows else "the header of an HdrHistogram log"
        tool = section.tool or "hdrhistogram"
        return Detection("hdr-log", tool, section.tool_version, reason, Certainty.CERTAIN)
    if looks_like_table(head):
        return Detection(
            "hdr-percentiles",
            "hdrhistogram",
            None,
            "columns `Value Percentile TotalCount 1/(1-Percentile)`",
        )
    return None


def _runs(source: Source) -> list[ParsedRun]:
    """Return every run of the file, 100 at most; a new header after rows begins another."""
    if looks_like_table(source.head):
        return [read_table(source)]
    runs = [_LogRun()]
    for line_no, raw in source.lines():
        parsed = parse_row(line_no, raw)
        if parsed is not None:
            _add_row(runs[-1], line_no, parsed)
            continue
        text = raw.decode("utf-8", "replace").strip()
        if text.startswith("#"):
            if runs[-1].has_rows and Section().header(text):
                if len(runs) >= _MAX_SECTIONS:
                    runs[-1].problems.error(f"more than {_MAX_SECTIONS} runs in one file", line_no)
                    break
                runs.append(_LogRun())
            runs[-1].section.header(text)
        elif (legend := LEGEND.fullmatch(text)) is not None:
            runs[-1].section.legend = legend[1]
        elif text:
            runs[-1].problems.error(f"no row of an HdrHistogram log: {text[:80]!r}", line_no)
    if not any(run.has_rows for run in runs) and sum(len(run.problems) for run in runs) > _MOST_STRANGE:
        raise ContentUnreadable(f"{source.name} has no row of an HdrHistogram log: `start,length,max,HIST…`")
    return [_build_run(run, source) for run in runs]


def _add_row(run: _LogRun, line_no: int, parsed: HdrLogRow | str) -> None:
    """Add a row to its tag. Report an invalid row, which is given as its reason, and more than 1,000 tags."""
    if isinstance(parsed, str):
        run.problems.error(parsed, line_no)
        return
    run.has_rows = True
    if parsed.tag not in run.series and len(run.series) >= _MAX_TAGS:
        run.problems.error(f"more than {_MAX_TAGS} tags", line_no)
        return
    tag_intervals = run.series.setdefault(parsed.tag, TagIntervals(parsed.tag))
    before = tag_intervals.filled_buckets
    tag_intervals.add(parsed)
    if tag_intervals.filled_buckets > before:
        _bound_memory(run)


def _bound_memory(run: _LogRun) -> None:
    """Join intervals of the largest series until 2^22 buckets are filled, or all have one interval."""
    while sum(each.filled_buckets for each in run.series.values()) > _MAX_FILLED_BUCKETS:
        several = [each for each in run.series.values() if each.interval_count > 1]
        if not several:
            return
        max(several, key=lambda each: each.filled_buckets).halve()


def _decode_times(run: _LogRun) -> list[TagIntervals]:
    """Return the intervals of tags whose values are times; report unreadable rows, and tags of counts."""
    with_times = []
    for tag_intervals in run.series.values():
        tag_intervals.flush()
        _bound_memory(run)
        for line_no, reason in tag_intervals.failed:
            run.problems.error(f"{reason}; the row was left out", line_no)
    for tag_intervals in run.series.values():
        if tag_intervals.start_ns and is_count_name(tag_intervals.tag or ""):
            reason = f"the values of {tag_intervals.tag!r} count something and are no times; left out"
            run.problems.note(reason)
        elif tag_intervals.start_ns:
            with_times.append(tag_intervals)
    return with_times


def _build_run(run: _LogRun, source: Source) -> ParsedRun:
    """Return the run of a section, with its unit by the tool, the user or a convention."""
    section = run.section
    with_times = _decode_times(run)
    unit_ns, unit_problem = _unit(section, with_times)
    if unit_problem and source.stated_unit_ns is not None:
        unit_ns, unit_problem = source.stated_unit_ns, ""
    if unit_problem:
        run.problems.add(unit_problem)
    first_ns = min((min(tag_intervals.start_ns) for tag_intervals in with_times), default=0)
    offset = offset_ns(section, first_ns)
    series = []
    for tag_intervals in with_times:
        try:
            parsed = _series(run, tag_intervals, unit_ns, offset, source)
        except DomainError as error:
            run.problems.error(f"{tag_intervals.tag or 'the log'}: {error}")
            continue
        series += [parsed] if parsed is not None else []
    if not series:
        run.problems.add("the log holds no operation")
    tool = section.tool or "hdrhistogram"
    started = _started_at(section)
    parameters: dict[str, Value] = {"latency_unit": UNIT_NAMES.get(unit_ns, f"{unit_ns} ns")}
    if section.log_version is not None:
        parameters["log_version"] = section.log_version
    is_open = {
        "started_at": started is None,
        "tool_version": section.tool_version is None,
        "latency_unit": bool(unit_problem),
        "operation": section.tool is None and any(each.operation == "all" for each in series),
        "loop": section.tool is None,
    }
    return ParsedRun(
        format="hdr-log",
        tool=tool,
        tool_version=section.tool_version,
        series=tuple(series),
        state=EndState.UNKNOWN,
        state_text="a log of histograms has no mark at its end",
        problems=tuple(run.problems),
        missing=not_stated(*_NEVER_STATED, *(fact for fact, value in is_open.items() if value)),
        parameters=parameters,
        started_at=started,
        duration_ns=last_end_ns(series),
        closed_loop=tool in _CLOSED_LOOP_TOOLS,
    )


def _series(
    run: _LogRun, tag_intervals: TagIntervals, unit_ns: int, offset: int, source: Source
) -> ParsedSeries | None:
    """Return the series of a tag, its starts less `offset` (ns); None without operations."""
    section = run.section
    starts = np.array(tag_intervals.start_ns, dtype=np.int64)
    seconds = np.array(tag_intervals.second_ns, dtype=np.int64)
    durations = np.maximum(seconds - starts, 0) if second_is_end(section.legend, starts, seconds) else seconds
    starts = starts - offset
    back = np.flatnonzero(starts[1:] < starts[:-1])
    for position in back[:20]:
        run.problems.error(
            "the interval begins before the one above it: a second run, or a clock that was set",
            tag_intervals.line_no[int(position) + 1],
        )
    if tag_intervals.total > MAX_COUNT:
        raise ContentUnreadable("together the intervals hold 2**53 operations or more, which cannot be added")
    intervals = tag_intervals.intervals(unit_ns, starts, durations)
    record = intervals.total()
    if record.total == 0:
        return None
    name = tag_intervals.tag or section.operation
    operation, clock, source_name = _name(run, name, source)
    return ParsedSeries(
        operation,
        clock,
        record,
        intervals=intervals,
        semantics=SEMANTICS.get(section.tool or "", "values of an HdrHistogram, rounded down to its unit"),
        source_name=source_name,
    )


def _name(run: _LogRun, name: str | None, source: Source) -> tuple[str, str, str]:
    """Return operation, the kind of its times (`service` or `operation`), and the name in the file.

    `name` is the tag or the header's operation. If it is None, the name in the file is empty, and the file's
    own name may state the operation, which is noted.
    """
    clock = "service" if run.section.tool in _CLOSED_LOOP_TOOLS else "operation"
    if name is None:
        word = source.stem.replace("-", "_").split("_")[0].lower()
        if word in _NAMED_BY_FILE:
            run.problems.note(f"the log does not name its operation; {word!r} is from the name of the file")
            return word, clock, ""
        # An idle thread is paused; it has no requests.
        return ("pause" if run.section.tool == "jhiccup" else "all"), clock, ""
    if run.section.tool == "ycsb" and name.startswith("Intended-"):
        run.problems.note(
            "measured from the intended start; whether there was a schedule (-target) the log does not say"
        )
        return name.removeprefix("Intended-").lower(), "operation", name
    return name.lower(), clock, name


def _unit(section: Section, filled: list[TagIntervals]) -> tuple[int, str]:
    """Return the unit of the values in ns, and the reason why it is not certain (empty if it is)."""
    if section.tool in _UNIT_NS:
        return _UNIT_NS[section.tool], ""
    with_most = next((tag_intervals for tag_intervals in filled if tag_intervals.most_of is not None), None)
    shown = printed(with_most.most) if with_most is not None else None
    if with_most is None or with_most.most_of is None or shown is None or shown.value <= 0:
        return NS_PER_US, "the log does not say in which unit it counts; microseconds were taken"
    ratio = with_most.most_of / shown.value
    if ratio > 100_000:
        return 1, (
            "the log does not say in which unit it counts; nanoseconds were taken, as the library that "
            "wrote it has them by convention"
        )
    return NS_PER_US, (
        "the log does not say in which unit it counts; microseconds were taken, as all known tools with "
        "this column of largest values have them"
    )


def _started_at(section: Section) -> datetime | None:
    """Return the start in UTC by asbench's header, else by the log (2000 to 2089); None if unknown."""
    if section.date is not None:
        try:
            return datetime.fromisoformat(section.date)
        except ValueError:
            return None
    start_ns = section.start_ns
    if start_ns is None or not EPOCH_FROM_S * NS_PER_S <= start_ns < 4 * EPOCH_FROM_S * NS_PER_S:
        return None
    return datetime.fromtimestamp(start_ns / NS_PER_S, UTC)


HDR_LOG = ToolImporter("hdr-log", "an HdrHistogram library", _detect, _runs)
