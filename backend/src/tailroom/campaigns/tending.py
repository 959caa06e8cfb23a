"""What workers do for a campaign: notice that all agents are gone, and add up phases that have ended."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from tailroom.campaigns import repository
from tailroom.campaigns.merging import NotMergeable, merged
from tailroom.campaigns.progress import LATE_NS, advance
from tailroom.kit.transactions import Transactions
from tailroom.storage.campaign import ENDED, Campaign, CampaignMember
from tailroom.storage.run import FINISHED, Run

WATCH_EVERY = timedelta(seconds=2)
WAIT_EVERY = timedelta(seconds=1)
PATIENCE = timedelta(minutes=2)
"""Agents that were not lost deliver within this time, or their part is named as missing."""
LATE_PATIENCE = timedelta(hours=24)
"""For so long a lost agent may still deliver what it measured."""
LATE_EVERY = timedelta(seconds=15)


def tend(
    transactions: Transactions, organisation_id: UUID, campaign_id: UUID, now: datetime
) -> datetime | None:
    """Takes a campaign further, merges what can be merged; when to look again, if at all."""
    with transactions() as session:
        campaign = repository.campaign(session, organisation_id, campaign_id, lock=True)
        if campaign is None:
            return None
        members = repository.members(session, organisation_id, campaign_id)
        advance(campaign, members, now)
        session.flush()
        ids = {UUID(run_id) for member in members for run_id in member.runs.values()}
        runs = repository.runs(session, organisation_id, ids)
    again = [now + WATCH_EVERY] if campaign.state != ENDED else []
    for number, phase in enumerate(campaign.phases):
        if phase["state"] != "ended":
            continue
        found, waits_for = _delivered(campaign, members, runs, number, now)
        names = [member.name for member, _ in found]
        if found and names != phase["merged"] and (not waits_for or phase["merged"]):
            _merge(transactions, campaign, number, found, now)
        if waits_for:
            again.append(now + WAIT_EVERY)
        elif len(names) < len(phase["agents"] or members[:1]) and now - _ended(campaign, now) < LATE_PATIENCE:
            again.append(now + LATE_EVERY)
    return min(again, default=None)


def _ended(campaign: Campaign, now: datetime) -> datetime:
    return campaign.ended_at or now


def _delivered(
    campaign: Campaign,
    members: list[CampaignMember] | Any,
    runs: Mapping[UUID, Run],
    number: int,
    now: datetime,
) -> tuple[list[tuple[CampaignMember, Run]], bool]:
    """Runs of a phase that have arrived whole, and whether one is still on its way."""
    found, waits = [], False
    for member in members:
        run_id = member.runs.get(str(number))
        if run_id is None:
            continue
        run = runs.get(UUID(run_id))
        if run is not None and run.state == FINISHED:
            if run.data_through_ns > 0:
                found.append((member, run))
        elif member.lost_at is None and now - _ended(campaign, now) < PATIENCE:
            waits = True
    return found, waits


def _merge(
    transactions: Transactions,
    campaign: Campaign,
    number: int,
    found: list[tuple[CampaignMember, Run]],
    now: datetime,
) -> None:
    phase = campaign.phases[number]
    remarks: list[str] = []
    run_id: UUID | None
    if len(found) == 1 and len(phase["agents"] or found) == 1:
        run_id = found[0][1].run_id
    else:
        of = f"{len(found)} of {len(phase['agents'])} agents"
        title = f"{campaign.title} · {phase['name']} · {of}"
        try:
            run_id, remarks = merged(transactions, title, phase, [run for _, run in found], now)
        except NotMergeable as refusal:
            run_id, remarks = None, [str(refusal)]
    if any(run.workload == "act-storage" for _, run in found):
        remarks.append("Reads alone, while nothing writes: no certification by ACT's rules.")
    if (phase["apart_ns"] or 0) > LATE_NS:
        remarks.append(f"By their clocks the agents may have begun {phase['apart_ns'] / 1e6:.1f} ms apart.")
    names = [member.name for member, _ in found]
    missing = [name for name in phase["agents"] if name not in names]
    if missing:
        remarks.append(f"Without what {', '.join(missing)} measured.")
    remarks += [f"{one['agent']} was lost: {one['reason']}." for one in phase["lost"]]
    with transactions() as session:
        held = repository.campaign(session, campaign.organisation_id, campaign.campaign_id, lock=True)
        if held is None:
            return
        held.phases = [
            one | {"run_id": None if run_id is None else str(run_id), "merged": names, "remarks": remarks}
            if one["number"] == number
            else one
            for one in held.phases
        ]
