"""pgbench: logs of transactions and intervals against the summaries of the same runs, and damage."""

import gzip
import statistics
from pathlib import Path

import pytest
from backend.tests.importers.reading import SAMPLES, claim, holds, run_of, run_of_text, series
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.units import NS_PER_S, NS_PER_US
from tailroom.importers.importer import ContentUnreadable, FilesNotJoinable, FormatUnknown
from tailroom.importers.opening import open_path
from tailroom.importers.parsed_run import EndState, ParsedRun, Severity
from tailroom.importers.registry import read_together, runs_together
from tailroom.importers.source import CHUNK_BYTES, from_bytes

SMALL = settings(deadline=None, max_examples=60)
FOLDER = SAMPLES / "pgbench"


def together(pattern: str) -> ParsedRun:
    """The run of the files of all threads."""
    sources = [one for path in sorted(FOLDER.glob(pattern)) for one in open_path(Path(path))]
    results = list(read_together(sources))
    runs = [run for one in results if one.result is not None for run in one.result.runs]
    assert [one.refusal for one in results] == [None] * len(sources)
    assert all(one.read_with == sources[0].name for one in results[1:])
    (run,) = runs
    return run


def raw(*lines: str) -> str:
    return "".join(f"{line}\n" for line in lines)


def test_files_of_all_threads_are_one_run_and_its_sample_is_named() -> None:
    run = together("pglog.*")
    lines = [line for path in FOLDER.glob("pglog.*") for line in path.read_text().splitlines()]
    one = series(run, "transaction")
    assert isinstance(one.record, LatencyDist)
    assert one.intervals is not None
    assert one.record.total == int(one.intervals.totals.sum()) == len(lines) == 4_657
    latencies = sorted(int(line.split()[2]) for line in lines)
    for share in (0.5, 0.99, 1.0):
        rank = max(1, -(-int(share * len(latencies) * 1000) // 1000))
        assert holds(one.record.quantile_bounds(share), latencies[rank - 1] * NS_PER_US)
    assert run.closed_loop
    assert any("sampled" in problem.reason for problem in run.problems)
    assert run.started_at is not None
    assert run.started_at.isoformat().startswith("2026-11-20T12:37:03.89")


@pytest.mark.parametrize("name", ["pglog.11781", "agg.25309"])
def test_a_copied_log_of_another_thread_is_refused(name: str) -> None:
    log = (FOLDER / name).read_bytes()
    sources = [from_bytes(name, log), from_bytes(f"{name}.1.gz", gzip.compress(log))]
    with pytest.raises(
        FilesNotJoinable, match=rf"^{name}\.1\.gz has the same content as {name}: it is a copy"
    ):
        runs_together(sources)


def test_a_rate_makes_three_clocks_which_agree_with_the_summary() -> None:
    run, summary = together("rate.2*"), run_of("pgbench/rate.txt")
    assert not run.closed_loop
    assert not summary.closed_loop
    assert [one.clock for one in run.series] == ["response", "service", "queue"]
    for one in run.series:
        assert one.record.total == claim(summary, "transaction", "operation_count").lower == 1_186
    means = {one.clock: one.record.mean_ns for one in run.series}
    stated = claim(summary, "transaction", "latency_mean_ns")
    lag = claim(summary, "transaction", "schedule_lag_mean_ns")
    assert means["response"] is not None
    assert means["queue"] is not None
    assert stated.lower - NS_PER_US <= means["response"][0] <= stated.upper + NS_PER_US
    assert lag.lower - NS_PER_US <= means["queue"][0] <= lag.upper + NS_PER_US


@pytest.mark.parametrize(("name", "quantile"), [("rate", 0.9), ("rate", 0.5), ("rate", 0.999)])
def test_mean_and_deviation_of_the_summary_bound_the_log(name: str, quantile: float) -> None:
    log, summary = together(f"{name}.2*"), run_of(f"pgbench/{name}.txt")
    exact = series(log, "transaction", "response").record.quantile_bounds(quantile)
    assert holds(series(summary, "transaction", "response").record.quantile_bounds(quantile), exact.lower_ns)


def test_failures_are_errors_and_skipped_ones_time_outs() -> None:
    run = together("fail.2*")
    failed = sum(path.read_text().count("serialization") for path in FOLDER.glob("fail.2*"))
    record = series(run, "transaction").record
    assert (record.total, record.misses.errors) == (600, failed)
    limit = together("limit.2*")
    response = series(limit, "transaction", "response")
    skipped = (FOLDER / "limit.25035").read_text().count("skipped")
    assert response.record.misses.timeouts == skipped > 0
    assert response.record.total == 400


def test_a_column_that_may_be_lag_or_retries_is_not_guessed() -> None:
    run = together("retry.2*")
    assert [one.clock for one in run.series] == ["operation"]
    assert run.closed_loop
    assert any("seventh column may be" in one.reason for one in run.problems)
    retries = run_of_text(raw("0 1 500 0 1795178223 900000 0", "0 2 3 0 1795178223 910000 9"))
    assert [one.clock for one in retries.series] == ["service"]
    assert claim(retries, "transaction", "retry_count").lower == 9


@SMALL
@given(
    st.lists(st.tuples(st.integers(0, 3_000_000), st.integers(0, 20_000_000)), min_size=1, max_size=40),
    st.booleans(),
)
def test_a_log_keeps_every_latency(rows: list[tuple[int, int]], windows: bool) -> None:
    end = "\r\n" if windows else "\n"
    text = "".join(
        f"0 {number} {latency} 0 {1_795_178_223 + at // 1_000_000} {at % 1_000_000}{end}"
        for number, (latency, at) in enumerate(rows, 1)
    )
    one = series(run_of_text(text), "transaction")
    assert isinstance(one.record, LatencyDist)
    assert one.intervals is not None
    assert one.record.total == int(one.intervals.totals.sum()) == len(rows)
    assert one.record.min_ns == min(latency for latency, _ in rows) * NS_PER_US
    for latency, _ in rows:
        below = one.record.below((latency + 1) * NS_PER_US)
        true = sum(other <= latency for other, _ in rows)
        assert below.lower <= true <= below.upper


def test_damaged_lines_are_problems_and_the_others_are_read() -> None:
    good = [f"1 {number} {100 + number} 0 1795178223 {number}" for number in range(1, 30)]
    bad = ["1 30 -5 0 1795178223 9", "1 31 nan 0 1795178223 9", "binary \x00\x01", "1 32 5 0 1795178223"]
    run = run_of_text(raw(*good[:10], *bad, *good[10:], "1 33 5 0 9999999999 1", "1 34 99"))
    assert series(run, "transaction").record.total == len(good)
    lines = {one.line for one in run.problems if one.severity is Severity.WARNING}
    assert {11, 12, 13, 14, 34} <= lines


def test_a_log_longer_than_a_chunk_is_counted_to_the_last_line() -> None:
    line = "7 {} 250 0 1795178{:03d} 000500\n"
    rows = 3 * CHUNK_BYTES // 32
    text = "".join(line.format(number, (number - 1) * 600 // rows) for number in range(1, rows + 1))
    one = series(run_of_text(text), "transaction")
    assert one.intervals is not None
    assert (one.record.total, one.intervals.size) == (rows, 600)


def test_intervals_of_all_threads_are_added_up() -> None:
    run = together("agg.2*")
    lines = [line.split() for path in FOLDER.glob("agg.2*") for line in path.read_text().splitlines()]
    one = series(run, "transaction")
    assert one.record.total == sum(int(line[1]) for line in lines)
    mean_us = sum(int(line[2]) for line in lines) / sum(int(line[1]) for line in lines)
    assert one.record.mean_ns is not None
    assert one.record.mean_ns[0] == pytest.approx(mean_us * NS_PER_US)
    assert len(one.periods) == 5
    assert one.periods[1].start_ns == NS_PER_S
    assert sum(period.record.total or 0 for period in one.periods) == one.record.total
    assert holds(one.record.quantile_bounds(1.0), max(int(line[5]) for line in lines) * NS_PER_US)
    with_rate = together("aggr.2*")
    assert [one.clock for one in with_rate.series] == ["response"]
    assert with_rate.series[0].record.misses.timeouts == 422


@SMALL
@given(st.lists(st.integers(1, 5_000_000), min_size=1, max_size=50), st.sampled_from([6, 10, 11, 15, 16]))
def test_sums_of_an_interval_bound_its_latencies(values: list[int], width: int) -> None:
    sums = [1_795_178_223, len(values), sum(values), sum(one**2 for one in values), min(values), max(values)]
    text = raw(
        " ".join(map(str, [*sums, *([0] * (width - 6))])), " ".join(["1795178224", *["0"] * (width - 1)])
    )
    record = run_of_text(text).series[0].record
    assert record.total == len(values)
    for value in {*values, int(statistics.mean(values)), 2 * max(values)}:
        at_ns = value * NS_PER_US + NS_PER_US
        lower, upper = record.cdf_bounds(at_ns)
        true = sum(one <= value for one in values) / len(values)
        assert lower - 1e-9 <= true <= upper + 1e-9


@pytest.mark.parametrize(
    "line",
    [
        "1795178223 3 10 200 1 5 7",
        "1795178223 3 100 200 1 5",
        "1795178223 2 10 200 5 1",
        "1795178223 2 10 999999 1 9",
    ],
)
def test_sums_that_cannot_be_are_problems(line: str) -> None:
    run = run_of_text(raw("1795178222 2 10 52 4 6", line, "1795178224 2 10 52 4 6"))
    assert run.series[0].record.total == 4
    assert any(one.line == 2 for one in run.problems)


def test_the_summary_says_what_was_measured() -> None:
    run = run_of("pgbench/tpcb.txt")
    assert (run.tool_version, run.state, run.parameters["connections"]) == ("15.18", EndState.FINISHED, 4)
    assert claim(run, "transaction", "operation_count").lower == 15_518
    record = series(run, "transaction").record
    assert record.total == 15_518
    assert record.mean_ns == (2_571_500, 2_573_499)
    unmeasured = run_of("pgbench/select_only.txt")
    assert series(unmeasured, "transaction").record.mean_ns is None
    assert not [one for one in unmeasured.claims if one.quantity == "latency_mean_ns"]
    assert claim(run, "statement: END;", "latency_mean_ns").printed == "1.341"


def test_progress_lines_are_periods_without_counts() -> None:
    run = run_of("pgbench/tpcb.progress")
    one = series(run, "transaction")
    assert [period.start_ns // NS_PER_S for period in one.periods] == [0, 2, 4, 6, 8]
    assert all(period.record.total is None for period in one.periods)
    assert run.state is EndState.UNKNOWN
    mixed = run_of("pgbench/limit.txt")
    assert len(series(mixed, "transaction", "response").periods) == 4
    assert series(mixed, "transaction", "response").record.misses.timeouts == 30_374


def test_scripts_have_series_of_their_own_and_the_limit_is_exact() -> None:
    run = run_of("pgbench/mix.txt")
    assert [(one.operation, one.record.total) for one in run.series] == [
        ("transaction", 3_316),
        ("script-0", 848),
        ("script-1", 2_468),
    ]
    over = run.series[0].record.at_or_over(2_000 * NS_PER_US + NS_PER_US)
    assert (over.lower, over.upper) == (816, 816)


def test_a_script_that_never_ran_contradicts_nothing() -> None:
    mixed = (FOLDER / "mix.txt").read_text("utf-8")
    limit = "number of transactions above the 2.0 ms latency limit: "
    script = "SQL script 3: never.sql\n - 0 transactions (0.0% of total)\n"
    for stated, is_reported in (("0/0", False), ("0/0 (0.000%)", False), ("1/0", True)):
        run = run_of_text(f"{mixed}{script} - {limit}{stated}\n")
        assert any("above the latency limit" in one.reason for one in run.problems) is is_reported
        assert series(run, "transaction").record == series(run_of("pgbench/mix.txt"), "transaction").record


def test_older_words_are_read() -> None:
    text = raw(
        "transaction type: <builtin: TPC-B (sort of)>",
        "number of clients: 10",
        "number of transactions actually processed: 9900/10000",
        "latency average: 5.000 ms",
        "latency stddev: 1.000 ms",
        "tps = 85.184871 (including connections establishing)",
        "tps = 85.296346 (excluding connections establishing)",
    )
    run = run_of_text(text)
    assert run.state is EndState.FAILED
    assert claim(run, "transaction", "throughput_ops_per_s").printed == "85.296346"
    assert claim(run, "transaction", "latency_mean_ns").printed == "5.000"
    broken = run_of_text(text.replace("5.000", "NaN").replace("85.29", "-85.29"))
    assert sum("no time or rate" in one.reason for one in broken.problems) == 2


@pytest.mark.parametrize(
    "junk", ["", "starting vacuum...end.\n", "transaction type: x\nnumber of clients: 1\n"]
)
def test_nothing_of_pgbench_is_refused(junk: str) -> None:
    with pytest.raises((FormatUnknown, ContentUnreadable, Exception), match=r"empty|recognised|no result"):
        run_of_text(junk)
