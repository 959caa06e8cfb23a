"""Campaigns: begin, stop, repeat and advance them, and their form in the API."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple, cast
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.access.repository import lock_organisation
from tailroom.budgets.service import budget_of_objective
from tailroom.campaigns import repository
from tailroom.campaigns.errors import CampaignRefused, CampaignUnknown
from tailroom.campaigns.interruption import RETURN_WITHIN, agents_away
from tailroom.campaigns.pacing import FEATURE as PACED_POLLS
from tailroom.campaigns.pacing import MANY_AGENTS
from tailroom.campaigns.progress import advance, mark_lost, named_first
from tailroom.campaigns.schemas import (
    CampaignAgentOut,
    CampaignIn,
    CampaignOut,
    CampaignPhaseOut,
    OnLost,
    SearchIn,
    ServingAgentOut,
    WaitingForOut,
)
from tailroom.campaigns.searching import features_of, problem_of
from tailroom.campaigns.starting import LOCAL_PLANS, measures_own_machines
from tailroom.kit.clock import from_unix_ns, utc_now
from tailroom.kit.identifiers import new_id
from tailroom.storage.campaign import (
    ENDED,
    OFFERED,
    PREPARING,
    Campaign,
    CampaignMember,
    ServingAgent,
)
from tailroom.work.kinds import CAMPAIGN
from tailroom.work.outbox import make_due

PRESENT = timedelta(seconds=60)
"""Time since the last poll within which an agent counts as present."""
_SAME_IN_AGENT = (
    *("agent_id", "name", "enrolled_at", "seen_at", "clock_error_ns", "wall_clock_ahead_ns"),
    *("inventory", "refusals"),
)
_DEFAULTS: dict[str, Any] = {"operations_per_s": {}, "transactions_per_s": None, "probe": None}
"""Values of fields that phases of older campaigns do not have."""
_PASSWORD = re.compile(r"://[^@]*:.*@|[?&]password=")
"""A password in the address of a server."""
_SETTING = re.compile(r"^[ \t\f]*(tailroom\.[\w.]+)", re.MULTILINE)
"""A setting of Tailroom in a YCSB property file, which agents that do not support it would ignore."""


def begin(
    session: Session, organisation_id: UUID, request: CampaignIn, now: datetime, repeat_of: UUID | None = None
) -> Campaign:
    """Store a new campaign and return it; `repeat_of` is the id of the campaign that it repeats.

    Raise BudgetInvalid for a malformed objective. Raise CampaignRefused if the address has a password, the
    search is not possible, or an agent was removed, is away, too old for the plan, or in another campaign. If
    each agent measures its own machine, it is refused only if none can start, and the others are lost.
    """
    if _PASSWORD.search(request.target):
        raise CampaignRefused(
            "Everybody who sees the campaign would read the password in its address: put it into a file on"
            " each agent's machine, which the policy there names as password_file."
        )
    for objective in request.objectives:
        budget_of_objective(objective)
    if request.search is not None:
        budget_of_objective(request.search.objective)
        problem = problem_of(request.target, len(set(request.agents)), request.on_lost)
        if problem is not None:
            raise CampaignRefused(problem)
    lock_organisation(session, organisation_id)  # an agent works for one campaign at a time
    busy = repository.campaigns_by_agent(session, organisation_id)
    agents = {agent.agent_id: agent for agent in repository.agents(session, organisation_id)}
    chosen = list(dict.fromkeys(request.agents))
    for agent_id in chosen:
        if agent_id not in agents:
            raise CampaignRefused(f"There is no agent {agent_id}; it may have been removed.")
    obstacles = {
        agent_id: obstacle
        for agent_id in chosen
        if (obstacle := _obstacle_of(agents[agent_id], request, busy, now)) is not None
    }
    if obstacles and (len(obstacles) == len(chosen) or not measures_own_machines(request.target)):
        agent_id, obstacle = next(iter(obstacles.items()))
        raise CampaignRefused(f"{agents[agent_id].name} {obstacle.clause}. {obstacle.advice}")
    campaign = Campaign(
        **request.model_dump(exclude={"agents"}),
        organisation_id=organisation_id,
        campaign_id=new_id(),
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
            mark_lost(member, now, f"it {obstacle.clause}")
        session.add(member)
    session.flush()
    make_due(session, CAMPAIGN, campaign.campaign_id, organisation_id, now, reset=True)
    return campaign


def _member(
    campaign: Campaign, agent_id: UUID, number: int, name: str, *, version: str, seen_at: datetime
) -> CampaignMember:
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


class _Obstacle(NamedTuple):
    """Reason why an agent cannot start: a clause that follows its name, and a sentence with the remedy."""

    clause: str
    advice: str


def _obstacle_of(
    agent: ServingAgent, request: CampaignIn, busy: Collection[UUID], now: datetime
) -> _Obstacle | None:
    """Return the reason why an agent cannot start now; None if it can. `busy` agents are in a campaign."""
    if now - agent.seen_at > PRESENT:
        return _Obstacle(
            f"is away since {agent.seen_at:%Y-%m-%d %H:%M} UTC",
            "Start `tailroom-agent serve` there, or leave it out.",
        )
    if agent.agent_id in busy:
        return _Obstacle("works for another campaign", "Wait for its end, or stop it.")
    if unsupported := sorted(_required_features(request) - set(agent.version.get("knows", ()))):
        return _Obstacle(
            f"runs version {_version(agent)} of the agent, which does not know"
            f" {', '.join(unsupported)} of the plan",
            "Install the newest agent there, or take it out of the plan.",
        )
    return None


def _required_features(request: CampaignIn) -> set[str]:
    local = {plan for prefix, plan in LOCAL_PLANS.items() if request.target.startswith(prefix)}
    searches = frozenset[str]() if request.search is None else features_of(request.target)
    paced = {PACED_POLLS} if len(request.agents) > MANY_AGENTS else set[str]()
    return local | searches | paced | set(_SETTING.findall(request.plan))


def _version(agent: ServingAgent) -> str:
    commit = agent.version.get("commit")
    return f"{agent.version.get('version', '?')}" + (f" ({commit[:12]})" if commit else "")


def _names(names: Sequence[str]) -> list[str]:
    """Return the names of agents as pages show them: equal names get the position of the agent, from 1."""
    number_of = Counter(names)
    return [name if number_of[name] == 1 else f"{name} ({at})" for at, name in enumerate(names, 1)]


def find(session: Session, organisation_id: UUID, campaign_id: UUID, *, lock: bool = False) -> Campaign:
    """Return a campaign, its row locked with `lock`; raise CampaignUnknown for an unknown id."""
    campaign = repository.campaign(session, organisation_id, campaign_id, lock=lock)
    if campaign is None:
        raise CampaignUnknown(f"There is no campaign {campaign_id}.")
    return campaign


def stop(session: Session, organisation_id: UUID, campaign_id: UUID, now: datetime) -> Campaign:
    """End a campaign on request, and return it; if it has ended already, only store the request.

    Raise CampaignUnknown for an unknown id.
    """
    campaign = find(session, organisation_id, campaign_id, lock=True)
    campaign.stop_requested_at = campaign.stop_requested_at or now
    advance_campaign(session, campaign, now)
    return campaign


def repeat(session: Session, organisation_id: UUID, campaign_id: UUID, now: datetime) -> Campaign:
    """Begin a campaign with the same plan, server and agents, and return it.

    If each agent measures its own machine, agents that were removed since become lost. Raise CampaignUnknown
    if there is no such campaign; CampaignRefused as `begin` does, or if agents that divide a server's load
    were removed.
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
        **{name: getattr(before, name) for name in ("title", "plan", "target", "objectives", "seed")},
        agents=[member.agent_id for member in members if member.agent_id in present],
        on_lost=cast(OnLost, before.on_lost),
        search=None if before.search is None else SearchIn.model_validate(before.search),
    )
    campaign = begin(session, organisation_id, request, now, repeat_of=before.campaign_id)
    names = {member.name for member in repository.members(session, organisation_id, campaign.campaign_id)}
    for number, earlier in enumerate(removed, start=len(request.agents)):
        name = f"{earlier.name}, removed" if earlier.name in names else earlier.name
        member = _member(
            campaign, earlier.agent_id, number, name, version=earlier.version, seen_at=earlier.seen_at
        )
        mark_lost(member, now, "it was removed since the last time")
        session.add(member)
    session.flush()
    return campaign


