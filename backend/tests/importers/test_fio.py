"""fio's results: totals, exact bin edges, percentiles as bins, courses of several states, and damage."""

import json
from typing import Any

import numpy as np
import pytest
from backend.tests.importers.reading import SAMPLES, claim, holds, run_of, run_of_text, runs_of_text, series
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.units import NS_PER_MS, NS_PER_S
from tailroom.importers.fio import histogram_log
from tailroom.importers.fio.bins import MICROSECONDS, NANOSECONDS, logged_bins
from tailroom.importers.importer import ContentUnreadable, FormatUnknown
from tailroom.importers.parsed_run import EndState, ParsedRun, Severity
from tailroom.importers.registry import read
from tailroom.importers.source import from_bytes

SMALL = settings(deadline=None, max_examples=60)


def latency(values: list[int], *, bins: bool = True, percentiles: tuple[float, ...] = (50.0, 99.0)) -> Any:
    """A `clat_ns` object as fio computes it from single latencies."""
    array = np.array(sorted(values), dtype=np.int64)
    indices = [NANOSECONDS.index_of(value) for value in array.tolist()]
    found: dict[str, Any] = {
        "min": int(array[0]),
        "max": int(array[-1]),
        "mean": float(array.mean()),
        "stddev": float(array.std(ddof=1)) if array.size > 1 else 0.0,
        "N": int(array.size),
        "percentile": {},
    }
    for share in percentiles:
        rank = next(at for at in range(1, array.size + 1) if at >= share / 100 * array.size)
        found["percentile"][f"{share:.6f}"] = NANOSECONDS.middle(indices[rank - 1])
    if bins:
        found["bins"] = {
            str(NANOSECONDS.middle(index)): indices.count(index) for index in sorted(set(indices))
        }
    return found


def document(
    clat: Any, *, runtime_ms: int = 1_000, written_ms: int = 1_795_177_397_467, **job: Any
) -> dict[str, Any]:
    """A whole document with one job that reads."""
    count = clat.get("N", 0)
    read = {"total_ios": count, "short_ios": 0, "drop_ios": 0, "runtime": runtime_ms, "clat_ns": clat}
    return {
        "fio version": "fio-3.36",
        "timestamp_ms": written_ms,
        "jobs": [{"jobname": "one", "groupid": 0, "error": 0, "eta": 0, "read": read, **job}],
    }


def text(*documents: dict[str, Any]) -> str:
    return "\n".join(json.dumps(one, indent=2) for one in documents) + "\n"


@pytest.mark.parametrize(
    ("sample", "operation", "total", "mean_ns"),
    [
        ("randread.json", "read", 592_386, 264_901.045614),
        ("randrw.json+", "read", 527_887, 145_688.946710),
        ("randrw.json+", "write", 226_545, 169_306.937200),
        ("psync.json", "read", 16_384, 43_604.374023),
    ],
)
def test_totals_and_means_are_those_of_the_file(
    sample: str, operation: str, total: int, mean_ns: float
) -> None:
    run = run_of(f"fio/{sample}")
    record = series(run, operation).record
    assert record.total == total
    assert record.mean_ns is not None
    assert record.mean_ns[0] == pytest.approx(mean_ns, rel=1e-8)
    assert claim(run, operation, "operation_count").lower == total
    assert (run.state, run.tool_version, run.closed_loop) == (EndState.FINISHED, "3.33", True)
    assert not [one for one in run.problems if one.severity is not Severity.NOTE]


def test_json_plus_holds_exact_counts_in_exact_bins() -> None:
    record = series(run_of("fio/randrw.json+"), "read").record
    assert isinstance(record, LatencyDist)
    printed = json.loads((SAMPLES / "fio/randrw.json+").read_text())["jobs"][0]["read"]["clat_ns"]
    held = dict(zip(record.counts.indices.tolist(), record.counts.counts.tolist(), strict=True))
    assert held == {NANOSECONDS.named(int(key)): count for key, count in printed["bins"].items()}
    for share, middle in printed["percentile"].items():
        assert holds(record.quantile_bounds(float(share) / 100), middle)


