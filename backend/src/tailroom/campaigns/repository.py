"""Queries about agents that serve and about campaigns."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from sqlalchemy import func, select, text, update
from sqlalchemy.orm import Session

from tailroom.access import issuance
from tailroom.access.capabilities import Capability
from tailroom.storage.campaign import (
    ACTIVE,
    ENDED,
    OFFERED,
    Campaign,
    CampaignMember,
    EnrolmentCode,
    ServingAgent,
)
from tailroom.storage.run import Run

_WAITING = (
    "unnest(CAST(:organisations AS uuid[]), CAST(:agents AS uuid[])) AS waiting (organisation_id, agent_id)"
)
_NOTE_WAITING = text(
    f"""
    UPDATE serving_agent SET seen_at = :now
      FROM (SELECT held.organisation_id, held.agent_id
              FROM serving_agent held JOIN {_WAITING} USING (organisation_id, agent_id)
               FOR UPDATE OF held SKIP LOCKED) free
     WHERE serving_agent.organisation_id = free.organisation_id AND serving_agent.agent_id = free.agent_id
    """  # noqa: S608 - no value is written into it
)
"""Whoever is being changed is there anyway."""
_GONE = text(
    f"""
    SELECT waiting.agent_id
      FROM {_WAITING}
      LEFT JOIN serving_agent USING (organisation_id, agent_id)
      LEFT JOIN access_token ON access_token.id = serving_agent.token_id
     WHERE serving_agent.agent_id IS NULL OR serving_agent.removed_at IS NOT NULL
        OR access_token.id IS NULL OR access_token.revoked_at IS NOT NULL OR access_token.expires_at <= :now
    """  # noqa: S608
)


def organisation_of_code(session: Session, code_sha256: bytes) -> UUID | None:
    """Return whose code it is, good or not."""
    return session.scalar(
        select(EnrolmentCode.organisation_id).where(EnrolmentCode.code_sha256 == code_sha256)
    )


class UsedCode(NamedTuple):
    """Of a code, whose it is and who made it."""

    organisation_id: UUID
    issuer_id: UUID | None


def use_code(session: Session, code_sha256: bytes, now: datetime) -> UsedCode | None:
    """A code that is good and whose issuer may still let agents in; it is used up by that."""
    used = session.execute(
        update(EnrolmentCode)
        .where(
            EnrolmentCode.code_sha256 == code_sha256,
            EnrolmentCode.used_at.is_(None),
            EnrolmentCode.expires_at > now,
            issuance.may_issue(
                EnrolmentCode.organisation_id, EnrolmentCode.issuer_id, Capability.MANAGE_AGENTS, now
            ),
        )
        .values(used_at=now)
        .returning(EnrolmentCode.organisation_id, EnrolmentCode.issuer_id)
    ).one_or_none()
    return None if used is None else UsedCode(*used)


def open_codes(session: Session, organisation_id: UUID, now: datetime) -> int:
    """How many codes of an organisation are good."""
    query = select(func.count()).where(
        EnrolmentCode.organisation_id == organisation_id,
        EnrolmentCode.used_at.is_(None),
        EnrolmentCode.expires_at > now,
    )
    return int(session.scalar(query) or 0)


def agent_of_token(session: Session, token_id: UUID | None, *, lock: bool = False) -> ServingAgent | None:
    """The agent that a token was made for."""
    query = select(ServingAgent).where(ServingAgent.token_id == token_id, ServingAgent.removed_at.is_(None))
    return session.scalar(query.with_for_update() if lock else query)


def agents(session: Session, organisation_id: UUID) -> Sequence[ServingAgent]:
    """Agents that are not removed, by name."""
    query = select(ServingAgent).where(
        ServingAgent.organisation_id == organisation_id, ServingAgent.removed_at.is_(None)
    )
    return session.scalars(query.order_by(ServingAgent.name, ServingAgent.agent_id)).all()


def campaigns(session: Session, organisation_id: UUID, limit: int) -> Sequence[Campaign]:
    """The newest campaigns."""
    query = select(Campaign).where(Campaign.organisation_id == organisation_id)
    return session.scalars(query.order_by(Campaign.created_at.desc()).limit(limit)).all()


def campaign(
    session: Session, organisation_id: UUID, campaign_id: UUID, *, lock: bool = False
) -> Campaign | None:
    """One campaign; whoever changes it or its members holds its lock."""
    return session.get(
        Campaign, (organisation_id, campaign_id), with_for_update=lock or None, populate_existing=True
    )


def members(session: Session, organisation_id: UUID, campaign_id: UUID) -> Sequence[CampaignMember]:
    """Agents of a campaign in the order of their parts."""
    query = select(CampaignMember).where(
        CampaignMember.organisation_id == organisation_id, CampaignMember.campaign_id == campaign_id
    )
    found = session.scalars(
        query.order_by(CampaignMember.number), execution_options={"populate_existing": True}
    )
    return found.all()


def working(session: Session, organisation_id: UUID) -> dict[UUID, Campaign]:
    """The campaign of each agent that takes part in one."""
    query = (
        select(CampaignMember.agent_id, Campaign)
        .join(
            Campaign,
            (Campaign.campaign_id == CampaignMember.campaign_id)
            & (Campaign.organisation_id == CampaignMember.organisation_id),
        )
        .where(
            CampaignMember.organisation_id == organisation_id,
            CampaignMember.state.in_((OFFERED, ACTIVE)),
            Campaign.state != ENDED,
        )
    )
    return {row[0]: row[1] for row in session.execute(query)}


def campaign_of_agent(session: Session, organisation_id: UUID, agent_id: UUID) -> UUID | None:
    """The campaign that an agent takes part in."""
    return session.scalar(
        select(CampaignMember.campaign_id)
        .join(
            Campaign,
            (Campaign.campaign_id == CampaignMember.campaign_id)
            & (Campaign.organisation_id == CampaignMember.organisation_id),
        )
        .where(
            CampaignMember.organisation_id == organisation_id,
            CampaignMember.agent_id == agent_id,
            CampaignMember.state.in_((OFFERED, ACTIVE)),
            Campaign.state != ENDED,
        )
        .limit(1)
    )


def called(session: Session) -> set[UUID]:
    """Agents, whoever's, that a campaign waits for."""
    return set(
        session.scalars(select(CampaignMember.agent_id).where(CampaignMember.state.in_((OFFERED, ACTIVE))))
    )


def note_waiting(session: Session, here: Mapping[UUID, UUID], now: datetime) -> set[UUID]:
    """Agents that wait are there; of them those that were removed, or whose token has ended. `here` has the
    organisation of each.
    """
    values = {"agents": list(here), "organisations": list(here.values()), "now": now}
    session.execute(_NOTE_WAITING, values)
    return set(session.scalars(_GONE, values))


def runs(session: Session, organisation_id: UUID, run_ids: Collection[UUID]) -> dict[UUID, Run]:
    """Runs by their ids, as far as they have arrived."""
    query = select(Run).where(Run.organisation_id == organisation_id, Run.run_id.in_(run_ids))
    return {run.run_id: run for run in session.scalars(query)}
