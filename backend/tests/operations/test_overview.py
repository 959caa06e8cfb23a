"""The page of whoever looks after the installation: who sees it, what it says, and that a retry works."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
import yaml
from backend.tests.agent import Agent
from backend.tests.people.people import new_email, signed_up
from fastapi.testclient import TestClient
from sqlalchemy import delete, select, update

from tailroom.access import repository
from tailroom.access.tokens import hash_token
from tailroom.api.app import create_app
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.settings import Settings
from tailroom.operations import overview
from tailroom.storage.backup_made import BackupMade
from tailroom.storage.trail import TrailEvent
from tailroom.storage.work import WorkRow

OPERATOR = "an-operators-token-of-some-length"
HEADERS = {"Authorization": f"Bearer {OPERATOR}"}
PERSON = new_email("operator")
PATH = "/api/v1/operations"
ALERTS = Path(__file__).parents[2] / "deploy" / "monitoring" / "alerts.yml"


@pytest.fixture(scope="module")
def operated(settings: Settings) -> Iterator[TestClient]:
    """An installation with an operator's token and a person who operates it."""
    changed = {"operator_token": OPERATOR, "operators": [PERSON], "open_sign_up": True}
    with TestClient(create_app(Settings.model_validate({**settings.model_dump(), **changed}))) as found:
        yield found


def given_up(database: Database, run_id: str) -> None:
    """The judgement of a run has failed too often."""
    with database.transaction() as session:
        session.execute(
            update(WorkRow)
            .where(WorkRow.subject == run_id, WorkRow.kind == "judge")
            .values(given_up_at=utc_now(), attempts=5, error="ValueError: it is broken")
        )


def test_operators_alone_see_it(
    operated: TestClient, client: TestClient, make_token: Callable[..., str], settings: Settings
) -> None:
    assert operated.get(PATH).status_code == 401
    for scope in ("agent", "viewer", "engineer"):
        refused = operated.get(PATH, headers={"Authorization": f"Bearer {make_token(scope)}"})
        assert (refused.status_code, refused.json()["code"]) == (403, "token-scope"), scope
    stranger, operator = signed_up(operated, "Others"), signed_up(operated, "Operators", PERSON)
    assert "operate" not in stranger.get("/api/v1/session").json()["capabilities"]
    refused = stranger.get(PATH)
    assert refused.status_code == 403
    assert "TAILROOM_OPERATORS" in refused.json()["detail"]
    assert "operate" in operator.get("/api/v1/session").json()["capabilities"]
    assert operator.get(PATH).status_code == 200
    assert operated.get(PATH, headers=HEADERS).status_code == 200
    foreign = operator.post(f"{PATH}/retry", headers={"Origin": "https://elsewhere.example"})
    assert foreign.json()["code"] == "origin-foreign"
    # The token opens nothing else, and nothing at an installation that has none.
    assert operated.get("/api/v1/runs", headers=HEADERS).status_code == 401
    assert client.get(PATH, headers=HEADERS).status_code == 401
    with TestClient(create_app(settings.model_copy(update={"local_access": True}))) as local:
        assert local.get(PATH).status_code == 200
        assert local.get(PATH, headers={"X-Forwarded-For": "192.0.2.1"}).status_code == 401


def test_what_was_given_up_is_shown_and_tried_again(
    operated: TestClient,
    database: Database,
    make_token: Callable[..., str],
    organisation: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Work of other tests is due for longer.
    monkeypatch.setattr(overview, "MOST_WORKS", 100_000)
    agent = Agent(operated, make_token())
    agent.announce()
    given_up(database, agent.run_id)
    seen = operated.get(PATH, headers=HEADERS).json()
    mine = next(one for one in seen["given_up"] if one["subject"] == agent.run_id)
    assert (mine["organisation"], mine["kind"], mine["attempts"]) == (organisation, "judge", 5)
    assert mine["error"] == "ValueError: it is broken"
    assert any("failed too often" in one for one in seen["concerns"])
    stored = next(one for one in seen["organisations"] if one["name"] == organisation)
    assert (stored["runs"], stored["running"], stored["raw_bytes"]) == (1, 1, 0)
    assert sum(one["runs"] for one in seen["agents"]) >= 1
    assert any(one["name"] == "interval_default" for one in seen["partitions"])
    assert operated.post(f"{PATH}/retry/{agent.run_id}", headers=HEADERS).json() == {"works": 1}
    again = operated.get(PATH, headers=HEADERS).json()
    assert agent.run_id not in {one["subject"] for one in again["given_up"]}
    assert agent.run_id in {one["subject"] for one in again["due"]}
    given_up(database, agent.run_id)
    assert operated.post(f"{PATH}/retry", headers=HEADERS).json()["works"] >= 1
    with database.transaction() as session:
        token = repository.find_token(session, hash_token(agent.token))
        assert token is not None
        mine_only = TrailEvent.organisation_id == token.organisation_id
        events = session.execute(
            select(TrailEvent.actor_kind, TrailEvent.action).where(mine_only).order_by(TrailEvent.number)
        ).all()
        assert events == [("operator", "retry_work"), ("operator", "retry_all_work")]


def test_a_backup_that_is_old_or_missing_is_a_concern(database: Database) -> None:
    now = utc_now()

    def said(**made: int) -> list[str]:
        with database.transaction() as session:
            session.execute(delete(BackupMade))
            if made:
                old = now - timedelta(days=made["days"])
                row = BackupMade(made_at=old, dump_bytes=1, files_bytes=1, files_missing=made["missing"])
                session.add(row)
            return [one for one in overview.overview(session, now).concerns if "backup" in one]

    assert said() == ["No backup was made yet."]
    assert said(days=9, missing=0) == ["The last backup is 9 days old."]
    assert said(days=0, missing=2) == ["The last backup misses 2 uploaded files."]
    assert said(days=1, missing=0) == []


def test_alert_rules_have_the_same_limits() -> None:
    rules = {one["alert"]: one["expr"] for one in yaml.safe_load(ALERTS.read_text())["groups"][0]["rules"]}
    assert rules["TailroomJudgingLags"].endswith(f"> {overview.LAGS_AFTER_S:.0f}")
    assert rules["TailroomPartitionsMissing"].endswith(f"< {overview.FEWEST_PARTITION_DAYS}")
    assert rules["TailroomTransactionOpenTooLong"].endswith(f"> {overview.TRANSACTION_TOO_LONG_S:.0f}")
    assert rules["TailroomBackupTooOld"].endswith(f"> {overview.BACKUP_TOO_OLD.total_seconds():.0f}")
