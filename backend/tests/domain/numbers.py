"""Fixed runs, samples and plans, and all that the method says about them."""

from dataclasses import replace
from typing import Any

import numpy as np
from backend.bench.comparison import repeated, shifted, simulated
from backend.tests.domain.comparison.test_siblings import unit
from backend.tests.domain.courses import INSIDE_NS, THRESHOLD_NS, course, following
from backend.tests.domain.drive_counters.test_summary import HEAT, LINK, UNIT, drive
from backend.tests.domain.numbers_of_verdicts import EDGES, slices_of
from backend.tests.domain.transactions.latencies import plan_bounds, points
from backend.tests.domain.verdicts.judging import explicit, published, record, run_of

from tailroom.domain.comparison.answer import headline
from tailroom.domain.comparison.chain import QuantilePoint
from tailroom.domain.comparison.chain import added as added_by_hop
from tailroom.domain.comparison.comparison import Measured, Side, compare, measured
from tailroom.domain.comparison.conditions import Conditions
from tailroom.domain.comparison.figures import MEAN, MISSES, THROUGHPUT, Figure, in_flight, quantile_name
from tailroom.domain.comparison.history import against_history, compare_with_history
from tailroom.domain.comparison.repeats import compare_repeats
from tailroom.domain.comparison.siblings import judge_siblings
from tailroom.domain.confidence import shares
from tailroom.domain.confidence.bootstrap import bootstrap_ratio, mean_block_length
from tailroom.domain.confidence.effective_samples import design_effect
from tailroom.domain.drive_counters.of_test import added, figures_of_drives
from tailroom.domain.drive_counters.summary import summary_of
from tailroom.domain.drive_counters.words import text_of
from tailroom.domain.latency.distribution import LatencyRecord, Misses
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.merged_record import MergedRecord, unweighted
from tailroom.domain.time_course.burn_rate import SloCourse, budget_course, burn_alerts, fastest_burns
from tailroom.domain.time_course.change_points import change_points, step_p_value
from tailroom.domain.time_course.drift import drift, drift_of_share
from tailroom.domain.time_course.e_divisive import e_divisive
from tailroom.domain.time_course.late_degradation import compliance, late_degradation, recovery_slices
from tailroom.domain.time_course.steady_state import mser5, ramp, steady_state
from tailroom.domain.time_course.worst_hour import worst_aligned, worst_rolling
from tailroom.domain.transactions.group_distributions import GroupDistributions
from tailroom.domain.transactions.guarantees import MeanAndLargest, mean_guarantee, share_limits
from tailroom.domain.transactions.plan import Plan, RandomCount, Scheduling, Stage
from tailroom.domain.transactions.plan_bounds import PlanBounds
from tailroom.domain.transactions.worst_case import worst_case_dependence
from tailroom.domain.units import NS_PER_HOUR, NS_PER_MINUTE, NS_PER_MS, NS_PER_S
from tailroom.domain.verdicts.budget_kinds import OPERATIONS_PER_S
from tailroom.domain.verdicts.evidence import (
    OperationEvidence,
    RateBounds,
    RunEvidence,
)

_RNG = np.random.default_rng


def _gains(comparison: Any) -> list[Any]:
    return [comparison.outcome, headline(comparison), *comparison.gains]


def _side(operation: OperationEvidence, **more: Any) -> Side:
    conditions = Conditions("tool", None, "read", "response", operation.closed_loop, target_per_s=100.0)
    return Side(RunEvidence((operation,), **more), operation, conditions)


def of_two_runs() -> Any:
    """Slices of 10 s for twelve minutes: an unchanged run and a slower one with failed operations."""
    rng = _RNG(1)
    base, same, slower = (simulated(rng, slices=72, reads=150, slower=slower) for slower in (1.0, 1.0, 1.6))
    assert slower.operation.intervals is not None
    failing = replace(
        slower.operation.intervals,
        errors=np.arange(72, dtype=np.int64) % 5,
        start_ns=slower.operation.intervals.start_ns + NS_PER_MINUTE,
    )
    slower = replace(slower, operation=replace(slower.operation, intervals=failing, record=failing.total()))
    return [_gains(compare(base, new)) for new in (same, slower)]


