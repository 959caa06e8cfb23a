"""Three real agents drive one real Valkey: one instant, one record, and what becomes of a lost one."""

import threading
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import redis
from backend.tests.analysis.recording import look_at_run
from backend.tests.campaigns.serving import Installation, Json, Serving
from backend.tests.waiting import PATIENCE_S, until

from tailroom.campaigns import pacing, service
from tailroom.campaigns.tending import tend
from tailroom.embedded.valkey import EmbeddedValkey
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.transactions import transactions_of
from tailroom.storage.campaign import Campaign

PLAN = """
workload = "keyvalue"
title = "three"
[keyvalue]
ratio = "1:4"
key_maximum = 999
object_bytes = 100
connections = 6
rate_per_s = 601
ramp_s = 0
measure_s = {seconds}
"""
NAMES = ("one", "two", "three")
INSERTING = """
recordcount=1000
maxexecutiontime=2
target=901
threadcount=3
readproportion=0.9
updateproportion=0
insertproportion=0.1
requestdistribution=latest
insertorder=ordered
fieldcount=2
"""


@pytest.fixture
def serving(installation: Installation, serve: Callable[..., list[Serving]]) -> dict[str, Serving]:
    """Three agents that serve, allowed to measure the server."""
    return {agent.name: agent for agent in serve(installation, *NAMES, more="most_connections = 6")}


class Tended:
    """A campaign that this process tends as a worker does."""

    def __init__(self, installation: Installation, database: Database, begun: Json) -> None:
        self._installation, self._database = installation, database
        self.campaign_id = begun["campaign_id"]
        with database.transaction() as session:
            found = session.query(Campaign).filter(Campaign.campaign_id == UUID(self.campaign_id)).one()
            self._organisation_id = found.organisation_id

    def now(self) -> Json:
        """How it is, after a worker has looked."""
        transactions = transactions_of(self._database, self._organisation_id)
        tend(transactions, self._organisation_id, UUID(self.campaign_id), utc_now())
        return self._installation.campaign(self.campaign_id)

    def when(self, what: Callable[[Json], Any]) -> Json:
        """How it is as soon as something is so."""
        now: Json = {}

        def is_so() -> Any:
            now.update(self.now())
            return what(now)

        until(is_so, every_s=0.5, told=lambda: now)
        return now


def counts(installation: Installation, run_id: str) -> dict[tuple[str, str], int]:
    """Operations of a run by operation and clock."""
    timeline = installation.get(f"/runs/{run_id}/timeline")
    return {(one["operation"], one["clock"]): sum(one["ticks"]["count"]) for one in timeline["series"]}


def port_of(server: EmbeddedValkey) -> int:
    """Where it listens."""
    return int((server.address or "").rpartition(":")[2])


def client_of(server: EmbeddedValkey) -> redis.Redis:
    """A client of the server."""
    return redis.Redis("127.0.0.1", port_of(server), password=server.password)


class Watching:
    """Who asked a server first, as the server itself saw it."""

    def __init__(self, server: EmbeddedValkey) -> None:
        self._monitor: Any = client_of(server).monitor()  # type: ignore[no-untyped-call]
        self._seen: list[tuple[float, str, int]] = []
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def _watch(self) -> None:
        try:
            for event in self._monitor.listen():
                if event["command"][:3].upper() in ("GET", "SET"):
                    self._seen.append((event["time"], event["client_address"], int(event["client_port"])))
        except (redis.ConnectionError, OSError, ValueError, AttributeError):
            return

    def __enter__(self) -> "Watching":
        self._monitor.__enter__()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._monitor.connection.disconnect()

    def first_of(self, ports: set[int], after: float) -> float:
        """When a client on one of these ports asked first."""
        return min(at for at, _, port in self._seen if port in ports and at >= after)

    def first_from(self, address: str, after: float) -> float:
        """When a client at this address asked first."""
        return min(at for at, client, _ in self._seen if client == address and at >= after)


