"""Whether transactions keep their window: which evidence decides, and what it says.

Two kinds of evidence exist. *Measured* transactions of exactly the asked kind hold all dependence between
their reads and are judged as plain counts. The *model* convolves the law of single reads and assumes
independence. Which of them decides is fixed by the number of measured transactions alone, before any of
them is looked at, so the chance of a wrong verdict stays 5 % on each side:

* at least as many measured transactions as could show the objective with no miss (2,995 for 99.9 %): they
  decide;
* fewer, or none: the model decides, as long as the measured ones do not contradict it. If they do
  (dependence factor outside 0.5 to 2 with intervals that do not overlap), only they may decide, and with so
  few of them that can only be a FAIL.

Source: METHOD.md sections 0, 1.5, 1.6, 2.1, 2.2.
"""

from dataclasses import dataclass
from enum import StrEnum

from tailroom.domain.confidence.effective_samples import DesignEffect
from tailroom.domain.confidence.shares import (
    clopper_pearson,
    quantile_ranks_one_sided,
    samples_for_none_over,
    samples_for_share,
    share_lower,
    share_upper,
)
from tailroom.domain.latency.distribution import LatencyDist, TimeBounds
from tailroom.domain.transactions import parallel
from tailroom.domain.transactions.confidence import (
    DesignEffectAt,
    independent,
    p_within_lower,
    p_within_upper,
)
from tailroom.domain.transactions.sequential import (
    FULL_BINS,
    LargestCount,
    TransactionCurves,
    largest_count,
    sequential,
)
from tailroom.domain.units import count_text, latency_text, percent_text
from tailroom.domain.verdicts.budget import TransactionBudget
from tailroom.domain.verdicts.generator import Generation
from tailroom.domain.verdicts.verdict import Doubt, Ends, Judgement, Reason, Verdict, judge, word

_SEARCH_BINS = 1 << 16
_SMALLEST_EXCEEDANCE = 1e-10
_FACTOR_AGREES = (0.5, 2.0)


class Evidence(StrEnum):
    """What a verdict rests on."""

    MODEL = "model"
    MEASURED = "measured"


@dataclass(frozen=True, slots=True)
class ReadEvidence:
    """Record of single reads, and how they clump at any threshold."""

    dist: LatencyDist
    effect_at: DesignEffectAt = independent


@dataclass(frozen=True, slots=True)
class MeasuredEvidence:
    """Record of whole transactions of the asked number of reads."""

    dist: LatencyDist
    effect_at: DesignEffectAt = independent


@dataclass(frozen=True, slots=True)
class ModelResult:
    """What the law of single reads says, assuming independence.

    `curves` reach up to the window; `close_up` lies around the objective's quantile, on a finer grid where
    reads are fast.
    """

    at_window: tuple[float, float, float]
    confident: Ends
    curves: TransactionCurves
    close_up: TransactionCurves
    quantile: TimeBounds
    largest: LargestCount
    samples: int


@dataclass(frozen=True, slots=True)
class MeasuredResult:
    """What whole transactions say: counts, one-sided limits, the quantile by order statistics."""

    within_lower: int
    within_upper: int
    total: int
    confident: Ends
    two_sided: Ends
    quantile: TimeBounds
    effect: DesignEffect
    dependence_factor: float | None
    variance_inflation: float | None
    contradicts: bool


@dataclass(frozen=True, slots=True)
class TransactionAssessment:
    """Verdict with everything that it rests on; the model is none where no single reads were recorded."""

    judgement: Judgement
    model: ModelResult | None
    measured: MeasuredResult | None
    evidence: Evidence | None

    @property
    def quantile(self) -> TimeBounds | None:
        """Where the objective's quantile lies, by the evidence that decided: the room is what it leaves."""
        decisive = self.measured if self.evidence is Evidence.MEASURED else self.model
        return decisive.quantile if decisive else None


def assess(
    budget: TransactionBudget,
    reads: ReadEvidence | None,
    measured: MeasuredEvidence | None,
    generation: Generation,
    *,
    bins: int = FULL_BINS,
) -> TransactionAssessment:
    """Verdict on a budget. `bins` below `FULL_BINS` widen the bounds and are for runs still under way."""
    model = _model(budget, reads, bins) if reads and reads.dist.total else None
    whole = _measured(budget, measured, reads, model) if measured and measured.dist.total else None
    evidence: Evidence | None = None
    if whole and (model is None or _measured_decides(budget, whole)):
        evidence = Evidence.MEASURED
        judgement = _judge_measured(budget, whole, generation)
    elif model:
        evidence = Evidence.MEASURED if whole and whole.contradicts else Evidence.MODEL
        judgement = _judge_model(budget, model, whole, generation)
    else:
        text = "neither reads nor transactions have been measured yet"
        judgement = Judgement(Verdict.INDETERMINATE, Reason.SAMPLES, text, "measured reads or transactions")
    return TransactionAssessment(judgement, model, whole, evidence)