def of_figures() -> Any:
    """Figures of coarse slices with and without sums, of a closed loop, and of printed numbers."""
    over, total = np.arange(30) % 7, np.full(30, 200) + np.arange(30) % 4
    summed = course(over, total, piece_s=10, mean_ms=(2.0 + 0.01 * (np.arange(30) % 5)).tolist())
    coarse = [
        OperationEvidence("read", "response", each.total(), each, closed_loop=is_closed)
        for each, is_closed in ((summed, False), (course(over, total, piece_s=3), True))
    ]
    stated = OperationEvidence(
        "read", "response", published(n=9_000, mean_ns=80_000, percentiles=[[0.5, 70_000], [0.99, 400_000]])
    )
    rates = {OPERATIONS_PER_S: RateBounds(900.0, 1_000.0)}
    unknown = replace(stated, record=published(mean_ns=80_000, percentiles=[[0.999, 1_000_000]]))
    sides = [
        *map(_side, coarse),
        _side(stated, rates=rates),
        _side(unknown),
        _side(run_of(EDGES).operations[0]),
    ]
    found = []
    for side in sides:
        figures = measured(side).figures
        found.append(
            [figures, [each.middle for each in figures], in_flight(side.run, side.operation, figures[::-1])]
        )
    return found


def _failing(run: Measured) -> Measured:
    """The run with failed operations, the more the slower it is."""
    share = next(each.lower for each in run.figures if each.quantity == MEAN) ** 2 / 1e12
    failed = Figure(MISSES, share, share, share * 0.9, share * 1.2)
    return replace(run, figures=(*run.figures[:-1], failed))


def of_repeated_runs() -> Any:
    """Five runs a side, two against one, and a run against its history."""
    rng = _RNG(2)
    base, new, past = (repeated(rng, runs, spread=0.02) for runs in (5, 5, 12))
    worse = [shifted(run, {quantile_name(0.99): 1.3, THROUGHPUT: 1.1}) for run in new]
    history = [run.figures for run in past]
    return {
        "same": _gains(compare_repeats(base, new)),
        "mixed": _gains(compare_repeats(base, worse)),
        "failing": _gains(
            compare_repeats([_failing(run) for run in base], [_failing(run) for run in new[1:] + worse[:1]])
        ),
        "by p50": _gains(compare_repeats(base[:3], worse[:2], asked_quantile=quantile_name(0.5))),
        "history": compare_with_history(past[-1], history, worse[:1])[1],
        "short history": _gains(compare_with_history(past[-1], history[:4], worse[:1])[0]),
        "constant": [
            against_history([{MEAN: value} for value in (*[1e6] * 9, last)], {MEAN: 1.05e6})
            for last in (1e6, 1.2e6)
        ],
        "none": [
            against_history([{MEAN: 1e6}] * runs, {MEAN: value}) for runs, value in ((9, 0.0), (7, 1e6))
        ],
        "few": against_history([{MEAN: 1e6 * 1.01**i, MISSES: 0.1} for i in range(9)], {MEAN: 1.2e6}),
    }


def _rare(run: Measured) -> tuple[Figure, ...]:
    """The figures of the run, with a rate of one in two seconds and a mean of 0."""
    rare, instant = Figure(THROUGHPUT, 0.5, 0.5, 0.5, 0.5), Figure(MEAN, 0.0, 0.0, 0.0, 0.0)
    return (rare, instant, *(each for each in run.figures if each.quantity not in {THROUGHPUT, MEAN}))


def of_siblings() -> Any:
    """Ten units, of which one is slower, one faster and one fails operations, and one too many that do."""
    units = [unit(number, 1.0 + 0.002 * number) for number in range(8)]
    odd = [unit(8, 1.3), unit(9, 0.8), unit(10, 1.0, missed=0.02), unit(11, 1.0, own=0.2)]
    levels = (1.0, 1.3, 1.3, 1.3)
    apart = [unit(number, levels[number % 4] + number / 1e4) for number in range(12)]
    slow = [replace(each, measured=replace(each.measured, figures=_rare(each.measured))) for each in units]
    odd_ones = judge_siblings([*units, *odd])
    return [
        [[each.effect, each.largest_ratio, each.deviations] for each in odd_ones.units[-5:]],
        odd_ones.levels,
        judge_siblings(apart).reason,
        judge_siblings(slow).levels,
    ]


