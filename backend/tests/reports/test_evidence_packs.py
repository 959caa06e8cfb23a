"""Evidence packs: the same bytes from the same files, and every change to one of them is found."""

import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tailroom.cli.main import build_app
from tailroom.domain.method import METHOD_VERSION
from tailroom.evidence.answers import Answers
from tailroom.kit.settings import Settings
from tailroom.reports.offline_page import split_page
from tailroom.reports.pack_archive import PackUnreadable
from tailroom.reports.packing import (
    ANSWERS,
    MANIFEST,
    PAGE,
    RAW,
    REPORT,
    SEAL_BYTES,
    SIGNATURE,
    STATEMENT,
    VERDICTS,
    NothingToPack,
    pack,
    seal_of,
)
from tailroom.reports.signing import KeyUnusable, key_of
from tailroom.reports.verification import SignatureState, verify

MEMTIER = Path(__file__).parents[1] / "importers" / "samples" / "memtier"
FILES = {"given1.json": (MEMTIER / "given1.json").read_bytes()}
MADE_AT = datetime(2026, 11, 22, tzinfo=UTC)
APP = build_app(["pack", "verify"])


@pytest.fixture(scope="module")
def key_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the key of an installation lies."""
    return tmp_path_factory.mktemp("keys") / "deeper" / "packs.pem"


@pytest.fixture(scope="module")
def packed(key_path: Path) -> bytes:
    """A signed pack of one file."""
    return pack(FILES, MADE_AT, key=key_of(key_path))[0]


@pytest.fixture(scope="module")
def unsigned() -> bytes:
    return pack(FILES, MADE_AT)[0]


def rewritten(data: bytes, change: Callable[[dict[str, bytes]], None]) -> bytes:
    """The same archive with other members."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return target.getvalue()


def sealed(data: bytes) -> bytes:
    """The archive with its own digest at its end, as packing ends it."""
    target = io.BytesIO(data)
    with zipfile.ZipFile(target, "a") as archive:
        archive.comment = b"0" * SEAL_BYTES
    body = target.getvalue()[:-SEAL_BYTES]
    return body + seal_of(body)


def test_the_same_files_give_the_same_bytes_but_the_date(packed: bytes, key_path: Path) -> None:
    assert pack(FILES, MADE_AT, key=key_of(key_path))[0] == packed
    later = pack(FILES, MADE_AT + timedelta(days=1), key=key_of(key_path))[0]
    with zipfile.ZipFile(io.BytesIO(packed)) as one, zipfile.ZipFile(io.BytesIO(later)) as other:
        different = [name for name in one.namelist() if one.read(name) != other.read(name)]
    assert different == [MANIFEST, SIGNATURE, STATEMENT, REPORT, PAGE]


def test_the_key_is_readable_for_its_owner_only(packed: bytes, key_path: Path) -> None:
    assert packed
    assert key_path.stat().st_mode & 0o777 == 0o600


def test_processes_that_share_a_folder_have_one_key(tmp_path: Path) -> None:
    """All of them at their first pack, at the same moment."""
    path, together = tmp_path / "keys" / "packs.pem", threading.Barrier(8)

    def public() -> str:
        together.wait()
        return key_of(path).sign(b"")["fingerprint"]

    with ThreadPoolExecutor(8) as threads:
        found = {one.result() for one in [threads.submit(public) for _ in range(8)]}
    assert len(found) == 1
    assert [one.name for one in path.parent.iterdir()] == [path.name]


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_a_key_that_is_named_has_to_be_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "packs.pem"
    monkeypatch.setenv("TAILROOM_PACK_KEY_FILE", str(path))
    with pytest.raises(ValueError, match=re.escape(f"openssl genpkey -algorithm ed25519 -out {path}")):
        Settings()
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", path], check=True)
    assert key_of(Settings().pack_key).sign(b"") == key_of(path).sign(b"")
    monkeypatch.delenv("TAILROOM_PACK_KEY_FILE")
    assert Settings(home=tmp_path).pack_key == tmp_path / "keys" / "packs.pem"


def test_a_changed_byte_of_the_raw_log_is_named(packed: bytes) -> None:
    def change(members: dict[str, bytes]) -> None:
        name = next(one for one in members if one.startswith(RAW))
        members[name] = members[name].replace(b"1", b"2", 1)

    found = verify(rewritten(packed, change))
    assert not found.ok
    assert found.differences[0].where.startswith(RAW)


