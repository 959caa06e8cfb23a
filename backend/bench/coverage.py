"""Whether bounds keep what they promise: many random true laws, recorded coarsely, judged, compared.

True laws are discrete on a fine step (bodies with heavy tails, two modes, stalls, few values), so that the
true share of transactions within the window is calculated exactly. They are recorded in buckets of many
layouts, with exact counters and misses. *Resolution bounds* must contain the truth every time. *Confidence
intervals* come from samples of the true law: with all operations at once they rest on one exact counter and
should cover 95 %, with sequences they hold at several edges at once and are conservative by construction.

`python backend/bench/coverage.py --laws 5000` prints how often each held.
"""

import argparse
import sys
from dataclasses import dataclass

import numpy as np

from tailroom.domain.latency.bounds import Int64s, LatencyBounds
from tailroom.domain.latency.distribution import LatencyDist, Misses
from tailroom.domain.latency.hdr_layout import HdrLayout
from tailroom.domain.latency.histogram import Counts
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.layouts import ExplicitLayout, Layout, Pow2Layout
from tailroom.domain.transactions.composition import transaction_within
from tailroom.domain.transactions.confidence import plan_within_lower, plan_within_upper
from tailroom.domain.transactions.group_laws import GroupLaws
from tailroom.domain.transactions.plan import Plan, Scheduling, Stage
from tailroom.domain.transactions.plan_bounds import PlanBounds

STEP_NS = 1_000_000
STEPS = 1_000
WINDOW_NS = STEPS * STEP_NS + STEP_NS // 2
"""Between two steps, so that no transaction takes exactly the window."""
_SLACK = 1e-11
_SEARCHED_BINS = 1 << 11


@dataclass(frozen=True, slots=True, eq=False)
class TrueLaw:
    """Latencies in steps, how often each happens, and operations without answer."""

    steps: Int64s
    amounts: Int64s
    misses: int

    @property
    def total(self) -> int:
        """Operations, misses among them."""
        return int(self.amounts.sum()) + self.misses

    @property
    def mean_steps(self) -> float:
        """Mean of the answered operations."""
        return float(self.steps @ self.amounts) / float(self.amounts.sum())

    def bounds(self) -> LatencyBounds:
        """The law to the point."""
        at = (self.steps * STEP_NS).astype(np.float64)
        return LatencyBounds.from_points(at.tolist(), (self.amounts / self.total).tolist())


@dataclass(frozen=True, slots=True)
class Tally:
    """How often something held."""

    held: int
    tried: int

    @property
    def share(self) -> float:
        """Share of the tries."""
        return self.held / self.tried


def random_law(rng: np.random.Generator) -> TrueLaw:
    """A body with a heavy tail, two modes, stalls, or a few values."""
    size = 20_000
    scale = float(np.exp(rng.uniform(np.log(1.0), np.log(60.0))))
    kind = int(rng.integers(5))
    if kind == 0:
        drawn = rng.lognormal(np.log(scale), rng.uniform(0.1, 1.2), size)
    elif kind == 1:
        drawn = scale * (1.0 + rng.pareto(rng.uniform(1.05, 3.0), size))
    elif kind == 2:
        second = rng.random(size) < rng.uniform(0.01, 0.5)
        drawn = rng.normal(scale, scale / 8, size) * np.where(second, rng.uniform(2, 8), 1.0)
    elif kind == 3:
        stalled = rng.random(size) < 10.0 ** rng.uniform(-4, -1.5)
        drawn = np.where(stalled, rng.uniform(200, 1_500, size), rng.lognormal(np.log(scale), 0.3, size))
    else:
        drawn = rng.choice(rng.integers(0, 300, 4), size, p=rng.dirichlet([1.0] * 4)).astype(np.float64)
    steps, amounts = np.unique(np.maximum(np.rint(drawn), 0).astype(np.int64), return_counts=True)
    misses = int(rng.integers(0, 40)) if rng.random() < 0.3 else 0
    return TrueLaw(steps, amounts.astype(np.int64), misses)


def random_layout(rng: np.random.Generator, largest_ns: int) -> tuple[Layout, Int64s]:
    """A layout, and the lower edges by which latencies are put into it (empty for formulas)."""
    kind = int(rng.integers(4))
    if kind == 0:
        return HdrLayout(1_000, int(rng.integers(1, 4))), np.empty(0, np.int64)
    if kind == 1:
        return Pow2Layout(int(rng.choice([1_000, 1_000_000]))), np.empty(0, np.int64)
    inner = np.unique(rng.integers(1, max(3, largest_ns), int(rng.integers(3, 200))))
    if kind == 2:
        edges = np.concatenate((np.zeros(1, np.int64), inner))
        return ExplicitLayout(tuple(edges.tolist()), open_ended=True), edges
    edges = np.unique(np.concatenate((np.zeros(1, np.int64), inner, [largest_ns + 1])))
    return ExplicitLayout(tuple(edges.tolist())), edges


