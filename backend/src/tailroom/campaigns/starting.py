"""Agents that do not start, and which campaigns continue without them. No input or output.

Where agents measure their own machines (drives, folders), each run stands by itself, and the others are
measured without those that do not start. Agents that divide the load of a server would measure a part of it,
so such a campaign does not begin.
"""

import json
from collections import Counter
from collections.abc import Sequence

from tailroom.campaigns.searching import DRIVES
from tailroom.storage.campaign import Campaign, CampaignMember

LOCAL_PLANS = {DRIVES: "drive-ladder", "folders:": "sync-write"}
"""Prefixes of targets that are places on each agent's own machine, and the plans for them."""


def measures_own_machines(target: str) -> bool:
    """Return whether each agent measures its own machine, so that its run stands by itself."""
    return target.startswith(tuple(LOCAL_PLANS))


def has_begun(campaign: Campaign) -> bool:
    """Return whether the start of a phase of the campaign is set."""
    return any(phase["start_at_unix_ns"] is not None for phase in campaign.phases)


def has_started(campaign: Campaign, member: CampaignMember) -> bool:
    """Return whether an agent took part in the start of a phase."""
    return any(member.name in phase["agents"] for phase in campaign.phases)


def outvoted(members: Sequence[CampaignMember]) -> list[CampaignMember]:
    """Return the agents that read the plan differently than most; none if no reading has more than half."""
    readings = [json.dumps(member.explained, sort_keys=True) for member in members]
    usual, number = Counter(readings).most_common(1)[0]
    if 2 * number <= len(members):
        return []
    return [member for member, reading in zip(members, readings, strict=True) if reading != usual]
