"""nosqlbench: what each kind of its files proves, and what it does not."""

from datetime import UTC, datetime

import pytest
from backend.tests.importers.reading import (
    SAMPLES,
    claim,
    holds,
    run_of,
    run_of_text,
    series,
)

from tailroom.importers.importer import ContentUnreadable
from tailroom.importers.registry import read, read_together
from tailroom.importers.source import from_bytes, from_path

MS = 1_000_000
HEAD = (
    "t,count,max,mean,min,stddev,p50,p75,p95,p98,p99,p999,mean_rate,m1_rate,m5_rate,m15_rate,"
    "rate_unit,duration_unit"
)


def _row(t: int, count: int, rate: float, p50: float, most: float, *, unit: str = "NANOSECONDS") -> str:
    times = [most, p50, p50 / 2, 1.0, p50, p50, most, most, most, most]
    cells = [str(t), str(count), *(f"{one:f}" for one in times), f"{rate:f}", "0.0", "0.0", "0.0"]
    return ",".join([*cells, "calls/SECONDS", unit])


def test_counts_of_intervals_are_added_up() -> None:
    """Since 5.25 a row counts its own interval: the run has all of them, and their shares by their counts."""
    run = run_of("nosqlbench/default_main_cycles_responsetime.csv")
    (one,) = run.series
    text = (SAMPLES / "nosqlbench/default_main_cycles_responsetime.csv").read_text().splitlines()[1:]
    assert one.record.total == sum(int(line.split(",")[1]) for line in text)
    assert (one.operation, one.clock, len(one.periods)) == ("cycles", "response", 8)
    assert not run.closed_loop
    assert run.started_at == datetime(2026, 11, 20, 12, 34, 40, tzinfo=UTC)
    assert run.duration_ns == 80 * 10**9


def test_counts_since_the_beginning_are_no_counts_of_a_report() -> None:
    """Up to 5.21 a row counts everything, and its percentiles are of the interval."""
    run = run_of("nosqlbench/keyvalue_main.result.csv")
    (one,) = run.series
    assert one.record.total is None
    last = (SAMPLES / "nosqlbench/keyvalue_main.result.csv").read_text().splitlines()[-1]
    assert claim(run, "result", "operation_count").printed == last.split(",")[1]
    medians = [float(line.split(",")[6]) for line in _lines("nosqlbench/keyvalue_main.result.csv")]
    bounds = one.record.quantile_bounds(0.5)
    assert bounds.lower_ns <= min(medians)
    assert bounds.upper_ns is not None
    assert bounds.upper_ns >= max(medians)


def _lines(name: str) -> list[str]:
    return (SAMPLES / name).read_text().splitlines()[1:]


def test_timers_of_a_folder_are_one_run() -> None:
    names = ["keyvalue_main.cycles.servicetime.csv", "keyvalue_main.errors.csv", "keyvalue_main.result.csv"]
    found = list(read_together([from_path(SAMPLES / "nosqlbench" / name) for name in names]))
    assert [one.read_with for one in found] == [None, names[0], names[0]]
    assert found[0].result is not None
    (run,) = found[0].result.runs
    assert [(one.operation, one.clock, one.phase) for one in run.series] == [
        ("cycles", "service", None),
        ("result", "service", None),
    ]


def test_statistics_hold_every_count_and_percentile() -> None:
    run = run_of("nosqlbench/histostats.csv")
    assert {one.operation: len(one.periods) for one in run.series} == {"cycles": 5, "result": 5}
    rows = [line.split(",") for line in _lines("nosqlbench/histostats.csv") if line.startswith("Tag=")]
    of_result = [row for row in rows if "result" in row[0]]
    one = series(run, "result")
    assert one.record.total == sum(int(row[3]) for row in of_result)
    for row, period in zip(of_result, one.periods, strict=True):
        for column, share in ((6, 0.5), (8, 0.9), (11, 0.99), (12, 0.999)):
            assert holds(period.record.quantile_bounds(share), int(row[column]))


