"""Judge the share of slow operations: shares at or over thresholds, with bounds, against limits.

Failed operations count as over at every threshold. An exact counter (pin) at a threshold gives an exact
count; otherwise the bucket that holds the threshold widens the bounds. The bounds of the run are its counts;
proven bounds add one-sided 95 % confidence on effective samples at each limit. That all limits must hold for
PASS needs no correction (an intersection–union test). A percentile limit is the same question: "p99.9 under
1 ms" means that at least 99.9 % take less than 1 ms. A source that publishes shares without the number of
operations behind them is judged for its own test alone. Source: docs/method.md sections 2.1, 2.5, 3.4, 6.1,
6.2 and 11.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tailroom.domain.confidence.shares import (
    ERROR_ONE_SIDED,
    samples_for_share,
    samples_to_decide,
    share_lower,
    share_upper,
)
from tailroom.domain.latency.distribution import LatencyRecord
from tailroom.domain.transactions.design_effects import DesignEffectAt, independent
from tailroom.domain.units import (
    count_text,
    duration_text,
    exact_percent,
    latency_text,
    needed_text,
    percentile_name,
    share_text,
)
from tailroom.domain.verdicts.budget_kinds import ExceedanceBudget, Limit, QuantileLimit
from tailroom.domain.verdicts.evidence import HourSlice, OperationEvidence
from tailroom.domain.verdicts.generator import GeneratedLoad
from tailroom.domain.verdicts.verdict import (
    FEWEST_OPERATIONS,
    UNBOUNDED_SHARE,
    Bounds,
    EvidenceAmount,
    EvidenceMeter,
    Judgement,
    Reason,
    Uncertainty,
    Verdict,
    Way,
    combined,
    judge,
    observed,
    too_few_samples,
    undecided,
)

CONFIDENCE_RATIO = 1.0 - ERROR_ONE_SIDED
"""Confidence of one-sided limits: 0.95."""
_LAST_DIGITS = 1e-13
"""Largest difference of equal shares: rounding errors of subtraction."""
_DIGITS = 15


@dataclass(frozen=True, slots=True)
class Exceedance:
    """Share of all operations, failed operations included, at or over a threshold. `over_lower` and
    `over_upper` are bounds of their number by the buckets, `share_lower` and `share_upper` of their share;
    `ratio_lower` and `ratio_upper` are one-sided 95 % confidence limits. Without `is_counted` the number of
    operations is unknown: counts are 0 and confidence limits 0 and 1.
    """

    threshold_ns: int
    over_lower: int
    over_upper: int
    total: int
    ratio_lower: float
    ratio_upper: float
    share_lower: float
    share_upper: float
    is_counted: bool = True


@dataclass(frozen=True, slots=True)
class LimitRow:
    """A limit of a budget with its measurement and judgement."""

    limit: Limit | QuantileLimit
    measured: Exceedance
    judgement: Judgement
    operation: str = ""
    clock: str = ""
    stated_ns: int | None = None
    """Time in ns before which the source says that the percentile is not, if that alone fails the limit."""


@dataclass(frozen=True, slots=True)
class LimitsAssessment:
    """The rows of all limits, and the judgement on the certification; None if the budget has none.
    `operation` and `clock` are those of the first judged operation.
    """

    operation: str
    clock: str
    rows: tuple[LimitRow, ...]
    certification: Judgement | None


def exceedance(
    record: LatencyRecord, threshold_ns: int, effect_at: DesignEffectAt = independent
) -> Exceedance:
    """Return the share of all operations at or over a threshold; between 0 and 1 without operations.
    `effect_at` is the design effect at a threshold in ns, which widens the confidence limits.
    """
    if record.total == 0:
        return Exceedance(threshold_ns, 0, 0, 0, 0.0, 1.0, 0.0, 1.0)
    if record.total is None:
        # Printed shares have few digits; subtraction must not add digits that the source does not have.
        most, least = (round(1.0 - share, _DIGITS) for share in record.cdf_bounds(threshold_ns))
        return Exceedance(threshold_ns, 0, 0, 0, 0.0, 1.0, least, most, is_counted=False)
    over = record.at_or_over(threshold_ns)
    factor = effect_at(threshold_ns).factor
    effective = record.total / factor
    return Exceedance(
        threshold_ns,
        over.lower,
        over.upper,
        record.total,
        share_lower(over.lower / factor, effective),
        share_upper(over.upper / factor, effective),
        over.lower / record.total,
        over.upper / record.total,
    )


def limit_row(limit: Limit | QuantileLimit, evidence: OperationEvidence) -> LimitRow:
    """Return the row of a limit, judged by the evidence about an operation."""
    operation, generation = evidence.operation, evidence.load
    threshold_ns = limit.threshold_ns if isinstance(limit, Limit) else limit.below_ns
    measured = exceedance(evidence.record, threshold_ns, evidence.effect_at)
    # Objective and bounds are put as shares *under* the threshold.
    in_run = Bounds(_share_under(measured.share_upper, limit), _share_under(measured.share_lower, limit))
    stated_ns = None
    if isinstance(limit, QuantileLimit) and in_run.lower < limit.quantile <= in_run.upper:
        stated_ns = _stated_ns(limit, evidence.record)
        if stated_ns is not None:
            in_run = Bounds(in_run.lower, limit.quantile - _LAST_DIGITS)
    in_next = Bounds(
        _share_under(measured.ratio_upper, limit), _share_under(measured.ratio_lower, limit)
    ).around(in_run)
    undecided_by: list[Uncertainty] = []
    if measured.is_counted and not measured.total:
        needed = samples_for_share(0.0, _allowed_over(limit))
        text = "no operation has been measured yet"
        undecided_by = [too_few_samples(text, "measured operations", 0.0, float(needed))]
    elif measured.share_lower < measured.share_upper:
        undecided_by = [_coarse_buckets(measured, limit)]
    unproven_by = [_few_samples(measured, limit, operation, evidence.effect_at(threshold_ns).factor)]
    proven = _shares_text(limit, measured.ratio_lower, measured.ratio_upper)
    judgement = judge(
        generation.observed(in_run),
        generation.proven(in_next),
        limit.quantile if isinstance(limit, QuantileLimit) else 1.0 - limit.ratio,
        undecided_by=generation.undecided_by(undecided_by, in_run),
        unproven_by=generation.unproven_by(unproven_by, in_next),
        fact=_fact(limit, measured, operation, stated_ns),
        proves=f"with 95 % confidence {proven} do",
        too_few=_too_few(measured, operation),
    )
    return LimitRow(limit, measured, judgement, operation, evidence.clock, stated_ns)


def _stated_ns(limit: QuantileLimit, record: LatencyRecord) -> int | None:
    """Return the time in ns before which a record states the percentile of a limit not to be, if that is at
    or over the limit and the number of operations is unknown. The printed shares alone allow that just this
    share of operations was faster, but then the tool would have printed an earlier time.
    """
    if record.total is not None:
        return None
    first_ns = record.quantile_bounds(limit.quantile).lower_ns
    return first_ns if first_ns >= limit.below_ns else None


def percentile_fact(limit: QuantileLimit, stated_ns: int) -> str:
    """Return text such as `p99 is 1.24 ms or longer`."""
    return f"{percentile_name(limit.quantile)} is {latency_text(stated_ns)} or longer"


def overall(rows: Sequence[LimitRow]) -> Judgement:
    """Return the combined judgement of the rows; a PASS has the text of the limit that is closest."""
    closest = max(rows, key=lambda row: row.measured.share_upper / _allowed_over(row.limit))
    return combined([row.judgement for row in rows], closest.judgement.reason_text)


def certification(
    budget: ExceedanceBudget,
    slices: Sequence[HourSlice],
    measured_ns: int,
    generation: GeneratedLoad,
) -> Judgement:
    """Return the judgement on the certification: every full slice strictly under every limit, by exact
    counts, for the whole duration. It is about this run, so it is observed and never proven. FAIL for a slice
    at or over a limit, unless too much load was issued. Undecided if buckets leave a slice open, if the run
    is too short, if slices are missing, or if the load was not as intended.
    """
    part = slice_word(budget.certification_slice_ns)
    unclear: Judgement | None = None
    for hour in slices:
        certain = hour.certain or hour.over
        for at_limit, (limit, possible, over) in enumerate(
            zip(budget.limits, hour.over, certain, strict=True)
        ):
            allowed = limit.ratio * hour.total
            if not hour.total or possible < allowed or generation.is_too_much:
                continue
            at = latency_text(limit.threshold_ns)
            where = f"the {part} from {duration_text(hour.start_ns)}"
            shares = share_text(over / hour.total, possible / hour.total, limit.ratio)
            if over >= allowed:
                text = f"{where} has {shares} at or over {at}; the limit is {exact_percent(limit.ratio)}"
                return observed(Verdict.FAIL, text + _worst_text(slices, at_limit, hour, limit.ratio))
            unclear = unclear or undecided(
                Reason.RESOLUTION,
                f"{where} has {shares} at or over {at}, around the limit of {exact_percent(limit.ratio)}",
                f"an exact counter or a bucket edge at {at}",
            )
    if unclear is not None:
        return unclear
    required = duration_text(budget.certification_duration_ns)
    left_ns = budget.certification_duration_ns - measured_ns
    if left_ns > 0:
        left = duration_text(left_ns)
        text = f"certification needs {required}, every full {part} within the limits"
        return undecided(Reason.DURATION, f"{text}; needs {left} more", f"{left} more")
    full_slices = budget.certification_duration_ns // budget.certification_slice_ns
    if generation.is_too_little or generation.is_too_much or len(slices) < full_slices:
        causes = generation.causes(UNBOUNDED_SHARE)
        text = causes[0].text if causes else f"only {len(slices)} of {full_slices} full {part}s are on record"
        return undecided(Reason.GENERATOR, text, "a gapless record at the intended load")
    return observed(Verdict.PASS, f"every full {part} of {required} kept every limit")


def _worst_text(slices: Sequence[HourSlice], at_limit: int, first: HourSlice, ratio: float) -> str:
    """Return the end of a sentence about the worst slice over a limit; empty if it is `first`."""
    worst = max((hour for hour in slices if hour.total), key=lambda hour: hour.over[at_limit] / hour.total)
    if worst.start_ns == first.start_ns:
        return ""
    over = (worst.certain or worst.over)[at_limit]
    shares = share_text(over / worst.total, worst.over[at_limit] / worst.total, ratio)
    return f"; the worst, from {duration_text(worst.start_ns)}, has {shares}"


def certification_as_published(budget: ExceedanceBudget, published: Judgement, measured_ns: int) -> Judgement:
    """Return the judgement on a certification for a test that is published as a whole, from the judgement
    `published` on that whole. A FAIL stays, because then a slice fails too. A PASS stays unless the document
    states a duration (`measured_ns`, 0 if not stated) that is too short. An undecided judgement is returned
    unchanged.
    """
    if published.verdict is Verdict.INDETERMINATE:
        return published
    if published.verdict is Verdict.PASS and 0 < measured_ns < budget.certification_duration_ns:
        required, lasted = duration_text(budget.certification_duration_ns), duration_text(measured_ns)
        text = f"the test lasted {lasted}; certification needs {required}"
        return undecided(Reason.DURATION, text, f"a test of {required}")
    part = slice_word(budget.certification_slice_ns)
    text = f"{published.reason_text}; published for the whole test, not for every {part}"
    return observed(published.verdict, text, published.observed.bounds)


def slice_word(slice_ns: int) -> str:
    """Return `hour` for slices of an hour, else text such as `slice of 10 min`."""
    length = duration_text(slice_ns)
    return "hour" if length == "1 h" else f"slice of {length}"


def _allowed_over(limit: Limit | QuantileLimit) -> float:
    """Return the allowed share at or over a limit's threshold: at most this for a percentile, else less."""
    return limit.ratio if isinstance(limit, Limit) else 1.0 - limit.quantile


