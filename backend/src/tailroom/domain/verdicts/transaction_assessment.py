"""The assessment of a transaction budget, and the figures that follow from its deciding evidence."""

from dataclasses import dataclass
from enum import StrEnum

from tailroom.domain.latency.distribution import TimeBounds
from tailroom.domain.transactions.plan_search import LargestCount
from tailroom.domain.verdicts.budget_kinds import TransactionBudget
from tailroom.domain.verdicts.evidence import OperationEvidence
from tailroom.domain.verdicts.measured_transactions import (
    MeasuredResult,
    Transfer,
    ends_no_later,
)
from tailroom.domain.verdicts.plan_model import PlanModel
from tailroom.domain.verdicts.verdict import (
    FEWEST_OPERATIONS,
    Bounds,
    Judgement,
    Verdict,
    decide,
)


class Evidence(StrEnum):
    """Kind of evidence on which a verdict rests: a model of single operations, or measured transactions."""

    MODEL = "model"
    MEASURED = "measured"


@dataclass(frozen=True, slots=True)
class TransactionAssessment:
    """Verdict on a transaction budget with all evidence. `model` is None if an operation of the plan was not
    recorded, `measured` if no measured transactions bear on the plan, `evidence` if neither decides.
    """

    budget: TransactionBudget
    judgement: Judgement
    model: PlanModel | None
    measured: MeasuredResult | None
    evidence: Evidence | None
    used: tuple[OperationEvidence, ...] = ()
    observed: Bounds | None = None
    """Bounds of the share in time in this run that the verdict rests on; None if nothing was measured."""
    confident: Bounds | None = None
    """One-sided 95 % limits of the same share; None if nothing was measured."""
    transfer: Transfer = Transfer.EXACT
    """In which way measured transactions of another plan are evidence about this plan."""
    unrelated: MeasuredResult | None = None
    """Measured transactions that are no evidence about this plan, but bound the largest count; None if there
    are none.
    """

    @property
    def quantile(self) -> TimeBounds | None:
        """Bounds in ns of the time by which the objective's share ended in this run, by the evidence that
        decided; None without evidence. Measured transactions of another plan bound it together with the
        model.
        """
        if self.transfer is not Transfer.EXACT and self.measured is not None:
            return self._transferred(self.measured)
        decisive = self.measured if self.evidence is Evidence.MEASURED else self.model
        return decisive.quantile if decisive else None

    @property
    def largest(self) -> LargestCount | None:
        """Largest number of operations that fits in this run, by the model and by measured transactions. None
        without a model, or for a plan of several stages or a random count.

        A model that the measured transactions refute bounds nothing: without their counts 0 are guaranteed
        and any number is possible.
        """
        largest = self.model.largest if self.model is not None else None
        measured = self.measured or self.unrelated
        if measured is None or len(self.budget.plan.stages) > 1 or self.budget.plan.overhead_ns:
            return largest
        if measured.contradicts and largest is not None:
            largest = LargestCount(0, None)
        objective = self.budget.objective_ratio
        if largest is None or not (measured.contradicts or is_deciding(self.budget, measured)):
            return largest
        counted = decide(measured.observed, objective)
        required, issued = self.budget.plan.with_count(measured.reads).only_stage, measured.plan.only_stage
        if counted is Verdict.PASS and ends_no_later(required, issued):
            possible = None if largest.possible is None else max(largest.possible, measured.reads)
            return LargestCount(max(largest.guaranteed, measured.reads), possible)
        if counted is Verdict.FAIL and ends_no_later(issued, required):
            fewer = measured.reads - 1
            possible = fewer if largest.possible is None else min(largest.possible, fewer)
            return LargestCount(min(largest.guaranteed, possible), possible)
        return largest

    def _transferred(self, measured: MeasuredResult) -> TimeBounds:
        """Return the bounds of the quantile from measured transactions of another plan and, unless they
        refute it, the model.
        """
        modelled, counted = TimeBounds(0, None), measured.quantile
        if self.model is not None and not measured.contradicts:
            modelled = self.model.quantile
        if self.transfer is Transfer.UNRELATED:
            return modelled
        if self.transfer is Transfer.NO_LATER:
            uppers = [at for at in (modelled.upper_ns, counted.upper_ns) if at is not None]
            return TimeBounds(min(modelled.lower_ns, counted.lower_ns), min(uppers, default=None))
        upper = None
        if modelled.upper_ns is not None and counted.upper_ns is not None:
            upper = max(modelled.upper_ns, counted.upper_ns)
        return TimeBounds(max(modelled.lower_ns, counted.lower_ns), upper)


def is_deciding(budget: TransactionBudget, measured: MeasuredResult) -> bool:
    """Return whether measured transactions decide about their own plan: there are at least
    `FEWEST_OPERATIONS`, or they prove a FAIL.
    """
    if measured.total >= FEWEST_OPERATIONS:
        return True
    return decide(measured.confident, budget.objective_ratio) is Verdict.FAIL
