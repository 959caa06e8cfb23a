"""Measure the response times of the leaderboard with 1,000 drives and 3 loads each, over HTTP on loopback.

Fill a PostgreSQL with `bench/many_drives.py`, start `tailroom serve` and send queries. "First" is the first
query of its kind after the start of the process; "then" are the following queries, each with a full response
(no 304). A budget without stored verdicts is judged in portions: "complete after" is the time and the number
of responses until all are judged. Print the machine and the figures; with `--json`, one JSON object.

    python -m backend.bench.leaderboard [--drives 1000] [--loads 3] [--questions 30] [--json]
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
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
from backend.bench.many_drives import LOADS, fill

from tailroom.cli.reference import bring_reference
from tailroom.embedded.postgres import EmbeddedPostgres
from tailroom.embedded.valkey import EmbeddedValkey
from tailroom.kit.db import Database
from tailroom.kit.migrations import migrate
from tailroom.kit.settings import Settings

GOAL_P95_MS = 100.0
MOST_ASKED = 200
QUESTIONS = {
    "plain": "",
    "filtered": "metric=total&op=none&vendor=Cobalt+(made+up)&capacity_min_bytes=2000000000000",
    "sorted": "sort=price_per_ktps",
    "all conditions": "equal=false",
    "own thresholds": "limits=500000:0.05,4000000:0.005",
    "own transaction": "reads=250&window_ns=1000000000&objective_ratio=0.999",
    "a thousand rows": "equal=false&limit=1000",
    "as a table": ".csv?",
}


def main() -> None:
    """Measure and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--drives", type=int, default=1_000)
    parser.add_argument("--loads", type=int, default=len(LOADS))
    parser.add_argument("--questions", type=int, default=30, help="of each kind")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, _serving(Path(folder), arguments) as (port, process):
        figures = _measured(port, process, arguments.questions)
    figures["machine"] = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    figures["tests"] = arguments.drives * arguments.loads
    if arguments.json:
        print(json.dumps(figures))
        return
    _show(figures)


def _measured(port: int, process: psutil.Process, questions: int) -> dict[str, Any]:
    """Return the figures of each kind of query, of the first request, and the memory of the server."""
    at_once_ms, _ = _ask(port, "/api/v1/leaderboard")
    measured: dict[str, Any] = {}
    for name, query in QUESTIONS.items():
        path = f"/api/v1/leaderboard{query}" if query.startswith(".") else f"/api/v1/leaderboard?{query}"
        began = time.perf_counter()
        before = _cpu_s(process)
        cold_ms, body = _ask(port, path)
        requests = 1
        while requests < MOST_ASKED and "not been judged yet" in body:
            requests += 1
            _, body = _ask(port, path)
        complete_ms, complete_s = 1_000 * (time.perf_counter() - began), _cpu_s(process) - before
        before = _cpu_s(process)
        print(f"{name}: first answer after {cold_ms:.0f} ms", file=sys.stderr)
        warm = sorted(_ask(port, path)[0] for _ in range(questions))
        spent = _cpu_s(process) - before
        measured[name] = {
            "cold_ms": cold_ms,
            "asked_until_complete": requests,
            "complete_ms": complete_ms,
            "complete_cpu_ms": 1_000 * complete_s,
            "p50_ms": statistics.median(warm),
            "p95_ms": warm[min(len(warm) - 1, int(0.95 * len(warm)))],
            "cpu_ms": 1_000 * spent / questions,
            "bytes": len(body.encode()),
        }
    return {"at_once_ms": at_once_ms, "questions": measured, "memory_mib": process.memory_info().rss / 2**20}


def _cpu_s(process: psutil.Process) -> float:
    """Return the processor seconds of the server and its child processes."""
    return sum(sum(each.cpu_times()[:2]) for each in (process, *process.children(recursive=True)))


def _ask(port: int, path: str) -> tuple[float, str]:
    """Return the response time in ms and the body; exit if the status is not 200."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.connect()
    begin = time.perf_counter()
    connection.request("GET", path)
    response = connection.getresponse()
    body = response.read()
    took = time.perf_counter() - begin
    connection.close()
    if response.status != 200:
        raise SystemExit(f"{path}: {response.status} {body[:300]!r}")
    return 1_000 * took, body.decode()


@contextmanager
def _serving(home: Path, arguments: argparse.Namespace) -> Iterator[tuple[int, psutil.Process]]:
    """Fill a database and start the server; yield its port and process."""
    with (
        EmbeddedPostgres.start(home / "data", home / "postgres.log") as postgres,
        EmbeddedValkey.start(home / "valkey", home / "valkey.log") as valkey,
    ):
        postgres.create_database("leaderboard")
        url = postgres.url("leaderboard")
        database = Database(url, pool_size=2)
        migrate(database.engine, Settings().migrations_dir)
        with database.transaction() as session:
            bring_reference(session)
            fill(session, arguments.drives, arguments.loads)
        database.dispose()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = int(free.getsockname()[1])
        environment = os.environ | {
            "TAILROOM_DATABASE_URL": url,
            "TAILROOM_REDIS_URL": valkey.url,
            "TAILROOM_HOME": str(home),
            "TAILROOM_LOCAL_ACCESS": "true",
            "TAILROOM_PORT": str(port),
        }
        command = [sys.executable, "-m", "tailroom.cli.main", "serve"]
        server = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)  # noqa: S603 - our own API
        try:
            _wait(port)
            yield port, psutil.Process(server.pid)
        finally:
            server.terminate()
            server.wait(20)


def _wait(port: int) -> None:
    """Wait until the server responds; exit after 180 s."""
    until = time.monotonic() + 180
    while time.monotonic() < until:
        try:
            _ask(port, "/api/v1/session")
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise SystemExit("the server did not answer within 180 s")


def _show(figures: dict[str, Any]) -> None:
    print(f"{figures['machine']}; {figures['tests']:,} tests; {figures['memory_mib']:.0f} MiB")
    print(f"asked at once after the start: {figures['at_once_ms']:.0f} ms; then:")
    for name, row in figures["questions"].items():
        goal = "" if name in {"a thousand rows", "as a table"} else f", goal {GOAL_P95_MS:.0f}"
        complete = (
            f"complete after {row['complete_ms'] / 1e3:.2f} s, {row['complete_cpu_ms'] / 1e3:.2f} of the "
            f"processors, and {row['asked_until_complete']} answers"
        )
        print(
            f"{name:18} first {row['cold_ms']:8.1f} ms ({complete})   then p50 {row['p50_ms']:7.1f}, p95 "
            f"{row['p95_ms']:7.1f} ms{goal}   CPU {row['cpu_ms']:6.1f} ms   {row['bytes'] / 1024:7.0f} KiB"
        )


if __name__ == "__main__":
    main()
