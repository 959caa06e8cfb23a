"""The record of a plan's operations in groups of slices with a distribution each, and its number of blocks.

Computed once for the operations of a plan and cached with the record. It depends on no count, window or
objective, so all questions use the same slices, groups and limits.

Adjacent slices are joined, by counts alone, until a median slice holds `OPERATIONS_PER_SLICE` operations: in
a slice of 100 operations a single slow read looks like 1 %. That averages shorter slow periods, so slices of
`OPERATIONS_PER_SHORT_SLICE` operations are grouped as well, and bounds enclose both (`plan_model`).

Similar slices share a group, slowest first: the worst slice alone, the next alone, then two, four, eight and
so on, cut where slowness jumps. Slices are grouped by slowness and not by time, because averaging neighbours
would hide slow minutes. The slowness of a slice is its root mean square latency, which slow operations move
more than a drifting body does.
Source: docs/method.md sections 1.5, 2.5 and 10 (C2); docs/adr/0010.
"""

import functools
import itertools
import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from tailroom.domain.latency.bounds import Floats, Int64s
from tailroom.domain.latency.distribution import LatencyRecord, TimeBounds
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.domain.transactions.group_distributions import GroupDistributions
from tailroom.domain.transactions.plan_sums import FULL_BINS
from tailroom.domain.verdicts.block_counts import BlockCounts
from tailroom.domain.verdicts.evidence import OperationEvidence

QUICK_DIGITS = 2
"""Significant digits of the buckets of groups that are cached for quick answers."""
OPERATIONS_PER_SLICE = 10_000
"""Operations of a median joined slice: forty for each of 250 reads."""
OPERATIONS_PER_SHORT_SLICE = 1_000
"""Operations of a median short slice; shorter slow periods are averaged."""
FEWEST_SLICES = 2
_MOST_SPREAD, _MOST_GROUPS = 0.05, 24
"""Range of log slowness above which a group is divided, and the number of groups at which division ends."""
FEWEST_STEPS = 1 << 12
"""Time steps that are enough for the widest buckets."""
_STEPS_OF_WIDTH = ((1 / 2, FEWEST_STEPS), (1 / 8, 1 << 14))
"""Time steps that are enough, by the buckets' mean relative width; more steps narrow no bound."""
_SHARES_OF_WIDTH = (0.25, 0.5, 0.75, 0.9, 0.99)
"""Quantiles whose buckets give the mean relative width."""


@dataclass(frozen=True, eq=False)
class PlanGroups:
    """Latency distributions of a plan's operations by group of slices, and the share of operations of each
    group (`weights`). `group_of_slice` and times are by joined slice; a median slice has
    `operations_per_slice`. The whole record is a single group in one slice with times of 0 and infinite
    `operations_per_slice`.
    """

    distributions: Mapping[str, GroupDistributions]
    weights: Floats
    group_of_slice: Int64s
    start_ns: Int64s
    duration_ns: Int64s
    outside_ratio: float
    """Share of the operations that lie outside all slices, whose latency is unknown."""
    operations_per_slice: float
    coarser: "PlanGroups | None" = None
    """The same groups in buckets of `QUICK_DIGITS` digits; None if their own have no more digits."""
    quantiles: dict[Hashable, TimeBounds] = field(default_factory=dict)
    """Cache of quantiles for later questions, by plan, objective, time steps and number of models."""

    @property
    def slice_count(self) -> int:
        """Number of joined slices; 1 without slices over time."""
        return int(self.group_of_slice.size)


@dataclass(frozen=True, eq=False)
class PreparedPlan:
    """Distributions of the whole record (`pooled`) and of groups of slices; None if these are too few."""

    pooled: PlanGroups
    groups: PlanGroups | None
    shorter: PlanGroups | None
    """Groups of shorter slices; None unless `groups` joins such slices."""
    blocks: Mapping[str, BlockCounts]
    records: tuple[LatencyRecord, ...]

    @cached_property
    def most_steps(self) -> int:
        """Largest useful number of time steps; with more, the width of the buckets dominates the bounds."""
        return max(map(_useful_steps, self.records))


def prepared(used: Mapping[str, OperationEvidence], digits: int | None = None) -> PreparedPlan:
    """Return the distributions of a plan's operations in buckets of at most `digits` digits (None: all),
    cached for a single operation. Compact evidence has them in its cache; raise KeyError if it lacks them.
    """
    leading, key = next(iter(used.values())), key_of(used)
    if any(operation.is_compact for operation in used.values()):
        cached: PreparedPlan = leading.computed_results[key]
        return cached
    if digits is not None or len(used) > 1:
        return _compute_groups(used, digits)
    if key not in leading.computed_results:
        leading.computed_results[key] = _compute_groups(used, None)
    computed: PreparedPlan = leading.computed_results[key]
    return computed


