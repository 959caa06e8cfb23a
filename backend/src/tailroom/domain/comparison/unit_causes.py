"""Facts of its inventory in which a unit that stands out differs from its siblings.

A fact is named if at least half of the siblings share another value and at most one in twenty has that of the
unit; a measured fact (a temperature) if it lies far from those of the siblings. Facts that differ are a place
to look, and no proof: a unit may be slow for a reason that no inventory states. Source: docs/method.md 2.7.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

MEASURED_FACTS = ("temperature_c", "wear_used_pct", "available_spare_pct", "power_on_hours", "media_errors")
"""Last parts of the names of measured facts, which vary a little over all units."""
_RARE_RATIO = 0.05
"""Largest share of siblings with the value of the unit."""
_USUAL_RATIO = 0.5
"""Least share of siblings that state the fact, and that share its usual value."""
_LEAST_DEVIATIONS = 5.0
"""Robust standard deviations from the median of the siblings."""
_SMALLEST_STEP = {"temperature_c": 5.0, "wear_used_pct": 10.0, "available_spare_pct": 10.0}
"""Smallest difference of a measured fact that is named, by the last part of its name; 1 for others."""
_DEVIATIONS_IN_MAD = 1.4826
"""Standard deviations in a median absolute deviation, for a normal distribution."""


@dataclass(frozen=True, slots=True)
class Cause:
    """A fact in which a unit differs. Of the `siblings` that state it, `same_siblings` have its value."""

    name: str
    value: str
    usual: str
    same_siblings: int
    siblings: int
    odd_units: int
    """Number of units that stand out and have this value, the unit itself included."""


def likely_causes(
    facts: Mapping[str, str], siblings: Sequence[Mapping[str, str]], odd: Sequence[Mapping[str, str]]
) -> list[Cause]:
    """Return the facts of a unit that may explain why it stands out, the value that fewest siblings share
    first; may be empty. `siblings` are the facts of the units that do not stand out, `odd` those of the units
    that do, this unit included.
    """
    causes = []
    for name, value in facts.items():
        others = [of_unit[name] for of_unit in siblings if name in of_unit]
        if len(others) < _USUAL_RATIO * len(siblings) or not others:
            continue
        usual = (
            _usual_measured(name, value, others)
            if name.rpartition(".")[2] in MEASURED_FACTS
            else _usual_value(value, others)
        )
        if usual is None:
            continue
        same = sum(1 for sibling_value in others if sibling_value == value)
        shared = sum(1 for of_unit in odd if of_unit.get(name) == value)
        causes.append(Cause(name, value, usual, same, len(others), shared))
    return sorted(
        causes, key=lambda cause: (cause.same_siblings / cause.siblings, -cause.odd_units, cause.name)
    )


def _usual_value(value: str, others: Sequence[str]) -> str | None:
    """Return the value of at least half of the siblings, if the unit has another, rare one; else None."""
    counts = Counter(others)
    usual, times = counts.most_common(1)[0]
    is_rare = counts[value] <= _RARE_RATIO * len(others)
    return usual if usual != value and is_rare and times >= _USUAL_RATIO * len(others) else None


def _usual_measured(name: str, value: str, others: Sequence[str]) -> str | None:
    """Return the median of the siblings as text; None if the unit's value is near it or no number."""
    try:
        own, values = float(value), np.array([float(sibling_value) for sibling_value in others], np.float64)
    except ValueError:
        return None
    median = float(np.median(values))
    spread = _DEVIATIONS_IN_MAD * float(np.median(np.abs(values - median)))
    step = _SMALLEST_STEP.get(name.rpartition(".")[2], 1.0)
    return f"{median:g}" if abs(own - median) >= max(step, _LEAST_DEVIATIONS * spread) else None
