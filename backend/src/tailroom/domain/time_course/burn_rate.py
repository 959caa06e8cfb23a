"""The rate at which a run used up its error budget.

The budget is the share of operations that may be bad, `1 − objective`. A burn rate of 1 uses it up exactly
over the period, 14.4 uses up the budget of 30 days in 50 hours. A rule fires while both of its windows, a
long and a short window, burn at least at its rate. For a benchmark the period is the run. Windows in which
fewer than 10 bad operations are expected are greyed out. Source: docs/method.md 1.9; Google SRE workbook,
chapter 5.

Windows end with each slice. A window is full if its slices cover it but for less than half a median slice, as
in `IntervalRecords.sliced`: clocks may jitter, no slice may be missing. Slices are never split.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tailroom.domain.confidence.effective_samples import check_counts
from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Floats, Int64s
from tailroom.domain.units import NS_PER_HOUR, NS_PER_MINUTE, duration_text


class SlicesInvalid(DomainError):
    """Slices overlap by more than half or are out of order, or a slice or window has no length."""


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """Full windows in order of time: each holds the slices from `first` to `end` (exclusive)."""

    length_ns: int
    first: Int64s
    end: Int64s

    @property
    def size(self) -> int:
        """Number of windows."""
        return int(self.first.size)

    def sums(self, values: Int64s) -> Int64s:
        """Return the sum over each window of `values`, a count for each slice."""
        before = np.concatenate((np.zeros(1, np.int64), np.cumsum(values, dtype=np.int64)))
        added: Int64s = before[self.end] - before[self.first]
        return added


def full_windows(start_ns: Int64s, duration_ns: Int64s, length_ns: int) -> Windows:
    """Return every full window of `length_ns` that ends with a slice, in order; there may be none. Raise
    SlicesInvalid as `check_slices`, and for a length of 0 or less.
    """
    check_slices(start_ns, duration_ns)
    if length_ns <= 0:
        raise SlicesInvalid(f"a window of {length_ns} ns has no length")
    nothing = np.empty(0, np.int64)
    if not start_ns.size:
        return Windows(length_ns, nothing, nothing)
    ends_ns = start_ns + duration_ns
    usual_ns = int(np.median(duration_ns))
    # A window begins with the slice that starts nearest to its length before the end.
    first = np.searchsorted(start_ns, ends_ns - length_ns - usual_ns // 2, side="left")
    end = np.arange(1, start_ns.size + 1)
    covered = np.concatenate((np.zeros(1, np.int64), np.cumsum(duration_ns)))
    held_ns = covered[end] - covered[np.minimum(first, end)]
    full = (first < end) & ((held_ns == length_ns) | (2 * np.abs(held_ns - length_ns) < usual_ns))
    return Windows(length_ns, first[full], end[full])


def check_slices(start_ns: Int64s, duration_ns: Int64s) -> None:
    """Raise SlicesInvalid unless slices ascend, have a length and a start of 0 or later, and overlap by at
    most half of the earlier slice. Both arrays must have the same length.
    """
    if start_ns.ndim != 1 or start_ns.shape != duration_ns.shape:
        raise SlicesInvalid(f"{start_ns.size} starts and {duration_ns.size} durations do not belong together")
    if not start_ns.size:
        return
    if int(duration_ns.min()) <= 0 or int(start_ns.min()) < 0:
        raise SlicesInvalid("a piece needs a start of 0 or later, and a length")
    overlap_ns = start_ns[:-1] + duration_ns[:-1] - start_ns[1:]
    wrong = np.flatnonzero((np.diff(start_ns) <= 0) | (2 * overlap_ns > duration_ns[:-1]))
    if wrong.size:
        at = int(wrong[0]) + 1
        raise SlicesInvalid(
            f"piece {at} starts at {int(start_ns[at])} ns, before the piece before it has ended"
        )


FEWEST_EXPECTED = 10.0
"""Expected bad operations below which a window is greyed out."""
ROLLING_NS = (5 * NS_PER_MINUTE, 30 * NS_PER_MINUTE, NS_PER_HOUR, 6 * NS_PER_HOUR)
"""Lengths of the windows whose fastest burn is shown."""


class BurnInvalid(DomainError):
    """An objective outside 0 to 1, or slices and counts of unequal lengths."""


@dataclass(frozen=True, slots=True, eq=False)
class SloCourse:
    """Slices in order of time with the bad and all operations of each, of which the share `objective_ratio`
    must be good; times count from the start of the run. Raise BurnInvalid for an objective outside 0 to 1 or
    unequal lengths, SlicesInvalid as `check_slices`, IntervalCountsInvalid unless 0 ≤ bad ≤ total.
    """

    start_ns: Int64s
    duration_ns: Int64s
    bad: Int64s
    total: Int64s
    objective_ratio: float

    def __post_init__(self) -> None:
        check_slices(self.start_ns, self.duration_ns)
        check_counts(self.bad, self.total)
        if self.start_ns.shape != self.total.shape:
            raise BurnInvalid(
                f"{self.start_ns.size} pieces and {self.total.size} counts do not belong together"
            )
        if not 0.0 < self.objective_ratio < 1.0:
            raise BurnInvalid(f"an objective lies between 0 and 1, not at {self.objective_ratio}")

    @property
    def end_ns(self) -> Int64s:
        """End of each slice in ns from the start of the run."""
        return self.start_ns + self.duration_ns

    @property
    def allowed_ratio(self) -> float:
        """Share of operations that may be bad."""
        return 1.0 - self.objective_ratio


@dataclass(frozen=True, slots=True)
class BurnRule:
    """A rule that fires while a long and a short window with the same end both burn at `rate` or faster. A
    rate of 1 uses up the budget exactly over its period. `severity` is `page` (wakes a person) or `ticket`.
    """

    severity: str
    rate: float
    long_ns: int
    short_ns: int


MULTIWINDOW_RULES = (
    BurnRule("page", 14.4, NS_PER_HOUR, 5 * NS_PER_MINUTE),
    BurnRule("page", 6.0, 6 * NS_PER_HOUR, 30 * NS_PER_MINUTE),
    BurnRule("ticket", 1.0, 72 * NS_PER_HOUR, 6 * NS_PER_HOUR),
)


@dataclass(frozen=True, slots=True)
class BurnAlert:
    """When a rule first fired (`fired_ns`, the end of its windows), or None if it did not. `reason` is why it
    could not fire, None if it could.
    """

    rule: BurnRule
    fired_ns: int | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class FastestBurn:
    """The window of `length_ns` with the highest burn rate. Without a full window with operations, rate and
    times are None, counts are 0, and `reason` is set. `is_greyed`: every window of this length expects fewer
    than 10 bad operations.
    """

    length_ns: int
    rate: float | None
    start_ns: int | None
    end_ns: int | None
    bad: int
    total: int
    is_greyed: bool
    reason: str | None


@dataclass(frozen=True, slots=True, eq=False)
class BudgetCourse:
    """Use of a run's error budget (`budget`: bad operations allowed) by the end of each slice.
    `consumed_ratio` is over 1 if the budget was exceeded. `exhausted_ns` is the end of the slice that used it
    up, None if it lasted. A burn `rate` of 1 uses it up exactly.
    """

    budget: float
    bad: int
    total: int
    rate: float
    end_ns: Int64s
    consumed_ratio: Floats
    exhausted_ns: int | None


def budget_course(course: SloCourse) -> BudgetCourse | None:
    """Return the use of the run's error budget over time; None without operations."""
    total, bad = int(course.total.sum()), int(course.bad.sum())
    if total == 0:
        return None
    budget = course.allowed_ratio * total
    consumed = np.cumsum(course.bad) / budget
    # A budget that is used up to the last operation is gone; rounding must not save it.
    gone = np.flatnonzero(consumed >= 1.0 - 1e-9)
    exhausted_ns = int(course.end_ns[gone[0]]) if gone.size else None
    return BudgetCourse(budget, bad, total, bad / budget, course.end_ns, consumed, exhausted_ns)


