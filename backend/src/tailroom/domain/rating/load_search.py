"""The bracket of a search for the highest load at which an objective holds, from its probes in their order.

The agent decides by the same rule which load it measures next (`agent/crates/workloads/src/load_search/`);
both read the cases of `docs/contracts/golden/load-search.json`. The counts of probes of one load are added up
as long as their shares of late operations differ by no more than their standard errors allow. Failure is not
assumed to be monotone: a load whose result changes by more than that is reported, and the bracket lies below
the lowest failure. Loads are operations a second. Source: docs/load-search.md.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Any

from tailroom.domain.verdicts.verdict import Judgement, Reason, Verdict

SURE = 2.2
"""Standard errors from which on two late shares, or a share and its limit, differ by more than chance."""
NEAR = 4.0
"""The dispersion is taken from probes whose late share lies within this factor of the limit."""
_LONGEST_TEXT = 300
"""Most characters of a search's id or objective."""
_MOST_STEPS = 100_000


class ProbeWord(StrEnum):
    """The result of a probe at its load."""

    PASS = "PASS"  # noqa: S105 - a word of the product, not a password
    FAIL = "FAIL"
    LIMITED = "LIMITED"
    """The objective was missed, but the load generator was late or busy: it may be the cause."""


class SearchEnd(StrEnum):
    """Why a search has ended, as its last probe states it (docs/contracts/wire.md): the bracket is narrow
    enough, the load generator cannot make more, no probes or time are left, the highest permitted load holds,
    no load holds, it was stopped and can be continued, or it failed.
    """

    PRECISION = "precision"
    GENERATOR = "generator"
    PROBES = "probes"
    TIME = "time"
    TOP = "top"
    NO_PASS = "no-pass"  # noqa: S105 - a word of the product, not a password
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class ProbePlan:
    """The position of a run in a search, as its plan states it. `step` counts from 1."""

    search_id: str
    step: int
    load_per_s: float
    objective: str


@dataclass(frozen=True, slots=True)
class LateCounts:
    """Operations that failed or took the limit or longer (`late`), and all that were due (`total`)."""

    late: int
    total: int

    @property
    def share(self) -> float:
        """Share of late operations; 0 without operations."""
        return self.late / max(self.total, 1)

    def __add__(self, other: "LateCounts") -> "LateCounts":
        return LateCounts(self.late + other.late, self.total + other.total)


@dataclass(frozen=True, slots=True)
class LoadProbe:
    """A completed probe. `dispersion` is the variance of late operations between slices, at least 1."""

    load_per_s: float
    word: ProbeWord
    counts: LateCounts
    dispersion: float

    @staticmethod
    def from_slices(load_per_s: float, word: ProbeWord, slices: Sequence[LateCounts]) -> "LoadProbe":
        """Return the probe of a load from counts of slices; dispersion 1 if no or all operations are late."""
        counts = sum(slices, LateCounts(0, 0))
        number, squares = float(len(slices)), 0.0
        for piece in slices:
            distance = piece.late - counts.share * piece.total
            squares += distance * distance
        squares = squares * number / max(number - 1.0, 1.0)
        independent = counts.late * (1.0 - counts.share)
        dispersion = max(squares / independent, 1.0) if independent > 0.0 else 1.0
        return LoadProbe(load_per_s, word, counts, dispersion)


@dataclass(frozen=True, slots=True)
class WordChange:
    """A load that was measured again with another result, by more than chance if `is_beyond_scatter`.
    `before_followed` and `after_followed` are the results of the probes directly before each of the two, at
    whatever load, None before the first.
    """

    load_per_s: float
    before: ProbeWord
    before_followed: ProbeWord | None
    after: ProbeWord
    after_followed: ProbeWord | None
    is_beyond_scatter: bool

    @property
    def is_hysteresis(self) -> bool:
        """Whether the result changed beyond chance and each result follows a like result: a pass after a pass
        or first of all, another result after one that is no pass.
        """
        return (
            self.is_beyond_scatter
            and _follows(self.before, self.before_followed)
            and _follows(self.after, self.after_followed)
        )


@dataclass(frozen=True, slots=True)
class LoadBracket:
    """The result of all probes of a search, in operations a second; None if no probe shows a load.
    `passed_per_s` is the highest load that held, below every load that did not. `failed_per_s` is the lowest
    load above it that did not hold, or `limited_per_s` if the generator could not make it. `surely_*` are the
    same by more than chance.
    """

    passed_per_s: float | None = None
    failed_per_s: float | None = None
    limited_per_s: float | None = None
    surely_passed_per_s: float | None = None
    surely_failed_per_s: float | None = None
    is_repeated: bool = False
    """Whether both ends were probed at least twice since their result last changed."""
    changes: tuple[WordChange, ...] = ()
    passes_above_failure: tuple[float, ...] = ()


