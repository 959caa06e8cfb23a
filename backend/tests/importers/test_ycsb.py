"""YCSB in all its shapes: totals, clocks, failures, histograms, raw lines at speed, and damage."""

import numpy as np
import pytest
from backend.tests.importers.reading import SAMPLES, claim, holds, run_of, run_of_text, runs_of_text, series
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.domain.units import NS_PER_MS
from tailroom.importers.importer import ContentUnreadable
from tailroom.importers.parsed_run import EndState, Severity


@pytest.mark.parametrize(
    ("sample", "totals", "state"),
    [
        ("y1.stdout.txt", {"insert": 20_000, "cleanup": 4}, EndState.FINISHED),
        ("y1.stderr.txt", {"insert": 20_000, "cleanup": 4}, EndState.FINISHED),
        ("y2.stdout.txt", {"read": 99_842, "update": 100_158, "cleanup": 8}, EndState.FINISHED),
        ("y2.stderr.txt", {"read": 99_842, "update": 100_158, "cleanup": 8}, EndState.FINISHED),
        ("y2x.stdout.txt", {}, EndState.FAILED),
        ("y2x.stderr.txt", {}, EndState.FAILED),
        ("y3.stdout.txt", {"read": 299_858, "cleanup": 4}, EndState.FINISHED),
        (
            "y4.stdout.txt",
            {"read": 3_000, "update": 1_489, "read-modify-write": 1_489, "cleanup": 2},
            EndState.FINISHED,
        ),
        ("y5.stdout.txt", {"read": 30_068, "update": 29_932, "cleanup": 8}, EndState.FINISHED),
        ("export.json", {"read": 30_068, "update": 29_932, "cleanup": 8}, EndState.FINISHED),
        ("export_array.json", {"read": 30_068, "update": 29_932, "cleanup": 8}, EndState.FINISHED),
    ],
)
def test_totals_are_those_of_the_file(sample: str, totals: dict[str, int], state: EndState) -> None:
    run = run_of(f"ycsb/{sample}")
    assert {one.operation: one.record.total for one in run.series} == totals
    assert run.state is state
    assert run.tool == "ycsb"
    assert run.closed_loop


def test_the_summary_and_the_log_of_the_same_run_agree() -> None:
    summary = run_of("ycsb/y2.stdout.txt")
    for operation in ("read", "update", "cleanup"):
        exact = series(run_of(f"hdr_log/ycsb_{operation.upper()}.hdr"), operation).record
        for record in (
            series(summary, operation).record,
            series(run_of("ycsb/y2.stderr.txt"), operation).record,
        ):
            assert record.total == exact.total
            for time_us in (10, 14, 50, 90, 91, 168, 591, 1_000, 3_712, 8_056, 14_568):
                lower, upper = record.cdf_bounds(time_us * 1_000)
                least, most = exact.cdf_bounds(time_us * 1_000)
                assert lower <= most + 1e-12
                assert least <= upper + 1e-12


