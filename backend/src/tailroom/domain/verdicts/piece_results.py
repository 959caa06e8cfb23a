"""How single pieces stand to a window and an objective: each has the answer of its group."""

import itertools
from dataclasses import dataclass

import numpy as np

from tailroom.domain.latency.bounds import Floats, Int64s
from tailroom.domain.verdicts.plan_groups import Groups


@dataclass(frozen=True, slots=True, eq=False)
class PieceResults:
    """P(T ≤ window) in every piece, in the order of time."""

    lower: Floats
    estimate: Floats
    upper: Floats
    start_ns: Int64s
    duration_ns: Int64s

    @staticmethod
    def of(groups: Groups, by_group: tuple[Floats, Floats, Floats]) -> "PieceResults":
        """From the answers of the groups."""
        lower, estimate, upper = (one[groups.group_of_piece] for one in by_group)
        return PieceResults(lower, estimate, upper, groups.start_ns, groups.duration_ns)

    @property
    def size(self) -> int:
        """Pieces."""
        return int(self.lower.size)

    @property
    def worst_piece(self) -> int:
        """Position of the piece in which fewest transactions keep the window."""
        return int(np.argmin(self.estimate))

    def meeting(self, objective: float) -> tuple[float, float, int]:
        """Share of pieces that certainly meet an objective, that possibly do, and most in a row that miss."""
        missing = self.upper < objective
        runs = [len(list(run)) for missed, run in itertools.groupby(missing.tolist()) if missed]
        return (
            float((self.lower >= objective).mean()),
            float(1.0 - missing.mean()),
            max(runs, default=0),
        )
