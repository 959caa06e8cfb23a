"""Check that all outputs agree on a published test: leaderboard, drive page, CSV, `/sla` and the judge.

Judge every published test of a drive by the rule sets of the leaderboard and by random budgets, and compare
verdict, strength and bounds exactly. Print the number of comparisons and every difference.

    python -m backend.bench.one_judge [--questions 100] [--seed 1]
"""

import argparse
import csv
import io
import json
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np

from tailroom.budgets.documents import parse
from tailroom.cli.reference import bring_reference
from tailroom.domain.verdicts.budget_kinds import Budget
from tailroom.domain.verdicts.headline import verdict_fields
from tailroom.domain.verdicts.judge_budget import DISPLAY_BINS, judge_budget
from tailroom.embedded.postgres import EmbeddedPostgres
from tailroom.evidence.publication import Published, published
from tailroom.evidence.reader import EvidenceCache
from tailroom.kit.db import Database
from tailroom.kit.migrations import migrate
from tailroom.kit.settings import Settings
from tailroom.kit.transactions import Transactions
from tailroom.ratings import repository, service
from tailroom.ratings.drive_page import drive_page
from tailroom.ratings.judgements import RULE_SETS, JudgementCache
from tailroom.ratings.query import LeaderboardQuery
from tailroom.ratings.table import CSV
from tailroom.records.cache import RecordCache
from tailroom.sla.answers import evaluation_out
from tailroom.sla.evaluations import judge_subject
from tailroom.sla.question_schemas import SubjectIn
from tailroom.sla.subjects import SubjectReader
from tailroom.storage.drive_test import DriveTest

VISITOR_ID = UUID(int=7)
COMPARED = ("verdict", "strength", "words", "observed", "proven")


@dataclass
class Comparison:
    """The number of compared answers, and the differences."""

    compared: int = 0
    decided: int = 0
    differences: list[str] = field(default_factory=list)

    def of(self, what: str, expected: Any, actual: Any) -> None:
        """Compare two answers and record a difference."""
        self.compared += 1
        if expected != actual:
            self.differences.append(f"{what}: {expected} and {actual}")


def compare(transactions: Transactions, questions: int, seed: int) -> Comparison:
    """Compare the outputs for every published test, by the rule sets and by random budgets."""
    comparison, memory = Comparison(), JudgementCache()
    with transactions() as session:
        tests = {
            test.test_id: test for test in repository.tests(session, DriveTest.publication_slug.is_not(None))
        }
    slugs = sorted({test.drive_slug for test in tests.values()})
    records = {(row.publication.slug, row.row): row for row in published() if row.of_drive}
    for rules in RULE_SETS:
        judged_by_board = _of_leaderboard(
            transactions, memory, LeaderboardQuery(rule_set=rules.name), comparison
        )
        for slug in slugs:
            page = json.loads(drive_page(transactions, memory, VISITOR_ID, slug, rules.name).body or b"{}")
            for test in page["tests"]:
                verdict = next(entry for entry in test["verdicts"] if entry["rule_set"] == rules.name)
                shown = {name: verdict[name] for name in COMPARED}
                # A cell of several tests shows the leading test; here each test is compared with its own
                # verdict.
                first_shown = judged_by_board.setdefault(test["test_id"], shown)
                comparison.of(f"{rules.name} {test['test_id']} page", first_shown, shown)
        _compare_judges(transactions, judged_by_board, rules, tests, records, comparison)
    for query in random_questions(questions, seed):
        judged_by_board = _of_leaderboard(transactions, memory, query, comparison)
        document = json.loads(_answer(transactions, memory, query))["question"]["document"]
        _compare_judges(transactions, judged_by_board, parse(document), tests, records, comparison)
    return comparison


