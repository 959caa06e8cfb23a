"""What keeps a model of a plan from deciding, in words, and which data would remove it.

The sentences name concrete data: a bucket edge at a time, a percentile, a number of operations. What is named
follows from the kind of record: published percentiles lack the tail, an open bucket lacks its end, wide
buckets lack edges. Source: docs/method.md sections 0, 1.2, 2.4.
"""

import math
from collections.abc import Mapping

from tailroom.domain.confidence.shares import ERROR_ONE_SIDED, samples_for_none_over
from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.knots import KnotsRecord
from tailroom.domain.latency.layouts import NEVER_NS
from tailroom.domain.latency.merged_record import MergedRecord
from tailroom.domain.latency.record import LatencyRecord
from tailroom.domain.transactions import parallel
from tailroom.domain.transactions.confident_laws import NONE_OVER
from tailroom.domain.transactions.plan import Scheduling, Stage
from tailroom.domain.transactions.sequential import FULL_BINS
from tailroom.domain.units import (
    count_text,
    duration_text,
    latency_text,
    least_percent_text,
    most_percent_text,
    percent_text,
)
from tailroom.domain.verdicts.budget_kinds import TransactionBudget
from tailroom.domain.verdicts.evidence import OperationEvidence
from tailroom.domain.verdicts.measured_transactions import transactions_needed
from tailroom.domain.verdicts.meter import EvidenceMeter, Way, WayOut
from tailroom.domain.verdicts.plan_groups import longer
from tailroom.domain.verdicts.plan_model import Model, PlanModel
from tailroom.domain.verdicts.verdict import Doubt, Ends, Reason

_WIDE = 1.25
"""A bucket whose upper edge is more than this many times its lower edge is wide."""

_SHORT_NS = 4_000
"""Below this, whole microseconds are wide for their place, and fine enough all the same."""
_TIMES = (2, 3, 5, 10, 20, 50, 100, 1000)
_PLANNING_BINS = 1 << 12

Used = Mapping[str, OperationEvidence]


def operations_text(model: PlanModel, used: Used) -> str:
    """How many operations of which names: `1,200,000 reads`, `7,000 read and write operations`."""
    names = " and ".join(used)
    if model.samples is None:
        return f"the published figures of {names}"
    if len(used) == 1:
        return f"{count_text(model.samples)} {_plural(names)}"
    return f"{count_text(model.samples)} and more {names} operations"


def assumption_text(model: PlanModel) -> str:
    """Under which assumption the model's numbers hold."""
    if model.mixture is not None:
        return f"if operations are independent inside each of {count_text(model.mixture.pieces.size)} slices"
    return "if operations are independent"


def resolution_doubt(budget: TransactionBudget, model: PlanModel, used: Used, bins: int) -> Doubt:
    """The bounds are apart because of what the records leave open, or the grid of a quick answer."""
    lower, estimate, upper = model.at_window
    # Without doubt of resolution the bounds close on the estimate; what the sample leaves open stays open.
    # Where a sample of known size leaves everything open there is no distance to carry over.
    least, most = model.confident.lower, model.confident.upper
    without = Ends(max(0.0, estimate - (lower - least)), min(1.0, estimate + (most - upper)))
    if model.samples is not None and most >= 1.0 > upper:
        without = Ends(without.lower, 1.0)
    window_ns = budget.reads_window_ns - budget.plan.overhead_ns
    if bins < FULL_BINS and not any(_leaves_open(one.record, window_ns) for one in used.values()):
        return Doubt(
            Reason.RESOLUTION,
            without,
            f"the quick calculation, in coarse steps, allows {least_percent_text(lower)} to "
            f"{most_percent_text(upper)}",
            "the exact calculation, from the same data",
            EvidenceMeter(ways=(WayOut(Way.EXACT, float(FULL_BINS)),)),
        )
    published = any(_is_published(one.record) for one in used.values())
    what = "the published figures" if published else f"the buckets of {_plural(' and '.join(used))}"
    ways: list[WayOut] = []
    if published:
        share = parallel.share_over_allowed(budget.reads, budget.objective_ratio)
        ways.append(WayOut(Way.PERCENTILE, 1.0 - share))
    elif budget.plan.depth == 1:
        ways.append(WayOut(Way.COUNTER, float(window_ns)))
    if _can_be_measured(budget):
        ways.append(WayOut(Way.TRANSACTIONS, float(transactions_needed(budget))))
    return Doubt(
        Reason.RESOLUTION,
        without,
        f"{what} allow {least_percent_text(lower)} to {most_percent_text(upper)}",
        _what_resolves(budget, used),
        EvidenceMeter(ways=tuple(ways)),
    )


