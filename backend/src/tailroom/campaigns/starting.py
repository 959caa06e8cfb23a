"""Agents and plans that do not start, and which campaigns continue without them. Without input and output.

If agents measure their own machines (drives, folders), each run is a result of its own, and the others are
measured without those that do not start. Agents that divide the load of a server would measure only a part of
it, so such a campaign does not begin.
"""

import json
from collections import Counter
from collections.abc import Sequence

from tailroom.campaigns.searching import DRIVES
from tailroom.domain.verdicts.budget_kinds import OWN_OPERATION
from tailroom.domain.verdicts.evidence import TRANSACTION
from tailroom.domain.verdicts.objective_text import objective_of
from tailroom.storage.campaign import Campaign, CampaignMember

LOCAL_PLANS = {DRIVES: "drive-ladder", "folders:": "sync-write"}
"""Features that an agent needs for a target on its own machine, by the prefix of the target."""


def measures_own_machines(target: str) -> bool:
    """Return whether each agent measures its own machine, by the prefix of the target."""
    return target.startswith(tuple(LOCAL_PLANS))


def has_begun(campaign: Campaign) -> bool:
    """Return whether a start is set for any phase of the campaign."""
    return any(phase["start_at_unix_ns"] is not None for phase in campaign.phases)


def has_started(campaign: Campaign, member: CampaignMember) -> bool:
    """Return whether an agent took part in the start of any phase."""
    return any(member.name in phase["agents"] for phase in campaign.phases)


def outvoted(members: Sequence[CampaignMember]) -> list[CampaignMember]:
    """Return the agents that read the plan differently than more than half; `members` must not be empty.

    Empty if no reading has more than half.
    """
    readings = [json.dumps(member.explained, sort_keys=True) for member in members]
    usual, number = Counter(readings).most_common(1)[0]
    if 2 * number <= len(members):
        return []
    return [member for member, reading in zip(members, readings, strict=True) if reading != usual]


def unknown_operation(campaign: Campaign) -> str | None:
    """Return the first objective about an operation that the plan does not measure, as a sentence with the
    operations that it does; None without one, or if agents name no operations.
    """
    names = {name for phase in campaign.phases for name in phase["operations_per_s"]}
    measured = names | {TRANSACTION, OWN_OPERATION}
    if "read-modify-write" in names:
        measured |= {"read", "update"}  # Its two halves are measured as well.
    search = [campaign.search["objective"]] if campaign.search else []
    for text in [*campaign.objectives, *search] if names else ():
        operation = objective_of(text).operation
        if operation not in measured:
            has = ", ".join(sorted(names))
            return f"“{text}” is about {operation}, which the plan does not measure; it has {has}."
    return None
