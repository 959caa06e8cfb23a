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

FOLDER = Path(__file__).parent / "every_number"
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
    source: str = ""
    """Repository, commit and path of the statements that print the text, where they were read."""


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
    "wrk.txt": Printed(
        r"\d+% ",
        {
            r"[\d.]+%$": "shares within a deviation",
            r"^ +Req/Sec.*": "rates of threads",
            r", [\d.]+MB read": "bytes that were read",
        },
        source="wg/wrk 03d41cd: src/wrk.c",
    ),
    "wrk2.txt": Printed(
        r"\d+\.\d{3}% |^#\[Buckets.*|Non-2xx or 3xx",
        {
            r"Thread calibration.*": "calibrated",
            r"[\d.]+%$": "shares within a deviation",
            r"^ +Req/Sec.*": "rates of threads",
            r", [\d.]+MB read": "bytes that were read",
            r"^#\[M.*": "lines below the spectrum",
        },
        r"^ +[\d.]+ +[01]\.\d{6} .*",
        source="giltene/wrk2 0052ff8: src/wrk.c",
    ),
    "hey.txt": Printed(
        r"^  \d+% in",
        {
            r"Size/request.*": "size of an answer",
            r"^  (?:DNS|req|resp).*": "details (DNS, connecting, writing, waiting, reading)",
        },
        r"^  \d\.\d{3} \[\d+\].*",
        source="rakyll/hey 0180d1f: requester/print.go",
    ),
    "oha.txt": Printed(
        r"[\d.]+% in",
        {
            r"^  \d\.\d{3} sec \[\d+\].*": "histogram of eleven buckets",
            r"Size/(?:request|sec).*": "sizes of answers",
            r"^  DNS.*": "parts of a request",
        },
        source="hatoo/oha bad72a7: src/printer.rs",
    ),
    "oha.json": Printed(
        r'"p[\d.]+"',
        {
            r'"responseTimeHistogram": \{[^}]*\}': "histogram of eleven buckets",
            r'"\w+(?:Not)?Successful": \{[^}]*\}': "breakdown by success",
            r'"sizePerRequest.*': "sizes of answers",
            r'"rps": \{(?:[^{}]*\{[^}]*\}\s*)\}': "the rate over time",
            r'"DNS\w+": \{[^}]*\}': "parts of a request",
        },
        source="hatoo/oha bad72a7: src/printer.rs",
    ),
    "vegeta.txt": Printed(
        r"mean, 50, 90, 95, 99, max", {}, source="tsenart/vegeta cf58112: lib/reporters.go"
    ),
    "vegeta.json": Printed(
        r'"\d+th"|"(?:earliest|latest|end)":"[^"]*"',
        {r'"latencies":\{"total":\d+': "the sum", r'"buckets":\{[^}]*\}': "buckets of the JSON"},
        source="tsenart/vegeta cf58112: lib/metrics.go",
    ),
    "ghz.txt": Printed(
        r"\d+ % in",
        {},
        r"^  [\d.]+ +\[\d+\].*",
        source="bojand/ghz d6acd43 (0.121): printer/template.go, printer/printer.go",
    ),
    "ghz.json": Printed(
        r'"date":"[^"]*"|"percentage":\d+',
        {
            r'"histogram":\[[^\]]*\]': "histogram of the JSON",
            r'"(?:concurrency-start|dial-timeout|CPUs)":\d+|"tags".*': "tags and options beyond the load",
        },
        source="bojand/ghz d6acd43 (0.121): runner/reporter.go",
    ),
    "bombardier.txt": Printed(r"^ +\d+%", {}, source="codesenberg/bombardier 3a8f621: templates.go"),
    "bombardier.json": Printed(
        r'"testDuration\w+":\d+|"\d\d":(?=\d+[,}])',
        {r'(?<="max":1500\.2519),"percentiles":\{.*\}': "percentiles of the rate"},
        source="codesenberg/bombardier 3a8f621: templates.go",
    ),
    "k6.txt": Printed(
        r"^ +(?:scenarios|\* default):.*|p\(\d+\)=",
        {
            r"^ +✓.*|^ +checks_.*": "checks, thresholds",
            r"^ +vus.*": "gauges",
            r"^ +queue_depth.*": "trends of a script that are no times",
            r"^ +data_.*": "bytes of the text",
        },
        r"3 out of 61",
        source="grafana/k6 037c16a: js/summary.js",
    ),
    "k6.json": Printed(
        r'"p\(\d+\)(?:<\d+)?":',
        {
            r'"root_group": \{[^\]]*\][^\]]*\][^}]*\}|"checks": \{[^}]*\}': "checks, thresholds",
            r'"vus": \{[^}]*\}': "gauges",
        },
        r'"(?:passes|fails)": \d+',
    ),
    "kafka_producer.txt": Printed(
        r"[\d.]+th\b",
        {r"^Warmup.*": "number of the warm-up", r"^1499 .*": "lines of intervals"},
        source="apache/kafka 0115368: tools/src/main/java/org/apache/kafka/tools/ProducerPerformance.java",
    ),
    "openmessaging.json": Printed(
        r'"\w+\d+pct" :|"[\d.]+" :',
        {r'"(?:publish|consume|backlog|endToEnd)\w*" : \[[^\]]*\]': "each ten seconds"},
        source="openmessaging/benchmark 2e24132: benchmark-framework/src/main/java/io/openmessaging/"
        "benchmark/TestResult.java",
    ),
    "rados_bench.txt": Printed(
        r"^hints.*|^Object prefix.*",
        {r"^ +\d+ +\d+ .*": "rows of seconds", r"^Removed.*|^Clean up.*": "cleaning up"},
        source="ceph/ceph 00647ff: src/common/obj_bencher.cc",
    ),
    "rados_bench.json": Printed(
        r'"object_prefix":"[^"]*"',
        {r'"datas":\[[^\]]*\]': "rows of seconds", r'"stddev_iops":"\d+"': "deviation of IOPS in JSON"},
        source="ceph/ceph 00647ff: src/common/obj_bencher.cc",
    ),
    "sockperf.txt": Printed(
        r"^\[ 0\].*|percentile [\d.]+ =|contains [\d.]+",
        {
            r"mean-ad=.*": "other measures of spread",
            r"\[Total Run\].*": "warm-up",
            r"# duplicated.*": "duplicates and order",
        },
        source="Mellanox/sockperf ed92afb (3.10): src/client.cpp",
    ),
    "elbencho.txt": Printed(
        r"[\d.]+%<=",
        {
            r"(?<=:) +[\d.]+m?s(?= +[\d.]+m?s$)|(?<=: {4}) +\d+(?= +\d+$)": "column of the first thread",
            r"CPU util.*": "shares of processors",
            r"Time ms each.*": "times of each thread",
            r"(?:Dirs|Files) total.*": "numbers of entries",
        },
        r"lat hist.*",
        source="breuner/elbencho d085b19 (3.1): source/Statistics.cpp",
    ),
    "filebench.txt": Printed(
        r"Filebench Version.*",
        {r"^\d+\.\d{3}: (?!IO).*|^\d+\.\d{3}:": "times of the log"},
        r"\t\[ .*\]",
        source="filebench/filebench 22620e6 (1.5): stats.c",
    ),
    "bonnie.csv": Printed("(?!)", {r"(?<=node,1,)\d+": "seed"}),
    "iozone.txt": Printed(
        r"^\t(?: +Version|\tCompiled|\tBuild|Run began|Time Res|Processor|File stride).*|64 bit|linux-AMD64",
        {},
    ),
    "crystal_disk_mark.txt": Printed(r"^\* .*|\(C\).*|^\[Mix\].*", {}),
    "esrally.md": Printed(
        r"\d+th percentile",
        {r"^\| +[^|]+\| +\| .*": "figures of the cluster"},
        source="elastic/rally 00038cc: esrally/reporter.py",
    ),
    "hammerdb.txt": Printed(
        r"Vuser 1:|P\d\d:",
        {r"MEDIAN ELAPSED.*|TOTAL: [\d.]+ms|RATIO: .*": "totals, ratios", r"SD: [\d.]+": "deviations"},
        source="TPC-Council/HammerDB 22ded31: modules/xtprof-1.0.tm",
    ),
    "benchbase.json": Printed(
        r'"\d+th Percentile',
        {r'"(?:Start t|Current T)imestamp.*': "when it ran"},
        source="cmu-db/benchbase 0338281: src/main/java/com/oltpbenchmark/util/ResultWriter.java",
    ),
    "pgbench.txt": Printed(
        r"\([\d.]+%\)|\((?:targets )?[\d.]+% of total\)|^progress: [\d.]+ s",
        {r"\d+ failed.*retries$": "failed, lag, skipped and retried of progress lines"},
        r"above the .*",
        source="postgres/postgres 0022622: src/bin/pgbench/pgbench.c",
    ),
    "sysbench.txt": Printed(
        r"LuaJIT.*|\(ms,\d+%\)|\d+th percentile|^ +\d+\.\d{3} \|",
        {r"\(avg/stddev\):.*": "fairness of threads"},
        source="akopytov/sysbench 3ceba0b: src/sysbench.c, src/db_driver.c, src/sb_histogram.c",
    ),
    "sysbench_fileio.txt": Printed(
        r"LuaJIT.*|\(ms,\d+%\)|\d+th percentile|^128 files.*|each 100 requests|\([\d.]+ MB/s\)",
        {},
        source="akopytov/sysbench 3ceba0b: src/tests/fileio/sb_fileio.c",
    ),
    "sysbench_memory.txt": Printed(
        r"LuaJIT.*|\d+th percentile",
        {r"\(avg/stddev\):.*": "fairness of threads"},
        source="akopytov/sysbench 3ceba0b: src/tests/memory/sb_memory.c",
    ),
    "redis_benchmark.txt": Printed(
        r'"save": .*|p\d\d', {}, r"[\d.]+% <= .*", source="redis/redis 01bddeb: src/redis-benchmark.c"
    ),
    "redis_benchmark.csv": Printed(r"p\d\d_", {}, source="redis/redis 01bddeb: src/redis-benchmark.c"),
    "memtier.txt": Printed(
        r"\[RUN #1\]|p[\d.]+ Latency",
        {r"\[RUN #1 100.*secs\]|ops, .*latency": "rates and latencies of the progress"},
        r"^(?:SET|GET|WAIT) .*",
        source="RedisLabs/memtier_benchmark 2f74d61 (2.3): run_stats.cpp",
    ),
    "memtier.json": Printed(
        r'"Compressed Histogram.*|"(?:Start|Finish) time.*|"p[\d.]+":',
        {
            r'"(?:MOVED|ASK)/sec.*': "redirections of a cluster",
            r'"KB/sec [RT]X": .*': "bytes by direction",
            r'"Accumulated Latency.*': "sums of latencies",
            r'"Connection Errors/sec.*': "rates of connection errors",
        },
        r'"Time-Serie": \{[^{}]*(?:\{[^}]*\}[^{}]*)*\}|"Waits": [^$]*',
        source="RedisLabs/memtier_benchmark 2f74d61 (2.3): run_stats.cpp",
    ),
    "scylla_bench.txt": Printed(
        r"[\d.]+th", {r"^ +\ds +\d+ +\d+ +\d+": "number of operations, rows and errors of a row"}
    ),
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
    return {str(run.tool) for name in PRINTED for run in read(from_path(FOLDER / name)).runs}


