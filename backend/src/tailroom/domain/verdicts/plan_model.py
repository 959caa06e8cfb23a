"""What the records of single operations say about a plan: the mixture over pieces, and models beside it.

The default model is the mixture where the course over time is known in at least two pieces: operations are
independent inside a group of pieces, and every group has a law of its own. Otherwise all operations are
thrown together and taken as independent. Which pieces and groups there are is a property of the record
(`plan_groups`); all figures are read off the same monotone functions of plan and time (`plan_bounds`), so
answers to related questions cannot contradict each other.
Source: docs/method.md sections 1.1 to 1.7, 2.3 and 10; docs/adr/0010 and 0038.
"""

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property

import numpy as np

from tailroom.domain.latency.bounds import Floats, Int64s
from tailroom.domain.latency.distribution import TimeBounds
from tailroom.domain.transactions.blocks import FEWEST_BLOCKS, share_limits
from tailroom.domain.transactions.grid import FULL_BINS
from tailroom.domain.transactions.guarantees import mean_guarantee, record_laws
from tailroom.domain.transactions.plan import Plan, RandomCount
from tailroom.domain.transactions.plan_bounds import CountsTooMany, PlanBounds
from tailroom.domain.transactions.plan_search import LargestCount, largest_count, quantile
from tailroom.domain.transactions.worst_case import WorstCase, worst_case_dependence
from tailroom.domain.verdicts.block_counts import BlockCounts, next_size, smaller_sizes
from tailroom.domain.verdicts.budget_kinds import TransactionBudget
from tailroom.domain.verdicts.evidence import OperationEvidence
from tailroom.domain.verdicts.piece_results import PieceResults
from tailroom.domain.verdicts.plan_groups import Groups, Prepared, prepared
from tailroom.domain.verdicts.verdict import Bounds

Three = tuple[float, float, float]
"""Lower bound, estimate, upper bound."""
Used = Mapping[str, OperationEvidence]

_QUICK_DIGITS, _FULL_DIGITS = 8, 11
"""Binary digits of the counts among which the largest is looked for."""
_OPERATIONS_FOR_EACH = 40
"""Operations that a piece must hold for each one of a transaction; else the whole record counts as well."""
_MOST_SMALLER_PLANS = 16
"""Plans of fewer operations that are asked whether they prove a miss."""
_QUANTILES_KEPT = 32


class Use(Enum):
    """What bounds are asked for, by how many steps their grid has at most."""

    TIMES = FULL_BINS
    """Few times of one plan."""
    COUNTS = 1 << 14
    """One time of many counts."""
    BRACKET = 1 << 12
    """Where to look for a time: these bounds enclose the others."""

    @property
    def most_bins(self) -> int:
        """Steps of the grid."""
        return int(self.value)


