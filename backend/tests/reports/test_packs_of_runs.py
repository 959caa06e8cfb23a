"""Evidence packs of stored runs by the API: the same as by command, and for nobody else."""

import base64
import io
import json
import os
import shutil
import subprocess
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import UUID

import pytest
from backend.tests.reports.storing import stored
from fastapi.testclient import TestClient

from tailroom.access.service import create_token
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.reports import packing_process
from tailroom.reports.packing import RAW, VERDICTS
from tailroom.reports.packing_process import NotPacked, PackedFile, PackingTooLong, pack_in_process
from tailroom.reports.verification import SignatureState, verify

ROOT = Path(__file__).parents[3]
MEMTIER = Path(__file__).parents[1] / "importers" / "samples" / "memtier" / "given1.json"
Header = dict[str, str]


@pytest.fixture(scope="module")
def organisation() -> str:
    """The organisation of all these tests: most read the same run."""
    return "packs of runs"


@pytest.fixture(scope="module")
def viewer(database: Database, organisation: str) -> Header:
    with database.transaction() as session:
        _, token = create_token(session, organisation, "test", "viewer", utc_now())
    return {"Authorization": f"Bearer {token}"}


@pytest.fixture(scope="module")
def store(database: Database, organisation: str) -> Iterator[Callable[..., UUID]]:
    with stored(database, organisation) as add:
        yield add


@pytest.fixture(scope="module")
def run_id(store: Callable[..., UUID]) -> UUID:
    return store()


@pytest.fixture(scope="module")
def pack(client: TestClient, viewer: Header, run_id: UUID) -> bytes:
    """The pack of that run, as the API makes it."""
    answer = client.get(f"/api/v1/runs/{run_id}/pack.zip", headers=viewer)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/zip"
    return bytes(answer.content)


def members(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_the_pack_of_a_run_verifies_and_has_the_verdicts_of_its_page(
    client: TestClient, viewer: Header, run_id: UUID, pack: bytes
) -> None:
    found = verify(pack)
    assert found.ok
    assert found.signature is SignatureState.VALID
    packed = members(pack)
    exported = client.get(f"/api/v1/runs/{run_id}/intervals", headers=viewer).content
    assert packed[f"{RAW}run-{run_id}.ndjson"] == exported
    run = client.get(f"/api/v1/runs/{run_id}", headers=viewer).json()
    on_page = {one["budget"]["name"]: one for one in run["verdicts"]}
    in_pack = {one["budget"]["name"]: one["verdict"] for one in json.loads(packed[VERDICTS])}
    both = on_page.keys() & in_pack.keys()
    assert both
    for name in both:
        assert in_pack[name]["verdict"] == on_page[name]["verdict"]
        assert in_pack[name]["headline"] == on_page[name]["headline"]


def test_the_page_of_a_run_holds_the_verdicts_of_its_pack(
    client: TestClient, viewer: Header, run_id: UUID, pack: bytes
) -> None:
    packed = members(pack)
    answer = client.get(f"/api/v1/runs/{run_id}/page.html", headers=viewer)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-disposition"] == f"attachment; filename=tailroom-run-{run_id}.html"
    text = answer.text.split('id="evidence">')[1].split("</script>", maxsplit=1)[0]
    evidence = json.loads(zlib.decompress(base64.b64decode(text)))
    in_page = [verdict["words"] for verdict in evidence["runs"][0]["verdicts"]]
    in_pack = [entry["verdict"]["words"] for entry in json.loads(packed[VERDICTS])]
    assert in_page
    assert sorted(in_page) == sorted(in_pack)


def test_a_run_that_no_budget_asks_about_has_no_pack(
    client: TestClient, viewer: Header, store: Callable[..., UUID]
) -> None:
    run_id = store(workload="something-else")
    answer = client.get(f"/api/v1/runs/{run_id}/pack.zip", headers=viewer)
    assert answer.status_code == 409, answer.text
    assert answer.json()["code"] == "pack-refused"


def test_files_that_are_none_and_packs_that_take_too_long_are_named(tmp_path: Path) -> None:
    key = tmp_path / "key.pem"
    with pytest.raises(NotPacked, match="junk"):
        pack_in_process([PackedFile("junk.txt", 4, [b"ju", b"nk"])], key)
    with pytest.raises(PackingTooLong, match="tailroom pack"):
        pack_in_process([PackedFile("given1.json", None, [MEMTIER.read_bytes()])], key, limit_s=0.01)
    assert packing_process.PACKING_SECONDS >= 60


def test_several_files_go_in_whole(tmp_path: Path) -> None:
    data = MEMTIER.read_bytes()
    files = [
        PackedFile("one.json", len(data), [data]),
        PackedFile("two.json", None, [data[:100], data[100:]]),
    ]
    packed = members(pack_in_process(files, tmp_path / "key.pem"))
    assert [packed[f"{RAW}{name}"] for name in ("one.json", "two.json")] == [data, data]


def test_a_bare_environment_verifies_it_with_the_package_alone(pack: bytes, tmp_path: Path) -> None:
    """As anybody installs package and dependencies: no checkout, no server, no settings."""
    uv = shutil.which("uv") or str(ROOT / ".tailroom" / "bootstrap" / "bin" / "uv")
    if not Path(uv).exists():
        pytest.skip("needs uv, which `make setup` brings")
    (tmp_path / "pack.zip").write_bytes(pack)
    bare = tmp_path / "bare"
    # uv would install an earlier build of these sources from its cache.
    command = f"{uv} sync --quiet --frozen --no-editable --no-default-groups --package tailroom".split()
    command += ["--refresh-package", "tailroom"]
    installed = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "UV_PROJECT_ENVIRONMENT": str(bare)},
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert installed.returncode == 0, installed.stderr
    empty = tmp_path / "home"
    empty.mkdir()
    done = subprocess.run(
        [bare / "bin" / "tailroom", "verify", str(tmp_path / "pack.zip"), "--json"],
        cwd=empty,
        env={"HOME": str(empty), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["ok"], found["signature"], found["differences"]) == (True, "valid", [])
    assert found["verdicts"] > 0
    assert not list(empty.iterdir())