def test_three_agents_begin_together_and_their_record_is_the_exact_sum(
    installation: Installation,
    database: Database,
    serving: dict[str, Serving],
    throw_away_valkey: EmbeddedValkey,
) -> None:
    target = f"redis://{throw_away_valkey.address}"
    with Watching(throw_away_valkey) as watching:
        begun = installation.begin("three", PLAN.format(seconds=3), target, NAMES)
        tended = Tended(installation, database, begun)
        running = tended.when(lambda now: now["phases"] and now["phases"][1]["state"] == "running")
        start_s = datetime.fromisoformat(running["phases"][1]["start_at"]).timestamp()
        time.sleep(max(0.0, start_s + 1.0 - time.time()))
        ports = {name: agent.ports(port_of(throw_away_valkey)) for name, agent in serving.items()}
        ended = tended.when(lambda now: now["state"] == "ended" and now["phases"][1]["run_id"])
    assert (ended["outcome"], ended["reason"]) == ("completed", None)
    load, phase = ended["phases"]
    assert (load["state"], load["merged"], phase["merged"]) == ("ended", list(NAMES), list(NAMES))
    loaded = [counts(installation, agent["runs"]["0"])["set", "service"] for agent in ended["agents"]]
    assert loaded == [333, 333, 334]

    # Every client's first operation as the server saw it, against the instant that was agreed.
    firsts = {name: watching.first_of(found, start_s - 0.5) - start_s for name, found in ports.items()}
    allowed_s = max(0.020, phase["apart_ns"] / 1e9)
    assert max(firsts.values()) - min(firsts.values()) <= allowed_s, (firsts, phase["apart_ns"])
    assert all(abs(one) <= allowed_s for one in firsts.values()), (firsts, phase["apart_ns"])

    parts = [counts(installation, agent["runs"]["1"]) for agent in ended["agents"]]
    merged = counts(installation, phase["run_id"])
    assert merged == {key: sum(part[key] for part in parts) for key in parts[0]}
    assert sum(count for (_, clock), count in merged.items() if clock == "service") == 3 * 601
    with database.transaction() as session:
        look_at_run(session, UUID(phase["run_id"]), utc_now())
    percentiles = installation.get(f"/runs/{phase['run_id']}")
    assert percentiles["title"] == "three · run · 3 of 3 agents"
    assert percentiles["plan"]["campaign"]["merged"] == 3
    assert {one["host"] for one in percentiles["series"]} == {"3 agents"}
    histograms = {
        (one["operation"], one["clock"]): sum(one["slices"]["count"])
        for one in installation.get(f"/runs/{phase['run_id']}/timeline")["series"]
        if one.get("slices")
    }
    assert all(count == merged[key] for key, count in histograms.items())


