"""Costs of records that pass: the price of the tested drive or instance, divided by the load of its test.

Only drive tests have costs, because their drive and load are known. Price and calculation are those of the
leaderboard.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import or_, select, tuple_
from sqlalchemy.orm import Session

from tailroom.catalogue.stated_prices import PRICE
from tailroom.domain.verdicts.budget_kinds import Budget, TransactionBudget
from tailroom.evidence.publication import READ
from tailroom.ratings import costs
from tailroom.ratings.drives import catalogue_drives
from tailroom.sla.schemas import MatchItemOut, RecordCostOut, SubjectOut
from tailroom.storage.drive_test import DriveTest


def costs_of(
    session: Session, organisation_id: UUID, budget: Budget, items: Sequence[MatchItemOut]
) -> dict[str, RecordCostOut]:
    """Return the costs of records that pass and have a price, by run id or name of the publication."""
    passed = [item.subject for item in items if item.verdict == "PASS" and _has_load(budget, item.subject)]
    tests = _tests_of(session, passed)
    slugs = {test.drive_slug for test in tests.values()}
    drives = catalogue_drives(session, organisation_id, (PRICE,), slugs) if slugs else {}
    record_costs: dict[str, RecordCostOut] = {}
    for subject in passed:
        test = tests.get(_source_of(subject))
        drive = None if test is None else drives.get(test.drive_slug)
        price = None if test is None or drive is None else drive.price(test.capacity_bytes)
        if test is None or price is None or not price.has_cost:
            continue
        load = test.load_multiple
        record_costs[str(subject.run_id or subject.publication)] = RecordCostOut.model_validate(
            {
                "price": price,
                "price_per_ktps": costs.price_per(price, costs.thousand_operations_per_s(load)),
                "price_per_thousand_transactions": costs.price_per(
                    price, costs.thousand_transactions_per_s(load, budget)
                ),
                "price_per_million_transactions": costs.price_per_million_transactions(price, load, budget),
            },
            from_attributes=True,
        )
    return record_costs


def _has_load(budget: Budget, subject: SubjectOut) -> bool:
    """Return whether a record is a drive test whose load, reads, counts what the budget is about."""
    if not isinstance(budget, TransactionBudget):
        return subject.drive_slug is not None
    reads_alone = len(budget.plan.operations) == 1 and subject.operation == READ
    return subject.drive_slug is not None and reads_alone


def _tests_of(session: Session, subjects: Sequence[SubjectOut]) -> dict[tuple[Any, ...], Any]:
    """Return the drive test of each subject that is one, by source; all of a source have one load."""
    if not subjects:
        return {}
    sources = [_source_of(subject) for subject in subjects]
    columns = DriveTest.run_id, DriveTest.publication_slug, DriveTest.publication_row
    query = select(*columns, DriveTest.drive_slug, DriveTest.capacity_bytes, DriveTest.load_multiple).where(
        DriveTest.drive_slug.in_({subject.drive_slug for subject in subjects}),
        or_(
            DriveTest.run_id.in_([run_id for run_id, _, _ in sources if run_id is not None]),
            tuple_(*columns[1:]).in_([(slug, row) for _, slug, row in sources if slug is not None]),
        ),
    )
    return {tuple(test)[:3]: test for test in session.execute(query)}


def _source_of(subject: SubjectOut) -> tuple[UUID | None, str | None, str | None]:
    """Return run id, publication slug and publication row, None if the test is not of that kind."""
    return subject.run_id, subject.publication_slug, subject.publication_row
