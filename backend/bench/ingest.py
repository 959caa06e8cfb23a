"""Measure the rate of durable ingest by the API, and the response time of a batch.

Start PostgreSQL (fsync on, synchronous commit), Valkey and `tailroom serve`, then send batches of 60
intervals × 4 histogram series over several connections as agents do (MessagePack, zstd), each connection its
own run. The senders share the machine's cores with the servers. Print the machine and the figures; with
`--json`, one JSON object. Run with `make bench`, or `python backend/bench/ingest.py --help`.
"""

import argparse
import http.client
import json
import os
import platform
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import psutil
import zstandard
from sqlalchemy.orm import Session

from tailroom.access.service import create_token
from tailroom.domain.latency.histogram import Counts, encode
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.embedded.postgres import EmbeddedPostgres
from tailroom.embedded.valkey import EmbeddedValkey
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.kit.migrations import migrate
from tailroom.kit.settings import Settings
from tailroom.storage.partitions import create_partitions

SERIES = 4
INTERVALS_EACH = 60
GOAL_PER_S, GOAL_P99_MS = 40_000, 60
_LAYOUT = HdrLayout(unit_ns=1000, significant_digits=3)
_PINS_NS = (1_000_000, 8_000_000, 64_000_000)


@dataclass(frozen=True)
class Figures:
    """Figures of one repetition."""

    intervals_per_s: float
    batches_per_s: float
    p50_ms: float
    p99_ms: float
    max_ms: float
    api_cpu_ms_per_batch: float
    errors: int


@dataclass(frozen=True)
class Sample:
    """The content of an interval without its series, number and time."""

    fields: dict[str, object]
    histogram: bytes


def make_samples(count: int, rng: np.random.Generator) -> list[Sample]:
    """Return intervals whose deflated histograms have 120 to 300 bytes, with consistent other fields."""
    samples: list[Sample] = []
    while len(samples) < count:
        spread = rng.uniform(0.1, 0.4)
        latencies_us = np.sort(rng.lognormal(np.log(110), spread, 2000)).astype(np.int64)
        latencies_us[-3:] = rng.integers(1_000, 9_000, 3)
        latencies_us.sort()
        values, amounts = np.unique(_LAYOUT.index_of(latencies_us), return_counts=True)
        payload = encode(Counts(values.astype(np.int64), amounts.astype(np.int64)), _LAYOUT)
        if not 120 <= len(payload) <= 300:
            continue
        latencies_ns = latencies_us * 1000
        samples.append(
            Sample(
                {
                    "count": 2000,
                    "errors": 0,
                    "timeouts": 0,
                    "unfinished": 0,
                    "sum_ns": int(latencies_ns.sum()),
                    "min_ns": int(latencies_ns[0]),
                    "max_ns": int(latencies_ns[-1]),
                    "pins": [int((latencies_ns >= pin).sum()) for pin in _PINS_NS],
                    "target_count": 2000,
                    "lateness_max_ns": 51_000,
                    "lateness_p99_ns": 12_999,
                    "busy_ns": 820_000_000,
                },
                payload,
            )
        )
    return samples


def make_bodies(
    samples: Sequence[Sample],
    batches: int,
    rng: np.random.Generator,
    intervals_each: int = INTERVALS_EACH,
) -> list[bytes]:
    """Return the bodies of one run's batches, encoded as an agent does."""
    bodies = []
    definitions = [
        {
            "series_no": number,
            "operation": "read" if number < 2 else "write",
            "clock": "response" if number % 2 == 0 else "service",
            "kind": "histogram",
            "phase": "main",
            "host": "bench",
            "device": "bench",
            "layout": {"t": "hdr", "unit_ns": 1000, "significant_digits": 3},
            "pin_thresholds_ns": list(_PINS_NS),
            "target_rate_per_s": 200.0,
        }
        for number in range(SERIES)
    ]
    for batch in range(batches):
        intervals = []
        for series in range(SERIES):
            chosen = rng.integers(0, len(samples), intervals_each)
            for k in range(intervals_each):
                seq = batch * intervals_each + k
                sample = samples[int(chosen[k])]
                intervals.append(
                    {
                        "series": series,
                        "seq": seq,
                        "start_ns": seq * 10_000_000_000,
                        "duration_ns": 10_000_000_000,
                        **sample.fields,
                        "histogram": sample.histogram,
                    }
                )
        content = msgspec.msgpack.encode({"series": definitions, "intervals": intervals})
        bodies.append(zstandard.ZstdCompressor(level=3).compress(content))
    return bodies


