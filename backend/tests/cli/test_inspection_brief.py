"""The ten lines that a person reads: figures as printed, but none that its own table refutes."""

from typing import Any

import pytest
from backend.tests.importers.reading import SAMPLES

from tailroom.cli.inspection_brief import MOST_LINES, brief_lines
from tailroom.importers.inspection import inspect_sources
from tailroom.importers.source import from_bytes, from_path

SYSBENCH_04_FILES = """sysbench 0.4.12:  multi-threaded system evaluation benchmark

Number of threads: 1
Block size 4Kb
Operations performed:  600 Read, 400 Write, 1280 Other = 2280 Total
Read 2.3438Mb  Written 1.5625Mb  Total transferred 3.9062Mb  (17.81Mb/sec)
 4559.24 Requests/sec executed

Test execution summary:
    total time:                          0.2193s
    total number of events:              1000
    total time taken by event execution: 0.1000
    per-request statistics:
         min:                                  0.00ms
         avg:                                  0.10ms
         max:                                 31.12ms
         approx.  95 percentile:               0.27ms
"""
SYSBENCH_04_MEMORY = """sysbench 0.4.12:  multi-threaded system evaluation benchmark

Operations performed: 1048576 (2102418.13 ops/sec)

1024.00 MB transferred (2053.14 MB/sec)

Test execution summary:
    total time:                          0.4987s
    total number of events:              1048576
    per-request statistics:
         min:                                  0.00ms
         avg:                                  0.00ms
         max:                                  0.11ms
"""
ASLOGLATENCY = """{test}-read
Apr 09 2018 21:33:21
               % > (ms)
slice-to (sec)      1      8     64    ops/sec
-------------- ------ ------ ------ ----------
21:41:42   501  15.51   0.08   0.00     8852.5
21:50:04   502  14.29   0.08   0.00     8847.5
-------------- ------ ------ ------ ----------
     avg        14.90   0.08   0.00     8850.0
     max        15.51   0.08   0.00     8852.5
"""
WRK2 = """Running 1m test @ http://127.0.0.1/
  1 threads and 2 connections
  Thread calibration: mean lat.: 58.492ms, rate sampling interval: 127ms
  Latency Distribution (HdrHistogram - Recorded Latency)
 50.000%   53.31us
 99.000%   56.99ms

  Detailed Percentile spectrum:
       Value   Percentile   TotalCount 1/(1-Percentile)

      44.223     0.000000            1         1.00
      53.311     0.500000          250         2.00
      56.991     0.990000          500       100.00
      56.991     1.000000          500          inf
#[Mean    =       50.331, StdDeviation   =       24.976]
#[Max     =       56.960, Total count    =          500]
#[Buckets =           27, SubBuckets     =         2048]
  600 requests in 1.00m, 1.00MB read
Requests/sec:     10.00
"""
ASBENCH_CUT = "write_hist 2022-07-27T18:19:13Z, 1.00011s, 15702, 0:2755\n"
ASBENCH_NO_HEAD = """2021-08-01 10:00:01.000 INFO write(tps=10 timeouts=0 errors=0)
hdr: write 2021-08-01T08:00:01Z 1, 10, 17, 999, 101, 907
"""
JAVA = "2015-06-24 11:58:13.827 write(tps=6323 timeouts=0 errors=0) read(tps=6245 timeouts=0 errors=0) \
total(tps=12568 timeouts=0 errors=0)\n"
FIO_WINDOWS = "".join(f"{second}000, {second}12, 0, 0\n" for second in range(1, 9))
PGBENCH_NOT_MEASURED = """transaction type: <builtin: TPC-B (sort of)>
scaling factor: 1
query mode: simple
number of clients: 12
number of threads: 12
duration: 60 s
number of transactions actually processed: 32484
latency average = 22.203 ms
tps = 540.479109 (including connections establishing)
"""
YCSB_FAILED = """[OVERALL], RunTime(ms), 29770
[OVERALL], Throughput(ops/sec), 3.36
[READ], Operations, 100
[READ], AverageLatency(us), 7030.9
[READ], MinLatency(us), 2110
[READ], MaxLatency(us), 988159
[READ], 99thPercentileLatency(us), 49311
[READ], Return=OK, 4
[READ], Return=ERROR, 96
"""


