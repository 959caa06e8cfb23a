"""Measure the cost of idle agents: by default 10,000 on loopback, each with its own key and connection.

An idle agent compares clocks, signs a request for a short-lived token, polls for work, waits for up to an
hour, and repeats. Measure one such turn of every agent, then a minute in which all wait. The total cost is
that of waiting, and of one turn of each agent per hour. Finally, start a campaign on one agent and measure
the time until it receives the command.

Start PostgreSQL, Valkey and an API, and act as the agents. Run with `make bench-idle`; exit with 1 if the
agents use more than a fifth of a core.
"""

import argparse
import asyncio
import base64
import json
import resource
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass

from backend.bench.ingest import Api, installation, machine
from backend.bench.simulate_fleet import Meter
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from sqlalchemy import insert

from tailroom.access.agent_keys import signed_text
from tailroom.access.repository import ensure_organisation
from tailroom.access.service import create_token
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.kit.limits import AGENT_WAIT_SECONDS
from tailroom.kit.settings import Settings
from tailroom.storage.access_token import AccessToken
from tailroom.storage.campaign import ServingAgent

MOST_CORES = 0.20
_ORGANISATIONS = 20
_AT_ONCE = 20


@dataclass
class Agent:
    """An agent and its connection."""

    agent_id: str
    credential_id: str
    key: Ed25519PrivateKey
    reader: asyncio.StreamReader | None = None
    writer: asyncio.StreamWriter | None = None
    blanks: int = 0

    async def turn(self, port: int) -> None:
        """Connect if necessary, and send all requests of a turn up to the poll that waits."""
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", port)
        await self._ask("GET", "/api/v1/clock")
        now_ns = (await self._ask("GET", "/api/v1/clock"))["unix_ns"]
        text = signed_text(self.credential_id, now_ns)  # type: ignore[arg-type]
        proof = {
            "credential_id": self.credential_id,
            "unix_ns": now_ns,
            "signature": base64.b64encode(self.key.sign(text)).decode(),
        }
        token = (await self._ask("POST", "/api/v1/agent/token", proof))["token"]
        body = {
            "version": {"version": "1"},
            "wait_s": 20,
            "longest_wait_s": AGENT_WAIT_SECONDS,
            "clock_error_ns": 1_000_000,
            "wall_clock_ahead_ns": 0,
        }
        await self._send("POST", "/api/v1/agent/poll", body, f"Authorization: Bearer {token}\r\n")
        head = await self._head()
        if b" 200 " not in head or b"chunked" not in head.lower():
            raise SystemExit(f"an agent may not wait: {head!r}")

    async def wait(self) -> bytes:
        """Wait for the reply of the poll and return it; count the blanks sent before it."""
        assert self.reader is not None  # noqa: S101 - connected by `turn`
        answer = b""
        while (size := int(await self.reader.readline(), 16)) > 0:
            piece = (await self.reader.readexactly(size + 2))[:-2]
            self.blanks += piece == b" "
            answer += piece
        await self.reader.readexactly(2)
        return answer.strip()

    async def _ask(self, method: str, path: str, body: object = None) -> dict[str, int]:
        await self._send(method, path, body)
        head = await self._head()
        length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
        assert self.reader is not None  # noqa: S101 - connected by `turn`
        content = await self.reader.readexactly(length)
        if b" 200 " not in head.split(b"\r\n")[0]:
            raise SystemExit(f"{path}: {content!r}")
        answer: dict[str, int] = json.loads(content)
        return answer

    async def _send(self, method: str, path: str, body: object = None, headers: str = "") -> None:
        assert self.writer is not None  # noqa: S101 - connected by `turn`
        content = b"" if body is None else json.dumps(body).encode()
        about = f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n" if content else ""
        self.writer.write(
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{headers}{about}\r\n".encode() + content
        )

    async def _head(self) -> bytes:
        assert self.reader is not None  # noqa: S101 - connected by `turn`
        return await self.reader.readuntil(b"\r\n\r\n")


