"""Capabilities of each scope of a token and each role of a person. Every route names one capability."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal, get_args

Scope = Literal["agent", "viewer", "engineer"]
SCOPES: tuple[Scope, ...] = get_args(Scope)
Role = Literal["viewer", "engineer", "admin", "owner"]
"""Role of a person in an organisation. Viewers and engineers may do what tokens of that scope may."""
ROLES: tuple[Role, ...] = get_args(Role)


class Capability(StrEnum):
    """One thing that a caller may do."""

    NONE = "none"
    """Open to all: signing in and out, health of the process."""
    KNOW_ONESELF = "know-oneself"
    READ_RUN = "read-run"
    """One run and its analysis. For an agent's token: only a run that an agent of its organisation sent."""
    READ = "read"
    """Everything that the organisation has, and what others have published."""
    SHOW = "show"
    """Badge, picture and preview of a published run, for pages elsewhere.

    With `TAILROOM_OPEN_PREVIEWS` it needs no credentials.
    """
    ASK = "ask"
    """Questions that are calculated on demand; nothing is stored."""
    OBJECT = "object"
    """Object to a public test, which a moderator answers."""
    SEND = "send"
    """Announce a run of an agent, send its intervals, finish it."""
    SERVE = "serve"
    """Ask for work, as an agent that enrolled."""
    MANAGE_AGENTS = "manage-agents"
    """Let agents enrol, and remove them."""
    RUN_CAMPAIGNS = "run-campaigns"
    """Begin, stop and repeat campaigns, within what the policies of their agents allow."""
    STOP = "stop"
    UPLOAD = "upload"
    PUBLISH = "publish"
    """Publish and withdraw a run, and state facts that its data leave open."""
    EDIT_BUDGETS = "edit-budgets"
    EDIT_CATALOGUE = "edit-catalogue"
    WATCH = "watch"
    """Watch configurations, and have alerts sent."""
    DELETE = "delete"
    RETRY = "retry"
    """Have work tried again that failed too often."""
    OWN_ACCOUNT = "own-account"
    """The caller's own name, password, sessions and memberships."""
    READ_MEMBERS = "read-members"
    MANAGE_MEMBERS = "manage-members"
    """Invite, change roles, remove; of owners only by owners."""
    MANAGE_TOKENS = "manage-tokens"
    READ_TRAIL = "read-trail"
    """The audit trail of the organisation."""
    MANAGE_ORGANISATION = "manage-organisation"
    """Rename it, delete it."""
    READ_MAIL = "read-mail"
    """Mails that were stored instead of sent: for the signed-in owner of this machine."""
    OPERATE = "operate"
    """Operate the installation: see figures of all organisations together, and nothing that they measured."""


_READER = frozenset(
    {
        Capability.KNOW_ONESELF,
        Capability.READ_RUN,
        Capability.READ,
        Capability.SHOW,
        Capability.ASK,
        Capability.OBJECT,
    }
)
_ENGINEER = _READER | {
    Capability.STOP,
    Capability.MANAGE_AGENTS,
    Capability.RUN_CAMPAIGNS,
    Capability.UPLOAD,
    Capability.PUBLISH,
    Capability.EDIT_BUDGETS,
    Capability.EDIT_CATALOGUE,
    Capability.WATCH,
    Capability.DELETE,
    Capability.RETRY,
}

_ADMIN = _ENGINEER | {Capability.MANAGE_MEMBERS, Capability.MANAGE_TOKENS, Capability.READ_TRAIL}

ALLOWED: Mapping[Scope | Role, frozenset[Capability]] = {
    "agent": frozenset({Capability.KNOW_ONESELF, Capability.READ_RUN, Capability.SEND, Capability.SERVE}),
    "viewer": _READER,
    "engineer": _ENGINEER,
    "admin": _ADMIN,
    "owner": _ADMIN | {Capability.MANAGE_ORGANISATION},
}

OF_PEOPLE = frozenset({Capability.OWN_ACCOUNT, Capability.READ_MEMBERS})
"""Additional capabilities of every signed-in person."""
OF_OPERATORS = frozenset({Capability.OPERATE})
"""Additional capabilities of operators: by the operator's token, or as a person in `TAILROOM_OPERATORS`."""
OF_THIS_MACHINE = OF_OPERATORS
"""Additional capabilities of every user of this machine."""
OF_LOCAL_OWNER = frozenset({Capability.READ_MAIL})
"""Additional capabilities of this machine's owner on it: links in mails open accounts."""

VISITORS = frozenset({Capability.KNOW_ONESELF, Capability.READ_RUN, Capability.READ, Capability.SHOW})
"""Capabilities without credentials, if the installation allows browsing. Visitors see public data only."""

LOCAL_SCOPE: Scope = "engineer"
"""Scope of requests without credentials if local access is on: that of an engineer, without sending."""

NEEDED: Mapping[Capability, Scope | Role] = {
    capability: next(
        scope for scope in ("viewer", "engineer", "agent", "admin", "owner") if capability in ALLOWED[scope]
    )
    for capability in Capability
    if capability is not Capability.NONE and capability not in OF_PEOPLE | OF_THIS_MACHINE | OF_LOCAL_OWNER
}
"""The least scope or role with each capability, for error messages."""
