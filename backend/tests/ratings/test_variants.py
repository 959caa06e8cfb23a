"""Drives of one model with different firmware or capacity: rows of their own, and a warning on a run."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from backend.tests.ratings.test_runs import HOST, PLAN, hours, rows_of, stored

from tailroom.kit.db import Database

Get = Callable[..., Any]


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


def nvme(serial: str, board: str, erase_bytes: int, extended: bool) -> tuple[dict[str, Any], dict[str, Any]]:
    """A drive of firmware 1.0 as its machine describes it, and what its log pages said in a test."""
    ids = {"pci_vendor": "0x8086", "pci_device": "0x0953", "pci_subsystem_vendor": "0x8086"}
    device = {
        **HOST["block_devices"][0],  # type: ignore[dict-item]
        "firmware": "1.0",
        "serial_sha256": serial * 64,
        "discard_granularity_bytes": erase_bytes,
        "optimal_io_bytes": 512,
        "nvme": {
            **ids,
            "pci_subsystem_device": board,
            "max_link_speed": "8.0 GT/s PCIe",
            "max_link_width": 4,
        },
    }
    values = {"smart.host_written_bytes": 512_000} | ({"extended.media_written_bytes": 1} if extended else {})
    readings = [
        {"moment": moment, "at_ns": at_ns, "took_ns": 1, "values": values}
        for moment, at_ns in (("armed", 0), ("drained", 10**9))
    ]
    absent = {} if extended else {"extended": "the drive answered with status 0x4109"}
    drive = {"devices": ["/dev/nvme0n1"], "disk": "nvme0n1", "readings": readings, "absent": absent}
    return device, {"version": 1, "drives": [drive], "without_disk": []}


def measured_as(
    database: Database,
    organisation: str,
    drive: tuple[dict[str, Any], dict[str, Any]],
    cache_bytes: int | None = None,
) -> UUID:
    """ACT on a drive; with `cache_bytes` in a suite that has measured where the cache ends."""
    device, counters = drive
    plan = dict(PLAN)
    if cache_bytes is not None:
        end = {"lower_bytes": cache_bytes, "upper_bytes": cache_bytes + 10**9}
        plan["qualify"] = {"device": "/dev/nvme0n1", "preparation": {"cache_end": end}}
    return stored(database, organisation, hours(24, 0.01), plan, block_devices=[device], counters=counters)


def test_serial_numbers_of_one_firmware_that_differ_inside_are_variants(
    database: Database, get: Get, organisation: str
) -> None:
    first = measured_as(database, organisation, nvme("a", "0x3702", 65_536, extended=True))
    measured_as(database, organisation, nvme("a", "0x3702", 65_536, extended=True))
    measured_as(database, organisation, nvme("b", "0x3702", 65_536, extended=True))
    page = get("/drives/intel-dc-s3700", organisation)
    assert page["variants"] == [], "three tests of two drives that state the same"
    other = measured_as(database, organisation, nvme("c", "0x3703", 1 << 20, extended=False))
    variants = get("/drives/intel-dc-s3700", organisation)["variants"]
    assert [(each["number"], each["firmware"], each["drives"], each["tests"]) for each in variants] == [
        (1, "1.0", 2, 3),
        (2, "1.0", 1, 1),
    ]
    assert [{trait["label"]: trait["text"] for trait in each["traits"]} for each in variants] == [
        {"Maker": "8086:3702", "Unit that is erased": "65,536 bytes", "Log page C0h": "offered"},
        {"Maker": "8086:3703", "Unit that is erased": "1,048,576 bytes", "Log page C0h": "not offered"},
    ]
    (warning,) = get(f"/runs/{other}/drive-variant", organisation)["warnings"]
    assert warning == (
        "This drive has firmware and capacity of tested ones, and differs from each (maker, unit that is"
        " erased, log page c0h). It may hold other flash, so their latencies are not proven for it."
    )
    assert get(f"/runs/{first}/drive-variant", organisation)["warnings"] == []
    stranger = f"{organisation} and a stranger"
    assert get("/drives/intel-dc-s3700", stranger)["variants"] == [], "the tests are private"


def test_drives_that_state_the_same_are_told_apart_by_the_end_of_their_cache(
    database: Database, get: Get, organisation: str
) -> None:
    for serial, cache_bytes in (("a", 20 * 10**9), ("b", 21 * 10**9), ("c", 60 * 10**9)):
        measured_as(database, organisation, nvme(serial, "0x3702", 65_536, extended=True), cache_bytes)
    first, second = get("/drives/intel-dc-s3700", organisation)["variants"]
    assert (first["drives"], second["drives"]) == (2, 1)
    assert second["traits"] == [{"label": "End of the cache", "text": "after 60 to 61 GB"}]
