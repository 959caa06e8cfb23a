"""What every answer has in common: pages, headers, health, refusals, and the document that
describes it all.
"""

import base64
import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from tailroom.api.app import create_app, openapi_document
from tailroom.kit.settings import Settings

CONTRACT = Path(__file__).parents[3] / "docs" / "contracts" / "openapi.json"
SCRIPT = "document.documentElement.dataset.ready = '1'"
INDEX = f"<!doctype html><title>Tailroom</title><script>{SCRIPT}</script><script src=/assets/a-1.js></script>"

LONG_SCRIPT = "export const answer = 42;\n" * 1_000


@pytest.fixture(scope="module")
def built(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("built") / "dist"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(INDEX)
    (folder / "assets" / "a-1.js").write_text("export {}")
    (folder / "assets" / "b-2.js").write_text(LONG_SCRIPT)
    (folder / "favicon.svg").write_text("<svg/>")
    (folder.parent / "secret.txt").write_text("not for everybody")
    app = create_app(settings.model_copy(update={"ui_dist": folder}))

    @app.get("/api/v1/crash")
    def crash() -> None:
        raise RuntimeError("the secret of the inside")

    with TestClient(app, raise_server_exceptions=False) as found:
        yield found


@pytest.mark.parametrize("path", ["/", "/runs", "/runs/abc?tab=x", "/deep/er/page", "/apiary"])
def test_pages_are_answered_with_the_index(built: TestClient, path: str) -> None:
    answer = built.get(path)
    assert (answer.status_code, answer.text) == (200, INDEX)
    assert answer.headers["Cache-Control"] == "no-cache"
    policy = answer.headers["Content-Security-Policy"]
    digest = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
    assert f"script-src 'self' 'sha256-{digest}'" in policy
    assert "style-src 'self' 'unsafe-inline'" in policy
    assert "frame-ancestors 'none'" in policy


def test_files_and_how_long_they_are_kept(built: TestClient) -> None:
    asset = built.get("/assets/a-1.js")
    assert (asset.status_code, asset.text) == (200, "export {}")
    assert asset.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert "javascript" in asset.headers["Content-Type"]
    icon = built.get("/favicon.svg")
    assert icon.headers["Cache-Control"] == "no-cache"
    assert built.head("/favicon.svg").status_code == 200
    assert built.get("/assets/a-0.js").status_code == 404


@pytest.mark.parametrize("coding", ["gzip", "zstd", "identity"])
def test_scripts_are_packed_for_whoever_takes_it(built: TestClient, coding: str) -> None:
    asset = built.get("/assets/b-2.js", headers={"Accept-Encoding": coding})
    assert (asset.status_code, asset.text) == (200, LONG_SCRIPT)
    assert asset.headers.get("Content-Encoding", "identity") == coding
    assert asset.headers["Vary"] == "Accept-Encoding"
    assert "javascript" in asset.headers["Content-Type"]
    assert (int(asset.headers["Content-Length"]) < len(LONG_SCRIPT)) == (coding != "identity")


@pytest.mark.parametrize(
    "path", ["/../secret.txt", "/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt", "/a%00b"]
)
def test_no_file_outside_the_folder(built: TestClient, path: str) -> None:
    assert "not for everybody" not in built.get(path).text


@pytest.mark.parametrize(
    "path", ["/" + "a" * 300, "/" + "a/" * 5_000, "/%00", "/%ff%fe", "/%ed%a0%80", "/a?" + "b" * 30_000]
)
def test_addresses_that_no_file_can_have_are_answered_with_the_index(built: TestClient, path: str) -> None:
    answer = built.get(path)
    assert (answer.status_code, answer.text) == (200, INDEX)


def test_pages_that_are_not_built(client: TestClient) -> None:
    answer = client.get("/runs")
    assert answer.status_code == 503
    assert "make up" in answer.text
    assert answer.headers["Content-Type"].startswith("text/html")


def test_request_ids_are_taken_over_when_they_are_plain(built: TestClient) -> None:
    given = built.get("/healthz", headers={"X-Request-ID": "agent-0001"})
    assert given.headers["X-Request-ID"] == "agent-0001"
    strange = built.get("/healthz", headers={"X-Request-ID": "a b<script>"})
    assert strange.headers["X-Request-ID"] != "a b<script>"


def test_a_defect_says_nothing_about_the_inside(built: TestClient) -> None:
    answer = built.get("/api/v1/crash", headers={"X-Request-ID": "request-77"})
    assert answer.status_code == 500
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.json()["code"] == "internal-error"
    assert answer.json()["request_id"] == "request-77"
    assert "secret" not in answer.text
    assert "RuntimeError" not in answer.text


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/v1/nothing", 404, "not-found"),
        ("GET", "/api", 404, "not-found"),
        ("GET", "/api/v1/runs/", 404, "not-found"),
        ("DELETE", "/api/v1/runs", 405, "method-not-allowed"),
        ("POST", "/healthz", 405, "method-not-allowed"),
        ("POST", "/runs", 405, "method-not-allowed"),
        ("GET", "/api/v1/runs/5", 401, "token-missing"),
    ],
)
def test_refusals_of_the_router(built: TestClient, method: str, path: str, status: int, code: str) -> None:
    answer = built.request(method, path)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert answer.json()["type"] == f"/problems/{code}"


