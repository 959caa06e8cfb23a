"""What the records of single operations say about a plan: the mixture over pieces, and models beside it.

The default model is the mixture where the course over time is known in at least two pieces: operations are
independent inside a piece, and every piece has a law of its own. Otherwise all operations are thrown together
and taken as independent. Pieces with few operations would make slow ones look clumped that are not (one slow
read in a piece of 100 looks like 1 % for that piece), so pieces are joined until a usual one holds 40 times
as many operations as a transaction needs; that is fixed by counts alone, before any latency is looked at.
Source: METHOD.md sections 1.1 to 1.7, 2.3; docs/adr/0010.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tailroom.domain.latency.bounds import Floats, Int64s
from tailroom.domain.latency.distribution import LatencyDist, TimeBounds
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.transactions.composition import transaction_curves
from tailroom.domain.transactions.confidence import plan_within_lower, plan_within_upper
from tailroom.domain.transactions.curves import TransactionCurves
from tailroom.domain.transactions.guarantees import mean_guarantee, record_laws
from tailroom.domain.transactions.interval_mixture import MixtureResult, PiecesInvalid, interval_mixture
from tailroom.domain.transactions.largest import largest_count
from tailroom.domain.transactions.plan import RandomCount, Scheduling
from tailroom.domain.transactions.sequential import FULL_BINS, LargestCount
from tailroom.domain.transactions.worst_case import WorstCase, worst_case_dependence
from tailroom.domain.verdicts.budget_kinds import TransactionBudget
from tailroom.domain.verdicts.evidence import OperationEvidence
from tailroom.domain.verdicts.mixture_confidence import MixtureConfidence, mixture_confidence
from tailroom.domain.verdicts.mixture_display import DisplayMixture, display_mixture, display_pooled
from tailroom.domain.verdicts.mixture_search import MixtureSearch
from tailroom.domain.verdicts.verdict import Ends

Three = tuple[float, float, float]
"""Lower bound, estimate, upper bound."""

OPERATIONS_OF_A_PIECE = 40
"""Operations that a usual piece must hold for each one of a transaction."""
FEWEST_PIECES = 2
_GUESS_BINS = 1 << 12
_PIECES_AT_ONCE = 512
"""The cells of a whole day at once would take more memory than everything else."""
_SEARCHED_PIECES = 96
"""Pieces that the search for room and largest count works on at most: similar ones are joined for it."""
_SEARCHES = 800
"""Pieces times questions that this search may take for each of its ends, on the full grid."""


@dataclass(frozen=True, slots=True)
class PooledModel:
    """All operations thrown together, and independent. `curves` reach up to the window; `close_up` lies
    around the objective's quantile, on a finer grid where operations are fast.
    """

    at_window: Three
    confident: Ends
    curves: TransactionCurves
    close_up: TransactionCurves
    quantile: TimeBounds
    largest: LargestCount | None


@dataclass(frozen=True, slots=True)
class MixtureModel:
    """Independent inside each piece; `at_window` counts operations outside of all pieces as unknown."""

    at_window: Three
    confidence: MixtureConfidence
    result: MixtureResult
    quantile: TimeBounds
    largest: LargestCount | None
    piece_ns: int
    display: DisplayMixture | None = None
    """The curves, where the answer is for display."""


@dataclass(frozen=True, slots=True)
class PlanModel:
    """All models of one plan; `mixture` none with the reason why."""

    pooled: PooledModel
    mixture: MixtureModel | None
    no_mixture: str | None
    worst: WorstCase
    samples: int | None

    @property
    def at_window(self) -> Three:
        """Bounds of the default model, before sampling error."""
        return self.mixture.at_window if self.mixture else self.pooled.at_window

    @property
    def confident(self) -> Ends:
        """Limits of the default model."""
        return self.mixture.confidence.ends if self.mixture else self.pooled.confident

    @property
    def quantile(self) -> TimeBounds:
        """The objective's quantile by the default model."""
        return self.mixture.quantile if self.mixture else self.pooled.quantile

    @property
    def largest(self) -> LargestCount | None:
        """Largest count by the default model; none where the plan has no single number of operations."""
        return self.mixture.largest if self.mixture else self.pooled.largest


