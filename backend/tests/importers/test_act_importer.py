"""ACT logs are read without loss, whatever their generation, and what is wrong in them is named by line."""

import re
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from backend.tests.domain.latency.legacy_act import from_legacy_act
from backend.tests.importers import act_logs
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.knots import KnotsRecord
from tailroom.domain.latency.layouts import Pow2Layout
from tailroom.importers.act.importer import ACT, ActConfigAlone
from tailroom.importers.act.runs import ActUnitUnknown
from tailroom.importers.parsed_run import EndState, ParsedRun, ParsedSeries, Severity
from tailroom.importers.registry import read_together
from tailroom.importers.slices import course_of, exceedance
from tailroom.importers.source import Source, from_bytes, from_path

SAMPLES = Path(__file__).parent / "samples" / "act"
LOGS = sorted(path for path in SAMPLES.iterdir() if path.name.endswith((".log", ".log.zst")))
S_NS = 10**9


def read(text: str | bytes, *beside: Source) -> list[ParsedRun]:
    """All runs of a log."""
    data = text.encode() if isinstance(text, str) else text
    return ACT.parse(from_bytes("x.log", data), beside)


def one(text: str | bytes, *beside: Source) -> ParsedRun:
    """The only run of a log."""
    (run,) = read(text, *beside)
    return run


def series(run: ParsedRun, operation: str, clock: str, device: str | None = None) -> ParsedSeries:
    """The one series of this kind."""
    (found,) = [
        one for one in run.series if (one.operation, one.clock, one.device) == (operation, clock, device)
    ]
    return found


def counted(found: ParsedSeries) -> dict[int, int]:
    """Counts by bucket of the whole run."""
    assert isinstance(found.record, LatencyDist)
    counts = found.record.counts
    return dict(zip(counts.indices.tolist(), counts.counts.tolist(), strict=True))


def reasons(run: ParsedRun, severity: Severity | None = None) -> str:
    """All problems as one text."""
    return "\n".join(
        f"{problem.line}: {problem.reason}"
        for problem in run.problems
        if severity is None or problem.severity is severity
    )


def _by_hand(source: Source) -> list[tuple[int, list[tuple[str, int, dict[int, int]]]]]:
    """Blocks read line by line, without any of the importer's code."""
    blocks: list[tuple[int, list[tuple[str, int, dict[int, int]]]]] = []
    for _, raw in source.lines():
        line = raw.decode()
        if label := re.match(r"^[aA]fter (\d+) sec:", line):
            blocks.append((int(label[1]), []))
        elif blocks and (heading := re.match(r"^(.*?) +\((\d+) total\)", line)):
            blocks[-1][1].append((heading[1], int(heading[2]), {}))
        elif blocks and blocks[-1][1] and line.startswith(" ("):
            for bucket, count in re.findall(r"\((\d+): (\d+)\)", line):
                blocks[-1][1][-1][2][int(bucket)] = int(count)
    return blocks


