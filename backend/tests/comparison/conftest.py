"""Judged runs of a test's organisation, and the reference data of the package."""

from collections.abc import Callable, Iterator, Sequence
from uuid import UUID

import numpy as np
import pytest
from backend.tests.analysis.recording import SeriesSpec, steady
from backend.tests.comparison.judged_runs import judged_runs, steady_runs

from tailroom.cli.reference import bring_reference
from tailroom.kit.db import Database

Header = dict[str, str]


@pytest.fixture(scope="session")
def reference(database: Database) -> None:
    """Catalogue, publications, findings and tests of drives are there."""
    with database.transaction() as session:
        bring_reference(session)


@pytest.fixture
def store_judged(database: Database, organisation: str) -> Iterator[Callable[..., UUID]]:
    """Stores a judged run of this test's organisation; it goes with the test."""
    with judged_runs(database, organisation) as add:
        yield add


@pytest.fixture
def store_drives(store_judged: Callable[..., UUID]) -> Callable[..., UUID]:
    """Stores a judged run that measured several drives, each with its latency."""

    def add(latencies_ns: Sequence[int], seed: int = 1) -> UUID:
        parts = [steady(500, 30, at_ns, 100 * seed + drive) for drive, at_ns in enumerate(latencies_ns)]
        specs = [SeriesSpec("read", [np.concatenate(row) for row in zip(*parts, strict=True)])]
        specs += [
            SeriesSpec("read", part, device=f"/dev/sd{'abcdefgh'[drive]}") for drive, part in enumerate(parts)
        ]
        return store_judged(specs)

    return add


@pytest.fixture
def store(store_judged: Callable[..., UUID]) -> Callable[..., UUID]:
    """Stores a judged run of one operation at a steady latency."""
    return steady_runs(store_judged)
