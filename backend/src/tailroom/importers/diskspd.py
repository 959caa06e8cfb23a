"""The importer of diskspd: its text, and the XML of `-Rxml`.

Latencies have a histogram of buckets as fine as the clock (`-L`); times are printed in milliseconds with
three decimals, percentiles as values of that histogram. Operations are counted by thread and target: those of
a read or write are the sums. Without `-L` there are counts and rates only. diskspd keeps a number of
operations in flight and is a closed loop. Source: `ResultParser/ResultParser.cpp`, `XmlResultParser.cpp`,
`Common/Histogram.h`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from tailroom.domain.units import NS_PER_MS, NS_PER_S
from tailroom.importers.diskspd_timespan import NAMES, Timespan, add_setting, start_time
from tailroom.importers.diskspd_xml import read_xml
from tailroom.importers.importer import Detection
from tailroom.importers.parsed_run import Claim, ParsedRun, Value
from tailroom.importers.printed import printed, whole
from tailroom.importers.source import Head, Source
from tailroom.importers.summaries import rounded
from tailroom.importers.text_runs import MAX_RUNS, nothing_read, text_lines

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


@dataclass(frozen=True, slots=True)
class DiskspdImporter:
    """Importer of the text and the XML of diskspd."""

    name: str = "diskspd"
    looks_for: str = "`Total IO` with `thread | bytes | I/Os`, or XML `<Results>` with `<TimeSpan>`"

    def detect(self, head: Head) -> Detection | None:
        """Recognise the format by its tables, its command line or the elements of its XML; else None."""
        if re.search(r"thread \|\s+bytes\s+\|\s+I/Os\s+\|", head.text) or any(
            map(_TABLE.fullmatch, head.lines)
        ):
            return Detection("diskspd", "diskspd", None, "`thread | bytes | I/Os | MiB/s | I/O per s`")
        if "<Results>" in head.text and "<TimeSpan" in head.text:
            version = _XML_VERSION.search(head.text)
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
        """Return a run for each timespan with a result. Raise ContentUnreadable if there is none."""
        if "<Results>" in source.head.text:
            return read_xml(source)
        return _read_text(source)


def _read_text(source: Source) -> list[ParsedRun]:
    """Return the run of each timespan with a result. Raise ContentUnreadable if there is none."""
    spans: list[Timespan] = []
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
            spans.append(Timespan(line_no))
        elif (setting := _setting(stripped)) is not None:
            add_setting(parameters, *setting)
        elif stripped.startswith("start time:"):
            started_at = start_time(stripped.removeprefix("start time:").strip())
        elif _SECTION.fullmatch(stripped):
            if not spans:
                spans.append(Timespan(line_no))
            spans[-1].section, in_table = stripped.split()[0].lower(), False
        elif _TABLE.fullmatch(text):
            in_table, target = True, None if above in _OF_ALL else above
            if not spans:
                spans.append(Timespan(line_no))
        elif spans:
            _read_line(spans[-1], line_no, text, in_table=in_table, target=target)
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


def _read_line(span: Timespan, line_no: int, text: str, *, in_table: bool, target: str | None) -> None:
    """Store percentiles (`in_table`), the duration or totals that a line states; ignore other lines.

    `target` is the path of the table's target, None for all targets.
    """
    if in_table and (row := _ROW.fullmatch(text)) is not None:
        for name, value in zip(NAMES, (row[2], row[3], row[4]), strict=True):
            span.quantile(name, row[1], value, line_no, target)
        span.ended = span.ended or row[1] == "max"
    elif (time := _TEST_TIME.fullmatch(text.strip())) is not None:
        seconds = printed(time[1])
        if seconds is not None and seconds.value < 10**9:
            span.duration_ns = int(seconds.value * NS_PER_S)
    elif span.section is not None and (totals := _TOTALS.fullmatch(text.strip())) is not None:
        _store_totals(span, line_no, totals)
        span.ended = span.ended or span.section == "write"


def _store_totals(span: Timespan, line_no: int, match: re.Match[str]) -> None:
    """Store a line of totals: bytes, I/Os, MiB/s, I/O per s, then mean latency and deviation if measured."""
    name = span.section or "total"
    summary = span.summary(name, line_no)
    summary.line, summary.count, summary.rate = line_no, whole(match[2]), printed(match[4])
    size = whole(match[1])
    if size is not None:
        span.claims.append(Claim(name, "transferred_bytes", match[1], size, size, line=line_no))
    bandwidth = printed(match[3])
    if bandwidth is not None:
        text, bounds = f"{bandwidth.text} MiB/s", bandwidth.ends(1 << 20)
        span.claims.append(Claim(name, "bandwidth_bytes_per_s", text, *bounds, line=line_no))
    columns = [cell.strip() for cell in match[5].split("|") if cell.strip()]
    # With -D the deviation of the rate, of two decimals, stands among the latencies, of three.
    times = [cell for cell in columns if re.fullmatch(r"\d{1,12}\.\d{3}", cell)]
    if times and summary.count:
        summary.mean = rounded(times[0], NS_PER_MS, "ms")
        summary.deviation = rounded(times[1], NS_PER_MS, "ms") if len(times) > 1 else None


DISKSPD = DiskspdImporter()
