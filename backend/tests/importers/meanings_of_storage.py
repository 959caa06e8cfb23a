"""Cases of tools for drives and file systems, and of histograms."""
# ruff: noqa: E501 - lines are as long as the tools print them

import json

from backend.tests.importers import act_logs
from backend.tests.importers.agent_results import agent_result
from backend.tests.importers.meaning_cases import MS, ONE_UNIT, US, Case, Meaning, edited

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


def _iostat(await_ms: str) -> str:
    return (
        "Linux 6.1.0 (a) \t11/20/26 \t_x86_64_\t(8 CPU)\n\n"
        "Device  r/s  rkB/s  r_await  w/s  wkB/s  w_await  aqu-sz  %util\n"
        f"sda  1.00  4.00  {await_ms}  0.00  0.00  0.00  0.00  1.00\n"
    )


def _rados(count: str, s: str) -> str:
    return (
        "hints = 1\nMaintaining 16 concurrent writes of 4194304 bytes to objects of size 4194304 for up to 10 seconds or 0 objects\n"
        f"Total time run:         10.2929\nTotal writes made:      {count}\nWrite size:             4194304\n"
        "Object size:            4194304\nBandwidth (MB/sec):     219.957\nStddev Bandwidth:       94.8676\n"
        "Max bandwidth (MB/sec): 364\nMin bandwidth (MB/sec): 0\nAverage IOPS:           54\n"
        f"Average Latency(s):     {s}\nStddev Latency(s):      0\nMax latency(s):         {s}\nMin latency(s):         {s}\n"
    )


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


_GROUPS = ("LARGE BLOCK READS", "LARGE BLOCK WRITES", "RAW READS", "/dev/sda", "READS")


STORAGE_MEANINGS: dict[str, Meaning] = {
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
    "rados-bench": Meaning(
        one=Case(_rados("1", "0.289531"), "write", (289_531_000, 289_531_000), count=1),
        contradiction=Case(
            _rados("9", "0.289531").replace("Average Latency(s):     0.289531", "Average Latency(s):     9.5")
        ),
        units="seconds by its words",
        rounding=Case(_rados("1", "1e-06"), "write", (1_000, 1_000), count=1),
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
    "iozone": Meaning(
        one=Case(_iozone("83"), "write", (83_000, 83_999)),
        contradiction="a mean cannot contradict itself",
        units=ONE_UNIT,
        rounding=Case(_iozone("1"), "write", (1_000, 1_999)),
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
