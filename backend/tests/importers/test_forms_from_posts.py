"""Pieces of output as people paste them into threads: without head or end, behind a logger, of tools nobody reads."""

# ruff: noqa: E501 - lines are as long as the tools print them

import pytest
from backend.tests.cli.test_inspection_brief import lines_of
from backend.tests.importers.reading import SAMPLES, claim, holds, run_of, run_of_text, runs_of_text, series

from tailroom.importers.importer import FormatUnknown
from tailroom.importers.registry import read
from tailroom.importers.source import from_bytes, from_path

STRESS_HEAD = "type,      total ops,    op/s,    pk/s,   row/s,    mean,     med,     .95,     .99,    .999,     max,   time,   stderr, errors,  gc: #,  max ms,  sum ms,  sdv ms,      mb\n"
STRESS_ROWS = """\
total,          4000,    4000,    4000,    4000,     2.1,     2.0,     3.0,     4.0,     5.0,     8.0,    1.0,  0.00000,      0,      0,       0,       0,       0,       0
total,          9000,    5000,    5000,    5000,     1.1,     1.0,     2.0,     3.0,     4.0,     6.0,    2.0,  0.01000,      0,      0,       0,       0,       0,       0
total,          9500,     500,     500,     500,    20.0,     1.0,    90.0,    95.0,    99.0,   100.0,    3.0,  0.02000,      0,      0,       0,       0,       0,       0
"""


def test_rows_of_a_stopped_cassandra_stress_are_its_intervals() -> None:
    run = run_of_text("Running WRITE with 4 threads\n" + STRESS_HEAD + STRESS_ROWS)
    total = series(run, "total")
    assert (total.record.total, len(total.periods), run.duration_ns) == (9_500, 3, 3 * 10**9)
    assert [one.record.total for one in total.periods] == [4_000, 5_000, 500]
    assert holds(total.periods[1].record.quantile_bounds(0.5), 1_000_000)
    assert not holds(total.periods[1].record.quantile_bounds(0.5), 1_100_000)
    # Of 9,500 operations at most 2,250 + 25 lasted 3 ms and more in the first two, and 500 in the last.
    over = total.record.at_or_over(4_100_000)
    assert over.upper <= 40 + 50 + 250
    assert total.record.quantile_bounds(1.0).upper_ns is not None
    assert run.state == "unknown"
    assert [one.printed for one in run.claims if one.quantity == "throughput_ops_per_s"] == [
        "4000",
        "5000",
        "500",
    ]


def test_rows_without_their_head_count_from_the_first_of_them() -> None:
    """What came before the first row is not known, so that it only says where the second begins."""
    run = run_of_text(STRESS_ROWS)
    assert (series(run, "total").record.total, len(series(run, "total").periods)) == (5_500, 2)
    assert series(run, "total").periods[0].start_ns == 10**9


def test_rows_of_several_operations_and_a_second_run() -> None:
    mixed = STRESS_ROWS + STRESS_ROWS.replace("total, ", "READ,  ").replace("9500", "9400")
    first, second = runs_of_text(STRESS_HEAD + mixed + STRESS_HEAD + STRESS_ROWS)
    assert {one.operation: one.record.total for one in first.series} == {"total": 9_500, "read": 9_400}
    assert [one.record.total for one in second.series] == [9_500]


def test_rows_that_fall_are_another_run() -> None:
    run = run_of_text(STRESS_HEAD + STRESS_ROWS + STRESS_ROWS)
    assert series(run, "total").record.total == 9_500
    assert any("falls" in one.reason for one in run.problems)


def test_rows_above_results_are_their_course() -> None:
    run = run_of("stress/cassandra4.txt")
    assert {one.operation: len(one.periods) for one in run.series} == {"total": 1, "read": 0, "write": 0}
    assert run.duration_ns == 100 * 10**9


def test_rows_of_a_stopped_scylla_bench_are_shown() -> None:
    text = (SAMPLES / "stress/scylla.txt").read_text().partition("Results\n")[0]
    run = run_of_text(text)
    assert run.duration_ns == 2 * 10**9
    means = [(one.printed, one.start_ns) for one in run.claims if one.quantity == "latency_mean_ns"]
    assert means == [("1.3ms", 0), ("1.2ms", 10**9)]
    assert "total: 1.2 ms to 1.3 ms in 2 periods" in lines_of(text)