def of_a_chain() -> Any:
    """A hop, by the curves inside and outside of it."""
    curves = [
        [QuantilePoint(at / 20, at * scale * 1e5, at * scale * 1.1e5) for at in range(1, 20)]
        for scale in (1.0, 1.7)
    ]
    return added_by_hop(curves[0], curves[1], (0.1, 0.5, 0.9))


def of_drive_counters() -> Any:
    """A drive that states everything, and one that went back and is worn."""
    before = (
        HEAT
        | LINK
        | {
            "smart.host_written_bytes": 900 * UNIT,
            "kernel.written_bytes": 10,
            "extended.media_written_bytes": 10**9,
            "extended.throttling_events": 3,
            "smart.warning_temperature_minutes": 1,
            "smart.critical_temperature_minutes": 2,
            "smart.media_errors": 1,
            "kernel.pcie_corrected_errors": 4,
            "volume.over_volume_operations_us": 0,
            "volume.over_volume_throughput_us": 10**6,
            "volume.over_instance_operations_us": 5,
            "volume.over_instance_throughput_us": 6,
            "smart.temperature_k": 310,
        }
    )
    after = (
        {name: value + 3 for name, value in before.items()}
        | LINK
        | {
            "smart.host_written_bytes": 2_900 * UNIT,
            "kernel.written_bytes": 10**9,
            "extended.media_written_bytes": 4 * 10**9,
            "extended.throttling_events": 255,
            "smart.percentage_used": 40,
            "smart.available_spare_pct": 90,
            "smart.spare_threshold_pct": 10,
            "smart.critical_warning": 4,
        }
    )
    reset = after | {
        "smart.host_written_bytes": 0,
        "smart.thermal_management_1_s": 0,
        "ata.percentage_used": 120,
    }
    drives = drive(before, after), drive(before, reset), drive({"ata.host_written_bytes": 1}, reset)
    summaries = [summary_of(each, (7 * 10**8, 8 * 10**8), has_ramp=False) for each in drives]
    return [
        *([[each, text_of(each)] for each in summary.figures] for summary in summaries),
        figures_of_drives(summaries),
        figures_of_drives(summaries[:2]),
        [
            added([summary.known(key) for summary in summaries[:2]])
            for key in ("wear_used_pct", "throttled_s")
        ],
    ]


def _hours(mean_ms: float = 2.0) -> IntervalRecords:
    """26 hours of minutes that become worse after ten, with gaps, empty minutes and errors."""
    rng, minutes = _RNG(4), 26 * 60
    share = np.repeat([0.004] * 10 + [0.009] * 8 + [0.02] * 8, 60)
    total = rng.integers(900, 1_100, minutes)
    total[[5, 700]] = 0
    over = rng.binomial(total, np.clip(share * np.exp(0.3 * rng.standard_normal(minutes)), 0, 1))
    kept = np.delete(np.arange(minutes), np.s_[300:310])
    errors = rng.poisson(0.05, minutes)
    means = mean_ms + 0.3 * rng.standard_normal(minutes) + np.arange(minutes) / minutes
    return course(over[kept], total[kept], mean_ms=means[kept], starts_s=kept * 60, errors=errors[kept])


def _warming_up(values: int) -> IntervalRecords:
    """80 slices from the half hour on, the first `values` slow and three minutes apart, the others one."""
    starts_s = 1_800 + np.cumsum(np.where(np.arange(80) <= values, 180, 60)) - 180
    return course([0] * 80, [100] * 80, mean_ms=[9.0] * values + [2.0] * (80 - values), starts_s=starts_s)


def _idle_after(minutes: int) -> SloCourse:
    """80 minutes, of which the first few are bad, and those after them without operations."""
    total = np.where(np.arange(80) < minutes, 1_000, 0)
    length_ns = np.full(80, NS_PER_MINUTE)
    return SloCourse(np.arange(80) * NS_PER_MINUTE, length_ns, np.minimum(total, 144), total, 0.99)


