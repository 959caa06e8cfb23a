"""A drive's page: facts with sources, ratings, tests, shares of slow reads by load, and comparability."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any
from uuid import UUID

import msgspec
from sqlalchemy import Row
from sqlalchemy.orm import Session

from tailroom.catalogue import prices
from tailroom.catalogue import repository as catalogue
from tailroom.catalogue.audits import findings_stored
from tailroom.catalogue.items import disagreeing
from tailroom.catalogue.service import fact_of
from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.rating.comparability import compare_tests
from tailroom.domain.verdicts.budget_kinds import ExceedanceBudget
from tailroom.domain.verdicts.verdict import Verdict
from tailroom.kit.transactions import Transactions
from tailroom.ratings import documents, repository
from tailroom.ratings.counters import counters_of_tests
from tailroom.ratings.documents import NOT_JUDGED
from tailroom.ratings.drive_page_schemas import ComparabilityOut
from tailroom.ratings.drives import CatalogueDrive, Json, publication_dates
from tailroom.ratings.errors import DriveUnknown, TestUnknown
from tailroom.ratings.judgements import RULE_SETS, JudgementCache
from tailroom.ratings.leaderboard import conditions_of, ratings_of
from tailroom.ratings.load_table import LoadTable, load_table
from tailroom.ratings.question import rule_set_of, rule_set_question
from tailroom.ratings.service import JSON, Content, tag
from tailroom.ratings.variants import variants_out
from tailroom.storage.catalogue import CatalogueFact

_VERDICT_FIELDS = (
    *("verdict", "strength", "words", "headline", "observed"),
    *("proven", "reason", "reason_text", "basis"),
)
_TEST_FIELDS = (
    *("test_id", "load_as_printed", "capacity_bytes", "metric_class", "generation", "tool", "tool_version"),
    *("duration_ns", "record_bytes", "tested_at", "exceedances", "evidence", "firmware"),
)
"""Columns of a test that the API shows under their own names."""
_FACT_FIELDS = ("field", "capacity_bytes", "value_text", "unit", "as_printed", "lower", "upper", "conditions")
"""The same of a fact."""


def test_out(
    test: Row[Any],
    row_id: str,
    judged: Sequence[tuple[ExceedanceBudget, Mapping[str, Any]]],
    findings: Mapping[str, Sequence[Json]],
    published_at: Mapping[str, str | None],
) -> Json:
    """Return a test for the API, with its verdict by each rule set.

    `judged` pairs a rule set with its stored results by test id. `findings` are by publication slug and claim
    key, separated by a space; `published_at` has printed dates by publication slug.
    """
    return {
        **{name: getattr(test, name) for name in _TEST_FIELDS},
        "row_id": row_id,
        "load": test.load_multiple,
        "over_provisioning": {
            "class": test.op_class,
            "usable_ratio": test.usable_ratio,
            "as_printed": test.op_as_printed,
        },
        "verdicts": [_verdict(budget, results.get(test.test_id)) for budget, results in judged],
        "marks": list(test.marks),
        "mark_notes": list(test.mark_notes),
        "counters": counters_of_tests([test]),
        "visibility": "public" if test.visibility == "public" else "private",
        "source": {
            "kind": "run" if test.run_id else "publication",
            "slug": test.publication_slug,
            "title": test.source_title,
            "publisher": test.publisher,
            "published_at": published_at.get(test.publication_slug or ""),
            "row": test.publication_row,
            "claim_keys": list(test.claim_keys),
            "run_id": test.run_id,
        },
        "findings": _findings_of_test(test, findings),
    }


def _verdict(budget: ExceedanceBudget, result: Mapping[str, Any] | None) -> Json:
    shown = result or {
        **dict.fromkeys(_VERDICT_FIELDS),
        "verdict": Verdict.INDETERMINATE.value,
        "words": NOT_JUDGED,
        "reason_text": NOT_JUDGED,
    }
    return {
        "rule_set": budget.name,
        "version": budget.version,
        "title": budget.title,
        **{name: shown[name] for name in _VERDICT_FIELDS},
    }


def _findings_of_test(test: Row[Any], findings: Mapping[str, Sequence[Json]]) -> list[Json]:
    of_test: list[Json] = []
    for key in test.claim_keys:
        of_claim = findings.get(f"{test.publication_slug} {key}", ())
        of_test += [finding for finding in of_claim if finding not in of_test]
    return of_test


MAX_PAIRS_EXPLAINED = 60
"""A drive's page explains at most this many pairs."""


