"""Bytes of result files: unpacked within limits, cut into bounded lines, never whole in memory."""

import gzip
import io
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from tailroom.importers.importer import Detection, FormatUnknown, SourceEmpty
from tailroom.importers.limits import Limits
from tailroom.importers.opening import (
    ArchiveBroken,
    ArchiveTooManyFiles,
    SourceMissing,
    SourceNotAFile,
    open_bytes,
    open_path,
)
from tailroom.importers.registry import detect
from tailroom.importers.source import Source, from_bytes
from tailroom.importers.unpacking import (
    ArchiveExpandsTooFar,
    LayersTooDeep,
    PackingUnsupported,
    SourceTooLarge,
)

TEXT = b"".join(b"line %d\n" % number for number in range(200_000))
PACKINGS: dict[str, Callable[[bytes], bytes]] = {
    "plain": lambda data: data,
    "gzip": gzip.compress,
    "gzip members": lambda data: gzip.compress(data[:1000]) + gzip.compress(data[1000:]) + b"\0" * 512,
    "zstd": zstandard.compress,
    "zstd frames": lambda data: zstandard.compress(data[:777]) + zstandard.compress(data[777:]),
    "gzip in zstd": lambda data: zstandard.compress(gzip.compress(data)),
}


def content(source: Source) -> bytes:
    return b"".join(source.chunks())


@pytest.mark.parametrize("packing", PACKINGS)
def test_packings_are_seen_by_their_bytes(packing: str) -> None:
    """Whatever the name says, what comes out is what went in; and again the second time."""
    source = from_bytes("x.log", PACKINGS[packing](TEXT))
    assert content(source) == content(source) == TEXT
    assert source.head.data == TEXT[: 1 << 16]
    assert source.problems == ()


def test_a_file_may_end_with_an_empty_member_and_not_consist_of_them() -> None:
    """400,000 empty members in 8 MB once took half a minute of processor time."""
    ended = from_bytes("x.gz", gzip.compress(TEXT) + gzip.compress(b""))
    assert (content(ended), ended.problems) == (TEXT, ())
    flood = from_bytes("x.gz", gzip.compress(TEXT) + gzip.compress(b"") * 2_000)
    assert content(flood) == TEXT
    assert "empty members" in flood.problems[0].reason


def test_zip_members_are_files_of_their_own() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a/", b"")
        archive.writestr("a/x.log", TEXT)
        archive.writestr("a/x.conf", b"device-names: /dev/sda\n")
        archive.writestr("__MACOSX/a/._x.log", b"junk")
    sources = open_bytes("all.zip", buffer.getvalue())
    assert [source.name for source in sources] == ["all.zip/a/x.log", "all.zip/a/x.conf"]
    assert {source.stem for source in sources} == {"x"}
    assert content(sources[0]) == TEXT


