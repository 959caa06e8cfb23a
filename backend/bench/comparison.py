"""Measure the rates of false alarms and of detected changes of comparisons, on simulated runs.

Single runs are slices of lognormal reads whose level is autocorrelated, with occasional slow slices, recorded
as the agent records them. Repeated runs are simulated by their figures: each run has its own level, for rate
and mean together, with twice the spread for p99 and three times for p99.9; optionally, a share of the runs is
disturbed.

Goals: at most 1 % of unchanged pairs are reported as different. With five runs a side that vary by 3 %, at
least 90 % of changes are detected: a tenth of the rate, or a fifth of p99.

`backend.bench.real_pairs` measures the same with fio and redis-benchmark on this machine.

`python backend/bench/comparison.py --pairs 2000`
"""

import argparse
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from time import process_time

import numpy as np
from backend.bench.hdr_distributions import hdr_distribution

from tailroom.domain.comparison.comparison import Measured, Outcome, Side, compare
from tailroom.domain.comparison.conditions import Conditions
from tailroom.domain.comparison.figures import MEAN, MISSES, THROUGHPUT, Figure, quantile_name
from tailroom.domain.comparison.gains import Effect
from tailroom.domain.comparison.history import against_history
from tailroom.domain.comparison.repeats import compare_repeats
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.domain.units import NS_PER_MS, NS_PER_S, NS_PER_US
from tailroom.domain.verdicts.evidence import OperationEvidence, RunEvidence

_LAYOUT = HdrLayout()
_SLICE_NS = 10 * NS_PER_S
ALARMS = {Outcome.REGRESSION, Outcome.MIXED}
DIFFERENT = ALARMS | {Outcome.IMPROVEMENT}


