"""Traffic of a soak: simulated agents, a real agent, uploads, readers, open pages, backups and retention.

Used by `make bench-soak`.
"""

import asyncio
import contextlib
import itertools
import os
import random
import shutil
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import httpx
import msgspec
from backend.bench.readers import Connection
from backend.bench.simulate_fleet import Recording
from backend.chaos.product import AGENT, ROOT, Product
from sqlalchemy import text

from tailroom.access.service import create_token
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.kit.lanes import HOUSEKEEPING
from tailroom.kit.local_services import LocalServices, services_file
from tailroom.kit.task_queue import HOUSEKEEP, TaskQueue

_UPLOADED = ROOT / "backend" / "tests" / "importers" / "samples" / "distribution" / "two-regimes.json"
_PACKED = "Content-Type: application/msgpack\r\nContent-Encoding: zstd\r\n"
_JSON = "Content-Type: application/json\r\n"
_LISTS = ("/api/v1/runs", "/api/v1/runs?limit=200", "/api/v1/leaderboard", "/api/v1/uploads")
_PARTS = ("", "/timeline", "/percentiles", "/findings")
_PLAN = """title = "soak, a real agent"
workload = "act-storage"
duration_s = 20
histogram_every_s = 10
[act_storage]
path = "/nonexistent/unused.dat"
engine = "null"
load_multiple = 1.0
seed = 1
"""
_RUNS_SHOWN = 40


