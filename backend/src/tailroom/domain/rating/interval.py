"""What loads a drive holds: an interval from the highest passed load up to the lowest failed one above it.

A pass says nothing of a higher load. A fail says that higher loads fail too; where a test says otherwise, or
where shares of slow reads fall although the load rises, the rating rests on the lower loads and the
contradiction is named. Nothing is filled in for loads that nobody tested. Source: docs/method.md 6.4, 6.7.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from tailroom.domain.units import latency_text, percent_text

Floats = npt.NDArray[np.float64]


class LoadState(StrEnum):
    """What tests of one load say together."""

    PASSED = "passed"
    FAILED = "failed"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class ShareEnds:
    """Share of reads at or over a threshold, between two ends."""

    lower_ratio: float
    upper_ratio: float


@dataclass(frozen=True, slots=True)
class TestedLoad:
    """One load with what its tests say, and the shares at the thresholds they were judged at."""

    __test__ = False

    load: float
    state: LoadState
    shares: Mapping[int, ShareEnds]
    """By threshold in ns."""


@dataclass(frozen=True, slots=True)
class Rating:
    """`[passed_load, failed_load)`; none where no load passed, or none failed above."""

    passed_load: float | None
    failed_load: float | None
    never_tested_above: bool
    violations: tuple[str, ...]

    @property
    def is_decided(self) -> bool:
        """Whether any test decided anything."""
        return self.passed_load is not None or self.failed_load is not None


def combine(states: Sequence[LoadState]) -> tuple[LoadState, bool]:
    """What several tests of one load say together, and whether they contradict each other.

    A decided test stands beside an undecided one; a pass beside a fail leaves the load undecided.
    """
    decided = {state for state in states if state is not LoadState.UNDECIDED}
    if len(decided) == 1:
        return decided.pop(), False
    return LoadState.UNDECIDED, len(decided) > 1


def rating_ends(
    loads: Floats, passed: npt.NDArray[np.bool_], failed: npt.NDArray[np.bool_]
) -> tuple[Floats, Floats]:
    """Ends of the ratings of many rows: ascending loads, and for each row and load whether it passed or
    failed. 0 where no load passed below the lowest failed one, infinity where none failed.
    """
    above = np.where(failed, loads, np.inf).min(axis=1, initial=np.inf)
    counts = passed & (loads < above[:, None])
    return np.where(counts, loads, 0.0).max(axis=1, initial=0.0), above


def rating_of(tested: Sequence[TestedLoad]) -> Rating:
    """The rating of a drive under one set of conditions; loads in any order, each once."""
    order = sorted(tested, key=lambda one: one.load)
    loads = np.array([one.load for one in order], np.float64)
    states = np.array(
        [[one.state is state for one in order] for state in (LoadState.PASSED, LoadState.FAILED)], np.bool_
    )
    lower, upper = rating_ends(loads, states[:1].reshape(1, -1), states[1:].reshape(1, -1))
    passed = float(lower[0]) or None
    failed = None if np.isinf(upper[0]) else float(upper[0])
    return Rating(
        passed,
        failed,
        passed is not None and all(one.load <= passed for one in order),
        tuple(_violations(order, failed)),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Bounded:
    """What tested neighbours allow at loads that were not tested: by row and load, NaN where nothing does.

    `below` and `above` are the places of the neighbours among the loads, −1 for none.
    """

    lower: Floats
    upper: Floats
    below: npt.NDArray[np.int64]
    above: npt.NDArray[np.int64]

    @property
    def is_bounded(self) -> npt.NDArray[np.bool_]:
        """Where something is known."""
        return ~np.isnan(self.lower)


def between_neighbours(
    tested: npt.NDArray[np.bool_], failed: npt.NDArray[np.bool_], lower: Floats, upper: Floats
) -> Bounded:
    """Shares at loads between tests, if more load is never easier: by row and ascending load.

    `lower` and `upper` are the ends where a row was tested. A pass below and nothing above bounds nothing;
    neighbours that contradict the rule themselves bound nothing either. docs/method.md 6.7.
    """
    places = np.arange(tested.shape[1], dtype=np.int64)
    below = np.maximum.accumulate(np.where(tested, places, -1), axis=1)
    above_or_size = np.minimum.accumulate(np.where(tested, places, places.size)[:, ::-1], axis=1)[:, ::-1]
    has_below, has_above = below >= 0, above_or_size < places.size
    rows = np.arange(tested.shape[0])[:, None]
    at_below, at_above = np.maximum(below, 0), np.minimum(above_or_size, places.size - 1)
    low = np.where(has_below, lower[rows, at_below], 0.0)
    high = np.where(has_above, upper[rows, at_above], 1.0)
    known = ~tested & (has_above | (has_below & failed[rows, at_below])) & (low <= high)
    return Bounded(
        np.where(known, low, np.nan),
        np.where(known, high, np.nan),
        np.where(known, below, -1),
        np.where(known & has_above, above_or_size, -1),
    )


def _violations(order: Sequence[TestedLoad], failed: float | None) -> list[str]:
    found = [
        f"passed at {one.load:g}x although it failed at {failed:g}x"
        for one in order
        if one.state is LoadState.PASSED and failed is not None and one.load > failed
    ]
    for threshold_ns in sorted({at for one in order for at in one.shares}):
        known = [one for one in order if threshold_ns in one.shares]
        highest: TestedLoad | None = None
        for one in known:
            ends = one.shares[threshold_ns]
            if highest is not None and ends.upper_ratio < highest.shares[threshold_ns].lower_ratio:
                before = highest.shares[threshold_ns]
                found.append(
                    f"fewer reads at or over {latency_text(threshold_ns)} at {one.load:g}x "
                    f"({percent_text(ends.upper_ratio)} at most) than at {highest.load:g}x "
                    f"({percent_text(before.lower_ratio)} at least)"
                )
            if highest is None or ends.lower_ratio > highest.shares[threshold_ns].lower_ratio:
                highest = one
    return found