def enrol(database: Database, count: int) -> list[Agent]:
    """Store `count` enrolled agents with new keys, spread over the organisations; return them."""
    now, agents = utc_now(), []
    for number in range(_ORGANISATIONS):
        with database.transaction() as session:
            organisation_id = ensure_organisation(session, f"fleet {number}", now).id
            tokens, rows = [], []
            for _ in range(count // _ORGANISATIONS):
                key, token_id, agent_id = Ed25519PrivateKey.generate(), new_id(), new_id()
                public = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
                whose = {"organisation_id": organisation_id, "name": f"agent {agent_id}"}
                tokens.append(
                    whose
                    | {
                        "id": token_id,
                        "scope": "agent",
                        "token_sha256": token_id.bytes * 2,
                        "created_at": now,
                        "public_key": public,
                        "last_proof_ns": 0,
                    }
                )
                rows.append(
                    whose
                    | {
                        "agent_id": agent_id,
                        "token_id": token_id,
                        "version": {"version": "1"},
                        "inventory": {},
                        "enrolled_at": now,
                        "seen_at": now,
                        "last_command": 0,
                        "refusals": [],
                    }
                )
                agents.append(Agent(str(agent_id), str(token_id), key))
            session.execute(insert(AccessToken), tokens)
            session.execute(insert(ServingAgent), rows)
    return agents


async def measure(
    api: Api, meter: Meter, agents: Sequence[Agent], engineer: str, seconds: float
) -> tuple[float, float, float]:
    """Return the processor seconds of all first turns, the cores used while all wait, and a campaign's delay.

    The delay is in seconds, from the request that starts the campaign to the agent's reply from its poll.
    """
    places = asyncio.Semaphore(_AT_ONCE)

    async def begin(agent: Agent) -> None:
        async with places:
            await agent.turn(api.port)

    before = meter.read()
    await asyncio.gather(*(begin(agent) for agent in agents))
    after = meter.read()
    turns_s = after[0] - before[0] + after[1] - before[1]
    waiting = [asyncio.create_task(agent.wait()) for agent in agents]
    await asyncio.sleep(2.0)
    before, began = meter.read(), time.perf_counter()
    await asyncio.sleep(seconds)
    after, lasted_s = meter.read(), time.perf_counter() - began
    if ended := [task for task in waiting if task.done()]:
        raise SystemExit(f"{len(ended)} agents did not wait: {ended[0].result()!r}")
    print(
        f"  waiting   API {(after[0] - before[0]) / lasted_s:.3f} cores, PostgreSQL"
        f" {(after[1] - before[1]) / lasted_s:.3f} cores, over {lasted_s:.0f} s;"
        f" {min(agent.blanks for agent in agents)} to {max(agent.blanks for agent in agents)} blanks each"
    )
    caller = Agent("", "", agents[0].key)
    caller.reader, caller.writer = await asyncio.open_connection("127.0.0.1", api.port)
    body = {"title": "t", "plan": "p", "target": "redis://db", "agents": [agents[0].agent_id]}
    called = time.perf_counter()
    await caller._send("POST", "/api/v1/campaigns", body, f"Authorization: Bearer {engineer}\r\n")
    answer = await waiting[0]
    heard_s = time.perf_counter() - called
    if b'"commands":[{' not in answer:
        raise SystemExit(f"the called agent heard {answer!r}")
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    cores = (after[0] - before[0] + after[1] - before[1]) / lasted_s
    return turns_s, cores, heard_s


def main() -> int:
    """Measure and print the figures; return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--agents", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=60.0, help="how long waiting is measured")
    chosen = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    print("  machine   " + ", ".join(f"{key} {value}" for key, value in machine().items()))
    with installation() as (api, _, home):
        settings = Settings(database_url=api.database_url, redis_url="redis://unused")
        database = Database.from_settings(settings)
        agents = enrol(database, chosen.agents)
        with database.transaction() as session:
            _, engineer = create_token(session, "fleet 0", "bench", "engineer", utc_now())
        database.dispose()
        meter = Meter(api, settings, home / "postgres")
        turns_s, waiting, heard_s = asyncio.run(measure(api, meter, agents, engineer, chosen.seconds))
        memory = api.memory_mb()
    turns = turns_s / AGENT_WAIT_SECONDS
    print(
        f"  turns     {1000 * turns_s / len(agents):.1f} ms of processor for one (API and PostgreSQL):"
        f" {turns:.3f} cores where each asks every {AGENT_WAIT_SECONDS} s"
    )
    print(
        f"  together  {waiting + turns:.3f} cores for {len(agents):,} agents (bound {MOST_CORES}); memory of"
        f" the API {memory:.0f} MB; a called one heard after {heard_s:.2f} s"
    )
    return int(waiting + turns > MOST_CORES)


if __name__ == "__main__":
    sys.exit(main())