def of_a_course() -> Any:
    """Burn rates, change points, drift, steady state and worst hours of a day that becomes worse."""
    hours = _hours()
    over, total, limit = hours.over(THRESHOLD_NS)[1], hours.totals, 0.01
    at_h = hours.start_ns / NS_PER_HOUR
    slo = SloCourse(hours.start_ns, hours.duration_ns, over, total, 0.99)
    budget = budget_course(slo)
    assert budget is not None
    quarters = hours.sliced(15 * NS_PER_MINUTE, full_only=True)
    rate = quarters.count / 900.0
    steps = change_points(quarters.over(THRESHOLD_NS)[1], quarters.totals)
    return {
        "budget": replace(budget, consumed_ratio=budget.consumed_ratio[::200]),
        "burns": fastest_burns(slo),
        "alerts": [burn_alerts(slo), burn_alerts(_idle_after(6)), burn_alerts(_idle_after(70))],
        "change points": [steps, change_points(np.array([5, 6, 4] * 3 + [15, 14, 16] * 2), np.full(15, 900))],
        "drift": [drift(rate[:60], np.arange(60) / 4), drift_of_share(over[:300], total[:300], at_h[:300])],
        "levels": [
            e_divisive(quarters.latency_sums()[0][:60]),
            *(e_divisive(following(size, 0.7, _RNG(size))) for size in (12, 30, 60, 120)),
        ],
        "degradation": [late_degradation(hours, at_ns, limit) for at_ns in (THRESHOLD_NS, INSIDE_NS)],
        "kept": compliance(over, total, limit),
        "recovery": recovery_slices(np.sin(np.arange(90) / 3) + 0.1 * _RNG(5).standard_normal(90)),
        "steady": [
            steady_state(part, {THRESHOLD_NS: 0.05, INSIDE_NS: None})
            for part in (hours, hours.selected(np.arange(100)))
        ],
        "ramp": [ramp(_warming_up(values)) for values in (15, 20, 25)]
        + [ramp(hours), mser5(np.concatenate((np.arange(30.0), 30 + 2 * _RNG(6).random(100))))],
        "worst": [worst_aligned(hours, THRESHOLD_NS), worst_rolling(hours, INSIDE_NS)],
    }


_FEW = ([3], [2, 9], [0, 0, 0], [9, 20, 30, 0])
"""Counts of slices over a limit."""


def of_samples() -> Any:
    """Limits of shares, sizes of samples, design effects and ratios by blocks."""
    hours = _hours().selected(np.arange(400))
    effect = design_effect(hours.over(THRESHOLD_NS)[1], hours.totals)
    counted = ((0, 40), (3, 1_000), (500, 1_000), (40, 40))
    return {
        "limits": [[f(*each) for each in counted] for f in (shares.clopper_pearson, shares.wilson)],
        "ranks": [shares.quantile_ranks(n, q) for n in (10, 1_000) for q in (0.5, 0.99)],
        "width": shares.curve_half_width(1_000),
        "sizes": [shares.samples_for_share(0.0, 0.001), shares.samples_for_share(0.004, 0.01)],
        "to decide": [shares.samples_to_decide(p, 0.01) for p in (0.0, 0.004, 0.00999999, 0.01, 0.03)],
        "difference": shares.newcombe(30, 1_000, 10, 900),
        "effect": [effect, effect.factor],
        "short": [design_effect(np.array(over), np.array([9, 20, 30, 0])[: len(over)]) for over in _FEW],
        "step": step_p_value(
            *(np.array(counts, np.float64) for counts in ([5, 6], [900, 900], [6, 6], [900, 800])),
            phi=1.0,
            degrees=3,
        ),
        "block": mean_block_length(following(400, 0.97, _RNG(8))),
        "ratio": bootstrap_ratio(hours.count[:90].astype(float), hours.duration_ns[:90] / 1e9),
    }


_PLANS_OF_READS = (
    Plan.sequential("read", 15),
    Plan.sequential("read", 2_100),
    Plan((Stage("read", 40, 8, Scheduling.POOL),)),
)


