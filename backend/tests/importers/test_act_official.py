"""The official view is ACT's own script to the digit: every table that it printed for the samples."""

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

import pytest
from backend.tests.importers import act_logs

from tailroom.importers.act.generations import ActLogGeneration
from tailroom.importers.act.importer import ACT
from tailroom.importers.act.official import generation_of_run, official_tables, official_view
from tailroom.importers.act.script_log import OfficialRefusal
from tailroom.importers.slices import course_of
from tailroom.importers.source import Source, from_bytes, from_path

SAMPLES = Path(__file__).parent / "samples" / "act"
_CALL = re.compile(r"^python act_latency\.py (?P<arguments>.*?) > (?P<output>\S+)", re.MULTILINE)


@dataclass(frozen=True)
class Call:
    """One call of the script, as its author's machine made it."""

    log: str
    output: str
    slice_s: int
    histograms: tuple[str, ...]
    start: int
    number: int
    every: int
    extra: bool


def _calls() -> list[Call]:
    found = []
    for command in sorted(SAMPLES.glob("*.cmd")):
        for match in _CALL.finditer(command.read_text()):
            words = shlex.split(match["arguments"])
            extra = "-x" in words
            words = [word for word in words if word != "-x"]
            options = list(zip(words[::2], words[1::2], strict=True))
            value = dict(options)
            found.append(
                Call(
                    log=value["-l"],
                    output=match["output"],
                    slice_s=int(value.get("-t", 3600)),
                    histograms=tuple(text for key, text in options if key == "-h"),
                    start=int(value.get("-s", 0)),
                    number=int(value.get("-n", 7)),
                    every=int(value.get("-e", 1)),
                    extra=extra,
                )
            )
    return found


CALLS = _calls()


def sample(name: str) -> Source:
    path = SAMPLES / name
    return from_path(path if path.exists() else SAMPLES / f"{name}.zst", name)


def _printed(call: Call) -> list[str]:
    """The rows of the table in the script's output: slices, avg and max."""
    lines = (SAMPLES / call.output).read_text().splitlines()
    return [line.rstrip() for line in lines if re.match(r"^\s*(\d+|avg|max)  ", line)]


def _rendered(call: Call) -> list[str]:
    """The same rows from our view, laid out as the script lays them out."""
    source = sample(call.log)
    (run,) = ACT.parse(source, [])
    generation = generation_of_run(run)
    names = [series.source_name for series in run.series]
    view = official_view(source, generation, names, call.slice_s)
    old = generation in (ActLogGeneration.LEGACY, ActLogGeneration.QUEUED)
    default = ("READS", "RAW READS") if old else ("reads",)
    if generation is ActLogGeneration.TRANSACTIONS:
        default = ("reads" if run.format == "act-storage" else "trans-reads", "device-reads")
    shown = call.histograms or default
    buckets = list(range(call.start, 17, call.every))[: call.number]
    width = 7 * len(buckets) + (11 if call.extra and not old else 0)
    tables = [view.series[name] for name in shown]
    if old and call.extra:
        large = _large_block_rates(source, call.slice_s, len(tables[0].rows))
    rows = []
    for tag, position in [*((str(n + 1), n) for n in range(len(tables[0].rows))), ("avg", -1), ("max", -2)]:
        line = f"{tag:>5}"
        for number, table in enumerate(tables):
            values = {-1: table.average, -2: table.maximum}.get(position) or table.rows[position]
            pad = max(0, 1 + len(shown[number - 1]) - width) if number and not old else 0
            line += "  " + " " * pad + "".join(f"{values[bucket]:7.2f}" for bucket in buckets)
            if call.extra and not old:
                rates = {-1: table.average_rate, -2: table.maximum_rate}
                line += f"{rates.get(position, table.rates[max(position, 0)]):11.1f}"
        if old and call.extra and position >= 0:
            reads, writes = large[position]
            line += f"   [{tables[0].rates[position]:.1f}, {reads:.1f}, {writes:.1f}]"
        rows.append(line.rstrip())
    return rows