@pytest.mark.parametrize(("median", "least", "most"), [("0s", 0, 999_999), ("1ms", 1_000_000, 1_999_999)])
def test_scylla_bench_may_cut_to_milliseconds(median: str, least: int, most: int) -> None:
    """`-hdr-latency-units ms`: a median of 0s is anything below a millisecond."""
    text = (SAMPLES / "stress/scylla.txt").read_text()
    raw, _, fixed = text.partition("c-o fixed")
    for name, value in (
        ("max", "60ms"),
        ("99.9th", "28ms"),
        ("99th", "9ms"),
        ("95th", "2ms"),
        ("90th", "2ms"),
    ):
        raw = raw.replace(
            next(one for one in raw.splitlines() if f"  {name}:" in one), f"  {name}:\t\t {value} "
        )
    raw = raw.replace("851.967µs", median).replace("1.230421ms", "1.5ms")
    read = series(run_of_text(raw + "c-o fixed" + fixed), "read").record
    assert holds(read.quantile_bounds(0.5), least)
    assert holds(read.quantile_bounds(0.5), most)
    assert holds(read.quantile_bounds(0.9), 2_999_999)


def test_buckets_of_scylla_bench_are_as_wide_as_they_are() -> None:
    """Its finest bucket is 32,768 ns wide: 851.967 µs is the end of one. The running time is `Time (avg)`."""
    run = run_of("stress/scylla.txt")
    read = series(run, "read")
    assert run.duration_ns == 10_002_000_000
    assert holds(read.record.quantile_bounds(0.5), 819_200)
    assert holds(read.record.quantile_bounds(0.95), 2_326_527 - 32_000)
    (largest,) = [one for one in read.printed if one.quantity == "latency_max_ns"]
    assert (largest.lower, largest.upper) == (59_965_440, 59_998_207)


def test_what_takes_three_time_outs_of_scylla_bench_may_take_longer() -> None:
    text = (SAMPLES / "stress/scylla.txt").read_text().replace("Timeout:\t\t 5s", "Timeout:\t\t 19ms")
    assert "19ms" in text
    run = run_of_text(text)
    assert series(run, "read").record.quantile_bounds(1.0).upper_ns is None
    assert any("counted as three time-outs" in one.reason for one in run.problems)
    assert "59.998207ms" in [one.printed for one in run.claims]


def test_names_of_nosqlbench_as_labels() -> None:
    text = """\
11/20/26 12:30:00 PM =============================================================

-- Timers ----------------------------------------------------------------------
{activity="rampup",instance="default",name="execute",scenario="default",session="o6n8Ghs"}
             count = 1000
         mean rate = 0.00 calls/nanosecond
     1-minute rate = 0.00 calls/nanosecond
               min = 662016.00 nanoseconds
               max = 9413563.00 nanoseconds
              mean = 1479745.52 nanoseconds
            stddev = 3063.47 nanoseconds
            median = 1239231.00 nanoseconds
              75% <= 1466559.00 nanoseconds
              99% <= 6354431.00 nanoseconds
            99.9% <= 9375615.00 nanoseconds
"""
    run = run_of_text(text)
    execute = series(run, "execute")
    assert execute.source_name == "default_rampup_execute"
    assert holds(execute.record.quantile_bounds(0.5), 1_239_231)
    assert claim(run, "execute", "operation_count").printed == "1000"


PREFIXES = {
    "a test framework": "20:22:23 DEBUG| [stdout] ",
    "a logger of Python": "2026-11-20 12:30:00,123 - INFO - ",
    "a logger with brackets": "[2026-11-20 12:30:00] [WARNING] | ",
    "pytest": "E       ",
}


@pytest.mark.parametrize("prefix", PREFIXES.values(), ids=PREFIXES)
@pytest.mark.parametrize("sample", ["fio/normal_mix.txt", "stress/cassandra4.txt", "sysbench/s1_cpu.txt"])
def test_output_behind_a_logger(sample: str, prefix: str) -> None:
    text = (SAMPLES / sample).read_text()
    plain, logged = (
        run_of_text(text),
        run_of_text("".join(prefix + line for line in text.splitlines(keepends=True))),
    )
    assert [one.printed for one in logged.claims] == [one.printed for one in plain.claims]
    assert [one.record.total for one in logged.series] == [one.record.total for one in plain.series]


