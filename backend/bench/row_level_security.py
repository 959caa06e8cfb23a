"""Measure the cost of row-level security on the list of runs and on a run's page.

There are 100,000 runs of 1,000 organisations (`--organisations`) in a temporary PostgreSQL. Alternate between
the variants and compare their lower quartiles. Run with `python -m backend.bench.row_level_security`.
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from uuid import UUID

import numpy as np
from backend.bench.many_runs import copies
from backend.tests.analysis.recording import (
    MOMENT,
    SeriesSpec,
    add_intervals,
    add_run,
    finish,
    look_at_run,
    steady,
)
from sqlalchemy import text

from tailroom.analysis.pictures import TIMELINE, draw, picture_of
from tailroom.embedded.postgres import EmbeddedPostgres
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.kit.migrations import migrate
from tailroom.kit.settings import Settings
from tailroom.kit.transactions import transactions_of
from tailroom.runs import service
from tailroom.runs.repository import RunFilter
from tailroom.storage.organisation import Organisation
from tailroom.storage.partitions import create_partitions
from tailroom.storage.run import Run

GOAL_RATIO = 1.10
RUNS = 100
"""Runs per organisation."""
_SPECS = [SeriesSpec("read", steady(2_000, 60)), SeriesSpec("write", steady(500, 60))]


def compare(
    name: str, ask: Callable[[Database], object], plain: Database, secured: Database, rounds: int
) -> bool:
    """Print the lower quartile of both variants and their ratio; return whether the goal is met."""
    took: dict[bool, list[float]] = {False: [], True: []}
    for number in range(rounds + 5):
        for is_secured in (False, True) if number % 2 else (True, False):
            began = time.perf_counter()
            ask(secured if is_secured else plain)
            if number >= 5:
                took[is_secured].append((time.perf_counter() - began) * 1000)
    # The lower quartile, because other load on the machine can only increase a time.
    without, with_it = (float(np.quantile(took[is_secured], 0.25)) for is_secured in (False, True))
    ratio = with_it / without
    print(
        f"  {name:<24} {without:7.2f} ms without, {with_it:7.2f} ms with: × {ratio:.2f} (goal {GOAL_RATIO})"
    )
    return ratio <= GOAL_RATIO


def main() -> None:
    """Fill the database, measure, print; exit with 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--organisations", type=int, default=1_000)
    options = parser.parse_args()
    rounds: int = options.rounds
    with tempfile.TemporaryDirectory(prefix="tailroom-bench-") as name:
        folder = Path(name)
        with EmbeddedPostgres.start(folder / "postgres", folder / "postgres.log") as postgres:
            postgres.create_database("tailroom")
            plain = Database(postgres.url(), pool_size=1, secured=False)
            secured = Database(postgres.url(), pool_size=1)
            migrate(plain.engine, Settings().migrations_dir)
            create_partitions(plain.engine, utc_now(), 1)
            run_id, owner = filled(plain, options.organisations)
            reached = [
                compare(
                    "list of runs", lambda transactions: listed(transactions, owner), plain, secured, rounds
                ),
                compare(
                    "a run",
                    lambda transactions: described(transactions, owner, run_id),
                    plain,
                    secured,
                    rounds,
                ),
                compare(
                    "a kept picture",
                    lambda transactions: picture_of(
                        transactions_of(transactions, owner), owner, run_id, TIMELINE
                    ),
                    plain,
                    secured,
                    rounds,
                ),
            ]
            plain.dispose()
            secured.dispose()
    raise SystemExit(0 if all(reached) else 1)


def filled(database: Database, organisations: int) -> tuple[UUID, UUID]:
    """Store a judged run, copies of it, and runs of other organisations; return its ID and organisation."""
    with database.transaction() as session:
        run_id = add_run(session, _SPECS)
        add_intervals(session, run_id, _SPECS)
        finish(session, run_id, _SPECS)
        look_at_run(session, run_id, MOMENT)
        owner = session.get_one(Run, run_id).organisation_id
    draw(transactions_of(database, None), run_id)
    with database.transaction() as session:
        own = copies(session, run_id, owner, RUNS - 1)
        copies(session, run_id, owner, RUNS * (organisations - 1), in_full=False)
        other_ids = [new_id() for _ in range(organisations - 1)]
        session.add_all(
            Organisation(id=organisation_id, name=f"organisation {organisation_id}", created_at=utc_now())
            for organisation_id in other_ids
        )
        session.flush()
        session.execute(
            text(
                "UPDATE run SET organisation_id = (CAST(:others AS uuid[]))[1 + numbered.n % :count] FROM"
                " (SELECT run_id, row_number() OVER (ORDER BY run_id) AS n FROM run) AS numbered WHERE"
                " run.run_id = numbered.run_id AND NOT run.run_id = ANY(CAST(:own AS uuid[]))"
            ),
            {"others": other_ids, "count": len(other_ids), "own": [run_id, *own]},
        )
        total = session.scalar(text("SELECT count(*) FROM run"))
        print(f"{total:,} runs of {organisations:,} organisations")
    with database.engine.connect() as connection:
        connection.execution_options(isolation_level="AUTOCOMMIT").execute(text("VACUUM ANALYZE"))
    return run_id, owner


def listed(database: Database, owner: UUID) -> object:
    """Read the first page of the list of runs."""
    with database.transaction(owner) as session:
        return service.list_runs(session, owner, RunFilter(scope="all"), None, 50)


def described(database: Database, owner: UUID, run_id: UUID) -> object:
    """Read the data of a run's page."""
    with database.transaction(owner) as session:
        return service.describe_run(session, service.get_run(session, owner, run_id), owner)


if __name__ == "__main__":
    main()
