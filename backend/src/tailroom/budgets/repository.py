"""Queries about stored budgets, each for one organisation unless stated otherwise."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy import Text, bindparam, cast, func, select
from sqlalchemy.dialects.postgresql import distinct_on, insert
from sqlalchemy.orm import Session

from tailroom.storage.budget import BudgetRow


def all_of(session: Session, organisation_id: UUID) -> Sequence[BudgetRow]:
    """Return every version of an organisation's budgets, ordered by name, newest version first."""
    return session.scalars(
        select(BudgetRow)
        .where(BudgetRow.organisation_id == organisation_id)
        .order_by(BudgetRow.name, BudgetRow.version.desc())
    ).all()


def versions_of(session: Session, organisation_id: UUID, name: str) -> Sequence[BudgetRow]:
    """Return every version of an organisation's budget of this name, newest first."""
    return session.scalars(
        select(BudgetRow)
        .where(BudgetRow.organisation_id == organisation_id, BudgetRow.name == name)
        .order_by(BudgetRow.version.desc())
    ).all()


def newest(session: Session, organisation_id: UUID | None = None) -> Sequence[BudgetRow]:
    """Return the newest version of each name, by organisation and name; without `organisation_id`, of all."""
    query = select(BudgetRow)
    if organisation_id is not None:
        query = query.where(BudgetRow.organisation_id == organisation_id)
    return session.scalars(
        query.ext(distinct_on(BudgetRow.organisation_id, BudgetRow.name)).order_by(
            BudgetRow.organisation_id, BudgetRow.name, BudgetRow.version.desc()
        )
    ).all()


_OF_ORGANISATION = BudgetRow.organisation_id == bindparam("organisation_id")
_COUNT = select(func.count()).select_from(BudgetRow).where(_OF_ORGANISATION)
_BYTES = select(func.sum(func.octet_length(cast(BudgetRow.document, Text)))).where(_OF_ORGANISATION)


def count_of(session: Session, organisation_id: UUID) -> int:
    """Return the number of stored versions of an organisation's budgets."""
    return int(session.scalar(_COUNT, {"organisation_id": organisation_id}) or 0)


def document_bytes_of(session: Session, organisation_id: UUID) -> int:
    """Return the total size in bytes of an organisation's budget documents as JSON text; 0 without any."""
    return int(session.scalar(_BYTES, {"organisation_id": organisation_id}) or 0)


def insert_if_new(session: Session, values: dict[str, Any]) -> bool:
    """Store a version of a budget by its columns unless this version exists; return whether it was stored."""
    stored = session.scalar(
        insert(BudgetRow).values(values).on_conflict_do_nothing().returning(BudgetRow.version)
    )
    return stored is not None
