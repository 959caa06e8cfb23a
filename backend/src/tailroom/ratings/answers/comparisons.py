"""Whether tests and rows may be put in one order, from their conditions."""

from collections.abc import Sequence
from itertools import combinations
from uuid import UUID

from tailroom.budgets.documents import BUILT_IN
from tailroom.domain.rating.comparability import Comparability, compare_conditions
from tailroom.domain.verdicts.budget_kinds import ExceedanceBudget
from tailroom.kit.transactions import Transactions
from tailroom.ratings.answers.answer import answer_of
from tailroom.ratings.board.board import Board, conditions_of
from tailroom.ratings.errors import TestUnknown
from tailroom.ratings.questions.question import rule_set_question
from tailroom.ratings.serialization.rows import Json
from tailroom.ratings.serialization.schemas import ComparabilityOut
from tailroom.ratings.serialization.tests import test_out
from tailroom.ratings.service import KeptRatings

PAIRS_OF_ROWS = 60
"""Pairs that a drive's page explains, at most."""


def comparability(
    transactions: Transactions, kept: KeptRatings, organisation_id: UUID, test_ids: Sequence[str]
) -> ComparabilityOut:
    """Every pair of tests, in the order in which they are named. Raises TestUnknown."""
    board = kept.boards.current(transactions, organisation_id)
    chosen = list(dict.fromkeys(test_ids))
    for test_id in chosen:
        if test_id not in board.place_of:
            raise TestUnknown(f"There is no test “{test_id[:200]}” that this organisation may see.")
    answers = [
        answer_of(transactions, board, rule_set_question(one), frozenset(), kept.judged)
        for one in BUILT_IN
        if isinstance(one, ExceedanceBudget)
    ]
    return ComparabilityOut.model_validate(
        {
            "tests": [test_out(board, board.place_of[one], answers, {}) for one in chosen],
            "pairs": [
                {
                    "first": first,
                    "second": second,
                    "comparable": found.comparable,
                    "reasons": list(found.reasons),
                    "warnings": list(found.warnings),
                }
                for first, second in combinations(chosen, 2)
                for found in [_compared(board, first, second)]
            ],
        }
    )


def _compared(board: Board, first: str, second: str) -> Comparability:
    one, other = board.tests[board.place_of[first]], board.tests[board.place_of[second]]
    return compare_conditions(conditions_of(one), conditions_of(other))


def notes_of_rows(board: Board, rows: Sequence[int]) -> list[Json]:
    """Rows of a drive whose ratings cannot be put in one order: reasons besides the load."""
    found: list[Json] = []
    for first, second in combinations(rows, 2):
        pair = [board.rows[one] for one in (first, second)]
        conditions = [conditions_of(board.tests[one.tests[0]]) for one in pair]
        reasons = [
            reason for reason in compare_conditions(*conditions).reasons if "the loads differ" not in reason
        ]
        if pair[0].capacity_bytes != pair[1].capacity_bytes:
            reasons.append("not comparable because the capacities differ: another drive of the same model")
        if reasons:
            found.append({"row_ids": [one.row_id for one in pair], "reasons": reasons})
    return found[:PAIRS_OF_ROWS]
