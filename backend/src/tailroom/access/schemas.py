"""API schemas of the present session."""

from typing import Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from tailroom.access.capabilities import Capability, Role, Scope
from tailroom.kit.outside_types import RequestBody


class OrganisationOut(BaseModel):
    """An organisation, as shown."""

    id: UUID
    name: str


class PersonOut(BaseModel):
    """A person, as they see themselves."""

    email: str
    name: str


class SessionOut(BaseModel):
    """Who asks, how they are known, and what they may do."""

    organisation: OrganisationOut
    access: Literal["local", "token", "person", "visitor"] = Field(
        description="`local`: this machine, without a token; `token`: an access token or a session"
        " made with one; `person`: somebody signed in; `visitor`: nobody, who sees what is published"
    )
    scope: Scope | Role = Field(description="of the token, or the person's role in the organisation")
    person: PersonOut | None
    capabilities: list[Capability] = Field(description="what the caller may do, in alphabetical order")


class ProofIn(BaseModel):
    """A signature of an agent with a key of its own."""

    model_config = ConfigDict(extra="ignore")

    credential_id: UUID = Field(description="as enrolling gave it")
    unix_ns: int = Field(ge=0, le=2**62, description="by `GET /api/v1/clock`, later than ever before")
    signature: str = Field(
        max_length=100,
        pattern="^[A-Za-z0-9+/=]*$",
        description="Ed25519, base64, of `tailroom short token`, id and moment, a line each",
    )


class ShortTokenOut(BaseModel):
    """What lets the agent in for some minutes."""

    token: str
    expires_in_s: int


class SignIn(RequestBody):
    """A viewer's or an engineer's token, to be kept as a session."""

    token: SecretStr = Field(description="as `tailroom token create` printed it", max_length=200)
