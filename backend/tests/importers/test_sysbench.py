"""sysbench: totals, the histogram's exact edges, percentiles as buckets, older words, and damage."""

import math
import time

import pytest
from backend.tests.importers.reading import SAMPLES, claim, holds, run_of, run_of_text, runs_of_text, series
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.layouts import NEVER_NS
from tailroom.domain.units import NS_PER_MS, NS_PER_S
from tailroom.importers.importer import ContentUnreadable, FormatUnknown
from tailroom.importers.parsed_run import EndState, Severity
from tailroom.importers.printed import printed
from tailroom.importers.sysbench.intervals import (
    SysbenchHistogramRow,
    buckets_named,
    distribution,
    edges_ns,
    ends_ns,
)

SMALL = settings(deadline=None, max_examples=60)
_FIRST, _STEPS = math.log(1e-3), 1023 / (math.log(1e5) - math.log(1e-3))


def bucket_of(value_ns: int) -> int:
    """As `sb_histogram_update` does."""
    index = math.floor((math.log(value_ns / NS_PER_MS) - _FIRST) * _STEPS + 0.5)
    return min(max(index, 0), 1023)


def printed_rows(values: list[int]) -> list[SysbenchHistogramRow]:
    """As `sb_histogram_print` does."""
    indices = [bucket_of(value) for value in values]
    rows = []
    for line, index in enumerate(sorted(set(indices)), 1):
        name = printed(f"{math.exp(index / _STEPS + _FIRST):.3f}")
        assert name is not None
        rows.append(SysbenchHistogramRow(line, name, indices.count(index)))
    return rows


def test_edges_are_those_of_the_source() -> None:
    edges = edges_ns()
    assert len(edges) == 1_024
    for index in (1, 2, 100, 500, 1_000, 1_023):
        assert bucket_of(edges[index]) == index
        assert bucket_of(edges[index] - 1) == index - 1


@SMALL
@given(st.lists(st.one_of(st.integers(1, 60_000), st.integers(1, 200 * NS_PER_S)), min_size=1, max_size=60))
def test_a_printed_histogram_bounds_the_latencies_it_counts(values: list[int]) -> None:
    record = distribution(printed_rows(values))
    assert record.count == len(values)
    for value in values:
        lower, upper = record.cdf_bounds(value)
        true = sum(other < value for other in values) / len(values)
        assert lower <= true <= upper


@pytest.mark.parametrize(
    ("sample", "total", "state"),
    [
        ("s1_cpu.txt", 24_830, EndState.FINISHED),
        ("s2_fileio_rndrw_report.txt", 249_479, EndState.FINISHED),
        ("s3_oltp_read_write_pgsql.txt", 10_210, EndState.FINISHED),
    ],
)
def test_totals_are_those_of_the_file(sample: str, total: int, state: EndState) -> None:
    run = run_of(f"sysbench/{sample}")
    assert series(run, "event").record.total == total
    assert claim(run, "event", "operation_count").lower == total
    assert (run.state, run.tool_version, run.closed_loop) == (state, "1.0.20", True)
    assert not [one for one in run.problems if one.severity is not Severity.NOTE]


def test_the_histogram_agrees_with_the_percentile_and_the_ends() -> None:
    run = run_of("sysbench/s2_fileio_rndrw_report.txt")
    record = series(run, "event").record
    assert isinstance(record, LatencyDist)
    assert holds(record.quantile_bounds(0.99), 310_000)
    assert holds(record.quantile_bounds(1.0), 12_330_000)
    stated = claim(run, "event", "latency_mean_ns")
    assert record.mean_ns is not None
    assert record.mean_ns[0] <= stated.upper
    assert stated.lower <= record.mean_ns[1]


def test_a_percentile_is_a_bucket_and_the_sum_gives_the_mean() -> None:
    run = run_of("sysbench/s3_oltp_read_write_pgsql.txt")
    record = series(run, "event").record
    bounds = record.quantile_bounds(0.95)
    name = printed("7.43")
    assert name is not None
    lower, upper = ends_ns(buckets_named(name))
    assert lower <= 7_430_000 < upper
    assert (bounds.lower_ns <= lower, bounds.upper_ns) == (True, upper)
    assert record.mean_ns is not None
    assert record.mean_ns[0] == pytest.approx(32017.62 / 10_210 * NS_PER_MS, rel=1e-5)


