"""Units of campaigns: the drives of their runs, or whole runs, each with its figures and inventory."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from tailroom.access.caller import Caller
from tailroom.analysis.figures import FiguresOut, MeasuredOut
from tailroom.analysis.pictures import FIGURES, own_pictures, picture_of
from tailroom.comparison.campaigns import CAMPAIGN, find_campaign, measured_last, phase_of
from tailroom.comparison.errors import SubjectsInvalid
from tailroom.comparison.sibling_schemas import NotMeasuredOut
from tailroom.kit.clock import utc_now
from tailroom.kit.free_documents import rows_of
from tailroom.kit.limits import SIBLING_UNITS
from tailroom.storage.campaign import LOST, Campaign, CampaignMember
from tailroom.storage.run import FINISHED, Run
from tailroom.work.kinds import DRAW
from tailroom.work.outbox import make_due

_ROWS = 100
"""Number of runs that one transaction reads."""
_COMPUTED_AT_ONCE = 50
"""Maximum number of runs whose missing figures a request computes; workers compute the others."""


@dataclass(frozen=True, slots=True)
class MeasuredUnit:
    """A drive or a whole run (`device` None), with the figures of its operations and its inventory by name
    (`facts`). `contradiction` is how its data contradict themselves, if they do.
    """

    name: str
    agent: str
    device: str | None
    run_id: UUID
    operations: Sequence[MeasuredOut]
    facts: Mapping[str, str]
    contradiction: str | None
    is_awaited: bool = False
    """Whether workers still compute its figures."""


@dataclass(frozen=True, slots=True)
class MeasuredFleet:
    """The units of a phase over all campaigns of a request, with the title of the first."""

    title: str
    phase: str
    phases: list[str]
    units: list[MeasuredUnit]
    not_measured: list[NotMeasuredOut]
    """Agents without a finished run of the phase."""


@dataclass(frozen=True, slots=True)
class _AgentRun:
    """A finished run of an agent, with the inventory of its host."""

    agent: str
    run_id: UUID
    host: Mapping[str, Any]
    plan: Mapping[str, Any]
    agent_version: str


def fleet_of(caller: Caller, campaign_ids: Sequence[UUID], phase_name: str | None) -> MeasuredFleet:
    """Return the units of a phase, by default the last common one, of one or more campaigns. Raise as
    `find_campaign` and `phase_of`, and SubjectsInvalid for more than `SIBLING_UNITS` units.
    """
    runs: list[_AgentRun] = []
    not_measured: list[NotMeasuredOut] = []
    with caller.session() as session:
        campaigns = [
            find_campaign(session, caller.organisation_id, f"{CAMPAIGN}{campaign_id}")
            for campaign_id in campaign_ids
        ]
        phase, phases = phase_of(
            [
                {str(phase["name"]): campaign.campaign_id for phase in measured_last(campaign)}
                for campaign in campaigns
            ],
            phase_name,
        )
        for campaign in campaigns:
            measured, missing = _agent_runs(session, campaign, phase)
            runs += measured
            not_measured += missing
    units = list(_units(caller, runs))
    if len(units) > SIBLING_UNITS:
        raise SubjectsInvalid(f"{len(units):,} units are there; {SIBLING_UNITS:,} are judged at once.")
    return MeasuredFleet(campaigns[0].title, phase or "", phases, units, not_measured)


def _agent_runs(
    session: Session, campaign: Campaign, phase: str | None
) -> tuple[list[_AgentRun], list[NotMeasuredOut]]:
    """Return the finished runs of a campaign's agents in a phase, and why the other agents have none."""
    numbers = {str(each["number"]) for each in campaign.phases if each["name"] == phase}
    members = session.scalars(
        select(CampaignMember)
        .where(
            CampaignMember.organisation_id == campaign.organisation_id,
            CampaignMember.campaign_id == campaign.campaign_id,
        )
        .order_by(CampaignMember.number)
    ).all()
    by_run = {
        UUID(run_id): member
        for member in members
        for number, run_id in member.runs.items()
        if number in numbers
    }
    stored = session.scalars(
        select(Run).where(Run.organisation_id == campaign.organisation_id, Run.run_id.in_(by_run))
    )
    finished = {run.run_id: run for run in stored if run.state == FINISHED}
    measured = {member.number for run_id, member in by_run.items() if run_id in finished}
    not_measured = [
        NotMeasuredOut(agent=member.name, reason=_reason_not_measured(member))
        for member in members
        if member.number not in measured
    ]
    runs = [
        _AgentRun(member.name, run.run_id, run.host, run.plan, str(run.agent.get("version", "")))
        for run_id, member in by_run.items()
        if (run := finished.get(run_id)) is not None
    ]
    return runs, not_measured


