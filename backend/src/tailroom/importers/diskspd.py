"""The importer of diskspd: its text, and the XML of `-Rxml`.

Latencies have a histogram of buckets as fine as the clock (`-L`); times are printed in milliseconds with
three decimals, percentiles as values of that histogram. Operations are counted by thread and target: those of
a read or write are the sums. Without `-L` there are counts and rates only. diskspd keeps a number of
operations in flight and is a closed loop. Source: `ResultParser/ResultParser.cpp`, `XmlResultParser.cpp`,
`Common/Histogram.h`.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from fractions import Fraction

from tailroom.domain.units import NS_PER_MS, NS_PER_S
from tailroom.importers.importer import ContentUnreadable, Detection
from tailroom.importers.parsed_run import Claim, EndState, ParsedRun, ParsedSeries
from tailroom.importers.printed import moment, printed, whole
from tailroom.importers.problems import Problems
from tailroom.importers.source import Head, Source
from tailroom.importers.summaries import Summary, Time, all_series, rounded
from tailroom.importers.text_runs import MAX_RUNS, Value, nothing_read, summarised_run, text_lines

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
_VERSION = re.compile(r"<(?:Version|VersionString)>([^<\s]{1,40})</")
_START = re.compile(r"(\d{4})/(\d\d)/(\d\d) (\d\d:\d\d:\d\d) UTC")
_OF_PROFILE = {
    "BlockSize": "block_size",
    "RequestCount": "request_count",
    "ThreadsPerFile": "threads_per_file",
    "WriteRatio": "write_ratio",
    "Duration": "planned_duration_s",
    "Warmup": "warmup_s",
}
"""Elements of `<Profile>`; several targets may differ in them."""
_NINES = re.compile(r"(\d)-nines")
_XML_TAG = re.compile(r"<(/?)(\w{1,60})(?:\s[^>]{0,400})?>([^<]{0,400})")
_DEEPEST = 100
_MAX_XML_BYTES = 64 << 20
_LONGEST_SETTING = 200
_SEMANTICS = "from issuing an operation to its completion, on the performance counter of Windows"
_NAMES = ("read", "write", "total")


@dataclass(slots=True)
class _Span:
    """Data of one timespan. `section` is the table that is read (`total`, `read`, `write`), in XML
    the percentile.
    """

    line: int
    summaries: dict[str, Summary] = field(default_factory=dict)
    targets: dict[tuple[str, str], Summary] = field(default_factory=dict)
    """Percentiles of single targets, whose operations are counted thread by thread only."""
    claims: list[Claim] = field(default_factory=list)
    bytes: dict[str, int] = field(default_factory=dict)
    """Moved by reads and by writes, as the XML counts them."""
    problems: Problems = field(default_factory=Problems)
    duration_ns: int | None = None
    started_at: datetime | None = None
    version: str | None = None
    section: str | None = None
    ended: bool = False

    def of(self, name: str, line_no: int) -> Summary:
        """Return the summary of `read`, `write` or `total`, empty at first."""
        return self.summaries.setdefault(name, Summary(name, line_no, name=name))

    def quantile(self, name: str, share: str, text: str, line_no: int, target: str | None = None) -> None:
        """Add a cell of a table of percentiles.

        `name` is `read`, `write` or `total`, `share` is `min`, `max`, `3-nines` or a per cent such as `99th`,
        `text` is in ms; `target` is None for all targets together.
        """
        time = rounded(text, NS_PER_MS, "ms")
        if time is None:
            return
        if target is None:
            summary = self.of(name, line_no)
        else:
            words = f"{name} {target}"
            summary = self.targets.setdefault((target, name), Summary(name, line_no, name=words))
        nines = _NINES.fullmatch(share)
        if share == "min":
            summary.least = time
        elif share == "max":
            summary.most = time
        elif nines is not None:
            summary.quantiles.append((1 - Fraction(1, 10 ** int(nines[1])), _bin(time)))
        elif 0 < Fraction(share.removesuffix("th")) < 100:
            summary.quantiles.append((Fraction(share.removesuffix("th")) / 100, _bin(time)))

    def finish(self, parameters: dict[str, Value]) -> ParsedRun:
        """Return the run of the timespan."""
        summaries = [self.summaries[name] for name in _NAMES if name in self.summaries]
        counted = any(summary.count is not None for summary in summaries)
        for operation, size in self.bytes.items() if any(self.bytes.values()) else ():
            self.claims.append(Claim(operation, "transferred_bytes", str(size), size, size, line=self.line))
        single = [summary for summary in summaries if summary.operation != "total"]
        single = [summary for summary in single if (summary.count if counted else summary.quantiles)]
        if len(single) == 1:
            summaries = single
        for summary in summaries:
            # A table beside no operation of its kind is `N/A`, and a zero in it was not measured.
            if summary.count == 0 or (summary.count is None and counted):
                summary.quantiles, summary.least, summary.most = [], None, None
                summary.mean, summary.deviation = None, None
        series = [
            *all_series(summaries, self.problems, _SEMANTICS),
            *self._of_targets({summary.operation for summary in summaries}),
        ]
        state, words = EndState.FINISHED, "the results were printed"
        if not self.ended:
            state, words = EndState.UNKNOWN, "the results are cut"
        if not any(summary.quantiles or summary.mean for summary in summaries):
            self.problems.add("none", "no latencies: diskspd measures them with -L", self.line)
        return summarised_run(
            "diskspd",
            "diskspd",
            [summary for summary in summaries if summary.count is not None or summary.quantiles],
            series,
            self.problems,
            state=state,
            state_text=words,
            claims=self.claims,
            parameters=parameters,
            version=self.version,
            duration_ns=self.duration_ns,
            started_at=self.started_at,
        )

    def _of_targets(self, operations: set[str]) -> Iterator[ParsedSeries]:
        """Yield the percentiles of single targets as series, those of `operations` only."""
        for (target, name), summary in self.targets.items():
            if name in operations:
                made = summary.series(self.problems, _SEMANTICS, device=target)
                yield from () if made is None else (made,)


def _bin(time: Time) -> Time:
    """Return the bounds of a value, widened by the bin of a float's precision in which it was stored."""
    slack = 1_000 + time.upper_ns // (1 << 22)
    return Time(time.text, max(0, time.lower_ns - slack), time.upper_ns + slack)


