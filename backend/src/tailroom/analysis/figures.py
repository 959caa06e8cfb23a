"""Figures of a run for comparisons: each quantity with its limits, and the conditions of the test.

They need all intervals of the run, so for a finished run they are computed once and stored as a picture.
"""

from collections.abc import Sequence
from typing import Literal
from uuid import UUID

from pydantic import BaseModel, Field

from tailroom.analysis.run_reader import RunReader
from tailroom.domain.comparison.comparison import Measured, Side, measured
from tailroom.domain.comparison.conditions import Conditions, DrawnLoad
from tailroom.domain.comparison.figures import Figure
from tailroom.domain.errors import DomainError
from tailroom.domain.units import NS_PER_S
from tailroom.domain.verdicts.budget_kinds import Clock
from tailroom.domain.verdicts.evidence import TRANSACTION, OperationEvidence, RunEvidence
from tailroom.domain.verdicts.other_tools import requests
from tailroom.domain.verdicts.unknown_conditions import words_of
from tailroom.evidence.run import evidence_of, read_of
from tailroom.importers.agent_result.importer import TOOL, parameters_of
from tailroom.importers.parsed_run import Value
from tailroom.kit.deadlines import check
from tailroom.records.run_record import RunRecord
from tailroom.storage.run import UPLOAD, Run


class FigureOut(BaseModel):
    """One quantity with bounds by the measured data, and confidence limits around them; null if unknown or
    open.

    `why_no_limits` is empty if there are limits. `spread` is the standard deviation over parts of the run, of
    a share itself, of other quantities on the logarithm; null without counts over time.
    """

    quantity: str
    lower: float
    upper: float | None
    lower_limit: float | None
    upper_limit: float | None
    why_no_limits: str
    spread: float | None = None


class MeasuredConditionsOut(BaseModel):
    """Conditions of an operation's load, which decide whether two measurements are comparable.

    `unknown` names conditions that the source does not state. `fell_behind` is how the load stayed below its
    schedule, null if it did not.
    """

    tool: str
    tool_version: str | None
    operation: str
    clock: Clock
    closed_loop: bool
    target_per_s: float | None
    parameters: dict[str, Value]
    unknown: list[str]
    fell_behind: str | None


class MeasuredOut(BaseModel):
    """Figures and conditions of one operation by one clock (kind of time). `samples` is null if unknown."""

    operation: str
    clock: Clock
    is_read: bool = Field(description="a read, by whatever name its tool has for it")
    samples: int | None
    measured_ns: int
    has_course: bool
    in_flight_lower: float | None = Field(description="operations at once, by Little's law")
    in_flight_upper: float | None
    conditions: MeasuredConditionsOut
    figures: list[FigureOut]

    def measured(self, beside: Sequence["MeasuredOut"] = ()) -> Measured:
        """Return the figures in the form that comparisons use. From the total load of `beside`, all
        operations of the same run or drive, a comparison knows whether two runs differ in load, or only in
        how many of this operation a random mix drew.
        """
        figures = tuple(Figure(**figure.model_dump()) for figure in self.figures)
        bounds = (self.in_flight_lower, self.in_flight_upper)
        in_flight = None if bounds[0] is None or bounds[1] is None else (bounds[0], bounds[1])
        conditions = Conditions(**self.conditions.model_dump(), drawn=_drawn_load(self, beside))
        return Measured(figures, conditions, self.has_course, in_flight)


def _drawn_load(measured_out: MeasuredOut, beside: Sequence[MeasuredOut]) -> DrawnLoad | None:
    """Return the total load of all requests by one clock, from which a mix may have drawn the operation. None
    if they are fewer than two, without this operation, or of unknown rate.
    """
    single = dict.fromkeys(entry.operation for entry in beside if entry.operation != TRANSACTION)
    names = requests(list(single))
    same_clock = [entry for entry in beside if entry.clock == measured_out.clock and entry.operation in names]
    if len(same_clock) < 2 or measured_out.operation not in names or not measured_out.measured_ns:
        return None
    rates = [rate for entry in same_clock if (rate := entry.conditions.target_per_s) is not None]
    if len(rates) < len(same_clock) or not sum(rates):
        return None
    return DrawnLoad(sum(rates), sum(rates) * measured_out.measured_ns / NS_PER_S)


