"""Judged runs, and who reads them."""

from collections.abc import Callable, Iterator
from uuid import UUID

import pytest
from backend.tests.reports.storing import stored

from tailroom.kit.db import Database

Header = dict[str, str]


@pytest.fixture
def store(database: Database, organisation: str) -> Iterator[Callable[..., UUID]]:
    with stored(database, organisation) as add:
        yield add


@pytest.fixture
def run_id(store: Callable[..., UUID]) -> UUID:
    return store()