@dataclass(frozen=True, slots=True)
class DiskspdImporter:
    """Importer of diskspd."""

    name: str = "diskspd"
    looks_for: str = "`Total IO` with `thread | bytes | I/Os`, or XML `<Results>` with `<TimeSpan>`"

    def detect(self, head: Head) -> Detection | None:
        """Recognise the format by the head of its tables, or the elements of its XML."""
        if re.search(r"thread \|\s+bytes\s+\|\s+I/Os\s+\|", head.text) or any(
            map(_TABLE.fullmatch, head.lines)
        ):
            return Detection("diskspd", "diskspd", None, "`thread | bytes | I/Os | MiB/s | I/O per s`")
        if "<Results>" in head.text and "<TimeSpan" in head.text:
            version = _VERSION.search(head.text)
            return Detection(
                "diskspd-xml", "diskspd", version[1] if version else None, "`<Results>`, `<TimeSpan>`"
            )
        if (
            "Command Line:" in head.text
            and "diskspd" in head.text.lower()
            and "Input parameters:" in head.text
        ):
            return Detection("diskspd", "diskspd", None, "`Command Line: … diskspd` and `Input parameters:`")
        return None

    def parse(self, source: Source, beside: Sequence[Source]) -> list[ParsedRun]:  # noqa: ARG002
        """Return a run for each timespan. Raise ContentUnreadable."""
        if "<Results>" in source.head.text:
            return _from_xml(source)
        return _from_text(source)


