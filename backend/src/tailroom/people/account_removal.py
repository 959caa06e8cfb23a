"""Decides what goes with an account when its owner deletes it (docs/adr/0022).

Everything that is stored of the person, at once. What they did for an organisation is the organisation's:
runs, tokens and the audit trail stay, and the last owner of an organisation has to transfer it first.
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
    """Deletes an account. For a transaction that is nobody's, which must not be stored after a refusal.

    Raises LastOwner, AccountGone.
    """
    person = accounts.lock(session, person_id, to_delete=True)
    left_alone: list[str] = []
    for one in sorted(accounts.memberships(session, person_id)):
        try:
            members.remove(session, one.organisation_id, person_id, None, now)
        except LastOwner:
            left_alone.append(f"“{one.name}”")
        except MemberUnknown:  # somebody has taken them out meanwhile
            continue
        else:
            what = trail.Note(person.email, before={"role": one.role})
            trail.record(session, one.organisation_id, actor, "delete_account", what)
    if left_alone:
        raise LastOwner(
            f"You are the last owner of {', '.join(left_alone)}. Make somebody else an owner first, or delete"
            " the organisation and come back when it is gone."
        )
    accounts.end_codes(session, person.email)
    session.execute(delete(Person).where(Person.id == person_id))
