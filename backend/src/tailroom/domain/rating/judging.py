"""Whether tests keep limits on the share of slow reads: many tests at once, by what is on record of each.

A test holds shares at thresholds, each between two ends: what rounding or buckets allow, and for counted
reads also one-sided 95 % confidence. Between thresholds a share lies between those of its neighbours. A limit
is strict: kept if the upper end lies below it, missed if the lower end reaches it, else undecided.

Rules that ask for every full hour are held against the worst full hour where hours were counted. Published
tests have figures of the whole run alone: a whole run that misses a limit has an hour that does, and one that
keeps it counts as a pass *as published*, which `Basis` tells. A run of our own record that has no hours stays
undecided. Source: docs/method.md 2.1, 6.1, 6.2.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from tailroom.domain.units import NS_PER_HOUR, NS_PER_MS
from tailroom.domain.verdicts.budget_kinds import ExceedanceBudget, Limit

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.int8]

UNKNOWN = -1


class State(IntEnum):
    """What a test says of a question."""

    UNDECIDED = 0
    PASSED = 1
    FAILED = 2


class Why(IntEnum):
    """Why a test decides nothing."""

    DECIDED = 0
    RESOLUTION = 1
    SAMPLES = 2
    DURATION = 3
    GENERATOR = 4
    METADATA = 5
    NOT_JUDGED = 6
    """There was no time for it yet."""


class Basis(IntEnum):
    """What a judgement rests on."""

    WHOLE_RUN = 0
    EVERY_HOUR = 1


class Doubt(IntEnum):
    """What makes the load of a test doubtful."""

    NONE = 0
    NO_PASS = 1
    """Too little was asked of the drive, or the next read waited for the answer."""
    NO_VERDICT = 2
    NO_FAIL = 3
    """Slices of the generator are in doubt (docs/adr/0017): lower ends are those with them at their best."""


@dataclass(frozen=True, slots=True, eq=False)
class Knots:
    """Shares of many tests at their thresholds, the tests one after another, thresholds ascending in each.

    `ends` has six rows: lower and upper end by rounding or buckets, then with confidence, then of the worst
    full hour (0 and 1 where no hours were counted).
    """

    thresholds_ns: Ints
    """Every threshold that any test has, ascending."""
    offsets: Ints
    """Where the knots of each test begin; one more entry than tests."""
    at: Ints
    """Of each knot: the place of its threshold in `thresholds_ns`."""
    ends: Floats

    @property
    def size(self) -> int:
        """Number of tests."""
        return int(self.offsets.size - 1)

    def bounds(self, threshold_ns: int) -> Floats:
        """Six rows as `ends`, one column a test: what its knots allow at any threshold."""
        width = self.thresholds_ns.size + 2
        tests = np.arange(self.size, dtype=np.int64)
        owner = np.repeat(tests, np.diff(self.offsets))
        key = owner * width + self.at
        first = int(np.searchsorted(self.thresholds_ns, threshold_ns, side="left"))
        last = int(np.searchsorted(self.thresholds_ns, threshold_ns, side="right")) - 1
        result = np.empty((6, self.size))
        result[0::2], result[1::2] = 0.0, 1.0
        # Shares fall with the threshold: the next knot gives the lower end, the one before the upper end.
        following = np.searchsorted(key, tests * width + first, side="left")
        has_next = following < self.offsets[1:]
        result[0::2, has_next] = self.ends[0::2][:, following[has_next]]
        before = np.searchsorted(key, tests * width + last, side="right") - 1
        has_before = before >= self.offsets[:-1]
        result[1::2, has_before] = self.ends[1::2][:, before[has_before]]
        return result


@dataclass(frozen=True, slots=True, eq=False)
class TestFacts:
    """What else is known of each test."""

    __test__ = False

    is_published: Bools
    duration_ns: Ints
    """`UNKNOWN` where not stated."""
    full_hours: Ints
    """Full hours that were counted; `UNKNOWN` where there is no course over time."""
    doubt: Codes
    device_failed: Bools
    """The drive could not keep up, and the test was stopped for it."""


@dataclass(frozen=True, slots=True, eq=False)
class Decisions:
    """For each test: `State`, `Why` where undecided, `Basis`."""

    state: Codes
    why: Codes
    basis: Codes


def judge_limits(knots: Knots, facts: TestFacts, budget: ExceedanceBudget) -> Decisions:
    """Every test against a budget's limits, and its full slices where the budget's certification decides."""
    certifies = budget.certification is not None and budget.certification.decides
    measured = [knots.bounds(limit.threshold_ns) for limit in budget.limits]
    whole = _whole_run(measured, budget.limits, facts)
    if not certifies:
        return whole
    return _every_hour(measured, budget, facts, whole)


def _kept(measured: Sequence[Floats], limits: Sequence[Limit], row: int) -> tuple[Bools, Bools]:
    """Whether every limit is kept for certain, and whether one is missed for certain, by a pair of ends."""
    pairs = list(zip(measured, limits, strict=True))
    kept = np.logical_and.reduce([ends[row + 1] < limit.ratio for ends, limit in pairs])
    missed = np.logical_or.reduce([ends[row] >= limit.ratio for ends, limit in pairs])
    return kept, missed


def _whole_run(measured: Sequence[Floats], limits: Sequence[Limit], facts: TestFacts) -> Decisions:
    kept, missed = _kept(measured, limits, 2)
    kept_plain, missed_plain = _kept(measured, limits, 0)
    state = np.full(kept.size, State.UNDECIDED, np.int8)
    why = np.where(kept_plain | missed_plain, Why.SAMPLES, Why.RESOLUTION).astype(np.int8)
    why[(facts.doubt == Doubt.NO_FAIL) & ~kept_plain & ~missed_plain] = Why.GENERATOR
    state[kept] = State.PASSED
    state[missed] = State.FAILED
    blocked = (facts.doubt == Doubt.NO_VERDICT) | ((facts.doubt == Doubt.NO_PASS) & (state == State.PASSED))
    state[blocked] = State.UNDECIDED
    why[blocked] = Why.GENERATOR
    state[facts.device_failed] = State.FAILED
    why[state != State.UNDECIDED] = Why.DECIDED
    return Decisions(state, why, np.full(kept.size, Basis.WHOLE_RUN, np.int8))


def _every_hour(
    measured: Sequence[Floats], budget: ExceedanceBudget, facts: TestFacts, whole: Decisions
) -> Decisions:
    state, why, basis = whole.state.copy(), whole.why.copy(), whole.basis.copy()
    wanted_ns, slice_ns = budget.certification_duration_ns, budget.certification_slice_ns
    is_short = (facts.duration_ns != UNKNOWN) & (facts.duration_ns < wanted_ns)
    hours = ~facts.is_published & (facts.full_hours != UNKNOWN) & (slice_ns == NS_PER_HOUR)
    # Without hours: a whole run that misses a limit has an hour that does; one that keeps it proves nothing.
    plain = ~facts.is_published & ~hours & (state == State.PASSED)
    state[plain], why[plain] = State.UNDECIDED, Why.RESOLUTION
    kept, missed = _kept(measured, budget.limits, 4)
    basis[hours] = Basis.EVERY_HOUR
    state[hours & kept], why[hours & kept] = State.PASSED, Why.DECIDED
    unclear = hours & ~kept & ~missed
    state[unclear], why[unclear] = State.UNDECIDED, Why.RESOLUTION
    why[unclear & (facts.doubt == Doubt.NO_FAIL)] = Why.GENERATOR
    lacks = hours & kept & (facts.full_hours < wanted_ns // slice_ns)
    state[lacks], why[lacks] = State.UNDECIDED, Why.GENERATOR
    blocked = hours & ((facts.doubt == Doubt.NO_PASS) | (facts.doubt == Doubt.NO_VERDICT))
    state[blocked], why[blocked] = State.UNDECIDED, Why.GENERATOR
    short = is_short & (state != State.FAILED)
    state[short], why[short] = State.UNDECIDED, Why.DURATION
    failed = (hours & missed & (facts.doubt != Doubt.NO_VERDICT)) | facts.device_failed
    state[failed], why[failed] = State.FAILED, Why.DECIDED
    return Decisions(state, why, basis)


def as_timed(knots: Knots, is_legacy: Bools) -> Knots:
    """What labels of ACT before 2.0 say of true times, for tests that are marked; the others as they are.

    Those versions counted differences of whole milliseconds from twice the label on. A share `p` at the label
    L says `P(X >= 2L ms) <= p <= P(X > (2L - 1) ms)`: more reads than `p` may take L or longer. Source:
    docs/method.md 5.1.
    """
    thresholds: list[Ints] = []
    ends: list[Floats] = []
    for test in range(knots.size):
        own = slice(int(knots.offsets[test]), int(knots.offsets[test + 1]))
        at, values = knots.thresholds_ns[knots.at[own]], knots.ends[:, own]
        if is_legacy[test]:
            sure, possible = values.copy(), values.copy()
            sure[1::2], possible[0::2] = 1.0, 0.0
            at = np.concatenate((2 * at - NS_PER_MS, 2 * at))
            values = np.concatenate((sure, possible), axis=1)
            order = np.argsort(at, kind="stable")
            at, values = at[order], _monotone(values[:, order])
        thresholds.append(at)
        ends.append(values)
    return knots_of(thresholds, ends)


def knots_of(thresholds_ns: Sequence[Ints], ends: Sequence[Floats]) -> Knots:
    """Knots of tests one after another: ascending thresholds of each, and its six rows of ends."""
    lengths = np.array([one.size for one in thresholds_ns], np.int64)
    flat = np.concatenate(thresholds_ns) if thresholds_ns else np.empty(0, np.int64)
    every, at = np.unique(flat, return_inverse=True)
    together = np.concatenate(ends, axis=1) if ends else np.empty((6, 0))
    offsets = np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths)))
    return Knots(every.astype(np.int64), offsets, at.astype(np.int64), together)


def _monotone(values: Floats) -> Floats:
    """Shares fall with the threshold: lower ends hold before a knot, upper ends after it."""
    values[0::2] = np.maximum.accumulate(values[0::2, ::-1], axis=1)[:, ::-1]
    values[1::2] = np.minimum.accumulate(values[1::2], axis=1)
    return values