def fastest_burns(course: SloCourse, lengths_ns: Sequence[int] = ROLLING_NS) -> tuple[FastestBurn, ...]:
    """Return the fastest window of each length; those that expect under 10 bad operations count last."""
    return tuple(_fastest_window(course, length_ns) for length_ns in lengths_ns)


def burn_alerts(course: SloCourse) -> tuple[BurnAlert, ...]:
    """Return for each of `MULTIWINDOW_RULES` when it first fired, or that it did not or could not fire."""
    return tuple(_first_alert(course, rule) for rule in MULTIWINDOW_RULES)


def _first_alert(course: SloCourse, rule: BurnRule) -> BurnAlert:
    """Return when a rule first fired, or the reason why it could not."""
    burning = np.ones(course.start_ns.size, dtype=np.bool_)
    is_known = np.ones(course.start_ns.size, dtype=np.bool_)
    for length_ns in (rule.long_ns, rule.short_ns):
        windows = full_windows(course.start_ns, course.duration_ns, length_ns)
        bad, total = windows.sums(course.bad), windows.sums(course.total)
        full, here = np.zeros_like(is_known), np.zeros_like(burning)
        full[windows.end - 1] = total > 0
        limit = rule.rate * course.allowed_ratio * total
        here[windows.end - 1] = (total > 0) & (bad >= limit * (1.0 - 1e-12))
        is_known &= full
        burning &= here
    fired = np.flatnonzero(burning)
    if not is_known.any():
        long, short = duration_text(rule.long_ns), duration_text(rule.short_ns)
        return BurnAlert(rule, None, f"no full {long} with a full {short} at its end is on record")
    return BurnAlert(rule, int(course.end_ns[fired[0]]) if fired.size else None, None)


def _fastest_window(course: SloCourse, length_ns: int) -> FastestBurn:
    """Return the first window of this length with the highest burn rate, or why there is none."""
    windows = full_windows(course.start_ns, course.duration_ns, length_ns)
    bad, total = windows.sums(course.bad), windows.sums(course.total)
    if not (total > 0).any():
        reason = f"no full {duration_text(length_ns)} with operations is on record"
        return FastestBurn(length_ns, None, None, None, 0, 0, is_greyed=False, reason=reason)
    rates = bad / np.maximum(total, 1) / course.allowed_ratio
    solid = course.allowed_ratio * total >= FEWEST_EXPECTED * (1.0 - 1e-9)
    candidates = solid if solid.any() else total > 0
    at = int(np.argmax(np.where(candidates, rates, -1.0)))
    return FastestBurn(
        length_ns,
        float(rates[at]),
        int(course.start_ns[windows.first[at]]),
        int(course.end_ns[windows.end[at] - 1]),
        int(bad[at]),
        int(total[at]),
        is_greyed=not bool(solid[at]),
        reason=None,
    )
