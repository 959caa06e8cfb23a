"""Differences of counters with their bounds, what is missing as missing, and the findings that follow."""

import random
from dataclasses import replace
from typing import Any

import pytest

from tailroom.domain.drive_counters.of_test import added
from tailroom.domain.drive_counters.summary import (
    CounterFigure,
    DriveReading,
    DriveSummary,
    MeasuredDrive,
    Moment,
    summary_of,
)
from tailroom.domain.drive_counters.words import LABELS, text_of
from tailroom.domain.plausibility.drive_counters import drive_findings

UNIT = 512_000
HOUR_NS = 3_600_000_000_000


def drive(before: dict[str, int], after: dict[str, int], **changes: Any) -> MeasuredDrive:
    moments: tuple[tuple[Moment, int, dict[str, int]], ...] = (
        ("armed", -1, before),
        ("end", HOUR_NS - 2, after),
        ("drained", HOUR_NS - 1, after),
    )
    readings = [
        DriveReading(moment=moment, at_ns=at_ns, took_ns=1, values=values)
        for moment, at_ns, values in moments
    ]
    return MeasuredDrive(**{"devices": ["/dev/nvme0n1"], "disk": "nvme0n1", "readings": readings} | changes)


def summary(before: dict[str, int], after: dict[str, int], **changes: Any) -> DriveSummary:
    return summary_of(drive(before, after, **changes), (0, 0), has_ramp=False)


def bounds(of: DriveSummary, key: str) -> tuple[float | None, float | None]:
    figure = next(figure for figure in of.figures if figure.key == key)
    return figure.lower, figure.upper