def _share_under(over_ratio: float, limit: Limit | QuantileLimit) -> float:
    """Return 1 less the share over a threshold; at the limit a strict `Limit` fails, a percentile passes."""
    if isinstance(limit, Limit) and abs(over_ratio - limit.ratio) <= _LAST_DIGITS:
        return 1.0 - limit.ratio - _LAST_DIGITS
    under = 1.0 - over_ratio
    if isinstance(limit, QuantileLimit) and abs(under - limit.quantile) <= _LAST_DIGITS:
        return limit.quantile
    return under


def _fact(limit: Limit | QuantileLimit, measured: Exceedance, operation: str, stated_ns: int | None) -> str:
    """Return the shares in this run with the limit, or the stated time of a percentile that fails by it."""
    at = latency_text(measured.threshold_ns)
    counted = f" of {_operations_text(measured.total, operation)}" if measured.is_counted else ""
    if isinstance(limit, QuantileLimit) and stated_ns is not None:
        return f"{percentile_fact(limit, stated_ns)}; it must be less than {at}"
    shares = _shares_text(limit, measured.share_lower, measured.share_upper)
    if isinstance(limit, Limit):
        return f"{shares}{counted} took {at} or longer; the limit is less than {exact_percent(limit.ratio)}"
    return f"{shares}{counted} took less than {at}; at least {exact_percent(limit.quantile)} must"