@pytest.mark.parametrize("path", LOGS, ids=[path.name for path in LOGS])
def test_nothing_of_a_sample_is_lost(path: Path) -> None:
    """Totals and every block of every histogram are those in the file."""
    source = from_path(path)
    (run,) = ACT.parse(source, [])
    blocks = _by_hand(source)
    names = [name for name, *_ in blocks[-1][1]] if blocks else []
    assert [found.source_name for found in run.series] == names
    for found in run.series:
        cumulative = [
            (label, next(counts for name, _, counts in histograms if name == found.source_name))
            for label, histograms in blocks
        ]
        assert found.record.total == sum(cumulative[-1][1].values())
        course = course_of(found)
        assert course is not None
        assert (course.end_ns // S_NS).tolist() == [label for label, _ in cumulative]
        assert np.cumsum(course.count).tolist() == [sum(counts.values()) for _, counts in cumulative]
        if found.intervals is not None:
            so_far: Counter[int] = Counter()
            for piece, (_, counts) in enumerate(cumulative):
                begin, end = found.intervals.offsets[piece : piece + 2]
                buckets, amounts = found.intervals.indices[begin:end], found.intervals.counts[begin:end]
                so_far.update(dict(zip(buckets.tolist(), amounts.tolist(), strict=True)))
                assert so_far == Counter(counts)
            assert counted(found) == cumulative[-1][1]


@pytest.mark.parametrize(
    ("name", "state", "version", "kind", "load"),
    [
        ("act1x2013_3x_1dev_60s.log", EndState.FINISHED, None, "act-storage", 3.0),
        ("act40_1x_1dev_ms_60s.log", EndState.FINISHED, "4.0", "act-storage", 1.0),
        ("act53_storage_1x_2dev_ms_60s.log", EndState.FINISHED, "5.3", "act-storage", 1.0),
        ("act66_index_1x_1dev_us_60s.log", EndState.FINISHED, "6.6", "act-index", 1.0),
        ("act66_storage_6x_2dev_ms_60s.log", EndState.FINISHED, "6.6", "act-storage", 6.0),
        ("act66_storage_config_error.log", EndState.FAILED, "6.6", "act-storage", None),
        ("act66_storage_killed_sigterm.log", EndState.GROWING, "6.6", "act-storage", 1.0),
        (
            "act66_storage_overload_drive_cant_keep_up.log",
            EndState.DEVICE_TOO_SLOW,
            "6.6",
            "act-storage",
            2.0,
        ),
    ],
)
def test_what_a_sample_is(
    name: str, state: EndState, version: str | None, kind: str, load: float | None
) -> None:
    """End, version and load are judged by the content."""
    (run,) = ACT.parse(from_path(SAMPLES / name), [])
    assert (run.state, run.tool_version, run.format) == (state, version, kind)
    assert run.parameters.get("load_multiple") == load
    assert run.started_at is None
    assert "run.started_at" in run.missing


def test_clocks_of_the_generations() -> None:
    """READS waits in a queue up to 5.x and is timed from the call since 6.0."""
    clocks = {}
    for name in (
        "act40_1x_1dev_ms_60s.log",
        "act53_storage_1x_2dev_ms_60s.log",
        "act60_storage_1x_1dev_us_30s.log",
    ):
        (run,) = ACT.parse(from_path(SAMPLES / name), [])
        clocks[run.tool_version] = {found.source_name: found.clock for found in run.series}
    assert clocks["4.0"]["READS"] == clocks["5.3"]["reads"] == "response"
    assert clocks["4.0"]["RAW READS"] == clocks["5.3"]["device-reads"] == clocks["6.0"]["reads"] == "service"


def test_commit_to_device_before_5_names_each_device_twice() -> None:
    """In a block the device's bare name stands for its reads first and then for its writes."""
    order = [
        "LARGE BLOCK READS",
        "LARGE BLOCK WRITES",
        "RAW READS",
        "/dev/sda",
        "/dev/sdb",
        "READS",
        "RAW WRITES",
        "/dev/sda#2",
        "/dev/sdb#2",
        "WRITES",
    ]
    pieces = [
        {name: {number: 10 + number + second} for number, name in enumerate(order)} for second in range(3)
    ]
    text = act_logs.head("4", devices=("/dev/sda", "/dev/sdb"), duration_s=3, commit_to_device="yes")
    run = one(text + "".join(act_logs.blocks(pieces, generation="4", order=order)))
    assert run.state is EndState.FINISHED
    assert counted(series(run, "read", "service", "/dev/sda")) == {3: 13 + 14 + 15}
    assert counted(series(run, "read", "service", "/dev/sdb")) == {4: 14 + 15 + 16}
    assert counted(series(run, "write", "service", "/dev/sda")) == {7: 17 + 18 + 19}
    assert counted(series(run, "write", "service", "/dev/sdb")) == {8: 18 + 19 + 20}
    assert counted(series(run, "write", "response")) == {9: 19 + 20 + 21}
    assert counted(series(run, "write", "service")) == {6: 16 + 17 + 18}
    assert run.parameters["requests_queued_max"] == 3


def test_commit_to_device_in_6_and_write_only() -> None:
    """Writes are series of their own; a test without reads has no reads."""
    names = ["large-block-reads", "large-block-writes", "writes", "/dev/sda-writes"]
    pieces = [{name: {2: 5} for name in names}] * 4
    run = one(act_logs.log(pieces, duration_s=4, read_reqs_per_sec=0, commit_to_device="yes"))
    assert {(found.operation, found.device) for found in run.series} == {
        ("large-block-read", None),
        ("large-block-write", None),
        ("write", None),
        ("write", "/dev/sda"),
    }
    assert run.parameters["load_multiple"] == 1.0


def test_microseconds_are_bounded_at_the_official_limits() -> None:
    """1 ms lies inside a bucket of a microsecond log: two ends there, one number at 1.024 ms."""
    run = one(act_logs.log([{"reads": {9: 90, 10: 7, 11: 3}}] * 10, microseconds=True))
    found = series(run, "read", "service")
    assert isinstance(found.record, LatencyDist)
    assert found.record.layout == Pow2Layout(1000)
    at_limit, beside = exceedance(found, 1_000_000, 10 * S_NS), exceedance(found, 1_024_000, 10 * S_NS)
    assert at_limit is not None
    assert beside is not None
    assert (at_limit.slices[0].lower_ratio, at_limit.slices[0].upper_ratio) == (0.03, 0.10)
    assert beside.slices[0].lower_ratio == beside.slices[0].upper_ratio == 0.03
    assert "1.024" in reasons(run)


def test_logs_before_2_are_statements_between_two_ends() -> None:
    """Bucket 00 reaches to 2 ms, and whole-millisecond clocks leave a millisecond open at every limit."""
    names = ["LARGE BLOCK READS", "LARGE BLOCK WRITES", "RAW READS", "/dev/sda", "READS"]
    run = one(act_logs.log([{name: {0: 90, 1: 6, 2: 4} for name in names}] * 10, generation="1"))
    record = series(run, "read", "response").record
    assert isinstance(record, KnotsRecord)
    assert record.total == 1000
    over_1, over_2, over_4 = (record.at_or_over(ms * 1_000_000) for ms in (1, 2, 4))
    assert (over_1.lower, over_1.upper) == (100, 1000)
    assert (over_2.lower, over_2.upper) == (40, 100)
    assert (over_4.lower, over_4.upper) == (0, 40)
    assert run.parameters["act_generation"] == "1"
    assert len(series(run, "read", "response").periods) == 10


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.integers(0, 12), st.integers(1, 10**6), min_size=1, max_size=6))
def test_statements_of_old_logs_are_those_of_printed_shares(counts: Mapping[int, int]) -> None:
    """The record says at every time what the shares over the labels say when they are read from a table."""
    names = ["LARGE BLOCK READS", "LARGE BLOCK WRITES", "RAW READS", "/dev/sda", "READS"]
    run = one(act_logs.log([dict.fromkeys(names, counts)], generation="1", duration_s=1))
    record = series(run, "read", "response").record
    total = sum(counts.values())
    over = {
        1 << bucket: Fraction(sum(count for other, count in counts.items() if other > bucket), total)
        for bucket in range(max(counts) + 1)
    }
    printed = from_legacy_act(over, count=total)
    for time_ns in [0, 1, *(at + off for at in printed.edges_ns().tolist() for off in (-1, 0, 1) if at)]:
        assert record.at_or_over(time_ns) == printed.at_or_over(time_ns)


