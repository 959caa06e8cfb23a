"""Whoever publishes a run shows no name of a machine that they have not ticked: on no route, in no file."""

import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote
from uuid import UUID

import pytest
from backend.tests.access.test_capabilities import routes
from backend.tests.agent import Agent, interval, series
from backend.tests.analysis.recording import look_at_run
from fastapi.testclient import TestClient

from tailroom.analysis.pictures import draw
from tailroom.api.app import create_app
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.private_names import NeutralNames, names_in
from tailroom.kit.settings import Settings
from tailroom.kit.transactions import transactions_of

WORD = "quagmirevale"
"""In every private name of the run."""
HOST = {
    "hostname": f"{WORD}-db1",
    "block_devices": [{"name": f"nvme{WORD}", "model": "Kioxia CD8P", "serial_sha256": f"{WORD}5f3c"}],
    "file_systems": [{"path": f"/srv/{WORD}/act.dat", "source": f"/dev/nvme{WORD}", "type": "ext4"}],
    "unknown": {f"block_devices.nvme{WORD}.firmware": f"nvme{WORD} does not say"},
    "notes": f"rack 7 of {WORD}",
}
PLAN = {
    "act_storage": {"path": f"/srv/{WORD}/act.dat", "engine": "io_uring", "load_multiple": 1.0},
    "redis": {"address": f"{WORD}-db1:6379"},
}


@pytest.fixture(scope="module")
def everybody(settings: Settings) -> Iterator[TestClient]:
    """An installation that shows visitors, and pages elsewhere, what is published."""
    more = {"open_browsing": True, "open_previews": True, "live_max_lifetime_s": 0.1}
    with TestClient(create_app(settings.model_copy(update=more)), raise_server_exceptions=False) as found:
        yield found


@dataclass
class Published:
    """A run with private names everywhere, and who reads it."""

    client: TestClient
    run_id: str
    owner: Mapping[str, str]
    readers: Mapping[str, Mapping[str, str]]
    secret: str

    def publish(self, *shown: str) -> dict[str, Any]:
        answer = self.client.post(
            f"/api/v1/runs/{self.run_id}/publish", headers=self.owner, json={"shown": shown}
        )
        assert answer.status_code == 200, answer.text
        document: dict[str, Any] = answer.json()
        return document

    def told(self) -> Iterator[tuple[str, str, str]]:
        """Who reads what on which route: all of it as text."""
        for name, headers in self.readers.items():
            for path in PATHS:
                # A document takes seconds to make: one reader has the pack, the other one the page.
                if not path.endswith(UNREAD[name]):
                    yield name, path, self._text(self._place(path), headers)
        for path in ("", "/report.html", "/report.csv", "/chart", "/chart.svg", "/badge.svg"):
            yield "link", path, self._text(f"/shared/{self.secret}{path}", {})
        for picture in ("badge.svg", "chart", "chart.svg"):
            embedded = f"/api/v1/runs/{self.run_id}/embed/{picture}"
            yield "owner's badge elsewhere", picture, self._text(embedded, self.owner)

    def _place(self, path: str) -> str:
        ids = {
            "run_id": self.run_id,
            "form": "html",
            "picture": "badge.svg",
            "kind": "drive",
            "name": "chart",
        }
        where = re.sub(r"{(\w+)}", lambda one: ids.get(one[1], "00000000-0000-7000-8000-000000000000"), path)
        run = self.run_id
        match path:
            case "/api/v1/comparisons" | "/api/v1/comparisons/report.{form}":
                return f"{where}?before={run}&after={run}&run={run}&run={run}"
            case "/api/v1/sla/carry/report.{form}":
                asked = {"production": {"run_id": run}, "subjects": [f"run:{run}"]}
                body = asked | {"budget": {"objective": "99% read < 1ms"}}
                return f"{where}?question={quote(json.dumps(body))}"
            case "/api/v1/runs":
                return f"{where}?scope=public&limit=100"
            case _:
                return where

    def _text(self, place: str, headers: Mapping[str, str]) -> str:
        answer = self.client.get(place, headers=headers)
        assert answer.status_code < 500, (place, answer.text)
        if answer.headers.get("content-type") != "application/zip":
            return str(answer.text)
        with zipfile.ZipFile(io.BytesIO(answer.content)) as pack:
            return "".join(pack.read(one).decode(errors="replace") for one in pack.namelist())


UNREAD = {"another organisation": "/page.html", "visitor": "/pack.zip"}
PATHS = sorted({path for method, path, _ in routes() if method == "GET" and not path.endswith("/events")})