def _from_text(source: Source) -> list[ParsedRun]:
    """Return the run of each timespan of the text. Raise ContentUnreadable."""
    spans: list[_Span] = []
    parameters: dict[str, Value] = {}
    in_table = False
    target: str | None = None
    started_at: datetime | None = None
    above = ""
    for line_no, text in text_lines(source):
        stripped = text.strip()
        if (command := _COMMAND.fullmatch(stripped)) is not None:
            parameters["command_line"] = command[1]
        if _BEGIN.fullmatch(stripped) and (not spans or spans[-1].summaries) and len(spans) < MAX_RUNS:
            spans.append(_Span(line_no))
        elif (setting := _setting(stripped)) is not None:
            _add_setting(parameters, *setting)
        elif stripped.startswith("start time:"):
            started_at = _start(stripped.removeprefix("start time:").strip())
        elif _SECTION.fullmatch(stripped):
            if not spans:
                spans.append(_Span(line_no))
            spans[-1].section, in_table = stripped.split()[0].lower(), False
        elif _TABLE.fullmatch(text):
            in_table, target = True, None if above in _OF_ALL else above
            if not spans:
                spans.append(_Span(line_no))
        elif spans:
            _text_line(spans[-1], line_no, text, in_table=in_table, target=target)
        above = stripped[:200]
    filled = [span for span in spans if span.summaries]
    if not filled:
        raise nothing_read(source, "diskspd")
    for span in filled:
        span.started_at = started_at
    return [span.finish(dict(parameters)) for span in filled]


def _setting(text: str) -> tuple[str, str] | None:
    """Return name and value of the setting that a line states; None for any other line."""
    for pattern, name in _SETTINGS:
        if (match := pattern.fullmatch(text)) is not None:
            return name, match[1]
    return None


def _add_setting(parameters: dict[str, Value], name: str, text: str) -> None:
    """Add a setting; those in which several targets differ are listed."""
    held = parameters.get(name)
    if held is None:
        number = whole(text)
        parameters[name] = text if number is None else number
    elif text not in str(held).split(", ") and len(str(held)) < _LONGEST_SETTING:
        parameters[name] = f"{held}, {text}"


def _start(text: str) -> datetime | None:
    """Return the time of a text such as `2026/11/20 12:30:45 UTC`; None for any other text."""
    match = _START.fullmatch(text)
    at = None if match is None else moment(f"{match[1]}-{match[2]}-{match[3]} {match[4]}")
    return None if at is None else at.replace(tzinfo=UTC)


def _text_line(span: _Span, line_no: int, text: str, *, in_table: bool, target: str | None) -> None:
    """Read a line of a timespan below the head of a section or of a table of percentiles."""
    if in_table and (row := _ROW.fullmatch(text)) is not None:
        for name, value in zip(_NAMES, (row[2], row[3], row[4]), strict=True):
            span.quantile(name, row[1], value, line_no, target)
        span.ended = span.ended or row[1] == "max"
    elif (time := _TEST_TIME.fullmatch(text.strip())) is not None:
        seconds = printed(time[1])
        if seconds is not None and seconds.value < 10**9:
            span.duration_ns = int(seconds.value * NS_PER_S)
    elif span.section is not None and (totals := _TOTALS.fullmatch(text.strip())) is not None:
        _totals(span, line_no, totals)
        span.ended = span.ended or span.section == "write"


def _totals(span: _Span, line_no: int, match: re.Match[str]) -> None:
    """Read a line of totals: `total: bytes | I/Os | MiB/s | I/O per s [| IopsStdDev] | AvgLat |
    LatStdDev`.
    """
    name = span.section or "total"
    summary = span.of(name, line_no)
    summary.line, summary.count, summary.rate = line_no, whole(match[2]), printed(match[4])
    size = whole(match[1])
    if size is not None:
        span.claims.append(Claim(name, "transferred_bytes", match[1], size, size, line=line_no))
    bandwidth = printed(match[3])
    if bandwidth is not None:
        low, high = (float(max(Fraction(0), end) * (1 << 20)) for end in (bandwidth.lower, bandwidth.upper))
        text = f"{bandwidth.text} MiB/s"
        span.claims.append(Claim(name, "bandwidth_bytes_per_s", text, low, high, line=line_no))
    columns = [cell.strip() for cell in match[5].split("|") if cell.strip()]
    # With -D the deviation of the rate, of two decimals, stands among the latencies, of three.
    times = [cell for cell in columns if re.fullmatch(r"\d{1,12}\.\d{3}", cell)]
    if times and summary.count:
        summary.mean = rounded(times[0], NS_PER_MS, "ms")
        summary.deviation = rounded(times[1], NS_PER_MS, "ms") if len(times) > 1 else None


