"""The two locks, each tried with the other one taken away, and the rules that keep the schema fit for a
distributed database (docs/architecture.md).
"""

from collections.abc import Callable
from uuid import UUID

import pytest
from backend.tests.agent import Agent, interval
from fastapi.testclient import TestClient
from sqlalchemy import select, text
from sqlalchemy.exc import ProgrammingError
from sqlalchemy.orm import Session

from tailroom.access import repository
from tailroom.access.caller import Caller
from tailroom.access.tokens import hash_token
from tailroom.kit.db import MEMBER_ROLE, Database, show_runs
from tailroom.runs.repository import find_run
from tailroom.storage.registry import METADATA
from tailroom.storage.run import Run

TABLES = METADATA.tables
OF_OWNERS = ("access_token", "browser_session")
OF_PEOPLE = (
    "person",
    "person_session",
    "person_identity",
    "passkey",
    "sign_in_attempt",
    "mail_code",
    "second_factor",
    "recovery_code",
    "saved_item",
)
"""What no organisation's transaction reads: who somebody is was settled before it began."""
OF_OPERATORS = ("backup_made",)
CHILDREN = sorted(
    name for name, one in TABLES.items() if "run_id" in one.primary_key.columns and name != "run"
)


@pytest.fixture
def two(
    client: TestClient, make_token: Callable[..., str], organisation: str, database: Database
) -> tuple[Agent, UUID, UUID]:
    """An agent whose run has an interval, its organisation, and another organisation."""
    agent = Agent(client, make_token())
    agent.announce()
    assert agent.send([interval(0, 0)]).status_code == 200
    other = make_token("engineer", f"not {organisation}")
    with database.transaction() as session:
        mine = repository.find_token(session, hash_token(agent.token))
        others = repository.find_token(session, hash_token(other))
    assert mine is not None
    assert others is not None
    return agent, mine.organisation_id, others.organisation_id


def count(session: Session, table: str, run_id: str) -> int:
    found = session.scalar(
        text(f"SELECT count(*) FROM {table} WHERE run_id = :run_id"),  # noqa: S608 - names of ours
        {"run_id": run_id},
    )
    assert found is not None
    return int(found)


def test_without_the_applications_checks_policies_hold(
    two: tuple[Agent, UUID, UUID], database: Database
) -> None:
    agent, owner, other = two
    with database.transaction(owner) as session:
        mine = {name: count(session, name, agent.run_id) for name in ("run", *CHILDREN)}
    assert mine["run"] == mine["series"] == mine["interval"] == 1
    with database.transaction(other) as session:
        assert {name: count(session, name, agent.run_id) for name in ("run", *CHILDREN)} == dict.fromkeys(
            mine, 0
        )
        # Claiming that a run is public does not help while it is not.
        assert session.scalar(select(Run).where(Run.run_id == UUID(agent.run_id))) is None
        for statement in ("UPDATE run SET title = 'mine'", "DELETE FROM interval", "DELETE FROM series"):
            changed = session.execute(
                text(f"{statement} WHERE run_id = :run_id RETURNING run_id"), {"run_id": agent.run_id}
            )
            assert changed.all() == []
    for statement in (
        f"UPDATE run SET organisation_id = '{owner}'",  # noqa: S608 - an id of ours
        f"INSERT INTO budget SELECT '{owner}', 'x', 1, '{{}}', '{{}}', sha256('x'), now()",
        "SELECT * FROM access_token",
        "SELECT * FROM browser_session",
        "SELECT * FROM person",
        "SELECT * FROM person_session",
        "SELECT * FROM mail_code",
        "SELECT * FROM saved_item",
        f"INSERT INTO membership SELECT '{owner}', gen_random_uuid(), 'owner', '', '', now()",
        "INSERT INTO organisation SELECT * FROM organisation LIMIT 1",
        "DELETE FROM publication",
        "UPDATE trail_event SET actor = 'nobody'",
        "DELETE FROM trail_event",
    ):
        with pytest.raises(ProgrammingError, match=r"row-level security|permission denied"):
            tried(database, other, statement)


