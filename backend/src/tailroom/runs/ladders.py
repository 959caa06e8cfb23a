"""Load ladders: runs whose plans name them as steps of the same ladder (ADR 13).

A ladder has no data of its own; it is read from the plans of its runs. The owner sees every step, other
readers only the published steps, without the number of steps.
"""

import math
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple, cast, get_args
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.domain.rating.interval import LadderStep, ladder_of
from tailroom.domain.units import is_whole
from tailroom.domain.verdicts.budget import ACT_LIMITS_1
from tailroom.domain.verdicts.verdict import Verdict
from tailroom.runs import repository
from tailroom.runs.errors import RunOutsideLadder
from tailroom.runs.ladder_schemas import LadderMark, LadderOut, LadderStepOut, StepKind
from tailroom.runs.verdict_schemas import VerdictOut
from tailroom.runs.verdicts import shown_verdicts
from tailroom.storage.run import FINISHED, Run

LIMITS = ACT_LIMITS_1.name
"""Name of the budget by whose verdicts a ladder rises; its runs may be judged by others too."""
_COMPLETED, _INTERRUPTED = "completed", "interrupted"
_HOLD, _STRESS = "hold", "stress"
_STEPS_MAX = 100_000
_ID_CHARACTERS_MAX = 100
FOLLOWS_WITHIN = timedelta(minutes=10)
"""Longest expected pause before the next step. It begins at once, or after its file has been filled."""


class Step(NamedTuple):
    """A run's step in a load ladder; its load, a multiple of ACT's 1x, is None if the plan names no load."""

    ladder_id: str
    step: int
    kind: StepKind
    load_multiple: float | None


def step_of(plan: Mapping[str, Any]) -> Step | None:
    """Return the step that a plan names; None if it names none, or an invalid id, number or kind."""
    ladder = plan.get("ladder")
    if not isinstance(ladder, Mapping):
        return None
    ladder_id, step, kind = ladder.get("id"), ladder.get("step"), ladder.get("kind")
    if not isinstance(ladder_id, str) or not 1 <= len(ladder_id) <= _ID_CHARACTERS_MAX:
        return None
    if not is_whole(step) or not 1 <= step <= _STEPS_MAX or kind not in get_args(StepKind):
        return None
    return Step(ladder_id, step, cast(StepKind, kind), _load_of(plan))


def marks_of(
    session: Session, runs: Sequence[Run], organisation_id: UUID | None
) -> Mapping[UUID, LadderMark]:
    """Return the ladder mark of each run that is a step, by run id; other runs are left out.

    Only marks of the organisation's own runs have the number of steps, which is the highest so far. With
    `organisation_id` None, all runs are its own.
    """
    steps = [(run, step) for run in runs if (step := step_of(run.plan)) is not None]
    own_ladders: dict[UUID, set[str]] = {}
    for run, step in steps:
        if organisation_id in {None, run.organisation_id}:
            own_ladders.setdefault(run.organisation_id, set()).add(step.ladder_id)
    counts: dict[tuple[UUID, str], int] = {}
    for owner, ladder_ids in own_ladders.items():
        for plan in repository.plans_of_ladders(session, owner, ladder_ids):
            if (own_step := step_of(plan)) is not None:
                key = (owner, own_step.ladder_id)
                counts[key] = max(counts.get(key, 0), own_step.step)
    return {
        run.run_id: LadderMark(**step._asdict(), step_count=counts.get((run.organisation_id, step.ladder_id)))
        for run, step in steps
    }


