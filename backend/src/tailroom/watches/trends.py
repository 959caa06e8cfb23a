"""Trend of a watched configuration: figures of each run, changes of level, and facts that changed with them.

A change of level is detected in the history itself (`domain.time_course.e_divisive`), not by a fixed
threshold: it must exceed the variation of equal runs. Facts of host, plan and tool that differ from the
previous run are listed, without a claim that they are the cause.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tailroom.analysis.figures import FiguresOut, MeasuredOut
from tailroom.domain.comparison.history import FEWEST_RUNS
from tailroom.domain.time_course.e_divisive import e_divisive
from tailroom.domain.verdicts.budget_kinds import CLOCKS


class LevelStep(NamedTuple):
    """A change of a quantity's level from `before` to `after`, first seen in the run at `position`."""

    quantity: str
    position: int
    before: float
    after: float
    p_value: float


def measured_of(figures: FiguresOut, operation: str | None) -> MeasuredOut | None:
    """Return the figures of an operation by the first of `CLOCKS` that it has; None if it was not measured.

    With `operation` None, it is the first operation that is a read, else the first.
    """
    chosen = [row for row in figures.operations if operation in {None, row.operation}]
    chosen = [row for row in chosen if row.is_read] or chosen
    names = [row.operation for row in chosen][:1]
    chosen = [row for row in chosen if row.operation in names]
    return min(chosen, key=lambda row: CLOCKS.index(row.clock), default=None)


def steps_of(quantity: str, middles: Sequence[float | None]) -> tuple[list[LevelStep], str | None]:
    """Return the changes of level of a quantity, and the reason if none can be detected, else None.

    `middles` are its values in consecutive runs; runs without a value (None) are left out.
    """
    indices = [index for index, middle in enumerate(middles) if middle is not None]
    if len(indices) < FEWEST_RUNS:
        return [], f"{_count_text(len(indices))} too few to see a change; {FEWEST_RUNS} are needed"
    result = e_divisive(np.array([middles[index] for index in indices], dtype=np.float64))
    steps = [
        LevelStep(quantity, indices[change.position], change.before, change.after, change.p_value)
        for change in result.changes
    ]
    return steps, result.reason


def _count_text(count: int) -> str:
    """Return a number of runs with its verb, as the start of a sentence: `1 run is`, `4 runs are`."""
    return "1 run is" if count == 1 else f"{count} runs are"
