"""The owner of a single-machine installation, and their sign-in from a browser on this machine.

A link that `make up` prints signs in once, within ten minutes, on this machine only (docs/adr/0004). Any user
of the terminal could read the database, too.
"""

from datetime import datetime
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from tailroom.access import repository
from tailroom.access.tokens import make_session
from tailroom.people import accounts, attempts
from tailroom.storage.local import LOCAL_ORGANISATION
from tailroom.storage.organisation import LOCAL_OWNER
from tailroom.storage.person import Person

_NAME = "Owner of this machine"


def link(session: Session, base: str, now: datetime) -> str:
    """Store a sign-in of the owner; return the URL that completes it once, within ten minutes.

    `base`: address of this installation. The session must be bound to no organisation.
    """
    code = make_session()
    attempts.begin(session, "local", code, now, person_id=_ensure_owner(session, now))
    return f"{base}/enter#{code}"


def _ensure_owner(session: Session, now: datetime) -> UUID:
    """Return the id of the owner of this machine; create person, organisation and membership if missing."""
    person_id = session.scalar(select(Person.id).where(Person.email == LOCAL_OWNER))
    if person_id is None:
        person_id = accounts.make_person(session, LOCAL_OWNER, _NAME, None, now)
    organisation = repository.ensure_organisation(session, LOCAL_ORGANISATION, now)
    accounts.add_member(session, organisation.id, person_id, "owner", now)
    return person_id