def recorded(law: TrueLaw, rng: np.random.Generator) -> LatencyDist:
    """The law in buckets, perhaps with exact counters, smallest and largest latency, and sum."""
    at = law.steps * STEP_NS
    layout, edges = random_layout(rng, int(at.max()))
    if isinstance(layout, HdrLayout):
        index = layout.index_of(at // layout.unit_ns)
    elif isinstance(layout, Pow2Layout):
        index = layout.index_of(at)
    else:
        index = np.searchsorted(edges, at, side="right") - 1
    amounts = np.bincount(index, law.amounts).astype(np.int64)
    filled = np.flatnonzero(amounts)
    pins = {
        int(position): int(law.amounts[at >= position].sum())
        for position in rng.integers(1, max(2, int(at.max())), int(rng.integers(0, 4)))
    }
    is_stated = rng.random(3) < 0.5
    return LatencyDist(
        layout,
        Counts(filled, amounts[filled]),
        pins=pins,
        misses=Misses(errors=law.misses),
        sum_ns=int(law.amounts @ at) if is_stated[0] else None,
        min_ns=int(at.min()) if is_stated[1] else None,
        max_ns=int(at.max()) if is_stated[2] else None,
    )


def random_plan(law: TrueLaw, rng: np.random.Generator) -> Plan:
    """A plan whose time lies around the window."""
    count = int(np.clip(round(rng.uniform(0.2, 1.3) * STEPS / max(1.0, law.mean_steps)), 1, 300))
    kind = float(rng.random())
    if kind < 0.6:
        return Plan.sequential("read", count)
    if kind < 0.75:
        return Plan((Stage("read", count, int(rng.integers(1, 12)), Scheduling.WAVES),))
    if kind < 0.85:
        return Plan((Stage("read", count, 1, Scheduling.PARALLEL),))
    return Plan((Stage("read", count), Stage("read", count, 4, Scheduling.WAVES)))


def resolution(laws: int, seed: int = 1) -> tuple[Tally, Tally]:
    """How often the truth lies within the bounds of a whole record, and of a mixture of three pieces."""
    rng = np.random.default_rng(seed)
    of_pooled = mixed = 0
    for _ in range(laws):
        law = random_law(rng)
        plan = random_plan(law, rng)
        truth = transaction_within(plan, {"read": law.bounds()}, STEPS * STEP_NS)[1]
        dist = recorded(law, rng)
        lower, _, upper = transaction_within(plan, {"read": dist.bounds()}, WINDOW_NS, _SEARCHED_BINS)
        of_pooled += lower <= truth + _SLACK and truth <= upper + _SLACK
        pieces = IntervalRecords.of([dist, dist, dist], [0, 10, 20], [10, 10, 10])
        weights = np.full(pieces.size, 1.0 / pieces.size)
        bounds = PlanBounds({"read": GroupLaws.of_records(pieces)}, weights, _SEARCHED_BINS)
        low = float(weights @ bounds.lower(plan, WINDOW_NS))
        high = float(weights @ bounds.upper(plan, WINDOW_NS))
        mixed += low <= truth + _SLACK and truth <= high + _SLACK
    return Tally(of_pooled, laws), Tally(mixed, laws)


def intervals(laws: int, seed: int = 2) -> tuple[Tally, Tally]:
    """How often two-sided 95 % limits from a sample hold: all operations at once, and one after the other."""
    rng = np.random.default_rng(seed)
    at_once = in_a_row = 0
    layout = HdrLayout(1_000, 3)
    for _ in range(laws):
        law = random_law(rng)
        share = law.amounts / law.amounts.sum()
        sample = rng.multinomial(50_000, share)
        filled = np.flatnonzero(sample)
        index = layout.index_of(law.steps[filled] * (STEP_NS // 1_000))
        used, place = np.unique(index, return_inverse=True)
        dist = LatencyDist(layout, Counts(used, np.bincount(place, sample[filled]).astype(np.int64)))
        records = {"read": dist}
        # A window between two steps that some 0.2 to 30 % of the operations miss.
        over = 1.0 - np.cumsum(share)
        candidates = np.flatnonzero((over > 0.002) & (over < 0.3))
        spot = int(rng.choice(candidates)) if candidates.size else 0
        window_ns = int(law.steps[spot]) * STEP_NS + STEP_NS // 2
        count = int(rng.integers(2, 30))
        parallel = Plan((Stage("read", count, 1, Scheduling.PARALLEL),))
        truth = float((1.0 - max(0.0, over[spot])) ** count)
        at_once += _holds(parallel, records, window_ns, truth)
        row = Plan.sequential("read", count)
        answered = {"read": TrueLaw(law.steps, law.amounts, 0).bounds()}
        window_ns = int(max(2.0, law.mean_steps * count * 1.3)) * STEP_NS
        truth = transaction_within(row, answered, window_ns)[1]
        in_a_row += _holds(row, records, window_ns + STEP_NS // 2, truth)
    return Tally(at_once, laws), Tally(in_a_row, laws)


def _holds(plan: Plan, records: dict[str, LatencyDist], window_ns: int, truth: float) -> bool:
    lower = plan_within_lower(plan, records, window_ns, 0.9, error=0.025, bins=1 << 10)
    upper = plan_within_upper(plan, records, window_ns, error=0.025, bins=1 << 10)
    return lower <= truth + 1e-9 and truth <= upper + 1e-9


def main() -> None:
    """Try and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--laws", type=int, default=5_000, help="random true laws")
    laws = parser.parse_args().laws
    of_pooled, mixed = resolution(laws)
    at_once, in_a_row = intervals(laws)
    for name, tally in (
        ("resolution bounds contain the truth", of_pooled),
        ("bounds of the mixture contain the truth", mixed),
        ("two-sided 95 % limits hold, all at once (one exact counter)", at_once),
        ("two-sided 95 % limits hold, one after the other (conservative)", in_a_row),
    ):
        sys.stdout.write(f"{name:65} {tally.held:,} of {tally.tried:,} ({100 * tally.share:.2f} %)\n")


if __name__ == "__main__":
    main()
