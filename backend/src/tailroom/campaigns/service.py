"""Campaigns: begin, stop and repeat them, and advance them at every poll of an agent."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple, cast
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.access.repository import lock_organisation
from tailroom.budgets.service import budget_of_objective
from tailroom.campaigns import commands, repository
from tailroom.campaigns.enrolment import validate_inventory
from tailroom.campaigns.errors import CampaignRefused, CampaignUnknown, NotEnrolled
from tailroom.campaigns.interruption import RETURN_WITHIN, agents_away, interrupt, may_wait, note_return
from tailroom.campaigns.pacing import FEATURE as PACED_POLLS
from tailroom.campaigns.pacing import MANY_AGENTS, pace_s
from tailroom.campaigns.progress import advance, named_first, order_for
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
    PollOut,
    SearchIn,
    ServingAgentOut,
    WaitingForOut,
)
from tailroom.campaigns.searching import features_of, problem_of
from tailroom.campaigns.starting import LOCAL_PLANS, measures_own_machines
from tailroom.kit.clock import utc_now
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
_DEFAULTS: dict[str, Any] = {"operations_per_s": {}, "transactions_per_s": None, "probe": None}
"""Defaults for phases of campaigns that began before phases stated these."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SETTING = re.compile(r"^[ \t\f]*(tailroom\.[\w.]+)", re.MULTILINE)
"""A setting of ours in a YCSB property file, which older agents ignore. In a plan of ours, every agent
refuses settings that it does not know.
"""


def begin(
    session: Session, organisation_id: UUID, request: CampaignIn, now: datetime, repeat_of: UUID | None = None
) -> Campaign:
    """Begin a campaign and return it; `repeat_of` is the campaign that it repeats.

    Raise CampaignRefused if an agent was removed, or is away, too old for the plan, or works already: where
    each measures its own machine, only if all of them are. Raise BudgetInvalid for an objective that cannot
    be read.
    """
    for objective in request.objectives:
        budget_of_objective(objective)
    if request.search is not None:
        budget_of_objective(request.search.objective)
        problem = problem_of(request.target, len(set(request.agents)), request.on_lost)
        if problem is not None:
            raise CampaignRefused(problem)
    lock_organisation(session, organisation_id)  # an agent works for one campaign at a time
    working = repository.working(session, organisation_id)
    agents = {agent.agent_id: agent for agent in repository.agents(session, organisation_id)}
    chosen = list(dict.fromkeys(request.agents))
    for agent_id in chosen:
        if agent_id not in agents:
            raise CampaignRefused(f"There is no agent {agent_id}; it may have been removed.")
    obstacles = {
        agent_id: obstacle
        for agent_id in chosen
        if (obstacle := _obstacle_of(agents[agent_id], request, working, now)) is not None
    }
    if obstacles and (len(obstacles) == len(chosen) or not measures_own_machines(request.target)):
        agent_id, obstacle = next(iter(obstacles.items()))
        raise CampaignRefused(f"{agents[agent_id].name} {obstacle.clause}. {obstacle.advice}")
    campaign = Campaign(
        organisation_id=organisation_id,
        campaign_id=new_id(),
        title=request.title,
        plan=request.plan,
        target=request.target,
        seed=request.seed,
        on_lost=request.on_lost,
        objectives=request.objectives,
        search=None if request.search is None else request.search.model_dump(),
        state=PREPARING,
        created_at=now,
        repeat_of=repeat_of,
        phases=[],
    )
    session.add(campaign)
    names = _names([agents[agent_id].name for agent_id in chosen])
    for number, agent_id in enumerate(chosen):
        obstacle = obstacles.get(agent_id)
        version = str(agents[agent_id].version.get("version", ""))
        member = _member(campaign, agent_id, number, names[number], version=version, seen_at=now)
        if obstacle is not None:
            _leave_out(member, f"it {obstacle.clause}", now)
        session.add(member)
    session.flush()
    make_due(session, CAMPAIGN, campaign.campaign_id, organisation_id, now, reset=True)
    return campaign


