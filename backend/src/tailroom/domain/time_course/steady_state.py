"""The steady state of a run, by the window of the SNIA performance test specification, and its warm-up.

Five consecutive rounds are steady if their largest and smallest value differ by at most 20 % of the mean, and
the line of least squares through them rises or falls by at most 10 % of the mean. For shares near 0 a ratio
of the mean is meaningless; there a tenth and a twentieth of the limit are enough. Judged on throughput, mean
latency and the share at or over each threshold; the run is steady from the first window in which all of them
are. Source: docs/method.md 3.1; SNIA Solid State Storage Performance Test Specification, "steady state".

MSER-5 cuts a warm-up where the mean of the rest is known best: values are averaged in fives, and the cut
minimises the variance of the rest over its length, within the first half. At least ten minutes are cut and
never more than half of the run; a minimum at the half means that there is no steady state. Certification by
ACT's rules must not cut anything: both numbers are shown if they differ. Source: docs/method.md 3.2; White,
Simulation 69 (1997) 323.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tailroom.domain.confidence.effective_samples import check_series
from tailroom.domain.errors import DomainError
from tailroom.domain.latency.bounds import Floats
from tailroom.domain.latency.intervals import IntervalRecords, SliceTooShort
from tailroom.domain.units import NS_PER_HOUR, NS_PER_MINUTE, duration_text, latency_text

WINDOW_ROUNDS = 5
"""Rounds of a window."""
RANGE_RATIO = 0.2
"""Largest range of a steady window, as a ratio of its mean."""
EXCURSION_RATIO = 0.1
"""Largest rise or fall of the fitted line over a steady window, as a ratio of its mean."""
RANGE_FLOOR_OF_LIMIT = 0.1
"""Range of a share that is always steady, as a ratio of the limit."""
EXCURSION_FLOOR_OF_LIMIT = 0.05
"""Rise or fall of a share that is always steady, as a ratio of the limit."""
_LONG_RUN_NS = 12 * NS_PER_HOUR
_ROUNDING = 1.0 + 1e-12


class RoundsInvalid(DomainError):
    """Values of rounds, or a limit, are out of their range."""


@dataclass(frozen=True, slots=True)
class PtsWindow:
    """One window of rounds with the range of its values and the rise or fall of the fitted line (excursion),
    as ratios of the mean, None if the mean is 0. `slope` is that of the line, in units of the value per
    round.
    """

    is_steady: bool
    mean: float
    range_ratio: float | None
    excursion_ratio: float | None
    slope: float


@dataclass(frozen=True, slots=True)
class SeriesSteadiness:
    """A series over the rounds: its first steady window and the window's first round, or else a `reason`."""

    name: str
    first_round: int | None
    window: PtsWindow | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class SteadyState:
    """The first window, from `start_ns` to `end_ns`, in which all series are steady; None, with a reason, if
    there is none. `rounds` counts the complete rounds of `round_ns`. `series` is empty if these are too few,
    or if intervals are too long.
    """

    round_ns: int
    rounds: int
    series: tuple[SeriesSteadiness, ...]
    first_round: int | None
    start_ns: int | None
    end_ns: int | None
    reason: str | None


def pts_window(values: Sequence[float] | Floats, limit_ratio: float | None = None) -> PtsWindow:
    """Return whether one window of rounds is steady, with its figures. For a share with the limit
    `limit_ratio`, a tenth of the limit (range) and a twentieth (excursion) are always tolerated. Raise
    RoundsInvalid for fewer than two rounds, a negative value or a limit outside 0 to 1.
    """
    rounds = np.asarray(values, dtype=np.float64)
    _check_rounds(rounds, limit_ratio)
    if rounds.size < 2:
        raise RoundsInvalid(f"a window needs at least two rounds, not {rounds.size}")
    mean = float(rounds.mean())
    spread = float(rounds.max() - rounds.min())
    position = np.arange(rounds.size) - (rounds.size - 1) / 2.0
    slope = float(position @ (rounds - mean)) / float(position @ position)
    excursion = abs(slope) * (rounds.size - 1)
    floor = limit_ratio or 0.0
    steady = spread <= max(RANGE_RATIO * mean, RANGE_FLOOR_OF_LIMIT * floor) * _ROUNDING
    steady = steady and excursion <= max(EXCURSION_RATIO * mean, EXCURSION_FLOOR_OF_LIMIT * floor) * _ROUNDING
    if mean <= 0.0:
        return PtsWindow(steady, mean, None, None, slope)
    return PtsWindow(steady, mean, spread / mean, excursion / mean, slope)


