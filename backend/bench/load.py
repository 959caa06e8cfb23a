"""How the API answers when a thousand people read at once and fifty agents send: over HTTP, on loopback.

Starts an own PostgreSQL (fsync on), an own Valkey and one `tailroom serve`; the client is a second process on
the same cores. One run is measured and judged for real, then copied by SQL for every organisation.

* A burst: every reader asks once, all at the same moment, each with a token of his own; several times.
* Steady: every reader asks, reads for some seconds, asks again, while agents stream four series each.
* A million runs: the list of runs and a run's page, one after another, with that many on record.

Prints how long answers took, refusals, the memory of the API, and transactions that PostgreSQL saw idle for
longer than 200 ms. Run it with `make bench-load`, or `python -m backend.bench.load --help`.
"""

import argparse
import asyncio
import json
import os
import random
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import msgspec
import numpy as np
import psutil
import psycopg
from backend.bench.ingest import Api, machine, make_bodies, make_samples
from backend.bench.many_runs import copies
from sqlalchemy import text

from tailroom.access.service import create_token
from tailroom.cli.reference import bring_reference
from tailroom.embedded.postgres import EmbeddedPostgres
from tailroom.embedded.valkey import EmbeddedValkey
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.kit.migrations import migrate
from tailroom.kit.settings import Settings
from tailroom.storage.partitions import create_partitions

GOAL_P95_MS, GOAL_INGEST_P99_MS, GOAL_MEMORY_MB, GOAL_IDLE_MS, GOAL_PAGE_MS = 1000, 250, 400, 200, 50
READERS, ORGANISATIONS, RUNS_EACH, AGENTS = 1_000, 20, 50, 50
_RUN_ID = re.compile(r"[0-9a-f-]{36}")
_RUN_PAGE = ("", "/timeline", "/percentiles", "/exceedance", "/findings", "/course")
_OTHER_PAGES = (
    "/api/v1/runs",
    "/api/v1/runs?limit=200",
    "/api/v1/leaderboard",
    "/api/v1/drives?limit=50",
    "/api/v1/publications",
    "/api/v1/catalogue/drive",
    "/api/v1/budgets",
    "/api/v1/uploads",
    "/api/v1/session",
)


def paths_of(run_ids: Sequence[str]) -> list[str]:
    """What one reader asks for: the lists and one run's page."""
    run_id = random.choice(run_ids)  # noqa: S311 - nothing is secret here
    return [*_OTHER_PAGES, *(f"/api/v1/runs/{run_id}{part}" for part in _RUN_PAGE)]


def form_of(path: str) -> str:
    """The same for every run."""
    return _RUN_ID.sub("…", path.removeprefix("/api/v1"))


# --- the client, a process of its own ---------------------------------------------------------------------


class Connection:
    """One kept-alive connection, with as little of HTTP as the measurement needs."""

    def __init__(self, port: int, token: str) -> None:
        self._port, self._token = port, token
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def ask(
        self, path: str, body: bytes | None = None, headers: str = "", method: str = "GET"
    ) -> tuple[int, float]:
        """Status (0: no answer) and seconds until the last byte."""
        began = time.perf_counter()
        try:
            async with asyncio.timeout(60):
                status = await self._ask(path, body, headers, method)
        except (OSError, EOFError, TimeoutError, ValueError):
            self.close()
            status = 0
        return status, time.perf_counter() - began

    async def open(self) -> None:
        """Connects ahead of the first request."""
        if self._writer is None:
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)

    async def _ask(self, path: str, body: bytes | None, headers: str, method: str) -> int:
        await self.open()
        assert self._reader is not None  # noqa: S101 - opened
        assert self._writer is not None  # noqa: S101 - opened
        length = "" if body is None else f"Content-Length: {len(body)}\r\n"
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {self._token}\r\n"
        self._writer.write(f"{head}{headers}{length}\r\n".encode() + (body or b""))
        answer = (await self._reader.readuntil(b"\r\n\r\n")).lower()
        at = answer.find(b"content-length:")
        if at >= 0:
            await self._reader.readexactly(int(answer[at + 15 : answer.index(b"\r\n", at)]))
        else:
            while (size := int(await self._reader.readline(), 16)) > 0:
                await self._reader.readexactly(size + 2)
            await self._reader.readexactly(2)
        return int(answer[9:12])

    def close(self) -> None:
        """Leaves."""
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None