def _shares_text(limit: Limit | QuantileLimit, lower: float, upper: float) -> str:
    """Return bounds of the share over a threshold as the limit states it: over, or below for a percentile."""
    if isinstance(limit, Limit):
        return share_text(lower, upper, limit.ratio)
    return share_text(1.0 - upper, 1.0 - lower, limit.quantile)


def _operations_text(count: int, operation: str) -> str:
    """Return a count with its operation, `812 reads`; `812 operations` if the name is not of letters only."""
    name = operation if operation.isalpha() else "operation"
    return f"{count_text(count)} {name}{'' if count == 1 else 's'}"


def _coarse_buckets(measured: Exceedance, limit: Limit | QuantileLimit) -> Uncertainty:
    at = latency_text(measured.threshold_ns)
    shares = share_text(measured.share_lower, measured.share_upper, _allowed_over(limit))
    middle = 1.0 - (measured.share_lower + measured.share_upper) / 2.0
    text = f"the published figures allow {shares} at or over {at}"
    decided_by = f"the share at or over {at}, or the histogram"
    if measured.is_counted:
        total = count_text(measured.total)
        text = f"buckets too coarse at {at}: {shares} of {total} took that long or longer"
        decided_by = f"an exact counter or a bucket edge at {at}"
    return Uncertainty(
        Reason.RESOLUTION,
        Bounds(middle, middle),
        text,
        decided_by,
        EvidenceMeter(ways=(EvidenceAmount(Way.COUNTER, float(measured.threshold_ns)),)),
    )


