"""Files are kept under their content, privately, once, wherever they are kept."""

import hashlib
import json
import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import boto3
import httpx
import pytest
from backend.tests.kit.s3_server import BUCKET, environment, is_signed, s3_server
from obstore.store import MemoryStore

from tailroom.kit.raw_files import (
    SWEEP_EVERY_S,
    LocalRawFiles,
    ObjectRawFiles,
    RawFileDamaged,
    RawFileMissing,
    RawFiles,
    RawFilesUnavailable,
    open_raw_files,
)

CONTENT = os.urandom(3_000_000)


@pytest.fixture(params=["folder", "object store"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> RawFiles:
    """Every kind of store."""
    if request.param == "folder":
        return LocalRawFiles(tmp_path / "files")
    return ObjectRawFiles(MemoryStore(), tmp_path / "arriving")


def keep(store: RawFiles, content: bytes = CONTENT) -> bytes:
    """Keeps a content that comes in pieces; its SHA-256."""
    with store.stage() as staged:
        for at in range(0, len(content), 100_000):
            staged.write(content[at : at + 100_000])
        assert staged.size_bytes == len(content)
        assert store.store(staged).read_bytes() == content
        return staged.sha256


def test_what_is_kept_comes_back(store: RawFiles) -> None:
    sha256 = keep(store)
    assert sha256 == hashlib.sha256(CONTENT).digest()
    assert store.has(sha256)
    assert b"".join(store.chunks(sha256)) == CONTENT
    assert keep(store) == sha256
    assert keep(store, b"") == hashlib.sha256(b"").digest()


def test_what_is_not_kept_is_gone(store: RawFiles, tmp_path: Path) -> None:
    with store.stage() as staged:
        staged.write(b"half")
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
    assert not store.has(staged.sha256)
    with pytest.raises(RawFileMissing):
        store.chunks(staged.sha256)


def test_nobody_else_can_read_a_folder(tmp_path: Path) -> None:
    keep(LocalRawFiles(tmp_path / "files"))
    for path in (tmp_path / "files", *(tmp_path / "files").rglob("*")):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


KILLED = """
import os, signal, sys
from pathlib import Path
from tailroom.kit.raw_files import LocalRawFiles
staged = LocalRawFiles(Path(sys.argv[1])).stage()
staged.write(b"x" * 3_000_000)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_a_killed_process_left_behind_goes_within_an_hour(tmp_path: Path) -> None:
    store = LocalRawFiles(tmp_path)
    assert store.sweep() == 0
    subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False)
    assert len(list((tmp_path / "incoming").iterdir())) == 1
    assert store.sweep() == 0
    with store.stage() as slow:
        slow.write(b"first of two files, and the second takes hours")
        slow.complete()
        for path in (tmp_path / "incoming").iterdir():
            os.utime(path, (time.time() - 3600 + SWEEP_EVERY_S, time.time() - 3600 + SWEEP_EVERY_S))
        assert store.sweep() == 1
        assert list((tmp_path / "incoming").iterdir()) == [slow.path]
        assert store.store(slow).read_bytes().startswith(b"first")


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(RawFilesUnavailable):
        LocalRawFiles(tmp_path / "file" / "store").stage()


def test_the_setting_chooses_the_store(tmp_path: Path) -> None:
    assert isinstance(open_raw_files(None, tmp_path), LocalRawFiles)
    assert isinstance(open_raw_files(str(tmp_path / "elsewhere"), tmp_path), LocalRawFiles)
    assert isinstance(open_raw_files("memory:///", tmp_path), ObjectRawFiles)


def test_s3_is_spoken_large_files_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with s3_server() as (address, holds):
        for name, value in environment(address).items():
            monkeypatch.setenv(name, value)
        store = open_raw_files("s3://tailroom/prefix", tmp_path)
        for content in (b"small", CONTENT * 5):
            sha256 = hashlib.sha256(content).digest()
            assert not store.has(sha256)
            assert keep(store, content) == sha256
            assert holds()[f"prefix/{sha256.hex()[:2]}/{sha256.hex()}"] == content
            assert b"".join(store.chunks(sha256)) == content
        signed = str(store.address(sha256, 60))
        assert is_signed(signed, 60)
        assert not is_signed(signed.replace("X-Amz-Expires=60", "X-Amz-Expires=600"), 600)
        assert httpx.get(signed).content == content
        store.remove(sha256)
        assert not store.has(sha256)
        # moto guards what came in one piece.
        signed = str(store.address(hashlib.sha256(b"small").digest(), 60))
        assert httpx.get(signed).content == b"small"
        assert httpx.get(signed.partition("?")[0]).status_code == 403
    assert not list((tmp_path / "raw-files-arriving").iterdir())


def test_the_rule_for_a_bucket_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """What docs/deployment.md hands to the owner of a bucket is taken, and touches nothing that was kept."""
    rule = json.loads((Path(__file__).parents[2] / "deploy" / "bucket-lifecycle.json").read_text())
    with s3_server() as (address, _):
        for name, value in environment(address).items():
            monkeypatch.setenv(name, value)
        s3 = boto3.client("s3", endpoint_url=address)
        s3.put_bucket_lifecycle_configuration(Bucket=BUCKET, LifecycleConfiguration=rule)
        (found,) = s3.get_bucket_lifecycle_configuration(Bucket=BUCKET)["Rules"]
    assert found["AbortIncompleteMultipartUpload"] == {"DaysAfterInitiation": 1}
    assert not {"Expiration", "Transitions", "NoncurrentVersionExpiration"} & found.keys()


def test_damaged_bytes_are_never_handed_out_whole(tmp_path: Path) -> None:
    objects = MemoryStore()
    for store in (LocalRawFiles(tmp_path / "files"), ObjectRawFiles(objects, tmp_path / "arriving")):
        sha256 = keep(store)
        key = f"{sha256.hex()[:2]}/{sha256.hex()}"
        damaged = CONTENT[:-1] + bytes([CONTENT[-1] ^ 1])
        if isinstance(store, LocalRawFiles):
            (tmp_path / "files" / key).write_bytes(damaged)
        else:
            objects.put(key, damaged)
            with pytest.raises(RawFileDamaged), store.on_disk(sha256):
                pass
        arrived: list[bytes] = []
        with pytest.raises(RawFileDamaged, match="another SHA-256"):
            arrived.extend(store.chunks(sha256))
        assert sum(map(len, arrived)) < len(CONTENT)
