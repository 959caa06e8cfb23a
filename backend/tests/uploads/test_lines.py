"""Text around a line of a kept file: the lines that problems name, whatever the packing, made harmless."""

import gzip
import io
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import pytest
import zstandard
from backend.tests.uploads.conftest import ACT, Json, Uploader
from obstore.store import MemoryStore

from tailroom.kit.clock import utc_now
from tailroom.kit.raw_files import LocalRawFiles, ObjectRawFiles, RawFiles
from tailroom.storage.upload import RawFile
from tailroom.uploads import lines
from tailroom.uploads.errors import LineUnknown, RawFileUnshowable
from tailroom.uploads.lines import lines_around, shown_text

LOG = ACT / "act40_1x_1dev_ms_60s.log"


def asked(uploader: Uploader, sha256: str, status: int = 200, **query: Any) -> Json:
    """Lines of a file."""
    return uploader.get(f"/raw-files/{sha256}/lines", status, **query)


@pytest.mark.parametrize("packing", ["none", "gzip", "zstd", "zip"])
def test_lines_are_those_of_the_text_inside(uploader: Uploader, packing: str) -> None:
    content = LOG.read_bytes()
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("folder/act.log", content)
    data = {
        "none": content,
        "gzip": gzip.compress(content),
        "zstd": zstandard.compress(content),
        "zip": archive.getvalue(),
    }[packing]
    (file,) = uploader.send([("act.log", data)])["files"]
    assert file["member"] == ("folder/act.log" if packing == "zip" else None)
    query = {"line": 100, "context": 2} | ({"member": file["member"]} if file["member"] else {})
    found = asked(uploader, file["sha256"], **query)
    wanted = content.decode().split("\n")
    assert found["lines"] == [
        {"number": number, "text": wanted[number - 1], "truncated": False} for number in range(98, 103)
    ]
    assert (found["first"], found["last"]) == (98, 102)


def test_the_line_of_a_problem_is_the_line_shown(uploader: Uploader) -> None:
    text = LOG.read_text().splitlines()
    at = next(number for number, line in enumerate(text) if line.startswith("After 20 sec")) + 1
    text.insert(at, "ERROR: reading 4096 bytes at 99: Input/output error")
    answer = uploader.send([("act.log", "\n".join(text).encode())])
    problem = next(one for one in answer["runs"][0]["problems"] if one["line"] == at + 1)
    found = asked(uploader, answer["files"][0]["sha256"], line=problem["line"], context=0)
    assert [one["text"] for one in found["lines"]] == [text[at]]


def test_ends_of_a_file_and_what_is_not_there(uploader: Uploader) -> None:
    answer = uploader.send([("a.log", b"one\r\ntwo\nthree")], 422)
    assert answer["code"] == "upload-unreadable"
    sha256 = uploader.get("/uploads")["uploads"][0]["upload_id"]
    sha256 = uploader.get(f"/uploads/{sha256}")["files"][0]["sha256"]
    assert [one["text"] for one in asked(uploader, sha256, line=1)["lines"]] == ["one", "two", "three"]
    assert asked(uploader, sha256, line=3, context=1)["first"] == 2
    assert asked(uploader, sha256, 404, line=4)["code"] == "raw-file-line-unknown"
    assert "3 lines" in asked(uploader, sha256, 404, line=400)["detail"]
    assert asked(uploader, sha256, 404, line=1, member="b")["code"] == "raw-file-member-unknown"
    asked(uploader, sha256, 422, line=0)
    asked(uploader, sha256, 422, context=51)
    asked(uploader, "0" * 64, 404)


def test_members_of_an_archive_are_named(uploader: Uploader) -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("a.log", LOG.read_bytes())
        packed.writestr("b.conf", b"device-names: /dev/x\n")
    files = uploader.send([("both.zip", archive.getvalue())])["files"]
    refused = asked(uploader, files[0]["sha256"], 404, line=1)
    assert "a.log" in refused["detail"]
    found = asked(uploader, files[1]["sha256"], line=1, member="b.conf")
    assert found["lines"][0]["text"] == "device-names: /dev/x"


def test_nobody_else_sees_lines(uploader: Uploader, stranger: Uploader) -> None:
    sha256 = uploader.send_paths(LOG)["files"][0]["sha256"]
    assert asked(stranger, sha256, 404, line=1)["code"] == "raw-file-unknown"
    assert uploader.client.get(f"/api/v1/raw-files/{sha256}/lines").status_code == 401


def test_bytes_are_shown_harmlessly() -> None:
    text, truncated = shown_text(b"\x00\x1b[2Jred\x7f\xff\t<b>" + "\u202eleft\u200b".encode())
    assert text == "\u2400\u241b[2Jred\u2421\ufffd\t<b>\ufffdleft\ufffd"
    assert not truncated
    assert shown_text(b"x" * 2_000) == ("x" * 2_000, False)
    assert shown_text(b"x" * 2_001) == ("x" * 2_000, True)
    assert shown_text("ä".encode() * 3_000) == ("ä" * 2_000, True)


@pytest.fixture(params=["folder", "object store"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> RawFiles:
    """Every kind of store."""
    if request.param == "folder":
        return LocalRawFiles(tmp_path / "files")
    return ObjectRawFiles(MemoryStore(), tmp_path / "arriving")


def kept(store: RawFiles, content: bytes) -> RawFile:
    """A file of a store, as the database knows it."""
    with store.stage() as staged:
        staged.write(content)
        store.store(staged)
        return RawFile(sha256=staged.sha256, size_bytes=len(content), name="a", stored_at=utc_now())


def test_memory_is_flat_and_long_lines_are_cut(store: RawFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LINE_SECONDS", 60.0)
    file = kept(store, gzip.compress(b"y" * 60_000_000 + b"\n" + b"line\n" * 200_000))
    tracemalloc.start()
    found = lines_around(store, file, line=1, context=1, member=None)
    far = lines_around(store, file, line=190_000, context=0, member=None)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [(one.number, len(one.text), one.truncated) for one in found.lines] == [
        (1, 2_000, True),
        (2, 4, False),
    ]
    assert far.lines[0].text == "line"
    assert peak < 40_000_000


def test_what_cannot_be_opened_is_named(store: RawFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("a.log", "x\n" * 30)
    assert lines_around(store, kept(store, archive.getvalue()), line=30, context=0, member=None).last == 30
    with pytest.raises(RawFileUnshowable, match="zip archive"):
        lines_around(store, kept(store, archive.getvalue()[:40]), line=1, context=0, member=None)
    with pytest.raises(RawFileUnshowable, match="7-Zip"):
        lines_around(store, kept(store, b"7z\xbc\xaf\x27\x1c" + bytes(99)), line=1, context=0, member=None)
    broken = kept(store, gzip.compress(b"x\n" * 200_000)[:-200])
    with pytest.raises(LineUnknown, match="end mark"):
        lines_around(store, broken, line=10_000_000, context=0, member=None)
    monkeypatch.setattr(lines, "LINE_SECONDS", -1.0)
    with pytest.raises(RawFileUnshowable, match="longer"):
        lines_around(store, kept(store, b"x\n" * 9), line=1, context=0, member=None)