def test_a_log_and_a_summary_take_timers_and_no_sizes() -> None:
    log, summary = run_of("nosqlbench/session.log"), run_of("nosqlbench/summary.txt")
    assert [one.operation for one in log.series] == ["result", "bind"]
    assert [one.operation for one in summary.series] == ["cycles"]
    printed = {(one.quantile, one.printed) for one in series(log, "result").printed}
    assert (0.99, "2199.551 µs") in printed
    assert (0.999, "9874.43 µs") in {(one.quantile, one.printed) for one in summary.series[0].printed}
    assert claim(summary, "keyvalue_main.tries", "operation_count").lower == 100_000


def test_reports_of_nothing_say_nothing() -> None:
    """The last report of a session is mostly empty: zeros, and not quick operations."""
    rows = [_row(100, 500, 50, MS, 2 * MS), _row(110, 500, 50, MS, 2 * MS), _row(120, 0, 33, 0, 0)]
    run = run_of_text("\n".join([HEAD, *rows]), "default_result.csv")
    (one,) = run.series
    assert one.record.total == 1_000
    assert len(one.periods) == 2
    empty = run_of_text("\n".join([HEAD, _row(100, 0, 0, 0, 0)]), "default_result.csv")
    assert empty.series == ()
    assert empty.problems


def test_one_report_cannot_say_of_what_its_count_is() -> None:
    run = run_of_text("\n".join([HEAD, _row(100, 1, 0.1, MS, MS)]), "default_result.csv")
    assert run.series[0].record.total is None
    assert claim(run, "result", "operation_count").printed == "1"


def test_two_units_in_one_file_are_not_mixed() -> None:
    rows = [_row(100, 500, 50, MS, 2 * MS), _row(110, 500, 50, 1.0, 2.0, unit="MILLISECONDS")]
    run = run_of_text("\n".join([HEAD, *rows]), "default_result.csv")
    assert any("left out" in one.reason for one in run.problems)
    assert len(run.series[0].periods) <= 1
    assert run.series[0].record.quantile_bounds(0.5).lower_ns > MS // 4


def test_percentiles_that_contradict_each_other_are_left_out() -> None:
    row = _row(100, 500, 50, 3 * MS, 2 * MS)
    run = run_of_text("\n".join([HEAD, row]), "default_result.csv")
    assert run.series == ()
    assert any("left out" in one.reason for one in run.problems)


def test_a_sample_of_another_program_proves_nothing() -> None:
    """Dropwizard's own reporter writes the same columns of a reservoir that forgets."""
    rows = [
        _row(100, 500, 50, MS, 2 * MS, unit="nanoseconds"),
        _row(110, 1_000, 50, MS, 2 * MS, unit="nanoseconds"),
    ]
    run = run_of_text("\n".join([HEAD, *rows]), "org.apache.cassandra.Read.csv")
    assert run.series == ()
    assert any("Dropwizard" in one.reason for one in run.problems)
    assert any(one.quantity == "latency_quantile_ns" for one in run.claims)


def test_a_histogram_log_of_nosqlbench_is_in_nanoseconds() -> None:
    text = (SAMPLES / "hdr_log/head_of_jHiccup-2.0.7S.logV2.hlog").read_text()
    rows = [line for line in text.splitlines() if not line.startswith("#")]
    head = ["#logging histograms for session scenario_1", "#[Histogram log format version 1.3]"]
    (run, *_) = read(from_bytes("nb.hlog", "\n".join([*head, *rows]).encode())).runs
    assert run.tool == "nosqlbench"
    assert run.parameters["latency_unit"] == "ns"
    assert "tool.latency_unit" not in run.missing


@pytest.mark.parametrize("text", ["t,value\n1,2\n", f"{HEAD}\nx,y\n", f"{HEAD}\n"])
def test_what_holds_no_timer_is_refused(text: str) -> None:
    with pytest.raises(ContentUnreadable, match="no result"):
        read(from_bytes("x.csv", text.encode()))
