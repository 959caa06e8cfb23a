"""Saved items of a person: questions, shortlists, drives and runs, each by its address.

Without an account the browser stores the same items; after signing in it adds them to the account.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import delete, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from tailroom.kit.limits import SAVED_ITEMS
from tailroom.people import accounts, schemas
from tailroom.people.errors import SavedTooMany
from tailroom.storage.saved_item import SavedItemRow


def saved_of(session: Session, person_id: UUID) -> list[schemas.SavedItem]:
    """Return the saved items of a person, the newest first."""
    rows = session.scalars(
        select(SavedItemRow)
        .where(SavedItemRow.person_id == person_id)
        .order_by(SavedItemRow.saved_at.desc(), SavedItemRow.address)
    )
    return [schemas.SavedItem.model_validate(row, from_attributes=True) for row in rows]


def change(
    session: Session,
    person_id: UUID,
    add: Sequence[schemas.SavedItem],
    remove: Collection[str],
    now: datetime,
) -> None:
    """Remove the items with the addresses in `remove`, then save those in `add` that are not saved yet.

    Raise SavedTooMany if there are more than 200 afterwards, AccountGone if there is no such person.
    """
    accounts.lock(session, person_id)
    is_own = SavedItemRow.person_id == person_id
    session.execute(delete(SavedItemRow).where(is_own, SavedItemRow.address.in_(remove)))
    for item in add:
        row = {"person_id": person_id, "saved_at": now, **item.model_dump()}
        session.execute(insert(SavedItemRow).values(row).on_conflict_do_nothing())
    if (session.scalar(select(func.count()).where(is_own)) or 0) > SAVED_ITEMS:
        raise SavedTooMany(f"At most {SAVED_ITEMS} places can be saved. Remove some first.")
