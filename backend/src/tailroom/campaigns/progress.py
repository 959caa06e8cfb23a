"""State machine of a campaign, driven by the reports of its agents and by time. Without input and output.

Agents poll every second, many agents less often (`pace_s`). Each gets the order that follows from the state
of all, and gets it again until it has followed it, so a lost answer costs a second.
"""

from collections.abc import Sequence
from copy import deepcopy
from datetime import datetime, timedelta
from typing import Any

from tailroom.campaigns.interruption import AWAY_AFTER, interrupt, may_wait, resume
from tailroom.campaigns.pacing import pace_s
from tailroom.campaigns.searching import (
    MEASURED,
    begin_probe,
    has_ended,
    note_counts,
    note_ends,
    search_order,
    slices_of,
    unmeasured,
)
from tailroom.campaigns.starting import (
    has_begun,
    has_started,
    measures_own_machines,
    outvoted,
    unknown_operation,
)
from tailroom.domain.units import NS_PER_S
from tailroom.kit.clock import unix_ns
from tailroom.storage.campaign import (
    ACTIVE,
    DONE,
    ENDED,
    LOADING,
    LOST,
    OFFERED,
    PREPARING,
    RUNNING,
    Campaign,
    CampaignMember,
)

LOST_AFTER = AWAY_AFTER
"""Time without a poll after which an agent is lost: agents poll every second."""
START_WITHIN = timedelta(seconds=45)
"""Time in which an agent must start its job, else it is lost."""
LEAD_NS = 4_000_000_000
"""Time from the readiness of the last agent to the start of a phase: two polls, and opening connections."""
LATE_NS = 20_000_000
"""Largest possible difference between the starts of agents that causes no remark."""
_ENDED_STEPS = ("ended", "failed")
_MOST_NAMES = 10
"""Maximum number of names in a text."""


def advance(campaign: Campaign, members: Sequence[CampaignMember], now: datetime) -> bool:
    """Change the campaign and its agents in place by every step that is due; do nothing if it has ended.

    Return whether a phase was added or changed its state.
    """
    if campaign.state == ENDED:
        return False
    # SQLAlchemy finds a change by comparing with the loaded value, so that value must not be mutated.
    campaign.phases = deepcopy(campaign.phases)
    before = [phase["state"] for phase in campaign.phases]
    note_counts(campaign, members)
    note_ends(campaign, members)
    _mark_lost(campaign, members, now)
    if campaign.stop_requested_at is not None:
        _end(campaign, members, now, "stopped", "Stopped on request.")
    elif (reason := _check_lost_agents(campaign, members) or resume(campaign, members, now)) is not None:
        _end(campaign, members, now, "failed", reason)
    elif campaign.interrupted_at is None:
        _take_steps(campaign, members, now)
    return before != [phase["state"] for phase in campaign.phases]


def order_for(
    campaign: Campaign, members: Sequence[CampaignMember], member: CampaignMember, agents: int | None = None
) -> dict[str, Any] | None:
    """Return the next order for the agent `member`, a document with its `kind`; None if nothing new is to do.

    `members` are all agents of the campaign, or with many (`pacing`) the first agent and `member`; `agents`
    is the number of all.
    """
    if (reason := _reason_to_stop(campaign, member)) is not None:
        is_over = member.step is None or member.step in _ENDED_STEPS
        return None if is_over else {"kind": "stop", "reason": reason}
    if member.state == OFFERED:
        return {
            "kind": "prepare",
            "title": campaign.title,
            "plan": campaign.plan,
            "target": campaign.target,
            "seed": campaign.seed,
            "agents": len(members) if agents is None else agents,
            "agent": member.number,
            **({} if campaign.search is None else {"search": search_order(campaign)}),
        }
    if member.step == MEASURED:
        slices = slices_of(campaign, member.phase)
        return None if slices is None else {"kind": "probe", "phase": member.phase, "slices": slices}
    if member.step == "ready":
        return {"kind": "objects"} if _may_count_objects(campaign, members, member) else None
    is_armed = member.step == "armed" and campaign.state == RUNNING
    if is_armed and member.phase is not None and member.phase < len(campaign.phases):
        phase = campaign.phases[member.phase]
        if phase["state"] == "running":
            return {"kind": "start", "phase": member.phase, "at_unix_ns": phase["start_at_unix_ns"]}
    return None


def _reason_to_stop(campaign: Campaign, member: CampaignMember) -> str | None:
    if member.state == LOST or campaign.state == ENDED:
        reason = member.reason if member.state == LOST else campaign.reason
        return reason or "The campaign has ended."
    return None if campaign.interrupted_at is None else "The search waits for a lost agent."