def test_a_zip_member_without_a_name_is_a_file() -> None:
    """As a damaged directory of an archive has it."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("x", TEXT)
    data, at = buffer.getvalue(), buffer.getvalue().index(b"PK\x01\x02")
    # A name ends at its first NUL; the directory states this name behind 46 bytes.
    data = data[: at + 46] + b"\0" + data[at + 47 :]
    (source,) = open_bytes("all.zip", data)
    assert source.name == "all.zip/"
    assert source.whole() == b""
    assert "damaged" in source.problems[0].reason


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
def test_a_broken_stream_gives_what_came_before(pack: Callable[[bytes], bytes]) -> None:
    """A cut transfer is read up to the cut, and the problem says so."""
    packed = pack(TEXT)
    source = from_bytes("x", packed[: len(packed) * 3 // 4])
    found = content(source)
    assert TEXT.startswith(found)
    assert len(found) > len(TEXT) // 4
    assert "ends before its end mark" in source.problems[0].reason
    content(source)
    assert len(source.problems) == 1


def test_bombs_are_refused() -> None:
    """Small files that unpack to far more than any log: refused before they are unpacked whole."""
    zeros = b"\0" * (100 << 20)
    bombs = [gzip.compress(zeros, 9), zstandard.compress(zeros)]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x", zeros)
    del zeros
    sources = [from_bytes("bomb", bomb) for bomb in bombs] + open_bytes("bomb.zip", buffer.getvalue())
    tracemalloc.start()
    try:
        for source in sources:
            with pytest.raises(ArchiveExpandsTooFar, match="400 times"):
                for _ in source.chunks():
                    pass
        assert tracemalloc.get_traced_memory()[1] < 80 << 20
    finally:
        tracemalloc.stop()


def test_limits() -> None:
    limits = Limits(unpacked_bytes=1000, layers=2, members=2)
    with pytest.raises(SourceTooLarge, match="1000 bytes"):
        content(from_bytes("x", TEXT, limits))
    nested = b"x"
    for _ in range(4):
        nested = gzip.compress(nested)
    with pytest.raises(LayersTooDeep):
        content(from_bytes("x", nested, limits))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for number in range(3):
            archive.writestr(str(number), b"")
    with pytest.raises(ArchiveTooManyFiles):
        open_bytes("x.zip", buffer.getvalue(), limits)
    with pytest.raises(SourceTooLarge):
        from_bytes("x", TEXT).whole(100)


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"\xfd7zXZ\x00rest", "xz"),
        (b"BZh91AY&SYrest", "bzip2"),
        (b"PK\x03\x04rest", "is a zip archive inside another archive: unpack one of them"),
        (b"7z\xbc\xaf\x27\x1crest", "7-Zip"),
        (b"x" * 257 + b"ustar  ", "tar"),
    ],
)
def test_other_packings_are_named(data: bytes, what: str) -> None:
    with pytest.raises(PackingUnsupported, match=what):
        content(from_bytes("x", data))


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_member_of_any_compression_is_named(method: int) -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method) as archive:
        archive.writestr("a.log", "".join(f"line {number}\n" for number in range(5_000)))
    data = bytearray(target.getvalue())
    data[60:90] = bytes(30)
    (source,) = open_bytes("logs.zip", bytes(data))
    assert len(list(source.lines())) < 5_000
    assert [one.reason for one in source.problems if "damaged" in one.reason]


def test_zip_without_a_directory() -> None:
    """A cut archive has lost the place where its members are listed."""
    with pytest.raises(ArchiveBroken):
        open_bytes("x.zip", b"PK\x03\x04" + b"\0" * 100)


def test_lines_are_bounded() -> None:
    """A line of ten mebibytes is cut at the limit and named; its neighbours keep their numbers."""
    for end in (b"\nc\n", b""):
        source = from_bytes("x", b"a\n" + b"b" * (10 << 20) + end)
        lines = list(source.lines())
        assert [(number, len(line)) for number, line in lines[:2]] == [(1, 1), (2, 1 << 20)]
        assert lines[2:] == ([(3, b"c")] if end else [])
        assert [problem.line for problem in source.problems] == [2]


def test_line_ends_and_encodings_of_other_systems() -> None:
    for data in (b"a\r\nb\r\n", "\ufeffa\nb".encode(), "a\nb\n".encode("utf-16"), b"a\nb"):
        assert list(from_bytes("x", data).lines()) == [(1, b"a"), (2, b"b")]


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=400), st.integers(1, 50))
def test_lines_are_those_of_the_file(data: bytes, limit: int) -> None:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or data.startswith(
        (b"\xef\xbb\xbf", b"\x1f\x8b\x08", b"(\xb5/\xfd")
    ):
        return
    source = from_bytes("x", data, Limits(line_bytes=limit))
    try:
        if source.copied:  # what copying added is taken out: see test_copies.py
            return
        lines = list(source.lines())
    except PackingUnsupported:
        return
    wanted = data.split(b"\n")
    if not wanted[-1]:
        wanted.pop()
    assert [number for number, _ in lines] == list(range(1, len(wanted) + 1))
    for (_, line), whole in zip(lines, wanted, strict=True):
        cut = whole[:limit]
        assert line in (cut, cut.removesuffix(b"\r"))


def test_paths_that_are_no_files(tmp_path: Path) -> None:
    with pytest.raises(SourceMissing):
        open_path(tmp_path / "none")
    with pytest.raises(SourceNotAFile, match="name the files in it"):
        open_path(tmp_path)


def test_a_file_is_read_in_pieces(tmp_path: Path) -> None:
    path = tmp_path / "big.log"
    with path.open("wb") as stream:
        for _ in range(24):
            stream.write(b"0123456789abcde\n" * (1 << 16))
    (source,) = open_path(path)
    tracemalloc.start()
    try:
        count = sum(block.data.count(b"\n") for block in source.blocks())
        assert tracemalloc.get_traced_memory()[1] < 10 << 20
    finally:
        tracemalloc.stop()
    assert count == 24 << 16


@pytest.mark.parametrize(
    ("text", "near"),
    [
        (b"hello\n", "see `tailroom formats`"),
        (b"\0\1\2" * 300, "it is no text"),
        (b"clat: 5 usec\n", "it looks like fio"),
        (b"     clat percentiles (usec):\n", "it looks like fio"),
        (b"[READ], Operat\n", "it looks like YCSB"),
        (b"tps = 85 (inc\n", "it looks like pgbench"),
        (b"Dauer: 10 s\ntps = 85.1 (ohne initiale Verbindungszeit)\n", "in English (LC_ALL=C)"),
        (b"====== SET ======\n", "it looks like redis-benchmark"),
        (b"[RUN #1 2\n", "it looks like memtier_benchmark"),
        (b"secs_elapsed,interval_qps\n1,52010\n2,51877\n", "it looks like db_bench"),
        (b"about 3.1 micros/op\n", "it looks like db_bench"),
        (b"Device r/s rkB/s\n", "sar or iostat"),
        (b"a,b,p99\n1,2,3\n", "no known tool prints"),
    ],
)
def test_the_refusal_names_the_nearest_format(text: bytes, near: str) -> None:
    with pytest.raises(FormatUnknown) as refusal:
        detect(from_bytes("x", text))
    assert near in str(refusal.value)
    assert len(str(refusal.value)) < 200


SYSTEM_FILES = {
    "passwd": "root:x:0:0:root:/root:/bin/bash\nredis:x:104:112::/var/lib/redis:/usr/sbin/nologin\n",
    "group": "redis:x:112:\nfio:x:113:\naerospike:x:114:\n",
    "services": "ssh 22/tcp\nredis 6379/tcp # redis\naerospike 3000/tcp\nclat 9999/udp\n",
    "fstab": "UUID=1f2e / ext4 errors=remount-ro 0 1\n/dev/nvme0n1p2 /fio xfs defaults 0 2\n",
    "hosts": "127.0.0.1 localhost\n10.0.0.7 ycsb-1 sysbench-1 pgbench-1 vdbench\n",
    "bench.py": "import redis\nLATENCY_MS = 5\np99 = percentile(latencies, 99)\nprint(f'sysbench {p99=}')\n",
    "run.sh": "#!/bin/sh\nHISTFILESIZE=2000\nfio --name=a --rw=randread\nwrk -t4 http://a/\npgbench -c 4\n",
    "sales.csv": "date,region,units,revenue\n2026-01-02,north,41,1802.50\n2026-01-03,south,9,380.00\n",
    "access.log": '10.0.0.1 - - [20/Nov/2026:12:30:01 +0000] "GET /redis HTTP/1.1" 200 612 "-" "wrk/4.2"\n',
    "dmesg": "[    0.0] Linux version 6.1.0 (gcc 12)\n[    1.2] pci 0000:00:01.0: latency timer set to 64\n",
    "Dockerfile": "FROM redis:7\nRUN apt-get install -y fio sysbench\nCMD redis-server\n",
    "compose.yml": "services:\n  cache:\n    image: redis:7\n  bench:\n    image: memtier_benchmark\n",
    "package.json": '{"name": "ycsb-ui", "dependencies": {"redis": "^4.0.0", "hdr-histogram-js": "3.0.0"}}\n',
    "redis.conf": "# Redis configuration file\nlatency-monitor-threshold 0\nport 6379\n",
    "LICENSE": "Redistribution and use in source and binary forms, with or without modification\n",
    "README.md": "# memtier\n\nCompares YCSB, vdbench, nosqlbench and cassandra-stress by latency.\n",
    "places.csv": "city,lat,lon\nOslo,59.91,10.75\nBergen,60.39,5.32\n",
    "journal.log": "Nov 20 12:30:01 host redis[812]: Ready\nNov 20 12:30:02 host fio: done\n",
}


@pytest.mark.parametrize("name", SYSTEM_FILES)
def test_a_name_of_a_tool_in_another_file_is_no_hint(name: str) -> None:
    """Users, packages and scripts are called like tools; only what a tool prints is a sign of it."""
    with pytest.raises(FormatUnknown, match="format not recognised; see `tailroom formats`"):
        detect(from_bytes(name, SYSTEM_FILES[name].encode()))


def test_the_name_of_a_file_of_results_is_a_hint() -> None:
    for name, near in (("fio_4k.txt", "fio"), ("out/ycsb-a.log", "YCSB"), ("memtier.json", "memtier")):
        with pytest.raises(FormatUnknown, match=f"its name says {near}"):
            detect(from_bytes(name, b"nothing that a tool prints\n"))
    for name, text in (("fio_runner.py", b"nothing that a tool prints\n"), ("fio", b"#!/bin/sh\nstart\n")):
        with pytest.raises(FormatUnknown, match="recognised; see"):
            detect(from_bytes(name, text))


def test_whatever_its_bytes_a_binary_is_no_text_and_old_text_is() -> None:
    """Bytes of every value; letters of ISO 8859-1, of which every fourth is no UTF-8."""
    for seed in range(200):
        with pytest.raises(FormatUnknown, match="it is no text"):
            detect(from_bytes("x", np.random.default_rng(seed).bytes(3_000)))
    with pytest.raises(FormatUnknown, match="not recognised; see"):
        detect(from_bytes("x", ("Größe über Maß " * 200).encode("latin-1")))


def test_an_empty_file_is_no_format() -> None:
    with pytest.raises(SourceEmpty):
        detect(from_bytes("x", b""))


def test_detection_is_by_content() -> None:
    log = (Path(__file__).parent / "samples" / "act" / "act40_1x_1dev_ms_60s.log").read_bytes()
    for name in ("fio.json", "x", "hdr_log.hgrm"):
        detection: Detection = detect(from_bytes(name, gzip.compress(log)))[0]
        assert (detection.format, detection.version) == ("act-storage", "4.0")
