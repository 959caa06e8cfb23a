"""The Aerospike Java benchmark: whole per cent as two ends, exact counts, edges that take their limit in."""

import time

import numpy as np
import pytest
from backend.tests.importers.reading import SAMPLES, claim, run_of, run_of_text, runs_of_text, series
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.units import NS_PER_MS
from tailroom.importers.importer import ContentUnreadable
from tailroom.importers.parsed_run import EndState, Severity


@pytest.mark.parametrize(
    ("sample", "totals", "state"),
    [
        ("j1.stdout.txt", {"write": 50_000}, EndState.FINISHED),
        ("j2.stdout.txt", {"write": 94_846, "read": 379_899}, EndState.FINISHED),
        ("j3.stdout.txt", {"write": 59_938, "read": 240_418}, EndState.FINISHED),
        ("alternate.stdout.txt", {"write": 20_620, "read": 4}, EndState.UNKNOWN),
    ],
)
def test_totals_are_those_of_the_file(sample: str, totals: dict[str, int], state: EndState) -> None:
    run = run_of(f"aerospike_java/{sample}")
    assert {one.operation: one.record.total for one in run.series} == totals
    assert (run.state, run.closed_loop) == (state, True)
    assert run.started_at is None
    assert "run.started_at" in run.missing


def test_whole_per_cent_are_shares_between_two_ends_and_the_edge_takes_its_limit_in() -> None:
    record = series(run_of("aerospike_java/j1.stdout.txt"), "write").record
    assert record.cdf_bounds(1_000_001) == pytest.approx((0.965, 0.975))
    assert record.cdf_bounds(1_000_000) == pytest.approx((0.0, 0.975))
    assert record.cdf_bounds(4_000_001) == pytest.approx((0.995, 1.0))
    assert record.cdf_bounds(10**12)[0] == pytest.approx(0.995)


def test_each_period_has_its_own_shares() -> None:
    run = run_of("aerospike_java/j1.stdout.txt")
    first, second = series(run, "write").periods
    assert [first.record.total, second.record.total] == [31_605, 18_395]
    assert first.duration_ns == 928 * NS_PER_MS
    assert (second.start_ns, second.duration_ns) == (928 * NS_PER_MS, 1_019 * NS_PER_MS)
    assert second.record.cdf_bounds(1_000_001) == pytest.approx((0.975, 0.985))


def test_counts_in_columns_are_exact() -> None:
    one = series(run_of("aerospike_java/alternate.stdout.txt"), "write")
    assert isinstance(one.record, LatencyDist)
    assert (one.record.misses.timeouts, one.record.misses.errors) == (2, 1)
    assert one.record.below(1_000_001).lower == one.record.below(1_000_001).upper == 20_484
    assert one.record.below(4_000_001).lower == 20_614
    assert one.intervals is not None
    assert one.intervals.totals.tolist() == [20_520, 100]
    assert one.record.rank_bounds(20_617).upper_ns is None


def test_the_style_ycsb_cuts_to_milliseconds() -> None:
    run = run_of("aerospike_java/j3.stdout.txt")
    record = series(run, "write").record
    assert record.quantile_bounds(0.99).upper_ns == 1_000_000
    assert record.quantile_bounds(1.0).upper_ns == 66_531_000
    assert record.mean_ns == (129_000.0, 131_000.0)
    assert claim(run, "write", "error_count").lower == 0


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(1, 40_000_000), min_size=1, max_size=300))
def test_what_a_row_proves_is_true(values: list[int]) -> None:
    limits = [2**power * 1_000_000 for power in range(6)]
    ordered = np.array(values)
    shares = [float((ordered <= limits[0]).mean()), *(float((ordered > limit).mean()) for limit in limits)]
    columns = "".join(f" {int(np.floor(100 * share + 0.5))}%" for share in shares)
    text = (
        f"2026-11-20 12:33:26.350 write(count={ordered.size} tps={ordered.size} timeouts=0 errors=0)\n"
        "      <=1ms >1ms >2ms >4ms >8ms >16ms >32ms\n"
        f"write {columns}\n"
    )
    record = series(run_of_text(text), "write").record
    for time_ns in {1, *limits, *(limit + 1 for limit in limits), *values, *(value + 1 for value in values)}:
        least, most = record.cdf_bounds(time_ns)
        share = float((ordered < time_ns).mean())
        assert least - 1e-12 <= share <= most + 1e-12


