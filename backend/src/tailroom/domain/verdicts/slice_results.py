"""Results of single slices for a window and an objective: each has the result of its group."""

import itertools
from dataclasses import dataclass

import numpy as np

from tailroom.domain.latency.bounds import Floats, Int64s
from tailroom.domain.verdicts.plan_groups import PlanGroups


@dataclass(frozen=True, slots=True, eq=False)
class SliceResults:
    """Bounds and estimate of the share of transactions within the window in every slice, in order of time."""

    lower: Floats
    estimate: Floats
    upper: Floats
    start_ns: Int64s
    duration_ns: Int64s

    @staticmethod
    def of(groups: PlanGroups, by_group: tuple[Floats, Floats, Floats]) -> "SliceResults":
        """Return the results of the slices from those of groups: lower bounds, estimates, upper bounds."""
        lower, estimate, upper = (values[groups.group_of_slice] for values in by_group)
        return SliceResults(lower, estimate, upper, groups.start_ns, groups.duration_ns)

    @property
    def size(self) -> int:
        """Number of slices."""
        return int(self.lower.size)

    @property
    def worst_slice(self) -> int:
        """Position of the slice with the smallest estimated share of transactions in time."""
        return int(np.argmin(self.estimate))

    def meeting(self, objective: float) -> tuple[float, float, int]:
        """Return the share of slices that certainly meet an objective, the share that possibly do, and the
        largest number of consecutive slices that certainly do not.
        """
        missing = self.upper < objective
        runs = [len(list(run)) for missed, run in itertools.groupby(missing.tolist()) if missed]
        return (
            float((self.lower >= objective).mean()),
            float(1.0 - missing.mean()),
            max(runs, default=0),
        )
