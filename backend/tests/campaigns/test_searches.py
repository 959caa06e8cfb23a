"""A campaign finds the highest load that holds: real agents, one start for each probe, one bracket."""

from collections.abc import Callable
from uuid import UUID

from backend.tests.analysis.recording import look_at_run
from backend.tests.campaigns.asking import Asking
from backend.tests.campaigns.serving import Installation, Json, Serving
from backend.tests.campaigns.test_asking import PHASES, campaign, orders, say
from backend.tests.campaigns.test_campaigns import Tended

from tailroom.campaigns.progress import advance, order_for
from tailroom.embedded.valkey import EmbeddedValkey
from tailroom.kit.clock import utc_now
from tailroom.kit.db import Database

PLAN = """
workload = "keyvalue"
title = "sought"
[keyvalue]
ratio = "1:4"
key_maximum = 999
object_bytes = 100
connections = 4
ramp_s = 0
"""
SEARCH: Json = {
    "objective": "p99 get < 2s",
    "start_per_s": 100,
    "top_per_s": 300,
    "probe_s": 2,
    "warm_up_s": 0,
}
SLICE = {"late": 1, "all": 100, "failed": 0, "is_unreliable": False}


def test_agents_find_a_bracket_together(
    installation: Installation,
    database: Database,
    serve: Callable[..., list[Serving]],
    throw_away_valkey: EmbeddedValkey,
) -> None:
    """One agent alone finds brackets in `test_search_plans` and `test_drive_searches`."""
    names = ("east", "west")
    serve(installation, *names)
    target = f"redis://{throw_away_valkey.address}"
    begun = installation.begin("sought", PLAN, target, names, search=SEARCH)
    assert begun["search"]["objective"] == "p99 get < 2s"
    tended = Tended(installation, database, begun)
    ended = tended.when(
        lambda now: now["state"] == "ended" and all(phase["run_id"] for phase in now["phases"])
    )
    assert (ended["outcome"], ended["reason"]) == ("completed", None)
    assert [phase["name"] for phase in ended["phases"]] == ["load", "probe 1", "probe 2", "probe 3"]
    probes = [phase["probe"] for phase in ended["phases"][1:]]
    assert [probe["load_per_s"] for probe in probes] == [100, 200, 300]
    assert [probe["ended"] for probe in probes] == [None, None, "top"]
    assert [phase["merged"] for phase in ended["phases"][1:]] == [list(names)] * 3
    assert [sum(phase["operations_per_s"].values()) for phase in ended["phases"][1:]] == [100, 200, 300]

    with database.transaction() as session:
        for phase in ended["phases"][1:]:
            look_at_run(session, UUID(phase["run_id"]), utc_now())
    search = installation.get(f"/sla/load-search/{ended['phases'][1]['run_id']}")
    assert [probe["run_id"] for probe in search["probes"]] == [
        phase["run_id"] for phase in ended["phases"][1:]
    ]
    assert all(probe["late_share"] is not None for probe in search["probes"]), "each is judged"
    assert (search["search_id"], search["passed_per_s"], search["failed_per_s"]) == (
        begun["campaign_id"],
        300,
        None,
    )
    assert (search["ended"], search["may_change"], search["is_whole"]) == ("top", False, True)
    own = [installation.get(f"/runs/{run_id}") for run_id in ended["agents"][0]["runs"].values()]
    assert all("ladder" not in run["plan"] for run in own), "a part of a probe is none"


def test_a_policy_that_names_a_highest_rate_needs_a_highest_load(
    installation: Installation,
    database: Database,
    serve: Callable[..., list[Serving]],
    throw_away_valkey: EmbeddedValkey,
) -> None:
    serve(installation, "careful", more="most_operations_per_s = 250")
    target = f"redis://{throw_away_valkey.address}"
    plan = PLAN + "load_per_s = 200\n"
    for search, reason in (
        (SEARCH | {"top_per_s": None}, "the search has no highest load"),
        (SEARCH, "asks for 300.0"),
    ):
        begun = installation.begin("sought", plan, target, ["careful"], search=search)
        ended = Tended(installation, database, begun).when(lambda now: now["state"] == "ended")
        assert reason in ended["reason"]


