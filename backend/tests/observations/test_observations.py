"""Observations: sent twice they are stored once, private, and beside the runs whose seconds they share."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from backend.tests.agent import Agent, interval
from backend.tests.enrolled import Enrolled
from backend.tests.programs import AGENT
from backend.tests.waiting import until
from fastapi.testclient import TestClient

from tailroom.domain.units import NS_PER_S
from tailroom.kit.identifiers import new_id
from tailroom.kit.limits import (
    OBSERVATION_BATCH,
    OBSERVATION_BODY_BYTES,
    OBSERVATION_GAUGES,
    OBSERVATION_SAMPLES,
)
from tailroom.observations.measured_machines import host_and_port

Json = dict[str, Any]
START_NS = 1_767_225_600_000_000_000
GAUGES = [
    {"group": "cpu", "name": "busy", "of": "", "unit": "percent"},
    {"group": "power", "name": "processors", "of": "package-0", "unit": "watts"},
    {"group": "power", "name": "processors", "of": "package-1", "unit": "watts"},
]


class Observer:
    """An observer whose numbers are this test's."""

    def __init__(self, client: TestClient, token: str) -> None:
        self.client, self.headers = client, {"Authorization": f"Bearer {token}"}
        self.id = str(new_id())

    def announce(self, status: int = 200, **changes: Any) -> Json:
        body = {
            "observation_id": self.id,
            "host_name": "db-01",
            "servers": ["redis://10.0.0.5:6379"],
            "started_at_unix_ns": START_NS,
            "clock_error_ns": 400_000,
            "gauges": GAUGES,
            "unknown": [{"group": "temperature", "reason": "no sensor"}],
            "agent": {"version": "0.1.0"},
            **changes,
        }
        return self.post("/observations", body, status)

    def send(self, first: int, samples: list[list[float | None]], status: int = 200) -> Json:
        return self.post(f"/observations/{self.id}/samples", {"first": first, "samples": samples}, status)

    def post(self, path: str, body: Json, status: int = 200) -> Json:
        answer = self.client.post(f"/api/v1{path}", json=body, headers=self.headers)
        assert answer.status_code == status, answer.text
        found: Json = answer.json()
        return found


@pytest.fixture
def observer(client: TestClient, make_token: Callable[..., str]) -> Observer:
    return Observer(client, make_token())


def seconds(count: int) -> list[list[float | None]]:
    """Busier each second; the two processors take 30 W and 20 W."""
    return [[10.0 * number, 30.0, 20.0] for number in range(count)]


