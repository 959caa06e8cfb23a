"""Campaigns as subjects of a comparison: the run of all agents in one phase."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from tailroom.comparison.errors import SubjectMissing, SubjectsInvalid
from tailroom.storage.campaign import Campaign

CAMPAIGN = "campaign:"
_MEASURED = "measure"


def phases_of(session: Session, organisation_id: UUID, name: str) -> tuple[str, dict[str, UUID]]:
    """Return a campaign's title, and its run of each phase by the phase's name, measured phases last.

    `name`: `campaign:ID`. Raise SubjectMissing, SubjectsInvalid.
    """
    try:
        campaign_id = UUID(name.removeprefix(CAMPAIGN))
    except ValueError:
        raise SubjectsInvalid(f"“{name}” is no subject: write campaign:ID.") from None
    campaign = session.scalar(
        select(Campaign).where(
            Campaign.organisation_id == organisation_id, Campaign.campaign_id == campaign_id
        )
    )
    if campaign is None:
        raise SubjectMissing(f"There is no campaign {campaign_id} that this organisation may see.")
    phases = sorted(campaign.phases, key=lambda phase: phase["kind"] == _MEASURED)
    runs = {str(phase["name"]): UUID(str(phase["run_id"])) for phase in phases if phase.get("run_id")}
    return campaign.title, runs


def phase_of(runs: Sequence[dict[str, UUID]], requested: str | None) -> tuple[str | None, list[str]]:
    """Return the phase to compare, and the phases that every campaign has; `runs`: by phase of each campaign.

    Without `requested` it is the last measured phase; None without campaigns. Raise SubjectsInvalid.
    """
    if not runs:
        return None, []
    common = [name for name in runs[0] if all(name in each for each in runs[1:])]
    if not common or (requested is not None and requested not in common):
        there = ", ".join(common) or "none"
        named = f"the phase “{requested[:100]}”" if requested is not None else "a measured phase"
        raise SubjectsInvalid(f"Not all of these campaigns have {named}. Phases of all: {there}.")
    return requested or common[-1], common
