"""How often the agents of a campaign ask: many of them at a pace that the backend names.

A poll of few agents reads all of them and advances the campaign. With many only the poll of the first does,
and the worker every other second (`tending`): else each of a thousand polls would read a thousand agents.
"""

MANY_AGENTS = 64
"""In a campaign of more agents these keep the pace."""
FEATURE = "paced-polls"
"""The word by which an agent says that it keeps such a pace."""
_POLLS_PER_S = 200


def pace_s(agents: int) -> float:
    """Return the seconds between two polls of a working agent; 0 lets the agent choose, at most a second."""
    return 0.0 if agents <= MANY_AGENTS else max(1.0, agents / _POLLS_PER_S)