def test_every_bin_is_found_by_its_middle_and_by_its_edges() -> None:
    for bins in (NANOSECONDS, MICROSECONDS):
        for index in range(bins.size):
            assert bins.named(bins.middle(index)) == index
            assert bins.index_of(bins.lower(index)) == index
            assert index == 0 or bins.index_of(bins.lower(index) - 1) == index - 1
    assert NANOSECONDS.named(129) is not None
    assert NANOSECONDS.named(128) is None
    assert [logged_bins(1_856 >> c) for c in range(7)] == [(NANOSECONDS, c) for c in range(7)]


@SMALL
@given(st.lists(st.integers(0, 20 * NS_PER_S), min_size=1, max_size=60))
def test_percentiles_bound_the_latencies_they_were_computed_from(values: list[int]) -> None:
    shares = (1.0, 50.0, 90.0, 99.0, 99.99)
    for bins in (True, False):
        clat = latency(values, bins=bins, percentiles=shares)
        record = series(run_of_text(text(document(clat))), "read").record
        assert record.total == len(values)
        ordered = sorted(values)
        for at_ns in (*values[:10], 0, 100, NS_PER_MS, NS_PER_S):
            lower, upper = record.cdf_bounds(at_ns)
            true = sum(value < at_ns for value in ordered) / len(ordered)
            assert lower - 1e-9 <= true <= upper + 1e-9


def test_states_of_one_run_become_its_course() -> None:
    first, second = [100_000] * 10 + [900_000], [100_000] * 30 + [900_000] * 5
    start_ms = 1_795_177_390_000
    states = [
        document(latency(first), runtime_ms=1_000, written_ms=start_ms + 1_000, eta=9),
        document(latency(second), runtime_ms=2_000, written_ms=start_ms + 2_000),
    ]
    run = run_of_text("fio: warning\n" + text(*states) + "trailing\n")
    one = series(run, "read")
    assert one.intervals is not None
    assert one.intervals.totals.tolist() == [11, 24]
    assert one.intervals.duration_ns.tolist() == [NS_PER_S, NS_PER_S]
    assert one.record.total == 35
    assert run.state is EndState.FINISHED
    assert run_of_text(text(states[0])).state is EndState.GROWING


def test_two_runs_in_one_file_stay_two() -> None:
    start_ms = 1_795_177_390_000
    one = document(latency([100_000] * 10), written_ms=start_ms)
    other = document(latency([200_000] * 20), written_ms=start_ms + 60_000)
    runs = runs_of_text(text(one, other))
    assert [series(run, "read").record.total for run in runs] == [10, 20]


def test_copies_of_a_job_are_added_up_and_other_jobs_are_phases() -> None:
    made = document(latency([100_000] * 10))
    made["jobs"] = made["jobs"] * 3
    assert series(run_of_text(text(made)), "read").record.total == 30
    made = document(latency([100_000] * 10, bins=False))
    made["jobs"] = made["jobs"] * 3
    record = series(run_of_text(text(made)), "read").record
    assert (record.total, record.quantile_bounds(0.5).lower_ns) == (30, 100_000)
    made["jobs"] = [made["jobs"][0], {**made["jobs"][0], "jobname": "two"}]
    assert [one.phase for one in run_of_text(text(made)).series] == ["one", "two"]


def test_a_failed_job_is_failed_and_its_lost_operation_is_a_miss() -> None:
    run = run_of("fio/enospc.json")
    assert run.state is EndState.FAILED
    assert "28" in run.state_text
    record = series(run, "write").record
    assert (record.total, record.misses.errors) == (394, 1)


def test_mixed_directions_lat_percentiles_and_sync_are_read() -> None:
    made = document(latency([100_000] * 10))
    read = made["jobs"][0].pop("read")
    read["lat_ns"] = latency([150_000] * 10)
    made["jobs"][0]["mixed"] = read
    made["jobs"][0]["sync"] = {"total_ios": 4, "lat_ns": latency([5_000_000] * 4)}
    run = run_of_text(text(made))
    assert series(run, "mixed", "operation").record.quantile_bounds(0.5).lower_ns == 150_000
    assert series(run, "mixed", "service").record.total == 10
    assert series(run, "sync", "operation").record.total == 4