def samples_doubt(budget: TransactionBudget, model: PlanModel, used: Used) -> Doubt:
    """The bounds are apart because the record is a sample."""
    resolved = Ends(model.at_window[0], model.at_window[2])
    share = parallel.share_over_allowed(budget.reads, budget.objective_ratio)
    # One exact counter decides all at once; a sequence has to share the error with the rest of the band.
    fewest = samples_for_none_over(share, ERROR_ONE_SIDED * (1.0 if budget.plan.depth == 1 else NONE_OVER))
    names = " and ".join(used)
    if model.samples is None:
        return Doubt(
            Reason.SAMPLES,
            resolved,
            "the source does not say how many operations there were, so nothing is known of how far chance "
            "could have moved its figures",
            f"the number of {names} operations behind the figures (at least {count_text(fewest)})",
            EvidenceMeter(None, float(fewest)),
        )
    measured = ""
    ways: list[WayOut] = []
    if _can_be_measured(budget):
        measured = f"{count_text(transactions_needed(budget))} measured transactions"
        ways.append(WayOut(Way.TRANSACTIONS, float(transactions_needed(budget))))
    effective, needed = float(model.samples), None
    if model.at_window[1] >= budget.objective_ratio and model.samples < fewest:
        enough = f"at least {count_text(fewest)} independent {_plural(names)} without slow ones "
        enough += f"({count_text(model.samples)} so far)"
        needed = float(fewest)
    else:
        times = _times_longer(budget, model, used)
        enough = "" if measured else "transactions that are measured as a whole"
        if times is not None:
            needed = float(model.samples * times)
            enough = f"a record about {times} times as long ({count_text(model.samples * times)} operations)"
    if needed is not None:
        ways.append(WayOut(Way.OPERATIONS, needed - effective))
    return Doubt(
        Reason.SAMPLES,
        resolved,
        _too_few(budget, model, used),
        ", or ".join(part for part in (enough, measured) if part),
        EvidenceMeter(effective, needed, ways=tuple(ways)),
    )


def _too_few(budget: TransactionBudget, model: PlanModel, used: Used) -> str:
    if model.at_window[1] >= budget.objective_ratio:
        proven = f"they prove no more than {least_percent_text(model.confident.lower)} of transactions"
    else:
        proven = f"up to {most_percent_text(model.confident.upper)} of transactions may keep it"
    mixture = model.mixture
    if mixture is None or max(mixture.costs, key=lambda name: mixture.costs[name]) == "operations":
        shown = f"{operations_text(model, used)} are too few to show it"
    else:
        pieces = mixture.pieces
        worst = pieces.worst_piece
        late = percent_text(1.0 - min(1.0, float(pieces.estimate[worst])))
        shown = (
            f"the slices of the run differ ({late} late in the slice from "
            f"{duration_text(int(pieces.start_ns[worst]))}) and are worth only "
            f"{mixture.groups.effective_pieces:,.0f} independent ones"
        )
    return f"{shown}: with 95 % confidence {proven}"


def _times_longer(budget: TransactionBudget, model: PlanModel, used: Used) -> int | None:
    """How many times as many operations like these would decide; none where no number would.

    Found by asking the limits themselves. What differences between pieces cost falls with the root.
    """
    passes = model.at_window[1] >= budget.objective_ratio
    low, high = 0, len(_TIMES)
    while low < high:
        middle = (low + high) // 2
        low, high = (
            (low, middle) if _decides(budget, model, used, _TIMES[middle], passes) else (middle + 1, high)
        )
    return _TIMES[low] if low < len(_TIMES) else None


