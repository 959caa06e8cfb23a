"""Budgets are written down once for each version, belong to an organisation, and runs are judged by them."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from backend.tests.analysis.recording import (
    MOMENT,
    SeriesSpec,
    add_intervals,
    add_run,
    due_runs,
    finish,
    look_at_run,
    steady,
)
from fastapi.testclient import TestClient
from sqlalchemy import select, text

from tailroom.api.app import create_app
from tailroom.budgets import service as budgets
from tailroom.budgets.schemas import BudgetIn
from tailroom.kit.db import Database
from tailroom.kit.settings import Settings
from tailroom.storage.slices import AnalysisState
from tailroom.storage.verdicts import VerdictRow

Json = dict[str, Any]
SPECS = [SeriesSpec("read", steady(2_000, 6))]


def transaction(name: str = "checkout", version: int = 1, **changes: Any) -> Json:
    return {
        "kind": "transaction",
        "name": name,
        "version": version,
        "title": "Checkout",
        "question": "Do 99 % of checkouts finish in 200 ms?",
        "plan": {"stages": [{"operation": "read", "count": 40}]},
        "window_ns": 200_000_000,
        "objective_ratio": 0.99,
        **changes,
    }


@pytest.fixture
def ask(client: TestClient, make_token: Callable[..., str]) -> Callable[..., Any]:
    headers = {"Authorization": f"Bearer {make_token('engineer')}"}

    def post(document: Json, applies_to: list[str] | None = None) -> Any:
        body: Json = {"document": document}
        if applies_to is not None:
            body["applies_to"] = applies_to
        return client.post("/api/v1/budgets", headers=headers, json=body)

    return post


@pytest.fixture
def items(client: TestClient, make_token: Callable[..., str]) -> Callable[[], list[Json]]:
    headers = {"Authorization": f"Bearer {make_token('engineer')}"}

    def get() -> list[Json]:
        answer = client.get("/api/v1/budgets", headers=headers)
        assert answer.status_code == 200, answer.text
        found: list[Json] = answer.json()["items"]
        return found

    return get


def test_built_in_budgets_come_first(items: Callable[[], list[Json]], ask: Callable[..., Any]) -> None:
    assert ask(transaction("aaa")).status_code == 201
    names = [(one["document"]["name"], one["built_in"]) for one in items()]
    assert names[-1] == ("aaa", False)
    assert all(built_in for _, built_in in names[:-1])
    assert ("fraud-250-sequential", True) in names


def test_a_version_is_written_down_once(ask: Callable[..., Any], items: Callable[[], list[Json]]) -> None:
    first = ask(transaction(), ["act-storage"])
    assert first.status_code == 201, first.text
    assert first.json()["document"]["plan"]["stages"][0]["fan_out"] == 1
    again = ask(transaction(), ["act-storage", "act-storage"])
    assert (again.status_code, again.json()) == (200, first.json())
    other = ask(transaction(window_ns=100_000_000), ["act-storage"])
    assert (other.status_code, other.json()["code"]) == (409, "budget-conflict")
    assert "“checkout”" in other.json()["detail"]
    assert "version 2" in other.json()["detail"]
    assert ask(transaction(), []).status_code == 409
    assert ask(transaction(version=2, window_ns=100_000_000)).status_code == 201
    own = [one for one in items() if not one["built_in"]]
    assert [(one["document"]["version"], one["is_newest"]) for one in own] == [(2, True), (1, False)]
    assert [one["document"]["window_ns"] for one in own] == [100_000_000, 200_000_000]


def test_an_organisation_stores_so_many_versions_of_so_many_bytes(
    client: TestClient, make_token: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The list of budgets has every document whole, so it stays small."""
    headers = {"Authorization": f"Bearer {make_token('engineer', owner='many budgets')}"}

    def store(version: int, question: str = "") -> Any:
        document = transaction("large", version, question=question)
        return client.post("/api/v1/budgets", json={"document": document}, headers=headers)

    monkeypatch.setattr(budgets, "BUDGETS_BYTES", 3_500)
    assert [store(version, "x" * 1_000).status_code for version in (1, 2, 3)] == [201, 201, 409]
    refused = store(3, "x" * 1_000)
    assert refused.json()["code"] == "budgets-full"
    assert "3,500 bytes" in refused.json()["detail"]
    assert store(2, "x" * 1_000).status_code == 200
    monkeypatch.setattr(budgets, "BUDGET_VERSIONS", 3)
    assert [store(version).status_code for version in (3, 4)] == [201, 409]
    assert len(client.get("/api/v1/budgets", headers=headers).content) < 60_000


