"""What two measurements show: chance is no change, a shift is one, and unequal conditions allow nothing."""

import re
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from backend.bench.comparison import (
    ALARMS,
    outcomes,
    repeated,
    repeats,
    shifted,
    shifts_found,
    simulated,
)
from backend.tests.domain.courses import course

from tailroom.domain.comparison.answer import headline
from tailroom.domain.comparison.comparison import (
    Measured,
    NothingInCommon,
    Outcome,
    Side,
    compare,
    compare_measured,
    measured,
)
from tailroom.domain.comparison.conditions import compare_sides
from tailroom.domain.comparison.figures import (
    COUNT,
    ERROR,
    MEAN,
    MISSES,
    THROUGHPUT,
    Figure,
    quantile_name,
    share_name,
)
from tailroom.domain.comparison.gains import Effect, gain_of
from tailroom.domain.comparison.repeats import RunsRepeat, compare_repeats, quantile_asked
from tailroom.domain.confidence.effective_samples import design_effect
from tailroom.domain.confidence.shares import clopper_pearson
from tailroom.domain.latency.distribution import LatencyDist, Misses
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.layouts import Pow2Layout
from tailroom.domain.units import NS_PER_MS, QuantityInvalid
from tailroom.domain.verdicts.evidence import OperationEvidence, RunEvidence

P99 = quantile_name(0.99)


def simple(seed: int, **kind: float) -> Side:
    return simulated(np.random.default_rng(seed), slices=60, reads=500, **kind)


def test_the_same_thing_is_rarely_called_different() -> None:
    found = outcomes(40, seed=3, slices=60, reads=300, persistence=0.8)
    assert found[Outcome.REGRESSION] + found[Outcome.IMPROVEMENT] <= 3, found


def test_runs_of_minutes_show_a_slowdown_beyond_how_their_parts_differ() -> None:
    rng = np.random.default_rng(5)
    base, new = simulated(rng, reads=2_000), simulated(rng, reads=2_000, slower=1.4)
    there, back = compare(base, new), compare(new, base)
    assert (there.outcome, back.outcome) == (Outcome.REGRESSION, Outcome.IMPROVEMENT)
    gain = next(one for one in there.gains if one.quantity == P99)
    assert gain.ratio_lower is not None
    assert gain.ratio_upper is not None
    assert 1.0 < gain.ratio_lower < 1.4 < gain.ratio_upper
    mirrored = next(one for one in back.gains if one.quantity == P99)
    assert mirrored.ratio_upper == pytest.approx(1.0 / gain.ratio_lower)


def test_a_slowdown_is_found_at_p99_itself() -> None:
    found_at_p99, called_worse = shifts_found(5, reads=2_000, slower=1.5)
    assert found_at_p99 >= 4
    assert called_worse == 5


def test_five_runs_a_side_that_differ_by_3_percent_find_both_shifts_nine_times_of_ten() -> None:
    unchanged, found = repeats(500, spread=0.03)
    assert sum(unchanged[outcome] for outcome in ALARMS) <= 5
    assert unchanged[Outcome.IMPROVEMENT] <= 5
    assert min(found.values()) >= 450


def test_what_was_not_named_in_advance_needs_more_to_raise_an_alarm() -> None:
    rng, far, median = np.random.default_rng(31), quantile_name(0.999), quantile_name(0.5)
    found = {P99: 0, far: 0}
    for _ in range(40):
        base, new = repeated(rng, 5, spread=0.02), repeated(rng, 5, spread=0.02)
        slower = [shifted(run, {far: 1.2}) for run in new]
        for asked in found:
            found[asked] += compare_repeats(base, slower, asked_quantile=asked).outcome in ALARMS
        far_slower = [shifted(run, {median: 1.5}) for run in new]
        assert compare_repeats(base, far_slower).outcome in ALARMS
    assert found[far] >= 32, found
    assert found[P99] <= 16, found


def test_no_change_is_rarely_said_of_a_change_at_the_limit() -> None:
    rng, wrong = np.random.default_rng(33), 0
    said: Counter[Outcome] = Counter()
    for _ in range(400):
        base, new = repeated(rng, 5, spread=0.005), repeated(rng, 5, spread=0.005)
        said[compare_repeats(base, new).outcome] += 1
        said_of_change = compare_repeats(base, [shifted(run, {P99: 1.052}) for run in new])
        wrong += said_of_change.outcome is Outcome.NO_CHANGE
    assert wrong <= 10
    assert said[Outcome.NO_CHANGE] >= 380, said


def test_a_few_noisy_runs_raise_no_alarm_against_a_long_quiet_baseline() -> None:
    rng, alarms, shown = np.random.default_rng(35), 0, 0
    for _ in range(150):
        base, new = repeated(rng, 40, spread=0.02), repeated(rng, 5, spread=0.04)
        alarms += compare_repeats(base, new).outcome in ALARMS
        slower = [shifted(run, {P99: 1.5}) for run in new]
        shown += compare_repeats(base, slower).outcome in ALARMS
    assert alarms <= 3
    assert shown >= 120