def _member(
    campaign: Campaign, agent_id: UUID, number: int, name: str, *, version: str, seen_at: datetime
) -> CampaignMember:
    """Return the row of an agent in a campaign; the agent has not taken its part yet."""
    return CampaignMember(
        organisation_id=campaign.organisation_id,
        campaign_id=campaign.campaign_id,
        agent_id=agent_id,
        number=number,
        name=name,
        state=OFFERED,
        version=version,
        runs={},
        seen_at=seen_at,
    )


def _leave_out(member: CampaignMember, reason: str, now: datetime) -> None:
    """Mark a member as one that does not start."""
    member.state, member.lost_at, member.reason = LOST, now, reason


class _Obstacle(NamedTuple):
    """Why an agent cannot start: a clause about it, and what to do."""

    clause: str
    advice: str


def _obstacle_of(
    agent: ServingAgent, request: CampaignIn, working: Mapping[UUID, Campaign], now: datetime
) -> _Obstacle | None:
    """Return why an agent cannot start now; None if it can. `working`: the campaign of each busy agent."""
    if now - agent.seen_at > PRESENT:
        return _Obstacle(
            f"is away since {agent.seen_at:%Y-%m-%d %H:%M} UTC",
            "Start `tailroom-agent serve` there, or leave it out.",
        )
    if agent.agent_id in working:
        return _Obstacle("works for another campaign", "Wait for its end, or stop it.")
    if unsupported := sorted(_required_features(request) - set(agent.version.get("knows", ()))):
        return _Obstacle(
            f"runs version {_version(agent)} of the agent, which does not know"
            f" {', '.join(unsupported)} of the plan",
            "Install the newest agent there, or take it out of the plan.",
        )
    return None


def _required_features(request: CampaignIn) -> set[str]:
    """Return the features that an agent must support to carry out the plan."""
    local = {plan for prefix, plan in LOCAL_PLANS.items() if request.target.startswith(prefix)}
    searches = frozenset[str]() if request.search is None else features_of(request.target)
    paced = {PACED_POLLS} if len(request.agents) > MANY_AGENTS else set[str]()
    return local | searches | paced | set(_SETTING.findall(request.plan))


def _version(agent: ServingAgent) -> str:
    commit = agent.version.get("commit")
    return f"{agent.version.get('version', '?')}" + (f" ({commit[:12]})" if commit else "")


def _names(names: Sequence[str]) -> list[str]:
    """Return the names of agents as pages show them: equal names get the position of the agent."""
    number_of = Counter(names)
    return [name if number_of[name] == 1 else f"{name} ({at})" for at, name in enumerate(names, 1)]


def find(session: Session, organisation_id: UUID, campaign_id: UUID, *, lock: bool = False) -> Campaign:
    """Return a campaign. Raise CampaignUnknown."""
    campaign = repository.campaign(session, organisation_id, campaign_id, lock=lock)
    if campaign is None:
        raise CampaignUnknown(f"There is no campaign {campaign_id}.")
    return campaign


def stop(session: Session, organisation_id: UUID, campaign_id: UUID, now: datetime) -> Campaign:
    """End a campaign and return it; no change if it has ended. Raise CampaignUnknown."""
    campaign = find(session, organisation_id, campaign_id, lock=True)
    campaign.stop_requested_at = campaign.stop_requested_at or now
    advance_campaign(session, campaign, now)
    return campaign