def test_status_lines_are_periods() -> None:
    run = run_of("ycsb/y2.stderr.txt")
    periods = series(run, "read").periods
    assert [period.record.total for period in periods] == [210, 24_177, 33_965, 41_264, 226]
    assert [period.duration_ns // NS_PER_MS for period in periods] == [0, 932, 1_000, 1_000, 21]
    assert run.tool_version == "0.17.0"
    assert run.parameters["threads"] == 8
    assert run.parameters["started_at_local"] == "2026-11-20 12:35:34.328000"
    assert run.started_at is None
    assert "run.started_at" in run.missing


def test_a_time_series_is_claims_about_stretches_of_the_run() -> None:
    run = run_of("ycsb/y3.stdout.txt")
    means = [
        one for one in run.claims if one.operation == "read" and one.start_ns is not None and one.line == 14
    ]
    assert len(means) == 14
    assert (means[1].start_ns, means[1].duration_ns) == (500 * NS_PER_MS, 500 * NS_PER_MS)
    assert means[1].lower == pytest.approx(122_125.81006979063)
    assert any("300000 came back well" in problem.reason for problem in run.problems)


def test_raw_lines_are_kept_to_the_microsecond() -> None:
    run = run_of("ycsb/y4.stdout.txt")
    one = series(run, "read")
    assert isinstance(one.record, LatencyDist)
    lines = (SAMPLES / "ycsb/y4.stdout.txt").read_text().splitlines()
    latencies = np.array([int(line.split(",")[2]) for line in lines if line.startswith("READ,")])
    for time_us in (17, 27, 28, 100, 2_016, 11_312, 11_313):
        below = int((latencies < time_us).sum())
        bounds = one.record.below(time_us * 1_000)
        assert (bounds.lower, bounds.upper) == (below, below)
    assert one.intervals is not None
    assert int(one.intervals.totals.sum()) == 3_000
    assert run.started_at is not None
    assert run.started_at.isoformat() == "2026-11-20T12:34:48.004000+00:00"
    assert any("do not add up" in problem.reason for problem in run.problems)


def test_milliseconds_with_an_open_bucket() -> None:
    run = run_of("ycsb/histogram.stdout.txt")
    record = series(run, "read").record
    assert isinstance(record, LatencyDist)
    assert (record.count, record.misses.errors) == (112_700, 3)
    assert (
        record.at_or_over(1_000_000).lower == record.at_or_over(1_000_000).upper == 4_001 + 200 + 30 + 4 + 3
    )
    # The largest latency is stated, so that the open bucket ends after all.
    assert record.rank_bounds(112_700).upper_ns == 31_171_000
    assert claim(run, "read", "error_count").lower == 3


def test_intended_times_are_response_times_only_under_a_schedule() -> None:
    run = run_of("ycsb/hdr_verbose_intended.stdout.txt")
    assert not run.closed_loop
    assert {(one.operation, one.clock) for one in run.series} == {
        ("read", "service"),
        ("read", "response"),
        ("read-failed", "service"),
    }
    exact = series(run, "read").record
    assert isinstance(exact, LatencyDist)
    assert exact.layout == HdrLayout(1_000, 3)
    assert (exact.count, exact.misses.errors) == (10, 2)
    assert run.parameters["jdbc.passwd"] == "(not kept)"
    text = (SAMPLES / "ycsb/hdr_verbose_intended.stdout.txt").read_text().split("\n", 1)[1]
    unknown = run_of_text(text)
    assert unknown.closed_loop
    assert "response" not in {one.clock for one in unknown.series}


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.integers(1, 3_000_000), min_size=1, max_size=300),
    st.booleans(),
    st.lists(st.sampled_from(["50", "90", "95", "99", "99.9", "99.99"]), unique=True, max_size=6),
)
def test_what_a_summary_proves_is_true(values: list[int], rounded_rank: bool, percentiles: list[str]) -> None:
    layout = HdrLayout(1_000, 3)
    ordered = np.sort(np.array(values))
    lower_ns, upper_ns = layout.edges_ns(layout.index_of(ordered))
    count = ordered.size
    lines = [f"[READ], Operations, {count}"]
    middle = (lower_ns // 1_000 + (upper_ns - lower_ns) // 2_000).mean()
    lines.append(f"[READ], AverageLatency(us), {middle}")
    lines.append(f"[READ], MinLatency(us), {lower_ns[0] // 1_000}")
    lines.append(f"[READ], MaxLatency(us), {upper_ns[-1] // 1_000 - 1}")
    for percentile in percentiles:
        exact = float(percentile) / 100 * count
        rank = max(1, int(exact + 0.5) if rounded_rank else int(np.ceil(np.nextafter(exact, -np.inf))))
        lines.append(f"[READ], {percentile}thPercentileLatency(us), {upper_ns[rank - 1] // 1_000 - 1}")
    run = run_of_text("[OVERALL], RunTime(ms), 5\n" + "\n".join(lines) + "\n")
    record = series(run, "read").record
    assert not [problem for problem in run.problems if problem.severity is Severity.ERROR]
    for time_us in {1, 2, *values, *(value + 1 for value in values[:50])}:
        share = float((ordered < time_us).mean())
        least, most = record.cdf_bounds(time_us * 1_000)
        assert least - 1e-12 <= share <= most + 1e-12
    assert record.mean_ns is not None
    assert record.mean_ns[0] <= float(ordered.mean()) * 1_000 + 1_000
    assert record.mean_ns[1] >= float(ordered.mean()) * 1_000


def _raw(lines: int, seed: int = 1) -> tuple[str, np.ndarray[tuple[int], np.dtype[np.int64]]]:
    rng = np.random.default_rng(seed)
    latency = rng.lognormal(5, 1.5, lines).astype(np.int64)
    at = 1_795_178_088_004 + np.sort(rng.integers(0, 5_000, lines))
    return "".join(f"READ,{ms},{us}\n" for ms, us in zip(at.tolist(), latency.tolist(), strict=True)), latency


def test_raw_lines_read_fast_and_slowly_give_the_same() -> None:
    text, latency = _raw(4_000)
    fast = series(run_of_text(text), "read").record
    head = "READ latency raw data: op, timestamp(ms), latency(us)\n"
    slow = series(run_of_text(head + text.replace(",1795", ",01795")), "read").record
    assert isinstance(fast, LatencyDist)
    assert isinstance(slow, LatencyDist)
    assert fast.counts.indices.tolist() == slow.counts.indices.tolist()
    assert fast.counts.counts.tolist() == slow.counts.counts.tolist()
    assert fast.total == latency.size
    windows = series(run_of_text(text.replace("\n", "\r\n")), "read").record
    assert windows.total == latency.size


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("READ,1795178088004,-17", "not a line"),
        ("READ,1795178088004,99999999999999", "not a line"),
        ("READ,99999999999999,17", "impossible"),
        ("READ,1795178088004,4294967296", "impossible"),
        ("READ,1795178088004,1x7", "not a line"),
        ("READ,17951780880a4,17", "not a line"),
        ("READ,1795178088004", "not a line"),
        ("\x00\xff junk", "not a line"),
    ],
)
def test_raw_lines_that_are_none_are_named_and_the_others_kept(line: str, says: str) -> None:
    text, latency = _raw(100)
    lines = text.splitlines(keepends=True)
    run = run_of_text("".join(lines[:50]) + line + "\n" + "".join(lines[50:]))
    (problem,) = run.problems
    assert (problem.line, series(run, "read").record.total) == (51, latency.size)
    assert says in problem.reason