def test_names_of_built_in_budgets_are_taken(ask: Callable[..., Any]) -> None:
    answer = ask(transaction("fraud-250-sequential", 7))
    assert (answer.status_code, answer.json()["code"]) == (409, "budget-name-taken")


@pytest.mark.parametrize(
    ("changes", "code", "said"),
    [
        ({"window_ns": 0}, "budget-invalid", "0"),
        ({"reserve_ns": 200_000_000}, "budget-invalid", ""),
        ({"objective_ratio": 1.0}, "budget-invalid", "1"),
        ({"objective_ratio": -0.1}, "budget-invalid", "-0.1"),
        ({"plan": {"stages": [{"operation": "read", "count": 0}]}}, "budget-invalid", "0"),
        ({"window_ns": 1.5}, "request-invalid", "window_ns"),
        ({"window_ns": "1s"}, "request-invalid", "window_ns"),
        ({"window_ns": 10**30}, "request-invalid", "window_ns"),
        ({"window_ns": True}, "request-invalid", "window_ns"),
        ({"windows": 1}, "request-invalid", "windows"),
        ({"kind": "wish"}, "request-invalid", "kind"),
        ({"plan": {"stages": []}}, "request-invalid", "stages"),
        ({"plan": {"stages": [{"operation": "a\x00", "count": 1}]}}, "request-invalid", "operation"),
        ({"plan": {"stages": [{"operation": "a\x07", "count": 1}]}}, "request-invalid", "control"),
        ({"plan": {"stages": [{"operation": "\u202eread", "count": 1}]}}, "request-invalid", "direction"),
        ({"question": "\u2066why"}, "request-invalid", "direction"),
        ({"name": "Not Kebab"}, "budget-invalid", "Not Kebab"),
        ({"version": 0}, "budget-invalid", "0"),
        ({"title": "a\x00"}, "request-invalid", "title"),
    ],
)
def test_what_breaks_a_rule_is_refused_and_named(
    ask: Callable[..., Any], changes: Json, code: str, said: str
) -> None:
    answer = ask(transaction(**changes))
    assert answer.status_code == 422, answer.text
    assert answer.json()["code"] == code, answer.text
    assert said in answer.text


def test_budgets_belong_to_their_organisation(
    client: TestClient, ask: Callable[..., Any], make_token: Callable[..., str]
) -> None:
    assert ask(transaction("secret")).status_code == 201
    strangers = {"Authorization": f"Bearer {make_token('engineer', owner='budget strangers')}"}
    names = [
        one["document"]["name"]
        for one in client.get("/api/v1/budgets", headers=strangers).json()["items"]
        if not one["built_in"]
    ]
    assert "secret" not in names
    assert client.post(
        "/api/v1/budgets", headers=strangers, json={"document": transaction("secret")}
    ).is_success
    for headers in ({}, {"Authorization": "Bearer nonsense"}):
        assert client.get("/api/v1/budgets", headers=headers).status_code == 401
        assert client.post("/api/v1/budgets", headers=headers, json={}).status_code == 401


def test_another_sites_page_stores_nothing(fresh_postgres_url: str, redis_url: str, tmp_path: Path) -> None:
    settings = Settings(
        database_url=fresh_postgres_url,
        redis_url=redis_url,
        home=tmp_path,
        local_access=True,
        allowed_hosts=("testserver",),
    )
    with TestClient(create_app(settings)) as local:
        body = {"document": transaction()}
        foreign = local.post("/api/v1/budgets", json=body, headers={"Sec-Fetch-Site": "cross-site"})
        assert (foreign.status_code, foreign.json()["code"]) == (403, "origin-foreign")
        assert local.post("/api/v1/budgets", json=body).status_code == 201