def _from_xml(source: Source) -> list[ParsedRun]:
    """Return the run of each timespan of the XML, which has no attributes, entities or namespaces that
    matter.

    Raise ContentUnreadable.
    """
    text = source.whole(_MAX_XML_BYTES).decode("utf-8", "replace")
    begin = text.find("<Results>")
    spans: list[_Span] = []
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
            started_at = _start(content)
        elif name == "TimeSpan" and content == "":
            if len(spans) >= MAX_RUNS:
                break
            spans.append(_Span(line_no))
        elif spans:
            _xml_element(spans[-1], name, content, line_no, path)
    filled = [span for span in spans if span.summaries]
    if not filled:
        raise ContentUnreadable(f"{source.name} is XML of diskspd, but has no timespan with results")
    for span in filled:
        span.version, span.started_at = version, started_at
    return [span.finish(dict(profile)) for span in filled]


def _elements(text: str, at: int) -> Iterator[tuple[str, str, int, tuple[str, ...]]]:
    """Yield name, text, line and path of each element from position `at` on; the end of some as `/name`.

    The path holds the names of the elements around it, the outermost first.
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
        if not _closes_itself(match):
            path.append(match[2])
        if len(path) > _DEEPEST:
            return


def _closes_itself(match: re.Match[str]) -> bool:
    """Return whether an element ends where it begins: `<Bucket Read="301" />`."""
    return match.string[match.start(3) - 2] == "/"


def _xml_element(span: _Span, name: str, content: str, line_no: int, path: tuple[str, ...]) -> None:
    """Read an element of a timespan; `path` holds the names of the elements around it."""
    if name == "TestTimeSeconds":
        seconds = printed(content)
        if seconds is not None and 0 <= seconds.value < 10**9:
            span.duration_ns = int(seconds.value * NS_PER_S)
    elif name in ("ReadCount", "WriteCount") and "Target" in path:
        count = whole(content)
        summary = span.of(name.removesuffix("Count").lower(), line_no)
        if count is not None:
            summary.count = (summary.count or 0) + count
            both = span.of("total", line_no)
            both.count = (both.count or 0) + count
    elif name in ("ReadBytes", "WriteBytes") and "Target" in path:
        size = whole(content)
        if size is not None:
            operation = name.removesuffix("Bytes").lower()
            span.bytes[operation] = span.bytes.get(operation, 0) + size
    elif path[-1:] == ("Latency",) and "Thread" not in path:
        _xml_latency(span, name, content, line_no)
    elif path[-1:] == ("Bucket",) and "Thread" not in path:
        _xml_bucket(span, name, content, line_no)
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


def _xml_latency(span: _Span, name: str, content: str, line_no: int) -> None:
    """Read a mean or deviation of `<Latency>`, in milliseconds."""
    where = _MOMENTS.get(name)
    time = rounded(content, NS_PER_MS, "ms")
    if where is not None and time is not None:
        setattr(span.of(where[0], line_no), where[1], time)


def _xml_bucket(span: _Span, name: str, content: str, line_no: int) -> None:
    """Read a part of a `<Bucket>`: its percentile, or the time of reads, writes or both at it, in
    milliseconds.
    """
    if name == "Percentile":
        span.section = content
        return
    operation = name.removesuffix("Milliseconds").lower()
    share = printed(span.section or "")
    if operation in _NAMES and share is not None and 0 <= share.value <= 100:
        text = "min" if share.value == 0 else "max" if share.value == 100 else share.text
        span.quantile(operation, text, content, line_no)


DISKSPD = DiskspdImporter()
