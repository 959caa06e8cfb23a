"""Decides who owns what one machine measures for itself, and how a browser of this machine becomes theirs.

A link that `make up` prints signs in once, within ten minutes, on this machine alone (docs/adr/0004): whoever
can read the terminal could read the database, too.
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
    """A fresh address that signs the owner in. For a transaction that is nobody's."""
    code = make_session()
    attempts.begin(session, "local", code, now, person_id=_owner(session, now))
    return f"{base}/enter#{code}"


def _owner(session: Session, now: datetime) -> UUID:
    """The owner, made where there is none; they have no password, and get their mail at this machine."""
    found = session.scalar(select(Person.id).where(Person.email == LOCAL_OWNER))
    if found is None:
        found = accounts.make_person(session, LOCAL_OWNER, _NAME, None, now)
    organisation = repository.ensure_organisation(session, LOCAL_ORGANISATION, now)
    accounts.add_member(session, organisation.id, found, "owner", now)
    return found
