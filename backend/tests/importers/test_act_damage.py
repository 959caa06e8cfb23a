"""ACT logs with missing, repeated or damaged parts, errors, restarts and early ends."""

from collections.abc import Mapping

import pytest
from backend.tests.importers import act_logs
from backend.tests.importers.act_runs import COUNTS_BY_BUCKET, S_NS, counted, one, read, reasons, series
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.importers.parsed_run import EndState, Severity
from tailroom.importers.slices import exceedance


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


@settings(max_examples=60, deadline=None)
@given(st.lists(COUNTS_BY_BUCKET, min_size=1, max_size=6), st.data())
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


def test_the_last_lines_may_be_a_few_bytes() -> None:
    """A log that was cut within the words that begin a block, and goes on with a new line."""
    run = one(act_logs.log([{"reads": {0: 5}}, {"reads": {0: 7}}]) + "after \n")
    assert series(run, "read", "service").record.total == 12
    named = [problem.reason for problem in run.problems if problem.severity is Severity.WARNING]
    assert named == ["not a line that ACT writes, skipped: after"]
