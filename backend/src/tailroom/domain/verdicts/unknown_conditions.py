"""Facts that every verdict needs: the unit of the latencies, the timed operation, and the kind of load.

They are never guessed: without all of them a file has no verdict until the uploader answers. Names are those
of the disclosure fields.
"""

from collections.abc import Collection, Sequence

from tailroom.domain.units import NS_PER_MS, NS_PER_S, NS_PER_US
from tailroom.domain.verdicts.verdict import Judgement, Reason, undecided

LATENCY_UNIT = "tool.latency_unit"
OPERATION = "tool.operation"
LOOP = "tool.loop"
UNITS_NS = {"ns": 1, "µs": NS_PER_US, "ms": NS_PER_MS, "s": NS_PER_S}
"""Length of each unit in ns, by the names that may be answered."""
OTHER_NAMES = {"us": "µs", "μs": "µs"}
"""Other spellings of units."""
OPEN, CLOSED = LOOPS = ("open", "closed")
UNNAMED = "all"
"""Name that importers give an operation that their file does not name."""
_WORDS = {
    LATENCY_UNIT: ("the unit of its latencies", "--unit"),
    OPERATION: ("what was timed", "--operation"),
    LOOP: ("whether the load was open or closed", "--loop"),
}


def unknown_of(missing: Collection[str]) -> tuple[str, ...]:
    """Return those of the missing fields that every verdict needs, in a fixed order; empty without any."""
    return tuple(name for name in _WORDS if name in missing)


def words_of(unknown: Sequence[str]) -> tuple[str, ...]:
    """Return each missing field in words, such as `what was timed`. Raise KeyError for other fields."""
    return tuple(_WORDS[name][0] for name in unknown)


def judgement(unknown: Sequence[str]) -> Judgement:
    """Return the undecided judgement for the missing fields `unknown`. Raise KeyError as `words_of` does."""
    words = [_WORDS[name] for name in unknown]
    facts = ", ".join(fact for fact, _ in words)
    options = ", ".join(option for _, option in words)
    text = f"unknown conditions: the file does not state {facts}"
    return undecided(Reason.METADATA, text, f"an answer ({options})")
