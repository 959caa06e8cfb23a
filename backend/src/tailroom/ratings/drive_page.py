"""A drive's page: facts with their sources, ratings, tests, and shares of slow reads by load."""

from collections.abc import Mapping, Sequence
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
from tailroom.kit.transactions import Transactions
from tailroom.ratings import documents, repository
from tailroom.ratings.comparisons import notes_of_rows
from tailroom.ratings.dates import publication_dates
from tailroom.ratings.documents import Json
from tailroom.ratings.drive_test_documents import test_out
from tailroom.ratings.drives import CatalogueDrive
from tailroom.ratings.errors import DriveUnknown
from tailroom.ratings.judgements import RULE_SETS, JudgementCache
from tailroom.ratings.leaderboard import ratings_of
from tailroom.ratings.load_table import LoadTable, load_table
from tailroom.ratings.question import rule_set_of, rule_set_question
from tailroom.ratings.service import JSON, Content, tag
from tailroom.ratings.variants import variants_out
from tailroom.storage.catalogue import CatalogueFact


def drive_page(
    transactions: Transactions, cache: JudgementCache, organisation_id: UUID, slug: str, rule_set: str
) -> Content:
    """Return a drive's page as JSON with its tag, rated by the rule set named `rule_set`.

    Raise DriveUnknown if there is no such drive that the organisation sees; BudgetUnknown if there is no such
    rule set; FilterInvalid if it sets no limits on shares of reads.
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
        aliases = repository.aliases(session, drive.item_id) if drive.item_id else []
    body = msgspec.json.encode(
        {
            "drive": documents.drive_out(drive),
            "kind": repository.DRIVE,
            "interface": drive.interface,
            "form_factor": " / ".join(drive.form_factors) or None,
            "aliases": aliases,
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
            "withdrawn": [
                documents.withdrawn_out(test) for test in ratings.withdrawn if test.drive.slug == slug
            ],
            "notes": documents.notes(ratings, table),
        }
    )
    return Content(body, tag("drive", body), JSON)


def _facts_with_own_prices(
    session: Session, organisation_id: UUID, drive: CatalogueDrive
) -> Sequence[CatalogueFact]:
    """Return the facts of a drive; prices, power and endurance in the organisation's price list replace
    others.

    A fact of the list replaces those about the same field and capacity. Empty if the drive has no id in the
    catalogue.
    """
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
    operations.

    An untested load between two tested loads has the bounds that follow from these; other untested loads are
    left out, and so is a curve without points.
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
    """Return each fact with its source for the API. `disagrees` is true if another source contradicts it."""
    conflicts = disagreeing([fact_of(fact) for fact in facts])
    return [
        {
            "field": fact.field,
            "capacity_bytes": fact.capacity_bytes,
            "value": fact.value_number,
            "value_text": fact.value_text,
            "unit": fact.unit,
            "as_printed": fact.as_printed,
            "lower": fact.lower,
            "upper": fact.upper,
            "conditions": fact.conditions,
            "source": {"publication": fact.source_slug, "text": fact.source_text},
            "disagrees": position in conflicts,
        }
        for position, fact in enumerate(facts)
    ]