NOT_READ = {
    "elbencho": "ISO Date,Label,Phase,RuntimeMS,Rank,MixType,Done%,DoneBytes,MiB/s,IOPS\n2026-02-09T11:18:30,,READ,1000,Total,,0,1,1,1\n",
    "IOR": "IOR-3.3.0: MPI Coordinated Test of Parallel I/O\nMax Write: 1234.50 MiB/sec (1294.47 MB/sec)\n",
    "ioping": "4 KiB <<< . (ext4 /dev/a): request=1 time=112.8 us\n\n--- . (ext4 /dev/a) ioping statistics ---\n9 requests completed in 1.1 ms\n",
    "dd": "1024+0 records in\n1024+0 records out\n1073741824 bytes (1.1 GB, 1.0 GiB) copied, 0.51 s, 2.1 GB/s\n",
    "a sample that forgets": "total,interval_op_rate,interval_key_rate,latency,95th,99.9th,elapsed_time\n45868,4586,4586,5.1,17.1,103.1,10\n\nAverages from the middle 80% of values:\ninterval_op_rate          : 4586\n",
    "asadm": "{test}-read:17:58:08-GMT,ops/sec,>1ms,>8ms,>64ms;17:58:18,1.1,81.82,27.27,0.00\n",
    "as Python prints it": "{'fio version': 'fio-3.28', 'jobs': [{'jobname': 'j', 'read': {'total_ios': 9, 'clat_ns': {'min': 1, 'max': 2}}}]}\n",
}


@pytest.mark.parametrize("tool", NOT_READ)
def test_what_no_importer_reads_is_named(tool: str) -> None:
    with pytest.raises(FormatUnknown, match="which is not read: ") as refusal:
        run_of_text(NOT_READ[tool])
    assert tool in str(refusal.value)
    assert len(str(refusal.value)) < 250


def test_summaries_of_ycsb_without_blanks_and_without_their_first_line() -> None:
    """Up to 0.1.2 `[OVERALL],` has no blank behind it; people leave the running time out when they compare."""
    old = run_of_text(
        "[OVERALL],RunTime(ms), 10110\n[OVERALL],Throughput(ops/sec), 98.9\n  [UPDATE], Operations, 491\n"
        " [UPDATE], AverageLatency(ms), 0.054989816700611\n [UPDATE], 0, 464\n [UPDATE], 1, 27\n [UPDATE], >2, 0\n"
    )
    assert series(old, "update").record.total == 491
    assert claim(old, "total", "throughput_ops_per_s").printed == "98.9"
    one = "[OVERALL], Throughput(ops/sec), 315.5\n[READ], AverageLatency(us), {0}.9\n[READ], 99thPercentileLatency(us), {0}1\n"
    text = f"Old:\n```\n{one.format(47)}```\n\nNew:\n```\n{one.format(51)}```\n"
    means = [claim(run, "read", "latency_mean_ns").printed for run in runs_of_text(text)]
    assert means == ["47.9 µs", "51.9 µs"]


@pytest.mark.parametrize(
    "sample",
    ["pgbench/tpcb.txt", "pgbench/mix.txt", "pgbench/rate.txt", "pgbench/tpcb.progress", "stress/scylla.txt"],
)
def test_results_one_behind_the_other_are_runs(sample: str) -> None:
    """Scripts that measure three times print three summaries into one file."""
    text = (SAMPLES / sample).read_text()
    one = run_of_text(text)
    both = runs_of_text(text + "[12:00:01] CHECKPOINT + waiting for autovacuum...\n=== RUN 2 ===\n" + text)
    if sample.endswith(".progress"):
        assert len(both) == 1
        assert any("the time does not go on" in problem.reason for problem in both[0].problems)
        return
    assert [[s.record.total for s in run.series] for run in both] == [
        [s.record.total for s in one.series]
    ] * 2
    assert [len(run.claims) for run in both] == [len(one.claims)] * 2
    assert not [problem for run in both for problem in run.problems if problem.severity == "error"]


def test_an_example_in_a_long_manual_is_no_run() -> None:
    """A README shows how the table looks; a message shows what somebody measured."""
    table = (SAMPLES / "latency_tables/act.txt").read_text()
    told = "This sentence of a manual tells people how the tool is used and what it prints.\n"
    assert run_of_text(12 * told + f"\n```\n{table}```\n" + 12 * told).format == "act-latency"
    with pytest.raises(FormatUnknown, match="a text or program about act"):
        run_of_text(150 * told + f"\n```\n{table}```\n" + 12 * told)