def lines_of(text: str, name: str = "upload.txt") -> str:
    (found,) = inspect_sources([from_bytes(name, text.encode())], 3_600, (1_000_000,))
    return "\n".join(brief_lines(found.document, found.refusal))


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        (
            SYSBENCH_04_FILES,
            "f",
            "mean 0.10 ms, p95 0.27 ms, largest 31.12 ms\n  4559.24 operations a second",
        ),
        (SYSBENCH_04_MEMORY, "m", "largest 0.11 ms\n  2102418.13 operations a second"),
        (ASLOGLATENCY, "l", "on average 14.90 % over 1 ms, 0.08 % over 8 ms, 0.00 % over 64 ms\n  8850.0 op"),
        (ASBENCH_CUT, "a", "write: 15702 operations in 1 period"),
        (ASBENCH_NO_HEAD, "h", "which percentiles these are"),
        (JAVA, "j", "total: 12568 operations in 1 period"),
        (FIO_WINDOWS, "job_iops.1.log", "read: 112 to 812 operations a second in 8 periods"),
        (PGBENCH_NOT_MEASURED, "p", "22.203 ms a transaction, worked out from the rate and not measured"),
    ],
)
def test_what_is_printed_is_shown(text: str, name: str, words: str) -> None:
    assert words in lines_of(text, name)


def test_a_percentile_that_the_spectrum_refutes_is_not_shown_as_one() -> None:
    shown = lines_of(WRK2)
    assert "p50 44.2 ms to 53.4 ms" in shown or "mean" in shown
    assert "p50 53.31" not in shown
    assert "50.000% at 53.31 us does not match the spectrum" in shown


def test_percentiles_of_other_calls_are_not_those_of_a_run_in_which_most_failed() -> None:
    assert "49.311" not in lines_of(YCSB_FAILED)
    assert "p50 to p99.9 at least 988 ms" in lines_of(YCSB_FAILED)


def test_long_numbers_are_written_in_a_unit_that_a_person_reads() -> None:
    (found,) = inspect_sources([from_path(SAMPLES / "fio/randread.json")], 3_600, (1_000_000,))
    shown = "\n".join(brief_lines(found.document, found.refusal))
    assert " ns" not in shown.replace("µs", "").split("p50", 1)[1][:4]
    assert len(shown.splitlines()) <= MOST_LINES


def agent_run() -> dict[str, Any]:
    sample = SAMPLES / "agent" / "act-null-4s.ndjson"
    (found,) = inspect_sources([from_path(sample)], 3_600, (1_000_000,))
    return dict(found.document)


def test_figures_of_a_run_of_the_agent_are_those_of_its_device() -> None:
    lines = list(brief_lines(agent_run(), None))
    assert lines[2].startswith("  read: 8,000; response time p50 94 µs to 95 µs, p99 418 µs to 419 µs")


def test_a_bound_that_rounds_up_to_a_thousand_is_in_the_next_unit() -> None:
    document = agent_run()
    for series in document["series"]:
        series["quantiles"]["0.5"] |= {"lower_us": 998.6, "upper_us": 999.6}
    assert "response time p50 998 µs to 1 ms, p99" in "\n".join(brief_lines(document, None))


def test_several_devices_are_named() -> None:
    document = agent_run()
    others = [series | {"device": "second"} for series in document["series"]]
    lines = list(brief_lines(document | {"series": [*document["series"], *others]}, None))
    assert sum(line.startswith("  read on ") for line in lines) == 2


@pytest.mark.parametrize(
    ("rows", "last"), [(3, "1 more problem: --verbose"), (4, "2 more problems: --verbose")]
)
def test_problems_that_are_not_shown_are_counted(rows: int, last: str) -> None:
    text = "ALL STATS\n=====\nType  Ops/sec  Latency  KB/sec\n-----\n" + rows * "Sets  1.00\n"
    assert last in lines_of(text + "Totals  1.00  1.000  1.00\n")
