"""What happens to campaigns: begun, stopped, repeated, and taken further by every question of an agent."""

import hashlib
import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, cast
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.access.repository import lock_organisation
from tailroom.budgets.service import budget_of_objective
from tailroom.campaigns import commands, repository
from tailroom.campaigns.enrolment import checked_inventory
from tailroom.campaigns.errors import CampaignRefused, CampaignUnknown, NotEnrolled
from tailroom.campaigns.progress import advance, order_for
from tailroom.campaigns.schemas import (
    CampaignAgentOut,
    CampaignIn,
    CampaignOut,
    CampaignPhaseOut,
    CommandOut,
    ExplainedPhaseIn,
    JobIn,
    OnLost,
    PollIn,
    ServingAgentOut,
)
from tailroom.kit.errors import RequestInvalid
from tailroom.kit.identifiers import new_id
from tailroom.storage.campaign import (
    ACTIVE,
    ENDED,
    LOST,
    OFFERED,
    PREPARING,
    Campaign,
    CampaignMember,
    ServingAgent,
)
from tailroom.work.kinds import CAMPAIGN
from tailroom.work.outbox import make_due

PRESENT = timedelta(seconds=60)
_MOST_REFUSALS = 20
_ASKED_NOTHING: dict[str, Any] = {"operations_per_s": {}, "transactions_per_s": None}
"""Of campaigns that were begun before phases said what was asked of them."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SETTING = re.compile(r"^[ \t\f]*(tailroom\.[\w.]+)", re.MULTILINE)
"""A setting of our own in a property file, which older agents read over. In a plan of ours, every agent names
what it does not know.
"""
_DRIVES = "drives:"


def begin(
    session: Session, organisation_id: UUID, asked: CampaignIn, now: datetime, repeat_of: UUID | None = None
) -> Campaign:
    """A new campaign. Raises CampaignRefused where an agent is away, removed, too old for the plan, or works
    already; BudgetInvalid for an objective that cannot be read.
    """
    for objective in asked.objectives:
        budget_of_objective(objective)
    lock_organisation(session, organisation_id)  # an agent works for one campaign at a time
    known = {one.agent_id: one for one in repository.agents(session, organisation_id)}
    chosen = list(dict.fromkeys(asked.agents))
    for agent_id in chosen:
        agent = known.get(agent_id)
        if agent is None:
            raise CampaignRefused(f"There is no agent {agent_id}; it may have been removed.")
        if now - agent.seen_at > PRESENT:
            raise CampaignRefused(
                f"{agent.name} is away since {agent.seen_at:%Y-%m-%d %H:%M} UTC. Start `tailroom-agent serve`"
                " there, or leave it out."
            )
        if repository.campaign_of_agent(session, organisation_id, agent_id) is not None:
            raise CampaignRefused(f"{agent.name} works for another campaign. Wait for its end, or stop it.")
        if unknown := sorted(_needed(asked) - set(agent.version.get("knows", ()))):
            raise CampaignRefused(
                f"{agent.name} runs version {_version(agent)} of the agent, which does not know"
                f" {', '.join(unknown)} of the plan. Install the newest agent there, or take it out of the"
                " plan."
            )
    campaign = Campaign(
        organisation_id=organisation_id,
        campaign_id=new_id(),
        title=asked.title,
        plan=asked.plan,
        target=asked.target,
        seed=asked.seed,
        on_lost=asked.on_lost,
        objectives=asked.objectives,
        state=PREPARING,
        created_at=now,
        repeat_of=repeat_of,
        phases=[],
    )
    session.add(campaign)
    for number, agent_id in enumerate(chosen):
        session.add(
            CampaignMember(
                organisation_id=organisation_id,
                campaign_id=campaign.campaign_id,
                agent_id=agent_id,
                number=number,
                name=_name(number, [known[one].name for one in chosen]),
                state=OFFERED,
                version=str(known[agent_id].version.get("version", "")),
                runs={},
                seen_at=now,
            )
        )
    session.flush()
    make_due(session, CAMPAIGN, campaign.campaign_id, organisation_id, now, anew=True)
    return campaign


def _needed(asked: CampaignIn) -> set[str]:
    """What an agent must know to read the plan as it is meant."""
    drives = {"drive-ladder"} if asked.target.startswith(_DRIVES) else set[str]()
    return drives | set(_SETTING.findall(asked.plan))


def _version(agent: ServingAgent) -> str:
    commit = agent.version.get("commit")
    return f"{agent.version.get('version', '?')}" + (f" ({commit[:12]})" if commit else "")


def _name(number: int, names: Sequence[str]) -> str:
    """As pages call an agent; those of one name get their number."""
    name = names[number]
    return name if names.count(name) == 1 else f"{name} ({number + 1})"


def find(session: Session, organisation_id: UUID, campaign_id: UUID, *, lock: bool = False) -> Campaign:
    """One campaign. Raises CampaignUnknown."""
    found = repository.campaign(session, organisation_id, campaign_id, lock=lock)
    if found is None:
        raise CampaignUnknown(f"There is no campaign {campaign_id}.")
    return found


def stop(session: Session, organisation_id: UUID, campaign_id: UUID, now: datetime) -> Campaign:
    """Ends a campaign; harmless when it has ended."""
    campaign = find(session, organisation_id, campaign_id, lock=True)
    campaign.stop_requested_at = campaign.stop_requested_at or now
    go_on(session, campaign, now)
    return campaign


def repeat(session: Session, organisation_id: UUID, campaign_id: UUID, now: datetime) -> Campaign:
    """The same plan on the same server by the same agents. Raises CampaignUnknown, CampaignRefused."""
    before = find(session, organisation_id, campaign_id)
    asked = CampaignIn.model_construct(
        title=before.title,
        plan=before.plan,
        target=before.target,
        agents=[one.agent_id for one in repository.members(session, organisation_id, campaign_id)],
        on_lost=cast(OnLost, before.on_lost),
        objectives=before.objectives,
        seed=before.seed,
    )
    return begin(session, organisation_id, asked, now, repeat_of=before.campaign_id)


def go_on(session: Session, campaign: Campaign, now: datetime) -> None:
    """Takes a campaign further; the caller holds its lock."""
    members = repository.members(session, campaign.organisation_id, campaign.campaign_id)
    if advance(campaign, members, now):
        make_due(session, CAMPAIGN, campaign.campaign_id, campaign.organisation_id, now, anew=True)
    session.flush()


def answer(
    session: Session, token_id: UUID | None, asked: PollIn, now: datetime
) -> tuple[ServingAgent, list[CommandOut], bool]:
    """The agent, what it is to do, and whether a campaign has it. Raises NotEnrolled."""
    agent = repository.agent_of_token(session, token_id)
    if agent is None:
        raise NotEnrolled(
            "This agent was removed, or its token is no enrolled agent's. Enrol it with a new code."
        )
    organisation_id = agent.organisation_id
    mine = repository.campaign_of_agent(session, organisation_id, agent.agent_id)
    job = asked.job
    concerned = mine if mine is not None else None if job is None else job.campaign_id
    # A campaign is locked before an agent, by everybody.
    campaign = (
        None if concerned is None else repository.campaign(session, organisation_id, concerned, lock=True)
    )
    agent = repository.agent_of_token(session, token_id, lock=True)
    if agent is None:
        raise NotEnrolled("This agent was removed.")
    _note(agent, asked, now)
    found: list[CommandOut] = []
    if campaign is not None:
        members = repository.members(session, organisation_id, campaign.campaign_id)
        member = next((one for one in members if one.agent_id == agent.agent_id), None)
        if member is not None:
            _hear(campaign, member, asked, now)
            go_on(session, campaign, now)
            order = order_for(campaign, members, member)
            if order is not None:
                signed = commands.signed(session, agent, campaign.campaign_id, order, now)
                found.append(CommandOut(**signed))
    if job is not None and (campaign is None or job.campaign_id != campaign.campaign_id):
        over = {"kind": "stop", "reason": "The campaign has ended."}
        found.append(CommandOut(**commands.signed(session, agent, job.campaign_id, over, now)))
    return agent, found, mine is not None


def _note(agent: ServingAgent, asked: PollIn, now: datetime) -> None:
    agent.seen_at = now
    agent.version = asked.version.model_dump() | {"knows": asked.knows}
    agent.clock_error_ns, agent.wall_clock_ahead_ns = asked.clock_error_ns, asked.wall_clock_ahead_ns
    if asked.inventory is not None:
        agent.inventory = checked_inventory(asked.inventory)
    if asked.refusals:
        fresh = [{"at": now.isoformat(), "sentence": one.sentence} for one in reversed(asked.refusals)]
        agent.refusals = [*fresh, *agent.refusals][:_MOST_REFUSALS]


def _hear(campaign: Campaign, member: CampaignMember, asked: PollIn, now: datetime) -> None:
    """What an agent says of its part."""
    job = asked.job if asked.job is not None and asked.job.campaign_id == campaign.campaign_id else None
    refused = next((one.sentence for one in asked.refusals if one.campaign_id == campaign.campaign_id), None)
    if member.state not in (OFFERED, ACTIVE):
        if job is not None:
            member.step, member.runs = job.step, _runs(member, job)
        return
    if job is None:
        if refused is not None:
            member.state, member.lost_at, member.reason = LOST, now, refused
        elif member.state == ACTIVE:
            member.state, member.lost_at, member.reason = LOST, now, "its agent was restarted"
        return
    phases = len(campaign.phases) or len(job.phases or member.explained or ())
    if job.phase is not None and job.phase >= phases:
        raise RequestInvalid(f"job.phase is {job.phase}, counted from 0, and the plan has {phases} phases")
    member.state, member.seen_at = ACTIVE, now
    member.step, member.phase, member.runs = job.step, job.phase, _runs(member, job)
    member.version = asked.version.version
    if asked.clock_error_ns is not None:
        member.clock_error_ns = asked.clock_error_ns
    if job.phases is not None:
        member.explained = [_explained(one) for one in job.phases]
    if job.step == "failed" or refused is not None:
        member.reason = refused or job.reason or "its job failed"


def _explained(phase: ExplainedPhaseIn) -> dict[str, Any]:
    """What is kept of a phase. Of the parts only whether they are those of the others."""
    parts = json.dumps(phase.by_agent, sort_keys=True).encode()
    return phase.model_dump(exclude={"by_agent"}) | {"parts": hashlib.sha256(parts).hexdigest()}


def _runs(member: CampaignMember, job: JobIn) -> dict[str, str]:
    return {**member.runs, **{number: str(run_id) for number, run_id in job.runs.items()}}


def agent_out(agent: ServingAgent, campaign: Campaign | None, now: datetime) -> ServingAgentOut:
    """An agent as it is shown."""
    return ServingAgentOut(
        agent_id=agent.agent_id,
        name=agent.name,
        version=str(agent.version.get("version", "")),
        enrolled_at=agent.enrolled_at,
        seen_at=agent.seen_at,
        present=now - agent.seen_at <= PRESENT,
        clock_error_ns=agent.clock_error_ns,
        wall_clock_ahead_ns=agent.wall_clock_ahead_ns,
        inventory=agent.inventory,
        campaign_id=None if campaign is None else campaign.campaign_id,
        campaign_title=None if campaign is None else campaign.title,
        refusals=agent.refusals,
    )


def campaign_out(session: Session, campaign: Campaign) -> CampaignOut:
    """A campaign as it is shown."""
    members = repository.members(session, campaign.organisation_id, campaign.campaign_id)
    return CampaignOut(
        **{
            name: getattr(campaign, name)
            for name in (
                *("campaign_id", "title", "plan", "target", "seed", "on_lost", "objectives"),
                *("state", "outcome", "reason", "created_at", "ended_at", "repeat_of"),
            )
        },
        stop_requested=campaign.stop_requested_at is not None and campaign.state != ENDED,
        agents=[CampaignAgentOut.model_validate(one, from_attributes=True) for one in members],
        phases=[
            CampaignPhaseOut.model_validate(
                _ASKED_NOTHING | one | {"start_at": _moment(one["start_at_unix_ns"])}
            )
            for one in campaign.phases
        ],
    )


def _moment(unix_ns: int | None) -> datetime | None:
    return None if unix_ns is None else _EPOCH + timedelta(microseconds=unix_ns // 1_000)