def first_steady_window(
    values: Sequence[float] | Floats, limit_ratio: float | None = None
) -> tuple[int, PtsWindow] | None:
    """Return the position of the first round of the first steady window, and that window, or None. Raise
    RoundsInvalid for a negative value or a limit outside 0 to 1.
    """
    rounds = np.asarray(values, dtype=np.float64)
    _check_rounds(rounds, limit_ratio)
    for first in range(rounds.size - WINDOW_ROUNDS + 1):
        window = pts_window(rounds[first : first + WINDOW_ROUNDS], limit_ratio)
        if window.is_steady:
            return first, window
    return None


def round_length_ns(measured_ns: int) -> int:
    """Return the length of a round in ns: 10 minutes, or an hour for runs of 12 hours and more."""
    return NS_PER_HOUR if measured_ns >= _LONG_RUN_NS else 10 * NS_PER_MINUTE


def steady_state(intervals: IntervalRecords, limits: Mapping[int, float | None]) -> SteadyState:
    """Return the steady state of a run by rounds of `round_length_ns`. Only complete
    rounds count, and a window never spans a missing round. `limits` maps thresholds (ns) to the allowed
    share, None without a limit; both bounds of a share must be steady. If intervals are too long or rounds
    too few, it is not reached, with a reason.
    """
    length_ns = round_length_ns(intervals.end_ns)
    try:
        rounds = intervals.sliced(length_ns, full_only=True)
    except SliceTooShort as too_long:
        return SteadyState(length_ns, 0, (), None, None, None, f"not reached: {too_long}")
    numbers = rounds.start_ns // length_ns
    if rounds.size < WINDOW_ROUNDS:
        reason = (
            f"not reached: too few rounds ({rounds.size} full ones of {duration_text(length_ns)}; "
            f"{WINDOW_ROUNDS} are needed)"
        )
        return SteadyState(length_ns, rounds.size, (), None, None, None, reason)
    consecutive = [
        first
        for first in range(rounds.size - WINDOW_ROUNDS + 1)
        if numbers[first + WINDOW_ROUNDS - 1] - numbers[first] == WINDOW_ROUNDS - 1
    ]
    courses = [_throughput(rounds), _mean_latency(rounds)]
    courses += [_exceedance(rounds, at, limit) for at, limit in sorted(limits.items())]
    steady = [{first for first in consecutive if course.is_steady(first)} for course in courses]
    series = tuple(
        course.answer(min(passed, default=None), numbers)
        for course, passed in zip(courses, steady, strict=True)
    )
    all_steady = min(set.intersection(*steady), default=None)
    if all_steady is None:
        unsettled = [part.name for part in series if part.first_round is None]
        why = ", ".join(unsettled) if unsettled else "no window in which all series are steady at once"
        return SteadyState(length_ns, rounds.size, series, None, None, None, f"not reached: {why}")
    first_round = int(numbers[all_steady])
    end_ns = (first_round + WINDOW_ROUNDS) * length_ns
    return SteadyState(length_ns, rounds.size, series, first_round, first_round * length_ns, end_ns, None)


@dataclass(frozen=True, slots=True, eq=False)
class _RoundSeries:
    """One series over the complete rounds. `ends` are its lower and upper bounds by round, or one array if it
    is exact. `limit_ratio` is the limit of a share, else None; `reason` is why it cannot be tested.
    """

    name: str
    ends: tuple[Floats, ...]
    limit_ratio: float | None = None
    reason: str | None = None

    def is_steady(self, first: int) -> bool:
        """Return whether both bounds are steady in the window at a position; false if not testable."""
        return self.reason is None and all(
            pts_window(end[first : first + WINDOW_ROUNDS], self.limit_ratio).is_steady for end in self.ends
        )

    def answer(self, first: int | None, numbers: np.typing.NDArray[np.int64]) -> SeriesSteadiness:
        """Return the result for this series. `first` is the position of its first steady window, None without
        any, and `numbers` has the number of each round since the start of the run.
        """
        if first is None:
            return SeriesSteadiness(self.name, None, None, self.reason or "not reached")
        window = pts_window(self.ends[-1][first : first + WINDOW_ROUNDS], self.limit_ratio)
        return SeriesSteadiness(self.name, int(numbers[first]), window, None)


def _throughput(rounds: IntervalRecords) -> _RoundSeries:
    """Return answered operations per second by round; not testable if a round has none."""
    rate = rounds.count / (rounds.duration_ns / 1e9)
    reason = None if (rate > 0.0).all() else "a round without any answered operation"
    return _RoundSeries("throughput", (rate,), None, reason)