def test_without_a_summary_the_periods_stand_for_the_run() -> None:
    text = (SAMPLES / "aerospike_java/j2.stdout.txt").read_text()
    run = run_of_text(text[: text.index("Latency Summary")])
    record = series(run, "read").record
    assert run.state is EndState.KILLED
    assert record.total == 379_899
    lower, upper = record.cdf_bounds(1_000_001)
    assert 0.98 < lower < upper <= 1.0


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (">2ms(33:", ">2ms(533:"),
        ("total(20517)", "total(20518)"),
        (">4ms(3:", ">1ms(3:"),
        ("(20384:", "(99999999999999999:"),
    ],
)
def test_rows_that_contradict_themselves_are_left_out_by_line(before: str, after: str) -> None:
    text = (SAMPLES / "aerospike_java/alternate.stdout.txt").read_text().replace(before, after)
    run = run_of_text(text)
    (problem,) = [problem for problem in run.problems if problem.severity is Severity.ERROR]
    assert problem.line == 6
    assert series(run, "write").record.total == 100


@pytest.mark.parametrize(
    "row", ["write   97%  30%   2%   0%   0%    0%    0%", "write   97%   3%   4%   0%   0%    0%    0%"]
)
def test_shares_that_contradict_each_other_are_left_out(row: str) -> None:
    text = (SAMPLES / "aerospike_java/j1.stdout.txt").read_text()
    lines = text.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("write   97%"))
    lines[at] = row
    run = run_of_text("\n".join(lines))
    assert [problem.line for problem in run.problems if problem.severity is Severity.ERROR] == [at + 1]


def test_a_total_that_falls_ends_the_run_there() -> None:
    text = (SAMPLES / "aerospike_java/j1.stdout.txt").read_text()
    again = "\n".join(line for line in text.splitlines() if line.startswith(("2026", "write", "   ")))
    run = run_of_text(text + again)
    assert any("falls" in problem.reason and problem.line for problem in run.problems)
    assert series(run, "write").record.total == 50_000


def test_two_runs_in_one_file_are_two_runs() -> None:
    text = (SAMPLES / "aerospike_java/j2.stdout.txt").read_text()
    assert [series(run, "read").record.total for run in runs_of_text(text + text)] == [379_899, 379_899]


def test_a_banner_alone_is_refused() -> None:
    with pytest.raises(ContentUnreadable, match="no measurement"):
        run_of_text("\n".join((SAMPLES / "aerospike_java/j1.stdout.txt").read_text().splitlines()[:8]))


def test_many_lines_of_nothing_take_no_time() -> None:
    """Found by fuzzing: a damaged file of which nearly every line is one or two letters long."""
    header = (SAMPLES / "aerospike_java" / "j1.stdout.txt").read_text()
    begun = time.process_time()
    run = run_of_text(header + "a\naa\n" * 175_000)
    assert time.process_time() - begun < 1.0
    assert run.state is EndState.FINISHED
    assert any("not listed" in one.reason for one in run.problems)


def test_runs_over_the_limit_are_reported_after_a_full_list_of_problems() -> None:
    head = "Benchmark: 127.0.0.1:3000, namespace: test"
    begin = f"{head}\n2026-11-20 12:30:45.821 write(tps=1 timeouts=0 errors=0)\n"
    runs = runs_of_text(begin * 100 + "no line of it\n" * 300 + begin)
    assert len(runs) == 100
    assert runs[-1].problems[-1].reason == "more than 100 runs in one file"
