"""Evidence of a stored run. Its buckets over time are read on first use."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace

from tailroom.domain.errors import DomainError
from tailroom.domain.transactions.plan import Plan
from tailroom.domain.verdicts.assessment import BudgetAssessment
from tailroom.domain.verdicts.budget_kinds import EVERY_OPERATION, OPERATIONS_PER_S, Budget
from tailroom.domain.verdicts.evidence import (
    TRANSACTION,
    GeneratorFacts,
    OperationEvidence,
    RateBounds,
    RunEvidence,
)
from tailroom.domain.verdicts.judge_budget import judge_budget
from tailroom.domain.verdicts.order import issued_plan, parameters_in
from tailroom.domain.verdicts.other_tools import READ, is_production, own_operations, read_operation, requests
from tailroom.domain.verdicts.unknown_conditions import LATENCY_UNIT, unknown_of
from tailroom.evidence.source import about_own, operations_of, unjudged
from tailroom.records.run_record import OperationRecord, RunRecord
from tailroom.records.series_record import SeriesRecord
from tailroom.storage.run import UPLOAD, Run

_COMPLETED = "completed"
_ENDED_BY_ITSELF = {"finished": True, "device_too_slow": False}
"""End states of other tools' runs, and whether the run reached its end at its load."""
_GENERATOR_TOO_SLOW = "generator_too_slow"


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A stored run as a source of evidence, computed once for all budgets."""

    record: RunRecord
    cache: dict[tuple[str, str, str | None], OperationEvidence] = field(default_factory=dict)
    """Evidence by name, clock and, if it replaces another, the operation of the budget."""

    @property
    def measured_ns(self) -> int:
        """Shortest measured time of any operation in ns, on the clocks that verdicts prefer, or 0."""
        return measured_ns(self.record)

    @property
    def own_operations(self) -> tuple[str, ...]:
        """Operations that a question about the record's own operation may mean; may be empty."""
        measured = [operation.operation for operation in self.record.operations if operation.has_operations]
        return own_operations(measured, read_of(self.record.run, measured))

    def evidence(self, budget: Budget) -> RunEvidence:
        """Return the evidence for a budget's operations. Raise DomainError if series contradict."""
        return evidence_of(self.record, operations_of(budget), self.cache)

    def assess(self, budget: Budget, bins: int) -> BudgetAssessment:
        """Return the assessment of a budget, whose window is divided into `bins` steps for the calculation.
        It is undecided, with the reason, if series contradict each other, or several match a question about
        the record's own operation.
        """
        try:
            budget = about_own(budget, self.own_operations)
            evidence = self.evidence(budget)
        except DomainError as error:
            return unjudged(budget, error, self.measured_ns, bins)
        return judge_budget(budget, evidence, bins=bins)


def evidence_of(
    record: RunRecord,
    requested: Collection[str] | None = None,
    cache: dict[tuple[str, str, str | None], OperationEvidence] | None = None,
) -> RunEvidence:
    """Return the evidence of the requested operations of a run, on every clock. None requests all operations,
    and adds the rate of all together. `cache` is filled as `StoredRun.cache`. Raise DomainError if the series
    of an operation contradict each other.
    """
    run = record.run
    read = read_of(run, [operation.operation for operation in record.operations])
    cache = {} if cache is None else cache
    operations: list[OperationEvidence] = []
    for operation in select_operations(record, requested):
        stands_for = READ if _is_stand_in(operation, read, requested) else None
        key = (operation.operation, operation.clock, stands_for)
        if key not in cache:
            cache[key] = operation_evidence(operation, run, stands_for=stands_for)
        operations.append(cache[key])
    return RunEvidence(
        tuple(operations),
        measured_ns=measured_ns(record),
        rates=rates_of(record) if requested is None else {},
        # An agent's run that did not complete may have ended for any reason.
        completed=_ENDED_BY_ITSELF.get(run.end_state or "")
        if run.source == UPLOAD
        else (run.outcome == _COMPLETED or None),
        completion_text=run.outcome_reason or (f"the run ended as {run.outcome}" if run.outcome else ""),
        unknown=_unknown_facts(run),
    )


def _unknown_facts(run: Run) -> tuple[str, ...]:
    """Return facts that neither files nor uploader state; a unit counts only if the file was read with it."""
    if run.source != UPLOAD:
        return ()
    missing = unknown_of([name for name in run.missing if name not in run.disclosed])
    unit = run.disclosed.get(LATENCY_UNIT)
    read_with = (run.plan.get("parameters") or {}).get("latency_unit")
    if LATENCY_UNIT in run.missing and unit is not None and unit.get("value") != read_with:
        missing = (LATENCY_UNIT, *missing)
    return missing


def select_operations(record: RunRecord, names: Collection[str] | None) -> list[OperationRecord]:
    """Return the operations of these names; `read` also means the read of the run's tool. None means all
    operations, but only requests of an uploaded run.
    """
    if names is None:
        if record.run.source != UPLOAD:
            return list(record.operations)
        names = requests(list(dict.fromkeys(operation.operation for operation in record.operations)))
        return [operation for operation in record.operations if operation.operation in names]
    read = read_of(record.run, [operation.operation for operation in record.operations])
    return [
        operation
        for operation in record.operations
        if operation.operation in names or _is_stand_in(operation, read, names)
    ]


