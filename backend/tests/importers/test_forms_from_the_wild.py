"""Forms in which strangers have their results: each is read as it stands, or refused with a helpful sentence."""

# ruff: noqa: E501 - lines are as long as the tools print them

import gzip
import json

import pytest
from backend.tests.cli.test_inspection_brief import lines_of
from backend.tests.importers.reading import SAMPLES, run_of_text

from tailroom.importers.importer import FormatUnknown
from tailroom.importers.opening import open_bytes
from tailroom.importers.parsed_run import ParsedRun, ParsedSeries, Severity
from tailroom.importers.registry import read

DISKSPD = """Command Line: diskspd.exe -L -w100 E:\\a.dat F:\\b.dat

Results for timespan 1:
*******************************************************************************
actual test time:       10.00s

Write IO
thread |       bytes     |     I/Os     |    MiB/s   |  I/O per s |  AvgLat  | LatStdDev |  file
------------------------------------------------------------------------------------------------
     0 |         4096000 |         1000 |       0.39 |     100.00 |    1.000 |     0.500 | E:\\a.dat (1GiB)
     1 |         4096000 |         1000 |       0.39 |     100.00 |    5.000 |     0.500 | F:\\b.dat (1GiB)
------------------------------------------------------------------------------------------------
total:           8192000 |         2000 |       0.78 |     200.00 |    3.000 |     2.100

E:\\a.dat
  %-ile |  Read (ms) | Write (ms) | Total (ms)
----------------------------------------------
    min |        N/A |      0.100 |      0.100
   50th |        N/A |      0.900 |      0.900
    max |        N/A |      2.000 |      2.000

F:\\b.dat
  %-ile |  Read (ms) | Write (ms) | Total (ms)
----------------------------------------------
    min |        N/A |      4.000 |      4.000
   50th |        N/A |      4.900 |      4.900
    max |        N/A |      9.000 |      9.000

total:
  %-ile |  Read (ms) | Write (ms) | Total (ms)
----------------------------------------------
    min |        N/A |      0.100 |      0.100
   50th |        N/A |      3.000 |      3.000
    max |        N/A |      9.000 |      9.000
"""


def _median(series: ParsedSeries) -> list[str]:
    return [one.printed for one in series.printed if one.quantile == 0.5]


def _printed(run: ParsedRun, quantity: str) -> list[str]:
    return [one.printed for one in run.claims if one.quantity == quantity]


def test_tables_of_single_targets_of_diskspd_are_series_of_their_own() -> None:
    run = run_of_text(DISKSPD)
    assert {(one.device, one.operation): _median(one) for one in run.series} == {
        (None, "write"): ["3.000 ms"],
        ("E:\\a.dat", "write"): ["0.900 ms"],
        ("F:\\b.dat", "write"): ["4.900 ms"],
    }
    assert [one.record.total for one in run.series] == [2000, None, None]
    assert not [one for one in run.problems if one.severity != "note"]


def test_xml_of_diskspd_without_latencies_is_whole_and_says_how_many() -> None:
    target = "<Target><ReadCount>{}</ReadCount><WriteCount>0</WriteCount></Target>"
    text = (
        "<Results>\n<TimeSpan>\n<TestTimeSeconds>30.02</TestTimeSeconds>\n"
        f"<Thread>\n{target.format(1000)}\n</Thread>\n<Thread>\n{target.format(234)}\n</Thread>\n"
        "</TimeSpan>\n</Results>\n"
    )
    words = lines_of(text, "x.xml")
    assert "Complete: the results were printed." in words
    assert "read: 1,234 operations" in words


def test_the_foot_of_a_percentile_table_may_be_indented() -> None:
    table = """ Value   Percentile   TotalCount 1/(1-Percentile)

       1.000     0.500000         1000           2.00
       9.000     1.000000         2000
   #[Mean    =        2.500, StdDeviation   =        1.100]
   #[Max     =        9.000, Total count    =         2000]
   #[Buckets =           27, SubBuckets     =         2048]
"""
    run = run_of_text(table)
    assert _printed(run, "latency_mean_ns") == ["2.500"]
    assert _printed(run, "latency_max_ns") == ["9.000"]
    assert run.state == "finished"


@pytest.mark.parametrize("indent", [None, 1, 2, "\t"])
def test_json_of_iostat_may_be_laid_out_anew(indent: int | str | None) -> None:
    """`jq`, `json.dumps` and pretty printers change nothing but blanks."""
    text = (SAMPLES / "sysstat/iostat.json").read_text()
    before, again = run_of_text(text), run_of_text(json.dumps(json.loads(text), indent=indent))
    assert [float(one.printed) for one in again.claims] == [float(one.printed) for one in before.claims]
    assert [len(one.periods) for one in again.series] == [len(one.periods) for one in before.series] == [2, 2]
    assert again.started_at == before.started_at