@dataclass(frozen=True, eq=False)
class Model:
    """One model of a plan: bounds and estimate at the window, limits of the sample, quantile, largest count.

    `others` are models of the same plan over longer or shorter pieces, at last the whole record: spells
    shorter than a piece are averaged in it, and in a piece of few operations slow ones look clumped. The
    highest upper end of any pieces counts, and the lowest lower end of those that hold enough operations for
    the plan and of the next longer ones (`_bearing`): with more operations only more of them bear.
    """

    groups: Groups
    budget: TransactionBudget
    used: Used
    bins: int
    blocks: Mapping[str, BlockCounts]
    others: tuple["Model", ...] = ()
    _bounds: dict["Use", PlanBounds] = field(default_factory=dict)

    def bounds(self, use: "Use") -> PlanBounds:
        """Return the bounds that the buckets allow, and beside them those of the same groups in wider
        buckets.
        """
        if use not in self._bounds:
            groups, coarser = self.groups, self.groups.coarser
            bins, pointwise = min(self.bins, use.most_bins), use is Use.COUNTS
            wider = None if coarser is None else PlanBounds(coarser.laws, groups.weights, bins, pointwise)
            self._bounds[use] = PlanBounds(groups.laws, groups.weights, bins, pointwise, wider)
        return self._bounds[use]

    @cached_property
    def by_group(self) -> tuple[Floats, Floats, Floats]:
        """Lower bound, estimate and upper bound at the window, group by group."""
        plan, window_ns = self.budget.plan, self.budget.reads_window_ns
        bounds = self.bounds(Use.TIMES)
        lower = bounds.lower(plan, window_ns)
        upper = np.maximum(lower, bounds.upper(plan, window_ns))
        return lower, bounds.estimate(plan, window_ns, lower, upper), upper

    @cached_property
    def at_window(self) -> Three:
        """P(T ≤ window) for every law that the record allows."""
        plan, window_ns = self.budget.plan, self.budget.reads_window_ns
        lower = self.lower(Use.TIMES, plan, window_ns)
        upper = max(lower, self.upper(Use.TIMES, plan, window_ns))
        estimate = self._inside(self.by_group[1]) + self.groups.outside * self._inside(self.by_group[1])
        return lower, min(max(estimate, lower), upper), upper

    @cached_property
    def confident(self) -> Bounds:
        """One-sided 95 % limits at the window, from disjoint blocks of the record.

        A plan of more operations is in time no more often than one of fewer, so a miss that fewer operations
        prove is proven for more as well.
        """
        lower, _, upper = self.at_window
        objective = self.budget.objective_ratio
        blocks = self.independent_blocks()
        least, _ = share_limits(lower, upper, blocks)
        _, most = share_limits(
            lower, upper, min(blocks, max(FEWEST_BLOCKS, self.independent_blocks(next_size)))
        )
        if upper < objective <= most and has_one_count(self.budget):
            plans = map(self.budget.plan.with_count, smaller_sizes(self.budget.plan.largest_count))
            for plan in itertools.islice(plans, _MOST_SMALLER_PLANS):
                share = max(upper, self.upper(Use.TIMES, plan, self.budget.reads_window_ns))
                if share >= objective or most < objective:
                    break
                most = min(most, share_limits(0.0, share, self.independent_blocks(plan=plan))[1])
        return Bounds(min(least, lower), max(most, upper))

    def independent_blocks(
        self, size_of: Callable[[int], int] = lambda operations: operations, plan: Plan | None = None
    ) -> float:
        """Return the fewest independent disjoint blocks of any operation of the plan; 0 where none is
        counted.
        """
        plan = plan or self.budget.plan
        counts = {
            name: sum(stage.largest_count for stage in plan.stages if stage.operation == name)
            for name in plan.operations
        }
        return min(self.blocks[name].independent(size_of(count)) for name, count in counts.items())

    @cached_property
    def quantile(self) -> TimeBounds:
        """Where the time lies that the objective's share keeps; not a function of the window."""
        if not has_one_count(self.budget):
            return self._quantile()
        # The next question is likely to be about the same plan in another window.
        kept = self.groups.quantiles
        key = (self.budget.plan, self.budget.objective_ratio, self.bins, len(self.others))
        found = kept.get(key)
        if found is None:
            found = self._quantile()
            if len(kept) >= _QUANTILES_KEPT:
                kept.clear()
            kept[key] = found
        return found

    def _quantile(self) -> TimeBounds:
        plan = self.budget.plan
        # Ends on a grid without many steps say where to look on a fine one; without any, on such a grid.
        is_fine = self.bins > Use.BRACKET.most_bins
        return quantile(
            (lambda at: self.lower(Use.TIMES, plan, at), lambda at: self.upper(Use.TIMES, plan, at)),
            (
                lambda at: self.lower(Use.BRACKET, plan, at, grid=is_fine),
                lambda at: self.upper(Use.BRACKET, plan, at, grid=is_fine),
            ),
            self._ever,
            self.budget.objective_ratio,
            self.bins,
        )

    @cached_property
    def largest(self) -> LargestCount | None:
        """Largest count that keeps the window; none where the plan has no single number of operations."""
        if not has_one_count(self.budget):
            return None
        window_ns = self.budget.reads_window_ns
        is_quick = self.bins < Use.COUNTS.most_bins

        def asked(end: Callable[..., float]) -> Callable[[int], float]:
            def share(count: int) -> float:
                return end(Use.COUNTS, self.budget.plan.with_count(count), window_ns) if count else 1.0

            return share

        return largest_count(
            (asked(self.lower), asked(self.upper)),
            self.budget.objective_ratio,
            _QUICK_DIGITS if is_quick else _FULL_DIGITS,
        )

    def band(self, times_ns: Int64s) -> tuple[Floats, Floats, Floats]:
        """Lower bound, estimate and upper bound at ascending times: at most a few grids, made to agree."""
        plan = self.budget.plan
        own = {id(one): one._own_band(times_ns) for one in self._ladder}
        lower = np.min([own[id(one)][0] for one in self._bearing(plan)], axis=0)
        upper = np.max([own[id(one)][2] for one in self._scales], axis=0)
        lower = np.maximum.accumulate(lower)
        upper = np.maximum(np.minimum.accumulate(upper[::-1])[::-1], lower)
        return lower, np.clip(np.maximum.accumulate(own[id(self)][1]), lower, upper), upper

    def _own_band(self, times_ns: Int64s) -> tuple[Floats, Floats, Floats]:
        lower, estimate, upper = self.bounds(Use.TIMES).band(self.budget.plan, times_ns, self.groups.weights)
        outside = self.groups.outside
        return (1.0 - outside) * lower, estimate, np.minimum(1.0, (1.0 - outside) * upper + outside)

    @property
    def pieces(self) -> PieceResults:
        """The answer in every piece at the window: that of its group."""
        return PieceResults.of(self.groups, self.by_group)

    def lower(self, use: "Use", plan: Plan, time_ns: int, *, grid: bool = True) -> float:
        """Least share of transactions within a time."""
        return min(one._own_lower(use, plan, time_ns, grid=grid) for one in self._bearing(plan))

    def upper(self, use: "Use", plan: Plan, time_ns: int, *, grid: bool = True) -> float:
        """Most of the transactions within a time."""
        return max(one._own_upper(use, plan, time_ns, grid=grid) for one in self._scales)

    def _own_lower(self, use: "Use", plan: Plan, time_ns: int, *, grid: bool) -> float:
        found = self._inside(self.bounds(use).lower(plan, time_ns, grid=grid))
        if self.others or self.groups.pieces > 1:
            return found
        records = {name: one.record for name, one in self.used.items()}
        return max(found, mean_guarantee(plan, records, time_ns))

    def _own_upper(self, use: "Use", plan: Plan, time_ns: int, *, grid: bool) -> float:
        found = self._inside(self.bounds(use).upper(plan, time_ns, grid=grid))
        return min(1.0, found + self.groups.outside)

    @property
    def _ever(self) -> float:
        """Least share of transactions that end at all, by what `lower` comes to."""
        plan = self.budget.plan
        return min(one._inside(one.bounds(Use.TIMES).ever(plan)) for one in self._bearing(plan))

    @cached_property
    def _ladder(self) -> tuple["Model", ...]:
        """This model and the others, from the shortest pieces to the whole record."""
        return tuple(sorted((self, *self.others), key=lambda one: one.groups.operations_of_a_piece))

    @property
    def _scales(self) -> tuple["Model", ...]:
        """Those over pieces; of a record without a course the whole."""
        return tuple(one for one in self._ladder if one.groups.pieces > 1) or self._ladder

    def _bearing(self, plan: Plan) -> list["Model"]:
        """The shortest pieces, and longer ones as long as those before hold too few operations for a plan."""
        found: list[Model] = []
        for one in self._ladder:
            found.append(one)
            if plan.largest_count * _OPERATIONS_FOR_EACH <= one.groups.operations_of_a_piece:
                break
        return found

    def _inside(self, by_group: Floats) -> float:
        return (1.0 - self.groups.outside) * min(1.0, float(self.groups.weights @ by_group))


