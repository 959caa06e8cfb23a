"""What the API answers to agents and people whatever they send, and the steps of a campaign."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from backend.tests.campaigns.asking import Asking
from fastapi.testclient import TestClient

from tailroom.campaigns import enrolment
from tailroom.campaigns.progress import LOST_AFTER, advance, order_for
from tailroom.kit.clock import utc_now
from tailroom.kit.identifiers import new_id
from tailroom.kit.limits import (
    CAMPAIGN_AGENTS,
    CAMPAIGN_BODY_BYTES,
    CAMPAIGN_OBJECTIVES,
    CAMPAIGN_PLAN_CHARACTERS,
)
from tailroom.storage.campaign import ACTIVE, LOST, OFFERED, PREPARING, Campaign, CampaignMember

Json = dict[str, Any]
PHASES: list[Json] = [{"name": "load"}, {"name": "P1", "duration_s": 5.0}, {"name": "P2", "duration_s": 5.0}]


def test_objectives_are_read_before_a_campaign_begins_and_stay_with_it(asking: Asking) -> None:
    agent_id, let_in = asking.enrol("judged")
    asking.client.post("/api/v1/agent/poll", json={"version": {"version": "1"}}, headers=let_in)
    unreadable = asking.begin([str(agent_id)], objectives=["p99 get < 10ms", "p99 get"])
    assert unreadable.status_code == 422
    assert "needs < and a time at its end" in unreadable.json()["detail"]
    many = asking.begin([str(agent_id)], objectives=["p99 < 1ms"] * (CAMPAIGN_OBJECTIVES + 1))
    assert many.status_code == 422
    begun = asking.begin([str(agent_id)], objectives=["p99 get < 10ms", "99.9% set <= 5ms"])
    assert begun.status_code == 201, begun.text
    assert begun.json()["objectives"] == ["p99 get < 10ms", "99.9% set <= 5ms"]
    address = f"/api/v1/campaigns/{begun.json()['campaign_id']}"
    asking.client.post(f"{address}/stop", headers=asking.headers)
    again = asking.client.post(f"{address}/repeat", headers=asking.headers)
    assert again.json()["objectives"] == ["p99 get < 10ms", "99.9% set <= 5ms"]


@pytest.mark.parametrize(
    ("target", "status"),
    [
        ("redis://:s3cret@db:6379", 409),
        ("postgresql://bench:s3cr/et@db/bench", 409),
        ("postgresql://bench@db/bench?sslmode=require&password=s3cret", 409),
        ("postgresql://bench@db:5432/bench?sslmode=require", 201),
        ("redis://[fd00::5]:6379", 201),
    ],
)
def test_a_password_in_an_address_is_not_stored(asking: Asking, target: str, status: int) -> None:
    agent_id, let_in = asking.enrol("open")
    asking.client.post("/api/v1/agent/poll", json={"version": {"version": "1"}}, headers=let_in)
    answer = asking.begin([str(agent_id)], target=target)
    assert answer.status_code == status, answer.text
    assert "s3cr" not in asking.client.get("/api/v1/campaigns", headers=asking.headers).text


@pytest.mark.parametrize("target", ["folders:/srv/log", "redis://db"])
def test_a_campaign_is_repeated_without_agents_that_were_removed_since(asking: Asking, target: str) -> None:
    agents = [asking.enrol(name) for name in ("left", "removed")]
    for _, let_in in agents:
        knows = {"version": {"version": "1"}, "knows": ["sync-write"]}
        assert asking.client.post("/api/v1/agent/poll", json=knows, headers=let_in).status_code == 200
    begun = asking.begin([str(agent_id) for agent_id, _ in agents], target=target)
    assert begun.status_code == 201, begun.text
    address = f"/api/v1/campaigns/{begun.json()['campaign_id']}"
    asking.client.post(f"{address}/stop", headers=asking.headers)
    for index, (agent_id, _) in reversed(list(enumerate(agents))):
        removed = asking.client.delete(f"/api/v1/agents/{agent_id}", headers=asking.headers)
        assert removed.status_code in {200, 204}, removed.text
        again = asking.client.post(f"{address}/repeat", headers=asking.headers)
        if index == 0 or target.startswith("redis"):
            assert again.status_code == 409, again.text
            assert "Removed since: " in again.json()["detail"]
            assert "Begin a new campaign with agents that are there." in again.json()["detail"]
            continue
        assert again.status_code == 201, again.text
        assert [(one["name"], one["state"], one["reason"]) for one in again.json()["agents"]] == [
            ("left", "offered", None),
            ("removed", "lost", "it was removed since the last time"),
        ]
        repeated = f"/api/v1/campaigns/{again.json()['campaign_id']}"
        asking.client.post(f"{repeated}/stop", headers=asking.headers)


def test_a_removed_agent_does_not_share_its_name_with_another(asking: Asking) -> None:
    agents = [asking.enrol("vm") for _ in range(3)]
    for _, let_in in agents:
        poll = {"version": {"version": "1"}, "knows": ["sync-write"]}
        assert asking.client.post("/api/v1/agent/poll", json=poll, headers=let_in).status_code == 200
    begun = asking.begin([str(agent_id) for agent_id, _ in agents], target="folders:/srv/log")
    assert [member["name"] for member in begun.json()["agents"]] == ["vm (1)", "vm (2)", "vm (3)"]
    address = f"/api/v1/campaigns/{begun.json()['campaign_id']}"
    asking.client.post(f"{address}/stop", headers=asking.headers)
    asking.client.delete(f"/api/v1/agents/{agents[1][0]}", headers=asking.headers)
    again = asking.client.post(f"{address}/repeat", headers=asking.headers)
    assert [member["name"] for member in again.json()["agents"]] == ["vm (1)", "vm (2)", "vm (2), removed"]


def test_what_is_too_much_is_refused(asking: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enrolment, "ENROLMENT_CODES", 3)
    agent_id, let_in = asking.enrol("a")
    many = [str(new_id()) for _ in range(CAMPAIGN_AGENTS + 1)]
    assert asking.begin(many).status_code == 422
    long = asking.begin([str(agent_id)], plan="p" * (CAMPAIGN_PLAN_CHARACTERS + 1))
    assert long.status_code == 422
    big = {"version": {"version": "1"}, "inventory": {"x": "y" * CAMPAIGN_BODY_BYTES}}
    assert asking.client.post("/api/v1/agent/poll", json=big, headers=let_in).status_code == 413
    answers = [
        asking.client.post("/api/v1/agent/codes", headers=asking.headers).status_code for _ in range(4)
    ]
    assert answers == [201, 201, 201, 409]


@pytest.mark.parametrize(
    ("asked", "needed"),
    [
        ({"plan": "recordcount=9\n  tailroom.workloads = A,B\n"}, "tailroom.workloads"),
        ({"plan": "p", "target": "drives:"}, "drive-ladder"),
        ({"plan": "p", "target": "folders:/srv/log"}, "sync-write"),
    ],
)
def test_an_agent_that_is_too_old_for_a_plan_is_named_before_it_begins(
    asking: Asking, asked: Json, needed: str
) -> None:
    agent_id, let_in = asking.enrol("north")
    poll = {"version": {"version": "0.0.9", "commit": "0123456789abcdef"}}
    asking.client.post("/api/v1/agent/poll", json=poll, headers=let_in)
    refused = asking.begin([str(agent_id)], **asked)
    assert refused.status_code == 409
    assert refused.json()["detail"] == (
        f"north runs version 0.0.9 (0123456789ab) of the agent, which does not know {needed} of the plan."
        " Install the newest agent there, or take it out of the plan."
    )
    asking.client.post("/api/v1/agent/poll", json=poll | {"knows": [needed]}, headers=let_in)
    assert asking.begin([str(agent_id)], **asked).status_code == 201


def test_agents_that_divide_a_plan_differently_do_not_begin(asking: Asking) -> None:
    (one, first), (other, second) = asking.enrol("one"), asking.enrol("other")
    begun = asking.begin([str(one), str(other)]).json()
    for let_in, rate in ((first, 1.0), (second, 0.5)):
        phases = [{"name": "run", "by_agent": [{"operations_per_s": {"get": rate}}]}]
        job = {"campaign_id": begun["campaign_id"], "step": "ready", "phases": phases}
        poll = {"version": {"version": "1"}, "job": job}
        asking.client.post("/api/v1/agent/poll", json=poll, headers=let_in)
    found = asking.client.get(f"/api/v1/campaigns/{begun['campaign_id']}", headers=asking.headers).json()
    assert (found["state"], found["outcome"]) == ("ended", "failed")
    assert found["reason"].startswith("The agents read the plan differently: one (1), other (1).")


def test_agents_and_campaigns_of_others_do_not_exist(
    asking: Asking, client: TestClient, make_token: Callable[..., str], organisation: str
) -> None:
    other = Asking(client, make_token, f"{organisation} other")
    agent_id, let_in = asking.enrol("a")
    refused = other.begin([str(agent_id)])
    assert (refused.status_code, refused.json()["code"]) == (409, "campaign-refused")
    begun = asking.begin([str(agent_id)]).json()
    path = f"/api/v1/campaigns/{begun['campaign_id']}"
    assert client.get(path, headers=other.headers).status_code == 404
    assert client.post(f"{path}/stop", headers=other.headers).status_code == 404
    assert client.delete(f"/api/v1/agents/{agent_id}", headers=other.headers).status_code == 404
    assert client.get("/api/v1/agents", headers=other.headers).json() == {"agents": []}
    assert client.get("/api/v1/campaigns", headers=other.headers).json() == {"campaigns": []}
    # A job of another organisation's campaign changes nothing there, and is told to end.
    _, foreign = other.enrol("b")
    job = {"campaign_id": begun["campaign_id"], "step": "failed", "reason": "forged"}
    poll = {"version": {"version": "1"}, "job": job}
    (command,) = client.post("/api/v1/agent/poll", json=poll, headers=foreign).json()["commands"]
    assert '"kind": "stop"' in command["text"]
    assert client.get(path, headers=asking.headers).json()["state"] == "preparing"
    (command,) = client.post("/api/v1/agent/poll", json={"version": {"version": "1"}}, headers=let_in).json()[
        "commands"
    ]
    assert '"kind": "prepare"' in command["text"]
    assert asking.begin([str(agent_id)]).json()["detail"].startswith("a works for another campaign")


@pytest.mark.parametrize(
    ("changed", "place"),
    [
        ({"step": "armed", "phase": 5}, "job.phase is 5"),
        ({"step": "armed", "phase": 1}, "the plan has 1 phases"),
        ({"phases": [{"name": "P1", "transactions_per_s": "NaN"}]}, "transactions_per_s"),
        ({"phases": [{"name": "P1", "operations_per_s": {"get": "1e999"}}]}, "operations_per_s"),
        ({"phases": [{"name": "P1", "duration_s": "NaN"}]}, "duration_s"),
        ({"phases": [{"name": "P1", "operations_per_s": {"\x00": 1}}]}, "operations_per_s"),
        ({"runs": {"\x00": str(new_id())}}, "runs"),
    ],
)
def test_what_no_phase_can_be_is_refused_and_the_campaign_goes_on(
    asking: Asking, changed: Json, place: str
) -> None:
    agent_id, let_in = asking.enrol("north")
    poll: Json = {"version": {"version": "9.9.9", "commit": "0123456789abcdef"}}
    asking.client.post("/api/v1/agent/poll", json=poll, headers=let_in)
    begun = asking.begin([str(agent_id)]).json()
    job = {"campaign_id": begun["campaign_id"], "step": "ready", "phases": [{"name": "P1"}]}
    body = json.dumps(poll | {"job": job | changed}).replace('"NaN"', "NaN").replace('"1e999"', "1e999")
    headers = let_in | {"Content-Type": "application/json"}
    refused = asking.client.post("/api/v1/agent/poll", content=body, headers=headers)
    assert refused.status_code == 422, refused.text
    assert place in refused.text
    good = asking.client.post("/api/v1/agent/poll", json=poll | {"job": job}, headers=let_in)
    assert good.status_code == 200, good.text


def campaign(agents: int, on_lost: str = "end") -> tuple[Campaign, list[CampaignMember]]:
    now = utc_now()
    found = Campaign(
        campaign_id=new_id(),
        title="t",
        plan="p",
        target="x",
        seed=1,
        on_lost=on_lost,
        state=PREPARING,
        phases=[],
        objectives=[],
        interruptions=0,
    )
    members = [
        CampaignMember(number=number, name=f"a{number}", state=OFFERED, version="1", runs={}, seen_at=now)
        for number in range(agents)
    ]
    return found, members


def say(members: list[CampaignMember], step: str, phase: int | None = None, **more: Any) -> None:
    for member in members:
        member.state, member.step, member.phase, member.seen_at = ACTIVE, step, phase, utc_now()
        for name, value in more.items():
            setattr(member, name, value)


def orders(found: Campaign, members: list[CampaignMember]) -> list[str | None]:
    every = [order_for(found, members, member) for member in members]
    return [None if one is None else one["kind"] for one in every]


def test_one_agent_is_not_apart_from_another() -> None:
    found, members = campaign(1)
    say(members, "ready", explained=PHASES[1:], clock_error_ns=2_000_000)
    advance(found, members, utc_now())
    say(members, "armed", 0)
    advance(found, members, utc_now())
    assert found.phases[0]["state"] == "running"
    assert found.phases[0]["apart_ns"] is None


def test_all_agents_load_and_a_phase_waits_for_all() -> None:
    found, members = campaign(3)
    assert orders(found, members) == ["prepare"] * 3
    say(members[:2], "ready", explained=PHASES)
    advance(found, members, utc_now())
    assert found.state == "preparing", "one has not explained the plan"
    say(members, "ready", explained=PHASES)
    advance(found, members, utc_now())
    assert orders(found, members) == ["objects", None, None]
    say(members[:1], "armed", 0)
    advance(found, members, utc_now())
    assert orders(found, members) == [None, "objects", "objects"]
    say(members[1:], "armed", 0, runs={"0": str(new_id())})
    advance(found, members, utc_now())
    assert [one["state"] for one in found.phases] == ["running", "waiting", "waiting"]
    assert orders(found, members) == ["start"] * 3
    # The first agent checks the objects once all parts are there.
    say(members[1:2], "armed", 1, clock_error_ns=2_000_000)
    say(members[:1], "ready")
    advance(found, members, utc_now())
    assert orders(found, members) == [None, None, "start"]
    say(members[2:], "armed", 1, clock_error_ns=1_000_000)
    advance(found, members, utc_now())
    assert orders(found, members) == ["objects", None, None]
    say(members[:1], "armed", 1)
    assert advance(found, members, utc_now()), "the load has ended"
    assert orders(found, members) == ["start"] * 3
    assert [one["state"] for one in found.phases] == ["ended", "running", "waiting"]
    assert found.phases[1]["apart_ns"] == 3_000_000
    say(members, "armed", 2)
    advance(found, members, utc_now())
    assert found.phases[2]["start_at_unix_ns"] > found.phases[1]["start_at_unix_ns"]
    say(members, "ended", 2)
    advance(found, members, utc_now())
    assert (found.state, found.outcome, found.reason) == ("ended", "completed", None)
    assert [one["state"] for one in found.phases] == ["ended"] * 3


@pytest.mark.parametrize(("on_lost", "state"), [("end", "ended"), ("degrade", "running")])
def test_a_lost_agent_ends_or_degrades_the_campaign(on_lost: str, state: str) -> None:
    found, members = campaign(3, on_lost)
    say(members, "ready", explained=PHASES)
    advance(found, members, utc_now())
    say(members, "armed", 1, runs={"0": str(new_id())})
    advance(found, members, utc_now())
    say(members, "running", 1)
    members[1].seen_at = utc_now() - LOST_AFTER - timedelta(seconds=1)
    advance(found, members, utc_now())
    assert found.state == state
    assert members[1].state == LOST
    assert [one["agent"] for one in found.phases[1]["lost"]] == ["a1"]
    # Whoever still works hears that it is over for them.
    assert orders(found, members) == (["stop"] * 3 if on_lost == "end" else [None, "stop", None])
    if on_lost == "degrade":
        say([members[0], members[2]], "ended", 1)
        advance(found, members, utc_now())
        assert found.outcome == "completed"
        assert found.reason is not None
        assert found.reason.startswith("Lost a1: not heard from since")
    else:
        assert found.reason is not None
        assert found.reason.startswith("Lost a1: not heard from since")


@pytest.mark.parametrize("lost", [0, 1])
def test_an_agent_lost_while_objects_are_loaded_ends_the_campaign(lost: int) -> None:
    found, members = campaign(3, "degrade")
    say(members, "ready", explained=PHASES)
    advance(found, members, utc_now())
    say(members, "armed", 0)
    advance(found, members, utc_now())
    say(members, "running", 0)
    members[lost].seen_at = utc_now() - LOST_AFTER - timedelta(seconds=1)
    advance(found, members, utc_now())
    assert found.state == "ended"
    assert found.reason is not None
    assert found.reason.startswith(
        f"Lost an agent before all objects were loaded, a{lost}: not heard from since"
    )


def test_an_agent_that_refuses_or_fails_before_anything_is_measured_is_not_called_lost() -> None:
    found, members = campaign(2)
    members[1].state, members[1].reason = LOST, "The policy of this machine does not allow the server x."
    advance(found, members, utc_now())
    assert found.reason == "Not begun. a1: The policy of this machine does not allow the server x."
    found, members = campaign(2)
    say(members, "ready", explained=PHASES)
    advance(found, members, utc_now())
    say(members[:1], "failed", reason="not measured: database server x: the key 7 is there already")
    advance(found, members, utc_now())
    assert found.reason == "Nothing was measured. a0: database server x: the key 7 is there already."


def test_a_load_that_agents_divide_does_not_begin_without_one_of_them() -> None:
    for step, before in (("preparing", "Not begun."), ("armed", "Nothing was measured.")):
        found, members = campaign(3, "degrade")
        say(members, "ready", explained=PHASES)
        if step == "armed":
            advance(found, members, utc_now())
        say(members[:1], "failed", reason="not measured: no space")
        advance(found, members, utc_now())
        assert (found.state, found.reason) == ("ended", f"{before} a0: no space.")


def test_agents_on_their_own_machines_go_on_without_those_that_do_not_start() -> None:
    found, members = campaign(4)
    found.target = "folders:"
    say(members, "ready", explained=PHASES[1:])
    say(members[:1], "failed", reason="not measured: no space for 64 MiB in /var/lib/etcd-test")
    members[1].explained, members[1].version = PHASES, "0.9"
    advance(found, members, utc_now())
    assert [member.state for member in members] == ["lost", "lost", "active", "active"]
    assert members[1].reason == "it reads the plan differently than most, by version 0.9"
    assert orders(found, members) == [None, "stop", "objects", None], "the third agent is the first now"
    say(members[2:], "armed", 0)
    advance(found, members, utc_now())
    assert orders(found, members) == [None, "stop", "start", "start"]
    # From its start on an agent is lost as `on_lost` says.
    say(members[2:3], "failed", reason="phase 1x ended early: an input or output error")
    advance(found, members, utc_now())
    assert found.reason == "Lost a2: phase 1x ended early: an input or output error."
    assert [lost["agent"] for lost in found.phases[0]["lost"]] == ["a2"]


def test_a_phase_says_what_was_asked_of_all_agents() -> None:
    found, members = campaign(2)
    asked = {"operations_per_s": {"read": 1000.0, "update": None}, "transactions_per_s": 4.0}
    say(members, "ready", explained=[PHASES[0], PHASES[1] | asked])
    advance(found, members, utc_now())
    assert [one["operations_per_s"] for one in found.phases] == [{}, asked["operations_per_s"]]
    assert [one["transactions_per_s"] for one in found.phases] == [None, 4.0]


@pytest.mark.parametrize(
    ("objective", "operations", "reason"),
    [
        (
            "p99 gte < 10ms",
            ("get", "set"),
            "“p99 gte < 10ms” is about gte, which the plan does not measure; it has get, set.",
        ),
        ("p99 get < 10ms", ("get", "set"), None),
        ("p99 < 10ms", ("get", "set"), None),
        ("p99 update < 10ms", ("read-modify-write",), None),
        ("p99 transaction < 10ms", ("read",), None),
    ],
)
def test_an_objective_about_an_operation_that_the_plan_does_not_have_is_refused(
    objective: str, operations: tuple[str, ...], reason: str | None
) -> None:
    found, members = campaign(1)
    found.objectives = [objective]
    say(members, "ready", explained=[PHASES[1] | {"operations_per_s": dict.fromkeys(operations)}])
    advance(found, members, utc_now())
    assert found.reason == reason
    assert (found.state, found.outcome) == (("ended", "failed") if reason else ("loading", None))


@pytest.mark.parametrize(("after_s", "state"), [(6, "stopped"), (20, "ended")])
def test_a_phase_that_a_stop_cut_off_is_not_measured(after_s: int, state: str) -> None:
    found, members = campaign(1)
    say(members, "ready", explained=PHASES[1:])
    advance(found, members, utc_now())
    say(members, "armed", 0)
    advance(found, members, utc_now())
    found.stop_requested_at = utc_now()
    advance(found, members, utc_now() + timedelta(seconds=after_s))
    assert [phase["state"] for phase in found.phases] == [state, "skipped"]
    assert found.outcome == "stopped"
