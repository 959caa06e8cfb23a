"""Judge a stored fleet of 1,000 units over HTTP: its page, its CSV, and the command's exit code.

The fleet is one campaign. Each unit is a drive with its own run and inventory; the last ten are 5 % slower
and have different firmware. The figures of the runs are stored beforehand, as workers store them.

`make bench-siblings`
"""

import argparse
import resource
from time import perf_counter, process_time
from uuid import UUID

from backend.bench.installation import Installation, installation
from backend.tests.analysis.recording import (
    MOMENT,
    SeriesSpec,
    add_intervals,
    add_run,
    finish,
    look_at_run,
    steady,
)
from backend.tests.comparison.ended_campaigns import add_ended_campaign
from fastapi.testclient import TestClient

from tailroom.analysis.pictures import draw
from tailroom.api.app import create_app
from tailroom.cli.siblings import exit_code
from tailroom.kit.transactions import transactions_of
from tailroom.storage.run import Run

OWNER = "bench"
_SLOW = 10
_PROGRESS_EVERY = 100


def _run(place: Installation, number: int, units: int) -> UUID:
    """Store a finished and judged run of a unit; return its ID."""
    is_slow = number >= units - _SLOW
    specs = [SeriesSpec("read", steady(500, 60, 420_000 if is_slow else 400_000, number))]
    drive = {"name": "nvme0n1", "firmware": "1.1" if is_slow else "1.0", "serial_sha256": f"{number:064x}"}
    with place.database.transaction() as session:
        plan = {"act_storage": {"path": "/dev/nvme0n1"}}
        run_id = add_run(session, specs, organisation=OWNER, plan=plan)
        run = session.get_one(Run, run_id)
        run.host = {"hostname": f"bench-{number:04d}", "kernel": "6.18", "block_devices": [drive]}
        add_intervals(session, run_id, specs)
        finish(session, run_id, specs)
        look_at_run(session, run_id, MOMENT)
        owner = run.organisation_id
    draw(transactions_of(place.database, owner), run_id)
    return run_id


def main() -> None:
    """Store the fleet and print the figures."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--units", type=int, default=1_000)
    units = arguments.parse_args().units
    with installation() as place:
        headers = {"Authorization": f"Bearer {place.token('viewer', OWNER)}"}
        runs: list[UUID] = []
        began, spent = perf_counter(), process_time()
        for number in range(units):
            runs.append(_run(place, number, units))
            if (number + 1) % _PROGRESS_EVERY == 0:
                print(f"  {number + 1:,} stored after {perf_counter() - began:.0f} s", flush=True)
        each_ms = 1e3 * (process_time() - spent) / units
        print(f"  a unit is stored, judged and drawn in {each_ms:.0f} ms of processor time of Python")
        campaign_id = add_ended_campaign(place.database, OWNER, runs, digits=4)
        print(f"  {units:,} units in one campaign", flush=True)
        with TestClient(create_app(place.settings)) as client:
            for form in ("", "", ".csv"):
                began, spent = perf_counter(), process_time()
                path = f"/api/v1/campaigns/{campaign_id}/siblings{form}"
                answer = client.get(path, headers=headers)
                answer.raise_for_status()
                took_s, worked_s = perf_counter() - began, process_time() - spent
                print(
                    f"  siblings{form or ' (JSON)'}: {took_s:.2f} s, {worked_s:.2f} s of processor time,"
                    f" {len(answer.content):,} bytes"
                )
                if not form:
                    judged = answer.json()
        first_slow = f"bench-{units - _SLOW:04d}"
        worse = [unit["agent"] for unit in judged["units"] if unit["effect"] == "worse"]
        right = sum(agent >= first_slow for agent in worse)
        print(
            f"  {len(worse)} worse, of these {right} of {_SLOW} slow units; {judged['not_judged']} not judged"
        )
        print(f"  {judged['answer']}")
        print(f"  tailroom siblings ends with {int(exit_code(judged))}")
        print(f"  most memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")


if __name__ == "__main__":
    main()
