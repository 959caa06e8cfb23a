"""Output as people copy it: what a terminal, a chat or an archive adds changes nothing of what is read."""

import gzip
import io
import tarfile
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
import zstandard
from backend.tests.importers.reading import SAMPLES
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.importers.copies import without_colours
from tailroom.importers.inspection import inspect_sources
from tailroom.importers.opening import open_bytes
from tailroom.importers.source import Source, from_bytes

Copy = Callable[[bytes], bytes]

TEXT_SAMPLES = (
    "act/act66_storage_3x_1dev_us_90s.log",
    "asbench/a2.stdout.txt",
    "aerospike_java/j1.stdout.txt",
    "fio/randread.json",
    "hdr_log/memtier_SET_command_run_1.hgrm",
    "memtier/given1.json",
    "memtier/given3.stdout.txt",
    "pgbench/tpcb.txt",
    "redis_benchmark/r1_csv_get_set.txt",
    "sysbench/s3_oltp_read_write_pgsql.txt",
    "ycsb/y1.stdout.txt",
)


def _each_line(add: Callable[[bytes], bytes]) -> Copy:
    return lambda data: b"".join(add(line) for line in data.splitlines(keepends=True))


def _tar(data: bytes) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        member = tarfile.TarInfo("results/x.log")
        member.size = len(data)
        archive.addfile(member, io.BytesIO(data))
    return packed.getvalue()


def _zip(data: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("results/x.log", data)
    return packed.getvalue()


COPIES: dict[str, Copy] = {
    "colours": _each_line(lambda line: b"\x1b[32;1m" + line[:7] + b"\x1b[0m" + line[7:]),
    "title of the window": lambda data: b"\x1b]0;root@host\x07" + data,
    "fence": lambda data: b"```text\n" + data + (b"" if data.endswith(b"\n") else b"\n") + b"```\n",
    "prompt": lambda data: b"root@host:~/bench# ./run.sh --all\n" + data + b"\nroot@host:~/bench# \n",
    "prompt of another shell": lambda data: b"$ ./run.sh\n" + data,
    "prompt of Windows": lambda data: b"PS C:\\bench> .\\run.exe\r\n" + data,
    "four blanks": _each_line(lambda line: b"    " + line if line.strip() else line),
    "a tab": _each_line(lambda line: b"\t" + line),
    "quoted": _each_line(lambda line: b"> " + line),
    "CRLF": lambda data: data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"),
    "byte order mark": lambda data: b"\xef\xbb\xbf" + data,
    "UTF-16": lambda data: data.decode().encode("utf-16"),
    "gzip": gzip.compress,
    "zstd": zstandard.compress,
    "tar": _tar,
    "tar.gz": lambda data: gzip.compress(_tar(data)),
    "tar.zst": lambda data: zstandard.compress(_tar(data)),
    "zip": _zip,
}


def _read(data: bytes) -> Any:
    """What is read, without the name of the file, and without where in the file it stands."""
    (found,) = inspect_sources(open_bytes("x.log", data), 10, (1_000_000,))
    document = dict(found.document)
    for key in ("file", "problems"):
        document.pop(key, None)
    for series in document["series"]:
        # ACT's own script refuses a log with other line ends; that is its answer, not ours.
        series.pop("official", None)
    return _without_lines(document)


def _without_lines(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_lines(one) for key, one in value.items() if key != "line"}
    return [_without_lines(one) for one in value] if isinstance(value, list) else value


@pytest.mark.parametrize("sample", TEXT_SAMPLES)
@pytest.mark.parametrize("copy", COPIES)
def test_a_copy_says_what_the_output_says(copy: str, sample: str) -> None:
    data = (SAMPLES / sample).read_bytes()
    assert _read(COPIES[copy](data)) == _read(data)


def test_lines_keep_their_numbers() -> None:
    data = b"$ ./run\n```\n  after 1 sec:\n  reads (1 total)\n  x\n```\n"
    assert [line for _, line in from_bytes("x", data).lines()] == [
        *(b"", b"", b"after 1 sec:", b"reads (1 total)", b"x", b""),
    ]


@settings(deadline=None, max_examples=100)
@given(st.lists(st.binary(max_size=40), max_size=8), st.integers(1, 30))
def test_colours_across_chunks_are_taken_out(pieces: list[bytes], size: int) -> None:
    plain = b"".join(piece.replace(b"\x1b", b"") for piece in pieces)
    data = b"\x1b[0m".join(piece.replace(b"\x1b", b"") for piece in pieces)
    cut = [data[at : at + size] for at in range(0, len(data), size)]
    assert b"".join(without_colours(iter(cut))) == plain


def test_results_behind_long_output_are_found() -> None:
    """pgbench with --debug writes a line for each statement before its summary."""
    debug = b"".join(b"pgbench: client %d sending BEGIN;\n" % (number % 8) for number in range(5_000))
    data = (SAMPLES / "pgbench/tpcb.txt").read_bytes()
    assert _read(debug + data) == _read(data)


def test_the_members_of_an_archive_are_files_of_their_own() -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name in ("a/one.log", "a/._one.log", "a/two.log.gz"):
            data = gzip.compress(b"two\n") if name.endswith("gz") else b"one\n"
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
        archive.addfile(tarfile.TarInfo("a/link"))
    sources: list[Source] = open_bytes("logs.tgz", packed.getvalue())
    assert [source.name for source in sources if source.stored_bytes] == [
        "logs.tgz/a/one.log",
        "logs.tgz/a/two.log.gz",
    ]
    assert [b"".join(source.chunks()) for source in sources][:2] == [b"one\n", b"two\n"]


def test_a_cut_archive_gives_what_came_before() -> None:
    data = _tar(b"x" * 5_000)[:3_000]
    (source,) = open_bytes("logs.tar", data)
    assert b"".join(source.chunks()) == b"x" * (3_000 - 512)
    assert any("ends inside" in problem.reason for problem in source.problems)