class BracketEffect(StrEnum):
    """How a later bracket of an objective lies relative to an earlier bracket."""

    LOWER = "lower"
    """The later bracket lies below the earlier: less load holds."""
    HIGHER = "higher"
    NOT_SHOWN = "not shown"
    """They overlap, or an end that would decide is open."""


def effect_of(before: LoadBracket, after: LoadBracket) -> BracketEffect:
    """Return whether the bracket `after` lies wholly below `before`, wholly above it, or neither."""
    if _is_below(after, before):
        return BracketEffect.LOWER
    return BracketEffect.HIGHER if _is_below(before, after) else BracketEffect.NOT_SHOWN


def _is_below(lower: LoadBracket, higher: LoadBracket) -> bool:
    """Return whether the lower bracket ends at or below the start of the higher; false if either is open."""
    top, bottom = lower.surely_failed_per_s, higher.surely_passed_per_s
    return top is not None and bottom is not None and top <= bottom


@dataclass(frozen=True, slots=True)
class _ProbedLoad:
    """The results of a load's `repeats` probes since its last change, the last at the position `last`.
    `margin` is how many standard errors the late share lies below the allowed share, negative if above.
    """

    load_per_s: float
    word: ProbeWord
    repeats: int
    last: int
    margin: float


def probe_of(plan: Mapping[str, Any]) -> ProbePlan | None:
    """Return the position in a search that a run's plan states; None if a part is missing or invalid."""
    ladder = plan.get("ladder")
    if not isinstance(ladder, Mapping) or ladder.get("kind") != "probe":
        return None
    search_id, step = ladder.get("id"), ladder.get("step")
    load, objective = ladder.get("load_per_s"), ladder.get("objective")
    if not isinstance(search_id, str) or not isinstance(objective, str):
        return None
    if not 1 <= len(search_id) <= _LONGEST_TEXT or not 1 <= len(objective) <= _LONGEST_TEXT:
        return None
    if not isinstance(step, int) or isinstance(step, bool) or not 1 <= step <= _MOST_STEPS:
        return None
    if not isinstance(load, int | float) or isinstance(load, bool) or not math.isfinite(load) or load <= 0:
        return None
    return ProbePlan(search_id, step, float(load), objective)


def word_of_judgement(judgement: Judgement) -> ProbeWord | None:
    """Return the result of a probe; undecided it is LIMITED by the load generator, or else None."""
    if judgement.verdict is Verdict.INDETERMINATE:
        return ProbeWord.LIMITED if judgement.reason is Reason.GENERATOR else None
    return ProbeWord(judgement.verdict.value)


def bracket_of(allowed_share: float, probes: Sequence[LoadProbe]) -> LoadBracket:
    """Return the bracket of probes, in the order measured; `allowed_share` of operations may be late."""
    scatter = _StandardErrors.of(allowed_share, probes)
    numbers_of: dict[float, list[int]] = {}
    for number, probe in enumerate(probes):
        numbers_of.setdefault(probe.load_per_s, []).append(number)
    changes: list[tuple[int, WordChange]] = []
    loads: list[_ProbedLoad] = []
    for load_per_s in sorted(numbers_of):
        numbers, since, alike_since = numbers_of[load_per_s], 0, 0
        for place, (before, after) in enumerate(pairwise(numbers), 1):
            # Shares that differ do not count together, also where the word stayed.
            if scatter.difference(probes[before].counts, probes[after].counts) >= SURE:
                alike_since = place
            change = _change(probes, before, after, scatter)
            if change is not None:
                since = place if change.is_beyond_scatter else since
                changes.append((after, change))
        loads.append(_probed_load(probes, numbers[since:], numbers[alike_since:], scatter))
    changes.sort(key=lambda entry: entry[0])
    return _bracket(loads, changes)


