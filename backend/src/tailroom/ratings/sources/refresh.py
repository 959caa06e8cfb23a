"""Keeps tested loads and their judgements as their sources are: what publications say with the reference
data, what runs say as work that is due whenever a run has changed.

What has not changed is not written, so looking again is free, and looking twice does no harm.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import ColumnElement
from sqlalchemy.orm import Session

from tailroom.catalogue.publications.dataset import read_all
from tailroom.domain.claims.claim import Publication
from tailroom.kit.lanes import RENEWAL
from tailroom.kit.transactions import Transactions
from tailroom.ratings import repository
from tailroom.ratings.judgements import RULE_SETS, judge_test, published_evidence
from tailroom.ratings.sources.marks import reference_marks
from tailroom.ratings.sources.publications import published_tests
from tailroom.ratings.sources.runs import ACT_WORKLOAD, tests_of_run
from tailroom.ratings.sources.tested_load import TestOnRecord
from tailroom.records.repository import RunInUse, hold_state
from tailroom.storage.drive_test import PUBLIC_SCOPE, count_change
from tailroom.storage.run import PRIVATE, Run
from tailroom.work.kinds import RATE
from tailroom.work.outbox import make_many_due


def refresh_published(session: Session, publications: Sequence[Publication] | None = None) -> bool:
    """Write the tests of every publication of the package; return whether anything has changed.

    Names, prices and facts of drives come from the catalogue, so whoever changes them counts a change too:
    `catalogue_changed`.
    """
    chosen = read_all() if publications is None else publications
    tests = published_tests(chosen, repository.vendors(session), reference_marks())
    changed = _replace(session, tests, repository.of_publications())
    judged = judge_published(session, tests)
    if changed or judged:
        count_change(session, PUBLIC_SCOPE)
    return changed or judged


def judge_published(session: Session, tests: Sequence[TestOnRecord]) -> bool:
    """Judge published tests that are not judged by this version of the method; return whether any was."""
    judged = repository.judged_by_all(session, RULE_SETS)
    rows = []
    for test in tests:
        if test.test_id not in judged and test.record is not None:
            evidence = published_evidence(test.record, test.clock, test.duration_ns)
            rows += [judge_test(budget, evidence).values(test, budget) for budget in RULE_SETS]
    repository.store_judgements(session, rows)
    return bool(rows)


def catalogue_changed(session: Session) -> None:
    """Count a change of drives or their facts, so that kept answers are not given again."""
    count_change(session, PUBLIC_SCOPE)


def refresh_run(transactions: Transactions, run_id: UUID) -> bool:
    """Write the tests of a run that is finished and judged, as they are now; return whether anything changed.

    Raises RunInUse where the run changes meanwhile.
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
        judge_test(budget, one.evidence).values(one.test, budget) for one in tests for budget in RULE_SETS
    ]
    with transactions() as session:
        hold_state(session, run_id)
        if repository.key_of_run(session, run_id) != key:
            raise RunInUse(f"run {run_id} has changed while it was rated")
        changed = _replace(session, [one.test for one in tests], repository.of_run(run_id), key)
        if changed:
            repository.store_judgements(session, judged)
            count_change(session, run.organisation_id)
            if run.visibility != PRIVATE:
                count_change(session, PUBLIC_SCOPE)
        session.flush()
        # Read again: having tests or none is part of what decides when to look again.
        now = repository.key_of_run(session, run_id) or key
        repository.set_rated(session, run_id, run.organisation_id, now)
    return changed


def make_unrated_due(session: Session, now: datetime) -> None:
    """Make due every run that is finished and judged and whose tests were never made, or in another form."""
    make_many_due(session, RATE, repository.unrated_runs(ACT_WORKLOAD), now, RENEWAL)


def make_untested_due(session: Session, now: datetime) -> None:
    """Make due every rated run without tests: the catalogue may know its drive by now."""
    make_many_due(session, RATE, repository.untested_runs(ACT_WORKLOAD), now, RENEWAL)


def _replace(
    session: Session, tests: Sequence[TestOnRecord], whose: ColumnElement[bool], state: str = ""
) -> bool:
    """Write the tests that differ and remove those that are gone, with their judgements."""
    before = repository.fingerprints(session, whose)
    rows = [test.values(state) for test in tests]
    changed = [row for row in rows if before.get(row["test_id"]) != row["fingerprint"]]
    gone = before.keys() - {row["test_id"] for row in rows}
    repository.remove(session, {*gone, *(row["test_id"] for row in changed)})
    repository.store(session, changed)
    return bool(changed or gone)
