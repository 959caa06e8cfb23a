"""What pages elsewhere show of a published run, and what its page says of itself to whoever shows links."""

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import UUID
from xml.etree import ElementTree as ET

import pytest
from backend.tests.reports.storing import HOSTILE
from fastapi.testclient import TestClient
from PIL import Image

from tailroom.api.app import create_app
from tailroom.kit.settings import Settings

Header = dict[str, str]
PICTURES = ("badge.svg", "chart.svg", "chart", "preview.png")


@pytest.fixture(scope="module")
def open_client(settings: Settings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """An installation that lets everybody see what is published."""
    pages: Path = tmp_path_factory.mktemp("pages")
    (pages / "index.html").write_text("<!doctype html><html><head><title>Tailroom</title></head></html>")
    chosen = settings.model_copy(update={"open_previews": True, "ui_dist": pages})
    with TestClient(create_app(chosen), raise_server_exceptions=False) as found:
        yield found


def publish(client: TestClient, engineer: Header, run_id: UUID) -> None:
    assert client.post(f"/api/v1/runs/{run_id}/publish", headers=engineer).status_code == 200


def embed(run_id: UUID, picture: str) -> str:
    return f"/api/v1/runs/{run_id}/embed/{picture}"


@pytest.mark.parametrize("picture", PICTURES)
def test_only_what_is_published_is_shown(
    client: TestClient, open_client: TestClient, engineer: Header, store: Callable[..., UUID], picture: str
) -> None:
    run_id = store()
    for one, headers in ((client, engineer), (open_client, {})):
        assert one.get(embed(run_id, picture), headers=headers).status_code == 404
    publish(client, engineer, run_id)
    shown = client.get(embed(run_id, picture), headers=engineer)
    assert shown.status_code == 200
    assert shown.headers["cross-origin-resource-policy"] == "cross-origin"
    assert "frame-ancestors *" in shown.headers["content-security-policy"]
    assert client.get(embed(run_id, picture)).status_code == 401
    everybody = open_client.get(embed(run_id, picture))
    assert (everybody.status_code, everybody.content) == (200, shown.content)


def test_nothing_else_is_open_to_everybody(
    open_client: TestClient, engineer: Header, store: Callable[..., UUID]
) -> None:
    run_id = store()
    publish(open_client, engineer, run_id)
    for path in ("", "/report.html", "/percentiles"):
        assert open_client.get(f"/api/v1/runs/{run_id}{path}").status_code == 401
    wrong = {"Authorization": "Bearer tailroom_nonsense"}
    assert open_client.get(embed(run_id, "badge.svg"), headers=wrong).status_code == 401


def test_a_badge_says_the_verdict_or_that_the_run_was_withdrawn(
    open_client: TestClient, engineer: Header, store: Callable[..., UUID]
) -> None:
    run_id = store(title=HOSTILE)
    publish(open_client, engineer, run_id)
    badge = open_client.get(embed(run_id, "badge.svg")).text
    run = open_client.get(f"/api/v1/runs/{run_id}", headers=engineer).json()
    assert f">{run['verdicts'][0]['words']} · " in badge
    ET.fromstring(badge)  # noqa: S314 - our own
    open_client.post(f"/api/v1/runs/{run_id}/retract", headers=engineer, json={"reason": "secret reason"})
    gone = open_client.get(embed(run_id, "badge.svg"))
    assert (gone.status_code, gone.headers["content-type"]) == (410, "image/svg+xml")
    assert "withdrawn" in gone.text
    assert "secret reason" not in gone.text


def test_a_preview_is_a_picture_of_the_usual_size(
    open_client: TestClient, engineer: Header, store: Callable[..., UUID]
) -> None:
    run_id = store()
    publish(open_client, engineer, run_id)
    picture = Image.open(io.BytesIO(open_client.get(embed(run_id, "preview.png")).content))
    assert (picture.format, picture.size) == ("PNG", (1200, 630))


def test_the_page_of_a_published_run_says_what_a_link_shows(
    open_client: TestClient, client: TestClient, engineer: Header, store: Callable[..., UUID]
) -> None:
    run_id = store(title=HOSTILE)
    plain = open_client.get(f"/runs/{run_id}").text
    assert "og:title" not in plain
    publish(open_client, engineer, run_id)
    page = open_client.get(f"/runs/{run_id}").text
    assert f'property="og:image" content="http://testserver/api/v1/runs/{run_id}/embed/preview.png"' in page
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "og:title" not in open_client.get("/runs").text
    open_client.post(f"/api/v1/runs/{run_id}/retract", headers=engineer, json={})
    assert open_client.get(f"/runs/{run_id}").text == plain


def test_json_ld_holds_the_figures_of_the_api(
    client: TestClient, engineer: Header, store: Callable[..., UUID]
) -> None:
    run_id = store()
    figures = client.get(f"/api/v1/runs/{run_id}/figures", headers=engineer).json()["operations"]
    answer = client.get(f"/api/v1/runs/{run_id}/report.csv", headers=engineer)
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    expected = {
        f"{one['operation']} {one['clock']} {figure['quantity']}": figure["lower"]
        for one in figures
        for figure in one["figures"]
    }
    described = json.loads(client.get(f"/api/v1/runs/{run_id}/report.jsonld", headers=engineer).text)
    assert described["@type"] == "Dataset"
    assert described["url"] == f"http://testserver/runs/{run_id}"
    measured = {one["name"]: one["minValue"] for one in described["variableMeasured"]}
    assert measured == expected
