"""HdrHistogram logs of all three dialects: totals, quantiles, times, units, and what makes no log."""

from datetime import UTC, datetime

import numpy as np
import pytest
from backend.tests.importers.reading import SAMPLES, run_of, run_of_text, runs_of_text, series

from tailroom.domain.latency.layouts import HdrLayout
from tailroom.domain.units import NS_PER_MS
from tailroom.importers.importer import ContentUnreadable, FormatUnknown
from tailroom.importers.parsed_run import ParsedRun, Severity
from tailroom.importers.registry import read
from tailroom.importers.source import from_bytes


@pytest.mark.parametrize(
    ("sample", "operation", "total", "layout", "course"),
    [
        ("ycsb_READ.hdr", "read", 99_842, HdrLayout(1_000, 3), (6, 3_004)),
        ("ycsb_UPDATE.hdr", "update", 100_158, HdrLayout(1_000, 3), (6, 3_019)),
        ("ycsb_CLEANUP.hdr", "cleanup", 8, HdrLayout(1_000, 3), (3, 262)),
        ("memtier_FULL_RUN_1.hgrm", "total", 882_331, HdrLayout(8_000, 2), (1, 10_001)),
        ("memtier_GET_command_run_1.hgrm", "get", 705_845, HdrLayout(8_000, 2), (1, 10_001)),
        ("memtier_SET_command_run_1.hgrm", "set", 176_486, HdrLayout(8_000, 2), (1, 10_001)),
        ("memtier_given5_SET.hgrm", "set", 50_020, HdrLayout(8_000, 2), (1, 828)),
        ("read_asbench.hdrhist", "read", 752_220, HdrLayout(1_000, 3), (1, 15_009)),
    ],
)
def test_totals_are_those_of_the_file(
    sample: str, operation: str, total: int, layout: HdrLayout, course: tuple[int, int]
) -> None:
    pieces, duration_ms = course
    run = run_of(f"hdr_log/{sample}")
    one = series(run, operation)
    assert one.intervals is not None
    assert (one.record.total, int(one.intervals.totals.sum())) == (total, total)
    assert (one.intervals.layout, one.intervals.size) == (layout, pieces)
    assert run.duration_ns == duration_ms * NS_PER_MS
    assert run.closed_loop
    assert not [problem for problem in run.problems if problem.severity is not Severity.NOTE]


def test_quantiles_agree_with_what_the_tool_itself_printed() -> None:
    record = series(run_of("hdr_log/ycsb_READ.hdr"), "read").record
    for quantile, printed_us in ((0.5, 90), (0.9, 167), (0.95, 218), (0.99, 590), (0.9999, 7_703)):
        bounds = record.quantile_bounds(quantile)
        # YCSB rounds the rank to the nearest, which is one rank early for the last of these.
        assert bounds.lower_ns <= (printed_us + 110) * 1_000
        assert bounds.upper_ns is not None
        assert bounds.upper_ns > printed_us * 1_000


@pytest.mark.parametrize(
    ("sample", "started"),
    [
        ("ycsb_READ.hdr", datetime(2026, 11, 20, 12, 35, 34, 296_000, UTC)),
        ("memtier_GET_command_run_1.hgrm", datetime(2026, 11, 20, 12, 20, 5, 724_000, UTC)),
        ("read_asbench.hdrhist", datetime(2026, 11, 20, 12, 30, 44, 0, UTC)),
    ],
)
def test_the_start_is_a_date_even_where_times_count_from_the_start_of_the_machine(
    sample: str, started: datetime
) -> None:
    assert run_of(f"hdr_log/{sample}").started_at == started


def test_lengths_are_told_from_ends_whatever_the_legend_says() -> None:
    run = run_of("hdr_log/head_of_jHiccup-2.0.1.logV0.hlog")
    pieces = series(run, "pause", "operation").intervals
    assert pieces is not None
    assert pieces.start_ns[0] == 116 * NS_PER_MS
    assert {997 * NS_PER_MS, 1_005 * NS_PER_MS} <= set(pieces.duration_ns.tolist())
    assert int(pieces.duration_ns.max()) < 1_100 * NS_PER_MS
    assert run.parameters["latency_unit"] == "ns"


def test_absolute_starts_of_ycsb_count_from_the_start_of_the_log() -> None:
    pieces = series(run_of("hdr_log/head_of_ycsb.logV1.hlog"), "read").intervals
    assert pieces is not None
    assert pieces.start_ns[0] == 0
    assert 1 <= pieces.end_ns // 10**9 <= 8


def test_each_tag_is_a_series_and_the_unit_is_asked_for() -> None:
    run = run_of("hdr_log/tagged_1_3.hlog")
    assert [(one.source_name, one.record.total) for one in run.series] == [
        ("", 2000),
        ("A", 2000),
        ("B", 2000),
    ]
    assert "tool.latency_unit" in run.missing
    assert [problem.severity for problem in run.problems] == [Severity.WARNING]
    median = run.series[0].record.quantile_bounds(0.5)
    assert 100_000 < median.lower_ns < 250_000


def test_a_log_without_intervals_says_so() -> None:
    run = run_of("hdr_log/ycsb_empty.hdr")
    assert run.series == ()
    assert "no operation" in run.problems[-1].reason


def test_the_operation_may_come_from_the_name_of_the_file_and_is_noted() -> None:
    run = run_of("hdr_log/read_asbench.hdrhist")
    assert run.tool == "asbench"
    assert [problem.severity for problem in run.problems] == [Severity.NOTE]