def test_before_3_0_latencies_are_microseconds_and_bins_are_numbered() -> None:
    clat = {"min": 90, "max": 900, "mean": 110.5, "stddev": 3.0, "percentile": {"50.000000": 108, "0.00": 0}}
    read = {"io_bytes": 4096, "bw": 1000, "iops": 10.0, "runtime": 1000, "total_ios": 20, "clat": clat}
    made = {"fio version": "fio-2.16", "jobs": [{"jobname": "old", "groupid": 0, "error": 0, "read": read}]}
    run = run_of_text(text(made))
    record = series(run, "read").record
    assert record.total == 20
    assert record.quantile_bounds(0.0).lower_ns == 90_000
    assert holds(record.quantile_bounds(0.5), 108_000)
    bandwidth = claim(run, "read", "bandwidth_bytes_per_s")
    assert (bandwidth.lower, bandwidth.upper) == (1_024_000, 1_025_024)
    clat["bins"] = {"108": 15, "130": 5, "FIO_IO_U_PLAT_BITS": 6, "FIO_IO_U_PLAT_NR": 1216}
    exact = series(run_of_text(text(made)), "read").record
    assert isinstance(exact, LatencyDist)
    assert exact.counts.indices.tolist() == [108, 130]
    assert exact.quantile_bounds(0.5).lower_ns == 108_000


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ('"101888"', '"101889"', "middle of no bin"),
        ('"101888": 30', '"101888": -30', "no count"),
        ('"101888": 30', '"101888": 29', "N says 30"),
        ('"50.000000": 101888', '"50.000000": 101889', "middle of no bin"),
        ('"mean": 101888.0', '"mean": nan', "no number"),
        ('"min": 101888', '"min": 900000000', "left out"),
        ('"N": 30', '"N": -4', "no count"),
    ],
)
def test_impossible_numbers_are_located_problems(before: str, after: str, words: str) -> None:
    whole = text(document(latency([101_888] * 30)))
    assert before in whole
    damaged = whole.replace(before, after)
    run = run_of_text(damaged)
    (problem,) = [one for one in run.problems if words in one.reason]
    assert problem.line is not None
    assert 1 <= problem.line <= damaged.count("\n")


def test_a_cut_document_gives_its_whole_jobs_or_says_where_it_ends() -> None:
    made = document(latency([100_000] * 10))
    made["jobs"] = [made["jobs"][0], {**made["jobs"][0], "jobname": "two"}]
    whole = text(made)
    run = run_of_text(whole[: whole.rindex('"bins"')])
    assert run.state is EndState.UNKNOWN
    assert series(run, "read").record.total == 10
    assert any(one.severity is Severity.ERROR and one.line for one in run.problems)
    with pytest.raises(ContentUnreadable):
        run_of_text(whole[: whole.index('"clat_ns"') + 40])


def test_a_damaged_document_among_others_leaves_the_others() -> None:
    start_ms = 1_795_177_390_000
    states = [document(latency([100_000] * 10), written_ms=start_ms + 60_000 * at) for at in range(3)]
    whole = text(*states)
    second = whole.index('"fio version"', 30)
    damaged = whole[:second] + whole[second:].replace("fio-3.36", "fio\x01", 1).replace(
        '"jobs"', '"j\x02"', 1
    )
    runs = runs_of_text(damaged)
    assert [series(run, "read").record.total for run in runs] == [10, 10]
    assert any(one.severity is Severity.ERROR and one.line for one in runs[0].problems)
    for at in range(0, len(whole), 97):
        for run in _read_or_refuse(whole[:at] + "\x00" + whole[at + 1 :]):
            assert all(one.record.total is not None for one in run.series)


def _read_or_refuse(made: str) -> tuple[ParsedRun, ...]:
    try:
        return runs_of_text(made)
    except (FormatUnknown, ContentUnreadable):
        return ()


