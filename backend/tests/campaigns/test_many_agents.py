"""A campaign of many agents: one pace for all of them, one agent that advances it, and a worker beside it."""

from uuid import UUID

import pytest
from backend.tests.campaigns.many import KNOWS, PHASES, ManyAgents, orders_of

from tailroom.campaigns.errors import CampaignRefused
from tailroom.campaigns.pacing import MANY_AGENTS, pace_s
from tailroom.campaigns.progress import LOST_AFTER, START_WITHIN
from tailroom.campaigns.tending import tend
from tailroom.kit.db import Database
from tailroom.kit.identifiers import new_id
from tailroom.kit.limits import CAMPAIGN_AGENTS, SEARCH_AGENTS
from tailroom.kit.transactions import transactions_of
from tailroom.storage.campaign import ENDED, RUNNING

_AGENTS = MANY_AGENTS + 8
_FIRST, _OTHERS = [0], range(1, _AGENTS)


@pytest.fixture
def agents(database: Database, organisation: str) -> ManyAgents:
    return ManyAgents(database, organisation, _AGENTS, knows=KNOWS)


def test_many_agents_begin_at_one_instant_that_all_of_them_hear_of_in_time(agents: ManyAgents) -> None:
    campaign_id = agents.begin()
    prepared = [agents.poll(number) for number in range(_AGENTS)]
    (first, *_, last) = (order for answer in prepared for order in orders_of(answer))
    assert (first["kind"], first["agent"], first["agents"]) == ("prepare", 0, _AGENTS)
    assert (last["kind"], last["agent"], last["agents"]) == ("prepare", _AGENTS - 1, _AGENTS)
    assert {answer.again_in_ms for answer in prepared} == {int(pace_s(_AGENTS) * 1_000)}

    agents.say(campaign_id, "armed", _OTHERS, phase=0, phases=PHASES)
    assert agents.campaign(campaign_id).phases == [], "the first agent has not spoken"
    (answer,) = agents.say(campaign_id, "armed", _FIRST, phase=0, phases=PHASES)
    began = agents.campaign(campaign_id)
    assert began.state == RUNNING
    assert len(began.phases[0]["agents"]) == _AGENTS
    starts = [
        order for answer in agents.say(campaign_id, "armed", _OTHERS, phase=0) for order in orders_of(answer)
    ]
    assert [order["kind"] for order in starts] == ["start"] * len(_OTHERS)
    assert {order["at_unix_ns"] for order in starts} == {orders_of(answer)[0]["at_unix_ns"]}
    lead_s = starts[0]["at_unix_ns"] / 1e9 - agents.now.timestamp()
    # Seconds since 1970 as a float are exact to a quarter of a microsecond.
    assert lead_s >= 2 * pace_s(_AGENTS) + 4 - 1e-6

    agents.later(5)
    agents.say(campaign_id, "running", range(_AGENTS), phase=0, runs={"0": str(new_id())})
    agents.say(campaign_id, "ended", _OTHERS, phase=0)
    agents.say(campaign_id, "ended", _FIRST, phase=0)
    ended = agents.campaign(campaign_id)
    assert (ended.state, ended.outcome, ended.reason) == (ENDED, "completed", None)


def test_the_worker_loses_agents_that_are_silent_for_several_polls_and_names_the_first(
    agents: ManyAgents,
) -> None:
    campaign_id = agents.begin()
    agents.say(campaign_id, "armed", range(_AGENTS), phase=0, phases=PHASES)
    agents.say(campaign_id, "armed", _FIRST, phase=0)
    _tend(agents, campaign_id, LOST_AFTER.total_seconds())
    assert set(agents.states(campaign_id)) == {"active"}, "no agent has missed three polls"
    agents.say(campaign_id, "running", range(20), phase=0)
    _tend(agents, campaign_id, 3 * pace_s(_AGENTS) + 0.5)
    states = agents.states(campaign_id)
    assert states == ["active"] * 20 + ["lost"] * (_AGENTS - 20)
    assert len(agents.campaign(campaign_id).phases[0]["lost"]) == _AGENTS - 20
    agents.say(campaign_id, "ended", range(20), phase=0)
    _tend(agents, campaign_id, 0)
    ended = agents.campaign(campaign_id)
    assert ended.state == ENDED
    assert str(ended.reason).startswith("Lost bench-0020: not heard from since")
    assert str(ended.reason).endswith(f"and {_AGENTS - 30} more.")


def test_a_burn_in_goes_on_without_the_agents_that_do_not_start(agents: ManyAgents) -> None:
    agents.forget(5)
    campaign_id = agents.begin(on_lost="end")
    assert agents.states(campaign_id).count("lost") == 1, "one is away since yesterday"
    agents.refuse(campaign_id, 0, "The policy of this machine lists no drive that may be read.")
    others = [number for number in range(1, _AGENTS) if number not in (5, 6)]
    for step in ("ready", "armed"):
        agents.say(campaign_id, step, others, phase=0 if step == "armed" else None, phases=PHASES)
    assert agents.campaign(campaign_id).phases == [], "agent 6 may still answer"
    agents.later(START_WITHIN.total_seconds() + 1)
    agents.say(campaign_id, "armed", [*others[1:], others[0]], phase=0, phases=PHASES)
    (answer,) = agents.say(campaign_id, "armed", others[:1], phase=0)
    assert [order["kind"] for order in orders_of(answer)] == ["start"], "the second agent is the first now"
    phase = agents.campaign(campaign_id).phases[0]
    assert (len(phase["agents"]), phase["lost"]) == (_AGENTS - 3, [])
    agents.say(campaign_id, "ended", [*others[1:], others[0]], phase=0)
    ended = agents.campaign(campaign_id)
    assert (ended.state, ended.outcome) == (ENDED, "completed")
    assert str(ended.reason).startswith(
        "Without bench-0000: The policy of this machine lists no drive that may be read; bench-0005: it is"
        " away since"
    )
    assert "bench-0006: it did not start the job" in str(ended.reason)


def test_a_burn_in_without_any_agent_that_can_start_is_refused(agents: ManyAgents) -> None:
    agents.forget(*range(_AGENTS))
    with pytest.raises(CampaignRefused, match="bench-0000 is away since"):
        agents.begin()


def test_agents_that_keep_no_pace_and_searches_of_many_are_refused(
    database: Database, organisation: str
) -> None:
    old = ManyAgents(database, organisation, MANY_AGENTS + 1, knows=["drive-ladder"])
    with pytest.raises(CampaignRefused, match="does not know paced-polls"):
        old.begin()
    search = {"objective": "p99 get < 5ms", "start_per_s": 100.0, "precision": 0.05}
    many = ManyAgents(database, f"{organisation} searching", SEARCH_AGENTS + 1, knows=KNOWS)
    with pytest.raises(CampaignRefused, match=f"at most {SEARCH_AGENTS} agents"):
        many.begin(search=search, on_lost="end")


def test_a_thousand_agents_ask_no_more_often_than_the_backend_answers() -> None:
    assert pace_s(MANY_AGENTS) == 0
    for agents in (MANY_AGENTS + 1, 200, CAMPAIGN_AGENTS):
        assert agents / pace_s(agents) <= 200


def _tend(agents: ManyAgents, campaign_id: UUID, after_s: float) -> None:
    tend(
        transactions_of(agents.database, agents.organisation_id),
        agents.organisation_id,
        campaign_id,
        agents.later(after_s),
    )
