"""Refresh of drive tests and their judgements: of publications with the reference data, of runs
as due work.

Unchanged tests are not written, so a repeated refresh writes nothing.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement
from sqlalchemy.orm import Session

from tailroom.catalogue.disclosure import ACT_STORAGE
from tailroom.catalogue.publications.dataset import read_all
from tailroom.kit.lanes import RENEWAL
from tailroom.kit.transactions import Transactions
from tailroom.ratings import repository
from tailroom.ratings.judgements import RULE_SETS, judge_test, judgement_values, published_evidence
from tailroom.ratings.sources.publications import published_tests, reference_marks
from tailroom.ratings.sources.runs import tests_of_run
from tailroom.ratings.sources.tested_load import column_values, record_of
from tailroom.records.repository import RunInUse, hold_state
from tailroom.storage.base import upsert
from tailroom.storage.drive_test import PUBLIC_SCOPE, DriveTest, TestJudgementRow, count_change, count_tries
from tailroom.storage.run import PRIVATE, Run
from tailroom.work.kinds import RATE
from tailroom.work.outbox import make_many_due


def refresh_published(session: Session) -> bool:
    """Store and judge the tests of all publications and return whether any changed.

    Changes of drives or facts in the catalogue are not seen: call `catalogue_changed` after them.
    """
    vendors = {row.slug: row.vendor for row in repository.drives(session, None)}
    tests = published_tests(read_all(), vendors, reference_marks())
    changed = _replace(session, tests, DriveTest.publication_slug.is_not(None))
    judged = judge_published(session, tests)
    if changed or judged:
        count_change(session, PUBLIC_SCOPE)
    return changed or judged


def judge_published(session: Session, tests: Sequence[DriveTest]) -> bool:
    """Judge and store published tests that the current method has not judged. Return whether any were."""
    judged = repository.judged_by_all(session, RULE_SETS)
    rows = []
    for test in tests:
        if test.test_id not in judged and test.record is not None:
            evidence = published_evidence(record_of(test.record), test.clock or "", test.duration_ns)
            rows += [judgement_values(test, budget, judge_test(budget, evidence)) for budget in RULE_SETS]
    upsert(session, TestJudgementRow, rows)
    return bool(rows)


def catalogue_changed(session: Session) -> None:
    """Increase the public revision after a change of drives or their facts, so that cached answers expire."""
    count_change(session, PUBLIC_SCOPE)


def refresh_run(transactions: Transactions, run_id: UUID) -> bool:
    """Store the tests of a run with their judgements and return whether any changed. Nothing is stored if the
    run is unchanged, or not finished and judged. Raise RunInUse if it changes meanwhile.
    """
    with transactions() as session:
        key = repository.key_of_run(session, run_id)
        if key is None or key == repository.rated_key(session, run_id):
            return False
        run = session.get(Run, run_id, populate_existing=True)
    if run is None:
        return False
    tests = tests_of_run(transactions, run)
    judged = [
        judgement_values(test, budget, judge_test(budget, evidence))
        for test, evidence in tests
        for budget in RULE_SETS
    ]
    with transactions() as session:
        hold_state(session, run_id)
        if repository.key_of_run(session, run_id) != key:
            raise RunInUse(f"run {run_id} has changed while it was rated")
        changed = _replace(session, [test for test, _ in tests], DriveTest.run_id == run_id, key)
        if changed:
            upsert(session, TestJudgementRow, judged)
            count_change(session, run.organisation_id)
        # A private run counts among the tries of published runs of the same drive, which everyone sees.
        slugs = [test.drive_slug for test, _ in tests]
        has_other_tries = count_tries(session, run.organisation_id, slugs)
        if (changed and run.visibility != PRIVATE) or has_other_tries:
            count_change(session, PUBLIC_SCOPE)
        session.flush()
        # The key depends on whether the run has tests, so it is read again.
        key_after = repository.key_of_run(session, run_id) or key
        repository.set_rated(session, run_id, run.organisation_id, key_after)
    return changed


def make_unrated_due(session: Session, now: datetime) -> None:
    """Make finished, judged runs due for rating whose tests were not made by this version of `FORM`."""
    make_many_due(session, RATE, repository.unrated_runs(ACT_STORAGE), now, RENEWAL)


def make_untested_due(session: Session, now: datetime) -> None:
    """Make rated runs without tests due for rating, because the catalogue may have their drive by now."""
    make_many_due(session, RATE, repository.untested_runs(ACT_STORAGE), now, RENEWAL)


def _replace(
    session: Session, tests: Sequence[DriveTest], condition: ColumnElement[bool], state: str = ""
) -> bool:
    """Make `tests` the only stored tests that meet `condition`, and return whether any changed. `state`
    identifies the state of their source in the fingerprints.
    """
    before = repository.fingerprints(session, condition)
    rows = [column_values(test, state) for test in tests]
    changed = [row for row in rows if before.get(row["test_id"]) != row["fingerprint"]]
    removed = before.keys() - {row["test_id"] for row in rows}
    repository.remove_tests(session, {*removed, *(row["test_id"] for row in changed)})
    upsert(session, DriveTest, changed)
    return bool(changed or removed)