def _may_count_objects(campaign: Campaign, members: Sequence[CampaignMember], member: CampaignMember) -> bool:
    """Return whether the agent may count the objects now: the first agent before, and after, all others."""
    leader = next(row for row in members if row.state != LOST)
    if campaign.state == LOADING:
        return member is leader or leader.step in ("armed", "running")
    followers = [row for row in members if row is not leader and row.state == ACTIVE]
    return member is leader and all(
        follower.step == "armed" and follower.phase != 0 for follower in followers
    )


def _mark_lost(campaign: Campaign, members: Sequence[CampaignMember], now: datetime) -> None:
    """Mark agents as lost if they are active and failed or are silent, or did not start.

    A search is interrupted instead; a silent agent of a search that has ended is done. Do nothing while a
    search is interrupted.
    """
    if campaign.interrupted_at is not None:
        return
    lost_after = LOST_AFTER + timedelta(seconds=3 * pace_s(len(members)))
    for member in members:
        is_silent = now - member.seen_at > lost_after
        silence = f"not heard from since {member.seen_at:%H:%M:%S} UTC"
        if member.state == ACTIVE and member.step == "failed":
            mark_lost(member, now, member.reason or "its job failed")
        elif member.state == ACTIVE and is_silent and has_ended(campaign):
            member.state = DONE  # what it measured comes from its spool
        elif member.state == ACTIVE and is_silent and may_wait(campaign):
            interrupt(campaign, member, silence, now)
        elif member.state == ACTIVE and is_silent:
            mark_lost(member, now, silence)
        elif member.state == OFFERED and now - member.seen_at > START_WITHIN:
            reason = "it did not start the job; is `tailroom-agent serve` running there?"
            if may_wait(campaign):
                interrupt(campaign, member, reason.rstrip("?"), now)
            else:
                mark_lost(member, now, reason)


def mark_lost(member: CampaignMember, now: datetime, reason: str) -> None:
    """Mark an agent of a campaign as lost at `now`, with the reason."""
    member.state, member.lost_at, member.reason = LOST, now, reason


def _check_lost_agents(campaign: Campaign, members: Sequence[CampaignMember]) -> str | None:
    """Add lost agents that had started to the running phase; return why the campaign must end, else None."""
    lost = [member for member in members if member.state == LOST]
    if not lost:
        return None
    if not has_begun(campaign):
        is_possible = measures_own_machines(campaign.target) and len(lost) < len(members)
        before = "Not begun." if campaign.state == PREPARING else "Nothing was measured."
        return None if is_possible else f"{before} {_names_with_reasons(lost)}."
    started = [member for member in lost if has_started(campaign, member)]
    _note_lost(campaign, started)
    if campaign.on_lost == "end" and started:
        return f"Lost {_names_with_reasons(started)}."
    first = campaign.phases[0]
    if first["kind"] == "load" and first["state"] in ("waiting", "running"):
        return f"Lost an agent before all objects were loaded, {_names_with_reasons(started)}."
    if not any(member.state in (ACTIVE, DONE) for member in members):
        return f"Lost every agent, {_names_with_reasons(lost)}."
    return None


def _note_lost(campaign: Campaign, members: Sequence[CampaignMember]) -> None:
    """Add lost agents to the entry of the running phase, each once; nothing if no phase is running."""
    for phase in campaign.phases:
        noted = {entry["agent"] for entry in phase["lost"]}
        if phase["state"] == "running":
            phase["lost"] = phase["lost"] + [
                {"agent": member.name, "at": _text(member.lost_at), "reason": member.reason}
                for member in members
                if member.name not in noted
            ]


def _names_with_reasons(members: Sequence[CampaignMember]) -> str:
    return named_first([f"{member.name}: {_reason_text(member.reason)}" for member in members], "; ")


def named_first(names: Sequence[str], between: str = ", ") -> str:
    """Return the names joined by `between`; of more than ten the first ten, and the number of the others."""
    more = len(names) - _MOST_NAMES
    return between.join([*names[:_MOST_NAMES], *([f"and {more} more"] if more > 0 else [])])


def _reason_text(reason: str | None) -> str:
    return (reason or "").removeprefix("not measured: ").rstrip(".")


