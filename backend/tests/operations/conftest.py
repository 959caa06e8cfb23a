"""Two installations, and an organisation that moves from one to the other."""

from collections.abc import Callable, Iterator
from itertools import count
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

_numbers = count(1)


@pytest.fixture(scope="module")
def new_database(embedded_postgres: EmbeddedPostgres, migrated_template: str) -> Iterator[Callable[..., str]]:
    """Make databases that go with the module; each takes a third of a second of processor time."""
    made: list[str] = []

    def make(*, empty: bool = False) -> str:
        made.append(name := f"tailroom_place_{next(_numbers)}")
        embedded_postgres.create_database(name, template=None if empty else migrated_template)
        return embedded_postgres.url(name)

    yield make
    for name in made:
        embedded_postgres.drop_database(name)


@pytest.fixture(scope="module")
def place(
    new_database: Callable[..., str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[], Place]]:
    """Make installations with nothing in them."""
    made: list[Place] = []

    def make() -> Place:
        made.append(found := Place(new_database(), tmp_path_factory.mktemp("place")))
        return found

    yield make
    for one in made:
        one.database.dispose()


@pytest.fixture(scope="module")
def here(place: Callable[[], Place]) -> Place:
    return place()


@pytest.fixture(scope="module")
def there(place: Callable[[], Place]) -> Place:
    """An installation in which nothing stays."""
    return place()


@pytest.fixture(scope="module")
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
