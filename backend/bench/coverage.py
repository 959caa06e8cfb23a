"""Check the coverage of proven bounds on random latencies whose truth is known.

Latencies are discrete with a fixed step (heavy tails, two modes, stalls, few values), so that the true
success rate of a plan is computed exactly, or simulated for a pool. A sample of each is recorded in buckets,
and the one-sided 95 % limits are compared with the truth for every kind of plan. The width is reported as a
ratio to the sum of two widths: of the bounds due to the buckets, and of those due to the sample.

`python -m backend.bench.coverage --truths 3000` prints both by kind of plan.
"""

import argparse
import heapq
import sys
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from tailroom.domain.latency.bounds import Floats, Int64s
from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.domain.transactions.guarantees import share_limits
from tailroom.domain.transactions.plan import Plan, Scheduling, Stage
from tailroom.domain.verdicts.budget_kinds import TransactionBudget
from tailroom.domain.verdicts.evidence import OperationEvidence
from tailroom.domain.verdicts.plan_model import model_of

STEP_NS = 1_000_000
_MOST_STEPS = 1 << 14
_BINS = 1 << 13
_SIMULATED = 20_000
_SLACK = 1e-9
_WIDEST = 1.2
"""Largest acceptable ratio of the width to that of buckets and sample together."""


@dataclass(frozen=True, slots=True, eq=False)
class TrueLatency:
    """A discrete distribution: latencies in steps, and the probability of each."""

    steps: Int64s
    share: Floats

    @property
    def by_step(self) -> Floats:
        """Return the probabilities of all steps from 0 on."""
        return np.asarray(np.bincount(self.steps, self.share))

    @property
    def mean_steps(self) -> float:
        """Return the mean latency in steps."""
        return float(self.steps @ self.share)


@dataclass(slots=True)
class Tally:
    """How often limits excluded the truth, and how wide they were."""

    tried: int = 0
    below: int = 0
    above: int = 0
    widths: list[float] = field(default_factory=list)


def random_latency(rng: np.random.Generator) -> TrueLatency:
    """Return a random distribution: a heavy tail, two modes, stalls, or a few values."""
    size = 20_000
    scale = float(np.exp(rng.uniform(np.log(1.0), np.log(30.0))))
    kind = int(rng.integers(5))
    if kind == 0:
        drawn = rng.lognormal(np.log(scale), rng.uniform(0.1, 1.5), size)
    elif kind == 1:
        drawn = scale * (1.0 + rng.pareto(rng.uniform(1.3, 3.0), size))
    elif kind == 2:
        second = rng.random(size) < rng.uniform(0.01, 0.5)
        drawn = rng.normal(scale, scale / 8, size) * np.where(second, rng.uniform(2, 8), 1.0)
    elif kind == 3:
        stalled = rng.random(size) < 10.0 ** rng.uniform(-4, -1.5)
        drawn = np.where(stalled, rng.uniform(200, 1_500, size), rng.lognormal(np.log(scale), 0.3, size))
    else:
        drawn = rng.choice(rng.integers(1, 300, 4), size, p=rng.dirichlet([1.0] * 4)).astype(np.float64)
    clipped = np.clip(np.rint(drawn), 1, 4_000).astype(np.int64)
    steps, amounts = np.unique(clipped, return_counts=True)
    return TrueLatency(steps, amounts / size)


