"""Every number that real files print, against what is shown of them. Runs where TAILROOM_WILD_FILES names a
folder of result files; such files are their owners' and are not part of the repository.
"""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tailroom.importers.inspection import inspect_paths

FOLDER = os.environ.get("TAILROOM_WILD_FILES", "")
pytestmark = pytest.mark.skipif(not FOLDER, reason="TAILROOM_WILD_FILES names no folder")
FILES = sorted(path for path in Path(FOLDER).rglob("*") if path.is_file()) if FOLDER else []

PRINTED: dict[str, tuple[tuple[str, str], ...]] = {
    "fio-normal": (
        (r"issued rwts?: total=(\d+)", "count"),
        (r"\biops=\s*([\d.]+)|IOPS=([\d.]+)", "rate"),
        (r"clat \(\w+\)\s*: .*avg=\s*([\d.]+)", "mean"),
        (r"\d+\.\d+th=\[\s*(\d+)\]", "percentile"),
        (r"clat \(\w+\)\s*: min=\s*([\d.]+)", "smallest"),
        (r"clat \(\w+\)\s*: min=\s*[\d.]+k?, max=\s*([\d.]+)", "largest"),
    ),
    "sysbench": (
        (r"total number of events:\s+(\d+)", "count"),
        (r"transactions:\s+\d+\s+\(([\d.]+) per sec\.\)", "rate"),
        (r"events per second:\s+([\d.]+)", "rate"),
        (r"avg:\s+([\d.]+)", "mean"),
        (r"95th percentile:\s+([\d.]+)|approx\.\s+95 percentile:\s+([\d.]+)", "percentile"),
        (r"^\s+min:\s+([\d.]+)", "smallest"),
        (r"^\s+max:\s+([\d.]+)", "largest"),
        (r"^\[ *\d+s *\] .*?\btps: ([\d.]+)", "rate"),
        (r"^\[ *\d+s *\] .*?lat \(ms, ?\d+%\): ([\d.]+)", "percentile"),
        (r"^ *([\d.]+) Requests/sec executed", "rate"),
        (r"Operations performed: +(\d+) [Rr]ead", "count"),
        (r"([\d.]+) MiB/sec\)|([\d.]+)Mb/sec\)", "rate of bytes"),
        (r"(?:read/write|other) (?:requests|operations): +\d+ +\(([\d.]+) per sec", "rate"),
    ),
    "ycsb-text": (
        (r"\], Operations, (\d+)", "count"),
        (r"\[OVERALL\], Throughput\(ops/sec\), (\S+)", "rate"),
        (r"\], AverageLatency\(us\), ([\d.]+)", "mean"),
        (r"thPercentileLatency\(\w+\), (\d+)", "percentile"),
        (r"\], MinLatency\(us\), (\d{1,18})$", "smallest"),
        (r"\], MaxLatency\(us\), (\d+)", "largest"),
    ),
    "pgbench-summary": (
        (r"number of transactions actually processed: (\d+)", "count"),
        (r"^tps = ([\d.]+)", "rate"),
        (r"latency average = ([\d.]+) ms", "mean"),
        (r"latency stddev = ([\d.]+) ms", "deviation"),
        (r"^progress: [\d.]+ s, ([\d.]+) tps", "rate"),
        (r"^progress: .* lat ([\d.]+) ms", "mean"),
    ),
    "pgbench-progress": (
        (r"^progress: [\d.]+ s, ([\d.]+) tps", "rate"),
        (r"^progress: .* lat ([\d.]+) ms", "mean"),
        (r"^progress: .* stddev ([\d.]+)", "deviation"),
    ),
    "diskspd": (
        (r"^total: +\d+ \| +(\d+) \|", "count"),
        (r"^total: +\d+ \| +\d+ \| +[\d.]+ \| +([\d.]+)", "rate"),
        (r"^ *(?:\d+th|\d-nines) \|.* ([\d.]+)$", "percentile"),
    ),
    "memtier-json": (
        (r'"Ops/sec" *: *([\d.]+)', "rate"),
        (r'"Percentile Latencies" *: *{[^{}]*?"p50.00" *: *([\d.]+)', "percentile"),
    ),
    "wrk": (
        (r"Requests/sec:\s+([\d.]+)", "rate"),
        (r"(\d+) requests in", "count"),
        (r"^\s+Latency\s+([\d.]+)", "mean"),
        (r"^\s+\d\d%\s+([\d.]+)", "percentile"),
    ),
    "wrk2": (
        (r"Requests/sec:\s+([\d.]+)", "rate"),
        (r"(\d+) requests in", "count"),
        (r"^\s*\d+\.\d+%\s+([\d.]+)(?:us|ms|s|m)", "percentile"),
    ),
    "fio-json": (
        (r'"\d\d\.\d{6}"\s*:\s*(\d+)', "percentile"),
        (r'"total_ios"\s*:\s*(\d+)', "count"),
        (r'"iops"\s*:\s*([\d.]+)', "rate"),
        (r'"clat(?:_ns)?"\s*:\s*{[^{}]*?"min"\s*:\s*(\d+)', "smallest"),
        (r'"clat(?:_ns)?"\s*:\s*{[^{}]*?"max"\s*:\s*(\d+)', "largest"),
        (r'"clat(?:_ns)?"\s*:\s*{[^{}]*?"mean"\s*:\s*([\d.]+)', "mean"),
    ),
    "redis-benchmark-csv": ((r'"([\d.]+)"', "rate, mean, ends or percentile"),),
    "act-latency": (
        (r"^\s*(?:avg|max)\s+([\d.]+)", "share"),
        (r"^\s*(?:avg|max)\s+[\d.]+\s+([\d.]+)", "share"),
    ),
    "hdr-percentiles": (
        (r"Total count\s+=\s+(\d+)", "count"),
        (r"^[\d.]+,1\.0+,(\d+),Infinity", "count"),
        (r"^ *[\d.]+ +1\.0+ +(\d+)(?: +inf| +Infinity)?\s*$", "count"),
        (r"Max\s+=\s+([\d.]+)", "largest"),
        (r"Mean\s+=\s+([\d.]+)", "mean"),
    ),
    "memtier-text": (
        (r"^(?:Totals|Gets|Sets)\s+([1-9][\d.]*)", "rate"),
        (r"^(?:Totals|Gets|Sets)\s+[1-9][\d.]*\s+\S+\s+\S+\s+([\d.]+)", "mean"),
        (r"^(?:Totals|Gets|Sets)\s+[1-9].*\s([\d.]+)$", "rate of bytes"),
    ),
    "asloglatency": (
        (r"^\s+(?:avg|max)\s+([\d.]+)", "share"),
        (r"^\s*(?:\d\d:\d\d:\d\d|avg) .* ([\d.]+)$", "rate"),
    ),
    "fio-bw-log": ((r"^\d+, (\d+), ", "rate"),),
    "fio-iops-log": ((r"^\d+, (\d+), ", "rate"),),
    "fio-lat-log": ((r"^\d+, (\d+), ", "mean"),),
    "fio-slat-log": ((r"^\d+, (\d+), ", "mean"),),
    "aerospike-java-log": ((r"\b(?:read|write|total)\(tps=(\d+)", "rate"),),
}


