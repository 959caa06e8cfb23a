"""Three API processes and three judging workers at one broker, as on many hosts: pages of each see what any
of them took in, an end by SIGTERM loses no request, and what a killed worker had begun is judged once.
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
from backend.tests.live.test_stream import Watcher
from backend.tests.ports import reserve_port
from backend.tests.waiting import PATIENCE_S, is_gone, until, waits_for_a_lock
from sqlalchemy import Select, func, select, text

from tailroom.access.service import create_token
from tailroom.embedded.valkey import EmbeddedValkey
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.processors import usable_cores
from tailroom.kit.settings import Settings
from tailroom.storage.verdicts import VerdictRow
from tailroom.storage.work import WorkRow

HOSTS = 3
OPERATOR = "an-operators-token-of-some-length"
NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""For plain HTTP: by default each client reads all certificates, which takes 0.03 s."""


class Hosts:
    """Processes as hosts have them; each can be ended, killed and started again."""

    def __init__(self, folder: Path, environment: dict[str, str], stack: ExitStack) -> None:
        self._folder, self.environment, self._stack = folder, environment, stack
        self.ports = [reserve_port() for _ in range(HOSTS)]

    def start(self, name: str, *arguments: str) -> "subprocess.Popen[bytes]":
        """A program in a process group of its own."""
        log = self._stack.enter_context((self._folder / name).open("ab"))
        process = subprocess.Popen(
            [sys.executable, "-m", *arguments],
            env=self.environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
        self._stack.callback(self._end, process)
        return process

    def api(self, number: int, processes: int | None = 1) -> "subprocess.Popen[bytes]":
        """API processes behind one port; without a number, as many as the product chooses."""
        command = ["tailroom.cli.main", "serve", "--port", str(self.ports[number])]
        chosen = [] if processes is None else ["--processes", str(processes)]
        return self.start(f"api-{number}", *command, *chosen)

    def worker(self, number: int) -> "subprocess.Popen[bytes]":
        """One host that judges, and asks for work: of several beats one holds the lease."""
        celery = ["celery", "--app", "tailroom_workers.app:app", "worker", "--concurrency", "1", "-B"]
        names = ["--hostname", f"w{number}@%h", "--schedule", str(self._folder / f"beat-{number}")]
        return self.start(f"worker-{number}", *celery, *names, "--queues", "judging")

    def await_ready(self, number: int) -> None:
        """Returns when an API process answers."""

        def ready() -> bool:
            try:
                return asking.get(f"{self.url(number)}/readyz").status_code == 200
            except httpx.HTTPError:
                return False

        # One client: each would read all certificates, and it is asked very often.
        with httpx.Client(timeout=5) as asking:
            until(ready, every_s=0.2)

    def url(self, number: int) -> str:
        """Where an API process listens."""
        return f"http://127.0.0.1:{self.ports[number]}"

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
    environment = os.environ | {
        "TAILROOM_DATABASE_URL": fresh_postgres_url,
        "TAILROOM_REDIS_URL": throw_away_valkey.url,
        "TAILROOM_HOME": str(tmp_path),
        "TAILROOM_JUDGING_PROCESSES": str(HOSTS),
        "TAILROOM_OPERATOR_TOKEN": OPERATOR,
    }
    with ExitStack() as stack:
        yield Hosts(tmp_path, environment, stack)


def get(url: str, path: str, headers: dict[str, str] | None = None) -> httpx.Response:
    """Ask by a connection of its own."""
    return httpx.get(f"{url}{path}", headers=headers, timeout=60, verify=NO_CERTIFICATES)


def token(database: Database, scope: str = "agent") -> str:
    with database.transaction() as session:
        return create_token(session, "local", "test", scope, utc_now())[1]  # type: ignore[arg-type]


def stored(database: Database, agent: Agent) -> int:
    with database.transaction() as session:
        query = text("SELECT count(*) FROM interval WHERE run_id = :run_id")
        return int(session.scalar(query, {"run_id": agent.run_id}) or 0)


def test_processes_behind_one_port_are_as_one(hosts: Hosts, database: Database) -> None:
    parent = hosts.api(0, 2)
    hosts.await_ready(0)

    def children() -> set[int]:
        return {one.pid for one in psutil.Process(parent.pid).children()}

    operator = {"Authorization": f"Bearer {OPERATOR}"}
    batches = re.compile(r'^tailroom_http_requests_total\{.*route="[^"]*/intervals".*\} (.*)$', re.M)

    def counted() -> float:
        """Batches that were answered, by whichever process; any of them is asked."""
        answer = get(hosts.url(0), "/metrics", operator)
        return sum(map(float, batches.findall(answer.text)))

    first = children()
    assert len(first) == 2
    key = token(database)
    for _ in range(8):  # connections of their own, which the kernel deals out
        with httpx.Client(base_url=hosts.url(0), timeout=60) as client:
            agent = Agent(client, key)
            assert agent.announce().status_code == 201
            assert agent.send([interval(0, seq) for seq in range(3)]).status_code == 200
            assert stored(database, agent) == 3
    assert [counted() for _ in range(4)] == [8.0] * 4

    killed = min(first)
    os.kill(killed, signal.SIGKILL)
    until(lambda: len(children() - {killed}) == 2)
    replaced = children()
    assert len(first & replaced) == 1
    for _ in range(8):  # also of those that came to the socket of the one that was killed
        assert get(hosts.url(0), "/readyz").status_code == 200
    assert counted() == 8.0

    second = hosts.api(0, 2)
    assert second.wait(PATIENCE_S) != 0  # nobody shares the port of another
    parent.kill()
    parent.wait(PATIENCE_S)
    until(lambda: all(is_gone(one) for one in replaced))


def test_one_port_is_one_place_for_limits_figures_and_pages(hosts: Hosts, database: Database) -> None:
    """Whichever process of it a connection meets."""
    hosts.environment["TAILROOM_REQUESTS_PER_MINUTE"] = "30"
    parent = hosts.api(0, None)
    hosts.await_ready(0)
    processes = psutil.Process(parent.pid).children()
    assert len(processes) == (min(2, usable_cores()) if usable_cores() > 1 else 0)
    key = token(database)
    with httpx.Client(base_url=hosts.url(0), timeout=60) as client:
        agent = Agent(client, key)
        assert agent.announce().status_code == 201
        pages = [Watcher(hosts.url(0), agent) for _ in range(8)]
        assert agent.send([interval(0, 0)]).status_code == 200
    for page in pages:
        page.wait_for(lambda lines: "event: ticks" in lines)

    def figures() -> dict[str, float]:
        answer = get(hosts.url(0), "/metrics", {"Authorization": f"Bearer {OPERATOR}"})
        lines = [one.rpartition(" ") for one in answer.text.splitlines() if not one.startswith("#")]
        return {name: float(value) for name, _, value in lines}

    settings = Settings()
    each = max(1, len(processes))
    for found in until(lambda: [one] if (one := figures())["tailroom_live_streams"] == 8 else []):
        assert found["tailroom_api_processes"] == each
        assert found['tailroom_threads{kind="ingest",state="places"}'] == each * settings.ingest_threads
        assert found['tailroom_database_connections{state="idle"}'] >= each
        files = sum(one.num_fds() for one in [psutil.Process(parent.pid), *processes])
        assert found["process_open_fds"] == pytest.approx(files, abs=10)
        assert found["process_resident_memory_bytes"] > 2**26

    began, passed = time.monotonic(), 0
    viewer = {"Authorization": f"Bearer {token(database, 'viewer')}"}
    for _ in range(60):  # connections of their own
        passed += get(hosts.url(0), "/api/v1/budgets", viewer).status_code == 200
    assert 30 <= passed <= 31 + (time.monotonic() - began) * 30 / 60


def test_api_processes_of_several_hosts_are_as_one(hosts: Hosts, database: Database) -> None:
    processes = [hosts.api(0, 2), *(hosts.api(number) for number in range(1, HOSTS))]
    with ExitStack() as stack:
        for number in range(HOSTS):
            hosts.await_ready(number)
        clients = [
            stack.enter_context(httpx.Client(base_url=hosts.url(number), timeout=30))
            for number in range(HOSTS)
        ]
        agent = Agent(clients[0], token(database))
        assert agent.announce().status_code == 201
        pages = [Watcher(hosts.url(number), agent) for number in range(HOSTS)]
        for seq, client in enumerate(clients):
            agent.client = client
            assert agent.send([interval(0, seq)]).json()["acknowledged"] == {"0": seq}
        for page in pages:
            page.wait_for(lambda lines: lines.count("event: ticks") >= HOSTS)
            seen = [one["seq"] for event in page.events("ticks") for one in event["ticks"]]
            assert sorted(seen) == list(range(HOSTS))

        # A request that is being worked on when its process is asked to end has its answer.
        answers: list[Any] = []
        agent.client = clients[0]
        with database.transaction() as session:
            session.execute(text("SELECT FROM run WHERE run_id = :id FOR UPDATE"), {"id": agent.run_id})
            late = threading.Thread(target=lambda: answers.append(agent.send([interval(0, HOSTS)])))
            late.start()
            until(lambda: waits_for_a_lock(database))
            of_first = [one.pid for one in psutil.Process(processes[0].pid).children()]
            assert len(of_first) == 2
            processes[0].send_signal(signal.SIGTERM)
            until(pages[0].ended.is_set)
        late.join(PATIENCE_S)
        assert [one.status_code for one in answers] == [200]
        assert processes[0].wait(PATIENCE_S) == 0
        assert not any(map(psutil.pid_exists, of_first))

        sent = send_while_one_is_replaced(hosts, processes, agent, HOSTS + 1)
        assert sent == list(range(HOSTS + 1, HOSTS + 1 + len(sent)))
        assert stored(database, agent) == HOSTS + 1 + len(sent)


def send_while_one_is_replaced(
    hosts: Hosts, processes: "list[subprocess.Popen[bytes]]", agent: Agent, first: int
) -> list[int]:
    """Ends one and starts it again, while an agent sends to whoever answers; what was acknowledged."""
    sent: list[int] = []
    seqs, going = itertools.count(first), threading.Event()

    def send_on() -> None:
        ports = itertools.cycle(range(1, HOSTS))
        while not going.is_set() or not sent:
            seq = next(seqs)
            going.wait(0.05)  # the processor is for the process that starts
            for number in ports:
                with httpx.Client(base_url=hosts.url(number), timeout=30, verify=NO_CERTIFICATES) as client:
                    try:
                        answer = Agent(client, agent.token, agent.run_id).send([interval(0, seq)])
                    except httpx.HTTPError:
                        continue
                if answer.status_code == 200:
                    sent.append(seq)
                    break

    sender = threading.Thread(target=send_on)
    sender.start()
    until(lambda: len(sent) > HOSTS)
    processes[1].send_signal(signal.SIGTERM)
    processes[1].wait(PATIENCE_S)
    processes[1] = hosts.api(1)
    hosts.await_ready(1)
    before = len(sent)
    until(lambda: len(sent) > before + HOSTS)
    going.set()
    sender.join(PATIENCE_S)
    return sent


def test_what_a_killed_worker_had_begun_is_judged_once(hosts: Hosts, database: Database) -> None:
    hosts.api(0)
    first = hosts.worker(0)
    hosts.await_ready(0)
    with httpx.Client(base_url=hosts.url(0), timeout=30) as client:
        agent = Agent(client, token(database))
        agent.announce()
        for seq in itertools.count():
            agent.send([interval(number, seq) for number in range(2)])
            if _stopped_at_work(first, database, agent):
                break
            assert seq < 1_000
        os.killpg(first.pid, signal.SIGKILL)
        first.wait(PATIENCE_S)
        others = [hosts.worker(number) for number in range(1, HOSTS)]
        assert agent.finish({0: seq, 1: seq}).json()["complete"] is True

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
        # Asked to end, they end what they do and go.
        for process in others:
            process.send_signal(signal.SIGTERM)
        assert [process.wait(PATIENCE_S) for process in others] == [0] * len(others)
        with database.transaction() as session:
            held = select(func.count()).where(WorkRow.claim_id.is_not(None))
            assert session.scalar(held) == 0


def _stopped_at_work(worker: "subprocess.Popen[bytes]", database: Database, agent: Agent) -> bool:
    """Stops the processes of a worker while it has a claim; False where it was done too soon, and goes on."""
    claimed = select(func.count()).where(WorkRow.subject == agent.run_id, WorkRow.claim_id.is_not(None))
    due = select(func.count()).where(WorkRow.subject == agent.run_id)

    def count(rows: Select[int]) -> int:
        with database.transaction() as session:
            return session.scalar(rows) or 0

    until(lambda: count(claimed) or not count(due), every_s=0.0)
    family = [psutil.Process(worker.pid), *psutil.Process(worker.pid).children(recursive=True)]
    for one in family:
        one.suspend()
    if count(claimed):
        return True
    for one in family:
        one.resume()
    return False
