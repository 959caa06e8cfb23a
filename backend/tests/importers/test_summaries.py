"""Tools that print a summary: wrk, YCSB's ports, db_bench, stress tools, diskspd, and tables of shares."""

import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from backend.tests.importers.reading import (
    SAMPLES,
    claim,
    holds,
    run_of,
    run_of_text,
    runs_of,
    runs_of_text,
    series,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.latency.distribution import LatencyDist
from tailroom.importers.importer import ContentUnreadable
from tailroom.importers.parsed_run import EndState
from tailroom.importers.printed import printed
from tailroom.importers.problems import Problems
from tailroom.importers.summaries import Summary, Time, go_duration


def _text(sample: str) -> str:
    return Path(SAMPLES / sample).read_text()


@settings(deadline=None, max_examples=150)
@given(
    st.lists(st.integers(0, 50_000), min_size=1, max_size=300),
    st.lists(st.integers(1, 9_999), min_size=0, max_size=8),
)
def test_the_ends_of_a_summary_hold_the_operations(values_us: list[int], shares: list[int]) -> None:
    """Whatever rank a tool looks up: floor, ceiling or nearest, counted from 0 or from 1."""
    ordered = sorted(values_us)
    count = len(ordered)
    for rank_of in (
        int,
        lambda exact: -(-exact.numerator // exact.denominator) - 1,
        lambda exact: int(exact + Fraction(1, 2)) - 1,
    ):
        one = Summary("read", 1, count=count, exact_ns=1_000)
        one.least = Time("", ordered[0] * 1_000, ordered[0] * 1_000)
        one.most = Time("", ordered[-1] * 1_000, ordered[-1] * 1_000)
        for share in shares:
            at = min(count - 1, max(0, rank_of(Fraction(share, 10_000) * count)))
            value_ns = ordered[at] * 1_000
            one.quantiles.append((Fraction(share, 10_000), Time("", value_ns, value_ns)))
        made = one.series(Problems(), "")
        assert made is not None
        assert made.record.total == count
        together = np.array(ordered)
        for time_us in {1, *ordered, *(value + 1 for value in ordered)}:
            least, most = made.record.cdf_bounds(time_us * 1_000)
            assert least - 1e-9 <= float((together < time_us).mean()) <= most + 1e-9


@settings(deadline=None, max_examples=100)
@given(st.lists(st.integers(0, 5_000), min_size=1, max_size=60), st.sampled_from([1, 10, 1_000]))
def test_shares_and_counts_of_a_summary_hold_the_operations(values_us: list[int], exact_ns: int) -> None:
    """Shares above a time, numbers up to a time, and percentiles without a count."""
    truth = np.array(values_us) * 1_000
    counted = Summary("read", 1, count=truth.size, exact_ns=exact_ns)
    uncounted = Summary("read", 1)
    for at_ns in (1_000_000, 2_000_000, 4_000_000):
        share = printed(f"{100 * (truth >= at_ns).mean():.2f}")
        assert share is not None
        counted.above.append((at_ns, share))
        uncounted.above.append((at_ns, share))
        counted.below.append((Time("", at_ns - 500, at_ns + 500), int((truth <= at_ns).sum())))
    uncounted.quantiles.append((Fraction(1, 2), Time("", *[int(np.sort(truth)[(truth.size - 1) // 2])] * 2)))
    for summary in (counted, uncounted):
        bounds = summary.statements()
        record = bounds.record()
        for time_ns in {0, 1_000_000, 2_000_000, 4_000_000, *truth.tolist(), *(truth + 1).tolist()}:
            least, most = record.cdf_bounds(time_ns)
            assert least - 1e-9 <= float((truth < time_ns).mean()) <= most + 1e-9
        for at_ns in (1_000_000, 2_000_000, 4_000_000):
            least, most = record.cdf_bounds(at_ns)
            assert most - least <= 0.0002


def test_no_operation_has_no_latency() -> None:
    one = Summary("read", 1, count=0)
    one.least = one.most = one.mean = Time("0", 0, 0)
    one.quantiles.append((Fraction(99, 100), Time("0", 0, 0)))
    assert one.series(Problems(), "") is None
    one.errors = 3
    failed = one.series(Problems(), "")
    assert failed is not None
    assert (failed.record.total, failed.record.misses.errors) == (3, 3)
    assert failed.record.cdf_bounds(10**9) == (0.0, 0.0)


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("852µs", (851_500, 852_500)),
        ("1m2.5s", (62_450_000_000, 62_550_000_000)),
        ("3ms", (2_500_000, 3_500_000)),
        ("0", (0, 0)),
    ],
)
def test_durations_of_go(text: str, ends: tuple[int, int]) -> None:
    found = go_duration(text)
    assert found is not None
    assert (found.lower_ns, found.upper_ns) == ends


@pytest.mark.parametrize("text", ["", "ms", "1", "1x", "-3ms", "1e9s", "9" * 30 + "s"])
def test_what_is_no_duration(text: str) -> None:
    assert go_duration(text) is None


def test_wrk_does_not_say_of_how_many_its_percentiles_are() -> None:
    run = run_of("wrk/latency.txt")
    assert (run.tool, run.closed_loop, run.state) == ("wrk", True, EndState.FINISHED)
    record = series(run, "request").record
    assert record.total is None
    assert holds(record.quantile_bounds(0.5), 43_970_000)
    assert claim(run, "total", "operation_count").lower == 96
    assert claim(run, "total", "throughput_ops_per_s").printed == "45.42"
    assert [one.quantile for one in series(run, "request").printed if one.quantile] == [0.5, 0.75, 0.9, 0.99]


def test_wrk2_measures_from_its_schedule() -> None:
    run = run_of("wrk/wrk2.txt")
    assert (run.tool, run.closed_loop) == ("wrk2", False)
    record = series(run, "request", "response").record
    assert isinstance(record, LatencyDist)
    assert record.total == 20_000
    assert record.at_or_over(1_442_000).lower == record.at_or_over(1_442_000).upper == 2_000
    assert claim(run, "total", "error_count").lower == 2
    (warning,) = [one for one in run.problems if one.severity.value == "warning"]
    assert "timeout 2" in warning.reason


def test_tests_of_wrk_in_one_file_are_runs() -> None:
    runs = runs_of_text(_text("wrk/latency.txt") + _text("wrk/wrk2.txt"))
    assert [run.tool for run in runs] == ["wrk", "wrk2"]
    cut = run_of_text(_text("wrk/latency.txt").split("Requests/sec")[0])
    assert cut.state is EndState.UNKNOWN


def test_load_and_run_of_ycsb_cpp_are_two() -> None:
    load, run = runs_of("ycsb_ports/cpp.txt")
    assert (load.parameters["phase"], run.parameters["phase"]) == ("load", "run")
    assert series(load, "insert").record.total == 100_000
    read = series(run, "read").record
    assert (read.total, read.misses.errors) == (30_020, 10)
    assert claim(run, "read", "error_count").lower == 10
    assert holds(series(run, "update").record.quantile_bounds(0.99), 25_100)
    assert claim(load, "total", "throughput_ops_per_s").printed == "49639.9"


def test_the_last_lines_of_go_ycsb_count() -> None:
    run = run_of("ycsb_ports/go.txt")
    assert run.state is EndState.FINISHED
    read = series(run, "read").record
    assert (read.total, read.misses.errors) == (50_000, 10)
    assert holds(series(run, "update").record.quantile_bounds(0.99), 3_403_000)
    assert claim(run, "read", "latency_mean_ns").printed == "803 µs"
    table = run_of("ycsb_ports/go_table.txt")
    assert series(table, "read").record.total == 45_011
    assert table.state is EndState.UNKNOWN


def test_buckets_of_db_bench_are_exact() -> None:
    fill, read = runs_of("db_bench/two.txt")
    assert (fill.parameters["benchmark"], read.parameters["benchmark"]) == ("fillrandom", "readrandom")
    record = series(read, "read").record
    assert isinstance(record, LatencyDist)
    assert record.total == 40_000
    # (6, 10] holds 7 to 10 µs, cut: below 7 µs lie all up to and with (4, 6].
    below = 49 + 3_400 + 13_420 + 12_636 + 8_401
    assert record.at_or_over(7_000).lower == record.at_or_over(7_000).upper == 40_000 - below
    assert (record.min_ns, record.max_ns) == (1_000, 44_056_999)
    assert claim(read, "total", "throughput_ops_per_s").printed == "57469"
    assert claim(read, "read", "latency_mean_ns").printed == "34.5739 µs"
    assert read.tool_version == "7.8.3"


def test_buckets_that_do_not_hold_the_count_are_left_out() -> None:
    text = _text("db_bench/two.txt").replace("      49   0.122%", "    4900   0.122%")
    _, read = runs_of_text(text)
    assert any("cut or damaged" in one.reason for one in read.problems)
    record = series(read, "read").record
    assert not isinstance(record, LatencyDist)
    # The median is interpolated: without buckets it says nothing.
    assert record.quantile_bounds(0.5).upper_ns != 3_247_800


def test_operations_of_cassandra_stress() -> None:
    run = run_of("stress/cassandra4.txt")
    read = series(run, "read").record
    assert (read.total, read.misses.errors) == (634_502, 2)
    assert holds(read.quantile_bounds(0.95), 2_500_000)
    assert claim(run, "write", "latency_max_ns").printed == "90.3 ms"
    assert run.duration_ns == 100 * 10**9
    assert run.parameters["threads"] == 32


def test_decimal_commas_of_cassandra_stress() -> None:
    """Java prints with the signs of the language of the machine: `1.088,4 ms` and `1.234.500`."""
    head, results = _text("stress/cassandra4.txt").split("Results:")
    german = re.sub(r"[.,](?=\d)", lambda sign: ".,"[sign[0] == "."], results).replace("99,9th", "99.9th")
    assert "1.088,4 ms" in german
    run, same = run_of_text(f"{head}Results:{german}"), run_of("stress/cassandra4.txt")
    for operation in ("read", "write", "total"):
        assert series(run, operation).record == series(same, operation).record
        rates = [claim(each, operation, "throughput_ops_per_s").lower for each in (run, same)]
        assert rates[0] == rates[1]


def test_decimal_commas_of_kafka_producer() -> None:
    text = _text("kafka_producer/totals.txt")
    run, same = run_of_text(re.sub(r"(?<=\d)\.(?=\d)", ",", text)), run_of("kafka_producer/totals.txt")
    assert series(run, "request", "operation").record == series(same, "request", "operation").record
    assert claim(run, "request", "throughput_ops_per_s") == claim(same, "request", "throughput_ops_per_s")


def test_partitions_are_no_operations_where_an_operation_reads_several() -> None:
    text = _text("stress/cassandra4.txt").replace("READ: 6,345 pk/s", "READ: 12,690 pk/s")
    run = run_of_text(text)
    assert series(run, "read").record.total is None
    assert any("touches several" in one.reason for one in run.problems)


def test_scylla_bench_measures_twice() -> None:
    run = run_of("stress/scylla.txt")
    assert not run.closed_loop
    raw, fixed = series(run, "read"), series(run, "read", "response")
    assert (raw.record.total, fixed.record.total) == (50_010, 50_010)
    assert holds(raw.record.quantile_bounds(0.5), 851_967)
    assert holds(fixed.record.quantile_bounds(0.99), 9_306_111)
    assert claim(run, "total", "throughput_ops_per_s").lower == 5_000


@pytest.mark.parametrize("sample", ["diskspd/mix.txt", "diskspd/mix.xml"])
def test_text_and_xml_of_diskspd_say_the_same(sample: str) -> None:
    run = run_of(sample)
    assert run.state is EndState.FINISHED
    read, write = series(run, "read").record, series(run, "write").record
    assert (read.total, write.total) == (70_000, 30_000)
    assert holds(read.quantile_bounds(0.99), 12_549_000)
    assert holds(write.quantile_bounds(0.999), 25_305_000)
    assert claim(run, "read", "latency_mean_ns").printed == "4.500 ms"
    assert run.duration_ns == 30_010_000_000


def test_diskspd_without_latencies_has_none() -> None:
    text = _text("diskspd/mix.txt").split("\n\n\n\ntotal:")[0].replace("AvgLat  | LatStdDev |", "")
    for word in ("4.800 |     2.100", "4.500 |     2.000", "5.500 |     2.200"):
        text = text.replace(f" |    {word}", "")
    run = run_of_text(text)
    assert run.series == ()
    assert any("-L" in one.reason for one in run.problems)
    assert claim(run, "read", "operation_count").lower == 70_000


def test_a_table_of_act_lies_between_its_slices() -> None:
    run = run_of("latency_tables/act.txt")
    reads = series(run, "read").record
    assert reads.total is None
    low, high = reads.cdf_bounds(1_000_000)
    assert (round(100 * (1 - high), 4), round(100 * (1 - low), 4)) == (1.665, 3.385)
    assert run.tool_version == "6.6"
    (worst,) = [
        one
        for one in run.claims
        if one.quantity == "share_over_8000000_ns_worst_ratio" and one.operation == "read"
    ]
    assert worst.printed == "0.14 %"


def test_rates_in_brackets_of_early_act_hide_no_row() -> None:
    text = (SAMPLES / "act/act40_1x_1dev_ms_60s.latency2.txt").read_text()
    run = run_of_text(text)
    assert [(one.operation, one.clock) for one in run.series] == [("read", "response"), ("read", "service")]
    low, high = run.series[0].record.cdf_bounds(1_000_000)
    assert (round(100 * (1 - high), 4), round(100 * (1 - low), 4)) == (1.745, 13.885)
    assert claim(run, "read", "throughput_slice_1_ops_per_s").printed == "2000.0"
    assert run.tool_version == "4.0"


def test_a_table_of_a_log_shorter_than_a_slice_says_why_it_is_empty() -> None:
    text = (
        _text("latency_tables/act.txt").split("    1     1.67")[0] + "could not find 3600 seconds of data\n"
    )
    with pytest.raises(ContentUnreadable, match=r"shorter than a slice \(-t\)"):
        run_of_text(text)


def test_a_table_whose_rows_are_left_out_says_less() -> None:
    text = _text("latency_tables/act.txt")
    fewer = run_of_text(text.replace("    2     3.38   0.01   0.00     0.39   0.01   0.00\n", ""))
    low, high = series(fewer, "read").record.cdf_bounds(1_000_000)
    assert (high, round(100 * (1 - low), 4)) == (1.0, 3.385)
    cut = run_of_text(text.split("  avg")[0])
    assert series(cut, "read").record.cdf_bounds(1_000_000) == (0.0, 1.0)


def test_stretches_of_a_log_are_weighted_by_their_operations() -> None:
    run = run_of("latency_tables/asloglatency.txt")
    one = series(run, "read")
    low, high = one.record.cdf_bounds(1_000_000)
    assert 1 - high <= 0.175 <= 1 - low
    assert (1 - low) - (1 - high) < 0.0003
    assert [period.start_ns for period in one.periods] == [0, 10 * 10**9]
    assert run.duration_ns == 20 * 10**9


def test_each_node_of_asadm_is_a_series() -> None:
    run = run_of("latency_tables/asadm.txt")
    assert {(one.operation, one.device) for one in run.series} == {
        ("read", "10.0.0.1:3000"),
        ("write", "10.0.0.1:3000"),
    }


def test_the_line_over_all_nodes_of_asadm_is_no_node() -> None:
    text = _text("latency_tables/asadm.txt")
    (row,) = [line for line in text.splitlines() if "|read " in line]
    cells = row.split("|")
    run = run_of_text(text + "|".join([*cells[:2], " " * len(cells[2]), *cells[3:]]) + "\n")
    assert sorted(one.operation for one in run.series) == ["read", "write"]


def test_raw_rows_of_go_ycsb_are_every_operation() -> None:
    """The rows stand operation by operation; failed calls are misses; `TOTAL` counts the good ones again."""
    run = run_of("ycsb_ports/go_raw.csv")
    rows = [line.split(",") for line in _text("ycsb_ports/go_raw.csv").splitlines()[6:]]
    assert run.state is EndState.FINISHED
    found = {one.operation: one.record for one in run.series}
    assert {name: one.total - one.misses.total for name, one in found.items() if one.total} == {
        "read": 400,
        "update": 120,
        "total": 520,
    }
    assert found["read"].misses.errors == 5
    times = sorted(int(row[2]) for row in rows if row[0] == "READ")
    assert isinstance(found["read"], LatencyDist)
    assert (found["read"].min_ns, found["read"].max_ns) == (times[0] * 1_000, times[-1] * 1_000 + 999)
    starts = [int(row[1]) for row in rows]
    ends = [int(row[1]) + int(row[2]) for row in rows]
    assert run.duration_ns == (max(ends) + 1 - min(starts)) * 1_000
    assert run.problems == ()


@pytest.mark.parametrize("order", ["mixed", "one"])
def test_raw_rows_in_any_order_and_with_damage(order: str) -> None:
    """A sorted copy mixes the operations; a damaged row is named by its line."""
    lines = _text("ycsb_ports/go_raw.csv").splitlines()
    rows = sorted(lines[6:], key=lambda line: line.split(",")[1]) if order == "mixed" else lines[6:406]
    place = next(at for at, row in enumerate(rows) if at > 4 and row.startswith("READ,"))
    rows[place] = "READ,17951780901x7042,839"
    run = run_of_text("\n".join([lines[5], *rows]), "raw.csv")
    assert series(run, "read").record.total == (404 if order == "mixed" else 399)
    assert [one.line for one in run.problems] == [place + 2]