def comparability(
    transactions: Transactions, cache: JudgementCache, organisation_id: UUID, test_ids: Sequence[str]
) -> ComparabilityOut:
    """Return the tests, repeated ids once, with their verdicts by the built-in rule sets, and for every pair
    of them why it is not comparable. Raise TestUnknown if the organisation may not see a test.
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
    """Return the pairs of rows that are not comparable, with the reasons besides the load."""
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


def drive_page(
    transactions: Transactions, cache: JudgementCache, organisation_id: UUID, slug: str, rule_set: str
) -> Content:
    """Return a drive's page as JSON with its tag, rated by a named rule set. Raise DriveUnknown or
    BudgetUnknown for a drive or rule set that the organisation may not see, FilterInvalid for a rule set
    without limits on shares of reads.
    """
    with transactions() as session:
        budget = rule_set_of(session, organisation_id, rule_set)
    ratings = ratings_of(transactions, cache, organisation_id, rule_set_question(budget))
    drive = drive_of(ratings.drives, slug)
    rows = [row for row in ratings.rows if row.drive.slug == slug]
    ids = {row.key: row.row_id for row in rows}
    with transactions() as session:
        table = load_table(session, ratings, rows, organisation_id)
        tests = [test for index in range(len(rows)) for test in table.tests_of(index)]
        tests.sort(key=lambda test: (test.load_multiple, test.test_id))
        stored_results = repository.results(session, RULE_SETS, [test.test_id for test in tests])
        judged = [(budget, stored_results[budget.name]) for budget in RULE_SETS]
        if budget not in RULE_SETS:
            judged.insert(0, (budget, dict(table.results)))
        findings = _findings(session, tests)
        published_at = publication_dates(session)
        facts = _facts_with_own_prices(session, organisation_id, drive)
        item_ids = [drive.item_id] if drive.item_id else []
        aliases = {alias.as_printed for alias in catalogue.aliases_of_items(session, item_ids)}
    body = msgspec.json.encode(
        {
            "drive": drive.names,
            "kind": repository.DRIVE,
            "interface": drive.interface,
            "form_factor": " / ".join(drive.form_factors) or None,
            "aliases": sorted(aliases),
            "rule_set": documents.rule_set_out(budget),
            "method_version": METHOD_VERSION,
            "loads": table.loads,
            "facts": _facts(facts),
            "rows": [documents.row_document(table, index) for index in range(len(rows))],
            "tests": [
                test_out(test, ids[ratings.key_of(test)], judged, findings, published_at) for test in tests
            ],
            "variants": variants_out(tests),
            "curves": [curve for index in range(len(rows)) for curve in _curves(table, index)],
            "comparability": notes_of_rows(table),
            "withdrawn": [test for test in ratings.withdrawn if test["drive"]["slug"] == slug],
            "notes": documents.notes(ratings, table),
        }
    )
    return Content(body, tag("drive", body), JSON)


def _facts_with_own_prices(
    session: Session, organisation_id: UUID, drive: CatalogueDrive
) -> Sequence[CatalogueFact]:
    if drive.item_id is None:
        return []
    own = [
        fact
        for row in prices.rows_of(session, organisation_id, drive.slug)
        for fact in prices.facts_of_entry(row, drive.item_id)
    ]
    return prices.with_own_prices(catalogue.facts_of(session, [drive.item_id]), own)


def drive_of(drives: Mapping[str, CatalogueDrive], slug: str) -> CatalogueDrive:
    """Return a drive of `drives` by its slug. Raise DriveUnknown if it is not there."""
    drive = drives.get(slug)
    if drive is None:
        raise DriveUnknown(f"There is no drive “{slug[:200]}” in the catalogue that you may see.")
    return drive


def _curves(table: LoadTable, row: int) -> list[Json]:
    """Return for each limit a curve of the row at index `row`: loads with bounds of the share of slow
    operations. An untested load between two tested loads has the bounds that follow from them. A curve
    without points is left out.
    """
    curves: list[Json] = []
    for number, limit in enumerate(table.ratings.question.limits):
        bounded = table.bounded[number]
        points: list[Json] = []
        for load, multiple in enumerate(table.loads):
            tests = table.tests[row][load]
            if tests:
                lower, upper = table.lower[number, row, load], table.upper[number, row, load]
                state = table.state_of_limit(number, row, load).value
            elif bounded.below[row, load] >= 0 and bounded.above[row, load] >= 0:
                lower, upper, state = bounded.lower[row, load], bounded.upper[row, load], "bounded"
            else:
                continue
            points.append(
                {
                    "load": multiple,
                    "lower_ratio": float(lower),
                    "upper_ratio": float(upper),
                    "state": state,
                    "test_ids": [test.test_id for test in tests],
                }
            )
        if points:
            curves.append(
                {
                    "row_id": table.rows[row].row_id,
                    "threshold_ns": limit.threshold_ns,
                    "limit_ratio": limit.ratio,
                    "points": points,
                }
            )
    return curves


def _findings(session: Session, tests: Sequence[Row[Any]]) -> Mapping[str, Sequence[Json]]:
    """Return the audit findings about the claims of tests, by `"{publication slug} {claim key}"`."""
    keys = {key for test in tests for key in test.claim_keys}
    by_claim: dict[str, list[Json]] = {}
    for slug in sorted({test.publication_slug for test in tests} - {None}):
        for finding in findings_stored(session, slug):
            shown = {
                "check": finding.check_id,
                "severity": finding.severity,
                "statement": finding.statement,
                "origin": finding.origin,
            }
            for key in keys.intersection(finding.claim_keys):
                by_claim.setdefault(f"{slug} {key}", []).append(shown)
    return by_claim


def _facts(facts: Sequence[CatalogueFact]) -> list[Json]:
    conflicts = disagreeing([fact_of(fact) for fact in facts])
    return [
        {
            **{name: getattr(fact, name) for name in _FACT_FIELDS},
            "value": fact.value_number,
            "source": {"publication": fact.source_slug, "text": fact.source_text},
            "disagrees": position in conflicts,
        }
        for position, fact in enumerate(facts)
    ]
