"""Polls of agents: each reports the state of a job, advances the campaign, and returns the next order."""

import hashlib
import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.campaigns import commands, repository
from tailroom.campaigns.enrolment import validate_inventory
from tailroom.campaigns.errors import NotEnrolled
from tailroom.campaigns.interruption import interrupt, may_wait, record_return
from tailroom.campaigns.pacing import MANY_AGENTS, pace_s
from tailroom.campaigns.progress import mark_lost, order_for
from tailroom.campaigns.schemas import CommandOut, ExplainedPhaseIn, JobIn, PollIn, PollOut
from tailroom.campaigns.service import advance_campaign
from tailroom.kit.errors import RequestInvalid
from tailroom.storage.campaign import ACTIVE, OFFERED, Campaign, CampaignMember, ServingAgent

_MOST_REFUSALS = 20
"""Maximum number of stored refusals of an agent."""


def answer_poll(
    session: Session, token_id: UUID | None, poll: PollIn, now: datetime
) -> tuple[ServingAgent, PollOut, bool]:
    """Store an agent's report and advance its campaign.

    Return the agent, the answer to its poll, and whether it takes part in a campaign that is not interrupted.
    Raise NotEnrolled if the token is that of no agent or of a removed agent, RequestInvalid for an invalid
    inventory or phase.
    """
    agent = repository.agent_of_token(session, token_id)
    if agent is None:
        raise NotEnrolled(
            "This agent was removed, or its token is no enrolled agent's. Enrol it with a new code."
        )
    organisation_id = agent.organisation_id
    own_id = repository.campaign_of_agent(session, organisation_id, agent.agent_id)
    job = poll.job
    campaign_id = own_id if own_id is not None or job is None else job.campaign_id
    # The lock of a campaign is always taken before the lock of an agent, to avoid deadlocks.
    campaign = (
        None if campaign_id is None else repository.campaign(session, organisation_id, campaign_id, lock=True)
    )
    agent = repository.agent_of_token(session, token_id, lock=True)
    if agent is None:
        raise NotEnrolled("This agent was removed.")
    _update_agent(agent, poll, now)
    orders: list[CommandOut] = []
    pace = 0.0
    if campaign is not None:
        member = repository.member(session, organisation_id, campaign.campaign_id, agent.agent_id)
        if member is not None:
            agents = repository.member_count(session, organisation_id, campaign.campaign_id)
            pace = pace_s(agents)
            _apply_report(campaign, member, poll, now)
            members = _advance_by_poll(session, campaign, member, agents, now)
            order = order_for(campaign, members, member, agents)
            if order is not None:
                command = commands.sign_command(session, agent, campaign.campaign_id, order, now)
                orders.append(CommandOut(**command))
    if job is not None and (campaign is None or job.campaign_id != campaign.campaign_id):
        over = {"kind": "stop", "reason": "The campaign has ended."}
        orders.append(CommandOut(**commands.sign_command(session, agent, job.campaign_id, over, now)))
    # An agent of a search that waits for another has nothing to do meanwhile.
    has_work = own_id is not None and (campaign is None or campaign.interrupted_at is None)
    again_in_ms = int(pace * 1_000) or None
    return agent, PollOut(commands=orders, again_in_ms=again_in_ms), has_work


def _advance_by_poll(
    session: Session, campaign: Campaign, member: CampaignMember, agents: int, now: datetime
) -> Sequence[CampaignMember]:
    """Advance a campaign by the poll of an agent; return the agents that its next order depends on.

    These are all agents. With more than `MANY_AGENTS`, only the poll of the first agent that is not lost
    advances the campaign, and another agent's order depends on the first and itself.
    """
    if agents > MANY_AGENTS:
        session.flush()
        leader = repository.leader(session, campaign.organisation_id, campaign.campaign_id)
        if leader is not member:
            return [member] if leader is None else [leader, member]
    advance_campaign(session, campaign, now)
    return repository.members(session, campaign.organisation_id, campaign.campaign_id)


def _update_agent(agent: ServingAgent, poll: PollIn, now: datetime) -> None:
    """Store what the agent states about itself. Raise RequestInvalid for an invalid inventory."""
    agent.seen_at = now
    agent.version = poll.version.model_dump() | {"knows": poll.knows}
    agent.clock_error_ns, agent.wall_clock_ahead_ns = poll.clock_error_ns, poll.wall_clock_ahead_ns
    if poll.inventory is not None:
        agent.inventory = validate_inventory(poll.inventory)
    if poll.refusals:
        fresh = [{"at": now.isoformat(), "sentence": refusal.sentence} for refusal in reversed(poll.refusals)]
        agent.refusals = [*fresh, *agent.refusals][:_MOST_REFUSALS]


def _apply_report(campaign: Campaign, member: CampaignMember, poll: PollIn, now: datetime) -> None:
    """Store in `member` the report of an agent about its part of a campaign; without a job it may become
    lost.

    The reason of a failed or refused job is stored; a job that was cut off interrupts a search. Raise
    RequestInvalid for a phase that is not in the plan.
    """
    job = poll.job if poll.job is not None and poll.job.campaign_id == campaign.campaign_id else None
    refused = next(
        (refusal.sentence for refusal in poll.refusals if refusal.campaign_id == campaign.campaign_id), None
    )
    if member.state not in (OFFERED, ACTIVE):
        if job is not None:
            member.step, member.runs = job.step, _run_ids(member, job)
        return
    if job is None:
        _apply_absence(campaign, member, refused, now)
        return
    phases = len(campaign.phases) or len(job.phases or member.explained or ())
    # The probes of a search come one by one.
    most = phases + 1 if campaign.search is not None else phases
    if job.phase is not None and job.phase >= most:
        raise RequestInvalid(f"job.phase is {job.phase}, counted from 0, and the plan has {phases} phases")
    member.state, member.seen_at = ACTIVE, now
    member.step, member.phase, member.runs = job.step, job.phase, _run_ids(member, job)
    member.probe = None if job.probe is None else job.probe.model_dump()
    member.version = poll.version.version
    if poll.clock_error_ns is not None:
        member.clock_error_ns = poll.clock_error_ns
    if job.phases is not None:
        member.explained = [_explained_phase(phase) for phase in job.phases]
    if campaign.interrupted_at is not None:
        return
    if job.interrupted and may_wait(campaign):
        interrupt(campaign, member, job.reason or "its job was cut off", now)
    elif job.step == "failed" or refused is not None:
        member.reason = refused or job.reason or "its job failed"


def _apply_absence(campaign: Campaign, member: CampaignMember, refused: str | None, now: datetime) -> None:
    """Update an agent without a job; `refused` is its reason if it refused the job, else None."""
    if refused is not None:
        mark_lost(member, now, refused)
    elif campaign.interrupted_at is not None:
        record_return(campaign, member, now)
    elif member.state == ACTIVE and may_wait(campaign):
        interrupt(campaign, member, "its agent was restarted", now)
        record_return(campaign, member, now)
    elif member.state == ACTIVE:
        mark_lost(member, now, "its agent was restarted")


def _explained_phase(phase: ExplainedPhaseIn) -> dict[str, Any]:
    """Return a phase as an agent read it in the plan, with a hash of the parts of all agents to compare."""
    parts = json.dumps(phase.by_agent, sort_keys=True).encode()
    return phase.model_dump(exclude={"by_agent"}) | {"parts": hashlib.sha256(parts).hexdigest()}


def _run_ids(member: CampaignMember, job: JobIn) -> dict[str, str]:
    return {**member.runs, **{number: str(run_id) for number, run_id in job.runs.items()}}
