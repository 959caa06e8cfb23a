"""The API against real services; every test works in an organisation of its own."""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import httpx
import pytest
from backend.tests.agent import Agent
from backend.tests.listening import listening
from fastapi.testclient import TestClient
from redis import Redis

from tailroom.access.service import create_token
from tailroom.api.app import create_app
from tailroom.embedded.postgres import EmbeddedPostgres
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.settings import Settings

_numbers = count(1)


@pytest.fixture(scope="session")
def api_postgres_url(embedded_postgres: EmbeddedPostgres, migrated_template: str) -> str:
    """A migrated database for everything that speaks to the API."""
    embedded_postgres.create_database("tailroom_api", template=migrated_template)
    return embedded_postgres.url("tailroom_api")


@pytest.fixture(scope="session")
def settings(api_postgres_url: str, redis_url: str, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Settings of an installation where everybody needs a token."""
    return Settings(
        database_url=api_postgres_url,
        redis_url=redis_url,
        home=tmp_path_factory.mktemp("home"),
        ui_dist=Path("/nonexistent"),
        allowed_hosts=("testserver", "localhost", "127.0.0.1"),
    )


@pytest.fixture(autouse=True)
def no_guesses_of_tests_before(request: pytest.FixtureRequest) -> None:
    """What is counted for the whole installation begins anew with each test."""
    if "settings" in request.fixturenames:
        with Redis.from_url(request.getfixturevalue("redis_url")) as valkey:
            for name in valkey.scan_iter("tailroom:{guesses}:*"):
                valkey.delete(name)


@pytest.fixture(scope="session")
def client(settings: Settings) -> Iterator[TestClient]:
    """The API, without a token unless a request names one."""
    with TestClient(create_app(settings), raise_server_exceptions=False) as found:
        yield found


@pytest.fixture(scope="session")
def server_address(settings: Settings) -> Iterator[str]:
    """The API behind a socket, as programs reach it."""
    with listening(settings) as url:
        yield url


@pytest.fixture
def real_http(server_address: str) -> httpx.Client:
    """A connection to it; whoever gets it closes it."""
    return httpx.Client(base_url=server_address, timeout=60.0)


@pytest.fixture(scope="session")
def database(api_postgres_url: str) -> Iterator[Database]:
    """The database of the API."""
    found = Database(api_postgres_url, pool_size=4)
    yield found
    found.dispose()


@pytest.fixture
def organisation() -> str:
    """The name of an organisation that no other test has."""
    return f"organisation {next(_numbers)}"


@pytest.fixture
def make_token(database: Database, organisation: str) -> Callable[..., str]:
    """Makes a token, by default an agent's of this test's organisation."""

    def make(scope: str = "agent", owner: str = organisation) -> str:
        with database.transaction() as session:
            _, text = create_token(session, owner, "test", scope, utc_now())  # type: ignore[arg-type]
        return text

    return make


@pytest.fixture
def viewer(make_token: Callable[..., str]) -> dict[str, str]:
    """The header of a viewer of this test's organisation."""
    return {"Authorization": f"Bearer {make_token('viewer')}"}


@pytest.fixture
def engineer(make_token: Callable[..., str]) -> dict[str, str]:
    """The header of an engineer of this test's organisation."""
    return {"Authorization": f"Bearer {make_token('engineer')}"}


@pytest.fixture
def agent(client: TestClient, make_token: Callable[..., str]) -> Agent:
    """An agent with a token and a run that has not been announced."""
    return Agent(client, make_token())
