"""Load searches for the API, found by one of their probes (`evidence.load_search`).

The owner sees every probe; other readers see the published probes, and the bracket that follows from these.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.budgets.service import budget_of_objective
from tailroom.domain.rating.load_search import ProbeWord, effect_of, probe_of
from tailroom.evidence.load_search import (
    EFFECT_TEXTS,
    JudgedProbe,
    LoadSearch,
    end_text,
)
from tailroom.evidence.stored_load_search import end_of_run, search_of_run
from tailroom.runs.ladders import FOLLOWS_WITHIN
from tailroom.runs.service import get_run
from tailroom.sla.errors import RunOutsideSearch
from tailroom.sla.load_search_schema import (
    ComparedSearchesOut,
    ComparedSearchOut,
    LoadSearchOut,
    ProbeOut,
    WordChangeOut,
)
from tailroom.storage.run import FINISHED, UPLOAD, Run

_BRACKET = ("passed_per_s", "failed_per_s", "surely_passed_per_s", "surely_failed_per_s")


def load_search_with(session: Session, organisation_id: UUID, run_id: UUID, now: datetime) -> LoadSearchOut:
    """Return the load search of a run that may be seen. Raise RunUnknown or RunOutsideSearch."""
    search = _search_of(session, organisation_id, run_id)
    if search is None:
        raise RunOutsideSearch(
            f"Run {run_id} was measured by itself: its plan names no search for a highest load."
        )
    bracket, runs = search.bracket, [judged.record for judged in search.probes]
    ended = end_of_run(runs[-1])
    return LoadSearchOut(
        search_id=search.search_id,
        objective=search.objective,
        limit_ns=search.budget.limits[0].below_ns,
        text=search.text,
        probes=[_probe_out(judged) for judged in search.probes],
        **{name: getattr(bracket, name) for name in _BRACKET},
        limited_per_s=bracket.limited_per_s,
        is_repeated=bracket.is_repeated,
        changes=[
            WordChangeOut.model_validate(change, from_attributes=True)
            for change in bracket.changes
            if change.is_beyond_scatter
        ],
        passes_above_failure=list(bracket.passes_above_failure),
        is_whole=[judged.plan.step for judged in search.probes] == list(range(1, len(search.probes) + 1)),
        may_change=_may_change(runs, ended, now),
        ended=ended,
        ended_text=None if ended is None else end_text(ended),
    )


def compared_searches(
    session: Session, organisation_id: UUID, run_ids: Sequence[UUID]
) -> ComparedSearchesOut:
    """Return the search of each run, compared with that of the first run; None for a run that is no probe."""
    searches = [_search_of(session, organisation_id, run_id) for run_id in run_ids]
    base = searches[0]
    rows: list[ComparedSearchOut | None] = []
    for run_id, search in zip(run_ids, searches, strict=True):
        if search is None:
            rows.append(None)
            continue
        effect, text = None, None
        if base is not None and rows:
            if base.objective == search.objective:
                effect = effect_of(base.bracket, search.bracket)
                text = EFFECT_TEXTS[effect]
            else:
                text = f"the base is about “{base.objective}”"
        rows.append(
            ComparedSearchOut(
                run_id=run_id,
                search_id=search.search_id,
                objective=search.objective,
                text=search.text,
                **{name: getattr(search.bracket, name) for name in _BRACKET},
                effect=effect,
                effect_text=text,
            )
        )
    return ComparedSearchesOut(searches=rows)


def _search_of(session: Session, organisation_id: UUID, run_id: UUID) -> LoadSearch[Run] | None:
    """Return the load search of a run; None if it is no probe. Raise RunUnknown if it may not be read."""
    run = get_run(session, organisation_id, run_id)
    own = probe_of(run.plan)
    if own is None:
        return None
    budget = budget_of_objective(own.objective)
    only_public = run.organisation_id != organisation_id
    return search_of_run(session, run, own, budget, only_public=only_public)


def _probe_out(judged: JudgedProbe[Run]) -> ProbeOut:
    run, quantile = judged.record, judged.quantile
    summary = {} if judged.assessment is None else judged.assessment.summary()
    return ProbeOut.model_validate(
        {
            "run_id": run.run_id,
            "step": judged.plan.step,
            "load_per_s": judged.plan.load_per_s,
            "state": run.state,
            "outcome": run.outcome,
            "started_at": run.started_at,
            "measured_duration_ns": run.measured_duration_ns,
            "visibility": run.visibility,
            "quantile_lower_ns": quantile.lower_ns if quantile else None,
            "quantile_upper_ns": quantile.upper_ns if quantile else None,
            **{name: summary.get(name) for name in ("verdict", "strength", "words", "reason_text")},
            "is_limited": judged.probe is not None and judged.probe.word is ProbeWord.LIMITED,
            "late_share": judged.probe.counts.share if judged.probe else None,
        }
    )


def _may_change(runs: Sequence[Run], ended: str | None, now: datetime) -> bool:
    if any(run.state != FINISHED for run in runs):
        return True
    if ended is not None or any(run.source == UPLOAD for run in runs):
        return False
    # An agent that vanished states no end.
    return any(now - (run.last_data_at or run.started_at) <= FOLLOWS_WITHIN for run in runs)