def _decides(budget: TransactionBudget, model: PlanModel, used: Used, times: int, passes: bool) -> bool:
    """Whether limits of a record so many times as long would decide, on a coarse grid."""
    scatter = 0.0
    if model.mixture is not None:
        scatter = model.mixture.costs["pieces"] / math.sqrt(times)
    pooled = Model(longer(used, times), budget, used, _PLANNING_BINS)
    if passes:
        costs = max(scatter, pooled.at_window[0] - pooled.confident.lower)
        return model.at_window[0] - costs >= budget.objective_ratio
    costs = max(scatter, pooled.confident.upper - pooled.at_window[2])
    return model.at_window[2] + costs < budget.objective_ratio


def _what_resolves(budget: TransactionBudget, used: Used) -> str:
    window_ns = budget.reads_window_ns - budget.plan.overhead_ns
    window = latency_text(window_ns)
    measured = f", or measured transactions of {reads_text(budget.plan.stages[0])}"
    measured = measured if _can_be_measured(budget) else ""
    published = [name for name, one in used.items() if _is_published(one.record)]
    if published:
        share = parallel.share_over_allowed(budget.reads, budget.objective_ratio)
        names = " and ".join(published)
        return f"p{_percentile(1.0 - share)} of {names}, the maximum, or the histogram{measured}"
    if budget.plan.depth == 1:
        return f"a bucket edge or an exact counter at {window}"
    open_from = [at for one in used.values() if (at := _open_from(one.record, window_ns)) is not None]
    finer = "finer buckets (HdrHistogram with 3 digits)"
    if open_from:
        largest = max(open_from)
        return (
            f"the maximum, or bucket edges from {latency_text(largest)} to {window}: the last bucket is open"
            + (f"; and {finer}" if any(_is_wide(one.record, window_ns) for one in used.values()) else "")
            + measured
        )
    return finer + measured


def _percentile(share: float) -> str:
    """`99.9996`: as many digits as tell it from 100."""
    digits = max(1, 1 - math.floor(math.log10(100.0 * (1.0 - share))))
    # The next step up, so that the percentile named is never too low.
    scale = 10.0 ** (digits - 1 if digits > 1 else digits)
    return f"{math.ceil(100.0 * share * scale - 1e-9) / scale:.10g}"


def _is_published(record: LatencyRecord) -> bool:
    """Statements about the distribution, in whole or in part, instead of counts in buckets."""
    parts = record.parts if isinstance(record, MergedRecord) else (record,)
    return any(isinstance(part, KnotsRecord) for part in parts)


def _leaves_open(record: LatencyRecord, window_ns: int) -> bool:
    return _is_published(record) or _open_from(record, window_ns) is not None or _is_wide(record, window_ns)


def _open_from(record: LatencyRecord, window_ns: int) -> int | None:
    """Where a filled bucket without an end begins below the window."""
    for dist in _distributions(record):
        cells = dist.cells
        open_ones = cells.lower_ns[(cells.upper_ns == NEVER_NS) & (cells.lower_ns < window_ns)]
        if open_ones.size:
            return int(open_ones[0])
    return None


def _is_wide(record: LatencyRecord, window_ns: int) -> bool:
    for dist in _distributions(record):
        cells = dist.cells
        if ((cells.lower_ns == 0) & (cells.upper_ns > _SHORT_NS)).any():
            return True
        inside = (cells.lower_ns >= _SHORT_NS) & (cells.lower_ns < window_ns)
        if (cells.upper_ns[inside] > _WIDE * cells.lower_ns[inside]).any():
            return True
    return False


def _distributions(record: LatencyRecord) -> list[LatencyDist]:
    parts = record.parts if isinstance(record, MergedRecord) else (record,)
    return [part for part in parts if isinstance(part, LatencyDist)]


def reads_text(stage: Stage) -> str:
    """How many operations a stage has, and how many of them are under way at a time."""
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
    return f"{name}s" if name.isalpha() and not name.endswith("s") else f"{name} operations"
