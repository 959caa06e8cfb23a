"""What a real agent does with commands that are not to be followed, clocks apart, and a stop by hand."""

import re
import subprocess
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from backend.tests.campaigns.serving import Installation, Json, Serving
from backend.tests.campaigns.test_campaigns import PLAN, Tended, client_of, counts, port_of
from backend.tests.programs import AGENT
from backend.tests.waiting import until
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tailroom.campaigns import commands
from tailroom.embedded.valkey import EmbeddedValkey
from tailroom.kit.db import Database

HOUR_NS = 3_600_000_000_000
AHEAD_H = 3
AHEAD = ("env", "DONT_FAKE_MONOTONIC=1", "faketime", "-f", f"+{AHEAD_H}h")


@pytest.fixture(autouse=True)
def _no_leftovers_of_faketime() -> None:
    """Remove what faketime left for killed processes; it refuses to run as a process of the same id."""
    for path in Path("/dev/shm").glob("*faketime_s*_*"):  # noqa: S108
        if not Path("/proc", path.name.rpartition("_")[2]).exists():
            path.unlink(missing_ok=True)


@pytest.fixture
def agent_of(installation: Installation, serve: Callable[..., list[Serving]]) -> Callable[..., Serving]:
    """An agent that serves, allowed to measure the server."""

    def begin(name: str = "one", policy: str = "", before: tuple[str, ...] = ()) -> Serving:
        return serve(installation, name, more=policy, before=before)[0]

    return begin


def begun(installation: Installation, server: EmbeddedValkey, seconds: int = 1) -> Json:
    return installation.begin("t", PLAN.format(seconds=seconds), f"redis://{server.address}", ["one"])


def told(installation: Installation) -> str:
    """What the agent refused last, as the page of agents shows it."""
    refused = installation.agents()["one"]["refusals"]
    return str(refused[0]["sentence"]) if refused else ""


