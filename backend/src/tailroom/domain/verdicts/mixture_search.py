"""Room and largest count under the mixture over pieces: the same model that the verdict rests on.

Each question is asked at a few windows, or numbers of operations, whose order the data alone decide. Every
answer gives certain bounds, so the ends that come out are certain too, and only wider than they could be
where the number of questions ran out. Source: METHOD.md sections 1.5, 1.6, 1.7.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

from tailroom.domain.latency.distribution import TimeBounds
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.transactions.interval_mixture import interval_mixture
from tailroom.domain.transactions.plan import COUNT_LIMIT, Plan
from tailroom.domain.transactions.sequential import LargestCount

_Answers = dict[int, tuple[float, float]]
_HIGHEST_WINDOWS = 8
_CLOSE_ENOUGH = 1000
"""The search ends where its two ends differ by less than one part in so many."""


@dataclass(eq=False)
class MixtureSearch:
    """Asks one mixture for other windows and counts, each of which it asks once.

    `known` are the ends at the plan and window themselves; `questions` is how many more each end may take.
    """

    plan: Plan
    records: Mapping[str, IntervalRecords]
    window_ns: int
    objective: float
    known: tuple[float, float]
    questions: int
    points: int
    tolerance: float
    _windows: _Answers = field(default_factory=dict)
    _counts: _Answers = field(default_factory=dict)

    def quantile(self, guess: TimeBounds) -> TimeBounds:
        """Where the objective's quantile lies; no upper end where none was found within eight windows."""
        answers = self._windows
        answers[self.window_ns] = self.known
        highest = _HIGHEST_WINDOWS * self.window_ns
        objective = self.objective
        for end, start in ((0, guess.upper_ns or self.window_ns), (1, guess.lower_ns)):
            kept = partial(_at_least, end, objective)
            self._close_in(answers, self._at_window, kept, start, highest)
        certain = [at for at, p in answers.items() if p[0] >= self.objective]
        late = [at for at, p in answers.items() if p[1] < self.objective]
        return TimeBounds(max(late, default=0), min(certain, default=None))

    def largest(self, guess: LargestCount) -> LargestCount:
        """Largest number of operations that fits for certain, and at best (none: no limit was found)."""
        answers = self._counts
        answers[self.plan.only_stage.largest_count] = self.known
        for end, start in ((0, guess.guaranteed + 1), (1, (guess.possible or COUNT_LIMIT) + 1)):
            missed = partial(_below, end, self.objective)
            self._close_in(answers, self._at_count, missed, start, COUNT_LIMIT)
        fits = [number for number, p in answers.items() if p[0] >= self.objective]
        misses = [number for number, p in answers.items() if p[1] < self.objective]
        return LargestCount(max(fits, default=0), min(misses) - 1 if misses else None)

    def _close_in(
        self,
        answers: _Answers,
        ask: Callable[[int], tuple[float, float]],
        reaches: Callable[[tuple[float, float]], bool],
        guess: int,
        highest: int,
    ) -> None:
        """Towards the smallest number that reaches: in growing steps from the guess, then by halving."""
        at, step, halving = min(max(1, guess), highest), 0.01, False
        before: bool | None = None
        for _ in range(self.questions):
            under = max((number for number, p in answers.items() if not reaches(p)), default=0)
            over = min((number for number, p in answers.items() if reaches(p)), default=None)
            if over is not None and over - under <= max(1, over // _CLOSE_ENOUGH):
                return
            if halving or not under < at < (over or highest + 1):
                at = _between(under, over, highest)
                if at <= under:
                    return
            reached = reaches(ask(at))
            halving |= before is not None and before != reached
            before = reached
            at = int(at / (1.0 + step)) if reached else max(at + 1, int(at * (1.0 + step)))
            step *= 4.0

    def _at_window(self, window_ns: int) -> tuple[float, float]:
        if window_ns not in self._windows:
            self._windows[window_ns] = self._ask(self.plan, window_ns)
        return self._windows[window_ns]

    def _at_count(self, count: int) -> tuple[float, float]:
        if count not in self._counts:
            self._counts[count] = self._ask(self.plan.with_count(count), self.window_ns)
        return self._counts[count]

    def _ask(self, plan: Plan, window_ns: int) -> tuple[float, float]:
        found = interval_mixture(plan, self.records, window_ns, tolerance=self.tolerance, points=self.points)
        return found.p_lower, found.p_upper


def _between(under: int, over: int | None, highest: int) -> int:
    if over is None:
        return min(highest, 2 * under + 1)
    if over > 4 * under > 0:
        return math.isqrt(under * over)
    return (under + over) // 2


def _at_least(end: int, objective: float, ends: tuple[float, float]) -> bool:
    return ends[end] >= objective


def _below(end: int, objective: float, ends: tuple[float, float]) -> bool:
    return ends[end] < objective
