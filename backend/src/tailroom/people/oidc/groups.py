"""Decides what a person's groups at the provider make them a member of, each time they sign in there.

Only in organisations that the setting has, and only where nobody has made them a member by hand. The last
owner stays whatever the provider says: somebody has to be able to let others in.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import update
from sqlalchemy.orm import Session

from tailroom.access import repository, trail
from tailroom.kit.settings import ROLES_OF_GROUPS, GroupRole
from tailroom.people import accounts, members
from tailroom.people.errors import LastOwner
from tailroom.storage.organisation import Organisation
from tailroom.storage.person import Membership

_MOST_GROUPS = 10_000


def roles_of(groups: object, table: Iterable[GroupRole]) -> Mapping[str, str]:
    """By organisation, the highest role that somebody's groups give."""
    listed = groups[:_MOST_GROUPS] if isinstance(groups, list) else [groups]
    theirs = {one for one in listed if isinstance(one, str)}
    found: dict[str, str] = {}
    for group, organisation, role in table:
        before = found.get(organisation)
        if group in theirs and (before is None or _rank(role) > _rank(before)):
            found[organisation] = role
    return found


def apply(  # noqa: PLR0917 - who, what is said of them, and by which rule
    session: Session,
    person_id: UUID,
    email: str,
    claims: Mapping[str, Any],
    claim: str,
    table: Sequence[GroupRole],
    *,
    address: str,
    now: datetime,
) -> None:
    """Makes memberships what the groups say. For a transaction that is nobody's."""
    wanted = roles_of(claims.get(claim), table)
    actor = trail.Actor("person", email, person_id, address)
    found: list[tuple[Organisation, str | None]] = []
    for name in sorted({one.organisation for one in table}):
        role = wanted.get(name)
        if role is not None:
            found.append((repository.ensure_organisation(session, name, now), role))
        elif (there := repository.find_organisation(session, name)) is not None:
            found.append((there, None))
    for organisation, role in sorted(found, key=lambda one: one[0].id):
        repository.lock_organisation(session, organisation.id)
        present = session.get(Membership, (organisation.id, person_id))
        if present is None and role is not None:
            accounts.add_member(session, organisation.id, person_id, role, now)
            session.execute(
                update(Membership)
                .where(Membership.organisation_id == organisation.id, Membership.person_id == person_id)
                .values(by_groups=True)
            )
            what = trail.Note(email, after={"role": role})
            trail.record(session, organisation.id, actor, "join_by_group", what)
        elif present is not None and present.by_groups and present.role != role:
            before = {"role": present.role}
            with suppress(LastOwner):
                if role is None:
                    members.remove(session, organisation.id, person_id, None, now)
                    what = trail.Note(email, before=before)
                    trail.record(session, organisation.id, actor, "leave_by_group", what)
                else:
                    members.change_role(session, organisation.id, person_id, role, members.OWNER, now)
                    what = trail.Note(email, before=before, after={"role": role})
                    trail.record(session, organisation.id, actor, "change_role_by_group", what)


def _rank(role: str) -> int:
    return ROLES_OF_GROUPS.index(role)