def test_json_of_mpstat() -> None:
    load = {"cpu": "all", "usr": 50.01, "iowait": 0.25, "idle": 49.74}
    one = {"cpu": "0", "usr": 99.9, "iowait": 0.0, "idle": 0.1}
    reports = [
        {"timestamp": f"18:01:0{second}", "cpu-load": [load, one], "sum-interrupts": [{"cpu": "all"}]}
        for second in (5, 6, 7)
    ]
    host = {"nodename": "a", "number-of-cpus": 2, "date": "2026-11-20", "statistics": reports}
    run = run_of_text(json.dumps({"sysstat": {"hosts": [host]}}))
    assert run.format == "mpstat-json"
    assert _printed(run, "cpu_idle_percent_min") == ["49.74"]
    (busy,) = [one for one in run.courses if one.quantity == "cpu_busy_percent" and one.subject == "CPU"]
    assert busy.values == (50.26, 50.26)
    assert busy.duration_ns == (10**9, 10**9)


def test_json_of_sadf_has_its_zone() -> None:
    reports = [
        {
            "timestamp": {"date": "2026-11-20", "time": f"09:3{minute}:00", "utc": 1, "interval": 60},
            "cpu-load": [{"cpu": "all", "user": 1.0, "iowait": 0.5, "idle": 98.5}],
            "disk": [{"disk-device": "sda", "tps": 5.0, "await": 1.25, "aqu-sz": 0.1, "util-percent": 7.5}],
        }
        for minute in (4, 5)
    ]
    hosts = [{"nodename": "a", "file-date": "2026-11-20", "statistics": reports}]
    run = run_of_text(json.dumps({"sysstat": {"sysdata-version": 2.15, "hosts": hosts}}))
    assert run.format == "sar-json"
    assert _printed(run, "device_busy_percent_max") == ["7.5"]
    (wait,) = run.series
    assert (wait.device, wait.operation) == ("sda", "all")


def test_iostat_with_devices_at_the_end_and_no_waits_is_known() -> None:
    head = "Linux 6.1.0 (bench-1) \t11/20/2026 \t_x86_64_\t(8 CPU)\n\n"
    table = "      tps    kB_read/s    kB_wrtn/s    kB_dscd/s    kB_read    kB_wrtn    kB_dscd Device\n"
    words = lines_of(
        head
        + table
        + "     8.59       222.1k        57.1k         0.0k       1.5G     400.9M       0.0k sda\n"
    )
    assert "sysstat (iostat)" in words
    assert "no waiting times" in words


def test_the_summary_of_redis_benchmark_alone() -> None:
    text = """Summary:
  throughput summary: 121951.22 requests per second
  latency summary (msec):
          avg       min       p50       p95       p99       max
        0.228     0.056     0.215     0.359     0.519     1.215
"""
    for part in (text, text.partition("\n")[2], text.partition("second\n")[2]):
        run = run_of_text(part)
        (series,) = run.series
        assert (series.operation, series.record.total) == ("all", None)
        printed = _printed(run, "latency_quantile_ns")
        assert printed == ["0.215 ms", "0.359 ms", "0.519 ms"]
        assert "the command is not named" in run.problems[0].reason
    assert _printed(run_of_text(text), "throughput_ops_per_s") == ["121951.22"]


def test_wrk_of_a_number_of_requests() -> None:
    run = run_of_text("""Making 100000 requests to http://localhost:8080/index.html
  12 threads and 400 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency   439.75us  350.49us   7.60ms   92.88%
    Req/Sec    61.13k     8.26k   72.00k    87.54%
  100000 requests in 7.91s, 177MB read
Requests/sec: 748868.53
Transfer/sec:    606.33MB
""")
    assert (run.tool, run.parameters["requests"], run.parameters["connections"]) == ("wrk", 100000, 400)
    assert _printed(run, "operation_count") == ["100000"]
    assert _printed(run, "latency_mean_ns") == ["439.75 us"]


def test_progress_alone_shows_what_it_prints() -> None:
    words = lines_of(
        "progress: 1.0 s, 7.0 tps, lat 435.396 ms stddev 120.347\n"
        "progress: 2.0 s, 14.0 tps, lat 1038.548 ms stddev 334.855\n"
    )
    assert "7.0 to 14.0 operations a second in 2 periods" in words
    assert "435.396 ms to 1038.548 ms in 2 periods" in words


