"""The preamble of asbench, its cumulative lines `hdr: read …`, and its stages.

Percentiles of asbench are cumulative from the start of the first stage, so a stage, which begins at a line
`Stage 2: …`, is the operations between the last line before it and its own last line. The number of
operations below a time is known between two bounds: the lower bound of a difference is the lower bound of the
later line less the upper bound of the earlier line, the upper bound the reverse. Histograms are of one period
each, and belong to the stage in which they are printed. Operations between the last line before a stage and
its beginning are in that stage, with a note.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

from tailroom.domain.latency.distribution import Misses
from tailroom.domain.latency.knots import StatementsContradict
from tailroom.domain.latency.layouts import HdrLayout
from tailroom.importers.parsed_run import Claim, Value
from tailroom.importers.printed import parameter_value, printed
from tailroom.importers.problems import ProblemList
from tailroom.importers.statements import GRAIN, Statements, hdr_bucket_ns

_LINE = re.compile(r"([A-Za-z][A-Za-z/ -]{0,60}):\s*(.*)")
_STAGE_LINE = re.compile(r"(?:- |  )([a-z-]+): (.*)")
_HDR_FORMAT = "hdr histogram format"
_NAMES = {
    "hosts": "hosts",
    "namespace": "namespace",
    "set": "set",
    "keys/records": "keys",
    "object spec": "object_spec",
    "threads": "threads",
    "read total timeout": "read_timeout",
    "write total timeout": "write_timeout",
    "max retries": "retries_max",
    "send-key": "send_key",
    "read replica": "read_replica",
    "write commit level": "commit_level",
    "enable compression": "compression",
    "async max commands": "async_commands_max",
    "histogram period": "histogram_period",
}
_STAGE_NAMES = {
    "workload": "workload",
    "tps": "target_operations_per_s",
    "batch-size": "batch_size",
    "batch-read-size": "batch_read_size",
    "batch-write-size": "batch_write_size",
    "async": "asynchronous",
    "duration": "duration_s",
    "desc": "stage",
    "object-spec": "object_spec",
    "key-start": "key_start",
    "key-end": "key_end",
}
_MAX_STAGES = 1_000
_LAYOUT = HdrLayout()


@dataclass(slots=True)
class Preamble:
    """Parameters of the run, and of each stage in order, by name."""

    parameters: dict[str, Value] = field(default_factory=dict)
    stages: list[dict[str, Value]] = field(default_factory=list)
    quantiles: tuple[Fraction, ...] | None = None
    """Shares (0 to 1) of the percentiles in lines `hdr: …`, in order; None if the file states none."""

    def line(self, text: str) -> bool:
        """Return whether a line has the form `name: value` of the preamble; store it if the name is known."""
        stage = _STAGE_LINE.fullmatch(text)
        if stage is not None:
            if text.startswith("-") and len(self.stages) < _MAX_STAGES:
                self.stages.append({})
            if self.stages and stage[1] in _STAGE_NAMES:
                self.stages[-1].setdefault(_STAGE_NAMES[stage[1]], _value(stage[2]))
            return True
        match = _LINE.fullmatch(text)
        if match is None:
            return False
        if match[1] == _HDR_FORMAT:
            self.quantiles = _quantiles(match[2])
        elif match[1] in _NAMES:
            self.parameters[_NAMES[match[1]]] = _value(match[2])
        return True

    def all_parameters(self) -> dict[str, Value]:
        """Return the parameters by name, those of several stages with a prefix (`stage_2_workload`)."""
        parameters = dict(self.parameters)
        for number, stage in enumerate(self.stages, 1):
            prefix = "" if len(self.stages) == 1 else f"stage_{number}_"
            for name, value in stage.items():
                parameters.setdefault(prefix + name, value)
        return parameters


def _quantiles(text: str) -> tuple[Fraction, ...] | None:
    """Return the shares (0 to 1) in the text of `hdr histogram format:`; None if its form is another."""
    columns = [column.strip() for column in text.split(",")]
    quantiles = []
    for column in columns[5:]:
        number = printed(column.removesuffix("%"))
        if number is None or not column.endswith("%") or not 0 <= number.value <= 100:
            return None
        quantiles.append(number.value / 100)
    return tuple(quantiles) if columns[2:5] == ["total", "min-latency", "max-latency"] else None


def _value(text: str) -> Value:
    """Return the value of a parameter; None for `(null)` and for blank text."""
    return None if text.strip() in ("(null)", "") else parameter_value(text.strip())


@dataclass(frozen=True, slots=True)
class Cumulative:
    """Count and latencies of all operations since the start; `values_us` are the printed percentiles."""

    line_no: int
    total: int
    least_us: int
    most_us: int
    values_us: tuple[int, ...]

    def statements(self, quantiles: Sequence[Fraction]) -> Statements:
        """Return the bounds of the distribution that the line proves, none without operations.

        `quantiles`: shares of its percentiles, if known. Raise LatencyImpossible over MAX_TIME_NS.
        """
        statements = Statements(self.total)
        if not self.total:
            return statements
        statements.span(_bucket_ns(self.least_us)[0], _bucket_ns(self.most_us)[1])
        for quantile, value_us in zip(quantiles, self.values_us, strict=False):
            statements.hdr_quantile(quantile, *_bucket_ns(value_us))
        return statements

    def claims(self, operation: str, quantiles: Sequence[Fraction]) -> Iterator[Claim]:
        """Yield the numbers of the line as claims, only the count without operations.

        Percentiles are numbered if `quantiles` do not fit. Raise LatencyImpossible over MAX_TIME_NS.
        """
        yield Claim.of_count(operation, "operation_count", self.total, self.line_no)
        if self.total == 0:
            return
        numbers: list[tuple[str, float | None, int]] = [
            ("latency_min_ns", None, self.least_us),
            ("latency_max_ns", None, self.most_us),
        ]
        if len(quantiles) == len(self.values_us):
            numbers += [
                ("latency_quantile_ns", float(share), value)
                for share, value in zip(quantiles, self.values_us, strict=True)
            ]
        else:
            numbers += [
                (f"latency_percentile_{at}_ns", None, value) for at, value in enumerate(self.values_us, 1)
            ]
        for quantity, share, value_us in numbers:
            yield Claim(operation, quantity, f"{value_us} µs", *_bucket_ns(value_us), share, self.line_no)


def _bucket_ns(value_us: int) -> tuple[int, int]:
    """Return the edges in ns of the bucket of a time. Raise LatencyImpossible below 0 or over MAX_TIME_NS."""
    return hdr_bucket_ns(_LAYOUT, value_us)


def difference(earlier: Statements, later: Statements) -> Statements:
    """Return bounds of the distribution of the operations that only the later cumulative statements count.

    Both must have counts. Raise StatementsContradict if the earlier operations are no part of the later.
    """
    before, after = earlier.count or 0, later.count or 0
    count = after - before
    if count < 0:
        raise StatementsContradict(f"{before} operations are no part of {after}")
    statements = Statements(count)
    if count == 0:
        return statements
    of_earlier, of_later = _Bounds(earlier), _Bounds(later)
    for time_ns in sorted({*of_earlier.times, *of_later.times}):
        least_before, most_before = of_earlier.grains_below(time_ns)
        least_after, most_after = of_later.grains_below(time_ns)
        if most_after < least_before or after * GRAIN - least_after < before * GRAIN - most_before:
            raise StatementsContradict(
                f"more operations lie below or over {time_ns} ns earlier than later: what is printed later "
                "does not hold what was printed earlier"
            )
        statements.least_part(time_ns, least_after - most_before)
        statements.most_part(time_ns, most_after - least_before)
    return statements


class _Bounds:
    """Bounds of the number of operations below any time, in grains (`GRAIN` of them are one operation)."""

    def __init__(self, statements: Statements) -> None:
        parts = statements.parts()
        self.times = [at for at, _, _ in parts]
        self._least: list[int] = [0, *(least for _, least, _ in parts)]
        self._most: list[int] = [*(most for _, _, most in parts), (statements.count or 0) * GRAIN]

    def grains_below(self, time_ns: int) -> tuple[int, int]:
        """Return lower and upper bound of the number of grains strictly below a time."""
        return self._least[bisect_right(self.times, time_ns)], self._most[bisect_left(self.times, time_ns)]


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
        """Return the names of the stages, `(None,)` for a single stage; the reason if they are mixed.

        Stages at the end without measurements are left out. `stages_stated`: number in the preamble.
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

    def note_borders(self, phases: Sequence[str | None], problems: ProblemList) -> None:
        """Note for each of the `phases` after the first from which line its operations count.

        That is the last cumulative line of the stage before, so that operations after it, but before the
        stage begins, are in the stage. There is no note for a single phase.
        """
        for name, (before, stage) in zip(phases[1:], pairwise(self.all), strict=False):
            last = max((cumulative.line_no for cumulative in before.cumulative.values()), default=None)
            where = "the last period before it" if last is None else f"line {last}"
            problems.note(
                f"{name} begins here and is counted from {where}: what was still measured between the two is "
                "in it",
                stage.line_no,
            )


def _name(stage: AsbenchStage, first_number: int) -> str:
    """Return the name of a stage, or of the lines before the first numbered stage."""
    if stage.number is None:
        return f"before stage {first_number}"
    return f"stage {stage.number}: {stage.description}" if stage.description else f"stage {stage.number}"
