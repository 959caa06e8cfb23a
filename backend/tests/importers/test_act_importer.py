"""ACT logs are read without loss, whatever their generation."""

import re
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from backend.tests.domain.latency.legacy_act import from_legacy_act
from backend.tests.importers import act_logs
from backend.tests.importers.act_runs import COUNTS_BY_BUCKET, S_NS, counted, one, read, reasons, series
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.knots import KnotsRecord
from tailroom.domain.latency.layouts import Pow2Layout
from tailroom.importers.act.importer import ACT, ActConfigAlone
from tailroom.importers.act.runs import ActUnitUnknown
from tailroom.importers.parsed_run import EndState, Severity
from tailroom.importers.registry import read_together
from tailroom.importers.slices import course_of, exceedance
from tailroom.importers.source import Source, from_bytes, from_path

SAMPLES = Path(__file__).parent / "samples" / "act"


LOGS = sorted(path for path in SAMPLES.iterdir() if path.name.endswith((".log", ".log.zst")))


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


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.fixed_dictionaries({"reads": COUNTS_BY_BUCKET, "large-block-reads": COUNTS_BY_BUCKET}),
        min_size=1,
        max_size=8,
    )
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