async def client(work: dict[str, Any]) -> dict[str, Any]:
    """Does what `work` says, and what came of it."""
    readers = [(Connection(work["port"], one["token"]), one["paths"]) for one in work["readers"]]
    found: list[tuple[int, float, str]] = []
    sent: list[tuple[int, float]] = []
    began_s, busy_s = time.monotonic(), time.process_time()
    until = began_s + work["seconds"]

    async def read_once(connection: Connection, path: str) -> None:
        found.append((*await connection.ask(path), form_of(path)))

    async def read_on(connection: Connection, paths: list[str]) -> None:
        await asyncio.sleep(random.uniform(0, work["think_s"]))  # noqa: S311 - nothing is secret here
        while time.monotonic() < until:
            # A page asks for all its parts at once; one connection has them one after another.
            await read_once(connection, random.choice(paths))  # noqa: S311
            await asyncio.sleep(random.uniform(0.5, 1.5) * work["think_s"])  # noqa: S311

    async def stream(token: str, bodies: list[bytes], number: int) -> None:
        connection, run_id = Connection(work["port"], token), str(new_id())
        announcement = {
            "run_id": run_id,
            "title": "load",
            "workload": "act-storage",
            "started_at_unix_ns": time.time_ns(),
            "planned_duration_ns": 10**12,
            "agent": {"version": "bench", "commit": None},
            "host": {"hostname": f"host-{number}"},
            "plan": {},
        }
        body = msgspec.json.encode(announcement)
        await asyncio.sleep(number / 50)
        await connection.ask("/api/v1/runs", body, "Content-Type: application/json\r\n", "POST")
        headers = "Content-Type: application/msgpack\r\nContent-Encoding: zstd\r\n"
        for body in bodies:
            if time.monotonic() > until:
                return
            next_at = time.monotonic() + 1.0
            sent.append(await connection.ask(f"/api/v1/runs/{run_id}/intervals", body, headers, "POST"))
            await asyncio.sleep(max(0.0, next_at - time.monotonic()))

    if work["kind"] == "burst":
        await asyncio.gather(*(connection.open() for connection, _ in readers))
        await asyncio.gather(*(read_once(one, random.choice(paths)) for one, paths in readers))  # noqa: S311
    else:
        bodies = [bytes.fromhex(one) for one in work["bodies"]]
        await asyncio.gather(
            *(read_on(connection, paths) for connection, paths in readers),
            *(stream(token, bodies, number) for number, token in enumerate(work["agents"])),
        )
    for connection, _ in readers:
        connection.close()
    took_s = time.monotonic() - began_s
    return {"read": found, "sent": sent, "share": (time.process_time() - busy_s) / took_s}


