"""asbench: cumulative percentiles, histograms of each period, failed calls, stages, and damage."""

import random
from fractions import Fraction

import pytest
from backend.tests.importers.reading import SAMPLES, claim, run_of, run_of_text, runs_of_text, series

from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.knots import StatementsContradict
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.domain.units import NS_PER_MS, NS_PER_S
from tailroom.importers.asbench.stages import difference
from tailroom.importers.importer import ContentUnreadable
from tailroom.importers.parsed_run import EndState, ParsedRun, ParsedSeries, Severity
from tailroom.importers.statements import Statements, hdr_bucket_ns


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
    found: dict[str, int] = {}
    for one in run.series:
        found[one.operation] = found.get(one.operation, 0) + (one.record.total or 0)
    assert found == totals
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


def test_reads_that_found_nothing_are_noted() -> None:
    run = run_of("asbench/a4.stdout.txt")
    notes = [problem.reason for problem in run.problems if problem.severity is Severity.NOTE]
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
    (problem,) = [one for one in run.problems if one.severity is not Severity.NOTE]
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


def _phase(run: ParsedRun, operation: str, phase: str) -> ParsedSeries:
    (found,) = [one for one in run.series if (one.operation, one.phase) == (operation, phase)]
    return found


def _notes(run: ParsedRun) -> list[tuple[int | None, str]]:
    return [(one.line, one.reason) for one in run.problems if one.severity is Severity.NOTE]


def test_stages_are_phases_with_what_was_counted_in_them() -> None:
    """Counts of the sample: 49,999 writes before stage 2, 62,727 behind it; 51,254 reads and 331,138."""
    run = run_of("asbench/a4.stdout.txt")
    assert [(one.phase, one.operation, one.record.total) for one in run.series] == [
        ("stage 1: load", "write", 49_999),
        ("stage 2: mixed 80/20", "write", 12_728),
        ("stage 2: mixed 80/20", "read", 51_254),
        ("stage 3: read only", "read", 279_884),
    ]
    assert [line for line, reason in _notes(run) if "begins here" in reason] == [109, 134]
    assert not any("does not separate" in reason for _, reason in _notes(run))


def test_percentiles_of_a_stage_are_what_two_cumulative_lines_leave() -> None:
    """By hand, of the reads of stage 3. Behind it 331,138 reads with p50 in [122, 123) µs and p90 in
    [206, 207); before it 51,254 with p50 in [48, 49) and p90 in [136, 137).
    """
    run = run_of("asbench/a4.stdout.txt")
    record = _phase(run, "read", "stage 3: read only").record
    count = 331_138 - 51_254
    # Below 123 µs: later at least rank 165,569 (50 %), earlier less than rank 46,129 (90 %).
    assert record.cdf_bounds(123_000)[0] == pytest.approx((165_569 - 46_128) / count, abs=1 / count)
    # Below 122 µs: later less than rank 165,569, earlier at least rank 25,627 (50 %).
    assert record.cdf_bounds(122_000)[1] == pytest.approx((165_568 - 25_627) / count, abs=1 / count)
    assert record.cdf_bounds(17_000) == (0.0, 0.0)
    assert record.cdf_bounds(31_712_000)[0] == 1.0


def test_a_difference_never_says_more_than_the_parts() -> None:
    """Random latencies in two stages, percentiles of the first and of both: the truth lies inside."""
    numbers = random.Random(7)  # noqa: S311
    quantiles = [Fraction(part, 1_000) for part in (10, 250, 500, 900, 990, 999)]
    for _ in range(40):
        first, second = (
            [int(numbers.lognormvariate(5 + numbers.random(), 0.9)) + 1 for _ in range(size)]
            for size in (numbers.randrange(1, 400), numbers.randrange(1, 400))
        )
        found = difference(_stated(first, quantiles), _stated([*first, *second], quantiles)).record()
        assert found.count == len(second)
        for time_us in sorted({*first, *second}):
            lower, upper = found.cdf_bounds(time_us * 1_000)
            truth = sum(one < time_us for one in second) / len(second)
            assert lower - 1e-9 <= truth <= upper + 1e-9


def _stated(latencies_us: list[int], quantiles: list[Fraction]) -> Statements:
    """What a cumulative line says of them."""
    layout, ordered = HdrLayout(), sorted(latencies_us)
    found = Statements(len(ordered))
    found.span(hdr_bucket_ns(layout, ordered[0])[0], hdr_bucket_ns(layout, ordered[-1])[1])
    for quantile in quantiles:
        rank = max(1, int(quantile * len(ordered) + Fraction(1, 2)))
        found.hdr_quantile(quantile, *hdr_bucket_ns(layout, ordered[rank - 1]))
    return found


def test_a_later_line_that_does_not_hold_the_earlier_is_refused() -> None:
    quantiles = [Fraction(1, 2)]
    with pytest.raises(StatementsContradict):
        difference(_stated([5_000] * 90, quantiles), _stated([10] * 95, quantiles))


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ("Stage 2: mixed 80/20\n", "", "numbers of the stages"),
        ("Stage 2: mixed 80/20\n", "Stage 4: mixed 80/20\n", "numbers of the stages"),
        ("Stage 2: mixed 80/20\n", "Stage 2: mixed 80/20\nStage 3: none\n", "numbers of the stages"),
        ("Stage 1: load\n", "", None),
    ],
)
def test_what_cannot_be_told_apart_stays_one_series(before: str, after: str, why: str | None) -> None:
    text = (SAMPLES / "asbench/a4.stdout.txt").read_text()
    assert before in text
    run = run_of_text(text.replace(before, after))
    if why is None:
        assert run.series[0].phase == "before stage 2"
        return
    assert {one.operation: (one.phase, one.record.total) for one in run.series} == {
        "write": (None, 62_727),
        "read": (None, 331_138),
    }
    (note,) = [reason for _, reason in _notes(run) if "does not separate" in reason]
    assert why in note