def test_counts_beyond_ten_digits() -> None:
    """A day at a high load has more operations than the ten digits that ACT pads to."""
    huge = 12_345_678_901
    run = one(act_logs.log([{"reads": {0: huge, 1: 5, 2: 1, 3: 2, 4: 3}}] * 3, duration_s=3))
    assert counted(series(run, "read", "service")) == {0: 3 * huge, 1: 15, 2: 3, 3: 6, 4: 9}


def test_a_missing_block_loses_no_operation() -> None:
    """Counts are cumulative: the next block holds what the missing one did, in a longer piece."""
    pieces = [{"reads": {0: 10 + second}} for second in range(6)]
    parts = act_logs.blocks(pieces)
    run = one(act_logs.head(names=["reads"], duration_s=6) + "".join(parts[:2] + parts[4:]))
    found = series(run, "read", "service")
    assert found.intervals is not None
    assert found.record.total == sum(10 + second for second in range(6))
    assert (found.intervals.duration_ns // S_NS).tolist() == [1, 1, 3, 1]
    assert "2 blocks are missing between 2 s and 5 s" in reasons(run)
    shares = exceedance(found, 1, 3 * S_NS)
    assert shares is not None
    assert [len(shares.slices), shares.slices[0].count] == [2, 10 + 11 + 12 + 13 + 14]


def test_a_restart_is_another_run() -> None:
    """Counts that fall and labels that begin anew: two runs, an error, no negative number."""
    first, second = ([{"reads": {0: 100, 3: 1}}] * 4, [{"reads": {0: 7}}] * 2)
    text = act_logs.head(names=["reads"], duration_s=4)
    runs = read(text + "".join(act_logs.blocks(first) + act_logs.blocks(second)))
    assert [series(run, "read", "service").record.total for run in runs] == [404, 14]
    assert "counts start again" in reasons(runs[0], Severity.ERROR)
    assert [run.duration_ns for run in runs] == [4 * S_NS, 2 * S_NS]


def test_a_restart_at_a_higher_load_is_another_run() -> None:
    """No count falls, because the second test is soon beyond the first: its labels give it away."""
    first, second = [{"reads": {0: 5}}] * 3, [{"reads": {0: 500}}] * 6
    text = act_logs.head(names=["reads"], duration_s=6)
    runs = read(text + "".join(act_logs.blocks(first) + act_logs.blocks(second)))
    assert [series(run, "read", "service").record.total for run in runs] == [15, 3000]


def test_a_restart_in_the_middle_of_a_tail_is_another_run() -> None:
    """Labels that were there before, and counts that stay low: not blocks that stand twice."""
    first, second = [{"reads": {0: 50}}] * 60, [{"reads": {0: 7}}] * 60
    parts = act_logs.blocks(first)[20:] + act_logs.blocks(second)[20:]
    runs = read(act_logs.head(names=["reads"], duration_s=60) + "".join(parts))
    assert [series(run, "read", "service").record.total for run in runs] == [3000, 420]


@pytest.mark.parametrize(("begin", "end"), [(3, 4), (2, 6), (8, 10), (4, 10)])
def test_blocks_that_stand_twice_are_no_restart(begin: int, end: int) -> None:
    """A part of the log that was pasted twice adds no operation."""
    parts = act_logs.blocks([{"reads": {0: 10 + second}} for second in range(12)])
    text = act_logs.head(names=["reads"], duration_s=12) + "".join(parts[:end] + parts[begin:])
    run = one(text)
    assert series(run, "read", "service").record.total == sum(10 + second for second in range(12))
    assert run.duration_ns == 12 * S_NS
    assert "left out" in reasons(run)


def test_two_logs_in_one_file() -> None:
    """A second banner begins a second run, of another generation if need be."""
    first = act_logs.log([{"reads": {0: 100}}] * 3, duration_s=3)
    second = act_logs.log([{"reads": {0: 9}, "device-reads": {0: 9}}] * 2, generation="5", duration_s=2)
    runs = read(first + second)
    assert [run.tool_version for run in runs] == ["6.6", "5.3"]
    assert [run.state for run in runs] == [EndState.FINISHED, EndState.FINISHED]
    assert series(runs[1], "read", "response").record.total == 18


@pytest.mark.parametrize("damage", ["count", "heading", "label", "label ahead", "torn", "twice"])
def test_a_damaged_block_is_left_out_and_named(damage: str) -> None:
    """What contradicts itself is not guessed at; the operations come with the next block."""
    parts = act_logs.blocks([{"reads": {0: 50, 1: 5}, "/dev/sda-reads": {0: 50, 1: 5}} for _ in range(6)])
    change = {
        "count": ("0000000150", "0000009150"),
        "heading": ("reads (165 total)\n", "reads (565 total)\n"),
        "label": ("after 3 sec:", "after 1 sec:"),
        "label ahead": ("after 3 sec:", "after 93 sec:"),
        "torn": ("(01: 0000000015)\n", "(01: 00000000\n"),
        "twice": ("after 3 sec:\n", "after 3 sec:\nreads (1 total)\n (00: 0000000001)\n"),
    }[damage]
    damaged = parts[2].replace(*change)
    assert damaged != parts[2]
    run = one(
        act_logs.head(names=["reads", "/dev/sda-reads"], duration_s=6)
        + "".join([*parts[:2], damaged, *parts[3:]])
    )
    assert len(run.problems) >= 1
    assert all(problem.line for problem in run.problems if problem.severity is not Severity.NOTE)
    for device in (None, "/dev/sda"):
        assert counted(series(run, "read", "service", device)) == {0: 300, 1: 30}
    assert run.duration_ns == 6 * S_NS


def test_error_lines_anywhere_and_failed_operations_as_misses() -> None:
    """A failed read is in no histogram: it counts as an error, in the piece in which it failed."""
    failed = "ERROR: reading /dev/sda: 5 'Input/output error'\n"
    parts = act_logs.blocks([{"reads": {0: 50, 1: 5}, "/dev/sda-reads": {0: 50, 1: 5}} for _ in range(4)])
    parts[1] = parts[1].replace("/dev/sda-reads (110", failed + "/dev/sda-reads (110")
    parts[2] = parts[2].replace(")\n (", ")\n" + failed + " (", 1)
    run = one(act_logs.head(names=["reads", "/dev/sda-reads"], duration_s=4) + "".join(parts))
    for device in (None, "/dev/sda"):
        found = series(run, "read", "service", device)
        assert found.intervals is not None
        assert found.intervals.errors.tolist() == [0, 0, 1, 1]
        assert counted(found) == {0: 200, 1: 20}
        assert found.record.misses.errors == 2
    assert reasons(run, Severity.ERROR).count("Input/output error") == 2


def test_failed_writes_belong_to_large_blocks_without_commit() -> None:
    """Without commit-to-device only large blocks are written."""
    pieces = [{"reads": {0: 5}, "large-block-writes": {0: 5}}] * 2
    text = act_logs.log(pieces, duration_s=2) + "ERROR: writing /dev/sda: 28 'No space left on device'\n"
    run = one(text)
    assert series(run, "large-block-write", "service").record.misses.errors == 1
    assert series(run, "read", "service").record.misses.errors == 0


@pytest.mark.parametrize(
    ("generation", "ending", "state"),
    [
        (
            "6",
            "ERROR: service thread can't keep up\nACT can't do requested load - test stopped\n",
            "generator",
        ),
        ("6", "ERROR: large block reads can't keep up\ndrive(s) can't keep up - test stopped\n", "device"),
        (
            "6",
            "ERROR: cache thread device IO can't keep up\ndrive(s) can't keep up - test stopped\n",
            "device",
        ),
        ("5", "ERROR: too many requests queued\ndrive(s) can't keep up - test stopped\n", "device"),
        (
            "5",
            "ERROR: read request generator can't keep up\nACT can't do requested load - test stopped\n",
            "generator",
        ),
        ("4", "ERROR: too many requests queued\ndrive(s) can't keep up - test stopped\n", "device"),
        ("1", "ERROR: too many read reqs queued\ndrive(s) can't keep up - test stopped\n", "device"),
        ("4", "Signal TERM received, aborting\nstacktrace: frame 0: act\n", "killed"),
        ("6", "SIGSEGV received\nstacktrace: found 3 frames: 0x1 offset 0x0\n", "killed"),
    ],
)
def test_how_a_test_was_stopped(generation: str, ending: str, state: str) -> None:
    """The lines say who could not keep up; a last block may follow them."""
    names = ["LARGE BLOCK READS", "LARGE BLOCK WRITES", "RAW READS", "/dev/sda", "READS"]
    if generation in "56":
        names = ["reads", "device-reads"] if generation == "5" else ["reads", "/dev/sda-reads"]
    parts = act_logs.blocks([{name: {0: 5} for name in names}] * 3, generation=generation)
    text = act_logs.head(generation, names=names) + "".join(parts[:2]) + ending + parts[2]
    run = one(text)
    expected = {
        "generator": EndState.GENERATOR_TOO_SLOW,
        "device": EndState.DEVICE_TOO_SLOW,
        "killed": EndState.KILLED,
    }[state]
    assert run.state is expected
    assert "try configuring" not in reasons(run)
    assert series(run, "read", "service").record.total == 15


def test_a_log_that_is_cut_or_still_growing() -> None:
    """Half a line says half a number: it is left out, and the run is not finished."""
    text = act_logs.log([{"reads": {0: 50, 1: 5}}] * 9, duration_s=10)
    for cut in range(len(text) - 1, len(text) - 40, -1):
        run = one(text[:cut])
        assert run.state is EndState.GROWING
        assert series(run, "read", "service").record.total in (8 * 55, 9 * 55)


def test_blocks_beyond_the_nominal_end() -> None:
    """An interval that does not divide the duration ends after it."""
    run = one(act_logs.log([{"reads": {0: 5}}] * 2, interval_s=7, duration_s=10))
    assert run.state is EndState.FINISHED
    assert run.duration_ns == 14 * S_NS
    assert "beyond the 10 s" in reasons(run)


def test_a_log_without_its_head_needs_the_configuration() -> None:
    """Nothing says whether its buckets are milliseconds or microseconds, and nobody guesses."""
    tail = "".join(act_logs.blocks([{"reads": {0: 5}}] * 4)[2:])
    with pytest.raises(ActUnitUnknown, match="configuration file"):
        read(tail)
    config = from_bytes(
        "x.conf", b"device-names: /dev/sda\ntest-duration-sec: 4\nmicrosecond-histograms: yes\n"
    )
    run = one(tail, config)
    found = series(run, "read", "service")
    assert found.record.total == 20
    assert isinstance(found.record, LatencyDist)
    assert found.record.layout == Pow2Layout(1000)
    assert "no banner" in reasons(run)
    assert "tool.version" in run.missing


def test_a_configuration_beside_the_log() -> None:
    """It is read with its log; that of another run is named and left out; alone it holds no measurements."""
    log = from_bytes("a.log", act_logs.log([{"reads": {0: 5}}] * 10).encode())
    own = from_bytes(
        "a.conf", b"# one device\ndevice-names: /dev/sda\ntest-duration-sec: 10 # s\nscheduler-mode noop\n"
    )
    other = from_bytes("b.conf", b"device-names: /dev/sda,/dev/sdb\nread-reqs-per-sec: 4000\n")
    of_log, of_conf = read_together([log, own])
    assert of_log.result is not None
    assert of_log.result.runs[0].parameters["config_file"] == "a.conf"
    assert of_log.result.runs[0].parameters["scheduler-mode"] == "noop"
    assert of_conf.read_with == "a.log"
    (of_log, _) = read_together([log, other])
    assert of_log.result is not None
    assert "read-reqs-per-sec is 4000 there and 2000 in the log" in reasons(of_log.result.runs[0])
    (alone,) = read_together([own])
    assert alone.result is not None
    assert alone.result.detection.format == "act-config"
    assert alone.result.runs == ()
    with pytest.raises(ActConfigAlone):
        ACT.parse(own, [])


@pytest.mark.parametrize(
    ("line", "state"),
    [
        ("ERROR: load config too small", EndState.FAILED),
        ("ERROR: invalid or missing configuration of 'device-names'", EndState.FAILED),
        ("usage: act_storage [config filename]", EndState.FAILED),
        ("", EndState.GROWING),
    ],
)
def test_a_test_that_never_started(line: str, state: EndState) -> None:
    """Without a block there is no series; the reason is the error line."""
    run = one(f"\nACT version 5.0\nStorage device IO test\n\n{line}\n")
    assert (run.state, run.series, run.duration_ns) == (state, (), None)
    assert line in run.state_text


def test_a_scheduler_that_cannot_be_set_is_no_failure() -> None:
    """ACT calls it an error and goes on."""
    (run,) = ACT.parse(from_path(SAMPLES / "act60_storage_1x_1dev_us_30s.log"), [])
    assert "unknown scheduler mode" in reasons(run, Severity.WARNING)
    assert reasons(run, Severity.ERROR) == ""


def test_an_index_log_of_5() -> None:
    """Reads with their queue, then all reads of the device, those of the cache threads among them."""
    names = ["trans-reads", "device-reads", "/dev/sda-reads", "device-writes", "/dev/sda-writes"]
    text = act_logs.log([{name: {1: 3} for name in names}] * 10, generation="5")
    run = one(text.replace("ACT-STORAGE", "ACT-INDEX").replace("Storage device", "Index device"))
    assert run.format == "act-index"
    assert [(found.operation, found.clock, found.device) for found in run.series] == [
        ("read", "response", None),
        ("read", "service", None),
        ("read", "service", "/dev/sda"),
        ("write", "service", None),
        ("write", "service", "/dev/sda"),
    ]
    assert "cache threads" in series(run, "read", "service").semantics


def test_rates_that_threads_cut_to_whole_numbers() -> None:
    """Sixty-four threads cannot share 2,000 requests: ACT 6 makes 1,984 of them."""
    run = one(act_logs.log([{"reads": {0: 5}}] * 10, service_threads=64))
    assert run.parameters["requests_per_s"] == 1984
    assert "1984 requests a second and not 2000" in reasons(run)


def test_standard_load() -> None:
    """The load of the certification is a multiple with everything else as it comes."""
    standard = one(act_logs.log([{"reads": {0: 5}}] * 10, record_bytes=1536))
    other = one(act_logs.log([{"reads": {0: 5}}] * 10, record_bytes=4096))
    assert (standard.parameters["standard_load"], other.parameters["standard_load"]) == (True, False)


_counts = st.dictionaries(st.integers(0, 20), st.integers(1, 10**11), max_size=8)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.fixed_dictionaries({"reads": _counts, "large-block-reads": _counts}), min_size=1, max_size=8)
)
def test_what_is_written_is_read(pieces: list[Mapping[str, Mapping[int, int]]]) -> None:
    """Any counts of any blocks come back, piece by piece."""
    run = one(act_logs.log(pieces, duration_s=len(pieces)))
    assert run.problems == ()
    for name, operation in (("reads", "read"), ("large-block-reads", "large-block-read")):
        intervals = series(run, operation, "service").intervals
        assert intervals is not None
        assert intervals.count.tolist() == [sum(piece[name].values()) for piece in pieces]
        total = Counter()  # type: Counter[int]
        for piece in pieces:
            total.update(piece[name])
        assert counted(series(run, operation, "service")) == dict(total)


