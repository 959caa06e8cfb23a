"""The record as every question about it sees it: groups with a law each, and how many blocks it holds.

Prepared once for the operations of a plan and kept with the record. Nothing here knows a number of
operations, a window or an objective, so two questions always look at the same pieces, groups and limits.

Pieces that follow each other are joined, by counts alone, until a usual one holds `OPERATIONS_OF_A_PIECE`
operations: in a piece of 100 one slow read looks like 1 %. That averages spells that are shorter, so pieces
of `OPERATIONS_OF_A_SHORT_PIECE` stand beside the joined ones, and what is said encloses both (`plan_model`).

Alike pieces share a group, slowest first: the worst piece is one by itself, so is the next, then two, four,
eight and so on, cut where slowness jumps. Like pieces are alike wherever they lie in time; neighbours are
not, and averaging them would hide slow minutes. How slow a piece is, is its root mean square latency, which
slow operations move more than a body that drifts.
Source: docs/method.md sections 1.5, 2.5 and 10 (C2); docs/adr/0038.
"""

import itertools
import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from tailroom.domain.latency.bounds import Floats, Int64s
from tailroom.domain.latency.distribution import LatencyDist, TimeBounds
from tailroom.domain.latency.fewer_digits import fewer_digits
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.record import LatencyRecord
from tailroom.domain.transactions.grid import FULL_BINS
from tailroom.domain.transactions.group_laws import GroupLaws
from tailroom.domain.verdicts.block_counts import BlockCounts
from tailroom.domain.verdicts.evidence import OperationEvidence

KEPT_DIGITS = 2
"""Significant digits of the buckets of groups that are kept for answers at once."""
OPERATIONS_OF_A_PIECE = 10_000
"""Forty for each of 250 reads."""
OPERATIONS_OF_A_SHORT_PIECE = 1_000
"""Slow spells that last so many operations are still seen."""
FEWEST_PIECES = 2
_PIECES_AT_ONCE = 512
_ALIKE, _MOST_GROUPS = 0.05, 24
_STEPS_OF_WIDTH = ((1 / 2, 1 << 12), (1 / 8, 1 << 14))
"""Steps of the grid, by the mean width of the buckets relative to their ends: more narrow no bound."""
_SHARES_OF_WIDTH = (0.25, 0.5, 0.75, 0.9, 0.99)


@dataclass(frozen=True, eq=False)
class Groups:
    """The record of a plan's operations in groups of pieces; one group where no course is known."""

    laws: Mapping[str, GroupLaws]
    weights: Floats
    group_of_piece: Int64s
    start_ns: Int64s
    duration_ns: Int64s
    outside: float
    """Share of the operations that lie in no piece: of these nothing is known."""
    operations_of_a_piece: float
    coarser: "Groups | None" = None
    """The same groups in buckets of `KEPT_DIGITS`; none where these have no more."""
    quantiles: dict[Hashable, TimeBounds] = field(default_factory=dict)
    """Of plans that were asked about, for the questions that follow."""

    @property
    def pieces(self) -> int:
        """Joined pieces; 1 where no course is known."""
        return int(self.group_of_piece.size)


@dataclass(frozen=True, eq=False)
class Prepared:
    """The record as a whole, and in groups; or in words why there are none."""

    whole: Groups
    groups: Groups | str
    shorter: Groups | None
    """In shorter pieces, where pieces of so few operations were joined in `groups`."""
    blocks: Mapping[str, BlockCounts]
    """Independent disjoint blocks of each operation."""
    most_steps: int
    """Steps of the grid that the buckets are worth; more would round less than they leave open anyway."""


def prepared(used: Mapping[str, OperationEvidence], digits: int | None = None) -> Prepared:
    """Of the operations of one plan, each with a record that is not empty; of a single one it is kept.
    `digits`: in buckets of no more significant digits.
    """
    leading, key = next(iter(used.values())), key_of(used)
    if any(one.is_settled for one in used.values()):
        found: Prepared = leading.worked_out[key]
        return found
    if digits is not None or len(used) > 1:
        return _prepare(used, digits)
    if key not in leading.worked_out:
        leading.worked_out[key] = _prepare(used, None)
    kept: Prepared = leading.worked_out[key]
    return kept


