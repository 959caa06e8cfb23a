"""Comparison of every unit of campaigns (drive or agent) with the other units: differences, likely causes."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from tailroom.access.caller import Caller
from tailroom.analysis.figures import MeasuredOut
from tailroom.comparison.errors import SubjectsInvalid
from tailroom.comparison.sibling_schemas import (
    CauseOut,
    DeviationOut,
    SiblingLevelOut,
    SiblingsOut,
    SiblingUnitOut,
    UnitEffect,
)
from tailroom.comparison.sibling_units import MeasuredFleet, MeasuredUnit, fleet_of
from tailroom.domain.comparison.answer import quantity_text
from tailroom.domain.comparison.gains import Effect
from tailroom.domain.comparison.siblings import (
    FLEET_ERROR,
    SMALLEST_DIFFERENCE_RATIO,
    SiblingsJudgement,
    Unit,
    UnitResult,
    judge_siblings,
)
from tailroom.domain.comparison.unit_causes import likely_causes
from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.verdicts.budget_kinds import CLOCKS, Clock
from tailroom.domain.verdicts.other_tools import requests

CAMPAIGNS_MAX = 16
"""Maximum number of campaigns in a comparison."""
_CAUSES_SHOWN = 5


def judge_campaigns(
    caller: Caller, campaign_ids: Sequence[UUID], phase: str | None = None, operation: str | None = None
) -> SiblingsOut:
    """Return every unit of a phase, compared with the others on one operation: by default the last common
    phase, and reads or the first operation. Raise SubjectMissing for an unknown campaign; SubjectsInvalid for
    an unknown phase or operation, or too many campaigns or units.
    """
    ids = list(dict.fromkeys(campaign_ids))
    if len(ids) > CAMPAIGNS_MAX:
        raise SubjectsInvalid(f"{len(ids)} campaigns were named; up to {CAMPAIGNS_MAX} are judged at once.")
    fleet = fleet_of(caller, ids, phase)
    operations = _operations(fleet.units)
    chosen = _choose_operation(operations, operation)
    clock = _clock(fleet.units, chosen)
    pairs = [(unit, _measurement_of(unit, chosen, clock)) for unit in fleet.units]
    measured = [
        (unit, Unit(unit.name, measurement.measured(unit.operations), measurement.measured_ns, unit.facts))
        for unit, measurement in pairs
        if measurement is not None and unit.contradiction is None
    ]
    judgement = judge_siblings([unit for _, unit in measured])
    units = [
        *_judged_units_out(measured, judgement),
        *(
            _unjudged_unit_out(unit, chosen)
            for unit, measurement in pairs
            if measurement is None or unit.contradiction is not None
        ),
    ]
    return SiblingsOut(
        answer=_answer(fleet, judgement, len(units)),
        title=fleet.title,
        campaign_ids=ids,
        phase=fleet.phase,
        phases=fleet.phases,
        operation=chosen,
        operations=operations,
        clock=clock,
        effect=_effect_of_fleet(judgement),
        worse=len(judgement.with_effect(Effect.WORSE)),
        better=len(judgement.with_effect(Effect.BETTER)),
        not_judged=sum(1 for unit in units if unit.effect == "open") + len(fleet.not_measured),
        error=FLEET_ERROR,
        smallest_ratio=SMALLEST_DIFFERENCE_RATIO,
        levels=[SiblingLevelOut.model_validate(level, from_attributes=True) for level in judgement.levels],
        units=units,
        not_measured=fleet.not_measured,
        method_version=METHOD_VERSION,
    )


def _operations(units: Sequence[MeasuredUnit]) -> list[str]:
    """Return the requests that at least half of the units have, else all operations; reads first."""
    counts = Counter(
        name for unit in units for name in {measurement.operation for measurement in unit.operations}
    )
    reads = {
        measurement.operation for unit in units for measurement in unit.operations if measurement.is_read
    }
    common = [name for name in requests(sorted(counts)) if 2 * counts[name] >= len(units)]
    return sorted(common or sorted(counts), key=lambda name: (name not in reads, name))


def _choose_operation(operations: Sequence[str], operation: str | None) -> str | None:
    """Return the requested operation, by default the first; None if nothing was measured."""
    if operation is None:
        return next(iter(operations), None)
    if operation not in operations:
        there = ", ".join(operations) or "none"
        raise SubjectsInvalid(f"Not measured on most units: {operation}. There is: {there}.")
    return operation


def _clock(units: Sequence[MeasuredUnit], operation: str | None) -> Clock | None:
    """Return the first of `CLOCKS` by which at least half as many units measured the operation as by the most
    frequent clock; None if nothing was measured.
    """
    if operation is None:
        return None
    counts = Counter(
        measurement.clock
        for unit in units
        for measurement in unit.operations
        if measurement.operation == operation
    )
    most = max(counts.values())
    return min((clock for clock, count in counts.items() if 2 * count >= most), key=CLOCKS.index)


def _measurement_of(unit: MeasuredUnit, operation: str | None, clock: Clock | None) -> MeasuredOut | None:
    """Return a unit's figures of an operation by a clock (kind of time); None if it has none."""
    return next(
        (
            measurement
            for measurement in unit.operations
            if (measurement.operation, measurement.clock) == (operation, clock)
        ),
        None,
    )