def test_intermediate_lines_are_periods_and_rates() -> None:
    run = run_of("sysbench/s3_oltp_read_write_pgsql.txt")
    one = series(run, "event")
    assert [period.start_ns // NS_PER_S for period in one.periods] == [0, 2, 4, 6]
    assert holds(one.periods[1].record.quantile_bounds(0.95), 6_670_000)
    rates = [
        (c.printed, c.start_ns)
        for c in run.claims
        if c.operation == "event" and c.start_ns is not None and c.quantity == "throughput_ops_per_s"
    ]
    assert rates[:2] == [("1186.37", 0), ("1347.00", 2 * NS_PER_S)]
    assert claim(run, "event", "error_count").lower == 38
    assert claim(run, "query", "operation_count").lower == 204_884


def test_a_rate_makes_it_an_open_loop() -> None:
    text = (SAMPLES / "sysbench/s3_oltp_read_write_pgsql.txt").read_text()
    text = text.replace("Number of threads: 4\n", "Number of threads: 4\nTarget transaction rate: 100/sec\n")
    text = text.replace("[ 4s ]", "[ 2s ] queue length: 7, concurrency: 4\n[ 4s ]", 1)
    run = run_of_text(text)
    assert not run.closed_loop
    assert [one.clock for one in run.series] == ["response"]
    assert run.parameters["rate_per_s"] == 100
    assert len(run.series[0].periods) == 4


def test_a_run_without_statistics_is_not_finished_and_a_fatal_error_fails() -> None:
    text = (SAMPLES / "sysbench/s3_oltp_read_write_pgsql.txt").read_text()
    cut = run_of_text(text[: text.index("SQL statistics")])
    assert cut.state is EndState.UNKNOWN
    assert series(cut, "event").record.total is None
    assert len(series(cut, "event").periods) == 4
    fatal = text[: text.index("SQL statistics")] + "FATAL: `thread_run' function failed: error 5\n"
    assert run_of_text(fatal).state is EndState.FAILED
    forced = "FATAL: The --max-time limit has expired, forcing shutdown...\n"
    forced += "Number of unfinished transactions on forced shutdown: 3\n"
    killed = run_of_text(text.replace("SQL statistics:", forced + "SQL statistics:"))
    assert killed.state is EndState.KILLED
    assert series(killed, "event").record.misses.unfinished == 3


def test_two_runs_in_one_file_stay_two() -> None:
    text = (SAMPLES / "sysbench/s1_cpu.txt").read_text()
    assert [series(run, "event").record.total for run in runs_of_text(text + text)] == [24_830, 24_830]


def test_words_of_older_and_newer_versions() -> None:
    old = (
        "sysbench 0.4.12:  multi-threaded system evaluation benchmark\n\n"
        "Running the test with following options:\nNumber of threads: 8\n\nThreads started!\nDone.\n\n"
        "OLTP test statistics:\n    transactions:                        10000  (999.5 per sec.)\n"
        "Test execution summary:\n    total time:                          10.0048s\n"
        "    total number of events:              10000\n"
        "    per-request statistics:\n         min:                                  0.93ms\n"
        "         avg:                                  7.99ms\n"
        "         max:                                 88.58ms\n"
        "         approx.  95 percentile:               11.01ms\n"
    )
    run = run_of_text(old)
    record = series(run, "event").record
    assert (run.tool_version, record.total) == ("0.4.12", 10_000)
    assert claim(run, "event", "latency_quantile_ns", 0.95).printed == "11.01"
    assert record.quantile_bounds(0.95).upper_ns == record.quantile_bounds(1.0).upper_ns == 88_585_001
    new = (
        old.replace("total time:   ", "time elapsed: ")
        .replace("0.4.12:", "1.1.0")
        .replace("    total number", "    events/s (eps):                      999.5000\n    total number")
    )
    again = run_of_text(new)
    assert again.tool_version == "1.1.0"
    assert again.duration_ns == 10_004_800_000


def test_memory_and_disabled_percentiles() -> None:
    text = (SAMPLES / "sysbench/s1_cpu.txt").read_text()
    text = text.replace(
        "CPU speed:\n    events per second:  4963.28",
        "Total operations: 24830 ( 4963.28 per second)\n\n24.25 MiB transferred (4.85 MiB/sec)",
    )
    text = text.replace(
        "        95th percentile:                        0.61",
        "         percentile stats:               disabled",
    )
    run = run_of_text(text)
    assert claim(run, "memory", "transferred_bytes").printed == "24.25"
    assert series(run, "event").record.total == 24_830
    assert not [one for one in run.claims if one.quantity == "latency_quantile_ns"]


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("       0.020 |", "       0.0204|", "no row|holds 249478"),
        (
            "       2.861 |                                         2",
            "       2.862 |                                         2",
            "0 buckets",
        ),
        (
            "       3.885 |                                         2",
            "       0.050 |                                         2",
            "do not ascend",
        ),
        (
            "total number of events:              249479",
            "total number of events:              249480",
            "249480",
        ),
    ],
)
def test_damaged_histograms_are_located_problems(before: str, after: str, words: str) -> None:
    text = (SAMPLES / "sysbench/s2_fileio_rndrw_report.txt").read_text()
    assert before in text
    run = run_of_text(text.replace(before, after))
    assert any(word in one.reason and one.line for one in run.problems for word in words.split("|"))


def test_names_that_look_alike_stand_for_all_their_buckets() -> None:
    name = printed("0.003")
    assert name is not None
    buckets = buckets_named(name)
    assert len(buckets) > 10
    record = distribution([SysbenchHistogramRow(1, name, 5)])
    assert (record.cells.lower_ns.tolist(), record.cells.upper_ns.tolist()) == (
        [ends_ns(buckets)[0]],
        [ends_ns(buckets)[1]],
    )
    last = printed("100000.000")
    assert last is not None
    assert ends_ns(buckets_named(last))[1] == NEVER_NS


@pytest.mark.parametrize("junk", ["sysbench 1.0.20\n", "sysbench 1.0.20\nThreads started!\n"])
def test_nothing_of_sysbench_is_refused(junk: str) -> None:
    with pytest.raises((FormatUnknown, ContentUnreadable)):
        run_of_text(junk)


def test_many_lines_of_nothing_take_little_time() -> None:
    """Found by fuzzing: a small gzip file that unpacks to lines of one letter, and of rows of a histogram."""
    text = (SAMPLES / "sysbench" / "s2_fileio_rndrw_report.txt").read_text()
    begun = time.process_time()
    run = run_of_text(text + "aa\n" * 175_000 + "Latency histogram\n" + "       0.001 |** 1\n" * 75_000)
    assert time.process_time() - begun < 1.5
    assert run.state is EndState.FINISHED