def candidates_for(record: RunRecord, operation: str) -> list[OperationRecord]:
    """Return the operations that `operation` may mean, on every clock, without those known to be empty."""
    candidates = select_operations(record, None if operation == EVERY_OPERATION else (operation,))
    return [candidate for candidate in candidates if candidate.has_operations]


def read_of(run: Run, operations: Collection[str]) -> str | None:
    """Return the operation that is used for `read` in a run, by its tool; None if there is none."""
    counts = {
        claim["operation"]: claim["lower"]
        for claim in run.claims or ()
        if claim["quantity"] == "operation_count" and claim["lower"] == claim["upper"]
    }
    return read_operation(run.tool, operations, run.plan.get("parameters") or {}, counts)


def _is_stand_in(operation: OperationRecord, read: str | None, names: Collection[str] | None) -> bool:
    """Return whether `read` is requested and this operation, of another name, is used for it."""
    return names is not None and READ in names and read not in {None, READ} and operation.operation == read


def operation_evidence(
    record: OperationRecord, run: Run, *, stands_for: str | None = None
) -> OperationEvidence:
    """Return the evidence of an operation, as `stands_for` if given. Raise DomainError if series
    contradict.
    """
    name = stands_for or record.operation
    uploaded = run.source == UPLOAD

    def generator_at(limit_ns: int) -> GeneratorFacts:
        return _generator_facts(record.with_late_limit(limit_ns), run, stands_for)

    validity, best = _generator_facts(record, run, stands_for)
    return OperationEvidence(
        operation=name,
        clock=record.clock,
        record=record.dist,
        generation=replace(
            record.generation, fell_behind=_reason_of_lateness(run), is_production=is_production(run.tool)
        ),
        closed_loop=run.closed_loop,
        measured_ns=record.measured_ns,
        issued=plan_of_measured(run) if name == TRANSACTION else None,
        load_intervals=(lambda: record.intervals) if record.has_course else None,
        effects=record.effect_at if record.has_course else None,
        cache_effects=record.cache_effects if record.has_course else None,
        # Other tools have no exact counters at limits, so their hours come from buckets, with bounds.
        hours=None if uploaded else record.full_hours,
        validity=validity,
        load_at_best=best,
        generator_at=generator_at if record.has_course and validity.is_known else None,
    )


def _generator_facts(record: OperationRecord, run: Run, stands_for: str | None) -> GeneratorFacts:
    if not record.has_course or record.validity.doubtful == 0:
        return record.validity, None
    return record.validity, lambda: operation_evidence(record.at_best, run, stands_for=stands_for)


def measured_ns(record: RunRecord) -> int:
    """Return the shortest measured time of any operation in ns, on the clocks that verdicts prefer, or 0."""
    return min((operation.measured_ns for operation in _preferred_records(record)), default=0)


def rates_of(record: RunRecord) -> dict[str, RateBounds]:
    """Return operations per second by name of the rate: as the tool states it, else counted answers, without
    whole transactions, because their reads are. Empty if a count or the time is unknown.
    """
    stated = [
        claim
        for claim in record.run.claims or ()
        if claim["quantity"] == "throughput_ops_per_s" and claim["operation"] == "total"
    ]
    if len(stated) == 1 and None not in (stated[0]["lower"], stated[0]["upper"]):
        return {OPERATIONS_PER_S: RateBounds(stated[0]["lower"], stated[0]["upper"])}
    through_ns = measured_ns(record)
    names = [operation.operation for operation in select_operations(record, None)]
    counted = [
        operation
        for operation in _preferred_records(record)
        if operation.operation in names and operation.operation != TRANSACTION
    ]
    if not counted or through_ns <= 0:
        return {}
    totals = [_completed_operations(part) for operation in counted for part in operation.parts]
    stated_totals = [total for total in totals if total is not None]
    if len(stated_totals) < len(totals):
        return {}
    per_s = sum(stated_totals) / (through_ns / 1e9)
    return {OPERATIONS_PER_S: RateBounds(per_s, per_s)}


def plan_of_measured(run: Run) -> Plan | None:
    """Return the plan of each measured transaction, from the plan of the run; None if it states none."""
    return issued_plan(parameters_in(run.plan))


def _completed_operations(part: SeriesRecord) -> int | None:
    if part.is_statement:
        total = part.dist.total
        return None if total is None else total - part.dist.misses.total
    return 0 if part.total is None else part.total.numbers["count"]


def _reason_of_lateness(run: Run) -> str | None:
    if run.end_state != _GENERATOR_TOO_SLOW:
        return None
    return run.outcome_reason or "the generator of the load could not keep its schedule"


def _preferred_records(record: RunRecord) -> list[OperationRecord]:
    names = dict.fromkeys(operation.operation for operation in record.operations)
    return [operation for operation in (record.of(name) for name in names) if operation is not None]
