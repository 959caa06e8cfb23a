"""An agent or the backend is killed while a campaign searches: the search goes on where it was."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from uuid import UUID

import httpx
import psutil
from backend.tests.analysis.recording import look_at_run
from backend.tests.campaigns.serving import Installation, Json, Serving
from backend.tests.campaigns.test_asking import PHASES, campaign, orders, say
from backend.tests.campaigns.test_campaigns import Tended
from backend.tests.campaigns.test_searches import PLAN, SEARCH, SLICE
from backend.tests.ports import reserve_port
from backend.tests.waiting import until

from tailroom.campaigns.interruption import AWAY_AFTER, MOST_INTERRUPTIONS, RETURN_WITHIN, record_return
from tailroom.campaigns.progress import START_WITHIN, advance, order_for
from tailroom.embedded.valkey import EmbeddedValkey
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database
from tailroom.kit.settings import Settings
from tailroom.storage.campaign import Campaign, CampaignMember

LONGER = SEARCH | {"probe_s": 5}
"""Probes that are still measured when a busy machine gets round to killing something."""
EXPLAINED = [PHASES[0], PHASES[1] | {"operations_per_s": {"get": 80.0, "set": 20.0}}]


def is_measured(now: Json, number: int) -> bool:
    """Whether a phase has begun on its agents."""
    if len(now["phases"]) <= number or now["phases"][number]["start_at"] is None:
        return False
    return datetime.fromisoformat(now["phases"][number]["start_at"]) < utc_now()


def is_again(phase: Json, reason: str) -> bool:
    """Whether a phase says that it was measured again, and why."""
    again = [remark for remark in phase["remarks"] if remark.startswith("Measured again: ")]
    return any(reason in remark for remark in again)


def whole(installation: Installation, database: Database, ended: Json) -> Json:
    """Return the search of a campaign that has ended, after checks that hold for each."""
    assert (ended["outcome"], ended["reason"], ended["waiting_for"]) == ("completed", None, None)
    probes = ended["phases"][1:]
    assert [phase["probe"]["load_per_s"] for phase in probes] == [100, 200, 300]
    names = [agent["name"] for agent in ended["agents"]]
    assert [phase["merged"] for phase in probes] == [names] * 3
    with database.transaction() as session:
        for phase in probes:
            look_at_run(session, UUID(phase["run_id"]), utc_now())
    search: Json = installation.get(f"/sla/load-search/{probes[0]['run_id']}")
    counted = [probe["run_id"] for probe in search["probes"] if probe["late_share"] is not None]
    assert counted == [phase["run_id"] for phase in probes], "each probe counts once"
    assert (search["passed_per_s"], search["failed_per_s"], search["ended"]) == (300, None, "top")
    return search


@contextmanager
def api(settings: Settings, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """The API as a process of its own."""
    names = ("database_url", "redis_url", "home", "ui_dist")
    environment = {f"TAILROOM_{name.upper()}": str(getattr(settings, name)) for name in names}
    command = [sys.executable, "-m", "tailroom.cli.main", "serve", "--port", str(port), "--processes", "1"]
    with subprocess.Popen(command, env=os.environ | environment, stdout=subprocess.DEVNULL) as process:
        try:

            def answers() -> bool:
                assert process.poll() is None
                try:
                    return client.get("/healthz").status_code == 200
                except httpx.TransportError:
                    return False

            # One client, because each reads all certificates.
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=5) as client:
                until(answers, every_s=0.5)
            yield process
        finally:
            process.kill()


def test_the_backend_an_agent_and_a_job_are_killed_and_the_search_goes_on(
    settings: Settings,
    database: Database,
    make_token: Callable[..., str],
    serve: Callable[..., list[Serving]],
    throw_away_valkey: EmbeddedValkey,
) -> None:
    """Each during another probe of one search. A single agent is killed in `test_drive_searches`."""
    port, target = reserve_port(), f"redis://{throw_away_valkey.address}"
    installation = Installation(f"http://127.0.0.1:{port}", make_token("engineer"))
    with api(settings, port) as process:
        east, west = agents = serve(installation, "east", "west")
        begun = installation.begin("sought", PLAN, target, ["east", "west"], search=LONGER)
        tended = Tended(installation, database, begun)
        tended.when(lambda now: is_measured(now, 1))
        process.kill()
    # Longer than agents go on without it.
    until(lambda: all("the job ends" in agent.log.read_text() for agent in agents), every_s=0.5)
    with api(settings, port):
        tended.when(lambda now: is_measured(now, 2))
        west.kill()
        waiting = tended.when(lambda now: now["waiting_for"])
        assert "west" in waiting["waiting_for"]["agents"]
        assert [phase["state"] for phase in waiting["phases"]] == ["ended", "ended", "waiting"]
        west.serve()
        tended.when(lambda now: is_measured(now, 3))
        assert east.process is not None
        (job,) = [child for child in psutil.Process(east.process.pid).children() if "seek" in child.cmdline()]
        job.kill()
        ended = tended.when(
            lambda now: now["state"] == "ended" and all(phase["run_id"] for phase in now["phases"])
        )
        assert is_again(ended["phases"][1], " was lost, ")
        assert is_again(ended["phases"][2], "west was lost, not heard from since")
        assert is_again(ended["phases"][3], "east was lost, the job ended with signal: 9")
        whole(installation, database, ended)


def searching(agents: int) -> tuple[Campaign, list[CampaignMember]]:
    """A search whose first probe is on record, and whose second is measured."""
    found, members = campaign(agents)
    found.search = SEARCH
    say(members, "ready", explained=EXPLAINED)
    advance(found, members, utc_now())
    for phase, load_per_s in ((1, 100.0), (2, 200.0)):
        probe = {"phase": phase, "load_per_s": load_per_s, "slices": None, "search_ended": None}
        say(members, "armed", phase, probe=probe)
        advance(found, members, utc_now())
        if phase == 1:
            say(members, "measured", 1, probe=probe | {"slices": [SLICE]})
            advance(found, members, utc_now())
    say(members, "running", 2)
    return found, members


def come_back(found: Campaign, members: list[CampaignMember], now: datetime) -> None:
    for member in members:
        record_return(found, member, now)
    advance(found, members, now)


def test_the_probes_on_record_are_handed_to_the_agents_that_are_back() -> None:
    found, members = searching(2)
    now = utc_now() + AWAY_AFTER + timedelta(seconds=1)
    members[0].seen_at = now
    advance(found, members, now)
    assert (found.interrupted_at, found.state) == (now, "preparing")
    assert [phase["state"] for phase in found.phases] == ["skipped", "ended", "waiting"]
    assert orders(found, members)[0] == "stop"
    record_return(found, members[0], now)
    advance(found, members, now)
    assert orders(found, members)[0] is None, "it waits for the other"
    come_back(found, members, now)
    assert found.interrupted_at is None
    assert orders(found, members) == ["prepare"] * 2
    order = order_for(found, members, members[1])
    total = {"late": 2, "all": 200, "failed": 0, "is_unreliable": False}
    assert order is not None
    assert order["search"] == SEARCH | {"measured": [{"load_per_s": 100.0, "slices": [total]}]}
    say(members, "ready", explained=EXPLAINED)
    advance(found, members, utc_now())
    again = {"phase": 2, "load_per_s": 200.0, "slices": None, "search_ended": None}
    say(members, "armed", 2, probe=again)
    advance(found, members, utc_now())
    assert [phase["state"] for phase in found.phases] == ["skipped", "ended", "running"]
    assert found.phases[2]["interrupted"][0].startswith("Measured again: a1 was lost, not heard from")


def test_objects_that_are_gone_after_an_interruption_are_loaded_again() -> None:
    found, members = searching(1)
    now = utc_now() + AWAY_AFTER + timedelta(seconds=1)
    advance(found, members, now)
    come_back(found, members, now)
    say(members, "ready", explained=EXPLAINED)
    advance(found, members, utc_now())
    say(members, "armed", 0)
    advance(found, members, utc_now())
    start = found.phases[0]["start_at_unix_ns"]
    assert (found.phases[0]["state"], orders(found, members)) == ("running", ["start"])
    advance(found, members, utc_now())
    assert found.phases[0]["start_at_unix_ns"] == start, "it begins once"


def test_a_probe_that_all_had_measured_is_not_measured_again() -> None:
    found, members = searching(2)
    probe = {"phase": 2, "load_per_s": 200.0, "slices": [SLICE], "search_ended": None}
    say(members, "measured", 2, probe=probe)
    now = utc_now() + AWAY_AFTER + timedelta(seconds=1)
    advance(found, members, now)
    assert [phase["state"] for phase in found.phases] == ["skipped", "ended", "ended"]
    come_back(found, members, now)
    order = order_for(found, members, members[0])
    assert order is not None
    assert [entry["load_per_s"] for entry in order["search"]["measured"]] == [100.0, 200.0]


def test_an_agent_that_stays_away_ends_the_search_with_its_name() -> None:
    found, members = searching(2)
    now = utc_now() + AWAY_AFTER + timedelta(seconds=1)
    members[0].seen_at = now
    advance(found, members, now)
    now += RETURN_WITHIN
    record_return(found, members[0], now)
    advance(found, members, now)
    assert found.state == "preparing", "the last moment"
    now += timedelta(seconds=1)
    record_return(found, members[0], now)
    advance(found, members, now)
    assert (found.state, found.outcome) == ("ended", "failed")
    assert found.reason is not None
    assert found.reason.startswith("Not back within 10 minutes: a1, not heard from since ")


def test_an_agent_that_goes_away_again_while_the_search_waits_is_waited_for() -> None:
    found, members = searching(2)
    now = utc_now() + AWAY_AFTER + timedelta(seconds=1)
    advance(found, members, now)
    record_return(found, members[0], now)
    now += timedelta(minutes=1)
    record_return(found, members[1], now)
    advance(found, members, now)
    assert found.interrupted_at is not None, "the first has left meanwhile"
    come_back(found, members, now)
    assert found.interrupted_at is None
    now += START_WITHIN + timedelta(seconds=1)
    members[0].seen_at = now
    advance(found, members, now)
    assert found.interrupted_at == now, "one did not take its job"


def test_a_search_that_is_interrupted_again_and_again_ends() -> None:
    found, members = searching(1)
    for _ in range(MOST_INTERRUPTIONS):
        now = members[0].seen_at + AWAY_AFTER + timedelta(seconds=1)
        advance(found, members, now)
        come_back(found, members, now)
        assert found.state == "preparing"
        members[0].state = "active"
    advance(found, members, members[0].seen_at + AWAY_AFTER + timedelta(seconds=1))
    assert found.reason is not None
    assert found.reason.startswith("Interrupted 6 times without a probe in between, last by a0, not heard")


def test_an_agent_that_vanishes_after_the_end_of_the_search_takes_nothing_with_it() -> None:
    found, members = searching(2)
    probe = {"phase": 2, "load_per_s": 200.0, "slices": [SLICE], "search_ended": None}
    say(members, "measured", 2, probe=probe)
    advance(found, members, utc_now())
    say(members[:1], "ended", 2, probe=probe | {"search_ended": "probes"})
    now = utc_now() + AWAY_AFTER + timedelta(seconds=1)
    members[0].seen_at = now
    advance(found, members, now)
    advance(found, members, now)
    assert (found.outcome, found.phases[2]["probe"]["ended"]) == ("completed", "probes")