def transactions_needed(budget: TransactionBudget) -> int:
    """Fewest measured transactions, none late, that show the objective."""
    return samples_for_none_over(1.0 - budget.objective_ratio)


def _measured_decides(budget: TransactionBudget, whole: MeasuredResult) -> bool:
    return whole.total >= transactions_needed(budget)


def _model(budget: TransactionBudget, reads: ReadEvidence, bins: int) -> ModelResult:
    window_ns, count, objective = budget.reads_window_ns, budget.reads, budget.objective_ratio
    bounds = reads.dist.bounds()
    curves = sequential(bounds, count, window_ns, bins)
    at_window = curves.within(window_ns)
    close = _close_up(budget, reads, curves, bins)
    lower = p_within_lower(reads.dist, count, window_ns, objective, effect_at=reads.effect_at, bins=bins)
    upper = p_within_upper(reads.dist, count, window_ns, effect_at=reads.effect_at, bins=bins)
    largest = largest_count(bounds, window_ns, objective, min(bins, _SEARCH_BINS))
    # The search runs on a coarser grid than the question itself; the finer answer wins where they differ.
    guaranteed = max(largest.guaranteed, count) if at_window[0] >= objective else largest.guaranteed
    possible = largest.possible
    if at_window[2] < objective and (possible is None or possible >= count):
        possible = count - 1
    return ModelResult(
        at_window,
        Ends(min(lower, at_window[0]), max(upper, at_window[2])),
        curves,
        close,
        close.quantile_bounds(objective),
        LargestCount(guaranteed, possible),
        reads.dist.total,
    )