def ladder_with(session: Session, organisation_id: UUID, run: Run, now: datetime) -> LadderOut:
    """Return the ladder of a run; of another organisation's ladder, only the published steps.

    A step whose final verdict is still expected does not count for the result. Raise RunOutsideLadder if the
    run's plan names no step.
    """
    own_step = step_of(run.plan)
    if own_step is None:
        raise RunOutsideLadder(
            f"Run {run.run_id} measured one load by itself: its plan names no load ladder."
        )
    is_own = run.organisation_id == organisation_id
    runs = repository.runs_of_ladder(session, run.organisation_id, own_step.ladder_id, only_public=not is_own)
    steps = sorted(
        ((step, rung) for rung in runs if (step := step_of(rung.plan)) is not None),
        key=lambda pair: (pair[0].step, pair[1].started_at, pair[1].run_id),
    )
    verdicts = shown_verdicts(session, [rung.run_id for _, rung in steps], LIMITS)
    judged = [(step, rung, next(iter(verdicts.get(rung.run_id, [])), None)) for step, rung in steps]
    finding = ladder_of(
        [
            _proof(step.load_multiple, rung, verdict)
            for step, rung, verdict in judged
            if step.load_multiple is not None and not _awaits_verdict(rung, verdict)
        ]
    )
    is_whole = [step.step for step, _ in steps] == list(range(1, len(steps) + 1))
    held = [step.load_multiple for step, _ in steps if step.kind == _HOLD and step.load_multiple is not None]
    return LadderOut(
        ladder_id=own_step.ladder_id,
        budget_name=LIMITS,
        certification_duration_ns=ACT_LIMITS_1.certification_duration_ns,
        steps=[_step_out(step, rung, verdict) for step, rung, verdict in judged],
        is_whole=is_whole,
        kept_load_multiple=finding.kept_load,
        broken_load_multiple=finding.broken_load,
        certified_load_multiple=finding.certified_load,
        every_step_passed=finding.every_step_passed and is_whole,
        held_load_multiple=max(held, default=None),
        may_change=_may_change([(rung, verdict) for _, rung, verdict in judged], steps[-1], now),
    )


def _load_of(plan: Mapping[str, Any]) -> float | None:
    """Return the load in a plan, in multiples of ACT's 1x; None if it names none, or one outside 0 to 1e9."""
    section = plan.get("act_storage")
    load = section.get("load_multiple") if isinstance(section, Mapping) else None
    if isinstance(load, bool) or not isinstance(load, int | float):
        return None
    return float(load) if math.isfinite(load) and 0.0 < load < 1e9 else None


def _awaits_verdict(run: Run, verdict: VerdictOut | None) -> bool:
    """Return whether the final verdict on a step is still expected, so that its load is undecided."""
    return (verdict is None or verdict.provisional) and run.outcome in {None, _COMPLETED}


def _proof(load: float, run: Run, verdict: VerdictOut | None) -> LadderStep:
    """Return a step as evidence about its load: final verdict (or None), completeness, certification."""
    final = None if verdict is None or verdict.provisional else verdict
    finding = None if final is None else final.exceedance
    certification = None if finding is None else finding.certification
    return LadderStep(
        load,
        None if final is None else Verdict(final.verdict),
        run.outcome == _COMPLETED,
        certification is not None and certification.verdict == Verdict.PASS.value,
    )


def _step_out(step: Step, run: Run, verdict: VerdictOut | None) -> LadderStepOut:
    finding = None if verdict is None else verdict.exceedance
    certification = None if finding is None else finding.certification
    of_run = ("run_id", "state", "outcome", "started_at", "planned_duration_ns", "measured_duration_ns")
    of_verdict = ("verdict", "strength", "words", "reason", "reason_text")
    return LadderStepOut.model_validate(
        {
            **step._asdict(),
            **{name: getattr(run, name) for name in (*of_run, "visibility")},
            **{name: getattr(verdict, name, None) for name in of_verdict},
            "provisional": verdict is not None and verdict.provisional,
            "rows": [] if finding is None else finding.rows,
            "certification": None if certification is None else certification.verdict,
        }
    )


def _may_change(
    judged: Sequence[tuple[Run, VerdictOut | None]], last: tuple[Step, Run], now: datetime
) -> bool:
    """Return whether a verdict, or another step, is still expected.

    Once all runs have finished, that ends `FOLLOWS_WITHIN` after the last data. `judged` is in order of the
    steps; `last` is the highest step and its run.
    """
    if any(run.state != FINISHED for run, _ in judged):
        return True
    step, run = last
    if now - (run.last_data_at or run.started_at) > FOLLOWS_WITHIN:
        return False
    if any(verdict is None or verdict.provisional for _, verdict in judged):
        return True
    # After a load that the drive could not keep up with the agent continues; a person's stop ends the ladder.
    if step.kind == _STRESS or run.outcome == _INTERRUPTED or run.stop_requested_at is not None:
        return False
    # If the first load fails, no lower load is left to hold.
    first = judged[0][1]
    return not (step.step == 1 and first is not None and first.verdict == Verdict.FAIL.value)
