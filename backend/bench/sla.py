"""Measure the time of SLA questions: what-if answers over HTTP, a hundred configurations, and a whole day.

Store a 24-hour run (four histogram series of 8,640 intervals, about 1,100 filled buckets each) and a hundred
ten-minute runs in a temporary PostgreSQL. Roll up and judge the day in separate processes, to measure their
peak memory. Then send questions to `tailroom serve` on loopback, each with a different budget, so that no
answer comes from a cache. Print the machine and the figures; with `--json`, one JSON object.
"""

import argparse
import http.client
import json
import os
import platform
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
import numpy.typing as npt
import psutil
import psycopg
from sqlalchemy import text

from tailroom.access.service import create_token
from tailroom.domain.latency.histogram import Counts, encode
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.domain.units import NS_PER_S
from tailroom.embedded.postgres import EmbeddedPostgres
from tailroom.embedded.valkey import EmbeddedValkey
from tailroom.judging.judgement import judge
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.kit.migrations import migrate
from tailroom.kit.settings import Settings
from tailroom.kit.transactions import transactions_of
from tailroom.records.columns import pack_pins
from tailroom.records.rollup import roll_up
from tailroom.storage.organisation import Organisation
from tailroom.storage.run import Run
from tailroom.storage.series import Series

GOAL_EVALUATE_P95_MS, GOAL_DAY_S, GOAL_DAY_MIB, GOAL_TIMELINE_MS = 50.0, 3.0, 500.0, 200.0
DAY_INTERVALS = 8_640
SHORT_RUNS, SHORT_INTERVALS = 100, 60
INTERVAL_NS = 10 * NS_PER_S
_LAYOUT = HdrLayout()
_PINS_NS = (1_000_000, 8_000_000, 64_000_000)
_SERIES = (("read", "response"), ("read", "service"), ("write", "response"), ("write", "service"))
_OPERATIONS = 120_000
_WORDS = {"roll_up": "rolled up", "judge": "judged"}
_TIMELINES = 21
_COLUMNS = (
    *("run_id", "series_no", "seq", "organisation_id", "start_ns", "duration_ns", "count", "errors"),
    *("timeouts", "unfinished", "sum_ns", "min_ns", "max_ns", "target_count", "lateness_max_ns"),
    *("pins", "histogram", "received_at"),
)


