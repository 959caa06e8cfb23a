"""Tests of leaderboard rows by load: combined results, and bounds of untested loads between tested ones."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import numpy as np
import numpy.typing as npt
from sqlalchemy import Row
from sqlalchemy.orm import Session

from tailroom.domain.rating.interval import (
    BoundedShares,
    LoadState,
    Rating,
    ShareBounds,
    TestedLoad,
    between_neighbours,
    combine,
    rating_of,
)
from tailroom.domain.verdicts.order import rank_of
from tailroom.domain.verdicts.verdict import Strength, Verdict
from tailroom.ratings import repository
from tailroom.ratings.leaderboard import RatedRow, Ratings
from tailroom.storage.drive_test import DriveTest

_STATES = {
    Verdict.PASS.value: LoadState.PASSED,
    Verdict.FAIL.value: LoadState.FAILED,
    Verdict.INDETERMINATE.value: LoadState.UNDECIDED,
}
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class LoadTable:
    """Tests and results by row and load, each given by its index. `loads` are ascending multiples of 1x.
    `lower` and `upper` bound the share of slow operations: arrays of limits by rows by loads, NaN without a
    test. `bounded` has for each limit the bounds that tested neighbours imply for untested loads.
    """

    ratings: Ratings
    rows: Sequence[RatedRow]
    loads: Sequence[float]
    tests: Sequence[Sequence[Sequence[Row[Any]]]]
    """Tests by row and load."""
    results: Mapping[str, Mapping[str, Any]]
    """Judgement documents by test id; a test that is not judged yet is missing."""
    lower: Floats
    upper: Floats
    bounded: Sequence[BoundedShares]

    def results_of(self, row: int, load: int) -> list[Mapping[str, Any]]:
        """Return the judgement documents of the judged tests of a row at a load."""
        return [self.results[test.test_id] for test in self.tests[row][load] if test.test_id in self.results]

    def state(self, row: int, load: int) -> tuple[LoadState, bool]:
        """Return the combined state of a row's judged tests at a load, and whether they contradict each
        other. It is undecided if they do, or if there are none.
        """
        return combine([_STATES[result["verdict"]] for result in self.results_of(row, load)])

    def state_of_limit(self, number: int, row: int, load: int) -> LoadState:
        """Return the state of a row at a load by the limit `number` alone; undecided if nothing is judged."""
        states = [
            _STATES[result["limits"][number]["verdict"]]
            for result in self.results_of(row, load)
            if result["limits"]
        ]
        return combine(states)[0]

    def strongest_result(self, row: int, load: int) -> Mapping[str, Any] | None:
        """Return the strongest judgement of the combined state; None if tests disagree or none is judged."""
        results = self.results_of(row, load)
        state, disagree = self.state(row, load)
        decided = [result for result in results if _STATES[result["verdict"]] is state]
        if disagree or not decided:
            return None
        return min(decided, key=_rank if state is LoadState.PASSED else lambda result: -_rank(result))

    def rating(self, row: int) -> Rating:
        """Return the rating of a row, with the contradictions between its tests."""
        limits = self.ratings.question.limits
        return rating_of(
            [
                TestedLoad(
                    multiple,
                    self.state(row, load)[0],
                    {
                        limit.threshold_ns: ShareBounds(
                            float(self.lower[number, row, load]), float(self.upper[number, row, load])
                        )
                        for number, limit in enumerate(limits)
                    },
                )
                for load, multiple in enumerate(self.loads)
                if self.tests[row][load]
            ]
        )

    def tests_of(self, row: int) -> list[Row[Any]]:
        """Return every test of a row."""
        return [test for tests in self.tests[row] for test in tests]


def _rank(result: Mapping[str, Any]) -> int:
    strength = result["strength"]
    return rank_of(Verdict(result["verdict"]), Strength(strength) if strength else None)


def load_table(
    session: Session,
    ratings: Ratings,
    rows: Sequence[RatedRow],
    organisation_id: UUID | None,
    evidence: Collection[str] = (),
) -> LoadTable:
    """Return the tests of rows that an organisation (None: the public) sees, by load, with their judgements.
    Only tests of the `evidence` classes count, all if empty. Shares that are not judged lie between 0 and 1.
    """
    indices = {row.key: index for index, row in enumerate(rows)}
    conditions = [
        repository.rateable(organisation_id),
        DriveTest.drive_slug.in_({row.drive.slug for row in rows}),
        *([DriveTest.evidence.in_(evidence)] if evidence else []),
    ]
    tests = [
        (indices[key], test)
        for test in (repository.tests(session, *conditions) if rows else ())
        if (key := ratings.key_of(test)) in indices
    ]
    loads = sorted({test.load_multiple for _, test in tests})
    column_of = {load: index for index, load in enumerate(loads)}
    cells: list[list[list[Row[Any]]]] = [[[] for _ in loads] for _ in rows]
    for row, test in tests:
        cells[row][column_of[test.load_multiple]].append(test)
    results = ratings.results(session, [test.test_id for _, test in tests])
    shape = (len(ratings.question.limits), len(rows), len(loads))
    lower, upper = np.full(shape, np.nan), np.full(shape, np.nan)
    tested, failed = np.zeros(shape[1:], np.bool_), np.zeros(shape[1:], np.bool_)
    table = LoadTable(ratings, rows, loads, cells, results, lower, upper, ())
    for row, load in ((row, load) for row in range(len(rows)) for load in range(len(loads))):
        if not cells[row][load]:
            continue
        tested[row, load], failed[row, load] = True, table.state(row, load)[0] is LoadState.FAILED
        of_tests = [result["limits"] for result in table.results_of(row, load) if result["limits"]]
        for number in range(shape[0]):
            lower[number, row, load] = min(
                (shares[number]["lower_ratio"] for shares in of_tests), default=0.0
            )
            upper[number, row, load] = max(
                (shares[number]["upper_ratio"] for shares in of_tests), default=1.0
            )
    bounded = [between_neighbours(tested, failed, *ends) for ends in zip(lower, upper, strict=True)]
    return LoadTable(ratings, rows, loads, cells, results, lower, upper, bounded)