def _bracket(loads: Sequence[_ProbedLoad], changes: Sequence[tuple[int, WordChange]]) -> LoadBracket:
    """Return the bracket of ascending loads; `changes` begin with the position of the later probe."""
    lowest_failure = next((row.load_per_s for row in loads if row.word is ProbeWord.FAIL), math.inf)
    below = [row for row in loads if row.word is ProbeWord.PASS and row.load_per_s < lowest_failure]
    lower = below[-1] if below else None
    floor = 0.0 if lower is None else lower.load_per_s
    upper = next((row for row in loads if row.word is not ProbeWord.PASS and row.load_per_s > floor), None)
    failed = None if upper is None or upper.word is ProbeWord.LIMITED else upper.load_per_s
    last_change = max((number for number, change in changes if change.is_beyond_scatter), default=0)

    def sure(word: ProbeWord) -> list[float]:
        """Return the loads with this result by more than chance that were probed after the last change."""
        return [
            row.load_per_s
            for row in loads
            if row.word is word and abs(row.margin) >= SURE and row.last >= last_change
        ]

    passes = [] if lower is None else [load for load in sure(ProbeWord.PASS) if load <= lower.load_per_s]
    failures = [] if failed is None else [load for load in sure(ProbeWord.FAIL) if load >= failed]
    return LoadBracket(
        None if lower is None else lower.load_per_s,
        failed,
        upper.load_per_s if upper is not None and upper.word is ProbeWord.LIMITED else None,
        max(passes, default=None),
        min(failures, default=None),
        lower is not None and upper is not None and min(lower.repeats, upper.repeats) > 1,
        tuple(change for _, change in changes),
        tuple(
            row.load_per_s
            for row in loads
            if row.word is ProbeWord.PASS and failed is not None and row.load_per_s > failed
        ),
    )


@dataclass(frozen=True, slots=True)
class _StandardErrors:
    """Differences of shares of late operations in standard errors. Late operations come together:
    `dispersion` of them count as one independent operation.
    """

    allowed_share: float
    dispersion: float

    @staticmethod
    def of(allowed_share: float, probes: Sequence[LoadProbe]) -> "_StandardErrors":
        """Return the standard errors by the mean dispersion of probes near the allowed share (none: 1)."""
        least, most = allowed_share / NEAR, allowed_share * NEAR
        near = [probe.dispersion for probe in probes if least <= probe.counts.share < most]
        total = 0.0
        for dispersion in near:
            total += dispersion
        return _StandardErrors(allowed_share, total / len(near) if near else 1.0)

    def _root(self, share: float, operations: int) -> float:
        """Return the square-root transform of a late count, with a standard error of 1 (Anscombe)."""
        return 2.0 * math.sqrt(share * operations / self.dispersion + 0.375)

    def margin(self, counts: LateCounts) -> float:
        """Return how many standard errors the late share is below the allowed share; negative if above."""
        return self._root(self.allowed_share, counts.total) - self._root(counts.share, counts.total)

    def difference(self, first: LateCounts, second: LateCounts) -> float:
        """Return by how many standard errors two late shares differ, at the smaller number of operations."""
        total = min(first.total, second.total)
        return abs(self._root(first.share, total) - self._root(second.share, total)) / math.sqrt(2.0)


def _probed_load(
    probes: Sequence[LoadProbe], numbers: Sequence[int], alike: Sequence[int], scatter: _StandardErrors
) -> _ProbedLoad:
    """Return the combined result of a load from its probes `numbers` since its result last changed; the
    counts of those since their late shares last differed, `alike`, are added up.
    """
    last = numbers[-1]
    counts = sum((probes[number].counts for number in alike), LateCounts(0, 0))
    if len(alike) == 1:
        word = probes[last].word
    elif counts.share <= scatter.allowed_share:
        word = ProbeWord.PASS
    elif any(probes[number].word is ProbeWord.LIMITED for number in alike):
        word = ProbeWord.LIMITED
    else:
        word = ProbeWord.FAIL
    return _ProbedLoad(probes[last].load_per_s, word, len(numbers), last, scatter.margin(counts))


def _change(
    probes: Sequence[LoadProbe], before: int, after: int, scatter: _StandardErrors
) -> WordChange | None:
    """Return the change between the probes of a load at two positions; None if both have the same result."""
    first, second = probes[before], probes[after]
    if first.word is second.word:
        return None
    return WordChange(
        first.load_per_s,
        first.word,
        probes[before - 1].word if before else None,
        second.word,
        probes[after - 1].word if after else None,
        scatter.difference(first.counts, second.counts) >= SURE,
    )


def _follows(word: ProbeWord, followed: ProbeWord | None) -> bool:
    """Return whether a pass came first or after a pass, or another result after a result that is no pass."""
    if word is ProbeWord.PASS:
        return followed in {None, ProbeWord.PASS}
    return followed not in {None, ProbeWord.PASS}
