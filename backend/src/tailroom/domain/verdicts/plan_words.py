"""Sentences on why a model of a plan does not decide, and which data would.

They name concrete data by the kind of record: published percentiles lack the tail, an open bucket lacks its
upper edge, wide buckets lack edges. Source: docs/method.md sections 0, 1.2, 2.4.
"""

import math
from collections.abc import Sequence

from tailroom.domain.latency.distribution import LatencyDist, LatencyRecord
from tailroom.domain.latency.knots import KnotsRecord
from tailroom.domain.latency.layouts import NEVER_NS
from tailroom.domain.latency.merged_record import MergedRecord
from tailroom.domain.transactions.guarantees import FEWEST_BLOCKS, blocks_to_prove
from tailroom.domain.transactions.plan import Scheduling, Stage
from tailroom.domain.transactions.plan_sums import FULL_BINS
from tailroom.domain.units import (
    count_text,
    latency_text,
    least_percent_text,
    most_percent_text,
    needed_text,
    share_text,
)
from tailroom.domain.verdicts.budget_kinds import TransactionBudget
from tailroom.domain.verdicts.generator import GeneratedLoad
from tailroom.domain.verdicts.plan_model import PlanModel, Used
from tailroom.domain.verdicts.verdict import (
    FEWEST_OPERATIONS,
    Bounds,
    EvidenceAmount,
    EvidenceMeter,
    Reason,
    Uncertainty,
    Way,
    too_few_samples,
)

_WIDE = 1.25
"""Ratio of a bucket's edges above which it is wide."""

_CLUMPED = 1.05
"""Operations per independent operation above which slow operations come together."""
_MOST_TIMES = 100
"""Largest multiple of a record that is suggested to be measured."""
_SHORT_NS = 4_000
"""Latency in ns below which buckets of whole microseconds are fine enough, however wide relatively."""


def operations_text(model: PlanModel, used: Used) -> str:
    """Return count and name of the operations, `1,200,000 reads`; for several, the smallest count."""
    names = " and ".join(used)
    if model.samples is None:
        return f"the published figures of {names}"
    if len(used) == 1:
        return f"{count_text(model.samples)} {_plural(names)}"
    return f"{count_text(model.samples)} and more {names} operations"


def assumption_text(model: PlanModel) -> str:
    """Return the assumption behind the model's numbers, as the end of a sentence."""
    if model.mixture is not None:
        return f", independent inside each of {count_text(model.mixture.groups.slice_count)} slices"
    return ", taken as independent"


def coarse_buckets(
    budget: TransactionBudget, model: PlanModel, used: Used, bins: int, generation: GeneratedLoad
) -> Uncertainty:
    """Return why bounds in this run are wide: buckets, published figures, or a quick answer's time steps."""
    lower, upper = model.observed.lower, model.observed.upper
    # Without an unreliable load any known share decides, and the estimate costs as much as a bound.
    share = model.at_window[1] if generation.is_unreliable else lower
    without = Bounds(share, share)
    shares = share_text(lower, upper, budget.objective_ratio, counted=False)
    window_ns = budget.reads_window_ns - budget.plan.overhead_ns
    published = any(_is_published(operation.record) for operation in used.values())
    # The record itself, and not the number of time steps, may make the bounds wide.
    if (
        bins < FULL_BINS
        and not published
        and all(_open_bucket_ns(operation.record, window_ns) is None for operation in used.values())
        and not any(_is_wide(operation.record, window_ns) for operation in used.values())
    ):
        return Uncertainty(
            Reason.RESOLUTION,
            without,
            f"the quick calculation allows {shares} of transactions in time",
            "the exact calculation, from the same data",
            EvidenceMeter(ways=(EvidenceAmount(Way.EXACT, float(FULL_BINS)),)),
        )
    what = "the published figures" if published else f"the buckets of {_plural(' and '.join(used))}"
    ways: list[EvidenceAmount] = []
    if published:
        share = share_over_allowed(budget.reads, budget.objective_ratio)
        ways.append(EvidenceAmount(Way.PERCENTILE, 1.0 - share))
    elif budget.plan.depth == 1:
        ways.append(EvidenceAmount(Way.COUNTER, float(window_ns)))
    if _can_be_measured(budget):
        ways.append(EvidenceAmount(Way.TRANSACTIONS, float(FEWEST_OPERATIONS)))
    return Uncertainty(
        Reason.RESOLUTION,
        without,
        f"{what} allow {shares} of transactions in time",
        _resolving_data_text(budget, used),
        EvidenceMeter(ways=tuple(ways)),
    )


