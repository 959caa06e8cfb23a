"""Members of an organisation: their roles, how they join and leave (docs/adr/0085).

Admins decide about all members except owners; owners about all. The last owner cannot leave. Sessions are
bound to the organisation, unless a docstring says otherwise.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal, NamedTuple
from uuid import UUID

from sqlalchemy import ColumnElement, delete, exists, func, select, update
from sqlalchemy.orm import Session

from tailroom.access import issuance, trail
from tailroom.access.repository import lock_organisation
from tailroom.access.tokens import hash_token, make_session
from tailroom.kit.identifiers import new_id
from tailroom.kit.limits import INVITATIONS
from tailroom.people.accounts import add_member
from tailroom.people.errors import (
    InvitationEnded,
    InvitationForeign,
    InvitationsTooMany,
    LastOwner,
    MemberUnknown,
    RoleBeyond,
)
from tailroom.storage.invitation import Invitation
from tailroom.storage.organisation import Organisation
from tailroom.storage.person import Membership, Passkey, PersonSession, SecondFactor

OWNER = "owner"
FactorKind = Literal["none", "app", "passkey", "both"]


class Invited(NamedTuple):
    """An invitation that can be accepted, with the organisation that it is for."""

    organisation_id: UUID
    organisation_name: str
    invitation: Invitation


def members_of(session: Session, organisation_id: UUID) -> Sequence[Membership]:
    """Return the members of an organisation, ordered by name, then e-mail address."""
    query = select(Membership).where(Membership.organisation_id == organisation_id)
    return session.scalars(query.order_by(func.lower(Membership.name), Membership.email)).all()


def factors_of(session: Session, organisation_id: UUID) -> list[tuple[UUID, FactorKind]]:
    """Return pairs of a member's id and their second factors: `none`, `app`, `passkey` or `both`.

    The session must be bound to no organisation.
    """
    app = exists().where(
        SecondFactor.person_id == Membership.person_id, SecondFactor.confirmed_at.is_not(None)
    )
    passkey = exists().where(Passkey.person_id == Membership.person_id)
    query = select(Membership.person_id, app, passkey).where(Membership.organisation_id == organisation_id)
    kinds: dict[tuple[bool, bool], FactorKind] = {
        (False, False): "none",
        (True, False): "app",
        (False, True): "passkey",
        (True, True): "both",
    }
    return [(person_id, kinds[has_app, has_key]) for person_id, has_app, has_key in session.execute(query)]


def invitations_of(session: Session, organisation_id: UUID, now: datetime) -> Sequence[Invitation]:
    """Return the open invitations, newest first, also of issuers that may not invite any more."""
    return session.scalars(
        select(Invitation)
        .where(
            Invitation.organisation_id == organisation_id,
            Invitation.accepted_at.is_(None),
            Invitation.revoked_at.is_(None),
            Invitation.expires_at > now,
        )
        .order_by(Invitation.created_at.desc(), Invitation.invitation_id)
    ).all()


def invite(
    session: Session,
    organisation_id: UUID,
    *,
    email: str,
    role: str,
    days: int,
    by: str,
    by_role: str,
    issuer_id: UUID | None,
    now: datetime,
) -> tuple[Invitation, str]:
    """Store an invitation and revoke open invitations for this address; return it and its code.

    Only the hash of the code is stored. `by`: name of the inviter for the recipient; `days`: validity. Raise
    RoleBeyond if `by_role` may not invite to `role`, InvitationsTooMany if 100 were open before.
    """
    _require_may(by_role, role)
    lock_organisation(session, organisation_id)
    open_invitations = invitations_of(session, organisation_id, now)
    for earlier in open_invitations:
        if earlier.email == email:
            earlier.revoked_at = now
    if len(open_invitations) >= INVITATIONS:
        raise InvitationsTooMany(f"{INVITATIONS} invitations are open. Take one back first.")
    code = make_session()
    invitation = Invitation(
        organisation_id=organisation_id,
        invitation_id=new_id(),
        code_sha256=hash_token(code),
        email=email,
        role=role,
        invited_by=by,
        issuer_id=issuer_id,
        created_at=now,
        expires_at=now + timedelta(days=days),
        accepted_at=None,
        revoked_at=None,
    )
    session.add(invitation)
    session.flush()
    trail.note(session, email, after={"role": role, "days": days})
    return invitation, code


def revoke(session: Session, organisation_id: UUID, invitation_id: UUID, by_role: str, now: datetime) -> None:
    """Revoke an invitation. The time of an earlier revocation stays.

    Raise InvitationEnded if it is unknown or accepted, RoleBeyond if it is for an owner and `by_role` is not
    owner.
    """
    invitation = session.get(Invitation, (organisation_id, invitation_id), with_for_update=True)
    if invitation is None or invitation.accepted_at is not None:
        raise InvitationEnded("There is no such invitation, or it was accepted.")
    _require_may(by_role, invitation.role)
    invitation.revoked_at = invitation.revoked_at or now
    session.flush()
    trail.note(session, invitation.email, before={"role": invitation.role})


def look_up(session: Session, code: str, now: datetime) -> Invited:
    """Return the open invitation of a code, in a session of no organisation.

    Raise InvitationEnded if it has none.
    """
    return _open_invitation(session, Invitation.code_sha256 == hash_token(code), now)


def look_up_id(session: Session, invitation_id: UUID, now: datetime) -> Invited:
    """Return the open invitation of this id. Raise InvitationEnded if there is none."""
    return _open_invitation(session, Invitation.invitation_id == invitation_id, now)


def _open_invitation(session: Session, condition: ColumnElement[bool], now: datetime) -> Invited:
    """Return the open invitation of an issuer who may still invite. Raise InvitationEnded without one."""
    query = select(Invitation, Organisation.name).where(condition, issuance.may_invite_as(now))
    row = session.execute(
        query.join(Organisation, Organisation.id == Invitation.organisation_id).execution_options(
            populate_existing=True
        )
    ).one_or_none()
    invitation = None if row is None else row[0]
    if (
        row is None
        or invitation is None
        or invitation.accepted_at is not None
        or invitation.revoked_at is not None
        or invitation.expires_at <= now
    ):
        raise InvitationEnded(
            "The invitation was accepted already, was taken back, or has expired. Ask whoever invited you for"
            " another one."
        )
    return Invited(invitation.organisation_id, row[1], invitation)


def accept(session: Session, invited: Invited, person_id: UUID, email: str, now: datetime) -> UUID:
    """Make a person a member by an invitation; return the organisation's id.

    A person who is a member already keeps their role. The session must be bound to no organisation. Raise
    InvitationEnded if the invitation has ended, InvitationForeign if it is for another e-mail address.
    """
    lock_organisation(session, invited.organisation_id)
    invited = look_up_id(session, invited.invitation.invitation_id, now)
    if invited.invitation.email != email:
        raise InvitationForeign(
            f"The invitation is for {invited.invitation.email}, and you are {email}."
            " Sign in with that address."
        )
    invited.invitation.accepted_at = now
    add_member(session, invited.organisation_id, person_id, invited.invitation.role, now)
    return invited.organisation_id


def change_role(  # noqa: PLR0917 - member, role, actor, time
    session: Session, organisation_id: UUID, person_id: UUID, role: str, by_role: str, now: datetime
) -> None:
    """Change the role of a member, and revoke what they issued and may not issue in the new role.

    The session must be bound to no organisation. Raise MemberUnknown if the person is no member, RoleBeyond
    if either role is owner and `by_role` is not, LastOwner if no owner would be left.
    """
    lock_organisation(session, organisation_id)
    member = _member(session, organisation_id, person_id)
    _require_may(by_role, member.role)
    _require_may(by_role, role)
    if member.role == OWNER and role != OWNER:
        _require_another_owner(session, organisation_id)
    trail.note(session, member.email, before={"role": member.role}, after={"role": role})
    session.execute(
        update(Membership)
        .where(Membership.organisation_id == organisation_id, Membership.person_id == person_id)
        .values(role=role)
    )
    issuance.end_beyond(session, organisation_id, person_id, role, now)


def hand_over(
    session: Session, organisation_id: UUID, from_id: UUID, to_id: UUID, now: datetime
) -> tuple[str, str]:
    """Make the member `to_id` an owner in place of `from_id`, who becomes an admin.

    Return the e-mail addresses of `from_id` and `to_id`. The session must be bound to no organisation. Raise
    MemberUnknown if one of them is no member, RoleBeyond if `from_id` is no owner or both are the same.
    """
    lock_organisation(session, organisation_id)
    before, after = _member(session, organisation_id, from_id), _member(session, organisation_id, to_id)
    if before.role != OWNER or from_id == to_id:
        raise RoleBeyond("An owner hands over to another member.")
    before.role, after.role = "admin", OWNER
    session.flush()
    issuance.end_beyond(session, organisation_id, from_id, before.role, now)
    trail.note(session, after.email, before={"owner": before.email}, after={"owner": after.email})
    return before.email, after.email


def remove(
    session: Session, organisation_id: UUID, person_id: UUID, by_role: str | None, now: datetime
) -> None:
    """Remove a member and revoke all that they issued for the organisation.

    `by_role`: role of the remover, None if no person decides. The session must be bound to no organisation.
    Raise MemberUnknown if the person is no member, RoleBeyond for an owner if `by_role` is another role,
    LastOwner for the last owner.
    """
    lock_organisation(session, organisation_id)
    member = _member(session, organisation_id, person_id)
    if by_role is not None:
        _require_may(by_role, member.role)
    if member.role == OWNER:
        _require_another_owner(session, organisation_id)
    trail.note(session, member.email, before={"role": member.role})
    session.execute(
        delete(Membership).where(
            Membership.organisation_id == organisation_id, Membership.person_id == person_id
        )
    )
    issuance.end_beyond(session, organisation_id, person_id, None, now)


def choose(session: Session, session_id: UUID, person_id: UUID, organisation_id: UUID) -> None:
    """Let a session act for another organisation of its person. Raise MemberUnknown if they are no member.

    The database session must be bound to no organisation.
    """
    _member(session, organisation_id, person_id)
    session.execute(
        update(PersonSession)
        .where(PersonSession.session_id == session_id, PersonSession.person_id == person_id)
        .values(chosen_organisation_id=organisation_id)
    )


def _member(session: Session, organisation_id: UUID, person_id: UUID) -> Membership:
    member = session.get(Membership, (organisation_id, person_id))
    if member is None:
        raise MemberUnknown("There is no such member of this organisation.")
    return member


def _require_may(by_role: str, role: str) -> None:
    """Raise RoleBeyond if a person in the role `by_role` may not decide about owners and `role` is owner."""
    if role == OWNER and by_role != OWNER:
        raise RoleBeyond("Only an owner decides about owners.")


def _require_another_owner(session: Session, organisation_id: UUID) -> None:
    owners = session.scalar(
        select(func.count()).where(Membership.organisation_id == organisation_id, Membership.role == OWNER)
    )
    if (owners or 0) < 2:
        raise LastOwner("This is the last owner. Make somebody else an owner first.")
