"""For each importer, files in which numbers mean little: one operation, a contradiction, two units, and a number
at the edge of its rounding. What cannot be in a tool's files is said with the reason.
"""
# ruff: noqa: E501 - lines are as long as the tools print them

import json
import re
from dataclasses import dataclass

from backend.tests.importers import act_logs, load_outputs
from backend.tests.importers.agent_results import agent_result
from backend.tests.importers.reading import SAMPLES

NS, US, MS, S = 1, 1_000, 1_000_000, 1_000_000_000


@dataclass(frozen=True)
class Case:
    """A file, the operation that it is about, and ends in nanoseconds that its median must not exclude."""

    text: str
    operation: str = ""
    ends: tuple[int, int] | None = None
    name: str = "upload.txt"
    count: int | None = None
    """Answered operations; none where the file does not say."""


@dataclass(frozen=True)
class Meaning:
    """The cases of an importer; a sentence where the tool's files cannot hold one."""

    one: Case | str
    contradiction: Case | str
    units: Case | str
    rounding: Case | str


def edited(sample: str, *replacements: tuple[str, str]) -> str:
    """A sample with other numbers; every replacement must find something."""
    text = (SAMPLES / sample).read_text()
    for pattern, other in replacements:
        text, found = re.subn(pattern, other, text, flags=re.MULTILINE)
        assert found, f"{sample}: {pattern}"
    return text


ONE_UNIT = "its files have one unit"
ACT = """ACT version 6.6
ACT-STORAGE CONFIGURATION
device-names: /dev/a
num-devices: 1
test-duration-sec: 2
report-interval-sec: 1
microsecond-histograms: no
HISTOGRAM NAMES
reads
/dev/a-reads
large-block-reads
large-block-writes
"""


def _act(*blocks: tuple[int, int]) -> str:
    """Blocks with a total and the count of the bucket from 1 to 2 ms."""
    text = ACT
    for second, (total, counted) in enumerate(blocks, 1):
        text += f"\nafter {second} sec:\nreads ({total} total)\n (01: {counted:010d})\n"
        text += "large-block-reads (0 total)\nlarge-block-writes (0 total)\n"
    return text + "\n"


def _hdr_rows(table: str) -> str:
    return f"       Value     Percentile TotalCount 1/(1-Percentile)\n\n{table}\n"


def _nosqlbench(rows: str) -> str:
    head = "t,count,max,mean,min,stddev,p50,p75,p95,p98,p99,p999,mean_rate,m1_rate,m5_rate,m15_rate,"
    return f"{head}rate_unit,duration_unit\n{rows}"


def _timer(t: int, p50: float, most: float, unit: str = "NANOSECONDS") -> str:
    return f"{t},1,{most},{p50},{p50},0.0,{p50},{p50},{p50},{p50},{p50},{p50},0.1,0.0,0.0,0.0,calls/SECONDS,{unit}\n"


def _iostat(await_ms: str) -> str:
    return (
        "Linux 6.1.0 (a) \t11/20/26 \t_x86_64_\t(8 CPU)\n\n"
        "Device  r/s  rkB/s  r_await  w/s  wkB/s  w_await  aqu-sz  %util\n"
        f"sda  1.00  4.00  {await_ms}  0.00  0.00  0.00  0.00  1.00\n"
    )


def _asadm(first: str, second: str) -> str:
    return (
        "~~~~~~~~~~~~~~~~~~Latency  (2026-11-20 12:30:00 UTC)~~~~~~~~~~~~~~~~~~\n"
        "Namespace|Histogram|          Node|ops/sec|>1ms|>8ms|>64ms\n"
        f"test     |read     |10.0.0.1:3000 |12000.1|{first}|{second}| 0.0\n"
    )


def _go(count: str, us: str) -> str:
    shares = ", ".join(f"{one}th(us): {us}" for one in ("50", "90", "95", "99", "99.9", "99.99"))
    return f"READ   - Takes(s): 1.0, Count: {count}, OPS: 1.0, Avg(us): {us}, Min(us): {us}, Max(us): {us}, {shares}\n"


def _redis(rows: str, requests: str) -> str:
    return (
        f"====== GET ======\n  {requests} requests completed in 0.48 seconds\n  1 parallel clients\n"
        f"\nLatency by percentile distribution:\n{rows}\n\nCumulative distribution of latencies:\n"
        "\nSummary:\n  throughput summary: 2.00 requests per second\n"
    )


def _hammerdb(calls: str, ms: str) -> str:
    return (
        "Vuser 1:2 Active Virtual Users configured\n"
        "Vuser 1:TEST RESULT : System achieved 1785 NOPM from 4109 PostgreSQL TPM\n"
        ">>>>> SUMMARY OF 2 ACTIVE VIRTUAL USERS : MEDIAN ELAPSED TIME : 127146ms\n>>>>> PROC: NEWORD\n"
        f"CALLS: {calls}\tMIN: {ms}ms\tAVG: {ms}ms\tMAX: {ms}ms\tTOTAL: {ms}ms\n"
        f"P99: {ms}ms\tP95: {ms}ms\tP75: {ms}ms\tP50: {ms}ms\tP25: {ms}ms\tSD: 0.000ms\tRATIO: 48.963%\n"
    )


