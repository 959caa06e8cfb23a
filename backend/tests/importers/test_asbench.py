"""asbench: cumulative percentiles, histograms of each period, failed calls, stages, and damage."""

import pytest
from backend.tests.importers.reading import SAMPLES, claim, run_of, run_of_text, runs_of_text, series

from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.units import NS_PER_MS, NS_PER_S
from tailroom.importers.importer import ContentUnreadable
from tailroom.importers.parsed_run import EndState, Severity


@pytest.mark.parametrize(
    ("sample", "totals", "state"),
    [
        ("a1.stdout.txt", {"write": 100_000}, EndState.UNKNOWN),
        ("a2.stdout.txt", {"write": 187_507, "read": 752_220}, EndState.FINISHED),
        ("a3.stdout.txt", {}, EndState.FINISHED),
        ("a3.hist.txt", {"write": 406_268, "read": 403_787}, EndState.UNKNOWN),
        ("a4.stdout.txt", {"write": 62_727, "read": 331_138}, EndState.FINISHED),
        ("v13_no_hits.stdout.txt", {"write": 1_001, "read": 4_002}, EndState.UNKNOWN),
    ],
)
def test_totals_are_those_of_the_file(sample: str, totals: dict[str, int], state: EndState) -> None:
    run = run_of(f"asbench/{sample}")
    assert {one.operation: one.record.total for one in run.series} == totals
    assert (run.state, run.closed_loop) == (state, True)


def test_the_log_and_the_histogram_of_the_same_run_agree() -> None:
    log = series(run_of("asbench/a2.stdout.txt"), "read").record
    exact = series(run_of("hdr_log/read_asbench.hdrhist"), "read").record
    for time_us in (16, 17, 211, 212, 440, 911, 3_726, 16_960, 51_520):
        lower, upper = log.cdf_bounds(time_us * 1_000)
        least, most = exact.cdf_bounds(time_us * 1_000)
        assert lower <= most + 1e-12
        assert least <= upper + 1e-12


def test_local_times_and_universal_times_give_the_zone() -> None:
    run = run_of("asbench/v13_no_hits.stdout.txt")
    assert run.started_at is not None
    assert run.started_at.isoformat() == "2021-08-01T08:00:00+00:00"
    without = run_of("asbench/a3.stdout.txt")
    assert without.started_at is None
    assert without.parameters["started_at_local"] == "2026-11-20 12:30:59.849000"
    assert "run.started_at" in without.missing


def test_periods_of_the_output_file_are_exact_pieces_and_the_sliver_is_one_of_its_length() -> None:
    run = run_of("asbench/a3.hist.txt")
    one = series(run, "read")
    assert isinstance(one.record, LatencyDist)
    assert one.intervals is not None
    assert one.intervals.totals.tolist() == [88_708, 95_717, 122_268, 97_092, 2]
    assert one.intervals.duration_ns.tolist() == [
        3_000_370_000,
        2_999_800_000,
        3_000_290_000,
        3_000_700_000,
        622_000,
    ]
    assert one.intervals.start_ns[1] == 3_000_370_000
    assert one.record.below(100_000).upper == 44_886 + 60_034 + 80_589 + 48_580
    edges, _ = one.intervals.layout.edges_ns(one.intervals.indices)
    assert int(edges.max()) == 42_000_000


def test_failed_calls_are_misses() -> None:
    run = run_of("asbench/v13_no_hits.stdout.txt")
    assert series(run, "write").record.misses.timeouts == 1
    assert series(run, "read").record.misses.errors == 2


def test_values_without_their_percentiles_are_not_guessed() -> None:
    run = run_of("asbench/v13_no_hits.stdout.txt")
    bounds = series(run, "read").record.quantile_bounds(0.5)
    assert (bounds.lower_ns, bounds.upper_ns) == (17_000, 5_004_000)
    assert [problem.line for problem in run.problems if "which percentiles" in problem.reason] == [3, 4]


def test_stages_and_reads_that_found_nothing_are_noted() -> None:
    run = run_of("asbench/a4.stdout.txt")
    notes = [problem.reason for problem in run.problems if problem.severity is Severity.NOTE]
    assert any("several stages" in note for note in notes)
    assert any("found no record" in note for note in notes)
    assert run.parameters["stage_2_target_operations_per_s"] == 8_000
    assert claim(run, "read", "latency_quantile_ns", 0.999).printed == "2013 µs"