def _close_up(
    budget: TransactionBudget, reads: ReadEvidence, curves: TransactionCurves, bins: int
) -> TransactionCurves:
    """The same curves with a horizon just past the objective's quantile: fast reads need a finer grid.

    Where the quantile lies beyond the window, a horizon of eight windows is tried instead, on the same grid
    size.
    """
    window_ns = budget.reads_window_ns
    upper_ns = curves.quantile_bounds(budget.objective_ratio).upper_ns
    if upper_ns is None:
        return sequential(reads.dist.bounds(), budget.reads, 8 * window_ns, bins)
    horizon_ns = max(budget.reads, upper_ns + upper_ns // 4)
    if horizon_ns * 2 > window_ns:
        return curves
    return sequential(reads.dist.bounds(), budget.reads, horizon_ns, bins)


def _measured(
    budget: TransactionBudget,
    evidence: MeasuredEvidence,
    reads: ReadEvidence | None,
    model: ModelResult | None,
) -> MeasuredResult:
    dist = evidence.dist
    late = dist.at_or_over(budget.reads_window_ns)
    effect = evidence.effect_at(budget.reads_window_ns)
    factor, total = effect.factor, dist.total
    confident = Ends(
        1.0 - share_upper(late.upper / factor, total / factor),
        1.0 - share_lower(late.lower / factor, total / factor),
    )
    two_sided = Ends(
        1.0 - clopper_pearson(late.upper / factor, total / factor).upper,
        1.0 - clopper_pearson(late.lower / factor, total / factor).lower,
    )
    ranks = quantile_ranks_one_sided(total, budget.objective_ratio, factor)
    lowest = dist.rank_bounds(ranks.lower).lower_ns if ranks.lower else 0
    highest = dist.rank_bounds(ranks.upper).upper_ns if ranks.upper is not None else None
    dependence, contradicts = _dependence(late.upper / total, two_sided, model)
    inflation = None
    if reads is not None and reads.dist.count and dist.count:
        single = reads.dist.bounds().middle.variance_ns2()
        inflation = dist.bounds().middle.variance_ns2() / (budget.reads * single) if single > 0.0 else None
    return MeasuredResult(
        total - late.upper,
        total - late.lower,
        total,
        confident,
        two_sided,
        TimeBounds(lowest, highest),
        effect,
        dependence,
        inflation,
        contradicts,
    )


def _dependence(late_ratio: float, measured: Ends, model: ModelResult | None) -> tuple[float | None, bool]:
    """Measured over modelled share of late transactions, and whether the two contradict each other."""
    if model is None:
        return None, False
    modelled = 1.0 - model.at_window[1]
    apart = measured.upper < model.confident.lower or measured.lower > model.confident.upper
    if modelled < _SMALLEST_EXCEEDANCE:
        return None, apart
    factor = late_ratio / modelled
    return factor, apart and not _FACTOR_AGREES[0] <= factor <= _FACTOR_AGREES[1]


def _judge_measured(budget: TransactionBudget, whole: MeasuredResult, generation: Generation) -> Judgement:
    total = whole.total
    shares = Ends(whole.within_lower / total, whole.within_upper / total)
    doubts: list[Doubt] = []
    window = latency_text(budget.reads_window_ns)
    counted = f"{count_text(whole.within_lower)} of {count_text(total)} measured transactions kept {window}"
    if whole.within_lower < whole.within_upper:
        middle = (whole.within_lower + whole.within_upper) / 2.0
        late = (total - middle) / whole.effect.factor
        effective = total / whole.effect.factor
        doubts.append(
            Doubt(
                Reason.RESOLUTION,
                Ends(1.0 - share_upper(late, effective), 1.0 - share_lower(late, effective)),
                f"no bucket edge and no exact counter at {window} for measured transactions",
                f"an exact counter of transactions at {window}",
            )
        )
    doubts.append(
        Doubt(
            Reason.SAMPLES,
            shares,
            f"{counted}, which proves only {percent_text(whole.confident.lower)} with 95 % confidence",
            _more_transactions(budget, whole),
        )
    )
    doubts = generation.beside(doubts, whole.confident)
    return judge(
        generation.widened(whole.confident),
        budget.objective_ratio,
        doubts,
        when_pass=f"{counted}: at least {percent_text(whole.confident.lower)} with 95 % confidence",
        when_fail=f"{counted}: at most {percent_text(whole.confident.upper)} with 95 % confidence",
    )


def _more_transactions(budget: TransactionBudget, whole: MeasuredResult) -> str:
    late_ratio = (whole.total - whole.within_lower) / whole.total
    allowed = 1.0 - budget.objective_ratio
    if late_ratio < 0.95 * allowed:
        needed = int(samples_for_share(late_ratio, allowed) * whole.effect.factor)
        return f"about {count_text(needed)} measured transactions at this share of late ones"
    late, limit = percent_text(late_ratio), percent_text(allowed)
    return f"more measured transactions: {late} late lies too near the {limit} allowed"


def _judge_model(
    budget: TransactionBudget, model: ModelResult, whole: MeasuredResult | None, generation: Generation
) -> Judgement:
    objective = budget.objective_ratio
    window = latency_text(budget.reads_window_ns)
    resolved = Ends(model.at_window[0], model.at_window[2])
    ends = model.confident
    needed = count_text(transactions_needed(budget))
    doubts = [_model_resolution_doubt(budget, model), _model_samples_doubt(budget, model, resolved)]
    if whole is not None and whole.contradicts:
        # Too few measured transactions to show the objective, but enough to refute independence.
        ends = whole.confident
        doubts = [
            Doubt(
                Reason.DEPENDENCE,
                model.confident
                if word(model.confident, objective) is not Verdict.INDETERMINATE
                else resolved,
                f"measured transactions contradict the model of independent reads: "
                f"{percent_text(whole.two_sided.lower)} to {percent_text(whole.two_sided.upper)} kept "
                f"{window}, the model says {percent_text(model.at_window[1])}",
                f"at least {needed} measured transactions ({count_text(whole.total)} so far)",
            )
        ]
    doubts = generation.beside(doubts, ends)
    return judge(
        generation.widened(ends),
        objective,
        doubts,
        when_pass=f"{count_text(model.samples)} reads show that at least {percent_text(ends.lower)} of "
        f"transactions keep {window} with 95 % confidence, if reads are independent",
        when_fail=f"{count_text(model.samples)} reads show that at most {percent_text(ends.upper)} of "
        f"transactions keep {window} with 95 % confidence, if reads are independent",
    )


def _model_resolution_doubt(budget: TransactionBudget, model: ModelResult) -> Doubt:
    lower, estimate, upper = model.at_window
    # Without doubt of resolution the bounds close on the estimate; what the sample leaves open stays open.
    without = Ends(
        max(0.0, estimate - (lower - model.confident.lower)),
        min(1.0, estimate + (model.confident.upper - upper)),
    )
    return Doubt(
        Reason.RESOLUTION,
        without,
        f"the buckets of the reads allow {percent_text(lower)} to {percent_text(upper)}",
        f"finer buckets of the reads, or measured transactions of {budget.reads} reads",
    )


def _model_samples_doubt(budget: TransactionBudget, model: ModelResult, resolved: Ends) -> Doubt:
    reads = count_text(
        samples_for_none_over(parallel.share_over_allowed(budget.reads, budget.objective_ratio))
    )
    needed = count_text(transactions_needed(budget))
    return Doubt(
        Reason.SAMPLES,
        resolved,
        f"{count_text(model.samples)} reads are too few to show it: with 95 % confidence they prove no more "
        f"than {percent_text(model.confident.lower)} of transactions",
        f"at least {reads} independent reads without slow ones ({count_text(model.samples)} so far), "
        f"or {needed} measured transactions",
    )
