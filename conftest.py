"""Real services for the tests of the backend and of the workers: no test replaces PostgreSQL or Valkey.

Each pytest process (each worker of `-n`) has one PostgreSQL and one Valkey of its own, started when
first needed and ended with the process, however it ends. Durability is off: what tests measure here is
never what survives a power cut.
"""

import gc
import os
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
import structlog
from backend.tests.citus import COORDINATOR, CitusCluster
from backend.tests.one_node import watch_statements
from backend.tests.programs import AGENT
from hypothesis import settings

from tailroom.cli.reference import bring_reference
from tailroom.embedded.postgres import NOT_DURABLE, EmbeddedPostgres
from tailroom.embedded.valkey import EmbeddedValkey
from tailroom.kit.db import Database
from tailroom.kit.migrations import migrate

MIGRATIONS = Path(__file__).parent / "migrations"
_TEMPLATE = "tailroom_template"
_database_numbers = count(1)

# `tailroom up` in a test starts this agent too.
os.environ["TAILROOM_AGENT"] = str(AGENT)

# How long an example takes says nothing on a shared machine; speed is measured by `make bench`.
settings.register_profile("tailroom", deadline=None)
settings.load_profile("tailroom")

# As in the product: what a thread of a server under test logs is no part of what a command prints. Tracebacks
# are plain, because one in colour takes a tenth of a second.
structlog.configure(
    processors=[
        *structlog.get_config()["processors"][:-1],
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback),
    ],
    logger_factory=structlog.PrintLoggerFactory(sys.__stderr__),
)

_LONGEST = tuple(
    f"backend/tests/{place}"
    for place in (
        *("embedded/test_up.py", "campaigns/test_interrupted_searches.py", "campaigns/test_campaigns.py"),
        *("work/test_many_processes.py", "campaigns/test_search_plans.py", "chaos/"),
        *("campaigns/test_searches.py", "campaigns/test_drive_searches.py", "campaigns/test_namespaces.py"),
    )
)
"""What starts whole products, or waits for agents that measure, the longest first: begun last, it would go on
alone while the other workers have nothing left."""


# Modules and tests stay to the end: looking for garbage among them took a seventh of the time of collecting.
gc.disable()


def pytest_collection_finish() -> None:
    """From here on what is made may be garbage."""
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let each worker begin with some of the longest tests; the order of all others stays.

    With `--dist worksteal`, each worker begins with an equal part of the list and takes from the ends of the
    others' parts when its own is done.
    """
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    others = [item for item in items if not item.nodeid.startswith(_LONGEST)]
    ordered: list[pytest.Item] = []
    for worker in range(workers):
        end = len(items) * (worker + 1) // workers
        for place in _LONGEST[worker::workers]:
            ordered += [item for item in items if item.nodeid.startswith(place)]
        fill = max(0, end - len(ordered))
        ordered += others[:fill]
        del others[:fill]
    items[:] = ordered + others


watch_statements()


@pytest.fixture(scope="session")
def embedded_postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedPostgres]:
    """The PostgreSQL of this pytest process, empty but for its template databases."""
    if COORDINATOR is not None:
        distributed = CitusCluster(COORDINATOR)
        yield distributed  # type: ignore[misc]
        distributed.stop()
        return
    folder = tmp_path_factory.mktemp("postgres")
    with EmbeddedPostgres.start(folder / "data", folder / "postgres.log", settings=NOT_DURABLE) as cluster:
        yield cluster


@pytest.fixture(scope="session")
def migrated_template(embedded_postgres: EmbeddedPostgres) -> str:
    """The name of a database with schema and reference data, to copy from; never connect to it."""
    embedded_postgres.create_database(_TEMPLATE)
    database = Database(embedded_postgres.url(_TEMPLATE), pool_size=1)
    try:
        migrate(database.engine, MIGRATIONS)
        with database.transaction() as session:
            bring_reference(session)
    finally:
        database.dispose()
    if COORDINATOR is not None:
        embedded_postgres.distribute(_TEMPLATE)  # type: ignore[attr-defined]
        embedded_postgres.close(_TEMPLATE)  # type: ignore[attr-defined]
    return _TEMPLATE


@pytest.fixture(scope="session")
def postgres_url(embedded_postgres: EmbeddedPostgres, migrated_template: str) -> str:
    """A migrated database shared by the tests of this process: for tests that roll back what they do."""
    embedded_postgres.create_database("tailroom_shared", template=migrated_template)
    return embedded_postgres.url("tailroom_shared")


@pytest.fixture
def fresh_postgres_url(embedded_postgres: EmbeddedPostgres, migrated_template: str) -> Iterator[str]:
    """A migrated database for one test alone: for tests that commit, or that end connections."""
    name = f"tailroom_{next(_database_numbers)}"
    embedded_postgres.create_database(name, template=migrated_template)
    yield embedded_postgres.url(name)
    embedded_postgres.drop_database(name)


@pytest.fixture
def empty_postgres_url(embedded_postgres: EmbeddedPostgres) -> Iterator[str]:
    """A database without any table, for tests of the migrations themselves."""
    name = f"tailroom_empty_{next(_database_numbers)}"
    embedded_postgres.create_database(name)
    yield embedded_postgres.url(name)
    embedded_postgres.drop_database(name)


@pytest.fixture(scope="session")
def embedded_valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedValkey]:
    """The Valkey of this pytest process."""
    folder = tmp_path_factory.mktemp("valkey")
    with EmbeddedValkey.start(folder / "data", folder / "valkey.log") as valkey:
        yield valkey


@pytest.fixture(scope="session")
def redis_url(embedded_valkey: EmbeddedValkey) -> str:
    """The URL of the Valkey of this pytest process (a Unix socket)."""
    return embedded_valkey.url


@pytest.fixture
def throw_away_valkey() -> Iterator[EmbeddedValkey]:
    """A Valkey for one test alone, on a loopback port: for tests that stop it or count its keys."""
    with EmbeddedValkey.start_throw_away() as valkey:
        yield valkey
