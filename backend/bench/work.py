"""Measure finding work among very many runs: claiming the next, and making many due.

    .venv/bin/python backend/bench/work.py --runs 1000000 [--explain]

The runs are created by SQL, finished, judged and audited, for a hundred organisations, so that none is due.
Other benchmarks may use `make_runs` to fill a database.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from uuid import UUID

from sqlalchemy import bindparam, select, text
from sqlalchemy.orm import Session

from tailroom.budgets.service import digests_of_workloads
from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.plausibility import AUDIT_VERSION
from tailroom.embedded.postgres import EmbeddedPostgres
from tailroom.judging.renewal import make_stale_due
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.kit.lanes import JUDGING, LANES, RENEWAL
from tailroom.kit.migrations import migrate
from tailroom.kit.settings import Settings
from tailroom.storage.organisation import Organisation
from tailroom.storage.run import Run
from tailroom.work import claims
from tailroom.work.kinds import JUDGE
from tailroom.work.outbox import make_due, make_many_due

ORGANISATIONS = 100
WORKLOAD = "act-storage"


def make_runs(session: Session, count: int) -> list[UUID]:
    """Store organisations with `count` finished and judged runs; return the IDs of the organisations."""
    now = utc_now()
    organisations = [
        Organisation(id=new_id(), name=f"bench {number}", created_at=now) for number in range(ORGANISATIONS)
    ]
    session.add_all(organisations)
    session.flush()
    ids = [organisation.id for organisation in organisations]
    session.execute(
        text(
            """
            INSERT INTO run (run_id, organisation_id, title, workload, state, outcome, started_at,
                             started_at_unix_ns, planned_duration_ns, measured_duration_ns, agent, host, plan,
                             content_sha256, last_data_at, data_through_ns, created_at)
            SELECT (lpad(to_hex((:now_ms - :count + number)::bigint), 12, '0') || '7' ||
                    substr(md5(number::text), 1, 3) || '8' || substr(md5(number::text), 4, 15))::uuid,
                   (:ids)[1 + number % :organisations], 'run ' || number, :workload, 'finished', 'completed',
                   now(), 0, 60000000000, 60000000000, '{}', '{"hostname": "bench"}', '{}', '', now(),
                   60000000000, now()
              FROM generate_series(1, :count) number
            """
        ).bindparams(bindparam("ids", type_=text("uuid[]").type)),
        {
            "now_ms": int(now.timestamp() * 1000),
            "count": count,
            "ids": ids,
            "organisations": ORGANISATIONS,
            "workload": WORKLOAD,
        },
    )
    session.execute(
        text(
            "INSERT INTO analysis_state (run_id, organisation_id, method_version, judged_intervals,"
            " judged_state, is_final, computed_at, budgets_digest, audit_version)"
            " SELECT run_id, organisation_id, :method, 0, 'finished', true, now(), :digest, :audit FROM run"
        ),
        {
            "method": METHOD_VERSION,
            "digest": digests_of_workloads(session).plain[WORKLOAD],
            "audit": AUDIT_VERSION,
        },
    )
    return ids


def claim_ms(database: Database, lane: str, times: int = 200) -> float:
    """Return the median ms of a claim in its own transaction, which is rolled back."""
    times_ms = []
    for _ in range(times):
        with database.engine.connect() as connection, Session(connection) as session:
            session.execute(text("SELECT 1"))
            began = time.perf_counter()
            claims.claim_next(session, lane, utc_now(), 2)
            session.flush()
            times_ms.append((time.perf_counter() - began) * 1e3)
            session.rollback()
    return statistics.median(times_ms)


def timed(database: Database, act: Callable[[Session], object]) -> float:
    """Return the seconds of a transaction that calls `act`."""
    began = time.perf_counter()
    with database.transaction() as session:
        act(session)
    return time.perf_counter() - began


def main() -> None:
    """Print the figures, and with `--explain` the query plan of finding the next work."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=1_000_000)
    parser.add_argument("--explain", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tailroom-bench-") as folder:
        place = Path(folder)
        place.chmod(0o755)
        with EmbeddedPostgres.start(place / "data", place / "postgres.log") as cluster:
            cluster.create_database("bench")
            database = Database(cluster.url("bench"))
            migrate(database.engine, Settings().migrations_dir)
            say("load average", os.getloadavg()[0])
            made: list[UUID] = []
            say(
                "making the runs, s",
                timed(database, lambda session: made.extend(make_runs(session, options.runs))),
            )
            with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                connection.execute(text("VACUUM ANALYZE"))
            for lane in LANES:
                say(f"nothing due: claim in {lane}, ms", claim_ms(database, lane))
            run = _newest(database)
            run_id, due_at = made[1], utc_now() - timedelta(seconds=1)
            timed(database, lambda session: make_due(session, JUDGE, run, run_id, due_at))
            say("one run due: claim, ms", claim_ms(database, JUDGING))
            say(
                "nothing stale: the hourly statement, s",
                timed(database, lambda session: make_stale_due(session, due_at)),
            )
            own = select(Run.run_id.label("subject"), Run.organisation_id).where(
                Run.organisation_id == run_id
            )
            say(
                "a new budget of one organisation makes its runs due, s",
                timed(database, lambda session: make_many_due(session, JUDGE, own, due_at, RENEWAL)),
            )
            everything = select(Run.run_id.label("subject"), Run.organisation_id)
            say(
                "a new method makes every run due, s",
                timed(database, lambda session: make_many_due(session, JUDGE, everything, due_at, RENEWAL)),
            )
            with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                connection.execute(text("ANALYZE work"))
            say("every run due: claim, ms", claim_ms(database, RENEWAL))
            say("every run due: claim of a fresh run, ms", claim_ms(database, JUDGING))
            if options.explain:
                explain(database)
            database.dispose()


def explain(database: Database) -> None:
    """Print the query plan of finding the next organisation."""
    with database.transaction() as session:
        plan = session.scalars(
            text("EXPLAIN (ANALYZE, BUFFERS, COSTS OFF) " + claims.NEXT_ORGANISATIONS.text),
            {"lane": RENEWAL, "now": utc_now(), "share": 1, "processes": 2},
        )
        sys.stdout.write("\n".join(plan) + "\n")


def say(name: str, value: float) -> None:
    """Print one figure."""
    sys.stdout.write(f"{name:60} {value:,.2f}\n")
    sys.stdout.flush()


def _newest(database: Database) -> UUID:
    """Return the ID of the newest run."""
    with database.transaction() as session:
        newest = session.scalar(select(Run.run_id).order_by(Run.run_id.desc()).limit(1))
    if newest is None:
        raise SystemExit("no run was made")
    return newest


if __name__ == "__main__":
    main()