class Sender(threading.Thread):
    """A connection that sends the batches of one run, each after the response to the previous batch."""

    def __init__(self, port: int, token: str, bodies: Sequence[bytes], begin: threading.Barrier) -> None:
        super().__init__(daemon=True)
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self._headers = {"Authorization": f"Bearer {token}"}
        self._bodies = bodies
        self._begin = begin
        self.latencies_s: list[float] = []
        self.errors = 0

    def run(self) -> None:
        """Announce a run, wait for the other senders, then send the batches."""
        run_id = str(new_id())
        announcement = {
            "run_id": run_id,
            "title": "ingest benchmark",
            "workload": "act-storage",
            "started_at_unix_ns": time.time_ns(),
            "planned_duration_ns": 10**12,
            "agent": {"version": "bench", "commit": None},
            "host": {"hostname": "bench"},
            "plan": {},
        }
        json_headers = self._headers | {"Content-Type": "application/json"}
        self._post("/api/v1/runs", msgspec.json.encode(announcement), json_headers)
        headers = self._headers | {"Content-Type": "application/msgpack", "Content-Encoding": "zstd"}
        self._begin.wait()
        for body in self._bodies:
            began = time.perf_counter()
            self._post(f"/api/v1/runs/{run_id}/intervals", body, headers)
            self.latencies_s.append(time.perf_counter() - began)

    def _post(self, path: str, body: bytes, headers: dict[str, str]) -> None:
        self._connection.request("POST", path, body, headers)
        answer = self._connection.getresponse()
        content = answer.read()
        if answer.status not in (200, 201):
            self.errors += 1
            print(f"{answer.status}: {content[:300]!r}", file=sys.stderr)


def measure(api: "Api", token: str, bodies: Sequence[bytes], connections: int) -> Figures:
    """Send every body once over every connection, each as its own run; return the figures."""
    begin = threading.Barrier(connections + 1)
    senders = [Sender(api.port, token, bodies, begin) for _ in range(connections)]
    for sender in senders:
        sender.start()
    begin.wait()
    began, cpu_before_s = time.perf_counter(), api.cpu_s()
    for sender in senders:
        sender.join()
    elapsed_s, cpu_s = time.perf_counter() - began, api.cpu_s() - cpu_before_s
    latencies_ms = np.array([latency_s for sender in senders for latency_s in sender.latencies_s]) * 1000
    batches = len(bodies) * connections
    p50, p99 = np.quantile(latencies_ms, [0.5, 0.99], method="higher")
    return Figures(
        intervals_per_s=batches * SERIES * INTERVALS_EACH / elapsed_s,
        batches_per_s=batches / elapsed_s,
        p50_ms=float(p50),
        p99_ms=float(p99),
        max_ms=float(latencies_ms.max()),
        api_cpu_ms_per_batch=cpu_s / batches * 1000,
        errors=sum(sender.errors for sender in senders),
    )


def machine() -> dict[str, object]:
    """Return facts about the machine, for the figures' context."""
    cpu = next(
        (
            line.partition(":")[2].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        ),
        platform.processor(),
    )
    return {
        "cpu": cpu,
        "cores": os.cpu_count(),
        "load_before": round(os.getloadavg()[0], 2),
        "kernel": platform.release(),
        "python": platform.python_version(),
    }