def test_a_terse_line_has_percentiles_of_bins_and_no_count() -> None:
    run = run_of("fio/randwrite.terse")
    record = series(run, "write").record
    assert record.total is None
    assert holds(record.quantile_bounds(0.5), 113_000)
    assert holds(record.quantile_bounds(0.99), 250_000)
    rate = claim(run, "write", "bandwidth_bytes_per_s")
    assert (rate.lower, rate.upper) == (3_946_434 * 1024, 3_946_435 * 1024)
    fields = (SAMPLES / "fio/randwrite.terse").read_text().strip().split(";")
    third = ["3", *fields[1:5]]
    for block in (fields[5:52], fields[52:99]):
        third += block[:41]
    third += fields[146:]
    again = series(run_of_text(";".join(third) + "\n"), "write").record
    assert again.quantile_bounds(0.99) == record.quantile_bounds(0.99)


def test_a_terse_line_with_more_directions_than_its_version_knows_is_refused() -> None:
    fields = (SAMPLES / "fio/randwrite.terse").read_text().strip().split(";")
    third = ["3", *fields[1:5], *4 * fields[5:46], "1.0%", "2.0%", *60 * ["0"]]
    with pytest.raises(ContentUnreadable, match="no terse line of fio"):
        run_of_text(";".join(third) + "\n")


def test_a_histogram_log_has_a_piece_for_each_line() -> None:
    run = run_of("fio/mix70_clat_hist.1.log")
    lines = (SAMPLES / "fio/mix70_clat_hist.1.log").read_text().splitlines()
    sums = [sum(map(int, line.split(",")[3:])) for line in lines if int(line.split(",")[1]) == 0]
    one = series(run, "read")
    assert one.intervals is not None
    assert one.intervals.totals.tolist() == sums
    assert one.intervals.duration_ns.tolist() == [1_001 * NS_PER_MS, 1_000 * NS_PER_MS]
    assert any("after the last line" in problem.reason for problem in run.problems)


def test_lines_of_a_long_histogram_log_are_joined_without_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    counts = rng.integers(0, 3, (95, 29)).tolist()
    made = "".join(f"{at * 1_000}, 0, 4096, {str(row)[1:-1]}\n" for at, row in enumerate(counts, 1))
    each = series(run_of_text(made, "x_clat_hist.1.log"), "read")
    monkeypatch.setattr(histogram_log, "_MOST_INTERVAL_CELLS", 900)
    run = run_of_text(made, "x_clat_hist.1.log")
    joined = series(run, "read")
    assert each.intervals is not None
    assert joined.intervals is not None
    assert isinstance(joined.record, LatencyDist)
    assert isinstance(each.record, LatencyDist)
    assert joined.record.counts.indices.tolist() == each.record.counts.indices.tolist()
    assert joined.record.counts.counts.tolist() == each.record.counts.counts.tolist()
    assert joined.intervals.duration_ns.tolist() == [*[10_000 * NS_PER_MS] * 9, 5_000 * NS_PER_MS]
    sums = np.add.reduceat(each.intervals.totals, np.arange(0, 95, 10))
    assert joined.intervals.totals.tolist() == sums.tolist()
    assert any("pieces of its course are of 10 s" in problem.reason for problem in run.problems)


@pytest.mark.parametrize("coarseness", [1, 3, 6])
def test_coarse_histogram_logs_join_bins(coarseness: int) -> None:
    width = 1 << coarseness
    whole = [
        [int(part) for part in line.split(",")]
        for line in (SAMPLES / "fio/mix70_clat_hist.1.log").read_text().splitlines()
    ]
    coarse = [
        [*line[:3], *(sum(line[at : at + width]) for at in range(3, len(line), width))] for line in whole
    ]
    made = "\n".join(", ".join(map(str, line)) for line in coarse) + "\n"
    fine = series(run_of("fio/mix70_clat_hist.1.log"), "write").record
    joined = series(run_of_text(made, "x_clat_hist.1.log"), "write").record
    assert joined.total == fine.total
    for share in (0.5, 0.99):
        assert joined.quantile_bounds(share).lower_ns <= fine.quantile_bounds(share).lower_ns


