"""How files come in: streamed, limited by name, and durable before anything is made of them."""

import base64
import hashlib
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from backend.tests.kit.s3_server import environment, s3_server
from backend.tests.uploads.conftest import ACT, Uploader, uploads_reader
from fastapi.testclient import TestClient
from sqlalchemy import func, select

from tailroom.api.app import create_app
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.raw_files import LocalRawFiles
from tailroom.kit.settings import Settings
from tailroom.storage.organisation import Organisation
from tailroom.storage.run import Run
from tailroom.storage.upload import RawFile, Upload
from tailroom.work.claims import claim_one
from tailroom.work.kinds import CLAIM_HOLDS, READ_UPLOAD

LOG = ACT / "act40_1x_1dev_ms_60s.log"


@pytest.fixture
def small(settings: Settings, database: Database, make_token: Callable[..., str]) -> object:
    """An installation with narrow limits."""
    narrow = settings.model_copy(update={"upload_limit_bytes": 200_000, "upload_files_limit": 2})
    with TestClient(create_app(narrow), raise_server_exceptions=False) as client:
        yield Uploader(client, database, make_token("engineer"))


def incoming(settings: Settings) -> list[Path]:
    """Files that arrived and were neither kept nor removed; the folder comes with the first file."""
    return list((settings.home / "raw-files" / "incoming").glob("*"))


def test_limits_are_named(small: Uploader, settings: Settings) -> None:
    large = small.send([("large.log", b"x" * 300_000)], 413)
    assert large["code"] == "upload-too-large"
    assert "200,000" in large["detail"]
    assert "TAILROOM_UPLOAD_LIMIT_BYTES" in large["detail"]
    many = small.send([(f"{number}.log", b"x") for number in range(3)], 413)
    assert many["code"] == "upload-too-many-files"
    assert incoming(settings) == []


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("title", "t" * 201, "String should have at most 200 characters"),
        ("visibility", "secret", "Input should be 'public' or 'private'"),
        ("labels", '{"branch":', "Expecting value: line 1 column 11 (char 10)"),
    ],
)
def test_a_field_that_cannot_be_used_is_named(
    client: TestClient, make_token: Callable[..., str], field: str, value: str, reason: str
) -> None:
    refused = client.post(
        "/api/v1/uploads",
        headers={"Authorization": f"Bearer {make_token('engineer')}"},
        files={"files": ("a.log", b"x")},
        data={field: value},
    ).json()
    assert refused["code"] == "request-invalid"
    assert refused["detail"] == f"The field {field} does not have the documented form: {reason}."
    assert [(one["field"], one["reason"]) for one in refused["problems"]] == [(field, reason)]


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"", "multipart/form-data; boundary=b"),
        (
            b'--b\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\ncut sh',
            "multipart/form-data; boundary=b",
        ),
        (b"no form at all", "multipart/form-data; boundary=b"),
        (
            b'--b\r\nContent-Disposition: form-data; name="f"\r\n\r\nno file\r\n--b--\r\n',
            "multipart/form-data; boundary=b",
        ),
        (b"--b\r\n\r\nnameless\r\n--b--\r\n", "multipart/form-data; boundary=b"),
        (b"{}", "application/json"),
        (b"x", "multipart/form-data"),
    ],
)
def test_what_is_no_form_is_refused(uploader: Uploader, settings: Settings, body: bytes, kind: str) -> None:
    answer = uploader.client.post(
        "/api/v1/uploads", content=body, headers={**uploader.headers, "Content-Type": kind}
    )
    assert answer.status_code == 422, answer.text
    assert answer.json()["code"] == "upload-malformed"
    assert incoming(settings) == []


@pytest.mark.parametrize(
    "fields",
    [{"visibility": "everybody"}, {"answers": "{"}, {"answers": "[" * 5_000}, {"answers": '{"x": {}}'}],
)
def test_wishes_that_make_no_sense_are_refused(uploader: Uploader, fields: dict[str, str]) -> None:
    assert uploader.send([("a.log", LOG.read_bytes())], 422, **fields)["code"] == "request-invalid"


def test_nothing_is_read_of_those_who_may_not_send(client: TestClient, settings: Settings) -> None:
    refused = client.post("/api/v1/uploads", files=[("files", ("a.log", LOG.read_bytes()))])
    assert refused.status_code == 401


