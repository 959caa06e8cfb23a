"""Many agents that serve, without a process each: what they say reaches the service of campaigns directly."""

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from backend.tests.analysis.recording import organisation_of

from tailroom.campaigns import polls, repository, service
from tailroom.campaigns.pacing import FEATURE
from tailroom.campaigns.schemas import CampaignIn, JobIn, PollIn, PollOut
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.storage.campaign import Campaign, ServingAgent

PHASES: list[dict[str, Any]] = [{"name": "1x", "duration_s": 1_800.0}]


class ManyAgents:
    """Agents of an organisation, and a clock that runs when it is told to."""

    def __init__(self, database: Database, organisation: str, number: int, *, knows: Sequence[str]) -> None:
        self.database, self.now = database, utc_now()
        self.tokens = [new_id() for _ in range(number)]
        self.knows = [*knows]
        with database.transaction() as session:
            self.organisation_id = organisation_of(session, organisation)
            self.agent_ids = [new_id() for _ in range(number)]
            session.add_all(
                ServingAgent(
                    organisation_id=self.organisation_id,
                    agent_id=agent_id,
                    token_id=token_id,
                    name=f"bench-{at:04d}",
                    version={"version": "0.1.0", "knows": self.knows},
                    inventory={},
                    enrolled_at=self.now,
                    seen_at=self.now,
                )
                for at, (agent_id, token_id) in enumerate(zip(self.agent_ids, self.tokens, strict=True))
            )

    def begin(self, **more: Any) -> UUID:
        """Begin a campaign of all of them; return its id."""
        request = CampaignIn(
            title="burn-in",
            plan="p",
            target="drives:",
            agents=self.agent_ids,
            **{"on_lost": "degrade"} | more,
        )
        with self.database.transaction() as session:
            return service.begin(session, self.organisation_id, request, self.now).campaign_id

    def poll(self, number: int, job: JobIn | None = None) -> PollOut:
        """Return the answer to an agent."""
        poll = PollIn.model_validate({"version": {"version": "0.1.0"}, "knows": self.knows, "job": job})
        with self.database.transaction() as session:
            _, answer, _ = polls.answer_poll(session, self.tokens[number], poll, self.now)
            return answer

    def say(self, campaign_id: UUID, step: str, numbers: Sequence[int], **more: Any) -> list[PollOut]:
        """Return the answers to agents that are at this step of their job."""
        jobs = [JobIn.model_validate({"campaign_id": campaign_id, "step": step, **more}) for _ in numbers]
        return [self.poll(number, job) for number, job in zip(numbers, jobs, strict=True)]

    def forget(self, *numbers: int) -> None:
        """Let these agents be away since yesterday."""
        with self.database.transaction() as session:
            for number in numbers:
                agent = session.get_one(ServingAgent, (self.organisation_id, self.agent_ids[number]))
                agent.seen_at = self.now - timedelta(days=1)

    def refuse(self, campaign_id: UUID, number: int, sentence: str) -> None:
        """Let an agent refuse its command."""
        poll = PollIn.model_validate(
            {
                "version": {"version": "0.1.0"},
                "knows": self.knows,
                "refusals": [{"campaign_id": campaign_id, "sentence": sentence}],
            }
        )
        with self.database.transaction() as session:
            polls.answer_poll(session, self.tokens[number], poll, self.now)

    def campaign(self, campaign_id: UUID) -> Campaign:
        """Return the campaign as it is stored."""
        with self.database.transaction() as session:
            return service.find(session, self.organisation_id, campaign_id)

    def states(self, campaign_id: UUID) -> list[str]:
        """Return the state of each agent in the campaign."""
        with self.database.transaction() as session:
            return [row.state for row in repository.members(session, self.organisation_id, campaign_id)]

    def later(self, seconds: float) -> datetime:
        """Return the time after so many seconds have passed."""
        self.now += timedelta(seconds=seconds)
        return self.now


def orders_of(answer: PollOut) -> list[dict[str, Any]]:
    """Return the commands of an answer as the agent reads them."""
    return [json.loads(command.text) for command in answer.commands]


KNOWS = ["drive-ladder", FEATURE]
