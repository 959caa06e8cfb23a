"""A watched configuration over time: figures of each run with their limits, where a level changed, and what
else changed then.

A change of level is found by the history itself (`domain.time_course.e_divisive`), not by a fixed threshold:
a step has to stand out from how much equal runs differ here. What changed beside it is every fact of host,
plan and tool that is not the same as in the run before; that one of them is the reason is not said.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tailroom.analysis.figures import FiguresOut, MeasuredOut
from tailroom.domain.comparison.history import FEWEST_RUNS
from tailroom.domain.time_course.e_divisive import e_divisive
from tailroom.domain.verdicts.budget_kinds import CLOCKS


class LevelStep(NamedTuple):
    """From this run on, a quantity lies at another level."""

    quantity: str
    position: int
    before: float
    after: float
    p_value: float


def measured_of(figures: FiguresOut, operation: str | None) -> MeasuredOut | None:
    """The operation that is asked for, else reads, else the first; on the clock that verdicts prefer."""
    there = [one for one in figures.operations if operation in {None, one.operation}]
    there = [one for one in there if one.is_read] or there
    names = [one.operation for one in there][:1]
    there = [one for one in there if one.operation in names]
    return min(there, key=lambda one: CLOCKS.index(one.clock), default=None)


def steps_of(quantity: str, middles: Sequence[float | None]) -> tuple[list[LevelStep], str | None]:
    """Changes of level over consecutive runs, and why none can be told. Runs without it are left out."""
    known = [place for place, one in enumerate(middles) if one is not None]
    if len(known) < FEWEST_RUNS:
        return [], f"{_runs(len(known))} too few to see a change; {FEWEST_RUNS} are needed"
    found = e_divisive(np.array([middles[place] for place in known], dtype=np.float64))
    steps = [
        LevelStep(quantity, known[one.position], one.before, one.after, one.p_value) for one in found.changes
    ]
    return steps, found.reason


def _runs(count: int) -> str:
    return "1 run is" if count == 1 else f"{count} runs are"
