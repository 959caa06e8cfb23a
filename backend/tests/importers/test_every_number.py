"""Every number that a tool prints, by the print statements of its source: read, or named as not read.

The texts in `every_number` are written as the tools write them, each number another than all others, so that
a number that is shown was read at its own place.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.tools import TOOLS
from tailroom.domain.units import NS_PER_MS, NS_PER_S
from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.registry import read
from tailroom.importers.source import from_path

_FOLDER = Path(__file__).parent / "every_number"
_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:E-?\d+|e-?\d+)?")


@dataclass(frozen=True, slots=True)
class Printed:
    """What of a text is no number of a result, what is used without a claim, and what is not read."""

    aside: str
    """Names of percentiles and settings, clocks, and the marks of buckets."""
    not_read: dict[str, str]
    """What is not read, and the words by which the table of formats names it."""
    used: str = "(?!)"
    """Shares of a distribution, rows of a course, counts that only prove others."""


PRINTED = {
    "fio_normal.txt": Printed(
        r"\d+\.\d\dth=|pid=\d+|^mix: \(g=.*| (?:\w{3} ){2}\d\d [\d:]+ 2026|latency   : .*",
        {
            r"(?<=s )\(\S+\)\((?:\S+)iB/(?=\d+msec)|(?<=s )\([\d.]+[kM]B/s\)\([\d.]+[KM]iB/": "bytes",
            r"^   (?:bw \(  KiB/s\)|iops        ): .*": "samples of bandwidth and IOPS",
            r"^  cpu .*": "processors",
            r"^(?:  IO depths |     submit |     complete ) .*": "depths",
            r"^ +(?:READ|WRITE): .*": "groups",
            r"^  nvme0n1: .*": "disks",
        },
        r"^  lat \(\wsec\)   : .*|\d+msec\)",
    ),
    "fio.json": Printed(
        r'"\d+\.\d{6}"|"time": .*|"timestamp.*|"job_start.*|"latency_percentile.*|"elapsed.*',
        {
            r'"(?:io_k?bytes|bw)": .*': "bytes",
            r'"(?:bw|iops)_(?:min|max|agg|mean|dev|stddev|samples)": .*': "samples of bandwidth and IOPS",
            r'"(?:majf|minf)": .*': "processors",
            r'"iodepth_\w+": \{[^}]*\}': "depths",
            r'"latency_[num]s": \{[^}]*\}': "shares by latency",
            r'"(?:read|write)_(?:merges|ticks)": .*': "disks",
        },
        r'"(?:job_)?runtime": .*',
    ),
    "diskspd.txt": Printed(
        r"\d+th|\d-nines|^CPU|timespan.*|intervals of.*|random seed.*",
        {
            r"^ +\d \| .*": "threads",
            r"\d\d\.\d\d (?=\|  +\d\.\d{3}$)": "deviation of IOPS",
            r"^ +\d\|.*|^avg\..*|^proc count.*": "processors",
        },
    ),
    "cassandra_stress.txt": Printed(
        r"\d+(?:\.\d)?th|^type.*",
        {r"^.*\bGC\b.*": "garbage collection", r",(?:[^,\n]*,){6}[^,\n]*$": "standard error"},
        r"^total, .*|^Total operation time.*",
    ),
    "db_bench.txt": Printed(
        r"P\d+(?:\.\d+)?:|^Date:.*|^\( +\d+, +\d+ \]",
        {r"^(?:RawSize|FileSize).*": "estimated sizes", r"\(\d+ of \d+ found\)": "keys were found"},
        r"(?<=\d) +[\d.]+% +[\d.]+%|P50: [\d.]+",
    ),
    "ycsb.txt": Printed(r"\d+(?:\.\d+)?(?:th)?PercentileLatency|G1", {}, r"Return=OK, \d+"),
    "go_ycsb.txt": Printed(
        r"\d+(?:\.\d+)?th\(us\)",
        {r'^".*"=".*"': "properties", r"^READ_ERROR - .*": "latencies of `…_ERROR`"},
        r"Takes\(s\): [\d.]+|takes [\d.]+s",
    ),
    "fio.terse": Printed(
        r"[\d.]+%=|^3;",
        {
            r";\d+;\d+;[\d.]+%;[\d.]+;[\d.]+(?=;)": "samples of bandwidth",
            r"(?<=;)[\d.]+%;[\d.]+%;\d+;\d+;\d+(?=;0\.1%)": "processors",
            r";0\.1%(?:;[\d.]+%){6}": "depths",
            r"(?:;\d+\.\d\d%){22}": "shares by latency",
            r"nvme0n1.*": "disks",
            r"(?<=0;)196748|(?<=;)84556": "bytes",
        },
        r"(?<=;)100(?:31|37)(?=;)",
    ),
    "vdbench_totals.html": Printed(
        r"^\d\d:\d\d:\d\d\.\d{3} +avg_2-3|^Nov 22.*|1024\*\*2|^<.*",
        {r"4097  69\.97": "sizes and shares of reads", r"7\.8  12\.3   8\.3": "queue depths and processors"},
    ),
    "vdbench_flatfile.html": Printed(
        r"^[\d:.]+ +\S+-UTC|avg_2-3|^\*.*|vdbench\d+",
        {
            r"999999|4096 +8 .* 9\.3132": "settings",
            r"4097\.0000 +69\.9716": "sizes and shares of reads",
            r"7\.8395(?: +[\d.]+){5}": "queue depths and processors",
        },
    ),
    "nosqlbench_summary.txt": Printed(
        r"[\d.]+% <=|^11/20.*",
        {
            r"value = 5000\.7": "gauges",
            r"count = 100007(?:\n.*){10}": "sizes",
            r"\d+-minute rate = [\d.]+": "rates of minutes",
            r"stddev = [\d.]+": "deviations",
        },
    ),
    "asbench.txt": Printed(
        r"^2026-11-20 [\d:.]+|2026-11-20T[\d:]+Z \d+,|^hdr histogram format:.*|.*Add node.*",
        {
            r"^(?:port|max socket|compression ratio|\w+ socket timeout|.*max conns).*": "connections",
            r"\(hit=\d+ miss=\d+\)": "found nothing",
            r"total\(.*": "totals",
        },
    ),
    "java_alternate.txt": Printed(
        r"^2026-11-20 [\d:.]+|.*Add node.*|=?\d+ms", {r"total\(tps=.*": "totals"}, r"\(\d+:[\d.]+%\)"
    ),
    "java_ycsb.txt": Printed(
        r"^2026-11-20 [\d:.]+|\d+th%|all bins: 100%",
        {r"total\(tps=.*": "totals", r"Period\[Ops:\d+": "operations of a period"},
    ),
    "ycsb_cpp.txt": Printed(r"[\d.]+=|^2026-\d\d-\d\d [\d:]+|\d+ sec:", {}),
}


def _shown(run: ParsedRun) -> set[str]:
    """Return every number that a run shows."""
    claims = [*run.claims, *(claim for series in run.series for claim in series.printed)]
    texts = [claim.printed for claim in claims] + [claim.operation for claim in claims]
    texts += [str(value) for value in run.parameters.values()] + [run.tool_version or ""]
    texts += [f"{(run.duration_ns or 0) / unit_ns:.9g}" for unit_ns in (NS_PER_MS, NS_PER_S)]
    for series in run.series:
        record = series.record
        misses = getattr(record, "misses", None)
        texts += [str(record.total), str(misses)]
        if isinstance(record, LatencyDist):
            texts += [str(edge_ns // 1_000) for edge_ns in record.edges_ns().tolist()]
            texts += [str(count) for count in record.counts.counts.tolist()]
    return {number for text in texts for number in _NUMBER.findall(text)}


def tools_of_sources() -> set[str]:
    """Return the tools whose texts are here."""
    return {str(run.tool) for name in PRINTED for run in read(from_path(_FOLDER / name)).runs}


@pytest.mark.parametrize("name", PRINTED)
def test_every_number_of_the_source_is_read_or_named(name: str) -> None:
    printed = PRINTED[name]
    runs = read(from_path(_FOLDER / name)).runs
    shown = set().union(*(_shown(run) for run in runs))
    (tool,) = [tool for tool in TOOLS if tool.name == runs[0].tool]
    leaves = "; ".join(form.leaves for form in tool.forms)
    text = re.sub(r"(?<=\d),(?=\d{3}(?:\D|$))", "", (_FOLDER / name).read_text())
    for pattern, words in printed.not_read.items():
        assert words in leaves
        assert re.search(pattern, text, re.MULTILINE), pattern
        text = re.sub(pattern, " ", text, flags=re.MULTILINE)
    text = re.sub(f"{printed.used}|{printed.aside}", " ", text, flags=re.MULTILINE)
    lost = {number for number in _NUMBER.findall(text) if number not in shown and float(number) > 0}
    lines = [(line, lost & set(_NUMBER.findall(line))) for line in text.splitlines()]
    assert [(line.strip(), sorted(numbers)) for line, numbers in lines if numbers] == []
