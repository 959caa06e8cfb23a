"""Whether few enough operations were slow: shares at or over thresholds, with bounds, against limits.

Misses count as over at every threshold. An exact counter (pin) at a threshold leaves no doubt of
resolution; without one the bucket that holds the threshold does. Confidence is one-sided 95 % on effective
samples at each limit; that all limits must hold for PASS needs no correction (an intersection–union test).
Source: METHOD.md sections 2.1, 2.5, 3.4, 6.1, 6.2.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tailroom.domain.confidence.shares import ERROR_ONE_SIDED, samples_for_share, share_lower, share_upper
from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.transactions.confidence import DesignEffectAt, independent
from tailroom.domain.units import count_text, duration_text, latency_text, percent_text
from tailroom.domain.verdicts.budget import ExceedanceBudget, Limit
from tailroom.domain.verdicts.generator import Generation
from tailroom.domain.verdicts.verdict import Doubt, Ends, Judgement, Reason, Verdict, judge

CONFIDENCE_RATIO = 1.0 - ERROR_ONE_SIDED


@dataclass(frozen=True, slots=True)
class Exceedance:
    """Share at or over a threshold: counts where certain and possible, and one-sided confidence limits."""

    threshold_ns: int
    over_lower: int
    over_upper: int
    total: int
    ratio: float
    ratio_lower: float
    ratio_upper: float


@dataclass(frozen=True, slots=True)
class LimitRow:
    """One limit of a budget beside what was measured."""

    limit: Limit
    measured: Exceedance
    judgement: Judgement


@dataclass(frozen=True, slots=True)
class HourSlice:
    """Exact counts of one full slice: `over[i]` operations at or over the i-th limit, misses included."""

    start_ns: int
    total: int
    over: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ExceedanceAssessment:
    """Verdict about the run, limit by limit, and whether it certifies."""

    rows: tuple[LimitRow, ...]
    judgement: Judgement
    certification: Judgement


def exceedance(dist: LatencyDist, threshold_ns: int, effect_at: DesignEffectAt = independent) -> Exceedance:
    """Share of all operations at or over a threshold. Without operations: from 0 to 1."""
    over = dist.at_or_over(threshold_ns)
    if dist.total == 0:
        return Exceedance(threshold_ns, 0, 0, 0, 0.0, 0.0, 1.0)
    factor = effect_at(threshold_ns).factor
    effective = dist.total / factor
    return Exceedance(
        threshold_ns,
        over.lower,
        over.upper,
        dist.total,
        over.upper / dist.total,
        share_lower(over.lower / factor, effective),
        share_upper(over.upper / factor, effective),
    )


def assess(
    budget: ExceedanceBudget,
    dist: LatencyDist,
    generation: Generation,
    *,
    measured_ns: int,
    slices: Sequence[HourSlice] = (),
    effect_at: DesignEffectAt = independent,
) -> ExceedanceAssessment:
    """Verdict of a run: FAIL if one limit fails, PASS if all pass, else the first undecided reason."""
    rows = tuple(_row(limit, dist, generation, effect_at) for limit in budget.limits)
    return ExceedanceAssessment(rows, _overall(rows), _certification(budget, slices, measured_ns, generation))


def _row(limit: Limit, dist: LatencyDist, generation: Generation, effect_at: DesignEffectAt) -> LimitRow:
    measured = exceedance(dist, limit.threshold_ns, effect_at)
    # Objective and ends are put as shares *under* the threshold; strictly less than the limit must lie over.
    objective = 1.0 - limit.ratio
    sampled = Ends(_under(measured.ratio_upper, limit), _under(measured.ratio_lower, limit))
    doubts: list[Doubt] = []
    if measured.over_lower < measured.over_upper:
        doubts.append(_resolution_doubt(measured, dist, limit, effect_at))
    doubts.append(_samples_doubt(measured, limit))
    doubts = generation.beside(doubts, sampled)
    at = latency_text(limit.threshold_ns)
    share = percent_text(measured.ratio)
    judgement = judge(
        generation.widened(sampled),
        objective,
        doubts,
        when_pass=f"{share} of {count_text(measured.total)} took {at} or longer, "
        f"less than {percent_text(limit.ratio)}; at most {percent_text(measured.ratio_upper)} "
        "with 95 % confidence",
        when_fail=f"{share} of {count_text(measured.total)} took {at} or longer, "
        f"not less than {percent_text(limit.ratio)}; at least {percent_text(measured.ratio_lower)} "
        "with 95 % confidence",
    )
    return LimitRow(limit, measured, judgement)


def _under(over_ratio: float, limit: Limit) -> float:
    """Share under the threshold; a share over that equals the limit must not pass (strict comparison)."""
    return 1.0 - limit.ratio - 1e-15 if over_ratio == limit.ratio else 1.0 - over_ratio


def _resolution_doubt(
    measured: Exceedance, dist: LatencyDist, limit: Limit, effect_at: DesignEffectAt
) -> Doubt:
    factor = effect_at(limit.threshold_ns).factor
    middle = (measured.over_lower + measured.over_upper) / 2.0 / factor
    without = Ends(
        1.0 - share_upper(middle, dist.total / factor), 1.0 - share_lower(middle, dist.total / factor)
    )
    at = latency_text(limit.threshold_ns)
    return Doubt(
        Reason.RESOLUTION,
        without,
        f"no bucket edge and no exact counter at {at}: between {count_text(measured.over_lower)} and "
        f"{count_text(measured.over_upper)} operations took that long or longer",
        f"an exact counter or a bucket edge at {at}",
    )


def _samples_doubt(measured: Exceedance, limit: Limit) -> Doubt:
    total = max(1, measured.total)
    without = Ends(_under(measured.over_upper / total, limit), _under(measured.over_lower / total, limit))
    at = latency_text(limit.threshold_ns)
    if measured.total == 0:
        return Doubt(
            Reason.SAMPLES, Ends(0.0, 1.0), "no operation has been measured yet", "measured operations"
        )
    if measured.ratio < 0.95 * limit.ratio:
        needed = count_text(samples_for_share(measured.ratio, limit.ratio))
        decided_by = f"about {needed} independent operations at this share ({count_text(total)} measured)"
    else:
        decided_by = (
            f"a longer run: {percent_text(measured.ratio)} lies too near the limit for {count_text(total)}"
        )
    return Doubt(
        Reason.SAMPLES,
        without if measured.total else Ends(0.0, 1.0),
        f"the share at or over {at} lies between {percent_text(measured.ratio_lower)} and "
        f"{percent_text(measured.ratio_upper)}, around the limit of {percent_text(limit.ratio)}",
        decided_by,
    )


def _overall(rows: Sequence[LimitRow]) -> Judgement:
    for verdict in (Verdict.FAIL, Verdict.INDETERMINATE):
        found = [row.judgement for row in rows if row.judgement.verdict is verdict]
        if found:
            order = list(Reason)
            return min(found, key=lambda judgement: order.index(judgement.reason) if judgement.reason else -1)
    worst = max(rows, key=lambda row: row.measured.ratio_upper / row.limit.ratio)
    return Judgement(Verdict.PASS, None, worst.judgement.reason_text, None)


def _certification(
    budget: ExceedanceBudget,
    slices: Sequence[HourSlice],
    measured_ns: int,
    generation: Generation,
) -> Judgement:
    """Every full hour strictly under every limit, by exact counts, and a whole day of them."""
    for piece in slices:
        for limit, over in zip(budget.limits, piece.over, strict=True):
            if piece.total and over >= limit.ratio * piece.total and not generation.is_too_much:
                share, at = percent_text(over / piece.total), latency_text(limit.threshold_ns)
                text = (
                    f"the hour from {duration_text(piece.start_ns)} has {share} at or over {at}; "
                    f"the limit is {percent_text(limit.ratio)}"
                )
                return Judgement(Verdict.FAIL, None, text, None)
    wanted = duration_text(budget.certification_duration_ns)
    left_ns = budget.certification_duration_ns - measured_ns
    if left_ns > 0:
        left = duration_text(left_ns)
        text = f"certification needs {wanted}, every full hour within the limits; needs {left} more"
        return Judgement(Verdict.INDETERMINATE, Reason.DURATION, text, f"{left} more")
    full_slices = budget.certification_duration_ns // budget.certification_slice_ns
    if generation.is_too_little or generation.is_too_much or len(slices) < full_slices:
        doubts = generation.doubts(Ends(0.0, 1.0))
        text = doubts[0].text if doubts else f"only {len(slices)} of {full_slices} full hours are on record"
        return Judgement(
            Verdict.INDETERMINATE, Reason.GENERATOR, text, "a gapless record at the intended load"
        )
    return Judgement(Verdict.PASS, None, f"every full hour of {wanted} kept every limit", None)
