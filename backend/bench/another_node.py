"""A second node joins while agents send: what is refused meanwhile, and how many statements each node serves
before and after, on the cluster whose coordinator `TAILROOM_TEST_CITUS` names.

A database lies on the first node alone; four connections send batches of runs of their own without a pause.
Then the second node is added and the shards are spread (`citus_rebalance_start`), as docs/operations.md says.
Run it with `make bench-node TAILROOM_TEST_CITUS=postgresql://…`; ends with 1 where a batch was lost or the
second node serves less than a third.
"""

import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import psycopg
from backend.bench.ingest import Api, machine, make_bodies, make_samples, prepare
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
_PACKED = {"Content-Type": "application/msgpack", "Content-Encoding": "zstd"}


class Senders:
    """Agents that send runs of ten batches; what is refused is sent again."""

    def __init__(self, api: Api, token: str, bodies: list[bytes]) -> None:
        self.counted: Counter[str] = Counter()
        self.acknowledged: list[tuple[str, int]] = []
        self._api, self._token, self._bodies = api, token, bodies
        self._ended = threading.Event()
        self._threads = [threading.Thread(target=self._send, daemon=True) for _ in range(4)]
        for thread in self._threads:
            thread.start()

    def end(self) -> None:
        """Returns when nobody sends any more."""
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
                told = announcement(run_id) | {"started_at_unix_ns": time.time_ns()}
                self._until_taken(client, "/api/v1/runs", json=told)
                path = f"/api/v1/runs/{run_id}/intervals"
                for number, body in enumerate(self._bodies, 1):
                    self._until_taken(client, path, content=body, headers=_PACKED)
                    self.acknowledged = [*self.acknowledged, (run_id, number)]

    def _until_taken(self, client: httpx.Client, path: str, **what: Any) -> None:
        while True:
            status = client.post(path, **what).status_code
            self.counted["taken" if status < 300 else f"answered {status}"] += 1
            if status < 300:
                return
            time.sleep(0.2)


def transactions(nodes: list[URL], database: str) -> list[int]:
    """Ended on each node so far."""
    found = []
    for node in nodes:
        with psycopg.connect(_conninfo(node), autocommit=True) as connection:
            row = connection.execute(
                "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = %s", [database]
            ).fetchone()
            found.append(0 if row is None else int(row[0]))
    return found


def _conninfo(url: URL) -> str:
    return url.set(drivername="postgresql").render_as_string(hide_password=False)


def main() -> int:
    """The exit code."""
    if COORDINATOR is None:
        sys.exit("TAILROOM_TEST_CITUS names no coordinator")
    cluster = CitusCluster(COORDINATOR)
    nodes = cluster.nodes
    rng = np.random.default_rng(20261124)
    bodies = make_bodies(make_samples(50, rng), 10, rng, intervals_each=4)
    print("  machine     " + ", ".join(f"{key} {value}" for key, value in machine().items()))
    shares = []
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
            senders = Senders(api, token, bodies)
            for phase in ("one node", "two nodes"):
                before = transactions(nodes, cluster.name(_NAME))
                time.sleep(_PHASE_S)
                served = [
                    after - one
                    for after, one in zip(transactions(nodes, cluster.name(_NAME)), before, strict=True)
                ]
                shares.append(served[1] / max(1, sum(served)))
                print(f"  {phase:<11} {dict(senders.counted)}; transactions of each node {served}")
                if phase == "one node":
                    began = time.monotonic()
                    _add(make_url(settings.database_url), nodes[1])
                    print(f"  spread in   {time.monotonic() - began:.0f} s: {dict(senders.counted)}")
            senders.end()
        with database.transaction() as session:
            stored = int(session.scalar(text("SELECT count(*) FROM interval")) or 0)
        database.dispose()
        cluster.stop()
    expected = len(senders.acknowledged) * 4 * 4
    print(f"  stored      {stored:,} intervals, {expected:,} acknowledged")
    return int(stored < expected or shares[1] < _LEAST_SHARE)


def _add(coordinator: URL, node: URL) -> None:
    """Adds a node and waits until shards are spread."""
    with psycopg.connect(_conninfo(coordinator), autocommit=True) as connection:
        connection.execute("SELECT citus_add_node(%s, %s)", [node.host, node.port])
        connection.execute("SELECT citus_rebalance_start()")
        connection.execute("SELECT citus_rebalance_wait()")


if __name__ == "__main__":
    sys.exit(main())
