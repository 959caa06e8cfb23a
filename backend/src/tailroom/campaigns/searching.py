"""A campaign that searches for the highest load: its phases are the load of objects, and probe after probe.

Every agent decides by itself which load follows (`agent/crates/workloads/src/load_search.rs`), all of them on
the same counts: those of a probe are added up here, slice by slice, and handed back. No input or output.
"""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

from tailroom.storage.campaign import ACTIVE, Campaign, CampaignMember

FEATURE = "load-search"
"""The word by which an agent says that it knows searches."""
MEASURED = "measured"
"""The step of an agent that waits for what the others counted in a probe."""


def begin_probe(campaign: Campaign, members: Sequence[CampaignMember], number: int) -> str | None:
    """Add the probe that all these agents wait for to the phases; return why it cannot begin, if so."""
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
        campaign.phases = [*campaign.phases, _following(campaign.phases[-1], number)]
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
    """Note in the phases why the search has ended, as an agent states it with the last probe."""
    for member in members:
        probe = member.probe
        if probe is None or probe.get("search_ended") is None or probe["phase"] >= len(campaign.phases):
            continue
        phase = campaign.phases[probe["phase"]]
        if phase.get("probe") is not None:
            phase["probe"] |= {"ended": probe["search_ended"]}


def slices_of_all(members: Sequence[CampaignMember], member: CampaignMember) -> list[dict[str, Any]] | None:
    """Return the slices of the probe that an agent has measured, of all agents together.

    None until every agent has measured it.
    """
    of_each = [
        probe["slices"]
        for row in members
        if row.state == ACTIVE and (probe := _probe_of(row, member.phase)) is not None
    ]
    active = sum(row.state == ACTIVE for row in members)
    if len(of_each) != active or any(slices is None for slices in of_each):
        return None
    return [_sum([part for part in same if part is not None]) for same in zip_longest(*of_each)]


def _probe_of(member: CampaignMember, phase: int | None) -> dict[str, Any] | None:
    probe = member.probe
    return probe if probe is not None and probe["phase"] == phase else None


def _sum(parts: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return one slice of several agents: a late or busy load generator makes it unreliable for all."""
    added = {name: sum(part[name] for part in parts) for name in ("late", "all", "failed")}
    return added | {"is_unreliable": any(part["is_unreliable"] for part in parts)}


def _following(phase: dict[str, Any], number: int) -> dict[str, Any]:
    """Return the phase of another probe, which waits."""
    return phase | {
        "number": number,
        "state": "waiting",
        "start_at_unix_ns": None,
        "apart_ns": None,
        "agents": [],
        "lost": [],
        "run_id": None,
        "merged": [],
        "remarks": [],
        "probe": None,
    }


def _at_load(operations_per_s: dict[str, float | None], load_per_s: float) -> dict[str, float | None]:
    """Return the rates of a phase at another load: the mix stays."""
    rates = [rate for rate in operations_per_s.values() if rate is not None]
    if not rates or len(rates) < len(operations_per_s) or sum(rates) <= 0:
        return operations_per_s
    factor = load_per_s / sum(rates)
    return {name: (rate or 0.0) * factor for name, rate in operations_per_s.items()}
