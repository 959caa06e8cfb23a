"""Stores a finished run of a day in the database of a product, for benchmarks of its pages.

A histogram of read latencies for every ten seconds, looked at and drawn as workers do. Prints the run's id.

`python -m backend.bench.day_run --url postgresql://…`
"""

import argparse

from backend.bench.comparison_page import day_of_reads
from backend.tests.analysis.recording import MOMENT, add_intervals, add_run, finish, look_at_run

from tailroom.analysis.pictures import draw
from tailroom.kit.db import Database
from tailroom.kit.transactions import transactions_of
from tailroom.storage.run import Run

_DAY_INTERVALS = 8_640


def main() -> None:
    """Stores the run."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--url", required=True)
    arguments.add_argument("--intervals", type=int, default=_DAY_INTERVALS)
    chosen = arguments.parse_args()
    database = Database(chosen.url)
    spec = day_of_reads(1, chosen.intervals)
    with database.transaction() as session:
        run_id = add_run(session, [spec], organisation="local")
        add_intervals(session, run_id, [spec])
        finish(session, run_id, [spec])
        owner = session.get_one(Run, run_id).organisation_id
    with database.transaction() as session:
        look_at_run(session, run_id, MOMENT)
    draw(transactions_of(database, owner), run_id)
    print(run_id)


if __name__ == "__main__":
    main()
