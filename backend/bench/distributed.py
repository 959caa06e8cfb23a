"""Measure the cost of a distributed database: ingest, and reading a run by its ID.

Alternate between the cluster whose coordinator `TAILROOM_TEST_CITUS` names and a plain database on the
coordinator. Run with `make bench-distributed TAILROOM_TEST_CITUS=postgresql://…`; exit with 1 if a bound is
missed.
"""

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx
import numpy as np
from backend.bench.ingest import Api, machine, make_bodies, make_samples, measure, prepare
from backend.tests.citus import COORDINATOR, CitusCluster
from sqlalchemy import select

from tailroom.access.service import create_token
from tailroom.embedded.valkey import EmbeddedValkey
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.settings import Settings
from tailroom.kit.transactions import transactions_of
from tailroom.runs.repository import find_run, list_series
from tailroom.storage.run import Run

INSERTS_AT_LEAST, RUN_AT_MOST = 0.5, 4.0
KINDS = ("plain", "distributed")


class Place(NamedTuple):
    """A database with its own API."""

    api: Api
    token: str
    database: Database

    def run_ms(self, run_id: object, organisation_id: object, times: int) -> tuple[float, float]:
        """Return the median ms to read a run by its ID: the database rows alone, and the API response."""
        rows, answers = [], []
        open_one = transactions_of(self.database, organisation_id)  # type: ignore[arg-type]
        address = f"http://127.0.0.1:{self.api.port}/api/v1/runs/{run_id}"
        with self.database.transaction() as session:
            _, token = create_token(session, "local", "reader", "viewer", utc_now())
        client = httpx.Client(headers={"Authorization": f"Bearer {token}"}, timeout=30)
        for _ in range(times):
            began = time.perf_counter()
            with open_one() as session:
                find_run(session, organisation_id, run_id)  # type: ignore[arg-type]
                list_series(session, run_id)  # type: ignore[arg-type]
            rows.append(time.perf_counter() - began)
            began = time.perf_counter()
            client.get(address).raise_for_status()
            answers.append(time.perf_counter() - began)
        return 1000 * statistics.median(rows), 1000 * statistics.median(answers)


@contextmanager
def places(cluster: CitusCluster, folder: Path, redis_url: str) -> Iterator[dict[str, Place]]:
    """Yield the plain and the distributed database, each with an API; drop them at the end."""
    by_kind = {}
    apis = []
    try:
        for kind in KINDS:
            cluster.create_database(kind)
            settings = Settings(database_url=cluster.url(kind), redis_url=redis_url, home=folder / kind)
            settings.home.mkdir()
            token = prepare(settings)
            if kind == "distributed":
                cluster.distribute(kind)
            api = Api(settings, settings.home)
            apis.append(api)
            by_kind[kind] = Place(api.__enter__(), token, Database(settings.database_url, pool_size=2))
        yield by_kind
    finally:
        for measured in by_kind.values():
            measured.database.dispose()
        for api in apis:
            api.__exit__(None, None, None)
        cluster.stop()


def main() -> int:
    """Measure one database after the other; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--connections", type=int, default=4)
    parser.add_argument("--batches", type=int, default=40, help="batches of each connection in one turn")
    parser.add_argument("--turns", type=int, default=5)
    chosen = parser.parse_args()
    if COORDINATOR is None:
        sys.exit("TAILROOM_TEST_CITUS names no coordinator")
    rng = np.random.default_rng(20260101)
    bodies = make_bodies(make_samples(500, rng), chosen.batches, rng)
    rates: dict[str, list[float]] = {kind: [] for kind in KINDS}
    looks: dict[str, list[tuple[float, float]]] = {kind: [] for kind in KINDS}
    with tempfile.TemporaryDirectory(prefix="tailroom-distributed-") as name:
        folder = Path(name)
        with (
            EmbeddedValkey.start(folder / "valkey", folder / "valkey.log") as valkey,
            places(CitusCluster(COORDINATOR), folder, valkey.url) as both,
        ):
            for place in both.values():
                measure(place.api, place.token, bodies[:5], chosen.connections)
            for _ in range(chosen.turns):
                for kind, place in both.items():
                    rates[kind].append(
                        measure(place.api, place.token, bodies, chosen.connections).intervals_per_s
                    )
                    with place.database.transaction() as session:
                        run = session.execute(select(Run.run_id, Run.organisation_id).limit(1)).one()
                    looks[kind].append(place.run_ms(run.run_id, run.organisation_id, 100))
    print("  machine      " + ", ".join(f"{key} {value}" for key, value in machine().items()))
    rate = {kind: statistics.median(rates[kind]) for kind in KINDS}
    rows, answers = (
        {kind: statistics.median(look[which] for look in looks[kind]) for kind in KINDS} for which in (0, 1)
    )
    inserts, by_id = rate["distributed"] / rate["plain"], rows["distributed"] / rows["plain"]
    for kind in KINDS:
        print(
            f"  {kind:<12} {rate[kind]:,.0f} intervals/s; a run by its id {rows[kind]:.2f} ms of the"
            f" database, {answers[kind]:.1f} ms as an answer"
        )
    print(f"  inserts      {inserts:.2f} × (bound {INSERTS_AT_LEAST} ×)")
    ratio = answers["distributed"] / answers["plain"]
    print(f"  run by id    {by_id:.1f} × (bound {RUN_AT_MOST} ×), as an answer {ratio:.1f} ×")
    return int(inserts < INSERTS_AT_LEAST or by_id > RUN_AT_MOST)


if __name__ == "__main__":
    sys.exit(main())