def test_agents_at_a_named_pace_load_begin_and_end_together_as_well(
    installation: Installation,
    database: Database,
    serving: dict[str, Serving],
    throw_away_valkey: EmbeddedValkey,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Three agents as if they were a thousand: only the first advances the campaign.
    for module in (pacing, service):
        monkeypatch.setattr(module, "MANY_AGENTS", 2)
    target = f"redis://{throw_away_valkey.address}"
    tended = Tended(
        installation, database, installation.begin("paced", PLAN.format(seconds=3), target, NAMES)
    )
    running = tended.when(lambda now: now["phases"] and now["phases"][1]["state"] == "running")
    start_s = datetime.fromisoformat(running["phases"][1]["start_at"]).timestamp()
    ended = tended.when(lambda now: now["state"] == "ended" and now["phases"][1]["run_id"])
    assert (ended["outcome"], ended["reason"]) == ("completed", None)
    assert ended["phases"][1]["merged"] == list(NAMES)
    for agent in ended["agents"]:
        began = datetime.fromisoformat(
            installation.get(f"/runs/{agent['runs']['1']}")["started_at"]
        ).timestamp()
        assert abs(began - start_s) < 0.5
    merged = counts(installation, ended["phases"][1]["run_id"])
    assert sum(count for (_, clock), count in merged.items() if clock == "service") == 3 * 601


def test_agents_insert_side_by_side_and_the_next_campaign_loads_anew(
    installation: Installation,
    database: Database,
    serving: dict[str, Serving],
    throw_away_valkey: EmbeddedValkey,
) -> None:
    target, server = f"redis://{throw_away_valkey.address}", client_of(throw_away_valkey)
    begun = installation.begin("inserts", INSERTING, target, NAMES)
    tended = Tended(installation, database, begun)
    ended = tended.when(lambda now: now["state"] == "ended" and now["phases"][1]["run_id"])
    assert (ended["outcome"], ended["reason"]) == ("completed", None)
    merged = counts(installation, ended["phases"][1]["run_id"])
    parts = [counts(installation, agent["runs"]["1"]) for agent in ended["agents"]]
    assert sum(merged[operation, "service"] for operation in ("read", "insert")) == 2 * 901
    # Nobody read what was not there, and nobody inserted what another had.
    run = installation.get(f"/runs/{ended['phases'][1]['run_id']}/timeline")
    assert sum(sum(one["ticks"].get("errors") or [0]) for one in run["series"]) == 0
    numbers = sorted(int(name[4:]) for name in server.keys("user*"))
    inserted = [
        1_000 + agent + 3 * own for agent in range(3) for own in range(parts[agent]["insert", "service"])
    ]
    assert numbers == [*range(1_000), *sorted(inserted)]

    again = Tended(installation, database, installation.post(f"/campaigns/{begun['campaign_id']}/repeat"))
    running = again.when(lambda now: now["phases"] and now["phases"][1]["state"] == "running")
    assert running["phases"][0]["state"] == "ended"
    installation.post(f"/campaigns/{again.campaign_id}/stop", status=200)
    again.when(lambda now: now["state"] == "ended")


def test_a_lost_agent_is_named_within_five_seconds_and_heals_without_loss(
    installation: Installation,
    database: Database,
    serving: dict[str, Serving],
    throw_away_valkey: EmbeddedValkey,
) -> None:
    target = f"redis://{throw_away_valkey.address}"
    begun = installation.begin("lossy", PLAN.format(seconds=7), target, NAMES, on_lost="degrade")
    tended = Tended(installation, database, begun)
    running = tended.when(lambda now: now["phases"] and now["phases"][1]["state"] == "running")
    start_s = datetime.fromisoformat(running["phases"][1]["start_at"]).timestamp()
    time.sleep(max(0.0, start_s + 1.5 - time.time()))
    killed_at = time.time()
    serving["two"].kill()
    lost = tended.when(lambda now: now["phases"][1]["lost"])
    (named,) = lost["phases"][1]["lost"]
    assert named["agent"] == "two"
    assert datetime.fromisoformat(named["at"]).timestamp() - killed_at <= 5.0
    ended = tended.when(lambda now: now["state"] == "ended" and now["phases"][1]["run_id"])
    assert ended["outcome"] == "completed"
    assert ended["reason"].startswith("Lost two: not heard from since")
    phase = ended["phases"][1]
    assert phase["merged"] == ["one", "three"]
    assert "Without what two measured." in phase["remarks"]

    # What it measured until then is in its spool, and comes when it is back.
    serving["two"].serve()
    healed = tended.when(lambda now: now["phases"][1]["merged"] == list(NAMES))
    phase = healed["phases"][1]
    parts = [counts(installation, agent["runs"]["1"]) for agent in healed["agents"]]
    merged = counts(installation, phase["run_id"])
    assert merged == {key: sum(part[key] for part in parts) for key in parts[0]}
    run = installation.get(f"/runs/{phase['run_id']}")
    assert "two was lost" in run["outcome_reason"]
    assert any("live ticks alone" in one for one in phase["remarks"])


def test_what_the_policy_of_a_machine_forbids_is_refused_before_anything_is_written(
    installation: Installation,
    database: Database,
    serving: dict[str, Serving],
    throw_away_valkey: EmbeddedValkey,
) -> None:
    server = client_of(throw_away_valkey)
    serving["one"].allow([], "most_connections = 6")
    begun = installation.begin(
        "forbidden", PLAN.format(seconds=1), f"redis://{throw_away_valkey.address}", ["one", "two"]
    )
    ended = Tended(installation, database, begun).when(lambda now: now["state"] == "ended")
    assert ended["outcome"] == "failed"
    assert "one: The policy of this machine does not allow the server" in ended["reason"]
    assert "does not allow the server" in installation.agents()["one"]["refusals"][0]["sentence"]
    assert server.dbsize() == 0
    again = installation.post(f"/campaigns/{begun['campaign_id']}/repeat")
    assert again["repeat_of"] == begun["campaign_id"]
    stopped = installation.post(f"/campaigns/{again['campaign_id']}/stop", status=200)
    # The policy may have ended it before anybody could.
    assert (stopped["state"], stopped["outcome"]) in (("ended", "stopped"), ("ended", "failed"))


def test_a_code_is_good_once_and_a_removed_agent_is_let_in_no_more(
    installation: Installation, tmp_path: Path
) -> None:
    code = installation.post("/agent/codes")["code"]
    assert code.isalnum(), "it stands in a command line"
    first, second = Serving(tmp_path, "first", ""), Serving(tmp_path, "second", "")
    assert first.enrol(installation.url, code).returncode == 0
    refused = second.enrol(installation.url, code)
    assert refused.returncode == 2
    assert "was used before" in refused.stderr
    again = first.enrol(installation.url, code)
    assert "enrolled before" in again.stderr
    state = tmp_path / "first" / "state"
    assert (state / "key.json").stat().st_mode & 0o777 == 0o600
    assert not (state / "token").exists(), "nothing that lets somebody in has crossed the network"
    enrolled = installation.agents()["first"]
    first.serve()
    until(lambda: installation.agents()["first"]["seen_at"] > enrolled["seen_at"])
    first.kill()
    installation.delete(f"/agents/{enrolled['agent_id']}")
    assert installation.agents() == {}
    first.serve()
    assert first.process is not None
    assert first.process.wait(PATIENCE_S) == 2
    assert first.log.read_text().count("revoked") == 1
    assert "enrol --again" in first.log.read_text()
