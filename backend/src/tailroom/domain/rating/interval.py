"""The rating of a drive: the interval from the highest passed load to the lowest failed load above it.

A PASS proves nothing about a higher load. A FAIL implies that higher loads fail too; if a test contradicts
that, or if shares of slow reads fall although the load rises, the rating uses the lower loads and names the
contradiction. Loads that were not tested are not filled in. Source: docs/method.md 6.4, 6.7.

A load ladder measures increasing loads, some of them twice (a short step, then a hold). All conditions but
load and length are equal, so a limit that any step broke is broken at that load, even if a shorter step
passed; separate tests of a drive (`combine`) would leave it undecided. Only verdicts count: the generator's
own figures during the climb are no proof.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from tailroom.domain.latency.bounds import Bools, Floats, Int64s
from tailroom.domain.units import latency_text, percent_text
from tailroom.domain.verdicts.verdict import Verdict


class LoadState(StrEnum):
    """The combined result of all tests of a load."""

    PASSED = "passed"
    FAILED = "failed"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class ShareBounds:
    """Bounds of the share of reads at or over a threshold."""

    lower_ratio: float
    upper_ratio: float


@dataclass(frozen=True, slots=True)
class TestedLoad:
    """A load (multiple of ACT's load) with the combined result of its tests."""

    __test__ = False

    load: float
    state: LoadState
    shares: Mapping[int, ShareBounds]
    """Bounds of the share of slow reads by threshold in ns."""


@dataclass(frozen=True, slots=True)
class Rating:
    """The interval `[passed_load, failed_load)` in multiples of ACT's load, None without such a load.
    `never_tested_above`: no load above the passed load was tested. `violations` are contradictions as text.
    """

    passed_load: float | None
    failed_load: float | None
    never_tested_above: bool
    violations: tuple[str, ...]

    @property
    def is_decided(self) -> bool:
        """Whether any load passed or failed."""
        return self.passed_load is not None or self.failed_load is not None


def combine(states: Sequence[LoadState]) -> tuple[LoadState, bool]:
    """Return the combined result of several tests of a load, and whether they contradict each other.
    Undecided tests count only if no test is decided; a pass beside a fail is UNDECIDED.
    """
    decided = {state for state in states if state is not LoadState.UNDECIDED}
    if len(decided) == 1:
        return decided.pop(), False
    return LoadState.UNDECIDED, len(decided) > 1


def rating_bounds(loads: Floats, passed: Bools, failed: Bools) -> tuple[Floats, Floats]:
    """Return for each row its highest passed load below the lowest failed load, and that failed load. They
    are 0 and infinity without such a load. `passed` and `failed` are arrays of rows by `loads`, which ascend.
    """
    above = np.where(failed, loads, np.inf).min(axis=1, initial=np.inf)
    counts = passed & (loads < above[:, None])
    return np.where(counts, loads, 0.0).max(axis=1, initial=0.0), above


def rating_of(tested: Sequence[TestedLoad]) -> Rating:
    """Return the rating of a drive under one set of conditions. `tested` has each load once, in any order."""
    order = sorted(tested, key=lambda test: test.load)
    loads = np.array([test.load for test in order], np.float64)
    masks = (
        np.array([[test.state is state for test in order]], np.bool_)
        for state in (LoadState.PASSED, LoadState.FAILED)
    )
    lower, upper = rating_bounds(loads, *masks)
    passed = float(lower[0]) or None
    failed = None if np.isinf(upper[0]) else float(upper[0])
    return Rating(
        passed,
        failed,
        passed is not None and all(test.load <= passed for test in order),
        tuple(_violations(order, failed)),
    )


@dataclass(frozen=True, slots=True, eq=False)
class BoundedShares:
    """Bounds of shares at untested loads by their tested neighbours: arrays of rows by loads, NaN without
    bounds. `below` and `above` are the positions of the neighbours among the loads, −1 for none.
    """

    lower: Floats
    upper: Floats
    below: Int64s
    above: Int64s

    @property
    def is_bounded(self) -> Bools:
        """Mask of the values that have bounds."""
        return ~np.isnan(self.lower)


def between_neighbours(tested: Bools, failed: Bools, lower: Floats, upper: Floats) -> BoundedShares:
    """Return bounds of the share of slow reads at untested loads by the nearest tested loads, since more load
    is never easier. All arrays are rows by ascending loads. NaN at tested loads, if neighbours contradict
    each other, and above the last tested load unless that failed. Source: docs/method.md 6.7.
    """
    places = np.arange(tested.shape[1], dtype=np.int64)
    below = np.maximum.accumulate(np.where(tested, places, -1), axis=1)
    above_or_size = np.minimum.accumulate(np.where(tested, places, places.size)[:, ::-1], axis=1)[:, ::-1]
    has_below, has_above = below >= 0, above_or_size < places.size
    rows = np.arange(tested.shape[0])[:, None]
    at_below, at_above = np.maximum(below, 0), np.minimum(above_or_size, places.size - 1)
    low = np.where(has_below, lower[rows, at_below], 0.0)
    high = np.where(has_above, upper[rows, at_above], 1.0)
    has_bounds = ~tested & (has_above | (has_below & failed[rows, at_below])) & (low <= high)
    return BoundedShares(
        np.where(has_bounds, low, np.nan),
        np.where(has_bounds, high, np.nan),
        np.where(has_bounds, below, -1),
        np.where(has_bounds & has_above, above_or_size, -1),
    )


def _violations(order: Sequence[TestedLoad], failed: float | None) -> list[str]:
    """Return contradictions in words: a pass above the failed load, or a slow share that falls with load."""
    violations = [
        f"passed at {test.load:g}x although it failed at {failed:g}x"
        for test in order
        if test.state is LoadState.PASSED and failed is not None and test.load > failed
    ]
    for threshold_ns in sorted({at for test in order for at in test.shares}):
        highest: TestedLoad | None = None
        for test in (test for test in order if threshold_ns in test.shares):
            bounds = test.shares[threshold_ns]
            if highest is not None and bounds.upper_ratio < highest.shares[threshold_ns].lower_ratio:
                before = highest.shares[threshold_ns]
                violations.append(
                    f"fewer reads at or over {latency_text(threshold_ns)} at {test.load:g}x "
                    f"({percent_text(bounds.upper_ratio)} at most) than at {highest.load:g}x "
                    f"({percent_text(before.lower_ratio)} at least)"
                )
            if highest is None or bounds.lower_ratio > highest.shares[threshold_ns].lower_ratio:
                highest = test
    return violations


@dataclass(frozen=True, slots=True)
class LadderStep:
    """A step of a ladder: its load, a multiple of ACT's, and its final verdict, None if not judged yet."""

    load: float
    verdict: Verdict | None
    is_complete: bool
    """Whether the step ran to its end; an incomplete step can fail a load but cannot pass it."""
    is_certified: bool = False
    """Whether the step also passed for the duration of a certification."""

    @property
    def state(self) -> LoadState:
        """Result of the step's load: FAILED by a FAIL, PASSED by a complete PASS, else UNDECIDED."""
        if self.verdict is Verdict.FAIL:
            return LoadState.FAILED
        passed = self.verdict is Verdict.PASS and self.is_complete
        return LoadState.PASSED if passed else LoadState.UNDECIDED


@dataclass(frozen=True, slots=True)
class LadderFinding:
    """Loads as multiples of ACT's load; None if no step proves such a load."""

    kept_load: float | None
    """The highest load that passed, below every load that failed."""
    broken_load: float | None
    """The lowest load that failed."""
    certified_load: float | None
    """The highest load up to `kept_load` that passed for the duration of a certification."""
    every_step_passed: bool
    """Whether every step at or below `kept_load` passed; False without a kept load."""


def ladder_of(steps: Sequence[LadderStep]) -> LadderFinding:
    """Return the combined result of steps in any order."""
    states: dict[float, set[LoadState]] = {}
    for step in steps:
        states.setdefault(step.load, set()).add(step.state)
    worst_first = (LoadState.FAILED, LoadState.PASSED, LoadState.UNDECIDED)
    rating = rating_of([TestedLoad(load, min(at, key=worst_first.index), {}) for load, at in states.items()])
    passed_load = rating.passed_load
    below = [] if passed_load is None else [step for step in steps if step.load <= passed_load]
    certified = [step.load for step in below if step.is_certified and step.state is LoadState.PASSED]
    return LadderFinding(
        passed_load,
        rating.failed_load,
        max(certified, default=None),
        bool(below) and all(step.state is LoadState.PASSED for step in below),
    )
