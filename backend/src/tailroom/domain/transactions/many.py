"""Guarantees of one plan for many latencies at once: the numbers of `composition`, without what nobody asks.

Whoever asks of thousands of records whether they keep a window wants the lower end for the late law of one
record and the upper end for the early law of another, at the window alone. So one row of three is carried
through, and rows of equal length go through their transforms together. Every step is that of `grid`, on rows
of the same length, so the results are those of `transaction_within` to the last digit.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import scipy.fft

from tailroom.domain.latency.bounds import Floats, LatencyBounds
from tailroom.domain.transactions.composition import rounding_of, transaction_within
from tailroom.domain.transactions.grid import EARLY, LATE, Grid, aligned_bins, directed, placed, power
from tailroom.domain.transactions.plan import Plan, Scheduling, Stage
from tailroom.domain.transactions.waves import power_of_shares, slowest, wave_sizes

_TOGETHER = 16
"""Rows that are transformed at once: more do not fit the processor's caches."""


def least_within(plan: Plan, laws: Sequence[LatencyBounds], window_ns: int, bins: int) -> list[float]:
    """For each latency the lower end of P(T ≤ window) of a plan whose operations all have that latency."""
    stage = _shared(plan, window_ns)
    if stage is None:
        return [_one_by_one(plan, law, window_ns, bins)[0] for law in laws]
    grids = [_grid(law, plan, window_ns, bins) for law in laws]
    reached = _reached(stage, laws, grids, LATE)
    rounding = rounding_of(plan)
    return [float(np.clip(most - rounding, 0.0, 1.0)) for most in reached]


def most_within(plan: Plan, laws: Sequence[LatencyBounds], window_ns: int, bins: int) -> list[float]:
    """For each latency the upper end of P(T ≤ window) of a plan whose operations all have that latency."""
    stage = _shared(plan, window_ns)
    if stage is None or not all(law.continuous for law in laws):
        return [_one_by_one(plan, law, window_ns, bins)[2] for law in laws]
    grids = [_grid(law, plan, window_ns, bins) for law in laws]
    caps = [_cap(stage, law, grid) for law, grid in zip(laws, grids, strict=True)]
    reached = _reached(stage, laws, grids, EARLY)
    rounding = rounding_of(plan)
    return [
        float(np.clip(min(most, cap) + rounding, 0.0, 1.0)) for most, cap in zip(reached, caps, strict=True)
    ]


def _one_by_one(plan: Plan, law: LatencyBounds, window_ns: int, bins: int) -> tuple[float, float, float]:
    return transaction_within(plan, dict.fromkeys(plan.operations, law), window_ns, bins)


def _shared(plan: Plan, window_ns: int) -> Stage | None:
    """The only stage of a plan that is a power of one law; none where another calculation is needed."""
    stage = plan.stages[0]
    if len(plan.stages) > 1 or not isinstance(stage.count, int) or plan.overhead_ns >= window_ns:
        return None
    if stage.effective is Scheduling.SEQUENTIAL:
        return stage
    if stage.effective is Scheduling.WAVES and wave_sizes(stage.count, stage.fan_out)[0] > 0:
        return stage
    return None


def _grid(law: LatencyBounds, plan: Plan, window_ns: int, bins: int) -> Grid:
    net_ns = window_ns - plan.overhead_ns
    return Grid(net_ns, aligned_bins([law], net_ns, bins))


class _Rows(NamedTuple):
    """Rows of probabilities, all zero from column `end` on."""

    values: Floats
    end: int


def _reached(stage: Stage, laws: Sequence[LatencyBounds], grids: Sequence[Grid], row: int) -> list[float]:
    """For each latency the most that the running sum of the plan's row reaches up to the window."""
    alike: dict[tuple[int, ...], list[tuple[int, list[Floats]]]] = {}
    for place, (law, grid) in enumerate(zip(laws, grids, strict=True)):
        parts = [placed(one, *grid) for one in _parts(stage, law)]
        # All three rows decide how long the transforms are, as where they go through them together.
        key = (grid.bins, *(_end(part) for part in parts))
        alike.setdefault(key, []).append((place, [part[row] for part in parts]))
    found = [0.0] * len(laws)
    for (_, *ends), members in alike.items():
        for begin in range(0, len(members), _TOGETHER):
            some = members[begin : begin + _TOGETHER]
            together = [
                _Rows(np.stack([rows[number] for _, rows in some]), end) for number, end in enumerate(ends)
            ]
            sums = np.cumsum(_composed(stage, together).values, axis=1).max(axis=1)
            for (place, _), most in zip(some, sums.tolist(), strict=True):
                found[place] = most
    return found


def _parts(stage: Stage, law: LatencyBounds) -> list[LatencyBounds]:
    """The laws that are multiplied: of one operation, or of a full wave and of the last one."""
    if stage.effective is Scheduling.SEQUENTIAL:
        return [law]
    assert isinstance(stage.count, int)  # noqa: S101 - `_shared` looks
    return [slowest(law, stage.fan_out), slowest(law, wave_sizes(stage.count, stage.fan_out)[1])]


def _composed(stage: Stage, parts: Sequence[_Rows]) -> _Rows:
    assert isinstance(stage.count, int)  # noqa: S101 - `_shared` looks
    if stage.effective is Scheduling.SEQUENTIAL:
        return power(_product, parts[0], stage.count)
    return _product(power(_product, parts[0], wave_sizes(stage.count, stage.fan_out)[0]), parts[1])


def _cap(stage: Stage, law: LatencyBounds, grid: Grid) -> float:
    """Most that can have all operations of the stage before the window: none outlasts it."""
    below = np.minimum(np.cumsum(directed(law.early, *grid, round_up=False))[-2:-1], 1.0)
    return float(power_of_shares(below, 1.0 - below, stage.count)[0])


def _product(first: _Rows, second: _Rows) -> _Rows:
    """As `grid.product`, for rows whose ends are known."""
    columns = first.values.shape[1]
    length = scipy.fft.next_fast_len(max(1, first.end + second.end - 1), real=True)
    transformed = scipy.fft.rfft(first.values[:, : first.end], length, axis=1)
    if first is second:
        transformed *= transformed
    else:
        transformed *= scipy.fft.rfft(second.values[:, : second.end], length, axis=1)
    end = min(columns, first.end + second.end - 1)
    result = np.zeros_like(first.values)
    result[:, :end] = scipy.fft.irfft(transformed, length, axis=1, overwrite_x=True)[:, :end]
    return _Rows(result, end)


def _end(rows: Floats) -> int:
    """One more than the last column that holds anything."""
    filled = np.flatnonzero(rows.any(axis=0))
    return int(filled[-1]) + 1 if filled.size else 1
