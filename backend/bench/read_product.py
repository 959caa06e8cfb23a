"""An API with organisations, readers and runs, for measurements of reading.

A single run is measured and judged, then copied by SQL for every organisation.
"""

import os
import random
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
import numpy as np
import psycopg
from backend.bench.ingest import Api, make_bodies, make_samples, prepared, servers
from backend.bench.many_runs import copies
from backend.bench.readers import form_of, run_client
from sqlalchemy import text

from tailroom.access.service import create_token
from tailroom.cli.reference import bring_reference
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.kit.settings import Settings

GOAL_IDLE_MS = 200
_MEMORY_EVERY = 20
"""Samples between readings of the memory, because summing shared pages is slow."""
READERS, ORGANISATIONS, RUNS_EACH, AGENTS = 1_000, 20, 50, 50
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
    """Return the paths that a reader requests: the lists, and the page of one of the runs."""
    run_id = random.choice(run_ids)  # noqa: S311 - nothing is secret here
    return [*_OTHER_PAGES, *(f"/api/v1/runs/{run_id}{part}" for part in _RUN_PAGE)]


class Watch(threading.Thread):
    """Samples idle transactions every 50 ms, and the memory of the API every second."""

    def __init__(self, url: str, api: Api) -> None:
        super().__init__(daemon=True)
        self._url, self._api = url.replace("postgresql+psycopg", "postgresql"), api
        self._ending = threading.Event()
        self.longest_idle_ms = 0.0
        self.idle: Counter[str] = Counter()
        self.samples = 0
        self.memory_mb = 0.0

    def run(self) -> None:
        """Sample until `end` is called."""
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
                if self.samples % _MEMORY_EVERY == 1:
                    self.memory_mb = max(self.memory_mb, self._api.memory_mb())

    def end(self) -> None:
        """Stop sampling and wait for the thread."""
        self._ending.set()
        self.join()


class Product:
    """The measured product: an API with organisations, readers and runs."""

    def __init__(self, settings: Settings, api: Api, folder: Path) -> None:
        self.api = api
        self._settings, self._folder = settings, folder
        self._database = Database(settings.database_url, pool_size=2)
        self.readers: list[dict[str, Any]] = []
        self.agents: list[str] = []
        self.owners: list[tuple[UUID, str]] = []
        self.template = UUID(int=0)

    def fill(self) -> None:
        """Measure and judge one run, then copy it for all organisations."""
        with self._database.transaction() as session:
            token, agent = create_token(session, "organisation 0", "bench", "agent", utc_now())
            self.owners.append((token.organisation_id, agent))
        self.template = self._measured(agent)
        for number in range(ORGANISATIONS):
            with self._database.transaction() as session:
                token, _ = create_token(session, f"organisation {number}", "first", "viewer", utc_now())
                owner = token.organisation_id
                run_ids = [str(run_id) for run_id in copies(session, self.template, owner, RUNS_EACH)]
                for _ in range(READERS // ORGANISATIONS):
                    _, viewer = create_token(session, f"organisation {number}", "reader", "viewer", utc_now())
                    self.readers.append({"token": viewer, "paths": paths_of(run_ids)})
                for _ in range(max(1, AGENTS // ORGANISATIONS)):
                    _, agent = create_token(session, f"organisation {number}", "agent", "agent", utc_now())
                    self.agents.append(agent)
        with self._database.engine.connect() as connection:
            connection.execution_options(isolation_level="AUTOCOMMIT").execute(text("VACUUM ANALYZE"))

    def _measured(self, agent: str) -> UUID:
        """Measure and judge a run of an hour; return its ID."""
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
        """Wait until the run is judged and no work is due; exit after two minutes."""
        until = time.monotonic() + 120
        while time.monotonic() < until:
            with self._database.transaction() as session:
                verdict = session.scalar(
                    text(
                        "SELECT is_final AND NOT EXISTS (SELECT FROM work WHERE subject = :run_id)"
                        " FROM analysis_state WHERE run_id = :run_id AND audit_version > 0"
                    ),
                    {"run_id": run_id},
                )
            if verdict:
                return
            time.sleep(0.25)
        raise SystemExit("the run was not judged within two minutes")

    @contextmanager
    def _worker(self) -> Iterator[None]:
        """Run a Celery worker with beat."""
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
        """Return the processor seconds that the API has used so far."""
        return self.api.cpu_s()

    def burst(self) -> dict[str, Any]:
        """Send one request of every reader at once; return the client's result."""
        return run_client({"kind": "burst", "port": self.api.port, "readers": self.readers, "seconds": 0})

    def steady(self, seconds: float, think_s: float) -> dict[str, Any]:
        """Let readers read repeatedly while agents stream; return the client's result."""
        rng = np.random.default_rng(7)
        samples = make_samples(100, rng)
        bodies = make_bodies(samples, int(seconds) + 2, rng, intervals_each=1)
        return run_client(
            {
                "kind": "steady",
                "port": self.api.port,
                "readers": self.readers,
                "agents": (self.agents * AGENTS)[:AGENTS],
                "bodies": [body.hex() for body in bodies],
                "seconds": seconds,
                "think_s": think_s,
            }
        )

    def each(self, times: int) -> dict[str, tuple[float, int]]:
        """Return the API's processor time per response in ms, and its bytes, for each kind of path.

        Requests are sequential, each by a different reader, so that no response is shared.
        """
        by_path: dict[str, tuple[float, int]] = {}
        with httpx.Client(base_url=f"http://127.0.0.1:{self.api.port}", timeout=60) as http:
            for place in range(len(_OTHER_PAGES) + len(_RUN_PAGE)):
                chosen = random.sample(self.readers, times)
                before, size = 0.0, 0
                for number, reader in enumerate(chosen):
                    headers = {"Authorization": f"Bearer {reader['token']}", "Accept-Encoding": "identity"}
                    size = len(http.get(reader["paths"][place], headers=headers).raise_for_status().content)
                    if number == 0:  # the first request includes one-time work
                        before = self.api_busy_s()
                busy_ms = (self.api_busy_s() - before) * 1000 / (times - 1)
                by_path[form_of(chosen[0]["paths"][place])] = busy_ms, size
        return by_path

    def million(self, count: int) -> dict[str, float]:
        """Return median times (ms) of the list and of a run's page, with `count` more runs stored."""
        owner = self.owners[0][0]
        with self._database.transaction() as session:
            copies(session, self.template, owner, count, in_full=False)
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
def product(processes: int = 1) -> Iterator[tuple[Product, Settings]]:
    """Start PostgreSQL, Valkey and an API; yield the product and its settings; remove all at the end."""
    with servers(requests_per_minute=10**9) as settings:
        with prepared(settings) as session:
            bring_reference(session)
        with Api(settings, settings.home, processes) as api:
            yield Product(settings, api, settings.home), settings