def recorded(truth: TrueLatency, operations: int, rng: np.random.Generator) -> LatencyDist:
    """Return a sample of the latency in buckets of one to three significant digits."""
    amounts = rng.multinomial(operations, truth.share)
    filled = np.flatnonzero(amounts)
    layout = HdrLayout(1_000, int(rng.integers(1, 4)))
    index = layout.index_of(truth.steps[filled] * (STEP_NS // 1_000))
    used, place = np.unique(index, return_inverse=True)
    return LatencyDist(layout, Counts(used, np.bincount(place, amounts[filled]).astype(np.int64)))


def _sequential(_: np.random.Generator, count: int) -> Plan:
    return Plan.sequential("read", count)


def _at_once(_: np.random.Generator, count: int) -> Plan:
    return Plan((Stage("read", count, 1, Scheduling.PARALLEL),))


def _waves(rng: np.random.Generator, count: int) -> Plan:
    return Plan((Stage("read", count, int(rng.integers(2, 12)), Scheduling.WAVES),))


def _pool(rng: np.random.Generator, count: int) -> Plan:
    return Plan((Stage("read", count, int(rng.integers(2, 12)), Scheduling.POOL),))


def _two_stages(_: np.random.Generator, count: int) -> Plan:
    return Plan((Stage("read", count), Stage("read", count, 4, Scheduling.WAVES)))


PLANS: dict[str, Callable[[np.random.Generator, int], Plan]] = {
    "one after another": _sequential,
    "all at once": _at_once,
    "waves": _waves,
    "pool": _pool,
    "two stages": _two_stages,
}


def times_of(plan: Plan, truth: TrueLatency, rng: np.random.Generator) -> Floats:
    """Return the true share of transactions that end within each number of steps; simulated for a pool."""
    if any(stage.effective is Scheduling.POOL for stage in plan.stages):
        return _simulated(plan.only_stage, truth, rng)
    spectrum = np.ones(_MOST_STEPS + 1, np.complex128)
    for stage in plan.stages:
        width = {Scheduling.SEQUENTIAL: 1, Scheduling.PARALLEL: stage.largest_count}.get(
            stage.effective, stage.fan_out
        )
        full, rest = divmod(stage.largest_count, width)
        for size, times in ((width, full), (rest, 1)):
            if size and times:
                spectrum *= np.fft.rfft(_slowest_of(truth.by_step, size), 2 * _MOST_STEPS) ** times
    return np.clip(np.cumsum(np.fft.irfft(spectrum, 2 * _MOST_STEPS)[:_MOST_STEPS]), 0.0, 1.0)


def _slowest_of(by_step: Floats, count: int) -> Floats:
    """Return the distribution of the slowest of `count` operations, by step."""
    return np.diff(np.cumsum(by_step) ** count, prepend=0.0)


def _simulated(stage: Stage, truth: TrueLatency, rng: np.random.Generator) -> Floats:
    """Return the simulated share of transactions of a pool that end within each number of steps."""
    ends = np.empty(_SIMULATED, np.int64)
    drawn = rng.choice(truth.steps, (_SIMULATED, stage.largest_count), p=truth.share)
    for row, latencies in enumerate(drawn.tolist()):
        free = [0] * stage.fan_out
        for latency in latencies:
            heapq.heapreplace(free, free[0] + latency)
        ends[row] = max(free)
    return np.cumsum(np.bincount(np.minimum(ends, _MOST_STEPS - 1), minlength=_MOST_STEPS)) / _SIMULATED


def try_kind(kind: str, truths: int, seed: int) -> Tally:
    """Return how often and by how much limits of a kind of plan hold, over random distributions."""
    rng, tally = np.random.default_rng(seed), Tally()
    while tally.tried < truths:
        truth = random_latency(rng)
        most = 40 if kind == "pool" else 250
        count = int(np.exp(rng.uniform(0.0, np.log(max(2.0, min(most, 4_000 / truth.mean_steps))))))
        plan = PLANS[kind](rng, count)
        within = times_of(plan, truth, rng)
        step = int(np.searchsorted(within, rng.choice([0.5, 0.9, 0.99, 0.999])))
        if not 0 < step < _MOST_STEPS - 1:
            continue
        operations = int(np.exp(rng.uniform(np.log(5_000), np.log(500_000))))
        window_ns = step * STEP_NS + STEP_NS // 2
        budget = TransactionBudget("asked", 1, "", "", plan, window_ns, 0.999)
        dist = recorded(truth, operations, rng)
        model = model_of(budget, {"read": OperationEvidence("read", "response", dist)}, _BINS)
        share, observed, confident = float(within[step]), model.observed, model.confident
        # A pool's truth is simulated: allow for the error of the simulation.
        slack = _SLACK if kind != "pool" else 4.0 * np.sqrt(0.25 / _SIMULATED)
        tally.tried += 1
        tally.below += share < confident.lower - slack
        tally.above += share > confident.upper + slack
        limits = share_limits(observed.lower, observed.upper, operations // plan.largest_count)
        widest = (
            (observed.upper - observed.lower) + (observed.lower - limits[0]) + (limits[1] - observed.upper)
        )
        tally.widths.append((confident.upper - confident.lower) / max(widest, 1e-12))
    return tally


def main() -> None:
    """Check every kind of plan; exit with 1 if limits fail in more than 5 % of cases or are too wide."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--truths", type=int, default=3_000, help="random truths for each kind of plan")
    truths = parser.parse_args().truths
    failed = False
    for place, kind in enumerate(PLANS):
        tally = try_kind(kind, truths, place)
        wrong = max(tally.below, tally.above)
        widest = max(tally.widths)
        failed |= wrong > 0.05 * tally.tried or widest > _WIDEST
        sys.stdout.write(
            f"{kind:20} {tally.tried:,} truths, each side of the limits held in "
            f"{100 * (1 - wrong / tally.tried):.2f} % or more; width beside buckets and blocks: "
            f"median {np.median(tally.widths):.3f}, largest {widest:.3f}\n"
        )
        sys.stdout.flush()
    raise SystemExit(1 if failed else 0)


if __name__ == "__main__":
    main()
