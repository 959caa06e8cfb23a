"""A campaign that searches for the highest load: its phases are the load of objects, then the probes.

Every agent decides by itself which load follows (`agent/crates/workloads/src/load_search.rs`), from the same
counts: the counts of all agents in a probe are added here, slice by slice, and sent back. Without input and
output.
"""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from tailroom.kit.limits import SEARCH_AGENTS
from tailroom.storage.campaign import ACTIVE, Campaign, CampaignMember

FEATURES = frozenset({"load-search", "load-search-continued"})
"""Features that an agent needs: it supports searches, and continues a search with earlier probes."""
DRIVES = "drives:"
"""Prefix of a target that names drives of the agent's own machine."""
_OF_DRIVES = "drive-search"
"""Feature of an agent that supports searches on drives."""
MEASURED = "measured"
"""Step of an agent that waits for the counts of the others in a probe."""


def features_of(target: str) -> frozenset[str]:
    """Return the features that an agent needs for a search of this target."""
    return FEATURES | {_OF_DRIVES} if target.startswith(DRIVES) else FEATURES


def problem_of(target: str, agents: int, on_lost: str) -> str | None:
    """Return the reason why a search of this target is refused; None if it is possible.

    A search needs `end` as the effect of a lost agent, `on_lost`.
    """
    if on_lost != "end":
        return "A search waits for a lost agent: the others have only parts of its loads."
    if agents > SEARCH_AGENTS:
        return f"A search takes at most {SEARCH_AGENTS} agents. Leave some of them out."
    if target.startswith(DRIVES) and agents > 1:
        return "Drives are not added up, so a search is about one agent and one of its drives."
    return None


def begin_probe(campaign: Campaign, members: Sequence[CampaignMember], number: int) -> str | None:
    """Add the probe of phase `number`, which all these agents wait for, to the campaign's phases.

    Return the reason if the agents disagree about its load, else None. Nothing changes if the campaign is no
    search, the phase loads objects, or it has begun.
    """
    search = campaign.search
    loading = sum(phase["kind"] == "load" for phase in campaign.phases)
    is_begun = number < len(campaign.phases) and campaign.phases[number]["state"] != "waiting"
    if search is None or number < loading or is_begun:
        return None
    loads = {probe["load_per_s"] for member in members if (probe := member.probe) is not None}
    if len(loads) != 1 or any(_probe_of(member, number) is None for member in members):
        return "The agents disagree about the next load. Use one version of the agent everywhere."
    (load_per_s,) = loads
    step = number - loading + 1
    if number == len(campaign.phases):
        following = unmeasured(campaign.phases[-1]) | {"number": number, "probe": None, "interrupted": []}
        campaign.phases = [*campaign.phases, following]
    if number < len(campaign.phases):
        campaign.phases[number] |= {
            "name": f"probe {step}",
            "probe": {
                "step": step,
                "load_per_s": load_per_s,
                "objective": search["objective"],
                "ended": None,
            },
            "operations_per_s": _at_load(campaign.phases[number]["operations_per_s"], load_per_s),
            "transactions_per_s": None,
        }
    return None


def note_ends(campaign: Campaign, members: Sequence[CampaignMember]) -> None:
    """Store why the search has ended, if an agent reports that, in the phase of the agent's last probe."""
    for member in members:
        probe = member.probe
        if probe is None or probe.get("search_ended") is None or probe["phase"] >= len(campaign.phases):
            continue
        phase = campaign.phases[probe["phase"]]
        if phase.get("probe") is not None:
            phase["probe"] |= {"ended": probe["search_ended"]}


def note_counts(campaign: Campaign, members: Sequence[CampaignMember]) -> None:
    """Store the summed counts of a running probe, by slice, once every active agent has measured the probe.

    The number of interruptions is 0 then.
    """
    for number, phase in enumerate(campaign.phases):
        if phase["state"] != "running" or phase.get("probe") is None or "slices" in phase["probe"]:
            continue
        active = [member for member in members if member.state == ACTIVE]
        of_each = [probe["slices"] for row in active if (probe := _probe_of(row, number)) is not None]
        if active and len(of_each) == len(active) and None not in of_each:
            sums = [_sum([part for part in same if part is not None]) for same in zip_longest(*of_each)]
            phase["probe"] |= {"slices": sums}
            campaign.interruptions = 0


def slices_of(campaign: Campaign, number: int | None) -> list[dict[str, Any]] | None:
    """Return the summed counts of the probe in phase `number`, slice by slice.

    None until every active agent has measured it, and for a phase without a probe.
    """
    if number is None or number >= len(campaign.phases):
        return None
    slices: list[dict[str, Any]] | None = (campaign.phases[number].get("probe") or {}).get("slices")
    return slices


def search_order(campaign: Campaign) -> dict[str, Any]:
    """Return the search part of an agent's order, with probes that were measured before and their counts."""
    measured = [
        {"load_per_s": phase["probe"]["load_per_s"], "slices": phase["probe"]["slices"]}
        for phase in campaign.phases
        if phase["state"] == "ended" and (phase.get("probe") or {}).get("slices") is not None
    ]
    return {**(campaign.search or {}), **({"measured": measured} if measured else {})}


def has_ended(campaign: Campaign) -> bool:
    """Return whether an agent has reported the end of the search."""
    return any((phase.get("probe") or {}).get("ended") is not None for phase in campaign.phases)


def _probe_of(member: CampaignMember, phase: int | None) -> dict[str, Any] | None:
    probe = member.probe
    return probe if probe is not None and probe["phase"] == phase else None


def _sum(parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    added = {name: sum(part[name] for part in parts) for name in ("late", "all", "failed")}
    return added | {"is_unreliable": any(part["is_unreliable"] for part in parts)}


def unmeasured(phase: dict[str, Any]) -> dict[str, Any]:
    """Return a copy of a phase without results, in the state before its start."""
    return phase | {
        "state": "waiting",
        "start_at_unix_ns": None,
        "apart_ns": None,
        "agents": [],
        "lost": [],
        "run_id": None,
        "merged": [],
        "remarks": [],
    }


def _at_load(operations_per_s: dict[str, float | None], load_per_s: float) -> dict[str, float | None]:
    """Return the rates of a phase scaled to another load; unchanged if a rate is unknown or all are 0."""
    rates = [rate for rate in operations_per_s.values() if rate is not None]
    if not rates or len(rates) < len(operations_per_s) or sum(rates) <= 0:
        return operations_per_s
    factor = load_per_s / sum(rates)
    return {name: (rate or 0.0) * factor for name, rate in operations_per_s.items()}
