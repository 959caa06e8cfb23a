"""Every door says the same of a test, digit by digit."""

import pytest
from backend.bench.one_judge import compare

from tailroom.kit.db import Database


@pytest.mark.usefixtures("reference")
def test_published_tests_are_judged_alike_on_every_page(database: Database) -> None:
    """Leaderboard, its table, drive's page, `/sla` and the judge: by the rule sets and random questions."""
    found = compare(database.transaction, questions=2, seed=20_261_128)
    assert found.differences == []
    assert found.compared > 1_000
    assert found.decided > 150
