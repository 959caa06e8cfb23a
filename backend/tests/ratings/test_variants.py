"""Drives of one model with different firmware or capacity: rows of their own, and a warning on a run."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from backend.tests.ratings.test_runs import HOST, hours, rows_of, stored
from fastapi.testclient import TestClient

from tailroom.kit.db import Database

Get = Callable[..., Any]


@pytest.fixture
def get(client: TestClient, make_token: Callable[..., str], reference: None) -> Get:
    tokens: dict[str, str] = {}

    def asked(path: str, owner: str, **parameters: Any) -> Any:
        token = tokens.setdefault(owner, make_token("engineer", owner))
        answer = client.get(f"/api/v1{path}", params=parameters, headers={"Authorization": f"Bearer {token}"})
        assert answer.status_code == 200, answer.text
        return answer.json()

    return asked


def measured(
    database: Database, organisation: str, firmware: str | None, late: float = 0.01, size_bytes: int = 0
) -> UUID:
    """A day of a drive with this firmware."""
    device: dict[str, Any] = {**HOST["block_devices"][0], "firmware": firmware}  # type: ignore[dict-item]
    if size_bytes:
        device["size_bytes"] = size_bytes
    return stored(database, organisation, hours(24, late), block_devices=[device])


def mine(get: Get, owner: str) -> list[dict[str, Any]]:
    rows = rows_of(get, owner, scope="mine")
    return sorted(
        (row for row in rows if row["metric_class"] == "total"), key=lambda row: str(row["firmware"])
    )


def test_drives_with_other_firmware_are_other_rows_that_prove_nothing_of_each_other(
    database: Database, get: Get, organisation: str
) -> None:
    measured(database, organisation, "1.0")
    (row,) = mine(get, organisation)
    assert (row["firmware"], row["rating"]["passed_load"]) == ("1.0", 3)
    measured(database, organisation, "2.0", late=0.5)
    first, second = mine(get, organisation)
    assert (first["row_id"], first["rating"]) == (row["row_id"], row["rating"])
    assert (second["firmware"], second["rating"]["passed_load"], second["rating"]["failed_load"]) == (
        "2.0",
        None,
        3,
    )
    assert first["row_id"] != second["row_id"]
    page = get("/drives/intel-dc-s3700", organisation)
    of_runs = {test["row_id"]: test["firmware"] for test in page["tests"] if test["source"]["run_id"]}
    assert {of_runs[first["row_id"]], of_runs[second["row_id"]]} == {"1.0", "2.0"}


def test_a_run_warns_where_its_drive_is_not_the_tested_variant(
    database: Database, get: Get, organisation: str
) -> None:
    first = measured(database, organisation, "1.0")
    alone = get(f"/runs/{first}/drive-variant", organisation)
    assert (alone["drive"]["slug"], alone["firmware"]) == ("intel-dc-s3700", "1.0")
    assert alone["capacity_bytes"] == 400_000_000_000
    assert alone["warnings"] == [], "published tests state no firmware, and are of this capacity"
    second = measured(database, organisation, "2.0")
    (warning,) = get(f"/runs/{second}/drive-variant", organisation)["warnings"]
    assert warning.startswith(
        "This drive has firmware 2.0; tests of its model that state one were made with 1.0."
    )
    measured(database, organisation, "2.0")
    again = get(f"/runs/{second}/drive-variant", organisation)
    assert again["warnings"] == []
    assert {(each["firmware"], each["tests"]) for each in again["rated"] if each["firmware"]} == {
        ("1.0", 1),
        ("2.0", 1),
    }
    unknown = measured(database, organisation, None)
    assert get(f"/runs/{unknown}/drive-variant", organisation)["warnings"] == []


def test_another_capacity_is_named(database: Database, get: Get, organisation: str) -> None:
    larger = measured(database, organisation, None, size_bytes=1_920_000_000_000)
    (warning,) = get(f"/runs/{larger}/drive-variant", organisation)["warnings"]
    assert warning.startswith("This drive has 1.92 TB; tests of its model are about ")
    assert "400 GB" in warning