def few_blocks(budget: TransactionBudget, model: PlanModel, used: Used) -> Uncertainty:
    """Return why the sample does not prove what its counts show, with the number of operations that would."""
    resolved = model.observed
    names = _plural(" and ".join(used))
    if model.samples is None:
        fewest = FEWEST_BLOCKS * budget.reads
        return Uncertainty(
            Reason.SAMPLES,
            resolved,
            "the source does not state how many operations there were",
            f"the number of {names} behind the figures",
            EvidenceMeter(None, float(fewest)),
        )
    passes = resolved.lower >= budget.objective_ratio
    text = _proves_text(model, names, passes=passes)
    needed_blocks = blocks_to_prove(resolved.lower if passes else resolved.upper, budget.objective_ratio)
    if needed_blocks is None:
        return Uncertainty(
            Reason.SAMPLES, resolved, text, "finer buckets", EvidenceMeter(float(model.samples))
        )
    independent = model.default.independent_blocks()
    clumping = max(1.0, model.blocks / independent) if independent else 1.0
    needed = math.ceil(needed_blocks * clumping) * budget.reads
    ways: list[EvidenceAmount] = []
    decided_by = f"{needed_text(needed)} {names} like these"
    if clumping > _CLUMPED:
        decided_by = f"a run about {needed_text(needed / model.samples)} times as long"
    if needed <= _MOST_TIMES * model.samples:
        ways.append(EvidenceAmount(Way.OPERATIONS, float(max(1, needed - model.samples))))
    if _can_be_measured(budget):
        transactions = math.ceil(needed_blocks * clumping)
        ways.append(EvidenceAmount(Way.TRANSACTIONS, float(transactions)))
        if needed > _MOST_TIMES * model.samples:
            decided_by = f"{needed_text(transactions)} measured transactions"
    return Uncertainty(
        Reason.SAMPLES,
        resolved,
        text,
        decided_by,
        EvidenceMeter(float(model.samples), float(needed) if ways else None, ways=tuple(ways)),
    )


def _proves_text(model: PlanModel, names: str, *, passes: bool) -> str:
    worth = f"{count_text(model.blocks)} transactions' worth of {names}"
    independent = model.default.independent_blocks()
    if model.blocks < FEWEST_BLOCKS:
        return f"only {worth}, and fewer than {FEWEST_BLOCKS} prove nothing"
    if independent < FEWEST_BLOCKS:
        return f"slow slices come together: {worth} count as {int(independent)}, which prove nothing"
    least, most = least_percent_text(model.confident.lower), most_percent_text(model.confident.upper)
    return f"{worth}; proves {least if passes else f'at most {most}'}"


def too_few_operations(budget: TransactionBudget, model: PlanModel, used: Used) -> Uncertainty | None:
    """Return why the record has too few operations for an observed PASS; None if enough or not known."""
    if model.samples is None or model.blocks >= FEWEST_OPERATIONS:
        return None
    needed, names = FEWEST_OPERATIONS * budget.reads, _plural(" and ".join(used))
    worth = f"{count_text(model.samples)} are {count_text(model.blocks)} transactions' worth"
    return too_few_samples(
        f"too few {names} for a PASS: {worth}, of at least {FEWEST_OPERATIONS}",
        f"{needed_text(needed)} {names}",
        float(model.samples),
        float(needed),
    )


