"""Pace of the polls of a campaign's agents; with many agents, the backend sets it.

A poll of few agents reads all of them and advances the campaign. With many only the poll of the first does,
and the worker every other second (`tending`): else each of a thousand polls would read a thousand agents.
"""

MANY_AGENTS = 64
"""With more agents than this, the backend sets the pace."""
FEATURE = "paced-polls"
"""The word by which an agent says that it keeps such a pace."""
_POLLS_PER_S = 200


def pace_s(agents: int) -> float:
    """Return the seconds between two polls of a working agent in a campaign of so many agents.

    0: the agent chooses, at most a second.
    """
    return 0.0 if agents <= MANY_AGENTS else max(1.0, agents / _POLLS_PER_S)