def _benchbase(count: int, us: int) -> str:
    names = ("Minimum", "Average", "Median", "25th Percentile", "99th Percentile", "Maximum")
    times = ", ".join(f'"{name} Latency (microseconds)": {us}' for name in names)
    return (
        '{"Benchmark Type": "tpcc", "DBMS Type": "POSTGRES", "Final State": "EXIT", "terminals": "8", '
        f'"Measured Requests": {count}, "Elapsed Time (nanoseconds)": 60000123456, "Goodput (requests/second)": 99.5, '
        f'"Throughput (requests/second)": 100.25, "Latency Distribution": {{{times}}}}}\n'
    )


def _openmessaging(ms: str, median: str | None = None) -> str:
    shares = f'"50.0": {median or ms}, "100.0": {ms}'
    return (
        '{"workload": "w", "driver": "Kafka", "messageSize": 100, "publishRate": [9.5], '
        f'"aggregatedPublishLatencyAvg": {ms}, "aggregatedPublishLatency50pct": {median or ms}, '
        f'"aggregatedPublishLatencyMax": {ms}, "aggregatedPublishLatencyQuantiles": {{{shares}}}}}\n'
    )


def _kafka(count: str, ms: str) -> str:
    return (
        f"{count} records sent, 600.0 records/sec (0.29 MB/sec), {ms}.00 ms avg latency, {ms}.00 ms max latency.\n"
        f"{count} records sent, 599.880024 records/sec (0.29 MB/sec), {ms}.00 ms avg latency, {ms}.00 ms max latency, "
        f"{ms} ms 50th, {ms} ms 95th, {ms} ms 99th, {ms} ms 99.9th.\n"
    )


def _sockperf(count: str, us: str) -> str:
    rows = "".join(
        f"sockperf: ---> percentile {share} = {us:>8}\n" for share in ("99.900", "99.000", "50.000")
    )
    return (
        "sockperf: == version #3.10-23.gited92afb185e6 == \n"
        "sockperf: ========= Printing statistics for Server No: 0\n"
        f"sockperf: [Valid Duration] RunTime=0.550 sec; SentMessages={count}; ReceivedMessages={count}\n"
        f"sockperf: ====> avg-latency={us} (std-dev=0.000, mean-ad=0.000)\n"
        "sockperf: # dropped messages = 0; # duplicated messages = 0; # out-of-order messages = 0\n"
        f"sockperf: Summary: Latency is {us} usec\nsockperf: Total {count} observations; each percentile contains 0.01 observations\n"
        f"sockperf: ---> <MAX> observation = {us:>8}\n{rows}sockperf: ---> <MIN> observation = {us:>8}\n"
    )


def _rados(count: str, s: str) -> str:
    return (
        "hints = 1\nMaintaining 16 concurrent writes of 4194304 bytes to objects of size 4194304 for up to 10 seconds or 0 objects\n"
        f"Total time run:         10.2929\nTotal writes made:      {count}\nWrite size:             4194304\n"
        "Object size:            4194304\nBandwidth (MB/sec):     219.957\nStddev Bandwidth:       94.8676\n"
        "Max bandwidth (MB/sec): 364\nMin bandwidth (MB/sec): 0\nAverage IOPS:           54\n"
        f"Average Latency(s):     {s}\nStddev Latency(s):      0\nMax latency(s):         {s}\nMin latency(s):         {s}\n"
    )


def _rally(value: str, half: str | None = None) -> str:
    rows = "".join(
        f"{share} percentile {kind},search,{time},ms\n"
        for kind in ("latency", "service time")
        for share, time in (("50th", half or value), ("100th", value))
    )
    return f"Metric,Task,Value,Unit\nMean Throughput,search,50.5,ops/s\n{rows}error rate,search,0.0,%\n"


def _elbencho(ios: str, most: str, edge: str) -> str:
    return (
        "OPERATION   RESULT TYPE         FIRST DONE   LAST DONE\n"
        "=========== ================    ==========   =========\n"
        "READ        Elapsed time     :      1.001s      1.010s\n"
        f"            IOs total        :           1           {ios}\n"
        f"            IO latency       : [ min={most} avg={most} max={most} ]\n"
        f"            IO lat % us      : [ 1%<={edge} 50%<={edge} 99%<={edge} ]\n"
    )


def _crystal(mean: str) -> str:
    return (
        "CrystalDiskMark 8.0.4 x64 (C) 2007-2021 hiyohiyo\n\n[Read]\n"
        f"  RND    4KiB (Q=  1, T= 1):    84.311 MB/s [  20583.7 IOPS] < {mean} us>\n\n"
        "Profile: Default\n   Test: 1 GiB (x1) [D: 41% (381/932GiB)]\n"
    )


def _filebench(count: str, mean: str, most: str) -> str:
    return (
        "60.153: Per-Operation Breakdown\n"
        f"readfile1  {count}ops  1ops/s   2.2mb/s  {mean}ms/op [{mean}ms - {most}ms]\n"
        f"60.153: IO Summary: {count} ops 1.000 ops/s 1/0 rd/wr   2.2mb/s {mean}ms/op\n"
    )


def _bonnie(latency: str) -> str:
    rates, files = "711,99," * 6, "21044,61," * 6
    return f"1.97,1.97,node,1,1732105845,16G,,{rates}16,,,,,{files}{','.join([latency] * 12)}\n"