def _resolving_data_text(budget: TransactionBudget, used: Used) -> str:
    window_ns = budget.reads_window_ns - budget.plan.overhead_ns
    window = latency_text(window_ns)
    measured = f", or {FEWEST_OPERATIONS} measured transactions of {reads_text(budget.plan.stages[0])}"
    measured = measured if _can_be_measured(budget) else ""
    published = [name for name, operation in used.items() if _is_published(operation.record)]
    if published:
        share = share_over_allowed(budget.reads, budget.objective_ratio)
        names = " and ".join(published)
        return f"p{_percentile(1.0 - share)} of {names}, the maximum, or the histogram{measured}"
    if budget.plan.depth == 1:
        return f"a bucket edge or an exact counter at {window}"
    open_from = [
        at for operation in used.values() if (at := _open_bucket_ns(operation.record, window_ns)) is not None
    ]
    finer = "finer buckets (HdrHistogram with 3 digits)"
    if open_from:
        largest = max(open_from)
        return (
            f"the maximum, or bucket edges from {latency_text(largest)} to {window}: the last bucket is open"
            + (
                f"; and {finer}"
                if any(_is_wide(operation.record, window_ns) for operation in used.values())
                else ""
            )
            + measured
        )
    return finer + measured


def share_over_allowed(count: int, objective: float) -> float:
    """Return the largest share of operations that may take longer than a window, so that all of `count`
    independent operations are in time with the chance `objective`.
    """
    return -math.expm1(math.log(objective) / count)


def _percentile(share: float) -> str:
    """Return a share in per cent, rounded up, with digits that distinguish it from 100: `99.9996`."""
    digits = max(1, 1 - math.floor(math.log10(100.0 * (1.0 - share))))
    # The next step up, so that the percentile named is never too low.
    scale = 10.0 ** (digits - 1 if digits > 1 else digits)
    return f"{math.ceil(100.0 * share * scale - 1e-9) / scale:.10g}"


def _is_published(record: LatencyRecord) -> bool:
    return any(isinstance(part, KnotsRecord) for part in _parts(record))


def _open_bucket_ns(record: LatencyRecord, window_ns: int) -> int | None:
    """Return the lower edge in ns of the first filled open bucket below the window, if any."""
    for dist in _distributions(record):
        cells = dist.cells
        open_ones = cells.lower_ns[(cells.upper_ns == NEVER_NS) & (cells.lower_ns < window_ns)]
        if open_ones.size:
            return int(open_ones[0])
    return None


def _is_wide(record: LatencyRecord, window_ns: int) -> bool:
    """Return whether a filled bucket below the window is too wide for close bounds (`_WIDE`, `_SHORT_NS`)."""
    for dist in _distributions(record):
        cells = dist.cells
        if ((cells.lower_ns == 0) & (cells.upper_ns > _SHORT_NS)).any():
            return True
        inside = (cells.lower_ns >= _SHORT_NS) & (cells.lower_ns < window_ns)
        if (cells.upper_ns[inside] > _WIDE * cells.lower_ns[inside]).any():
            return True
    return False


def _distributions(record: LatencyRecord) -> list[LatencyDist]:
    return [part for part in _parts(record) if isinstance(part, LatencyDist)]


def _parts(record: LatencyRecord) -> Sequence[LatencyRecord]:
    return record.parts if isinstance(record, MergedRecord) else (record,)


def reads_text(stage: Stage) -> str:
    """Return count and concurrency of a stage's operations: `250 reads in waves of 50`."""
    count = f"{count_text(stage.largest_count)} {_plural(stage.operation)}"
    match stage.effective:
        case Scheduling.SEQUENTIAL:
            return count
        case Scheduling.PARALLEL:
            return f"{count} at once"
        case Scheduling.WAVES:
            return f"{count} in waves of {stage.fan_out}"
        case Scheduling.POOL:
            return f"{count}, {stage.fan_out} at a time"


def _can_be_measured(budget: TransactionBudget) -> bool:
    return len(budget.plan.stages) == 1


def _plural(name: str) -> str:
    """Return the plural of an operation's name: `reads`, `batch-25 operations`."""
    return f"{name}s" if name.isalpha() and not name.endswith("s") else f"{name} operations"