def test_a_damaged_byte_of_any_member_is_found(packed: bytes) -> None:
    places: list[int] = []
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        for member in archive.infolist():
            checksum, content = 14, 30 + len(member.filename.encode())
            within = (checksum, content + member.compress_size // 2)
            places.append(member.header_offset + within[len(places) % 2])
    for at in (*places, len(packed) - 40):
        damaged = packed[:at] + bytes([packed[at] ^ 0x55]) + packed[at + 1 :]
        try:
            assert not verify(damaged).ok, at
        except PackUnreadable:
            continue


def test_a_verdict_that_was_made_nicer_is_found_with_its_manifest(packed: bytes) -> None:
    """Somebody who changes the verdict, its hash, and leaves the signature."""

    def change(members: dict[str, bytes]) -> None:
        verdicts = json.loads(members[VERDICTS])
        verdicts[0]["verdict"]["verdict"] = "PASS" if verdicts[0]["verdict"]["verdict"] != "PASS" else "FAIL"
        members[VERDICTS] = json.dumps(verdicts).encode()
        _rehash(members, VERDICTS)

    found = verify(rewritten(packed, change))
    assert not found.ok
    assert found.signature is SignatureState.INVALID
    assert found.differences[0].where == f"{VERDICTS}[0].verdict.verdict"


def test_a_pack_without_its_raw_log_says_so(packed: bytes) -> None:
    found = verify(rewritten(packed, lambda members: _drop(members, RAW)))
    assert not found.ok
    assert any(one.derived == "missing" for one in found.differences)


def test_a_pack_of_a_newer_method_is_refused_with_what_to_do(packed: bytes) -> None:
    def change(members: dict[str, bytes]) -> None:
        manifest = json.loads(members[MANIFEST])
        manifest["method_version"] = METHOD_VERSION + 1
        members[MANIFEST] = json.dumps(manifest).encode()

    with pytest.raises(PackUnreadable, match="verify it with a newer one"):
        verify(rewritten(packed, change))


def _of_the_method_before(members: dict[str, bytes]) -> None:
    """Verdicts as that method stored them: a word, without strength and scopes."""
    verdicts = json.loads(members[VERDICTS])
    for one in verdicts:
        for name in ("strength", "words", "observed", "proven", "unproven"):
            del one["verdict"][name]
    members[VERDICTS] = json.dumps(verdicts).encode()
    _rehash(members, VERDICTS)
    manifest = json.loads(members[MANIFEST])
    manifest["method_version"] = METHOD_VERSION - 1
    members[MANIFEST] = json.dumps(manifest).encode()
    members.pop(SIGNATURE, None)


def test_a_pack_of_an_earlier_method_is_read_and_not_compared(packed: bytes, tmp_path: Path) -> None:
    path = tmp_path / "pack.zip"
    path.write_bytes(sealed(rewritten(packed, _of_the_method_before)))
    found = verify(path.read_bytes())
    assert (found.ok, found.is_intact, found.verdicts) == (False, True, 0)
    assert {answer.words for answer in found.answers} == {"PASS", "FAIL"}
    printed = CliRunner().invoke(APP, ["verify", str(path)])
    assert printed.exit_code == 3, printed.output
    assert printed.stdout.startswith("Intact: ")
    assert f"by method {METHOD_VERSION - 1}" in printed.stdout
    assert "  PASS: fraud-250-sequential\n" in printed.stdout

    def change(members: dict[str, bytes]) -> None:
        _of_the_method_before(members)
        name = next(one for one in members if one.startswith(RAW))
        members[name] = members[name].replace(b"1", b"2", 1)

    path.write_bytes(sealed(rewritten(packed, change)))
    assert CliRunner().invoke(APP, ["verify", str(path)]).exit_code == 1


@pytest.mark.parametrize("field", ["strength", "observed", "proven"])
def test_a_pack_that_says_more_than_it_proves_is_found(unsigned: bytes, field: str) -> None:
    said = {"verdict": "PASS", "lower": 0.9995, "upper": 0.9996}

    def change(members: dict[str, bytes]) -> None:
        verdicts = json.loads(members[VERDICTS])
        assert verdicts[0]["verdict"]["strength"] == "observed"
        verdicts[0]["verdict"][field] = "proven" if field == "strength" else said
        members[VERDICTS] = json.dumps(verdicts).encode()
        _rehash(members, VERDICTS)

    found = verify(sealed(rewritten(unsigned, change)))
    assert found.differences
    assert all(one.where.startswith(f"{VERDICTS}[0].verdict.{field}") for one in found.differences)


@pytest.mark.parametrize(
    "junk",
    [b"", b"PK\x03\x04", b"no zip at all", b"\x00" * 1000],
)
def test_junk_is_refused(junk: bytes) -> None:
    with pytest.raises(PackUnreadable):
        verify(junk)


@pytest.mark.parametrize("manifest", [[], {}, {"tailroom_pack": 1}, {"tailroom_pack": "1", "files": 3}, 7])
def test_a_strange_manifest_is_refused(packed: bytes, manifest: Any) -> None:
    def change(members: dict[str, bytes]) -> None:
        members[MANIFEST] = json.dumps(manifest).encode()

    with pytest.raises(PackUnreadable, match=MANIFEST):
        verify(rewritten(packed, change))


def test_files_without_a_verdict_are_not_packed() -> None:
    fio = Path(__file__).parents[1] / "importers" / "samples" / "fio"
    bandwidth = next(path for path in sorted(fio.rglob("*_bw*log")))
    with pytest.raises(NothingToPack):
        pack({bandwidth.name: bandwidth.read_bytes()}, MADE_AT)


def test_a_file_that_is_no_key_is_refused(tmp_path: Path) -> None:
    (tmp_path / "key.pem").write_text("not a key")
    with pytest.raises(KeyUnusable):
        key_of(tmp_path / "key.pem")


def test_the_commands_pack_and_verify(tmp_path: Path) -> None:
    target, key = tmp_path / "pack.zip", tmp_path / "key.pem"
    command = ["pack", str(MEMTIER / "given1.json"), "--output", str(target), "--key", str(key)]
    made = CliRunner().invoke(APP, command)
    assert made.exit_code == 0, made.output
    checked = CliRunner().invoke(APP, ["verify", str(target), "--json"])
    assert checked.exit_code == 0, checked.output
    document = json.loads(checked.stdout)
    assert (document["ok"], document["differences"], document["signature"]) == (True, [], "valid")
    target.write_bytes(target.read_bytes()[:-400])
    assert CliRunner().invoke(APP, ["verify", str(target)]).exit_code == 2


def test_verifying_needs_no_server_and_no_home(packed: bytes, tmp_path: Path) -> None:
    """As on a machine where nothing of Tailroom runs: an empty folder, no settings, no services."""
    (tmp_path / "pack.zip").write_bytes(packed)
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-m", "tailroom.cli.main", "verify", "pack.zip"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(b"As it says: ")


def test_answers_about_files_lead_to_the_same_verdicts(key_path: Path) -> None:
    """A table of latencies without unit, operation and load: with answers it has verdicts of its own."""
    table = next((Path(__file__).parents[1] / "importers" / "samples").rglob("hdr_GET_command_run_1.txt"))
    files = {table.name: table.read_bytes()}
    answers = Answers("µs", "read", "open")
    made_at, key = MADE_AT, key_of(key_path)
    silent, _ = pack(files, made_at, key=key)
    data, verdicts = pack(files, made_at, key=key, answers=answers)
    assert all("unknown conditions" not in str(one.document()) for one in verdicts)
    found, stated = verify(data), "open or closed load: open, unit of the latencies: µs"
    assert (found.ok, found.stated) == (True, (f"run 0, {stated}",))
    assert verify(silent).stated == ()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert json.loads(archive.read(ANSWERS)) == answers.document()
        assert f"Stated by a person</th><td>{stated}<" in archive.read(REPORT).decode()
        assert ["Stated by a person", stated] in split_page(archive.read(PAGE))[1]["runs"][0]["facts"]
        assert json.loads(archive.read(MANIFEST))["tailroom_pack"] == 6
    with zipfile.ZipFile(io.BytesIO(silent)) as archive:
        assert ANSWERS not in archive.namelist()
        assert json.loads(archive.read(MANIFEST))["tailroom_pack"] == 6
        assert "unknown conditions" in archive.read(VERDICTS).decode()

    def other_unit(members: dict[str, bytes]) -> None:
        members[ANSWERS] = members[ANSWERS].replace(b"\\u00b5s", b"ms")
        _rehash(members, ANSWERS)

    changed = verify(rewritten(data, other_unit))
    assert any(one.where.startswith(VERDICTS) for one in changed.differences)

    def nonsense(members: dict[str, bytes]) -> None:
        members[ANSWERS] = b'{"tool.loop": "spiral"}'
        _rehash(members, ANSWERS)

    with pytest.raises(PackUnreadable, match=ANSWERS):
        verify(rewritten(data, nonsense))


def _rehash(members: dict[str, bytes], name: str) -> None:
    manifest = json.loads(members[MANIFEST])
    manifest["files"][name] = {
        "sha256": hashlib.sha256(members[name]).hexdigest(),
        "bytes": len(members[name]),
    }
    members[MANIFEST] = json.dumps(manifest).encode()


def _drop(members: dict[str, bytes], beginning: str) -> None:
    for name in [one for one in members if one.startswith(beginning)]:
        del members[name]