class DeviceFiguresOut(BaseModel):
    """The figures of one device of a run that has figures of several devices."""

    device: str
    operations: list[MeasuredOut]


class FiguresOut(BaseModel):
    """All figures of a run that comparisons use."""

    run_id: UUID
    source: Literal["agent", "upload"]
    operations: list[MeasuredOut]
    devices: list[DeviceFiguresOut] = Field(
        default_factory=list, description="where the run has several devices with a record of their own"
    )
    contradiction: str | None = Field(
        description="how its series contradict each other; then nothing is known"
    )


def figures_of_run(reader: RunReader) -> FiguresOut:
    """Return the figures of every operation by every clock, and of each of several devices. If series
    contradict each other, there is a reason in their place.
    """
    run = reader.run
    record, _ = reader.record()
    operations: list[MeasuredOut] = []
    devices: list[DeviceFiguresOut] = []
    contradiction = None
    try:
        operations = _operations(run, record)
        names = reader.devices()
        if len(names) > 1:
            devices = [
                DeviceFiguresOut(device=name, operations=_operations(run, reader.record_of_device(name)))
                for name in names
            ]
    except DomainError as error:
        contradiction = str(error)
    source = "upload" if run.source == UPLOAD else "agent"
    return FiguresOut(
        run_id=run.run_id, source=source, operations=operations, devices=devices, contradiction=contradiction
    )


def _operations(run: Run, record: RunRecord) -> list[MeasuredOut]:
    """Return the figures of every operation of a record, by every clock (kind of time)."""
    evidence = evidence_of(record)
    read = read_of(run, [operation.operation for operation in evidence.operations]) or "read"
    return [
        _measured(run, evidence, operation, is_read=operation.operation == read)
        for operation in evidence.operations
    ]


def _measured(run: Run, evidence: RunEvidence, operation: OperationEvidence, *, is_read: bool) -> MeasuredOut:
    """Return the figures and conditions of an operation; `is_read`: it is used for `read` in this run."""
    check()
    conditions = _conditions(run, evidence, operation)
    measurement = measured(Side(evidence, operation, conditions))
    return MeasuredOut.model_validate(
        {
            "operation": operation.operation,
            "clock": operation.clock,
            "is_read": is_read,
            "samples": operation.record.total,
            "measured_ns": operation.measured_ns,
            "has_course": measurement.has_course,
            "in_flight_lower": measurement.in_flight[0] if measurement.in_flight else None,
            "in_flight_upper": measurement.in_flight[1] if measurement.in_flight else None,
            "conditions": conditions,
            "figures": measurement.figures,
        },
        from_attributes=True,
    )


def _conditions(run: Run, evidence: RunEvidence, operation: OperationEvidence) -> Conditions:
    """Return the conditions of an operation's load, from the agent's plan or the parameters in the file."""
    if run.source == UPLOAD:
        tool, version = run.tool or "", run.tool_version
        parameters = dict(run.plan.get("parameters") or {})
    else:
        version = run.agent.get("version")
        tool = TOOL
        parameters = parameters_of(run.title, run.workload, str(run.run_id), run.plan)
    intended, measured_ns = operation.generation.intended, operation.measured_ns
    return Conditions(
        tool=tool,
        tool_version=version,
        operation=operation.operation,
        clock=operation.clock,
        closed_loop=run.closed_loop,
        target_per_s=None if intended is None or measured_ns <= 0 else intended / (measured_ns / NS_PER_S),
        parameters=parameters,
        unknown=words_of(evidence.unknown),
        fell_behind=operation.generation.fell_behind,
    )
