"""Ended campaigns of drives, as the judgement of siblings reads them."""

from collections.abc import Sequence
from uuid import UUID

from backend.tests.analysis.recording import MOMENT, organisation_of

from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.storage.campaign import DONE, ENDED, LOST, Campaign, CampaignMember

PHASE = {
    "number": 0,
    "name": "1x",
    "kind": "measure",
    "duration_s": 1_800,
    "ramp_s": 0,
    "state": "ended",
    "start_at_unix_ns": None,
    "apart_ns": None,
    "agents": [],
    "lost": [],
    "run_id": None,
    "merged": [],
    "remarks": [],
}


def add_ended_campaign(
    database: Database,
    organisation: str,
    runs: Sequence[UUID],
    *,
    digits: int = 2,
    lost: Sequence[str | None] = (),
) -> UUID:
    """Store a campaign whose agents made these runs, one each, and return its id.

    The agents are called by their number with so many digits: `bench-07`. `lost`: reasons of further agents,
    which made none.
    """
    campaign_id = new_id()
    with database.transaction() as session:
        owner = organisation_of(session, organisation)
        session.add(
            Campaign(
                organisation_id=owner,
                campaign_id=campaign_id,
                title="burn-in",
                plan="",
                target="drives:",
                seed=1,
                on_lost="degrade",
                objectives=[],
                state=ENDED,
                created_at=MOMENT,
                phases=[PHASE],
            )
        )
        session.flush()
        session.add_all(
            CampaignMember(
                organisation_id=owner,
                campaign_id=campaign_id,
                agent_id=new_id(),
                number=number,
                name=f"bench-{number:0{digits}d}",
                state=DONE,
                version="0.1.0",
                runs={"0": str(run_id)},
                seen_at=MOMENT,
            )
            for number, run_id in enumerate(runs)
        )
        session.add_all(
            CampaignMember(
                organisation_id=owner,
                campaign_id=campaign_id,
                agent_id=new_id(),
                number=number,
                name=f"bench-{number:0{digits}d}",
                state=LOST,
                version="0.1.0",
                seen_at=MOMENT,
                lost_at=MOMENT,
                reason=reason,
            )
            for number, reason in enumerate(lost, len(runs))
        )
    return campaign_id
