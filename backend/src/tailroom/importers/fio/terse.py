"""fio's terse lines (`--minimal`), versions 2 to 5: numbers between semicolons, one line for each job.

Latencies are in microseconds, since 3.0 cut from nanoseconds, so that a percentile covers all bins whose
middle is cut to the same number. The number of operations is not printed: only whole operations per second
and the running time. With `lat_percentiles=1` the percentiles are those of lat, without any sign of it.
Source: fio HOWTO "Terse output", `stat.c` (`show_ddir_status_terse`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tailroom.domain.latency.distribution import Misses
from tailroom.domain.units import NS_PER_MS, NS_PER_US
from tailroom.importers.fio.bins import add_percentile, printed_edges_ns
from tailroom.importers.fio.latency import PRINTED_HALF, microseconds
from tailroom.importers.fio.semantics import CLOCKS, SEMANTICS, is_unmeasured, not_stated
from tailroom.importers.importer import ContentUnreadable
from tailroom.importers.parsed_run import Claim, EndState, ParsedRun, ParsedSeries
from tailroom.importers.printed import Printed, printed, whole
from tailroom.importers.problems import Problems
from tailroom.importers.source import Source
from tailroom.importers.statements import MAX_TIME_NS, Statements, record_or_report

LINE = re.compile(r"(?:2;[^;]*;\d+;-?\d+|([345]);fio-[^;]*;[^;]*;\d+;-?\d+)(?:;[^;]*){80,}")
_MARK = re.compile(r"[345];fio-|(?<![^\s])2;")
_LEAST_COLUMNS = 80
_BLOCK = 41
_BLOCK_5 = 47
_PERCENTILES = 20
_CLAT = 8
"""Column of the smallest completion latency, from the beginning of a direction."""
_PERCENTILE = re.compile(r"(\d{1,3}(?:\.\d{1,6})?)%=(\d{1,18})")
_PER_CENT = re.compile(r"\d{1,4}\.\d{1,6}%")
_MAX_JOBS = 1_000


@dataclass(frozen=True, slots=True)
class TerseLine:
    """A line of terse output, which is a job. `blocks`: name and columns of each direction."""

    line: int
    version: str | None
    """Version of fio; None in format 2, which does not print it."""
    job: str
    error: int
    blocks: tuple[tuple[str, tuple[str, ...]], ...]


def read_terse(source: Source, problems: Problems) -> ParsedRun:
    """Return the run of the first 1,000 terse lines. Raise ContentUnreadable if none can be read."""
    jobs: list[TerseLine] = []
    for line_no, raw in source.lines():
        text = raw.decode("utf-8", "replace").strip()
        # Progress without a line feed may stand before the line.
        mark = _MARK.search(text)
        if mark is None or text.count(";") < _LEAST_COLUMNS:
            continue
        line = line_of(text[mark.start() :], line_no)
        if line is None:
            problems.error("line", "the columns are not those of any terse version of fio", line_no)
        elif len(jobs) < _MAX_JOBS:
            jobs.append(line)
    if not jobs:
        raise ContentUnreadable(f"{source.name} has no terse line of fio that can be read")
    series: list[ParsedSeries] = []
    claims: list[Claim] = []
    runtime_ms = 0
    for position, job in enumerate(jobs):
        earlier = sum(previous.job == job.job for previous in jobs[:position])
        phase = None if len(jobs) == 1 else job.job + (f" #{earlier + 1}" if earlier else "")
        for direction, fields in job.blocks:
            runtime_ms = max(runtime_ms, whole(fields[3]) or 0)
            claims += _claims(direction, fields, job.line)
            series += _all_series(direction, fields, job, phase, problems)
    problems.note(
        "percentiles",
        "percentiles were taken as those of clat; with lat_percentiles=1 they are those of lat, and terse "
        "lines do not say so. They do not hold the number of operations either",
        jobs[0].line,
    )
    failed = [job for job in jobs if job.error]
    version = jobs[-1].version
    return ParsedRun(
        format="fio-terse",
        tool="fio",
        tool_version=version,
        series=tuple(series),
        state=EndState.FAILED if failed else EndState.FINISHED,
        state_text=f"job {failed[0].job} ended with error {failed[0].error}"
        if failed
        else "every job ended without an error",
        claims=tuple(claims),
        problems=problems.all(),
        missing=not_stated({}, version=version is not None),
        parameters={"jobs": len(jobs)},
        duration_ns=runtime_ms * NS_PER_MS if 0 < runtime_ms < 10**12 else None,
        closed_loop=True,
    )


def line_of(text: str, line_no: int) -> TerseLine | None:
    """Return the job of a line; None if the columns are those of no version, or its error is no number."""
    fields = text.split(";")
    if len(fields) <= _LEAST_COLUMNS:
        return None
    kind = fields[0]
    head = 4 if kind == "2" else 5
    size = _BLOCK_5 if kind == "5" else _BLOCK
    number = 0
    for blocks in (1, 2, 3, 4):
        at = head + blocks * size
        if len(fields) > at + 1 and _PER_CENT.fullmatch(fields[at]) and _PER_CENT.fullmatch(fields[at + 1]):
            number = blocks
            break
    if not number or kind not in ("2", "3", "4", "5"):
        return None
    names = ["read", "write"] if kind == "3" else ["read", "write", "trim"]
    names = ["mixed"] if number == 1 else [*names[:number], "mixed"][:number]
    if len(names) < number:
        return None
    try:
        error = int(fields[head - 1])
    except ValueError:
        return None
    version = None if kind == "2" else fields[1].removeprefix("fio-")[:100]
    cut = [tuple(fields[head + n * size : head + (n + 1) * size]) for n in range(number)]
    return TerseLine(line_no, version, fields[head - 3][:200], error, tuple(zip(names, cut, strict=True)))


def _claims(direction: str, fields: Sequence[str], line: int) -> list[Claim]:
    """Return claims of rates above 0, both rounded down, and of the mean of clat, if measured."""
    claims = []
    rates = (("bandwidth_bytes_per_s", fields[1], 1024), ("throughput_ops_per_s", fields[2], 1))
    for quantity, text, unit in rates:
        value = whole(text)
        if value:
            claims.append(Claim(direction, quantity, text, value * unit, (value + 1) * unit, line=line))
    if not _is_unmeasured(fields, _CLAT):
        printed_clat = _printed(direction, fields, _CLAT, line)
        claims += [claim for claim in printed_clat if claim.quantity == "latency_mean_ns"]
    return claims


def _is_unmeasured(fields: Sequence[str], at: int) -> bool:
    numbers = [printed(fields[at + offset]) for offset in range(4)]
    times = [float(number.value) * NS_PER_US for number in numbers if number is not None]
    return is_unmeasured(times, whole(fields[3]) or 0)


def _printed(direction: str, fields: Sequence[str], at: int, line: int) -> Iterator[Claim]:
    """Yield claims of the latency from column `at` on, for clat with percentiles; none if its mean is 0."""
    least, most, mean, deviation = (printed(fields[at + offset]) for offset in range(4))
    if mean is None or mean.value <= 0:
        return
    for quantity, number in (("latency_min_ns", least), ("latency_max_ns", most)):
        ends = None if number is None else microseconds(number)
        if number is not None and ends is not None:
            yield Claim(direction, quantity, f"{number.text} µs", *ends, line=line)
    for quantity, number in (("latency_mean_ns", mean), ("latency_deviation_ns", deviation)):
        if number is not None and number.value >= 0:
            yield Claim.of_number(direction, quantity, number, NS_PER_US, line, sign=" µs")
    for text in fields[12 : 12 + _PERCENTILES] if at == _CLAT else ():
        match = _PERCENTILE.fullmatch(text)
        share = Fraction(match[1]) / 100 if match is not None else 0
        ends = None if match is None else microseconds(Printed(match[2], int(match[2]), (1, 1)))
        if match is not None and ends is not None and 0 < share <= 1:
            yield Claim(direction, "latency_quantile_ns", f"{match[2]} µs", *ends, float(share), line)


def _all_series(
    direction: str, fields: Sequence[str], job: TerseLine, phase: str | None, problems: Problems
) -> list[ParsedSeries]:
    """Return a series for each of lat, clat and slat with a mean above 0; report impossible times."""
    series = []
    for name, at in (("lat", 12 + _PERCENTILES), ("clat", _CLAT), ("slat", 4)):
        statements = Statements()
        least, most, mean = (printed(fields[at + offset]) for offset in range(3))
        if least is None or most is None or mean is None or mean.value <= 0:
            continue
        if _is_unmeasured(fields, at):
            problems.add(
                "garbage", f"{direction} {name}: times that cannot be of this run; left out", job.line
            )
            continue
        first, last = microseconds(least), microseconds(most)
        if first is None or last is None or mean.value * NS_PER_US > MAX_TIME_NS:
            problems.add("ends", f"{direction} {name}: an end is no latency", job.line)
            continue
        statements.span(first[0], last[1] + 1)
        if name == "clat":
            add_percentiles(statements, fields, job, problems)
        cut_ns = NS_PER_US if _is_old(job.version) is not False else 1
        statements.mean_ns = (
            float(max(Fraction(0), mean.lower) * NS_PER_US),
            float(mean.upper * NS_PER_US) + cut_ns - 1,
        )
        record = record_or_report(statements, Misses(), problems, f"{direction} {name}", job.line)
        if record is None:
            continue
        series.append(
            ParsedSeries(
                direction,
                CLOCKS[name],
                record,
                semantics=SEMANTICS[name],
                phase=phase,
                source_name=name,
                printed=tuple(_printed(direction, fields, at, job.line)),
            )
        )
    return series


def _is_old(version: str | None) -> bool | None:
    """Return whether a version counts in microseconds (before 3); None if it is not known."""
    match = re.match(r"(\d{1,3})\.", version or "")
    return None if match is None else int(match[1]) < 3


def add_percentiles(
    statements: Statements, fields: Sequence[str], job: TerseLine, problems: Problems
) -> None:
    """Add the bounds that a direction's percentiles prove; report texts that are no percentile of fio."""
    for text in fields[12 : 12 + _PERCENTILES]:
        match = _PERCENTILE.fullmatch(text)
        if match is None:
            problems.add("percentile", f"{text[:40]!r} is no percentile", job.line)
            continue
        share = Fraction(match[1]) / 100
        if share == 0:
            continue
        edges = printed_edges_ns(int(match[2]), NS_PER_US, old=_is_old(job.version), rounded_up=False)
        if share > 1 or edges is None:
            problems.add("percentile", f"{text[:40]!r} is no percentile that fio prints", job.line)
            continue
        add_percentile(statements, share, PRINTED_HALF, edges, None)
