"""What the drives' own counters say, on the leaderboard, a drive's page, in the table and in comparisons."""

import csv
import io
from collections.abc import Callable
from typing import Any

import pytest
from backend.tests.ratings.test_runs import HOST, hours, rows_of, stored

from tailroom.domain.drive_counters.of_test import figures_of_drives
from tailroom.domain.drive_counters.summary import CounterFigure, DriveSummary
from tailroom.domain.units import NS_PER_HOUR
from tailroom.kit.db import Database

Get = Callable[..., Any]
DAY_NS = 24 * NS_PER_HOUR
HOST_BYTES, UNIT_BYTES = 1_560_000_512_000, 512_000


def plan(load: float) -> dict[str, Any]:
    return {"act_storage": {"path": "/dev/nvme0n1", "load_multiple": load, "record_bytes": 1536}}


def counters(amplification: float, wear_pct: int = 4, throttled_s: int = 0) -> dict[str, Any]:
    """A day of a drive that the host wrote `HOST_BYTES` to."""

    def reading(moment: str, at_ns: int, part: int) -> dict[str, Any]:
        values = {
            "smart.host_written_bytes": 40_000_000_000_000 + part * HOST_BYTES,
            "smart.percentage_used": wear_pct,
            "smart.thermal_management_1_s": 7 + part * throttled_s,
            "smart.thermal_management_2_s": 1,
            "extended.media_written_bytes": 60_000_000_000_000 + round(part * HOST_BYTES * amplification),
        }
        return {"moment": moment, "at_ns": at_ns, "took_ns": 1_000, "values": values}

    readings = [reading("armed", -1_000, 0), reading("start", 0, 0), reading("drained", DAY_NS, 1)]
    drive = {"devices": ["/dev/nvme0n1"], "disk": "nvme0n1", "readings": readings}
    return {"version": 1, "drives": [drive]}


def mine(get: Get, owner: str) -> list[dict[str, Any]]:
    rows = rows_of(get, owner, scope="mine")
    return [row for row in rows if row["metric_class"] == "total"]


def test_figures_are_those_of_the_run_at_the_load_that_the_drive_holds(
    database: Database, get: Get, organisation: str
) -> None:
    stored(database, organisation, hours(24, 0.01), plan(3.0), counters=counters(1.5))
    held = stored(database, organisation, hours(24, 0.01), plan(6.0), counters=counters(2.0, throttled_s=90))
    stored(database, organisation, hours(24, 0.5), plan(12.0), counters=counters(4.0))
    (row,) = mine(get, organisation)
    assert row["rating"]["passed_load"] == 6
    assert row["counters"]["load"] == 6
    shown = {figure["key"]: figure for figure in row["counters"]["figures"]}
    of_run = get(f"/runs/{held}/drive-counters", organisation)["drives"][0]["figures"]
    assert shown == {figure["key"]: figure for figure in of_run if figure["key"] in shown}
    amplification = shown["write_amplification_ratio"]
    assert amplification["lower"] == 2 * HOST_BYTES / (HOST_BYTES + UNIT_BYTES)
    assert amplification["upper"] == 2 * HOST_BYTES / (HOST_BYTES - UNIT_BYTES)
    assert shown["wear_used_pct"]["text"] == "4 %"
    # Two counters of whole seconds hide up to a second each, at either end.
    assert (shown["throttled_s"]["lower"], shown["throttled_s"]["upper"]) == (89, 92)
    # What the drive took so far stands for 3 to 5 per cent of its life.
    total, a_day = 60_000_000_000_000 + 2 * HOST_BYTES, 2 * HOST_BYTES
    life = shown["life_at_this_load_hours"]
    assert life["lower"] == pytest.approx(24 * total * 95 / 5 / a_day)
    assert life["upper"] == pytest.approx(24 * total * 97 / 3 / a_day)

    table = get("/leaderboard.csv", organisation, scope="mine", metric="total", equal="false")
    (line,) = csv.DictReader(io.StringIO(table))
    assert float(line["counters_load"]) == 6
    for key, figure in shown.items():
        assert float(line[f"{key}_lower"]) == figure["lower"], key
        assert float(line[f"{key}_upper"]) == figure["upper"], key

    page = get("/drives/intel-dc-s3700", organisation)
    of_runs = {test["load"]: test["counters"] for test in page["tests"] if test["source"]["run_id"]}
    assert of_runs[6.0] == list(shown.values())
    of_loads = [figures[0]["text"] for _, figures in sorted(of_runs.items())]
    assert of_loads == ["1.499–1.501", "1.999–2.001", "3.999–4.001"]

    compared = get("/comparisons", organisation, subject=[f"run:{held}", "drive:intel-dc-s3700"])
    assert compared["subjects"][0]["counters"] == list(shown.values())


def test_a_row_without_counters_has_none(database: Database, get: Get, organisation: str) -> None:
    stored(database, organisation, hours(24, 0.01), plan(3.0))
    (row,) = mine(get, organisation)
    assert row["counters"] is None
    table = get("/leaderboard.csv", organisation, scope="mine", metric="total", equal="false")
    (line,) = csv.DictReader(io.StringIO(table))
    assert (line["counters_load"], line["wear_used_pct_upper"]) == ("", "")


def test_the_load_that_was_read_is_stated_where_the_held_load_was_not(
    database: Database, get: Get, organisation: str
) -> None:
    stored(database, organisation, hours(24, 0.01), plan(3.0), counters=counters(1.5))
    stored(database, organisation, hours(24, 0.01), plan(6.0))
    (row,) = mine(get, organisation)
    assert (row["rating"]["passed_load"], row["counters"]["load"]) == (6, 3)


def test_tests_of_two_drives_at_one_load_have_bounds_that_hold_for_both(
    database: Database, get: Get, organisation: str
) -> None:
    for number, amplification in enumerate((1.5, 2.5)):
        device = {**HOST["block_devices"][0], "serial_sha256": str(number) * 64}  # type: ignore[dict-item]
        stored(
            database,
            organisation,
            hours(24, 0.01),
            plan(3.0),
            counters=counters(amplification, wear_pct=number),
            block_devices=[device],
        )
    (row,) = mine(get, organisation)
    shown = {figure["key"]: figure for figure in row["counters"]["figures"]}
    assert shown["write_amplification_ratio"]["text"] == "1.499–2.501"
    assert shown["wear_used_pct"]["text"] == "0–1 %"
    assert shown["life_at_this_load_hours"]["upper"] is None
    assert shown["life_at_this_load_hours"]["text"].endswith("or more")


def test_a_figure_that_one_of_several_drives_lacks_is_not_stated() -> None:
    def summary(*figures: CounterFigure) -> DriveSummary:
        return DriveSummary("nvme0n1", (), 0, 1, True, figures)

    known = CounterFigure("wear_used_pct", "%", 3, 3, "smart")
    amplified = CounterFigure("write_amplification_ratio", "ratio", 1.0, 1.2, "extended")
    lacking = CounterFigure("write_amplification_ratio", "ratio", None, None, None, "no such page")
    assert figures_of_drives([summary(known, amplified), summary(known, lacking)]) == (known,)
    assert figures_of_drives([]) == ()
