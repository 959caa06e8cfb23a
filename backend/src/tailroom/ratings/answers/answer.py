"""Ratings, ranks and cells of every row of a board for one question: worked out once, then looked up.

Rows are ranked among the rows of their own conditions that are public or the organisation's own, whatever is
filtered: a filter changes what is seen, not what is true. A row without any decision, and one that rests on
a test of less than a day or on a run that does not disclose what it must, has no rank and is no rival. Where
no row holds a load, none has a rank.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from tailroom.domain.rating.conditions import FULL_LENGTH_NS, ConditionClass
from tailroom.domain.rating.interval import Bounded, between_neighbours, rating_ends
from tailroom.domain.rating.judging import UNKNOWN, State
from tailroom.domain.rating.ranks import CountedShares, RankRanges, broken_ties, proven_lower, rank_ranges
from tailroom.kit.transactions import Transactions
from tailroom.ratings.answers.decisions import Decided, JudgedTests, decide
from tailroom.ratings.board.board import EVIDENCE, Board
from tailroom.ratings.questions.question import Question

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
ANSWERS_KEPT = 24
_CELLS = "tests of cells"


@dataclass(eq=False)
class Answer:
    """By row, or by row and load; ends of shares also by limit."""

    board: Board
    question: Question
    decided: Decided
    counts: Bools
    """By test: whether its evidence is asked for."""
    tested: Bools
    passed: Bools
    failed: Bools
    disagree: Bools
    lower: Floats
    upper: Floats
    rating_lower: Floats
    rating_upper: Floats
    ranked: Bools
    short: Bools
    undisclosed: Bools
    ranks: RankRanges
    among: Ints
    common_load: Ints
    """By row: the place of the load that most rows of its conditions were tested at; −1 for none."""
    bounded: Sequence[Bounded]
    """By limit."""
    tests_of_cell: dict[tuple[int, int], list[int]]
    shown: dict[int, Any] = field(default_factory=dict)
    """Rows as they are sent."""
    orders: dict[str, Any] = field(default_factory=dict)

    @property
    def is_decided(self) -> Bools:
        """By row: whether any test decides anything."""
        return np.asarray((self.rating_lower > 0.0) | ~np.isinf(self.rating_upper), np.bool_)

    @property
    def is_there(self) -> Bools:
        """By row: whether it has a test of the evidence that is asked for."""
        return np.asarray(self.tested.any(axis=1), np.bool_)


def answer_of(
    transactions: Transactions,
    board: Board,
    question: Question,
    evidence: frozenset[str],
    judged: JudgedTests,
) -> Answer:
    """The answer, kept with the board once it is complete."""
    key = f"{question.fingerprint} {sorted(evidence)}"
    with board.lock:
        kept = board.answers.get(key)
        if kept is not None:
            board.answers.move_to_end(key)
            found: Answer = kept
            return found
    decided = decide(transactions, board, question, judged)
    answer = _answer(board, question, decided, evidence)
    if decided.is_complete:
        with board.lock:
            board.answers[key] = answer
            while len(board.answers) > ANSWERS_KEPT:
                board.answers.popitem(last=False)
    return answer


def _answer(board: Board, question: Question, decided: Decided, evidence: frozenset[str]) -> Answer:
    counts = board.row_of >= 0
    if evidence:
        wanted = np.array([one.value in evidence for one in EVIDENCE], np.bool_)
        counts = counts & wanted[board.evidence_of]
    places = np.flatnonzero(counts)
    rows, loads = board.row_of[places], board.load_of[places]
    shape = (len(board.rows), board.loads.size)
    tested, some_passed, some_failed = (np.zeros(shape, np.bool_) for _ in range(3))
    tested[rows, loads] = True
    state = decided.state[places]
    some_passed[rows[state == State.PASSED], loads[state == State.PASSED]] = True
    some_failed[rows[state == State.FAILED], loads[state == State.FAILED]] = True
    disagree = some_passed & some_failed
    passed, failed = some_passed & ~disagree, some_failed & ~disagree
    lower, upper = _ends(decided.ends[:, :, places], rows, loads, shape)
    rating_lower, rating_upper = rating_ends(board.loads, passed, failed)
    answer = Answer(
        board=board,
        question=question,
        decided=decided,
        counts=counts,
        tested=tested,
        passed=passed,
        failed=failed,
        disagree=disagree,
        lower=lower,
        upper=upper,
        rating_lower=rating_lower,
        rating_upper=rating_upper,
        ranked=np.zeros(shape[0], np.bool_),
        short=np.zeros(shape[0], np.bool_),
        undisclosed=np.zeros(shape[0], np.bool_),
        ranks=RankRanges(np.zeros(shape[0], np.int64), np.zeros(shape[0], np.int64)),
        among=np.zeros(shape[0], np.int64),
        common_load=np.full(shape[0], -1, np.int64),
        bounded=[
            between_neighbours(tested, failed, low, high) for low, high in zip(lower, upper, strict=True)
        ],
        tests_of_cell=_tests_of_cells(board, places, rows, loads),
    )
    answer.short, answer.undisclosed = _not_comparable(answer, places, rows, state)
    answer.ranked = answer.is_decided & ~answer.short & ~answer.undisclosed
    _rank(answer)
    return answer


def _ends(ends: Floats, rows: Ints, loads: Ints, shape: tuple[int, int]) -> tuple[Floats, Floats]:
    """Hull of the shares of each cell, by limit; NaN where nothing was tested."""
    lower = np.full((ends.shape[0], *shape), np.inf)
    upper = np.full((ends.shape[0], *shape), -np.inf)
    for number in range(ends.shape[0]):
        np.minimum.at(lower[number], (rows, loads), ends[number, 0])
        np.maximum.at(upper[number], (rows, loads), ends[number, 1])
    lower[np.isinf(lower)] = np.nan
    upper[np.isinf(upper)] = np.nan
    return lower, upper


def _tests_of_cells(board: Board, places: Ints, rows: Ints, loads: Ints) -> dict[tuple[int, int], list[int]]:
    """Kept for questions about all evidence, which nearly all are."""
    is_of_all = places.size == int((board.row_of >= 0).sum())
    kept: dict[tuple[int, int], list[int]] | None = board.worked_out.get(_CELLS) if is_of_all else None
    if kept is not None:
        return kept
    found: dict[tuple[int, int], list[int]] = {}
    for place, row, load in zip(places.tolist(), rows.tolist(), loads.tolist(), strict=True):
        found.setdefault((row, load), []).append(place)
    if is_of_all:
        board.worked_out[_CELLS] = found
    return found


def _not_comparable(
    answer: Answer, places: Ints, rows: Ints, state: npt.NDArray[np.int8]
) -> tuple[Bools, Bools]:
    """By row: whether a decision rests on less than a day, or on a run that discloses too little."""
    board, decided = answer.board, state != State.UNDECIDED
    duration_ns = board.facts.duration_ns[places]
    missing = np.array([board.tests[place].missing_disclosure for place in places.tolist()], np.int64)
    short, undisclosed = (np.zeros(len(board.rows), np.bool_) for _ in range(2))
    short[rows[decided & (duration_ns != UNKNOWN) & (duration_ns < FULL_LENGTH_NS)]] = True
    undisclosed[rows[decided & (missing > 0)]] = True
    return short, undisclosed


def _rank(answer: Answer) -> None:
    """Ranks and the common load of each class of conditions."""
    classes: dict[ConditionClass, list[int]] = {}
    there = answer.is_there
    for place, row in enumerate(answer.board.rows):
        if there[place]:
            classes.setdefault(row.condition_class, []).append(place)
    for every in classes.values():
        all_rows = np.array(every, np.int64)
        tested = answer.tested[all_rows].sum(axis=0)
        answer.common_load[all_rows] = int(np.flatnonzero(tested == tested.max())[-1])
        members = all_rows[answer.ranked[all_rows]]
        if not (answer.rating_lower[members] > 0.0).any():
            # Where none holds a load there is no first: one that provably misses is not before unknown ones.
            answer.ranked[members] = False
            continue
        lower, upper = answer.rating_lower[members], answer.rating_upper[members]
        ranks = rank_ranges(lower, upper)
        _break_ties(answer, members, ranks)
        answer.ranks.best[members], answer.ranks.worst[members] = ranks.best, ranks.worst
        answer.among[members] = members.size


def _break_ties(answer: Answer, members: Ints, ranks: RankRanges) -> None:
    """Rows with the same rating, by counted shares at the highest load that all of them were tested at."""
    ends = np.stack((answer.rating_lower[members], answer.rating_upper[members]), axis=1)
    _, group_of = np.unique(ends, axis=0, return_inverse=True)
    group_of = group_of.reshape(-1)
    for group in np.flatnonzero(np.bincount(group_of) > 1).tolist():
        tied = np.flatnonzero(group_of == group).astype(np.int64)
        together = np.flatnonzero(answer.tested[members[tied]].all(axis=0))
        if together.size:
            shares = _counted(answer, members[tied], int(together[-1]))
            if not np.isnan(shares.total).all():
                broken_ties(ranks, tied, proven_lower(shares))


def _counted(answer: Answer, rows: Ints, load: int) -> CountedShares:
    """Counts at the first limit; of several counted tests the hull, with the fewest reads among them."""
    size = rows.size
    lower, upper, total = np.full(size, np.nan), np.full(size, np.nan), np.full(size, np.nan)
    for number, row in enumerate(rows.tolist()):
        counted = [
            place
            for place in answer.tests_of_cell.get((row, load), [])
            if answer.board.tests[place].total_count
        ]
        if counted:
            tests = [answer.board.tests[place] for place in counted]
            total[number] = min(one.total_count / max(one.design_factor, 1.0) for one in tests)
            lower[number] = answer.decided.ends[0, 0, counted].min() * total[number]
            upper[number] = answer.decided.ends[0, 1, counted].max() * total[number]
    return CountedShares(lower, upper, total)
