"""Measure how many agents one machine supports, by replaying a real agent's traffic.

A real agent runs for half a minute without a device and writes its messages to a file. Then there are three
stages, each with new runs on the real ingest path. First, every connection sends without pause, which gives
the processor time and disk space per request and interval. Second, `--agents` send at an agent's own pace,
which checks the prediction from these costs. Third, they do so while workers judge, which gives the cost of
judging. docs/scale.md lists the consequences.

`--send-every-s` is the agents' setting of that name; `TAILROOM_LIVE_VERDICT_PAUSE_S` in the environment
applies to the workers.
"""

import argparse
import base64
import contextlib
import http.client
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import numpy as np
import psutil
import zstandard
from backend.bench.fleet import MEASURED, Constants, what_follows
from backend.bench.ingest import Api, installation, machine
from backend.chaos.product import AGENT

from tailroom.embedded.preparation import worker_answers
from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.kit.settings import Settings

_PLAN = """title = "simulated fleet"
workload = "act-storage"
duration_s = {duration_s}
histogram_every_s = 10
[act_storage]
path = "/nonexistent/unused.dat"
engine = "null"
load_multiple = 1.0
seed = 1
"""
_JUDGED_WITHIN_S, _IDLE_S = 300.0, 15.0
Json = dict[str, Any]
Result = TypeVar("Result")


@dataclass(frozen=True)
class Recording:
    """Messages of one agent: its announcement, the bodies, and the number of intervals in each body."""

    announcement: Json
    bodies: Sequence[bytes]
    intervals: Sequence[int]
    seconds: float

    @property
    def intervals_per_s(self) -> float:
        """Return the intervals that one agent stores per second."""
        return sum(self.intervals) / self.seconds

    @property
    def finish(self) -> Json:
        """Return the finish message of the agent."""
        last: dict[str, int] = {}
        for body in self.bodies:
            for interval in msgspec.msgpack.decode(zstandard.decompress(body))["intervals"]:
                last[str(interval["series"])] = max(interval["seq"], last.get(str(interval["series"]), 0))
        lasted_ns = round(self.seconds * 1e9)
        return {"outcome": "completed", "reason": None, "duration_ns": lasted_ns, "last_seq": last}

    @property
    def requests_per_s(self) -> float:
        """Return the requests per second of one agent."""
        return len(self.bodies) / self.seconds


@dataclass(frozen=True)
class Cost:
    """Cost of an agent's traffic, per request and per interval."""

    api_ms: float
    database_ms: float
    table_bytes: float
    requests_per_s: float
    p99_ms: float


