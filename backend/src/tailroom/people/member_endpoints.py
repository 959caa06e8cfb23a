"""Endpoints of members, invitations and organisations."""

from typing import Annotated, Any
from uuid import UUID

from fastapi import APIRouter, BackgroundTasks, Path, Request
from sqlalchemy import update
from sqlalchemy.orm import Session

from tailroom.access import issuance, trail
from tailroom.access.authenticator import refuse_foreign_origin
from tailroom.access.capabilities import Capability
from tailroom.access.errors import MailsTooMany
from tailroom.access.routing import (
    CallerDep,
    GuardedRoute,
    SessionDep,
    UnboundSessionDep,
    client_address,
    needs,
)
from tailroom.access.schemas import OrganisationOut
from tailroom.kit.clock import utc_now
from tailroom.kit.errors import problem_responses
from tailroom.kit.limits import OWNED_ORGANISATIONS
from tailroom.kit.resources import resources_of
from tailroom.people import accounts, mails, members, second_factors
from tailroom.people.account_endpoints import account_in, account_out, person_of
from tailroom.people.errors import (
    InvitationEnded,
    InvitationForeign,
    InvitationsTooMany,
    LastOwner,
    MemberUnknown,
    OrganisationsTooMany,
    RoleBeyond,
    SecondFactorState,
    SignUpClosed,
)
from tailroom.people.member_schemas import (
    HandOverIn,
    InvitationCodeIn,
    InvitationIn,
    InvitationMadeOut,
    InvitationOut,
    InvitedOut,
    MemberFactorOut,
    MemberFactorsOut,
    MemberOut,
    MembersOut,
    OrganisationChoiceIn,
    OrganisationIn,
    RoleIn,
    SecondFactorRuleIn,
)
from tailroom.people.schemas import AccountOut
from tailroom.people.sign_in_steps import guard_of, public_base_url, run_unbound, send_later
from tailroom.storage.organisation import Organisation

router = APIRouter(prefix="/api/v1", tags=["organisation"], route_class=GuardedRoute)
PersonPath = Annotated[UUID, Path(description="of the list of members")]


@router.get("/members", summary="Who belongs to the organisation")
@needs(Capability.READ_MEMBERS)
def list_members(caller: CallerDep, session: SessionDep) -> MembersOut:
    """Return the members, with the open invitations if the caller may invite."""
    return _members(caller, session)


@router.get("/second-factors", summary="Which second factor each member has set")
@needs(Capability.MANAGE_MEMBERS)
def list_member_factors(caller: CallerDep) -> MemberFactorsOut:
    """Return the kind of second factor of each member."""
    with caller.database.transaction() as session:
        factors = members.factors_of(session, caller.organisation_id)
    return MemberFactorsOut(
        factors=[MemberFactorOut(person_id=person_id, factor=factor) for person_id, factor in factors]
    )


@router.patch(
    "/members/{person_id}",
    summary="Give a member another role",
    responses=problem_responses(MemberUnknown, RoleBeyond, LastOwner),
)
@needs(Capability.MANAGE_MEMBERS)
def change_role(
    person_id: PersonPath, body: RoleIn, caller: CallerDep, session: UnboundSessionDep
) -> MembersOut:
    """Change the role of a member, from their next request on.

    Invitations, enrolment codes and tokens that they issued and may not issue in the new role end.
    """
    by_role = issuance.present_role(session, caller, Capability.MANAGE_MEMBERS)
    members.change_role(session, caller.organisation_id, person_id, body.role, by_role, utc_now())
    return _members(caller, session)


@router.delete(
    "/members/{person_id}",
    summary="Take a member out of the organisation",
    responses=problem_responses(MemberUnknown, RoleBeyond, LastOwner),
)
@needs(Capability.MANAGE_MEMBERS)
def remove_member(person_id: PersonPath, caller: CallerDep, session: UnboundSessionDep) -> MembersOut:
    """Remove a member from the organisation, with effect from the next request; return the members left.

    Invitations, enrolment codes and tokens that the member issued end, so replace tokens that programs use
    first. Agents that the member enrolled stay.
    """
    by_role = issuance.present_role(session, caller, Capability.MANAGE_MEMBERS)
    members.remove(session, caller.organisation_id, person_id, by_role, utc_now())
    return _members(caller, session)


