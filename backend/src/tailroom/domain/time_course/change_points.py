"""Times at which a share of slow operations changed its level: PELT on counts over slices.

Every segment costs `−2 log L / φ` of a binomial distribution with its own share, every further segment `3 ln
m`; the division of least cost is found exactly, with segments of at least two slices. φ is the overdispersion
of neighbouring slices. It is taken from differences of neighbours, so that a jump does not raise it. Source:
docs/method.md 3.3; Killick, Fearnhead and Eckley, JASA 107 (2012) 1590. If nothing changes, PELT's own rule
drops no candidate and the search is quadratic. But the cost of every division, at any share θ, is linear in
three sums of the candidate where its last segment begins: least cost so far, operations, slow operations. So
only corners on the underside of the convex hull of these points can ever be best, and they are few: some
twenty among 10,000. The result stays exact. (Functional pruning as in Maidstone, Hocking, Rigaill and
Fearnhead, Statistics and Computing 27 (2017) 519, with a hull for its sets.)
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from scipy.spatial import ConvexHull, QhullError
from scipy.special import fdtrc, xlog1py

from tailroom.domain.confidence.effective_samples import (
    IntervalCountsInvalid,
    check_counts,
    design_effect,
    standardised_residuals,
)
from tailroom.domain.confidence.shares import ShareLimits, clopper_pearson
from tailroom.domain.latency.bounds import Floats, Int64s

LEAST_SLICES = 2
"""Least number of slices of a segment."""
PENALTY_PER_LOG = 3.0
"""Cost of a further segment, divided by the logarithm of the number of slices."""
_FIRST_PRUNING = 128
_FLAT = 1e-11
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Segment:
    """Slices `first` to `end` (exclusive) in which the share of operations over a limit has one level.

    `over` of `total` operations are over the limit; `ratio` is their share, with two-sided 95 % `limits`.
    `p_value` is the chance of such a step from the segment before, None for the first.
    """

    first: int
    end: int
    over: int
    total: int
    ratio: float
    limits: ShareLimits
    p_value: float | None


@dataclass(frozen=True, slots=True)
class ChangePoints:
    """Segments in order; each but the first begins at a change point. With too few slices there are none, but
    a reason. `phi` is the overdispersion.
    """

    segments: tuple[Segment, ...]
    phi: float
    reason: str | None


def change_points(over: Int64s, total: Int64s) -> ChangePoints:
    """Return the levels of the share `over / total` over consecutive slices. Slices without operations belong
    to the segment before them. With fewer than four others there are no segments, but a reason. Raise
    IntervalCountsInvalid unless 0 ≤ over ≤ total in each slice.
    """
    over, total = np.asarray(over), np.asarray(total)
    check_counts(over, total)
    filled = np.flatnonzero(total > 0)
    k, n = over[filled].astype(np.float64), total[filled].astype(np.float64)
    if filled.size < 2 * LEAST_SLICES:
        return ChangePoints((), 1.0, f"{filled.size} slices are too few to see a change")
    phi = difference_phi(k, n)
    penalty = PENALTY_PER_LOG * math.log(filled.size)
    starts = pelt(k, n, phi, penalty)
    segments = _segments(k, n, phi, [0, *starts, filled.size])
    return ChangePoints(_map_to_slices(segments, filled, over.size), phi, None)


def difference_phi(over: Floats, total: Floats) -> float:
    """Return the overdispersion of neighbouring slices, at least 1; 1 for one slice, or none or all over."""
    if over.sum() in (0.0, total.sum()) or over.size < 2:
        return 1.0
    residuals = standardised_residuals(over, total)
    return max(1.0, float(np.mean(np.diff(residuals) ** 2)) / 2.0)


def pelt(over: Floats, total: Floats, phi: float, penalty: float) -> list[int]:
    """Return the first slice of each segment but the first, in the division of least cost; empty without a
    change. Slices must not be empty. Raise IntervalCountsInvalid for `phi` ≤ 0 or a negative penalty.
    """
    if not (phi > 0.0 and penalty >= 0.0 and math.isfinite(phi) and math.isfinite(penalty)):
        raise IntervalCountsInvalid(f"φ {phi} and penalty {penalty} must be positive numbers")
    size = over.size
    if over.sum() in (0.0, total.sum()):
        return []
    sums = _SegmentSums.of(over, total, phi)
    # best[t]: least cost of the first t slices, less the penalty of the first segment.
    best = np.full(size + 1, np.inf)
    best[0] = -penalty
    before = np.zeros(size + 1, dtype=np.int64)
    alive, prune_at = np.zeros(1, dtype=np.int64), _FIRST_PRUNING
    for end in range(LEAST_SLICES, size + 1):
        if end - LEAST_SLICES >= LEAST_SLICES:
            alive = np.append(alive, end - LEAST_SLICES)
        costs = best[alive] + sums.cost(alive, end)
        cheapest = int(np.argmin(costs))
        best[end], before[end] = costs[cheapest] + penalty, alive[cheapest]
        if alive.size >= prune_at:
            # A segment from `end − 1` is long enough at every later end: what it beats now never wins again.
            alive = alive[best[alive] + sums.cost(alive, end - 1) <= best[end - 1] + _ROUNDING]
            # The cost of every later division is linear in these three.
            points = np.stack((best[alive], sums.total[alive], sums.excess[alive]), axis=1)
            alive = alive[_hull_corners(points)]
            prune_at = max(_FIRST_PRUNING, 2 * alive.size)
    starts: list[int] = []
    position = int(before[size])
    while position > 0:
        starts.append(position)
        position = int(before[position])
    return starts[::-1]


@dataclass(frozen=True, slots=True, eq=False)
class _SegmentSums:
    """Running sums of counts, and of their excess over the common share, so that costs lose few digits."""

    share: float
    phi: float
    over: Floats
    total: Floats
    excess: Floats

    @staticmethod
    def of(over: Floats, total: Floats, phi: float) -> "_SegmentSums":
        """Return the running sums of counts by slice, each from 0 on; `phi` is the overdispersion."""
        share = float(over.sum() / total.sum())
        zero = np.zeros(1)
        return _SegmentSums(
            share,
            phi,
            np.concatenate((zero, np.cumsum(over))),
            np.concatenate((zero, np.cumsum(total))),
            np.concatenate((zero, np.cumsum(over - share * total))),
        )

    def cost(self, starts: Int64s, end: int) -> Floats:
        """Return `−2 log L / φ` of the slices from each start to the end, less that of the common share."""
        k = self.over[end] - self.over[starts]
        n = self.total[end] - self.total[starts]
        relative = (self.excess[end] - self.excess[starts]) / n
        hits = xlog1py(k, np.maximum(relative / self.share, -1.0))
        rest = xlog1py(n - k, np.maximum(-relative / (1.0 - self.share), -1.0))
        cost: Floats = np.minimum(0.0, -2.0 / self.phi * (hits + rest))
        return cost


def _hull_corners(points: Floats) -> Int64s:
    """Return the positions of the corners of the points' convex hull, all if it cannot be computed; only
    those of its underside (least cost, column 0) if the points span all dimensions.
    """
    centred = points - points.mean(axis=0)
    scale = np.abs(centred).max(axis=0)
    scaled = centred[:, scale > 0.0] / scale[scale > 0.0]
    if not scaled.shape[1]:
        return np.zeros(1, dtype=np.int64)
    _, sizes, axes = np.linalg.svd(scaled, full_matrices=False)
    kept_axes = axes[sizes > _FLAT * sizes[0]]
    flat = scaled @ kept_axes.T
    if flat.shape[1] == 1:
        corners = np.unique([int(np.argmin(flat[:, 0])), int(np.argmax(flat[:, 0]))])
    else:
        try:
            hull = ConvexHull(flat)
        except QhullError:  # too few or too flat: nothing is dropped
            return np.arange(points.shape[0])
        # A least cost is a corner of the underside: of facets that look down the axis of the cost.
        down = (
            (hull.equations[:, :-1] @ kept_axes)[:, 0] < 0.0
            if flat.shape[1] == points.shape[1]
            else slice(None)
        )
        corners = np.unique(hull.simplices[down]).astype(np.int64)
    return corners


def _segments(over: Floats, total: Floats, phi: float, bounds: Sequence[int]) -> list[Segment]:
    """Return the segments between the bounds, which are the first slice of each and the number of slices."""
    segments: list[Segment] = []
    for number, (first, end) in enumerate(pairwise(bounds)):
        k, n = over[first:end], total[first:end]
        # Persistence inside the segment counts too, where it is long enough to show.
        factor = max(phi, design_effect(k, n).factor)  # type: ignore[arg-type]
        limits = clopper_pearson(float(k.sum()) / factor, float(n.sum()) / factor)
        p_value = None
        if number:
            earlier = slice(bounds[number - 1], first)
            degrees = over.size - len(bounds) + 1
            p_value = step_p_value(over[earlier], total[earlier], k, n, phi=factor, degrees=degrees)
        ratio = float(k.sum() / n.sum())
        segments.append(Segment(first, end, int(k.sum()), int(n.sum()), ratio, limits, p_value))
    return segments


def step_p_value(
    over: Floats, total: Floats, later_over: Floats, later_total: Floats, *, phi: float, degrees: int
) -> float:
    """Return the p-value of two levels having the same share, by a quasi-likelihood ratio and F(1,
    `degrees`). Counts are by slice, the later level in `later_*`; `phi` is the overdispersion. `degrees`
    below 1 count as 1. The result is 1 if none or all operations are over.
    """
    k, n = np.concatenate((over, later_over)), np.concatenate((total, later_total))
    if k.sum() in (0.0, n.sum()):
        return 1.0
    sums = _SegmentSums.of(k, n, phi)
    ratio = -float(sums.cost(np.array([0]), over.size)[0] + sums.cost(np.array([over.size]), k.size)[0])
    return float(fdtrc(1.0, float(max(1, degrees)), max(0.0, ratio)))


def _map_to_slices(segments: Sequence[Segment], filled: Int64s, slices: int) -> tuple[Segment, ...]:
    """Return the segments with positions among all slices instead of the filled slices."""
    starts = [0, *(int(filled[segment.first]) for segment in segments[1:]), slices]
    places = zip(segments, pairwise(starts), strict=True)
    return tuple(replace(segment, first=first, end=end) for segment, (first, end) in places)
