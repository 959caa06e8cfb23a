"""Trend of a watched configuration: figures of each run, level changes, and facts that changed with them.

A level change is detected in the history itself (`domain.time_course.e_divisive`), not by a fixed threshold:
a step has to exceed the variation of equal runs. Facts of host, plan and tool that differ from the run before
are listed; the trend does not claim that any of them is the cause.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tailroom.analysis.figures import FiguresOut, MeasuredOut
from tailroom.domain.comparison.history import FEWEST_RUNS
from tailroom.domain.time_course.e_divisive import e_divisive
from tailroom.domain.verdicts.budget_kinds import CLOCKS


class LevelStep(NamedTuple):
    """A change of a quantity's level: index of its first run, levels before and after, p-value."""

    quantity: str
    position: int
    before: float
    after: float
    p_value: float


def measured_of(figures: FiguresOut, operation: str | None) -> MeasuredOut | None:
    """Return the figures of an operation on the clock that verdicts prefer; None if there are none.

    `operation` None: reads, else the first operation.
    """
    chosen = [row for row in figures.operations if operation in {None, row.operation}]
    chosen = [row for row in chosen if row.is_read] or chosen
    names = [row.operation for row in chosen][:1]
    chosen = [row for row in chosen if row.operation in names]
    return min(chosen, key=lambda row: CLOCKS.index(row.clock), default=None)


def steps_of(quantity: str, middles: Sequence[float | None]) -> tuple[list[LevelStep], str | None]:
    """Return the level changes of a quantity, and the reason if none can be searched for.

    `middles`: its value in consecutive runs; runs with None are left out.
    """
    indices = [index for index, middle in enumerate(middles) if middle is not None]
    if len(indices) < FEWEST_RUNS:
        return [], f"{_runs(len(indices))} too few to see a change; {FEWEST_RUNS} are needed"
    result = e_divisive(np.array([middles[index] for index in indices], dtype=np.float64))
    steps = [
        LevelStep(quantity, indices[change.position], change.before, change.after, change.p_value)
        for change in result.changes
    ]
    return steps, result.reason


def _runs(count: int) -> str:
    return "1 run is" if count == 1 else f"{count} runs are"