@router.post(
    "/organisation/hand-over",
    summary="Make another member owner in one's own place",
    responses=problem_responses(MemberUnknown, RoleBeyond),
)
@needs(Capability.MANAGE_ORGANISATION)
def hand_over_organisation(
    body: HandOverIn,
    caller: CallerDep,
    session: UnboundSessionDep,
    request: Request,
    background: BackgroundTasks,
) -> MembersOut:
    """Make another member an owner; the caller is an admin from the next request on. Both get a mail."""
    person = person_of(caller)
    emails = members.hand_over(session, caller.organisation_id, person.person_id, body.person_id, utc_now())
    for email in emails:
        mail = mails.owner_changed(email, caller.organisation_name, person.email, emails[1])
        send_later(background, request, mail)
    return _members(caller, session)


@router.post(
    "/invitations",
    summary="Invite somebody into the organisation",
    status_code=201,
    responses=problem_responses(RoleBeyond, InvitationsTooMany, MailsTooMany),
)
@needs(Capability.MANAGE_MEMBERS)
def invite(
    body: InvitationIn,
    caller: CallerDep,
    session: SessionDep,
    request: Request,
    background: BackgroundTasks,
) -> InvitationMadeOut:
    """Mail a link that accepts the invitation, and return it this once.

    An earlier invitation of the same address ends.
    """
    person = person_of(caller)
    by = person.email
    guard_of(request).take_mail("invitation", body.email, str(person.person_id))
    _, code = members.invite(
        session,
        caller.organisation_id,
        email=body.email,
        role=body.role,
        days=body.days,
        by=by,
        by_role=issuance.present_role(session, caller, Capability.MANAGE_MEMBERS),
        issuer_id=person.person_id,
        now=utc_now(),
    )
    link = f"{public_base_url(request)}/invitation#{code}"
    send_later(background, request, mails.invitation(body.email, by, caller.organisation_name, link))
    result = _members(caller, session)
    return InvitationMadeOut(members=result.members, invitations=result.invitations, link=link)


@router.delete(
    "/invitations/{invitation_id}",
    summary="Take an invitation back",
    responses=problem_responses(InvitationEnded, RoleBeyond),
)
@needs(Capability.MANAGE_MEMBERS)
def revoke_invitation(
    invitation_id: Annotated[UUID, Path(description="of the list of members")],
    caller: CallerDep,
    session: SessionDep,
) -> MembersOut:
    """End an invitation; its link is not valid any more."""
    by_role = issuance.present_role(session, caller, Capability.MANAGE_MEMBERS)
    members.revoke(session, caller.organisation_id, invitation_id, by_role, utc_now())
    return _members(caller, session)


@router.post(
    "/invitation/look-up",
    summary="What an invitation leads to",
    responses=problem_responses(InvitationEnded),
)
@needs(Capability.NONE)
async def look_up_invitation(body: InvitationCodeIn, request: Request) -> InvitedOut:
    """Return the open invitation of a link."""
    refuse_foreign_origin(request)
    code = body.code.get_secret_value()
    invited = await run_unbound(request, lambda session: members.look_up(session, code, utc_now()))
    return InvitedOut(
        organisation=invited.organisation_name,
        email=invited.invitation.email,
        role=invited.invitation.role,
        invited_by=invited.invitation.invited_by,
        expires_at=invited.invitation.expires_at,
    )


@router.post(
    "/invitation/accept",
    summary="Accept an invitation",
    responses=problem_responses(InvitationEnded, InvitationForeign),
)
@needs(Capability.OWN_ACCOUNT)
def accept_invitation(body: InvitationCodeIn, caller: CallerDep, request: Request) -> AccountOut:
    """Join the organisation; the session acts for it from now on."""
    person, now = person_of(caller), utc_now()
    with caller.database.transaction() as session:
        accounts.lock(session, person.person_id)
        invited = members.look_up(session, body.code.get_secret_value(), now)
        joined = members.accept(session, invited, person.person_id, person.email, now)
        members.choose(session, person.session_id, person.person_id, joined)
        actor = trail.actor_of(caller, client_address(request))
        trail.record(session, joined, actor, "accept_invitation", trail.Note(person.email))
    return account_out(caller, joined)


@router.put(
    "/session/organisation",
    summary="Act for another organisation of mine",
    responses=problem_responses(MemberUnknown),
)
@needs(Capability.OWN_ACCOUNT)
def choose_organisation(body: OrganisationChoiceIn, caller: CallerDep) -> AccountOut:
    """Let this session act for another organisation of the person, from the next request on."""
    person = person_of(caller)
    with caller.database.transaction() as session:
        members.choose(session, person.session_id, person.person_id, body.organisation_id)
    return account_out(caller, body.organisation_id)


