"""What a run has on record, as evidence that budgets are judged by.

Buckets over time are many; they are read when the judge asks for them and not before.
"""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from functools import partial

from tailroom.domain.transactions.plan import Plan
from tailroom.domain.verdicts.budget_kinds import (
    EVERY_OPERATION,
    OPERATIONS_PER_S,
    Budget,
)
from tailroom.domain.verdicts.evidence import (
    TRANSACTION,
    GeneratorFacts,
    OperationEvidence,
    RateBounds,
    RunEvidence,
)
from tailroom.domain.verdicts.other_tools import READ, own_operations, read_operation, requests
from tailroom.domain.verdicts.own_question import issued_plan, parameters_in
from tailroom.domain.verdicts.unknown_conditions import LATENCY_UNIT, unknown_of
from tailroom.evidence.source import operations_of
from tailroom.records.run_record import OperationRecord, RunRecord, SeriesRecord
from tailroom.storage.run import UPLOAD, Run

_COMPLETED = "completed"
_ENDED_BY_ITSELF = {"finished": True, "device_too_slow": False}
"""States of runs of other tools that say whether the run reached its end at its load."""
_GENERATOR_TOO_SLOW = "generator_too_slow"


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run that is stored, as a source of evidence: for every budget the same, prepared once."""

    record: RunRecord
    known: dict[tuple[str, str, str | None], OperationEvidence] = field(default_factory=dict)

    @property
    def measured_ns(self) -> int:
        """See `EvidenceSource`."""
        return measured_ns(self.record)

    @property
    def own_operations(self) -> tuple[str, ...]:
        """See `EvidenceSource`."""
        measured = [one.operation for one in self.record.operations if one.holds_something]
        return own_operations(measured, read_of(self.record.run, measured))

    def evidence(self, budget: Budget) -> RunEvidence:
        """See `EvidenceSource`."""
        return evidence_of(self.record, operations_of(budget), self.known)


def evidence_of(
    record: RunRecord,
    operations_asked: Collection[str] | None = None,
    known: dict[tuple[str, str, str | None], OperationEvidence] | None = None,
) -> RunEvidence:
    """What a run has on record of some operations (by default of all), on every clock.

    Rates are those of all operations together. What the run has not measured (bytes of the drive, bits of the
    network) is left out, never guessed. `known` holds operations by name, clock and what they stand for, from
    one question to the next.
    Raises DomainError where the series of an operation contradict themselves.
    """
    run = record.run
    read = read_of(run, [one.operation for one in record.operations])
    known = {} if known is None else known
    operations: list[OperationEvidence] = []
    for one in concerned(record, operations_asked):
        stands_for = READ if _is_stand_in(one, read, operations_asked) else None
        key = (one.operation, one.clock, stands_for)
        if key not in known:
            known[key] = operation_evidence(one, run, stands_for=stands_for)
        operations.append(known[key])
    return RunEvidence(
        tuple(operations),
        measured_ns=measured_ns(record),
        rates=rates_of(record) if operations_asked is None else {},
        completed=_completed(run),
        completion_text=run.outcome_reason or (f"the run ended as {run.outcome}" if run.outcome else ""),
        unknown=_unknown(run),
    )


def _unknown(run: Run) -> tuple[str, ...]:
    """Facts that the files leave open and nobody has answered. A unit counts as answered only where it is the
    one that the file was read with: another changes every latency, so the file is sent again with it.
    """
    if run.source != UPLOAD:
        return ()
    found = unknown_of([name for name in run.missing if name not in run.disclosed])
    unit = run.disclosed.get(LATENCY_UNIT)
    read_with = (run.plan.get("parameters") or {}).get("latency_unit")
    if LATENCY_UNIT in run.missing and unit is not None and unit.get("value") != read_with:
        found = (LATENCY_UNIT, *found)
    return found


def concerned(record: RunRecord, asked: Collection[str] | None) -> list[OperationRecord]:
    """Operations of a record that answer those asked about; none asked about: every request."""
    if asked is None:
        if record.run.source != UPLOAD:
            return list(record.operations)
        wanted = set(requests(list(dict.fromkeys(one.operation for one in record.operations))))
        return [one for one in record.operations if one.operation in wanted]
    read = read_of(record.run, [one.operation for one in record.operations])
    return [one for one in record.operations if one.operation in asked or _is_stand_in(one, read, asked)]


def answering(record: RunRecord, operation: str) -> list[OperationRecord]:
    """Operations on record, on every clock, that hold something and answer for one that a budget names."""
    found = concerned(record, None if operation == EVERY_OPERATION else (operation,))
    return [one for one in found if one.holds_something]


def read_of(run: Run, operations: Collection[str]) -> str | None:
    """The operation of a run that is a read by whatever name its tool has for it."""
    counts = {
        one["operation"]: one["lower"]
        for one in run.claims or ()
        if one["quantity"] == "operation_count" and one["lower"] == one["upper"]
    }
    return read_operation(run.tool, operations, run.plan.get("parameters") or {}, counts)


def _is_stand_in(one: OperationRecord, read: str | None, asked: Collection[str] | None) -> bool:
    """Whether an operation answers for `read` under its own name."""
    return asked is not None and READ in asked and read not in {None, READ} and one.operation == read


def operation_evidence(
    record: OperationRecord, run: Run, *, stands_for: str | None = None
) -> OperationEvidence:
    """One operation on one clock. `stands_for` names the operation of a budget that it is asked about as.

    Raises DomainError where its series contradict themselves.
    """
    name = stands_for or record.operation
    uploaded = run.source == UPLOAD

    def generator_at(limit_ns: int) -> GeneratorFacts:
        return _generator(record.with_late_limit(limit_ns), run, stands_for)

    validity, best = _generator(record, run, stands_for)
    return OperationEvidence(
        operation=name,
        clock=record.clock,
        record=record.dist,
        generation=replace(record.generation, fell_behind=_fell_behind(run)),
        closed_loop=run.closed_loop,
        measured_ns=record.measured_ns,
        issued=plan_of_measured(run) if name == TRANSACTION else None,
        load_intervals=(lambda: record.intervals) if record.has_course else None,
        effects=record.effect_at if record.has_course else None,
        know_effects=record.know_effects if record.has_course else None,
        # Other tools count no limits: their hours come from buckets, with both ends.
        hours=None if uploaded else record.full_hours,
        validity=validity,
        load_at_best=best,
        generator_at=generator_at if record.has_course and validity.is_known else None,
    )


def _generator(record: OperationRecord, run: Run, stands_for: str | None) -> GeneratorFacts:
    is_unreliable = record.has_course and record.validity.doubtful > 0
    return record.validity, partial(_at_best, record, run, stands_for) if is_unreliable else None


def _at_best(record: OperationRecord, run: Run, stands_for: str | None) -> OperationEvidence:
    return operation_evidence(record.at_best, run, stands_for=stands_for)


def measured_ns(record: RunRecord) -> int:
    """How long every operation was measured, on the clocks that verdicts prefer."""
    return min((one.measured_ns for one in _preferred(record)), default=0)


def rates_of(record: RunRecord) -> dict[str, RateBounds]:
    """Answered operations per second, whole transactions left out: their reads are counted by themselves."""
    stated = [
        one
        for one in record.run.claims or ()
        if one["quantity"] == "throughput_ops_per_s" and one["operation"] == "total"
    ]
    if len(stated) == 1 and None not in (stated[0]["lower"], stated[0]["upper"]):
        return {OPERATIONS_PER_S: RateBounds(stated[0]["lower"], stated[0]["upper"])}
    through_ns = measured_ns(record)
    names = [one.operation for one in concerned(record, None)]
    counted = [one for one in _preferred(record) if one.operation in names and one.operation != TRANSACTION]
    if not counted or through_ns <= 0:
        return {}
    answered = [_answered(part) for one in counted for part in one.parts]
    if None in answered:
        return {}
    per_s = sum(one for one in answered if one is not None) / (through_ns / 1e9)
    return {OPERATIONS_PER_S: RateBounds(per_s, per_s)}


def plan_of_measured(run: Run) -> Plan | None:
    """What each measured transaction consisted of, as the plan of the run says."""
    return issued_plan(parameters_in(run.plan))


def _answered(part: SeriesRecord) -> int | None:
    """Operations with a latency; none where the source does not say how many there were."""
    if part.is_statement:
        total = part.dist.total
        return None if total is None else total - part.dist.misses.total
    return 0 if part.total is None else part.total.numbers["count"]


def _completed(run: Run) -> bool | None:
    if run.source == UPLOAD:
        return _ENDED_BY_ITSELF.get(run.end_state or "")
    return True if run.outcome == _COMPLETED else None


def _fell_behind(run: Run) -> str | None:
    if run.end_state != _GENERATOR_TOO_SLOW:
        return None
    return run.outcome_reason or "the generator of the load could not keep its schedule"


def _preferred(record: RunRecord) -> list[OperationRecord]:
    names = dict.fromkeys(one.operation for one in record.operations)
    return [one for one in (record.of(name) for name in names) if one is not None]
