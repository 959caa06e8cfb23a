"""Evidence of runs for a page that works without a server: counts, design effects, load, verdicts.

With it the page (`frontend/src/offline`) judges limits on the share of slow operations as `judge_budget` does
from all intervals; transactions are judged by the groups of slices of `offline_models`. Design effects
(factors by which dependence between operations widens confidence bounds) are calculated here from every
slice, because the slices of a day are too large for a page. A model is a document of `model_document`; an
index is a position in `operations`.
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
    CompletionBudget,
    RuleSet,
    TransactionBudget,
)
from tailroom.domain.verdicts.compaction import LATE_LIMITS_NS, compact_evidence
from tailroom.domain.verdicts.evidence import TRANSACTION, OperationEvidence, RunEvidence
from tailroom.domain.verdicts.other_tools import READ
from tailroom.domain.verdicts.unknown_conditions import judgement as unknown_judgement
from tailroom.domain.verdicts.unknown_conditions import unknown_of
from tailroom.domain.verdicts.verdict import UNBOUNDED_SHARE
from tailroom.evidence.file import evidence_of
from tailroom.importers.parsed_run import ParsedRun
from tailroom.reports.content import ReportSubject
from tailroom.reports.file_verdicts import RunVerdict
from tailroom.reports.offline_models import measured_document, model_document
from tailroom.reports.offline_operations import OperationsOfRun, own_operations
from tailroom.reports.offline_questions import question_document

COURSE_QUANTILES = (0.5, 0.99, 0.999)
"""Quantiles of the time course."""
MOST_PAIRS = 3
"""Maximum number of pairs of operations that the page can judge together, besides those of the verdicts."""
MOST_SLICES = 1_440
"""Number of slices over time, whose length is rounded up to seconds: a minute each for a day."""


class Models(IntEnum):
    """Amount of evidence about transactions in a page; less evidence makes a smaller page."""

    NONE = 0
    OF_ONE_OPERATION = 1
    OF_SEVERAL_OPERATIONS = 2
    OF_SEVERAL_AT_BEST = 3
    """Also of several operations with unreliable slices counted as fast, to see if these cause a FAIL."""


def run_document(
    run: ParsedRun,
    subject: ReportSubject,
    verdicts: Sequence[RunVerdict],
    *,
    models: Models = Models.OF_SEVERAL_AT_BEST,
) -> dict[str, Any]:
    """Return the evidence of a run in the form that the page reads, about transactions as `models` states.

    `verdicts` are those on the run, in the order of the page.
    """
    unknown = unknown_of(run.missing)
    collected = OperationsOfRun(run)
    names = dict.fromkeys((*(series.operation for series in run.series), READ))
    named = {name: index for name in names if (index := collected.of(name)) is not None}
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
        "own": own_operations(run),
        "verdicts": [_verdict(entry, collected) for entry in verdicts],
        "joint": joint,
        "operations": operations,
        **_whole_run(run),
    }


def _joint_models(
    collected: OperationsOfRun, named: Mapping[str, int | str], verdicts: Sequence[RunVerdict]
) -> list[dict[str, Any]]:
    """Return a model for each set of operations that a plan needs together.

    These are the operations of the plans in verdicts, then the first `MOST_PAIRS` pairs of requests. Sets
    with an operation that is missing or has no counts are left out. `named` has for each name the index of
    its operation, or the reason why the name is unclear.
    """
    of_verdicts = [
        budget.plan.operations
        for entry in verdicts
        for budget in (entry.budget.criteria if isinstance(entry.budget, RuleSet) else (entry.budget,))
        if isinstance(budget, TransactionBudget) and len(budget.plan.operations) > 1
    ]
    requests: dict[int, str] = {}
    for name, index in named.items():
        if isinstance(index, int) and name != TRANSACTION:
            requests.setdefault(id(collected.operations[index].record), name)
    pairs = combinations(requests.values(), 2)
    documents = []
    for names in dict.fromkeys((*of_verdicts, *islice(pairs, MOST_PAIRS))):
        indices = [position for name in names if isinstance(position := collected.of(name), int)]
        if len(indices) < len(names):
            continue
        used = {name: collected.operations[index] for name, index in zip(names, indices, strict=True)}
        if (model := model_document(used)) is not None:
            documents.append({"operations": indices, "model": model, "best": []})
    return documents


def _joint_at_best(
    collected: OperationsOfRun, documents: Sequence[dict[str, Any]], indices: Sequence[int]
) -> list[dict[str, Any]]:
    """Return models of a transaction of the operations at `indices`, with unreliable slices counted as fast.

    Which slices are unreliable depends on the tolerated lateness (`LATE_LIMITS_NS`): limits with the same
    slices share a model, and there is none if all slices are reliable. `documents` are those of all
    operations of the run. `at_best` of a model names, for each operation, the entry of its `best` that has
    these slices; None if all its slices are reliable.
    """
    models: dict[tuple[int | None, ...], dict[str, Any] | None] = {}
    for limit_ns in LATE_LIMITS_NS:
        at_best = tuple(
            next(
                (row["at_best"] for row in documents[index]["reliability"] if row["limit_ns"] == limit_ns),
                None,
            )
            for index in indices
        )
        if at_best in models or all(index is None for index in at_best):
            continue
        operations = [collected.operations[index].with_late_limit(limit_ns).at_best for index in indices]
        models[at_best] = model_document(
            {str(index): row for index, row in zip(indices, operations, strict=True)}
        )
    return [{"at_best": list(at_best), "model": model} for at_best, model in models.items()]


def _whole_run(run: ParsedRun) -> dict[str, Any]:
    """Return the evidence for budgets on rates and on the end of a run; `whole` is None if there is none."""
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
    """Return the evidence of an operation in the form that the page reads.

    `best` has its counts with unreliable slices counted as fast, once for each set of slices that a late
    limit (`LATE_LIMITS_NS`) makes unreliable; `reliability` has the index in it by limit. Models of
    transactions are null without `with_models`. `issued` has the plan of measured transactions, and whether
    they refute the model by `reads`.
    """
    compact = compact_evidence(RunEvidence((operation,))).operations[0]
    best: list[OperationEvidence] = []
    name = operation.operation
    models = [model_document({name: operation}) if with_models else None]
    reliability = []
    for limit_ns in LATE_LIMITS_NS if compact.generator_at is not None else ():
        limited = compact.with_late_limit(limit_ns)
        at_best = limited.at_best if limited.load_at_best is not None else None
        if at_best is not None and not any(at_best is entry for entry in best):
            best.append(at_best)
            sliced = operation.with_late_limit(limit_ns).at_best
            models.append(model_document({name: sliced}) if with_models else None)
        index = next((number for number, entry in enumerate(best) if entry is at_best), None)
        reliability.append({"limit_ns": limit_ns, "text": limited.validity.text, "at_best": index})
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
    """Return the counts of an operation by bucket, its exact counts at thresholds, and the design effects."""
    record = operation.record
    assert isinstance(record, LatencyDist)  # noqa: S101 - `OperationsOfRun` has no other
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
    """Return the bounds of `COURSE_QUANTILES` (ns) in at most `MOST_SLICES` + 1 slices of whole seconds.

    None if the operation has no intervals, or there are fewer than two slices or too many. Intervals longer
    than the slices are used as they are.
    """
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
    """Return the bounds of a quantile in ns as two lists, in the order of the records."""
    ends = [record.quantile_bounds(quantile) if record.total else None for record in records]
    return {
        "quantile": quantile,
        "lower_ns": [None if end is None else end.lower_ns for end in ends],
        "upper_ns": [None if end is None else end.upper_ns for end in ends],
    }


def _verdict(entry: RunVerdict, collected: OperationsOfRun) -> dict[str, Any]:
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
        "asked_again": question_document(entry.assessment.budget, collected),
    }
