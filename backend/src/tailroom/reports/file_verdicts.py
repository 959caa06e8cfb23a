"""Verdicts on runs of result files, for packs, reports of files and verification."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tailroom.domain.verdicts.assessment import BudgetAssessment
from tailroom.domain.verdicts.budget_kinds import Budget
from tailroom.domain.verdicts.budget_kinds import document_of as budget_document
from tailroom.domain.verdicts.judge_budget import judge_budget
from tailroom.domain.verdicts.order import BUILT_IN_NAMES, Lead, lead, own_question
from tailroom.domain.verdicts.other_tools import budgets_for_uploads
from tailroom.evidence.answers import NO_ANSWERS, Answers
from tailroom.evidence.file import (
    OperationCache,
    SeriesAmbiguous,
    SeriesMissing,
    evidence_of,
    own_operations_of,
)
from tailroom.evidence.source import OperationOpen, about_own, asks_about_own
from tailroom.importers.opening import open_bytes
from tailroom.importers.parsed_run import ParsedRun
from tailroom.importers.registry import runs_together
from tailroom.uploads.storable import workload_of


@dataclass(frozen=True, slots=True)
class RunVerdict:
    """The verdict by a budget on a run; `run` is the run's position among the runs of the files, from 0."""

    run: int
    budget: Budget
    assessment: BudgetAssessment

    def document(self) -> dict[str, Any]:
        """Return the entry of `verdicts.json`: position of the run, budget, and summary of the verdict."""
        return {
            "run": self.run,
            "budget": budget_document(self.budget),
            "verdict": self.assessment.summary(),
        }


def read_runs(files: Mapping[str, bytes], answers: Answers = NO_ANSWERS) -> list[ParsedRun]:
    """Return the runs of files that belong together (contents by name), in order.

    `answers` add facts that no file states. Raise DomainError with the first error if nothing can be read.
    """
    sources = [source for name, data in files.items() for source in open_bytes(name, data)]
    for source in sources:
        source.stated_unit_ns = answers.unit_ns
    return [answers.apply(run) for run in runs_together(sources)]


def judge_run(
    run: ParsedRun, budget: Budget, known_operations: OperationCache | None = None
) -> BudgetAssessment | None:
    """Return the verdict on a run by a budget; None if none, or several, of its operations fit the budget.

    `known_operations` caches evidence of the same run between budgets, and is filled.
    """
    try:
        if asks_about_own(budget):
            budget = about_own(budget, own_operations_of([run]))
        evidence, _ = evidence_of([run], budget, cache=known_operations)
    except (SeriesMissing, SeriesAmbiguous, OperationOpen):
        return None
    return judge_budget(budget, evidence)


def verdicts_of(runs: Sequence[ParsedRun], budgets: Sequence[Budget] = ()) -> list[RunVerdict]:
    """Return the verdicts on every run by these budgets, without those for which `judge_run` returns None.

    Without budgets, a run is judged by the question of its own plan, if any, and by the budgets for uploads
    of its workload.
    """
    verdicts = []
    for number, run in enumerate(runs):
        known_operations: OperationCache = {}
        for budget in budgets or _budgets_of(run):
            assessment = judge_run(run, budget, known_operations)
            if assessment is not None:
                verdicts.append(RunVerdict(number, budget, assessment))
    return verdicts


def _budgets_of(run: ParsedRun) -> tuple[Budget, ...]:
    """Return the question of the run's own plan, if any, then the built-in budgets for its uploads."""
    workload = workload_of(run)
    own = own_question(workload, run.parameters)
    for_uploads = budgets_for_uploads(workload)
    return for_uploads if own is None else tuple(dict.fromkeys((own, *for_uploads)))


def lead_first(run: ParsedRun, verdicts: Sequence[RunVerdict]) -> list[RunVerdict]:
    """Return the verdicts on a run in the order of its page, the lead verdict first."""

    def order(entry: RunVerdict) -> Lead:
        word, name = entry.assessment.judgement.verdict, entry.budget.name
        kind, workload = entry.assessment.kind, workload_of(run)
        return lead(word, name, kind, workload=workload, is_built_in=name in BUILT_IN_NAMES)

    return sorted(verdicts, key=order)
