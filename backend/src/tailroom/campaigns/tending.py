"""Background work for a campaign: advance it without polls, and merge the runs of phases that have ended."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from tailroom.campaigns import repository
from tailroom.campaigns.merging import NotMergeable, merge_runs
from tailroom.campaigns.progress import LATE_NS, advance, named_first
from tailroom.kit.transactions import Transactions
from tailroom.storage.campaign import ENDED, Campaign, CampaignMember
from tailroom.storage.run import FINISHED, Run

WATCH_EVERY = timedelta(seconds=2)
"""Time between two calls while the campaign runs."""
WAIT_EVERY = timedelta(seconds=1)
"""Time between two calls while a run of an ended phase is awaited."""
PATIENCE = timedelta(minutes=2)
"""Time after the end in which an agent that was not lost must deliver, else its part is named as missing."""
LATE_PATIENCE = timedelta(hours=24)
"""Time after the end of the campaign in which a lost agent may still deliver its measurements."""
LATE_EVERY = timedelta(seconds=15)
"""Time between two calls while a lost agent may still deliver."""
_MOST_LOST = 20
"""Maximum number of lost agents that are named in the remarks of a phase."""


def tend(
    transactions: Transactions, organisation_id: UUID, campaign_id: UUID, now: datetime
) -> datetime | None:
    """Advance a campaign and merge the runs of its ended phases.

    Return the time of the next call; None if the campaign does not exist, or nothing is awaited any more.
    """
    with transactions() as session:
        campaign = repository.campaign(session, organisation_id, campaign_id, lock=True)
        if campaign is None:
            return None
        members = repository.members(session, organisation_id, campaign_id)
        advance(campaign, members, now)
        session.flush()
        ids = {UUID(run_id) for member in members for run_id in member.runs.values()}
        runs = repository.runs(session, organisation_id, ids)
    next_times = [now + WATCH_EVERY] if campaign.state != ENDED else []
    for number, phase in enumerate(campaign.phases):
        if phase["state"] not in ("ended", "stopped"):
            continue
        delivered, is_waiting = _delivered_runs(campaign, members, runs, number, now)
        names = [member.name for member, _ in delivered]
        if delivered and names != phase["merged"] and (not is_waiting or phase["merged"]):
            _store_phase_result(transactions, campaign, number, delivered, now)
        if is_waiting:
            next_times.append(now + WAIT_EVERY)
        elif (
            len(names) < len(phase["agents"] or members[:1])
            and now - (campaign.ended_at or now) < LATE_PATIENCE
        ):
            next_times.append(now + LATE_EVERY)
    return min(next_times, default=None)


def _delivered_runs(
    campaign: Campaign,
    members: Sequence[CampaignMember],
    runs: Mapping[UUID, Run],
    number: int,
    now: datetime,
) -> tuple[list[tuple[CampaignMember, Run]], bool]:
    """Return the agents with complete runs of phase `number`, with these runs, and whether a run is awaited.

    `runs` are all runs of the campaign that have arrived, by id. A complete run without data is left out.
    """
    delivered, is_waiting = [], False
    for member in members:
        run_id = member.runs.get(str(number))
        if run_id is None:
            continue
        run = runs.get(UUID(run_id))
        if run is not None and run.state == FINISHED:
            if run.data_through_ns > 0:
                delivered.append((member, run))
        elif member.lost_at is None and now - (campaign.ended_at or now) < PATIENCE:
            is_waiting = True
    return delivered, is_waiting


def _store_phase_result(
    transactions: Transactions,
    campaign: Campaign,
    number: int,
    delivered: list[tuple[CampaignMember, Run]],
    now: datetime,
) -> None:
    """Store the run of phase `number` with remarks: the sum of the delivered runs, or the only agent's run.

    If they cannot be added, the phase has no run, and a remark states the reason. Nothing is stored if the
    campaign was deleted meanwhile.
    """
    phase = campaign.phases[number]
    remarks: list[str] = []
    run_id: UUID | None
    if len(delivered) == 1 and len(phase["agents"] or delivered) == 1:
        run_id = delivered[0][1].run_id
    else:
        of = f"{len(delivered)} of {len(phase['agents'])} agents"
        title = f"{campaign.title} · {phase['name']} · {of}"
        try:
            run_id, remarks = merge_runs(transactions, title, phase, [run for _, run in delivered], now)
        except NotMergeable as refusal:
            run_id, remarks = None, [str(refusal)]
    if any(run.workload == "act-storage" for _, run in delivered):
        remarks.append("Reads alone, while nothing writes: no certification by ACT's rules.")
    if (phase["apart_ns"] or 0) > LATE_NS:
        remarks.append(f"By their clocks the agents may have begun {phase['apart_ns'] / 1e6:.1f} ms apart.")
    names = [member.name for member, _ in delivered]
    missing = [name for name in phase["agents"] if name not in names]
    if missing:
        remarks.append(f"Without what {named_first(missing)} measured.")
    remarks += [f"{lost['agent']} was lost: {lost['reason']}." for lost in phase["lost"][:_MOST_LOST]]
    if (more := len(phase["lost"]) - _MOST_LOST) > 0:
        remarks.append(f"{more} more agents were lost.")
    remarks += phase.get("interrupted", ())
    with transactions() as session:
        locked = repository.campaign(session, campaign.organisation_id, campaign.campaign_id, lock=True)
        if locked is None:
            return
        locked.phases = [
            entry | {"run_id": None if run_id is None else str(run_id), "merged": names, "remarks": remarks}
            if entry["number"] == number
            else entry
            for entry in locked.phases
        ]