def reading(client: TestClient, token: str, path: str, status: int = 200, **query: Any) -> Any:
    answer = client.get(f"/api/v1{path}", params=query, headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == status, answer.text
    return answer.json()


def window(first_s: int, until_s: int) -> dict[str, Any]:
    return {"since": f"2026-01-01T00:00:{first_s:02}Z", "until": f"2026-01-01T00:00:{until_s:02}Z"}


def test_seconds_that_come_twice_are_stored_once_and_none_is_left_out(
    client: TestClient, observer: Observer, make_token: Callable[..., str]
) -> None:
    assert observer.announce() == {"next": 0}
    assert observer.send(0, seconds(4)) == {"next": 4}
    assert observer.send(2, seconds(6)[2:]) == {"next": 6}
    assert observer.send(0, seconds(4)) == {"next": 6}
    assert observer.send(8, seconds(1)) == {"next": 6}
    assert observer.announce() == {"next": 6}
    observer.announce(409, host_name="other")
    observer.send(6, [[1.0]], 422)
    finish = f"/observations/{observer.id}/finish"
    assert observer.post(finish, {"samples": 6}) == observer.post(finish, {"samples": 6}) == {"next": 6}
    observer.post(finish, {"samples": 5}, 409)
    observer.send(6, seconds(1), 409)
    viewer = make_token("viewer")
    found = reading(client, viewer, f"/observations/{observer.id}", group="cpu", **window(1, 9))
    assert found["offset_ns"] == [number * NS_PER_S for number in range(5)]
    assert found["gauges"][0]["mean"] == found["gauges"][0]["greatest"] == [10.0, 20.0, 30.0, 40.0, 50.0]
    answer = client.delete(
        f"/api/v1/observations/{observer.id}", headers={"Authorization": f"Bearer {make_token('engineer')}"}
    )
    assert answer.status_code == 204
    reading(client, viewer, f"/observations/{observer.id}", 404, group="cpu", **window(1, 9))


def test_what_is_too_much_or_no_number_is_refused(observer: Observer) -> None:
    observer.announce(422, gauges=GAUGES[:1] * (OBSERVATION_GAUGES + 1))
    observer.announce()
    observer.send(0, seconds(1) * (OBSERVATION_BATCH + 1), 422)
    observer.send(OBSERVATION_SAMPLES + 1, seconds(1), 422)
    path = f"/api/v1/observations/{observer.id}/samples"
    for text, status in (
        ('{"first": 0, "samples": [[NaN, 1, 1]]}', 422),
        ('{"first": 0, "samples": [[' + "1," * OBSERVATION_BODY_BYTES + "1]]}", 413),
    ):
        headers = observer.headers | {"content-type": "application/json"}
        assert observer.client.post(path, content=text, headers=headers).status_code == status


def test_a_long_window_is_put_together_into_steps_that_keep_the_greatest(
    client: TestClient, observer: Observer, make_token: Callable[..., str]
) -> None:
    observer.announce()
    observer.send(0, [[None, 30.0, None], [1.0, 30.0, None], [5.0, 30.0, None]] * 200)
    observer.send(600, [[2.0, 30.0, None]] * 480)
    query: dict[str, Any] = {
        "group": "cpu",
        "since": "2026-01-01T00:00:00Z",
        "until": "2026-01-01T00:18:00Z",
    }
    found = reading(client, make_token("viewer"), f"/observations/{observer.id}", **query)
    assert (found["step_s"], len(found["offset_ns"])) == (3, 360)
    busy = found["gauges"][0]
    assert (busy["mean"][0], busy["greatest"][0], busy["mean"][-1]) == (3.0, 5.0, 2.0)
    reading(
        client, make_token("viewer"), f"/observations/{observer.id}", 422, **query | {"since": "2026-01-01"}
    )


def run_of(agent: Agent, **changes: Any) -> str:
    """A run of 20 seconds of 3 operations each, that begins 10 s after the observation."""
    plan = {"title": "a run", "target": {"driver": "redis", "address": "10.0.0.5:6379", "database": None}}
    started = {"started_at_unix_ns": START_NS + 10 * NS_PER_S}
    assert agent.announce(**({"plan": plan} | started | changes)).status_code == 201
    assert agent.send([interval(0, seq) for seq in range(20)]).status_code == 200
    assert agent.finish({0: 19}, duration_ns=20 * NS_PER_S).status_code == 200
    return agent.run_id


def test_a_run_shows_its_servers_seconds_and_operations_for_each_joule(
    client: TestClient, observer: Observer, agent: Agent, make_token: Callable[..., str]
) -> None:
    observer.announce()
    observer.send(0, seconds(25))
    run_id = run_of(agent)
    found = reading(client, make_token("viewer"), f"/runs/{run_id}/observations")
    (shown,) = found["observations"]
    assert (shown["relation"], shown["start_ns"], shown["seconds"]) == ("server", -10 * NS_PER_S, 25)
    assert (shown["clock_error_ns"], shown["unknown"][0]["reason"]) == (400_000, "no sensor")
    (of_reads,) = found["efficiency"]
    # 15 seconds are shared: 3 operations a second for 50 W.
    assert (of_reads["operation"], of_reads["seconds"], of_reads["watts"]) == ("read", 15, 50.0)
    assert (of_reads["from_ns"], of_reads["until_ns"]) == (0, 15 * NS_PER_S)
    assert of_reads["of"] == ["package-0", "package-1"]
    assert of_reads["operations_per_joule"] == pytest.approx(3 / 50)


def test_watts_that_are_not_all_known_give_no_efficiency(
    client: TestClient, observer: Observer, agent: Agent, make_token: Callable[..., str]
) -> None:
    observer.announce(host_name="bench-01")
    observer.send(0, [[1.0, 30.0, None]] * 25)
    found = reading(client, make_token("viewer"), f"/runs/{run_of(agent)}/observations")
    assert (found["observations"][0]["relation"], found["efficiency"]) == ("both", [])


def test_nobody_else_sees_them_whatever_is_published(
    client: TestClient, observer: Observer, agent: Agent, make_token: Callable[..., str], organisation: str
) -> None:
    observer.announce()
    observer.send(0, seconds(25))
    stranger = make_token("viewer", f"{organisation} other")
    run_id = run_of(agent)
    reading(client, stranger, f"/observations/{observer.id}", 404, group="cpu", **window(0, 9))
    reading(client, stranger, f"/runs/{run_id}/observations", 404)
    foreign = Agent(client, make_token("agent", f"{organisation} other"))
    others = reading(client, stranger, f"/runs/{run_of(foreign)}/observations")
    assert others == {"observations": [], "efficiency": []}


def test_a_campaign_shows_what_its_server_did(
    client: TestClient, observer: Observer, make_token: Callable[..., str]
) -> None:
    engineer = {"Authorization": f"Bearer {make_token('engineer')}"}
    code = client.post("/api/v1/agent/codes", headers=engineer).json()["code"]
    enrolled = Enrolled(client, code, inventory={"hostname": "client-1"}).answer.json()
    asked = {"title": "t", "plan": "p", "target": "redis://10.0.0.5", "agents": [enrolled["agent_id"]]}
    begun = client.post("/api/v1/campaigns", json=asked, headers=engineer).json()
    now_ns = client.get("/api/v1/clock").json()["unix_ns"]
    observer.announce(started_at_unix_ns=now_ns - 30 * NS_PER_S)
    observer.send(0, seconds(40))
    found = reading(client, make_token("viewer"), f"/campaigns/{begun['campaign_id']}/observations")
    assert [one["relation"] for one in found["observations"]] == ["server"]


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("redis://10.0.0.5", "10.0.0.5:6379"),
        ("10.0.0.5:6379", "10.0.0.5:6379"),
        ("redis://:secret@DB:7000/3", "db:7000"),
        ("postgresql://bench@db/bench", "db:5432"),
        ("valkey://db", "db:6379"),
        ("valkeys://db", "db:6379"),
        ("aerospikes://db/memory", "db:4333"),
        ("unix:/run/valkey.sock", "localhost unix:/run/valkey.sock"),
    ],
)
def test_an_address_is_known_again_however_it_is_written(address: str, place: str) -> None:
    assert host_and_port(address) == place


