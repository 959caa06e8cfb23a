"""Pace of the polls of a campaign's agents, which the backend sets if they are many.

With few agents, every poll reads all of them and advances the campaign. With many, only the poll of the first
agent does, and a worker every two seconds (`tending`): otherwise a thousand polls would each read a thousand
agents.
"""

MANY_AGENTS = 64
"""Number of agents above which the backend sets the pace."""
FEATURE = "paced-polls"
"""Feature of an agent that polls at the pace of the backend."""
_POLLS_PER_S = 200
"""Number of polls per second of all agents of a campaign together."""


def pace_s(agents: int) -> float:
    """Return the seconds between two polls of a working agent in a campaign of this many agents, at least 1.

    For `MANY_AGENTS` or fewer, return 0: each agent sets its own pace, a second.
    """
    return 0.0 if agents <= MANY_AGENTS else max(1.0, agents / _POLLS_PER_S)
