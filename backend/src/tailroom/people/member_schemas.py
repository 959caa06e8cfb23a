"""API schemas of members, invitations, tokens and the audit trail of an organisation."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, BeforeValidator, Field

from tailroom.access.capabilities import Role, Scope
from tailroom.kit.outside_types import EmailAddress, RequestBody
from tailroom.people.schemas import CodeText, GivenName

MOST_INVITATION_DAYS = 30
MOST_TOKEN_DAYS = 3660
MOST_OVERLAP_HOURS = 168


class InvitationIn(RequestBody):
    """A person to invite."""

    email: EmailAddress
    role: Role = "viewer"
    days: int = Field(7, ge=1, le=MOST_INVITATION_DAYS, description="days until it expires")


class InvitationCodeIn(RequestBody):
    """The part behind the # of an invitation's link."""

    code: CodeText


class RoleIn(RequestBody):
    """The new role of a member."""

    role: Role


class HandOverIn(RequestBody):
    """The member who becomes the owner."""

    person_id: UUID


class OrganisationIn(RequestBody):
    """The name of an organisation."""

    name: GivenName


class OrganisationChoiceIn(RequestBody):
    """The organisation that a session will act for."""

    organisation_id: UUID


class MemberOut(BaseModel):
    """A member, as the others see them."""

    person_id: UUID
    email: str
    name: str
    role: Role
    joined_at: datetime
    is_me: bool


class MemberFactorOut(BaseModel):
    """The second factors of a member."""

    person_id: UUID
    factor: Literal["none", "app", "passkey", "both"]


class MemberFactorsOut(BaseModel):
    """Second factors of the members."""

    factors: list[MemberFactorOut]


class InvitationOut(BaseModel):
    """An open invitation."""

    invitation_id: UUID
    email: str
    role: Role
    invited_by: str
    created_at: datetime
    expires_at: datetime


class MembersOut(BaseModel):
    """Members of the organisation, ordered by name, and open invitations, the newest first."""

    members: list[MemberOut]
    invitations: list[InvitationOut]


class InvitationMadeOut(MembersOut):
    """The members and the open invitations, with the link of the new invitation."""

    link: str = Field(description="of the new invitation; it is not given again")


class InvitedOut(BaseModel):
    """An open invitation, as shown to its recipient."""

    organisation: str
    email: str
    role: Role
    invited_by: str
    expires_at: datetime


class TokenIn(RequestBody):
    """A token to be created."""

    name: GivenName = Field(description="what it is for")
    scope: Scope
    days: int | None = Field(None, ge=1, le=MOST_TOKEN_DAYS, description="days until it expires; null: never")


class SecondFactorRuleIn(RequestBody):
    """Whether an organisation requires a second factor of its members."""

    needed: bool


class RotationIn(RequestBody):
    """The time for which a replaced token stays valid."""

    overlap_hours: int = Field(
        0, ge=0, le=MOST_OVERLAP_HOURS, description="hours until the old token ends; 0: it ends at once"
    )


class TokenOut(BaseModel):
    """A token without its text."""

    token_id: UUID
    name: str
    scope: Scope
    created_at: datetime
    expires_at: datetime | None = Field(description="when it expires by itself; null: never")
    last_used_at: datetime | None = Field(description="to the minute; null: it was not used yet")
    revoked_at: datetime | None = Field(description="when it was revoked; null: it was not")
    holds: bool = Field(description="whether it is valid: neither revoked nor expired")
    issued_by: str | None = Field(
        description="e-mail address of the member who made it; null: not made by a present member"
    )
    is_key: bool = Field(description="whether it is the key of an enrolled agent, which has no text")


class TokensOut(BaseModel):
    """Tokens of the organisation, the newest first."""

    tokens: list[TokenOut]


class TokenMadeOut(TokensOut):
    """The tokens, including a new token."""

    text: str = Field(description="of the new token; it is not given again")


class TrailEventOut(BaseModel):
    """An event of the audit trail: a change, by a person or program."""

    number: int = Field(description="position in the trail of the organisation, from 1")
    happened_at: datetime
    actor_kind: Literal["person", "token", "local", "operator"] = Field(
        description="`local`: this machine without a token; `operator`: of the installation"
    )
    actor: str = Field(description="e-mail address of a person, else name of the token or program")
    address: str = Field(description="network address of the request; empty if unknown")
    action: str = Field(description="name of the change, such as `make_token`")
    subject: str = Field(description="name or ids of what was changed")
    before: dict[str, Any] | None = Field(description="values before the change; null: not stated")
    after: dict[str, Any] | None = Field(description="values after the change; null: not stated")
    sha256: Annotated[str, BeforeValidator(bytes.hex)] = Field(
        description="hash of the event, over that of the event before it too; hexadecimal"
    )


class TrailOut(BaseModel):
    """Events of the audit trail, the newest first."""

    events: list[TrailEventOut]
    next_below: int | None = Field(description="`below` for older events; null: there are none")