def _reason_not_measured(member: CampaignMember) -> str:
    """Return the reason why an agent has no finished run, without full stop."""
    if member.state == LOST:
        return (member.reason or "it was lost").removeprefix("not measured: ").rstrip(".")
    return "its run is not complete yet"


def _units(caller: Caller, runs: Sequence[_AgentRun]) -> Iterator[MeasuredUnit]:
    """Yield the drives of each run, or the run itself if it has no figures of single drives or none yet."""
    agents = Counter(run.agent for run in runs)
    for run, figures in zip(runs, _figures(caller, runs), strict=True):
        label = run.agent if agents[run.agent] == 1 else f"{run.agent} ({str(run.run_id)[-6:]})"
        parts: list[tuple[str | None, Sequence[MeasuredOut]]] = [
            (drive.device, drive.operations) for drive in (figures.devices if figures else ())
        ]
        for device, operations in parts or [(_only_drive(run.plan), figures.operations if figures else ())]:
            yield MeasuredUnit(
                label if device is None else f"{label} {device}",
                run.agent,
                device,
                run.run_id,
                operations,
                facts_of_unit(run.host, run.agent_version, device),
                figures.contradiction if figures else None,
                is_awaited=figures is None,
            )


def _figures(caller: Caller, runs: Sequence[_AgentRun]) -> Iterator[FiguresOut | None]:
    """Yield the figures of each run: stored, or computed now for the first few, or None: workers do."""
    owner, missing = caller.organisation_id, 0
    for first in range(0, len(runs), _ROWS):
        part = [run.run_id for run in runs[first : first + _ROWS]]
        with caller.session() as session:
            stored = own_pictures(session, owner, part, FIGURES)
            awaited = [run_id for run_id in part if run_id not in stored]
            computed, awaited = awaited[: _COMPUTED_AT_ONCE - missing], awaited[_COMPUTED_AT_ONCE - missing :]
            for run_id in awaited:
                make_due(session, DRAW, run_id, owner, utc_now())
        missing += len(computed)
        for run_id in part:
            body = stored.get(run_id)
            if body is None and run_id in computed:
                body = picture_of(caller.session, owner, run_id, FIGURES)
            yield None if body is None else FiguresOut.model_validate_json(body)


def facts_of_unit(host: Mapping[str, Any], agent_version: str, device: str | None) -> dict[str, str]:
    """Return the inventory of a unit by name; of a drive its own facts as `drive.…`, and none of others."""
    devices = host.get("block_devices")
    drives = {
        str(drive.get("name")): drive
        for drive in (devices if isinstance(devices, list) else [])
        if isinstance(drive, dict)
    }
    machine = {name: value for name, value in host.items() if name not in ("block_devices", "unknown")}
    own = None if device is None else drives.get(PurePosixPath(device).name)
    document = {
        **machine,
        "agent_version": agent_version,
        **({"block_devices": drives} if device is None else {}),
        **({"drive": own} if own is not None else {}),
    }
    return dict(rows_of(document))


def _only_drive(plan: Mapping[str, Any]) -> str | None:
    """Return the path of the only drive of a storage test (`act_storage`); None for any other plan."""
    section = plan.get("act_storage")
    path = section.get("path") if isinstance(section, dict) else None
    if not isinstance(section, dict) or section.get("further_paths"):
        return None
    return path if isinstance(path, str) else None
