"""What the pages read: over time, curves, shares, and verdicts in the run."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from backend.tests.analysis.recording import SeriesSpec, add_intervals, add_run, steady
from sqlalchemy import text

from tailroom.kit.db import Database

LATENCIES = steady(2_000, 6)
TICKS = steady(200, 60, seed=5)
SPECS = [
    SeriesSpec("read", LATENCIES, misses={3: 2}),
    SeriesSpec("read", TICKS, kind="tick", interval_ns=1_000_000_000),
    SeriesSpec("write", steady(100, 6), clock="service", pins=()),
]


@pytest.fixture
def run_id(store: Callable[..., UUID]) -> UUID:
    return store(*SPECS)


@pytest.fixture
def announced(database: Database, organisation: str) -> Callable[..., UUID]:
    """Stores a run of these series that goes on, without looking at it."""

    def make(*specs: SeriesSpec, measured: bool = True) -> UUID:
        with database.transaction() as session:
            run_id = add_run(session, specs, organisation=organisation)
            if measured:
                add_intervals(session, run_id, specs)
        return run_id

    return make


def test_timeline_shows_every_tick_when_they_are_few(read: Callable[..., Any], run_id: UUID) -> None:
    series = {(one["operation"], one["clock"]): one for one in read(run_id, "/timeline")["series"]}
    reads = series["read", "response"]
    assert reads["pin_thresholds_ns"] == [1_000_000, 8_000_000, 64_000_000]
    assert reads["limits"][0] == {"threshold_ns": 1_000_000, "limit_ratio": 0.05}
    assert reads["ticks"]["start_ns"] == [second * 1_000_000_000 for second in range(60)]
    assert reads["ticks"]["count"] == [200] * 60
    assert reads["ticks"]["max_ns"] == [int(one.max()) for one in TICKS]
    assert reads["ticks"]["over"][0] == [int((one >= 1_000_000).sum()) for one in TICKS]
    assert series["write", "service"]["ticks"]["count"] == [100] * 6


def test_timeline_percentiles_hold_the_true_ones(read: Callable[..., Any], run_id: UUID) -> None:
    points = read(run_id, "/timeline")["series"][0]["percentiles"]
    assert len(points) == 6
    for point, latencies in zip(points[:3], LATENCIES, strict=False):
        for name, quantile in (("p50", 0.5), ("p99", 0.99), ("p999", 0.999)):
            true = np.sort(latencies)[int(np.ceil(quantile * latencies.size)) - 1]
            assert point[f"{name}_lower_ns"] <= true < point[f"{name}_upper_ns"]


def test_timeline_is_gathered_without_losing_an_operation(read: Callable[..., Any], run_id: UUID) -> None:
    series = read(run_id, "/timeline", max_points=7)["series"][0]
    assert len(series["ticks"]["count"]) <= 7
    assert sum(series["ticks"]["count"]) == 60 * 200
    assert sum(point["count"] for point in series["percentiles"]) == 6 * 2_000


def conditions_of(ticks: dict[str, Any]) -> list[tuple[Any, ...]]:
    names = ("lateness_p99_ns", "busy_ratio", "in_flight", "oldest_in_flight_ns", "temperature_celsius")
    return list(zip(*(ticks[name] for name in names), strict=True))


NOTHING = (None, None, None, None, None)


def test_timeline_knows_nothing_where_nothing_was_said(read: Callable[..., Any], run_id: UUID) -> None:
    ticks = read(run_id, "/timeline")["series"][0]["ticks"]
    assert conditions_of(ticks) == [NOTHING] * 60


def said(late: int, busy: int, under_way: int | None, oldest: int | None, heat: int | None) -> dict[str, Any]:
    return {
        "lateness_p99_ns": late,
        "busy_ns": busy,
        "in_flight": under_way,
        "oldest_in_flight_ns": oldest,
        "temperature_millicelsius": heat,
    }


def test_timeline_shows_what_generator_and_drive_did(
    read: Callable[..., Any], announced: Callable[..., UUID]
) -> None:
    ticks = SeriesSpec(
        "read",
        steady(20, 4),
        kind="tick",
        interval_ns=1_000_000_000,
        conditions=[
            said(5, 250_000_000, 3, 900, -1_500),
            said(2, 1_000_100_000, 0, 0, None),
            {},
            said(0, 0, 7, 4_000, 41_850),
        ],
    )
    run_id = announced(ticks)
    shown = read(run_id, "/timeline")["series"][0]["ticks"]
    each = [(5, 0.25, 3, 900, -1.5), (2, 1.0001, 0, 0, None), NOTHING, (0, 0.0, 7, 4_000, 41.85)]
    assert conditions_of(shown) == each
    shown = read(run_id, "/timeline", max_points=2)["series"][0]["ticks"]
    assert conditions_of(shown) == [(5, 1.0001, 3, 900, -1.5), (0, 0.0, 7, 4_000, 41.85)]


def test_what_is_under_way_on_several_devices_adds_up(
    read: Callable[..., Any], announced: Callable[..., UUID]
) -> None:
    def of_device(device: str, *conditions: dict[str, Any]) -> SeriesSpec:
        ticks = SeriesSpec("read", steady(20, 4), kind="tick", interval_ns=1_000_000_000)
        return replace(ticks, conditions=conditions, device=device)

    an_eighth, a_quarter = 125_000_000, 250_000_000
    specs = [
        of_device(
            "nvme0",
            said(5, an_eighth, 9, 30, 20_000),
            said(1, an_eighth, 1, 10, 30_000),
            said(1, an_eighth, 4, 1, 1_000),
            {},
        ),
        of_device(
            "nvme1",
            said(3, a_quarter, 1, 50, None),
            said(9, a_quarter, 6, 20, 25_000),
            said(1, 0, None, None, None),
        ),
    ]
    run_id = announced(*specs)
    shown = read(run_id, "/timeline", max_points=2)["series"][0]["ticks"]
    # Never 15: nine and six were not under way at the same moment.
    assert conditions_of(shown) == [(9, 0.25, 10, 50, 30.0), (1, 0.125, None, 1, 1.0)]
    assert shown["count"] == [80, 80]


def test_percentile_curves_end_where_the_sample_ends(read: Callable[..., Any], run_id: UUID) -> None:
    curve = next(one for one in read(run_id, "/percentiles")["curves"] if one["operation"] == "read")
    assert (curve["count"], curve["miss_count"]) == (12_000, 2)
    quantiles = [point["quantile"] for point in curve["points"]]
    assert quantiles == sorted(set(quantiles))
    assert quantiles[-1] == pytest.approx(1 - 1 / 12_002)
    assert curve["points"][-1]["upper_ns"] is None
    ordered = np.sort(np.concatenate(LATENCIES))
    for point in curve["points"][:-1]:
        rank = max(1, int(np.ceil(point["quantile"] * 12_002 - 1e-9)))
        if rank <= ordered.size:
            assert point["lower_ns"] <= ordered[rank - 1] < point["upper_ns"]


def test_exceedance_counts_misses_and_names_limits(read: Callable[..., Any], run_id: UUID) -> None:
    rows = read(run_id, "/exceedance")["rows"]
    first = rows[0]
    over = int((np.concatenate(LATENCIES) >= 1_000_000).sum()) + 2
    assert (first["operation"], first["threshold_ns"]) == ("read", 1_000_000)
    assert (first["over_count"], first["total_count"]) == (over, 12_002)
    assert first["ratio_lower"] <= first["ratio"] <= first["ratio_upper"]
    assert first["limit_ratio"] == 0.05
    assert len(rows) == 3


def test_a_run_shows_its_verdicts(read: Callable[..., Any], run_id: UUID) -> None:
    verdicts = {one["budget"]["name"]: one for one in read(run_id, "")["verdicts"]}
    assert verdicts["act-limits"]["verdict"] == "PASS"
    assert verdicts["act-limits"]["exceedance"]["certification"]["verdict"] == "INDETERMINATE"
    fraud = verdicts["fraud-250-sequential"]
    # Two reads of 12,002 never ended: a transaction of 250 meets one of them too often.
    assert (fraud["words"], fraud["reason"], fraud["unproven"]) == ("FAIL, proven", None, None)
    assert 1 < len(fraud["transaction"]["cdf"]) <= 200
    cdf = fraud["transaction"]["cdf"]
    for end in ("t_ns", "lower", "upper"):
        assert [point[end] for point in cdf] == sorted(point[end] for point in cdf)
    assert fraud["transaction"]["window_ns"] in [point["t_ns"] for point in cdf]


def test_a_run_without_data_answers_with_nothing(
    read: Callable[..., Any], announced: Callable[..., UUID]
) -> None:
    run_id = announced(*SPECS, measured=False)
    assert read(run_id, "/percentiles")["curves"] == []
    assert read(run_id, "/timeline")["series"][0]["ticks"]["count"] == []
    assert read(run_id, "/exceedance")["rows"][0]["ratio"] is None


def forget_intervals(database: Database, run_id: UUID) -> None:
    with database.transaction() as session:
        session.execute(text("DELETE FROM interval WHERE run_id = :run_id"), {"run_id": run_id})


def test_after_retention_the_minutes_are_left(
    read: Callable[..., Any], run_id: UUID, database: Database
) -> None:
    before = read(run_id, "/exceedance")["rows"][0]
    forget_intervals(database, run_id)
    reads = read(run_id, "/timeline")["series"][0]
    assert reads["ticks"]["count"] == [12_000]
    assert [point["count"] for point in reads["percentiles"]] == [12_000]
    after = read(run_id, "/exceedance")["rows"][0]
    assert (after["over_count"], after["total_count"]) == (before["over_count"], before["total_count"])


def test_after_retention_the_minutes_know_how_late_and_busy_the_generator_was(
    read: Callable[..., Any], store: Callable[..., UUID], database: Database
) -> None:
    late = [said(5, 2_500_000_000, 3, 900, 20_000), {}, said(7, 0, 1, 1, 21_000)]
    specs = [SeriesSpec("read", steady(2_000, 12), conditions=late)]
    run_id = store(*specs)
    forget_intervals(database, run_id)
    ticks = read(run_id, "/timeline")["series"][0]["ticks"]
    assert conditions_of(ticks) == [(7, 0.25, None, None, None), NOTHING]