def model_of(
    budget: TransactionBudget, used: Mapping[str, OperationEvidence], bins: int = FULL_BINS
) -> PlanModel:
    """All models from the operations of the plan, each of which has a record that is not empty."""
    courses = _joined(budget, used)
    pooled = _pooled(budget, used, bins, is_beside=not isinstance(courses, str))
    mixture = courses if isinstance(courses, str) else _mixture(budget, used, courses, pooled, bins)
    if isinstance(mixture, str) and not isinstance(courses, str):
        pooled = _pooled(budget, used, bins, is_beside=False)
    laws = record_laws(budget.plan, {name: one.record for name, one in used.items()})
    totals = [one.record.total for one in used.values()]
    known = [total for total in totals if total is not None]
    return PlanModel(
        pooled,
        mixture if isinstance(mixture, MixtureModel) else None,
        mixture if isinstance(mixture, str) else None,
        worst_case_dependence(budget.plan, laws, budget.reads_window_ns),
        min(known) if len(known) == len(totals) else None,
    )


def _pooled(
    budget: TransactionBudget, used: Mapping[str, OperationEvidence], bins: int, *, is_beside: bool
) -> PooledModel:
    """The pooled law; where it only stands beside a mixture, its largest count is just a first guess."""
    plan, window_ns, objective = budget.plan, budget.reads_window_ns, budget.objective_ratio
    display = display_pooled(budget, used, bins) if is_beside and bins < FULL_BINS // 2 else None
    if display is not None:
        at_once = _has_one_count(budget) and plan.only_stage.effective is Scheduling.PARALLEL
        ends, guess = (display.at_window[0], display.at_window[2]), LargestCount(budget.reads, budget.reads)
        return PooledModel(
            display.at_window,
            display.confident,
            display.curves,
            display.curves,
            display.curves.quantile_bounds(objective),
            _largest(budget, used, ends, bins) if at_once else guess if _has_one_count(budget) else None,
        )
    records = {name: one.record for name, one in used.items()}
    effects = {name: one.effect_at for name, one in used.items()}
    laws = record_laws(plan, records)
    curves = transaction_curves(plan, laws, window_ns, bins)
    lower, estimate, upper = curves.within(window_ns)
    lower = max(lower, min(upper, mean_guarantee(plan, records, window_ns)))
    close = _close_up(budget, used, curves, bins)
    is_pool = any(stage.effective is Scheduling.POOL for stage in plan.stages)
    search_bins = min(bins // 2, _GUESS_BINS) if is_beside else min(bins, _GUESS_BINS if is_pool else 1 << 16)
    certain = plan_within_lower(plan, records, window_ns, objective, effects=effects, bins=bins)
    possible = plan_within_upper(plan, records, window_ns, effects=effects, bins=bins)
    return PooledModel(
        (lower, max(lower, estimate), upper),
        Ends(min(certain, lower), max(possible, upper)),
        curves,
        close,
        _agreeing(close.quantile_bounds(objective), window_ns, (lower, upper), objective),
        _largest(budget, used, (lower, upper), search_bins),
    )


def _close_up(
    budget: TransactionBudget, used: Mapping[str, OperationEvidence], curves: TransactionCurves, bins: int
) -> TransactionCurves:
    """The same curves with a horizon just past the objective's quantile: fast operations need a finer grid.

    Where the quantile lies beyond the window, a horizon of eight windows is tried instead, on the same grid
    size.
    """
    window_ns = budget.reads_window_ns
    laws = record_laws(budget.plan, {name: one.record for name, one in used.items()})
    upper_ns = curves.quantile_bounds(budget.objective_ratio).upper_ns
    if upper_ns is None:
        return transaction_curves(budget.plan, laws, 8 * window_ns, bins)
    horizon_ns = max(budget.reads, upper_ns + upper_ns // 4, budget.plan.overhead_ns + 1)
    if horizon_ns * 2 > window_ns:
        return curves
    return transaction_curves(budget.plan, laws, horizon_ns, bins)


def _has_one_count(budget: TransactionBudget) -> bool:
    return len(budget.plan.stages) == 1 and not isinstance(budget.plan.stages[0].count, RandomCount)


def _largest(
    budget: TransactionBudget,
    used: Mapping[str, OperationEvidence],
    at_window: tuple[float, float],
    bins: int,
) -> LargestCount | None:
    """By the pooled law. The search has a coarser grid than the question; the finer answer wins."""
    if not _has_one_count(budget):
        return None
    count, objective = budget.reads, budget.objective_ratio
    laws = record_laws(budget.plan, {name: one.record for name, one in used.items()})
    found = largest_count(budget.plan, laws, budget.reads_window_ns, objective, bins)
    return clamped(found, count, at_window, objective)


def clamped(
    found: LargestCount, count: int, at_window: tuple[float, float], objective: float
) -> LargestCount:
    """What a search found, made to agree with the answer for the count itself."""
    guaranteed, possible = found.guaranteed, found.possible
    if at_window[0] >= objective:
        guaranteed = max(guaranteed, count)
    if at_window[1] < objective and (possible is None or possible >= count):
        possible = count - 1
    if possible is not None:
        possible = max(possible, guaranteed)
    return LargestCount(guaranteed, possible)


def _agreeing(found: TimeBounds, window_ns: int, ends: tuple[float, float], objective: float) -> TimeBounds:
    """A quantile from one grid, made to agree with what is certain about the window from another."""
    lower, upper = found.lower_ns, found.upper_ns
    if ends[0] >= objective:
        upper = window_ns if upper is None else min(upper, window_ns)
    if ends[1] < objective:
        lower = max(lower, window_ns)
    return TimeBounds(min(lower, upper) if upper is not None else lower, upper)


def _mixture(
    budget: TransactionBudget,
    used: Mapping[str, OperationEvidence],
    courses: Mapping[str, IntervalRecords],
    pooled: PooledModel,
    bins: int,
) -> MixtureModel | str:
    """The mixture, or in words why there is none."""
    plan, window_ns, objective = budget.plan, budget.reads_window_ns, budget.objective_ratio
    full = bins >= FULL_BINS // 2
    points = (512 if full else 64) * bins
    display = None if full else display_mixture(budget, courses, pooled.largest, bins)
    try:
        if display is not None:
            result = display.result
        else:
            result = interval_mixture(
                plan, courses, window_ns, tolerance=1e-6 if full else 1e-5, points=points
            )
    except PiecesInvalid as error:
        return str(error)
    if result.size < FEWEST_PIECES:
        return "there is only one piece with operations"
    leading = plan.stages[0].operation
    total = used[leading].record.total
    outside = max(0.0, 1.0 - float(courses[leading].totals.sum()) / total) if total else 0.0
    ends = (min(1.0, result.p_lower), min(1.0, result.p_upper))
    lower, upper = (1.0 - outside) * ends[0], (1.0 - outside) * ends[1] + outside
    estimate = min(max(min(1.0, result.p_estimate), lower), upper)
    confidence = mixture_confidence(
        result,
        (lower, upper),
        (pooled.at_window[0], pooled.at_window[2]),
        pooled.confident,
        replications=2_000 if full else 400,
    )
    if display is not None:
        largest = None
        if display.largest is not None:
            largest = clamped(display.largest, budget.reads, (lower, upper), objective)
        return MixtureModel(
            (lower, estimate, upper),
            confidence,
            result,
            _agreeing(display.quantile, window_ns, (lower, upper), objective),
            largest,
            int(np.median(result.duration_ns)),
            display,
        )
    room_for = _SEARCHES // 8 if not full else _SEARCHES
    searched = _fewer(courses, window_ns)
    search = MixtureSearch(
        plan,
        searched,
        window_ns,
        objective,
        ends,
        questions=min(max(room_for // max(one.size for one in searched.values()), 2), 16),
        points=(1 << 20) if full else (1 << 16),
        tolerance=(1.0 - objective) / 100.0,
    )
    largest = None
    if pooled.largest is not None:
        largest = clamped(search.largest(pooled.largest), budget.reads, (lower, upper), objective)
    return MixtureModel(
        (lower, estimate, upper),
        confidence,
        result,
        _agreeing(search.quantile(pooled.quantile), window_ns, (lower, upper), objective),
        largest,
        int(np.median(result.duration_ns)),
    )


def _fewer(courses: Mapping[str, IntervalRecords], window_ns: int) -> Mapping[str, IntervalRecords]:
    """Pieces for a search that asks many times: those that are alike are joined, wherever they lie in time.

    Neighbours in time may belong to different regimes, and joining them would average slow ones away. The
    window itself is always judged by the pieces as they are.
    """
    leading = next(iter(courses.values()))
    if leading.size <= _SEARCHED_PIECES:
        return courses
    if any(not np.array_equal(one.start_ns, leading.start_ns) for one in courses.values()):
        return courses
    slowness = np.zeros(leading.size)
    for one in courses.values():
        slowness += _slowness(one, window_ns)
    groups = np.empty(leading.size, np.int64)
    groups[np.argsort(slowness, kind="stable")] = np.arange(leading.size) * _SEARCHED_PIECES // leading.size
    return {name: _gathered(one, groups) for name, one in courses.items()}


def _gathered(record: IntervalRecords, groups: Int64s) -> IntervalRecords:
    """What `grouped` gives for groups that lie scattered over time, without a second copy of the record."""
    wholes: list[LatencyDist] = []
    start_ns: list[int] = []
    duration_ns: list[int] = []
    for group in np.unique(groups):
        part = record.selected(np.flatnonzero(groups == group))
        wholes.append(part.total())
        start_ns.append(int(part.start_ns.min()))
        duration_ns.append(part.end_ns - start_ns[-1])
    return IntervalRecords.of(wholes, start_ns, duration_ns)


def _slowness(record: IntervalRecords, window_ns: int) -> Floats:
    """Mean latency of each piece in windows; whatever takes longer than one, or failed, counts as one."""
    added = np.zeros(record.size)
    for begin in range(0, record.size, _PIECES_AT_ONCE):
        rows = np.arange(begin, min(begin + _PIECES_AT_ONCE, record.size))
        cells = record.selected(rows).cells()
        taken = np.minimum(cells.lower_ns, window_ns) / window_ns
        added[rows] = np.bincount(cells.piece_no, taken * cells.count, rows.size)
    mean: Floats = (added + record.misses) / np.maximum(record.totals, 1)
    return mean


def _joined(
    budget: TransactionBudget, used: Mapping[str, OperationEvidence]
) -> dict[str, IntervalRecords] | str:
    """The courses of all operations, in pieces that hold enough operations; or why there are none."""
    needed = dict.fromkeys(budget.plan.operations, 0)
    for stage in budget.plan.stages:
        needed[stage.operation] += stage.largest_count
    courses: dict[str, IntervalRecords] = {}
    together, length_ns = 1, 1
    for name, count in needed.items():
        course = used[name].course
        if course is None:
            return f"no course over time is known for `{name}`"
        totals = course.totals
        if int((totals > 0).sum()) < FEWEST_PIECES:
            return f"the course over time of `{name}` has fewer than {FEWEST_PIECES} pieces"
        usual = float(np.median(totals[totals > 0]))
        together = max(together, math.ceil(OPERATIONS_OF_A_PIECE * count / usual))
        length_ns = max(length_ns, int(np.median(course.duration_ns)))
        courses[name] = course
    if together == 1:
        return courses
    joined = {name: one.grouped(one.start_ns // (together * length_ns)) for name, one in courses.items()}
    if any(int((one.totals > 0).sum()) < FEWEST_PIECES for one in joined.values()):
        return "the pieces hold too few operations to tell a slow piece from a slow operation"
    return joined