def test_the_quantile_asked_about_is_one_that_is_compared() -> None:
    assert [quantile_asked(text) for text in (None, "p50", "p99.99")] == [
        P99,
        quantile_name(0.5),
        quantile_name(0.9999),
    ]
    with pytest.raises(QuantityInvalid, match=r"'p98' is not compared; name one of p50, p90"):
        quantile_asked("p98")


def test_two_whole_runs_never_show_a_regression() -> None:
    rng = np.random.default_rng(7)
    (base,), (new,) = repeated(rng, 1), repeated(rng, 1)
    slower = shifted(new, {P99: 9.0, THROUGHPUT: 0.2})
    comparison = compare_measured(base, slower)
    assert comparison.outcome is Outcome.UNREPEATED
    assert not any(gain.significant for gain in comparison.gains)
    assert re.fullmatch(
        r"p99 is [\d.]+–[\d.]+ × as long in these two runs; repeat each 5 times to show a change\.",
        headline(comparison),
    )


def test_two_runs_that_differ_much_show_nothing_against_one() -> None:
    first, second, new = repeated(np.random.default_rng(8), 3)
    for factor in (2.0, 20.0):
        names = (THROUGHPUT, MEAN, quantile_name(0.5), P99, quantile_name(0.999))
        comparison = compare_repeats([first, shifted(second, dict.fromkeys(names, factor))], [new])
        assert comparison.outcome is Outcome.NOT_SHOWN
        assert headline(comparison) == (
            "Not shown: p99 may be any number of times faster or slower, and chance alone could do that."
        )


def test_the_same_record_is_no_change_and_no_repeated_run() -> None:
    base, other, *_ = repeated(np.random.default_rng(8), 3)
    comparison = compare_measured(base, base)
    assert comparison.outcome is Outcome.NO_CHANGE
    assert headline(comparison) == "No change: both records are the same."
    with pytest.raises(RunsRepeat, match="named twice"):
        compare_repeats([base, base], [other])


def test_mixed_results_name_both_sides() -> None:
    rng = np.random.default_rng(10)
    base, new = repeated(rng, 5, spread=0.01), repeated(rng, 5, spread=0.01)
    mixed = [shifted(run, {quantile_name(0.5): 1.5, P99: 0.5}) for run in new]
    comparison = compare_repeats(base, mixed)
    assert comparison.outcome is Outcome.MIXED
    assert headline(comparison) == "Mixed: p99 better, p50 worse."


def test_the_tail_comes_first_where_only_the_body_is_worse() -> None:
    rng = np.random.default_rng(10)
    base, new = repeated(rng, 5, spread=0.01), repeated(rng, 5, spread=0.01)
    slower = [shifted(run, {quantile_name(0.5): 1.5}) for run in new]
    comparison = compare_repeats(base, slower)
    assert comparison.outcome is Outcome.REGRESSION
    assert re.match(r"Regression: p99 (no change|not shown); p50 is 1\.", headline(comparison))


def test_a_mean_of_slices_that_do_not_sum_their_latencies_has_no_limits() -> None:
    side = simple(1)
    assert side.operation.intervals is not None
    silent = replace(side.operation.intervals, sum_ns=np.full(side.operation.intervals.size, -1))
    without_sums = replace(side, operation=replace(side.operation, intervals=silent))
    mean = next(figure for figure in measured(without_sums).figures if figure.quantity == MEAN)
    assert mean.lower == side.operation.record.mean_ns[0]  # type: ignore[index]
    assert mean.lower_limit is None


def test_few_operations_show_nothing() -> None:
    rng = np.random.default_rng(4)
    base, new = (simulated(rng, slices=30, reads=30, slower=slower) for slower in (1.0, 1.06))
    assert compare(base, new).outcome is Outcome.NOT_SHOWN


def test_what_coarse_buckets_leave_open_is_no_difference() -> None:
    """Powers of two: p99 may have moved inside its bucket, the share over 8 ms has not."""
    layout = Pow2Layout(NS_PER_MS)
    counts = Counts(np.array([0, 3, 4]), np.array([900_000, 60_000, 40_000]))
    one = OperationEvidence("read", "response", LatencyDist(layout, counts))
    side = Side(RunEvidence((one,)), one, simple(1).conditions)
    gains = {figure.quantity: gain_of(figure, figure) for figure in measured(side).figures}
    assert gains[P99].effect is Effect.OPEN
    assert gains[share_name(8 * NS_PER_MS)].effect is Effect.SAME


