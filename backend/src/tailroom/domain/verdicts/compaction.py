"""Compact evidence of a finished record: the results that verdicts need, without the slices over time.

The slices of a day fill hundreds of megabytes; verdicts need groups of slices, design effects, full hours,
and whether measured transactions refute the model. All of these are computed from every slice, so an answer
from compact evidence differs from that of the full record only in the digits of its buckets, which are fewer
and therefore never narrower.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from tailroom.domain.confidence.effective_samples import DesignEffect
from tailroom.domain.latency.intervals import SliceTooShort
from tailroom.domain.transactions.design_effects import effect_times_ns
from tailroom.domain.transactions.work import for_every_question
from tailroom.domain.units import NS_PER_HOUR
from tailroom.domain.verdicts.budget_kinds import CLOCKS
from tailroom.domain.verdicts.evidence import (
    GeneratorFacts,
    HourSlice,
    OperationEvidence,
    RunEvidence,
    hour_slices,
)
from tailroom.domain.verdicts.plan_groups import QUICK_DIGITS, key_of, prepared
from tailroom.domain.verdicts.refutation import cache_refutation, refutation_of

Plans = Collection[tuple[str, ...]]
"""Operation names of each plan, in the order of its stages."""


LATE_LIMITS_NS = tuple(step * 10**power for power in range(3, 10) for step in (1, 2, 5))
"""Limits of lateness in ns that budgets may set (`late_limit_of_question`), from 1 µs to 5 s."""


def compact_evidence(evidence: RunEvidence, plans: Plans = ()) -> RunEvidence:
    """Return the evidence without slices over time; questions about other `plans` raise KeyError."""
    with for_every_question():
        refutation = refutation_of(evidence) if plans else None
        compact = replace(evidence, operations=tuple(map(_compact_operation, evidence.operations)))
        _store_groups(evidence, compact, plans)
        for full, small in _unreliable_pairs(evidence, compact):
            _store_groups(full.at_best, small.at_best, plans)
    cache_refutation(compact, refutation)
    return compact


def _unreliable_pairs(
    evidence: RunEvidence, compact: RunEvidence
) -> Iterator[tuple[RunEvidence, RunEvidence]]:
    """Yield the evidence and its compact form, as given and for each limit in `LATE_LIMITS_NS` that changes
    the counts of late and unreliable slices; only with unreliable slices.
    """
    if evidence.has_unreliable_slices:
        yield evidence, compact
    before: object = None
    for limit_ns in LATE_LIMITS_NS:
        full, small = (_with_late_limit(run, limit_ns) for run in (evidence, compact))
        counts = [(operation.validity.late, operation.validity.doubtful) for operation in full.operations]
        if full.has_unreliable_slices and counts != before:
            yield full, small
        before = counts


def _with_late_limit(evidence: RunEvidence, limit_ns: int) -> RunEvidence:
    return replace(
        evidence,
        operations=tuple(operation.with_late_limit(limit_ns) for operation in evidence.operations),
    )


def _compact_operation(operation: OperationEvidence) -> OperationEvidence:
    """Return the operation with the results that verdicts need in place of slices; itself if it has none."""
    if not operation.has_course:
        return operation
    exact = np.array(sorted(operation.counted_at_ns), dtype=np.int64)
    effects: dict[int, DesignEffect] = {}
    for times in (effect_times_ns(operation.record), exact):
        effects.update(zip(times.tolist(), operation.effects_at(times), strict=True))
    best = None if operation.load_at_best is None else _compact_operation(operation.at_best)
    return replace(
        operation,
        intervals=None,
        load_intervals=None,
        effects=None,
        cache_effects=None,
        hours=_hour_counter(operation),
        load_at_best=None if best is None else lambda: best,
        generator_at=_reliability_by_limit(operation, best),
        is_compact=True,
        computed_results={},
        _effects=effects,
    )


def _reliability_by_limit(
    operation: OperationEvidence, own_best: OperationEvidence | None
) -> Callable[[int], GeneratorFacts] | None:
    """Return a function from a limit of lateness in ns to the reliability of the slices; None if lateness was
    not recorded. It takes limits of `LATE_LIMITS_NS`: beyond them the nearest counts, between them it raises
    KeyError. Limits with equal counts share the operation at its best; `own_best` is that by its own limit.
    """
    if operation.generator_at is None:
        return None
    by_limit: dict[int, GeneratorFacts] = {}
    best: Callable[[], OperationEvidence] | None = None
    before: tuple[int, int] | None = None
    for limit_ns in LATE_LIMITS_NS:
        limited = operation.with_late_limit(limit_ns)
        counts = limited.validity.late, limited.validity.doubtful
        if counts != before:
            at_best = own_best
            if limited is not operation:
                at_best = None if limited.load_at_best is None else _compact_operation(limited.at_best)
            best = None if at_best is None else partial(_identity, at_best)
        before = counts
        by_limit[limit_ns] = limited.validity, best
    return lambda limit_ns: by_limit[min(max(limit_ns, LATE_LIMITS_NS[0]), LATE_LIMITS_NS[-1])]


def _identity(operation: OperationEvidence) -> OperationEvidence:
    """Return the operation itself: `partial(_identity, operation)` serves as a `load_at_best`."""
    return operation


def _store_groups(full: RunEvidence, compact: RunEvidence, plans: Plans) -> None:
    """Cache the groups of slices of every plan, computed from `full`, in `compact`: by the preferred clocks
    and by each clock on which all operations of the plan were recorded.
    """
    for names in plans:
        for clock in (None, *CLOCKS):
            before = {name: operation for name in names if (operation := full.of(name, clock)) is not None}
            after = {name: operation for name in names if (operation := compact.of(name, clock)) is not None}
            if len(before) < len(names) or any(operation.record.total == 0 for operation in before.values()):
                continue
            leading = next(iter(after.values()))
            if (
                any(operation.is_compact for operation in after.values())
                and key_of(after) not in leading.computed_results
            ):
                leading.computed_results[key_of(after)] = prepared(before, QUICK_DIGITS)


def _hour_counter(operation: OperationEvidence) -> Callable[[Sequence[int]], Sequence[HourSlice]]:
    """Return a function from thresholds in ns to the counts at or over each, by full hour; it returns none
    without full hours, or if a source that counts hours itself lacks a counter.
    """
    if operation.hours is None:
        try:
            course = operation.course
            slices = None if course is None else course.sliced(NS_PER_HOUR, full_only=True)
        except SliceTooShort:
            slices = None
        return lambda thresholds_ns: () if slices is None else hour_slices(slices, thresholds_ns, NS_PER_HOUR)
    exact = tuple(sorted(operation.counted_at_ns))
    counted = operation.hours(exact)

    def hours(thresholds_ns: Sequence[int]) -> Sequence[HourSlice]:
        if not set(thresholds_ns) <= set(exact):
            return ()
        columns = [exact.index(at_ns) for at_ns in thresholds_ns]
        return [replace(hour, over=tuple(hour.over[column] for column in columns)) for hour in counted]

    return hours
