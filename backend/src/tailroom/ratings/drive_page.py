"""Everything on record about one drive: facts with their sources, ratings, tests, load curves."""

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
from tailroom.ratings.documents import Json
from tailroom.ratings.drives import KnownDrive
from tailroom.ratings.errors import DriveUnknown
from tailroom.ratings.judgements import RULE_SETS, JudgedTests
from tailroom.ratings.leaderboard import ratings_of
from tailroom.ratings.load_table import LoadTable, load_table
from tailroom.ratings.question import rule_set_of, rule_set_question
from tailroom.ratings.service import JSON, Content, tag
from tailroom.storage.catalogue import CatalogueFact


def drive_page(
    transactions: Transactions, memory: JudgedTests, organisation_id: UUID, slug: str, rule_set: str
) -> Content:
    """Return a drive's page. Raises DriveUnknown, BudgetUnknown, FilterInvalid."""
    with transactions() as session:
        chosen = rule_set_of(session, organisation_id, rule_set)
    ratings = ratings_of(transactions, memory, organisation_id, rule_set_question(chosen))
    drive = drive_of(ratings.drives, slug)
    rows = [row for row in ratings.rows if row.drive.slug == slug]
    ids = {row.key: row.row_id for row in rows}
    with transactions() as session:
        table = load_table(session, ratings, rows, organisation_id)
        tests = [test for place in range(len(rows)) for test in table.tests_of(place)]
        tests.sort(key=lambda test: (test.load_multiple, test.test_id))
        others = repository.results(session, RULE_SETS, [test.test_id for test in tests])
        judged = [(budget, others[budget.name]) for budget in RULE_SETS]
        if chosen not in RULE_SETS:
            judged.insert(0, (chosen, dict(table.results)))
        findings = _findings(session, tests)
        facts = _with_own_prices(session, organisation_id, drive)
        aliases = repository.aliases(session, drive.item_id) if drive.item_id else []
    body = msgspec.json.encode(
        {
            "drive": documents.drive_out(drive),
            "kind": repository.DRIVE,
            "interface": drive.interface,
            "form_factor": " / ".join(drive.form_factors) or None,
            "aliases": aliases,
            "rule_set": documents.rule_set_out(chosen),
            "method_version": METHOD_VERSION,
            "loads": table.loads,
            "facts": _facts(facts),
            "rows": [documents.row_document(table, place) for place in range(len(rows))],
            "tests": [
                documents.test_out(test, ids[ratings.key_of(test)], judged, findings) for test in tests
            ],
            "curves": [curve for place in range(len(rows)) for curve in _curves(table, place)],
            "comparability": notes_of_rows(table),
            "withdrawn": [
                documents.withdrawn_out(one) for one in ratings.withdrawn if one.drive.slug == slug
            ],
            "notes": documents.notes(ratings, table),
        }
    )
    return Content(body, tag("drive", body), JSON)


def _with_own_prices(session: Session, organisation_id: UUID, drive: KnownDrive) -> Sequence[CatalogueFact]:
    """Facts of the catalogue, and those of the organisation's own price list in their place."""
    if drive.item_id is None:
        return []
    own = [
        fact
        for row in prices.rows_of(session, organisation_id, drive.slug)
        for fact in prices.facts_of_entry(row, drive.item_id)
    ]
    return prices.with_own_prices(catalogue.facts_of(session, [drive.item_id]), own)


def drive_of(drives: Mapping[str, KnownDrive], slug: str) -> KnownDrive:
    """Return a drive by its slug. Raises DriveUnknown."""
    drive = drives.get(slug)
    if drive is None:
        raise DriveUnknown(f"There is no drive “{slug[:200]}” in the catalogue that you may see.")
    return drive


def _curves(table: LoadTable, row: int) -> list[Json]:
    """Return for each limit the tested loads with their bounds, and what bounds the loads between them."""
    found: list[Json] = []
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
                    "test_ids": [one.test_id for one in tests],
                }
            )
        if points:
            found.append(
                {
                    "row_id": table.rows[row].row_id,
                    "threshold_ns": limit.threshold_ns,
                    "limit_ratio": limit.ratio,
                    "points": points,
                }
            )
    return found


def _findings(session: Session, tests: Sequence[Row[Any]]) -> Mapping[str, Sequence[Json]]:
    """Return what audits found about the claims behind tests, by publication and key."""
    keys = {key for test in tests for key in test.claim_keys}
    found: dict[str, list[Json]] = {}
    for slug in sorted({test.publication_slug for test in tests} - {None}):
        for finding in findings_stored(session, slug):
            shown = {
                "check": finding.check_id,
                "severity": finding.severity,
                "statement": finding.statement,
                "origin": finding.origin,
            }
            for key in keys.intersection(finding.claim_keys):
                found.setdefault(f"{slug} {key}", []).append(shown)
    return found


def _facts(facts: Sequence[CatalogueFact]) -> list[Json]:
    """Every fact with its source; those that another source contradicts are marked."""
    conflicts = disagreeing([fact_of(one) for one in facts])
    return [
        {
            "field": one.field,
            "capacity_bytes": one.capacity_bytes,
            "value": one.value_number,
            "value_text": one.value_text,
            "unit": one.unit,
            "as_printed": one.as_printed,
            "lower": one.lower,
            "upper": one.upper,
            "conditions": one.conditions,
            "source": {"publication": one.source_slug, "text": one.source_text},
            "disagrees": position in conflicts,
        }
        for position, one in enumerate(facts)
    ]