def _sums(text: str, row: str) -> Iterator[tuple[str, str]]:
    """The second group added up for each value of the first."""
    found: Counter[str] = Counter()
    for match in re.finditer(row, text, re.MULTILINE):
        found[match[1]] += sum(int(number) for number in re.findall(r"\d+", match[2]))
    yield from (("count", str(total)) for total in found.values())


def _last_cumulative(text: str) -> Iterator[tuple[str, str]]:
    """Count, ends and percentiles of the last line of each operation of asbench, before its count falls."""
    last: dict[str, list[str]] = {}
    ended: set[str] = set()
    for operation, numbers in re.findall(r"^hdr: (\w+) +\S+Z \d+, ([\d, ]+)$", text, re.MULTILINE):
        row = numbers.split(", ")
        if ended or (operation in last and int(row[0]) < int(last[operation][0])):
            ended.add(operation)
        else:
            last[operation] = row
    yield from (("count, ends or percentile", number) for row in last.values() for number in row)


CALCULATED: dict[str, Callable[[str], Iterable[tuple[str, str]]]] = {
    "pgbench-aggregated-log": lambda text: _sums(text, r"^()\d{10} (\d+) "),
    "fio-histogram-log": lambda text: _sums(text, r"^\d+, ([012]), \d+, (.*)$"),
    "asbench-histogram": lambda text: (
        [("count", one) for one in re.findall(r"_hist \S+ [\d.]+s, (\d+),", text)]
        if "header lines" in text
        else _sums(text, r"^(\w+)_hist \S+ [\d.]+s, (\d+),")
    ),
    "asbench-log": _last_cumulative,
}
"""What is printed in parts: the sum, or the last state, is what must be shown."""

NOT_COMPARED: dict[str, str] = {
    "act-config": "a configuration: no figure of a run is printed",
    **dict.fromkeys(
        ("iostat", "iostat-json", "sar", "sar-json", "mpstat", "mpstat-json", "vmstat"),
        "figures of every interval: the busiest one is printed, the others are drawn",
    ),
    "hdr-log": "rows are encoded histograms; only their largest values are printed, and checked as read",
}
"""Formats that print nothing to compare, each with the reason."""

_UNIT = re.compile(r"[kKMGTP]? ?(?:ns|µs|us|ms|s|m|%|[KMG]?i?B/s)?$")


def _shown(document: dict[str, Any]) -> set[str]:
    """Every number among the claims of all runs, as printed, without its unit."""
    found: set[str] = set()
    for run in (document, *document.get("further_runs", ())):
        held = run.get("series", ())
        claims = [*run.get("claims", ()), *(one for series in held for one in series["printed"])]
        found |= {_UNIT.sub("", one["printed"]) for one in claims}
        found |= {str(series["count"]) for series in held}
    return found


@pytest.mark.parametrize("path", FILES, ids=str)
def test_every_printed_number_is_shown(path: Path) -> None:
    (found,) = inspect_paths([path], [str(path)], 3600, (1_000_000,))
    if found.refusal is not None:
        assert any(words in found.refusal for words in ("format not recognised", "holds no", "is empty"))
        return
    form = str(found.document["format"])
    text = path.read_text("utf-8-sig", "replace").replace("\r", "\n")
    stated = [
        (kind, next(one for one in groups.groups() if one is not None))
        for pattern, kind in PRINTED.get(form, ())
        for groups in re.finditer(pattern, text, re.MULTILINE)
    ]
    stated += CALCULATED[form](text) if form in CALCULATED else ()
    assert stated or form in NOT_COMPARED or _has_nothing_to_compare(found.document), form
    shown = _shown(found.document)
    assert [one for one in stated if one[1] not in shown and float(one[1]) > 0] == []


def _has_nothing_to_compare(document: dict[str, Any]) -> bool:
    """A part of another file, or a table from which somebody cut what could be compared: it says so."""
    if document.get("read_with") is not None:
        return True
    if document["state"] == "failed" and not document["series"]:
        return True
    said = [one["reason"] for one in document["problems"]]
    return any("is missing" in one or "left out" in one or one.startswith("no latencies") for one in said)