def test_more_failed_operations_are_worse() -> None:
    side = simple(1)
    record = replace(side.operation.record, misses=Misses(errors=900))  # type: ignore[type-var]
    failing = replace(side.operation, record=record, intervals=None)
    whole = replace(side, operation=replace(side.operation, intervals=None)), replace(side, operation=failing)
    base, new = ({figure.quantity: figure for figure in measured(each).figures} for each in whole)
    assert gain_of(base[MISSES], new[MISSES]).effect is Effect.WORSE
    assert compare(*whole).outcome is Outcome.UNREPEATED


def test_operations_that_fail_together_count_as_fewer() -> None:
    errors = [40 * (minute in {7, 8, 9}) for minute in range(30)]
    minutes = course([0] * 30, [960] * 30, errors=errors)
    operation = OperationEvidence("read", "response", minutes.total(), minutes)
    side = Side(RunEvidence((operation,)), operation, simple(1).conditions)
    figure = next(figure for figure in measured(side).figures if figure.quantity == MISSES)
    factor = design_effect(np.array(errors), minutes.totals).factor
    assert factor > 10.0
    limits = clopper_pearson(120 / factor, minutes.totals.sum() / factor, ERROR / COUNT)
    assert (figure.lower_limit, figure.upper_limit) == (limits.lower, limits.upper)


@pytest.mark.parametrize(
    ("changed", "word"),
    [
        ({"tool": "another"}, "different tools"),
        ({"clock": "service"}, "Different things were timed"),
        ({"closed_loop": True}, "The load of one is open"),
        ({"target_per_s": 5.0}, "The loads differ"),
        ({"parameters": {"threads": 8}}, "threads differs: not stated and 8"),
        ({"unknown": ("the unit of its latencies",)}, "does not state the unit"),
        ({"fell_behind": "it was late"}, "The load generator of new fell behind"),
    ],
)
def test_unequal_or_unknown_conditions_allow_no_conclusion(changed: dict[str, object], word: str) -> None:
    side = simple(1)
    other = replace(side, conditions=replace(side.conditions, **changed))  # type: ignore[arg-type]
    found = compare(side, other)
    assert found.outcome is Outcome.NOT_COMPARABLE
    assert word in " ".join(found.comparability.reasons)


def test_what_is_under_study_may_differ_and_is_named() -> None:
    one = simple(1).conditions
    assert one.target_per_s == 50.0
    other = replace(one, tool_version="2", parameters={"server_version": "9.1"}, target_per_s=49.5)
    found = compare_sides(one, other)
    assert not found.reasons
    assert found.factors == ("tool version", "server_version")


def test_more_throughput_is_better() -> None:
    base, new = Figure(THROUGHPUT, 100, 100, 99, 101), Figure(THROUGHPUT, 120, 120, 119, 121)
    assert gain_of(base, new).effect is Effect.BETTER
    assert gain_of(new, base).effect is Effect.WORSE


def test_a_difference_of_exactly_the_smallest_change_counts() -> None:
    base, new, less = (Figure(THROUGHPUT, at, at, at, at) for at in (100.0, 105.0, 104.9))
    assert gain_of(base, new).effect is Effect.BETTER
    assert gain_of(base, less).effect is Effect.SAME
    touching = Figure(THROUGHPUT, 110.0, 110.0, 100.0, 120.0)
    assert gain_of(base, touching).effect is Effect.OPEN


def test_printed_numbers_alone_show_nothing() -> None:
    """Without a number of operations there are no limits, however far apart the numbers lie."""
    base, new = Figure(P99, 1e6, 1e6, why_no_limits="unknown"), Figure(P99, 9e6, 9e6, why_no_limits="unknown")
    assert gain_of(base, new).effect is Effect.OPEN


def test_a_latency_is_not_compared_with_a_rate() -> None:
    conditions = simple(1).conditions
    rate = Measured((Figure(THROUGHPUT, 100, 100, 99, 101),), conditions, has_course=False)
    latency = Measured((Figure(P99, 1e6, 1e6, 9e5, 2e6),), conditions, has_course=False)
    with pytest.raises(NothingInCommon, match="the base has a rate, the new one latencies"):
        compare_measured(rate, latency)


def test_a_middle_is_geometric_unless_a_bound_is_zero_or_open() -> None:
    bounds = ((4.0, 9.0), (0.5, 0.5), (0.0, 9.0), (4.0, None))
    assert [Figure(P99, *each).middle for each in bounds] == [6.0, 0.5, 4.5, 4.0]


def test_nothing_in_common_is_said() -> None:
    side = simple(1)
    empty = OperationEvidence(
        "read",
        "response",
        LatencyDist(Pow2Layout(NS_PER_MS), Counts(np.array([], np.int64), np.array([], np.int64))),
    )
    with pytest.raises(NothingInCommon, match="nothing can be compared"):
        compare(side, replace(side, operation=empty, run=RunEvidence((empty,))))
