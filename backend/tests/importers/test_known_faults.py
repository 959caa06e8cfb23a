"""Files of which figures were once read wrongly or lost, each with what is right. Each stands for a kind."""

from datetime import UTC, datetime

import pytest
from backend.tests.importers.reading import claim, run_of, runs_of, series

from tailroom.domain.verdicts.budget import ACT_LIMITS_1, FRAUD_250_SEQUENTIAL_1
from tailroom.evidence.file import SeriesMissing, evidence_of
from tailroom.importers.parsed_run import Claim, ParsedRun, ParsedSeries, Severity

S = 1_000_000_000


def _run(name: str) -> ParsedRun:
    return run_of(f"known_faults/{name}")


def _printed(held: ParsedSeries) -> dict[tuple[str, float | None], str]:
    return {(one.quantity, one.quantile): one.printed for one in held.printed}


def assert_states(run: ParsedRun, settings: dict[str, object]) -> None:
    assert {name: run.parameters.get(name) for name in settings} == settings


def _stretches(run: ParsedRun, quantity: str, operation: str | None = None) -> list[tuple[str, int, int]]:
    """Number, begin and length in seconds of what is said of stretches."""
    return [
        (one.printed, one.start_ns // S, (one.duration_ns or 0) // S)
        for one in run.claims
        if one.quantity == quantity and one.start_ns is not None and operation in (None, one.operation)
    ]


def _of(run: ParsedRun, operation: str) -> list[Claim]:
    return [one for one in run.claims if one.operation == operation]


def test_table_of_act_5_tells_its_two_clocks_apart() -> None:
    run = _run("act5_table_clocks_a.txt")
    assert [(one.operation, one.clock, one.source_name) for one in run.series] == [
        ("read", "response", "reads"),
        ("read", "service", "device-reads"),
        ("large-block-read", "service", "large-block-reads"),
    ]
    _, used = evidence_of([run], ACT_LIMITS_1)
    assert [one.series.source_name for one in used if one.series.operation == "read"] == ["reads"]


def test_diskspd_says_when_it_started_and_with_what_load() -> None:
    run = _run("diskspd_text_start.txt")
    assert run.started_at == datetime(2026, 2, 10, 7, 45, 10, tzinfo=UTC)
    assert_states(
        run,
        {
            "request_count": 8,
            "threads_per_file": 2,
            "read_write_ratio": "75/25",
            "warmup_s": 5,
            "block_size": 16384,
        },
    )
    assert "run.started_at" not in run.missing


def test_head_of_diskspds_xml() -> None:
    run = _run("diskspd_xml_head_a.xml")
    assert run.tool_version == "2.0.21a"
    assert run.started_at == datetime(2026, 2, 10, 7, 31, 5, tzinfo=UTC)
    assert_states(
        run,
        {
            "block_size": 65536,
            "request_count": 8,
            "threads_per_file": 2,
            "write_ratio": 0,
            "planned_duration_s": 12,
        },
    )
    assert claim(run, "read", "transferred_bytes").printed == "30474240"


def test_elements_of_diskspds_xml_that_close_themselves() -> None:
    run = _run("diskspd_xml_iops_buckets_a.xml")
    counts = {one.operation: one.record.total for one in run.series}
    assert counts == {"read": 37_440, "write": 14_640, "total": 52_080}


def test_fios_own_start_needs_no_note() -> None:
    run = _run("fio_json_job_start.json")
    assert run.started_at == datetime(2026, 2, 10, 9, 11, 24, 3_000, tzinfo=UTC)
    assert not [one for one in run.problems if "less the running time" in one.reason]


def test_what_fio_prints_of_a_latency_that_it_did_not_measure() -> None:
    run = _run("fio_json_lat_garbage.json")
    assert [one for one in run.claims if one.quantity.startswith("latency_")] == []
    (held,) = run.series
    assert held.record.total == 2_472_448
    assert held.record.mean_ns is None
    assert held.printed == ()
    assert [one.line for one in run.problems if one.severity is Severity.WARNING] == [76]


def test_numbers_of_a_terse_line_are_shown_as_they_are_printed() -> None:
    run = _run("fio_terse_printed_a.txt")
    clat = _printed(series(run, "read"))
    assert clat["latency_min_ns", None] == "64 µs"
    assert clat["latency_max_ns", None] == "1280 µs"
    assert clat["latency_mean_ns", None] == "92.500000 µs"
    assert clat["latency_deviation_ns", None] == "14.250000 µs"
    shares = {0.01: "66", 0.5: "90", 0.99: "126", 0.999: "140", 0.9999: "152"}
    assert {share: clat["latency_quantile_ns", share] for share in shares} == {
        share: f"{value} µs" for share, value in shares.items()
    }
    assert _printed(series(run, "read", "operation"))["latency_mean_ns", None] == "96.600000 µs"
    assert _printed(series(run, "read", "queue"))["latency_max_ns", None] == "90 µs"


def test_jobs_that_fio_reports_together() -> None:
    assert _run("fio_text_jobs_a.txt").parameters["jobs"] == 8


@pytest.mark.parametrize("budget", [FRAUD_250_SEQUENTIAL_1, ACT_LIMITS_1])
def test_means_of_a_device_are_not_judged(budget: object) -> None:
    run = _run("iostat_judged.txt")
    assert run.series
    with pytest.raises(SeriesMissing, match="means of what a device did"):
        evidence_of([run], budget)  # type: ignore[arg-type]


def test_rates_of_a_device() -> None:
    run = _run("iostat_rates.txt")
    found = {one.quantity: one.printed for one in run.claims}
    assert found["read_ops_per_s_max"] == "84120.30"
    assert found["write_ops_per_s_max"] == "36051.10"
    assert found["read_bytes_per_s_max"] == "336481.20"
    assert found["write_bytes_per_s_max"] == "144204.40"
    (reads,) = [one for one in run.claims if one.quantity == "read_bytes_per_s_max"]
    assert reads.lower <= 336_481.2 * 1024 <= reads.upper


def test_a_line_of_counters_that_went_back_is_refused() -> None:
    run = _run("iostat_util_wrapped.txt")
    found = {one.quantity: one.printed for one in run.claims}
    assert (found["device_busy_percent_max"], found["queue_length_max"]) == ("1.20", "0.02")
    assert [one.line for one in run.problems if one.severity is Severity.WARNING] == [13]


def test_hits_and_misses_of_a_store() -> None:
    run = _run("memtier_json_hits.json")
    assert claim(run, "get", "hit_rate_per_s").printed == "20110.41"
    assert claim(run, "get", "miss_rate_per_s").printed == "79887.92"
    assert any("found nothing" in one.reason for one in run.problems)


def test_operations_that_did_not_happen_have_no_latency() -> None:
    run = _run("memtier_json_nothing_done.json")
    for operation in ("set", "wait"):
        assert [one for one in _of(run, operation) if one.quantity.startswith("latency_")] == []


def test_zeros_beside_a_mean_are_no_percentiles() -> None:
    run = _run("memtier_json_totals_zero.json")
    quantities = [one.quantity for one in _of(run, "total")]
    assert "latency_quantile_ns" not in quantities
    assert "latency_min_ns" not in quantities
    assert claim(run, "hset", "latency_quantile_ns", 0.5).printed == "0.919 ms"
    assert claim(run, "hset", "latency_quantile_ns", 0.99).printed == "2.031 ms"
    assert any("contradict its mean" in one.reason for one in run.problems)


def test_several_runs_have_their_own_settings() -> None:
    runs = runs_of("known_faults/memtier_runs_own_settings_a.txt")
    shape = [(run.parameters["threads"], run.parameters["connections_per_thread"]) for run in runs]
    assert shape == [(2, 5), (8, 25), (16, 50)]
    assert {run.parameters["requests_per_client"] for run in runs} == {40_000}
    counts = [claim(run, "total", "operation_count").printed for run in runs]
    assert counts == ["400000", "8000000", "32000000"]


def test_a_processor_that_is_offline_was_not_busy() -> None:
    run = _run("mpstat_cpu_offline.txt")
    busy = {one.subject: max(one.values) for one in run.courses if one.quantity == "cpu_busy_percent"}
    assert busy == {"CPU": 3.1, "CPU 0": 4.0, "CPU 1": 2.2, "CPU 3": 3.1}
    assert any("CPU 2" in one.reason for one in run.problems)


def test_a_number_of_attempts_is_no_time() -> None:
    run = _run("nosqlbench_histostats_tries.csv")
    assert [one.operation for one in run.series] == ["result"]
    assert claim(run, "main.tries", "operation_count").printed == "8112"
    assert run.series[0].record.total == 8_112


def test_progress_that_begins_in_the_middle() -> None:
    run = _run("pgbench_progress_excerpt.txt")
    assert _stretches(run, "throughput_ops_per_s") == [
        ("408.9", 930, 10),
        ("97.3", 940, 10),
        ("405.1", 950, 10),
    ]
    assert run.duration_ns == 30 * S


def test_rates_and_weights_of_pgbenchs_scripts() -> None:
    run = _run("pgbench_scripts_rates.txt")
    assert claim(run, "script-0", "throughput_ops_per_s").printed == "706.720334"
    assert claim(run, "script-1", "throughput_ops_per_s").printed == "300.499810"
    assert (run.parameters["script_0_weight"], run.parameters["script_1_weight"]) == (7, 3)


def test_an_interval_without_an_answer() -> None:
    run = _run("pgbench_stall_nan_a.txt")
    rates = _stretches(run, "throughput_ops_per_s")
    assert rates[2:] == [("0.0", 20, 10), ("611.3", 30, 10)]
    assert [begin for _, begin, _ in _stretches(run, "latency_mean_ns")] == [0, 10, 30]
    (held,) = run.series
    assert [(one.start_ns // S, one.duration_ns // S) for one in held.periods] == [
        (0, 10),
        (10, 10),
        (20, 10),
        (30, 10),
    ]
    assert list(held.periods)[2].record.cdf_bounds(10**18)[0] == 0.0


def test_statements_of_pgbench_with_six_decimals() -> None:
    run = _run("pgbench_statements_9x.txt")
    found = {one.operation: one.printed for one in run.claims if one.operation.startswith("statement: ")}
    assert found["statement: BEGIN;"] == "0.741205"
    assert found["statement: END;"] == "9.410882"
    assert len(found) == 5


def test_a_title_with_blanks_behind_it() -> None:
    run = _run("redis_padded_title_one.txt")
    (held,) = run.series
    assert (held.operation, held.record.total) == ("set", 60_000)
    assert claim(run, "set", "throughput_ops_per_s").printed == "58823.53"
    assert_states(run, {"connections": 40, "value_bytes": 16})
    least, most = held.record.cdf_bounds(304_000)
    assert least == most == pytest.approx(30_411 / 60_000)
    assert claim(run, "set", "latency_max_ns").printed == "7.215 ms"
    assert run.problems == ()


def test_reads_and_writes_of_sysbench_05() -> None:
    run = _run("sysbench_05_reads_writes.txt")
    assert _stretches(run, "throughput_ops_per_s", "read query") == [("11380.12", 0, 5), ("11489.40", 5, 5)]
    assert _stretches(run, "throughput_ops_per_s", "write query") == [("3251.60", 0, 5), ("3282.41", 5, 5)]
    assert _stretches(run, "reconnect_rate_per_s") == [("0.00", 0, 5), ("0.00", 5, 5)]


def test_status_lines_that_begin_in_the_middle() -> None:
    run = _run("sysbench_status_excerpt.txt")
    assert _stretches(run, "throughput_ops_per_s", "event") == [
        ("141.98", 293, 1),
        ("20.00", 294, 1),
        ("139.02", 295, 1),
    ]
    (held,) = run.series
    assert [one.start_ns // S for one in held.periods] == [293, 294, 295]
    assert run.duration_ns == 3 * S


def test_a_rounded_duration_has_two_ends() -> None:
    run = _run("wrk_duration.txt")
    assert run.duration_ns == pytest.approx(120.01 * S, rel=1e-4)
    stated = claim(run, "total", "duration_ns")
    assert (stated.printed, stated.lower / S, stated.upper / S) == ("2.00m", 119.7, 120.3)


def test_two_clocks_of_one_operation_have_their_own_numbers() -> None:
    run = _run("ycsb_both_printed.txt")
    for clock, mean, p99 in (("service", "3573.3", "18543"), ("response", "3.52119E7", "70057983")):
        found = _printed(series(run, "read", clock))
        assert found["latency_mean_ns", None] == f"{mean} µs"
        assert found["latency_quantile_ns", 0.99] == f"{p99} µs"


def test_counts_with_decimals_are_no_means() -> None:
    run = _run("ycsb_port_float_histogram_a.txt")
    assert [one for one in run.claims if one.start_ns is not None] == []
    assert any("left out" in one.reason for one in run.problems if one.line == 4)
    assert run.series[0].record.total == 50_000
