"""Measure the delay of one organisation's final verdicts while another's runs make the workers fail.

The other organisation has runs with unreadable histograms, so that judging fails until it is given up, and
with plans that no page can show. The number of worker processes is the default of an installation.
"""

import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

import numpy as np
from backend.bench.installation import Installation
from backend.tests.analysis.recording import SeriesSpec, add_intervals, add_run, finish, organisation_of
from sqlalchemy import select, text, update

from tailroom.kit.clock import utc_now
from tailroom.kit.lanes import JUDGING
from tailroom.kit.notifier import Notifier
from tailroom.runs.verdicts import shown_verdicts
from tailroom.storage.interval import IntervalRow
from tailroom.storage.run import Run
from tailroom.work.kinds import JUDGE
from tailroom.work.outbox import make_due, make_many_due

GOAL_DELAY_S = 1.0
PATIENCE_S = 180.0
_RNG = np.random.default_rng(20261122)
_SPECS = [
    SeriesSpec("read", [_RNG.integers(50_000, 900_000, 2_000) for _ in range(30)], clock=clock)
    for clock in ("response", "service")
]
_POISON = [SeriesSpec("read", [_RNG.integers(50_000, 900_000, 50) for _ in range(2)])]
_PLAN = {"a": {"b": [1] * 50}, "ladder": ["a list where an object belongs"], "act_storage": {"path": 10**30}}


@dataclass(frozen=True)
class Delay:
    """Median seconds from the finish of a run to its final verdict, and the state of the failing runs."""

    alone_s: float
    beside_s: float
    poisonous_left: int
    given_up: int


def measure(place: Installation, poisonous: int = 1_000, times: int = 7) -> Delay:
    """Measure one organisation's final verdicts, alone and beside another's failing runs."""
    notifier = Notifier(place.settings.redis_url)
    with place.workers(place.settings.judging_processes):
        _until_judged(place, notifier)
        alone = statistics.median(_until_judged(place, notifier) for _ in range(times))
        _poison(place, poisonous)
        notifier.hint(JUDGING, at_once=True)
        beside = statistics.median(_until_judged(place, notifier) for _ in range(times))
        with place.database.transaction() as session:
            waiting = "SELECT count(*) FROM work WHERE kind = 'judge' AND given_up_at IS {} NULL"
            left = int(session.scalar(text(waiting.format(""))) or 0)
            given_up = int(session.scalar(text(waiting.format("NOT"))) or 0)
    notifier.close()
    return Delay(alone, beside, left, given_up)


def _until_judged(place: Installation, notifier: Notifier) -> float:
    """Return the seconds from the finish of a new run of the healthy organisation to its final verdict."""
    run_id = _stored(place, "healthy", _SPECS)
    with place.database.transaction() as session:
        run = session.get_one(Run, run_id)
        make_due(session, JUDGE, run_id, run.organisation_id, utc_now())
    began = time.monotonic()
    notifier.hint(JUDGING, at_once=True)
    while time.monotonic() < began + PATIENCE_S:
        with place.database.transaction() as session:
            verdicts = shown_verdicts(session, [run_id]).get(run_id, [])
        if verdicts and not any(verdict.provisional for verdict in verdicts):
            return time.monotonic() - began
        time.sleep(0.02)
    raise SystemExit(
        f"no verdict in {PATIENCE_S:.0f} s:\n{(place.folder / 'worker.log').read_text()[-4000:]}"
    )


def _stored(place: Installation, organisation: str, specs: Sequence[SeriesSpec]) -> UUID:
    with place.database.transaction() as session:
        organisation_of(session, organisation)
        run_id = add_run(session, specs, organisation=organisation)
        add_intervals(session, run_id, specs)
        finish(session, run_id, specs)
    return run_id


def _poison(place: Installation, count: int) -> None:
    """Store failing runs directly, since the API refuses them, and make their judgement due."""
    for _ in range(count):
        run_id = _stored(place, "poisonous", _POISON)
        with place.database.transaction() as session:
            broken = update(IntervalRow).where(IntervalRow.run_id == run_id).values(histogram=b"\xff" * 40)
            session.execute(broken)
            session.execute(update(Run).where(Run.run_id == run_id).values(plan=_PLAN))
    with place.database.transaction() as session:
        owner = organisation_of(session, "poisonous")
        runs = select(Run.run_id.label("subject"), Run.organisation_id).where(Run.organisation_id == owner)
        make_many_due(session, JUDGE, runs, utc_now(), JUDGING)