def repeat(session: Session, organisation_id: UUID, campaign_id: UUID, now: datetime) -> Campaign:
    """Begin a campaign with the same plan, server and agents.

    Agents that were removed since are members that do not start, where each agent measures its own machine.
    Raise CampaignUnknown; CampaignRefused as `begin`, or if agents that divide a server's load were removed.
    """
    before = find(session, organisation_id, campaign_id)
    members = repository.members(session, organisation_id, campaign_id)
    present = {agent.agent_id for agent in repository.agents(session, organisation_id)}
    removed = [member for member in members if member.agent_id not in present]
    if removed and (len(removed) == len(members) or not measures_own_machines(before.target)):
        raise CampaignRefused(
            f"Removed since: {named_first([member.name for member in removed])}."
            " Begin a new campaign with agents that are there."
        )
    request = CampaignIn.model_construct(
        title=before.title,
        plan=before.plan,
        target=before.target,
        agents=[member.agent_id for member in members if member.agent_id in present],
        on_lost=cast(OnLost, before.on_lost),
        objectives=before.objectives,
        search=None if before.search is None else SearchIn.model_validate(before.search),
        seed=before.seed,
    )
    campaign = begin(session, organisation_id, request, now, repeat_of=before.campaign_id)
    names = {member.name for member in repository.members(session, organisation_id, campaign.campaign_id)}
    for number, earlier in enumerate(removed, start=len(request.agents)):
        name = f"{earlier.name}, removed" if earlier.name in names else earlier.name
        member = _member(
            campaign, earlier.agent_id, number, name, version=earlier.version, seen_at=earlier.seen_at
        )
        _leave_out(member, "it was removed since the last time", now)
        session.add(member)
    session.flush()
    return campaign


def advance_campaign(session: Session, campaign: Campaign, now: datetime) -> None:
    """Advance a campaign by its due steps and make its background work due; the caller holds its lock."""
    members = repository.members(session, campaign.organisation_id, campaign.campaign_id)
    if advance(campaign, members, now):
        make_due(session, CAMPAIGN, campaign.campaign_id, campaign.organisation_id, now, reset=True)
    session.flush()


