"""Judged runs of an organisation, and who watches them."""

from collections.abc import Iterator

import pytest
from backend.tests.watches.test_watches import Runs
from sqlalchemy import delete

from tailroom.kit.db import Database
from tailroom.storage.run import Run
from tailroom.storage.watch import Watch
from tailroom.storage.work import WorkRow


@pytest.fixture
def runs(database: Database, organisation: str) -> Iterator[Runs]:
    found = Runs(database, organisation)
    yield found
    with database.transaction() as session:
        session.execute(delete(Watch).where(Watch.organisation_id == found.owner))
        session.execute(delete(WorkRow).where(WorkRow.organisation_id == found.owner))
        session.execute(delete(Run).where(Run.run_id.in_(found.made)))