def test_names_are_harmless(uploader: Uploader) -> None:
    answer = uploader.send([("../../etc/pass\x00wd<b>", LOG.read_bytes() + b"\n")], None)
    assert "/" not in answer["files"][0]["name"]
    kept = uploader.client.get(f"/api/v1/raw-files/{answer['files'][0]['sha256']}", headers=uploader.headers)
    assert kept.content == LOG.read_bytes() + b"\n"
    digest = base64.b64encode(hashlib.sha256(kept.content).digest()).decode()
    assert kept.headers["Repr-Digest"] == f"sha-256=:{digest}:"
    uploader.get("/raw-files/nothing", 422)
    uploader.get(f"/raw-files/{'0' * 64}", 404)


def test_a_kill_between_keeping_and_storing_loses_nothing(
    settings: Settings, uploader: Uploader, database: Database, organisation: str
) -> None:
    """A process dies by SIGKILL after the bytes were kept, while it stores what it read."""
    content = LOG.read_bytes()
    program = textwrap.dedent(
        """
        import os, signal, sys
        from fastapi.testclient import TestClient
        from tailroom.api.app import create_app
        from tailroom.kit.settings import get_settings
        from tailroom.uploads import storing
        stored = storing.insert_rows
        def die(*args, **named):
            stored(*args, **named)
            os.kill(os.getpid(), signal.SIGKILL)
        storing.insert_rows = die
        with TestClient(create_app(get_settings())) as client:
            client.post("/api/v1/uploads", files=[("files", ("act.log", sys.stdin.buffer.read()))],
                        headers={"Authorization": sys.argv[1]})
        """
    )
    environment = {
        **os.environ,
        "TAILROOM_DATABASE_URL": settings.database_url,
        "TAILROOM_REDIS_URL": settings.redis_url,
        "TAILROOM_HOME": str(settings.home),
        "TAILROOM_ALLOWED_HOSTS": "testserver",
        "TAILROOM_UI_DIST": "/nonexistent",
    }
    done = subprocess.run(
        [sys.executable, "-c", program, uploader.headers["Authorization"]],
        input=content,
        env=environment,
        check=False,
        timeout=120,
    )
    assert done.returncode == -9
    with database.transaction() as session:
        owner = session.scalars(select(Organisation.id).where(Organisation.name == organisation)).one()
        raw = session.scalars(select(RawFile).where(RawFile.organisation_id == owner)).one()
        upload = session.scalars(select(Upload).where(Upload.organisation_id == owner)).one()
        assert session.scalar(select(func.count()).where(Run.organisation_id == owner)) == 0
        assert upload.read_at is None
    assert b"".join(LocalRawFiles(settings.home / "raw-files").chunks(raw.sha256)) == content
    # The dead process still has its claim; a worker reads the upload once that has run out.
    answer = uploader.send([("act.log", content)], status=202)
    assert (answer["upload_id"], answer["state"]) == (str(upload.upload_id), "waiting")
    with database.transaction() as session:
        claim = claim_one(session, READ_UPLOAD.name, upload.upload_id, utc_now() + 2 * CLAIM_HOLDS)
    assert claim is not None
    uploads_reader(settings, database, 60.0).do(claim)
    (run,) = uploader.get(f"/uploads/{upload.upload_id}")["runs"]
    assert uploader.judged(run["run_id"])["series"][0]["received_count"] == 60


def test_a_download_is_sent_on_to_the_object_store_for_its_owner_alone(
    settings: Settings, database: Database, make_token: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = {"raw_files": "s3://tailroom", "raw_file_address_s": 60.0}
    with s3_server() as (address, _):
        for name, value in environment(address).items():
            monkeypatch.setenv(name, value)
        with TestClient(create_app(settings.model_copy(update=changed))) as client:
            owner = Uploader(client, database, make_token("engineer"))
            sha256 = owner.send([("a.log", LOG.read_bytes() + b"\n\n")])["files"][0]["sha256"]
            path = f"/api/v1/raw-files/{sha256}"
            answer = client.get(path, headers=owner.headers, follow_redirects=False)
            assert answer.status_code == 307
            assert answer.headers["cache-control"] == "no-store"
            there = answer.headers["location"]
            assert httpx.get(there).content == LOG.read_bytes() + b"\n\n"
            assert httpx.get(there.partition("?")[0]).status_code == 403
            others = {"Authorization": f"Bearer {make_token('engineer', 'somebody else')}"}
            assert client.get(path, headers=others, follow_redirects=False).status_code == 404