@pytest.fixture
def published(
    everybody: TestClient, database: Database, make_token: Callable[..., str], organisation: str
) -> Iterator[Published]:
    agent = Agent(everybody, make_token())
    title = f"ACT 1x on {WORD}-db1"
    assert agent.announce(title=title, host=HOST, plan=PLAN).status_code == 201
    definitions = [series(no, host=f"{WORD}-db1", device=f"/dev/nvme{WORD}") for no in (0, 1)]
    assert (
        agent.send([interval(no, seq) for no in (0, 1) for seq in range(30)], definitions).status_code == 200
    )
    reason = f"the file /srv/{WORD}/act.dat was full"
    assert agent.finish({0: 29, 1: 29}, reason=reason).status_code == 200
    with database.transaction() as session:
        assert look_at_run(session, UUID(agent.run_id), utc_now()) is not None
    owner = {"Authorization": f"Bearer {make_token('engineer')}"}
    answers = {"answers": {"host.hostname": f"{WORD}-db1"}}
    everybody.patch(f"/api/v1/runs/{agent.run_id}/disclosure", headers=owner, json=answers)
    link = everybody.post(f"/api/v1/runs/{agent.run_id}/links", headers=owner, json={})
    others = {"Authorization": f"Bearer {make_token('engineer', f'not {organisation}')}"}
    found = Published(
        everybody,
        agent.run_id,
        owner,
        {"another organisation": others, "visitor": {}},
        link.json()["path"][8:],
    )
    yield found
    everybody.post(f"/api/v1/runs/{agent.run_id}/retract", headers=owner, json={})


def test_no_name_is_read_by_others_until_it_is_ticked(published: Published, database: Database) -> None:
    names = published.client.get(f"/api/v1/runs/{published.run_id}/names", headers=published.owner).json()
    assert names == {
        "hosts": [f"{WORD}-db1", f"{WORD}-db1:6379"],
        "devices": [f"nvme{WORD}", f"{WORD}5f3c"],
        "paths": [f"/srv/{WORD}/act.dat"],
        "notes": [f"rack 7 of {WORD}"],
    }
    assert published.publish()["shown_names"] == []
    # Pictures are kept as the owner reads them, and read by others afterwards.
    assert draw(transactions_of(database, None), UUID(published.run_id))
    seen = 0
    for who, path, text in published.told():
        assert WORD not in text, (who, path, text[max(0, text.find(WORD) - 80) :][:200])
        seen += published.run_id in text or "host 1" in text
    assert seen >= 12, "and there was something to read"
    read = published.client.get(
        f"/api/v1/runs/{published.run_id}", headers=published.readers["another organisation"]
    ).json()
    assert (read["title"], read["host_name"]) == ("ACT 1x on host 1", "host 1")
    assert read["host"]["block_devices"][0] == {
        "name": "device 1",
        "model": "Kioxia CD8P",
        "serial_sha256": "device 2",
    }
    assert read["plan"]["act_storage"] == {"path": "path 1", "engine": "io_uring", "load_multiple": 1.0}
    assert {one["device"] for one in read["series"]} == {"device 1"}
    assert read["outcome_reason"] == "the file path 1 was full"
    mine = published.client.get(f"/api/v1/runs/{published.run_id}", headers=published.owner).json()
    assert (mine["title"], mine["host"]["hostname"]) == (f"ACT 1x on {WORD}-db1", f"{WORD}-db1")


def test_nothing_is_found_or_put_in_order_by_a_name_that_is_not_shown(published: Published) -> None:
    def found(**query: str) -> list[str]:
        headers = published.readers["another organisation"]
        answer = published.client.get("/api/v1/runs", headers=headers, params={"scope": "public", **query})
        return [one["run_id"] for one in answer.json()["runs"]]

    published.publish()
    assert found(q=WORD) == found(q=WORD, sort="title") == []
    assert published.run_id in found(q="ACT 1x on host")
    published.publish("hosts")
    assert found(q=WORD) == [published.run_id]


def test_what_is_ticked_is_read_as_it_is(published: Published) -> None:
    published.publish("hosts", "devices")
    for headers in published.readers.values():
        read = published.client.get(f"/api/v1/runs/{published.run_id}", headers=headers).json()
        assert (read["title"], read["host_name"]) == (f"ACT 1x on {WORD}-db1", f"{WORD}-db1")
        assert read["series"][0]["device"] == f"/dev/nvme{WORD}"
        assert read["host"]["notes"] == "note 1"
        assert read["plan"]["act_storage"]["path"] == "path 1"
    assert f"{WORD}-db1" in published.client.get(f"/shared/{published.secret}").text
    # Ticked no more, it is neutral again at once.
    published.publish()
    assert WORD not in published.client.get(f"/shared/{published.secret}").text


def test_what_is_no_name_stays() -> None:
    document = {
        "workload": "act-storage",
        "redis": {"server": "redis", "engine": "redis", "tls": True},
        "host": {
            "hostname": "act",
            "os": {"kernel": "6.1.0-18-amd64"},
            "virtualisation": {"container": None},
        },
        "parameters": {"filename": "/dev/sda:/dev/sdb", "version": "1.2.3.4", "host": "localhost"},
        "text": "act on redis was slow",
        "unknown": {"block_devices.vda.device": "/sys/block/vda/device: No such file or directory"},
        "said": "/sys/block/vda: not there",
    }
    found = names_in(document)
    assert (
        found == {"redis": "hosts", "act": "hosts", "/dev/sda:/dev/sdb": "devices"} or "sda:/dev/sdb" in found
    )
    names = NeutralNames(())
    names.add(found)
    said = names.document(document)
    assert (said["workload"], said["redis"]["engine"], said["redis"]["server"]) == (
        "act-storage",
        "redis",
        "host 1",
    )
    assert said["parameters"] == {"filename": "device 1", "version": "1.2.3.4", "host": "localhost"}
    assert said["text"] == "host 2 on host 1 was slow"
    assert names.document(said) == said, "said twice it is the same"
