"""The default model of dependence: operations of one piece of the run are independent, pieces are not alike.

`P(T ≤ W) = Σ w_i P_i(T ≤ W)` over the pieces i, weighted by operations. Pooling all operations first is wrong
in both directions: it spreads slow times over all transactions (too bad where operations run in parallel),
and averages slow minutes away (too good where they follow each other). Source: METHOD.md section 1.5.

A day of 10-second pieces must be judged while somebody waits. So every piece is first bounded without any
transform, which is enough for most; the others get a short transform, and then those that leave most of the
width open get longer ones, until the width that is left is within the tolerance, more resolution does not
help, or the budget of grid points is used up. The order is fixed by the data alone, so the same record always
gets the same answer. Bounds are certain wherever it stops.
"""

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Floats, Int64s
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.latency.layouts import NEVER_NS
from tailroom.domain.transactions.grid import check_question
from tailroom.domain.transactions.piece_laws import PieceLaws
from tailroom.domain.transactions.piece_plans import plan_bounds
from tailroom.domain.transactions.piece_sums import PieceBounds
from tailroom.domain.transactions.plan import Plan, RandomCount, Scheduling, Stage
from tailroom.domain.transactions.waves import power_of_shares

TOLERANCE = 1e-6
"""Width that the grid may leave open, over all pieces together."""

_LENGTHS = (1 << 12, 1 << 14, 1 << 16, 1 << 18)
_POINTS = 1 << 26
"""Budget of grid points for the transforms of all pieces."""
_POINTS_AT_ONCE = 1 << 17
_CELLS_AT_ONCE = 1 << 16
_STILL_NARROWS = 0.8
_TRIES_IN_VAIN = 2
_RESOLVED = 0.95
"""Where the buckets alone leave so much of the width, a finer grid could take away the rest at most."""
_COUNTS_LIMIT = 256


class PiecesInvalid(DomainError):
    """Pieces over which nothing can be mixed."""


@dataclass(frozen=True, slots=True)
class Compliance:
    """How single pieces stand to an objective: certainly, or possibly where the bounds leave it open."""

    pieces: int
    meeting_lower: float
    """Share of the pieces that certainly meet it."""
    meeting_upper: float
    """Share of the pieces that possibly meet it."""
    longest_run_missing: int
    """Most pieces in a row that certainly miss it."""
    first_missing: int | None
    """First piece that certainly misses it."""


@dataclass(frozen=True, slots=True, eq=False)
class MixtureResult:
    """P(T ≤ window) over all pieces and in each of them; pieces without operations are left out."""

    p_lower: float
    p_estimate: float
    p_upper: float
    lower: Floats
    estimate: Floats
    upper: Floats
    weights: Floats
    start_ns: Int64s
    duration_ns: Int64s
    refined_points: int
    """Grid points that were spent."""

    @property
    def size(self) -> int:
        """Pieces with operations."""
        return int(self.weights.size)

    @property
    def worst_piece(self) -> int:
        """Position of the piece in which fewest transactions keep the window."""
        return int(np.argmin(self.estimate))

    def compliance(self, objective: float) -> Compliance:
        """Every piece against the objective by itself, whatever its weight."""
        check_question(1, 1, objective)
        missing = self.upper < objective
        runs = [len(list(run)) for missed, run in itertools.groupby(missing.tolist()) if missed]
        positions = np.flatnonzero(missing)
        return Compliance(
            self.size,
            float((self.lower >= objective).mean()),
            float(1.0 - missing.mean()),
            max(runs, default=0),
            int(positions[0]) if positions.size else None,
        )


def interval_mixture(
    plan: Plan,
    records: Mapping[str, IntervalRecords],
    window_ns: int,
    *,
    tolerance: float = TOLERANCE,
    points: int = _POINTS,
) -> MixtureResult:
    """P(T ≤ window) for a plan whose transactions lie in one piece each, in ns; `records` by operation.

    Pieces of the first stage's operation decide the weights; other operations need a piece with the same
    start, or nothing is known of transactions in that piece. Refused without any operation.
    """
    check_question(1, window_ns)
    plan.check_measured(records)
    if not tolerance > 0.0:
        raise PiecesInvalid(f"the tolerance must be greater than 0, not {tolerance}")
    leading = records[plan.stages[0].operation]
    totals = leading.totals
    used = np.flatnonzero(totals > 0)
    if used.size == 0:
        raise PiecesInvalid("no piece holds an operation, so there is nothing to mix")
    pieces = _aligned({name: records[name] for name in plan.operations}, leading.selected(used))
    weights = totals[used] / float(totals[used].sum())
    search = _Search(plan, pieces, window_ns, weights)
    if plan.overhead_ns >= window_ns:
        nothing = np.zeros(used.size)
        bounds = PieceBounds(nothing, nothing, nothing)
    else:
        bounds = search.run(tolerance, points)
    return MixtureResult(
        float(weights @ bounds.lower),
        min(max(float(weights @ bounds.estimate), float(weights @ bounds.lower)), 1.0),
        min(1.0, float(weights @ bounds.upper)),
        bounds.lower,
        bounds.estimate,
        bounds.upper,
        weights,
        leading.start_ns[used],
        leading.duration_ns[used],
        search.spent,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Pieces:
    """Records of all operations, piece by piece; in `unknown` pieces an operation has no record."""

    records: Mapping[str, IntervalRecords]
    unknown: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]

    @property
    def size(self) -> int:
        return int(self.unknown.size)

    def laws(self, rows: Int64s) -> dict[str, PieceLaws]:
        return {name: PieceLaws.of(record.selected(rows)) for name, record in self.records.items()}


