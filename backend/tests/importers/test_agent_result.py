"""Result files of the agent: everything that was measured, and whatever is missing or damaged is named.

The samples are whole runs of the real agent with engines that need no drive and no server; the name of the
machine and its serial numbers are replaced.
"""

import base64
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from backend.tests.importers.reading import SAMPLES, run_of, run_of_text, series
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from tailroom.catalogue.disclosure import is_known
from tailroom.cli.main import build_app
from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.histogram import Counts, decode, encode
from tailroom.domain.latency.interval import UNKNOWN
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.domain.transactions.plan import Plan
from tailroom.domain.units import NS_PER_MS, NS_PER_S
from tailroom.domain.verdicts.budget import ACT_LIMITS_1, FRAUD_250_SEQUENTIAL_1
from tailroom.domain.verdicts.judge_budget import judge_budget
from tailroom.domain.verdicts.verdict import Reason, Verdict
from tailroom.evidence.file import evidence_of
from tailroom.importers.importer import ContentUnreadable
from tailroom.importers.parsed_run import EndState, ParsedRun, Severity
from tailroom.importers.registry import detect, read
from tailroom.importers.source import from_bytes

ACT = "agent/act-null-4s.ndjson"
FRAUD = "agent/fraud-null-4s.ndjson"
Lines = list[dict[str, Any]]


def lines_of(sample: str) -> Lines:
    return [json.loads(line) for line in (SAMPLES / sample).read_text().splitlines()]


def run_of_lines(lines: Lines) -> ParsedRun:
    return run_of_text("".join(json.dumps(line) + "\n" for line in lines))


def intervals_of(lines: Lines, number: int) -> Lines:
    return [one for line in lines for one in line.get("intervals", ()) if one["series"] == number]


def without(lines: Lines, number: int, seq: int) -> Lines:
    return [
        {"intervals": [one for one in line["intervals"] if (one["series"], one["seq"]) != (number, seq)]}
        if "intervals" in line
        else line
        for line in lines
    ]


def errors_of(run: ParsedRun) -> list[tuple[int | None, str]]:
    return [(one.line, one.reason) for one in run.problems if one.severity is Severity.ERROR]


def test_everything_that_was_measured_is_there_and_ticks_count_nothing_twice() -> None:
    lines, run = lines_of(ACT), run_of(ACT)
    assert [(one.operation, one.clock, one.record.total, one.target_count) for one in run.series] == [
        ("read", "response", 8_000, 8_000),
        ("read", "service", 8_000, 8_000),
        ("large-block-read", "response", 94, 94),
        ("large-block-read", "service", 94, 94),
        ("large-block-write", "response", 94, 94),
        ("large-block-write", "service", 94, 94),
    ]
    one, written = series(run, "read", "response"), intervals_of(lines, 1)
    assert one.intervals is not None
    assert one.intervals.layout == HdrLayout(1_000, 3)
    assert one.intervals.pins.tolist() == [interval["pins"] for interval in written]
    assert one.intervals.min_ns.tolist() == [interval["min_ns"] for interval in written]
    assert one.intervals.duration_ns.tolist() == [2 * NS_PER_S, 2 * NS_PER_S]
    for row, interval in enumerate(written):
        alone = decode(base64.b64decode(interval["histogram"]), HdrLayout(1_000, 3))
        assert one.intervals.distribution(row).counts.counts.tolist() == alone.counts.tolist()
        assert one.intervals.distribution(row).counts.indices.tolist() == alone.indices.tolist()
    assert isinstance(one.record, LatencyDist)
    # The ticks, which are read by nobody, tell the same.
    ticks = intervals_of(lines, 0)
    assert one.record.sum_ns == sum(tick["sum_ns"] for tick in ticks)
    assert one.record.max_ns == max(tick["max_ns"] for tick in ticks)
    assert list(one.record.pins.values()) == [sum(tick["pins"][i] for tick in ticks) for i in range(3)]
    assert run.problems == ()


