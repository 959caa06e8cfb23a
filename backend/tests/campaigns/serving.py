"""Real agents that enrol and serve, each a process with a folder and a policy of its own."""

import contextlib
import os
import signal
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx
import psutil
from backend.tests.programs import AGENT

"""Built by `make setup`, as for the journeys."""
Json = dict[str, Any]


class Serving:
    """One agent."""

    def __init__(self, folder: Path, name: str, password: str, *, before: Sequence[str] = ()) -> None:
        self.name, self._folder, self._before = name, folder / name, tuple(before)
        self._folder.mkdir()
        self.policy = self._folder / "campaigns.toml"
        self._password_file = self._folder / "password"
        self._password_file.write_text(password)
        self.process: subprocess.Popen[bytes] | None = None
        self.log = self._folder / "log"

    def allow(self, targets: Sequence[str], *more: str) -> None:
        """Writes the policy."""
        # A password without a user is refused by some servers, also an empty one.
        has_password = self._password_file.stat().st_size > 0
        secret = f', password_file = "{self._password_file}"' if has_password else ""
        listed = ", ".join(f'{{ address = "{address}"{secret} }}' for address in targets)
        self.policy.write_text("\n".join((f"targets = [{listed}]", *more)))
        self.policy.chmod(0o644)

    def enrol(self, url: str, code: str, *more: str) -> subprocess.CompletedProcess[str]:
        """Makes it an agent."""
        return subprocess.run(
            [
                *self._before,
                *(str(AGENT), "enrol", "--backend", url, "--code", code, "--name", self.name),
                *("--state", str(self._folder / "state"), *more),
            ],
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )

    def serve(self) -> None:
        """Starts it, as the head of a group of processes."""
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [
                    *self._before,
                    *(str(AGENT), "serve", "--state", str(self._folder / "state")),
                    *("--policy", str(self.policy), "--spool", str(self._folder / "spool")),
                ],
                stdout=log,
                stderr=log,
                start_new_session=True,
                env=os.environ | {"RUST_BACKTRACE": "1"},
            )

    def kill(self) -> None:
        """Kills it and its job at once, as a power cut does."""
        if self.process is not None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(60)
            self.process = None

    def ports(self, server_port: int) -> set[int]:
        """Local ports from which its job is connected to a server of this machine."""
        assert self.process is not None
        ports: set[int] = set()
        # A job may end while it is looked at.
        with contextlib.suppress(psutil.NoSuchProcess):
            for process in psutil.Process(self.process.pid).children(recursive=True):
                with contextlib.suppress(psutil.NoSuchProcess):
                    ports |= {
                        connection.laddr.port
                        for connection in process.net_connections("tcp")
                        if connection.raddr and connection.raddr.port == server_port
                    }
        return ports


class Installation:
    """The API as a person uses it."""

    def __init__(self, url: str, token: str) -> None:
        self.url = url
        # One client: each would read all certificates, and campaigns are asked for very often.
        self._http = httpx.Client(
            base_url=f"{url}/api/v1", headers={"Authorization": f"Bearer {token}"}, timeout=60
        )

    def get(self, path: str) -> Any:
        """Reads."""
        answer = self._http.get(path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def post(self, path: str, body: Json | None = None, status: int = 201) -> Any:
        """Changes something."""
        answer = self._http.post(path, json=body or {})
        assert answer.status_code == status, answer.text
        return answer.json()

    def delete(self, path: str) -> Any:
        """Takes something away."""
        answer = self._http.delete(path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def agents(self) -> dict[str, Json]:
        """Agents by name."""
        return {one["name"]: one for one in self.get("/agents")["agents"]}

    def begin(self, title: str, plan: str, target: str, agents: Sequence[str], **more: Any) -> Json:
        """Begins a campaign of agents by their names."""
        known = self.agents()
        body = {
            "title": title,
            "plan": plan,
            "target": target,
            "agents": [known[name]["agent_id"] for name in agents],
            **more,
        }
        found: Json = self.post("/campaigns", body)
        return found

    def campaign(self, campaign_id: str) -> Json:
        """How it is now."""
        found: Json = self.get(f"/campaigns/{campaign_id}")
        return found
