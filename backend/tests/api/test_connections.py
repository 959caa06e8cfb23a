"""Whoever calculates for a page holds no connection meanwhile."""

from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

import pytest
from backend.tests.analysis.recording import (
    MOMENT,
    SeriesSpec,
    add_intervals,
    add_run,
    finish,
    look_at_run,
    steady,
)

from tailroom.analysis import course, shares, timeline
from tailroom.analysis.pictures import COURSE, EXCEEDANCE, PERCENTILES, TIMELINE
from tailroom.analysis.run_reader import RunReader
from tailroom.cli.reference import bring_reference
from tailroom.kit import processors
from tailroom.kit.db import Database
from tailroom.ratings import judgements, leaderboard, selection, service
from tailroom.ratings.judgements import JudgementCache
from tailroom.ratings.query import LeaderboardQuery
from tailroom.storage.run import Run

SPECS = [
    SeriesSpec("read", steady(2_000, 6)),
    SeriesSpec("read", steady(200, 60, seed=5), kind="tick", interval_ns=1_000_000_000),
]

Watch = Callable[[Any, str], list[int]]


@pytest.fixture
def own(api_postgres_url: str) -> Iterator[Database]:
    """One connection, which nobody else has."""
    found = Database(api_postgres_url, pool_size=1)
    yield found
    found.dispose()


@pytest.fixture
def watch(own: Database, monkeypatch: pytest.MonkeyPatch) -> Watch:
    """Notes at each call of a function how many connections are held."""

    def begin(module: Any, name: str) -> list[int]:
        held: list[int] = []
        real = getattr(module, name)

        def noted(*args: Any, **options: Any) -> Any:
            held.append(own.engine.pool.checkedout())  # type: ignore[attr-defined]
            return real(*args, **options)

        monkeypatch.setattr(module, name, noted)
        return held

    return begin


@pytest.fixture
def run(own: Database, organisation: str) -> tuple[UUID, UUID]:
    """A judged run and its organisation."""
    with own.transaction() as session:
        run_id = add_run(session, SPECS, organisation=organisation)
        add_intervals(session, run_id, SPECS)
        finish(session, run_id, SPECS)
        look_at_run(session, run_id, MOMENT)
        return run_id, session.get_one(Run, run_id).organisation_id


def test_pictures(
    own: Database, watch: Watch, run: tuple[UUID, UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id, owner = run
    # With more, the next series is read, which takes a connection, while one is worked out.
    monkeypatch.setattr(processors, "usable_cores", lambda: 1)
    held = {
        name: watch(module, name)
        for module, name in (
            (timeline, "decode_and_sum_groups"),
            (timeline, "many_quantiles"),
            (course, "steady_state"),
            (shares, "_curve"),
            (shares, "exceedance"),
        )
    }
    for picture in (TIMELINE, COURSE, PERCENTILES, EXCEEDANCE):
        picture.make(RunReader.of(lambda: own.transaction(owner), owner, run_id))
    assert {name for name, counts in held.items() if set(counts) != {0}} == set()


def test_leaderboards(own: Database, watch: Watch, run: tuple[UUID, UUID]) -> None:
    _, owner = run
    with own.transaction() as session:
        bring_reference(session)
    watched = ((judgements, "judge_test"), (leaderboard, "_rate"), (selection, "_facets"))
    held = [watch(module, name) for module, name in watched]
    asked = LeaderboardQuery(limits="2000000:0.01")
    service.leaderboard(lambda: own.transaction(owner), JudgementCache(), owner, asked, None)
    assert [set(counts) for counts in held] == [{0}] * 3