def test_amplification_holds_the_truth_in_a_thousand_drives() -> None:
    chance = random.Random(39)  # noqa: S311
    for _ in range(1_000):
        earlier, host = chance.randrange(1, 10**15), chance.randrange(2 * UNIT, 10**12)
        amplification = chance.uniform(1.0, 8.0)
        media = round(host * amplification)

        def units(written: int) -> int:
            return -(-written // UNIT) * UNIT

        of = summary(
            {"smart.host_written_bytes": units(earlier), "extended.media_written_bytes": 5},
            {"smart.host_written_bytes": units(earlier + host), "extended.media_written_bytes": 5 + media},
        )
        assert bounds(of, "media_written_bytes") == (media, media)
        lower, upper = bounds(of, "host_written_bytes")
        assert lower is not None
        assert upper is not None
        assert lower <= host <= upper
        lower, upper = bounds(of, "write_amplification_ratio")
        assert lower is not None
        assert upper is not None
        assert lower <= media / host <= upper
        assert upper / lower <= (host + 3 * UNIT) / max(1, host - 2 * UNIT) or host < 4 * UNIT


def test_life_holds_the_truth_of_every_rounding_of_wear() -> None:
    rated, written, at_once = 10**15, 3 * 10**14, 10**12
    of = summary(
        {"smart.host_written_bytes": written - at_once, "smart.percentage_used": 29},
        {"smart.host_written_bytes": written, "smart.percentage_used": 30},
    )
    lower, upper = bounds(of, "life_at_this_load_hours")
    assert lower is not None
    assert upper is not None
    assert lower <= (rated - written) / at_once <= upper
    assert (round(lower), round(upper)) == (668, 734)
    fresh = summary(
        {"smart.host_written_bytes": 0, "smart.percentage_used": 0},
        {"smart.host_written_bytes": at_once, "smart.percentage_used": 0},
    )
    life = fresh.known("life_at_this_load_hours")
    assert life is not None
    assert life.upper is None
    assert text_of(life).endswith("or more")
    idle = {"smart.host_written_bytes": written, "smart.percentage_used": 30}
    assert summary(idle, idle).known("life_at_this_load_hours") is None


def test_other_writers_are_what_the_kernel_counts_beyond_the_agent() -> None:
    counted = drive({"kernel.written_bytes": 10}, {"kernel.written_bytes": 10 + 500_000_000})
    of = summary_of(counted, (100_000_000, 110_000_000), has_ramp=False)
    assert bounds(of, "foreign_written_bytes") == (390_000_000, 400_000_000)
    assert [finding.kind for finding in drive_findings([of])] == ["other-writers"]
    alone = summary_of(counted, (490_000_000, 510_000_000), has_ramp=False)
    assert bounds(alone, "foreign_written_bytes") == (0, 10_000_000)
    assert [finding.kind for finding in drive_findings([alone])] == ["consistent"]
    cached = summary_of(counted, (600_000_000, 610_000_000), has_ramp=False)
    assert bounds(cached, "foreign_written_bytes") == (0, 0)


def test_what_was_not_read_is_said_as_missing() -> None:
    of = summary(
        {"kernel.written_bytes": 1},
        {"kernel.written_bytes": 1},
        absent={"extended": "page C0h is a vendor's"},
    )
    texts = {figure.key: text_of(figure) for figure in of.figures}
    assert texts["media_written_bytes"] == "not known: page C0h is a vendor's"
    assert texts["host_written_bytes"].startswith("not known: not read both before and after")
    assert set(texts) == set(LABELS)
    without = summary_of(MeasuredDrive(devices=["a"], disk="sda", readings=[]), None, has_ramp=False)
    assert (without.figures, list(drive_findings([without]))) == ((), [])
    assert without.reason


def test_a_counter_that_went_back_is_no_difference() -> None:
    of = summary({"smart.host_written_bytes": 5 * UNIT}, {"smart.host_written_bytes": UNIT})
    figure = next(figure for figure in of.figures if figure.key == "host_written_bytes")
    assert (figure.lower, figure.reason) == (None, "the counter went back, so it was reset in between")


def test_with_a_ramp_the_load_before_the_start_does_not_count() -> None:
    moments: tuple[tuple[Moment, int, int], ...] = (
        ("armed", -9, 0),
        ("start", 0, 700),
        ("drained", 9, 1_000),
    )
    readings = [
        DriveReading(moment=moment, at_ns=at_ns, took_ns=1, values={"kernel.written_bytes": written})
        for moment, at_ns, written in moments
    ]
    of = drive({}, {}, readings=readings)
    assert bounds(summary_of(of, (0, 0), has_ramp=True), "kernel_written_bytes") == (300, 300)
    assert bounds(summary_of(of, (0, 0), has_ramp=False), "kernel_written_bytes") == (1_000, 1_000)


HEAT = {f"smart.thermal_management_{level}_{unit}": 0 for level in (1, 2) for unit in ("s", "count")}
LINK = {
    "kernel.link_mt_per_s": 8_000,
    "kernel.link_lanes": 4,
    "kernel.link_possible_mt_per_s": 16_000,
    "kernel.link_possible_lanes": 4,
}


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        (HEAT, HEAT | {"smart.thermal_management_1_s": 40}, "throttled"),
        (HEAT, HEAT | {"smart.thermal_management_2_count": 1}, "throttled"),
        ({"extended.throttling_events": 3}, {"extended.throttling_events": 5}, "throttled"),
        (LINK, LINK, "link-degraded"),
        (LINK, LINK | {"kernel.link_mt_per_s": 16_000}, "consistent"),
        ({"smart.percentage_used": 101}, {"smart.percentage_used": 101}, "worn-out"),
        ({"smart.critical_warning": 4}, {"smart.critical_warning": 4}, "critical-warning"),
        ({"smart.media_errors": 1}, {"smart.media_errors": 2}, "media-errors"),
        ({"ata.media_errors": 2}, {"ata.media_errors": 2}, "consistent"),
        (
            {"volume.over_volume_operations_us": 0, "volume.over_volume_throughput_us": 0},
            {"volume.over_volume_operations_us": 2_500_000, "volume.over_volume_throughput_us": 0},
            "limited-by-provider",
        ),
    ],
)
def test_what_spoils_a_measurement_is_a_finding(
    before: dict[str, int], after: dict[str, int], kind: str
) -> None:
    assert [finding.kind for finding in drive_findings([summary(before, after)])] == [kind]


def test_a_standing_counter_of_seconds_hides_less_than_a_second_each() -> None:
    assert bounds(summary(HEAT, HEAT), "throttled_s") == (0, 2)


def test_a_sum_over_runs_needs_both_bounds_of_each() -> None:
    figure = CounterFigure("throttled_s", "s", 1.0, 2.0)
    assert added([figure, figure]) == CounterFigure("throttled_s", "s", 2.0, 4.0)
    for other in (None, replace(figure, upper=None), replace(figure, lower=None, upper=None)):
        assert added([figure, other]) is None
    assert added([]) is None
