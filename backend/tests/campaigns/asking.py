"""An organisation whose agents are a test, without a process."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from backend.tests.enrolled import Enrolled
from fastapi.testclient import TestClient


class Asking:
    """An organisation whose agents are this test."""

    def __init__(self, client: TestClient, make_token: Callable[..., str], owner: str) -> None:
        self.client = client
        self.headers = {"Authorization": f"Bearer {make_token('engineer', owner)}"}

    def enrol(self, name: str) -> tuple[UUID, dict[str, str]]:
        """A new agent; its id and what lets it in."""
        code = self.client.post("/api/v1/agent/codes", headers=self.headers).json()["code"]
        enrolled = Enrolled(self.client, code, name)
        return enrolled.agent_id, enrolled.headers()

    def begin(self, agents: list[str], **more: Any) -> Any:
        """Asks for a campaign."""
        body = {"title": "t", "plan": "p", "target": "redis://db", "agents": agents, **more}
        return self.client.post("/api/v1/campaigns", json=body, headers=self.headers)
