"""The XML of diskspd (`-Rxml`), which has no attributes, entities or namespaces that matter."""

import re
from collections.abc import Iterator
from datetime import datetime

from tailroom.domain.units import NS_PER_MS, NS_PER_S
from tailroom.importers.diskspd_timespan import NAMES, Timespan, add_setting, finish_all, start_time
from tailroom.importers.importer import ContentUnreadable
from tailroom.importers.parsed_run import ParsedRun, Value
from tailroom.importers.printed import printed, whole
from tailroom.importers.source import Source
from tailroom.importers.summaries import rounded
from tailroom.importers.text_runs import MAX_RUNS

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


def read_xml(source: Source) -> Iterator[ParsedRun]:
    """Return the runs of timespans. Raise ContentUnreadable without results, SourceTooLarge above 64 MiB."""
    text = source.whole(_MAX_XML_BYTES).decode("utf-8", "replace")
    begin = text.find("<Results>")
    spans: list[Timespan] = []
    profile: dict[str, Value] = {}
    for name, content, _, _ in _elements(text[:begin], 0):
        if name in _OF_PROFILE and content:
            add_setting(profile, _OF_PROFILE[name], content)
    version: str | None = None
    started_at: datetime | None = None
    for name, content, line_no, path in _elements(text, begin):
        if "Profile" in path:
            if name in _OF_PROFILE and content:
                add_setting(profile, _OF_PROFILE[name], content)
        elif path[-1:] == ("Tool",) and name in ("Version", "VersionString"):
            version = content[:40] or None
        elif name == "RunTime" and "System" in path:
            started_at = start_time(content)
        elif name == "TimeSpan" and content == "":
            if len(spans) > MAX_RUNS:
                break
            spans.append(Timespan(line_no))
        elif spans:
            _store_element(spans[-1], name, content, line_no, path)
    if not any(span.summaries for span in spans):
        raise ContentUnreadable(f"{source.name} is XML of diskspd, but has no timespan with results")
    return finish_all(spans, profile, started_at, version)


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
        if not _closes_itself(match):
            path.append(match[2])
        if len(path) > _DEEPEST:
            return


def _closes_itself(match: re.Match[str]) -> bool:
    """Return whether the tag of an element ends with `/>`, so that it has no end tag."""
    return match.string[match.start(3) - 2] == "/"


def _store_element(span: Timespan, name: str, content: str, line_no: int, path: tuple[str, ...]) -> None:
    """Store duration, counts, bytes or latencies of an element inside those of `path`; ignore others."""
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


def _store_moment(span: Timespan, name: str, content: str, line_no: int) -> None:
    """Store a mean or standard deviation in ms; ignore other elements, and text that is no time."""
    where = _MOMENTS.get(name)
    time = rounded(content, NS_PER_MS, "ms")
    if where is not None and time is not None:
        setattr(span.summary(where[0], line_no), where[1], time)


def _store_bucket_part(span: Timespan, name: str, content: str, line_no: int) -> None:
    """Store a part of a `<Bucket>`: its percentile (0 to 100), or the time of an operation at it in ms."""
    if name == "Percentile":
        span.section = content
        return
    operation = name.removesuffix("Milliseconds").lower()
    share = printed(span.section or "")
    if operation in NAMES and share is not None and 0 <= share.value <= 100:
        text = "min" if share.value == 0 else "max" if share.value == 100 else share.text
        span.quantile(operation, text, content, line_no)
