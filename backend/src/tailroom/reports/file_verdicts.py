"""Runs of result files with the verdicts on them: what packs, reports of files and verification rest on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tailroom.domain.verdicts.assessment import BudgetAssessment
from tailroom.domain.verdicts.budget_kinds import Budget
from tailroom.domain.verdicts.documents import document_of as budget_document
from tailroom.domain.verdicts.judge_budget import judge_budget
from tailroom.domain.verdicts.order import Lead, lead
from tailroom.domain.verdicts.other_tools import budgets_for_uploads
from tailroom.domain.verdicts.own_question import own_question
from tailroom.evidence.answers import NOTHING, Answers
from tailroom.evidence.file import (
    KnownOperations,
    SeriesAmbiguous,
    SeriesMissing,
    evidence_of,
    own_operations_of,
)
from tailroom.evidence.source import OperationOpen, about_own, asks_about_own
from tailroom.importers.opening import open_bytes
from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.registry import runs_together
from tailroom.runs.verdicts import BUILT_IN_NAMES
from tailroom.uploads.storable import workload_of


@dataclass(frozen=True, slots=True)
class Verdict:
    """One run of the raw files, by its number from 0, held against one budget."""

    run: int
    budget: Budget
    assessment: BudgetAssessment

    def document(self) -> dict[str, Any]:
        """For `verdicts.json`."""
        return {
            "run": self.run,
            "budget": budget_document(self.budget),
            "verdict": self.assessment.summary(),
        }


def read_runs(files: Mapping[str, bytes], answers: Answers = NOTHING) -> list[ParsedRun]:
    """Runs of files that lie together, in the order in which they are read. Raises the first refusal where
    nothing can be read.
    """
    sources = [source for name, data in files.items() for source in open_bytes(name, data)]
    for source in sources:
        source.stated_unit_ns = answers.unit_ns
    return answers.applied(runs_together(sources))


def judge_run(
    run: ParsedRun, budget: Budget, known: KnownOperations | None = None
) -> BudgetAssessment | None:
    """The verdict on one run; none where it has nothing that the budget asks about."""
    try:
        if asks_about_own(budget):
            budget = about_own(budget, own_operations_of([run]))
        evidence, _ = evidence_of([run], budget, cache=known)
    except (SeriesMissing, SeriesAmbiguous, OperationOpen):
        return None
    return judge_budget(budget, evidence)


def verdicts_of(runs: Sequence[ParsedRun], budgets: Sequence[Budget] = ()) -> list[Verdict]:
    """Every run by these budgets, or by those that uploads of its tool are judged by."""
    found = []
    for number, run in enumerate(runs):
        known: KnownOperations = {}
        for budget in budgets or _budgets_of(run):
            assessment = judge_run(run, budget, known)
            if assessment is not None:
                found.append(Verdict(number, budget, assessment))
    return found


def _budgets_of(run: ParsedRun) -> tuple[Budget, ...]:
    workload = workload_of(run)
    own = own_question(workload, run.parameters)
    others = budgets_for_uploads(workload)
    return others if own is None else tuple(dict.fromkeys((own, *others)))


def answer_first(run: ParsedRun, verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Verdicts of one run in the order of its page."""

    def place(one: Verdict) -> Lead:
        word, name = one.assessment.judgement.verdict, one.budget.name
        kind, workload = one.assessment.kind, workload_of(run)
        return lead(word, name, kind, workload=workload, is_built_in=name in BUILT_IN_NAMES)

    return sorted(verdicts, key=place)