def main() -> None:
    """Start the servers, measure several times, print medians."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--connections", type=int, default=4)
    parser.add_argument("--batches", type=int, default=100, help="batches of each connection in one run")
    parser.add_argument("--repeat", type=int, default=5, help="runs; the medians are printed")
    parser.add_argument(
        "--processes", type=int, default=Settings().api_process_count, help="of the API, behind one port"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    chosen = parser.parse_args()
    about = machine()
    rng = np.random.default_rng(20260101)
    samples = make_samples(500, rng)
    bodies = make_bodies(samples, chosen.batches, rng)

    with installation(chosen.processes) as (api, token, _):
        measure(api, token, bodies[:10], chosen.connections)
        runs = [measure(api, token, bodies, chosen.connections) for _ in range(chosen.repeat)]
    medians = Figures(
        **{
            name: statistics.median(asdict(run)[name] for run in runs)
            for name in Figures.__dataclass_fields__
        }
    )
    histogram_bytes = statistics.median(len(sample.histogram) for sample in samples)
    if chosen.json:
        print(
            json.dumps({"machine": about, "medians": asdict(medians), "runs": [asdict(run) for run in runs]})
        )
    else:
        report(about, medians, runs, chosen, histogram_bytes)
    if any(run.errors for run in runs):
        sys.exit(1)


def report(
    about: dict[str, object],
    medians: Figures,
    runs: Sequence[Figures],
    chosen: argparse.Namespace,
    histogram_bytes: float,
) -> None:
    """Print the figures as text."""
    print(f"Ingest: {chosen.processes} API processes, PostgreSQL with fsync, everything on the same cores")
    print("  machine     " + ", ".join(f"{name} {value}" for name, value in about.items()))
    print(
        f"  load        {chosen.connections} connections, batches of {SERIES} × {INTERVALS_EACH} intervals,"
        f" histograms of {histogram_bytes:.0f} bytes (median), msgpack + zstd"
    )
    print(f"  throughput  {medians.intervals_per_s:,.0f} intervals/s (goal {GOAL_PER_S:,})")
    print(
        f"  batch       p50 {medians.p50_ms:.1f} ms, p99 {medians.p99_ms:.1f} ms (goal {GOAL_P99_MS}),"
        f" max {medians.max_ms:.1f} ms"
    )
    print(f"  processor   {medians.api_cpu_ms_per_batch:.1f} ms of the API for each batch")
    print(
        "  runs        " + ", ".join(f"{run.intervals_per_s:,.0f}/s p99 {run.p99_ms:.0f} ms" for run in runs)
    )


@contextmanager
def servers(**chosen: Any) -> Iterator[Settings]:
    """Start PostgreSQL with fsync, and Valkey, in a temporary folder; yield settings whose `home` it is."""
    with tempfile.TemporaryDirectory(prefix="tailroom-bench-") as folder_name:
        folder = Path(folder_name)
        with (
            EmbeddedPostgres.start(folder / "postgres", folder / "postgres.log") as postgres,
            EmbeddedValkey.start(folder / "valkey", folder / "valkey.log") as valkey,
        ):
            postgres.create_database("tailroom")
            yield Settings(database_url=postgres.url(), redis_url=valkey.url, home=folder, **chosen)


@contextmanager
def prepared(settings: Settings) -> Iterator[Session]:
    """Yield a transaction in a database after applying the schema."""
    database = Database.from_settings(settings)
    migrate(database.engine, settings.migrations_dir)
    create_partitions(database.engine, utc_now(), 1)
    with database.transaction() as session:
        yield session
    database.dispose()


def prepare(settings: Settings) -> str:
    """Apply the schema; return an agent's token."""
    with prepared(settings) as session:
        return create_token(session, "local", "bench", "agent", utc_now())[1]


@contextmanager
def installation(processes: int = 1) -> Iterator[tuple["Api", str, Path]]:
    """Yield an API, an agent's token, and a folder; remove all at the end."""
    with servers() as settings:
        token = prepare(settings)
        with Api(settings, settings.home, processes) as api:
            yield api, token, settings.home


class Api:
    """A `tailroom serve` on a free port of the loopback interface."""

    def __init__(self, settings: Settings, folder: Path, processes: int = 1) -> None:
        self._processes = processes
        self._environment = os.environ | {
            "TAILROOM_DATABASE_URL": settings.database_url,
            "TAILROOM_REDIS_URL": settings.redis_url,
            "TAILROOM_HOME": str(folder),
        }
        self._log_path = folder / "api.log"
        self.settings = settings
        self.database_url = settings.database_url
        self.port = 0

    @property
    def pid(self) -> int:
        """Return the ID of the first process."""
        return self._process.pid

    def cpu_s(self) -> float:
        """Return the processor seconds that all processes have used."""
        return sum(sum(process.cpu_times()[:2]) for process in self._all())

    def memory_mb(self) -> float:
        """Return the memory of the processes in MiB, with shared pages counted once."""
        return float(sum(process.memory_full_info().pss for process in self._all())) / 2**20

    def _all(self) -> list[psutil.Process]:
        first = psutil.Process(self._process.pid)
        return [first, *first.children()]

    def __enter__(self) -> "Api":
        self.port = free_port()
        command = [sys.executable, "-m", "tailroom.cli.main", "serve"]
        with self._log_path.open("wb") as log:
            self._process = subprocess.Popen(  # noqa: S603 - our own program
                [*command, "--port", str(self.port), "--processes", str(self._processes)],
                env=self._environment,
                stderr=log,
            )
        until = time.monotonic() + 300
        while time.monotonic() < until:
            try:
                connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=2)
                connection.request("GET", "/readyz")
                if connection.getresponse().status == 200:
                    return self
            except OSError:
                pass
            if self._process.poll() is not None:
                break
            time.sleep(0.1)
        self.__exit__()
        raise SystemExit(f"the API did not start:\n{self._log_path.read_text()}")

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(10)


def free_port() -> int:
    """Return a free TCP port of the loopback interface."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    main()
