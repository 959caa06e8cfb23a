"""API and judging processes at one broker, as on many hosts: pages of each see what any of them took in, an
end by SIGTERM loses no request, and what a killed worker had begun is judged once.
"""

import itertools
import os
import re
import signal
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from backend.tests.agent import Agent, interval
from backend.tests.listening import listening
from backend.tests.live.test_stream import Watcher
from backend.tests.ports import reserve_port
from backend.tests.waiting import PATIENCE_S, is_gone, until, waits_for_a_lock
from sqlalchemy import func, select, text

from tailroom.access.service import create_token
from tailroom.embedded.valkey import EmbeddedValkey
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.settings import Settings
from tailroom.storage.verdicts import VerdictRow
from tailroom.storage.work import WorkRow

PROCESSES = 2
"""Behind one port, and that judge."""
REQUESTS_PER_MINUTE = 30
OPERATOR = "an-operators-token-of-some-length"
NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""For plain HTTP: by default each client reads all certificates, which takes 0.03 s."""


class Hosts:
    """Hosts that share a database and a broker: programs that can be ended, killed and started again, and an
    API of this process.
    """

    def __init__(self, folder: Path, settings: Settings, stack: ExitStack) -> None:
        self._folder, self.settings, self._stack = folder, settings, stack
        self._port = reserve_port()
        self.url = f"http://127.0.0.1:{self._port}"

    def start(self, name: str, *arguments: str) -> "subprocess.Popen[bytes]":
        """A program in a process group of its own."""
        log = self._stack.enter_context((self._folder / name).open("ab"))
        environment = {
            "TAILROOM_DATABASE_URL": self.settings.database_url,
            "TAILROOM_REDIS_URL": self.settings.redis_url,
            "TAILROOM_HOME": str(self._folder),
            "TAILROOM_JUDGING_PROCESSES": str(PROCESSES),
            "TAILROOM_OPERATOR_TOKEN": OPERATOR,
            "TAILROOM_REQUESTS_PER_MINUTE": str(REQUESTS_PER_MINUTE),
        }
        process = subprocess.Popen(
            [sys.executable, "-m", *arguments],
            env=os.environ | environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        self._stack.callback(self._end, process)
        return process

    def api(self) -> "subprocess.Popen[bytes]":
        """API processes behind one port."""
        command = ["tailroom.cli.main", "serve", "--port", str(self._port)]
        return self.start("api", *command, "--processes", str(PROCESSES))

    def worker(self, name: str, processes: int) -> "subprocess.Popen[bytes]":
        """One host that judges, and asks for work: of several beats one holds the lease."""
        celery = ["celery", "--app", "tailroom_workers.app:app", "worker", "--concurrency", str(processes)]
        names = ["--hostname", f"{name}@%h", "-B", "--schedule", str(self._folder / f"beat-{name}")]
        return self.start(name, *celery, *names, "--queues", "judging")

    def await_ready(self) -> None:
        """Returns when the API processes answer."""

        def ready() -> bool:
            try:
                return asking.get("/readyz").status_code == 200
            except httpx.HTTPError:
                return False

        # One client: each would read all certificates, and it is asked very often.
        with httpx.Client(base_url=self.url, timeout=5) as asking:
            until(ready, every_s=0.5)

    @staticmethod
    def _end(process: "subprocess.Popen[bytes]") -> None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(PATIENCE_S)


@pytest.fixture
def database(fresh_postgres_url: str) -> Iterator[Database]:
    found = Database(fresh_postgres_url, pool_size=2)
    yield found
    found.dispose()


@pytest.fixture
def hosts(fresh_postgres_url: str, throw_away_valkey: EmbeddedValkey, tmp_path: Path) -> Iterator[Hosts]:
    settings = Settings(database_url=fresh_postgres_url, redis_url=throw_away_valkey.url, home=tmp_path)
    with ExitStack() as stack:
        yield Hosts(tmp_path, settings, stack)


def get(url: str, path: str, key: str = OPERATOR) -> httpx.Response:
    """Ask by a connection of its own."""
    headers = {"Authorization": f"Bearer {key}"}
    return httpx.get(f"{url}{path}", headers=headers, timeout=60, verify=NO_CERTIFICATES)


def token(database: Database, scope: str = "agent") -> str:
    with database.transaction() as session:
        return create_token(session, "local", "test", scope, utc_now())[1]  # type: ignore[arg-type]


def stored(database: Database, agent: Agent) -> int:
    with database.transaction() as session:
        query = text("SELECT count(*) FROM interval WHERE run_id = :run_id")
        return int(session.scalar(query, {"run_id": agent.run_id}) or 0)


def test_processes_behind_one_port_and_of_several_hosts_are_as_one(hosts: Hosts, database: Database) -> None:
    """One start for all of it: a start costs more than what is looked at."""
    parent, key = hosts.api(), token(database)
    hosts.await_ready()
    _figures_limits_and_pages_are_of_all_processes(hosts.url, parent, database, key)
    _batches_are_counted_together_also_after_one_was_killed(hosts.url, parent, database, key)
    assert hosts.api().wait(PATIENCE_S) != 0, "nobody shares the port of another"
    with listening(hosts.settings) as other:
        agent = Agent(httpx.Client(base_url=hosts.url, timeout=30), key)
        page = _pages_of_each_host_see_what_any_took_in([hosts.url, other], agent)
        _a_request_that_is_worked_on_has_its_answer(parent, page, agent, database)
        parent, sent = _send_while_one_is_started_again(hosts, other, agent, 3)
        assert sent == list(range(3, 3 + len(sent)))
        assert stored(database, agent) == 3 + len(sent)
    processes = children(parent)
    parent.kill()
    parent.wait(PATIENCE_S)
    until(lambda: all(is_gone(one) for one in processes))


def children(parent: "subprocess.Popen[bytes]") -> set[int]:
    """The processes behind the port."""
    return {one.pid for one in psutil.Process(parent.pid).children()}


def _figures_limits_and_pages_are_of_all_processes(
    url: str, parent: "subprocess.Popen[bytes]", database: Database, key: str
) -> None:
    """Whichever process a connection meets."""
    with httpx.Client(base_url=url, timeout=60) as client:
        agent = Agent(client, key)
        assert agent.announce().status_code == 201
        pages = [Watcher(url, agent) for _ in range(8)]
        assert agent.send([interval(0, 0)]).status_code == 200
    for page in pages:
        page.wait_for(lambda lines: "event: ticks" in lines)

    def figures() -> dict[str, float]:
        lines = [one.rpartition(" ") for one in get(url, "/metrics").text.splitlines() if one[0] != "#"]
        return {name: float(value) for name, _, value in lines}

    settings = Settings()
    for found in until(lambda: [one] if (one := figures())["tailroom_live_streams"] == 8 else []):
        assert found["tailroom_api_processes"] == PROCESSES
        places = found['tailroom_threads{kind="ingest",state="places"}']
        assert places == PROCESSES * settings.ingest_threads
        assert found['tailroom_database_connections{state="idle"}'] >= PROCESSES
        processes = [psutil.Process(pid) for pid in (parent.pid, *children(parent))]
        assert found["process_open_fds"] == pytest.approx(sum(one.num_fds() for one in processes), abs=10)
        assert found["process_resident_memory_bytes"] > 2**26

    began, passed, viewer = time.monotonic(), 0, token(database, "viewer")
    for _ in range(2 * REQUESTS_PER_MINUTE):  # connections of their own
        passed += get(url, "/api/v1/budgets", viewer).status_code == 200
    most = REQUESTS_PER_MINUTE + 1 + (time.monotonic() - began) * REQUESTS_PER_MINUTE / 60
    assert REQUESTS_PER_MINUTE <= passed <= most


def _batches_are_counted_together_also_after_one_was_killed(
    url: str, parent: "subprocess.Popen[bytes]", database: Database, key: str
) -> None:
    batches = re.compile(r'^tailroom_http_requests_total\{.*route="[^"]*/intervals".*\} (.*)$', re.M)

    def counted() -> float:
        """Batches that were answered, by whichever process; any of them is asked."""
        return sum(map(float, batches.findall(get(url, "/metrics").text)))

    first, before = children(parent), counted()
    assert len(first) == PROCESSES
    for _ in range(8):  # connections of their own, which the kernel deals out
        with httpx.Client(base_url=url, timeout=60) as client:
            agent = Agent(client, key)
            assert agent.announce().status_code == 201
            assert agent.send([interval(0, seq) for seq in range(3)]).status_code == 200
            assert stored(database, agent) == 3
    assert [counted() for _ in range(4)] == [before + 8] * 4

    killed = min(first)
    os.kill(killed, signal.SIGKILL)
    until(lambda: len(children(parent) - {killed}) == PROCESSES)
    assert len(first & children(parent)) == PROCESSES - 1
    for _ in range(8):  # also of those that came to the socket of the one that was killed
        assert get(url, "/readyz").status_code == 200
    assert counted() == before + 8


def _pages_of_each_host_see_what_any_took_in(urls: list[str], agent: Agent) -> Watcher:
    """Sends one interval to each host; the page of the first one."""
    assert agent.announce().status_code == 201
    pages = [Watcher(url, agent) for url in urls]
    for seq, url in enumerate(urls):
        with httpx.Client(base_url=url, timeout=30) as client:
            answer = Agent(client, agent.token, agent.run_id).send([interval(0, seq)])
        assert answer.json()["acknowledged"] == {"0": seq}
    for page in pages:
        page.wait_for(lambda lines: lines.count("event: ticks") >= len(urls))
        seen = [one["seq"] for event in page.events("ticks") for one in event["ticks"]]
        assert sorted(seen) == list(range(len(urls)))
    return pages[0]


def _a_request_that_is_worked_on_has_its_answer(
    parent: "subprocess.Popen[bytes]", page: Watcher, agent: Agent, database: Database
) -> None:
    """When its process is asked to end."""
    answers: list[Any] = []
    processes = children(parent)
    assert len(processes) == PROCESSES
    with database.transaction() as session:
        session.execute(text("SELECT FROM run WHERE run_id = :id FOR UPDATE"), {"id": agent.run_id})
        late = threading.Thread(target=lambda: answers.append(agent.send([interval(0, 2)])))
        late.start()
        until(lambda: waits_for_a_lock(database))
        parent.send_signal(signal.SIGTERM)
        until(page.ended.is_set)
    late.join(PATIENCE_S)
    assert [one.status_code for one in answers] == [200]
    assert parent.wait(PATIENCE_S) == 0
    assert not any(map(psutil.pid_exists, processes))


def _send_while_one_is_started_again(
    hosts: Hosts, other: str, agent: Agent, first: int
) -> "tuple[subprocess.Popen[bytes], list[int]]":
    """Starts the API processes again, while an agent sends to whoever answers; what was acknowledged."""
    sent: list[int] = []
    seqs, going = itertools.count(first), threading.Event()

    def send_on() -> None:
        urls = itertools.cycle([hosts.url, other])
        while not going.is_set() or not sent:
            seq = next(seqs)
            going.wait(0.1)  # the processor is for the process that starts
            for url in urls:
                with httpx.Client(base_url=url, timeout=30, verify=NO_CERTIFICATES) as client:
                    try:
                        answer = Agent(client, agent.token, agent.run_id).send([interval(0, seq)])
                    except httpx.HTTPError:
                        continue
                if answer.status_code == 200:
                    sent.append(seq)
                    break

    sender = threading.Thread(target=send_on)
    sender.start()
    until(lambda: len(sent) > 2)
    parent = hosts.api()
    hosts.await_ready()
    before = len(sent)
    until(lambda: len(sent) > before + 2)
    going.set()
    sender.join(PATIENCE_S)
    return parent, sent


def test_what_a_killed_worker_had_begun_is_judged_once(hosts: Hosts, database: Database) -> None:
    first = hosts.worker("first", 1)
    with listening(hosts.settings) as url, httpx.Client(base_url=url, timeout=30) as client:
        agent = Agent(client, token(database))
        agent.announce()
        with database.transaction() as session:
            session.execute(text("LOCK TABLE verdict IN EXCLUSIVE MODE"))
            agent.send([interval(number, 0) for number in range(2)])
            until(lambda: waits_for_a_lock(database))
            os.killpg(first.pid, signal.SIGKILL)
            first.wait(PATIENCE_S)
        assert held(database) == 1
        # A host with as many processes as may judge at once.
        second = hosts.worker("second", PROCESSES)
        assert agent.finish({0: 0, 1: 0}).json()["complete"] is True

        def judged() -> bool:
            run = agent.get().json()
            return bool(run["verdicts"]) and not any(one["provisional"] for one in run["verdicts"])

        until(judged, every_s=0.2)
        with database.transaction() as session:
            by_budget = session.scalars(
                select(func.count())
                .where(VerdictRow.run_id == agent.run_id)
                .group_by(VerdictRow.budget_name, VerdictRow.budget_version, VerdictRow.method_version)
            ).all()
        assert by_budget
        assert set(by_budget) == {1}
        # Asked to end, it ends what it does and goes.
        second.send_signal(signal.SIGTERM)
        assert second.wait(PATIENCE_S) == 0
        assert held(database) == 0


def held(database: Database) -> int:
    """How much work is claimed."""
    with database.transaction() as session:
        query = select(func.count()).where(WorkRow.claim_id.is_not(None))
        return session.scalar(query) or 0
