"""Trend of a watched configuration: figures of each run, changes of level, and facts that changed with them.

A change of level is detected in the history itself (`domain.time_course.e_divisive`), not by a fixed
threshold: it must exceed the variation of equal runs. Facts of host, plan and tool that differ from the
previous run are listed, without a claim that they are the cause.
"""

from collections.abc import Sequence
from uuid import UUID

import numpy as np

from tailroom.analysis.figures import FiguresOut, MeasuredOut
from tailroom.domain.comparison.history import FEWEST_RUNS
from tailroom.domain.time_course.e_divisive import e_divisive
from tailroom.domain.verdicts.budget_kinds import CLOCKS
from tailroom.watches.schemas import LevelStepOut


def measured_of(figures: FiguresOut, operation: str | None) -> MeasuredOut | None:
    """Return the figures of an operation by the first of `CLOCKS` that it has; None if it was not measured.

    With `operation` None, it is the first operation that is a read, else the first.
    """
    chosen = [row for row in figures.operations if operation in {None, row.operation}]
    chosen = [row for row in chosen if row.is_read] or chosen
    names = [row.operation for row in chosen][:1]
    chosen = [row for row in chosen if row.operation in names]
    return min(chosen, key=lambda row: CLOCKS.index(row.clock), default=None)


def steps_of(quantity: str, middles: Sequence[tuple[UUID, float]]) -> tuple[list[LevelStepOut], str | None]:
    """Return the changes of level of a quantity, and the reason if none can be detected, else None.

    `middles` are the runs that have the quantity, in their order, each with its value.
    """
    if len(middles) < FEWEST_RUNS:
        count = "1 run is" if len(middles) == 1 else f"{len(middles)} runs are"
        return [], f"{count} too few to see a change; {FEWEST_RUNS} are needed"
    result = e_divisive(np.array([middle for _, middle in middles], dtype=np.float64))
    steps = [
        LevelStepOut(
            quantity=quantity,
            run_id=middles[change.position][0],
            before=change.before,
            after=change.after,
            p_value=change.p_value,
        )
        for change in result.changes
    ]
    return steps, result.reason
