"""A new run among those of its history: chance is how runs differ, correlated ones too."""

import numpy as np
import pytest
from backend.bench.comparison import gate, repeated, shifted

from tailroom.domain.comparison.answer import headline
from tailroom.domain.comparison.comparison import Outcome
from tailroom.domain.comparison.figures import THROUGHPUT, quantile_name
from tailroom.domain.comparison.gains import Effect
from tailroom.domain.comparison.history import (
    FEWEST_RUNS,
    HistoryComparison,
    against_history,
    compare_with_history,
    outcome_with,
)

P99 = quantile_name(0.99)


def past(levels: list[float]) -> list[dict[str, float]]:
    return [{P99: one} for one in levels]


@pytest.mark.parametrize("correlation", [0.0, 0.8])
def test_equal_runs_raise_few_alarms_and_slower_ones_are_found(correlation: float) -> None:
    """Of 1,000 gates 0.1 to 0.7 % are false alarms, and 99.9 to 100 % of the slower ones are found."""
    alarms, hits = gate(200, runs=20, correlation=correlation, spread=0.02)
    assert alarms <= 5
    assert hits >= 190


def test_several_new_runs_are_held_against_few_runs_before_them() -> None:
    rng = np.random.default_rng(9)
    history, same, slower = (repeated(rng, runs, spread=0.01) for runs in (5, 5, 5))
    slower = [shifted(run, {P99: 1.2}) for run in slower]
    earlier = [run.figures for run in history]
    assert compare_with_history(history[-1], earlier, same)[0].outcome is not Outcome.REGRESSION
    comparison, against = compare_with_history(history[-1], earlier, slower)
    assert comparison.outcome is Outcome.REGRESSION
    assert headline(comparison).startswith("Regression: p99 is 1.")
    assert against == []
    alone, _ = compare_with_history(history[-1], earlier, slower[:1])
    assert alone.outcome in {Outcome.REGRESSION, Outcome.NOT_SHOWN}
    first, _ = compare_with_history(history[-1], earlier[-1:], same[:1])
    assert first.outcome is Outcome.UNREPEATED


def test_a_copy_of_a_record_is_no_further_run_of_the_history() -> None:
    first, second, new = repeated(np.random.default_rng(11), 3, spread=0.01)
    earlier = [first.figures, second.figures]
    expected = compare_with_history(second, earlier, [new])
    assert compare_with_history(second, [*earlier, first.figures, second.figures], [new]) == expected


def test_a_new_run_is_held_against_the_spread_of_many_runs_before_it() -> None:
    *history, new = repeated(np.random.default_rng(10), FEWEST_RUNS + 1, spread=0.01)
    comparison, against = compare_with_history(history[-1], [run.figures for run in history], [new])
    assert {effect.quantity for effect in against} >= {P99, THROUGHPUT}
    assert comparison.outcome is not Outcome.REGRESSION


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


@pytest.mark.parametrize(
    ("value", "effect"),
    [(0.97e6, Effect.OPEN), (1e6, Effect.SAME), (1.03e6, Effect.OPEN), (1.06e6, Effect.WORSE)],
)
def test_a_difference_below_the_smallest_change_is_none(value: float, effect: Effect) -> None:
    spread = 0.001 * np.random.default_rng(3).standard_normal(12)
    (found,) = against_history(past((1e6 * np.exp(spread)).tolist()), {P99: value})
    assert found.effect is effect


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


@pytest.mark.parametrize(
    ("effects", "failed_more", "outcome"),
    [
        ([Effect.SAME, Effect.SAME], False, Outcome.NO_CHANGE),
        ([Effect.SAME, Effect.OPEN], False, Outcome.NOT_SHOWN),
        ([Effect.SAME, Effect.BETTER], False, Outcome.IMPROVEMENT),
        ([Effect.SAME, Effect.WORSE], False, Outcome.REGRESSION),
        ([Effect.SAME, Effect.SAME], True, Outcome.REGRESSION),
        ([Effect.WORSE, Effect.BETTER], False, Outcome.MIXED),
        ([], True, Outcome.UNREPEATED),
    ],
)
def test_the_outcome_by_earlier_runs(effects: list[Effect], failed_more: bool, outcome: Outcome) -> None:
    against = [HistoryComparison(P99, 1.0, 1.0, 1.0, 9, effect) for effect in effects]
    assert outcome_with(Outcome.UNREPEATED, against, failed_more=failed_more) is outcome
    not_comparable = outcome_with(Outcome.NOT_COMPARABLE, against, failed_more=failed_more)
    assert not_comparable is Outcome.NOT_COMPARABLE


def test_few_runs_are_no_history() -> None:
    assert against_history(past([1e6] * (FEWEST_RUNS - 1)), {P99: 9e6}) == []
    assert against_history(past([1e6] * FEWEST_RUNS), {P99: 9e6})[0].effect is Effect.WORSE