def test_how_late_and_how_busy_the_generator_was_is_kept() -> None:
    lines = lines_of(ACT)
    first, second = intervals_of(lines, 1)
    first |= {"lateness_p99_ns": 52_000, "busy_ns": 0}
    second |= {"lateness_p99_ns": None, "temperature_millicelsius": 41_000}
    records = series(run_of_lines(lines), "read", "response").intervals
    assert records is not None
    assert records.lateness_p99_ns.tolist() == [52_000, UNKNOWN]
    assert records.busy_ns.tolist() == [0, UNKNOWN]
    untold = series(run_of(ACT), "read", "response").intervals
    assert untold is not None
    assert set(untold.lateness_p99_ns.tolist() + untold.busy_ns.tolist()) == {UNKNOWN}


@pytest.mark.parametrize("changes", [{"lateness_p99_ns": -1}, {"busy_ns": 0.5}])
def test_a_lateness_that_is_none_takes_its_line_away(changes: dict[str, Any]) -> None:
    lines = lines_of(ACT)
    intervals_of(lines, 1)[0].update(changes)
    assert "cannot be read" in errors_of(run_of_lines(lines))[0][1]


def test_what_the_announcement_says_is_stated_and_the_rest_is_missing() -> None:
    run = run_of(ACT)
    announced = lines_of(ACT)[0]["announce"]
    assert (run.tool, run.tool_version, run.format) == ("tailroom-agent", "0.1.0", "agent-result")
    assert run.started_at == datetime.fromtimestamp(announced["started_at_unix_ns"] // 1_000 / 1e6, UTC)
    assert (run.state, run.duration_ns, run.closed_loop) == (EndState.FINISHED, 4 * NS_PER_S, False)
    assert run.parameters["engine"] == "null"
    assert run.parameters["limits_ns"] == "1000000, 8000000, 64000000"
    assert "plan.act_storage.preconditioning" in run.missing
    assert "agent.version" not in run.missing
    assert all(is_known(name) for name in run.missing)


def test_judging_needs_no_server() -> None:
    done = CliRunner().invoke(
        build_app(["judge"]), ["judge", str(SAMPLES / ACT), "--budget", "act-limits", "--json"]
    )
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["verdict"] == "PASS"


def test_measured_transactions_are_judged_with_their_number_of_reads() -> None:
    run = run_of(FRAUD)
    found, used = evidence_of([run], FRAUD_250_SEQUENTIAL_1)
    assert [one.series.operation for one in used] == ["read"]
    whole = found.of("transaction")
    assert whole is not None
    assert (whole.clock, whole.issued, whole.record.total) == ("response", Plan.sequential("read", 250), 20)
    measured = judge_budget(FRAUD_250_SEQUENTIAL_1, found).summary()["models"]["measured"]
    assert measured is not None


@pytest.mark.parametrize(
    ("outcome", "state"),
    [("stopped", EndState.KILLED), ("interrupted", EndState.KILLED), ("failed", EndState.FAILED)],
)
def test_how_it_ended(outcome: str, state: EndState) -> None:
    lines = lines_of(ACT)
    lines[-1]["finish"] |= {"outcome": outcome, "reason": "stopped by SIGINT"}
    run = run_of_lines(lines)
    assert (run.state, run.state_text) == (state, "stopped by SIGINT")


def test_without_an_end_the_run_still_grows_and_nothing_is_called_missing() -> None:
    run = run_of_lines(lines_of(ACT)[:-2])
    assert run.state is EndState.GROWING
    assert run.duration_ns == 2 * NS_PER_S
    assert run.problems == ()
    assert [one.missing_intervals for one in run.series] == [0] * len(run.series)


@pytest.mark.parametrize(
    ("seq", "line", "words"),
    [(0, 6, "series 1: intervals 0 to 0 (1) are missing"), (1, None, "1 to 1 (1) are missing at the end")],
)
def test_a_gap_is_located_and_proves_no_pass(seq: int, line: int | None, words: str) -> None:
    run = run_of_lines(without(lines_of(ACT), 1, seq))
    ((where, reason),) = errors_of(run)
    assert words in reason
    assert where == line
    assert series(run, "read", "response").missing_intervals == 1
    found, _ = evidence_of([run], ACT_LIMITS_1)
    summary = judge_budget(ACT_LIMITS_1, found).summary()
    assert (summary["verdict"], summary["reason"]) == (Verdict.INDETERMINATE, Reason.GENERATOR)


def test_a_generator_that_fell_behind_proves_no_pass() -> None:
    lines = lines_of(ACT)
    for one in intervals_of(lines, 1):
        one["target_count"] *= 2
    run = run_of_lines(lines)
    assert series(run, "read", "response").target_count == 16_000
    found, _ = evidence_of([run], ACT_LIMITS_1)
    summary = judge_budget(ACT_LIMITS_1, found).summary()
    assert (summary["verdict"], summary["reason"]) == (Verdict.INDETERMINATE, Reason.GENERATOR)


def test_a_damaged_line_takes_only_its_own_intervals_away() -> None:
    raw = (SAMPLES / ACT).read_bytes().splitlines(keepends=True)
    (holder,) = [
        no for no, line in enumerate(raw) if b'"series":1,"seq":1,' in line and b'"intervals"' in line
    ]
    raw[holder] = raw[holder][:100] + b"\n"
    run = run_of_text(b"".join(raw))
    assert errors_of(run)[0][0] == holder + 1
    assert series(run, "read", "response").record.total == 4_000
    assert series(run, "read", "response").missing_intervals == 1


def _more_than_histogram(one: dict[str, Any]) -> None:
    one["count"] += 1


def _pins_rise(one: dict[str, Any]) -> None:
    one["pins"] = [0, 1, 2]


def _no_base64(one: dict[str, Any]) -> None:
    one["histogram"] = "AAAA"


def _slow_mean(one: dict[str, Any]) -> None:
    one["sum_ns"] = one["max_ns"] * one["count"] + 1


def _pins_few(one: dict[str, Any]) -> None:
    one["pins"] = [0]


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (_more_than_histogram, "the histogram holds 4000 values, the count is 4001"),
        (_pins_rise, "its pins rise"),
        (_no_base64, "left out"),
        (_slow_mean, "do not go with its count"),
        (_pins_few, "1 pins for 3 thresholds"),
    ],
)
def test_an_interval_that_cannot_be_is_left_out_and_counts_as_missing(
    damage: Callable[[dict[str, Any]], None], words: str
) -> None:
    lines = lines_of(ACT)
    damage(intervals_of(lines, 1)[0])
    run = run_of_lines(lines)
    ((line, reason),) = errors_of(run)
    assert line is not None
    assert words in reason
    one = series(run, "read", "response")
    assert (one.record.total, one.missing_intervals) == (4_000, 1)
    assert series(run, "read", "service").record.total == 8_000


