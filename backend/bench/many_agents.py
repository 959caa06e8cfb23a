"""Time each step of a campaign of 1,000 agents on this machine, without HTTP.

The agents are database rows and simulated messages; each poll is its own transaction, as in the API.

`python -m backend.bench.many_agents`
"""

import argparse
import json
from collections.abc import Callable
from time import perf_counter
from typing import Any

from backend.bench.installation import installation
from backend.tests.campaigns.many import KNOWS, PHASES, ManyAgents

from tailroom.campaigns import service
from tailroom.campaigns.pacing import pace_s
from tailroom.campaigns.tending import tend
from tailroom.kit.identifiers import new_id
from tailroom.kit.limits import CAMPAIGN_AGENTS
from tailroom.kit.transactions import transactions_of


def _timed(what: str, work: Callable[[], Any], number: int = 1) -> Any:
    """Print the time of a step, and per item for `number` items; return the step's result."""
    began = perf_counter()
    result = work()
    took_s = perf_counter() - began
    each = f", {took_s / number * 1_000:.1f} ms each" if number > 1 else ""
    print(f"  {what}: {took_s:.2f} s{each}", flush=True)
    return result


def main() -> None:
    """Run the campaign and print a line for each step."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--agents", type=int, default=CAMPAIGN_AGENTS)
    number = arguments.parse_args().agents
    with installation() as place:
        agents = ManyAgents(place.database, "bench", number, knows=KNOWS)
        everyone, others = range(number), range(1, number)
        print(f"  {number:,} agents; each asks every {pace_s(number):g} s")
        campaign_id = _timed("begun", agents.begin)
        _timed("every agent takes the job", lambda: [agents.poll(at) for at in everyone], number)
        _timed(
            "every other agent is armed",
            lambda: agents.say(campaign_id, "armed", others, phase=0, phases=PHASES),
            number,
        )
        _timed(
            "the first is armed, all begin",
            lambda: agents.say(campaign_id, "armed", [0], phase=0, phases=PHASES),
        )
        _timed(
            "every other agent hears it", lambda: agents.say(campaign_id, "armed", others, phase=0), number
        )
        runs = {"0": str(new_id())}
        _timed(
            "every agent measures",
            lambda: agents.say(campaign_id, "running", everyone, phase=0, runs=runs),
            number,
        )
        owner = agents.organisation_id
        transactions = transactions_of(place.database, owner)
        _timed("the worker looks after it", lambda: tend(transactions, owner, campaign_id, agents.now))

        def shown(most_agents: int | None) -> int:
            with place.database.transaction() as session:
                campaign = service.find(session, owner, campaign_id)
                document = service.campaign_out(session, campaign, most_agents).model_dump(mode="json")
                return len(json.dumps(document))

        page = _timed("its page", lambda: shown(None))
        listed = _timed("its line of the list", lambda: shown(8))
        print(f"  page {page:,} bytes, line {listed:,} bytes")
        _timed("every agent ends", lambda: agents.say(campaign_id, "ended", [*others, 0], phase=0), number)
        print(f"  {agents.campaign(campaign_id).outcome}")


if __name__ == "__main__":
    main()
