"""Readers take time in proportion to what they read, and end when their time is over."""

import time
from pathlib import Path

import pytest
from backend.tests.importers.doubling import SAMPLES, doubled, ways

from tailroom.importers.limits import Limits
from tailroom.importers.opening import open_bytes
from tailroom.importers.registry import read_together
from tailroom.importers.unpacking import ReadingOverdue, ReadingTooLong
from tailroom.kit.deadlines import Deadline, working_until
from tailroom.uploads.reading import StoredFile, read_files
from tailroom.uploads.storable import storable

WORST = (
    ("memtier/command.stdout.txt", "last third, other names"),
    ("memtier/given2.stdout.txt", "last third of the lines"),
    ("memtier/given1.json", "JSON: objects"),
    ("aerospike_java/j1.stdout.txt", "each line, other names"),
    ("aerospike_java/j3.stdout.txt", "last third, other names"),
    ("fio/randrw.json+", "JSON: objects"),
)
"""Took 2.6 to 4 times as long for twice the bytes."""


@pytest.mark.parametrize(("sample", "way"), WORST)
def test_twice_the_bytes_take_no_more_than_two_and_a_half_times_as_long(sample: str, way: str) -> None:
    path = SAMPLES / sample
    assert doubled(path, way, ways(path.read_bytes())[way]).is_within


def test_the_clock_is_looked_at_inside_of_what_is_read_as_a_whole(tmp_path: Path) -> None:
    """The bytes are read in no time, and what follows from them is not."""
    path = SAMPLES / "memtier/given1.json"
    data = ways(path.read_bytes())["JSON: objects"](4_000_000)
    (source,) = open_bytes(path.name, data, Limits(until_s=time.monotonic() + 0.2))
    began = time.process_time()
    (found,) = read_together([source])
    assert isinstance(found.refusal, ReadingTooLong)
    assert time.process_time() - began < 4
    kept_path = tmp_path / path.name
    kept_path.write_bytes(data)
    kept = StoredFile(path.name, bytes(32), len(data), kept_path)
    (read,) = read_files([kept], Limits(until_s=time.monotonic() + 0.2))
    assert (read.runs, read.took_too_long) == ([], True)
    assert read.refusal == f"{path.name} takes longer to read than it may"


def test_making_rows_looks_at_the_clock_too() -> None:
    path = SAMPLES / "memtier/given1.json"
    (found,) = read_together(open_bytes(path.name, path.read_bytes()))
    assert found.result is not None
    over = Deadline(time.monotonic() - 1, ReadingOverdue)
    with working_until(over), pytest.raises(ReadingOverdue):
        storable(found.result.runs[0], path.name)
