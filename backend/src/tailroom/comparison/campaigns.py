"""Campaigns as subjects of a comparison: the run of all agents together in one phase."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.comparison.errors import SubjectMissing, SubjectsInvalid
from tailroom.storage.campaign import Campaign

CAMPAIGN = "campaign:"
"""Start of a subject name."""


def find_campaign(session: Session, organisation_id: UUID, name: str) -> Campaign:
    """Return the campaign `campaign:ID`. Raise SubjectsInvalid if the id is malformed, SubjectMissing if the
    organisation has no such campaign.
    """
    try:
        campaign_id = UUID(name.removeprefix(CAMPAIGN))
    except ValueError:
        raise SubjectsInvalid(f"“{name}” is no subject: write campaign:ID.") from None
    campaign = session.get(Campaign, (organisation_id, campaign_id))
    if campaign is None:
        raise SubjectMissing(f"There is no campaign {campaign_id} that this organisation may see.")
    return campaign


def measured_last(campaign: Campaign) -> list[dict[str, Any]]:
    """Return the phases of a campaign, those of kind `measure` last, each group in its own order."""
    return sorted(campaign.phases, key=lambda phase: bool(phase["kind"] == "measure"))


def phases_of(session: Session, organisation_id: UUID, name: str) -> tuple[str, dict[str, UUID]]:
    """Return title and run ids by phase of the campaign `campaign:ID`, measured phases last; phases without a
    run are left out. Raise as `find_campaign`.
    """
    campaign = find_campaign(session, organisation_id, name)
    phases = [phase for phase in measured_last(campaign) if phase.get("run_id")]
    return campaign.title, {str(phase["name"]): UUID(str(phase["run_id"])) for phase in phases}


def phase_of(runs: Sequence[dict[str, UUID]], requested: str | None) -> tuple[str | None, list[str]]:
    """Return the phase to compare, by default the last common one, and the phases that all campaigns have.
    `runs` has a dictionary by phase for each campaign. Raise SubjectsInvalid if no phase, or not the
    requested phase, is common to all.
    """
    if not runs:
        return None, []
    common = [name for name in runs[0] if all(name in each for each in runs[1:])]
    if not common or (requested is not None and requested not in common):
        there = ", ".join(common) or "none"
        named = f"the phase “{requested[:100]}”" if requested is not None else "a measured phase"
        raise SubjectsInvalid(f"Not all of these campaigns have {named}. Phases of all: {there}.")
    return requested or common[-1], common