def _ycsb_lines() -> list[str]:
    return (SAMPLES / "hdr_log/ycsb_READ.hdr").read_text().splitlines(keepends=True)


def test_two_runs_in_one_file_are_two_runs() -> None:
    text = "".join(_ycsb_lines())
    runs = runs_of_text(text + text)
    assert [run.series[0].record.total for run in runs] == [99_842, 99_842]


def test_a_second_run_without_its_header_is_a_located_error() -> None:
    lines = _ycsb_lines()
    run = run_of_text("".join(lines + lines[4:]))
    (problem,) = [problem for problem in run.problems if problem.severity is Severity.ERROR]
    assert problem.line == len(lines) + 1
    assert "before the one above" in problem.reason


@pytest.mark.parametrize("damage", ["cut", "letter", "columns", "junk"])
def test_damaged_rows_are_left_out_and_named_by_line(damage: str) -> None:
    lines = _ycsb_lines()
    row = lines[6]
    lines[6] = {
        "cut": row[: len(row) // 2] + "\n",
        "letter": row.replace(row[200:210], "AAAAAAAAAA"),
        "columns": row.split(",", 1)[1],
        "junk": "\x00\x01 no row\n",
    }[damage]
    run = run_of_text("".join(lines))
    (problem,) = [problem for problem in run.problems if problem.severity is Severity.ERROR]
    assert problem.line == 7
    assert series(run, "read").record.total == 99_842 - _count(lines, 6, run)


def _count(lines: list[str], left_out: int, run: ParsedRun) -> int:
    whole = run_of("hdr_log/ycsb_READ.hdr").series[0].intervals
    assert whole is not None
    return int(whole.totals[left_out - 4])


def test_the_percentile_table_gives_exact_counts_where_it_is_printed_exactly() -> None:
    run = run_of("hdr_log/read_asbench.txt")
    (one,) = run.series
    exact = series(run_of("hdr_log/read_asbench.hdrhist"), "read").record
    assert (one.operation, one.record.total) == ("read", 752_220)
    for time_ns in (70_000, 250_000, 1_000_000, 8_000_000):
        lower, upper = one.record.cdf_bounds(time_ns)
        least, most = exact.cdf_bounds(time_ns)
        assert lower <= most
        assert least <= upper
    assert "tool.latency_unit" in run.missing


def test_a_table_with_two_digits_keeps_the_truth_between_its_ends() -> None:
    (one,) = run_of("hdr_log/hdr_GET_command_run_1.txt").series
    exact = series(run_of("hdr_log/memtier_GET_command_run_1.hgrm"), "get").record
    assert one.record.total == 705_845
    for time_ns in np.arange(8_000, 60_000_000, 400_000):
        lower, upper = one.record.cdf_bounds(int(time_ns))
        least, most = exact.cdf_bounds(int(time_ns))
        assert lower <= most + 1e-12
        assert least <= upper + 1e-12


def test_a_table_without_counts_is_refused() -> None:
    title = "       Value   Percentile   TotalCount 1/(1-Percentile)\n\n"
    with pytest.raises(ContentUnreadable, match="no counts"):
        run_of_text(title + "      17.000     0.000000            0         1.00\n")


def test_a_header_alone_is_a_run_without_operations() -> None:
    assert run_of_text("#[Histogram log format version 1.3]\n").series == ()


def test_a_table_that_was_cut_says_what_is_missing() -> None:
    lines = (SAMPLES / "hdr_log/read_asbench.txt").read_text().splitlines(keepends=True)
    run = run_of_text("".join(lines[:30] + lines[-3:]))
    assert any("it was cut" in problem.reason for problem in run.problems)
    (one,) = run.series
    assert one.record.total == 752_220
    assert one.record.quantile_bounds(0.9999).upper_ns is None


def test_a_prose_text_is_no_log() -> None:
    with pytest.raises(FormatUnknown, match="damaged HdrHistogram log"):
        run_of_text("StartTimestamp and Interval_Length are columns of a log\n")


def test_a_time_that_no_clock_shows_is_a_problem_of_its_row() -> None:
    """Found by damaging files: 18 billion seconds are more nanoseconds than 64 bits hold."""
    (path,) = SAMPLES.rglob("memtier_given5_SET.hgrm")
    lines = path.read_bytes().split(b"\n")
    at = next(number for number, line in enumerate(lines) if b",HIST" in line)
    second = lines[at].split(b",", 1)[1]
    damaged = b"\n".join([*lines[: at + 1], b"18446744073.5," + second, *lines[at + 1 :]])
    (run,) = read(from_bytes(path.name, damaged)).runs
    (plain,) = read(from_bytes(path.name, path.read_bytes())).runs
    assert [one.record.total for one in run.series] == [one.record.total for one in plain.series]
    assert [one.line for one in run.problems if "seconds" in one.reason] == [at + 2]


def test_many_rows_become_longer_pieces_of_the_same_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    full = run_of("hdr_log/head_of_jHiccup-2.0.7S.logV2.hlog").series[0]
    monkeypatch.setattr("tailroom.importers.hdr_log.importer._MAX_FILLED_BUCKETS", 12)
    short = run_of("hdr_log/head_of_jHiccup-2.0.7S.logV2.hlog").series[0]
    assert full.intervals is not None
    assert short.intervals is not None
    assert 1 <= short.intervals.size < full.intervals.size
    assert short.intervals.end_ns == full.intervals.end_ns
    times = np.arange(0, 60_000_000, 100_000)
    for one, two in zip(full.record.below_each(times), short.record.below_each(times), strict=True):
        assert one.tolist() == two.tolist()