def tried(database: Database, organisation_id: UUID, statement: str) -> None:
    """A statement in the name of an organisation that has a run."""
    columns = (
        "run_id, organisation_id, title, workload, state, started_at, started_at_unix_ns,"
        " planned_duration_ns, agent, host, plan, content_sha256, data_through_ns, created_at"
    )
    values = "gen_random_uuid(), :owner, '', '', 'running', now(), 0, 0, '{}', '{}', '{}', '', 0, now()"
    with database.transaction(organisation_id) as session:
        session.execute(
            text(f"INSERT INTO run ({columns}) VALUES ({values})"),  # noqa: S608 - names of ours
            {"owner": organisation_id},
        )
        session.execute(text(statement))


def test_without_policies_the_applications_checks_hold(  # noqa: PLR0917 - fixtures
    two: tuple[Agent, UUID, UUID],
    client: TestClient,
    make_token: Callable[..., str],
    organisation: str,
    database: Database,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    agent, _, other = two

    callers = []

    def as_owner(caller: Caller) -> Session:
        callers.append(caller)
        return caller.database.new_session()

    monkeypatch.setattr(Caller, "new_session", as_owner)
    with database.transaction() as session:
        assert session.scalar(text("SELECT current_user")) != MEMBER_ROLE
    headers = {"Authorization": f"Bearer {make_token('engineer', f'not {organisation}')}"}
    path = f"/api/v1/runs/{agent.run_id}"
    for what in ("", "/ladder", "/timeline", "/course", "/percentiles", "/exceedance", "/findings"):
        assert client.get(f"{path}{what}", headers=headers).status_code == 404, what
    for what in ("stop", "publish"):
        assert client.post(f"{path}/{what}", headers=headers).status_code == 404, what
    with database.transaction() as session:
        assert count(session, "run", agent.run_id) == 1
        assert find_run(session, other, UUID(agent.run_id)) is None
    assert callers


def test_what_is_public_is_shown_and_what_is_withdrawn_is_not(
    two: tuple[Agent, UUID, UUID], client: TestClient, make_token: Callable[..., str], database: Database
) -> None:
    agent, _, other = two
    run_id, headers = UUID(agent.run_id), {"Authorization": f"Bearer {make_token('engineer')}"}
    assert client.post(f"/api/v1/runs/{run_id}/publish", headers=headers).status_code == 200
    with database.transaction(other) as session:
        assert count(session, "interval", agent.run_id) == 0
        assert find_run(session, other, run_id) is not None
        assert count(session, "interval", agent.run_id) == count(session, "series", agent.run_id) == 1
        assert count(session, "run_source", agent.run_id) == 0
        session.execute(text("DELETE FROM interval WHERE run_id = :run_id"), {"run_id": run_id})
    with database.transaction(other) as session:
        assert count(session, "interval", agent.run_id) == 0, (
            "what one transaction was shown, the next is not"
        )
        show_runs(session, [run_id])
        assert count(session, "interval", agent.run_id) == 1, "nothing was deleted"
    retracted = client.post(f"/api/v1/runs/{run_id}/retract", headers=headers, json={})
    assert retracted.status_code == 200
    with database.transaction(other) as session:
        assert find_run(session, other, run_id) is not None, "it is said that it was withdrawn"
        assert count(session, "interval", agent.run_id) == 0


def test_every_table_is_secured_or_of_everybody(database: Database) -> None:
    with database.transaction() as session:
        secured = set(session.scalars(text("SELECT relname FROM pg_class WHERE relrowsecurity")))
        granted = set(
            session.scalars(
                text("SELECT table_name FROM information_schema.role_table_grants WHERE grantee = :role"),
                {"role": MEMBER_ROLE},
            )
        )
        policies = session.execute(
            text("SELECT tablename, coalesce(qual, '') || coalesce(with_check, '') FROM pg_policies")
        ).all()
        # But those of Citus, on its own tables and on what it has distributed.
        ours = (
            "SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal AND tgname NOT LIKE 'truncate_trigger_%'"
            " AND tgrelid NOT IN (SELECT oid FROM pg_class WHERE relnamespace = 'pg_catalog'::regnamespace)"
        )
        triggers = session.scalar(text(ours))
    assert {name for name, one in TABLES.items() if "organisation_id" in one.columns} - secured == set(
        OF_OWNERS
    )
    assert granted == set(TABLES) - set(OF_OWNERS) - set(OF_PEOPLE) - set(OF_OPERATORS), (
        "a new table is granted in its migration, partitions never"
    )
    assert not [name for name, rule in policies if "SELECT" in rule.upper()], "no subqueries in policies"
    assert triggers == 0
