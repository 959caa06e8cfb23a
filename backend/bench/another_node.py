"""Add a second node to a Citus cluster while agents send; measure refusals, and throughput before and after.

The cluster is named by its coordinator in `TAILROOM_TEST_CITUS`. The database starts on the first node alone;
four connections send batches of their own runs without pause, then workers judge these runs. Then the second
node is added while agents send, the shards are rebalanced (`citus_rebalance_start`, see docs/operations.md),
and both measurements are repeated.

Print the transactions of each node, and the processor time of nodes on this machine. Two nodes on one machine
share its cores, so that the share of the work, not the speed, shows whether both serve.

Run with `make bench-node TAILROOM_TEST_CITUS=postgresql://…`. Exit with 1 if a batch was lost, or if the
second node serves less than a third of ingest or judging.
"""

import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any, Protocol

import httpx
import numpy as np
import psutil
import psycopg
from backend.bench.ingest import SERIES, Api, machine, make_bodies, make_samples, prepare
from backend.bench.simulate_fleet import judging
from backend.tests.agent import announcement
from backend.tests.citus import COORDINATOR, CitusCluster
from sqlalchemy import URL, make_url, text

from tailroom.embedded.valkey import EmbeddedValkey
from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.kit.settings import Settings

_NAME = "nodes"
_PHASE_S = 15.0
_LEAST_SHARE = 1 / 3
_JUDGED_WITHIN_S = 300.0
_RUN_BATCHES, INTERVALS_EACH = 10, 4
_PACKED = {"Content-Type": "application/msgpack", "Content-Encoding": "zstd"}
_TO_JUDGE = "SELECT count(*) FROM work WHERE kind = 'judge' AND subject = ANY(CAST(:ids AS uuid[]))"


class Listening(Protocol):
    """An API on a local port."""

    @property
    def port(self) -> int: ...


class Senders:
    """Agents that send the same batches as new runs and finish them; a refused message is retried."""

    def __init__(self, api: Listening, token: str, bodies: list[bytes], connections: int = 4) -> None:
        self.counted: Counter[str] = Counter()
        self.acknowledged: list[tuple[str, int]] = []
        self.finished: list[str] = []
        self._api, self._token, self._bodies = api, token, bodies
        last_seq = len(bodies) * INTERVALS_EACH - 1
        self._end = {
            "outcome": "completed",
            "reason": None,
            "duration_ns": 30_000_000_000,
            "last_seq": {str(number): last_seq for number in range(SERIES)},
        }
        self._ended = threading.Event()
        self._threads = [threading.Thread(target=self._send, daemon=True) for _ in range(connections)]
        for thread in self._threads:
            thread.start()

    def end(self) -> None:
        """Stop after the current runs; wait for all senders."""
        self._ended.set()
        for thread in self._threads:
            thread.join(60)

    def _send(self) -> None:
        headers = {"Authorization": f"Bearer {self._token}"}
        with httpx.Client(
            base_url=f"http://127.0.0.1:{self._api.port}", headers=headers, timeout=60
        ) as client:
            while not self._ended.is_set():
                run_id = str(new_id())
                message = announcement(run_id) | {"started_at_unix_ns": time.time_ns()}
                self._until_taken(client, "/api/v1/runs", json=message)
                path = f"/api/v1/runs/{run_id}/intervals"
                for number, body in enumerate(self._bodies, 1):
                    self._until_taken(client, path, content=body, headers=_PACKED)
                    self.acknowledged.append((run_id, number))
                self._until_taken(client, f"/api/v1/runs/{run_id}/finish", json=self._end)
                self.finished.append(run_id)

    def _until_taken(self, client: httpx.Client, path: str, **what: Any) -> None:
        while True:
            try:
                status = client.post(path, **what).status_code
            except httpx.TransportError:
                self.counted["not answered"] += 1
            else:
                self.counted["taken" if status < 300 else f"answered {status}"] += 1
                if status < 300:
                    return
            time.sleep(0.2)


def _conninfo(url: URL) -> str:
    return url.set(drivername="postgresql").render_as_string(hide_password=False)


class Served:
    """Transactions and processor time of each node since creation."""

    def __init__(self, nodes: list[URL], database: str) -> None:
        self._nodes, self._database, self._began = nodes, database, time.monotonic()
        self._before = self._read()

    def __str__(self) -> str:
        done, cpu_s = self._since()
        lasted_s = time.monotonic() - self._began
        cores = ", ".join(f"{seconds / lasted_s:.2f}" for seconds in cpu_s)
        return f"transactions of each node {[round(count) for count in done]}, cores {cores}"

    def share_of_second(self) -> float:
        """Return the second node's share of the transactions."""
        done, _ = self._since()
        return done[1] / max(1.0, sum(done))

    def _since(self) -> tuple[list[float], list[float]]:
        now = self._read()
        transactions, cpu_s = (
            [after - before for after, before in zip(now[kind], self._before[kind], strict=True)]
            for kind in (0, 1)
        )
        return transactions, cpu_s

    def _read(self) -> tuple[list[float], list[float]]:
        transactions, cpu_s = [], []
        for node in self._nodes:
            with psycopg.connect(_conninfo(node), autocommit=True) as connection:
                row = connection.execute(
                    "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = %s",
                    [self._database],
                ).fetchone()
                folder = connection.execute("SHOW data_directory").fetchone()
            transactions.append(0.0 if row is None else float(row[0]))
            cpu_s.append(0.0 if folder is None else _cpu_s(Path(folder[0]) / "postmaster.pid"))
        return transactions, cpu_s