def _iozone(us: str) -> str:
    head = "write  rewrite    read    reread    read     write     read   rewrite      read   fwrite frewrite    fread  freread"
    return (
        "\tIozone: Performance Test of File I/O\n\tMicroseconds/op Mode. Output is in microseconds per operation.\n"
        f"{'kB':>16}  reclen    {head}\n{'102400':>16}{'4':>8}{us:>9}\n"
    )


def _diskspd(count: str, ms: str) -> str:
    row = f"      {ms} |        N/A |      {ms}"
    total = f"total:         4096 |        {count} |       0.01 |       1.00 |    {ms} |     0.000\n"
    names = ("min", "50th", "95th", "99th", "max")
    return (
        "\nCommand Line: diskspd -L x.dat\n\nResults for timespan 1:\nactual test time:\t1.00s\n"
        f"\nTotal IO\n{total}\nRead IO\n{total}\n"
        "total:\n  %-ile |  Read (ms) | Write (ms) | Total (ms)\n----------------------------------------------\n"
        + "".join(f"{name:>7} |{row}\n".replace("   max", "   max") for name in names)
    )


def _sketch(counts: dict[str, int], zeros: int) -> str:
    mapping = {"gamma": 1.02020202020202, "indexOffset": 0.0}
    return json.dumps({"mapping": mapping, "positiveValues": {"binCounts": counts}, "zeroCount": zeros})


def _page(name: str, *buckets: tuple[str, int]) -> str:
    """A page with one histogram."""
    rows = "".join(f'{name}_bucket{{le="{edge}"}} {count}\n' for edge, count in buckets)
    return f"# TYPE {name} histogram\n{rows}"


def _otlp(unit: str, bounds: list[float], counts: list[int], count: int | None = None) -> str:
    """An export request with one explicit histogram."""
    point = {
        "timeUnixNano": "1790000000000000000",
        "count": str(sum(counts) if count is None else count),
        "bucketCounts": [str(one) for one in counts],
        "explicitBounds": bounds,
    }
    histogram = {"aggregationTemporality": 2, "dataPoints": [point]}
    metric = {"name": "http.duration", "unit": unit, "histogram": histogram}
    return json.dumps({"resourceMetrics": [{"scopeMetrics": [{"metrics": [metric]}]}]})


def _fio_normal(count: str, unit: str, value: str) -> str:
    held = f"{value:>5}"
    return f"""job: (g=0): rw=randread, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=psync, iodepth=1
fio-3.33
Starting 1 process

job: (groupid=0, jobs=1): err= 0: pid=1: Sun Nov 22 11:18:18 2026
  read: IOPS=1, BW=4096B/s (4096B/s)(4096B/1001msec)
    clat percentiles {unit}:
     |  1.00th=[{held}],  5.00th=[{held}], 50.00th=[{held}], 95.00th=[{held}],
     | 99.00th=[{held}]
     issued rwts: total={count},0,0,0 short=0,0,0,0 dropped=0,0,0,0

Run status group 0 (all jobs):
   READ: bw=4096B/s (4096B/s), 4096B/s-4096B/s (4096B/s-4096B/s), io=4096B (4096B), run=1001-1001msec
"""


def _cassandra(count: str, ms: str) -> str:
    rows = "".join(
        f"Latency {name:<18}:    {ms} ms [READ: {ms} ms]\n"
        for name in ("mean", "median", "95th percentile", "99th percentile", "99.9th percentile", "max")
    )
    return (
        "Results:\nOp rate                   :   1 op/s  [READ: 1 op/s]\n"
        f"Partition rate            :   1 pk/s  [READ: 1 pk/s]\n{rows}"
        f"Total partitions          :   {count} [READ: {count}]\nTotal errors              :   0 [READ: 0]\n"
        "Total operation time      : 00:00:01\nEND\n"
    )


_SCYLLA_SAME = ((r"(max|99\.9th|99th|95th|90th|median|mean):\t(\t?) \S+", r"\1:\t\2 851.967µs"),)


_GROUPS = ("LARGE BLOCK READS", "LARGE BLOCK WRITES", "RAW READS", "/dev/sda", "READS")