def run_client(work: dict[str, Any]) -> dict[str, Any]:
    """The client in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "backend.bench.load", "--client"],
        input=json.dumps(work).encode(),
        stdout=subprocess.PIPE,
        check=True,
        timeout=300,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


# --- the product --------------------------------------------------------------------------------------------


class Watch(threading.Thread):
    """Looks every 50 ms at transactions that are idle, and at the memory of the API."""

    def __init__(self, url: str, pid: int) -> None:
        super().__init__(daemon=True)
        self._url, self._process = url.replace("postgresql+psycopg", "postgresql"), psutil.Process(pid)
        self._ending = threading.Event()
        self.longest_idle_ms = 0.0
        self.idle: Counter[str] = Counter()
        self.samples = 0
        self.memory_mb = 0.0

    def run(self) -> None:
        """Until `end`."""
        with psycopg.connect(self._url, autocommit=True) as connection:
            while not self._ending.wait(0.05):
                rows = connection.execute(
                    "SELECT extract(epoch FROM clock_timestamp() - state_change) * 1000, left(query, 90)"
                    " FROM pg_stat_activity WHERE state LIKE 'idle in transaction%%'"
                    " AND application_name = 'tailroom'"
                ).fetchall()
                self.samples += 1
                for idle_ms, query in rows:
                    self.longest_idle_ms = max(self.longest_idle_ms, float(idle_ms))
                    if idle_ms > GOAL_IDLE_MS:
                        self.idle[" ".join(query.split())] += 1
                self.memory_mb = max(self.memory_mb, self._process.memory_info().rss / 2**20)

    def end(self) -> None:
        """Stops looking."""
        self._ending.set()
        self.join()


class Product:
    """What is measured: an API with organisations, readers and runs."""

    def __init__(self, settings: Settings, api: Api, folder: Path) -> None:
        self.api = api
        self._settings, self._folder = settings, folder
        self._database = Database(settings.database_url, pool_size=2)
        self.readers: list[dict[str, Any]] = []
        self.agents: list[str] = []
        self.owners: list[tuple[UUID, str]] = []
        self.template = UUID(int=0)

    def fill(self) -> None:
        """One run measured and judged for real, then copied for everybody."""
        with self._database.transaction() as session:
            token, agent = create_token(session, "organisation 0", "bench", "agent", utc_now())
            self.owners.append((token.organisation_id, agent))
        self.template = self._measured(agent)
        for number in range(ORGANISATIONS):
            with self._database.transaction() as session:
                token, _ = create_token(session, f"organisation {number}", "first", "viewer", utc_now())
                owner = token.organisation_id
                run_ids = [str(one) for one in copies(session, self.template, owner, RUNS_EACH)]
                for _ in range(READERS // ORGANISATIONS):
                    _, viewer = create_token(session, f"organisation {number}", "reader", "viewer", utc_now())
                    self.readers.append({"token": viewer, "paths": paths_of(run_ids)})
                for _ in range(max(1, AGENTS // ORGANISATIONS)):
                    _, agent = create_token(session, f"organisation {number}", "agent", "agent", utc_now())
                    self.agents.append(agent)
        with self._database.engine.connect() as connection:
            connection.execution_options(isolation_level="AUTOCOMMIT").execute(text("VACUUM ANALYZE"))

    def _measured(self, agent: str) -> UUID:
        rng = np.random.default_rng(20261122)
        bodies = make_bodies(make_samples(200, rng), 6, rng)
        run_id = str(new_id())
        with httpx.Client(
            base_url=f"http://127.0.0.1:{self.api.port}", headers={"Authorization": f"Bearer {agent}"}
        ) as http:
            answer = http.post(
                "/api/v1/runs",
                json={
                    "run_id": run_id,
                    "title": "an hour of a drive",
                    "workload": "act-storage",
                    "started_at_unix_ns": time.time_ns() - 3_600_000_000_000,
                    "planned_duration_ns": 3_600_000_000_000,
                    "agent": {"version": "bench", "commit": None},
                    "host": {"hostname": "bench"},
                    "plan": {},
                },
            )
            answer.raise_for_status()
            headers = {"Content-Type": "application/msgpack", "Content-Encoding": "zstd"}
            for body in bodies:
                http.post(
                    f"/api/v1/runs/{run_id}/intervals", content=body, headers=headers
                ).raise_for_status()
            end = {
                "outcome": "completed",
                "reason": None,
                "duration_ns": 3_600_000_000_000,
                "last_seq": {str(number): 359 for number in range(4)},
            }
            http.post(f"/api/v1/runs/{run_id}/finish", json=end).raise_for_status()
        with self._worker():
            self._await_verdict(run_id)
        return UUID(run_id)

    def _await_verdict(self, run_id: str) -> None:
        until = time.monotonic() + 120
        while time.monotonic() < until:
            with self._database.transaction() as session:
                found = session.scalar(
                    text(
                        "SELECT is_final AND NOT EXISTS (SELECT FROM work WHERE subject = :run_id)"
                        " FROM analysis_state WHERE run_id = :run_id AND audit_version > 0"
                    ),
                    {"run_id": run_id},
                )
            if found:
                return
            time.sleep(0.25)
        raise SystemExit("the run was not judged within two minutes")

    @contextmanager
    def _worker(self) -> Iterator[None]:
        environment = os.environ | {
            "TAILROOM_DATABASE_URL": self._settings.database_url,
            "TAILROOM_REDIS_URL": self._settings.redis_url,
            "TAILROOM_HOME": str(self._folder),
        }
        celery = [sys.executable, "-m", "celery", "--app", "tailroom_workers.app:app", "--quiet", "worker"]
        with (self._folder / "worker.log").open("wb") as log:
            worker = subprocess.Popen(  # noqa: S603 - our own program
                [*celery, "-B", "--concurrency", "1", "--schedule", str(self._folder / "beat")],
                env=environment,
                stdout=log,
                stderr=log,
            )
        try:
            yield
        finally:
            worker.terminate()
            worker.wait(30)

    def api_busy_s(self) -> float:
        """Processor time that the API has used so far, in seconds."""
        used = psutil.Process(self.api.pid).cpu_times()
        return float(used.user + used.system)

    def burst(self) -> dict[str, Any]:
        """Everybody at once."""
        return run_client({"kind": "burst", "port": self.api.port, "readers": self.readers, "seconds": 0})

    def steady(self, seconds: float, think_s: float) -> dict[str, Any]:
        """Readers read on, agents stream."""
        rng = np.random.default_rng(7)
        samples = make_samples(100, rng)
        bodies = make_bodies(samples, int(seconds) + 2, rng, intervals_each=1)
        return run_client(
            {
                "kind": "steady",
                "port": self.api.port,
                "readers": self.readers,
                "agents": (self.agents * AGENTS)[:AGENTS],
                "bodies": [one.hex() for one in bodies],
                "seconds": seconds,
                "think_s": think_s,
            }
        )

    def each(self, times: int) -> dict[str, tuple[float, int]]:
        """Processor time of the API for one answer of each kind, in ms, and its bytes: one after another,
        each by another reader, so that nothing is shared.
        """
        found: dict[str, tuple[float, int]] = {}
        with httpx.Client(base_url=f"http://127.0.0.1:{self.api.port}", timeout=60) as http:
            for place in range(len(_OTHER_PAGES) + len(_RUN_PAGE)):
                chosen = random.sample(self.readers, times)
                before, size = 0.0, 0
                for number, reader in enumerate(chosen):
                    headers = {"Authorization": f"Bearer {reader['token']}", "Accept-Encoding": "identity"}
                    size = len(http.get(reader["paths"][place], headers=headers).raise_for_status().content)
                    if number == 0:  # what is made once is not counted
                        before = self.api_busy_s()
                busy_ms = (self.api_busy_s() - before) * 1000 / (times - 1)
                found[form_of(chosen[0]["paths"][place])] = busy_ms, size
        return found

    def million(self, count: int) -> dict[str, float]:
        """Medians of the list and of a run's page, with so many runs of one organisation on record, in ms."""
        owner = self.owners[0][0]
        with self._database.transaction() as session:
            copies(session, self.template, owner, count, whole=False)
        with self._database.engine.connect() as connection:
            connection.execution_options(isolation_level="AUTOCOMMIT").execute(text("VACUUM ANALYZE run"))
        reader = self.readers[0]
        figures = {}
        with httpx.Client(
            base_url=f"http://127.0.0.1:{self.api.port}",
            headers={"Authorization": f"Bearer {reader['token']}"},
            timeout=60,
        ) as http:
            page = next(path for path in reader["paths"] if path.endswith("/findings")).rpartition("/")[0]
            for path in ("/api/v1/runs", "/api/v1/runs?scope=mine&state=running", page):
                took = []
                for _ in range(21):
                    began = time.perf_counter()
                    http.get(path).raise_for_status()
                    took.append((time.perf_counter() - began) * 1000)
                figures["a run" if path == page else path] = float(np.median(took[1:]))
        return figures


