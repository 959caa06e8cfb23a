"""API schemas of people."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, Field, SecretStr

from tailroom.access.capabilities import Role
from tailroom.access.schemas import PersonOut
from tailroom.kit.limits import SAVED_ITEMS
from tailroom.kit.outside_types import LOOKUP, NAME, EmailAddress, RequestBody
from tailroom.people.passwords import ACCEPTED_CHARACTERS, LEAST_CHARACTERS

NAME_CHARACTERS = 100
OptionalName = Annotated[str, Field(max_length=NAME_CHARACTERS), NAME]
GivenName = Annotated[str, Field(min_length=1, max_length=NAME_CHARACTERS), NAME]
Password = Annotated[SecretStr, Field(max_length=ACCEPTED_CHARACTERS)]
CodeText = Annotated[SecretStr, Field(max_length=100, description="of the link in the mail")]
SecondFactorCode = Annotated[
    SecretStr, Field(min_length=6, max_length=40, description="of the app, or a recovery code")
]
_PASSKEY = (
    "instead of a code: what `PublicKeyCredential.toJSON()` gives, for a challenge of `/session/passkey`"
)


class SignUpIn(RequestBody):
    """A request for an account."""

    email: EmailAddress
    organisation: GivenName | None = Field(
        None, description="name of an organisation that is created with the account, which then owns it"
    )
    invitation: CodeText | None = Field(None, description="code of an invitation to this address")


class EmailIn(RequestBody):
    """An e-mail address."""

    email: EmailAddress


class PasswordSignIn(RequestBody):
    """The credentials of a person."""

    email: EmailAddress
    password: Password
    second_factor: SecondFactorCode | None = Field(None, description="if the account has a second factor")
    passkey: dict[str, Any] | None = Field(None, description=_PASSKEY)


class NewPasswordIn(RequestBody):
    """A new password, authorised by the link of a mail."""

    code: CodeText
    password: Password = Field(description=f"at least {LEAST_CHARACTERS} characters, hard to guess")
    name: OptionalName = Field("", description="of the person, when they sign up")
    second_factor: SecondFactorCode | None = Field(None, description="if the account has a second factor")
    passkey: dict[str, Any] | None = Field(None, description=_PASSKEY)


class PasswordChangeIn(RequestBody):
    """The present password, and the new password."""

    present: Password
    password: Password = Field(description=f"at least {LEAST_CHARACTERS} characters, hard to guess")


class ProfileIn(RequestBody):
    """The fields that a person may change of themselves."""

    name: GivenName


SavedKind = Literal["question", "shortlist", "drive", "run"]
SavedAddress = Annotated[
    str,
    Field(
        max_length=1_000,
        pattern=r"^/[a-z][!-~]*$",
        description="of a page of this product: path and query, without the host",
    ),
]


class SavedItem(RequestBody):
    """A saved page: its kind, address and title."""

    kind: SavedKind
    address: SavedAddress
    title: Annotated[str, Field(min_length=1, max_length=300), NAME]


class SavedChangeIn(RequestBody):
    """Items to save, and addresses of items to remove."""

    add: list[SavedItem] = Field(default_factory=list, max_length=SAVED_ITEMS)
    remove: list[SavedAddress] = Field(default_factory=list, max_length=SAVED_ITEMS)


class SavedOut(BaseModel):
    """The saved items of the person, the newest first."""

    items: list[SavedItem]


class OptionsOut(BaseModel):
    """Methods to sign in and sign up. `sign_up`: `open` to all, or by invitation (`invited`)."""

    sign_up: Literal["open", "invited"]
    mail: Literal["sent", "stored"] = Field(
        description="`stored`: mails stay on this machine, see `/api/v1/mail`"
    )
    least_characters: int = Field(description="shortest password")
    single_sign_on: str | None = Field(description="the provider's name on the pages; null: there is none")


class AskedOut(BaseModel):
    """A sentence about the next step; the same whether or not the address has an account."""

    detail: str


class MembershipOut(BaseModel):
    """An organisation of a person."""

    id: UUID
    name: str
    role: Role
    is_current: bool = Field(description="the one that this session acts for")
    needs_second_factor: bool = Field(description="whether only members with a second factor may act for it")
    deletion_due_at: datetime | None = Field(
        description="when it will be deleted on request of an owner; null: it stays"
    )


class AccountOut(BaseModel):
    """The account of the caller."""

    person: PersonOut
    organisations: list[MembershipOut]


class PasswordIn(RequestBody):
    """The present password, which a protected change requires; any text if the account has none."""

    present: Password


class SecondFactorCodeIn(RequestBody):
    """A code of the second factor."""

    code: SecondFactorCode


class SecondFactorOffIn(PasswordIn, SecondFactorCodeIn):
    """Password and code, to turn the second factor off."""


class SecondFactorOut(BaseModel):
    """An app as second factor, and the number of recovery codes."""

    confirmed_at: datetime | None = Field(description="when the app was confirmed; null: there is no app")
    recovery_codes: int = Field(description="number of codes that are not used")


class SecondFactorBegunOut(BaseModel):
    """Secret for an app, which is not returned again."""

    secret: str = Field(description="Base32, for typing")
    uri: str = Field(description="the secret as an `otpauth:` address, for a QR code")


class RecoveryCodesOut(BaseModel):
    """Recovery codes for a lost app, each valid once; not returned again."""

    codes: list[str]


class PersonSessionOut(BaseModel):
    """A browser in which the person is signed in."""

    session_id: UUID
    browser: str = Field(description="browser and system, as it reports them")
    address: str = Field(description="network address that signed in")
    created_at: datetime
    last_used_at: datetime = Field(description="to the minute")
    expires_at: datetime
    is_current: bool


class PersonSessionsOut(BaseModel):
    """The sessions of a person, the last used first."""

    sessions: list[PersonSessionOut]


class LocalCodeIn(RequestBody):
    """The part behind the # of the link that `make up` printed."""

    code: CodeText


class ElsewhereOut(BaseModel):
    """The address that the browser opens next."""

    address: str = Field(description="of the provider's page")


class ReturnIn(RequestBody):
    """The parameters with which the provider sent the browser back."""

    code: Annotated[SecretStr, Field(min_length=1, max_length=4_000)]
    state: Annotated[SecretStr, Field(min_length=1, max_length=100)]
    iss: Annotated[str, Field(max_length=1_000), LOOKUP] | None = Field(
        None, description="issuer, if the provider states it"
    )


class IdentityOut(BaseModel):
    """An account at the provider that signs in to this account."""

    identity_id: UUID
    issuer: str
    email: str = Field(description="address at the provider when the accounts were connected")
    created_at: datetime
    last_used_at: datetime


class IdentitiesOut(BaseModel):
    """Accounts elsewhere that sign in to this account, the newest first."""

    identities: list[IdentityOut]


class MailOut(BaseModel):
    """A mail that was stored instead of sent."""

    name: str
    to: str
    subject: str
    text: str
    written_at: datetime


class MailsOut(BaseModel):
    """The newest mails that were stored, at most 50, the newest first."""

    mails: list[MailOut]
