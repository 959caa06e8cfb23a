"""The set of headers that every answer has, whatever answers; and what a refusal leaves in the log."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import structlog
from fastapi.testclient import TestClient

from tailroom.api.app import create_app
from tailroom.api.middleware import content_policy
from tailroom.kit.settings import Settings

EVERYWHERE = {
    "Content-Security-Policy": re.compile(r"^default-src 'self'; script-src 'self'( 'sha256-[\w+/=]+')*; "),
    "X-Content-Type-Options": re.compile("^nosniff$"),
    "Referrer-Policy": re.compile("^(same-origin|no-referrer)$"),
    "Cross-Origin-Opener-Policy": re.compile("^same-origin$"),
    "Cross-Origin-Resource-Policy": re.compile("^same-origin$"),
    "Permissions-Policy": re.compile(r"camera=\(\)"),
    "X-Request-ID": re.compile("^[0-9a-f]{32}$"),
}
NOWHERE = ("server", "x-powered-by", "access-control-allow-origin")


@pytest.fixture
def built(settings: Settings, tmp_path: Path) -> TestClient:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "a-1.js").write_text("export {}")
    (tmp_path / "index.html").write_text("<!doctype html><head><script>1</script></head>")
    return TestClient(create_app(settings.model_copy(update={"ui_dist": tmp_path})))


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/", 200),
        ("GET", "/runs", 200),
        ("GET", "/assets/a-1.js", 200),
        ("GET", "/assets/none.js", 404),
        ("GET", "/healthz", 200),
        ("GET", "/api/v1/sign-in-options", 200),
        ("GET", "/api/v1/runs", 401),
        ("GET", "/api/v1/nothing", 404),
        ("DELETE", "/api/v1/runs", 405),
        ("POST", "/api/v1/people", 422),
        ("GET", "/shared/nothing", 404),
        ("GET", "/metrics", 401),
    ],
)
def test_every_answer_has_the_set(built: TestClient, method: str, path: str, status: int) -> None:
    with built:
        answer = built.request(method, path)
    assert answer.status_code == status
    for name, form in EVERYWHERE.items():
        assert form.search(answer.headers.get(name, "")), (name, answer.headers.get(name))
    assert not [name for name in NOWHERE if name in answer.headers]
    kind = answer.headers["Content-Type"]
    assert re.fullmatch(r"application/(problem\+)?json|text/\w+; charset=utf-8", kind), kind
    if path.startswith("/api/"):
        assert answer.headers["Cache-Control"] == "no-store"
        assert answer.headers["Content-Disposition"] == 'attachment; filename="api.json"'


def test_no_script_and_no_code_from_elsewhere() -> None:
    policy = dict(part.split(" ", 1) for part in content_policy().split("; "))
    assert policy["script-src"] == "'self'"
    assert policy["object-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert policy["form-action"] == policy["connect-src"] == "'self'"
    assert "unsafe-eval" not in str(policy)
    assert [name for name, value in policy.items() if "unsafe-inline" in value] == ["style-src"]


def test_refusals_are_in_the_log_without_secrets(client: TestClient, make_token: Callable[..., str]) -> None:
    token = make_token("viewer")
    wrong = token[:-4] + "AAAA"
    secret = "s" * 43
    with structlog.testing.capture_logs() as lines:
        client.get("/api/v1/runs", headers={"Authorization": f"Bearer {wrong}"})
        client.post("/api/v1/session/person", json={"email": "nobody@people.example", "password": secret})
        client.post("/api/v1/runs/00000000-0000-0000-0000-000000000000/stop", headers={"Cookie": secret})
        client.get(f"/shared/{secret}")
    refused = [one for one in lines if one["event"] == "refused"]
    assert [(one["code"], one["route"]) for one in refused[:2]] == [
        ("token-unknown", "/api/v1/runs"),
        ("sign-in-refused", "/api/v1/session/person"),
    ]
    text = json.dumps(lines, default=str)
    assert secret not in text
    assert wrong not in text
    assert "nobody@people.example" not in text
