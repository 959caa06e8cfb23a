"""What the API says about who is signed in."""

from typing import Literal
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, SecretStr


class OrganisationOut(BaseModel):
    """An organisation, as shown."""

    id: UUID
    name: str


class SessionOut(BaseModel):
    """Who asks, and how they are known."""

    organisation: OrganisationOut
    access: Literal["local", "token"] = Field(
        description="`local`: this machine, without a token; `token`: an access token or a session"
        " made with one"
    )
    scope: Literal["agent", "viewer"]


class SignIn(BaseModel):
    """A viewer's token, to be kept as a session."""

    model_config = ConfigDict(extra="forbid")

    token: SecretStr = Field(description="as `tailroom token create` printed it")