@router.delete(
    "/me/organisations/{organisation_id}",
    summary="Leave an organisation",
    responses=problem_responses(MemberUnknown, LastOwner),
)
@needs(Capability.OWN_ACCOUNT)
def leave_organisation(
    organisation_id: Annotated[UUID, Path(description="of my account")], caller: CallerDep, request: Request
) -> AccountOut:
    """End the caller's membership. The last owner cannot leave."""
    person = person_of(caller)
    with caller.database.transaction() as session:
        accounts.lock(session, person.person_id)
        members.remove(session, organisation_id, person.person_id, None, utc_now())
        actor = trail.actor_of(caller, client_address(request))
        trail.record(session, organisation_id, actor, "leave_organisation", trail.Note(person.email))
    return account_out(caller, caller.organisation_id)


@router.post(
    "/organisations",
    summary="Make an organisation",
    status_code=201,
    responses=problem_responses(SignUpClosed, OrganisationsTooMany),
)
@needs(Capability.OWN_ACCOUNT)
def make_organisation(body: OrganisationIn, caller: CallerDep, request: Request) -> AccountOut:
    """Create an organisation that the caller owns; the session acts for it from now on.

    Refused if sign-up is not open.
    """
    if not resources_of(request).settings.open_sign_up:
        raise SignUpClosed("Only an operator makes organisations in this installation.")
    person = person_of(caller)
    with caller.database.transaction() as session:
        accounts.lock(session, person.person_id)
        organisations = accounts.memberships(session, person.person_id)
        owned = sum(organisation.role == members.OWNER for organisation in organisations)
        if owned >= OWNED_ORGANISATIONS:
            raise OrganisationsTooMany(f"You own {owned} organisations. Delete one that nobody needs first.")
        organisation_id = accounts.make_organisation(session, body.name, person.person_id, utc_now())
        members.choose(session, person.session_id, person.person_id, organisation_id)
        actor = trail.actor_of(caller, client_address(request))
        trail.record(session, organisation_id, actor, "make_organisation", trail.Note(body.name))
    return account_out(caller, organisation_id)


@router.patch("/organisation", summary="Rename the organisation")
@needs(Capability.MANAGE_ORGANISATION)
def rename_organisation(body: OrganisationIn, caller: CallerDep, session: SessionDep) -> OrganisationOut:
    """Rename the organisation. Names need not be unique."""
    changed: dict[str, Any] = {"name": body.name}
    session.execute(update(Organisation).where(Organisation.id == caller.organisation_id).values(changed))
    trail.note(session, body.name, before={"name": caller.organisation_name}, after=changed)
    return OrganisationOut(id=caller.organisation_id, name=body.name)


@router.put(
    "/organisation/second-factor",
    summary="Ask members for a second factor",
    responses=problem_responses(SecondFactorState),
)
@needs(Capability.MANAGE_ORGANISATION)
async def require_second_factor(body: SecondFactorRuleIn, caller: CallerDep, request: Request) -> AccountOut:
    """Set whether members need a second factor to act for the organisation, from the next request on.

    A caller without a second factor cannot turn that on.
    """
    person, organisation_id = person_of(caller), caller.organisation_id
    actor = trail.actor_of(caller, client_address(request))

    def change(session: Session) -> AccountOut:
        if body.needed and not second_factors.has_factor(session, person.person_id):
            raise SecondFactorState("Set a second factor of your own first: the rule would lock you out.")
        changed: dict[str, Any] = {"needs_second_factor": body.needed}
        session.execute(update(Organisation).where(Organisation.id == organisation_id).values(changed))
        note = trail.Note(caller.organisation_name, after=changed)
        trail.record(session, organisation_id, actor, "require_second_factor", note)
        return account_in(session, person, organisation_id)

    return await run_unbound(request, change)


def _members(caller: CallerDep, session: Session) -> MembersOut:
    """Return the members of the caller's organisation, and open invitations if the caller may invite."""
    me, may_invite = caller.person, Capability.MANAGE_MEMBERS in caller.capabilities
    invitations = members.invitations_of(session, caller.organisation_id, utc_now()) if may_invite else ()
    return MembersOut(
        members=[
            MemberOut(
                person_id=member.person_id,
                email=member.email,
                name=member.name,
                role=member.role,
                joined_at=member.joined_at,
                is_me=me is not None and me.person_id == member.person_id,
            )
            for member in members.members_of(session, caller.organisation_id)
        ],
        invitations=[
            InvitationOut.model_validate(invitation, from_attributes=True) for invitation in invitations
        ],
    )