def test_a_table_that_a_terminal_wrote_with_cursor_moves() -> None:
    """`script` records what a terminal was sent: blanks as moves of the cursor."""
    run = run_of_text(
        "ALL STATS\r\n=====\r\n"
        "Type\x1b[9COps/sec     Hits/sec   Misses/sec      Latency\x1b[7CKB/sec\r\n"
        "------------------------------------------------------------------------\r\n"
        "Sets\x1b[12C0.00\x1b[10C---\x1b[10C---      0.00000\x1b[9C0.00\r\n"
        "Gets\x1b[7C107178.17    107178.17\x1b[9C0.00      9.52600      7629.00\r\n"
        "Waits\x1b[11C0.00\x1b[10C---\x1b[10C---      0.00000\x1b[10C---\r\n"
        "Totals     107178.17    107178.17\x1b[9C0.00      9.52600      7629.00\r\n"
    )
    assert [one.operation for one in run.series] == ["get"]
    assert "107178.17" in _printed(run, "throughput_ops_per_s")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "              disk0       cpu    load average\n    KB/t  tps  MB/s  us sy id   1m   5m   15m\n",
            "iostat of macOS",
        ),
        ('"Dstat 0.7.2 CSV output"\n"Host:","a"\n', "dstat"),
        ("This is ApacheBench, Version 2.3\nRequests per second:    12.34 [#/sec] (mean)\n", "ApacheBench"),
        ("HammerDB CLI v4.3\nVuser 1:TEST RESULT : System achieved 1 NOPM\n", "HammerDB"),
    ],
)
def test_what_is_not_read_is_named(text: str, words: str) -> None:
    with pytest.raises(FormatUnknown, match=words):
        run_of_text(text)


def test_a_folder_and_a_licence_name_no_tool() -> None:
    with pytest.raises(FormatUnknown) as refusal:
        run_of_text("Redistribution and use in source and binary forms, with or without modification\n")
    assert "redis" not in str(refusal.value)


MANUAL = """'\\" t
.\\" Title: pgbench
.TH "PGBENCH" "1" "2026" "PostgreSQL 18" "PostgreSQL 18 Documentation"
.SH "DESCRIPTION"
The output of pgbench looks like this:
transaction type: <builtin: TPC\\-B (sort of)>
scaling factor: 10
number of clients: 10
number of transactions actually processed: 10000/10000
latency average = 11\\&.013 ms
tps = 896\\&.967014 (without initial connection time)
"""


@pytest.mark.parametrize(
    "text",
    [
        MANUAL,
        "PGBENCH(1)   PostgreSQL 18 Documentation   PGBENCH(1)\n\nNAME\n       pgbench - run a benchmark\n\nSYNOPSIS\n"
        "       pgbench [option...]\n" + (SAMPLES / "pgbench/tpcb.txt").read_text(),
        "import unittest\nfrom tools import parser\n\nOUTPUT = '''\n"
        + (SAMPLES / "pgbench/tpcb.txt").read_text()
        + "'''\n",
        "#! /bin/sh\n# Sums up what pgbench prints:\n" + (SAMPLES / "pgbench/tpcb.txt").read_text(),
        "It helps to know what each of the lines of a summary of this tool says.\n" * 30
        + (SAMPLES / "pgbench/tpcb.txt").read_text(),
    ],
    ids=["man page as stored", "man page as shown", "program", "script", "post"],
)
def test_an_example_in_a_text_is_no_run(text: str) -> None:
    with pytest.raises(FormatUnknown, match="it is a text or program about pgbench, not its output"):
        run_of_text(text)


def test_a_packed_manual_is_no_run() -> None:
    (source,) = open_bytes("pgbench.1.gz", gzip.compress(MANUAL.encode()))
    with pytest.raises(FormatUnknown, match="text or program about pgbench"):
        read(source)


def test_what_a_post_has_inside_its_fences_was_copied() -> None:
    told = "It helps to know what each of the lines of a summary of this tool says.\n" * 30
    run = run_of_text(f"{told}```\n{(SAMPLES / 'pgbench/tpcb.txt').read_text()}```\n")
    assert run.tool == "pgbench"
    with pytest.raises(FormatUnknown, match="text or program about pgbench"):
        run_of_text(f"{told}```\npgbench -c 4\n```\n{(SAMPLES / 'pgbench/tpcb.txt').read_text()}")


