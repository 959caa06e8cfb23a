"""Decides what each scope may do. Every route names one capability; this table is all there is to read."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal, get_args

Scope = Literal["agent", "viewer", "engineer"]
SCOPES: tuple[Scope, ...] = get_args(Scope)


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
    STOP = "stop"
    UPLOAD = "upload"
    PUBLISH = "publish"
    """Publish and withdraw a run, and answer what it leaves open."""
    EDIT_BUDGETS = "edit-budgets"
    EDIT_CATALOGUE = "edit-catalogue"
    DELETE = "delete"
    RETRY = "retry"
    """Have work tried again that failed too often."""


_READER = frozenset(
    {Capability.KNOW_ONESELF, Capability.READ_RUN, Capability.READ, Capability.SHOW, Capability.ASK}
)
_ENGINEER = _READER | {
    Capability.STOP,
    Capability.UPLOAD,
    Capability.PUBLISH,
    Capability.EDIT_BUDGETS,
    Capability.EDIT_CATALOGUE,
    Capability.DELETE,
    Capability.RETRY,
}

ALLOWED: Mapping[Scope, frozenset[Capability]] = {
    "agent": frozenset({Capability.KNOW_ONESELF, Capability.READ_RUN, Capability.SEND}),
    "viewer": _READER,
    "engineer": _ENGINEER,
}

LOCAL_SCOPE: Scope = "engineer"
"""What requests without credentials may do where local access is on: what an engineer may, and not send."""

NEEDED: Mapping[Capability, Scope] = {
    one: next(scope for scope in ("viewer", "engineer", "agent") if one in ALLOWED[scope])
    for one in Capability
    if one is not Capability.NONE
}
"""The least scope that allows it: what a refusal tells to make a token of."""
