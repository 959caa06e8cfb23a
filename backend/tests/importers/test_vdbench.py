"""vdbench: every report of it says what it prints, whatever the order of its columns."""

import pytest
from backend.tests.importers.reading import SAMPLES, claim, run_of, run_of_text, runs_of, runs_of_text, series
from hypothesis import given
from hypothesis import strategies as st

from tailroom.domain.errors import DomainError
from tailroom.importers.parsed_run import EndState

US, MS = 1_000, 1_000_000


def test_a_flat_file() -> None:
    run = run_of("vdbench/flatfile.html")
    assert (run.tool, run.tool_version, run.state) == ("vdbench", "vdbench50407", EndState.FINISHED)
    assert run.parameters["run"] == "rd1"
    assert claim(run, "all", "throughput_ops_per_s").printed == "11977.0000"
    assert {one.operation for one in run.series} == {"all", "read", "write"}
    read = series(run, "read")
    assert read.record.mean_ns == pytest.approx((705_650, 705_750), abs=2)
    assert read.record.quantile_bounds(1.0).upper_ns == pytest.approx(25_017_050, abs=100)
    assert read.record.total is None
    assert [(one.start_ns, one.duration_ns) for one in read.periods] == [
        (at * 10**9, 10**9) for at in range(3)
    ]


def test_totals_hold_every_run_with_the_columns_of_its_version() -> None:
    first, second = runs_of("vdbench/totals.html")
    assert first.parameters == {
        "run": "rd1",
        "i/o rate": "Uncontrolled MAX",
        "elapsed": "3",
        "for loops": "None",
    }
    assert claim(first, "read", "latency_max_ns").printed == "25.017 ms"
    assert claim(second, "all", "latency_max_ns").printed == "3.112 ms"
    assert claim(second, "all", "bandwidth_bytes_per_s").printed == "19.53 MiB/s"
    # No writes were done: a mean of zero is none.
    assert {one.operation for one in second.series} == {"all", "read"}


def test_standard_output_and_a_test_on_files() -> None:
    run = run_of("vdbench/stdout.txt")
    assert run.tool_version == "vdbench50407"
    assert claim(run, "write", "latency_mean_ns").printed == "0.535 ms"
    files = run_of("vdbench/files.txt")
    assert claim(files, "read", "throughput_ops_per_s").printed == "1095.0"
    assert claim(files, "write", "latency_mean_ns").printed == "0.508 ms"


def test_a_histogram_is_exact() -> None:
    run = run_of("vdbench/histogram.html")
    assert {one.operation: one.record.total for one in run.series} == {
        "all": 23_954,
        "read": 16_760,
        "write": 7_194,
    }
    read = series(run, "read").record
    assert read.at_or_over(8 * MS).lower == read.at_or_over(8 * MS).upper == 8
    assert read.at_or_over(40 * MS).upper == 0


def test_a_histogram_of_another_language_or_one_that_contradicts_itself() -> None:
    text = (SAMPLES / "vdbench/histogram.html").read_text()
    run = run_of_text(text.replace("1,204", "1.204").replace("21,500", "21\u202f500"))
    assert series(run, "all").record.total == 23_954
    broken = run_of_text(
        text.replace("    0.200 <       1.000       15,300", "    0.100 <       1.000       15,300")
    )
    assert "read" not in {one.operation for one in broken.series}
    assert any("histogram of read" in one.reason for one in broken.problems)


def test_without_averages_every_interval_holds() -> None:
    lines = (SAMPLES / "vdbench/stdout.txt").read_text().splitlines()
    run = run_of_text("\n".join(lines[:14]))
    assert run.state is EndState.UNKNOWN
    low, high = series(run, "all").record.mean_ns or (0, 0)
    assert low <= 653 * US
    assert high >= 661 * US


def test_a_failure_is_one() -> None:
    text = (SAMPLES / "vdbench/stdout.txt").read_text()
    failed = "10:15:03.500 Vdbench aborting: Slave hd1-0 terminated\n"
    run = run_of_text(text.replace("10:15:04.412 Vdbench execution completed", failed + "x"))
    assert run.state is EndState.FAILED
    assert "aborting" in run.state_text


@given(
    rate=st.decimals(1, 10**6, places=2),
    share=st.decimals(1, 99, places=2),
    mean=st.decimals(1, 10**4, places=3),
    more=st.decimals(0, 10**4, places=3),
)
def test_any_numbers_of_totals(rate: object, share: object, mean: float, more: float) -> None:
    """Mean and largest lie between the ends that half of their last digit leaves."""
    text = (
        "10:15:00.010 Starting RD=rd1; I/O rate: 5000; elapsed=3; For loops: None\n\n"
        "Nov 22, 2026     interval        i/o   MB/sec   bytes   read     resp     resp     resp\n"
        "                                rate  1024**2     i/o    pct     time      max   stddev\n"
        f"10:15:04.030      avg_2-3   {rate}    46.79    4096  {share}    {mean}    {mean + more}    0.000\n"
    )
    run = run_of_text(text)
    found = series(run, "all").record
    low, high = found.mean_ns or (0.0, 0.0)
    assert low <= float(mean) * MS <= high
    assert (found.quantile_bounds(1.0).upper_ns or 0) >= float(mean + more) * MS - 1


def test_what_is_none_of_its_reports_is_refused() -> None:
    with pytest.raises(DomainError):
        runs_of_text("10:15:00.010 Starting RD=rd1; I/O rate: 5000; elapsed=3; For loops: None\n")