def test_health(client: TestClient) -> None:
    assert client.get("/healthz").json() == {"status": "alive"}
    assert client.get("/readyz").json() == {
        "status": "ready",
        "database": True,
        "migrations": True,
        "valkey": True,
        "prepared": True,
    }


def test_under_make_up_it_is_ready_with_the_agents_token(settings: Settings, tmp_path: Path) -> None:
    token = tmp_path / "agent-token"
    with TestClient(create_app(settings.model_copy(update={"ready_with": token}))) as found:
        before = found.get("/readyz")
        token.write_text("tlr_agent_x")
        after = found.get("/readyz")
    assert (before.status_code, before.json()["prepared"]) == (503, False)
    assert (after.status_code, after.json()["status"]) == (200, "ready")


def test_a_schema_that_is_not_migrated_is_not_ready(settings: Settings, empty_postgres_url: str) -> None:
    app = create_app(settings.model_copy(update={"database_url": empty_postgres_url}))
    with TestClient(app) as found:
        answer = found.get("/readyz")
    assert answer.status_code == 503
    assert (answer.json()["database"], answer.json()["migrations"]) == (True, False)


def test_the_contract_is_what_the_api_is(settings: Settings) -> None:
    document = openapi_document(create_app(settings))
    assert json.loads(CONTRACT.read_text()) == document


def test_the_contract_says_how_to_authenticate_and_where_that_is_not_needed() -> None:
    document = json.loads(CONTRACT.read_text())
    assert document["security"] == [{"token": []}]
    assert document["components"]["securitySchemes"]["token"]["scheme"] == "bearer"
    assert document["paths"]["/healthz"]["get"]["security"] == []
    assert document["paths"]["/api/v1/session"]["post"]["security"] == []
    assert "security" not in document["paths"]["/api/v1/runs"]["get"]


def test_every_operation_is_named_and_every_refusal_documented() -> None:
    document = json.loads(CONTRACT.read_text())
    schemas = document["components"]["schemas"]
    assert "HTTPValidationError" not in schemas
    names = set()
    for path, methods in document["paths"].items():
        for operation in methods.values():
            names.add(operation["operationId"])
            for status, answer in operation["responses"].items():
                if path.startswith("/api/") and int(status) >= 400:
                    # Where a page elsewhere shows a badge, one that says “withdrawn” is the answer.
                    is_picture = "/embed/" in path and status == "410"
                    also = ["image/svg+xml"] if is_picture else []
                    assert list(answer["content"]) == ["application/problem+json", *also], (path, status)
    assert len(names) == sum(len(methods) for methods in document["paths"].values())
    text = json.dumps(document)
    for name in {part.split('"')[0] for part in text.split("#/components/schemas/")[1:]}:
        assert name in schemas