def _cpu_s(pid_file: Path) -> float:
    """Return the processor seconds of a PostgreSQL server on this machine, ended child processes included."""
    server = psutil.Process(int(pid_file.read_text().split()[0]))
    own = server.cpu_times()
    seconds = own.user + own.system + own.children_user + own.children_system
    for child in server.children():
        times = child.cpu_times()
        seconds += times.user + times.system
    return float(seconds)


def judged_per_s(settings: Settings, folder: Path, database: Database, run_ids: list[str]) -> float:
    """Return the runs per second at which two worker processes judge finished runs.

    Time starts with the first judgement, so that the start of the workers does not count.
    """

    def left() -> int:
        with database.transaction() as session:
            return int(session.scalar(text(_TO_JUDGE), {"ids": run_ids}) or 0)

    until = time.monotonic() + _JUDGED_WITHIN_S
    with judging(settings, folder):
        while (first := left()) == len(run_ids) and time.monotonic() < until:
            time.sleep(0.05)
        began = time.perf_counter()
        while left() and time.monotonic() < until:
            time.sleep(0.05)
        rate = first / (time.perf_counter() - began)
    if left():
        sys.exit(f"{left()} of {len(run_ids)} runs were not judged within {_JUDGED_WITHIN_S:.0f} s")
    return rate


def main() -> int:
    """Measure with one node and with two; return the exit code."""
    if COORDINATOR is None:
        sys.exit("TAILROOM_TEST_CITUS names no coordinator")
    cluster = CitusCluster(COORDINATOR)
    nodes = cluster.nodes
    rng = np.random.default_rng(20261124)
    bodies = make_bodies(make_samples(50, rng), _RUN_BATCHES, rng, intervals_each=INTERVALS_EACH)
    print("  machine     " + ", ".join(f"{key} {value}" for key, value in machine().items()))
    shares, rates, acknowledged = [], [], 0
    with (
        tempfile.TemporaryDirectory(prefix="tailroom-nodes-") as name,
        EmbeddedValkey.start(Path(name) / "valkey", Path(name) / "valkey.log") as valkey,
    ):
        cluster.create_database(_NAME)
        settings = Settings(database_url=cluster.url(_NAME), redis_url=valkey.url, home=Path(name))
        token = prepare(settings)
        cluster.distribute(_NAME, nodes=nodes[:1])
        database = Database(settings.database_url, pool_size=1)
        with Api(settings, Path(name)) as api:
            for phase in ("one node", "two nodes"):
                if phase == "two nodes":
                    senders, began = Senders(api, token, bodies), time.monotonic()
                    _add(make_url(settings.database_url), nodes[1])
                    senders.end()
                    acknowledged += len(senders.acknowledged)
                    print(f"  spread in   {time.monotonic() - began:.0f} s: {dict(senders.counted)}")
                    judged_per_s(settings, Path(name), database, senders.finished)
                served, senders = Served(nodes, cluster.name(_NAME)), Senders(api, token, bodies)
                time.sleep(_PHASE_S)
                senders.end()
                acknowledged += len(senders.acknowledged)
                print(f"  {phase:<11} taken in: {dict(senders.counted)}; {served}")
                shares.append(served.share_of_second())
                served = Served(nodes, cluster.name(_NAME))
                rates.append(judged_per_s(settings, Path(name), database, senders.finished))
                print(f"  {phase:<11} judged: {rates[-1]:.2f} runs/s of {len(senders.finished)}; {served}")
                shares.append(served.share_of_second())
        with database.transaction() as session:
            stored = int(session.scalar(text("SELECT count(*) FROM interval")) or 0)
        database.dispose()
        cluster.stop()
    expected = acknowledged * SERIES * INTERVALS_EACH
    print(f"  stored      {stored:,} intervals, {expected:,} acknowledged")
    print(f"  judging     {rates[1] / rates[0]:.2f} × with two nodes")
    return int(stored < expected or min(shares[2:]) < _LEAST_SHARE)


def _add(coordinator: URL, node: URL) -> None:
    """Add a node and wait until the shards are rebalanced."""
    with psycopg.connect(_conninfo(coordinator), autocommit=True) as connection:
        connection.execute("SELECT citus_add_node(%s, %s)", [node.host, node.port])
        connection.execute("SELECT citus_rebalance_start()")
        connection.execute("SELECT citus_rebalance_wait()")


if __name__ == "__main__":
    sys.exit(main())
