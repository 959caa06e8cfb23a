"""Sequential transactions: known answers, and properties that hold for every record."""

import math

import numpy as np
import pytest
from backend.bench.exact_plans.sequential import largest_count, sequential
from backend.bench.hdr_distributions import hdr_distribution
from backend.tests.domain.oracles import oracle
from backend.tests.domain.transactions.laws import exact_latency
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import gammainc

from tailroom.domain.latency.bounds import LatencyBounds
from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.hdr_layout import HdrLayout
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.layouts import ExplicitLayout
from tailroom.domain.transactions import parallel
from tailroom.domain.transactions.grid import TransactionInvalid, check_question

MS = 1_000_000
TWO_POINTS = exact_latency([1.0 * MS, 8.0 * MS], [0.95, 0.05])
LATENCIES = st.lists(st.integers(1, 400 * MS), min_size=1, max_size=40)


def dist_of(latencies: list[int], digits: int = 3) -> LatencyDist:
    layout = HdrLayout(1000, digits)
    indices, amounts = np.unique(layout.index_of(np.array(latencies) // 1000), return_counts=True)
    return hdr_distribution(Counts(indices, amounts.astype(np.int64)), layout=layout)


@pytest.mark.parametrize("name", ["seq-twopoint-300", "seq-twopoint-400", "seq-twopoint-450"])
def test_two_point_latency(name: str) -> None:
    given_, expected, tolerance = oracle(name)
    window_ns = given_["W_ms"] * MS
    curves = sequential(TWO_POINTS, given_["N"], window_ns, given_["W_ms"])
    assert curves.within(window_ns) == pytest.approx([expected["p_within"]] * 3, abs=tolerance)


def test_quantile_and_time_left() -> None:
    given_, expected, _ = oracle("seq-quantile")
    bounds = sequential(TWO_POINTS, given_["N"], 1000 * MS, 1000).quantile_bounds(given_["q"])
    assert (bounds.lower_ns, bounds.upper_ns) == (expected["q999_ms"] * MS,) * 2
    assert 1000 * MS - bounds.lower_ns == expected["compute_left_ms"] * MS


def test_a_drive_exactly_at_the_act_limits() -> None:
    given_, expected, tolerance = oracle("seq-act-limit")
    layout = ExplicitLayout(tuple(edge * MS for edge in given_["edges_ms"][:-1]), open_ended=True)
    amounts = np.array([round(1000 * share) for share in given_["probs"]])
    dist = LatencyDist(layout, Counts(np.arange(4), amounts))
    lower, _, upper = sequential(dist.bounds(), given_["N"], 1000 * MS, 8000).within(1000 * MS)
    assert lower == pytest.approx(expected["p_lower"], abs=tolerance)
    assert upper == pytest.approx(expected["p_upper"], abs=tolerance)


@pytest.mark.parametrize(("window_ms", "count"), [(350, 203), (500, 304), (1000, 644)])
def test_most_reads_that_fit(window_ms: int, count: int) -> None:
    largest = largest_count(TWO_POINTS, window_ms * MS, 0.999, window_ms)
    assert (largest.guaranteed, largest.possible) == (count, count)


@pytest.mark.parametrize(("bits", "error"), [(12, 3e-5), (14, 2e-6), (16, 2e-7)])
def test_error_of_the_estimate_falls_with_the_square_of_the_step(bits: int, error: float) -> None:
    # Exponential latency of mean 3.5 ms: the sum of 250 is Erlang. Cells of 0.5 µs leave the grid's error.
    edges = np.arange(0, 100_000_001, 500, dtype=np.float64)
    share = np.diff(-np.expm1(-edges / 3.5e6))
    law = exact_latency(((edges[:-1] + edges[1:]) / 2.0).tolist(), share.tolist())
    continuous = LatencyBounds(law.early, law.middle, law.late)
    truth = float(gammainc(250, 1e9 / 3.5e6))
    assert sequential(continuous, 250, 10**9, 1 << bits).within(10**9)[1] == pytest.approx(truth, abs=error)


def test_parallel_known_answers() -> None:
    given_, expected, tolerance = oracle("par-act-limit")
    found = [parallel.within(1.0 - share, given_["N"]) for share in given_["p"]]
    assert found == pytest.approx(expected["p_within"], abs=tolerance)
    given_, expected, tolerance = oracle("par-need")
    found = [parallel.share_over_allowed(reads, given_["q"]) for reads in given_["N"]]
    assert found == pytest.approx(expected["p"], abs=tolerance)
    assert parallel.largest_count(1.0 - 0.00005, 0.999) == 20
    given_, expected, tolerance = oracle("mix-parallel")
    mixed = sum(
        w * parallel.exceedance(p, given_["N"]) for w, p in zip(given_["w"], given_["p"], strict=True)
    )
    assert mixed == pytest.approx(expected["mixture"], abs=tolerance)


@settings(max_examples=60)
@given(LATENCIES, st.integers(1, 60), st.sampled_from([2, 3]))
def test_bounds_are_ordered_and_contain_the_truth(latencies: list[int], reads: int, digits: int) -> None:
    window_ns = max(1, int(np.mean(latencies) * reads))
    lower, estimate, upper = sequential(
        dist_of(latencies, digits).bounds(), reads, window_ns, 1 << 12
    ).within(window_ns)
    assert lower <= estimate <= upper
    rng = np.random.default_rng(7)
    sums = rng.choice(np.array(latencies), (4000, reads)).sum(axis=1)
    seen = float((sums <= window_ns).mean())
    slack = 5.0 * math.sqrt(0.25 / 4000)
    assert lower - slack <= seen <= upper + slack


@settings(max_examples=40)
@given(LATENCIES, st.integers(1, 40))
def test_more_reads_never_help_and_more_time_never_hurts(latencies: list[int], reads: int) -> None:
    bounds = dist_of(latencies).bounds()
    window_ns = 1000 * MS
    fewer, more = (sequential(bounds, n, window_ns, 1 << 11) for n in (reads, reads + 1))
    assert (np.diff(fewer.lower) >= -1e-12).all()
    assert (np.diff(fewer.upper) >= -1e-12).all()
    assert fewer.within(window_ns)[0] >= more.within(window_ns)[0] - 1e-11
    assert fewer.within(window_ns)[2] >= more.within(window_ns)[2] - 1e-11


@settings(max_examples=40)
@given(LATENCIES, st.integers(1, 30))
def test_finer_buckets_only_narrow(latencies: list[int], reads: int) -> None:
    coarse = sequential(dist_of(latencies, 1).bounds(), reads, 1000 * MS, 1 << 11)
    fine = sequential(dist_of(latencies, 3).bounds(), reads, 1000 * MS, 1 << 11)
    assert (fine.lower >= coarse.lower - 1e-11).all()
    assert (fine.upper <= coarse.upper + 1e-11).all()


@settings(max_examples=30)
@given(st.lists(st.integers(1, 150), min_size=1, max_size=10))
def test_two_reads_and_three_reads_are_five(steps: list[int]) -> None:
    ratio = [1.0 / len(steps)] * len(steps)

    def masses(at: list[float], share: list[float], reads: int) -> np.ndarray:
        curve = sequential(exact_latency(at, share), reads, 1000 * MS, 1000).estimate
        return np.diff(curve, prepend=0.0)

    at = [float(step * MS) for step in steps]
    two, three, five = (masses(at, ratio, reads) for reads in (2, 3, 5))
    assert np.convolve(two, three)[:1001] == pytest.approx(five, abs=1e-9)
    assert masses(at, ratio, 1).sum() == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize(
    ("reads", "window_ns", "objective", "words"),
    [(0, 1, 0.9, "at least 1 read"), (1, 0, 0.9, "longer than 0"), (1, 1, 1.0, "between 0 and 1")],
)
def test_questions_without_an_answer_are_refused(
    reads: int, window_ns: int, objective: float, words: str
) -> None:
    with pytest.raises(TransactionInvalid, match=words):
        check_question(reads, window_ns, objective)