def simulated(
    rng: np.random.Generator,
    *,
    slices: int = 120,
    reads: int = 2_000,
    persistence: float = 0.5,
    wander: float = 0.05,
    slower: float = 1.0,
) -> Side:
    """Return one run: `slices` of 10 s with `reads` reads each, and a median of 2 ms times `slower`."""
    level, pieces = rng.standard_normal(), []
    for _ in range(slices):
        level = persistence * level + np.sqrt(1.0 - persistence**2) * rng.standard_normal()
        at_ns = np.exp(0.5 * rng.standard_normal(reads) + wander * level) * 2 * NS_PER_MS * slower
        if rng.random() < 0.02:
            at_ns[: reads // 20] *= 3.0
        whole_ns = at_ns.astype(np.int64)
        indices, counts = np.unique(_LAYOUT.index_of(whole_ns // NS_PER_US), return_counts=True)
        ends = int(whole_ns.min()), int(whole_ns.max())
        pieces.append(
            hdr_distribution(
                Counts(indices, counts), sum_ns=int(whole_ns.sum()), min_ns=ends[0], max_ns=ends[1]
            )
        )
    course = IntervalRecords.of(pieces, np.arange(slices) * _SLICE_NS, np.full(slices, _SLICE_NS))
    operation = OperationEvidence("read", "response", course.total(), course, measured_ns=course.end_ns)
    rate = slices * reads / (course.end_ns / NS_PER_S)
    conditions = Conditions("simulation", None, "read", "response", closed_loop=False, target_per_s=rate)
    return Side(RunEvidence((operation,)), operation, conditions)


def outcomes(pairs: int, *, slower: float = 1.0, seed: int = 1, **kind: float) -> Counter[Outcome]:
    """Return the outcomes of `pairs` comparisons; the second run of each pair is `slower` times as slow."""
    rng = np.random.default_rng(seed)
    counts: Counter[Outcome] = Counter()
    for _ in range(pairs):
        base, new = simulated(rng, **kind), simulated(rng, slower=slower, **kind)  # type: ignore[arg-type]
        counts[compare(base, new).outcome] += 1
    return counts


def shifts_found(pairs: int, *, slower: float = 1.1, reads: int = 8_334, seed: int = 11) -> tuple[int, int]:
    """Return in how many of `pairs` p99 is found worse, and in how many any quantity is."""
    rng, at_p99, worse = np.random.default_rng(seed), 0, 0
    for _ in range(pairs):
        comparison = compare(simulated(rng, reads=reads), simulated(rng, reads=reads, slower=slower))
        gain = next(each for each in comparison.gains if each.quantity == quantile_name(0.99))
        at_p99 += gain.effect is Effect.WORSE
        worse += comparison.outcome is Outcome.REGRESSION
    return at_p99, worse


def repeated(
    rng: np.random.Generator, runs: int, *, spread: float = 0.02, disturbed: float = 0.0
) -> list[Measured]:
    """Return the figures of `runs` runs of one configuration, whose rate varies by `spread`."""
    conditions = Conditions("simulation", None, "read", "response", closed_loop=True)
    runs_measured: list[Measured] = []
    for _ in range(runs):
        slow = 1.3 if rng.random() < disturbed else 1.0
        rate, tail = np.exp(spread * rng.standard_normal()) / slow, np.exp(2 * spread * rng.standard_normal())
        median, far = np.exp(spread * rng.standard_normal()), np.exp(3 * spread * rng.standard_normal())
        values = {
            THROUGHPUT: 1e5 * rate,
            MEAN: 1e5 / rate,
            quantile_name(0.5): 8e4 * median,
            quantile_name(0.99): 4e5 * tail * slow,
            quantile_name(0.999): 2e6 * far * slow,
        }
        figures = [Figure(name, float(value), float(value) * 1.002) for name, value in values.items()]
        runs_measured.append(
            Measured((*figures, Figure(MISSES, 0.0, 0.0, 0.0, 1e-6)), conditions, has_course=False)
        )
    return runs_measured


def shifted(run: Measured, factors: Mapping[str, float]) -> Measured:
    """Return the run with the named quantities multiplied by their factors."""
    figures = (
        replace(figure, lower=figure.lower * factor, upper=figure.middle * factor * 1.001)
        for figure in run.figures
        for factor in (factors.get(figure.quantity, 1.0),)
    )
    return replace(run, figures=tuple(figures))


SHIFTS = {
    "a tenth of the rate": {THROUGHPUT: 0.9, MEAN: 1.0 / 0.9},
    "a fifth of p99": {quantile_name(0.99): 1.2},
}


def repeats(
    pairs: int, *, spread: float, runs: int = 5, disturbed: float = 0.0
) -> tuple[Counter[Outcome], dict[str, int]]:
    """Return the outcomes of `pairs` unchanged comparisons, and the number of detected changes by kind."""
    rng, detected = np.random.default_rng(21), dict.fromkeys(SHIFTS, 0)
    unchanged: Counter[Outcome] = Counter()
    for _ in range(pairs):
        base, new = (repeated(rng, runs, spread=spread, disturbed=disturbed) for _ in range(2))
        unchanged[compare_repeats(base, new).outcome] += 1
        for name, factors in SHIFTS.items():
            worse = compare_repeats(base, [shifted(run, factors) for run in new]).outcome
            detected[name] += worse in ALARMS
    return unchanged, detected


_OF_HISTORY = (THROUGHPUT, MEAN, *(quantile_name(quantile) for quantile in (0.5, 0.99, 0.999)))


def gate(
    gates: int, *, runs: int = 20, correlation: float = 0.0, spread: float = 0.03, seed: int = 1
) -> tuple[int, int]:
    """Return the false alarms, and the detected slowdowns by a tenth, of `gates` checks against a history.

    A history has `runs` runs; each quantity of a run correlates with its predecessor.
    """
    rng, alarms, hits = np.random.default_rng(seed), 0, 0
    for _ in range(gates):
        level, past = rng.standard_normal(len(_OF_HISTORY)), []
        for _ in range(runs + 1):
            chance = rng.standard_normal(level.size)
            level = correlation * level + np.sqrt(1.0 - correlation**2) * chance
            past.append(dict(zip(_OF_HISTORY, np.exp(spread * level) * NS_PER_MS, strict=True)))
        *history, same = past
        slower = {name: value * (1.0 if name == THROUGHPUT else 1.1) for name, value in same.items()}
        effects = [
            {difference.effect for difference in against_history(history, new)} for new in (same, slower)
        ]
        alarms += bool(effects[0] & {Effect.WORSE, Effect.BETTER})
        hits += Effect.WORSE in effects[1]
    return alarms, hits


def main() -> None:
    """Print the rates for every kind of comparison."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--pairs", type=int, default=2_000)
    pairs = arguments.parse_args().pairs
    began = process_time()
    for persistence, wander in ((0.0, 0.05), (0.5, 0.05), (0.8, 0.05), (0.9, 0.1)):
        some = max(20, pairs // 4)
        counts = outcomes(some, persistence=persistence, wander=wander, reads=500)
        different = sum(counts[outcome] for outcome in DIFFERENT)
        print(
            f"  single runs of 20 min, persistence {persistence}, wander {wander}: {different} of {some} "
            f"different ({100 * different / some:.1f} %, goal 1), no change {counts[Outcome.NO_CHANGE]}"
        )
    few = max(20, pairs // 50)
    for slower in (1.1, 1.2, 1.5):
        at_p99, called_worse = shifts_found(few, slower=slower, reads=2_000)
        print(
            f"  single runs, {slower:.1f} times as slow: found in {called_worse} of {few}, at p99 in {at_p99}"
        )
    for runs, spread, disturbed in (
        (5, 0.01, 0.0),
        (5, 0.02, 0.0),
        (5, 0.02, 0.05),
        (5, 0.03, 0.0),
        (3, 0.01, 0.0),
    ):
        unchanged, detected = repeats(pairs, spread=spread, runs=runs, disturbed=disturbed)
        alarms = sum(unchanged[outcome] for outcome in ALARMS)
        shifts = ", ".join(f"{name} found in {100 * count / pairs:.0f} %" for name, count in detected.items())
        print(
            f"  {runs} runs a side, spread {spread:.0%}, disturbed {disturbed:.0%}: {alarms} of {pairs} "
            f"called worse ({100 * alarms / pairs:.2f} %, goal 1), {unchanged[Outcome.IMPROVEMENT]} better, "
            f"{unchanged[Outcome.NO_CHANGE]} no change; {shifts} (goal 90)"
        )
    for runs, correlation in ((9, 0.0), (20, 0.0), (20, 0.5), (20, 0.8), (40, 0.8)):
        alarms, hits = gate(pairs, runs=runs, correlation=correlation)
        print(
            f"  history of {runs} runs, correlation {correlation}: {alarms} of {pairs} false alarms "
            f"({100 * alarms / pairs:.1f} %, goal 1), a tenth slower found in {100 * hits / pairs:.0f} %"
        )
    print(f"  {process_time() - began:.0f} s of processor time")


if __name__ == "__main__":
    main()
