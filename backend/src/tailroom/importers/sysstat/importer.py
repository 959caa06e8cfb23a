"""The importer of iostat, sar, mpstat and vmstat: how busy devices and processors were beside a run.

Waiting times are means over an interval and all requests of the system, which bound the share of slow
operations from above only. So they are a run of their own that no budget judges, and runs that came with it
name it (`related_files`). Charts show at most 300 points of each quantity: in a longer log, neighbours are
joined and have their largest value, so that a device that is busy for a second remains visible.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise

from tailroom.domain.errors import DomainError
from tailroom.domain.units import NS_PER_MS, NS_PER_S, ceil_div
from tailroom.importers.importer import Certainty, Detection
from tailroom.importers.parsed_run import Claim, EndState, MachineCourse, ParsedRun, ParsedSeries, Period
from tailroom.importers.printed import Printed, amount, printed
from tailroom.importers.problems import Problems
from tailroom.importers.source import Head, Source
from tailroom.importers.statements import Statements, enclosing
from tailroom.importers.summaries import rounded
from tailroom.importers.sysstat.reports import SysstatLog, SysstatReport, in_english
from tailroom.importers.sysstat.text_reports import LINUX, read_json, read_text
from tailroom.importers.text_runs import PrintedRun, ToolImporter, nothing_read

MOST_POINTS = 300
MOST_SUBJECTS = 12
"""Most devices or processors of a quantity: those with the largest values."""

Span = tuple[int, int]
"""Start from the first report, and duration, in nanoseconds."""
_Value = Callable[[Mapping[str, str]], float | None]
_COLUMNS = re.compile(
    r"(?m)^(?:Device\b|avg-cpu: | *tps +\S[^\n]{0,200} Device$|"
    r"\d{1,2}:\d\d:\d\d(?: [AP]M)? +(?:DEV|CPU|IFACE|kbmemfree) )"
)
_JSON = re.compile(r'\{\s*"sysstat"\s*:\s*\{')
_VMSTAT = re.compile(r"(?m)^ *r +b +swpd +free +[\w ]{1,80} id ")
_WAITS = (("read", "r_await", "r/s"), ("write", "w_await", "w/s"), ("all", "await", "tps"))
_FIGURES = (
    ("busy", "device_busy_percent", 1),
    ("queue", "queue_length", 1),
    ("r/s", "read_ops_per_s", 1),
    ("w/s", "write_ops_per_s", 1),
    ("tps", "throughput_ops_per_s", 1),
    ("read_kb", "read_bytes_per_s", 1_024),
    ("write_kb", "write_bytes_per_s", 1_024),
    ("read_mb", "read_bytes_per_s", 1 << 20),
    ("write_mb", "write_bytes_per_s", 1 << 20),
    ("read_sectors", "read_bytes_per_s", 512),
    ("write_sectors", "write_bytes_per_s", 512),
)
"""Column, quantity, and the unit of the quantity that the column is printed in."""
_MOST_DEVICES = 500
_MOST_PERIODS = 10_000
_SEMANTICS = "from queueing a request at the device to its completion, as the mean of an interval"


def courses(reports: Sequence[SysstatReport], spans: Sequence[Span | None]) -> tuple[MachineCourse, ...]:
    """Return quantities over time, each of the 12 subjects with the largest values; `spans`: of `reports`."""
    timed = [
        (report, span)
        for report, span in zip(reports, spans, strict=True)
        if span is not None and span[0] >= 0
    ]
    all_courses: list[MachineCourse] = []
    for quantity, is_other, value in _QUANTITIES:
        of_quantity = list(_courses_of_quantity(timed, quantity, value, is_other=is_other))
        # `CPU` is all processors together, and comes first.
        of_quantity.sort(key=lambda course: (course.subject != "CPU", -max(course.values)))
        all_courses += of_quantity[:MOST_SUBJECTS]
    return tuple(all_courses)


def _courses_of_quantity(
    timed: Sequence[tuple[SysstatReport, Span]], quantity: str, value: _Value, *, is_other: bool
) -> Iterator[MachineCourse]:
    """Yield the values over time of a quantity for each device, or with `is_other` for each other subject."""
    points: dict[str, list[tuple[int, int, float]]] = {}
    for report, span in timed:
        for subject, cells in (report.others if is_other else report.devices).items():
            number = value(cells)
            if number is not None:
                points.setdefault(subject, []).append((span[0], span[1], number))
    for subject, of_subject in points.items():
        columns = zip(*_join_points(sorted(of_subject)), strict=True)
        yield MachineCourse(subject, quantity, *(tuple(column) for column in columns))


def _join_points(points: list[tuple[int, int, float]]) -> list[tuple[int, int, float]]:
    """Return at most 300 points (start and duration in ns, largest value), joined from ascending points."""
    size = ceil_div(len(points), MOST_POINTS)
    groups = [points[at : at + size] for at in range(0, len(points), size)]
    return [
        (group[0][0], group[-1][0] + group[-1][1] - group[0][0], max(row[2] for row in group))
        for group in groups
    ]


def _largest_number(cells: Mapping[str, str], *names: str) -> float | None:
    numbers = [printed(cells[name]) for name in names if name in cells]
    values = [float(number.value) for number in numbers if number is not None and 0 <= number.value < 1e12]
    return max(values, default=None)


def _cpu_busy(cells: Mapping[str, str]) -> float | None:
    """Return the per cent of time in which processors were not idle; None if not stated or impossible."""
    idle = _largest_number(cells, "idle")
    if idle is None or idle > 100:
        return None
    return round(100 - idle, 4)


_QUANTITIES: tuple[tuple[str, bool, _Value], ...] = (
    ("device_busy_percent", False, lambda cells: _largest_number(cells, "busy")),
    ("queue_length", False, lambda cells: _largest_number(cells, "queue")),
    ("device_wait_ms", False, lambda cells: _largest_number(cells, *(wait for _, wait, _ in _WAITS))),
    ("cpu_busy_percent", True, _cpu_busy),
    ("cpu_iowait_percent", True, lambda cells: _largest_number(cells, "iowait")),
    ("memory_used_percent", True, lambda cells: _largest_number(cells, "memory_used")),
    ("network_kb_per_s", True, lambda cells: _largest_number(cells, "received_kb", "sent_kb")),
)


def _detect(head: Head) -> Detection | None:
    if _JSON.search(head.text[:2_000]) is not None and '"statistics"' in head.text:
        of = "mpstat" if '"cpu-load"' in head.text and '"disk' not in head.text else "iostat"
        of = "sar" if '"sysdata-version"' in head.text else of
        return Detection(f"{of}-json", "sysstat", None, f"JSON of {'sadf -j' if of == 'sar' else of}")
    if _VMSTAT.search(head.text) is not None and "procs" in head.text:
        return Detection("vmstat", "sysstat", None, "the columns of vmstat")
    text = in_english(head.text)
    table = _COLUMNS.search(text)
    if table is None:
        return None
    linux = any(LINUX.match(line) for line in text.splitlines()[:50])
    waits = any("r_await" in line or "await" in line.split() for line in head.lines)
    if not linux and not waits:
        return None
    form = "sar" if table[0][0].isdigit() else "iostat"
    if form == "sar" and table[0].endswith("CPU ") and "%irq" in head.text:
        form = "mpstat"
    certainty = Certainty.CERTAIN if linux else Certainty.LIKELY
    return Detection(form, "sysstat", None, f"the columns of {form}", certainty)


def _runs(source: Source) -> list[ParsedRun]:
    """Return the only run. Raise ContentUnreadable without any report of the machine."""
    is_json = source.head.text.lstrip().startswith("{")
    log = read_json(source) if is_json else read_text(source)
    detection = _detect(source.head)
    if log.since_start and len(log.reports) > 1:
        log.begins = log.reports.pop(0).at
        reason = "the first report is of the time since the machine started; left out"
        log.problems.note("start", reason)
    if not any(report.devices or report.others for report in log.reports):
        raise nothing_read(source, "iostat, sar, mpstat or vmstat")
    return [_run(log, detection.format if detection is not None else "iostat")]


def _run(log: SysstatLog, form: str) -> ParsedRun:
    """Return the run of all reports, in the format `form`, with the first 500 devices."""
    problems, reports = log.problems, log.reports
    times = [log.begins, *(report.at for report in reports)]
    begin = next((at for at in times if at is not None), None)
    spans = _spans(times, begin, problems)
    if not any(spans):
        problems.note("times", "the reports have no times (`iostat -t`): only their order is known")
    devices = list(dict.fromkeys(name for report in reports for name in report.devices))
    if len(devices) > _MOST_DEVICES:
        problems.error("devices", f"{len(devices)} devices; {_MOST_DEVICES} are kept")
    series: list[ParsedSeries] = []
    claims: list[Claim] = []
    for device in devices[:_MOST_DEVICES]:
        for operation, wait, rate in _WAITS:
            of_device = _series(device, operation, (wait, rate), reports, spans)
            series += [of_device] if of_device is not None else []
        claims += _device_claims(device, reports)
    claims += _processor_claims(reports)
    if not series and devices:
        problems.add("waits", "the reports have no waiting times (`iostat -x`, `sar -d`), or nothing waited")
    started_at = begin if any(spans) else None
    end_ns = max((span[0] + span[1] for span in spans if span is not None), default=0)
    run = PrintedRun(1, {"reports": len(reports), "devices": len(devices)}, claims, problems)
    if log.head is not None:
        run.parameters |= {"kernel": log.head[0], "host": log.head[1], "processors": log.head[2]}
    if started_at is not None and started_at.tzinfo is None:
        run.parameters["started_at_local"] = started_at.isoformat(sep=" ")
        started_at = None
    run.duration_ns = end_ns or None
    ending = EndState.UNKNOWN, "it goes on until somebody stops it"
    started_at = None if started_at is None else started_at.astimezone(UTC)
    parsed = run.parsed(form, "sysstat", [], series, ending, started_at=started_at, closed_loop=False)
    return replace(parsed, courses=courses(reports, spans))


def _spans(times: Sequence[datetime | None], begin: datetime | None, problems: Problems) -> list[Span | None]:
    """Return the interval between each two neighbouring times: its start from `begin`, and its length, in ns.

    An element is None if a time is unknown, or only one of the two has a zone. It is None with a problem if
    the time does not rise, or is over ten years after `begin`.
    """
    spans: list[Span | None] = []
    for before, at in pairwise(times):
        if begin is None or before is None or at is None or (before.tzinfo is None) != (at.tzinfo is None):
            spans.append(None)
            continue
        if at <= before or (at - begin).days > 3_650:
            spans.append(None)
            problems.add("clock", "the clock does not go on from the report before")
            continue
        start_s, length_s = (before - begin).total_seconds(), (at - before).total_seconds()
        spans.append((int(start_s * NS_PER_S), int(length_s * NS_PER_S)))
    return spans


def _series(
    device: str,
    operation: str,
    columns: tuple[str, str],
    reports: Sequence[SysstatReport],
    spans: Sequence[Span | None],
) -> ParsedSeries | None:
    wait, rate = columns
    means: list[tuple[Statements, Span | None]] = []
    for report, span in zip(reports, spans, strict=True):
        cells = report.devices.get(device, {})
        time = rounded(cells.get(wait, ""), NS_PER_MS, "ms")
        if time is None or not _had_requests(cells, rate, time.upper_ns):
            continue
        mean = Statements()
        mean.mean_ns = float(time.lower_ns), float(time.upper_ns)
        means.append((mean, span))
    if not means:
        return None
    periods: list[Period] = []
    for mean, span in means[:_MOST_PERIODS]:
        if span is not None and span[0] >= 0:
            periods.append(Period(span[0], span[1], mean.record()))
    try:
        record = enclosing([statements for statements, _ in means]).record()
    except DomainError:
        return None
    return ParsedSeries(
        operation,
        "operation",
        record,
        device=device,
        semantics=_SEMANTICS,
        source_name=f"{device} {wait}",
        periods=tuple(periods),
    )


def _had_requests(cells: Mapping[str, str], rate: str, wait_ns: int) -> bool:
    """Return whether the rate of requests is over 0; if it is absent, whether the wait is over 10 µs."""
    per_second = printed(cells.get(rate, ""))
    return wait_ns > NS_PER_MS // 100 if per_second is None else per_second.value > 0


def _device_claims(device: str, reports: Sequence[SysstatReport]) -> Iterator[Claim]:
    for column, quantity, unit in _FIGURES:
        cells = [(report.line, report.devices.get(device, {}).get(column, "")) for report in reports]
        if (largest := _extreme_number(cells)) is not None:
            yield Claim.of_number(device, f"{quantity}_max", largest[0], unit, largest[1])


def _processor_claims(reports: Sequence[SysstatReport]) -> Iterator[Claim]:
    for column, quantity, sign in (
        ("idle", "cpu_idle_percent_min", -1),
        ("iowait", "cpu_iowait_percent_max", 1),
    ):
        cells = [(report.line, report.others.get("CPU", {}).get(column, "")) for report in reports]
        if (extreme := _extreme_number(cells, sign)) is not None:
            yield Claim.of_number("CPU", quantity, extreme[0], line=extreme[1])


def _extreme_number(cells: Iterable[tuple[int, str]], sign: int = 1) -> tuple[Printed, int] | None:
    """Return the largest (`sign` -1: smallest) of (line, text) pairs, and its line; None without any ≥ 0."""
    numbers = [(amount(text), line) for line, text in cells]
    return max(
        ((number, line) for number, line in numbers if number is not None),
        key=lambda row: (sign * row[0].value, -row[1]),
        default=None,
    )


SYSSTAT = ToolImporter("sysstat", "iostat, sar, mpstat or vmstat", _detect, _runs)
