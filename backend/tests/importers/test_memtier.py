"""memtier_benchmark: JSON and text of every generation say the same of a run, and no more than they know."""

import json
import math

import numpy as np
import pytest
from backend.tests.importers.reading import SAMPLES, claim, run_of, run_of_text, runs_of_text, series
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.importers.importer import ContentUnreadable
from tailroom.importers.parsed_run import EndState, Severity


@pytest.mark.parametrize(
    ("sample", "totals"),
    [
        ("given1", {"set": 176_486, "get": 705_845}),
        ("given2", {"set": 191_549, "get": 765_968}),
        ("given3", {"set": 8_000, "get": 32_000}),
        ("given5", {"set": 50_020}),
    ],
)
def test_the_json_holds_exact_counts(sample: str, totals: dict[str, int]) -> None:
    run = run_of(f"memtier/{sample}.json")
    assert {one.operation: one.record.total for one in run.series} == totals
    assert all(isinstance(one.record, LatencyDist) for one in run.series)
    assert claim(run, "total", "operation_count").lower == sum(totals.values())
    assert (run.state, run.closed_loop) == (EndState.FINISHED, True)
    assert run.started_at is not None
    for operation, total in totals.items():
        one = series(run, operation)
        assert sum(period.record.total or 0 for period in one.periods) == total


@pytest.mark.parametrize("sample", ["given1", "given2", "given3", "given5"])
def test_the_text_contradicts_the_json_nowhere(sample: str) -> None:
    exact_run, text_run = run_of(f"memtier/{sample}.json"), run_of(f"memtier/{sample}.stdout.txt")
    for one in text_run.series:
        assert one.record.total is None
        exact = series(exact_run, one.operation).record
        for time_ns in np.arange(8_000, 60_000_000, 400_000):
            lower, upper = one.record.cdf_bounds(int(time_ns))
            least, most = exact.cdf_bounds(int(time_ns))
            assert lower <= most + 5e-6
            assert least <= upper + 5e-6


def test_version_1_3_counts_shares_at_rounded_times() -> None:
    from_json, from_text = run_of("memtier/given4.json"), run_of("memtier/given4.stdout.txt")
    for run in (from_json, from_text):
        bounds = series(run, "get").record.quantile_bounds(0.5)
        assert (bounds.lower_ns, bounds.upper_ns) == (135_000, 146_000)
        assert series(run, "get").record.total is None
    assert "tool.version" in from_json.missing
    assert from_json.parameters["ratio"] == "1:4"


def test_standard_error_has_the_number_of_operations() -> None:
    run = run_of("memtier/given1.stderr.txt")
    assert claim(run, "total", "operation_count").lower == 882_331
    assert run.series == ()
    assert run.state is EndState.FINISHED


def test_all_latencies_in_one_bucket_nan_are_no_record() -> None:
    run = run_of("memtier/v126_nan.stdout.txt")
    assert [one.operation for one in run.series] == ["get"]
    assert any("nan" in problem.reason and problem.line == 18 for problem in run.problems)
    bounds = series(run, "get").record.quantile_bounds(0.999)
    assert bounds.upper_ns == 14_501_000


def test_commands_have_their_own_names_and_totals_no_bandwidth() -> None:
    run = run_of("memtier/command.stdout.txt")
    assert {one.operation: one.source_name for one in run.series} == {"hset": "Hsets", "hgetall": "Hgetalls"}
    assert claim(run, "hset", "bandwidth_bytes_per_s").printed == "500.00 KB/s"
    assert not [
        one for one in run.claims if (one.operation, one.quantity) == ("total", "bandwidth_bytes_per_s")
    ]


def _several(*titles: str) -> str:
    document = json.loads((SAMPLES / "memtier/given3.json").read_text())
    results = document.pop("ALL STATS")
    for title in titles:
        document[title] = results
    return json.dumps(document)


def test_each_run_of_several_is_a_run_and_averages_are_none() -> None:
    runs = runs_of_text(
        _several(
            "RUN #1 RESULTS",
            "RUN #2 RESULTS",
            "BEST RUN RESULTS",
            "WORST RUN RESULTS",
            "AGGREGATED AVERAGE RESULTS (2 runs)",
        )
    )
    assert [run.parameters["run"] for run in runs] == ["RUN #1 RESULTS", "RUN #2 RESULTS"]
    assert any("no measurement" in problem.reason for problem in runs[0].problems)


def test_best_and_worst_that_are_the_same_run_are_one() -> None:
    (run,) = runs_of_text(
        _several("BEST RUN RESULTS", "WORST RUN RESULTS", "AGGREGATED AVERAGE RESULTS (3 runs)")
    )
    assert series(run, "get").record.total == 32_000
    assert any("the same one" in problem.reason for problem in run.problems)


def test_two_commands_of_one_name_are_both_kept() -> None:
    text = _several("ALL STATS").replace('"Gets": {', '"Sets": {')
    run = run_of_text(text)
    assert {one.source_name: one.record.total for one in run.series} == {"Sets": 8_000, "Sets #2": 32_000}


