"""The question which configurations would have carried the load that production counted.

A run of production states the number of requests in each period; each record of the subjects is judged, as
`evaluate` judges it, at the load at which it was taken.
"""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from tailroom.access.caller import Caller
from tailroom.catalogue.repository import item_by_slug
from tailroom.comparison.campaigns import CAMPAIGN, phases_of
from tailroom.comparison.drives import DRIVE
from tailroom.comparison.errors import SubjectMissing
from tailroom.comparison.query import run_id_of
from tailroom.comparison.subjects import PUBLICATION
from tailroom.domain.verdicts.budget_kinds import Budget, TransactionBudget
from tailroom.domain.verdicts.carried_load import (
    BUSIEST_IS_A_MEAN,
    MIX_IS_UNKNOWN,
    MORE_LOAD_IS_SLOWER,
    Carried,
    CarriedAnswer,
    CountedLoad,
    carries,
    combined_answer,
    counted_load,
    load_of_record,
    stretches_text,
)
from tailroom.domain.verdicts.objective_text import objective_of
from tailroom.evidence.reader import EvidenceCache
from tailroom.kit.outside_types import LOOKUP
from tailroom.ratings import repository
from tailroom.runs.verdict_schemas import VerdictStrength, VerdictWord
from tailroom.sla.answers import budget_echo
from tailroom.sla.errors import QuestionInvalid
from tailroom.sla.evaluations import chosen_budget, judge_subject, limited_work
from tailroom.sla.question_schemas import BudgetChoiceIn, SubjectIn
from tailroom.sla.question_subject import leading_operation
from tailroom.sla.schemas import BudgetEchoOut, SubjectOut
from tailroom.sla.subjects import SubjectReader
from tailroom.storage.drive_test import DriveTest

CarriedWord = Literal["yes", "no", "not_shown"]
_Subject = Annotated[str, Field(min_length=1, max_length=300), LOOKUP]


class CarryIn(BaseModel):
    """Which of these subjects would have carried the load that a run of production counted?"""

    model_config = ConfigDict(extra="forbid")

    production: SubjectIn = Field(
        description="a stored run with a time course, such as scrapes of Prometheus"
    )
    subjects: list[_Subject] = Field(
        min_length=1,
        max_length=5,
        description="`run:ID`, `campaign:ID`, `drive:SLUG` (every tested load) or `publication:SLUG#ROW`",
    )
    budget: BudgetChoiceIn
    operations_per_request: Annotated[float, Field(gt=0, le=1e9, allow_inf_nan=False)] | None = Field(
        None,
        description="judged operations that one request of production takes; null: those of one transaction, "
        "where the budget is about transactions, else 1",
    )


class CountedLoadOut(BaseModel):
    """The requests per second that production counted, over all periods (stretches) and in the busiest.

    `stretches` is the number of periods.
    """

    mean_per_s: float
    busiest_per_s: float = Field(description="mean of the busiest stretch")
    busiest_start_ns: int = Field(description="since the start of the record")
    busiest_duration_ns: int
    stretches: int
    text: str


class CarriedTestOut(BaseModel):
    """Whether one record, at its own load, shows that the load of production is carried.

    `verdict` is the verdict on the record at its own load.
    """

    subject: SubjectOut
    carried: CarriedWord
    text: str
    measured_per_s: float | None = Field(
        description="answered operations per second in this record; null where not on record"
    )
    verdict: VerdictWord
    strength: VerdictStrength | None


class CarriedSubjectOut(BaseModel):
    """Whether a run, a campaign, a drive or a published row carries the load, by all its tests together."""

    subject: str = Field(description="as requested, e.g. `run:ID`")
    label: str
    carried: CarriedWord
    text: str
    tests: list[CarriedTestOut]


class CarriedOut(BaseModel):
    """For each subject, whether it would have carried the load of production. Loads are per second."""

    answer: str
    load: CountedLoadOut
    operations_per_request: float
    needed_per_s: float = Field(description="judged operations in the busiest stretch")
    production: SubjectOut
    subjects: list[CarriedSubjectOut]
    assumptions: list[str]
    budget: BudgetEchoOut


_ANY_OBJECTIVE = objective_of("50% < 1s")
"""A question about the record's own operation, needed to choose that operation; its answer is not used."""
_MOST_TESTS = 100