MEANINGS: dict[str, Meaning] = {
    "latency-table": Meaning(
        one="its tables have no counts",
        contradiction=Case(_asadm("1.00", "5.00")),
        units=Case(_asadm("60.00", "1.00").replace(">1ms", ">64us"), "read", (100 * US, 100 * US)),
        rounding=Case(_asadm(" 0.00", " 0.00"), "read", None),
    ),
    "act": Meaning(
        one=Case(_act((1, 1)), "read", (MS, 2 * MS - 1), "act.log", 1),
        contradiction=Case(_act((1, 2)), name="act.log"),
        units=Case(
            _act((1, 1)).replace("microsecond-histograms: no", "microsecond-histograms: yes"),
            "read",
            (US, 2 * US - 1),
            "act.log",
            1,
        ),
        # Up to 2013 differences of whole milliseconds were counted: 0 is anything below 2 ms.
        rounding=Case(
            act_logs.log([{name: {0: 1} for name in _GROUPS}], generation="1", duration_s=1),
            "read",
            (0, 2 * MS - 1),
            "act.log",
        ),
    ),
    "asbench": Meaning(
        one=Case(
            "hdr histogram format:\n UTC-time, seconds-running, total, min-latency, max-latency, 50%, 99%\n"
            "2026-11-20 12:30:54.821 INFO write(tps=0 (hit=0 miss=0) timeouts=0 errors=0) "
            "read(tps=1 (hit=1 miss=0) timeouts=0 errors=0) total(tps=1 (hit=1 miss=0) timeouts=0 errors=0)\n"
            "hdr: read  2026-11-20T12:30:54Z 1, 1, 90, 90, 90, 90\n",
            "read",
            (90 * US, 91 * US - 1),
            count=1,
        ),
        contradiction=Case(
            "hdr histogram format:\n UTC-time, seconds-running, total, min-latency, max-latency, 50%, 99%\n"
            "hdr: read  2026-11-20T12:30:54Z 1, 1000, 90, 900, 5000, 6000\n"
        ),
        units=ONE_UNIT,
        rounding=Case(
            "hdr histogram format:\n UTC-time, seconds-running, total, min-latency, max-latency, 50%, 99%\n"
            "2026-11-20 12:30:54.821 INFO write(tps=0 (hit=0 miss=0) timeouts=0 errors=0) "
            "read(tps=1 (hit=1 miss=0) timeouts=0 errors=0) total(tps=1 (hit=1 miss=0) timeouts=0 errors=0)\n"
            "hdr: read  2026-11-20T12:30:54Z 1, 1, 0, 0, 0, 0\n",
            "read",
            (0, US - 1),
            count=1,
        ),
    ),
    "aerospike-java": Meaning(
        one=Case(
            edited(
                "aerospike_java/alternate.stdout.txt",
                (r"total\(4\)", "total(1)"),
                (
                    r"<=1ms\(1:25%\) >1ms\(3:75%\) >2ms\(2:50%\) >4ms\(1:25%\)",
                    "<=1ms(0:0%) >1ms(1:100%) >2ms(0:0%) >4ms(0:0%)",
                ),
            ),
            "read",
            (MS + 1, 2 * MS),
            count=1,
        ),
        contradiction=Case(edited("aerospike_java/alternate.stdout.txt", (r">2ms\(2:50%\)", ">2ms(9:50%)"))),
        units=Case(
            edited(
                "aerospike_java/alternate.stdout.txt",
                (r"total\(4\)", "total(1)"),
                (
                    r"<=1ms\(1:25%\) >1ms\(3:75%\) >2ms\(2:50%\) >4ms\(1:25%\)",
                    "<=900us(0:0%) >900us(1:100%) >2ms(0:0%) >4ms(0:0%)",
                ),
                (r"<=1ms(.*) >1ms", r"<=900us\1 >900us"),
            ),
            "read",
            (900 * US + 1, 2 * MS),
            count=1,
        ),
        rounding=Case(
            edited(
                "aerospike_java/j3.stdout.txt",
                (r"Avg Latency:\d+us", "Avg Latency:0us"),
                (r"\(avg:\d+us Min:\d+us Max:\d+us\)", "(avg:0us Min:0us Max:0us)"),
                (r"Latency:\d+ms", "Latency:0ms"),
            ),
            "",
            (0, US - 1),
        ),
    ),
    "wrk": Meaning(
        one=Case(
            edited("wrk/latency.txt", (r"96 requests in", "1 requests in")),
            "request",
            (43_965 * US, 43_975 * US),
        ),
        contradiction=Case(edited("wrk/latency.txt", (r"75%   44.01ms", "75%   33.01ms"))),
        units=Case(edited("wrk/latency.txt", (r"43\.97ms", "900.00us")), "request", (899_995, 900_005)),
        rounding=Case(edited("wrk/latency.txt", (r"43\.97ms", "0.00us")), "request", (0, 5)),
    ),
    "memtier": Meaning(
        one="its tables of shares have no counts",
        contradiction=Case(
            edited(
                "memtier/command.stdout.txt",
                (r"HSET      0\.391       50\.000", "HSET      0.391      150.000"),
            )
        ),
        units=ONE_UNIT,
        rounding=Case(
            edited("memtier/command.stdout.txt", (r"HSET      0\.391", "HSET      0.103")), "hset", None
        ),
    ),
    "ycsb-cpp": Meaning(
        one=Case(
            "2026-11-20 12:30:02 1 sec: 1 operations; [READ: Count=1 Max=90.12 Min=90.12 Avg=90.12 90=90.12 99=90.12]\n"
            "Run runtime(sec): 1.0\nRun operations(ops): 1\nRun throughput(ops/sec): 1\n",
            "read",
            (90_120, 90_130),
            count=1,
        ),
        contradiction=Case(
            "2026-11-20 12:30:02 1 sec: 9 operations; [READ: Count=9 Max=5.12 Min=90.12 Avg=3.00 90=80.12 99=7.12]\n"
            "Run throughput(ops/sec): 1\n"
        ),
        units=ONE_UNIT,
        rounding=Case(
            "2026-11-20 12:30:02 1 sec: 1 operations; [READ: Count=1 Max=0.00 Min=0.00 Avg=0.00 90=0.00 99=0.00]\n"
            "Run throughput(ops/sec): 1\n",
            "read",
            (0, 9),
        ),
    ),
    "go-ycsb": Meaning(
        one=Case(_go("1", "801"), "read", (801 * US, 802 * US - 1), count=1),
        contradiction=Case(_go("9", "801").replace("Max(us): 801", "Max(us): 7")),
        units=ONE_UNIT,
        rounding=Case(_go("1", "0"), "read", (0, US - 1)),
    ),
    "ycsb": Meaning(
        one=Case(
            "[OVERALL], Throughput(ops/sec), 1.0\n[READ], Operations, 1\n[READ], AverageLatency(us), 90.0\n"
            "[READ], MinLatency(us), 90\n[READ], MaxLatency(us), 90\n[READ], 95thPercentileLatency(us), 90\n"
            "[READ], 99thPercentileLatency(us), 90\n[READ], Return=OK, 1\n",
            "read",
            (90 * US, 91 * US - 1),
            count=1,
        ),
        contradiction=Case(
            "[OVERALL], Throughput(ops/sec), 1.0\n[READ], Operations, 9\n[READ], AverageLatency(us), 90.0\n"
            "[READ], MaxLatency(us), 90\n[READ], 95thPercentileLatency(us), 95\n[READ], Return=OK, 90\n"
        ),
        units=Case(
            "[OVERALL], Throughput(ops/sec), 1.0\n[READ], Operations, 9\n[READ], AverageLatency(us), 5500.0\n"
            "[READ], MinLatency(us), 5000\n[READ], MaxLatency(us), 5999\n[READ], 95thPercentileLatency(ms), 5\n",
            "read",
            (5_500 * US, 5_500 * US),
        ),
        rounding=Case(
            "[OVERALL], Throughput(ops/sec), 1.0\n[READ], Operations, 9\n[READ], MaxLatency(us), 1999\n"
            "[READ], 95thPercentileLatency(ms), 0\n[READ], 99thPercentileLatency(ms), 1\n",
            "read",
            (0, 900 * US),
        ),
    ),
    "redis-benchmark": Meaning(
        one=Case(
            _redis("100.000% <= 0.063 milliseconds (cumulative count 1)", "1"),
            "get",
            (56 * US, 63 * US),
            count=1,
        ),
        contradiction=Case(
            _redis(
                "50.000% <= 0.063 milliseconds (cumulative count 9)\n"
                "100.000% <= 0.095 milliseconds (cumulative count 5)",
                "9",
            )
        ),
        units=ONE_UNIT,
        # Up to 6.0 whole milliseconds, cut.
        rounding=Case(
            "====== GET ======\n  1 requests completed in 0.48 seconds\n  1 parallel clients\n  3 bytes payload\n"
            "  keep alive: 1\n\n100.00% <= 0 milliseconds\n2.08 requests per second\n\n",
            "get",
            (0, MS - 1),
        ),
    ),
    "vdbench": Meaning(
        one=Case(
            edited(
                "vdbench/histogram.html",
                (r"( < +[\d.]+) +[\d,]+ +[\d.]+ +[\d.]+", r"\1            0   0.0000   0.0000"),
                (
                    r"1\.000 < +8\.000 +0 +0\.0000 +0\.0000",
                    "1.000 <       8.000            1 100.0000 100.0000",
                ),
            ),
            "read",
            (MS, 8 * MS - 1),
            "histogram.html",
            1,
        ),
        contradiction=Case(
            edited("vdbench/histogram.html", (r"21,500  89\.7554", "99,500  89.7554")), name="histogram.html"
        ),
        units=ONE_UNIT,
        rounding=Case(
            edited(
                "vdbench/totals.html",
                (
                    r"0\.654    0\.706    0\.535   25\.017   11\.431    0\.542",
                    "0.000    0.000    0.000    0.000    0.000    0.000",
                ),
            ),
            "read",
            None,
            "totals.html",
        ),
    ),
    "diskspd": Meaning(
        one=Case(_diskspd("1", "0.445"), "read", (444_500, 445_500), count=1),
        contradiction=Case(_diskspd("9", "0.445").replace("max |      0.445", "max |      0.100")),
        units=ONE_UNIT,
        rounding=Case(_diskspd("1", "0.000"), "read", (0, 499)),
    ),
    "fio": Meaning(
        one=Case(_fio_normal("1", "(usec)", "90"), "read", (89_100, 90_100)),
        contradiction=Case(_fio_normal("5", "(usec)", "90").replace("99.00th=[   90]", "99.00th=[   10]")),
        units=Case(_fio_normal("5", "(msec)", "3"), "read", (2_500 * US, 3_000 * US)),
        rounding=Case(_fio_normal("5", "(msec)", "1"), "read", (600 * US, 999 * US)),
    ),
    "sysstat": Meaning(
        one="it prints rates and no counts",
        contradiction="means of an interval contradict nothing that it prints",
        units=ONE_UNIT,
        rounding=Case(_iostat("0.00"), "read", (0, 5_000)),
    ),
    "nosqlbench": Meaning(
        one=Case(_nosqlbench(_timer(100, 90_111.0, 90_111.0)), "result", (90_000, 90_111), "main_result.csv"),
        contradiction=Case(_nosqlbench(_timer(100, 90_111.0, 1_000.0)), name="main_result.csv"),
        units=Case(
            _nosqlbench(_timer(100, 90_111.0, 90_111.0) + _timer(110, 3.0, 3.0, "MILLISECONDS")),
            "result",
            (90_000, 90_111),
            "main_result.csv",
        ),
        rounding=Case(_nosqlbench(_timer(100, 0.4, 1.0)), "result", (0, 1), "main_result.csv"),
    ),
    "db_bench": Meaning(
        one=Case(
            "fillrandom   :      71.379 micros/op 24677 ops/sec 1.621 seconds 1 operations;    2.7 MB/s\n"
            "Microseconds per write:\nCount: 1 Average: 8.0000  StdDev: 0.00\nMin: 8  Median: 8.0000  Max: 8\n"
            "Percentiles: P50: 8.00 P75: 8.00 P99: 8.00 P99.9: 8.00 P99.99: 8.00\n"
            "------------------------------------------------------\n"
            "(       6,      10 ]        1 100.000% 100.000% ####################\n",
            "",
            (8 * US, 8 * US),
            count=1,
        ),
        contradiction=Case(
            "fillrandom   :      71.379 micros/op 24677 ops/sec 1.621 seconds 9 operations;    2.7 MB/s\n"
            "Microseconds per write:\nCount: 9 Average: 8.0000  StdDev: 0.00\nMin: 8  Median: 8.0000  Max: 8\n"
            "Percentiles: P50: 8.00 P75: 8.00 P99: 8.00 P99.9: 8.00 P99.99: 8.00\n"
            "------------------------------------------------------\n"
            "(       6,      10 ]        1 100.000% 100.000% ####################\n"
        ),
        units=ONE_UNIT,
        rounding=Case(
            "fillrandom   :      71.379 micros/op 24677 ops/sec 1.621 seconds 1 operations;    2.7 MB/s\n"
            "Microseconds per write:\nCount: 1 Average: 0.0000  StdDev: 0.00\nMin: 0  Median: 0.0000  Max: 0\n"
            "Percentiles: P50: 0.00 P75: 0.00 P99: 0.00 P99.9: 0.00 P99.99: 0.00\n"
            "------------------------------------------------------\n"
            "[       0,       1 ]        1 100.000% 100.000% ####################\n",
            "",
            (0, US - 1),
            count=1,
        ),
    ),
    "cassandra-stress": Meaning(
        one=Case(_cassandra("1", "0.9"), "read", (850 * US, 950 * US)),
        contradiction=Case(
            _cassandra("9", "0.9").replace(
                "max               :    0.9 ms [READ: 0.9", "max               :    0.1 ms [READ: 0.1"
            )
        ),
        units=ONE_UNIT,
        rounding=Case(_cassandra("1", "0.0"), "read", (0, 50 * US)),
    ),
    "scylla-bench": Meaning(
        one=Case(
            edited("stress/scylla.txt", (r"Total ops:\t 50010", "Total ops:\t 1"), *_SCYLLA_SAME),
            "read",
            (851_967, 851_967),
        ),
        contradiction=Case(edited("stress/scylla.txt", (r"median:\t 851\.967µs", "median:	 99ms"))),
        units=Case(
            edited("stress/scylla.txt", (r"median:\t 851\.967µs", "median:	 900ns")), "read", (900, 900)
        ),
        rounding=Case(edited("stress/scylla.txt", (_SCYLLA_SAME[0][0], r"\1:\t\2 0s")), "read", (0, 999_999)),
    ),
    "pgbench": Meaning(
        one=Case("0 1 90 0 1795178090 2241\n", "transaction", (90 * US, 91 * US - 1), "pgbench_log.1", 1),
        contradiction=Case(edited("pgbench/aggr.txt", (r"542/2108", "9542/2108"))),
        units=ONE_UNIT,
        rounding=Case(
            edited(
                "pgbench/aggr.txt",
                (r"latency average = 12\.846", "latency average = 0.000"),
                (r"stddev = 11\.541", "stddev = 0.000"),
            ),
            "transaction",
            None,
        ),
    ),
    "sysbench": Meaning(
        one=Case(
            edited(
                "sysbench/s1_cpu.txt",
                (r"events: +24830", "events:   1"),
                (r"(min:|avg:|max:|95th percentile:|sum:) +[\d.]+", r"\1    0.40"),
            ),
            "event",
            (400 * US, 400 * US),
            count=1,
        ),
        contradiction=Case(edited("sysbench/s1_cpu.txt", (r"max: +57\.04", "max:   0.10"))),
        units="milliseconds, whatever the test",
        rounding=Case(
            edited(
                "sysbench/s1_cpu.txt",
                (r"events: +24830", "events:   1"),
                (r"(min:|avg:|max:|95th percentile:|sum:) +[\d.]+", r"\1    0.00"),
            ),
            "event",
            (0, 4_999),
        ),
    ),
    "k6": Meaning(
        one=Case(load_outputs.k6([7_501_000]), "request", (7_500_000, 7_510_000), count=1),
        contradiction=Case(load_outputs.k6([7_500_000] * 9).replace("max=7.5ms", "max=0.5ms")),
        units=Case(load_outputs.k6([900_500]), "request", (900_500, 900_500), count=1),
        rounding=Case(load_outputs.k6([4]), "request", (4, 4), count=1),
    ),
    "hey": Meaning(
        one=Case(load_outputs.hey([7_501_000], S), "request", (7_450_001, 7_549_999), count=1),
        contradiction=Case(load_outputs.hey([7_500_000] * 9, S).replace("50% in 0.0075", "50% in 0.9075")),
        units=ONE_UNIT,
        rounding=Case(load_outputs.hey([40_000], S), "request", (0, 49_999), count=1),
    ),
    "oha": Meaning(
        one=Case(load_outputs.oha_json([7_501_000], S), "request", (7_501_000, 7_501_000), "o.json", 1),
        contradiction=Case(
            load_outputs.oha([7_500_000] * 9, S).replace("50.00% in 0.0075", "50.00% in 0.9075")
        ),
        units=Case(
            load_outputs.oha([7_500_000], S).replace("50.00% in 0.0075 sec", "50.00% in 7.5000 ms"),
            "request",
            (7_500_000, 7_500_000),
        ),
        rounding=Case(load_outputs.oha([40_000], S), "request", (0, 49_999), count=1),
    ),
    "ghz": Meaning(
        one=Case(load_outputs.ghz([7_501_000], S), "request", (7_501_000, 7_501_000), count=1),
        contradiction=Case(load_outputs.ghz([7_500_000] * 9, S).replace("50 % in 7.50", "50 % in 9.50")),
        units=Case(load_outputs.ghz([900_500], S), "request", (900_500, 900_500), count=1),
        rounding=Case(load_outputs.ghz_csv([4_000]), "request", (0, 4_999), count=1),
    ),
    "vegeta": Meaning(
        one=Case(load_outputs.vegeta([7_501_000], S), "request", (7_501_000, 7_501_000), count=1),
        contradiction=Case(
            load_outputs.vegeta([7_500_000] * 9, S).replace("  7.5ms, 7.5ms", "  7.5ms, 9.5ms")
        ),
        units=Case(load_outputs.vegeta([900_500], S), "request", (900_500, 900_500), count=1),
        rounding="durations of Go have three decimals of a unit that goes with the size",
    ),
    "bombardier": Meaning(
        one=Case(load_outputs.bombardier([7_501_300]), "request", (7_501_000, 7_501_999), count=1),
        contradiction=Case(
            load_outputs.bombardier([7_500_000] * 9).replace("50%     7.50ms", "50%     9.50ms")
        ),
        units=Case(load_outputs.bombardier([900_500]), "request", (900_000, 900_999), count=1),
        rounding=Case(load_outputs.bombardier([400]), "request", (0, 999), count=1),
    ),
    "ddsketch": Meaning(
        one=Case(_sketch({"-8": 1}, 1), "request", (0, 0), "a.json", 2),
        contradiction="counts of bins cannot contradict themselves",
        units="none is stated: seconds are taken and asked for",
        rounding=Case(_sketch({"-460": 1, "0": 1}, 1), "request", (101_000, 101_000), "a.json", 3),
    ),
    "prometheus": Meaning(
        one=Case(
            _page("http_seconds", ("0.09", 0), ("0.1", 1), ("+Inf", 1)),
            "http_seconds",
            (95 * MS, 95 * MS),
            count=1,
        ),
        contradiction=Case(_page("http_seconds", ("0.09", 2), ("0.1", 1), ("+Inf", 2))),
        units=Case(
            _page("http_milliseconds", ("90", 0), ("100", 1), ("+Inf", 1)),
            "http_milliseconds",
            (95 * MS, 95 * MS),
            count=1,
        ),
        rounding="edges are exact, and counts are whole",
    ),
    "opentelemetry": Meaning(
        one=Case(_otlp("s", [0.09, 0.1], [0, 1, 0]), "http.duration", (95 * MS, 95 * MS), count=1),
        contradiction=Case(_otlp("s", [0.09, 0.1], [0, 1, 0], count=2)),
        units=Case(_otlp("ms", [90, 100], [0, 1, 0]), "http.duration", (95 * MS, 95 * MS), count=1),
        rounding="edges are exact, and counts are whole",
    ),
    "hammerdb": Meaning(
        one=Case(_hammerdb("1", "36.332"), "neword", (36_332_000, 36_332_000), count=1),
        contradiction=Case(_hammerdb("9", "36.332").replace("AVG: 36.332", "AVG: 99.332")),
        units="milliseconds, whatever the size",
        rounding=Case(_hammerdb("1", "0.000"), "neword", (0, 499)),
    ),
    "benchbase": Meaning(
        one=Case(_benchbase(1, 4051), "transaction", (4_051_000, 4_051_999), "a.summary.json", 1),
        contradiction=Case(
            _benchbase(9, 4051).replace(
                '"Median Latency (microseconds)": 4051', '"Median Latency (microseconds)": 9999'
            )
        ),
        units=ONE_UNIT,
        rounding=Case(_benchbase(1, 0), "transaction", (0, 999), "a.summary.json", 1),
    ),
    "openmessaging-benchmark": Meaning(
        one=Case(_openmessaging("4.051"), "publish", (4_051_000, 4_051_999), "a.json"),
        contradiction=Case(_openmessaging("4.051", "9.999"), name="a.json"),
        units="milliseconds for messages, microseconds for how late they were sent, whatever the size",
        rounding=Case(_openmessaging("0.001"), "publish", (1_000, 1_999), "a.json"),
    ),
    "kafka-producer": Meaning(
        one=Case(_kafka("1", "3"), "request", (2_000_000, 3_999_999), count=1),
        contradiction=Case(_kafka("9", "3").replace("3 ms 50th", "30 ms 50th")),
        units="milliseconds by its words",
        rounding=Case(_kafka("1", "0"), "request", (0, 999_999), count=1),
    ),
    "rados-bench": Meaning(
        one=Case(_rados("1", "0.289531"), "write", (289_531_000, 289_531_000), count=1),
        contradiction=Case(
            _rados("9", "0.289531").replace("Average Latency(s):     0.289531", "Average Latency(s):     9.5")
        ),
        units="seconds by its words",
        rounding=Case(_rados("1", "1e-06"), "write", (1_000, 1_000), count=1),
    ),
    "esrally": Meaning(
        one=Case(_rally("9.25"), "search", (0, 9_255_000)),
        contradiction="percentiles below the 100th are not used",
        units=ONE_UNIT,
        rounding=Case(_rally("0.001"), "search", (0, 1_500)),
    ),
    "elbencho": Meaning(
        one=Case(_elbencho("1", "99us", "108"), "read", (99_000, 99_999), count=1),
        contradiction=Case(_elbencho("9", "99us", "304")),
        units=Case(_elbencho("1", "2.05ms", "2435"), "read", (2_050_000, 2_050_000), count=1),
        rounding=Case(_elbencho("1", "0us", "1.2"), "read", (0, 999), count=1),
    ),
    "crystaldiskmark": Meaning(
        one=Case(_crystal("48.47"), "read", (48_470, 48_470)),
        contradiction="a mean cannot contradict itself",
        units=ONE_UNIT,
        rounding=Case(_crystal("0.01"), "read", (10, 10)),
    ),
    "filebench": Meaning(
        one=Case(_filebench("1", "0.063", "0.063"), "readfile1", (62_501, 63_499), count=1),
        contradiction=Case(_filebench("9", "9.063", "0.063")),
        units=ONE_UNIT,
        rounding=Case(_filebench("1", "0.001", "0.001"), "readfile1", (501, 1_499), count=1),
    ),
    "bonnie++": Meaning(
        one=Case(_bonnie("12031us"), "rewrite", (0, 12_031_999)),
        contradiction="of each test a single time is printed",
        units=Case(_bonnie("112ms"), "rewrite", (0, 112_999_999)),
        rounding=Case(_bonnie("1us"), "rewrite", (0, 1_999)),
    ),
    "iozone": Meaning(
        one=Case(_iozone("83"), "write", (83_000, 83_999)),
        contradiction="a mean cannot contradict itself",
        units=ONE_UNIT,
        rounding=Case(_iozone("1"), "write", (1_000, 1_999)),
    ),
    "sockperf": Meaning(
        one=Case(_sockperf("1", "5.975"), "message", (5_975, 5_975), count=1),
        contradiction=Case(_sockperf("9", "5.975").replace("avg-latency=5.975", "avg-latency=9.975")),
        units="microseconds by its words",
        rounding=Case(_sockperf("1", "0.000"), "message", (0, 0), count=1),
    ),
    "agent-result": Meaning(
        one=Case(agent_result(90_500), "read", (90_500, 90_500), "r.ndjson", 1),
        contradiction=Case(agent_result(90_500, 91_500, count=3), name="r.ndjson"),
        units=Case(agent_result(900, unit_ns=1), "read", (900, 900), "r.ndjson", 1),
        rounding=Case(agent_result(1, 999), "read", (1, 999), "r.ndjson", 2),
    ),
    "hdr-log": Meaning(
        one=Case(
            _hdr_rows(
                "     90.000 0.000000000000          1           1.00\n     90.000 1.000000000000          1\n"
            ),
            "",
            (90 * US, 90 * US),
            count=1,
        ),
        contradiction=Case(
            _hdr_rows(
                "     90.000 0.500000000000          9           2.00\n     95.000 1.000000000000          5\n"
            )
        ),
        units="one unit, which is asked for where it is not stated",
        rounding=Case(
            _hdr_rows(
                "      0.00 0.500000000000          1           2.00\n     95.00 1.000000000000          2\n"
            ),
            "",
            None,
        ),
    ),
    "distribution": Meaning(
        one=Case(
            '{"op": "read", "layout": {"t": "knots"}, "n": 1, "percentiles": [[0.5, 90000]]}',
            "read",
            (90_000, 90_000),
            "d.json",
            1,
        ),
        contradiction=Case(
            '{"op": "read", "layout": {"t": "knots"}, "n": 9, "percentiles": [[0.5, 90000], [0.9, 80000]]}',
            name="d.json",
        ),
        units="nanoseconds by its contract",
        rounding="whole nanoseconds by its contract",
    ),
}


def _agent_without_intervals() -> str:
    """An agent's result that was announced, measured nothing and ended."""
    lines = (SAMPLES / "agent/act-null-4s.ndjson").read_text().splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith('{"intervals"'))


WITHOUT_OPERATIONS: dict[str, Case] = {
    "agent-result": Case(_agent_without_intervals(), name="result.ndjson"),
    "distribution": Case(
        '{"op": "read", "layout": {"t": "knots"}, "n": 0, "percentiles": [[0.5, 90000]]}', name="d.json"
    ),
    "hdr-log": Case((SAMPLES / "hdr_log/ycsb_empty.hdr").read_text(), name="ycsb.hdr"),
}
"""Files of no operation where zeros for digits do not make one."""
