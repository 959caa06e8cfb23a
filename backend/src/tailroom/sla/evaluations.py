"""Does one record keep one budget: the judge of verdicts, on a coarser grid where somebody waits."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from threading import Lock
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.access.caller import Caller
from tailroom.budgets.service import budget_of, budget_of_objective, find_budget
from tailroom.domain.errors import DomainError
from tailroom.domain.transactions.grid import FULL_BINS
from tailroom.domain.transactions.plan import RandomCount
from tailroom.domain.transactions.work import WorkExceeded, at_most
from tailroom.domain.verdicts.budget_kinds import Budget, RuleSet, TransactionBudget
from tailroom.domain.verdicts.judge_budget import DISPLAY_BINS, judge_budget
from tailroom.evidence.reader import KeptRuns
from tailroom.evidence.source import contradicting
from tailroom.kit.limits import QUESTION_POINTS, STAGES_NEVER_REFUSED
from tailroom.sla.answers import Answer, evaluation
from tailroom.sla.errors import QuestionTooLarge
from tailroom.sla.schemas import BudgetChoiceIn, Detail, EvaluateIn, EvaluationOut
from tailroom.sla.subjects import Subject, SubjectReader

_ONE_AT_A_TIME = Lock()
"""A whole day on the full grid takes some hundred megabytes; one process holds one of them at a time."""

BINS: dict[Detail, int] = {"display": DISPLAY_BINS, "full": FULL_BINS}


def chosen_budget(session: Session, organisation_id: UUID, choice: BudgetChoiceIn) -> Budget:
    """The budget that a question names or brings along. Raises BudgetUnknown, BudgetInvalid."""
    if choice.document is not None:
        return budget_of(choice.document)
    if choice.objective is not None:
        return budget_of_objective(choice.objective)
    return find_budget(session, organisation_id, choice.name or "", choice.version)


def evaluate(caller: Caller, kept: KeptRuns, asked: EvaluateIn) -> EvaluationOut:
    """The verdict on one record, worked out with no connection held but for a full grid, whose pieces are
    read as they are needed. Raises BudgetUnknown, BudgetInvalid, RunUnknown, SubjectInvalid,
    QuestionTooLarge.
    """
    if asked.detail == "display":
        with caller.session() as session:
            budget, subject = _read(session, caller, kept, asked, coarse=True)
        with bounded(budget, QUESTION_POINTS):
            return evaluation(answered(subject, subject.budget))
    with _ONE_AT_A_TIME, caller.session() as session:
        budget, subject = _read(session, caller, kept, asked, coarse=False)
        with bounded(budget, QUESTION_POINTS):
            return evaluation(answered(subject, subject.budget, "full"))


@contextmanager
def bounded(budget: Budget, points: int) -> Iterator[None]:
    """Limits what is calculated for one answer, unless the plan is small: up to `STAGES_NEVER_REFUSED` stages
    of fixed counts cost a few seconds of a processor at most. Raises QuestionTooLarge beyond the limit.
    """
    try:
        with nullcontext() if is_small(budget) else at_most(points):
            yield
    except WorkExceeded:
        raise QuestionTooLarge(
            f"“{budget.name}” takes more calculation on this record than an answer at once may have: each"
            " stage, and each possible number of operations, is added up by itself. Ask with fewer stages or"
            " weights, or with `detail` “display”."
        ) from None


def is_small(budget: Budget) -> bool:
    """Return whether a budget has few stages, each of one number of operations."""
    parts = budget.criteria if isinstance(budget, RuleSet) else (budget,)
    stages = [stage for part in parts if isinstance(part, TransactionBudget) for stage in part.plan.stages]
    has_one_count = not any(isinstance(stage.count, RandomCount) for stage in stages)
    return has_one_count and len(stages) <= STAGES_NEVER_REFUSED


def _read(
    session: Session, caller: Caller, kept: KeptRuns, asked: EvaluateIn, *, coarse: bool
) -> tuple[Budget, Subject]:
    budget = chosen_budget(session, caller.organisation_id, asked.budget)
    reader = SubjectReader(session, kept, budget)
    return budget, reader.asked(caller.organisation_id, asked.subject, coarse=coarse)


def answered(subject: Subject, budget: Budget, detail: Detail = "display") -> Answer:
    """A subject held against a budget; where its verdict on it is on record, that is the answer.

    Records without a course over time are small, so they are judged on the full grid whatever was asked.
    """
    if budget == subject.budget and subject.undecided is not None:
        return Answer(subject, budget, detail, subject.undecided)
    if budget == subject.budget and subject.stored is not None:
        return Answer(subject, budget, "full", stored=subject.stored)
    detail = "full" if subject.is_small else detail
    try:
        assessment = judge_budget(budget, subject.evidence, bins=BINS[detail])
    except DomainError as error:
        assessment = contradicting(budget, error, subject.out.measured_ns or 0, BINS[detail])
    return Answer(subject, budget, detail, assessment)
