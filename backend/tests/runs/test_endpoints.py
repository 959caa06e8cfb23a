"""Lists of runs are cut into pages without loss, and a run says everything that is known about it."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from backend.tests.agent import GOLDEN, Agent, interval
from fastapi.testclient import TestClient

from tailroom.kit.identifiers import new_id

SECOND = 1_000_000_000


@pytest.fixture
def read(client: TestClient, make_token: Callable[..., str]) -> Callable[..., Any]:
    headers = {"Authorization": f"Bearer {make_token('viewer')}"}

    def get(path: str = "", **query: Any) -> Any:
        return client.get(f"/api/v1/runs{path}", headers=headers, params=query).json()

    return get


@pytest.fixture
def announce(client: TestClient, make_token: Callable[..., str]) -> Callable[..., Agent]:
    token = make_token()

    def make(**changes: Any) -> Agent:
        agent = Agent(client, token)
        assert agent.announce(**changes).status_code == 201
        return agent

    return make


def test_pages_show_every_run_once_newest_first(
    announce: Callable[..., Agent], read: Callable[..., Any]
) -> None:
    begun = [5, 3, 3, 3, 9, 1, 3]
    agents = [announce(started_at_unix_ns=at * SECOND) for at in begun]
    expected = sorted(((at, agent.run_id) for at, agent in zip(begun, agents, strict=True)), reverse=True)
    first = read(limit=2)
    assert first["total"] == 7
    newer = announce(started_at_unix_ns=100 * SECOND)
    pages = [first]
    while pages[-1]["next_cursor"] is not None:
        pages.append(read(limit=2, cursor=pages[-1]["next_cursor"]))
    seen = [run["run_id"] for page in pages for run in page["runs"]]
    assert seen == [run_id for _, run_id in expected]
    assert [len(page["runs"]) for page in pages] == [2, 2, 2, 1]
    assert read(limit=1)["runs"][0]["run_id"] == newer.run_id


def test_filters(announce: Callable[..., Agent], read: Callable[..., Any]) -> None:
    ended = announce(title="Nightly 100%_a")
    ended.finish({})
    fraud = announce(workload="fraud-transaction", title="other")
    elsewhere = announce(host={"hostname": "Rack-7"}, title="other")

    def ids(**query: str) -> set[str]:
        page = read(**query)
        assert page["total"] == len(page["runs"])
        return {run["run_id"] for run in page["runs"]}

    assert ids(state="finished") == {ended.run_id}
    assert ids(state="running") == {fraud.run_id, elsewhere.run_id}
    assert ids(workload="fraud-transaction") == {fraud.run_id}
    assert ids(q="nightly") == {ended.run_id}
    assert ids(q="100%_") == {ended.run_id}
    assert ids(q="100__a") == set()
    assert ids(q="rack-7") == {elsewhere.run_id}
    assert ids(q="other", state="finished") == set()


@pytest.mark.parametrize(
    "query",
    [
        {"limit": 0},
        {"limit": 201},
        {"state": "lost"},
        {"cursor": "x"},
        {"cursor": "AAAA"},
        {"cursor": "f" * 32},
        {"q": "a\x00"},
        {"q": "x" * 201},
    ],
)
def test_malformed_queries_are_refused(
    client: TestClient, make_token: Callable[..., str], query: dict[str, Any]
) -> None:
    headers = {"Authorization": f"Bearer {make_token('viewer')}"}
    answer = client.get("/api/v1/runs", headers=headers, params=query)
    assert answer.status_code == 422, answer.text
    assert answer.json()["code"] in ("request-invalid", "cursor-unreadable")


def test_another_organisations_runs_do_not_exist(
    announce: Callable[..., Agent], client: TestClient, make_token: Callable[..., str]
) -> None:
    run_id = announce().run_id
    stranger = {"Authorization": f"Bearer {make_token('viewer', owner='strangers')}"}
    assert client.get("/api/v1/runs", headers=stranger, params={"q": "a run"}).json()["total"] == 0
    foreign = client.get(f"/api/v1/runs/{run_id}", headers=stranger)
    unknown = client.get(f"/api/v1/runs/{new_id()}", headers=stranger)
    assert (foreign.status_code, unknown.status_code) == (404, 404)
    assert foreign.json()["detail"].replace(run_id, "") == unknown.json()["detail"].replace(
        unknown.json()["detail"].split()[4], ""
    )
    for path in ("/events", "/timeline", "/percentiles", "/exceedance"):
        assert client.get(f"/api/v1/runs/{run_id}{path}", headers=stranger).status_code == 404, path
    assert client.post(f"/api/v1/runs/{run_id}/stop", headers=stranger).status_code == 404


def test_a_run_in_detail(announce: Callable[..., Agent], read: Callable[..., Any]) -> None:
    golden = msgspec.json.decode((GOLDEN / "announce.json").read_bytes())
    golden.pop("run_id")
    agent = announce(**golden)
    agent.send([interval(0, 0), interval(1, 1)])
    run = read(f"/{agent.run_id}")
    assert run["started_at"] == "2026-01-01T00:00:00Z"
    assert run["host_name"] == "bench-01"
    assert run["target_name"] == "SAMSUNG MZQL23T8HCLS-00A07"
    assert run["plan"] == golden["plan"]
    assert [one["contiguous_seq"] for one in run["series"]] == [0, -1]
    assert [one["received_count"] for one in run["series"]] == [1, 1]
    layout = {name: value for name, value in run["series"][1]["layout"].items() if value}
    assert layout == {"t": "hdr", "unit_ns": 1000, "significant_digits": 3}
    assert run["missing"] == [{"series": 1, "from_seq": 0, "to_seq": 0}]
    assert run["data_through_ns"] == 2 * SECOND
    assert run["verdicts"] == []
    disclosure = run["disclosure"]
    missing = {one["field"] for one in disclosure["missing"]}
    assert missing == {
        "agent.commit",
        "plan.act_storage.preconditioning",
        "plan.act_storage.over_provisioning",
    }
    assert disclosure["given_count"] + len(missing) == disclosure["required_count"]


def test_a_run_that_discloses_nothing(announce: Callable[..., Agent], read: Callable[..., Any]) -> None:
    agent = announce(host={}, plan={}, workload="fraud-transaction")
    run = read(f"/{agent.run_id}")
    assert run["host_name"] is None
    assert run["target_name"] is None
    assert run["disclosure"]["given_count"] == 1


def test_strange_inventories_are_shown_as_they_are(
    announce: Callable[..., Agent], read: Callable[..., Any]
) -> None:
    for host in ({"hostname": 5}, {"block_devices": [7]}, {"block_devices": {"a": 1}, "cpu": "x"}):
        agent = announce(host=host)
        assert read(f"/{agent.run_id}")["host"] == host