def _judged_units_out(
    measured: Sequence[tuple[MeasuredUnit, Unit]], judgement: SiblingsJudgement
) -> list[SiblingUnitOut]:
    """Return the judged units for the API: worse, better, open, same, by falling difference in each group."""
    results = list(zip([unit for unit, _ in measured], judgement.units, strict=True))
    usual = [result.unit.facts for _, result in results if result.effect is Effect.SAME]
    odd = [result.unit.facts for _, result in results if result.effect in {Effect.WORSE, Effect.BETTER}]
    order = [Effect.WORSE, Effect.BETTER, Effect.OPEN, Effect.SAME]
    results.sort(key=lambda pair: (order.index(pair[1].effect), -pair[1].largest_ratio))
    rows = []
    for unit, result in results:
        stands_out = result.effect in {Effect.WORSE, Effect.BETTER}
        causes = likely_causes(unit.facts, usual, odd)[:_CAUSES_SHOWN] if stands_out else []
        rows.append(
            _unit_out(
                unit,
                measured_ns=result.unit.measured_ns,
                effect=result.effect.value,
                reason=result.reason,
                deviations=[
                    DeviationOut(
                        quantity=deviation.quantity,
                        label=quantity_text(deviation.quantity),
                        value=deviation.value,
                        siblings=deviation.siblings,
                        ratio=_finite(deviation.ratio),
                        ratio_lower=_finite(deviation.ratio_lower),
                        ratio_upper=_finite(deviation.ratio_upper),
                        effect=deviation.effect.value,
                    )
                    for deviation in result.deviations
                ],
                causes=[CauseOut.model_validate(cause, from_attributes=True) for cause in causes],
            )
        )
    return rows


def _unjudged_unit_out(unit: MeasuredUnit, operation: str | None) -> SiblingUnitOut:
    """Return a unit whose figures are missing, still computed, or contradictory, with the reason."""
    reason = f"No {operation or 'operation'} was measured on it."
    if unit.is_awaited:
        reason = "Its figures are being computed. Ask again in a minute."
    elif unit.contradiction is not None:
        reason = f"Its data contradict themselves: {unit.contradiction}."
    return _unit_out(unit, effect="open", reason=reason, measured_ns=0, deviations=[], causes=[])


def _unit_out(unit: MeasuredUnit, **judged: Any) -> SiblingUnitOut:
    """Return a unit for the API; `judged` has the fields that do not describe the unit itself."""
    described = {name: getattr(unit, name) for name in ("name", "agent", "device", "run_id")}
    return SiblingUnitOut(**described, **judged)


def _finite(ratio: float) -> float | None:
    """Return a ratio; None if it is infinite or NaN."""
    return ratio if math.isfinite(ratio) else None


def _effect_of_fleet(judgement: SiblingsJudgement) -> UnitEffect:
    """Return `open` if the fleet cannot be judged; else `worse` or `better` if any unit is; else `same`."""
    if judgement.reason:
        return "open"
    effects = {result.effect for result in judgement.units}
    if Effect.WORSE in effects:
        return "worse"
    return "better" if Effect.BETTER in effects else "same"


def _answer(fleet: MeasuredFleet, judgement: SiblingsJudgement, total: int) -> str:
    """Return the result of the comparison in one to three sentences; `total` is the number of units."""
    rest = _not_measured_sentence(fleet)
    if judgement.reason:
        return f"{judgement.reason}{rest}"
    worse, better = judgement.with_effect(Effect.WORSE), judgement.with_effect(Effect.BETTER)
    if worse:
        stands = "stands" if len(worse) == 1 else "stand"
        return f"{len(worse)} of {total:,} units {stands} out as worse. {_largest_deviation(worse[0])}{rest}"
    if better:
        begin = f"No unit of {total:,} is worse than its siblings, and {len(better)} better."
        return f"{begin} {_largest_deviation(better[0])}{rest}"
    shown = min(judgement.levels, key=lambda level: level.shown_ratio)
    return (
        f"No unit of {total:,} stands out. One that differs by {shown.shown_ratio:.1%} in"
        f" {quantity_text(shown.quantity)} would be shown in nine of ten cases.{rest}"
    )


def _not_measured_sentence(fleet: MeasuredFleet) -> str:
    """Return a sentence with the number of agents without a complete run; empty if there are none."""
    number = len(fleet.not_measured)
    agents = "1 agent has" if number == 1 else f"{number:,} agents have"
    return f" {agents} no complete run." if number else ""


def _largest_deviation(result: UnitResult) -> str:
    """Return a sentence about the largest deviation of a unit, or that it fails operations, if unbounded."""
    shown = [deviation for deviation in result.deviations if deviation.effect is result.effect]
    largest = max(
        shown, key=lambda deviation: abs(math.log(deviation.ratio)) if deviation.ratio > 0 else math.inf
    )
    if not math.isfinite(largest.ratio_upper) or largest.ratio_lower <= 0.0:
        return f"{result.unit.name} fails operations that its siblings do not."
    return (
        f"{result.unit.name}: {quantity_text(largest.quantity)} is {largest.ratio_lower:.3f} to"
        f" {largest.ratio_upper:.3f} times that of its siblings."
    )
