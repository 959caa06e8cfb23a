"""Evidence of runs for a page that works without a server: counts, design effects, load, course, verdicts.

The page judges limits on the share of slow operations by it (`frontend/src/offline`), as `judge_budget` does
by the full record; transactions by the groups of `offline_models`. Design effects are computed here from
every slice, because the slices of a day are too large for a page.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from itertools import combinations, islice
from typing import Any

import numpy as np

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.intervals import IntervalRecords, SliceTooShort
from tailroom.domain.latency.layouts import NEVER_NS
from tailroom.domain.transactions.design_effects import effect_times_ns
from tailroom.domain.units import NS_PER_S, ceil_div
from tailroom.domain.verdicts.budget_kinds import (
    EVERY_OPERATION,
    Budget,
    CompletionBudget,
    ExceedanceBudget,
    Limit,
    PercentileBudget,
    QuantileLimit,
    RuleSet,
    ThroughputBudget,
    TransactionBudget,
)
from tailroom.domain.verdicts.compaction import LATE_LIMITS_NS, compact_evidence
from tailroom.domain.verdicts.evidence import TRANSACTION, OperationEvidence, RunEvidence
from tailroom.domain.verdicts.hour_slices import HourSlice
from tailroom.domain.verdicts.other_tools import READ, is_machine_log
from tailroom.domain.verdicts.unknown_conditions import judgement as unknown_judgement
from tailroom.domain.verdicts.unknown_conditions import unknown_of
from tailroom.domain.verdicts.verdict import UNBOUNDED_SHARE
from tailroom.evidence.file import OperationCache, evidence_of, own_operations_of
from tailroom.importers.parsed_run import ParsedRun
from tailroom.reports.content import ReportSubject
from tailroom.reports.file_verdicts import RunVerdict
from tailroom.reports.offline_models import measured_document, model_document, transactions_document

COURSE_QUANTILES = (0.5, 0.99, 0.999)
MOST_PAIRS = 3
"""Pairs of operations that a page can answer about, besides those that verdicts ask about."""
MOST_SLICES = 1_440
"""Pieces of the course over time: a minute each in a day."""
_QUESTION = PercentileBudget("page", 1, "", "", EVERY_OPERATION, (QuantileLimit(0.5, NS_PER_S),))


class Models(IntEnum):
    """How much evidence about transactions a page contains; less evidence makes a smaller page."""

    NONE = 0
    OF_ONE_OPERATION = 1
    OF_SEVERAL_OPERATIONS = 2
    OF_SEVERAL_AT_BEST = 3
    """Also of several operations with unreliable slices at their best: whether a FAIL rests on these."""


def run_document(
    run: ParsedRun,
    subject: ReportSubject,
    verdicts: Sequence[RunVerdict],
    *,
    models: Models = Models.OF_SEVERAL_AT_BEST,
) -> dict[str, Any]:
    """Return the evidence of a run as the page reads it; `verdicts` in the order of the page."""
    unknown = unknown_of(run.missing)
    collected = _Operations(run)
    names = dict.fromkeys((*(series.operation for series in run.series), READ))
    named = {name: where for name in names if (where := collected.of(name)) is not None}
    operations = [
        _operation(operation, collected.reads, with_models=models > Models.NONE)
        for operation in collected.operations
    ]
    joint: list[dict[str, Any]] = []
    if models >= Models.OF_SEVERAL_OPERATIONS:
        joint = _joint_models(collected, named, verdicts)
    if models >= Models.OF_SEVERAL_AT_BEST:
        for entry in joint:
            entry["best"] = _joint_at_best(collected, operations, entry["operations"])
    return {
        "title": subject.title,
        "facts": [[fact.label, fact.text] for fact in subject.facts],
        "unknown": unknown_judgement(unknown).reason_text if unknown else "",
        "named": named,
        "every": collected.every(),
        "own": _own(run),
        "verdicts": [_verdict(entry, collected) for entry in verdicts],
        "joint": joint,
        "operations": operations,
        **_run_as_a_whole(run),
    }


def _joint_models(
    collected: "_Operations", named: Mapping[str, int | str], verdicts: Sequence[RunVerdict]
) -> list[dict[str, Any]]:
    """Return models of operations that occur together in one plan: those of verdicts, and the first pairs.

    `named`: index of the operation that each name means, or why it means none.
    """
    asked = [
        budget.plan.operations
        for entry in verdicts
        for budget in (entry.budget.criteria if isinstance(entry.budget, RuleSet) else (entry.budget,))
        if isinstance(budget, TransactionBudget) and len(budget.plan.operations) > 1
    ]
    requests: dict[int, str] = {}
    for name, place in named.items():
        if isinstance(place, int) and name != TRANSACTION:
            requests.setdefault(id(collected.operations[place].record), name)
    pairs = combinations(requests.values(), 2)
    documents = []
    for names in dict.fromkeys((*asked, *islice(pairs, MOST_PAIRS))):
        places = [where for name in names if isinstance(where := collected.of(name), int)]
        if len(places) < len(names):
            continue
        used = {name: collected.operations[place] for name, place in zip(names, places, strict=True)}
        if (model := model_document(used)) is not None:
            documents.append({"operations": places, "model": model, "best": []})
    return documents


def _joint_at_best(
    collected: "_Operations", documents: Sequence[dict[str, Any]], places: Sequence[int]
) -> list[dict[str, Any]]:
    """Return models of operations with their unreliable slices at their best.

    `places`: indices of the operations; `documents`: those of all operations. A model names for each
    operation the index in its `best`, None if it is reliable.
    """
    models: dict[tuple[int | None, ...], dict[str, Any] | None] = {}
    for limit_ns in LATE_LIMITS_NS:
        at_best = tuple(
            next(
                (row["at_best"] for row in documents[place]["reliability"] if row["limit_ns"] == limit_ns),
                None,
            )
            for place in places
        )
        if at_best in models or all(place is None for place in at_best):
            continue
        operations = [collected.operations[place].with_late_limit(limit_ns).at_best for place in places]
        models[at_best] = model_document(
            {str(place): row for place, row in zip(places, operations, strict=True)}
        )
    return [{"at_best": list(at_best), "model": model} for at_best, model in models.items()]


class _Operations:
    """The operations of a run, each once, by the names that questions call them."""

    def __init__(self, run: ParsedRun) -> None:
        self.operations: list[OperationEvidence] = []
        self._run = run
        self._known: OperationCache = {}
        self._is_judged = not is_machine_log(run.tool)

    def evidence(self, operation: str) -> tuple[OperationEvidence, ...]:
        """Return the evidence for the operations that a name means. Raise DomainError if that is unclear."""
        budget = PercentileBudget("page", 1, "", "", operation, _QUESTION.limits)
        evidence, _ = evidence_of([self._run], budget, cache=self._known)
        return evidence.operations

    def are_counted(self, operation: str) -> bool:
        """Return whether every operation of a name has counts, so that the page can judge it.

        A name of no operation, or of several, is refused from the names alone.
        """
        try:
            operations = self.evidence(operation)
        except DomainError:
            return True
        return all(isinstance(entry.record, LatencyDist) for entry in operations)

    def of(self, name: str) -> int | str | None:
        """Return the index of the operation that a name means; a text if it means none, which says why.

        None if there is no such operation.
        """
        if not self._is_judged:
            return None
        try:
            named = next(entry for entry in self.evidence(name) if entry.operation == name)
        except StopIteration:
            return None
        except DomainError as error:
            return None if name == READ else str(error)
        return self._place(named)

    def every(self) -> list[int]:
        """Return the indices of the operations that a question about all of them means."""
        try:
            operations = self.evidence(EVERY_OPERATION) if self._is_judged else ()
        except DomainError:
            return []
        places = (self._place(operation) for operation in operations)
        return [place for place in places if isinstance(place, int)]

    @property
    def reads(self) -> OperationEvidence | None:
        """Reads that measured transactions are compared with; None without reads, or without their counts."""
        place = self.of(READ)
        return self.operations[place] if isinstance(place, int) else None

    def _place(self, operation: OperationEvidence) -> int | str:
        """Return the index of an operation, added if new; a text if its record has no counts."""
        if not isinstance(operation.record, LatencyDist):
            return f"{operation.operation} is known by percentiles, not by counts: this page cannot judge it"
        for place, known in enumerate(self.operations):
            if (known.operation, known.clock) == (operation.operation, operation.clock) and (
                known.record is operation.record
            ):
                return place
        self.operations.append(operation)
        return len(self.operations) - 1


def _own(run: ParsedRun) -> list[str]:
    """Return the operations that a question without an operation may mean."""
    try:
        return list(own_operations_of([run]))
    except DomainError:
        return []


def _run_as_a_whole(run: ParsedRun) -> dict[str, Any]:
    """Return the evidence for budgets on rates and on the end of a run.

    None in it if nothing can be judged.
    """
    try:
        evidence, _ = evidence_of([run], CompletionBudget("page", 1, "", "", 1))
    except DomainError:
        return {"whole": None}
    return {
        "whole": {
            "rates": {name: [rate.lower, rate.upper] for name, rate in evidence.rates.items()},
            "completed": evidence.completed,
            "lasted_ns": evidence.lasted_ns,
            "is_load_unclear": bool(evidence.load.causes(UNBOUNDED_SHARE)),
        }
    }


def _operation(
    operation: OperationEvidence, reads: OperationEvidence | None, *, with_models: bool
) -> dict[str, Any]:
    """Return the evidence of an operation as the page reads it; `reads`: to compare transactions with."""
    compact = compact_evidence(RunEvidence((operation,))).operations[0]
    best: list[OperationEvidence] = []
    name = operation.operation
    models = [model_document({name: operation}) if with_models else None]
    reliability = []
    for limit_ns in LATE_LIMITS_NS if compact.generator_at is not None else ():
        limited = compact.with_late_limit(limit_ns)
        at_best = limited.at_best if limited.load_at_best is not None else None
        if at_best is not None and not any(at_best is known for known in best):
            best.append(at_best)
            whole = operation.with_late_limit(limit_ns).at_best
            models.append(model_document({name: whole}) if with_models else None)
        place = next((at for at, known in enumerate(best) if known is at_best), None)
        reliability.append({"limit_ns": limit_ns, "text": limited.validity.text, "at_best": place})
    load = operation.load
    return {
        "name": operation.operation,
        "clock": operation.clock,
        "measured_ns": operation.measured_ns,
        "cells": _cells(compact),
        "best": [_cells(at_best) for at_best in best],
        "reliability": reliability if best else [],
        "load": {
            "intended": load.intended,
            "counted": load.counted,
            "missing_intervals": load.missing_intervals,
            "closed_loop": load.closed_loop,
            "fell_behind": load.fell_behind is not None,
            "is_production": load.is_production,
        },
        "course": _course(operation.course),
        "model": models[0],
        "best_models": models[1:],
        "issued": measured_document(operation, reads),
    }


def _cells(operation: OperationEvidence) -> dict[str, Any]:
    """Return the counts of an operation by bucket, its exact counts, and the design effects at both."""
    record = operation.record
    assert isinstance(record, LatencyDist)  # noqa: S101 - `_place` lets no other record in
    cells = record.cells
    places = effect_times_ns(record) if operation.has_course else np.empty(0, np.int64)
    pins = sorted(record.pins)
    return {
        "lower_ns": cells.lower_ns.tolist(),
        "upper_ns": [None if at_ns == NEVER_NS else at_ns for at_ns in cells.upper_ns.tolist()],
        "counts": cells.counts.tolist(),
        "misses": record.misses.total,
        "edge_tolerance_ns": record.edge_tolerance_ns,
        "pins": [[at_ns, record.pins[at_ns]] for at_ns in pins],
        "places_ns": places.tolist(),
        "factors": [effect.factor for effect in operation.effects_at(places)],
        "pin_factors": [[at_ns, operation.effect_at(at_ns).factor] for at_ns in pins],
    }


def _course(intervals: IntervalRecords | None) -> dict[str, Any] | None:
    """Return percentiles of at most `MOST_SLICES` slices of time; None without a time course."""
    if intervals is None or intervals.size < 2:
        return None
    shortest_ns = max(1, ceil_div(intervals.end_ns, MOST_SLICES))
    length_ns = ceil_div(shortest_ns, NS_PER_S) * NS_PER_S
    try:
        slices = intervals.sliced(length_ns, full_only=False)
    except SliceTooShort:
        slices = intervals
    if not 2 <= slices.size <= MOST_SLICES + 1:
        return None
    records = [slices.distribution(row) for row in range(slices.size)]
    return {
        "start_ns": slices.start_ns.tolist(),
        "duration_ns": slices.duration_ns.tolist(),
        "quantiles": [_quantile(records, quantile) for quantile in COURSE_QUANTILES],
    }


def _quantile(records: Iterable[LatencyDist], quantile: float) -> dict[str, Any]:
    """Return the bounds of a quantile in ns in each record; None for a record without operations."""
    ends = [record.quantile_bounds(quantile) if record.total else None for record in records]
    return {
        "quantile": quantile,
        "lower_ns": [None if end is None else end.lower_ns for end in ends],
        "upper_ns": [None if end is None else end.upper_ns for end in ends],
    }


def _verdict(entry: RunVerdict, collected: _Operations) -> dict[str, Any]:
    """Return a verdict as the page reads it, and its question if the page can answer that."""
    document = entry.assessment.document()
    headline = document["headline"]
    return {
        "title": entry.budget.title or entry.budget.name,
        "question": entry.budget.question,
        "words": document["words"],
        "headline": headline["text"],
        "reason_text": document["reason_text"],
        "observed": document["observed"],
        "proven": document["proven"],
        "asked": headline["asked"],
        "is_counted": headline["basis"] != "model",
        "asked_again": _question(entry.assessment.budget, collected),
    }


def _question(budget: Budget, collected: _Operations) -> dict[str, Any] | None:
    """Return the question of a budget as the page reads it; None where the page cannot answer it."""
    match budget:
        case RuleSet():
            return _parts_question(budget, collected)
        case ThroughputBudget():
            floors = [{"quantity": floor.quantity, "above": floor.above} for floor in budget.floors]
            return {"kind": "rates", "floors": floors}
        case CompletionBudget():
            return {"kind": "completion", "duration_ns": budget.duration_ns}
        case TransactionBudget():
            return _transactions_question(budget, collected)
        case _:
            return _limits_question(budget, collected)


def _parts_question(budget: RuleSet, collected: _Operations) -> dict[str, Any] | None:
    """Return the questions of a rule set.

    None where a part cannot be answered, or would mean other operations than by itself.
    """
    parts = [_question(criterion, collected) for criterion in budget.criteria]
    kinds = {part["kind"] for part in parts if part is not None}
    means_every = any(
        isinstance(criterion, ExceedanceBudget | PercentileBudget) and criterion.operation == EVERY_OPERATION
        for criterion in budget.criteria
    )
    is_apart = "completion" in kinds or ("transactions" in kinds and means_every)
    return None if None in parts or is_apart else {"kind": "parts", "parts": parts}


def _transactions_question(budget: TransactionBudget, collected: _Operations) -> dict[str, Any] | None:
    """Return the plan of a budget; None where an operation of it has no counts."""
    if not all(collected.are_counted(name) for name in (*budget.plan.operations, TRANSACTION)):
        return None
    return transactions_document(budget)


def _limits_question(
    budget: ExceedanceBudget | PercentileBudget, collected: _Operations
) -> dict[str, Any] | None:
    """Return the limits of a budget as the page reads them; None where an operation of it has no counts."""
    if not collected.are_counted(budget.operation):
        return None
    return {
        "kind": "limits",
        "operation": budget.operation,
        "clock": budget.clock,
        "limits": [_limit(limit) for limit in budget.limits],
        "certification": _certification(budget, collected),
    }


def _limit(limit: Limit | QuantileLimit) -> dict[str, Any]:
    if isinstance(limit, Limit):
        return {"kind": "exceedance", "threshold_ns": limit.threshold_ns, "ratio": limit.ratio}
    return {"kind": "percentile", "threshold_ns": limit.below_ns, "quantile": limit.quantile}


def _certification(
    budget: ExceedanceBudget | PercentileBudget, collected: _Operations
) -> dict[str, Any] | None:
    """Return the certification of a budget with the counts of each full slice; None without certification."""
    if isinstance(budget, PercentileBudget) or budget.certification is None:
        return None
    thresholds = [limit.threshold_ns for limit in budget.limits]
    length_ns = budget.certification_slice_ns
    try:
        operations = [
            entry for entry in collected.evidence(budget.operation) if entry.operation == budget.operation
        ]
    except DomainError:
        operations = []
    return {
        "duration_ns": budget.certification_duration_ns,
        "slice_ns": length_ns,
        "decides": budget.certification.decides,
        "slices": [_full_slices(entry.full_slices(thresholds, length_ns)) for entry in operations],
        "slices_at_best": [
            _full_slices(entry.at_best.full_slices(thresholds, length_ns)) for entry in operations
        ],
    }


def _full_slices(slices: Sequence[HourSlice]) -> list[dict[str, Any]]:
    """Return the counts of each slice: all, over each limit, and certainly over each limit."""
    return [
        {"total": hour.total, "over": list(hour.over), "certain": list(hour.certain or hour.over)}
        for hour in slices
    ]