def _histogram_lines() -> list[str]:
    return (SAMPLES / "asbench/a3.hist.txt").read_text().splitlines(keepends=True)


def test_appended_files_are_two_runs() -> None:
    lines = _histogram_lines()
    runs = runs_of_text("".join(lines + lines))
    assert [series(run, "write").record.total for run in runs] == [406_268, 406_268]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (" 88708,", " 88709,"),
        ("0:44886", "0:-44886"),
        ("100:30727", "150:30727"),
        ("100:30727", "100:30727, 100:1"),
        ("3.00037s", "nans"),
        ("0:44886", "0:99999999999999999999"),
        ("12:31:02Z, 3.00037s, 88708", "12:61:02Z, 3.00037s, 88708"),
    ],
)
def test_periods_that_contradict_themselves_are_left_out_by_line(before: str, after: str) -> None:
    lines = _histogram_lines()
    at = next(number for number, line in enumerate(lines) if line.startswith("read_hist 2026"))
    lines[at] = lines[at].replace(before, after, 1)
    run = run_of_text("".join(lines))
    (problem,) = run.problems
    assert (problem.line, problem.severity) in ((at + 1, Severity.ERROR), (at + 1, Severity.WARNING))
    assert series(run, "read").record.total == 403_787 - 88_708


def _rates(second: int, tps: int, timeouts: int = 0, errors: int = 0) -> str:
    part = f"(tps={tps} (hit={tps} miss=0) timeouts={timeouts} errors={errors})"
    return f"2026-11-20 12:00:0{second}.000 INFO read{part} total{part}\n"


def test_histograms_in_the_output_hold_the_misses_of_their_period() -> None:
    text = (
        "2026-11-20 12:00:00.000 INFO Start 8 transaction threads\n"
        + _rates(1, 10, timeouts=3)
        + "read_hist 2026-11-20T12:00:01Z, 1s, 10, 0:9, 128000:1\n"
        + _rates(2, 5, errors=2)
        + "read_hist 2026-11-20T12:00:02Z, 1s, 5, 0:5\n"
    )
    one = series(run_of_text(text), "read")
    assert one.intervals is not None
    assert one.intervals.misses.tolist() == [3, 2]
    assert one.record.total == 20
    assert one.record.quantile_bounds(0.75).upper_ns is None


def test_a_count_that_falls_ends_the_run_there() -> None:
    text = (SAMPLES / "asbench/a2.stdout.txt").read_text()
    cut = text[text.index("2026-11-20 12:30:44.820") :].split("\n", 1)[1]
    run = run_of_text(text + cut)
    (problem,) = [
        problem
        for problem in run.problems
        if problem.severity is Severity.ERROR and "falls" in problem.reason
    ]
    assert problem.line is not None
    assert series(run, "read").record.total == 752_220


def test_a_server_that_died_is_seen_in_the_lines() -> None:
    text = (
        "2026-11-20 12:00:00.000 INFO Start 8 transaction threads\n"
        + _rates(1, 10)
        + "hdr: read  2026-11-20T12:00:01Z 1, 10, 17, 99\n"
        + "".join(_rates(second, 0, errors=90) for second in range(2, 6))
    )
    run = run_of_text(text)
    assert run.state is EndState.FAILED
    assert series(run, "read").record.total == 370


def test_a_killed_run_says_how_far_it_came() -> None:
    lines = (SAMPLES / "asbench/a2.stdout.txt").read_text().splitlines(keepends=True)
    run = run_of_text("".join(lines[:-20]))
    assert run.state is EndState.KILLED
    assert run.duration_ns is not None
    assert 8 * NS_PER_S < run.duration_ns < 11 * NS_PER_S
    assert run.duration_ns % NS_PER_MS == 0


def test_a_preamble_alone_is_refused() -> None:
    lines = (SAMPLES / "asbench/a2.stdout.txt").read_text().splitlines(keepends=True)
    with pytest.raises(ContentUnreadable, match="no measurement"):
        run_of_text("".join(lines[:60]))
