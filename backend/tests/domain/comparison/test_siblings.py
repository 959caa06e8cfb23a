"""Units against their siblings: false alarms, what is shown, and what is not judged."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from scipy.special import ndtri

from tailroom.domain.comparison.comparison import Measured
from tailroom.domain.comparison.conditions import Conditions, DrawnLoad
from tailroom.domain.comparison.figures import COUNT, ERROR, MEAN, MISSES, THROUGHPUT, Figure, quantile_name
from tailroom.domain.comparison.gains import Effect
from tailroom.domain.comparison.history import QUANTITIES
from tailroom.domain.comparison.siblings import FLEET_ERROR, Unit, extreme, judge_siblings
from tailroom.domain.comparison.unit_causes import likely_causes

HALF_HOUR_NS = 1_800 * 10**9
CONDITIONS = Conditions("agent", None, "read", "response", closed_loop=False, target_per_s=2_000.0)


def unit(number: int, level: float, *, own: float = 0.001, missed: float = 0.0) -> Unit:
    """A unit at `level` times the usual latency, known to `own` by its own operations."""
    values = {MEAN: 100_000.0, quantile_name(0.5): 90_000.0, quantile_name(0.99): 400_000.0}
    figures = [
        Figure(name, at * level, at * level * 1.001, at * level * (1 - own), at * level * (1.001 + own))
        for name, at in values.items()
    ]
    rate = Figure(THROUGHPUT, 2_000.0, 2_000.0, 2_000.0, 2_000.0)
    failed = Figure(MISSES, missed, missed, missed * 0.9, missed * 1.1 + 1e-6)
    return Unit(f"unit {number}", Measured((*figures, rate, failed), CONDITIONS, True), HALF_HOUR_NS)


def fleet(rng: np.random.Generator, count: int, spread: float = 0.005) -> list[Unit]:
    return [unit(number, float(np.exp(spread * rng.standard_normal()))) for number in range(count)]


def effects(units: Sequence[Unit]) -> list[Effect]:
    return [result.effect for result in judge_siblings(units).units]


def test_fewer_than_one_alarm_in_a_thousand_units() -> None:
    rng = np.random.default_rng(1)
    alarms = sum(
        effect is not Effect.SAME for _ in range(8) for effect in effects(fleet(rng, 1_000, spread=0.03))
    )
    assert alarms < 8, "in 8 fleets of 1,000; units that differ by 3 % reach beyond the smallest difference"


@pytest.mark.parametrize("count", [8, 30, 300])
def test_outliers_of_normal_samples_are_as_rare_as_asked(count: int) -> None:
    rng = np.random.default_rng(count)
    alarms = sum(extreme(rng.standard_normal(count), 0.05).any() for _ in range(500))
    assert 10 <= alarms <= 42


def test_slower_units_are_shown_however_many_there_are() -> None:
    for slow in (1, 10, 50):
        units = fleet(np.random.default_rng(slow), 1_000)
        units[:slow] = [unit(number, 1.05) for number in range(slow)]
        found = effects(units)
        assert found[:slow] == [Effect.WORSE] * slow
        assert set(found[slow:]) == {Effect.SAME}


def test_a_unit_whose_own_limits_reach_its_siblings_is_not_shown() -> None:
    units = fleet(np.random.default_rng(3), 100)
    assert effects([*units, unit(100, 1.05)])[-1] is Effect.WORSE
    assert effects([*units, unit(100, 1.05, own=0.05)])[-1] is Effect.SAME


def test_a_faster_unit_is_better() -> None:
    found = judge_siblings([*fleet(np.random.default_rng(4), 50), unit(50, 0.9), unit(51, 0.8)])
    assert [result.unit.name for result in found.with_effect(Effect.BETTER)] == ["unit 51", "unit 50"]


def test_what_buckets_leave_open_is_no_difference() -> None:
    coarse = [
        replace(each, measured=replace(each.measured, figures=(Figure(MEAN, 64_000.0, 128_000.0),)))
        for each in fleet(np.random.default_rng(5), 20)
    ]
    judgement = judge_siblings(coarse)
    assert judgement.reason.startswith("The units have no latency and no rate in common")
    assert {result.effect for result in judgement.units} == {Effect.OPEN}


def test_a_unit_that_fails_operations_is_worse() -> None:
    units = [unit(number, 1.0 + number / 1e4) for number in range(20)]
    results = judge_siblings([*units, unit(20, 1.0, missed=0.02)]).units
    assert results[-1].effect is Effect.WORSE
    assert [each.quantity for each in results[-1].deviations if each.effect is Effect.WORSE] == [MISSES]


def test_limits_of_failed_operations_allow_for_every_unit_and_quantity() -> None:
    units = [unit(number, 1.0 + number / 1e4, missed=0.001) for number in range(20)]
    failing = unit(20, 1.0, missed=0.02)
    deviation = judge_siblings([*units, failing]).units[-1].deviations[-1]
    own = next(figure for figure in failing.measured.figures if figure.quantity == MISSES)
    assert own.lower_limit is not None
    assert own.upper_limit is not None
    wider = ndtri(FLEET_ERROR / (len(QUANTITIES) + 1) / 21 / 2) / ndtri(ERROR / COUNT / 2)
    expected = (
        20.0,
        20.0 - wider * (20.0 - own.lower_limit / 0.001),
        20.0 + wider * (own.upper_limit / 0.001 - 20.0),
    )
    assert (deviation.ratio, deviation.ratio_lower, deviation.ratio_upper) == pytest.approx(expected)


def test_other_load_and_shorter_measuring_are_not_judged() -> None:
    units = fleet(np.random.default_rng(6), 20)
    other = replace(
        units[0], measured=replace(units[0].measured, conditions=replace(CONDITIONS, clock="service"))
    )
    short = replace(units[1], measured_ns=HALF_HOUR_NS // 10)
    results = judge_siblings([other, short, *units[2:]]).units
    assert results[0].reason.startswith("Different things were timed")
    assert results[1].reason == "Measured for 3.0 min, its siblings for 30.0 min."
    assert {result.effect for result in results[2:]} == {Effect.SAME}


def test_two_groups_are_said_to_be_two_groups() -> None:
    units = fleet(np.random.default_rng(7), 100, spread=0.001)
    units[:20] = [unit(number, 1.4 + number / 1e4) for number in range(20)]
    assert judge_siblings(units).reason == ""
    units[20] = unit(20, 1.4)
    assert judge_siblings(units).reason.startswith("More than a fifth of the units differ")


def test_few_units_show_nothing() -> None:
    judgement = judge_siblings([unit(number, 1.0) for number in range(7)])
    assert judgement.reason.startswith("7 units can be held against each other")
    assert judge_siblings([]).units == ()


def test_causes_are_rare_facts_and_far_temperatures() -> None:
    siblings = [
        {
            "serial": f"S{number}",
            "firmware": "1.0",
            "slot": str(number % 3),
            "temperature_c": str(44 + number % 4),
        }
        for number in range(40)
    ]
    odd = {"serial": "S99", "firmware": "1.1", "slot": "1", "temperature_c": "71"}
    causes = likely_causes(odd, siblings, [odd])
    assert [(cause.name, cause.usual, cause.same_siblings) for cause in causes] == [
        ("firmware", "1.0", 0),
        ("temperature_c", "45.5", 0),
    ]
    warm = {**odd, "firmware": "1.0", "temperature_c": "48"}
    assert likely_causes(warm, siblings, [warm]) == []


def test_a_temperature_is_far_from_five_deviations_of_the_siblings_on() -> None:
    # Their median is 45.5 °C and the median distance from it 2 °C: five deviations are 14.8 °C.
    siblings = [{"temperature_c": str(42 + number % 8)} for number in range(40)]
    far = [degrees for degrees in (60, 61) if likely_causes({"temperature_c": str(degrees)}, siblings, [])]
    assert far == [61]


def _of_a_mix(number: int, drawn: int, operations: int = 12_800, seconds: float = 8.0) -> Unit:
    """A unit whose mix drew so many of its operations as reads."""
    sibling = unit(number, 1.0)
    load = DrawnLoad(operations / seconds, operations)
    conditions = replace(CONDITIONS, target_per_s=drawn / seconds, drawn=load)
    return replace(sibling, measured=replace(sibling.measured, conditions=conditions))


def test_what_a_random_mix_draws_is_no_other_load() -> None:
    reads = np.random.default_rng(3).binomial(12_800, 0.2, 500).tolist()
    assert max(reads) > 1.05 * min(reads)
    units = [_of_a_mix(number, drawn) for number, drawn in enumerate(reads)]
    assert all(not result.reason for result in judge_siblings(units).units)


@pytest.mark.parametrize(
    ("drawn", "operations"),
    [(3_200, 12_800), (2_920, 12_800), (2_700, 13_500)],
    ids=["another ratio", "hardly another ratio", "more operations altogether"],
)
def test_another_mix_is_another_load(drawn: int, operations: int) -> None:
    units = [_of_a_mix(number, 2_560) for number in range(10)]
    *usual, other = judge_siblings([*units, _of_a_mix(10, drawn, operations)]).units
    assert all(not result.reason for result in usual)
    assert other.reason.startswith("The loads differ: 320 and ")
