"""A database becomes a distributed one while agents send to it. That part needs a cluster
(`make test-cluster`) and is there only where one is named.
"""

import threading
from pathlib import Path
from uuid import UUID

import pytest
from backend.tests.agent import Agent, interval
from backend.tests.citus import COORDINATOR, CitusCluster
from backend.tests.waiting import until
from fastapi.testclient import TestClient
from sqlalchemy import create_engine, func, select, text

from tailroom.access.service import create_token
from tailroom.api.app import create_app
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.migrations import migrate
from tailroom.kit.settings import Settings
from tailroom.storage.distribution import DistributionRefused, distribute, distribute_new
from tailroom.storage.interval import IntervalRow
from tailroom.storage.partitions import create_partitions, drop_partition, partition_days
from tailroom.storage.sizes import database_bytes, part_sizes


def test_a_database_without_citus_says_what_it_needs(empty_postgres_url: str) -> None:
    engine = create_engine(empty_postgres_url)
    with pytest.raises(DistributionRefused, match="CREATE EXTENSION citus"):
        distribute(engine, 4)
    distribute_new(engine)
    engine.dispose()


class _Sender(threading.Thread):
    """Sends one interval after the other, each until it is acknowledged."""

    def __init__(self, agent: Agent) -> None:
        super().__init__(daemon=True)
        self._agent, self.sent, self.refused, self.enough = agent, 0, 0, threading.Event()

    def run(self) -> None:
        while not self.enough.is_set():
            answer = self._agent.send([interval(1, self.sent), interval(0, self.sent)])
            assert answer.status_code in {200, 503}, answer.text
            if answer.status_code == 200:
                self.sent += 1
            else:
                self.refused += 1

    def await_more(self, count: int = 20) -> None:
        enough = self.sent + count
        until(lambda: self.sent >= enough or not self.is_alive())
        assert self.is_alive()


def _ingest_goes_on(embedded_postgres: CitusCluster, redis_url: str, tmp_path: Path) -> None:
    embedded_postgres.create_database("online")
    url = embedded_postgres.url("online")
    settings = Settings(
        database_url=url,
        redis_url=redis_url,
        home=tmp_path,
        allowed_hosts=("testserver",),
        lock_timeout_s=0.5,
    )
    database = Database(url, pool_size=2)
    migrate(database.engine, settings.migrations_dir)
    create_partitions(database.engine, utc_now(), 1)
    with database.transaction() as session:
        _, token = create_token(session, "local", "test", "agent", utc_now())
    with TestClient(create_app(settings), raise_server_exceptions=False) as client:
        agent = Agent(client, token)
        agent.announce()
        sender = _Sender(agent)
        sender.start()
        sender.await_more()
        embedded_postgres.distribute("online")
        sender.await_more()
        sender.enough.set()
        sender.join()
        assert agent.finish({0: sender.sent - 1, 1: sender.sent - 1}).json()["complete"] is True
    assert distribute(database.engine, 4) == []
    with database.transaction() as session:
        ours = select(func.count(), func.count(IntervalRow.seq.distinct())).where(
            IntervalRow.run_id == UUID(agent.run_id), IntervalRow.series_no == 1
        )
        assert session.execute(ours).one() == (sender.sent, sender.sent)
        left = "SELECT pg_relation_size('series') + pg_relation_size('run')"
        assert session.scalar(text(left)) == 0
        sizes = {one.part: one for one in part_sizes(session)}
        assert sizes["run"].size_bytes > 0
        assert sum(one.size_bytes for one in sizes.values()) < database_bytes(session)
        days = partition_days(session)
    # Housekeeping goes on as before.
    assert len(create_partitions(database.engine, utc_now(), 3)) == 2
    assert drop_partition(database.engine, days[-1])
    database.dispose()
    embedded_postgres.drop_database("online")


if COORDINATOR is not None:
    test_ingest_goes_on_while_the_database_is_distributed = _ingest_goes_on