def test_damaged_histogram_lines_are_left_out_with_their_numbers() -> None:
    good = "1000, 0, 4096, " + ", ".join(["1"] * 29)
    bad = ["500, 0, 4096, " + ", ".join(["1"] * 29), "2000, 7, 4096, " + ", ".join(["1"] * 29), good + ", 1"]
    run = run_of_text("\n".join([good, *bad]) + "\n")
    assert series(run, "read").record.total == 29
    assert [one.line for one in run.problems if one.severity is Severity.ERROR] == [2, 3, 4]


def test_logs_of_windows_are_claims_and_logs_of_operations_are_latencies() -> None:
    run = run_of("fio/mix70_clat.1.log")
    assert not run.series
    assert {one.quantity for one in run.claims} == {"latency_window_ns"}
    assert run.claims[0].duration_ns == 500 * NS_PER_MS
    assert {one.quantity for one in run_of("fio/mix70_iops.1.log").claims} == {"throughput_ops_per_s"}
    single = "".join(f"{at * 10}, {100_000 + at}, {at % 2}, 4096, 0\n" for at in range(400))
    one = series(run_of_text(single, "x_clat.1.log"), "read")
    assert isinstance(one.record, LatencyDist)
    assert one.intervals is not None
    assert (one.record.total, one.record.sum_ns) == (200, sum(100_000 + at for at in range(0, 400, 2)))
    assert one.intervals.totals.tolist() == [50, 50, 50, 50]


def test_windows_behind_lines_that_are_left_out_have_the_lines_of_the_file() -> None:
    windows = [f"{500 * number}, 147277, 0, 0, 0" for number in range(1, 21)]
    left_out = ["no line", "", "99999999999999999, 147277, 0, 0, 0"]
    run = run_of_text("\n".join([*windows, *left_out, "11000, 170479, 1, 0, 0"]) + "\n", "x_clat.1.log")
    assert [stated.line for stated in run.claims] == [*range(1, 21), 24]
    assert [problem.line for problem in run.problems if problem.severity is Severity.WARNING] == [21, 23]


def test_a_log_without_a_telling_name_is_not_guessed() -> None:
    run = run_of_text("500, 147277, 0, 0, 0\n500, 170479, 1, 0, 0\n", "upload.txt")
    assert not run.series
    assert not run.claims
    assert any(one.severity is Severity.ERROR for one in run.problems)


def test_both_values_of_a_window_are_told_apart() -> None:
    run = run_of_text("500, 147277, 900000, 0, 0, 0\n1000, 150000, 800000, 0, 0, 0\n", "x_lat.1.log")
    found = {(one.quantity, one.lower) for one in run.claims}
    assert ("latency_mean_ns", 147_277) in found
    assert ("latency_max_ns", 900_000) in found


@pytest.mark.parametrize("junk", [b"{}", b"{\n", b'{"jobs": []}', b"\x00\xff" * 50, b"1;2;3\n"])
def test_junk_is_refused(junk: bytes) -> None:
    with pytest.raises((FormatUnknown, ContentUnreadable)):
        runs_of_text(junk)


def test_what_a_result_leaves_open_is_asked_for() -> None:
    run = run_of("fio/randread.json")
    assert "host.block_devices.*.model" in run.missing
    assert "plan.act_storage.direct_io" not in run.missing
    assert run.started_at is not None
    assert run.parameters["iodepth"] == "16"


def test_an_old_log_is_in_the_unit_that_somebody_states() -> None:
    """Four columns leave the unit open; a stated one is used, for single operations and for windows."""
    for block_size, rows in ((4096, 3), (0, 0)):
        text = "".join(f"{1000 * at}, {250 + at}, 0, {block_size}\n" for at in range(1, 4))
        source = from_bytes("old_clat.1.log", text.encode())
        (open_unit,) = read(source).runs
        assert "tool.latency_unit" in open_unit.missing
        source = from_bytes("old_clat.1.log", text.encode())
        source.stated_unit_ns = 1_000
        (run,) = read(source).runs
        assert "tool.latency_unit" not in run.missing
        assert run.parameters["latency_unit"] == "µs"
        assert not [one for one in run.problems if "nanoseconds" in one.reason]
        for one in run.series:
            assert one.record.total == rows
            assert one.record.quantile_bounds(0.5).lower_ns >= 251_000
        for stated in run.claims:
            assert stated.lower >= 251_000
