"""Judge throughput and completion: conditions on the whole run.

Rates are averages over the run with two bounds. A rate that is not recorded leaves the condition undecided
and is named; it is never derived from another rate. A run that the measured system could not keep up with
fails; a run that its generator could not keep up with is undecided. Rates and completion are statements about
the run, so they are observed and never proven. Source: docs/method.md sections 4.3, 6.1, 6.2.
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
from tailroom.domain.verdicts.verdict import (
    UNBOUNDED_SHARE,
    Judgement,
    Reason,
    Verdict,
    combined,
    observed,
    undecided,
)

_UNITS = {
    OPERATIONS_PER_S: ("rate of operations", "/s"),
    DISK_BYTES_PER_S: ("disk throughput", " B/s"),
    NETWORK_BITS_PER_S: ("network throughput", " bit/s"),
}


@dataclass(frozen=True, slots=True)
class FloorRow:
    """A floor with the measured rate (None: not recorded) and its judgement."""

    floor: Floor
    measured: RateBounds | None
    judgement: Judgement


def assess_throughput(
    budget: ThroughputBudget, evidence: RunEvidence
) -> tuple[Judgement, tuple[FloorRow, ...]]:
    """Return the judgement on all floors, and the row of each; a rate that was not recorded is undecided."""
    rows = tuple(_floor_row(floor, evidence) for floor in budget.floors)
    text = "; ".join(row.judgement.reason_text for row in rows)
    return combined([row.judgement for row in rows], text), rows


def assess_completion(budget: CompletionBudget, evidence: RunEvidence) -> Judgement:
    """Return the judgement on whether the run reached its end at its load, and lasted long enough."""
    how = evidence.completion_text or (
        "the run stopped because what was measured could not keep up"
        if evidence.completed is False
        else "the record does not say how the run ended"
    )
    if evidence.completed is False:
        return observed(Verdict.FAIL, how)
    for cause in evidence.load.causes(UNBOUNDED_SHARE):
        return undecided(cause.reason, cause.text, cause.decided_by)
    required, lasted = duration_text(budget.duration_ns), duration_text(evidence.lasted_ns)
    if evidence.lasted_ns < budget.duration_ns:
        left = duration_text(budget.duration_ns - evidence.lasted_ns)
        too_short = f"the run lasted {lasted} of {required}; needs {left} more"
        return undecided(
            Reason.DURATION,
            too_short
            if evidence.lasted_ns
            else f"how long the run lasted is not on record; it takes {required}",
            f"{left} more",
        )
    if evidence.completed is None:
        return undecided(Reason.METADATA, how, "how the run ended, at which load")
    return observed(Verdict.PASS, f"the run reached its end after {lasted}")


def rate_text(quantity: str, rate: float) -> str:
    """Return a rate with four significant digits as text: `1.24 million/s`, `3.1 GB/s`, `950 Mbit/s`."""
    prefixes = ((1e9, " G"), (1e6, " M"), (1e3, " k"))
    if quantity == OPERATIONS_PER_S:
        prefixes = ((1e9, " billion"), (1e6, " million"), (1e3, " thousand"))
    unit = _UNITS[quantity][1]
    for factor, prefix in prefixes:
        if rate >= factor:
            return f"{rate / factor:.4g}{prefix}{unit.strip()}"
    return f"{rate:.4g}{unit}"


def rates_text(quantity: str, rates: RateBounds) -> str:
    """Return both bounds of a rate as text, `3.1 GB/s to 3.2 GB/s`; once if they read the same."""
    low, high = rate_text(quantity, rates.lower), rate_text(quantity, rates.upper)
    return low if low == high else f"{low} to {high}"


def _floor_row(floor: Floor, evidence: RunEvidence) -> FloorRow:
    measured = evidence.rates.get(floor.quantity)
    name, above = _UNITS[floor.quantity][0], rate_text(floor.quantity, floor.above)
    if measured is None:
        text = f"the {name} of the run is not on record ({floor.quantity})"
        return FloorRow(floor, None, undecided(Reason.METADATA, text, f"the {name} of the run"))
    shown = rates_text(floor.quantity, measured)
    if measured.lower > floor.above:
        judgement = observed(Verdict.PASS, f"{name} {shown}, above {above}")
    elif measured.upper <= floor.above:
        waited = ""
        if evidence.load.closed_loop:
            waited = "; closed loop: with more requests under way it may be higher"
        judgement = observed(Verdict.FAIL, f"{name} {shown}, not above {above}{waited}")
    else:
        low, high = rate_text(floor.quantity, measured.lower), rate_text(floor.quantity, measured.upper)
        text = f"{name} between {low} and {high}, around {above}"
        judgement = undecided(Reason.RESOLUTION, text, f"the exact {name} of the run")
    return FloorRow(floor, measured, judgement)