def _large_block_rates(source: Source, slice_s: int, slices: int) -> list[tuple[float, float]]:
    (run,) = ACT.parse(source, [])
    found = {one.operation: course_of(one) for one in run.series if one.operation.startswith("large")}
    rates = []
    for number in range(slices):
        pair = []
        for operation in ("large-block-read", "large-block-write"):
            course = found[operation]
            assert course is not None
            inside = course.start_ns // (slice_s * 10**9) == number
            pair.append(round(int(course.count[inside].sum()) / slice_s, 1))
        rates.append((pair[0], pair[1]))
    return rates


@pytest.mark.parametrize("call", CALLS, ids=[call.output for call in CALLS])
def test_every_table_of_the_samples(call: Call) -> None:
    """Rows, average and maximum are what the script printed; where it printed no table, there is none."""
    printed = _printed(call)
    if not printed:
        with pytest.raises(OfficialRefusal):
            _rendered(call)
        return
    assert _rendered(call) == printed


def test_there_are_samples() -> None:
    """A renamed folder must not turn this file into nothing."""
    assert len(CALLS) >= 25


def _differences(text: str, slice_s: int, name: str) -> list[str]:
    source = from_bytes("x.log", text.encode())
    runs = ACT.parse(source, [])
    return list(official_tables(source, runs[0], slice_s)[name].differences)


def test_buckets_beyond_16_do_not_exist_for_the_script_up_to_4() -> None:
    """Microseconds, and most reads over 64 ms: the script prints 0 where 100 is true."""
    names = ["LARGE BLOCK READS", "LARGE BLOCK WRITES", "RAW READS", "/dev/sda", "READS"]
    pieces = [{name: {17: 94, 10: 6} for name in names}] * 10
    found = _differences(act_logs.log(pieces, generation="4", microseconds=True), 10, "READS")
    assert any("over 65536 us: the script prints 0.00 %, the counts say 94.0000 %" in one for one in found)
    assert all("does not know buckets from 17 on" in one for one in found)


def test_a_missing_block_ends_the_table() -> None:
    names = ["reads"]
    parts = act_logs.blocks([{"reads": {0: 10, 1: 1}}] * 40)
    text = act_logs.head(names=names, duration_s=40) + "".join(parts[:19] + parts[20:])
    found = _differences(text, 10, "reads")
    assert "stops without a word after slice 1 of 4: the block at 20 s is missing" in found[0]


def test_an_incomplete_slice_is_dropped() -> None:
    found = _differences(act_logs.log([{"reads": {0: 10, 1: 1}}] * 14), 10, "reads")
    assert found == ["the last 4 s are no full slice and are not in the script's table"]


def test_failed_operations_are_not_in_the_script() -> None:
    parts = act_logs.blocks([{"reads": {0: 10}}] * 10)
    text = act_logs.head(names=["reads"]) + "".join(parts[:5])
    text += "ERROR: reading /dev/sda: 5 'Input/output error'\n" * 5 + "".join(parts[5:])
    found = _differences(text, 10, "reads")
    assert "the script prints 0.00 %, the counts say 4.7619 %" in found[0]


@pytest.mark.parametrize(
    ("version", "complaint"),
    [("7.0", "not compatible"), ("6.x", "error")],
)
def test_versions_that_no_script_takes(version: str, complaint: str) -> None:
    text = act_logs.log([{"reads": {0: 10}}] * 10).replace("ACT version 6.6", f"ACT version {version}")
    source = from_bytes("x.log", text.encode())
    (run,) = ACT.parse(source, [])
    with pytest.raises(OfficialRefusal, match=complaint):
        official_view(source, generation_of_run(run), ["reads"], 10)


def test_counts_beyond_all_digits_are_no_crash() -> None:
    """A damaged log of 2013: a count of 32 digits makes shares that have no decimals to round."""
    text = (SAMPLES / "act1x2013_3x_1dev_60s.log").read_text()
    damaged = text.replace("(02: 0000000225)", f"(02: {'9' * 32})")
    assert damaged != text
    source = from_bytes("x.log", damaged.encode())
    for slice_s in (1, 10, 3600):
        for run in ACT.parse(source, []):
            official_tables(source, run, slice_s)
