"""Measure the time to read histograms, and from the last interval of a run to its verdicts.

Reading is pure computation. For judging, store a ten-minute run (two operations on two clocks, 10 s
histograms) in a temporary PostgreSQL and judge it once, as a worker does after the finish message. Print the
machine and the figures; with `--json`, one JSON object.
"""

import argparse
import json
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from tailroom.domain.latency.histogram import Counts, encode, merge
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.embedded.postgres import EmbeddedPostgres
from tailroom.judging.judgement import judge
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.kit.migrations import migrate
from tailroom.kit.settings import Settings
from tailroom.kit.transactions import transactions_of
from tailroom.records.columns import pack_pins
from tailroom.storage.interval import IntervalRow
from tailroom.storage.organisation import Organisation
from tailroom.storage.run import Run
from tailroom.storage.series import Series

LAYOUT = HdrLayout()
PINS = [1_000_000, 8_000_000, 64_000_000]
INTERVALS = 60


def main() -> None:
    """Measure and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--repeat", type=int, default=5, help="medians are over this many attempts")
    arguments = parser.parse_args()
    figures = {
        "machine": f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}",
        **_reading(arguments.repeat),
        **_judging(arguments.repeat),
    }
    if arguments.json:
        sys.stdout.write(json.dumps(figures) + "\n")
        return
    for name, value in figures.items():
        shown = value if isinstance(value, str) else f"{value:,.3f}".rstrip("0").rstrip(".")
        sys.stdout.write(f"{name:55} {shown}\n")


def _reading(repeat: int) -> dict[str, float]:
    """Return the histograms read and merged per second, deflated and plain."""
    rng = np.random.default_rng(1)
    figures: dict[str, float] = {}
    for deflate in (True, False):
        payloads = [_payload(rng, 150, deflate=deflate) for _ in range(2_000)] * 5
        seconds = _median(lambda payloads=payloads: merge(payloads, LAYOUT), repeat)  # type: ignore[misc]
        word = "deflated" if deflate else "plain"
        size = sum(map(len, payloads)) // len(payloads)
        figures[f"histograms read and added per second ({word}, {size} bytes)"] = len(payloads) / seconds
    return figures


def _judging(repeat: int) -> dict[str, float]:
    """Return the median seconds from the finish of a run to its verdicts; the first attempt is discarded."""
    with tempfile.TemporaryDirectory(prefix="tailroom-bench-") as folder:
        place = Path(folder)
        place.chmod(0o755)
        with EmbeddedPostgres.start(place / "data", place / "postgres.log") as cluster:
            cluster.create_database("bench")
            database = Database(cluster.url("bench"))
            migrate(database.engine, Settings().migrations_dir)
            seconds = [_judge_once(database, seed) for seed in range(repeat + 1)][1:]
            database.dispose()
    return {"seconds from finish to verdicts, 10-minute run": statistics.median(seconds)}


def _judge_once(database: Database, seed: int) -> float:
    """Store a finished run without verdicts; return the seconds to judge it."""
    rng, now = np.random.default_rng(seed), utc_now()
    with database.transaction() as session:
        organisation = Organisation(id=new_id(), name=f"bench {seed}", created_at=now)
        session.add(organisation)
        session.flush()
        run = Run(
            run_id=new_id(),
            organisation_id=organisation.id,
            title="bench",
            workload="act-storage",
            state="finished",
            started_at=now,
            started_at_unix_ns=0,
            planned_duration_ns=600 * 10**9,
            agent={},
            host={},
            plan={},
            content_sha256=bytes(32),
            finish={"last_seq": {str(number): INTERVALS - 1 for number in range(4)}},
            created_at=now,
        )
        session.add(run)
        session.flush()
        for number in range(4):
            _add_series(run, number, rng, session.add)
    begun = time.perf_counter()
    judge(transactions_of(database, None), run.run_id, now)
    return time.perf_counter() - begun


def _add_series(run: Run, number: int, rng: np.random.Generator, add: Callable[[object], None]) -> None:
    """Add a series with its intervals of random latencies to the session."""
    add(
        Series(
            run_id=run.run_id,
            series_no=number,
            organisation_id=run.organisation_id,
            operation=("read", "write")[number // 2],
            clock=("response", "service")[number % 2],
            kind="histogram",
            phase="main",
            host="bench",
            layout={"t": "hdr", "unit_ns": 1000, "significant_digits": 3},
            pin_thresholds_ns=PINS,
            contiguous_seq=INTERVALS - 1,
            max_seq=INTERVALS - 1,
            received=INTERVALS,
        )
    )
    for seq in range(INTERVALS):
        latencies = np.maximum(1_000, rng.lognormal(np.log(110_000), 0.4, 20_000)).astype(np.int64)
        indices, counts = np.unique(LAYOUT.index_of(latencies // 1000), return_counts=True)
        add(
            IntervalRow(
                run_id=run.run_id,
                series_no=number,
                seq=seq,
                organisation_id=run.organisation_id,
                start_ns=seq * 10**10,
                duration_ns=10**10,
                count=latencies.size,
                errors=0,
                timeouts=0,
                unfinished=0,
                sum_ns=int(latencies.sum()),
                min_ns=int(latencies.min()),
                max_ns=int(latencies.max()),
                target_count=latencies.size,
                lateness_max_ns=0,
                pins=pack_pins([int((latencies >= at).sum()) for at in PINS]),
                histogram=encode(Counts(indices, counts.astype(np.int64)), LAYOUT),
                received_at=run.created_at,
            )
        )


def _payload(rng: np.random.Generator, values: int, *, deflate: bool) -> bytes:
    """Return an encoded histogram of random latencies."""
    latencies = np.maximum(rng.lognormal(4.7, 0.3, values), 1).astype(np.int64)
    indices, counts = np.unique(LAYOUT.index_of(latencies), return_counts=True)
    return encode(Counts(indices, counts.astype(np.int64)), LAYOUT, deflate=deflate)


def _median(action: Callable[[], object], repeat: int) -> float:
    """Return the median seconds of `repeat` calls, after a first call that is not counted."""
    action()
    seconds = []
    for _ in range(repeat):
        begun = time.perf_counter()
        action()
        seconds.append(time.perf_counter() - begun)
    return statistics.median(seconds)


if __name__ == "__main__":
    main()