def test_operations_that_the_histogram_dropped_count_as_never_answered() -> None:
    document = json.loads((SAMPLES / "memtier/given3.json").read_text())
    document["ALL STATS"]["Gets"]["Count"] = 32_010
    record = series(run_of_text(json.dumps(document)), "get").record
    assert (record.total, record.misses.unfinished) == (32_010, 10)


@settings(deadline=None, max_examples=60)
@given(st.lists(st.integers(1, 400_000), min_size=1, max_size=200), st.sampled_from(["", "---\n"]))
def test_what_a_table_of_rounded_times_proves_is_true(values: list[int], end: str) -> None:
    ordered = np.sort(np.array(values))
    rounded = np.array([_two_digits(value / 1_000) for value in ordered])
    rows = [f"GET   {key:8.3f} {100 * float((rounded <= key).mean()):12.2f}" for key in np.unique(rounded)]
    head = "Type        Ops/sec     Hits/sec   Misses/sec      Latency       KB/sec\n----\n"
    foot = "Gets        4000.00      3900.00       100.00      ---       200.00\n\n"
    text = head + foot + "Type     <= msec         Percent\n" + "\n".join(rows) + "\n" + end
    record = series(run_of_text(text), "get").record
    assert (record.quantile_bounds(1.0).upper_ns is not None) == bool(end)
    for time_us in {1, *values, *(value + 1 for value in values)}:
        least, most = record.cdf_bounds(time_us * 1_000)
        share = float((ordered < time_us).mean())
        assert least - 1e-12 <= share <= most + 1e-12


def _two_digits(value: float) -> float:
    factor = 10.0 ** (math.floor(math.log10(value)) - 1)
    return float(math.floor(value / factor + 0.5) * factor)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.integers(8, 4_000_000), min_size=1, max_size=200),
    st.sampled_from([2, 3]),
    st.sampled_from(["", "\n---"]),
)
def test_what_a_table_of_percentiles_proves_is_true(values: list[int], digits: int, end: str) -> None:
    layout = HdrLayout(8_000, digits)
    ordered = np.sort(np.array(values))
    _, upper_ns = layout.edges_ns(layout.index_of(ordered // 8))
    rows, wanted = [], 0.0
    for rank in range(1, ordered.size + 1):
        while wanted <= 100 * rank / ordered.size and wanted < 100:
            rows.append(f"GET   {upper_ns[rank - 1] / 1e6 - 0.001:8.3f} {wanted:12.3f}")
            wanted += 5 if wanted < 90 else 1.25
    rows.append(f"GET   {upper_ns[-1] / 1e6 - 0.001:8.3f} {100:12.3f}")
    head = "Type        Ops/sec     Hits/sec   Misses/sec      Latency       KB/sec\n----\n"
    foot = "Gets        4000.00      3900.00       100.00      ---       200.00\n\n"
    record = series(
        run_of_text(head + foot + "Type     <= msec         Percent\n" + "\n".join(rows) + end), "get"
    ).record
    assert (record.quantile_bounds(1.0).upper_ns is not None) == bool(end)
    for time_us in {1, *values, *(value + 1 for value in values)}:
        least, most = record.cdf_bounds(time_us * 1_000)
        share = float((ordered < time_us).mean())
        assert least - 1e-12 <= share <= most + 1e-12


@pytest.mark.parametrize("cut", [10, 1_000, -10])
def test_json_that_was_cut_is_refused_with_its_line(cut: int) -> None:
    with pytest.raises(ContentUnreadable, match="line"):
        run_of_text(
            (SAMPLES / "memtier/given3.json").read_bytes()[:cut] if cut != 10 else b'{ "ALL STATS": {'
        )


@pytest.mark.parametrize("value", ["nan", "-5", "1e400", "99999999999999999999999", '"x"', "null", "[]"])
def test_impossible_numbers_never_become_a_record(value: str) -> None:
    text = (SAMPLES / "memtier/given4.json").read_text().replace('"<=msec": 0.024', f'"<=msec": {value}')
    run = run_of_text(text)
    assert [one.operation for one in run.series] == []
    assert {problem.severity for problem in run.problems} >= {Severity.WARNING}


def test_rows_with_another_number_of_columns_are_left_out() -> None:
    text = (
        (SAMPLES / "memtier/given1.stdout.txt").read_text().replace("Sets        17646.82 ", "Sets        ")
    )
    run = run_of_text(text)
    (problem,) = [problem for problem in run.problems if problem.severity is Severity.ERROR]
    assert problem.line == 10


def test_the_average_is_claimed_as_it_is_printed() -> None:
    run = run_of("memtier/given1.json")
    one = claim(run, "set", "latency_mean_ns")
    assert one.printed == "0.569 ms"
    assert (one.lower + one.upper) / 2 == pytest.approx(569_000)