FILES_TABLE = """<title>Vdbench output/totals.html</title><pre>
<a name="_1"></a><i><b>15:20:57.002 Starting RD=rd1; elapsed=60; fwdrate=max. For loops: None</b></i>

Apr 11, 2026 ..Interval.. .ReqstdOps... ...cpu%...  read ....read..... ....write.... ..mb/sec... mb/sec .xfer.. ....open.... ...close....
                            rate   resp total  sys   pct   rate   resp   rate   resp  read write  total    size  rate   resp  rate   resp
15:21:57.011     avg_2-60 2400.0  0.412  26.4 14.1 100.0 2400.0  0.412    0.0  0.000  9.37  0.00   9.37    4093  3015  0.018  3015  0.004
15:21:57.011     std_2-60   94.3  0.028                    94.3  0.028                                            120.8  0.045 120.9  0.009
15:21:57.011     max_2-60 2503.5 83.716                  2503.5 83.716                                           3159 21.206  3160 15.838
"""
FILES_FLAT = """<title>Vdbench output/flatfile.html</title><pre>
*
* 'flatfile.html' contains Vdbench generated information in a column by column ASCII format.
* The first line in the file contains a one word 'column header name'; the rest of the file
* contains data that belongs to each column. The objective of this file format is to allow
* easy transfer of information to a spreadsheet and therefore the creation of performance
* charts different from the performance charts that can be created by the tool itself.
*
* Run             : Name of run from RD=
* Interval        : Reporting interval number
* Xfersize        : Data transfer size
* Threads         : Thread count
* Reqrate         : Requested FWD rate
* Rate            : Operations per second
* Resp            : Operations average response time
* MB/sec          : Total Megabytes per second
* Read_rate       : Read operations per second
* Read_resp       : Read response time
tod timestamp Run Interval Xfersize Threads Reqrate Rate Rate_std Rate_max Resp Resp_std Resp_max MB/sec Read_rate Read_resp Read_resp_std Read_resp_max
15:20:58.074 04/11/2026-15:20:58-ICT rd1 1 4093 n/a 9999988 2400 0 0 0.4120 0.0918 21.952 9.37 2400 0.4120 0.0918 21.952
15:20:59.045 04/11/2026-15:20:59-ICT rd1 avg_2-1 4093 n/a 9999988 2400 0 0 0.4120 0.0918 21.952 9.37 2400 0.4120 0.0918 21.952
"""


def test_tables_and_flat_files_of_file_systems_of_vdbench() -> None:
    """5.04.07 has two points beside `Interval`, and other names in its flat file; its legend is no manual."""
    table = run_of_text(FILES_TABLE, "totals.html")
    assert claim(table, "read", "throughput_ops_per_s").printed == "2400.0"
    assert claim(table, "read", "latency_mean_ns").printed == "0.412 ms"
    assert claim(table, "all", "latency_max_ns").printed == "83.716 ms"
    assert claim(table, "all", "latency_deviation_ns").printed == "0.028 ms"
    flat = run_of_text(FILES_FLAT, "flatfile.html")
    assert claim(flat, "read", "latency_max_ns").printed == "21.952 ms"
    assert claim(flat, "read", "latency_deviation_ns").printed == "0.0918 ms"
    assert series(flat, "read").record.quantile_bounds(1.0).upper_ns is not None


@pytest.mark.parametrize("order", [1, -1])
def test_output_of_another_tool_in_the_same_file_is_named(order: int) -> None:
    """The importer of redis-benchmark skips what it does not know, such as a document of fio."""
    texts = [(SAMPLES / name).read_text() for name in ("redis_benchmark/old_ms.txt", "fio/enospc.json")]
    problems = read(from_bytes("both.txt", "\n".join(texts[::order]).encode())).problems
    assert [problem.reason for problem in problems] == [
        "read as output of redis-benchmark alone; send that of fio as a file of its own"
    ]


@pytest.mark.parametrize("sample", ["wrk/wrk2.txt", "nosqlbench/histostats.csv"])
def test_histograms_of_a_tool_are_no_other_tool(sample: str) -> None:
    assert read(from_path(SAMPLES / sample)).problems == ()
