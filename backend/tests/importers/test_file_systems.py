"""Benchmarks of file systems and object stores: what their figures prove, and what is only shown."""

import time

import pytest
from backend.tests.importers.reading import SAMPLES, claim, run_of, run_of_text, runs_of, series

from tailroom.domain.latency.distribution import TimeBounds
from tailroom.importers.importer import FormatUnknown
from tailroom.importers.parsed_run import ParsedRun

US, MS = 1_000, 1_000_000


def test_elbenchos_histogram_is_exact_between_its_edges_and_agrees_with_its_percentiles() -> None:
    write, read = runs_of("elbencho/table.txt")
    record = series(write, "write").record
    assert record.total == 15_372
    for upper_us, count in ((305, 154), (2_048, 3_154), (4_096, 9_154), (65_536, 15_372)):
        lower, upper = record.cdf_bounds(upper_us * US)
        assert lower * 15_372 == pytest.approx(count)
        assert upper * 15_372 == pytest.approx(count)
    # The bucket up to 108 µs begins at 90.5 and reaches 50 %, which the one before it does not.
    assert series(read, "read").record.quantile_bounds(0.5).upper_ns == 108 * US
    assert series(read, "read").record.quantile_bounds(0.501).lower_ns == 91 * US
    assert claim(read, "read", "throughput_ops_per_s").printed == "39874"


def test_elbenchos_csv_has_a_run_for_each_row_and_reads_of_a_mixed_phase_apart() -> None:
    read, mixed = runs_of("elbencho/results.csv")
    assert read.parameters["block_size"] == "4096"
    assert {(held.operation, held.clock) for held in mixed.series} == {
        ("read", "service"),
        ("write", "service"),
    }
    assert series(mixed, "read").record.quantile_bounds(1.0 - 1e-12).upper_ns == 30_002 * US + 1
    assert claim(mixed, "write", "latency_mean_ns").printed == "899 us"


def test_the_best_of_several_passes_is_only_shown() -> None:
    several, single = run_of("crystal_disk_mark/three_passes.txt"), run_of("crystal_disk_mark/one_pass.txt")
    assert several.series == ()
    assert any("best of its passes" in problem.reason for problem in several.problems)
    means = [held for held in several.claims if held.quantity == "latency_mean_ns"]
    assert len(means) == 8
    assert {held.operation for held in single.series} == {"read", "write"}
    assert len(single.series) == 4


def test_filebenchs_histogram_counts_between_powers_of_two() -> None:
    run = run_of("filebench/fileserver.txt")
    record = series(run, "statfile1").record
    for bucket, count in ((12, 0), (13, 100), (14, 800), (15, 950), (20, 950), (21, 1_000)):
        lower, upper = record.cdf_bounds(1 << bucket)
        assert lower * 1_000 <= count + 1e-6
        assert upper * 1_000 >= count - 1e-6
        if bucket in (13, 14, 15):
            assert lower * 1_000 == pytest.approx(count)
            assert upper * 1_000 == pytest.approx(count)
    broken = (SAMPLES / "filebench/fileserver.txt").read_text().replace(" 700 ", " 701 ")
    assert any("does not count its operations" in held.reason for held in run_of_text(broken).problems)


def test_a_histogram_of_filebench_without_its_end_takes_no_time() -> None:
    text = (SAMPLES / "filebench/fileserver.txt").read_text()
    damaged = text.replace(" 700 ", f" {'7' * 5_000}x ")
    began_s = time.process_time()
    run = run_of_text(damaged)
    assert time.process_time() - began_s < 1.0
    assert [held.operation for held in run.series] == ["closefile1", "readfile1"]


def test_bonnies_line_is_read_by_its_number_of_columns() -> None:
    run = run_of("bonnie/table_and_csv.txt")
    assert run.parameters["seek_processes"] == "5"
    assert run.parameters["files"] == "16"
    assert claim(run, "putc", "latency_max_ns").printed == "12031 us"
    assert claim(run, "rewrite", "latency_max_ns").printed == "112 ms"
    assert claim(run, "ran_delete", "throughput_ops_per_s").printed == "31077"
    assert [held.quantity for held in run.claims if held.operation == "seek"] == ["latency_max_ns"]
    line = (SAMPLES / "bonnie/table_and_csv.txt").read_text().splitlines()[-1]
    of_197 = run_of_text(line.replace("1.98", "1.97").replace(",8192,5,", ",") + "\n")
    assert claim(of_197, "rewrite", "latency_max_ns").printed == "112 ms"
    with pytest.raises(FormatUnknown):
        run_of_text(line.removesuffix(",922us") + "\n")


def test_iozones_numbers_belong_to_tests_by_their_place() -> None:
    rates, times = run_of("iozone/rates.txt"), run_of("iozone/times.txt")
    assert rates.series == ()
    assert {held.operation: held.printed for held in rates.claims if "in 4 KiB" in held.operation} == {
        "write, 102400 KiB in 4 KiB": "131760",
        "rewrite, 102400 KiB in 4 KiB": "167822",
        "random read, 102400 KiB in 4 KiB": "49352",
        "random write, 102400 KiB in 4 KiB": "108890",
    }
    assert [held.operation for held in times.series] == ["write", "rewrite", "random read", "random write"]
    shifted = (SAMPLES / "iozone/rates.txt").read_text().replace("                      49352", "  49352")
    run = run_of_text(shifted)
    assert any("by their places" in problem.reason for problem in run.problems)
    assert not any("in 4 KiB" in held.operation for held in run.claims)


def test_rally_proves_its_largest_times_where_no_request_failed() -> None:
    run = run_of("esrally/report.md")
    assert {(held.operation, held.clock) for held in run.series} == {
        ("index-append", "response"),
        ("index-append", "service"),
    }
    p90 = series(run, "index-append", "response").record.quantile_bounds(0.9)
    assert p90.upper_ns is not None
    assert 6_642 * MS < p90.upper_ns < 6_643 * MS
    assert claim(run, "term: latency", "latency_quantile_ns", 0.999).printed == "9.31077 ms"
    assert any("requests failed" in problem.reason for problem in run.problems)


def test_rally_reads_all_laps_together_and_no_lap_for_itself() -> None:
    """A report of two laps has a table for each lap before the table of all laps."""
    report = (SAMPLES / "esrally/report.md").read_text()
    head, rule, *rows = report.splitlines()
    assert head.startswith("|")

    def table(lap: str, slower: str) -> list[str]:
        return [
            "| Lap " + head,
            "|----:" + rule,
            *(f"| {lap} " + row.replace("6642.97", slower) for row in rows),
        ]

    laps = "\n".join([*table("1", "9999.99"), "", *table("2", "1.25"), "", *table("All", "6642.97")])
    assert claims_and_bounds(run_of_text(laps)) == claims_and_bounds(run_of_text(report))


def claims_and_bounds(run: ParsedRun) -> tuple[list[tuple[str, str]], list[TimeBounds]]:
    claims = [(held.operation, held.printed) for held in run.claims]
    return claims, [held.record.quantile_bounds(0.9) for held in run.series]


def test_json_of_rados_bench_says_what_its_text_says_and_not_what_was_not_measured() -> None:
    run = run_of("rados_bench/write.json")
    assert series(run, "write").record.total == 566
    assert run.parameters["concurrency"] == 16
    assert claim(run, "write", "latency_max_ns").printed == "1.807243 s"
    assert not any("1717986918" in held.printed for held in run.claims)
