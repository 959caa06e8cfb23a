"""Searches for the highest load whose probes are stored runs.

Apart from `load_search`, so that programs that read result files load no database.
"""

from sqlalchemy.orm import Session

from tailroom.domain.errors import DomainError
from tailroom.domain.rating.load_search import ProbePlan, probe_of
from tailroom.domain.transactions.plan_sums import FULL_BINS
from tailroom.domain.verdicts.budget_kinds import PercentileBudget
from tailroom.evidence.load_search import (
    MOST_PROBES,
    JudgedProbe,
    LoadSearch,
    judge_probe,
    search_with_bracket,
)
from tailroom.evidence.run import StoredRun
from tailroom.evidence.source import about_own, unjudged
from tailroom.records.run_record import load_record
from tailroom.runs.repository import runs_of_ladder
from tailroom.storage.run import FINISHED, Run

_COMPLETED = "completed"


def search_of_run(
    session: Session, run: Run, own: ProbePlan, budget: PercentileBudget, *, only_public: bool
) -> LoadSearch[Run]:
    """Return the search of which a run is a probe (`own`), with its first `MOST_PROBES` probes judged;
    without probes of another objective or source.
    """
    runs = runs_of_ladder(session, run.organisation_id, own.search_id, only_public=only_public)
    planned = [
        (probe, row)
        for row in runs
        if row.source == run.source
        and (probe := probe_of(row.plan)) is not None
        and probe.objective == own.objective
    ]
    planned.sort(key=lambda pair: (pair[0].step, pair[1].started_at, pair[1].run_id))
    probes = [_judge_run(session, budget, probe, row) for probe, row in planned[:MOST_PROBES]]
    return search_with_bracket(own, budget, probes)


def end_of_run(run: Run) -> str | None:
    """Return why a search ended with this probe, a `SearchEnd` or a newer agent's text, if stated."""
    ended = (run.finish or {}).get("search_ended")
    return ended if isinstance(ended, str) else None


def _judge_run(session: Session, budget: PercentileBudget, plan: ProbePlan, run: Run) -> JudgedProbe[Run]:
    if run.state != FINISHED:
        return JudgedProbe(plan, run)
    source = StoredRun(load_record(session, run, coarse=False))
    try:
        about = about_own(budget, source.own_operations)
        return judge_probe(about, plan, run, source.evidence(about), is_complete=run.outcome == _COMPLETED)
    except DomainError as error:
        return JudgedProbe(plan, run, unjudged(budget, error, source.measured_ns, FULL_BINS))
