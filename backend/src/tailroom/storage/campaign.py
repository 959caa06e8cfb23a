"""Serving agents, their enrolment codes, and the campaigns that they carry out."""

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKey, Index, Integer, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from tailroom.storage.base import Base

PREPARING = "preparing"
LOADING = "loading"
RUNNING = "running"
ENDED = "ended"
"""States of a campaign."""

OFFERED = "offered"
ACTIVE = "active"
LOST = "lost"
DONE = "done"
"""States of an agent in a campaign."""

_EMPTY_LIST, _EMPTY_OBJECT = text("'[]'::jsonb"), text("'{}'::jsonb")


class EnrolmentCode(Base):
    """A code that enrols one agent, until it expires. Only its SHA-256 is stored."""

    __tablename__ = "enrolment_code"
    __table_args__ = (
        Index("ix_enrolment_code_organisation_id", "organisation_id"),
        CheckConstraint("octet_length(code_sha256) = 32", name="code_sha256_length"),
    )

    code_sha256: Mapped[bytes] = mapped_column(primary_key=True)
    organisation_id: Mapped[UUID] = mapped_column(ForeignKey("organisation.id"))
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    used_at: Mapped[datetime | None]
    issuer_id: Mapped[UUID | None] = mapped_column(index=True)
    """The person or token with whose right it ends (`access.issuance`); None: the operator."""


class CommandKey(Base):
    """The key with which an organisation's commands to its agents are signed: Ed25519, 32 bytes."""

    __tablename__ = "command_key"
    __table_args__ = (CheckConstraint("octet_length(private_key) = 32", name="private_key_length"),)

    organisation_id: Mapped[UUID] = mapped_column(ForeignKey("organisation.id"), primary_key=True)
    private_key: Mapped[bytes]


class ServingAgent(Base):
    """An enrolled host with an agent that polls for work. Revoking its token removes it."""

    __tablename__ = "serving_agent"
    __table_args__ = (Index("ix_serving_agent_token_id", "token_id"),)

    organisation_id: Mapped[UUID] = mapped_column(ForeignKey("organisation.id"), primary_key=True)
    agent_id: Mapped[UUID] = mapped_column(primary_key=True)
    token_id: Mapped[UUID]
    name: Mapped[str]
    version: Mapped[dict[str, Any]] = mapped_column(JSONB)
    inventory: Mapped[dict[str, Any]] = mapped_column(JSONB)
    enrolled_at: Mapped[datetime]
    seen_at: Mapped[datetime]
    clock_error_ns: Mapped[int | None]
    """Error bound of the agent's estimate of the server's clock."""
    wall_clock_ahead_ns: Mapped[int | None]
    """Time by which its clock is ahead of the server's; negative if it is behind."""
    last_command: Mapped[int] = mapped_column(default=0)
    """Number of the last command to the agent; 0 before the first."""
    refusals: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, default=list, server_default=_EMPTY_LIST)
    """Commands that the agent refused lately: `{at, campaign_id, sentence}`, the newest first."""
    removed_at: Mapped[datetime | None]


class Campaign(Base):
    """A plan, a server and agents; each phase of the plan begins at one instant on all agents."""

    __tablename__ = "campaign"
    __table_args__ = (
        CheckConstraint("state IN ('preparing', 'loading', 'running', 'ended')", name="state_known"),
        CheckConstraint("outcome IN ('completed', 'stopped', 'failed')", name="outcome_known"),
        CheckConstraint("on_lost IN ('end', 'degrade')", name="on_lost_known"),
        Index("ix_campaign_organisation_id_created_at", "organisation_id", "created_at"),
        Index("ix_campaign_active", "campaign_id", postgresql_where="state <> 'ended'"),
    )

    organisation_id: Mapped[UUID] = mapped_column(ForeignKey("organisation.id"), primary_key=True)
    campaign_id: Mapped[UUID] = mapped_column(primary_key=True)
    title: Mapped[str]
    plan: Mapped[str]
    target: Mapped[str]
    """Address of the server."""
    seed: Mapped[int]
    on_lost: Mapped[str]
    """When an agent is lost, `end` the campaign, or go on without it (`degrade`)."""
    objectives: Mapped[list[str]] = mapped_column(JSONB, default=list, server_default=_EMPTY_LIST)
    """Latency objectives that phases are judged by, as `domain.verdicts.objective_text` reads them."""
    search: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    """The load search, as `campaigns.schemas.SearchIn`; None if the phases of the plan are measured."""
    state: Mapped[str]
    outcome: Mapped[str | None]
    reason: Mapped[str | None]
    created_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]
    stop_requested_at: Mapped[datetime | None]
    repeat_of: Mapped[UUID | None]
    interrupted_at: Mapped[datetime | None]
    """Time since which a search has waited for a lost agent; None: it does not wait."""
    interruptions: Mapped[int] = mapped_column(Integer, default=0, server_default=text("0"))
    """Number of interruptions of a search since its last measured probe."""
    phases: Mapped[list[dict[str, Any]]] = mapped_column(JSONB, default=list, server_default=_EMPTY_LIST)
    """Phases as campaigns.phases.Phase; empty until an agent has sent those of the plan."""


class CampaignMember(Base):
    """An agent's part in a campaign: its state, the step that it reported, and its runs."""

    __tablename__ = "campaign_member"
    __table_args__ = (
        CheckConstraint("state IN ('offered', 'active', 'lost', 'done')", name="state_known"),
        Index("ix_campaign_member_active", "agent_id", postgresql_where="state IN ('offered', 'active')"),
    )

    organisation_id: Mapped[UUID] = mapped_column(ForeignKey("organisation.id"), primary_key=True)
    campaign_id: Mapped[UUID] = mapped_column(primary_key=True)
    agent_id: Mapped[UUID] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(Integer)
    """Counted from 0; agent 0 loads the objects."""
    name: Mapped[str]
    state: Mapped[str]
    step: Mapped[str | None]
    """Step that the agent reported last: preparing, ready, loading, armed, running, ended, failed."""
    phase: Mapped[int | None] = mapped_column(Integer)
    """Number of the phase in which the agent is; None before the first."""
    explained: Mapped[list[dict[str, Any]] | None] = mapped_column(JSONB(none_as_null=True))
    """Phases of the plan as sent by this agent; None until then."""
    probe: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    """The agent's last probe of a search, as `campaigns.schemas.ProbeReportIn`."""
    version: Mapped[str]
    runs: Mapped[dict[str, str]] = mapped_column(JSONB, default=dict, server_default=_EMPTY_OBJECT)
    """The run of each phase, by the phase's number."""
    seen_at: Mapped[datetime]
    clock_error_ns: Mapped[int | None]
    lost_at: Mapped[datetime | None]
    reason: Mapped[str | None]
