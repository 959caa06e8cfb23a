"""A search for the highest load: its probes are runs whose plans name the search and its objective.

A search holds no data of its own. Each probe is judged by its objective as `evaluate` judges, and the bracket
follows from these verdicts by the rule of load ladders. The owner sees every probe, other readers only the
published ones. Source: docs/load-search.md.
"""

import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.budgets.service import budget_of_objective
from tailroom.domain.latency.distribution import TimeBounds
from tailroom.domain.rating.ladder import LadderStep, ladder_of
from tailroom.domain.verdicts.budget_kinds import PercentileBudget
from tailroom.domain.verdicts.verdict import Verdict
from tailroom.evidence.reader import KeptRuns
from tailroom.kit.limits import QUESTION_POINTS
from tailroom.runs.ladders import FOLLOWS_WITHIN
from tailroom.runs.repository import runs_of_ladder
from tailroom.runs.service import get_run
from tailroom.sla.errors import RunOutsideSearch
from tailroom.sla.evaluations import judge_subject, limited_work
from tailroom.sla.load_search_schema import LoadSearchOut, ProbeOut
from tailroom.sla.schemas import SubjectIn
from tailroom.sla.subjects import QuestionSubject, SubjectReader
from tailroom.storage.run import FINISHED, Run

MOST_PROBES = 100
"""A search measures some dozen probes; of a larger one, the first are shown."""
_PROBE, _COMPLETED = "probe", "completed"
_LONGEST_TEXT = 300
_MOST_STEPS = 100_000


class ProbePlan(NamedTuple):
    """The place of a run in a search, as its plan names it."""

    search_id: str
    step: int
    load_per_s: float
    objective: str


def probe_of(plan: Mapping[str, Any]) -> ProbePlan | None:
    """Return the probe in a plan; None without a valid one."""
    ladder = plan.get("ladder")
    if not isinstance(ladder, Mapping) or ladder.get("kind") != _PROBE:
        return None
    search_id, step = ladder.get("id"), ladder.get("step")
    load, objective = ladder.get("load_per_s"), ladder.get("objective")
    if not isinstance(search_id, str) or not isinstance(objective, str):
        return None
    if not 1 <= len(search_id) <= _LONGEST_TEXT or not 1 <= len(objective) <= _LONGEST_TEXT:
        return None
    if not isinstance(step, int) or isinstance(step, bool) or not 1 <= step <= _MOST_STEPS:
        return None
    if not isinstance(load, int | float) or isinstance(load, bool) or not math.isfinite(load) or load <= 0:
        return None
    return ProbePlan(search_id, step, float(load), objective)


def load_search_with(
    session: Session, cache: KeptRuns, organisation_id: UUID, run_id: UUID, now: datetime
) -> LoadSearchOut:
    """Return the search of a run for a reader of the run.

    Raise RunUnknown, RunOutsideSearch; BudgetInvalidProblem where the objective cannot be read.
    """
    run = get_run(session, organisation_id, run_id)
    own = probe_of(run.plan)
    if own is None:
        raise RunOutsideSearch(
            f"Run {run_id} was measured by itself: its plan names no search for a highest load."
        )
    budget = budget_of_objective(own.objective)
    only_public = run.organisation_id != organisation_id
    runs = runs_of_ladder(session, run.organisation_id, own.search_id, only_public=only_public)
    found = sorted(
        ((probe, run) for run in runs if (probe := probe_of(run.plan)) and probe.objective == own.objective),
        key=lambda pair: (pair[0].step, pair[1].started_at, pair[1].run_id),
    )[:MOST_PROBES]
    reader = SubjectReader(session, cache, budget)
    probes = [_probe_out(reader, organisation_id, budget, probe, run) for probe, run in found]
    bracket = ladder_of(
        [
            LadderStep(probe.load_per_s, Verdict(probe.verdict), probe.outcome == _COMPLETED)
            for probe in probes
            if probe.verdict is not None
        ]
    )
    return LoadSearchOut(
        search_id=own.search_id,
        objective=own.objective,
        limit_ns=budget.limits[0].below_ns,
        probes=probes,
        passed_per_s=bracket.kept_load,
        failed_per_s=bracket.broken_load,
        is_whole=[probe.step for probe in probes] == list(range(1, len(probes) + 1)),
        may_change=_may_change([run for _, run in found], now),
    )


def _probe_out(
    reader: SubjectReader, organisation_id: UUID, budget: PercentileBudget, probe: ProbePlan, run: Run
) -> ProbeOut:
    answer: dict[str, Any] = {"verdict": None, "strength": None, "words": None, "reason_text": None}
    quantile: TimeBounds | None = None
    if run.state == FINISHED:
        subject = reader.subject_of(organisation_id, SubjectIn(run_id=run.run_id), coarse=True)
        with limited_work(budget, QUESTION_POINTS):
            summary = judge_subject(subject, subject.budget).summary
        answer = {name: summary[name] for name in answer}
        quantile = _quantile_of(subject, summary["rows"])
    return ProbeOut.model_validate(
        {
            "run_id": run.run_id,
            "step": probe.step,
            "load_per_s": probe.load_per_s,
            "state": run.state,
            "outcome": run.outcome,
            "started_at": run.started_at,
            "measured_duration_ns": run.measured_duration_ns,
            "visibility": run.visibility,
            "quantile_lower_ns": quantile.lower_ns if quantile else None,
            "quantile_upper_ns": quantile.upper_ns if quantile else None,
            **answer,
        }
    )


def _quantile_of(subject: QuestionSubject, rows: Sequence[Mapping[str, Any]]) -> TimeBounds | None:
    """Return the bounds of the quantile that the judge compared; None where it judged nothing."""
    row = next(iter(rows), None)
    judged = None if row is None else subject.evidence.of(row["operation"], row["clock"])
    return None if judged is None or row is None else judged.record.quantile_bounds(row["quantile"])


def _may_change(runs: Sequence[Run], now: datetime) -> bool:
    """Return whether another probe, or the rest of one, is still expected."""
    if any(run.state != FINISHED for run in runs):
        return True
    return any(now - (run.last_data_at or run.started_at) <= FOLLOWS_WITHIN for run in runs)