def carry(caller: Caller, cache: EvidenceCache, question: CarryIn) -> CarriedOut:
    """Return for each subject whether it would have carried the busiest period of production. Raise
    QuestionInvalid if production is no run that counted one load over time, QuestionTooLarge if a record
    needs too much calculation, and as `SubjectReader.subject_of` and `chosen_budget` do.
    """
    with caller.session() as session:
        budget = chosen_budget(session, caller.organisation_id, question.budget)
    load, production = _production(caller, cache, question.production)
    per_request = question.operations_per_request or 1.0
    if question.operations_per_request is None and isinstance(budget, TransactionBudget):
        per_request = budget.plan.mean_count_of(budget.read_operation)
    needed_per_s = load.busiest_per_s * per_request
    subjects = [_judge_named_subject(caller, cache, budget, name, needed_per_s) for name in question.subjects]
    return CarriedOut(
        answer=_answer_text(subjects),
        load=CountedLoadOut(**asdict(load), text=stretches_text(load)),
        operations_per_request=per_request,
        needed_per_s=needed_per_s,
        production=production,
        subjects=subjects,
        assumptions=[MORE_LOAD_IS_SLOWER, BUSIEST_IS_A_MEAN, MIX_IS_UNKNOWN],
        budget=budget_echo(budget),
    )


def _production(caller: Caller, cache: EvidenceCache, choice: SubjectIn) -> tuple[CountedLoad, SubjectOut]:
    """Return the load that a stored run counted, and its description. Raise QuestionInvalid."""
    if choice.run_id is None:
        raise QuestionInvalid("The load of production is that of a stored run: name it by `run_id`.")
    with caller.session() as session:
        reader = SubjectReader(session, cache, _ANY_OBJECTIVE)
        subject = reader.subject_of(caller.organisation_id, choice, coarse=False)
        if subject.undecided is not None:
            raise QuestionInvalid(
                f"{subject.out.label} counts several operations: {', '.join(subject.operations)}. Name the "
                "one whose load is meant by `operation`."
            )
        name = leading_operation(subject.budget)
        operation = None if name is None else subject.evidence.of(name)
        load = None if operation is None else counted_load(operation)
    if load is None:
        raise QuestionInvalid(
            f"{subject.out.label} does not say in which time its requests were counted: send two scrapes or "
            "more with their times, or an answer of a range query."
        )
    return load, subject.out


def _judge_named_subject(
    caller: Caller, cache: EvidenceCache, budget: Budget, name: str, needed_per_s: float
) -> CarriedSubjectOut:
    label, choices = _records_of(caller, name)
    tests = [_judge_record(caller, cache, budget, choice, needed_per_s) for choice in choices]
    answer = combined_answer([CarriedAnswer(Carried(test.carried), test.text) for test in tests])
    label = label or tests[0].subject.label
    return CarriedSubjectOut(
        subject=name, label=label, carried=answer.carried.value, text=answer.text, tests=tests
    )


def _judge_record(
    caller: Caller, cache: EvidenceCache, budget: Budget, choice: SubjectIn, needed_per_s: float
) -> CarriedTestOut:
    with caller.session() as session:
        subject = SubjectReader(session, cache, budget).subject_of(
            caller.organisation_id, choice, coarse=True
        )
    with limited_work(budget):
        answer = judge_subject(subject, subject.budget)
    name = leading_operation(subject.budget)
    operation = None if name is None else subject.evidence.of(name)
    measured = None if operation is None else load_of_record(operation)
    carried = carries(answer.verdict, answer.summary["reason_text"], measured, needed_per_s)
    return CarriedTestOut(
        subject=subject.out,
        carried=carried.carried.value,
        text=carried.text,
        measured_per_s=None if measured is None else measured.lower,
        verdict=answer.verdict.value,
        strength=answer.summary["strength"],
    )


def _records_of(caller: Caller, name: str) -> tuple[str | None, Sequence[SubjectIn]]:
    """Return the label of a subject, None if its record has one, and its records: the first 100 tests of a
    drive by load, the phases of a campaign, or one run or publication. Raise SubjectMissing for an unknown
    drive.
    """
    if name.startswith(PUBLICATION):
        return None, [SubjectIn(publication=name)]
    if name.startswith(DRIVE):
        slug = name.removeprefix(DRIVE)
        with caller.session() as session:
            drive = item_by_slug(session, slug, caller.organisation_id)
            if drive is None or drive.kind != repository.DRIVE:
                raise SubjectMissing(f"The catalogue has no drive “{slug[:100]}”.")
            tests = repository.tests(
                session, repository.rateable(caller.organisation_id), DriveTest.drive_slug == slug
            )
            label = f"{drive.vendor} {drive.name}"
        return label, [SubjectIn(drive_test=test.test_id) for test in tests[:_MOST_TESTS]]
    if name.startswith(CAMPAIGN):
        with caller.session() as session:
            title, runs = phases_of(session, caller.organisation_id, name)
        return title, [SubjectIn(run_id=run_id) for run_id in runs.values()]
    return None, [SubjectIn(run_id=run_id_of(name, bare=True))]


def _answer_text(subjects: Sequence[CarriedSubjectOut]) -> str:
    words = {
        Carried.YES: "Would have carried it",
        Carried.NO: "Would not",
        Carried.NOT_SHOWN: "Not shown",
    }
    parts = [
        f"{text}: {', '.join(named)}."
        for outcome, text in words.items()
        if (named := [subject.label for subject in subjects if subject.carried == outcome.value])
    ]
    return " ".join(parts)