def record(folder: Path, duration_s: int, send_every_s: int = 1) -> Recording:
    """Run a real agent without a device; return its messages, grouped into a body per `send_every_s`."""
    plan, result = folder / "plan.toml", folder / "result.ndjson"
    plan.write_text(_PLAN.format(duration_s=duration_s))
    command = [str(AGENT), "run", "--plan", str(plan), "--result", str(result), "--progress", "none"]
    subprocess.run([*command, "--spool", str(folder / "spool")], check=True)  # noqa: S603
    announcement: Json = {}
    series: list[Json] = []
    by_body: dict[int, list[Json]] = {}
    for line in result.read_text().splitlines():
        message = json.loads(line)
        announcement = message.get("announce", announcement)
        series += message.get("series", [])
        for interval in message.get("intervals", []):
            if isinstance(interval.get("histogram"), str):
                interval["histogram"] = base64.b64decode(interval["histogram"])
            ended_s = (interval["start_ns"] + interval["duration_ns"]) // 10**9
            by_body.setdefault(ended_s // send_every_s, []).append(interval)
    bodies, counts = [], []
    for _, intervals in sorted(by_body.items()):
        content = msgspec.msgpack.encode({"series": series, "intervals": intervals})
        bodies.append(zstandard.ZstdCompressor(level=3).compress(content))
        counts.append(len(intervals))
    return Recording(announcement, bodies, counts, float(duration_s))


class Connection:
    """A persistent connection to the API, used by one thread for many simulated agents."""

    def __init__(self, port: int, token: str) -> None:
        self._http = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/msgpack"}
        self.latencies_s: list[float] = []

    def announce(self, recording: Recording) -> str:
        """Announce a new run; return its ID."""
        run_id = str(new_id())
        self._post("/api/v1/runs", msgspec.msgpack.encode(recording.announcement | {"run_id": run_id}), {})
        return run_id

    def finish(self, run_id: str, recording: Recording) -> None:
        """Send the finish message of a run."""
        self._post(f"/api/v1/runs/{run_id}/finish", msgspec.msgpack.encode(recording.finish), {})

    def send(self, run_id: str, body: bytes) -> None:
        """Send one body of a run and record the response time."""
        began = time.perf_counter()
        self._post(f"/api/v1/runs/{run_id}/intervals", body, {"Content-Encoding": "zstd"})
        self.latencies_s.append(time.perf_counter() - began)

    def _post(self, path: str, body: bytes, more: dict[str, str]) -> None:
        self._http.request("POST", path, body, self._headers | more)
        answer = self._http.getresponse()
        content = answer.read()
        if answer.status not in (200, 201):
            raise RuntimeError(f"{answer.status}: {content[:300]!r}")


class Meter:
    """Processor time of API and database, and the size of the tables of intervals."""

    def __init__(self, api: Api, settings: Settings, data_folder: Path) -> None:
        self._api, self._database = api, Database.from_settings(settings)
        postmaster = int((data_folder / "postmaster.pid").read_text().splitlines()[0])
        self._postgres = psutil.Process(postmaster)

    def read(self) -> tuple[float, float, int]:
        """Return processor seconds of the API and of PostgreSQL's live processes, and the tables' bytes."""
        database_s = 0.0
        for process in [self._postgres, *self._postgres.children()]:
            times = process.cpu_times()
            database_s += times.user + times.system
        with self._database.transaction() as session:
            statement = (
                "SELECT coalesce(sum(pg_total_relation_size(inhrelid)), 0) FROM pg_inherits"
                " WHERE inhparent = 'interval'::regclass"
            )
            size: int = session.connection().exec_driver_sql(statement).scalar_one()
        return self._api.cpu_s(), database_s, int(size)


class Fleet:
    """Simulated agents that send the same recording over a few connections."""

    def __init__(self, api: Api, token: str, meter: Meter, recording: Recording) -> None:
        self._api, self._token, self._meter, self._recording = api, token, meter, recording
        self._going: list[str] = []

    def end(self) -> None:
        """Finish the runs of the last `keep_pace`."""
        line = Connection(self._api.port, self._token)
        for run_id in self._going:
            line.finish(run_id, self._recording)

    def measure_cost(self, connections: int, agents_each: int) -> Cost:
        """Send the recording for every agent without pause over all connections; return the cost."""
        lines = [Connection(self._api.port, self._token) for _ in range(connections)]
        before, began = self._meter.read(), time.perf_counter()

        def send(line: Connection) -> None:
            run_ids = [line.announce(self._recording) for _ in range(agents_each)]
            for body in self._recording.bodies:
                for run_id in run_ids:
                    line.send(run_id, body)

        _side_by_side(send, lines)
        elapsed_s, after = time.perf_counter() - began, self._meter.read()
        latencies_s = [latency for line in lines for latency in line.latencies_s]
        intervals = sum(self._recording.intervals) * len(latencies_s) / len(self._recording.bodies)
        return Cost(
            api_ms=(after[0] - before[0]) / len(latencies_s) * 1000,
            database_ms=(after[1] - before[1]) / len(latencies_s) * 1000,
            table_bytes=(after[2] - before[2]) / intervals,
            requests_per_s=len(latencies_s) / elapsed_s,
            p99_ms=float(np.quantile(latencies_s, 0.99)) * 1000,
        )

    def keep_pace(self, connections: int, agents: int) -> tuple[float, float, float]:
        """Send for `agents` at an agent's own pace; return the cores of API and PostgreSQL, and p99 in ms.

        p99 is of the time from when a message was due to its response.
        """
        recording = self._recording
        lines = [Connection(self._api.port, self._token) for _ in range(connections)]
        run_ids = [lines[agent % connections].announce(recording) for agent in range(agents)]
        self._going = run_ids
        second_s = recording.seconds / len(recording.bodies)
        before, began = self._meter.read(), time.perf_counter()

        def send(line: Connection) -> list[float]:
            late_s = []
            for second, body in enumerate(recording.bodies):
                for agent in range(lines.index(line), agents, connections):
                    due = began + (second + agent / agents) * second_s
                    time.sleep(max(0.0, due - time.perf_counter()))
                    line.send(run_ids[agent], body)
                    late_s.append(time.perf_counter() - due)
            return late_s

        late_s = [late for lateness in _side_by_side(send, lines) for late in lateness]
        elapsed_s, after = time.perf_counter() - began, self._meter.read()
        cores = ((after[0] - before[0]) / elapsed_s, (after[1] - before[1]) / elapsed_s)
        return *cores, float(np.quantile(late_s, 0.99)) * 1000


def _side_by_side(work: Callable[[Connection], Result], lines: Sequence[Connection]) -> list[Result]:
    """Call `work` for all connections, each in a thread; return the results in order."""
    with ThreadPoolExecutor(len(lines)) as threads:
        return list(threads.map(work, lines))


@contextlib.contextmanager
def judging(settings: Settings, folder: Path) -> Iterator[Callable[[], float]]:
    """Run two worker processes and beat; yield a function that returns their processor seconds so far."""
    environment = os.environ | {
        "TAILROOM_DATABASE_URL": settings.database_url,
        "TAILROOM_REDIS_URL": settings.redis_url,
        "TAILROOM_HOME": str(folder),
    }
    celery = [sys.executable, "-m", "celery", "--app", "tailroom_workers.app:app", "--quiet", "worker", "-B"]
    with (folder / "worker.log").open("wb") as log:
        worker = subprocess.Popen(  # noqa: S603 - our own program
            [*celery, "--concurrency", "2", "--schedule", str(folder / "beat")],
            env=environment,
            stdout=log,
            stderr=log,
        )

    def busy_s() -> float:
        """Return the processor seconds of the worker processes."""
        family = [psutil.Process(worker.pid), *psutil.Process(worker.pid).children(recursive=True)]
        return float(sum(sum(process.cpu_times()[:2]) for process in family))

    try:
        yield busy_s
    finally:
        worker.terminate()
        worker.wait(60)


def _asked(settings: Settings, statement: str) -> float:
    """Return the single number that a statement selects."""
    database = Database.from_settings(settings)
    with database.transaction() as session:
        value = float(session.connection().exec_driver_sql(statement).scalar_one())
    database.dispose()
    return value


def oldest_due_s(settings: Settings) -> float:
    """Return for how many seconds the oldest due work has waited."""
    statement = "SELECT coalesce(max(extract(epoch FROM now() - due_at)), 0) FROM work WHERE due_at < now()"
    return _asked(settings, statement)


def await_judged(settings: Settings) -> None:
    """Wait until nothing is left to judge; exit after five minutes."""
    until = time.monotonic() + _JUDGED_WITHIN_S
    while left := _asked(settings, "SELECT count(*) FROM work WHERE lane = 'judging'"):
        if time.monotonic() > until:
            sys.exit(f"{left:.0f} works were left after {_JUDGED_WITHIN_S:.0f} s")
        time.sleep(0.2)


def main() -> int:
    """Print the figures; return 1 if the predicted cores differ from the measured by more than a third."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--agents", type=int, default=40, help="agents of the second stage")
    parser.add_argument("--connections", type=int, default=8)
    parser.add_argument("--seconds", type=int, default=30, help="length of the recording")
    parser.add_argument("--send-every-s", type=int, default=1, help="seconds between an agent's requests")
    core, gigabyte = MEASURED.core_month, MEASURED.gigabyte_month
    parser.add_argument("--core-month", type=float, default=core, help="price of a core for a month")
    parser.add_argument("--gigabyte-month", type=float, default=gigabyte, help="price of a gigabyte")
    options = parser.parse_args()
    print("fleet  " + ", ".join(f"{name} {value}" for name, value in machine().items()))
    with tempfile.TemporaryDirectory(prefix="tailroom-fleet-") as folder:
        recording = record(Path(folder), options.seconds, options.send_every_s)
    print(
        f"one agent: {recording.intervals_per_s:.1f} intervals/s in {recording.requests_per_s:.2f} requests/s"
    )
    with installation() as (api, token, home):
        settings = api.settings
        meter = Meter(api, settings, home / "postgres")
        fleet = Fleet(api, token, meter, recording)
        fleet.measure_cost(options.connections, 1)
        cost = fleet.measure_cost(options.connections, 3)
        api_cores, database_cores, p99_ms = fleet.keep_pace(options.connections, options.agents)
        with judging(settings, home) as busy_s:
            while not worker_answers(settings.redis_url, within_s=1.0):
                pass
            await_judged(settings)
            before_s, began = busy_s(), time.perf_counter()
            time.sleep(_IDLE_S)
            idle_cores = (busy_s() - before_s) / (time.perf_counter() - began)
            before_s, began = busy_s(), time.perf_counter()
            _, beside_cores, _ = fleet.keep_pace(options.connections, options.agents)
            worker_cores = (busy_s() - before_s) / (time.perf_counter() - began) - idle_cores
            late_s = oldest_due_s(settings)
            before_s = busy_s()
            fleet.end()
            await_judged(settings)
            end_s = (busy_s() - before_s) / options.agents
    print(
        f"cost of a request: API {cost.api_ms:.2f} ms, database {cost.database_ms:.2f} ms of processor time;"
        f" {cost.table_bytes:.0f} bytes of table for an interval"
    )
    print(f"as fast as answered: {cost.requests_per_s:,.0f} requests/s, p99 {cost.p99_ms:.0f} ms")
    requests_per_s = options.agents * recording.requests_per_s / 1000
    print(
        f"{options.agents} agents at their own pace: API {api_cores:.2f} cores"
        f" ({requests_per_s * cost.api_ms:.2f} predicted), database {database_cores:.2f}"
        f" ({requests_per_s * cost.database_ms:.2f} predicted), p99 {p99_ms:.0f} ms from when it was due"
    )
    print(
        f"judged beside it: workers {worker_cores:.2f} cores besides {idle_cores:.3f} that they take idle,"
        f" database {beside_cores - database_cores:+.2f} cores; {late_s:.0f} s behind at the end (much: the"
        f" workers had too little of the machine); the end of a run {end_s:.2f} s of processor time"
    )
    constants = Constants(
        recording.requests_per_s,
        recording.intervals_per_s,
        cost.api_ms,
        cost.database_ms,
        cost.table_bytes,
        worker_cores / options.agents,
        end_s,
        MEASURED.api_mb,
        MEASURED.judging_mb,
        options.core_month,
        options.gigabyte_month,
    )
    print("\n".join([str(constants), *what_follows(constants)]))
    predicted = requests_per_s * (cost.api_ms + cost.database_ms)
    return int(abs((api_cores + database_cores) / predicted - 1) > 1 / 3)


if __name__ == "__main__":
    sys.exit(main())