def _aligned(records: Mapping[str, IntervalRecords], leading: IntervalRecords) -> _Pieces:
    """Pieces of every operation in the order of the leading one."""
    unknown = np.zeros(leading.size, dtype=np.bool_)
    found: dict[str, IntervalRecords] = {}
    for position, (name, record) in enumerate(records.items()):
        if position == 0:
            found[name] = leading
            continue
        order = np.argsort(record.start_ns, kind="stable")
        place = np.searchsorted(record.start_ns[order], leading.start_ns)
        row = order[np.minimum(place, order.size - 1)] if order.size else np.zeros(leading.size, np.int64)
        if order.size == 0:
            unknown[:] = True
            continue
        unknown |= (record.start_ns[row] != leading.start_ns) | (record.totals[row] == 0)
        found[name] = record.selected(row)
    return _Pieces(found, unknown)


class _Search:
    """Bounds of all pieces, made narrower where it matters most."""

    def __init__(self, plan: Plan, pieces: _Pieces, window_ns: int, weights: Floats) -> None:
        self._plan = plan
        self._plans = list(_certain_counts(plan))
        self._pieces = pieces
        self._window_ns = window_ns
        self._weights = weights
        self._lower = np.zeros(pieces.size)
        self._upper = np.ones(pieces.size)
        self._estimate = np.full(pieces.size, 0.5)
        self._cap = _cap(plan, pieces, window_ns)
        self.spent = 0

    def run(self, tolerance: float, points: int) -> PieceBounds:
        """Refine until it is enough."""
        known = np.flatnonzero(~self._pieces.unknown)
        if known.size:
            stage = self._plan.stages[0]
            alone = stage.effective is Scheduling.PARALLEL or stage.largest_count == 1
            if alone and len(self._plan.stages) == 1:
                self._update(known, self._at_once(known, stage))
            else:
                self._refine(known, tolerance, points)
            missing = self._pieces.unknown
            usual = float(self._weights[known] @ self._estimate[known]) / float(self._weights[known].sum())
            self._estimate[missing] = usual
        return PieceBounds(self._lower, self._estimate, self._upper)

    def _refine(self, known: Int64s, tolerance: float, points: int) -> None:
        for rows in self._blocks(known, _CELLS_AT_ONCE):
            self._update(rows, self._bounds(rows, 0, 0.0))
        step_ns = _common_step(self._pieces, self._window_ns - self._plans[0][0].overhead_ns)
        open_to_more = known
        in_vain = np.zeros(self._pieces.size, dtype=np.int64)
        resolved = np.zeros(self._pieces.size, dtype=np.bool_)
        for length in _LENGTHS:
            width = self._width()[open_to_more]
            if width.sum() <= tolerance:
                return
            order = np.argsort(-width, kind="stable")
            # The pieces that matter least stay as they are, as long as all of them are half the tolerance.
            rest = width[order][::-1].cumsum()[::-1]
            affordable = max(0, points - self.spent) // (2 * length * len(self._plans))
            chosen = open_to_more[order[rest > tolerance / 2.0]][:affordable]
            if chosen.size == 0:
                return
            before = self._upper[chosen] - self._lower[chosen]
            for rows in self._blocks(np.sort(chosen), _POINTS_AT_ONCE, length):
                found = self._bounds(rows, length, step_ns)
                self._update(rows, found)
                if found.buckets is not None:
                    resolved[rows] = found.buckets >= _RESOLVED * (self._upper[rows] - self._lower[rows])
                self.spent += 2 * length * len(self._plans) * rows.size
            narrowed = self._upper[chosen] - self._lower[chosen] <= _STILL_NARROWS * before
            # Fast operations vanish in a coarse grid, so one finer grid may not help where the next one does.
            in_vain[chosen] = np.where(narrowed, 0, in_vain[chosen] + 1)
            open_to_more = chosen[(in_vain[chosen] < _TRIES_IN_VAIN) & ~resolved[chosen]]

    def _width(self) -> Floats:
        width: Floats = self._weights * (self._upper - self._lower)
        return width

    def _bounds(self, rows: Int64s, length: int, step_ns: float) -> PieceBounds:
        laws = self._pieces.laws(rows)
        sums = [np.zeros(rows.size) for _ in range(4)]
        for plan, weight in self._plans:
            one = plan_bounds(plan, laws, self._window_ns, length, step_ns=step_ns)
            # Not knowing counts as nothing: then finer grids are tried as long as they help.
            buckets = np.zeros(rows.size) if one.buckets is None else one.buckets
            for position, part in enumerate((one.lower, one.estimate, one.upper, buckets)):
                sums[position] += weight * part
        return PieceBounds(*sums)

    def _update(self, rows: Int64s, found: PieceBounds) -> None:
        upper = np.minimum(self._upper[rows], np.minimum(found.upper, self._cap[rows]))
        lower = np.minimum(np.maximum(self._lower[rows], found.lower), upper)
        self._lower[rows], self._upper[rows] = lower, upper
        self._estimate[rows] = np.clip(found.estimate, lower, upper)

    def _blocks(self, rows: Int64s, at_once: int, length: int = 0) -> Iterator[Int64s]:
        """Pieces a few at a time, so that everything stays in the cache."""
        if length:
            step = max(1, at_once // length)
            for begin in range(0, rows.size, step):
                yield rows[begin : begin + step]
            return
        cells = sum(np.diff(record.offsets)[rows] for record in self._pieces.records.values())
        groups = np.cumsum(np.asarray(cells)) // at_once
        for begin, end in itertools.pairwise([*np.unique(groups, return_index=True)[1].tolist(), rows.size]):
            yield rows[begin:end]

    def _at_once(self, known: Int64s, stage: Stage) -> PieceBounds:
        """One exact count in every piece answers everything."""
        record = self._pieces.records[stage.operation]
        _, most = record.over(self._window_ns - stage.overhead_ns)
        over = (most / np.maximum(record.totals, 1))[known]
        lower = power_of_shares(1.0 - over, over, stage.count)
        return PieceBounds(lower, (lower + self._cap[known]) / 2.0, self._cap[known])


def _certain_counts(plan: Plan) -> Iterator[tuple[Plan, float]]:
    """Every combination of counts that a plan with random counts can have, with its probability."""
    choices = [_choices(stage) for stage in plan.stages]
    if math.prod(len(one) for one in choices) > _COUNTS_LIMIT:
        raise PiecesInvalid(
            f"more than {_COUNTS_LIMIT} combinations of random counts are too many for a mixture over pieces"
        )
    for combination in itertools.product(*choices):
        stages = tuple(stage for stage, _ in combination)
        yield Plan(stages), math.prod(weight for _, weight in combination)


def _choices(stage: Stage) -> list[tuple[Stage, float]]:
    if not isinstance(stage.count, RandomCount):
        return [(stage, 1.0)]
    fan_out = 1 if stage.scheduling is Scheduling.PARALLEL else stage.fan_out
    return [
        (replace(stage, count=count, fan_out=fan_out), weight)
        for count, weight in stage.count.weights.items()
        if weight > 0.0
    ]


def _cap(plan: Plan, pieces: _Pieces, window_ns: int) -> Floats:
    """Most that can keep the window in every piece: no transaction is faster than its slowest operation."""
    cap = np.ones(pieces.size)
    net_ns = window_ns - plan.overhead_ns
    if net_ns <= 0:
        return np.zeros(pieces.size)
    for stage in plan.stages:
        if stage.operation not in pieces.records:
            continue
        record = pieces.records[stage.operation]
        least, _ = record.over(net_ns)
        over = least / np.maximum(record.totals, 1)
        cap *= power_of_shares(1.0 - over, over, stage.count)
    cap[pieces.unknown] = 1.0
    return cap


def _common_step(pieces: _Pieces, window_ns: int) -> float:
    """A step that divides the window and all edges of buckets in use; 0 where none is worth having."""
    step = window_ns
    for record in pieces.records.values():
        if record.indices.size == 0:
            continue
        used = np.flatnonzero(np.bincount(record.indices - int(record.indices.min())))
        lower, upper = record.layout.edges_ns(used + int(record.indices.min()))
        edges = np.concatenate((lower, upper[upper != NEVER_NS]))
        known_ends = np.concatenate((record.min_ns[record.min_ns > 0], record.max_ns[record.max_ns >= 0] + 1))
        pins = np.array(record.thresholds_ns, dtype=np.int64)
        for part in (edges, known_ends, pins):
            step = int(np.gcd.reduce(part[part <= window_ns], initial=step))
            if step * (_LENGTHS[-1] // 4) < window_ns:
                return 0.0
    return float(step)
