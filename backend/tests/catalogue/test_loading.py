"""The reference data in the database: loaded once, again where it has changed, never with others' rows."""

from collections.abc import Iterator
from dataclasses import replace
from threading import Barrier, Thread
from uuid import UUID

import pytest
from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from tailroom.access.repository import ensure_organisation
from tailroom.catalogue import drives
from tailroom.catalogue.items import read_items
from tailroom.catalogue.loading import check, load_reference
from tailroom.catalogue.publications import repository
from tailroom.catalogue.publications.dataset import ReferenceInvalid, read_all
from tailroom.catalogue.schemas import DriveIn
from tailroom.cli.reference import bring_reference
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.storage.catalogue import CatalogueFact, CatalogueItem, ClaimRow, ReferenceState


@pytest.fixture
def database(fresh_postgres_url: str) -> Iterator[Database]:
    found = Database(fresh_postgres_url, pool_size=3)
    yield found
    found.dispose()


@pytest.fixture
def session(postgres_url: str) -> Iterator[Session]:
    """A transaction that is rolled back."""
    shared = Database(postgres_url, pool_size=1)
    with shared.transaction() as found:
        yield found
        found.rollback()
    shared.dispose()


def forget(session: Session) -> None:
    session.execute(update(ReferenceState).values(content_sha256=b"\0" * 32))


def counts(session: Session) -> tuple[int, ...]:
    models = (CatalogueItem, CatalogueFact, ClaimRow)
    return tuple(int(session.scalar(select(func.count()).select_from(model)) or 0) for model in models)


def ids_of(session: Session) -> dict[str, UUID]:
    return {item.slug: item.item_id for item in session.scalars(select(CatalogueItem))}


def test_a_database_that_has_it_is_left_alone(session: Session) -> None:
    assert not load_reference(session)
    assert not bring_reference(session)


def test_claims_come_back_as_they_were_read(session: Session) -> None:
    for publication in read_all():
        assert repository.publication(session, publication.slug) == publication
    assert repository.publications(session) == list(read_all())
    assert repository.publication(session, "nothing") is None


def test_loading_again_changes_no_key_and_no_row_of_others(session: Session) -> None:
    owner = ensure_organisation(session, "owner of a drive", utc_now()).id
    asked = DriveIn(vendor="Own", name="Drive 9000", capacities_bytes=[10**12], source="data sheet")
    own = drives.add(session, owner, asked, utc_now())
    before = counts(session)
    ids = ids_of(session)
    forget(session)
    assert load_reference(session)
    assert counts(session) == before
    assert ids_of(session) == ids
    assert drives.resolve(session, "Own Drive 9000", owner) == own.slug
    assert not load_reference(session)


def test_what_left_the_package_leaves_the_database(session: Session) -> None:
    now = utc_now()
    item = CatalogueItem(
        item_id=new_id(),
        slug="gone",
        kind="drive",
        vendor="No",
        name="Longer There",
        organisation_id=None,
        created_at=now,
    )
    session.add(item)
    session.flush()
    forget(session)
    assert load_reference(session)
    assert session.scalar(select(CatalogueItem).where(CatalogueItem.slug == "gone")) is None


def test_two_that_start_together_load_once(database: Database) -> None:
    with database.transaction() as session:
        forget(session)
    start = Barrier(2)
    loaded: list[bool] = []

    def load() -> None:
        start.wait()
        with database.transaction() as session:
            loaded.append(load_reference(session))

    threads = [Thread(target=load) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(loaded) == [False, True]


def test_files_that_do_not_fit_together_are_refused() -> None:
    publications = read_all()
    without = [item for item in read_items() if item.named.slug != "samsung-sm1715"]
    with pytest.raises(ReferenceInvalid, match="samsung-sm1715"):
        check(without, publications)
    with pytest.raises(ReferenceInvalid, match="no publication 'redis-pm1725'"):
        check(read_items(), [one for one in publications if one.slug != "redis-pm1725"])
    known = next(one for one in read_items() if one.named.slug == "ocz-vertex-4")
    again = replace(known, named=replace(known.named, slug="vertex-4-again"))
    with pytest.raises(ReferenceInvalid, match="likely the same: ocz-vertex-4 and vertex-4-again"):
        check([*read_items(), again], publications)


def test_every_subject_of_the_drive_tables_is_the_drive_it_is_linked_to(session: Session) -> None:
    seen = 0
    for publication in read_all()[:2]:
        for claim in publication.claims:
            if claim.quantity == "exceedance" and claim.load is not None and claim.table != "claims":
                assert drives.resolve(session, claim.subject) == claim.item, claim.subject
                seen += 1
    assert seen == 31 * 6 + 3 + 53 * 3


@pytest.mark.parametrize("text", ["", "1.6 TB", "Samsung", "320", "INTEL SSDSC2BA400G3", "SM171", "\x00"])
def test_nothing_is_guessed(session: Session, text: str) -> None:
    assert drives.resolve(session, text) is None
