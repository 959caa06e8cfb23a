"""iostat and sar: figures of devices beside a run, and what they do not say."""

import re
from datetime import UTC, datetime

import pytest
from backend.tests.importers.reading import SAMPLES, run_of, run_of_text

from tailroom.domain.units import NS_PER_S
from tailroom.domain.verdicts.other_tools import budgets_for_uploads
from tailroom.importers.importer import ContentUnreadable, FormatUnknown
from tailroom.importers.parsed_run import MachineCourse, ParsedRun
from tailroom.importers.registry import read
from tailroom.importers.related_files import notes, outline
from tailroom.importers.source import from_bytes
from tailroom.importers.sysstat.importer import MOST_POINTS

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


def course(run: ParsedRun, subject: str, quantity: str) -> MachineCourse:
    (found,) = [one for one in run.courses if (one.subject, one.quantity) == (subject, quantity)]
    return found


def test_processors_of_sar_are_a_course_beside_the_devices_of_the_same_times() -> None:
    text = HEAD + (
        "12:00:00 AM     CPU     %user     %nice   %system   %iowait    %steal     %idle\n"
        "12:10:00 AM     all      2.15      0.00      1.00      5.50      0.00     91.35\n"
        "12:10:00 AM       0     50.00      0.00      1.00      0.50      0.00     48.50\n"
        "11:50:00 PM     all      4.15      0.00      1.00      7.50      0.00     87.35\n"
        "Average:        all      3.15      0.00      1.00      6.50      0.00     89.35\n\n"
        "12:00:00 AM       DEV       tps     rkB/s     wkB/s   areq-sz    aqu-sz     await     %util\n"
        "12:10:00 AM       sda     10.00      1.00      1.00      1.00      0.50      2.00     30.00\n"
        "11:50:00 PM       sda     20.00      1.00      1.00      1.00      0.70      3.00     60.00\n"
        "12:00:00 AM kbmemfree   kbavail kbmemused  %memused kbbuffers\n"
        "12:10:00 AM    100000    200000    300000     75.00       10\n"
        "12:00:00 AM     IFACE   rxpck/s   txpck/s    rxkB/s    txkB/s\n"
        "12:10:00 AM      eth0     10.00     10.00    123.00     45.00\n"
    )
    run = run_of_text(text, "sar.txt")
    all_of_them = course(run, "CPU", "cpu_busy_percent")
    assert all_of_them.values == (8.65, 12.65)
    assert [at // NS_PER_S for at in all_of_them.start_ns] == [0, 600]
    assert course(run, "CPU 0", "cpu_busy_percent").values == (51.5,)
    assert course(run, "sda", "device_busy_percent").values == (30.0, 60.0)
    assert course(run, "sda", "device_busy_percent").start_ns == all_of_them.start_ns
    assert course(run, "memory", "memory_used_percent").values == (75.0,)
    assert course(run, "network eth0", "network_kb_per_s").values == (123.0,)
    said = {(one.operation, one.quantity): one.printed for one in run.claims}
    assert said["CPU", "cpu_idle_percent_min"] == "87.35"
    assert said["CPU", "cpu_iowait_percent_max"] == "7.50"


def test_mpstat_of_each_processor_is_a_course() -> None:
    rows = "".join(
        f"\n12:00:0{at} PM  CPU    %usr   %nice    %sys %iowait    %irq   %soft  %idle\n"
        f"12:00:0{at + 1} PM  all   10.00    0.00    5.00    1.00    0.00    0.00  84.00\n"
        f"12:00:0{at + 1} PM    1   90.00    0.00    5.00    1.00    0.00    0.00   4.00\n"
        for at in range(3)
    )
    run = run_of_text(HEAD + rows, "mpstat.txt")
    assert run.format == "mpstat"
    assert course(run, "CPU", "cpu_busy_percent").values == (16.0,) * 3
    assert course(run, "CPU 1", "cpu_busy_percent").values == (96.0,) * 3
    assert run.series == ()


def test_vmstat_with_times_is_a_course_and_without_them_a_figure() -> None:
    head = (
        "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu----- ---timestamp---\n"
        " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st       UTC\n"
    )
    rows = [
        f"36  0      0 4956108 396788 13152236    0    0  1668  6767  677 3070 8{at} 10  {9 - at}  1  0"
        for at in range(3)
    ]
    timed = head + "".join(f"{row} 2026-11-24 06:13:0{at}\n" for at, row in enumerate(rows))
    run = run_of_text(timed, "vmstat.txt")
    # The first line is of the time since the machine started.
    assert course(run, "CPU", "cpu_busy_percent").values == (92.0, 93.0)
    assert run.started_at == datetime(2026, 11, 24, 6, 13, tzinfo=UTC)
    plain = run_of_text(head.replace("       UTC", "") + "\n".join(rows) + "\n", "vmstat.txt")
    assert plain.courses == ()
    assert [one.printed for one in plain.claims if one.quantity == "cpu_idle_percent_min"] == ["7"]


def test_long_logs_keep_the_largest_of_each_stretch() -> None:
    rows = "".join(
        f"{at // 3600:02}:{at % 3600 // 60:02}:{at % 60:02}     all      2.00      0.00      1.00     "
        f"{99.0 if at == 1_001 else 1.0:.2f}      0.00     50.00\n"
        for at in range(1, 3_001)
    )
    head = "00:00:00        CPU     %user     %nice   %system   %iowait    %steal     %idle\n"
    waits = course(run_of_text(HEAD + head + rows, "sar.txt"), "CPU", "cpu_iowait_percent")
    assert len(waits.values) == MOST_POINTS
    assert max(waits.values) == 99.0
    assert waits.start_ns[-1] + waits.duration_ns[-1] == 3_000 * NS_PER_S


def test_a_table_of_sar_that_is_not_known_is_refused_in_one_sentence() -> None:
    text = HEAD + "12:00:01 AM  pgpgin/s pgpgout/s   fault/s\n12:10:01 AM     1.00  2.15  3.00\n"
    with pytest.raises(FormatUnknown):
        read(from_bytes("sar.txt", text.encode()))


SAR = """Linux 6.1.0 (bench-1) \t{day} \t_x86_64_\t(8 CPU)

{first}          DEV       tps     rkB/s     wkB/s     dkB/s   areq-sz    aqu-sz     await     %util
{second}      nvme0n1   8123.45  12185.18   6092.59      0.00      2.25      3.90      0.48     95.57
{average}      nvme0n1   8123.45  12185.18   6092.59      0.00      2.25      3.90      0.48     95.57
"""


@pytest.mark.parametrize(
    ("day", "first", "second", "average", "comma"),
    [
        ("20.11.2026", "12:30:01", "12:40:01", "Durchschn.:", True),
        ("20/11/2026", "12:30:01", "12:40:01", "Moyenne :", True),
        ("20/11/26", "12:30:01", "12:40:01", "Media:", True),
        ("20-11-2026", "12:30:01", "12:40:01", "Média:", True),
        ("2026年11月20日", "12时30分01秒", "12时40分01秒", "平均时间:", False),
        ("2026年11月20日", "下午 12時30分01秒", "下午 12時40分01秒", "平均時間:", False),
        ("2026년 11월 20일", "12시 30분 01초", "12시 40분 01초", "평균:", False),
        ("2026/11/20", "12:30:01", "12:40:01", "平均値:", False),
        ("11/20/26", "12:30:01 PM", "12:40:01 PM", "Average:", False),
    ],
)
def test_sar_in_the_language_of_the_machine(
    day: str, first: str, second: str, average: str, *, comma: bool
) -> None:
    text = SAR.format(day=day, first=first, second=second, average=average)
    run = run_of_text(re.sub(r"(\d)\.(\d\d)(?![\d.])", r"\1,\2", text) if comma else text)
    (series,) = run.series
    assert series.device == "nvme0n1"
    assert [one.duration_ns for one in series.periods] == [600 * S]
    assert run.parameters["started_at_local"] == "2026-11-20 12:30:01"


def test_a_day_comes_before_its_month_where_numbers_have_a_comma() -> None:
    """5 November: the month would come first in the United States."""
    text = SAR.format(day="05/11/2026", first="12:30:01", second="12:40:01", average="Moyenne :")
    assert run_of_text(text).parameters["started_at_local"] == "2026-05-11 12:30:01"
    french = re.sub(r"(\d)\.(\d\d)(?![\d.])", r"\1,\2", text)
    assert run_of_text(french).parameters["started_at_local"] == "2026-11-05 12:30:01"


def test_sar_up_to_7_names_no_architecture() -> None:
    text = SAR.format(day="11/20/26", first="12:30:01", second="12:40:01", average="Average:")
    assert len(run_of_text(text.replace(" \t_x86_64_\t(8 CPU)", "")).series) == 1