def _mean_latency(rounds: IntervalRecords) -> _RoundSeries:
    """Return the mean latency in ns by round; not testable if a sum is unknown or a round has no answers."""
    if (rounds.sum_ns < 0).any():
        return _RoundSeries("mean latency", (), None, "the sum of latencies is not on record")
    if (rounds.count == 0).any():
        return _RoundSeries("mean latency", (), None, "a round without any answered operation")
    return _RoundSeries("mean latency", (rounds.sum_ns / rounds.count,))


def _exceedance(rounds: IntervalRecords, threshold_ns: int, limit_ratio: float | None) -> _RoundSeries:
    """Return bounds of the share at or over a threshold by round; not testable if a round is empty."""
    name = f"share at or over {latency_text(threshold_ns)}"
    if (rounds.totals == 0).any():
        return _RoundSeries(name, (), limit_ratio, "a round without any operation")
    lower, upper = rounds.over(threshold_ns)
    return _RoundSeries(name, (lower / rounds.totals, upper / rounds.totals), limit_ratio)


def _check_rounds(rounds: Floats, limit_ratio: float | None) -> None:
    """Raise RoundsInvalid for a negative value or a limit outside 0 to 1, SeriesInvalid if not finite."""
    if rounds.size:
        check_series(rounds)
        if float(rounds.min()) < 0.0:
            raise RoundsInvalid(f"the value {float(rounds.min())} of a round must not be negative")
    if limit_ratio is not None and not 0.0 < limit_ratio < 1.0:
        raise RoundsInvalid(f"the limit of a share must lie between 0 and 1, not at {limit_ratio}")


LEAST_CUT_NS = 10 * NS_PER_MINUTE
_BATCH = 5
_FEWEST_BATCHES = 4


@dataclass(frozen=True, slots=True)
class MserCut:
    """Number of values to leave out at the beginning. `at_half`: half of the series, so no part is steady."""

    values: int
    at_half: bool


@dataclass(frozen=True, slots=True)
class Ramp:
    """End of the warm-up in ns from the run's start; None, with a reason, if unknown. `mser_cut_ns` is what
    MSER-5 alone cuts, counted from the first interval, None if not computed.
    """

    cut_ns: int | None
    mser_cut_ns: int | None
    reason: str | None


def mser5(values: Floats) -> MserCut | None:
    """Return the warm-up cut of least error by MSER-5, a multiple of five values in the first half; None for
    fewer than 20 values. Raise SeriesInvalid without values or if one is not finite.
    """
    check_series(values)
    count = values.size // _BATCH
    if count < _FEWEST_BATCHES:
        return None
    batches = values[: count * _BATCH].reshape(count, _BATCH).mean(axis=1)
    # About their mean, so that nothing cancels in the sums of squares.
    batches = batches - batches.mean()
    left = np.arange(count, 0, -1, dtype=np.float64)
    rest = np.cumsum(batches[::-1])[::-1]
    squares = np.cumsum(batches[::-1] ** 2)[::-1]
    score = np.maximum(0.0, squares - rest**2 / left) / left**2
    half = count // 2
    best = int(np.argmin(score[: half + 1]))
    return MserCut(best * _BATCH, best == half)


def ramp(intervals: IntervalRecords) -> Ramp:
    """Return the warm-up of a run by the mean latency of its intervals. It is unknown, with a reason, for a
    run below 20 minutes or 20 filled intervals, without sums of latencies, or without a steady state.
    """
    if not intervals.size:
        return Ramp(None, None, "nothing was measured")
    start_ns, end_ns = int(intervals.start_ns[0]), intervals.end_ns
    if end_ns - start_ns < 2 * LEAST_CUT_NS:
        reason = (
            f"{duration_text(end_ns - start_ns)} are too short: {duration_text(LEAST_CUT_NS)} are over half"
        )
        return Ramp(None, None, reason)
    filled = intervals.count > 0
    if (intervals.sum_ns[filled] < 0).any():
        return Ramp(None, None, "the sum of latencies is not on record")
    mean_ns = intervals.sum_ns[filled] / intervals.count[filled]
    cut = mser5(mean_ns) if mean_ns.size else None
    if cut is None:
        return Ramp(None, None, f"{mean_ns.size} intervals are too few to find a ramp in them")
    mser_cut_ns = int(intervals.start_ns[filled][cut.values]) - start_ns
    if cut.at_half or 2 * mser_cut_ns > end_ns - start_ns:
        return Ramp(None, mser_cut_ns, "no steady state: the mean still moves at half of the run")
    return Ramp(start_ns + max(LEAST_CUT_NS, mser_cut_ns), mser_cut_ns, None)
