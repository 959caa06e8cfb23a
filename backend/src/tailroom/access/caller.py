"""Who asks: what services get, and what opens the transactions in which they work."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.access.capabilities import ALLOWED, NEEDED, Capability, Scope
from tailroom.access.errors import TokenMissing, TokenScope
from tailroom.kit.db import Database
from tailroom.kit.revisions import Revisions


@dataclass(frozen=True, slots=True)
class Caller:
    """A person, an agent or this machine itself, speaking for one organisation."""

    organisation_id: UUID
    organisation_name: str
    scope: Scope
    access: Literal["local", "token"]
    token_id: UUID | None
    """None where access is local."""
    session_sha256: bytes | None
    """Of the browser's session; none where the token itself came along, or access is local."""
    database: Database
    revisions: Revisions
    """Of tables that seldom change, as the door has read them after the request came."""

    @property
    def by_browser(self) -> bool:
        """Known by a cookie or by being local, which a browser adds to requests of other sites' pages too."""
        return self.access == "local" or self.session_sha256 is not None

    @property
    def capabilities(self) -> frozenset[Capability]:
        """Everything that the caller may do."""
        return ALLOWED[self.scope]

    def require(self, capability: Capability) -> None:
        """Raises TokenScope where the caller may not do this; TokenMissing where a token would be needed."""
        if capability is Capability.NONE or capability in self.capabilities:
            return
        needed = NEEDED[capability]
        make = f"`tailroom token create --scope {needed}`"
        if self.access == "local":
            raise TokenMissing(f"This needs an {needed}'s token, also on this machine; make one with {make}.")
        whose = {"agent": "An agent's", "viewer": "A viewer's", "engineer": "An engineer's"}[self.scope]
        raise TokenScope(f"{whose} token does not allow this ({capability}); make another with {make}.")

    @contextmanager
    def session(self) -> Iterator[Session]:
        """One transaction in the name of the caller's organisation; see `Database.transaction`."""
        with self.database.transaction(self.organisation_id) as session:
            yield session