@contextmanager
def product() -> Iterator[tuple[Product, Settings]]:
    """PostgreSQL, Valkey and one API of its own; all gone at the end."""
    import tempfile  # noqa: PLC0415 - not for the client

    with tempfile.TemporaryDirectory(prefix="tailroom-bench-") as folder_name:
        folder = Path(folder_name)
        with (
            EmbeddedPostgres.start(folder / "postgres", folder / "postgres.log") as postgres,
            EmbeddedValkey.start(folder / "valkey", folder / "valkey.log") as valkey,
        ):
            postgres.create_database("tailroom")
            settings = Settings(
                database_url=postgres.url(),
                redis_url=valkey.url,
                home=folder,
                requests_per_minute=10**9,
            )
            database = Database(settings.database_url, pool_size=1)
            migrate(database.engine, settings.migrations_dir)
            create_partitions(database.engine, utc_now(), 1)
            with database.transaction() as session:
                bring_reference(session)
            database.dispose()
            with Api(settings, folder) as api:
                yield Product(settings, api, folder), settings


def told_by_path(found: list[list[Any]]) -> None:
    """Prints what waited longest."""
    by_path: dict[str, list[float]] = {}
    for _, seconds, path in found:
        by_path.setdefault(path, []).append(1000 * seconds)
    worst = sorted(by_path.items(), key=lambda one: -float(np.quantile(one[1], 0.95)))
    for path, times_ms in worst:
        p50, p95 = (float(np.quantile(times_ms, one, method="higher")) for one in (0.5, 0.95))
        print(f"              {path:<28} {len(times_ms):>5} answers, p50 {p50:,.0f} ms, p95 {p95:,.0f} ms")


