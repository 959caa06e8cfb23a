"""Deletion of an account (docs/adr/0022).

Runs, tokens and the audit trail belong to the organisation, so they stay.
"""

from datetime import datetime
from uuid import UUID

from sqlalchemy import delete
from sqlalchemy.orm import Session

from tailroom.access import trail
from tailroom.people import accounts, members
from tailroom.people.errors import LastOwner, MemberUnknown
from tailroom.storage.person import Person


def remove(session: Session, person_id: UUID, actor: trail.Actor, now: datetime) -> None:
    """Delete an account with all its data, and end its memberships.

    The session must be bound to no organisation. Raise AccountGone if there is no such person, LastOwner if
    an organisation has no other owner; the caller then rolls back.
    """
    person = accounts.lock(session, person_id, to_delete=True)
    without_owner: list[str] = []
    for membership in sorted(accounts.memberships(session, person_id)):
        try:
            members.remove(session, membership.organisation_id, person_id, None, now)
        except LastOwner:
            without_owner.append(f"“{membership.name}”")
        except MemberUnknown:  # the person was removed from the organisation meanwhile
            continue
        else:
            note = trail.Note(person.email, before={"role": membership.role})
            trail.record(session, membership.organisation_id, actor, "delete_account", note)
    if without_owner:
        raise LastOwner(
            f"You are the last owner of {', '.join(without_owner)}. Make somebody else an owner first, or"
            " delete the organisation and come back when it is gone."
        )
    accounts.end_codes(session, person.email)
    session.execute(delete(Person).where(Person.id == person_id))