def _take_steps(campaign: Campaign, members: Sequence[CampaignMember], now: datetime) -> None:
    """Take the step that all agents are ready for: read the plan, begin a probe, start a phase, or end.

    Agents that have ended become done. If the agents read the plan differently, the minority is lost if each
    measures its own machine; else the campaign fails.
    """
    for member in members:
        if member.state == ACTIVE and member.step == "ended":
            member.state = DONE
    present = [member for member in members if member.state in (ACTIVE, DONE)]
    if campaign.state == PREPARING:
        expected = [member for member in members if member.state != LOST]
        if any(member.explained is None for member in expected):
            return
        if measures_own_machines(campaign.target):
            for member in outvoted(present):
                reason = f"it reads the plan differently than most, by version {member.version}"
                mark_lost(member, now, reason)
            present = [member for member in present if member.state != LOST]
        if not campaign.phases:
            campaign.phases = [
                _phase(number, phase) for number, phase in enumerate(present[0].explained or ())
            ]
        if (problem := _different_readings(present) or unknown_operation(campaign)) is not None:
            _end(campaign, members, now, "failed", problem)
            return
        campaign.state = LOADING
    active = [member for member in present if member.state == ACTIVE]
    if not active:
        _end_phases(campaign, len(campaign.phases))
        _end(campaign, members, now, "completed", None)
        return
    armed = {member.phase for member in active if member.step == "armed"}
    if any(member.step != "armed" for member in active) or len(armed) != 1:
        return
    (number,) = armed
    if number is not None and (problem := begin_probe(campaign, active, number)) is not None:
        _end(campaign, members, now, "failed", problem)
        return
    if number is not None and number < len(campaign.phases):
        lead_ns = LEAD_NS + int(2e9 * pace_s(len(members)))
        _begin_phase(campaign, active, number, now=now, lead_ns=lead_ns)


def _different_readings(members: Sequence[CampaignMember]) -> str | None:
    """Return that agents read the plan differently than the first, as a sentence; None if none does."""
    others = [member for member in members if member.explained != members[0].explained]
    if not others:
        return None
    names = named_first([f"{member.name} ({member.version})" for member in (members[0], *others)])
    return f"The agents read the plan differently: {names}. Use one version."


def _begin_phase(
    campaign: Campaign, active: Sequence[CampaignMember], number: int, *, now: datetime, lead_ns: int
) -> None:
    """Set the start of a waiting phase so that every agent gets it in time, and end the phases before it.

    The start is `lead_ns` from now, or four times the largest clock error if that is longer, plus the ramp.
    """
    if campaign.phases[number]["kind"] == "load" and campaign.phases[number]["state"] != "running":
        # After an interruption the loaded objects may be gone.
        campaign.phases[number] = unmeasured(campaign.phases[number])
    if campaign.phases[number]["state"] != "waiting":
        return
    _end_phases(campaign, number)
    errors = sorted((member.clock_error_ns or 0 for member in active), reverse=True)
    ramp_ns = int(campaign.phases[number]["ramp_s"] * 1e9)
    campaign.phases[number] |= {
        "state": "running",
        "start_at_unix_ns": unix_ns(now) + ramp_ns + max(lead_ns, 4 * errors[0]),
        "apart_ns": sum(errors[:2]) if len(errors) > 1 else None,
        "agents": [member.name for member in active],
    }
    campaign.state = RUNNING


def _end_phases(campaign: Campaign, before: int) -> None:
    for phase in campaign.phases[:before]:
        if phase["state"] == "running":
            phase["state"] = "ended"
        elif phase["state"] == "waiting":
            phase["state"] = "skipped"


def _end(
    campaign: Campaign, members: Sequence[CampaignMember], now: datetime, outcome: str, reason: str | None
) -> None:
    """End the campaign with an outcome and a reason; agents that are not lost become done.

    Without a reason, lost agents are the reason, if there are any; those that never started are named first.
    """
    for phase in campaign.phases:
        if _is_cut(phase, now):
            phase["state"] = "stopped"
    _end_phases(campaign, len(campaign.phases))
    campaign.state, campaign.outcome, campaign.reason, campaign.ended_at = ENDED, outcome, reason, now
    campaign.interrupted_at = None
    lost = [member for member in members if member.state == LOST]
    if reason is None and lost:
        started = [member for member in lost if has_started(campaign, member)]
        absent = [member for member in lost if member not in started]
        parts = {"Without": absent, "Lost": started}
        campaign.reason = " ".join(
            f"{word} {_names_with_reasons(some)}." for word, some in parts.items() if some
        )
    for member in members:
        if member.state in (OFFERED, ACTIVE):
            member.state = DONE


def _is_cut(phase: dict[str, Any], now: datetime) -> bool:
    """Return whether a phase is running whose time has not passed; also one that its operations would end."""
    if phase["state"] != "running":
        return False
    length_s = phase["duration_s"]
    return length_s is None or unix_ns(now) < phase["start_at_unix_ns"] + length_s * NS_PER_S


def _phase(number: int, explained: dict[str, Any]) -> dict[str, Any]:
    """Return the document of a phase that has not started, from the phase as an agent read it in the plan."""
    name = str(explained.get("name", number + 1))
    return unmeasured(
        {
            "number": number,
            "name": name,
            "kind": name if name in ("load", "warm-up") else "measure",
            "duration_s": explained.get("duration_s"),
            "ramp_s": float(explained.get("ramp_s") or 0),
            "operations_per_s": explained.get("operations_per_s") or {},
            "transactions_per_s": explained.get("transactions_per_s"),
            "probe": None,
            "interrupted": [],
        }
    )


def _text(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
