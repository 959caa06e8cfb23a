"""The stages of a run of asbench, separated at the lines `Stage 2: …` between their measurements.

Percentiles of asbench are cumulative from the start of the first stage, so a stage is the operations
between the last line before it and its own last line. The number of operations below a time is known
between two bounds: the lower bound of a difference is the lower bound of the later line less the upper
bound of the earlier line, the upper bound the reverse.
Histograms are of one period each, and belong to the stage in which they are printed. Operations
between the last line before a stage and its beginning are in that stage, with a note.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from tailroom.domain.latency.distribution import Misses
from tailroom.importers.asbench.cumulative import Cumulative
from tailroom.importers.parsed_run import Problem, Severity


@dataclass(slots=True)
class AsbenchStage:
    """Measurements of a stage; lines before the first stage form a stage without a number."""

    number: int | None
    description: str
    line_no: int | None
    cumulative: dict[str, Cumulative] = field(default_factory=dict)
    """The last cumulative line in the stage, by operation."""
    misses: dict[str, Misses] = field(default_factory=dict)
    """Failed operations by operation."""
    measured: set[str] = field(default_factory=set)
    """Names of the lines in the stage: operations (`read`), and their histograms (`read_hist`)."""

    @property
    def has_misses(self) -> bool:
        """Whether any operation failed in the stage."""
        return any(miss.total for miss in self.misses.values())


class Stages:
    """The stages of one run during reading."""

    def __init__(self) -> None:
        self.all: list[AsbenchStage] = [AsbenchStage(None, "", None)]

    @property
    def current(self) -> AsbenchStage:
        """The stage to which new lines belong."""
        return self.all[-1]

    @property
    def position(self) -> int:
        """Position of the current stage in `all`, from 0."""
        return len(self.all) - 1

    def begin(self, number: int, description: str, line_no: int) -> None:
        """Begin a stage by its line; it replaces lines before the first stage without measurements."""
        if self.position == 0 and not (self.current.measured or self.current.has_misses):
            self.all.clear()
        self.all.append(AsbenchStage(number, description, line_no))

    def phases(self, stages_stated: int) -> tuple[str | None, ...] | str:
        """Return the names of the stages, `(None,)` for a single stage; a text if they cannot be separated.

        The text is the reason. Stages at the end without measurements are left out. `stages_stated` is the
        number of stages in the preamble.
        """
        stages = list(self.all)
        while len(stages) > 1 and not (stages[-1].measured or stages[-1].has_misses):
            stages.pop()
        if max(len(stages), stages_stated) <= 1 and stages[0].number in (None, 1):
            return (None,)
        if len(stages) == 1 and stages[0].number is None:
            return "no line says where a stage begins"
        if stages[0].number not in (None, 1):
            return f"the log begins with stage {stages[0].number}, and counts go back to the first"
        numbers = [stage.number for stage in stages if stage.number is not None]
        if any(after != before + 1 for before, after in pairwise(numbers)):
            return "the numbers of the stages do not follow each other"
        operations = {operation for stage in stages for operation in stage.measured}
        for stage in stages:
            if lacking := sorted(operations - stage.measured):
                return f"nothing is printed of {', '.join(lacking)} in {_name(stage, numbers[0])}"
        return tuple(_name(stage, numbers[0]) for stage in stages)

    def border_notes(self, phases: Sequence[str | None]) -> Iterable[Problem]:
        """Yield a note for each of the `phases` after the first: the line from which its operations count.

        That is the last cumulative line of the stage before, so that operations after it, but before the
        stage begins, are in the stage. There is no note for a single phase.
        """
        for name, (before, stage) in zip(phases[1:], pairwise(self.all), strict=False):
            last = max((cumulative.line_no for cumulative in before.cumulative.values()), default=None)
            where = "the last period before it" if last is None else f"line {last}"
            yield Problem(
                f"{name} begins here and is counted from {where}: what was still measured between the two is "
                "in it",
                stage.line_no,
                Severity.NOTE,
            )


def _name(stage: AsbenchStage, first_number: int) -> str:
    """Return the name of a stage, or of the lines before the first numbered stage."""
    if stage.number is None:
        return f"before stage {first_number}"
    return f"stage {stage.number}: {stage.description}" if stage.description else f"stage {stage.number}"
