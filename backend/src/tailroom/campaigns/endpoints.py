"""Endpoints of agents, which enrol and poll for work, and of campaigns."""

import time
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path, Request
from fastapi.responses import StreamingResponse

from tailroom.access import issuance, trail
from tailroom.access.capabilities import Capability
from tailroom.access.quotas import QuotaReached
from tailroom.access.routing import CallerDep, GuardedRoute, SessionDep, client_address, needs, threads_of
from tailroom.campaigns import enrolment, polls, repository, service
from tailroom.campaigns.errors import (
    CampaignRefused,
    CampaignUnknown,
    EnrolmentCodeUnknown,
    NotEnrolled,
    ServingAgentUnknown,
)
from tailroom.campaigns.schemas import (
    CampaignIn,
    CampaignOut,
    CampaignsOut,
    ClockOut,
    EnrolledOut,
    EnrolmentCodeOut,
    EnrolmentIn,
    PollIn,
    PollOut,
    ServingAgentsOut,
)
from tailroom.campaigns.waiting import WaitingAgents
from tailroom.kit.body_limit import RequestTooLarge, RequestTooSlow
from tailroom.kit.clock import utc_now
from tailroom.kit.errors import RequestInvalid, StorageUnavailable, problem_responses
from tailroom.kit.limits import CAMPAIGN_BODY_BYTES, CAMPAIGNS_LISTED
from tailroom.kit.resources import ResourcesDep
from tailroom.kit.threads import Busy
from tailroom.storage.campaign import ServingAgent

_AGENTS_LISTED = 8
"""Maximum number of agents of each campaign in a list."""
_UNBUFFERED = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
router = APIRouter(prefix="/api/v1", tags=["campaigns"], route_class=GuardedRoute)
CampaignPath = Annotated[UUID, Path(description="of the list of campaigns")]
AgentPath = Annotated[UUID, Path(description="of the list of agents")]


@router.get("/clock", summary="The clock of this installation")
@needs(Capability.NONE)
async def get_clock() -> ClockOut:
    """Return the backend's clock for comparison with an agent's; the error is at most half the round trip."""
    return ClockOut(unix_ns=time.time_ns())


@router.post(
    "/agents",
    summary="A machine becomes an agent",
    status_code=201,
    responses=problem_responses(
        EnrolmentCodeUnknown,
        QuotaReached,
        RequestInvalid,
        RequestTooLarge,
        RequestTooSlow,
        Busy,
        StorageUnavailable,
    ),
)
@needs(Capability.NONE, body_bytes=CAMPAIGN_BODY_BYTES)
async def enrol_agent(body: EnrolmentIn, request: Request, resources: ResourcesDep) -> EnrolledOut:
    """Enrol an agent by a code of 192 random bits, which is valid once.

    The machine creates a key pair and sends the public key; see `POST /api/v1/agent/token`.
    """
    address = client_address(request)

    def work() -> EnrolledOut:
        with resources.database.transaction() as session:
            return enrolment.enrol(session, body, address, utc_now())

    return await threads_of(request, "pages").run(work)


@router.post(
    "/agent/poll",
    summary="An agent asks for work",
    response_model=PollOut,
    responses=problem_responses(NotEnrolled),
)
@needs(Capability.SERVE, body_bytes=CAMPAIGN_BODY_BYTES)
async def poll_agent(body: PollIn, request: Request, caller: CallerDep) -> PollOut | StreamingResponse:
    """Store the agent's report about its job, and return its next orders.

    An agent without a job may wait for work. The answer then starts at once with a blank every 40 s, and ends
    with orders, or without any when the time is over.
    """
    threads, waiting = threads_of(request, "ingest"), request.app.state.waiting_agents
    assert isinstance(waiting, WaitingAgents)  # noqa: S101 - set by the application factory

    def ask() -> tuple[ServingAgent, PollOut, bool]:
        with caller.session() as session:
            return polls.answer_poll(session, caller.token_id, body, utc_now())

    async def ask_again() -> bytes:
        body.refusals, body.inventory = [], None
        _, answer, _ = await threads.run(ask, caller.organisation_id)
        return answer.model_dump_json().encode()

    agent, answer, has_work = await threads.run(ask, caller.organisation_id)
    within_s = max(body.wait_s, body.longest_wait_s)
    if within_s == 0 or has_work or answer.commands:
        return answer
    pieces = waiting.answer(agent.organisation_id, agent.agent_id, within_s, ask_again)
    return StreamingResponse(pieces, media_type="application/json", headers=_UNBUFFERED)