def answer(
    session: Session, token_id: UUID | None, poll: PollIn, now: datetime
) -> tuple[ServingAgent, PollOut, bool]:
    """Return the agent, the answer to its poll, and whether another order may follow at once.

    `token_id` is that of the agent's token. Raise NotEnrolled, RequestInvalid.
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
            members = _advanced_by(session, campaign, member, agents, now)
            order = order_for(campaign, members, member, agents)
            if order is not None:
                command = commands.sign_command(session, agent, campaign.campaign_id, order, now)
                orders.append(CommandOut(**command))
    if job is not None and (campaign is None or job.campaign_id != campaign.campaign_id):
        over = {"kind": "stop", "reason": "The campaign has ended."}
        orders.append(CommandOut(**commands.sign_command(session, agent, job.campaign_id, over, now)))
    # An agent of a search that waits for another has nothing to do meanwhile.
    is_called = own_id is not None and (campaign is None or campaign.interrupted_at is None)
    again_in_ms = int(pace * 1_000) or None
    return agent, PollOut(commands=orders, again_in_ms=again_in_ms), is_called


def _advanced_by(
    session: Session, campaign: Campaign, member: CampaignMember, agents: int, now: datetime
) -> Sequence[CampaignMember]:
    """Advance a campaign by the poll of an agent; return the agents that its next order depends on.

    With many agents only the poll of the first that is not lost advances it (`pacing`).
    """
    if agents > MANY_AGENTS:
        session.flush()
        leader = repository.leader(session, campaign.organisation_id, campaign.campaign_id)
        if leader is not member:
            return [member] if leader is None else [leader, member]
    advance_campaign(session, campaign, now)
    return repository.members(session, campaign.organisation_id, campaign.campaign_id)


def _update_agent(agent: ServingAgent, poll: PollIn, now: datetime) -> None:
    agent.seen_at = now
    agent.version = poll.version.model_dump() | {"knows": poll.knows}
    agent.clock_error_ns, agent.wall_clock_ahead_ns = poll.clock_error_ns, poll.wall_clock_ahead_ns
    if poll.inventory is not None:
        agent.inventory = validate_inventory(poll.inventory)
    if poll.refusals:
        fresh = [{"at": now.isoformat(), "sentence": refusal.sentence} for refusal in reversed(poll.refusals)]
        agent.refusals = [*fresh, *agent.refusals][:_MOST_REFUSALS]


def _apply_report(campaign: Campaign, member: CampaignMember, poll: PollIn, now: datetime) -> None:
    """Apply what an agent's poll reports of its part.

    Raise RequestInvalid for a phase that is not in the plan.
    """
    job = poll.job if poll.job is not None and poll.job.campaign_id == campaign.campaign_id else None
    refused = next(
        (refusal.sentence for refusal in poll.refusals if refusal.campaign_id == campaign.campaign_id), None
    )
    if member.state not in (OFFERED, ACTIVE):
        if job is not None:
            member.step, member.runs = job.step, _runs(member, job)
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
    member.step, member.phase, member.runs = job.step, job.phase, _runs(member, job)
    member.probe = None if job.probe is None else job.probe.model_dump()
    member.version = poll.version.version
    if poll.clock_error_ns is not None:
        member.clock_error_ns = poll.clock_error_ns
    if job.phases is not None:
        member.explained = [_explained(phase) for phase in job.phases]
    if campaign.interrupted_at is not None:
        return
    if job.interrupted and may_wait(campaign):
        interrupt(campaign, member, job.reason or "its job was cut off", now)
    elif job.step == "failed" or refused is not None:
        member.reason = refused or job.reason or "its job failed"


def _apply_absence(campaign: Campaign, member: CampaignMember, refused: str | None, now: datetime) -> None:
    """Apply what follows from an agent that has no job of the campaign.

    `refused`: why it refused it, if it did.
    """
    if refused is not None:
        member.state, member.lost_at, member.reason = LOST, now, refused
    elif campaign.interrupted_at is not None:
        note_return(campaign, member, now)
    elif member.state == ACTIVE and may_wait(campaign):
        interrupt(campaign, member, "its agent was restarted", now)
        note_return(campaign, member, now)
    elif member.state == ACTIVE:
        member.state, member.lost_at, member.reason = LOST, now, "its agent was restarted"


def _explained(phase: ExplainedPhaseIn) -> dict[str, Any]:
    """Return what is stored of a phase as an agent read it.

    A hash of the parts suffices to compare agents.
    """
    parts = json.dumps(phase.by_agent, sort_keys=True).encode()
    return phase.model_dump(exclude={"by_agent"}) | {"parts": hashlib.sha256(parts).hexdigest()}


def _runs(member: CampaignMember, job: JobIn) -> dict[str, str]:
    """Return the run ids of an agent by phase, with those that the job reports."""
    return {**member.runs, **{number: str(run_id) for number, run_id in job.runs.items()}}


def agent_out(agent: ServingAgent, campaign: Campaign | None, now: datetime) -> ServingAgentOut:
    """Return an agent for the API; `campaign`: its campaign, if it works for any."""
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


def campaign_out(session: Session, campaign: Campaign, most_agents: int | None = None) -> CampaignOut:
    """Return a campaign for the API; with `most_agents` only with its first agents, as lists show it."""
    key = campaign.organisation_id, campaign.campaign_id
    members = repository.members(session, *key, most_agents)
    return CampaignOut(
        **{
            name: getattr(campaign, name)
            for name in (
                *("campaign_id", "title", "plan", "target", "seed", "on_lost", "objectives", "search"),
                *("state", "outcome", "reason", "created_at", "ended_at", "repeat_of"),
            )
        },
        waiting_for=_waiting_for(campaign, members),
        agent_count=len(members) if most_agents is None else repository.member_count(session, *key),
        stop_requested=campaign.stop_requested_at is not None and campaign.state != ENDED,
        agents=[CampaignAgentOut.model_validate(member, from_attributes=True) for member in members],
        phases=[
            CampaignPhaseOut.model_validate(
                _DEFAULTS | phase | {"start_at": _moment(phase["start_at_unix_ns"])}
            )
            for phase in campaign.phases
        ],
    )


def _waiting_for(campaign: Campaign, members: Sequence[CampaignMember]) -> WaitingForOut | None:
    """Return the lost agents that an interrupted search waits for; None if it is not interrupted."""
    since = campaign.interrupted_at
    if since is None:
        return None
    away = agents_away(members, utc_now())
    return WaitingForOut(agents=[member.name for member in away], since=since, until=since + RETURN_WITHIN)


def _moment(unix_ns: int | None) -> datetime | None:
    return None if unix_ns is None else _EPOCH + timedelta(microseconds=unix_ns // 1_000)