def told(name: str, found: list[list[Any]], goal_quantile: float, goal_ms: float) -> bool:
    """Prints one line of figures; whether the goal is reached."""
    statuses = Counter(int(one[0]) for one in found)
    if not found:
        return True
    times_ms = np.array([one[1] for one in found]) * 1000
    at_goal = float(np.quantile(times_ms, goal_quantile, method="higher"))
    failed = sum(number for status, number in statuses.items() if status == 0 or status >= 400)
    p50, p99 = (float(np.quantile(times_ms, one, method="higher")) for one in (0.5, 0.99))
    print(
        f"  {name:<12} {len(found):>6} answers, {failed} refused or lost {dict(sorted(statuses.items()))},"
        f" p50 {p50:,.0f} ms, p{goal_quantile * 100:.0f} {at_goal:,.0f} ms (goal {goal_ms:,}),"
        f" p99 {p99:,.0f} ms, max {times_ms.max():,.0f} ms"
    )
    return failed == 0 and at_goal <= goal_ms


def main() -> None:
    """Sets up, measures, prints."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--each", type=int, default=50, help="answers of each kind, asked alone; 0: none")
    parser.add_argument("--bursts", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=20.0, help="of the steady part")
    parser.add_argument("--think", type=float, default=5.0, help="seconds that a reader reads, on average")
    parser.add_argument("--runs", type=int, default=1_000_000, help="rows of the last part; 0 leaves it out")
    parser.add_argument("--client", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.client:
        print(json.dumps(asyncio.run(client(json.load(sys.stdin)))))
        return
    print(f"Load: {READERS:,} readers of {ORGANISATIONS} organisations, {AGENTS} agents, one API process")
    print("  machine     " + ", ".join(f"{name} {value}" for name, value in machine().items()))
    is_reached = []
    with product() as (found, settings):
        found.fill()
        watch = Watch(settings.database_url, found.api.pid)
        watch.start()
        for path, (busy_ms, size) in found.each(chosen.each).items() if chosen.each else ():
            print(f"  {path:<28} {busy_ms:5.2f} ms of the API's processor time alone, {size / 1024:,.0f} KiB")
        for number in range(chosen.bursts):
            busy_s = found.api_busy_s()
            burst = found.burst()
            each_ms = (found.api_busy_s() - busy_s) * 1000 / max(1, len(burst["read"]))
            is_reached.append(told(f"burst {number + 1}", burst["read"], 0.95, GOAL_P95_MS))
            print(
                f"              {each_ms:.2f} ms of the API's processor time an answer;"
                f" the client took {burst['share']:.0%} of one core"
            )
        steady = found.steady(chosen.seconds, chosen.think)
        print(f"  steady      the client took {steady['share']:.0%} of one core")
        is_reached.append(told("readers", steady["read"], 0.95, GOAL_P95_MS))
        told_by_path(steady["read"])
        is_reached.append(told("agents", steady["sent"], 0.99, GOAL_INGEST_P99_MS))
        watch.end()
        print(
            f"  idle        longest idle transaction {watch.longest_idle_ms:.0f} ms (goal {GOAL_IDLE_MS}) in"
            f" {watch.samples} looks"
        )
        for query, number in watch.idle.most_common(5):
            print(f"              {number} × {query}")
        print(f"  memory      {watch.memory_mb:.0f} MB of the API at most (goal {GOAL_MEMORY_MB})")
        is_reached += [watch.longest_idle_ms <= GOAL_IDLE_MS, watch.memory_mb <= GOAL_MEMORY_MB]
        if chosen.runs:
            for name, took_ms in found.million(chosen.runs).items():
                print(
                    f"  {chosen.runs:,} runs: {name} in {took_ms:.1f} ms (median of 20, goal {GOAL_PAGE_MS})"
                )
                is_reached.append(took_ms <= GOAL_PAGE_MS)
    sys.exit(0 if all(is_reached) else 1)


if __name__ == "__main__":
    main()