def test_a_raw_file_that_was_cut_contradicts_its_summary() -> None:
    lines = (SAMPLES / "ycsb/y4.stdout.txt").read_text().splitlines(keepends=True)
    run = run_of_text("".join(lines[:10] + lines[20:]))
    assert any("raw lines, but the summary counts" in problem.reason for problem in run.problems)


def test_two_runs_in_one_file() -> None:
    text = (SAMPLES / "ycsb/y5.stdout.txt").read_text()
    first, second = runs_of_text(text + text)
    assert series(first, "read").record.total == series(second, "read").record.total == 30_068


def test_a_falling_count_in_the_status_is_a_located_error() -> None:
    lines = (SAMPLES / "ycsb/y2.stderr.txt").read_text().splitlines(keepends=True)
    status = [line for line in lines if "operations;" in line]
    run = run_of_text("".join(lines) + status[0])
    (problem,) = [problem for problem in run.problems if problem.severity is Severity.ERROR]
    assert problem.line == len(lines) + 1
    assert series(run, "read").record.total == 99_842


def test_percentiles_that_fall_are_an_error_and_no_record() -> None:
    text = "[READ], Operations, 100\n[READ], MinLatency(us), 5\n[READ], MaxLatency(us), 50\n[READ], 50thPercentileLatency(us), 40\n[READ], 99thPercentileLatency(us), 10\n"  # noqa: E501
    run = run_of_text("[OVERALL], RunTime(ms), 5\n" + text)
    assert run.series == ()
    assert run.problems[0].severity is Severity.ERROR


