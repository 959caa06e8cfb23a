"""Campaigns side by side: one of their phases, which is the run of all agents together."""

from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.orm import Session

from tailroom.comparison.errors import SubjectMissing, SubjectsInvalid
from tailroom.storage.campaign import Campaign

CAMPAIGN = "campaign:"
_MEASURED = "measure"


def phases_of(session: Session, organisation_id: UUID, name: str) -> tuple[str, dict[str, UUID]]:
    """Title, and the run of each phase that has one, by the phase's name. Raises SubjectMissing."""
    try:
        campaign_id = UUID(name.removeprefix(CAMPAIGN))
    except ValueError:
        raise SubjectsInvalid(f"“{name}” is no subject: write campaign:ID.") from None
    found = session.scalar(
        select(Campaign).where(
            Campaign.organisation_id == organisation_id, Campaign.campaign_id == campaign_id
        )
    )
    if found is None:
        raise SubjectMissing(f"There is no campaign {campaign_id} that this organisation may see.")
    phases = sorted(found.phases, key=lambda one: one["kind"] == _MEASURED)
    runs = {str(one["name"]): UUID(str(one["run_id"])) for one in phases if one.get("run_id")}
    return found.title, runs


def phase_of(runs: Sequence[dict[str, UUID]], asked: str | None) -> tuple[str | None, list[str]]:
    """The phase that is compared, and all that every campaign has; the last measured one where none is named.

    Raises SubjectsInvalid.
    """
    if not runs:
        return None, []
    common = [name for name in runs[0] if all(name in other for other in runs[1:])]
    if not common or (asked is not None and asked not in common):
        there = ", ".join(common) or "none"
        named = f"the phase “{asked[:100]}”" if asked is not None else "a measured phase"
        raise SubjectsInvalid(f"Not all of these campaigns have {named}. Phases of all: {there}.")
    return asked or common[-1], common
