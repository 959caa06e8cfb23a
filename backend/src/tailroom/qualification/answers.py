"""Verdicts about the runs of the two steps of a suite that have a budget: synchronous writes and ACT."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.domain.verdicts.budget import ACT_LIMITS_1, SYNC_WRITE_1
from tailroom.domain.verdicts.budget_kinds import Budget
from tailroom.qualification.loads import load_text
from tailroom.qualification.schemas import SuiteAnswerOut
from tailroom.runs.verdicts import cached_summaries
from tailroom.storage.run import Run

ACT = "act"
_COMPLETED = "completed"
_BUDGETS: Mapping[str, Budget] = {"sync-writes": SYNC_WRITE_1, ACT: ACT_LIMITS_1}
"""The budget of each step that has one."""
_TOO_SLOW = "cannot keep up"
"""Part of the agent's reason when the drive is too slow for ACT."""


def has_result(run: Run) -> bool:
    """Return whether a suite's run measured its load to the end, or ACT ended as the drive was too slow."""
    is_act = run.plan["qualify"]["step"] == ACT
    return run.outcome == _COMPLETED or (is_act and _TOO_SLOW in (run.outcome_reason or ""))


def answers_of(
    session: Session, organisation_id: UUID, runs: Sequence[Run]
) -> Mapping[str, list[SuiteAnswerOut]]:
    """Return the verdicts by step, in the order of the runs; steps without a budget are left out. A run that
    is not judged yet has an answer without verdict.
    """
    judged = [run for run in runs if run.plan["qualify"]["step"] in _BUDGETS]
    verdicts = cached_summaries(session, [run.run_id for run in judged], organisation_id)
    answers: dict[str, list[SuiteAnswerOut]] = {}
    for run in judged:
        stated: Mapping[str, Any] = run.plan["qualify"]
        budget = _BUDGETS[stated["step"]]
        of_run = verdicts.get(run.run_id, ())
        verdict = next((summary for summary in of_run if summary.budget_name == budget.name), None)
        answers.setdefault(stated["step"], []).append(
            SuiteAnswerOut(
                run_id=run.run_id,
                load=load_text(stated["load"]),
                question=budget.question,
                verdict=verdict and verdict.verdict,
                words=verdict and verdict.words,
                headline=verdict and verdict.headline,
                reason=verdict and verdict.reason_text,
            )
        )
    return answers
