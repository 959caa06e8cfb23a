"""Memberships by groups of the provider, updated whenever a person signs in there.

They concern only organisations in the setting, and no membership that was granted by hand. The last owner of
an organisation stays without a group, too.
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
    """Return the highest role that these groups give, by name of the organisation; empty if they give none.

    `groups`: the provider's claim, a name or a list, of which the first 10,000 names count.
    """
    listed = groups[:_MOST_GROUPS] if isinstance(groups, list) else [groups]
    names = {name for name in listed if isinstance(name, str)}
    roles: dict[str, str] = {}
    for group, organisation, role in table:
        earlier = roles.get(organisation)
        if group in names and (earlier is None or _rank(role) > _rank(earlier)):
            roles[organisation] = role
    return roles


def apply(  # noqa: PLR0917 - person, claims and rules
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
    """Change a person's memberships to those that their groups give, and record the changes.

    Memberships that no group gave, and organisations outside `table`, stay as they are, and so does the last
    owner of an organisation. A missing organisation in which they give a role is created. `claim`: name of
    the claim with the groups. The session must be bound to no organisation.
    """
    roles = roles_of(claims.get(claim), table)
    actor = trail.Actor("person", email, person_id, address)
    organisations: list[tuple[Organisation, str | None]] = []
    for name in sorted({rule.organisation for rule in table}):
        role = roles.get(name)
        if role is not None:
            organisations.append((repository.ensure_organisation(session, name, now), role))
        elif (organisation := repository.find_organisation(session, name)) is not None:
            organisations.append((organisation, None))
    for organisation, role in sorted(organisations, key=lambda pair: pair[0].id):
        repository.lock_organisation(session, organisation.id)
        membership = session.get(Membership, (organisation.id, person_id))
        if membership is None and role is not None:
            accounts.add_member(session, organisation.id, person_id, role, now)
            session.execute(
                update(Membership)
                .where(Membership.organisation_id == organisation.id, Membership.person_id == person_id)
                .values(by_groups=True)
            )
            note = trail.Note(email, after={"role": role})
            trail.record(session, organisation.id, actor, "join_by_group", note)
        elif membership is not None and membership.by_groups and membership.role != role:
            before = {"role": membership.role}
            with suppress(LastOwner):
                if role is None:
                    members.remove(session, organisation.id, person_id, None, now)
                    note = trail.Note(email, before=before)
                    trail.record(session, organisation.id, actor, "leave_by_group", note)
                else:
                    members.change_role(session, organisation.id, person_id, role, members.OWNER, now)
                    note = trail.Note(email, before=before, after={"role": role})
                    trail.record(session, organisation.id, actor, "change_role_by_group", note)


def _rank(role: str) -> int:
    return ROLES_OF_GROUPS.index(role)