def test_a_forged_command_is_refused_and_nothing_is_written(
    installation: Installation,
    agent_of: Callable[..., Serving],
    throw_away_valkey: EmbeddedValkey,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    agent_of()
    forger = Ed25519PrivateKey.generate()
    monkeypatch.setattr(commands, "key_of", lambda *_: forger)
    campaign_id = begun(installation, throw_away_valkey)["campaign_id"]
    until(lambda: "its signature is not of the installation" in told(installation))
    assert installation.campaign(campaign_id)["state"] == "preparing"
    stopped = installation.post(f"/campaigns/{campaign_id}/stop", status=200)
    assert (stopped["outcome"], stopped["reason"]) == ("stopped", "Stopped on request.")
    assert client_of(throw_away_valkey).dbsize() == 0


def test_a_command_that_is_sent_again_is_refused(
    installation: Installation,
    database: Database,
    agent_of: Callable[..., Serving],
    throw_away_valkey: EmbeddedValkey,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    agent_of()
    sent: list[dict[str, str]] = []
    signed = commands.sign_command

    def once_more(*args: Any) -> dict[str, str]:
        sent.append(signed(*args))
        # The second is the first again, as somebody in between would send it.
        return sent[0] if len(sent) == 2 else sent[-1]

    monkeypatch.setattr(commands, "sign_command", once_more)
    tended = Tended(installation, database, begun(installation, throw_away_valkey))
    ended = tended.when(lambda now: now["state"] == "ended")
    assert "so it was sent before" in told(installation)
    assert (ended["outcome"], len(sent) > 2) == ("completed", True), "the real one came a moment later"


def test_a_stop_by_hand_ends_the_load_and_keeps_what_was_measured(
    installation: Installation,
    database: Database,
    agent_of: Callable[..., Serving],
    throw_away_valkey: EmbeddedValkey,
) -> None:
    agent = agent_of()
    server, port = client_of(throw_away_valkey), port_of(throw_away_valkey)
    tended = Tended(installation, database, begun(installation, throw_away_valkey, seconds=120))
    running = tended.when(lambda now: now["phases"] and now["phases"][1]["state"] == "running")
    start_s = datetime.fromisoformat(running["phases"][1]["start_at"]).timestamp()
    time.sleep(max(0.0, start_s + 1.5 - time.time()))
    until(lambda: agent.ports(port))
    time.sleep(1)
    stopped = installation.post(f"/campaigns/{tended.campaign_id}/stop", status=200)
    assert (stopped["state"], stopped["outcome"]) == ("ended", "stopped")
    until(lambda: not agent.ports(port))
    done = server.info("stats")["total_commands_processed"]
    time.sleep(1)
    assert server.info("stats")["total_commands_processed"] - done < 5, "only we ask it any more"
    kept = tended.when(lambda now: now["phases"][1]["run_id"])
    run_id = kept["phases"][1]["run_id"]
    # The agent ends the load first, then sends the rest of the run.
    until(lambda: installation.get(f"/runs/{run_id}")["outcome"] is not None)
    assert installation.get(f"/runs/{run_id}")["outcome"] == "stopped"
    assert counts(installation, run_id)["get", "service"] > 0
    until(lambda: installation.agents()["one"]["campaign_id"] is None)


def test_a_clock_that_is_hours_off_is_named_before_anything_is_written_and_changes_no_start(
    installation: Installation,
    database: Database,
    agent_of: Callable[..., Serving],
    throw_away_valkey: EmbeddedValkey,
) -> None:
    agent = agent_of(before=AHEAD)
    server = client_of(throw_away_valkey)
    # What the pages of agents and of campaigns show beside its name, before anybody begins anything.
    ahead_ns = installation.agents()["one"]["wall_clock_ahead_ns"]
    assert abs(ahead_ns - AHEAD_H * HOUR_NS) < 60e9, ahead_ns
    # Whole minutes are told: a moment less than three hours is a minute less.
    said = re.compile(r"the clock of this machine is (2 h 59|3 h 0) min ahead of the backend's")
    until(lambda: said.search(agent.log.read_text()), told=agent.log.read_text)
    assert server.dbsize() == 0
    before = datetime.now(UTC)
    tended = Tended(installation, database, begun(installation, throw_away_valkey))
    ended = tended.when(lambda now: now["state"] == "ended" and now["phases"][1]["run_id"])
    assert (ended["outcome"], ended["reason"]) == ("completed", None)
    start = datetime.fromisoformat(ended["phases"][1]["start_at"])
    run = installation.get(f"/runs/{ended['phases'][1]['run_id']}")
    apart_s = abs((datetime.fromisoformat(run["started_at"]) - start).total_seconds())
    assert apart_s < 0.001, "the record has the start by the installation's clock"
    assert before < start < datetime.now(UTC)


def test_the_hours_of_a_policy_follow_the_clock_of_its_machine(
    installation: Installation,
    database: Database,
    agent_of: Callable[..., Serving],
    throw_away_valkey: EmbeddedValkey,
) -> None:
    now = datetime.now(UTC)
    # An hour around what it is here: three hours later by the agent's clock, it is over.
    hours = f'hours_utc = "{(now.hour - 1) % 24:02}:{now.minute:02}-{(now.hour + 1) % 24:02}:{now.minute:02}"'
    agent_of("one", hours, before=AHEAD)
    tended = Tended(installation, database, begun(installation, throw_away_valkey))
    ended = tended.when(lambda now: now["state"] == "ended")
    assert ended["outcome"] == "failed"
    assert "The policy of this machine allows" in ended["reason"]
    assert "UTC; it is" in ended["reason"]
    assert client_of(throw_away_valkey).dbsize() == 0


LADDER = """
workload = "drive-ladder"
[drive_ladder]
loads = [0.05, 0.1]
ramp_s = 0
measure_s = 2
"""


def test_a_drive_ladder_reads_what_the_machine_lists_and_leaves_it_as_it_was(
    installation: Installation, database: Database, agent_of: Callable[..., Serving], tmp_path: Path
) -> None:
    drive = tmp_path / "drive"
    subprocess.run(
        ["dd", "if=/dev/urandom", f"of={drive}", "bs=1M", "count=16"], check=True, capture_output=True
    )
    content, changed = drive.read_bytes(), drive.stat().st_mtime_ns
    agent = agent_of()
    refused = Tended(installation, database, installation.begin("none", LADDER, "drives:", ["one"]))
    ended = refused.when(lambda now: now["state"] == "ended")
    assert "lists no drive that may be read" in ended["reason"], "the default is none"

    agent.allow([], f'devices = ["{drive}"]')
    other = Tended(installation, database, installation.begin("other", LADDER, "drives:/dev/null", ["one"]))
    assert "does not let /dev/null be read" in other.when(lambda now: now["state"] == "ended")["reason"]

    tended = Tended(installation, database, installation.begin("ladder", LADDER, "drives:", ["one"]))
    ended = tended.when(lambda now: now["state"] == "ended" and all(one["run_id"] for one in now["phases"]))
    assert (ended["outcome"], ended["reason"]) == ("completed", None)
    assert [one["name"] for one in ended["phases"]] == ["0.05x", "0.1x"]
    for phase, reads in zip(ended["phases"], (200, 400), strict=True):
        assert phase["remarks"] == ["Reads alone, while nothing writes: no certification by ACT's rules."]
        found = counts(installation, phase["run_id"])
        assert found["read", "response"] == reads
        assert {operation for operation, _ in found} == {"read", "large-block-read"}, "nothing that writes"
    run = installation.get(f"/runs/{ended['phases'][1]['run_id']}")
    assert run["workload"] == "act-storage"
    assert run["plan"]["act_storage"]["read_only"] is True
    assert run["plan"]["ladder"]["step"] == 2
    assert run["plan"]["differs_from_original"][0].startswith("Reads alone")
    assert (drive.read_bytes(), drive.stat().st_mtime_ns) == (content, changed)


def test_drives_of_several_agents_begin_together_and_are_not_added_up(
    installation: Installation, database: Database, agent_of: Callable[..., Serving], tmp_path: Path
) -> None:
    for name in ("one", "other"):
        drive = tmp_path / f"{name}-drive"
        drive.write_bytes(bytes(4 << 20))
        agent_of(name).allow([], f'devices = ["{drive}"]')
    begun = installation.begin("shelf", LADDER, "drives:", ["one", "other"])
    ended = Tended(installation, database, begun).when(
        lambda now: now["state"] == "ended" and all(len(one["merged"]) == 2 for one in now["phases"])
    )
    assert (ended["outcome"], ended["reason"]) == ("completed", None)
    for number, phase in enumerate(ended["phases"]):
        assert phase["run_id"] is None
        assert phase["remarks"][0].startswith("Drives are not added up")
        runs = [installation.get(f"/runs/{one['runs'][str(number)]}") for one in ended["agents"]]
        starts = [datetime.fromisoformat(run["started_at"]) for run in runs]
        assert abs((starts[0] - starts[1]).total_seconds()) < 0.001, "one instant for both"
        assert [counts(installation, run["run_id"])["read", "response"] for run in runs] == [
            (200, 400)[number]
        ] * 2


def test_drives_are_measured_without_an_agent_that_refuses(
    installation: Installation, database: Database, agent_of: Callable[..., Serving], tmp_path: Path
) -> None:
    drive = tmp_path / "drive"
    drive.write_bytes(bytes(4 << 20))
    agent_of("one")  # its policy lists no drive
    agent_of("other").allow([], f'devices = ["{drive}"]')
    tended = Tended(installation, database, installation.begin("shelf", LADDER, "drives:", ["one", "other"]))
    ended = tended.when(
        lambda now: now["state"] == "ended" and all(len(phase["merged"]) == 1 for phase in now["phases"])
    )
    assert ended["outcome"] == "completed"
    assert ended["reason"].startswith("Without one: ")
    assert [phase["agents"] for phase in ended["phases"]] == [["other"], ["other"]]
    assert [agent["state"] for agent in ended["agents"]] == ["lost", "done"]
    for phase, reads in zip(ended["phases"], (200, 400), strict=True):
        assert counts(installation, phase["run_id"])["read", "response"] == reads
    siblings = installation.get(f"/campaigns/{ended['campaign_id']}/siblings")
    assert [unit["agent"] for unit in siblings["units"]] == ["other"]
    (absent,) = siblings["not_measured"]
    assert absent["agent"] == "one"
    assert "lists no drive that may be read" in absent["reason"]
    assert (siblings["not_judged"], siblings["effect"]) == (2, "open")


SYNC_WRITES = """
workload = "sync-write"
[sync_write]
block_bytes = [512, 4096]
measure_s = 1
"""


def test_synchronous_writes_go_to_the_folder_that_the_machine_lists(
    installation: Installation, database: Database, agent_of: Callable[..., Serving], tmp_path: Path
) -> None:
    agent = agent_of()
    refused = Tended(installation, database, installation.begin("none", SYNC_WRITES, "folders:", ["one"]))
    ended = refused.when(lambda now: now["state"] == "ended")
    assert "lists no folder for synchronous writes" in ended["reason"], "the default is none"

    # Where the system keeps temporary files may be memory, where nothing is durable.
    with TemporaryDirectory(dir=AGENT.parent) as place:
        agent.allow([], f'folders = ["{place}"]')
        other = Tended(
            installation, database, installation.begin("other", SYNC_WRITES, "folders:/etc", ["one"])
        )
        assert "does not let /etc be written to" in other.when(lambda now: now["state"] == "ended")["reason"]

        begun = installation.begin("log", SYNC_WRITES, "folders:", ["one"])
        ended = Tended(installation, database, begun).when(
            lambda now: now["state"] == "ended" and all(phase["run_id"] for phase in now["phases"])
        )
        assert list(Path(place).iterdir()) == [], "the file has no name any more"
    assert (ended["outcome"], ended["reason"]) == ("completed", None)
    assert [phase["name"] for phase in ended["phases"]] == ["512 B", "4 KiB"]
    for phase, block_bytes in zip(ended["phases"], (512, 4096), strict=True):
        assert phase["operations_per_s"] == {"sync-write": None}, "as fast as the drive"
        run = installation.get(f"/runs/{phase['run_id']}")
        assert (run["workload"], run["plan"]["sync_write"]["block_bytes"]) == ("sync-write", block_bytes)
        assert run["plan"]["campaign"]["id"] == ended["campaign_id"]
        assert counts(installation, phase["run_id"])["sync-write", "service"] > 0