@settings(max_examples=60, deadline=None)
@given(st.lists(_counts, min_size=1, max_size=6), st.data())
def test_cutting_a_log_anywhere_never_invents_an_operation(
    pieces: list[Mapping[int, int]], data: st.DataObject
) -> None:
    """What a shorter file says is what one of the whole blocks said."""
    text = act_logs.log([{"reads": piece} for piece in pieces])
    running = [0]
    for piece in pieces:
        running.append(running[-1] + sum(piece.values()))
    start = text.index("after 1 sec:")
    run = one(text[: data.draw(st.integers(start, len(text)))])
    totals = [found.record.total for found in run.series] or [0]
    assert totals[0] in running


def test_long_runs_are_stored_in_longer_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is bounded: past a number of buckets, intervals are added up, and no operation is lost."""
    monkeypatch.setattr("tailroom.importers.act.counters.ENTRIES_MAX", 50)
    pieces = [{"reads": {second % 5: second + 1}} for second in range(600)]
    text = act_logs.log(pieces, duration_s=600)
    run = one(text)
    found = series(run, "read", "service")
    assert found.intervals is not None
    assert found.record.total == sum(range(601))
    assert found.intervals.size == 600 / 10
    assert "stored as intervals of 10 s" in reasons(run)


def test_a_log_grows_longer_without_longer_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks that come after intervals were lengthened are added up as they are read."""
    monkeypatch.setattr("tailroom.importers.act.counters.ENTRIES_MAX", 1_000)
    monkeypatch.setattr("tailroom.importers.source.CHUNK_BYTES", 4_096)
    text = act_logs.log([{"reads": {0: 1}}] * 4_000, duration_s=4_000)
    run = one(text)
    assert "stored as intervals of 5 s" in reasons(run)
    assert series(run, "read", "service").record.total == 4_000


def test_the_last_lines_may_be_a_few_bytes() -> None:
    """A log that was cut within the words that begin a block, and goes on with a new line."""
    run = one(act_logs.log([{"reads": {0: 5}}, {"reads": {0: 7}}]) + "after \n")
    assert series(run, "read", "service").record.total == 12
    named = [problem.reason for problem in run.problems if problem.severity is Severity.WARNING]
    assert named == ["not a line that ACT writes, skipped: after"]