def main() -> None:
    """Measure and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--questions", type=int, default=200, help="what-if questions that are timed")
    parser.add_argument("--day-intervals", type=int, default=DAY_INTERVALS, help="intervals of the long run")
    parser.add_argument("--child", nargs=3, metavar=("WHAT", "URL", "RUN"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        _child(*arguments.child)
        return
    figures: dict[str, Any] = {
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    }
    with _stored(arguments.day_intervals) as (place, database, redis_url, day):
        url = database.engine.url.render_as_string(hide_password=False)
        for what in ("roll_up", "judge"):
            figures |= _in_a_process(what, url, day)
        figures["24-hour run, raw to verdict, s"] = sum(
            figures[f"24-hour run {word}, s"] for word in _WORDS.values()
        )
        with database.transaction() as session:
            _, token = create_token(session, "bench", "bench", "viewer", utc_now())
        with _served(url, redis_url, place) as (port, process):
            figures |= _timeline(port, token, database, day)
            figures |= _asked(port, process, token, day, arguments.questions)
    figures |= {
        "goal: what-if answer, ms at most (95th percentile)": GOAL_EVALUATE_P95_MS,
        "goal: day, raw to verdict, s at most": GOAL_DAY_S,
        "goal: day judged, MiB at most": GOAL_DAY_MIB,
        "goal: timeline of a day, cold, ms at most": GOAL_TIMELINE_MS,
    }
    if arguments.json:
        sys.stdout.write(json.dumps(figures) + "\n")
        return
    for name, value in figures.items():
        shown = value if isinstance(value, str) else f"{value:,.3f}".rstrip("0").rstrip(".")
        sys.stdout.write(f"{name:72} {shown}\n")


def _child(what: str, url: str, run_id: str) -> None:
    """Perform one step in this process; print its seconds and the process's peak memory as JSON."""
    database = Database(url, pool_size=1)
    begun, begun_cpu = time.perf_counter(), time.process_time()
    transactions = transactions_of(database, None)
    if what == "roll_up":
        roll_up(transactions, UUID(run_id))
    else:
        judged = judge(transactions, UUID(run_id), utc_now())
        if judged is None or not judged.judged:
            raise SystemExit("the run was not judged")
    seconds = time.perf_counter() - begun
    figures = {
        "seconds": seconds,
        "cpu_s": time.process_time() - begun_cpu,
        "peak_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }
    sys.stdout.write(json.dumps(figures) + "\n")
    database.dispose()


def _in_a_process(what: str, url: str, run_id: UUID) -> dict[str, float]:
    """Perform a step on the run in a separate process; return its figures by name."""
    command = [sys.executable, __file__, "--child", what, url, str(run_id)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603 - ourselves
    answer = json.loads(done.stdout)
    words = _WORDS[what]
    return {
        f"24-hour run {words}, s": answer["seconds"],
        f"24-hour run {words}, s of processor time": answer["cpu_s"],
        f"24-hour run {words}, peak MiB of the process": answer["peak_mib"],
    }


@contextmanager
def _stored(day_intervals: int) -> Iterator[tuple[Path, Database, str, UUID]]:
    """Start the servers and store the runs; yield folder, database, Valkey's URL, and the day's run ID."""
    with tempfile.TemporaryDirectory(prefix="tailroom-bench-") as folder:
        place = Path(folder)
        place.chmod(0o755)
        with (
            EmbeddedPostgres.start(place / "data", place / "postgres.log") as cluster,
            EmbeddedValkey.start(place / "valkey", place / "valkey.log") as valkey,
        ):
            cluster.create_database("bench")
            database = Database(cluster.url("bench"))
            migrate(database.engine, Settings().migrations_dir)
            with database.transaction() as session:
                organisation = Organisation(id=new_id(), name="bench", created_at=utc_now())
                session.add(organisation)
            rng = np.random.default_rng(1)
            for number in range(SHORT_RUNS):
                run_id = _store_run(database, organisation.id, SHORT_INTERVALS, rng, f"short {number}")
                roll_up(transactions_of(database, None), run_id)
            day = _store_run(database, organisation.id, day_intervals, rng, "day")
            yield place, database, valkey.url, day
            database.dispose()


def _store_run(
    database: Database, organisation_id: UUID, intervals: int, rng: np.random.Generator, title: str
) -> UUID:
    """Store a finished run whose device slows down and recovers from hour to hour; return its ID."""
    run_id, now = new_id(), utc_now()
    with database.transaction() as session:
        session.add(
            Run(
                run_id=run_id,
                organisation_id=organisation_id,
                title=title,
                workload="act-storage",
                state="finished",
                outcome="completed",
                started_at=now,
                started_at_unix_ns=0,
                planned_duration_ns=intervals * INTERVAL_NS,
                agent={},
                host={"hostname": "bench"},
                plan={},
                content_sha256=bytes(32),
                finish={"last_seq": {str(number): intervals - 1 for number in range(len(_SERIES))}},
                data_through_ns=intervals * INTERVAL_NS,
                created_at=now,
            )
        )
        session.flush()
        for number, (operation, clock) in enumerate(_SERIES):
            session.add(
                Series(
                    run_id=run_id,
                    series_no=number,
                    organisation_id=organisation_id,
                    operation=operation,
                    clock=clock,
                    kind="histogram",
                    phase="main",
                    host="bench",
                    layout={"t": "hdr", "unit_ns": 1000, "significant_digits": 3},
                    pin_thresholds_ns=list(_PINS_NS),
                    contiguous_seq=intervals - 1,
                    max_seq=intervals - 1,
                    received=intervals,
                )
            )
        session.flush()
        driver = session.connection().connection.driver_connection
        if not isinstance(driver, psycopg.Connection):
            raise SystemExit(f"not psycopg: {driver}")
        statement = f"COPY interval ({', '.join(_COLUMNS)}) FROM STDIN"
        with driver.cursor() as cursor, cursor.copy(statement) as copy:
            for number in range(len(_SERIES)):
                for seq in range(intervals):
                    numbers = _interval(rng, seq, number)
                    row = (run_id, number, seq, organisation_id, *numbers, now)
                    copy.write_row(row)
    return run_id


def _laws() -> list[npt.NDArray[np.float64]]:
    """Return the expected counts by bucket in each hour: a body around 110 µs, and 1 % in a long tail."""
    indices = np.arange(_LAYOUT.index_of(np.array([50_000]))[0] + 1)
    lower, upper = _LAYOUT.edges_ns(indices)
    laws = []
    for hour in range(24):
        slower = 1.0 + 0.2 * np.sin(hour / 24 * 2 * np.pi)
        scaled = [edge / 1000.0 / slower for edge in (lower, upper)]
        body, tail = (
            [_log_normal_cdf(edge) for edge in scaled],
            [1.0 - np.maximum(edge / 200.0, 1.0) ** -1.5 for edge in scaled],
        )
        mass = 0.99 * (body[1] - body[0]) + 0.01 * (tail[1] - tail[0])
        laws.append(_OPERATIONS * mass / mass.sum())
    return laws


def _log_normal_cdf(micros: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    # A logistic replaces the normal distribution; the exact shape of the body is irrelevant here.
    result: npt.NDArray[np.float64] = 1.0 / (1.0 + np.exp(-np.log(np.maximum(micros, 1e-9) / 110.0) / 0.18))
    return result


_LAWS = _laws()


def _interval(rng: np.random.Generator, seq: int, number: int) -> tuple[object, ...]:
    """Return the columns of an interval from `start_ns` to `histogram`, with random counts."""
    amounts = rng.poisson(_LAWS[(seq // 360 + number) % len(_LAWS)])
    indices = np.flatnonzero(amounts)
    counts = amounts[indices].astype(np.int64)
    lower, upper = _LAYOUT.edges_ns(indices)
    total = int(counts.sum())
    return (
        seq * INTERVAL_NS,
        INTERVAL_NS,
        total,
        0,
        0,
        0,
        int(counts @ ((lower + upper) // 2)),
        int(lower[0]),
        int(upper[-1]) - 1,
        total,
        0,
        pack_pins([int(counts[lower >= at].sum()) for at in _PINS_NS]),
        encode(Counts(indices, counts), _LAYOUT),
    )


@contextmanager
def _served(database_url: str, redis_url: str, place: Path) -> Iterator[tuple[int, psutil.Process]]:
    """Start one API process; yield its port and the process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    environment = {
        **os.environ,
        "TAILROOM_DATABASE_URL": database_url,
        "TAILROOM_REDIS_URL": redis_url,
        "TAILROOM_HOME": str(place / "home"),
    }
    (place / "home").mkdir()
    command = [sys.executable, "-m", "tailroom.cli.main", "serve", "--port", str(port), "--processes", "1"]
    process = subprocess.Popen(command, env=environment)  # noqa: S603 - our own API
    try:
        for _ in range(1_200):
            with socket.socket() as attempt:
                if attempt.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield port, psutil.Process(process.pid)
    finally:
        process.terminate()
        process.wait(10)


def _asked(port: int, process: psutil.Process, token: str, run_id: UUID, questions: int) -> dict[str, float]:
    """Return the times of what-if answers, of full answers, and of matches among all configurations."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def post(path: str, body: Mapping[str, Any]) -> tuple[float, Any]:
        begun = time.perf_counter()
        connection.request("POST", path, json.dumps(body), headers)
        answer = connection.getresponse()
        content = answer.read()
        seconds = time.perf_counter() - begun
        if answer.status != 200:
            raise SystemExit(f"{path} answered {answer.status}: {content!r}")
        return seconds, json.loads(content)

    figures: dict[str, float] = {}
    for words, fan_out, scheduling in (
        ("one after another", 1, "sequential"),
        ("fan-out 10, pool", 10, "pool"),
        ("all at once", 250, "parallel"),
    ):
        first: float | None = None
        seconds: list[float] = []
        cpu_s = 0.0
        for number in range(questions):
            budget = _budget(250, 60_000_000 + number * 100_000, fan_out, scheduling)
            body = {"subject": {"run_id": str(run_id)}, "budget": {"document": budget}}
            took, _ = post("/api/v1/sla/evaluate", body)
            if first is None:
                first, cpu_s = took, _cpu_s(process)
            else:
                seconds.append(took)
        figures |= {
            f"what-if answer, 250 reads {words}: first, ms": 1000.0 * (first or 0.0),
            f"what-if answer, 250 reads {words}: median, ms": 1000.0 * statistics.median(seconds),
            f"what-if answer, 250 reads {words}: p95, ms": 1000.0 * statistics.quantiles(seconds, n=20)[-1],
            f"what-if answer, 250 reads {words}: processor time of the API, ms": 1000.0
            * (_cpu_s(process) - cpu_s)
            / len(seconds),
        }
    for words, changes in _FULL.items():
        body = {
            "subject": {"run_id": str(run_id)},
            "budget": {"document": _budget(250, 70_000_000, 1, "sequential") | changes},
            "detail": "full",
        }
        cpu_s = _cpu_s(process)
        took, _ = post("/api/v1/sla/evaluate", body)
        figures[f"full answer of the day, {words}, s"] = took
        figures[f"full answer of the day, {words}, s of processor time"] = _cpu_s(process) - cpu_s
    own_question = {"document": _budget(250, 70_000_000, 1, "sequential")}
    for question, budget in (("stored", {"name": "fraud-250-sequential"}), ("of one's own", own_question)):
        for words in ("first", "again", "a third time"):
            took, answer = post("/api/v1/sla/match", {"budget": budget})
            name = f"{SHORT_RUNS + 1} configurations and the documents, a question {question}, {words}"
            figures[f"{name}: s"] = took
            figures[f"{name}: not looked at"] = answer["not_looked_at"]
    return figures


def _timeline(port: int, token: str, database: Database, run_id: UUID) -> dict[str, float]:
    """Return the times of the day's timeline without a stored picture, and with it."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    headers = {"Authorization": f"Bearer {token}"}

    def asked_ms() -> float:
        begun = time.perf_counter()
        connection.request("GET", f"/api/v1/runs/{run_id}/timeline", headers=headers)
        answer = connection.getresponse()
        content = answer.read()
        if answer.status != 200 or not json.loads(content)["series"]:
            raise SystemExit(f"the timeline was answered {answer.status}: {content[:300]!r}")
        return 1000.0 * (time.perf_counter() - begun)

    cold = []
    for _ in range(_TIMELINES):
        with database.transaction() as session:
            session.execute(text("DELETE FROM run_picture WHERE run_id = :run_id"), {"run_id": run_id})
        cold.append(asked_ms())
    return {
        "timeline of the day, cold, in a process that has answered nothing, ms": cold[0],
        f"timeline of the day, cold, median of {_TIMELINES - 1} more, ms": statistics.median(cold[1:]),
        f"timeline of the day, kept, median of {_TIMELINES}, ms": statistics.median(
            asked_ms() for _ in range(_TIMELINES)
        ),
    }


def _cpu_s(process: psutil.Process) -> float:
    """Return the processor seconds of a process, without its children."""
    times = process.cpu_times()
    return float(times.user + times.system)


def _stages(*stages: tuple[str, int, int]) -> dict[str, Any]:
    """Return a plan of stages, as changes to a budget document."""
    named = [{"operation": name, "count": count, "fan_out": fan_out} for name, count, fan_out in stages]
    return {"plan": {"stages": named}}


_FULL: dict[str, dict[str, Any]] = {
    "the built-in question": {"window_ns": NS_PER_S},
    "another window": {},
    "four stages": _stages(("read", 100, 1), ("write", 20, 1), ("read", 130, 10), ("write", 10, 10)),
}
"""Budget changes for answers on the full grid; the first answer is a stored verdict."""


def _budget(reads: int, window_ns: int, fan_out: int, scheduling: str) -> dict[str, Any]:
    """Return a budget document of one stage."""
    return {
        "kind": "transaction",
        "name": "what-if",
        "version": 1,
        "plan": {
            "stages": [{"operation": "read", "count": reads, "fan_out": fan_out, "scheduling": scheduling}]
        },
        "window_ns": window_ns,
        "objective_ratio": 0.999,
    }


if __name__ == "__main__":
    main()
