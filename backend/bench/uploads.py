"""How long an uploaded ACT log of 24 hours takes from its first byte to its verdicts, on real PostgreSQL.

The log is the made-up one of `bench/importers.py`. The API answers in this process and the worker's part is
done after it, so that both are timed by themselves. Prints the machine and the figures; `--json` one object.

    python -m backend.bench.uploads [--hours 24] [--repeat 3] [--json]
"""

import argparse
import json
import os
import platform
import resource
import statistics
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from uuid import UUID

from backend.bench.importers import write_log
from fastapi.testclient import TestClient
from sqlalchemy import create_engine

from tailroom.api.app import create_app
from tailroom.embedded.postgres import EmbeddedPostgres
from tailroom.embedded.valkey import EmbeddedValkey
from tailroom.judging.judgement import judge
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.migrations import migrate
from tailroom.kit.settings import Settings
from tailroom.kit.transactions import transactions_of

GOAL_S = 5.0


@dataclass(frozen=True)
class Figures:
    """Seconds of the middle run; peak memory of the whole process, client and worker included."""

    log_bytes: int
    upload_s: float
    verdict_s: float
    both_s: float
    same_again_s: float
    peak_mb: float
    verdicts: list[str]
    machine: str


def measure(hours: float, repeat: int) -> Figures:
    """Sends a log in ever new copies, each with another number of threads."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        log = home / "act_24h.log"
        write_log(log, int(hours * 3600))
        data = log.read_bytes()
        with (
            EmbeddedPostgres.start(home / "data", home / "postgres.log") as postgres,
            EmbeddedValkey.start(home / "valkey", home / "valkey.log") as valkey,
        ):
            postgres.create_database("bench")
            url = postgres.url("bench")
            engine = create_engine(url)
            migrate(engine, Settings().migrations_dir)
            engine.dispose()
            settings = Settings(
                database_url=url,
                redis_url=valkey.url,
                home=home,
                local_access=True,
                allowed_hosts=("testserver",),
            )
            database = Database(url)
            uploads, verdicts, again, words = [], [], [], []
            with TestClient(create_app(settings)) as client:
                for number in range(repeat):
                    begin = time.perf_counter()
                    content = data.replace(
                        b"service-threads: 10", f"service-threads: {number + 11}".encode(), 1
                    )
                    answer = client.post("/api/v1/uploads", files=[("files", ("act.log", content))])
                    answer.raise_for_status()
                    sent = time.perf_counter()
                    run_id = UUID(answer.json()["runs"][0]["run_id"])
                    judge(transactions_of(database, None), run_id, utc_now())
                    done = time.perf_counter()
                    client.post("/api/v1/uploads", files=[("files", ("act.log", content))]).raise_for_status()
                    again.append(time.perf_counter() - done)
                    uploads.append(sent - begin)
                    verdicts.append(done - sent)
                    judged = client.get(f"/api/v1/runs/{run_id}").json()["verdicts"]
                    words = [f"{verdict['budget']['name']}: {verdict['verdict']}" for verdict in judged]
            database.dispose()
        return Figures(
            log_bytes=len(data),
            upload_s=statistics.median(uploads),
            verdict_s=statistics.median(verdicts),
            both_s=statistics.median(
                upload_s + verdict_s for upload_s, verdict_s in zip(uploads, verdicts, strict=True)
            ),
            same_again_s=statistics.median(again),
            peak_mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
            verdicts=words,
            machine=f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}, "
            f"Python {platform.python_version()}",
        )


def main() -> int:
    """Prints the figures beside the goal."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hours", type=float, default=24.0)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures = measure(options.hours, options.repeat)
    if options.json:
        print(json.dumps(asdict(figures)))
        return 0
    print(figures.machine)
    print(f"log: {figures.log_bytes / 1e6:.1f} MB, {options.hours:g} h")
    print(f"upload to stored run: {figures.upload_s:.2f} s; to verdicts: {figures.verdict_s:.2f} s more")
    print(
        f"together {figures.both_s:.2f} s, goal {GOAL_S} s; the same file again: {figures.same_again_s:.2f} s"
    )
    print(f"peak memory, client and worker included: {figures.peak_mb:.0f} MB")
    print("; ".join(figures.verdicts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
