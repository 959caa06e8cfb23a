"""Measure the time and size of a comparison of six day-long runs.

Each run has a read-latency histogram for every ten seconds. Goals: at most 2 s cold (a new process), 300 ms
warm, 1 MB. Also print the time a worker needs to compute the figures of a run for the first time, and the
size of a run's export.

`python -m backend.bench.comparison_page`
"""

import argparse
from time import perf_counter
from uuid import UUID

import numpy as np
from backend.bench.installation import installation
from backend.tests.analysis.recording import MOMENT, SeriesSpec, add_intervals, add_run, finish, look_at_run
from fastapi.testclient import TestClient

from tailroom.analysis.pictures import FIGURES, draw, picture_of
from tailroom.api.app import create_app
from tailroom.kit.transactions import transactions_of
from tailroom.storage.run import Run

OWNER = "bench"
_DAY_INTERVALS = 8_640
_LEVELS = 40


def day_of_reads(seed: int, intervals: int) -> SeriesSpec:
    """Return lognormal reads around 400 µs; a few histograms repeat, so that generating them is cheap."""
    rng = np.random.default_rng(seed)
    pieces = [
        np.maximum(1_000, rng.lognormal(np.log(400_000), 0.5, 2_000)).astype(np.int64) for _ in range(_LEVELS)
    ]
    return SeriesSpec("read", [pieces[at] for at in rng.integers(0, _LEVELS, intervals)])


def main() -> None:
    """Store six runs and print the figures."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--intervals", type=int, default=_DAY_INTERVALS)
    intervals = arguments.parse_args().intervals
    with installation() as place:
        headers = {"Authorization": f"Bearer {place.token('viewer', OWNER)}"}
        runs: list[UUID] = []
        for seed in range(6):
            spec = day_of_reads(seed, intervals)
            with place.database.transaction() as session:
                run_id = add_run(session, [spec], organisation=OWNER)
                add_intervals(session, run_id, [spec])
                finish(session, run_id, [spec])
                owner = session.get_one(Run, run_id).organisation_id
            with place.database.transaction() as session:
                look_at_run(session, run_id, MOMENT)
            runs.append(run_id)
        transactions = transactions_of(place.database, owner)
        began = perf_counter()
        picture_of(transactions, owner, runs[0], FIGURES)
        print(f"  figures of one run, nothing kept: {perf_counter() - began:.2f} s")
        for run_id in runs:
            draw(transactions, run_id)
        with TestClient(create_app(place.settings)) as client:
            parameters = {"subject": [f"run:{run_id}" for run_id in runs]}
            took = []
            for _ in range(20):
                began = perf_counter()
                answer = client.get("/api/v1/comparisons", params=parameters, headers=headers)
                took.append(perf_counter() - began)
                answer.raise_for_status()
            print(
                f"  cold {1e3 * took[0]:.0f} ms (goal 2,000), warm median {1e3 * np.median(took[1:]):.0f} ms,"
            )
            size = len(answer.content)
            print(f"  slowest {1e3 * max(took[1:]):.0f} ms (goal 300), {size:,} bytes (goal 1,000,000)")
            began = perf_counter()
            exported = client.get(f"/api/v1/runs/{runs[0]}/intervals", headers=headers)
            print(f"  export of one: {perf_counter() - began:.1f} s, {len(exported.content):,} bytes")


if __name__ == "__main__":
    main()