def key_of(used: Mapping[str, OperationEvidence]) -> Hashable:
    """Return the cache key of the groups of these operations."""
    return ("groups", *((name, operation.clock) for name, operation in used.items()))


def _compute_groups(used: Mapping[str, OperationEvidence], digits: int | None) -> PreparedPlan:
    records = {name: operation.record for name, operation in used.items()}
    pooled, groups, shorter = _pooled_groups(records), None, None
    joined = _common_slices(used, OPERATIONS_PER_SLICE)
    if joined is None:
        blocks = {name: BlockCounts.from_total(record.total) for name, record in records.items()}
    else:
        groups = _group_slices(used, joined, digits)
        blocks = {name: BlockCounts.from_course(course) for name, course in joined.items()}
        long, short = (
            _count_slices_holding(used, count) for count in (OPERATIONS_PER_SLICE, OPERATIONS_PER_SHORT_SLICE)
        )
        finer = _common_slices(used, OPERATIONS_PER_SHORT_SLICE) if long > short else None
        shorter = None if finer is None else _group_slices(used, finer, digits)
    return PreparedPlan(pooled, groups, shorter, blocks, tuple(records.values()))


def _useful_steps(record: LatencyRecord) -> int:
    quantiles = [record.quantile_bounds(share) for share in _SHARES_OF_WIDTH]
    widths = [
        1.0 if bounds.upper_ns is None else 1.0 - bounds.lower_ns / max(1, bounds.upper_ns)
        for bounds in quantiles
    ]
    mean_width = sum(widths) / len(widths)
    return next((steps for width, steps in _STEPS_OF_WIDTH if mean_width >= width), FULL_BINS)


def _pooled_groups(records: Mapping[str, LatencyRecord]) -> PlanGroups:
    distributions = {
        name: GroupDistributions.from_bounds(record.bounds()) for name, record in records.items()
    }
    one_slice = np.zeros(1, np.int64)
    return PlanGroups(distributions, np.ones(1), one_slice, one_slice, one_slice, 0.0, math.inf)


