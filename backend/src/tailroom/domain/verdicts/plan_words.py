"""What keeps a model of a plan from deciding, in words, and which data would remove it.

The sentences name concrete data: a bucket edge at a time, a percentile, a number of operations. What is named
follows from the kind of record: published percentiles lack the tail, an open bucket lacks its end, wide
buckets lack edges. Source: METHOD.md sections 0, 1.2, 2.4.
"""

import math
from collections.abc import Mapping

from tailroom.domain.confidence.shares import samples_for_none_over
from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.latency.knots import KnotsRecord
from tailroom.domain.latency.layouts import NEVER_NS
from tailroom.domain.latency.record import LatencyRecord
from tailroom.domain.latency.side_by_side import SideBySide
from tailroom.domain.transactions import parallel
from tailroom.domain.transactions.plan import Scheduling
from tailroom.domain.units import count_text, duration_text, latency_text, percent_text
from tailroom.domain.verdicts.budget_kinds import TransactionBudget
from tailroom.domain.verdicts.evidence import OperationEvidence
from tailroom.domain.verdicts.measured_transactions import transactions_needed
from tailroom.domain.verdicts.plan_model import PlanModel
from tailroom.domain.verdicts.verdict import Doubt, Ends, Reason

_WIDE = 1.25
"""A bucket whose upper edge is more than this many times its lower edge is wide."""

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
        return f"if operations are independent inside each of {count_text(model.mixture.result.size)} pieces"
    return "if operations are independent"


def resolution_doubt(budget: TransactionBudget, model: PlanModel, used: Used) -> Doubt:
    """The bounds are apart because of what the records leave open."""
    lower, estimate, upper = model.at_window
    # Without doubt of resolution the bounds close on the estimate; what the sample leaves open stays open.
    without = Ends(
        max(0.0, estimate - (lower - model.confident.lower)),
        min(1.0, estimate + (model.confident.upper - upper)),
    )
    published = any(_is_published(one.record) for one in used.values())
    what = "the published figures" if published else f"the buckets of {_plural(' and '.join(used))}"
    return Doubt(
        Reason.RESOLUTION,
        without,
        f"{what} allow {percent_text(lower)} to {percent_text(upper)}",
        _what_resolves(budget, used),
    )


def samples_doubt(budget: TransactionBudget, model: PlanModel, used: Used) -> Doubt:
    """The bounds are apart because the record is a sample."""
    resolved = Ends(model.at_window[0], model.at_window[2])
    share = parallel.share_over_allowed(budget.reads, budget.objective_ratio)
    fewest = count_text(samples_for_none_over(share))
    names = " and ".join(used)
    if model.samples is None:
        return Doubt(
            Reason.SAMPLES,
            resolved,
            "the source does not say how many operations there were, so nothing is known of how far chance "
            "could have moved its figures",
            f"the number of {names} operations behind the figures (at least {fewest})",
        )
    if model.mixture is not None and model.mixture.confidence.widest != "operations":
        return _pieces_doubt(budget, model, resolved)
    if model.samples >= samples_for_none_over(share):
        enough = f"a longer record: {_longer(budget, model)}"
    else:
        enough = f"at least {fewest} independent {_plural(names)} without slow ones "
        enough += f"({count_text(model.samples)} so far)"
    measured = ""
    if _can_be_measured(budget):
        measured = f", or {count_text(transactions_needed(budget))} measured transactions"
    return Doubt(
        Reason.SAMPLES,
        resolved,
        f"{operations_text(model, used)} are too few to show it: with 95 % confidence they prove no more "
        f"than {percent_text(model.confident.lower)} of transactions",
        enough + measured,
    )


def _pieces_doubt(budget: TransactionBudget, model: PlanModel, resolved: Ends) -> Doubt:
    mixture = model.mixture
    assert mixture is not None  # noqa: S101 - the caller has looked
    worst = mixture.result.worst_piece
    at = duration_text(int(mixture.result.start_ns[worst]))
    late = percent_text(1.0 - float(mixture.result.estimate[worst]))
    return Doubt(
        Reason.SAMPLES,
        resolved,
        f"the pieces of the run differ ({late} late in the piece from {at}) and are worth only "
        f"{mixture.confidence.effective_pieces:,.0f} independent ones: with 95 % confidence they prove no "
        f"more than {percent_text(model.confident.lower)} of transactions",
        f"a longer run: {_longer(budget, model)}",
    )


def _longer(budget: TransactionBudget, model: PlanModel) -> str:
    """How much longer, if everything goes on like this: limits close in with the root of the length."""
    allowed = 1.0 - budget.objective_ratio
    late, proven = 1.0 - model.at_window[1], 1.0 - model.confident.lower
    margin = allowed - late
    if margin <= 0.05 * allowed:
        return f"{percent_text(late)} late lies too near the {percent_text(allowed)} allowed"
    times = math.ceil(10.0 * ((proven - late) / margin) ** 2) / 10.0
    if times > 1000.0:
        return "many times as long, since its slow operations lie close to the window"
    return f"about {max(times, 1.1):.3g} times as long at this share of late transactions"


def _what_resolves(budget: TransactionBudget, used: Used) -> str:
    window_ns = budget.reads_window_ns - budget.plan.overhead_ns
    window = latency_text(window_ns)
    measured = f", or measured transactions of {budget.reads} {_plural(budget.read_operation)}"
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
    parts = record.parts if isinstance(record, SideBySide) else (record,)
    return any(isinstance(part, KnotsRecord) for part in parts)


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
        inside = (cells.lower_ns > 0) & (cells.upper_ns < window_ns)
        if (cells.upper_ns[inside] > _WIDE * cells.lower_ns[inside]).any():
            return True
    return False


def _distributions(record: LatencyRecord) -> list[LatencyDist]:
    parts = record.parts if isinstance(record, SideBySide) else (record,)
    return [part for part in parts if isinstance(part, LatencyDist)]


def _can_be_measured(budget: TransactionBudget) -> bool:
    return len(budget.plan.stages) == 1 and budget.plan.stages[0].effective is Scheduling.SEQUENTIAL


def _plural(name: str) -> str:
    return f"{name}s" if name.isalpha() and not name.endswith("s") else f"{name} operations"
