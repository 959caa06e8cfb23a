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
from tailroom.ratings.published import published_tests
from tailroom.ratings.tests_on_record import TestOnRecord
from tailroom.storage.drive_test import PUBLIC_SCOPE


def refresh_published(session: Session, publications: Sequence[Publication] | None = None) -> bool:
    """Tests of every publication of the package; whether anything has changed.

    Names, prices and facts of drives come from the catalogue, so whoever changes them counts a change too:
    `catalogue_changed`.
    """
    chosen = read_all() if publications is None else publications
    found = published_tests(chosen, repository.vendors(session), reference_marks())
    changed = _replace(session, found, repository.of_publications())
    if changed:
        repository.bump(session, PUBLIC_SCOPE)
    return changed


def catalogue_changed(session: Session) -> None:
    """Tells whoever keeps rows in memory that drives or their facts have changed."""
    repository.bump(session, PUBLIC_SCOPE)


def replace_tests_of_run(
    session: Session, run_id: UUID, organisation_id: UUID, found: Sequence[TestOnRecord], *, was_public: bool
) -> bool:
    """Tests of a run as they are now; whether anything has changed."""
    changed = _replace(session, found, repository.of_run(run_id))
    if changed:
        repository.bump(session, organisation_id)
        if was_public or any(one.visibility != "private" for one in found):
            repository.bump(session, PUBLIC_SCOPE)
    return changed


def _replace(session: Session, found: Iterable[TestOnRecord], whose: ColumnElement[bool]) -> bool:
    before = repository.fingerprints(session, whose)
    rows = [one.values() for one in found]
    changed = [row for row in rows if before.get(row["test_id"]) != row["fingerprint"]]
    gone = before.keys() - {row["test_id"] for row in rows}
    repository.store(session, changed)
    repository.remove(session, gone)
    return bool(changed or gone)