def random_questions(count: int, seed: int) -> Iterator[LeaderboardQuery]:
    """Yield budgets with limits on shares, and every fourth on transactions."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        if number % 4 == 3:
            yield LeaderboardQuery(
                reads=int(rng.integers(1, 400)),
                window_ns=int(rng.integers(2, 2_000)) * 1_000_000,
                objective_ratio=round(float(rng.uniform(0.5, 0.9999)), 4),
            )
            continue
        times = sorted(rng.choice([250_000, 500_000, *(1_000_000 * 2**step for step in range(9))], 2, False))
        ratios = sorted((round(float(10 ** rng.uniform(-4, -0.5)), 5) for _ in times), reverse=True)
        limits = ",".join(f"{int(at)}:{ratio}" for at, ratio in zip(times, ratios, strict=True))
        yield LeaderboardQuery(limits=limits)


def _answer(
    transactions: Transactions,
    memory: JudgementCache,
    query: LeaderboardQuery,
    media_type: str = service.JSON,
) -> str:
    """Return the complete leaderboard for a query: repeat the request until every test is judged."""
    query = query.model_copy(update={"equal": False, "limit": 2_000})
    while True:
        content = service.leaderboard(transactions, memory, VISITOR_ID, query, None, media_type)
        if content.is_complete:
            return (content.body or b"").decode()


def _of_leaderboard(
    transactions: Transactions, memory: JudgementCache, query: LeaderboardQuery, comparison: Comparison
) -> dict[str, dict[str, Any]]:
    """Compare the leaderboard with its CSV; return verdicts by test ID, of cells with a single test."""
    judged_by_board: dict[str, dict[str, Any]] = {}
    rows = json.loads(_answer(transactions, memory, query))["rows"]
    table = csv.DictReader(io.StringIO(_answer(transactions, memory, query, CSV)))
    lines = {line["row_id"]: line for line in table}
    for row in rows:
        for cell in row["cells"]:
            if cell["test_ids"]:
                line, load = lines[row["row_id"]], f"{cell['load']:g}x"
                bounds = [(cell[scope] or {}) for scope in ("observed", "proven")]
                shown = [cell["words"], *(scope.get(end) for scope in bounds for end in ("lower", "upper"))]
                cells = [
                    line[f"{load} {name}"]
                    for name in ("words", "observed lower", "observed upper", "proven lower", "proven upper")
                ]
                comparison.of(
                    f"{row['row_id']} {load} table", ["" if v is None else str(v) for v in shown], cells
                )
            if len(cell["test_ids"]) == 1:
                judged_by_board[cell["test_ids"][0]] = {name: cell[name] for name in COMPARED}
    return judged_by_board


def _compare_judges(  # noqa: PLR0917 - data to compare, and where to record differences
    transactions: Transactions,
    judged_by_board: dict[str, dict[str, Any]],
    budget: Budget,
    tests: dict[str, Any],
    records: dict[tuple[str, str], Published],
    comparison: Comparison,
) -> None:
    """Compare the leaderboard's verdicts with those of `/sla` and of the judge itself."""
    runs: EvidenceCache = RecordCache()
    for test_id, shown in judged_by_board.items():
        test = tests[test_id]
        slug, row = test.publication_slug, test.publication_row
        subject = SubjectIn(publication=f"publication:{slug}#{row}", clock=test.clock)
        with transactions() as session:
            answer = judge_subject(
                SubjectReader(session, runs, budget).subject_of(VISITOR_ID, subject, coarse=True), budget
            )
        document = evaluation_out(answer).model_dump(mode="json")
        comparison.of(f"{budget.name} {test_id} /sla", {name: document[name] for name in COMPARED}, shown)
        evidence = records[slug, row].evidence(budget)
        of_clock = replace(
            evidence, operations=tuple(o for o in evidence.operations if o.clock == test.clock)
        )
        judged = verdict_fields(judge_budget(budget, of_clock, bins=DISPLAY_BINS))
        comparison.of(f"{budget.name} {test_id} judge", {name: judged[name] for name in COMPARED}, shown)
        comparison.decided += judged["strength"] is not None


def main(arguments: Sequence[str] | None = None) -> None:
    """Compare on a temporary database and print the result; exit with 1 if outputs differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        with EmbeddedPostgres.start(home / "data", home / "postgres.log") as postgres:
            postgres.create_database("one_judge")
            database = Database(postgres.url("one_judge"), pool_size=2)
            migrate(database.engine, Settings().migrations_dir)
            with database.transaction() as session:
                bring_reference(session)
            began = time.perf_counter()
            comparison = compare(database.transaction, chosen.questions, chosen.seed)
            database.dispose()
    took = time.perf_counter() - began
    print(
        f"{comparison.compared:,} answers compared ({comparison.decided:,} of the judge's are decided), "
        f"{len(comparison.differences)} differ; {took:.0f} s"
    )
    print("\n".join(comparison.differences[:20]))
    sys.exit(bool(comparison.differences))


if __name__ == "__main__":
    main()