def test_a_dashboard_names_no_tool() -> None:
    text = json.dumps(
        {"panels": [{"targets": [{"expr": "rate(http_servicetime_bucket[1m])"}]}], "title": "servicetime"},
        indent=1,
    )
    with pytest.raises(FormatUnknown) as refusal:
        run_of_text(text.replace("http_servicetime", "http.servicetime"))
    assert "nosqlbench" not in str(refusal.value)


def test_buckets_of_fio_that_contradict_its_percentiles_are_left_out() -> None:
    """Seen with 3.7: of two operations of more than a second no bucket is printed."""
    run = run_of_text(FIO_BUCKETS)
    (series,) = [one for one in run.series if one.source_name == "clat"]
    assert [one.printed for one in series.printed if one.quantile == 0.5] == ["963 µs"]
    assert series.record.total == 20255
    assert any("buckets contradict percentiles" in one.reason for one in run.problems)


FIO_BUCKETS = """job: (g=0): rw=read, bs=(R) 64.0KiB-64.0KiB, (W) 64.0KiB-64.0KiB, (T) 64.0KiB-64.0KiB, ioengine=libaio, iodepth=1
fio-3.7
Starting 1 process

job: (groupid=0, jobs=1): err= 0: pid=9944: Mon Aug 17 15:11:35 2026
   read: IOPS=675, BW=42.2MiB/s (44.2MB/s)(1266MiB/30001msec)
    clat (usec): min=648, max=1464.9k, avg=1460.45, stdev=18758.77
    clat percentiles (usec):
     |  1.00th=[    742],  5.00th=[    791], 10.00th=[    816],
     | 50.00th=[    963], 90.00th=[   1303], 95.00th=[   1369],
     | 99.00th=[   7242], 99.50th=[   9634], 99.90th=[  14615],
     | 99.95th=[  42730], 99.99th=[1468007]
  lat (usec)   : 750=1.34%, 1000=53.66%
  lat (msec)   : 2=43.04%, 4=0.33%, 10=1.18%, 20=0.39%, 50=0.01%
  lat (msec)   : 100=0.01%, 250=0.01%, 500=0.02%
     issued rwts: total=20255,0,0,0 short=0,0,0,0 dropped=0,0,0,0

Run status group 0 (all jobs):
   READ: bw=42.2MiB/s (44.2MB/s), 42.2MiB/s-42.2MiB/s (44.2MB/s-44.2MB/s), io=1266MiB (1327MB), run=30001-30001msec
"""


def test_a_sign_that_was_typed_before_json_of_fio_is_no_part_of_it() -> None:
    plain = (SAMPLES / "fio/randread.json").read_text()
    assert run_of_text(f">{plain}").series[0].record == run_of_text(plain).series[0].record


def test_times_of_the_day_with_commas_are_times() -> None:
    rows = "".join(
        f"13,17,{second}        all      0,45      0,00      0,12      1,18      0,00     98,24\n"
        for second in (46, 51, 56)
    )
    run = run_of_text(
        "Linux 2.6.37.1-1.2-desktop (db-1) \t17.04.2026 \t_x86_64_\t(16 CPU)\n\n"
        f"13,17,41        CPU     %user     %nice   %system   %iowait    %steal     %idle\n{rows}"
    )
    assert run.duration_ns == 15_000_000_000
    assert _printed(run, "cpu_idle_percent_min") == ["98.24"]


def test_shares_in_steps_are_looked_for_also_with_two_decimals() -> None:
    """Builds of memtier just before 1.4: a histogram of HdrHistogram, with the decimals of before."""
    steps = [
        ("0.279", "0.00"),
        *((f"{1 + one / 10:.3f}", f"{one * 5}.00") for one in range(1, 11)),
        ("2.975", "98.91"),
        ("2.991", "98.98"),
        ("9.023", "100.00"),
    ]
    rows = "".join(f"GET       {time}        {share}\n" for time, share in steps)
    run = run_of_text(
        "ALL STATS\n" + "=" * 100 + "\n"
        "Type         Ops/sec     Hits/sec   Misses/sec    Avg. Latency     p50 Latency     p99 Latency       KB/sec \n"
        + "-"
        * 100
        + "\n"
        "Gets        86638.24     13005.02     73633.22         1.72807         1.99900         2.99100     16523.21 \n"
        "Totals      86638.24     13005.02     73633.22         1.72693         1.99900         2.99100     16523.21 \n\n\n"
        "Request Latency Distribution\nType     <= msec         Percent\n" + "-" * 72 + f"\n{rows}"
    )
    (series,) = run.series
    assert series.operation == "get"
    assert [one.reason for one in run.problems if one.severity is not Severity.NOTE] == []
