"""Two installations, and an organisation that moves from one to the other."""

from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from backend.tests.analysis.recording import (
    SeriesSpec,
    add_intervals,
    add_run,
    finish,
    look_at_run,
    organisation_of,
    steady,
)
from backend.tests.operations.moving import Place, store_file
from sqlalchemy import update

from tailroom.access import trail
from tailroom.access.service import create_token
from tailroom.embedded.postgres import EmbeddedPostgres
from tailroom.kit.clock import utc_now
from tailroom.kit.identifiers import new_id
from tailroom.storage.campaign import CommandKey
from tailroom.storage.person import Membership, Person
from tailroom.storage.run import Run
from tailroom.storage.watch import Watch


@pytest.fixture
def here(fresh_postgres_url: str, tmp_path: Path) -> Place:
    return Place(fresh_postgres_url, tmp_path / "here")


@pytest.fixture
def there(embedded_postgres: EmbeddedPostgres, migrated_template: str, tmp_path: Path) -> Any:
    embedded_postgres.create_database("tailroom_there", template=migrated_template)
    place = Place(embedded_postgres.url("tailroom_there"), tmp_path / "there")
    yield place
    place.database.dispose()
    embedded_postgres.drop_database("tailroom_there")


@pytest.fixture
def owner(here: Place) -> UUID:
    """An organisation with a published and judged run, a file, a member and secrets."""
    specs = [SeriesSpec("reads", steady(2_000, 30))]
    now = utc_now()
    with here.database.transaction() as session:
        run_id = add_run(session, specs)
        add_intervals(session, run_id, specs)
        finish(session, run_id, specs)
        look_at_run(session, run_id, now)
        found = organisation_of(session)
        changed = {"visibility": "public", "published_at": now}
        session.execute(update(Run).where(Run.run_id == run_id).values(changed))
        create_token(session, "local", "secret token", "engineer", now)
        session.add(CommandKey(organisation_id=found, private_key=b"k" * 32))
        session.add(
            Watch(
                organisation_id=found,
                watch_id=new_id(),
                name="nightly",
                budget_name="act",
                webhook_url="https://hooks.example/secret-path",
                webhook_secret="secret-of-webhook",
                created_at=now,
            )
        )
        person = Person(
            id=new_id(),
            email="ada@people.example",
            name="Ada",
            password_hash="argon",
            created_at=now,
            password_set_at=now,
        )
        session.add(person)
        session.flush()
        session.add(
            Membership(
                organisation_id=found,
                person_id=person.id,
                role="owner",
                email=person.email,
                name="Ada",
                joined_at=now,
            )
        )
        trail.record(session, found, trail.OPERATOR, "begin", trail.Note("it"))
    store_file(here.database, here.store, found)
    return found
