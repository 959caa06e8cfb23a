"""Evaluation of a record against a budget by the judge of stored verdicts. Interactive answers divide the
budget's window into fewer steps (the coarse grid) than stored verdicts (the full grid).
"""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from threading import Lock
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.access.caller import Caller
from tailroom.budgets.service import budget_of, budget_of_objective, find_budget
from tailroom.domain.errors import DomainError
from tailroom.domain.transactions.plan import RandomCount
from tailroom.domain.transactions.plan_sums import FULL_BINS
from tailroom.domain.transactions.work import WorkExceeded, at_most
from tailroom.domain.verdicts.budget_kinds import Budget, RuleSet, TransactionBudget
from tailroom.domain.verdicts.judge_budget import DISPLAY_BINS, contradicting, judge_budget
from tailroom.evidence.reader import EvidenceCache
from tailroom.kit.limits import QUESTION_POINTS, STAGES_NEVER_REFUSED
from tailroom.sla.answers import Answer, evaluation_out
from tailroom.sla.errors import QuestionTooLarge
from tailroom.sla.question_schemas import BudgetChoiceIn, Detail, EvaluateIn, RelaxIn
from tailroom.sla.question_subject import QuestionSubject
from tailroom.sla.schemas import EvaluationOut
from tailroom.sla.subjects import SubjectReader

_FULL_GRID_LOCK = Lock()
"""A process evaluates one full grid at a time: a whole day takes hundreds of megabytes."""

BINS: dict[Detail, int] = {"display": DISPLAY_BINS, "full": FULL_BINS}


def chosen_budget(session: Session, organisation_id: UUID, choice: BudgetChoiceIn) -> Budget:
    """Return the budget that a question names or contains. Raise BudgetUnknown or BudgetInvalid."""
    if choice.document is not None:
        return budget_of(choice.document)
    if choice.objective is not None:
        return budget_of_objective(choice.objective)
    return find_budget(session, organisation_id, choice.name or "", choice.version)


def evaluate(caller: Caller, cache: EvidenceCache, question: EvaluateIn) -> EvaluationOut:
    """Return the verdict on one record, the stored verdict if there is one for this question. With `full`
    detail it holds a database connection throughout, because slices are read as needed. Raise
    QuestionTooLarge, and as `read_subject` does.
    """
    if question.detail == "display":
        with caller.session() as session:
            budget, subject = read_subject(session, caller, cache, question, coarse=True)
        with limited_work(budget):
            return evaluation_out(judge_subject(subject, subject.budget))
    with _FULL_GRID_LOCK, caller.session() as session:
        budget, subject = read_subject(session, caller, cache, question, coarse=False)
        with limited_work(budget):
            return evaluation_out(judge_subject(subject, subject.budget, "full"))


@contextmanager
def limited_work(budget: Budget) -> Iterator[None]:
    """Limit the calculation inside the block, unless the budget `is_small`. Raise QuestionTooLarge."""
    try:
        with nullcontext() if is_small(budget) else at_most(QUESTION_POINTS):
            yield
    except WorkExceeded:
        raise QuestionTooLarge(
            f"“{budget.name}” takes more calculation on this record than an answer at once may have: each"
            " stage, and each possible number of operations, is added up by itself. Ask with fewer stages or"
            " weights, or with `detail` “display”."
        ) from None


def is_small(budget: Budget) -> bool:
    """Return whether a budget has at most `STAGES_NEVER_REFUSED` stages, each with a fixed count."""
    parts = budget.criteria if isinstance(budget, RuleSet) else (budget,)
    stages = [stage for part in parts if isinstance(part, TransactionBudget) for stage in part.plan.stages]
    has_fixed_counts = not any(isinstance(stage.count, RandomCount) for stage in stages)
    return has_fixed_counts and len(stages) <= STAGES_NEVER_REFUSED


def read_subject(
    session: Session, caller: Caller, cache: EvidenceCache, question: EvaluateIn | RelaxIn, *, coarse: bool
) -> tuple[Budget, QuestionSubject]:
    """Return the budget and the subject of a question. If `coarse`, its evidence is compact and may be
    cached, else it has every slice. Raise BudgetUnknown, BudgetInvalid, RunUnknown or SubjectInvalid.
    """
    budget = chosen_budget(session, caller.organisation_id, question.budget)
    reader = SubjectReader(session, cache, budget)
    return budget, reader.subject_of(caller.organisation_id, question.subject, coarse=coarse)


def judge_subject(subject: QuestionSubject, budget: Budget, detail: Detail = "display") -> Answer:
    """Return the stored answer if `budget` is that of the subject and one is stored, else one judged now.
    Small subjects are judged in full detail whatever `detail` says, at no noticeable cost.
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
