"""Comparability of tests and rows, by their conditions."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any
from uuid import UUID

from sqlalchemy import Row

from tailroom.domain.rating.comparability import compare_tests
from tailroom.kit.transactions import Transactions
from tailroom.ratings import repository
from tailroom.ratings.dates import publication_dates
from tailroom.ratings.documents import Json
from tailroom.ratings.drive_page_schemas import ComparabilityOut
from tailroom.ratings.drive_test_documents import test_out
from tailroom.ratings.errors import TestUnknown
from tailroom.ratings.judgements import RULE_SETS, JudgementCache
from tailroom.ratings.leaderboard import conditions_of, ratings_of
from tailroom.ratings.load_table import LoadTable
from tailroom.ratings.question import rule_set_question

MAX_PAIRS_EXPLAINED = 60
"""A drive's page explains at most this many pairs."""


def comparability(
    transactions: Transactions, cache: JudgementCache, organisation_id: UUID, test_ids: Sequence[str]
) -> ComparabilityOut:
    """Return tests with their verdicts by the built-in rule sets, and whether every pair of them is
    comparable.

    Each pair has reasons and warnings. Tests and pairs are in the order of `test_ids`; repeated ids are
    dropped. Raise TestUnknown if the organisation does not see a test.
    """
    chosen = list(dict.fromkeys(test_ids))
    ratings = ratings_of(transactions, cache, organisation_id, rule_set_question(RULE_SETS[0]))
    with transactions() as session:
        rows: Sequence[Row[Any]] = repository.tests(
            session, repository.visible(organisation_id), repository.has_id(chosen)
        )
        results = repository.results(session, RULE_SETS, chosen)
        published_at = publication_dates(session)
    tests = {test.test_id: test for test in rows}
    for test_id in chosen:
        if test_id not in tests:
            raise TestUnknown(f"There is no test “{test_id[:200]}” that this organisation may see.")
    ids = {row.key: row.row_id for row in ratings.rows}
    judged = [(budget, results[budget.name]) for budget in RULE_SETS]
    pairs = []
    for first, second in combinations(chosen, 2):
        compared = compare_tests(conditions_of(tests[first]), conditions_of(tests[second]))
        pairs.append(
            {
                "first": first,
                "second": second,
                "comparable": compared.comparable,
                "reasons": list(compared.reasons),
                "warnings": list(compared.warnings),
            }
        )
    return ComparabilityOut.model_validate(
        {
            "tests": [
                test_out(tests[name], ids.get(ratings.key_of(tests[name]), ""), judged, {}, published_at)
                for name in chosen
            ],
            "pairs": pairs,
        }
    )


def notes_of_rows(table: LoadTable) -> list[Json]:
    """Return the pairs of rows of a drive that are not comparable: their row ids, and the reasons other than
    the load.

    The first test of each row gives its conditions. Only the first `MAX_PAIRS_EXPLAINED` pairs, in table
    order.
    """
    notes: list[Json] = []
    for first, second in combinations(range(len(table.rows)), 2):
        pair = [table.rows[index] for index in (first, second)]
        conditions = [conditions_of(table.tests_of(index)[0]) for index in (first, second)]
        reasons = list(compare_tests(*conditions).reasons_besides_load)
        if pair[0].capacity_bytes != pair[1].capacity_bytes:
            reasons.append("not comparable because the capacities differ: another drive of the same model")
        if reasons:
            notes.append({"row_ids": [row.row_id for row in pair], "reasons": reasons})
    return notes[:MAX_PAIRS_EXPLAINED]
