"""API schemas of the present session."""

from typing import Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from tailroom.access.capabilities import Capability, Role, Scope
from tailroom.kit.outside_types import RequestBody


class OrganisationOut(BaseModel):
    """Id and name of an organisation."""

    id: UUID
    name: str


class PersonOut(BaseModel):
    """E-mail address and name of the signed-in person."""

    email: str
    name: str


class SessionOut(BaseModel):
    """The caller of the request, how they authenticated, and their capabilities."""

    organisation: OrganisationOut
    access: Literal["local", "token", "person", "visitor"] = Field(
        description="`local`: this machine, without a token; `token`: an access token or a session"
        " made with one; `person`: a person who signed in; `visitor`: no credentials, sees public data"
    )
    scope: Scope | Role = Field(description="of the token, or the person's role in the organisation")
    person: PersonOut | None = Field(description="the person who signed in; null unless `access` is `person`")
    capabilities: list[Capability] = Field(description="what the caller may do, in alphabetical order")


class ProofIn(BaseModel):
    """A signature of an enrolled agent, for a short token."""

    model_config = ConfigDict(extra="ignore")

    credential_id: UUID = Field(description="id that the enrolment returned")
    unix_ns: int = Field(
        ge=0, le=2**62, description="time of the signature in ns since 1970; see `GET /api/v1/clock`"
    )
    signature: str = Field(
        max_length=100,
        pattern="^[A-Za-z0-9+/=]*$",
        description="Ed25519, base64, of three lines: `tailroom short token`, `credential_id`, `unix_ns`",
    )


class ShortTokenOut(BaseModel):
    """A short token of an agent, and its lifetime in seconds."""

    token: str
    expires_in_s: int


class SignIn(RequestBody):
    """A viewer's or an engineer's token, with which a browser session begins."""

    token: SecretStr = Field(description="as `tailroom token create` printed it", max_length=200)