def test_the_same_interval_twice_counts_once() -> None:
    lines = lines_of(ACT)
    lines.insert(-1, {"intervals": [intervals_of(lines, 1)[0]]})
    run = run_of_lines(lines)
    assert series(run, "read", "response").record.total == 8_000
    assert ["comes after interval 1" in one.reason for one in run.problems] == [True]


def test_a_series_that_nobody_defined_is_named() -> None:
    lines = lines_of(ACT)
    lines[1]["series"] = [one for one in lines[1]["series"] if one["series_no"] != 1]
    run = run_of_lines(lines)
    assert "series 1 is not defined" in errors_of(run)[0][1]
    assert [one.clock for one in run.series if one.operation == "read"] == ["service"]


def test_ticks_alone_are_named_and_not_read() -> None:
    lines = lines_of(ACT)
    lines[1]["series"] = [one for one in lines[1]["series"] if one["kind"] == "tick"]
    for line in lines:
        if "intervals" in line:
            line["intervals"] = [one for one in line["intervals"] if one["histogram"] is None]
    run = run_of_lines(lines)
    assert run.series == ()
    assert any("live ticks and no histograms" in one.reason for one in run.problems)


def test_other_versions_and_two_runs_in_one_file_are_refused() -> None:
    lines = lines_of(ACT)
    with pytest.raises(ContentUnreadable, match="version 2; version 1 is read"):
        run_of_lines([{"tailroom_agent_result": 2}, *lines[1:]])
    with pytest.raises(ContentUnreadable, match="begins another run"):
        run_of_lines(lines + lines)


def test_without_its_announcement_the_numbers_remain_and_everything_else_is_asked_for() -> None:
    run = run_of_lines([{"tailroom_agent_result": 1}, *lines_of(ACT)[1:]])
    assert series(run, "read", "response").record.total == 8_000
    assert run.tool_version is None
    assert {"run.started_at", "tool.version"} <= set(run.missing)