@pytest.mark.parametrize("name", PRINTED)
def test_every_number_of_the_source_is_read_or_named(name: str) -> None:
    printed = PRINTED[name]
    runs = read(from_path(FOLDER / name)).runs
    assert not [
        problem.reason for run in runs for problem in run.problems if "says that at" in problem.reason
    ]
    shown = set().union(*(_shown(run) for run in runs))
    name_of_tool = str(runs[0].tool).replace("wrk2", "wrk")  # the importer of wrk reads both
    (tool,) = [tool for tool in TOOLS if tool.name == name_of_tool]
    leaves = "; ".join(form.leaves for form in tool.forms)
    text = re.sub(r"(?<=\d),(?=\d{3}(?:\D|$))", "", (FOLDER / name).read_text())
    for pattern, words in printed.not_read.items():
        assert words in leaves
        assert re.search(pattern, text, re.MULTILINE), pattern
        text = re.sub(pattern, " ", text, flags=re.MULTILINE)
    text = re.sub(f"{printed.used}|{printed.aside}", " ", text, flags=re.MULTILINE)
    lost = {number for number in _NUMBER.findall(text) if number not in shown and float(number) > 0}
    lines = [(line, lost & set(_NUMBER.findall(line))) for line in text.splitlines()]
    assert [(line.strip(), sorted(numbers)) for line, numbers in lines if numbers] == []
