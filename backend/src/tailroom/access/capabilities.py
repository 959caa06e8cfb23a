"""Decides what each scope of a token and each role of a person may do. Every route names one
capability; this table is all there is to read.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal, get_args

Scope = Literal["agent", "viewer", "engineer"]
SCOPES: tuple[Scope, ...] = get_args(Scope)
Role = Literal["viewer", "engineer", "admin", "owner"]
"""Of a person in an organisation. Viewers and engineers may what tokens of that scope may."""
ROLES: tuple[Role, ...] = get_args(Role)


class Capability(StrEnum):
    """One thing that a caller may do."""

    NONE = "none"
    """Nothing has to be allowed: signing in and out, whether the process lives."""
    KNOW_ONESELF = "know-oneself"
    READ_RUN = "read-run"
    """One run and its analysis. For an agent's token: only a run that an agent of its organisation sent."""
    READ = "read"
    """Everything that the organisation has, and what others have published."""
    SHOW = "show"
    """Badge, picture and preview of a published run, for pages elsewhere. Without credentials, where the
    installation says so.
    """
    ASK = "ask"
    """Questions that are worked out on demand; nothing is stored."""
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
    """Publish and withdraw a run, and answer what it leaves open."""
    EDIT_BUDGETS = "edit-budgets"
    EDIT_CATALOGUE = "edit-catalogue"
    WATCH = "watch"
    """Watch configurations, and have alerts sent."""
    DELETE = "delete"
    RETRY = "retry"
    """Have work tried again that failed too often."""
    OWN_ACCOUNT = "own-account"
    """Name, password, sessions and memberships of whoever asks."""
    READ_MEMBERS = "read-members"
    MANAGE_MEMBERS = "manage-members"
    """Invite, change roles, remove; of owners only by owners."""
    MANAGE_TOKENS = "manage-tokens"
    READ_TRAIL = "read-trail"
    """Who did what in the organisation."""
    MANAGE_ORGANISATION = "manage-organisation"
    """Rename it, delete it."""
    READ_MAIL = "read-mail"
    """What would have been sent by mail, where nothing is sent: for the owner of this machine, signed in."""
    OPERATE = "operate"
    """Look after the installation: figures of all organisations together, and nothing that they measured."""


_READER = frozenset(
    {Capability.KNOW_ONESELF, Capability.READ_RUN, Capability.READ, Capability.SHOW, Capability.ASK}
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
"""What everybody may who is signed in as a person, besides what their role allows."""
OF_OPERATORS = frozenset({Capability.OPERATE})
"""What whoever looks after the installation may, besides: by the operator's token, or as a person whose
address `TAILROOM_OPERATORS` names.
"""
OF_THIS_MACHINE = OF_OPERATORS
"""What everybody may who is at this machine, besides: any user of it."""
OF_LOCAL_OWNER = frozenset({Capability.READ_MAIL})
"""What the owner of this machine may there, besides: links in mails open accounts."""

VISITORS = frozenset({Capability.KNOW_ONESELF, Capability.READ_RUN, Capability.READ, Capability.SHOW})
"""What whoever has no credentials may read where the installation lets them browse: as an organisation that
owns nothing, they see what is published and what everybody sees.
"""

LOCAL_SCOPE: Scope = "engineer"
"""What requests without credentials may do where local access is on: what an engineer may, and not send."""

NEEDED: Mapping[Capability, Scope | Role] = {
    one: next(scope for scope in ("viewer", "engineer", "agent", "admin", "owner") if one in ALLOWED[scope])
    for one in Capability
    if one is not Capability.NONE and one not in OF_PEOPLE | OF_THIS_MACHINE | OF_LOCAL_OWNER
}
"""The least scope or role that allows it: what a refusal tells to make a token of, or to ask for."""
