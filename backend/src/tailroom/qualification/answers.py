"""What two steps of a suite ask of the drive, answered by the verdicts about their runs."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.domain.verdicts.budget import ACT_LIMITS_1, SYNC_WRITE_1, Budget
from tailroom.qualification.loads import load_text
from tailroom.qualification.schemas import SuiteAnswerOut
from tailroom.runs.verdicts import listed_verdicts
from tailroom.storage.run import Run

ACT = "act"
_COMPLETED = "completed"
_BUDGETS: Mapping[str, Budget] = {"sync-writes": SYNC_WRITE_1, ACT: ACT_LIMITS_1}
_TOO_SLOW = "cannot keep up"
"""So the agent says why it gave ACT up before its end."""


def has_result(run: Run) -> bool:
    """Return whether a finished run measured its load to the end, or its drive could not keep up with ACT."""
    is_act = run.plan["qualify"]["step"] == ACT
    return run.outcome == _COMPLETED or (is_act and _TOO_SLOW in (run.outcome_reason or ""))


def answers_of(
    session: Session, organisation_id: UUID, runs: Sequence[Run]
) -> Mapping[str, list[SuiteAnswerOut]]:
    """Return the verdicts about the runs of synchronous writes and of ACT, by step, in the order of the
    runs.
    """
    asked = [run for run in runs if run.plan["qualify"]["step"] in _BUDGETS]
    verdicts = listed_verdicts(session, [run.run_id for run in asked], organisation_id)
    answers: dict[str, list[SuiteAnswerOut]] = {}
    for run in asked:
        stated: Mapping[str, Any] = run.plan["qualify"]
        budget = _BUDGETS[stated["step"]]
        judged = [each for each in verdicts.get(run.run_id, ()) if each.budget_name == budget.name]
        verdict = judged[0] if judged else None
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