class TestRunsAreJudgedByThem:
    """Level-triggered: whatever changed, the next look makes the verdicts what they should be."""

    @pytest.fixture
    def database(self, fresh_postgres_url: str) -> Iterator[Database]:
        found = Database(fresh_postgres_url)
        yield found
        found.dispose()

    def store(self, database: Database, document: Json, applies_to: list[str]) -> None:
        asked = BudgetIn.model_validate({"document": document, "applies_to": applies_to})
        with database.transaction() as session:
            organisation = session.execute(text("SELECT id FROM organisation")).scalar_one()
            budgets.store_budget(session, organisation, asked, MOMENT)

    def due(self, database: Database) -> list[UUID]:
        with database.transaction() as session:
            return due_runs(session, MOMENT + timedelta(hours=1))

    def look(self, database: Database, run_id: UUID) -> None:
        with database.transaction() as session:
            assert look_at_run(session, run_id, MOMENT + timedelta(hours=1)) is not None

    def verdicts(self, database: Database, run_id: UUID) -> list[tuple[str, int, Any, Any]]:
        with database.transaction() as session:
            rows = session.scalars(
                select(VerdictRow)
                .where(VerdictRow.run_id == run_id)
                .order_by(VerdictRow.budget_name, VerdictRow.budget_version)
            )
            return [(row.budget_name, row.budget_version, row.result, row.computed_at) for row in rows]

    @pytest.fixture
    def judged(self, database: Database) -> UUID:
        with database.transaction() as session:
            run_id = add_run(session, SPECS)
            add_intervals(session, run_id, SPECS)
            finish(session, run_id, SPECS)
        self.look(database, run_id)
        assert self.due(database) == []
        return run_id

    def test_a_budget_that_applies_to_the_workload_judges_finished_runs(
        self, database: Database, judged: UUID
    ) -> None:
        before = self.verdicts(database, judged)
        self.store(database, transaction(), ["act-storage"])
        assert self.due(database) == [judged]
        self.look(database, judged)
        after = self.verdicts(database, judged)
        assert [one for one in after if one[0] != "checkout"] == before
        assert [(one[0], one[1]) for one in after if one[0] == "checkout"] == [("checkout", 1)]
        assert self.due(database) == []

    def test_a_new_version_is_judged_and_the_old_verdict_stays(
        self, database: Database, judged: UUID
    ) -> None:
        self.store(database, transaction(), ["act-storage"])
        self.look(database, judged)
        old = self.verdicts(database, judged)
        self.store(database, transaction(version=2, window_ns=1_000_000), ["act-storage"])
        assert self.due(database) == [judged]
        self.look(database, judged)
        now = self.verdicts(database, judged)
        assert [one for one in now if (one[0], one[1]) != ("checkout", 2)] == old
        words = {one[1]: one[2]["verdict"] for one in now if one[0] == "checkout"}
        assert words[2] == "FAIL"
        assert words[1] != "FAIL"

    def test_a_version_that_applies_to_nothing_withdraws_the_budget(
        self, database: Database, judged: UUID
    ) -> None:
        self.store(database, transaction(), ["act-storage"])
        self.look(database, judged)
        kept = self.verdicts(database, judged)
        self.store(database, transaction(version=2), [])
        self.look(database, judged)
        assert self.verdicts(database, judged) == kept
        assert self.due(database) == []
        with database.transaction() as session:
            run_id = add_run(session, SPECS)
            add_intervals(session, run_id, SPECS)
            finish(session, run_id, SPECS)
        self.look(database, run_id)
        assert "checkout" not in [one[0] for one in self.verdicts(database, run_id)]

    def test_other_workloads_and_other_organisations_are_left_alone(
        self, database: Database, judged: UUID
    ) -> None:
        with database.transaction() as session:
            others = add_run(session, SPECS, organisation="others")
            add_intervals(session, others, SPECS)
            finish(session, others, SPECS)
            unknown = add_run(session, SPECS, workload="something-else", organisation="others")
            finish(session, unknown, SPECS)
        for run_id in (others, unknown):
            self.look(database, run_id)
        with database.transaction() as session:
            session.execute(
                text(
                    "INSERT INTO budget SELECT id, 'mine', 1, '{}', ARRAY['fraud-transaction'],"
                    " decode(repeat('00', 32), 'hex'), now() FROM organisation WHERE name = 'local'"
                )
            )
        assert self.due(database) == []
        with database.transaction() as session:
            digests = {
                session.get_one(AnalysisState, run_id).budgets_digest for run_id in (judged, others, unknown)
            }
        assert len(digests) == 2

    def test_a_document_that_is_no_budget_any_more_stops_nothing(
        self, database: Database, judged: UUID
    ) -> None:
        with database.transaction() as session:
            session.execute(
                text(
                    "INSERT INTO budget SELECT organisation_id, 'broken', 1,"
                    """ '{"kind": "transaction", "name": "broken", "version": 1, "plan": {"stages": []},"""
                    """ "window_ns": 1, "objective_ratio": 0.5}', ARRAY['act-storage'],"""
                    " decode(repeat('00', 32), 'hex'), now() FROM run"
                )
            )
        assert self.due(database) == [judged]
        before = self.verdicts(database, judged)
        self.look(database, judged)
        assert self.due(database) == []
        assert self.verdicts(database, judged) == before