def test_a_stage_shorter_than_the_period_is_told_apart_from_nothing() -> None:
    text = (SAMPLES / "asbench/a4.stdout.txt").read_text()
    first, last = text.index("Stage 2: mixed"), text.index("Stage 3: read only")
    run = run_of_text(text[:first] + "Stage 2: mixed 80/20\n" + text[last:])
    assert {one.phase for one in run.series} == {None}
    (note,) = [reason for _, reason in _notes(run) if "does not separate" in reason]
    assert "nothing is printed of read, write in stage 2: mixed 80/20" in note


def test_a_run_that_was_killed_in_its_first_stage_is_that_stage() -> None:
    text = (SAMPLES / "asbench/a4.stdout.txt").read_text()
    run = run_of_text(text[: text.index("Pause for 1 seconds")])
    assert [(one.phase, one.record.total) for one in run.series] == [("stage 1: load", 49_999)]
    run = run_of_text(text[: text.index("2026-11-20 12:32:44.634")])
    assert [(one.phase, one.record.total) for one in run.series] == [("stage 1: load", 49_999)]


def test_histograms_in_the_output_belong_to_the_stage_they_are_printed_in() -> None:
    text = (
        "2026-11-20 12:00:00.000 INFO Start 8 transaction threads\n"
        "Stage 1: load\n"
        + _rates(1, 10, timeouts=3)
        + "read_hist 2026-11-20T12:00:01Z, 1s, 10, 0:9, 128000:1\n"
        + _rates(2, 0, errors=1)
        + "Stage 2: serve\n"
        + _rates(3, 5, errors=2)
        + "read_hist 2026-11-20T12:00:03Z, 1s, 5, 0:5\n"
        + _rates(4, 6)
        + "read_hist 2026-11-20T12:00:04Z, 1s, 6, 0:6\n"
        + "read_hist 2026-11-20T12:00:04Z, 0.002s, 1, 0:1\n"
    )
    run = run_of_text(text)
    load, serve = _phase(run, "read", "stage 1: load"), _phase(run, "read", "stage 2: serve")
    assert load.intervals is not None
    assert serve.intervals is not None
    assert (load.intervals.totals.tolist(), load.intervals.misses.tolist()) == ([14], [4])
    assert (serve.intervals.totals.tolist(), serve.intervals.misses.tolist()) == ([7, 6, 1], [2, 0, 0])
    assert serve.intervals.start_ns.tolist()[0] >= load.intervals.end_ns
    assert serve.record.quantile_bounds(0.5).upper_ns == 100_000
    assert any("a sliver" in reason for _, reason in _notes(run))


def test_misses_belong_to_the_stage_they_happened_in() -> None:
    text = (
        "2026-11-20 12:00:00.000 INFO Start 8 transaction threads\n"
        "Stage 1: load\n"
        + _rates(1, 10, timeouts=3)
        + "hdr: read  2026-11-20T12:00:01Z 1, 10, 17, 99\n"
        + "Stage 2: serve\n"
        + _rates(2, 5, errors=2)
        + "hdr: read  2026-11-20T12:00:02Z 2, 15, 17, 500\n"
        + "Stage 3: gone\n"
        + _rates(3, 0, errors=9)
        + "hdr: read  2026-11-20T12:00:03Z 3, 15, 17, 500\n"
    )
    run = run_of_text(text)
    load, serve = _phase(run, "read", "stage 1: load"), _phase(run, "read", "stage 2: serve")
    assert (load.record.total, load.record.misses.timeouts) == (13, 3)
    assert (serve.record.total, serve.record.misses.errors) == (7, 2)
    assert "9 calls of read failed and none was answered in stage 3: gone: there is no series" in [
        one.reason for one in run.problems
    ]


def test_the_sliver_at_the_end_and_pauses_are_noted() -> None:
    run = run_of("asbench/a3.hist.txt")
    notes = [reason for _, reason in _notes(run)]
    assert len([note for note in notes if "holds 2 operations: a sliver" in note]) == 2
    lines = _histogram_lines()
    at = next(number for number, line in enumerate(lines) if line.startswith("read_hist 2026"))
    moved = lines[: at + 2] + [line.replace("T12:31", "T12:41") for line in lines[at + 2 :]]
    again = run_of_text("".join(moved))
    assert [one.phase for one in again.series] == [None, None]
    assert any(
        "whether another stage begins here the file does not say" in reason for _, reason in _notes(again)
    )


def test_runs_over_the_limit_are_reported_after_a_full_list_of_problems() -> None:
    begin = "hosts: 127.0.0.1\n2026-11-20 12:30:45.821 INFO write(tps=1 timeouts=0 errors=0) total(tps=1)\n"
    runs = runs_of_text(begin * 100 + "no line of it\n" * 300 + begin)
    assert len(runs) == 100
    assert "more than 100 runs in one file" in [problem.reason for problem in runs[-1].problems]