def _too_few(measured: Exceedance, operation: str) -> Uncertainty | None:
    if not measured.is_counted or measured.total >= FEWEST_OPERATIONS:
        return None
    counted = _operations_text(measured.total, operation)
    return too_few_samples(
        f"too few operations for a PASS: {counted} of at least {FEWEST_OPERATIONS}",
        f"{needed_text(FEWEST_OPERATIONS - measured.total)} more operations",
        float(measured.total),
        float(FEWEST_OPERATIONS),
    )


def _few_samples(
    measured: Exceedance, limit: Limit | QuantileLimit, operation: str, factor: float
) -> Uncertainty:
    """Return why the record, as a sample, does not prove what its counts show, and what would. `factor`
    operations count as one independent operation.
    """
    without = Bounds(_share_under(measured.share_upper, limit), _share_under(measured.share_lower, limit))
    allowed = _allowed_over(limit)
    if not measured.is_counted:
        least = needed_text(samples_for_share(0.0, allowed))
        return Uncertainty(
            Reason.SAMPLES,
            without,
            "the source does not state how many operations there were",
            f"the number of operations behind the figures (at least {least})",
        )
    proven = _shares_text(limit, measured.ratio_lower, measured.ratio_upper)
    text = f"proves only {proven} with 95 % confidence"
    if factor > 1.05:
        independent_text = count_text(int(measured.total / factor))
        text += f", because slow operations come together: worth {independent_text} independent ones"
    # By the deciding bound: by the middle of wide buckets the record would already seem to be enough.
    deciding = measured.share_upper if measured.share_upper < allowed else measured.share_lower
    needed = samples_to_decide(deciding, allowed) if measured.total else None
    effective = measured.total / factor
    ways: tuple[EvidenceAmount, ...] = ()
    if needed is not None:
        more = max(1.0, float(round((needed - effective) * factor)))
        ways = (EvidenceAmount(Way.OPERATIONS, more),)
        total = needed_text(round(measured.total + more))
        way_out = f"{total} {operation if operation.isalpha() else 'operation'}s at this share"
    elif measured.total:
        way_out = f"another run: the share lies at the {exact_percent(allowed)} allowed"
    else:
        way_out = "a longer run"
    return Uncertainty(Reason.SAMPLES, without, text, way_out, EvidenceMeter(effective, needed, ways=ways))
