"""Whether a run was fast enough, and whether it reached its end: demands on the whole run.

Rates are averages over the run with two ends. A rate that is not on record leaves the demand open and is
named; it is never derived from another one. A run that the measured thing could not keep up with fails; one
that its generator could not keep up with proves nothing. A rate that a waiting generator
(closed loop) reached was reached all the same. Source: docs/method.md sections 4.3, 6.1, 6.2.
"""

from dataclasses import dataclass

from tailroom.domain.units import duration_text
from tailroom.domain.verdicts.budget_kinds import (
    DISK_BYTES_PER_S,
    NETWORK_BITS_PER_S,
    OPERATIONS_PER_S,
    CompletionBudget,
    Floor,
    ThroughputBudget,
)
from tailroom.domain.verdicts.evidence import RateBounds, RunEvidence
from tailroom.domain.verdicts.verdict import Ends, Judgement, Reason, Verdict, first_undecided

_UNITS = {
    OPERATIONS_PER_S: ("rate of operations", "/s"),
    DISK_BYTES_PER_S: ("disk throughput", " B/s"),
    NETWORK_BITS_PER_S: ("network throughput", " bit/s"),
}


@dataclass(frozen=True, slots=True)
class FloorRow:
    """One floor beside what was measured; none where that rate is not on record."""

    floor: Floor
    measured: RateBounds | None
    judgement: Judgement


def assess_throughput(
    budget: ThroughputBudget, evidence: RunEvidence
) -> tuple[Judgement, tuple[FloorRow, ...]]:
    """FAIL if one rate is too low, PASS if all are above their floors, else what is missing."""
    rows = tuple(_row(floor, evidence) for floor in budget.floors)
    undecided = first_undecided([row.judgement for row in rows])
    if undecided is not None:
        return undecided, rows
    text = "; ".join(row.judgement.reason_text for row in rows)
    return Judgement(Verdict.PASS, None, text, None), rows


def assess_completion(budget: CompletionBudget, evidence: RunEvidence) -> Judgement:
    """Whether the run reached its end at its load, and lasted long enough."""
    how = evidence.completion_text or (
        "the run stopped because what was measured could not keep up"
        if evidence.completed is False
        else "the record does not say how the run ended"
    )
    if evidence.completed is False:
        return Judgement(Verdict.FAIL, None, how, None)
    load = evidence.load
    if load.is_too_little or load.is_too_much:
        doubt = load.doubts(Ends(0.0, 1.0))[0]
        return Judgement(Verdict.INDETERMINATE, Reason.GENERATOR, doubt.text, doubt.decided_by)
    wanted, lasted = duration_text(budget.duration_ns), duration_text(evidence.lasted_ns)
    if evidence.lasted_ns < budget.duration_ns:
        left = duration_text(budget.duration_ns - evidence.lasted_ns)
        said = f"the run lasted {lasted} of {wanted}; needs {left} more"
        return Judgement(
            Verdict.INDETERMINATE,
            Reason.DURATION,
            said if evidence.lasted_ns else f"how long the run lasted is not on record; it takes {wanted}",
            f"{left} more",
        )
    if evidence.completed is None:
        return Judgement(Verdict.INDETERMINATE, Reason.METADATA, how, "how the run ended, at which load")
    return Judgement(Verdict.PASS, None, f"the run reached its end after {lasted}", None)


def rate_text(quantity: str, rate: float) -> str:
    """`1.24 million/s`, `3.1 GB/s`, `950 Mbit/s`."""
    prefixes = ((1e9, " G"), (1e6, " M"), (1e3, " k"))
    if quantity == OPERATIONS_PER_S:
        prefixes = ((1e9, " billion"), (1e6, " million"), (1e3, " thousand"))
    unit = _UNITS[quantity][1]
    for factor, prefix in prefixes:
        if rate >= factor:
            return f"{rate / factor:.4g}{prefix}{unit.strip()}"
    return f"{rate:.4g}{unit}"


def _row(floor: Floor, evidence: RunEvidence) -> FloorRow:
    measured = evidence.rates.get(floor.quantity)
    name, above = _UNITS[floor.quantity][0], rate_text(floor.quantity, floor.above)
    if measured is None:
        return FloorRow(
            floor,
            None,
            Judgement(
                Verdict.INDETERMINATE,
                Reason.METADATA,
                f"the {name} of the run is not on record ({floor.quantity})",
                f"the {name} of the run",
            ),
        )
    low, high = rate_text(floor.quantity, measured.lower), rate_text(floor.quantity, measured.upper)
    if measured.lower > floor.above:
        judgement = Judgement(Verdict.PASS, None, f"{name} at least {low}, above {above}", None)
    elif measured.upper <= floor.above and evidence.load.closed_loop:
        judgement = Judgement(
            Verdict.INDETERMINATE,
            Reason.GENERATOR,
            f"{name} at most {high}, not above {above}, but the generator waited for each answer before it "
            "sent the next request (closed loop): with more of them under way it may be higher",
            "a run at a fixed arrival rate above the floor",
        )
    elif measured.upper <= floor.above:
        judgement = Judgement(Verdict.FAIL, None, f"{name} at most {high}, not above {above}", None)
    else:
        judgement = Judgement(
            Verdict.INDETERMINATE,
            Reason.RESOLUTION,
            f"{name} between {low} and {high}, around {above}",
            f"the exact {name} of the run",
        )
    return FloorRow(floor, measured, judgement)
