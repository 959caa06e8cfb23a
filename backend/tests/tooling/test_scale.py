"""docs/scale.md says what follows from its constants, and nothing else."""

from pathlib import Path

import pytest
from backend.bench.fleet import MEASURED, PACED, Constants, what_follows

LINES = (Path(__file__).parents[3] / "docs" / "scale.md").read_text().splitlines()


def test_the_tables_follow_from_the_constants() -> None:
    tables = [[*what_follows(cost)] for cost in (MEASURED, PACED)]
    places = [at for at, line in enumerate(LINES) if line == tables[0][0]]
    assert [LINES[at : at + len(table)] for at, table in zip(places, tables, strict=True)] == tables


@pytest.mark.parametrize(
    "said",
    [
        f"{MEASURED.requests_per_s:g} request and {MEASURED.intervals_per_s:g} intervals a second",
        f"{MEASURED.api_ms:g} ms of the API and {MEASURED.database_ms:g} ms of PostgreSQL",
        f"{MEASURED.table_bytes:g} bytes",
        f"{MEASURED.judging_cores:g} cores",
        f"{MEASURED.end_s:g} s of processor time",
        f"{PACED.judging_cores:g} cores",
        f"{PACED.api_ms:g} ms of the API and {PACED.database_ms:g} ms of PostgreSQL",
        f"{MEASURED.api_mb:g} MB and {MEASURED.judging_mb:g} MB",
        f"{MEASURED.core_month:g} for a core and {MEASURED.gigabyte_month:g} for a gigabyte",
    ],
)
def test_the_constants_are_named(said: str) -> None:
    assert sum(said in line for line in LINES) == 1


def test_twice_the_agents_cost_twice() -> None:
    plain = Constants(
        1.0, 10.0, 5.0, 1.0, 100.0, 0.09, 6.0, 200.0, 300.0, core_month=10.0, gigabyte_month=1.0
    )
    one, hundred = (line.split(" | ") for line in list(what_follows(plain))[2:4])
    # A run of ten minutes ends with 6 s: 0.01 cores. 0.106 cores at 10, and 0.0864 GB a day for 7 days.
    assert one[-1] == "1.7 |"
    assert hundred[1:6] == ["100", "1,000", "0.50", "10", "0.10"]
    assert hundred[-1] == "170 |"
