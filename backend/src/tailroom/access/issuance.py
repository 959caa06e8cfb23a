"""Validity of issued invitations, enrolment codes and access tokens.

Each names the person or token that issued it. The right of the issuer is checked again on use: removal, a
lower role or a new password of the issuer end it. A text that the operator or the machine itself issued ends
at its stated time. Keys of enrolled agents stay valid, because they belong to the machine.
"""

from collections.abc import Collection
from datetime import datetime
from typing import cast
from uuid import UUID

from sqlalchemy import ColumnElement, exists, or_, select, update
from sqlalchemy.orm import InstrumentedAttribute, Session

from tailroom.access.caller import Caller
from tailroom.access.capabilities import ALLOWED, ROLES, SCOPES, Capability, Role
from tailroom.access.errors import TokenScope
from tailroom.storage.access_token import AccessToken
from tailroom.storage.campaign import EnrolmentCode
from tailroom.storage.invitation import Invitation
from tailroom.storage.person import Membership

_OWNER: Role = "owner"


def issuer_of(caller: Caller) -> UUID | None:
    """Return the id of the caller's person or token.

    None for this machine, for the operator's token and for a visitor.
    """
    return caller.token_id if caller.person is None else caller.person.person_id


def present_role(session: Session, caller: Caller, capability: Capability) -> Role:
    """Return the person's role as stored now, because it may have changed since authentication.

    The organisation must be locked. Raise TokenScope if the person is no member, or the role lacks the
    capability.
    """
    person_id = None if caller.person is None else caller.person.person_id
    stored_role = session.scalar(
        select(Membership.role).where(
            Membership.organisation_id == caller.organisation_id, Membership.person_id == person_id
        )
    )
    role = cast(Role, stored_role)
    if stored_role is None or capability not in ALLOWED[role]:
        raise TokenScope(f"Your role was changed just now; it does not allow this ({capability}) any more.")
    return role


def may_issue(
    organisation_id: InstrumentedAttribute[UUID],
    issuer_id: InstrumentedAttribute[UUID | None],
    capability: Capability,
    now: datetime,
) -> ColumnElement[bool]:
    """Return the SQL condition that an issuer still has the capability; true for None (operator or machine).

    The session must be bound to no organisation.
    """
    is_member = exists().where(
        Membership.organisation_id == organisation_id,
        Membership.person_id == issuer_id,
        Membership.role.in_([role for role in ROLES if capability in ALLOWED[role]]),
    )
    is_token = exists().where(
        AccessToken.organisation_id == organisation_id,
        AccessToken.id == issuer_id,
        AccessToken.scope.in_([scope for scope in SCOPES if capability in ALLOWED[scope]]),
        AccessToken.valid_at(now),
    )
    return or_(issuer_id.is_(None), is_member, is_token)


def may_invite_as(now: datetime) -> ColumnElement[bool]:
    """Return the SQL condition that the issuer of an invitation may still invite to its role.

    The session must be bound to no organisation.
    """
    organisation_id, issuer_id = Invitation.organisation_id, Invitation.issuer_id
    is_owner = exists().where(
        Membership.organisation_id == organisation_id,
        Membership.person_id == issuer_id,
        Membership.role == _OWNER,
    )
    may = may_issue(organisation_id, issuer_id, Capability.MANAGE_MEMBERS, now)
    return may & or_(issuer_id.is_(None), Invitation.role != _OWNER, is_owner)


def end_beyond(
    session: Session, organisation_id: UUID, person_id: UUID, role: str | None, now: datetime
) -> None:
    """Revoke what a member issued for an organisation and may not issue in their new role.

    These are open invitations, unused enrolment codes, and tokens with the unused codes that these tokens
    issued. `role` None: the member left. The session must be bound to no organisation.
    """
    allowed = ALLOWED[cast(Role, role)] if role is not None else frozenset[Capability]()
    if Capability.MANAGE_MEMBERS not in allowed:
        _end_invitations(session, now, organisation_id, person_id)
    elif role != _OWNER:
        _end_invitations(session, now, organisation_id, person_id, Invitation.role == _OWNER)
    if Capability.MANAGE_AGENTS not in allowed:
        _end_codes(session, now, organisation_id, [person_id])
    if Capability.MANAGE_TOKENS not in allowed:
        ended = session.scalars(
            update(AccessToken)
            .where(
                AccessToken.organisation_id == organisation_id,
                AccessToken.issuer_id == person_id,
                AccessToken.public_key.is_(None),
                AccessToken.revoked_at.is_(None),
            )
            .values(revoked_at=now)
            .returning(AccessToken.id)
        ).all()
        _end_codes(session, now, organisation_id, ended)


def end_open(session: Session, person_id: UUID, now: datetime) -> None:
    """Revoke a person's open invitations and unused enrolment codes in every organisation.

    Tokens stay valid, because programs of an organisation depend on them.
    """
    _end_invitations(session, now, None, person_id)
    _end_codes(session, now, None, [person_id])


def _end_invitations(
    session: Session,
    now: datetime,
    organisation_id: UUID | None,
    person_id: UUID,
    *conditions: ColumnElement[bool],
) -> None:
    """Revoke a person's open invitations that meet the conditions; `organisation_id` None: everywhere."""
    statement = update(Invitation).where(
        Invitation.issuer_id == person_id,
        Invitation.accepted_at.is_(None),
        Invitation.revoked_at.is_(None),
        *conditions,
    )
    if organisation_id is not None:
        statement = statement.where(Invitation.organisation_id == organisation_id)
    session.execute(statement.values(revoked_at=now))


def _end_codes(
    session: Session, now: datetime, organisation_id: UUID | None, issuer_ids: Collection[UUID]
) -> None:
    """Expire the unused codes of these people or tokens; `organisation_id` None: in all organisations."""
    statement = update(EnrolmentCode).where(
        EnrolmentCode.issuer_id.in_(issuer_ids),
        EnrolmentCode.used_at.is_(None),
        EnrolmentCode.expires_at > now,
    )
    if organisation_id is not None:
        statement = statement.where(EnrolmentCode.organisation_id == organisation_id)
    session.execute(statement.values(expires_at=now))
