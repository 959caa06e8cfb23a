"""Queries about agents that poll for work, and about campaigns."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from sqlalchemy import and_, func, select, text, update
from sqlalchemy.orm import Session

from tailroom.access import issuance
from tailroom.access.capabilities import Capability
from tailroom.storage.campaign import (
    ACTIVE,
    ENDED,
    LOST,
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
_RECORD_WAITING = text(
    f"""
    UPDATE serving_agent SET seen_at = :now
      FROM (SELECT held.organisation_id, held.agent_id
              FROM serving_agent held JOIN {_WAITING} USING (organisation_id, agent_id)
               FOR UPDATE OF held SKIP LOCKED) free
     WHERE serving_agent.organisation_id = free.organisation_id AND serving_agent.agent_id = free.agent_id
    """  # noqa: S608 - no value is written into it
)
"""Set `seen_at` of waiting agents. A locked row is skipped: another process updates that agent now."""
_REMOVED = text(
    f"""
    SELECT waiting.agent_id
      FROM {_WAITING}
      LEFT JOIN serving_agent USING (organisation_id, agent_id)
      LEFT JOIN access_token ON access_token.id = serving_agent.token_id
     WHERE serving_agent.agent_id IS NULL OR serving_agent.removed_at IS NOT NULL
        OR access_token.id IS NULL OR access_token.revoked_at IS NOT NULL OR access_token.expires_at <= :now
    """  # noqa: S608
)
"""Select the waiting agents that were removed or whose token is revoked or expired."""
_CAMPAIGN_OF_MEMBER = and_(
    Campaign.organisation_id == CampaignMember.organisation_id,
    Campaign.campaign_id == CampaignMember.campaign_id,
)
_AT_WORK = (CampaignMember.state.in_((OFFERED, ACTIVE)), Campaign.state != ENDED)
"""SQL conditions for agents that take part in a campaign that has not ended."""


def organisation_of_code(session: Session, code_sha256: bytes) -> UUID | None:
    """Return the organisation of an enrolment code, even if expired or used; None for an unknown code."""
    return session.scalar(
        select(EnrolmentCode.organisation_id).where(EnrolmentCode.code_sha256 == code_sha256)
    )


class UsedCode(NamedTuple):
    """The organisation of an enrolment code, and the token or person that issued it (None: the operator)."""

    organisation_id: UUID
    issuer_id: UUID | None


def use_code(session: Session, code_sha256: bytes, now: datetime) -> UsedCode | None:
    """Mark a code as used and return it.

    None, and no change, if it is unknown, used or expired, or its issuer may not manage agents any more.
    """
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
    """Return the number of enrolment codes of an organisation that are neither used nor expired."""
    query = select(func.count()).where(
        EnrolmentCode.organisation_id == organisation_id,
        EnrolmentCode.used_at.is_(None),
        EnrolmentCode.expires_at > now,
    )
    return int(session.scalar(query) or 0)


def agent_of_token(session: Session, token_id: UUID | None, *, lock: bool = False) -> ServingAgent | None:
    """Return the agent with this token, its row locked with `lock`; None if it is missing or was removed."""
    query = select(ServingAgent).where(ServingAgent.token_id == token_id, ServingAgent.removed_at.is_(None))
    return session.scalar(query.with_for_update() if lock else query)


def agents(session: Session, organisation_id: UUID) -> Sequence[ServingAgent]:
    """Return the agents that are not removed, by name."""
    query = select(ServingAgent).where(
        ServingAgent.organisation_id == organisation_id, ServingAgent.removed_at.is_(None)
    )
    return session.scalars(query.order_by(ServingAgent.name, ServingAgent.agent_id)).all()


def campaigns(session: Session, organisation_id: UUID, limit: int) -> Sequence[Campaign]:
    """Return the newest campaigns of an organisation, at most `limit`."""
    query = select(Campaign).where(Campaign.organisation_id == organisation_id)
    return session.scalars(query.order_by(Campaign.created_at.desc()).limit(limit)).all()


def campaign(
    session: Session, organisation_id: UUID, campaign_id: UUID, *, lock: bool = False
) -> Campaign | None:
    """Return a campaign as stored now, or None if there is none.

    Changes of a campaign or its agents require the `lock` of its row.
    """
    return session.get(
        Campaign, (organisation_id, campaign_id), with_for_update=lock or None, populate_existing=True
    )


def member_count(session: Session, organisation_id: UUID, campaign_id: UUID) -> int:
    """Return the number of agents of a campaign."""
    query = select(func.count()).where(
        CampaignMember.organisation_id == organisation_id, CampaignMember.campaign_id == campaign_id
    )
    return int(session.scalar(query) or 0)


def member(
    session: Session, organisation_id: UUID, campaign_id: UUID, agent_id: UUID
) -> CampaignMember | None:
    """Return an agent of a campaign; None if it does not take part."""
    return session.get(CampaignMember, (organisation_id, campaign_id, agent_id), populate_existing=True)


def leader(session: Session, organisation_id: UUID, campaign_id: UUID) -> CampaignMember | None:
    """Return the first agent of a campaign that is not lost; None if all are."""
    query = select(CampaignMember).where(
        CampaignMember.organisation_id == organisation_id,
        CampaignMember.campaign_id == campaign_id,
        CampaignMember.state != LOST,
    )
    return session.scalar(query.order_by(CampaignMember.number).limit(1))


def members(
    session: Session, organisation_id: UUID, campaign_id: UUID, most: int | None = None
) -> Sequence[CampaignMember]:
    """Return the agents of a campaign by number; only the first `most` unless that is None."""
    query = select(CampaignMember).where(
        CampaignMember.organisation_id == organisation_id, CampaignMember.campaign_id == campaign_id
    )
    rows = session.scalars(
        query.order_by(CampaignMember.number).limit(most), execution_options={"populate_existing": True}
    )
    return rows.all()


def campaigns_by_agent(session: Session, organisation_id: UUID) -> dict[UUID, Campaign]:
    """Return the campaigns of an organisation that have not ended, by the id of each agent in them."""
    query = select(CampaignMember.agent_id, Campaign).join(Campaign, _CAMPAIGN_OF_MEMBER)
    query = query.where(CampaignMember.organisation_id == organisation_id, *_AT_WORK)
    return dict(session.execute(query).all())


def campaign_of_agent(session: Session, organisation_id: UUID, agent_id: UUID) -> UUID | None:
    """Return the id of the campaign, not ended, that an agent takes part in; None if there is none."""
    query = select(CampaignMember.campaign_id).join(Campaign, _CAMPAIGN_OF_MEMBER)
    query = query.where(
        CampaignMember.organisation_id == organisation_id, CampaignMember.agent_id == agent_id, *_AT_WORK
    )
    return session.scalar(query.limit(1))


def agents_in_campaigns(session: Session) -> set[UUID]:
    """Return the ids of all organisations' agents that were offered a campaign's job, or are active in it."""
    return set(
        session.scalars(select(CampaignMember.agent_id).where(CampaignMember.state.in_((OFFERED, ACTIVE))))
    )


def record_waiting_agents(session: Session, organisations: Mapping[UUID, UUID], now: datetime) -> set[UUID]:
    """Store that waiting agents are present; return those that were removed or whose token is not valid.

    `organisations` has the organisation of each agent. An agent whose row is locked is not stored as present.
    """
    values = {"agents": list(organisations), "organisations": list(organisations.values()), "now": now}
    session.execute(_RECORD_WAITING, values)
    return set(session.scalars(_REMOVED, values))


def runs(session: Session, organisation_id: UUID, run_ids: Collection[UUID]) -> dict[UUID, Run]:
    """Return the runs with these ids by id; runs that have not arrived are missing."""
    query = select(Run).where(Run.organisation_id == organisation_id, Run.run_id.in_(run_ids))
    return {run.run_id: run for run in session.scalars(query)}