def key_of(used: Mapping[str, OperationEvidence]) -> Hashable:
    """Under which the groups of such operations are kept with the first of them."""
    return ("groups", *((name, one.clock) for name, one in used.items()))


def _prepare(used: Mapping[str, OperationEvidence], digits: int | None) -> Prepared:
    whole = as_a_whole(used)
    joined = _joined(used, OPERATIONS_OF_A_PIECE)
    groups = joined if isinstance(joined, str) else _grouped(used, joined, digits)
    shorter = None
    if not isinstance(groups, str) and _each(used, OPERATIONS_OF_A_PIECE) > _each(
        used, OPERATIONS_OF_A_SHORT_PIECE
    ):
        found = _joined(used, OPERATIONS_OF_A_SHORT_PIECE)
        shorter = None if isinstance(found, str) else _grouped(used, found, digits)
    if isinstance(joined, str):
        blocks = {name: BlockCounts.of_whole(operation.record.total) for name, operation in used.items()}
    else:
        blocks = {name: BlockCounts.of_course(course) for name, course in joined.items()}
    steps = max(_steps_worth(operation.record) for operation in used.values())
    return Prepared(whole, groups, shorter, blocks, steps)


def _steps_worth(record: LatencyRecord) -> int:
    """By how wide the buckets are where the operations lie."""
    quantiles = [record.quantile_bounds(share) for share in _SHARES_OF_WIDTH]
    widths = [
        1.0 if bounds.upper_ns is None else 1.0 - bounds.lower_ns / max(1, bounds.upper_ns)
        for bounds in quantiles
    ]
    mean_width = sum(widths) / len(widths)
    return next((steps for width, steps in _STEPS_OF_WIDTH if mean_width >= width), FULL_BINS)


def as_a_whole(used: Mapping[str, OperationEvidence]) -> Groups:
    """Return one group that holds the whole record."""
    laws = {name: GroupLaws.of_bounds(operation.record.bounds()) for name, operation in used.items()}
    one_piece = np.zeros(1, np.int64)
    return Groups(laws, np.ones(1), one_piece, one_piece, one_piece, 0.0, math.inf)


