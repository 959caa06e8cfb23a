"""Statements of the rows `<= msec, percent` of memtier_benchmark, whose meaning depends on the version.

Since 1.4 the rows come from an HdrHistogram: the percent is the requested one, printed with three
decimals (two in builds just before), and the time the upper end of the first bucket that reaches it. Before,
the percent is the share counted so far, printed with two decimals, and the time is the latency *rounded* to
two digits, so that a row reaches half a step beyond what it says. Up to 1.2.6 latencies of SET were cut to
whole milliseconds before, and a latency below a millisecond turned the whole table into one row `nan`.

Every version ends with a row of 100 % at the bucket of the slowest operation, so nothing lies beyond it if
the table is known to be complete.
Source: `run_stats.cpp`, `client.cpp`.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from tailroom.domain.latency.hdr_layout import HdrLayout
from tailroom.domain.units import NS_PER_MS, NS_PER_US
from tailroom.importers.printed import Printed
from tailroom.importers.statements import MAX_TIME_NS, Statements, hdr_bucket_ns

TABLE_LAYOUT = HdrLayout(8 * NS_PER_US, 2)
"""Wide enough for every version: some count two digits, some three; both in steps of 8 µs."""
_WHOLE, _HALF, _STEP = 100, 50, 5
"""Per cent: HdrHistogram prints ten steps to the middle."""
_FLOAT_FROM_MS = 8_192
"""From here on a 32-bit float, in which the times are printed, is coarser than a microsecond."""
_FLOAT_RELATIVE = Fraction(1, 1 << 23)


@dataclass(frozen=True, slots=True)
class PercentRow:
    """One row; `time_ms` is None if the tool printed `nan`."""

    time_ms: Printed | None
    percent: Printed
    line_no: int | None = None


class TableUnusable(ValueError):
    """The table states nothing about latencies; the message gives the reason."""


def add_table(statements: Statements, rows: list[PercentRow], *, is_complete: bool = False) -> None:
    """Add the bounds of the distribution that a table proves; unless `is_complete`, last rows may be missing.

    Raise TableUnusable if a time is `nan` or impossibly large, or a share is outside 0 to 100 %.
    """
    if any(row.time_ms is None for row in rows):
        raise TableUnusable("all latencies are in one bucket `nan`, as memtier_benchmark 1.2.6 writes them")
    if any(not 0 <= row.percent.value <= 100 for row in rows):
        raise TableUnusable("a share is over 100 %")
    if any(row.time_ms is not None and row.time_ms.value * NS_PER_MS > MAX_TIME_NS for row in rows):
        raise TableUnusable("a time is impossibly large")
    is_looked_up = all(row.percent.ulp <= Fraction(1, 1_000) for row in rows) or _are_steps(rows)
    whole_ms = all(row.time_ms is not None and row.time_ms.value.denominator == 1 for row in rows)
    for row in rows:
        if row.time_ms is None:
            continue
        least, most = row.percent.lower / 100, row.percent.upper / 100
        if is_complete and row is rows[-1] and row.percent.value == _WHOLE:
            least = Fraction(1)
        if is_looked_up:
            lower_ns, upper_ns = bucket_ns(row.time_ms.value)
            statements.at_least(upper_ns, least)
            statements.at_most(lower_ns, most)
        else:
            _add_counted(statements, row.time_ms.value, (least, most), cut_to_ms=whole_ms)


def _are_steps(rows: list[PercentRow]) -> bool:
    """Return whether all shares have two decimals, and those up to 50 % are exactly 0, 5, 10, …, 50."""
    halves = [row.percent.value for row in rows if row.percent.value <= _HALF]
    two_decimals = all(row.percent.ulp == Fraction(1, 100) for row in rows)
    return two_decimals and halves == list(range(0, _HALF + 1, _STEP))


def bucket_ns(time_ms: Fraction, layout: HdrLayout = TABLE_LAYOUT) -> tuple[int, int]:
    """Return the edges in ns, lower inclusive and upper exclusive, of the bucket that a printed time names.

    From 8,192 ms on, times are printed less precisely than buckets, so that neighbouring buckets are
    included. Raise LatencyImpossible for a time over MAX_TIME_NS.
    """
    slack = time_ms * _FLOAT_RELATIVE if time_ms >= _FLOAT_FROM_MS else Fraction(0)
    lower = hdr_bucket_ns(layout, max(0, math.floor((time_ms - slack) * 1_000)))[0]
    return lower, hdr_bucket_ns(layout, math.ceil((time_ms + slack) * 1_000))[1]


def _add_counted(
    statements: Statements, time_ms: Fraction, shares: tuple[Fraction, Fraction], *, cut_to_ms: bool
) -> None:
    """Add the bounds of a row whose `shares` (least and most) are of the operations counted so far.

    Nothing for a time of 0. `cut_to_ms`: latencies may have been cut to whole milliseconds before.
    """
    if time_ms <= 0:
        return
    half_step_ms = Fraction(10) ** (_decade(time_ms) - 1) / 2
    end_us = (time_ms + half_step_ms) * 1_000
    statements.at_most(math.ceil(end_us) * NS_PER_US, shares[1])
    beyond_ns = (math.floor(end_us) + 1) * NS_PER_US
    if cut_to_ms:
        beyond_ns = max(beyond_ns, (math.floor(time_ms + half_step_ms) + 1) * NS_PER_MS)
    statements.at_least(beyond_ns, shares[0])


def _decade(value: Fraction) -> int:
    """Return the exponent of the largest power of ten that is at most the value, which is over 0."""
    decade = len(str(math.floor(value))) - 1 if value >= 1 else -len(str(math.floor(1 / value)))
    while Fraction(10) ** decade > value:
        decade -= 1
    while Fraction(10) ** (decade + 1) <= value:
        decade += 1
    return decade