@router.post(
    "/agent/codes",
    summary="Make a code for one agent",
    status_code=201,
    responses=problem_responses(CampaignRefused),
)
@needs(Capability.MANAGE_AGENTS)
def make_enrolment_code(caller: CallerDep, session: SessionDep) -> EnrolmentCodeOut:
    """Make and return a code that enrols one agent within an hour. It is shown only once."""
    code, expires_at = enrolment.make_code(
        session, caller.organisation_id, issuance.issuer_of(caller), utc_now()
    )
    trail.note(session, "enrolment code", after={"expires_at": expires_at.isoformat()})
    return EnrolmentCodeOut(code=code, expires_at=expires_at)


@router.get("/agents", summary="Agents of the organisation")
@needs(Capability.READ)
def list_agents(caller: CallerDep, session: SessionDep) -> ServingAgentsOut:
    """Return the agents with hosts, versions, and the time of the last poll of each."""
    now, organisation_id = utc_now(), caller.organisation_id
    campaigns = repository.campaigns_by_agent(session, organisation_id)
    agents = repository.agents(session, organisation_id)
    return ServingAgentsOut(
        agents=[service.agent_out(agent, campaigns.get(agent.agent_id), now) for agent in agents]
    )


@router.delete(
    "/agents/{agent_id}",
    summary="Remove an agent",
    responses=problem_responses(ServingAgentUnknown, RequestInvalid),
)
@needs(Capability.MANAGE_AGENTS)
def remove_agent(agent_id: AgentPath, caller: CallerDep) -> ServingAgentsOut:
    """Remove an agent and revoke its token at once; return the other agents. Its runs are not changed."""
    now = utc_now()
    with caller.database.transaction() as owners:
        agent = next(
            (row for row in repository.agents(owners, caller.organisation_id) if row.agent_id == agent_id),
            None,
        )
        if agent is None:
            raise ServingAgentUnknown(f"There is no agent {agent_id}.")
        enrolment.remove(owners, agent, now)
        owners.flush()
        remaining = repository.agents(owners, caller.organisation_id)
        return ServingAgentsOut(agents=[service.agent_out(agent, None, now) for agent in remaining])


@router.post(
    "/campaigns",
    summary="Begin a campaign",
    status_code=201,
    responses=problem_responses(CampaignRefused),
)
@needs(Capability.RUN_CAMPAIGNS, body_bytes=CAMPAIGN_BODY_BYTES)
def begin_campaign(body: CampaignIn, caller: CallerDep, session: SessionDep) -> CampaignOut:
    """Begin a campaign and return it.

    Its agents get it with their next poll; each checks it against the policy of its own machine.
    """
    campaign = service.begin(session, caller.organisation_id, body, utc_now())
    trail.note(session, str(campaign.campaign_id), after={"title": body.title, "target": body.target})
    return service.campaign_out(session, campaign)


@router.get("/campaigns", summary="Campaigns of the organisation")
@needs(Capability.READ)
def list_campaigns(caller: CallerDep, session: SessionDep) -> CampaignsOut:
    """Return the latest campaigns, newest first, each with its first agents only."""
    campaigns = repository.campaigns(session, caller.organisation_id, CAMPAIGNS_LISTED)
    return CampaignsOut(
        campaigns=[service.campaign_out(session, campaign, _AGENTS_LISTED) for campaign in campaigns]
    )


@router.get(
    "/campaigns/{campaign_id}",
    summary="One campaign",
    responses=problem_responses(CampaignUnknown, RequestInvalid),
)
@needs(Capability.READ)
def get_campaign(campaign_id: CampaignPath, caller: CallerDep, session: SessionDep) -> CampaignOut:
    """Return a campaign: its agents, and run, start and largest difference of starts for each phase."""
    return service.campaign_out(session, service.find(session, caller.organisation_id, campaign_id))


@router.post(
    "/campaigns/{campaign_id}/stop",
    summary="Stop a campaign",
    responses=problem_responses(CampaignUnknown),
)
@needs(Capability.RUN_CAMPAIGNS)
def stop_campaign(campaign_id: CampaignPath, caller: CallerDep, session: SessionDep) -> CampaignOut:
    """End a campaign and return it; a campaign that has ended does not change.

    Agents stop within a second, or with their next poll; their measurements are stored.
    """
    campaign = service.stop(session, caller.organisation_id, campaign_id, utc_now())
    return service.campaign_out(session, campaign)


@router.post(
    "/campaigns/{campaign_id}/repeat",
    summary="Repeat a campaign",
    status_code=201,
    responses=problem_responses(CampaignUnknown, CampaignRefused),
)
@needs(Capability.RUN_CAMPAIGNS)
def repeat_campaign(campaign_id: CampaignPath, caller: CallerDep, session: SessionDep) -> CampaignOut:
    """Begin a campaign with the same plan on the same server by the same agents, and return it."""
    campaign = service.repeat(session, caller.organisation_id, campaign_id, utc_now())
    return service.campaign_out(session, campaign)
