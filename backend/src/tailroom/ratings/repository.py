"""Queries about tested loads. What a question sees: everything public, and what its organisation owns."""

from collections.abc import Collection, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, delete, or_, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from tailroom.storage.catalogue import CatalogueAlias, CatalogueFact, CatalogueItem
from tailroom.storage.drive_test import PUBLIC_SCOPE, DriveTest, RatingRevision
from tailroom.storage.run import PUBLIC

DRIVE = "drive"


def revisions(session: Session, organisation_id: UUID | None) -> tuple[int, int]:
    """How often the public tests have changed, and the organisation's own."""
    scopes = [PUBLIC_SCOPE] if organisation_id is None else [PUBLIC_SCOPE, organisation_id]
    query = select(RatingRevision.scope_id, RatingRevision.revision).where(
        RatingRevision.scope_id.in_(scopes)
    )
    found = dict(session.execute(query).all())
    return found.get(PUBLIC_SCOPE, 0), found.get(organisation_id or PUBLIC_SCOPE, 0)


def bump(session: Session, scope_id: UUID) -> None:
    """Counts a change, in the transaction that makes it. Whoever changes the same scope waits in line."""
    statement = insert(RatingRevision).values(scope_id=scope_id, revision=1)
    session.execute(
        statement.on_conflict_do_update(
            index_elements=("scope_id",), set_={"revision": RatingRevision.revision + 1}
        )
    )


def visible(organisation_id: UUID | None) -> ColumnElement[bool]:
    """Tests that an organisation may see with their figures; none: that everybody may."""
    if organisation_id is None:
        return DriveTest.visibility == PUBLIC
    return or_(DriveTest.visibility == PUBLIC, DriveTest.organisation_id == organisation_id)


def tests(session: Session, organisation_id: UUID | None) -> Sequence[Row[Any]]:
    """Every visible test, the columns of the table."""
    query = select(*DriveTest.__table__.columns).where(visible(organisation_id))
    return session.execute(query.order_by(DriveTest.test_id)).all()


def fingerprints(session: Session, *conditions: ColumnElement[bool]) -> dict[str, bytes]:
    """Fingerprints by test of those that meet the conditions."""
    query = select(DriveTest.test_id, DriveTest.fingerprint).where(*conditions)
    return dict(session.execute(query).all())


def store(session: Session, rows: Sequence[dict[str, Any]]) -> None:
    """Writes tests, replacing those of the same name."""
    if not rows:
        return
    statement = insert(DriveTest)
    changed = {
        column.name: statement.excluded[column.name]
        for column in DriveTest.__table__.columns
        if column.name != "test_id"
    }
    session.execute(statement.on_conflict_do_update(index_elements=("test_id",), set_=changed), list(rows))


def remove(session: Session, test_ids: Collection[str]) -> None:
    """Takes tests away whose source does not hold them any more."""
    if test_ids:
        session.execute(delete(DriveTest).where(DriveTest.test_id.in_(test_ids)))


def of_run(run_id: UUID) -> ColumnElement[bool]:
    """Tests of a run."""
    return DriveTest.run_id == run_id


def of_publications() -> ColumnElement[bool]:
    """Tests that were published in documents."""
    return DriveTest.publication_slug.is_not(None)


def drives(session: Session, organisation_id: UUID | None) -> Sequence[Row[UUID, str, str, str]]:
    """Items of the catalogue that are drives, as far as they are visible."""
    query = select(CatalogueItem.item_id, CatalogueItem.slug, CatalogueItem.vendor, CatalogueItem.name).where(
        CatalogueItem.kind == DRIVE,
        or_(CatalogueItem.organisation_id.is_(None), CatalogueItem.organisation_id == organisation_id),
    )
    return session.execute(query).all()


def vendors(session: Session) -> dict[str, str]:
    """Vendors by the slugs of public drives."""
    return {row.slug: row.vendor for row in drives(session, None)}


def facts(
    session: Session, fields: Collection[str] | None = None, item_ids: Collection[UUID] | None = None
) -> Sequence[CatalogueFact]:
    """Facts of drives in their order, of some fields or items."""
    query = select(CatalogueFact).join(CatalogueItem, CatalogueItem.item_id == CatalogueFact.item_id)
    query = query.where(CatalogueItem.kind == DRIVE)
    if fields is not None:
        query = query.where(CatalogueFact.field.in_(fields))
    if item_ids is not None:
        query = query.where(CatalogueFact.item_id.in_(item_ids))
    return session.scalars(query.order_by(CatalogueFact.item_id, CatalogueFact.position)).all()


def aliases(session: Session, item_id: UUID) -> list[str]:
    """What a drive is also called, as printed."""
    query = select(CatalogueAlias.as_printed).where(CatalogueAlias.item_id == item_id)
    return sorted(set(session.scalars(query)))
