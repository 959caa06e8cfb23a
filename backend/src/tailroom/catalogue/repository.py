"""Queries about catalogue items and their facts, and replacement of the reference data."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, delete, func, or_, select, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from tailroom.storage.base import Base, upsert
from tailroom.storage.catalogue import (
    CatalogueAlias,
    CatalogueFact,
    CatalogueItem,
    ClaimRow,
    PublicationRow,
    ReferenceState,
)

_LOCK_KEY = 0x7A11_0005
"""Key of the advisory lock of PostgreSQL for loading."""
_ROWS_AT_ONCE = 1_000
"""Maximum number of rows in an INSERT statement."""
Rows = Sequence[Mapping[str, Any]]
"""Rows of a table, each with its values by column."""


def lock_reference(session: Session) -> None:
    """Lock the reference data until the transaction ends; wait if another process has the lock."""
    session.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK_KEY})


def loaded_digest(session: Session, name: str) -> bytes | None:
    """Return the SHA-256 of the data last stored as `reference` or `findings` (`name`); None without any."""
    return session.scalar(select(ReferenceState.content_sha256).where(ReferenceState.name == name))


def set_loaded(session: Session, name: str, digest: bytes, now: datetime) -> None:
    """Store the SHA-256 of the data that are stored under a name (`reference` or `findings`)."""
    upsert(session, ReferenceState, [{"name": name, "content_sha256": digest, "loaded_at": now}])


def replace_items(
    session: Session,
    *,
    items: Rows,
    aliases: Rows,
    facts: Rows,
    publications: Rows,
    claims: Rows,
    keep: Collection[str],
) -> None:
    """Replace all publications and claims, and the items of the package with their spellings and facts.

    Items of organisations, and items with the slugs to `keep`, are not deleted.
    """
    ids = [item["item_id"] for item in items]
    slugs = [publication["slug"] for publication in publications]
    session.execute(delete(ClaimRow))
    session.execute(delete(PublicationRow).where(PublicationRow.slug.not_in(slugs)))
    gone = (
        CatalogueItem.organisation_id.is_(None),
        CatalogueItem.item_id.not_in(ids),
        CatalogueItem.slug.not_in(keep),
    )
    session.execute(delete(CatalogueItem).where(*gone))
    session.execute(delete(CatalogueAlias).where(CatalogueAlias.item_id.in_(ids)))
    session.execute(delete(CatalogueFact).where(CatalogueFact.item_id.in_(ids)))
    upsert(session, CatalogueItem, items, keep=("created_at",))
    _insert(session, CatalogueAlias, aliases)
    _insert(session, CatalogueFact, facts)
    upsert(session, PublicationRow, publications)
    _insert(session, ClaimRow, claims)


def add_item(session: Session, item: Mapping[str, Any], aliases: Rows, facts: Rows) -> None:
    """Store an item with its spellings and facts, given as column values."""
    _insert(session, CatalogueItem, [item])
    _insert(session, CatalogueAlias, aliases)
    _insert(session, CatalogueFact, facts)


def visible(organisation_id: UUID | None) -> ColumnElement[bool]:
    """Return the SQL condition for shared items and those of the organisation; None: shared items alone."""
    return or_(CatalogueItem.organisation_id.is_(None), CatalogueItem.organisation_id == organisation_id)


def items_of_kind(session: Session, kind: str, organisation_id: UUID | None) -> Sequence[CatalogueItem]:
    """Return all items of a kind that an organisation sees, by slug."""
    return session.scalars(
        select(CatalogueItem)
        .where(CatalogueItem.kind == kind, visible(organisation_id))
        .order_by(CatalogueItem.slug)
    ).all()


def item_by_slug(session: Session, slug: str, organisation_id: UUID | None) -> CatalogueItem | None:
    """Return an item by its slug; None if the organisation does not see it."""
    return session.scalar(select(CatalogueItem).where(CatalogueItem.slug == slug, visible(organisation_id)))


def facts_of(session: Session, item_ids: Sequence[UUID]) -> Sequence[CatalogueFact]:
    """Return the facts of items, sorted by item id; those of an item in the order of its source file."""
    return session.scalars(
        select(CatalogueFact)
        .where(CatalogueFact.item_id.in_(item_ids))
        .order_by(CatalogueFact.item_id, CatalogueFact.position)
    ).all()


def facts_from(session: Session, source_slug: str) -> Sequence[tuple[CatalogueFact, CatalogueItem]]:
    """Return the facts of shared items that a publication states, with their items."""
    query = (
        select(CatalogueFact, CatalogueItem)
        .join(CatalogueItem, CatalogueItem.item_id == CatalogueFact.item_id)
        .where(CatalogueFact.source_slug == source_slug, CatalogueItem.organisation_id.is_(None))
        .order_by(CatalogueItem.kind, CatalogueItem.slug, CatalogueFact.position)
    )
    return [(fact, item) for fact, item in session.execute(query)]


def aliases_of_items(session: Session, item_ids: Sequence[UUID]) -> Sequence[CatalogueAlias]:
    """Return every spelling of these items, unordered."""
    return session.scalars(select(CatalogueAlias).where(CatalogueAlias.item_id.in_(item_ids))).all()


def items_called(
    session: Session, kind: str, forms: Sequence[str], organisation_id: UUID | None
) -> Sequence[tuple[str, str]]:
    """Return (normalised name, slug) of the items of a kind with one of the normalised names `forms`.

    The organisation must see the items; with None, they are shared.
    """
    query = (
        select(CatalogueAlias.normalised, CatalogueItem.slug)
        .join(CatalogueItem, CatalogueItem.item_id == CatalogueAlias.item_id)
        .where(CatalogueAlias.normalised.in_(forms), CatalogueItem.kind == kind, visible(organisation_id))
        .order_by(CatalogueItem.slug)
    )
    return [(form, slug) for form, slug in session.execute(query)]


def drives_matching(
    session: Session, form: str, organisation_id: UUID | None, limit: int
) -> Sequence[tuple[CatalogueItem, str | None]]:
    """Return at most `limit` drives, each with its best spelling that contains `form`, best matches first.

    `form` is a normalised text. If it is empty, return the first drives by name, each with None.
    """
    if not form:
        query = (
            select(CatalogueItem)
            .where(CatalogueItem.kind == "drive", visible(organisation_id))
            .order_by(CatalogueItem.vendor, CatalogueItem.name, CatalogueItem.slug)
            .limit(limit)
        )
        return [(item, None) for item in session.scalars(query)]
    position = func.strpos(CatalogueAlias.normalised, form)
    best = (
        select(
            CatalogueAlias.item_id,
            CatalogueAlias.as_printed,
            func.least(position, 2).label("position"),
            func.row_number()
            .over(
                partition_by=CatalogueAlias.item_id,
                order_by=(func.least(position, 2), func.length(CatalogueAlias.normalised)),
            )
            .label("rank"),
        )
        .where(position > 0)
        .subquery()
    )
    matches = (
        select(CatalogueItem, best.c.as_printed)
        .join(best, best.c.item_id == CatalogueItem.item_id)
        .where(best.c.rank == 1, CatalogueItem.kind == "drive", visible(organisation_id))
        .order_by(best.c.position, CatalogueItem.vendor, CatalogueItem.name, CatalogueItem.slug)
        .limit(limit)
    )
    return [(item, spelling) for item, spelling in session.execute(matches)]


def count_items_of_organisation(session: Session, organisation_id: UUID) -> int:
    """Return the number of items that an organisation has added."""
    query = select(func.count()).select_from(CatalogueItem)
    return int(session.scalar(query.where(CatalogueItem.organisation_id == organisation_id)) or 0)


def _insert(session: Session, model: type[Base], rows: Rows) -> None:
    for begin in range(0, len(rows), _ROWS_AT_ONCE):
        session.execute(insert(model), list(rows[begin : begin + _ROWS_AT_ONCE]))


def visible_slugs(session: Session, organisation_id: UUID, slugs: Collection[str]) -> set[str]:
    """Return the slugs among these that belong to a drive that the organisation sees."""
    query = select(CatalogueItem.slug).where(
        CatalogueItem.kind == "drive", CatalogueItem.slug.in_(slugs), visible(organisation_id)
    )
    return set(session.scalars(query))