def test_the_observer_delivers_what_it_saw_while_the_backend_was_away(
    server_address: str, make_token: Callable[..., str], tmp_path: Path
) -> None:
    spool, token_file = tmp_path / "spool", tmp_path / "token"
    token_file.write_text(make_token())

    def observe(url: str, seconds_long: int) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [
                *(str(AGENT), "observe", "--backend", url, "--token-file", str(token_file)),
                *("--spool", str(spool), "--name", "here", "--duration-s", str(seconds_long)),
                *("--every-s", "1", "--deliver-wait-s", "1"),
            ],
            capture_output=True,
            text=True,
            timeout=90,
            check=False,
        )

    away = observe("http://127.0.0.1:9", 2)
    assert (away.returncode, "stays in the spool" in away.stderr) == (3, True), away.stderr
    left = list((tmp_path / "spool-observations").iterdir())
    assert len(left) == 1
    there = observe(server_address, 3)
    assert there.returncode == 0, there.stderr
    assert list((tmp_path / "spool-observations").iterdir()) == []
    headers = {"Authorization": f"Bearer {make_token('viewer')}"}
    query = {"group": "cpu", "since": "2026-01-01T00:00:00Z", "until": "2126-01-01T00:00:00Z"}

    def stored() -> Json:
        answer = httpx.get(
            f"{server_address}/api/v1/observations/{left[0].name}", params=query, headers=headers
        )
        found: Json = answer.json() if answer.status_code == 200 else {}
        return found

    found = until(stored)
    busy = next(one for one in found["gauges"] if one["name"] == "busy")
    assert len(busy["mean"]) == 2
    assert any(number is not None and 0 <= number <= 100 for number in busy["mean"]), json.dumps(found)
