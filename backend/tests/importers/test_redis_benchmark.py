"""redis-benchmark: CSV, text and quiet lines, of today and from before 6.2."""

import numpy as np
import pytest
from backend.tests.importers.reading import claim, run_of, run_of_text, series
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.latency.distribution import LatencyDist, TimeBounds
from tailroom.importers.importer import FormatUnknown
from tailroom.importers.parsed_run import EndState, Severity


def test_the_csv_has_percentiles_and_no_counts() -> None:
    run = run_of("redis_benchmark/r1_csv_get_set.txt")
    assert [one.operation for one in run.series] == ["set", "get"]
    record = series(run, "get").record
    assert record.total is None
    assert record.cdf_bounds(456_000)[0] == pytest.approx(0.5)
    assert record.cdf_bounds(48_000) == pytest.approx((0.0, 0.0))
    assert record.cdf_bounds(12_248_000) == pytest.approx((1.0, 1.0))
    # Printed 0.455 and 1.247 ms: the percentiles lie in these buckets, whatever the number of operations.
    assert record.quantile_bounds(0.5) == TimeBounds(448_000, 456_000)
    assert record.quantile_bounds(0.99) == TimeBounds(1_240_000, 1_248_000)
    assert claim(run, "get", "throughput_ops_per_s").printed == "67136.62"
    assert (run.state, run.closed_loop) == (EndState.FINISHED, True)


def test_the_text_has_exact_counts() -> None:
    run = run_of("redis_benchmark/r2_human_get_set_1k.txt")
    record = series(run, "set").record
    assert isinstance(record, LatencyDist)
    assert record.total == 100_000
    for time_us, below in ((104, 17_660), (128, 50_576), (208, 70_672), (304, 88_812), (4_104, 99_072)):
        assert (record.below(time_us * 1_000).lower, record.below(time_us * 1_000).upper) == (below, below)
    assert run.parameters == {"connections": 20, "value_bytes": 1024, "keep_alive": 1, "multi_thread": False}
    assert series(run, "get").record.total == 100_000


def test_quiet_lines_know_the_median_only() -> None:
    run = run_of("redis_benchmark/r3_quiet.txt")
    assert [one.operation for one in run.series] == ["set", "get", "incr"]
    assert series(run, "incr").record.quantile_bounds(0.99).upper_ns is None


def test_rates_alone_are_claims() -> None:
    run = run_of("redis_benchmark/old_rates.csv")
    assert run.series == ()
    assert claim(run, "set", "throughput_ops_per_s").lower == pytest.approx(74_074.065)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(1, 20_000), min_size=1, max_size=300))
def test_what_lines_of_whole_milliseconds_prove_is_true(values: list[int]) -> None:
    ordered = np.sort(np.array(values))
    lines, current = [], 0
    for position, value in enumerate(ordered.tolist()):
        if value // 1_000 != current or position == ordered.size - 1:
            current = value // 1_000
            lines.append(f"{100 * (position + 1) / ordered.size:.2f}% <= {current} milliseconds")
    text = (
        f"====== SET ======\n  {ordered.size} requests completed in 0.05 seconds\n  50 parallel clients\n\n"
        + "\n".join(lines)
        + "\n20000.00 requests per second\n"
    )
    record = series(run_of_text(text), "set").record
    for time_us in {1, *values, *(value + 1 for value in values), *range(0, 21_000, 1_000)}:
        least, most = record.cdf_bounds(time_us * 1_000)
        share = float((ordered < time_us).mean())
        assert least - 1e-12 <= share <= most + 1e-12


@pytest.mark.parametrize("count", ["9", "-5", "99999999999999999999999999", "nan"])
def test_counts_that_fall_or_are_none_are_located(count: str) -> None:
    text = (
        "====== SET ======\n  100 requests completed in 0.48 seconds\n"
        "50.000% <= 0.127 milliseconds (cumulative count 50)\n"
        f"75.000% <= 0.231 milliseconds (cumulative count {count})\n"
        "100.000% <= 0.303 milliseconds (cumulative count 100)\n"
    )
    run = run_of_text(text)
    record = series(run, "set").record
    assert record.total == 100
    if count in ("9",):
        assert [problem.line for problem in run.problems if problem.severity is Severity.ERROR] == [4]
    assert record.at_or_over(232_000).upper == 50


def test_rows_with_another_number_of_columns_are_left_out() -> None:
    run = run_of_text('"test","rps","p50_latency_ms"\n"SET","10.0"\n"GET","10.0","0.5"\n')
    assert [one.operation for one in run.series] == ["get"]
    assert [problem.line for problem in run.problems] == [2]


def test_any_other_csv_is_unknown() -> None:
    with pytest.raises(FormatUnknown, match="format not recognised"):
        run_of_text("name,rate\nGET,5\n")
