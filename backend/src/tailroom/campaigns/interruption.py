"""Interruption of a load search: a campaign that loses an agent waits, then repeats the unfinished probe.

A probe is the measurement of one load. A probe that every agent has measured is stored with its counts. Once
all agents are back they begin a new job with these probes, so the search continues from them. Without input
and output.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from tailroom.campaigns.searching import unmeasured
from tailroom.storage.campaign import OFFERED, PREPARING, Campaign, CampaignMember

RETURN_WITHIN = timedelta(minutes=10)
"""Time in which a lost agent must come back; enough for a machine to restart."""
AWAY_AFTER = timedelta(seconds=4)
"""Time without a poll after which an agent counts as away: agents poll every second."""
MOST_INTERRUPTIONS = 5
"""Maximum number of interruptions since the last measured probe; one more ends the search."""


def may_wait(campaign: Campaign) -> bool:
    """Return whether the campaign can continue after an interruption: it is a search and knows its phases."""
    return campaign.search is not None and bool(campaign.phases)


def interrupt(campaign: Campaign, member: CampaignMember, reason: str, now: datetime) -> None:
    """Interrupt a search because `member` is lost, and reset its running phase unless its counts are
    complete.

    If the search is interrupted already, only store the reason.
    """
    member.reason = reason
    if campaign.interrupted_at is not None:
        return
    campaign.interrupted_at, campaign.state = now, PREPARING
    campaign.interruptions += 1
    sentence = f"Measured again: {member.name} was lost, {reason}."
    campaign.phases = [
        _end_or_reset(phase, sentence) if phase["state"] == "running" else phase for phase in campaign.phases
    ]


def record_return(campaign: Campaign, member: CampaignMember, now: datetime) -> None:
    """Offer the job to an agent of an interrupted search again, and remove its runs of unfinished phases."""
    ended = {str(phase["number"]) for phase in campaign.phases if phase["state"] == "ended"}
    member.state, member.seen_at, member.reason = OFFERED, now, None
    member.step = member.phase = member.explained = member.probe = None
    member.runs = {number: run_id for number, run_id in member.runs.items() if number in ended}


def agents_away(members: Sequence[CampaignMember], now: datetime) -> list[CampaignMember]:
    """Return the agents that an interrupted search waits for: not back, or silent for `AWAY_AFTER`."""
    return [member for member in members if member.state != OFFERED or now - member.seen_at > AWAY_AFTER]


def resume(campaign: Campaign, members: Sequence[CampaignMember], now: datetime) -> str | None:
    """Continue an interrupted search if every agent is back, and count their silence from `now`.

    Return the reason if the search must end, because it was interrupted too often or an agent is away too
    long; else None, also while it waits.
    """
    if campaign.interrupted_at is None:
        return None
    away = agents_away(members, now)
    named = "; ".join(f"{member.name}, {member.reason or 'away'}" for member in away)
    if campaign.interruptions > MOST_INTERRUPTIONS:
        return f"Interrupted {campaign.interruptions} times without a probe in between, last by {named}."
    if not away:
        campaign.interrupted_at = None
        for member in members:
            member.seen_at = now
    elif now - campaign.interrupted_at > RETURN_WITHIN:
        minutes = RETURN_WITHIN // timedelta(minutes=1)
        return f"Not back within {minutes} minutes: {named}. Probes measured until then count."
    return None


def _end_or_reset(phase: dict[str, Any], sentence: str) -> dict[str, Any]:
    """Return a running phase as ended if its counts are complete, else reset, with `sentence` as a remark."""
    if (phase.get("probe") or {}).get("slices") is not None:
        return phase | {"state": "ended"}
    interrupted = [*phase.get("interrupted", ()), sentence]
    return unmeasured(phase) | {"interrupted": interrupted, "remarks": interrupted}
