"""Pace of the polls of a campaign's agents; with many agents, the backend sets it.

With few agents, every poll reads all of them and advances the campaign. With many, only the poll of the first
agent does, and the worker every two seconds (`tending`): else a thousand polls would each read a thousand
agents.
"""

MANY_AGENTS = 64
"""With more agents than this, the backend sets the pace."""
FEATURE = "paced-polls"
"""Feature of an agent that keeps such a pace."""
_POLLS_PER_S = 200


def pace_s(agents: int) -> float:
    """Return the seconds between two polls of a working agent in a campaign of so many agents.

    0: the agent chooses, at most a second.
    """
    return 0.0 if agents <= MANY_AGENTS else max(1.0, agents / _POLLS_PER_S)
