"""Receiving observations of machines, and reading them for a run or campaign."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Path, Query, Response
from sqlalchemy import select

from tailroom.access import trail
from tailroom.access.capabilities import Capability
from tailroom.access.routing import CallerDep, GuardedRoute, SessionDep, needs
from tailroom.kit.clock import unix_ns, utc_now
from tailroom.kit.errors import RequestInvalid, problem_responses
from tailroom.kit.limits import OBSERVATION_BODY_BYTES
from tailroom.observations import measured_machines, reading, service
from tailroom.observations.efficiency import efficiency
from tailroom.observations.errors import ObservationConflict, ObservationEnded, ObservationUnknown
from tailroom.observations.schemas import (
    EndIn,
    GaugesOut,
    Group,
    ObservationIn,
    ObservationsOut,
    SamplesIn,
    SamplesOut,
)
from tailroom.runs import service as runs
from tailroom.runs.endpoints import RunIdPath
from tailroom.runs.errors import RUN_REFUSALS
from tailroom.storage.campaign import Campaign, CampaignMember, ServingAgent

router = APIRouter(prefix="/api/v1", tags=["observations"], route_class=GuardedRoute)
ObservationPath = Annotated[UUID, Path(description="the observation's id, a UUIDv7")]


@router.post("/observations", summary="An observer begins", responses=problem_responses(ObservationConflict))
@needs(Capability.SEND, body_bytes=OBSERVATION_BODY_BYTES)
def announce_observation(body: ObservationIn, caller: CallerDep, session: SessionDep) -> SamplesOut:
    """Store the machine, its gauges and what is unknown. The same announcement again changes nothing."""
    observation = service.announce(session, caller.organisation_id, body, utc_now())
    return SamplesOut(next=observation.samples)


@router.post(
    "/observations/{observation_id}/samples",
    summary="What an observer saw",
    responses=problem_responses(ObservationUnknown, ObservationEnded),
)
@needs(Capability.SEND, body_bytes=OBSERVATION_BODY_BYTES)
def send_samples(
    observation_id: ObservationPath, body: SamplesIn, caller: CallerDep, session: SessionDep
) -> SamplesOut:
    """Store new seconds of an observation, none after a gap; the answer has the next expected second."""
    return SamplesOut(next=service.accept(session, caller.organisation_id, observation_id, body, utc_now()))


@router.post(
    "/observations/{observation_id}/finish",
    summary="An observer has ended",
    responses=problem_responses(ObservationUnknown, ObservationEnded),
)
@needs(Capability.SEND)
def finish_observation(
    observation_id: ObservationPath, body: EndIn, caller: CallerDep, session: SessionDep
) -> SamplesOut:
    """Store how many seconds the observation has. The same number again changes nothing."""
    return SamplesOut(next=service.end(session, caller.organisation_id, observation_id, body))


@router.get(
    "/observations/{observation_id}",
    summary="Numbers of one group of gauges",
    responses=problem_responses(ObservationUnknown, RequestInvalid),
)
@needs(Capability.READ, compress=True)
def get_gauges(  # noqa: PLR0917 - each query parameter is one
    observation_id: ObservationPath,
    caller: CallerDep,
    session: SessionDep,
    group: Annotated[Group, Query(description="which gauges")],
    since: Annotated[datetime, Query(description="where the axis begins, with its zone")],
    until: Annotated[datetime, Query(description="where it ends, with its zone")],
) -> GaugesOut:
    """Return the seconds that lie entirely in the window, merged into at most 360 steps."""
    if since.tzinfo is None or until.tzinfo is None:
        raise RequestInvalid("A moment without a zone names no instant; write 2026-11-24T10:00:00Z.")
    observation = service.find(session, caller.organisation_id, observation_id)
    from_ns, until_ns = unix_ns(since), unix_ns(until)
    return reading.in_steps(session, observation, group, from_ns, until_ns)


@router.delete(
    "/observations/{observation_id}",
    summary="Delete an observation",
    status_code=204,
    responses=problem_responses(ObservationUnknown, RequestInvalid),
)
@needs(Capability.DELETE)
def delete_observation(observation_id: ObservationPath, caller: CallerDep, session: SessionDep) -> Response:
    """Delete every second of an observation. Runs stay."""
    service.remove(session, caller.organisation_id, observation_id)
    trail.note(session, str(observation_id))
    return Response(status_code=204)


@router.get(
    "/runs/{run_id}/observations",
    summary="What machines did during a run",
    responses=problem_responses(*RUN_REFUSALS, RequestInvalid),
)
@needs(Capability.READ, compress=True)
def get_run_observations(run_id: RunIdPath, caller: CallerDep, session: SessionDep) -> ObservationsOut:
    """Return the observations that share seconds with the run, and operations per joule where watts are
    known. Only the organisation that owns the run sees them, even if the run is published.
    """
    run, now = runs.get_run(session, caller.organisation_id, run_id), utc_now()
    window = measured_machines.window_of(run, now)
    if run.organisation_id != caller.organisation_id or window is None:
        return ObservationsOut(observations=[], efficiency=[])
    observations = measured_machines.observations_in_window(session, caller.organisation_id, *window)
    return ObservationsOut(
        observations=measured_machines.observations_out(
            observations, measured_machines.server_of(run), measured_machines.hosts_of(run), window[0], now
        ),
        efficiency=efficiency(session, run, window, observations),
    )


@router.get(
    "/campaigns/{campaign_id}/observations",
    summary="What machines did during a campaign",
    responses=problem_responses(RequestInvalid),
)
@needs(Capability.READ, compress=True)
def get_campaign_observations(
    campaign_id: Annotated[UUID, Path(description="of the list of campaigns")],
    caller: CallerDep,
    session: SessionDep,
) -> ObservationsOut:
    """Return the observations that share seconds with a campaign; empty where there is no such campaign."""
    now = utc_now()
    campaign = session.get(Campaign, (caller.organisation_id, campaign_id))
    if campaign is None:
        return ObservationsOut(observations=[], efficiency=[])
    inventories = session.scalars(
        select(ServingAgent.inventory)
        .join(CampaignMember, CampaignMember.agent_id == ServingAgent.agent_id)
        .where(
            CampaignMember.campaign_id == campaign_id,
            CampaignMember.organisation_id == caller.organisation_id,
        )
    )
    hosts = {str(inventory.get("hostname")) for inventory in inventories}
    begun_ns = unix_ns(campaign.created_at)
    observations = measured_machines.observations_in_window(
        session, caller.organisation_id, begun_ns, unix_ns(campaign.ended_at or now)
    )
    return ObservationsOut(
        observations=measured_machines.observations_out(observations, campaign.target, hosts, begun_ns, now),
        efficiency=[],
    )
