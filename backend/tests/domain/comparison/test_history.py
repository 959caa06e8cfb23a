"""A new run among those of its history: chance is how runs differ, correlated ones too."""

import numpy as np
import pytest
from backend.bench.comparison import gate

from tailroom.domain.comparison.figures import THROUGHPUT, quantile_name
from tailroom.domain.comparison.gains import Effect
from tailroom.domain.comparison.history import FEWEST_RUNS, against_history

P99 = quantile_name(0.99)


def past(levels: list[float]) -> list[dict[str, float]]:
    return [{P99: one} for one in levels]


@pytest.mark.parametrize("correlation", [0.0, 0.8])
def test_equal_runs_raise_few_alarms_and_slower_ones_are_found(correlation: float) -> None:
    """By 1,000 gates 2.9 to 4.6 % are false alarms, and 96 to 100 % of the slower ones are found."""
    alarms, hits = gate(100, runs=20, correlation=correlation)
    assert alarms <= 10
    assert hits >= 90


def test_a_run_stands_out_from_runs_that_hardly_differ() -> None:
    rng = np.random.default_rng(3)
    history = past([float(one) for one in 1e6 * np.exp(0.01 * rng.standard_normal(12))])
    (worse,) = against_history(history, {P99: 1.2e6})
    assert worse.effect is Effect.WORSE
    assert worse.lower < 1e6 < worse.upper < 1.2e6
    (better,) = against_history(history, {P99: 0.8e6})
    assert better.effect is Effect.BETTER
    rates = [{THROUGHPUT: one[P99]} for one in history]
    assert against_history(rates, {THROUGHPUT: 0.8e6})[0].effect is Effect.WORSE


def test_where_runs_differ_much_a_fixed_threshold_would_cry_wolf() -> None:
    rng = np.random.default_rng(4)
    history = past([float(one) for one in 1e6 * np.exp(0.15 * rng.standard_normal(20))])
    (found,) = against_history(history, {P99: 1.2e6})
    assert found.effect is Effect.OPEN


def test_only_runs_of_the_present_level_count() -> None:
    rng = np.random.default_rng(5)
    old, now = (np.exp(0.01 * rng.standard_normal(20)) * level for level in (1e6, 2e6))
    (found,) = against_history(past([*old.tolist(), *now.tolist()]), {P99: 2.02e6})
    assert found.runs <= 22
    assert found.effect is not Effect.WORSE
    (back,) = against_history(past([*old.tolist(), *now.tolist()]), {P99: 1e6})
    assert back.effect is Effect.BETTER


def test_few_runs_are_no_history() -> None:
    assert against_history(past([1e6] * (FEWEST_RUNS - 1)), {P99: 9e6}) == []
    assert against_history(past([1e6] * FEWEST_RUNS), {P99: 9e6})[0].effect is Effect.WORSE