def test_it_is_known_by_its_first_key() -> None:
    detection, importer = detect(from_bytes("anything.bin", (SAMPLES / ACT).read_bytes()))
    assert (detection.tool, detection.version, importer.name) == ("tailroom-agent", "0.1.0", "agent-result")


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_any_loss_of_intervals_is_counted(data: st.DataObject) -> None:
    lines = lines_of(ACT)
    gone = data.draw(st.sets(st.tuples(st.sampled_from([1, 3, 5]), st.sampled_from([0, 1])), min_size=1))
    for number, seq in gone:
        lines = without(lines, number, seq)
    run = run_of_lines(lines)
    for one in run.series:
        number = int(one.source_name.split()[1])
        assert one.missing_intervals == sum(1 for lost, _ in gone if lost == number)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 17_900), st.binary(min_size=1, max_size=4))
def test_bytes_that_turned_are_refused_by_name_or_told(at: int, other: bytes) -> None:
    raw = (SAMPLES / ACT).read_bytes()
    damaged = raw[:at] + other + raw[at + len(other) :]
    try:
        (run,) = read(from_bytes("run.ndjson", damaged)).runs
    except DomainError:
        return
    if run.problems:
        return
    # Nothing was found wrong: then every latency of the whole file is still there.
    whole = {one.source_name: one.record for one in run_of(ACT).series}
    for one in run.series:
        before = whole[one.source_name]
        assert isinstance(one.record, LatencyDist)
        assert isinstance(before, LatencyDist)
        assert one.record.counts.counts.tolist() == before.counts.counts.tolist()


def slow(lines: Lines, **facts: int | None) -> Lines:
    """Every read at 20 ms, and what its intervals say of the generator."""
    layout = HdrLayout(1_000, 3)
    for number in (1, 3):
        for one in intervals_of(lines, number):
            counts = Counts(layout.index_of(np.array([20_000])), np.array([one["count"]], np.int64))
            one["histogram"] = base64.b64encode(encode(counts, layout)).decode()
            ends = {
                "min_ns": 20 * NS_PER_MS,
                "max_ns": 20 * NS_PER_MS,
                "sum_ns": 20 * NS_PER_MS * one["count"],
            }
            one |= {**ends, "pins": [one["count"], one["count"], 0], **facts}
    return lines


@pytest.mark.parametrize(
    ("facts", "code", "said"),
    [
        ({}, 1, "FAIL"),
        ({"lateness_p99_ns": 100_000, "busy_ns": 1_400_000_000}, 1, "FAIL"),
        (
            {"lateness_p99_ns": 100_001, "busy_ns": None},
            3,
            "2 of 2 slices are unreliable: the load generator began",
        ),
        ({"lateness_p99_ns": None, "busy_ns": 1_400_000_001}, 3, "its busiest thread used more than 70 %"),
    ],
)
def test_intervals_of_a_late_or_busy_generator_prove_no_fail(
    tmp_path: Path, facts: dict[str, int | None], code: int, said: str
) -> None:
    file = tmp_path / "run.ndjson"
    file.write_text("".join(json.dumps(line) + "\n" for line in slow(lines_of(ACT), **facts)))
    done = CliRunner().invoke(build_app(["judge"]), ["judge", str(file), "--budget", "act-limits"])
    shown = " ".join(done.stdout.split())
    assert (done.exit_code, said in shown) == (code, True), done.output
    assert ("unreliable 2 of 2 slices, because of the generator" in shown) == (code == 3)


def test_a_phase_that_waits_for_answers_is_a_closed_loop() -> None:
    lines = lines_of(FRAUD)
    assert not run_of_lines(lines).closed_loop
    announced = lines[0]["announce"]
    announced["workload"] = "ycsb"
    announced["plan"] = {"workload": "ycsb", "phase": {"name": "run", "loop": "closed", "connections": 4}}
    run = run_of_lines(lines)
    assert run.closed_loop
    assert "plan.server.version" in run.missing
    assert "plan.phase.connections" not in run.missing
    assert all(is_known(field) for field in run.missing)
