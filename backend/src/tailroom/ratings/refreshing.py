"""Keeps tested loads as their sources are: written in the transaction that changes the source, or not at all.

What has not changed is not written, so looking again is free, and looking twice does no harm.
"""

from collections.abc import Iterable, Sequence
from uuid import UUID

from sqlalchemy import ColumnElement
from sqlalchemy.orm import Session

from tailroom.catalogue.publications.dataset import read_all
from tailroom.domain.claims.claim import Publication
from tailroom.ratings import repository
from tailroom.ratings.marks import reference_marks
from tailroom.ratings.measured import ACT_WORKLOAD, tests_of_run
from tailroom.ratings.published import published_tests
from tailroom.ratings.tests_on_record import TestOnRecord
from tailroom.storage.drive_test import PUBLIC_SCOPE, count_change
from tailroom.storage.run import PRIVATE, Run


def refresh_published(session: Session, publications: Sequence[Publication] | None = None) -> bool:
    """Tests of every publication of the package; whether anything has changed.

    Names, prices and facts of drives come from the catalogue, so whoever changes them counts a change too:
    `catalogue_changed`.
    """
    chosen = read_all() if publications is None else publications
    found = published_tests(chosen, repository.vendors(session), reference_marks())
    changed = _replace(session, found, repository.of_publications())
    if changed:
        count_change(session, PUBLIC_SCOPE)
    return changed


def catalogue_changed(session: Session) -> None:
    """Tells whoever keeps rows in memory that drives or their facts have changed."""
    count_change(session, PUBLIC_SCOPE)


def refresh_run(session: Session, run_id: UUID) -> bool:
    """Tests of a run that is finished and judged, as they are now; whether anything has changed.

    In the caller's transaction, which holds the run's analysis, so that two cannot do it at once.
    """
    key = repository.key_of_run(session, run_id)
    if key is None or key == repository.rated_key(session, run_id):
        return False
    run = session.get(Run, run_id)
    if run is None:
        return False
    found = tests_of_run(session, run)
    changed = _replace(session, found, repository.of_run(run_id))
    if changed:
        count_change(session, run.organisation_id)
        if run.visibility != PRIVATE:
            count_change(session, PUBLIC_SCOPE)
    session.flush()
    # Read again: having tests or none is part of what decides when to look again.
    repository.set_rated(session, run_id, run.organisation_id, repository.key_of_run(session, run_id) or key)
    return changed


def runs_to_rate(session: Session, limit: int = 100) -> list[UUID]:
    """Runs whose tests lag behind them, newest first."""
    return repository.runs_to_rate(session, (ACT_WORKLOAD,), limit)


def _replace(session: Session, found: Iterable[TestOnRecord], whose: ColumnElement[bool]) -> bool:
    before = repository.fingerprints(session, whose)
    rows = [one.values() for one in found]
    changed = [row for row in rows if before.get(row["test_id"]) != row["fingerprint"]]
    gone = before.keys() - {row["test_id"] for row in rows}
    repository.store(session, changed)
    repository.remove(session, gone)
    return bool(changed or gone)