def test_an_older_agent_a_wrong_objective_and_a_lost_agent_are_refused_at_once(asking: Asking) -> None:
    agent_id, let_in = asking.enrol("old")
    poll = {"version": {"version": "0.0.9"}}
    asking.client.post("/api/v1/agent/poll", json=poll, headers=let_in)
    refused = asking.begin([str(agent_id)], search=SEARCH)
    assert refused.status_code == 409
    assert "does not know load-search, load-search-continued" in refused.json()["detail"]
    asking.client.post(
        "/api/v1/agent/poll", json=poll | {"knows": ["load-search", "load-search-continued"]}, headers=let_in
    )
    assert asking.begin([str(agent_id)], search=SEARCH | {"objective": "p99 get"}).status_code == 422
    assert asking.begin([str(agent_id)], search=SEARCH | {"top_per_s": 0}).status_code == 422
    degraded = asking.begin([str(agent_id)], search=SEARCH, on_lost="degrade")
    assert degraded.status_code == 409
    assert "waits for a lost agent" in degraded.json()["detail"]
    begun = asking.begin([str(agent_id)], search=SEARCH)
    assert begun.status_code == 201, begun.text
    stop = f"/api/v1/campaigns/{begun.json()['campaign_id']}"
    asking.client.post(f"{stop}/stop", headers=asking.headers)
    again = asking.client.post(f"{stop}/repeat", headers=asking.headers).json()
    assert again["search"] == begun.json()["search"]


def test_a_probe_goes_on_when_every_agent_has_counted_it() -> None:
    found, members = campaign(2)
    found.search = SEARCH
    assert order_for(found, members, members[0])["search"] == SEARCH  # type: ignore[index]
    say(members, "ready", explained=[PHASES[0], PHASES[1] | {"operations_per_s": {"get": 80.0, "set": 20.0}}])
    advance(found, members, utc_now())
    say(members, "armed", 1, probe={"phase": 1, "load_per_s": 100.0, "slices": None, "search_ended": None})
    advance(found, members, utc_now())
    assert orders(found, members) == ["start"] * 2
    advance(found, members, utc_now())
    assert found.phases[1]["start_at_unix_ns"] is not None
    own = {"phase": 1, "load_per_s": 100.0, "slices": [SLICE, SLICE], "search_ended": None}
    say(members[:1], "measured", 1, probe=own)
    say(members[1:], "running", 1)
    advance(found, members, utc_now())
    assert orders(found, members) == [None, None]
    other = own | {"slices": [SLICE | {"is_unreliable": True, "failed": 1}]}
    say(members[1:], "measured", 1, probe=other)
    advance(found, members, utc_now())
    order = order_for(found, members, members[1])
    assert order is not None
    assert order["slices"] == [{"late": 2, "all": 200, "failed": 1, "is_unreliable": True}, SLICE]

    following = {"phase": 2, "load_per_s": 200.0, "slices": None, "search_ended": None}
    say(members, "armed", 2, probe=following)
    advance(found, members, utc_now())
    assert [phase["name"] for phase in found.phases] == ["load", "probe 1", "probe 2"]
    assert found.phases[2]["operations_per_s"] == {"get": 160.0, "set": 40.0}
    say(members, "measured", 2, probe=following | {"slices": [SLICE], "search_ended": "probes"})
    say(members, "ended", 2)
    advance(found, members, utc_now())
    assert (found.outcome, found.phases[2]["probe"]["ended"]) == ("completed", "probes")


def test_agents_that_disagree_about_the_next_load_end_the_campaign() -> None:
    found, members = campaign(2)
    found.search = SEARCH
    say(members, "ready", explained=PHASES[:2])
    advance(found, members, utc_now())
    for member, load_per_s in zip(members, (100.0, 101.0), strict=True):
        say([member], "armed", 1, probe={"phase": 1, "load_per_s": load_per_s, "slices": None})
    advance(found, members, utc_now())
    assert found.reason == "The agents disagree about the next load. Use one version of the agent everywhere."
