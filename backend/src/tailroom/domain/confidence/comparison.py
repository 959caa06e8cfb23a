"""Whether two runs at equal load differ, and how far runs of the same thing lie apart.

A difference of shares gets Newcombe's interval on effective samples, at both ends of what the buckets allow.
It orders two runs only if the interval excludes 0 and it is worth naming: at least 0.1 percentage points, or
a tenth of the larger share. Percentiles are compared by their intervals and never averaged: the mean of two
percentiles is the percentile of nothing; runs are merged bucket by bucket instead.
Source: docs/method.md 2.6; Newcombe, Statistics in Medicine 17 (1998) 873, method 10.
"""

import math
from dataclasses import dataclass
from enum import StrEnum

from tailroom.domain.confidence.shares import SampleInvalid, ShareLimits, wilson
from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import TimeBounds

SMALLEST_POINTS_RATIO = 0.001
SMALLEST_RELATIVE_RATIO = 0.1
LOAD_TOLERANCE_RATIO = 0.01


class LoadsDiffer(DomainError):
    """Two runs under different load: their latencies are different quantities."""


class PercentilesNotAveraged(DomainError):
    """Percentiles of several runs without the counts that could be merged."""


class Order(StrEnum):
    """The result of a comparison."""

    FIRST_LOWER = "first lower"
    SECOND_LOWER = "second lower"
    NOT_SHOWN = "no difference shown"


@dataclass(frozen=True, slots=True)
class ShareSample:
    """Operations at or over a threshold (two ends where buckets leave doubt) of `total`.

    `design_factor` says how many of them are worth one independent sample; `load_per_s` is the offered rate.
    """

    over_lower: int
    over_upper: int
    total: int
    design_factor: float = 1.0
    load_per_s: float | None = None

    def __post_init__(self) -> None:
        if not (0 <= self.over_lower <= self.over_upper <= self.total and self.total > 0):
            raise SampleInvalid(f"{self.over_lower} to {self.over_upper} of {self.total} cannot lie over")
        if not 1.0 <= self.design_factor < math.inf:
            raise SampleInvalid(f"a design factor is at least 1 and finite, not {self.design_factor}")
        if self.load_per_s is not None and not 0.0 < self.load_per_s < math.inf:
            raise SampleInvalid(f"a load of {self.load_per_s} operations per second does not exist")


@dataclass(frozen=True, slots=True)
class ShareDifference:
    """First share minus second: ends by buckets alone, confidence limits, and what they show."""

    difference_lower: float
    difference_upper: float
    limits: ShareLimits
    order: Order
    is_ranking_difference: bool


def newcombe(
    first_over: float, first_total: float, second_over: float, second_total: float, error: float = 0.05
) -> ShareLimits:
    """Limits of the difference of two independent shares, from the Wilson limits of each."""
    first, second = wilson(first_over, first_total, error), wilson(second_over, second_total, error)
    p, q = first_over / first_total, second_over / second_total
    return ShareLimits(
        max(-1.0, p - q - math.hypot(p - first.lower, second.upper - q)),
        min(1.0, p - q + math.hypot(first.upper - p, q - second.lower)),
    )


@dataclass(frozen=True, slots=True)
class RunSpread:
    """One quantile of several runs: the lowest and highest of them, each as known, beside the merged one."""

    runs: int
    lowest: TimeBounds
    highest: TimeBounds
    merged: TimeBounds


def _newcombe(
    first: ShareSample, first_over: int, second: ShareSample, second_over: int, error: float
) -> ShareLimits:
    return newcombe(
        first_over / first.design_factor,
        first.total / first.design_factor,
        second_over / second.design_factor,
        second.total / second.design_factor,
        error,
    )


def _reaches(value: float, floor: float) -> bool:
    """At least the floor, where rounding of a decimal does not count."""
    return value > 0.0 and value >= floor * (1.0 - 1e-9)


def _apart(one: float, other: float) -> float:
    return abs(one - other) / max(one, other)


def _time(time_ns: float) -> int | None:
    return None if math.isinf(time_ns) else int(time_ns)
