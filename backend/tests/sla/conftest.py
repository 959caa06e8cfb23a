"""Stored runs and somebody who asks about them."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any
from uuid import UUID

import pytest
from backend.tests.analysis.recording import MOMENT, SeriesSpec, add_intervals, add_run, finish, look_at_run
from fastapi.testclient import TestClient

from tailroom.kit.db import Database
from tailroom.kit.transactions import same_transaction
from tailroom.records.rollup import roll_up
from tailroom.sla import matches

Json = dict[str, Any]


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests share their machine: what a match leaves out for lack of time is no part of most of them."""
    monkeypatch.setattr(matches, "MATCH_SECONDS", 60.0)


def sequential(reads: int = 250, window_ns: int = 10**9, **changes: Any) -> Json:
    """A budget of reads one after another."""
    return {
        "kind": "transaction",
        "name": "what-if",
        "version": 1,
        "plan": {"stages": [{"operation": "read", "count": reads}]},
        "window_ns": window_ns,
        "objective_ratio": 0.999,
        **changes,
    }


def every_item(post: Callable[..., Any], asked: Json) -> list[Json]:
    """All items of a match, page by page: a page ends early where the machine has other work."""
    page = post("match", asked)
    items: list[Json] = page["items"]
    while page["next_cursor"]:
        page = post("match", asked | {"cursor": page["next_cursor"]})
        items += page["items"]
    return items


def documents(items: list[Json]) -> list[Json]:
    """Those that come from a document; public runs of other tests stand beside them."""
    return [item for item in items if item["subject"]["run_id"] is None]


def store_run(
    database: Database,
    organisation: str,
    specs: Sequence[SeriesSpec],
    *,
    ended: bool = True,
    judged: bool = False,
    **details: Any,
) -> UUID:
    """Store a run and roll it up; judge it where that is asked for."""
    with database.transaction() as session:
        run_id = add_run(session, specs, organisation=organisation, **details)
        add_intervals(session, run_id, specs)
        if ended:
            finish(session, run_id, specs)
    with database.transaction() as session:
        if judged:
            look_at_run(session, run_id, MOMENT)
        else:
            roll_up(same_transaction(session), run_id)
    return run_id


@pytest.fixture
def store(database: Database, organisation: str) -> Callable[..., UUID]:
    """Stores a run of this test's organisation."""
    return partial(store_run, database, organisation)


@pytest.fixture
def headers(make_token: Callable[..., str]) -> dict[str, str]:
    """Of a viewer of this test's organisation."""
    return {"Authorization": f"Bearer {make_token('viewer')}"}


@pytest.fixture
def post(client: TestClient, headers: dict[str, str]) -> Callable[..., Any]:
    """Asks a question; by default it must be answered. A match goes on, as it does on the page, until asking
    again finds out no more: one answer ends in time, however busy the machine is.
    """

    def once(path: str, body: Any, status: int) -> Any:
        answer = client.post(f"/api/v1/sla/{path}", json=body, headers=headers)
        assert answer.status_code == status, answer.text
        return answer.json()

    def ask(path: str, body: Any, status: int = 200) -> Any:
        answer = once(path, body, status)
        while path == "match" and answer.get("not_looked_at"):
            before, answer = answer, once(path, body, status)
            if answer["not_looked_at"] >= before["not_looked_at"]:
                break
        return answer

    return ask
