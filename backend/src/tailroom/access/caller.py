"""The caller of a request, and the transactions in its name."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.access.capabilities import (
    ALLOWED,
    NEEDED,
    OF_LOCAL_OWNER,
    OF_OPERATORS,
    OF_PEOPLE,
    OF_THIS_MACHINE,
    SCOPES,
    VISITORS,
    Capability,
    Role,
    Scope,
)
from tailroom.access.errors import TokenMissing, TokenScope
from tailroom.kit.db import Database
from tailroom.kit.errors import HttpProblem
from tailroom.storage.organisation import LOCAL_OWNER

NO_ORGANISATION = UUID(int=0)
"""Organisation of callers who act for none: it owns nothing."""


@dataclass(frozen=True, slots=True)
class SignedIn:
    """The signed-in person who sends a request."""

    person_id: UUID
    email: str
    name: str
    session_id: UUID


@dataclass(frozen=True, slots=True)
class Caller:
    """Sender of a request: a person, an agent, a program or this machine, acting for an organisation."""

    organisation_id: UUID
    organisation_name: str
    scope: Scope | Role
    """Scope of the token, or role of the person in the organisation."""
    access: Literal["local", "token", "person", "visitor"]
    """How the caller authenticated; `local`: as this machine, `visitor`: not at all."""
    token_id: UUID | None
    """None for local access and for people."""
    session_sha256: bytes | None
    """Hash of the browser session; None for a token in the header, and for local access."""
    database: Database
    requests_per_minute: int | None = None
    """Quota of the organisation; None: no limit."""
    person: SignedIn | None = None
    """None unless `access` is `person`."""
    token_name: str = ""
    """Name of the token, for the audit trail."""
    at_this_machine: bool = False
    """Whether the request would be admitted as local, too."""
    is_operator: bool = False
    """Operators manage the installation; that makes them members of no organisation."""

    @property
    def by_browser(self) -> bool:
        """Whether a cookie or local access authenticates the request.

        Browsers also send these with requests of foreign pages.
        """
        return self.access == "local" or self.session_sha256 is not None

    @property
    def capabilities(self) -> frozenset[Capability]:
        """All capabilities of the caller."""
        allowed = VISITORS if self.access == "visitor" else ALLOWED[self.scope]
        if self.person is not None:
            allowed |= OF_PEOPLE
        if self.is_operator:
            allowed |= OF_OPERATORS
        if self.at_this_machine:
            allowed |= OF_THIS_MACHINE
            if self.person is not None and self.person.email == LOCAL_OWNER:
                allowed |= OF_LOCAL_OWNER
        return allowed

    def require(self, capability: Capability) -> None:
        """Raise TokenScope if the caller lacks the capability.

        Raise TokenMissing instead for a local caller or visitor if people alone have it, and for a local
        caller if a token would have it.
        """
        if capability is Capability.NONE or capability in self.capabilities:
            return
        if capability in OF_OPERATORS:
            raise TokenScope(
                "Only an operator may do this: with the operator's token"
                " (TAILROOM_OPERATOR_TOKEN), or as a person whose address TAILROOM_OPERATORS names."
            )
        if capability in OF_LOCAL_OWNER:
            refusal = TokenMissing if self.access in {"local", "visitor"} else TokenScope
            raise refusal(
                "Stored mails are shown to the owner of the machine that runs Tailroom, on that machine. Sign"
                " in as its owner: `tailroom people link` prints the way in."
            )
        if capability in OF_PEOPLE or (needed := NEEDED[capability]) not in SCOPES:
            raise self._person_needed_error(None if capability in OF_PEOPLE else NEEDED[capability])
        if self.access == "person":
            raise TokenScope(
                f"Your role in {self.organisation_name or 'no organisation'} is {self.scope}; this needs"
                f" {needed} ({capability}). Ask an owner or an admin."
            )
        make = f"`tailroom token create --scope {needed}`"
        if self.access == "local":
            raise TokenMissing(f"This needs an {needed}'s token, also on this machine; make one with {make}.")
        whose = {"agent": "An agent's", "viewer": "A viewer's", "engineer": "An engineer's"}[self.scope]
        raise TokenScope(f"{whose} token does not allow this ({capability}); make another with {make}.")

    def _person_needed_error(self, role: Scope | Role | None) -> HttpProblem:
        """Return the error for a capability that people alone have; `role`: the least role, None: any."""
        if self.access in ("local", "visitor"):
            return TokenMissing("This belongs to people: sign in with your e-mail address and password.")
        if self.access == "token" or role is None:
            return TokenScope("No token allows this: sign in with your e-mail address and password.")
        who = "an owner" if role == "owner" else "an owner or an admin"
        return TokenScope(f"This needs the role {role}; yours is {self.scope}. Ask {who}.")

    def new_session(self) -> Session:
        """Return a database session bound to the caller's organisation, without a connection yet."""
        return self.database.new_session(self.organisation_id)

    @contextmanager
    def session(self) -> Iterator[Session]:
        """Begin a transaction bound to the caller's organisation; see `Database.begin`."""
        with self.database.begin(self.new_session()) as session:
            yield session