@dataclass(frozen=True, slots=True, eq=False)
class PlanModel:
    """All models of one plan; `mixture` none with the reason why."""

    pooled: Model
    mixture: Model | None
    no_mixture: str | None
    worst: WorstCase
    samples: int | None
    blocks: int
    """Disjoint blocks of operations for the plan: its transactions' worth of operations."""

    @property
    def default(self) -> Model:
        """The model that decides."""
        return self.mixture or self.pooled

    @property
    def at_window(self) -> Three:
        """Bounds of the default model, before sampling error."""
        return self.default.at_window

    @property
    def observed(self) -> Bounds:
        """Bounds of the share in time in this run, by the default model."""
        return Bounds(self.at_window[0], self.at_window[2])

    @property
    def confident(self) -> Bounds:
        """Limits of the default model."""
        return self.default.confident

    @property
    def quantile(self) -> TimeBounds:
        """The objective's quantile by the default model."""
        return self.default.quantile

    @property
    def largest(self) -> LargestCount | None:
        """Largest count by the default model; none where the plan has no single number of operations."""
        return self.default.largest


def model_of(budget: TransactionBudget, used: Used, bins: int = FULL_BINS) -> PlanModel:
    """All models from the operations of the plan, each of which has a record that is not empty."""
    record = prepared({name: used[name] for name in budget.plan.operations})
    steps = min(1 << (max(2, bins).bit_length() - 1), record.most_steps)
    whole = {name: BlockCounts.of_whole(used[name].record.total) for name in budget.plan.operations}
    pooled = Model(record.whole, budget, used, steps, whole)
    mixture, why = None, record.groups if isinstance(record.groups, str) else None
    if not isinstance(record.groups, str):
        mixture = _mixture(record, budget, used, pooled)
        try:
            mixture.at_window  # noqa: B018 - whether it can be calculated
        except CountsTooMany as error:
            mixture, why = None, str(error)
    laws = record_laws(budget.plan, {name: one.record for name, one in used.items()})
    totals = [one.record.total for one in used.values()]
    known = [total for total in totals if total is not None]
    return PlanModel(
        pooled,
        mixture,
        why,
        worst_case_dependence(budget.plan, laws, budget.reads_window_ns),
        min(known) if len(known) == len(totals) else None,
        int(pooled.independent_blocks()) if len(known) == len(totals) else 0,
    )


def _mixture(record: Prepared, budget: TransactionBudget, used: Used, pooled: Model) -> Model:
    """Over the shortest pieces with enough operations for the plan, beside the other ones."""
    found = [one for one in (record.shorter, record.groups) if isinstance(one, Groups)]
    enough = budget.plan.largest_count * _OPERATIONS_FOR_EACH
    own = next((one for one in found if one.operations_of_a_piece >= enough), found[-1])
    blocks = record.blocks
    others = tuple(Model(groups, budget, used, pooled.bins, blocks) for groups in found if groups is not own)
    return Model(own, budget, used, pooled.bins, blocks, (*others, pooled))


def has_one_count(budget: TransactionBudget) -> bool:
    """Whether the plan has a single number of operations."""
    return len(budget.plan.stages) == 1 and not isinstance(budget.plan.stages[0].count, RandomCount)