@pytest.mark.parametrize("value", ["-5", "NaN", "1e308", "9" * 40])
def test_impossible_numbers_are_named(value: str) -> None:
    run = run_of_text(f"[OVERALL], RunTime(ms), 5\n[READ], Operations, 3\n[READ], MaxLatency(us), {value}\n")
    assert run.series == () or run.series[0].record.quantile_bounds(0.5).upper_ns is None


def test_a_banner_alone_is_refused() -> None:
    with pytest.raises(ContentUnreadable, match="nothing was measured"):
        run_of("ycsb/y4.stderr.txt")


def test_quantiles_lie_where_the_tool_says() -> None:
    record = series(run_of("ycsb/y5.stdout.txt"), "read").record
    assert holds(record.quantile_bounds(0.5), 100_500)
    assert holds(record.quantile_bounds(0.99), 1_825_500)


def test_status_lines_of_old_versions_have_no_time_of_day() -> None:
    run = run_of_text(
        "Command line: -db x -t\nYCSB Client 0.1\n"
        " 0 sec: 0 operations;\n"
        " 10 sec: 5000 operations; 500 current ops/sec; [READ AverageLatency(us)=1200.5]\n"
        "[OVERALL], RunTime(ms), 10110\n[READ], Operations, 5000\n[READ], AverageLatency(us), 1200.5\n"
        "[READ], MinLatency(us), 41\n[READ], MaxLatency(us), 2170\n[READ], 95thPercentileLatency(ms), 1\n"
        "[READ], 99thPercentileLatency(ms), 2\n[READ], Return=0, 5000\n[READ], 0, 100\n[READ], 1, 4860\n"
        "[READ], 2, 40\n[READ], >3, 0\n"
    )
    record = series(run, "read").record
    assert (record.total, record.misses.total) == (5_000, 0)
    assert record.at_or_over(2 * NS_PER_MS).upper == 40
    (rate,) = [
        one for one in run.claims if one.start_ns is not None and one.quantity == "throughput_ops_per_s"
    ]
    assert (rate.printed, rate.duration_ns) == ("500", 10_000 * NS_PER_MS)


def test_two_measurements_of_one_operation_are_one_series_and_the_raw_one() -> None:
    text, latency = _raw(200)
    summary = "[HdrREAD], Operations, 200\n[HdrREAD], MinLatency(us), 1\n[HdrREAD], MaxLatency(us), 9999999\n"
    run = run_of_text("[OVERALL], RunTime(ms), 5\n" + summary + text.replace("READ,", "RawREAD,"))
    one = series(run, "read")
    assert isinstance(one.record, LatencyDist)
    assert (one.record.total, one.source_name) == (latency.size, "RawREAD")


def test_two_exports_in_one_file_are_two_runs() -> None:
    text = (SAMPLES / "ycsb/export.json").read_text()
    assert [series(run, "read").record.total for run in runs_of_text(text + "\n" + text)] == [30_068, 30_068]


def test_an_entry_that_stands_twice_is_named_and_the_first_kept() -> None:
    text = (
        "[OVERALL], RunTime(ms), 5\n[READ], Operations, 3\n[READ], MaxLatency(us), 7\n[READ], Operations, 9\n"
    )
    run = run_of_text(text)
    assert [(problem.line, "twice" in problem.reason) for problem in run.problems][:1] == [(4, True)]
    assert claim(run, "read", "operation_count").lower == 3
