"""Every number that real files print, against what is shown of them. Runs where TAILROOM_WILD_FILES names a
folder of result files; such files are their owners' and are not part of the repository.
"""

import os
import re
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
        (r"\biops=\s*(\d+)\b|IOPS=(\d+)\b", "rate"),
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
        (r"Max\s+=\s+([\d.]+)", "largest"),
        (r"Mean\s+=\s+([\d.]+)", "mean"),
    ),
    "memtier-text": (
        (r"^(?:Totals|Gets|Sets)\s+([1-9][\d.]*)", "rate"),
        (r"^(?:Totals|Gets|Sets)\s+[1-9][\d.]*\s+\S+\s+\S+\s+([\d.]+)", "mean"),
        (r"^(?:Totals|Gets|Sets)\s+[1-9].*\s([\d.]+)$", "rate of bytes"),
    ),
    "asloglatency": ((r"^\s+(?:avg|max)\s+([\d.]+)", "share"),),
    "fio-bw-log": ((r"^\d+, (\d+), ", "rate"),),
    "fio-iops-log": ((r"^\d+, (\d+), ", "rate"),),
    "fio-lat-log": ((r"^\d+, (\d+), ", "mean"),),
    "fio-slat-log": ((r"^\d+, (\d+), ", "mean"),),
    "aerospike-java-log": ((r"\b(?:read|write)\(tps=(\d+)", "rate"),),
}


_UNIT = re.compile(r"[kKMGTP]? ?(?:ns|µs|us|ms|s|m|%|[KMG]?i?B/s)?$")


def _shown(document: dict[str, Any]) -> set[str]:
    """Every number among the claims of all runs, as printed, without its unit."""
    found: set[str] = set()
    for run in (document, *document.get("further_runs", ())):
        claims = [*run["claims"], *(one for series in run["series"] for one in series["printed"])]
        found |= {_UNIT.sub("", one["printed"]) for one in claims}
        found |= {str(series["count"]) for series in run["series"]}
    return found


@pytest.mark.parametrize("path", FILES, ids=str)
def test_every_printed_number_is_shown(path: Path) -> None:
    (found,) = inspect_paths([path], [str(path)], 3600, (1_000_000,))
    if found.refusal is not None:
        assert "format not recognised" in found.refusal or "holds no" in found.refusal
        return
    patterns = PRINTED.get(str(found.document["format"]))
    if patterns is None:
        return
    text = path.read_text("utf-8-sig", "replace").replace("\r", "\n")
    shown = _shown(found.document)
    missing = [
        (kind, number)
        for pattern, kind in patterns
        for groups in re.finditer(pattern, text, re.MULTILINE)
        if (number := next(one for one in groups.groups() if one is not None)) not in shown
        and float(number) > 0
    ]
    assert missing == []
