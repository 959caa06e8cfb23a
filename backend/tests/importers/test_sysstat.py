"""iostat and sar: figures of devices beside a run, and what they do not say."""

from datetime import UTC, datetime

import pytest
from backend.tests.importers.reading import SAMPLES, run_of, run_of_text

from tailroom.domain.verdicts.other_tools import budgets_for_uploads
from tailroom.importers.importer import ContentUnreadable
from tailroom.importers.kinship import notes, outline
from tailroom.importers.registry import read
from tailroom.importers.source import from_bytes

S = 1_000_000_000
HEAD = "Linux 6.1.0 (bench-1) \t11/20/2026 \t_x86_64_\t(8 CPU)\n\n"
TABLE = "Device            r/s     rkB/s r_await     w/s     wkB/s w_await  aqu-sz  %util\n"


def _text(name: str) -> str:
    return (SAMPLES / "sysstat" / name).read_text()


def test_every_interval_of_iostat_is_a_mean_on_the_axis_of_time() -> None:
    run = run_of("sysstat/iostat_x.txt")
    found = {(one.device, one.operation): one for one in run.series}
    assert set(found) == {("nvme0n1", "read"), ("nvme0n1", "write")}
    reads = found["nvme0n1", "read"]
    # Six reports: the first is since the machine started, and in one nothing was read.
    assert [one.start_ns // S for one in reads.periods] == [0, 1, 3, 4]
    printed = [line.split()[5] for line in _text("iostat_x.txt").splitlines() if line.startswith("nvme")]
    means = [float(one) for at, one in enumerate(printed) if at not in (0, 3)]
    for mean_ms, period in zip(means, reads.periods, strict=True):
        ends = period.record.mean_ns
        assert isinstance(ends, tuple)
        assert ends[0] <= mean_ms * 1e6 <= ends[1]
    assert run.duration_ns == 5 * S
    assert run.started_at is None
    assert run.parameters["started_at_local"] == "2026-11-20 12:34:50"


def test_a_device_at_rest_was_not_quick() -> None:
    """0.00 ms of no operation: no series of it."""
    run = run_of("sysstat/iostat_x.txt")
    assert all(one.device != "sda" for one in run.series)
    for one in run.series:
        assert one.record.cdf_bounds(1_000)[0] == 0.0


def test_sar_goes_past_midnight() -> None:
    run = run_of("sysstat/sar_d.txt")
    assert run.duration_ns == 120 * S
    assert [len(one.periods) for one in run.series] == [2, 1]
    busy = [one for one in run.claims if one.quantity == "device_busy_percent_max"]
    assert [(one.operation, one.printed) for one in busy] == [("nvme0n1", "96.02"), ("sda", "0.10")]


def test_json_has_a_zone() -> None:
    run = run_of("sysstat/iostat.json")
    assert run.started_at == datetime(2026, 11, 20, 11, 34, 50, tzinfo=UTC)
    assert [len(one.periods) for one in run.series] == [2, 2]


def test_no_budget_judges_it() -> None:
    assert budgets_for_uploads("sysstat") == ()


def test_runs_that_came_with_it_say_how_far_it_covers_them() -> None:
    beside = outline("iostat.json", run_of("sysstat/iostat.json"))
    run = outline("go.csv", run_of("ycsb_ports/go_raw.csv"))
    (of_run, of_iostat) = notes([run, beside])
    assert [one.reason for one in of_run] == [
        "iostat.json came with it and says how busy the devices were, but not during the run"
    ]
    assert of_iostat == []
    without_zone = outline("iostat.txt", run_of("sysstat/iostat_x.txt"))
    assert "no zone" in notes([run, without_zone])[0][0].reason


def test_pretty_columns_stand_in_two_tables() -> None:
    reads = "     r/s     rkB/s r_await Device\n7.00 1.00 2.50 sda\n\n"
    writes = "     w/s     wkB/s w_await Device\n5.00 1.00 3.00 sda\n\n"
    cpu = "avg-cpu:  %user\n 1.0\n\n"
    text = HEAD + "".join(f"11/20/2026 12:34:5{at} PM\n{cpu}{reads}{writes}" for at in range(2))
    run = run_of_text(text, "iostat.txt")
    assert [(one.operation, len(one.periods)) for one in run.series] == [("read", 1), ("write", 1)]


@pytest.mark.parametrize(
    "row",
    ["sda 1.00 2.00 nan 1.00 2.00 nan 0.00 0.00", "sda 1.00", "sda -1 -1 -1 -1 -1 -1 -1 -1", ""],
)
def test_what_is_no_measurement_says_nothing(row: str) -> None:
    text = HEAD + TABLE + row + "\n"
    try:
        run = run_of_text(text, "iostat.txt")
    except ContentUnreadable as refusal:
        assert "no result" in str(refusal)  # noqa: PT017 - reading it is allowed too
    else:
        assert run.series == ()


def test_other_tables_of_sar_are_refused_in_one_sentence() -> None:
    text = HEAD + "12:00:01 AM     CPU     %user\n12:10:01 AM     all      2.15\n"
    with pytest.raises(ContentUnreadable, match="no result"):
        read(from_bytes("sar.txt", text.encode()))