def _bounds_of_slices() -> PlanBounds:
    """Bounds of plans of reads in four groups of slices, and a group without answers."""
    slices = slices_of()
    parts = slices.grouped(np.arange(40) // 10)
    groups = [*map(parts.distribution, range(4)), record({}, misses=3, pins=(8 * NS_PER_MS,))]
    records = IntervalRecords.of(groups, np.arange(5) * NS_PER_S, np.full(5, NS_PER_S))
    return PlanBounds({"read": GroupDistributions.from_records(records)}, np.full(5, 0.2), 1 << 12)


def of_plans() -> Any:
    """Bounds of plans of two operations, the guarantee by their means, and that under any dependence."""
    laws = {"read": points([1, 2, 8], [0.9, 0.07, 0.03]), "update": points([2, 30], [0.98, 0.02])}
    stages = (
        Stage("read", 30, overhead_ns=5 * NS_PER_MS),
        Stage("read", RandomCount({5: 0.25, 9: 0.75})),
        Stage("update", 12, 4, Scheduling.WAVES),
        Stage("update", 12, 4, Scheduling.POOL),
        Stage("read", 6, 6, Scheduling.PARALLEL),
        Stage("read", RandomCount({5: 0.25, 9: 0.75}), 9, Scheduling.PARALLEL),
    )
    plans = [Plan((stage,)) for stage in stages] + [Plan(stages)]
    means = {
        name: MeanAndLargest(law.late.mean_ns(), float(law.late.at_ns.max()), 0.999)
        for name, law in laws.items()
    }
    found = []
    for bounds, of_plans in ((plan_bounds(laws, 1 << 10), plans), (_bounds_of_slices(), _PLANS_OF_READS)):
        for plan in of_plans:
            for window_ns in (20 * NS_PER_MS, (1 << 26) + 50, 200 * NS_PER_MS):
                lower, upper = bounds.lower(plan, window_ns), bounds.upper(plan, window_ns)
                middle = bounds.estimate(plan, window_ns, lower, upper)
                worst = worst_case_dependence(plan, laws, window_ns)
                found.append([lower, middle, upper, worst, mean_guarantee(plan, means, window_ns)])
            times_ns = np.array([1, 10, 50, 66, 100, 400]) * NS_PER_MS
            found.append([*bounds.band(plan, times_ns, bounds.weights, times_ns[2:4]), bounds.ending(plan)])
    return [*found, [share_limits(0.99, 0.995, blocks) for blocks in (4, 40, 4_000)]]


def of_records() -> Any:
    """What each kind of record states: its mean, counts below times, and quantiles."""
    fine = record({100_000: 50, 900_000: 40, 9_000_000: 9, 70_000_000: 1}, misses=2, pins=(NS_PER_MS,))
    coarse = replace(
        explicit((0, NS_PER_MS, 8 * NS_PER_MS), [90, 10], open_ended=False), misses=Misses(errors=1)
    )
    stated = published(
        n=1_000, mean_ns=80_000, max_ns=5_000_000, percentiles=[[0.5, 70_000], [0.99, 400_000]]
    )
    shares_of = published(layout={"t": "explicit", "edges_ns": [0, 10**6, 10**7]}, shares=[0.9, 0.1])
    records: tuple[LatencyRecord, ...] = (
        fine,
        replace(fine, sum_ns=192_000_000, min_ns=100_000, max_ns=70_000_500),
        coarse,
        stated,
        shares_of,
        MergedRecord.of([fine, coarse, stated]),
        unweighted([stated, shares_of]),
    )
    times_ns = (0, 100_000, 500_000, NS_PER_MS, 9 * NS_PER_MS, NS_PER_S)
    return [
        {
            "mean": each.mean_ns,
            "cdf": [each.cdf_bounds(at_ns) for at_ns in times_ns],
            "quantiles": [each.quantile_bounds(quantile) for quantile in (0.01, 0.5, 0.9, 0.99, 1.0)],
            "laws": [
                [law.mean_ns(), law.variance_ns2()] for law in (each.bounds().early, each.bounds().middle)
            ],
        }
        for each in records
    ]