def advance_campaign(session: Session, campaign: Campaign, now: datetime) -> None:
    """Advance a campaign, locked by the caller, by its due steps.

    If a phase changed, its background work becomes due.
    """
    members = repository.members(session, campaign.organisation_id, campaign.campaign_id)
    if advance(campaign, members, now):
        make_due(session, CAMPAIGN, campaign.campaign_id, campaign.organisation_id, now, reset=True)
    session.flush()


def agent_out(agent: ServingAgent, campaign: Campaign | None, now: datetime) -> ServingAgentOut:
    """Return an agent for the API; `campaign` is the campaign that it takes part in, None without any."""
    return ServingAgentOut(
        **{name: getattr(agent, name) for name in _SAME_IN_AGENT},
        version=str(agent.version.get("version", "")),
        present=now - agent.seen_at <= PRESENT,
        campaign_id=None if campaign is None else campaign.campaign_id,
        campaign_title=None if campaign is None else campaign.title,
    )


def campaign_out(session: Session, campaign: Campaign, most_agents: int | None = None) -> CampaignOut:
    """Return a campaign for the API, with all agents or the first `most_agents`."""
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
                _DEFAULTS | phase | {"start_at": _start_time(phase["start_at_unix_ns"])}
            )
            for phase in campaign.phases
        ],
    )


def _waiting_for(campaign: Campaign, members: Sequence[CampaignMember]) -> WaitingForOut | None:
    since = campaign.interrupted_at
    if since is None:
        return None
    away = agents_away(members, utc_now())
    return WaitingForOut(agents=[member.name for member in away], since=since, until=since + RETURN_WITHIN)


def _start_time(start_at_unix_ns: int | None) -> datetime | None:
    return None if start_at_unix_ns is None else from_unix_ns(start_at_unix_ns)
