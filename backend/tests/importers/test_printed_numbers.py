"""Every number that a load generator prints is read, or is named here as not read: by construction."""

import re

import pytest
from backend.tests.importers.reading import SAMPLES, runs_of
from backend.tests.importers.test_every_count import tools_of_counts
from backend.tests.importers.test_every_number import tools_of_sources

from tailroom.domain.tools import TOOLS, table_rows

USED = {
    "elbencho/table.txt": r" lat hist ",
    "hey/report.txt": r"^  \d+\.\d{3} \[\d+\]\t\|",
    "ghz/report.txt": r"^  \d+\.\d{3} \[\d+\]\t\|",
    "sysbench/s1_cpu.txt": r"total time: ",
}
"""Lines whose numbers are statements about the distribution, or the length of the run: they have no claims of
their own.
"""

NOT_READ: dict[str, tuple[str, str]] = {
    "hey/report.txt": (r"Size/request|DNS\+dialup|resp wait|http://", "the details"),
    "oha/report.txt": (r"Size/request|Size/sec|\[\d+\]\s+\|| sec \[\d+\]|DNS\+dialup", "eleven buckets"),
    "ghz/report.txt": (r"(?!)", ""),
    "vegeta/report.txt": (r"(?!)", ""),
    "bombardier/report.txt": (r"Bombarding|\[=+\]|dial tcp", ""),
    "k6/summary.txt": (r"execution|scenarios|\* default|status is|checks\.|data_received|vus\.", "checks"),
    "hammerdb/profile.txt": (r"MEDIAN ELAPSED", "totals, ratios"),
    "benchbase/tpcc.summary.json": (r"(?!)", ""),
    "kafka_producer/totals.txt": (r"max latency\.$", "lines of intervals"),
    "openmessaging/kafka.json": (r'" : \[', "each ten seconds"),
    "rados_bench/write.txt": (r"hints|Maintaining", ""),
    "elbencho/table.txt": (r"CPU util", "shares of processors"),
    "crystal_disk_mark/three_passes.txt": (r"^\* |crystalmark\.info|\(C\)", ""),
    "filebench/fileserver.txt": (r"^\d+\.\d+: (?!IO Summary|Run took)|^60\.15\d: Run", "times of the log"),
    "iozone/rates.txt": (r"Revision|Build|Compiled|Run began|Time Res|Processor|stride size|File size", ""),
    "crystal_disk_mark/one_pass.txt": (r"^\* |crystalmark\.info|\(C\)", ""),
    "bonnie/table_and_csv.txt": (r"^Version|^node ", "the table above the line"),
    "sockperf/client.txt": (r"== version|each percentile contains", ""),
    "wrk/latency.txt": (r"Req/Sec", "rates of threads, shares within a deviation"),
    "wrk/plain.txt": (r"Req/Sec", "rates of threads, shares within a deviation"),
    "sysbench/s1_cpu.txt": (r"LuaJIT|fairness|\(avg/stddev\)", "fairness of threads"),
    "pgbench/rate.txt": (r"^pgbench \(", "skipped and retried of progress lines"),
    "pgbench/select_only.txt": (r"^pgbench \(", ""),
    "pgbench/simple_update.txt": (r"^pgbench \(", ""),
    "redis_benchmark/r1_csv_get_set.txt": (r"^\"test\"", ""),
    "redis_benchmark/old_rates.csv": (r"(?!)", ""),
    "memtier/given2.stdout.txt": (r"^Type ", ""),
    "stress/scylla.txt": (r"(?!)", ""),
    "esrally/report.md": (r"primary shards|Segment count", "figures of the cluster"),
}
"""Lines that are not read, and the words by which the table of formats names what is left out."""

_ASIDE = re.compile(
    r"TOTAL: \S+|RATIO: \S+|SD: \S+|P\d\d:|Vuser \d+:|p\(\d+\)|"
    r"\b\d+(?:\.\d+)?(?:th| ?%{1,2}) |[1-5]xx|\[[^\]]*\]  |"
    r"\b\d+(?:\.\d+)?th\b|Latency\d+pct|\"[\d.]+\" :|"
    r"(?:Elapsed time|IOPS|MiB/s|Total MiB|IOs total) +: +\S+ |[\d.]+%<=|"
    r"percentile [\d.]+ =|,\d{10},|^ +\d+s  |progress: [\d.]+ s|, lag [\d.]+ ms| [\d.]+%$|, [\d.]+KB read|"
    r"\[ (?:\d+ ){64}\]|^\d+\.\d+: (?=IO Summary)|Filebench Version \S+"
)
"""Names of percentiles and groups, times of lines, and cells that the table names."""
_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:E-?\d+|e-?\d+)?")


@pytest.mark.parametrize("name", NOT_READ)
def test_every_number_is_read_or_named(name: str) -> None:
    pattern, words = NOT_READ[name]
    assert any(words in row[4] for row in table_rows())
    shown: set[str] = set()
    for run in runs_of(name):
        claims = [*run.claims, *(one for held in run.series for one in held.printed)]
        shown |= {number for one in claims for number in _NUMBER.findall(one.printed)}
        shown |= {number for value in run.parameters.values() for number in _NUMBER.findall(str(value))}
        shown |= {number for one in run.claims for number in _NUMBER.findall(one.operation)}
        shown |= set(_NUMBER.findall(run.tool_version or ""))
    text = (SAMPLES / name).read_text()
    skipped = re.compile(f"{pattern}|{USED.get(name, '(?!)')}")
    lines = [line for line in text.splitlines() if not skipped.search(line)]
    stated = {number for line in lines for number in _NUMBER.findall(_ASIDE.sub(" ", line))}
    assert sorted(number for number in stated if number not in shown and float(number) > 0) == []


def test_every_tool_has_its_list() -> None:
    listed = {str(run.tool) for name in NOT_READ for run in runs_of(name)}
    assert {tool.name for tool in TOOLS} <= listed | tools_of_sources() | tools_of_counts()
