"""Evidence of a finished record without its course over time: everything that verdicts need of it worked out.

A course of a day fills hundreds of megabytes; what is judged from it are groups of its pieces, how operations
clump, full hours, and whether measured transactions refute the model. All of it comes from the whole course,
so an answer from here and one from the record itself differ only in the digits of the buckets, which are
fewer and therefore never narrower.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

import numpy as np

from tailroom.domain.confidence.effective_samples import DesignEffect
from tailroom.domain.latency.intervals import SliceTooShort
from tailroom.domain.transactions.design_effects import places_ns
from tailroom.domain.transactions.work import for_every_question
from tailroom.domain.units import NS_PER_HOUR
from tailroom.domain.verdicts.budget_kinds import CLOCKS
from tailroom.domain.verdicts.evidence import HourSlice, OperationEvidence, RunEvidence, hour_slices
from tailroom.domain.verdicts.plan_groups import KEPT_DIGITS, key_of, prepared
from tailroom.domain.verdicts.refutation import keep_refutation, refutation_of

Plans = Collection[tuple[str, ...]]
"""The operations of each plan that is asked about, in its order."""


def settled(evidence: RunEvidence, plans: Plans = ()) -> RunEvidence:
    """The same evidence, for questions about single operations and about these plans."""
    with for_every_question():
        refutation = refutation_of(evidence) if plans else None
        found = replace(evidence, operations=tuple(_settled(one) for one in evidence.operations))
        _prepare(evidence, found, plans)
        if found.has_doubts:
            _prepare(evidence.at_best, found.at_best, plans)
    keep_refutation(found, refutation)
    return found


def _settled(one: OperationEvidence) -> OperationEvidence:
    if not one.has_course:
        return one
    exact = np.array(sorted(one.counted_at_ns), dtype=np.int64)
    effects: dict[int, DesignEffect] = {}
    for times in (places_ns(one.record), exact):
        effects.update(zip(times.tolist(), one.effects_at(times), strict=True))
    best = None if one.load_at_best is None else _settled(one.at_best)
    return replace(
        one,
        intervals=None,
        load_intervals=None,
        effects=None,
        know_effects=None,
        hours=_hours(one),
        load_at_best=None if best is None else lambda: best,
        is_settled=True,
        worked_out={},
        _effects=effects,
    )


def _prepare(whole: RunEvidence, found: RunEvidence, plans: Plans) -> None:
    """Groups of the pieces, on every clock that has them."""
    for names in plans:
        for clock in (None, *CLOCKS):
            before = {name: one for name in names if (one := whole.of(name, clock)) is not None}
            after = {name: one for name in names if (one := found.of(name, clock)) is not None}
            if len(before) < len(names) or any(one.record.total == 0 for one in before.values()):
                continue
            leading = next(iter(after.values()))
            if any(one.is_settled for one in after.values()) and key_of(after) not in leading.worked_out:
                leading.worked_out[key_of(after)] = prepared(before, KEPT_DIGITS)


def _hours(one: OperationEvidence) -> Callable[[Sequence[int]], Sequence[HourSlice]]:
    """Full hours at any thresholds, as the evidence itself tells them."""
    if one.hours is None:
        try:
            course = one.course
            slices = None if course is None else course.sliced(NS_PER_HOUR, full_only=True)
        except SliceTooShort:
            slices = None
        return lambda thresholds_ns: () if slices is None else hour_slices(slices, thresholds_ns, NS_PER_HOUR)
    exact = tuple(sorted(one.counted_at_ns))
    counted = one.hours(exact)

    def hours(thresholds_ns: Sequence[int]) -> Sequence[HourSlice]:
        if not set(thresholds_ns) <= set(exact):
            return ()
        columns = [exact.index(at_ns) for at_ns in thresholds_ns]
        return [replace(hour, over=tuple(hour.over[column] for column in columns)) for hour in counted]

    return hours
