"""Whether few enough operations were slow: shares at or over thresholds, with bounds, against limits.

Misses count as over at every threshold. An exact counter (pin) at a threshold leaves no doubt of
resolution; without one the bucket that holds the threshold does. Confidence is one-sided 95 % on effective
samples at each limit; that all limits must hold for PASS needs no correction (an intersection–union test).
A percentile limit is the same question: "p99.9 under 1 ms" says that at least 99.9 % take less than 1 ms.
A source that publishes shares without the number of operations behind them proves nothing by itself.
Source: docs/method.md sections 2.1, 2.5, 3.4, 6.1, 6.2.
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
from tailroom.domain.latency.record import LatencyRecord
from tailroom.domain.transactions.confidence import DesignEffectAt, independent
from tailroom.domain.units import (
    count_text,
    duration_text,
    latency_text,
    least_percent_text,
    most_percent_text,
    percent_text,
)
from tailroom.domain.verdicts.budget_kinds import ExceedanceBudget, Limit, QuantileLimit
from tailroom.domain.verdicts.evidence import HourSlice
from tailroom.domain.verdicts.generator import Generation
from tailroom.domain.verdicts.meter import EvidenceMeter, Way, WayOut
from tailroom.domain.verdicts.verdict import Doubt, Ends, Judgement, Reason, Verdict, first_undecided, judge

__all__ = [
    "CONFIDENCE_RATIO",
    "Exceedance",
    "ExceedanceAssessment",
    "HourSlice",
    "LimitRow",
    "assess",
    "certification",
    "exceedance",
    "limit_row",
]

CONFIDENCE_RATIO = 1.0 - ERROR_ONE_SIDED
_LAST_DIGIT = 1e-15
_MANY = 10.0
"""From this design effect on, the number of operations alone would mislead."""


@dataclass(frozen=True, slots=True)
class Exceedance:
    """Share at or over a threshold: counts where certain and possible, and one-sided confidence limits.

    `share_lower` and `share_upper` are what the buckets alone say. Without `is_counted` the source does not
    say how many operations there were: counts are 0 and mean nothing, and confidence reaches from 0 to 1.
    """

    threshold_ns: int
    over_lower: int
    over_upper: int
    total: int
    ratio: float
    ratio_lower: float
    ratio_upper: float
    share_lower: float = 0.0
    share_upper: float = 1.0
    is_counted: bool = True


@dataclass(frozen=True, slots=True)
class LimitRow:
    """One limit of a budget beside what was measured."""

    limit: Limit | QuantileLimit
    measured: Exceedance
    judgement: Judgement
    operation: str = ""
    clock: str = ""


@dataclass(frozen=True, slots=True)
class LimitsAssessment:
    """Limits on shares, row by row, and whether the run certifies (none: nothing to certify)."""

    operation: str
    clock: str
    rows: tuple[LimitRow, ...]
    certification: Judgement | None


@dataclass(frozen=True, slots=True)
class ExceedanceAssessment:
    """Verdict about the run, limit by limit, and whether it certifies."""

    rows: tuple[LimitRow, ...]
    judgement: Judgement
    certification: Judgement


def exceedance(
    record: LatencyRecord, threshold_ns: int, effect_at: DesignEffectAt = independent
) -> Exceedance:
    """Share of all operations at or over a threshold. Without operations: from 0 to 1."""
    if record.total == 0:
        return Exceedance(threshold_ns, 0, 0, 0, 0.0, 0.0, 1.0, 0.0, 0.0)
    if record.total is None:
        certain, possible = record.cdf_bounds(threshold_ns)
        return Exceedance(
            threshold_ns, 0, 0, 0, 1.0 - certain, 0.0, 1.0, 1.0 - possible, 1.0 - certain, is_counted=False
        )
    over = record.at_or_over(threshold_ns)
    factor = effect_at(threshold_ns).factor
    effective = record.total / factor
    return Exceedance(
        threshold_ns,
        over.lower,
        over.upper,
        record.total,
        over.upper / record.total,
        share_lower(over.lower / factor, effective),
        share_upper(over.upper / factor, effective),
        over.lower / record.total,
        over.upper / record.total,
    )


def assess(
    budget: ExceedanceBudget,
    record: LatencyRecord,
    generation: Generation,
    *,
    measured_ns: int,
    slices: Sequence[HourSlice] = (),
    effect_at: DesignEffectAt = independent,
) -> ExceedanceAssessment:
    """Verdict of a run: FAIL if one limit fails, PASS if all pass, else the first undecided reason.

    Where the budget's certification decides, its judgement is the verdict.
    """
    rows = tuple(limit_row(limit, record, generation, effect_at) for limit in budget.limits)
    certified = certification(budget, slices, measured_ns, generation)
    decides = budget.certification is not None and budget.certification.decides
    return ExceedanceAssessment(rows, certified if decides else overall(rows), certified)


def limit_row(
    limit: Limit | QuantileLimit,
    record: LatencyRecord,
    generation: Generation,
    effect_at: DesignEffectAt,
    *,
    operation: str = "",
    clock: str = "",
) -> LimitRow:
    """One limit held against a record."""
    threshold_ns = limit.threshold_ns if isinstance(limit, Limit) else limit.below_ns
    measured = exceedance(record, threshold_ns, effect_at)
    # Objective and ends are put as shares *under* the threshold.
    sampled = Ends(_under(measured.ratio_upper, limit), _under(measured.ratio_lower, limit))
    doubts: list[Doubt] = []
    if measured.share_lower < measured.share_upper:
        doubts.append(_resolution_doubt(measured, limit, effect_at))
    doubts.append(_samples_doubt(measured, limit, effect_at))
    doubts = generation.beside(doubts, sampled)
    judgement = judge(
        generation.widened(sampled),
        _objective(limit),
        doubts,
        when_pass=_words(limit, measured, passed=True),
        when_fail=_words(limit, measured, passed=False),
    )
    return LimitRow(limit, measured, judgement, operation, clock)


def overall(rows: Sequence[LimitRow]) -> Judgement:
    """FAIL if one limit fails, PASS if all pass, else the first undecided reason."""
    undecided = first_undecided([row.judgement for row in rows])
    if undecided is not None:
        return undecided
    worst = max(rows, key=lambda row: row.measured.ratio_upper / _allowed(row.limit))
    return Judgement(Verdict.PASS, None, worst.judgement.reason_text, None)


def certification(
    budget: ExceedanceBudget,
    slices: Sequence[HourSlice],
    measured_ns: int,
    generation: Generation,
) -> Judgement:
    """Every full slice strictly under every limit, by exact counts, and the whole duration of them."""
    length = duration_text(budget.certification_slice_ns)
    unclear: Judgement | None = None
    for piece in slices:
        certain = piece.certain or piece.over
        for limit, possible, over in zip(budget.limits, piece.over, certain, strict=True):
            allowed = limit.ratio * piece.total
            if not piece.total or possible < allowed or generation.is_too_much:
                continue
            at = latency_text(limit.threshold_ns)
            where = f"the {_slice_word(length)} from {duration_text(piece.start_ns)}"
            if over >= allowed:
                text = (
                    f"{where} has {percent_text(over / piece.total)} at or over {at}; "
                    f"the limit is {percent_text(limit.ratio)}"
                )
                return Judgement(Verdict.FAIL, None, text, None)
            unclear = unclear or Judgement(
                Verdict.INDETERMINATE,
                Reason.RESOLUTION,
                f"{where} has between {least_percent_text(over / piece.total)} and "
                f"{most_percent_text(possible / piece.total)} at or over {at}, around the limit",
                f"an exact counter or a bucket edge at {at}",
            )
    if unclear is not None:
        return unclear
    wanted = duration_text(budget.certification_duration_ns)
    left_ns = budget.certification_duration_ns - measured_ns
    if left_ns > 0:
        left = duration_text(left_ns)
        text = f"certification needs {wanted}, every full {_slice_word(length)} within the limits"
        text += f"; needs {left} more"
        return Judgement(Verdict.INDETERMINATE, Reason.DURATION, text, f"{left} more")
    full_slices = budget.certification_duration_ns // budget.certification_slice_ns
    if generation.is_too_little or generation.is_too_much or len(slices) < full_slices:
        doubts = generation.doubts(Ends(0.0, 1.0))
        hours = f"{_slice_word(length)}s"
        text = doubts[0].text if doubts else f"only {len(slices)} of {full_slices} full {hours} are on record"
        return Judgement(
            Verdict.INDETERMINATE, Reason.GENERATOR, text, "a gapless record at the intended load"
        )
    return Judgement(
        Verdict.PASS, None, f"every full {_slice_word(length)} of {wanted} kept every limit", None
    )


def _slice_word(length: str) -> str:
    return "hour" if length == "1 h" else f"slice of {length}"


def _objective(limit: Limit | QuantileLimit) -> float:
    return limit.quantile if isinstance(limit, QuantileLimit) else 1.0 - limit.ratio


def _allowed(limit: Limit | QuantileLimit) -> float:
    return limit.ratio if isinstance(limit, Limit) else 1.0 - limit.quantile


def _threshold_text(limit: Limit | QuantileLimit) -> str:
    return latency_text(limit.threshold_ns if isinstance(limit, Limit) else limit.below_ns)


def _under(over_ratio: float, limit: Limit | QuantileLimit) -> float:
    """Share under the threshold. A share over that equals the limit must not pass a strict comparison."""
    if isinstance(limit, Limit) and over_ratio == limit.ratio:
        return 1.0 - limit.ratio - _LAST_DIGIT
    under = 1.0 - over_ratio
    if isinstance(limit, QuantileLimit) and abs(under - limit.quantile) <= _LAST_DIGIT:
        return limit.quantile
    return under


def _words(limit: Limit | QuantileLimit, measured: Exceedance, *, passed: bool) -> str:
    at, counted = _threshold_text(limit), count_text(measured.total)
    if isinstance(limit, Limit):
        begins = f"{percent_text(measured.ratio)} of {counted} took {at} or longer, "
        if passed:
            return (
                f"{begins}less than {percent_text(limit.ratio)}; at most "
                f"{most_percent_text(measured.ratio_upper)} with 95 % confidence"
            )
        return (
            f"{begins}not less than {percent_text(limit.ratio)}; at least "
            f"{least_percent_text(measured.ratio_lower)} with 95 % confidence"
        )
    begins = f"{percent_text(1.0 - measured.ratio)} of {counted} took less than {at}, "
    if passed:
        return (
            f"{begins}at least {percent_text(limit.quantile)}; no fewer than "
            f"{least_percent_text(1.0 - measured.ratio_upper)} with 95 % confidence"
        )
    return (
        f"{begins}fewer than {percent_text(limit.quantile)}; no more than "
        f"{most_percent_text(1.0 - measured.ratio_lower)} with 95 % confidence"
    )


def _resolution_doubt(measured: Exceedance, limit: Limit | QuantileLimit, effect_at: DesignEffectAt) -> Doubt:
    at = _threshold_text(limit)
    counter = f"an exact counter or a bucket edge at {at}"
    meter = EvidenceMeter(ways=(WayOut(Way.COUNTER, float(measured.threshold_ns)),))
    if not measured.is_counted:
        return Doubt(
            Reason.RESOLUTION,
            Ends(0.0, 1.0),
            f"what is published allows {percent_text(measured.share_lower)} to "
            f"{percent_text(measured.share_upper)} of the operations at or over {at}",
            f"the share of operations at or over {at}, or the histogram",
            meter,
        )
    factor = effect_at(measured.threshold_ns).factor
    middle = (measured.over_lower + measured.over_upper) / 2.0 / factor
    effective = measured.total / factor
    without = Ends(1.0 - share_upper(middle, effective), 1.0 - share_lower(middle, effective))
    return Doubt(
        Reason.RESOLUTION,
        without,
        f"no bucket edge and no exact counter at {at}: between {count_text(measured.over_lower)} and "
        f"{count_text(measured.over_upper)} operations took that long or longer",
        counter,
        meter,
    )


def _samples_doubt(measured: Exceedance, limit: Limit | QuantileLimit, effect_at: DesignEffectAt) -> Doubt:
    without = Ends(_under(measured.share_upper, limit), _under(measured.share_lower, limit))
    at, allowed = _threshold_text(limit), _allowed(limit)
    if not measured.is_counted:
        least = count_text(samples_for_share(0.0, allowed))
        return Doubt(
            Reason.SAMPLES,
            without,
            "the source does not say how many operations there were, so nothing is known of how far chance "
            "could have moved its figures",
            f"the number of operations behind the figures (at least {least})",
        )
    if measured.total == 0:
        least_needed = float(samples_for_share(0.0, allowed))
        return Doubt(
            Reason.SAMPLES,
            Ends(0.0, 1.0),
            "no operation has been measured yet",
            "measured operations",
            EvidenceMeter(0.0, least_needed, ways=(WayOut(Way.OPERATIONS, least_needed),)),
        )
    factor = effect_at(measured.threshold_ns).factor
    independent = count_text(int(measured.total / factor))
    if measured.ratio < 0.95 * allowed:
        needed = samples_for_share(measured.ratio, allowed)
        so_far = f"{count_text(measured.total)} measured"
        if factor > 1.05:
            so_far += f", worth {independent} independent ones"
        decided_by = (
            f"about {count_text(int(needed * factor))} "
            f"{'' if factor > 1.05 else 'independent '}operations at this share ({so_far})"
        )
    else:
        decided_by = (
            f"a longer run: {percent_text(measured.ratio)} lies too near the limit for "
            f"{count_text(measured.total)}"
        )
    # Many millions can be too few: whoever reads both numbers is told why.
    together = f"; {count_text(measured.total)} operations that are slow together count as {independent}"
    return Doubt(
        Reason.SAMPLES,
        without,
        f"the share at or over {at} lies between {least_percent_text(measured.ratio_lower)} and "
        f"{most_percent_text(measured.ratio_upper)}, around the limit of {percent_text(allowed)}"
        f"{together if factor >= _MANY else ''}",
        decided_by,
        _meter(measured, allowed, factor),
    )


def _meter(measured: Exceedance, allowed: float, factor: float) -> EvidenceMeter:
    effective = measured.total / factor
    wanted = samples_to_decide(measured.ratio, allowed)
    if wanted is None:
        return EvidenceMeter(effective)
    more = max(1.0, float(round((wanted - effective) * factor)))
    return EvidenceMeter(effective, wanted, ways=(WayOut(Way.OPERATIONS, more),))
