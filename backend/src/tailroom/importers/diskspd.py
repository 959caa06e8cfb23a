"""The importer of diskspd: its text, and the XML of `-Rxml`.

Latencies are measured with `-L` only. They are printed in milliseconds with three decimals, percentiles from
a histogram as fine as the clock. Operations are counted by thread and target, and added up by read and write.
diskspd keeps a number of operations in flight: a closed loop. Source: `ResultParser/ResultParser.cpp`,
`XmlResultParser.cpp`, `Common/Histogram.h`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from fractions import Fraction

from tailroom.domain.units import NS_PER_MS, NS_PER_S
from tailroom.importers.importer import ContentUnreadable, Detection
from tailroom.importers.parsed_run import ParsedRun, ParsedSeries, Value
from tailroom.importers.printed import moment, printed, whole
from tailroom.importers.source import Head, Source
from tailroom.importers.summaries import Summary, Time, all_series, rounded
from tailroom.importers.text_runs import MAX_RUNS, PrintedRun, ToolImporter, finished_if, text_lines

_START = re.compile(r"(\d{4})/(\d\d)/(\d\d) (\d\d:\d\d:\d\d) UTC")
_NINES = re.compile(r"(\d)-nines")
_LONGEST_SETTING = 200
_SEMANTICS = "from issuing an operation to its completion, on the performance counter of Windows"
_NAMES = ("read", "write", "total")
_OF_PROFILE = {
    "BlockSize": "block_size",
    "RequestCount": "request_count",
    "ThreadsPerFile": "threads_per_file",
    "WriteRatio": "write_ratio",
    "Duration": "planned_duration_s",
    "Warmup": "warmup_s",
}
"""Elements of `<Profile>`; several targets may differ in them."""
_XML_TAG = re.compile(r"<(/?)(\w{1,60})(?:\s[^>]{0,400})?>([^<]{0,400})")
_DEEPEST = 100
_MAX_XML_BYTES = 64 << 20
_OF_ALL = ("", "total:", "Total latency distribution:")
"""The heading above the table of all targets; above the table of a single target is its path."""
_SECTION = re.compile(r"(Total|Read|Write) IO")
_TOTALS = re.compile(r"total:\s+(\d{1,20}) \|\s+(\d{1,18}) \|\s+([\d.]{1,20}) \|\s+([\d.]{1,20})(.*)")
_TABLE = re.compile(r"\s*%-ile \|\s*Read \(ms\) \|\s*Write \(ms\) \|\s*Total \(ms\)")
_ROW = re.compile(
    r"\s*(min|max|\d{1,2}(?:\.\d{1,6})?th|\d-nines) \|\s*([\d.]{1,20}|N/A) \|\s*([\d.]{1,20}|N/A) \|"
    r"\s*([\d.]{1,20}|N/A)"
)
_TEST_TIME = re.compile(r"actual test time:\s+([\d.]{1,15})s.*")
_BEGIN = re.compile(r"Results for timespan \d{1,6}:|Command Line: (.{1,400})")
_COMMAND = re.compile(r"Command Line: (.{1,400})")
_SETTINGS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), name)
    for pattern, name in (
        (r"block size: (.{1,40})", "block_size"),
        (r"number of outstanding I/O operations: (\d{1,9})", "request_count"),
        (r"threads per file: (\d{1,9})", "threads_per_file"),
        (r"total threads: (\d{1,9})", "threads"),
        (r"performing mix test \(read/write ratio: (\d{1,3}/\d{1,3})\)", "read_write_ratio"),
        (r"performing (read|write) test", "test"),
        (r"warm up time: (\d{1,9})s", "warmup_s"),
        (r"cool down time: (\d{1,9})s", "cooldown_s"),
        (r"duration: (\d{1,9})s", "planned_duration_s"),
    )
)
_XML_VERSION = re.compile(r"<(?:Version|VersionString)>([^<\s]{1,40})</")


@dataclass(slots=True)
class _Timespan(PrintedRun):
    """Results of one timespan. `section` is the current table, in XML the current percentile."""

    summaries: dict[str, Summary] = field(default_factory=dict)
    """By operation: `read`, `write` or `total`."""
    targets: dict[tuple[str, str], Summary] = field(default_factory=dict)
    """Percentiles by target and operation; operations of single targets are not counted."""
    bytes: dict[str, int] = field(default_factory=dict)
    """Bytes read and written, by operation; only the XML states them."""
    started_at: datetime | None = None
    section: str | None = None
    ended: bool = False

    def summary(self, name: str, line_no: int) -> Summary:
        """Return the summary of `read`, `write` or `total`; add an empty summary if there is none."""
        return self.summaries.setdefault(name, Summary(name, line_no, name=name))

    def quantile(self, name: str, share: str, text: str, line_no: int, target: str | None = None) -> None:
        """Add a percentile, smallest or largest latency of the operation `name`, in total or at `target`.

        `share` is as printed (`min`, `3-nines`, `99th`), `text` in ms; a text that is no time is ignored.
        """
        time = rounded(text, NS_PER_MS, "ms")
        if time is None:
            return
        if target is None:
            summary = self.summary(name, line_no)
        else:
            words = f"{name} {target}"
            summary = self.targets.setdefault((target, name), Summary(name, line_no, name=words))
        if (nines := _NINES.fullmatch(share)) is not None:
            summary.quantiles.append((1 - Fraction(1, 10 ** int(nines[1])), _widen_bounds(time)))
        else:
            summary.set_time(share, time if share in ("min", "max") else _widen_bounds(time))

    def finish(self) -> ParsedRun:
        """Return the run of the timespan, without operations that were not measured. To be called once."""
        summaries = [self.summaries[name] for name in _NAMES if name in self.summaries]
        counted = any(summary.count is not None for summary in summaries)
        for operation, size in self.bytes.items() if any(self.bytes.values()) else ():
            self.add_count(operation, "transferred_bytes", size, self.line)
        single = [summary for summary in summaries if summary.operation != "total"]
        single = [summary for summary in single if (summary.count if counted else summary.quantiles)]
        if len(single) == 1:
            summaries = single
        for summary in summaries:
            # A table beside no operation of its kind is `N/A`, and a zero in it was not measured.
            if summary.count == 0 or (summary.count is None and counted):
                summary.drop_times()
        series = [
            *all_series(summaries, self.problems, _SEMANTICS),
            *self._target_series({summary.operation for summary in summaries}),
        ]
        if not any(summary.quantiles or summary.mean for summary in summaries):
            self.problems.add("none", "no latencies: diskspd measures them with -L", self.line)
        return self.parsed(
            "diskspd",
            "diskspd",
            [summary for summary in summaries if summary.count is not None or summary.quantiles],
            series,
            finished_if(self.ended, "the results were printed", "the results are cut"),
            started_at=self.started_at,
        )

    def _target_series(self, operations: set[str]) -> Iterator[ParsedSeries]:
        """Yield a series for each target and operation that is in `operations`, if it has latencies."""
        for (target, name), summary in self.targets.items():
            if name in operations:
                parsed = summary.series(self.problems, _SEMANTICS, device=target)
                yield from () if parsed is None else (parsed,)


def _finish_all(
    spans: Sequence[_Timespan],
    parameters: Mapping[str, Value],
    started_at: datetime | None,
    version: str | None = None,
) -> Iterator[ParsedRun]:
    """Yield the run of each timespan with a result, with the facts of the whole file."""
    for span in spans:
        if span.summaries:
            span.parameters, span.started_at, span.version = dict(parameters), started_at, version
            yield span.finish()


def _widen_bounds(time: Time) -> Time:
    """Return a time with bounds widened on both sides by 1 µs and 2^−22 of it, the precision of a float."""
    slack = 1_000 + time.upper_ns // (1 << 22)
    return Time(time.text, max(0, time.lower_ns - slack), time.upper_ns + slack)


def _add_setting(parameters: dict[str, Value], name: str, text: str) -> None:
    """Add a setting; a further value of the name is appended after a comma, up to 200 characters."""
    stated = parameters.get(name)
    if stated is None:
        number = whole(text)
        parameters[name] = text if number is None else number
    elif text not in str(stated).split(", ") and len(str(stated)) < _LONGEST_SETTING:
        parameters[name] = f"{stated}, {text}"


def _start_time(text: str) -> datetime | None:
    """Return the time of a text such as `2026/11/20 12:30:45 UTC`; None for any other text."""
    match = _START.fullmatch(text)
    at = None if match is None else moment(f"{match[1]}-{match[2]}-{match[3]} {match[4]}")
    return None if at is None else at.replace(tzinfo=UTC)


def _read_xml(source: Source) -> Iterator[ParsedRun]:
    """Return the runs of timespans. Raise ContentUnreadable without results, SourceTooLarge above 64 MiB."""
    text = source.whole(_MAX_XML_BYTES).decode("utf-8", "replace")
    begin = text.find("<Results>")
    spans: list[_Timespan] = []
    profile: dict[str, Value] = {}
    for name, content, _, _ in _elements(text[:begin], 0):
        if name in _OF_PROFILE and content:
            _add_setting(profile, _OF_PROFILE[name], content)
    version: str | None = None
    started_at: datetime | None = None
    for name, content, line_no, path in _elements(text, begin):
        if "Profile" in path:
            if name in _OF_PROFILE and content:
                _add_setting(profile, _OF_PROFILE[name], content)
        elif path[-1:] == ("Tool",) and name in ("Version", "VersionString"):
            version = content[:40] or None
        elif name == "RunTime" and "System" in path:
            started_at = _start_time(content)
        elif name == "TimeSpan" and content == "":
            if len(spans) > MAX_RUNS:
                break
            spans.append(_Timespan(line_no))
        elif spans:
            _store_element(spans[-1], name, content, line_no, path)
    if not any(span.summaries for span in spans):
        raise ContentUnreadable(f"{source.name} is XML of diskspd, but has no timespan with results")
    return _finish_all(spans, profile, started_at, version)


def _elements(text: str, at: int) -> Iterator[tuple[str, str, int, tuple[str, ...]]]:
    """Yield name, text, line and outer elements of each element from position `at` on.

    The end of buckets, targets, latencies and timespans has the name `/…`. Stop after a depth above 100.
    """
    line_no, counted = text.count("\n", 0, at) + 1, at
    path: list[str] = []
    for match in _XML_TAG.finditer(text, at):
        line_no += text.count("\n", counted, match.start())
        counted = match.start()
        if match[1]:
            while path and path.pop() != match[2]:
                pass
            if match[2] in ("Bucket", "Target", "Latency", "TimeSpan"):
                yield f"/{match[2]}", "", line_no, tuple(path)
            continue
        yield match[2], match[3].strip(), line_no, tuple(path)
        closes_itself = text[match.start(3) - 2] == "/"
        if not closes_itself:
            path.append(match[2])
        if len(path) > _DEEPEST:
            return


def _store_element(span: _Timespan, name: str, content: str, line_no: int, path: tuple[str, ...]) -> None:
    """Store the duration, count, bytes or latency of an element that is inside `path`; ignore others."""
    if name == "TestTimeSeconds":
        seconds = printed(content)
        if seconds is not None and 0 <= seconds.value < 10**9:
            span.duration_ns = int(seconds.value * NS_PER_S)
    elif name in ("ReadCount", "WriteCount") and "Target" in path:
        count = whole(content)
        summary = span.summary(name.removesuffix("Count").lower(), line_no)
        if count is not None:
            summary.count = (summary.count or 0) + count
            both = span.summary("total", line_no)
            both.count = (both.count or 0) + count
    elif name in ("ReadBytes", "WriteBytes") and "Target" in path:
        size = whole(content)
        if size is not None:
            operation = name.removesuffix("Bytes").lower()
            span.bytes[operation] = span.bytes.get(operation, 0) + size
    elif path[-1:] == ("Latency",) and "Thread" not in path:
        _store_moment(span, name, content, line_no)
    elif path[-1:] == ("Bucket",) and "Thread" not in path:
        _store_bucket_part(span, name, content, line_no)
    elif name == "/TimeSpan" or (name == "/Latency" and "Thread" not in path):
        span.ended = True


_MOMENTS = {
    "AverageTotalMilliseconds": ("total", "mean"),
    "AverageReadMilliseconds": ("read", "mean"),
    "AverageWriteMilliseconds": ("write", "mean"),
    "LatencyStdev": ("total", "deviation"),
    "ReadLatencyStdev": ("read", "deviation"),
    "WriteLatencyStdev": ("write", "deviation"),
}


def _store_moment(span: _Timespan, name: str, content: str, line_no: int) -> None:
    where = _MOMENTS.get(name)
    time = rounded(content, NS_PER_MS, "ms")
    if where is not None and time is not None:
        setattr(span.summary(where[0], line_no), where[1], time)


def _store_bucket_part(span: _Timespan, name: str, content: str, line_no: int) -> None:
    """Store a part of a `<Bucket>`: its percentile (0 to 100), or the time of an operation at it in ms."""
    if name == "Percentile":
        span.section = content
        return
    operation = name.removesuffix("Milliseconds").lower()
    share = printed(span.section or "")
    if operation in _NAMES and share is not None and 0 <= share.value <= 100:
        text = "min" if share.value == 0 else "max" if share.value == 100 else share.text
        span.quantile(operation, text, content, line_no)


def _detect(head: Head) -> Detection | None:
    text = head.text
    if re.search(r"thread \|\s+bytes\s+\|\s+I/Os\s+\|", text) or any(map(_TABLE.fullmatch, head.lines)):
        return Detection("diskspd", "diskspd", None, "`thread | bytes | I/Os | MiB/s | I/O per s`")
    if "<Results>" in text and "<TimeSpan" in text:
        version = _XML_VERSION.search(text)
        reason = "`<Results>`, `<TimeSpan>`"
        return Detection("diskspd-xml", "diskspd", version[1] if version else None, reason)
    if "Command Line:" in text and "diskspd" in text.lower() and "Input parameters:" in text:
        return Detection("diskspd", "diskspd", None, "`Command Line: … diskspd` and `Input parameters:`")
    return None


def _runs(source: Source) -> Iterator[ParsedRun]:
    return _read_xml(source) if "<Results>" in source.head.text else _read_text(source)


def _read_text(source: Source) -> Iterator[ParsedRun]:
    spans: list[_Timespan] = []
    parameters: dict[str, Value] = {}
    in_table = False
    target: str | None = None
    started_at: datetime | None = None
    above = ""
    for line_no, text in text_lines(source):
        stripped = text.strip()
        if (command := _COMMAND.fullmatch(stripped)) is not None:
            parameters["command_line"] = command[1]
        is_table = _TABLE.fullmatch(text) is not None
        begins = _BEGIN.fullmatch(stripped) and (not spans or spans[-1].summaries)
        if (begins and len(spans) <= MAX_RUNS) or (not spans and (is_table or _SECTION.fullmatch(stripped))):
            spans.append(_Timespan(line_no))
        if (setting := _setting(stripped)) is not None:
            _add_setting(parameters, *setting)
        elif stripped.startswith("start time:"):
            started_at = _start_time(stripped.removeprefix("start time:").strip())
        elif _SECTION.fullmatch(stripped):
            spans[-1].section, in_table = stripped.split()[0].lower(), False
        elif is_table:
            in_table, target = True, None if above in _OF_ALL else above
        elif spans:
            _read_line(spans[-1], line_no, text, in_table=in_table, target=target)
        above = stripped[:200]
    return _finish_all(spans, parameters, started_at)


def _setting(text: str) -> tuple[str, str] | None:
    for pattern, name in _SETTINGS:
        if (match := pattern.fullmatch(text)) is not None:
            return name, match[1]
    return None


def _read_line(span: _Timespan, line_no: int, text: str, *, in_table: bool, target: str | None) -> None:
    """Store percentiles (`in_table`, of a `target` or all), the duration or totals that a line states."""
    if in_table and (row := _ROW.fullmatch(text)) is not None:
        for name, value in zip(_NAMES, (row[2], row[3], row[4]), strict=True):
            span.quantile(name, row[1], value, line_no, target)
        span.ended = span.ended or row[1] == "max"
    elif (time := _TEST_TIME.fullmatch(text.strip())) is not None:
        seconds = printed(time[1])
        if seconds is not None and seconds.value < 10**9:
            span.duration_ns = int(seconds.value * NS_PER_S)
    elif span.section is not None and (totals := _TOTALS.fullmatch(text.strip())) is not None:
        _store_totals(span, line_no, totals)
        span.ended = span.ended or span.section == "write"


def _store_totals(span: _Timespan, line_no: int, match: re.Match[str]) -> None:
    """Store a line of totals: bytes, I/Os, MiB/s, I/O per s, then mean latency and deviation if measured."""
    name = span.section or "total"
    summary = span.summary(name, line_no)
    summary.line, summary.count, summary.rate = line_no, whole(match[2]), printed(match[4])
    span.add_count(name, "transferred_bytes", whole(match[1]), line_no)
    span.add_number(name, "bandwidth_bytes_per_s", printed(match[3]), 1 << 20, line_no, sign=" MiB/s")
    columns = [cell.strip() for cell in match[5].split("|") if cell.strip()]
    # With -D the deviation of the rate, of two decimals, stands among the latencies, of three.
    times = [cell for cell in columns if re.fullmatch(r"\d{1,12}\.\d{3}", cell)]
    if times and summary.count:
        summary.mean = rounded(times[0], NS_PER_MS, "ms")
        summary.deviation = rounded(times[1], NS_PER_MS, "ms") if len(times) > 1 else None


DISKSPD = ToolImporter("diskspd", "diskspd", _detect, _runs)