def _common_slices(
    used: Mapping[str, OperationEvidence], operations: int
) -> dict[str, IntervalRecords] | None:
    """Return each operation's record in common slices, joined until a median slice holds `operations`; None
    if any operation has fewer than `FEWEST_SLICES` of them.
    """
    courses = {
        name: operation.course
        for name, operation in used.items()
        if operation.course is not None and (operation.course.totals > 0).sum() >= FEWEST_SLICES
    }
    if len(courses) < len(used):
        return None
    length_ns = max(1, *(int(np.median(course.duration_ns)) for course in courses.values()))
    together = _count_slices_holding(used, operations)
    if together > 1:
        courses = {
            name: course.grouped(course.start_ns // (together * length_ns))
            for name, course in courses.items()
        }
    courses = {name: course.selected(np.flatnonzero(course.totals > 0)) for name, course in courses.items()}
    if len(courses) > 1:
        courses = _select_common_slices(courses, together * length_ns)
    return None if any(course.size < FEWEST_SLICES for course in courses.values()) else courses


def _count_slices_holding(used: Mapping[str, OperationEvidence], operations: int) -> int:
    """Return how many median slices together hold `operations` of every operation with slices; at least 1."""
    together = 1
    for operation in used.values():
        totals = np.empty(0) if operation.course is None else operation.course.totals
        if (totals > 0).any():
            together = max(together, math.ceil(operations / float(np.median(totals[totals > 0]))))
    return together


def _select_common_slices(
    courses: Mapping[str, IntervalRecords], length_ns: int
) -> dict[str, IntervalRecords]:
    """Return the slices of `length_ns` in which every operation has a record; the first of several in one."""
    keys = {name: course.start_ns // length_ns for name, course in courses.items()}
    common = functools.reduce(np.intersect1d, keys.values())
    shared: dict[str, IntervalRecords] = {}
    for name, course in courses.items():
        starts, first = np.unique(keys[name], return_index=True)
        shared[name] = course.selected(np.sort(first[np.isin(starts, common)]))
    return shared


def _group_slices(
    used: Mapping[str, OperationEvidence], courses: Mapping[str, IntervalRecords], digits: int | None
) -> PlanGroups:
    """Return the groups of similar slices, from the joined slices of each operation. With `digits` None they
    have all digits, and `coarser` those of `QUICK_DIGITS`.
    """
    leading = next(iter(courses.values()))
    slowness = np.zeros(leading.size)
    for course in courses.values():
        slowness += _slowness(course)
    group_of_slice = _similar_groups(slowness)
    sums = {name: course.grouped(group_of_slice) for name, course in courses.items()}
    reduced = {name: fewer_digits(records, digits or QUICK_DIGITS) for name, records in sums.items()}
    is_reduced = any(records is not sums[name] for name, records in reduced.items())
    totals = leading.totals.astype(np.float64)
    weights = np.bincount(group_of_slice, totals) / totals.sum()
    recorded = used[next(iter(used))].record.total
    outside = max(0.0, 1.0 - float(totals.sum()) / recorded) if recorded else 0.0
    coarser = PlanGroups(
        _distributions_of(reduced),
        weights,
        group_of_slice,
        leading.start_ns,
        leading.duration_ns,
        outside,
        float(np.median(totals)),
    )
    if digits is not None or not is_reduced:
        return coarser
    return replace(coarser, distributions=_distributions_of(sums), coarser=coarser, quantiles={})


def _distributions_of(sums: Mapping[str, IntervalRecords]) -> dict[str, GroupDistributions]:
    return {name: GroupDistributions.from_records(records) for name, records in sums.items()}


def _similar_groups(slowness: Floats) -> Int64s:
    """Return the group number of each slice; group 0 is the slowest. Groups begin with 1, 1, 2, 4, 8 … slices
    in order of slowness. Then the group with the largest range of slowness is divided at its largest step,
    until no range exceeds `_MOST_SPREAD` or there are `_MOST_GROUPS`.
    """
    order = np.argsort(-slowness, kind="stable")
    falling = np.log(np.maximum(slowness[order], 1e-12))
    begins = {0, *(1 << power for power in range(64) if 1 << power < slowness.size)}
    while len(begins) < _MOST_GROUPS:
        edges = [*sorted(begins), slowness.size]
        spreads = [falling[begin] - falling[end - 1] for begin, end in itertools.pairwise(edges)]
        widest = int(np.argmax(spreads))
        if spreads[widest] <= _MOST_SPREAD:
            break
        begin, end = edges[widest], edges[widest + 1]
        begins.add(begin + 1 + int(np.argmax(falling[begin : end - 1] - falling[begin + 1 : end])))
    group_of_slice = np.empty(slowness.size, np.int64)
    group_of_slice[order] = np.searchsorted(sorted(begins), np.arange(slowness.size), side="right") - 1
    return group_of_slice


def _slowness(record: IntervalRecords) -> Floats:
    """Return the root mean square latency of slices by their mean. Failures count as the slowest latency."""
    _, squares, slowest = record.latency_sums()
    mean = np.sqrt((squares + record.misses * max(1.0, slowest) ** 2) / np.maximum(record.totals, 1))
    scale = float(mean.mean())
    return np.asarray(mean / scale if scale > 0.0 else mean)


def fewer_digits(records: IntervalRecords, digits: int) -> IntervalRecords:
    """Return the slices in the wider HdrHistogram buckets of `digits` significant digits (two: at most 0.78 %
    wide); unchanged for another layout or without more digits.
    """
    layout = records.layout
    if not isinstance(layout, HdrLayout) or layout.significant_digits <= digits or not records.indices.size:
        return records
    wide = HdrLayout(layout.unit_ns, digits)
    first, last = int(records.indices.min()), int(records.indices.max())
    lower_ns, _ = layout.edges_ns(np.arange(first, last + 1))
    new_of = wide.index_of(lower_ns // layout.unit_ns)
    piece = np.repeat(np.arange(records.size), np.diff(records.offsets))
    width = int(new_of[-1]) + 1
    keys = piece * width + new_of[records.indices - first]
    begins = np.flatnonzero(np.concatenate((np.ones(1, np.bool_), keys[1:] != keys[:-1])))
    each = np.bincount(keys[begins] // width, minlength=records.size)
    return replace(
        records,
        layout=wide,
        offsets=np.concatenate((np.zeros(1, np.int64), np.cumsum(each))),
        indices=keys[begins] % width,
        counts=np.add.reduceat(records.counts, begins, dtype=np.int64),
    )