def _joined(used: Mapping[str, OperationEvidence], operations: int) -> dict[str, IntervalRecords] | str:
    """The courses of all operations in the same pieces with so many operations; or why there are none."""
    length_ns = 1
    courses: dict[str, IntervalRecords] = {}
    for name, one in used.items():
        course = one.course
        if course is None:
            return f"no course over time is known for `{name}`"
        if int((course.totals > 0).sum()) < FEWEST_PIECES:
            return f"the course over time of `{name}` has fewer than {FEWEST_PIECES} slices"
        length_ns = max(length_ns, int(np.median(course.duration_ns)))
        courses[name] = course
    together = _each(used, operations)
    if together > 1:
        courses = {name: one.grouped(one.start_ns // (together * length_ns)) for name, one in courses.items()}
    courses = {name: one.selected(np.flatnonzero(one.totals > 0)) for name, one in courses.items()}
    if len(courses) > 1:
        courses = _shared(courses, together * length_ns)
    if any(one.size < FEWEST_PIECES for one in courses.values()):
        return "the slices hold too few operations to separate a slow slice from a slow operation"
    return courses


def _each(used: Mapping[str, OperationEvidence], operations: int) -> int:
    """How many recorded pieces make one of so many operations."""
    together = 1
    for one in used.values():
        totals = np.empty(0) if one.course is None else one.course.totals
        if (totals > 0).any():
            together = max(together, math.ceil(operations / float(np.median(totals[totals > 0]))))
    return together


def _shared(courses: Mapping[str, IntervalRecords], length_ns: int) -> dict[str, IntervalRecords]:
    """Pieces in which every operation was recorded."""
    keys = {name: one.start_ns // length_ns for name, one in courses.items()}
    common = set.intersection(*(set(one.tolist()) for one in keys.values()))
    found: dict[str, IntervalRecords] = {}
    for name, one in courses.items():
        _, first = np.unique(keys[name], return_index=True)
        rows = [int(row) for row in np.sort(first) if int(keys[name][row]) in common]
        found[name] = one.selected(np.array(rows, dtype=np.int64))
    return found


def _grouped(
    used: Mapping[str, OperationEvidence], courses: Mapping[str, IntervalRecords], digits: int | None
) -> Groups:
    leading = next(iter(courses.values()))
    slowness = np.zeros(leading.size)
    for course in courses.values():
        slowness += _slowness(course)
    group_of_piece = _alike(slowness)
    gathered = {name: _gathered(course, group_of_piece) for name, course in courses.items()}
    reduced = {name: fewer_digits(records, digits or KEPT_DIGITS) for name, records in gathered.items()}
    is_reduced = any(records is not gathered[name] for name, records in reduced.items())
    totals = leading.totals.astype(np.float64)
    weights = np.bincount(group_of_piece, totals) / totals.sum()
    whole = used[next(iter(used))].record.total
    outside = max(0.0, 1.0 - float(totals.sum()) / whole) if whole else 0.0
    coarser = Groups(
        _laws_of(reduced),
        weights,
        group_of_piece,
        leading.start_ns,
        leading.duration_ns,
        outside,
        float(np.median(totals)),
    )
    if digits is not None or not is_reduced:
        return coarser
    return replace(coarser, laws=_laws_of(gathered), coarser=coarser, quantiles={})


def _laws_of(gathered: Mapping[str, IntervalRecords]) -> dict[str, GroupLaws]:
    return {name: GroupLaws.of_records(records) for name, records in gathered.items()}


def _alike(slowness: Floats) -> Int64s:
    """Group of each piece, slowest first: 1, 1, 2, 4, 8 … pieces, cut where a group would hold unlike ones.

    The group whose slowness spreads most is cut at its largest step, until none spreads by more than
    `_ALIKE`, or there are `_MOST_GROUPS`.
    """
    order = np.argsort(-slowness, kind="stable")
    falling = np.log(np.maximum(slowness[order], 1e-12))
    begins = {0, *(1 << power for power in range(64) if 1 << power < slowness.size)}
    while len(begins) < _MOST_GROUPS:
        edges = [*sorted(begins), slowness.size]
        spreads = [falling[begin] - falling[end - 1] for begin, end in itertools.pairwise(edges)]
        widest = int(np.argmax(spreads))
        if spreads[widest] <= _ALIKE:
            break
        begin, end = edges[widest], edges[widest + 1]
        begins.add(begin + 1 + int(np.argmax(falling[begin : end - 1] - falling[begin + 1 : end])))
    group_of_piece = np.empty(slowness.size, np.int64)
    group_of_piece[order] = np.searchsorted(sorted(begins), np.arange(slowness.size), side="right") - 1
    return group_of_piece


def _gathered(record: IntervalRecords, groups: Int64s) -> IntervalRecords:
    """What `grouped` gives for groups that lie scattered over time, without a second copy of the record."""
    wholes: list[LatencyDist] = [
        record.selected(np.flatnonzero(groups == group)).total() for group in np.unique(groups)
    ]
    return IntervalRecords.of(wholes, list(range(len(wholes))), [1] * len(wholes))


def _slowness(record: IntervalRecords) -> Floats:
    """Root mean square latency of each piece over that of all; a miss counts as the slowest answer."""
    added = np.zeros(record.size)
    slowest = 1.0
    for begin in range(0, record.size, _PIECES_AT_ONCE):
        rows = np.arange(begin, min(begin + _PIECES_AT_ONCE, record.size))
        cells = record.selected(rows).cells()
        at = cells.lower_ns.astype(np.float64)
        slowest = max(slowest, float(at.max(initial=1.0)))
        added[rows] = np.bincount(cells.piece_no, at**2 * cells.count, rows.size)
    mean = np.sqrt((added + record.misses * slowest**2) / np.maximum(record.totals, 1))
    scale = float(mean.mean())
    return np.asarray(mean / scale if scale > 0.0 else mean)
