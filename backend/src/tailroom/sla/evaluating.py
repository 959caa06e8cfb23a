"""Does one record keep one budget: the judge of verdicts, on a coarser grid where somebody waits."""

from threading import Lock
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.budgets.service import budget_of, find_budget
from tailroom.domain.transactions.sequential import FULL_BINS
from tailroom.domain.verdicts.budget_kinds import Budget
from tailroom.domain.verdicts.judge_budget import DISPLAY_BINS, judge_budget
from tailroom.sla.answers import Answer, evaluation
from tailroom.sla.schemas import BudgetChoiceIn, Detail, EvaluateIn, EvaluationOut
from tailroom.sla.subjects import KeptRuns, Subject, SubjectReader

_ONE_AT_A_TIME = Lock()
"""A whole day on the full grid takes some hundred megabytes; one process holds one of them at a time."""

BINS: dict[Detail, int] = {"display": DISPLAY_BINS, "full": FULL_BINS}


def chosen_budget(session: Session, organisation_id: UUID, choice: BudgetChoiceIn) -> Budget:
    """The budget that a question names or brings along. Raises BudgetUnknown, BudgetInvalid."""
    if choice.document is not None:
        return budget_of(choice.document)
    return find_budget(session, organisation_id, choice.name or "", choice.version)


def evaluate(session: Session, kept: KeptRuns, organisation_id: UUID, asked: EvaluateIn) -> EvaluationOut:
    """The verdict on one record. Raises BudgetUnknown, BudgetInvalid, RunUnknown, SubjectInvalid."""
    budget = chosen_budget(session, organisation_id, asked.budget)
    reader = SubjectReader(session, kept, budget)
    if asked.detail == "display":
        return evaluation(answered(reader.asked(organisation_id, asked.subject, coarse=True), budget))
    with _ONE_AT_A_TIME:
        subject = reader.asked(organisation_id, asked.subject, coarse=False)
        return evaluation(answered(subject, budget, "full"))


def answered(subject: Subject, budget: Budget, detail: Detail = "display") -> Answer:
    """A subject held against a budget."""
    assessment = subject.contradiction
    if assessment is None:
        assessment = judge_budget(budget, subject.evidence, bins=BINS[detail])
    return Answer.of(subject, assessment, detail)
