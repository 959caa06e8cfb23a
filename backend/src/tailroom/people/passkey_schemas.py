"""API schemas of passkeys."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from pydantic import BaseModel, Field

from tailroom.kit.outside_types import RequestBody
from tailroom.people.schemas import GivenName

Credential = Annotated[
    dict[str, Any], Field(description="what the browser's `PublicKeyCredential.toJSON()` gives")
]


class PasskeyNameIn(RequestBody):
    """The name that a person gives a passkey."""

    name: GivenName


class PasskeyAnswerIn(RequestBody):
    """The answer of a device to a challenge."""

    credential: Credential


class PasskeyIn(PasskeyNameIn, PasskeyAnswerIn):
    """A new passkey: its name, and the answer of its device."""


class PasskeyOptionsOut(BaseModel):
    """A challenge for a device, accepted once and within ten minutes."""

    options: dict[str, Any] = Field(
        description="for `PublicKeyCredential.parseCreationOptionsFromJSON` or `…parseRequestOptionsFromJSON`"
    )


class PasskeyOut(BaseModel):
    """A stored passkey."""

    passkey_id: UUID
    name: str
    is_synced: bool = Field(description="its device stores copies elsewhere, such as with its maker")
    created_at: datetime
    last_used_at: datetime | None = Field(description="null: it was not used yet")


class PasskeysOut(BaseModel):
    """Passkeys of a person, the newest first."""

    passkeys: list[PasskeyOut]


class PasskeyMadeOut(PasskeysOut):
    """The passkeys, including a new passkey."""

    recovery_codes: list[str] = Field(
        description="empty if there was a second factor before; each works once and is shown once"
    )