class Traffic:
    """All clients of one product, until they are cancelled."""

    def __init__(self, product: Product, recording: Recording, pace: float, upkeep_every_s: float) -> None:
        """Connect to the product; `pace` is the simulated agents' share of a real agent's pace."""
        self.counted: Counter[str] = Counter()
        self.home = product.token_file.parent
        self.spool = product.folder / "spool"
        services = msgspec.json.decode(services_file(self.home).read_bytes(), type=LocalServices)
        self.database = Database(services.database_url, pool_size=2)
        self._product, self._recording, self._pace = product, recording, pace
        self._upkeep_every_s = upkeep_every_s
        self._queue = TaskQueue(services.redis_url)
        self._agent = product.token_file.read_text().strip()
        with self.database.transaction() as session:
            self._engineer = create_token(session, "local", "soak", "engineer", utc_now())[1]
        self._runs: list[str] = []
        self._finished: list[str] = []

    async def run(self, agents: int, readers: int, pages: int, seconds: float) -> None:
        """Run all clients for `seconds`, then count the finished runs that are stored as finished."""
        tasks = [
            *(self._send(number / agents) for number in range(agents)),
            *(self._read() for _ in range(readers)),
            *(self._watch() for _ in range(pages)),
            self._upload(),
            self._real_agent(),
            self._upkeep(),
        ]
        running = [asyncio.create_task(task) for task in tasks]
        ended, _ = await asyncio.wait(running, timeout=seconds, return_when=asyncio.FIRST_EXCEPTION)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        with self.database.transaction() as session:
            whole_runs = text(
                "SELECT count(*) FROM run WHERE run_id = ANY(CAST(:ids AS uuid[])) AND state = 'finished'"
            )
            there = int(session.scalar(whole_runs, {"ids": self._finished}) or 0)
        self.counted["whole runs"] = there
        if lost := len(self._finished) - there:
            self.counted["runs that are not whole failed"] = lost
        self.database.dispose()
        for task in ended:
            task.result()

    def _note(self, what: str, status: int) -> None:
        """Count a response; status 0 means no response."""
        self.counted[what if status < 400 and status else f"{what} answered {status}"] += 1

    async def _send(self, offset: float) -> None:
        """Send the runs of a simulated agent one after another; retry refused messages."""
        connection = Connection(self._product.port, self._agent)
        await asyncio.sleep(offset * self._recording.seconds / self._pace)
        finish = msgspec.json.encode(self._recording.finish)
        second_s = self._recording.seconds / len(self._recording.bodies) / self._pace
        while True:
            run_id = str(new_id())
            announced = self._recording.announcement | {
                "run_id": run_id,
                "started_at_unix_ns": time.time_ns(),
            }
            await self._deliver(connection, "/api/v1/runs", msgspec.json.encode(announced), _JSON)
            self._runs = [*self._runs, run_id][-_RUNS_SHOWN:]
            next_at = time.monotonic()
            for body in self._recording.bodies:
                await self._deliver(connection, f"/api/v1/runs/{run_id}/intervals", body, _PACKED)
                next_at += second_s
                await asyncio.sleep(max(0.0, next_at - time.monotonic()))
            await self._deliver(connection, f"/api/v1/runs/{run_id}/finish", finish, _JSON)
            self._finished.append(run_id)

    async def _deliver(self, connection: Connection, path: str, body: bytes, headers: str) -> None:
        """Post a message until it is accepted."""
        while True:
            status, _ = await connection.ask(path, body, headers, "POST")
            self._note("messages", status)
            if 200 <= status < 300:
                return
            await asyncio.sleep(1.0)

    async def _read(self) -> None:
        """Act as a reader of lists and runs."""
        connection = Connection(self._product.port, self._engineer)
        while True:
            run_ids = self._runs
            paths = [*_LISTS, *(f"/api/v1/runs/{random.choice(run_ids)}{part}" for part in _PARTS if run_ids)]  # noqa: S311
            status, _ = await connection.ask(random.choice(paths))  # noqa: S311 - nothing is secret here
            self._note("pages", status)
            await asyncio.sleep(random.uniform(1.0, 3.0) / self._pace)  # noqa: S311

    async def _watch(self) -> None:
        """Act as an open page: follow a run for a minute, then the latest run."""
        headers = {"Authorization": f"Bearer {self._engineer}"}
        timeout = httpx.Timeout(30.0, read=60.0)
        async with httpx.AsyncClient(base_url=self._url, headers=headers, timeout=timeout) as client:
            while True:
                await asyncio.sleep(1.0)
                if not self._runs:
                    continue
                path, until = f"/api/v1/runs/{self._runs[-1]}/events", time.monotonic() + 60.0
                with contextlib.suppress(httpx.HTTPError):
                    async with client.stream("GET", path) as answer:
                        self._note("streams", answer.status_code)
                        async for _ in answer.aiter_bytes():
                            if time.monotonic() > until:
                                break

    async def _upload(self) -> None:
        """Upload a different file every few seconds."""
        headers = {"Authorization": f"Bearer {self._engineer}"}
        async with httpx.AsyncClient(base_url=self._url, headers=headers, timeout=60.0) as client:
            for number in itertools.count():
                content = _UPLOADED.read_bytes() + b" " * (number % 10_000 + 1)
                with contextlib.suppress(httpx.HTTPError):
                    answer = await client.post("/api/v1/uploads", files={"files": ("soak.json", content)})
                    self._note("uploads", answer.status_code)
                await asyncio.sleep(5.0 / self._pace)

    async def _real_agent(self) -> None:
        """Repeatedly run a real agent that measures without a device."""
        plan = self._product.folder / "soak.toml"
        plan.write_text(_PLAN)
        environment = os.environ | {
            "TAILROOM_BACKEND_URL": self._url,
            "TAILROOM_TOKEN_FILE": str(self._product.token_file),
        }
        command = [str(AGENT), "run", "--plan", str(plan), "--spool", str(self.spool), "--progress", "none"]
        while True:
            await self._command("runs of a real agent", command, environment)

    async def _upkeep(self) -> None:
        """Periodically create and verify a backup, and let housekeeping find runs past their retention."""
        environment = os.environ | {"TAILROOM_HOME": str(self.home)}
        tailroom = [sys.executable, "-m", "tailroom.cli.main", "backup"]
        for number in itertools.count():
            await asyncio.sleep(self._upkeep_every_s)
            folder = self._product.folder / f"backup {number}"
            await self._command("backups", [*tailroom, "create", str(folder)], environment)
            await self._command("backups verified", [*tailroom, "verify", str(folder)], environment)
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
            self.counted["runs past their retention"] += await asyncio.to_thread(self._age)
            self._queue.hint(HOUSEKEEP, queue=HOUSEKEEPING)

    def _age(self) -> int:
        """Set the time of the latest data of ended runs back by eight days; return their number.

        Housekeeping then deletes their ticks, whose retention has expired.
        """
        with self.database.transaction() as session:
            aged = session.execute(
                text(
                    "UPDATE run SET last_data_at = last_data_at - interval '8 days' WHERE expired_classes = 0"
                    " AND last_data_at BETWEEN now() - interval '1 day' AND now()"
                    " - make_interval(secs => :past)"
                ),
                {"past": self._upkeep_every_s},
            )
            return int(aged.rowcount)  # type: ignore[attr-defined]

    async def _command(self, what: str, command: list[str], environment: dict[str, str]) -> None:
        """Run a command, count its success or failure, and print its error output."""
        process = await asyncio.create_subprocess_exec(
            *command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        try:
            _, complaint = await process.communicate()
        except asyncio.CancelledError:
            process.terminate()
            await process.wait()
            raise
        self.counted[what] += process.returncode == 0
        if process.returncode:
            self.counted[f"{what} failed"] += 1
            print(f"{what}: {complaint.decode()[-300:]}", file=sys.stderr)

    @property
    def _url(self) -> str:
        return f"http://127.0.0.1:{self._product.port}"


def folder_bytes(folder: Path) -> int:
    """Return the total size of the files in a folder, in bytes."""
    total = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(OSError):
            total += path.lstat().st_size if path.is_file() else 0
    return total
