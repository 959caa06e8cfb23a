"""Load generators for HTTP and gRPC: what is said holds the requests that were printed."""

import random
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from backend.tests.importers import load_outputs as made
from backend.tests.importers.reading import SAMPLES, claim, run_of_text

from tailroom.domain.latency.distribution import LatencyDist
from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.registry import detect
from tailroom.importers.source import from_bytes

S = 10**9
Printer = Callable[[Sequence[int]], str]
SUMMARIES: dict[str, Printer] = {
    "hey": lambda held: made.hey(held, 5 * S),
    "hey-csv": made.hey_csv,
    "oha": lambda held: made.oha(held, 5 * S),
    "oha-json": lambda held: made.oha_json(held, 5 * S),
    "ghz": lambda held: made.ghz(held, 5 * S),
    "ghz-csv": made.ghz_csv,
    "ghz-json": lambda held: made.ghz_json(held, 5 * S, details=False),
    "vegeta": lambda held: made.vegeta(held, 5 * S),
    "vegeta-json": lambda held: made.vegeta_json(held, 5 * S),
    "vegeta-hist": made.vegeta_hist,
    "bombardier": made.bombardier,
    "bombardier-json": made.bombardier_json,
    "k6": made.k6,
    "k6-json": made.k6_json,
}
EXACT: dict[str, Printer] = {
    "oha-csv": made.oha_csv,
    "ghz-json": lambda held: made.ghz_json(held, 5 * S),
    "vegeta-csv": made.vegeta_csv,
    "vegeta-results-json": made.vegeta_results,
    "k6-points": made.k6_points,
    "k6-csv": made.k6_csv,
}


def latencies(seed: int, size: int) -> list[int]:
    """Latencies with a tail, and with many that are equal."""
    rng = random.Random(seed)  # noqa: S311 - repeatable, not secret
    held = [int(rng.lognormvariate(15.5, rng.choice((0.2, 0.8)))) for _ in range(size)]
    return [one if rng.random() < 0.8 else 7_500_000 for one in held]


def _holds(run: ParsedRun, held: Sequence[int]) -> None:
    (series,) = run.series
    assert series.record.total == len(held)
    ordered = np.sort(np.array(held))
    for at_ns in (500_000, 2_000_000, 5_000_000, 7_500_000, 7_500_001, 20_000_000, 80_000_000):
        true = float(np.searchsorted(ordered, at_ns, side="left")) / len(held)
        least, most = series.record.cdf_bounds(at_ns)
        assert least - 1e-12 <= true <= most + 1e-12
    mean = series.record.mean_ns
    if isinstance(mean, tuple):
        assert mean[0] - 1 <= float(ordered.mean()) <= mean[1] + 1


@pytest.mark.parametrize("size", [1, 2, 7, 100, 997])
@pytest.mark.parametrize("form", SUMMARIES)
def test_what_a_summary_says_holds_the_requests(form: str, size: int) -> None:
    for seed in range(5):
        held = latencies(seed, size)
        run = run_of_text(SUMMARIES[form](held))
        assert run.format == form
        assert [one for one in run.problems if one.severity != "note"] == []
        _holds(run, held)


@pytest.mark.parametrize("size", [1, 7, 997])
@pytest.mark.parametrize("form", EXACT)
def test_raw_results_are_exact(form: str, size: int) -> None:
    held = latencies(size, size)
    run = run_of_text(EXACT[form](held))
    assert run.format == form
    (series,) = run.series
    record = series.record
    assert isinstance(record, LatencyDist)
    assert (record.total, record.min_ns, record.max_ns) == (size, min(held), max(held))
    assert series.intervals is not None
    _holds(run, held)


@pytest.mark.parametrize("form", ["hey", "oha", "ghz"])
def test_requests_without_an_answer_are_misses(form: str) -> None:
    held = latencies(3, 200)
    text = {"hey": made.hey, "oha": made.oha, "ghz": made.ghz}[form](held, 5 * S, 4)
    run = run_of_text(text)
    (series,) = run.series
    assert (series.record.total, series.record.misses.errors) == (204, 4)
    assert any("4 requests failed" in one.reason for one in run.problems)


def test_requests_of_vegeta_without_an_answer() -> None:
    held = latencies(4, 300)
    (series,) = run_of_text(made.vegeta_csv(held, 5)).series
    assert (series.record.total, series.record.misses.errors) == (300, 5)
    run = run_of_text(made.vegeta(held, 5 * S, 5))
    assert any("5 requests without an answer" in one.reason for one in run.problems)


def test_percentiles_of_a_digest_are_only_shown() -> None:
    """They are in the claims, and no end of the distribution follows from them."""
    held = latencies(5, 1_000)
    for text in (made.vegeta(held, 5 * S), made.vegeta_json(held, 5 * S)):
        run = run_of_text(text)
        assert claim(run, "request", "latency_quantile_ns", 0.99)
        bounds = run.series[0].record.quantile_bounds(0.99)
        assert bounds.upper_ns is not None
        assert bounds.upper_ns >= max(held) - 1_000
        assert run.closed_loop is False
    run = run_of_text(made.vegeta_plot(held))
    assert (run.format, run.series) == ("vegeta-hdrplot", ())
    assert claim(run, "request", "latency_quantile_ns", 0.99)


def test_a_million_requests_of_hey() -> None:
    """Beyond a million its percentiles are of the first million, and the mean is wrong."""
    text = made.hey(latencies(6, 500), 5 * S).replace("[200]\t500 responses", "[200]\t1500000 responses")
    run = run_of_text(text)
    assert run.series == ()
    assert claim(run, "request", "operation_count").printed == "1500000"
    assert any("first million" in one.reason for one in run.problems)


def test_loops() -> None:
    held = latencies(7, 50)
    assert run_of_text(made.k6(held)).closed_loop
    assert not run_of_text(made.k6(held, is_open=True)).closed_loop
    assert run_of_text(made.hey(held, S)).closed_loop


def test_several_reports_in_one_file_are_several_runs() -> None:
    one, two = latencies(8, 40), latencies(9, 60)
    source = from_bytes("out.txt", (made.hey(one, S) + made.hey(two, S)).encode())
    _, importer = detect(source)
    assert [run.series[0].record.total for run in importer.parse(source, ())] == [40, 60]


def test_what_is_no_time_in_k6_is_none() -> None:
    text = made.k6(latencies(1, 9)).replace(
        "     http_reqs",
        "     my_queue_depth.................: avg=5 min=1 med=4 max=12 p(90)=9 p(95)=10\n     http_reqs",
    )
    run = run_of_text(text)
    assert not [one for one in run.claims if one.operation == "my_queue_depth"]
    assert [one.operation for one in run.series] == ["request"]


def test_a_row_of_vegeta_with_digits_that_were_changed_is_named() -> None:
    rows = (SAMPLES / "vegeta/results.csv").read_text()
    run = run_of_text(rows.replace("1770700000270000000,", "9970700000270000000,"))
    whole = run_of_text(rows)
    assert (run.series[0].record.total or 0) == (whole.series[0].record.total or 0) - 1
    assert any("no row of vegeta" in problem.reason for problem in run.problems)
