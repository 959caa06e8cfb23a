"""Watches on searches for the highest load: whether a server still holds as much as before.

The finding belongs to the last probe (measurement of one load) of a search. It is a FAIL if the bounds of the
highest load are wholly below those of the reference, else a PASS. The reference is the first search of the
watch, or the latest that was shown to hold more. Source: docs/load-search.md.
"""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from tailroom.budgets.service import budget_of_objective
from tailroom.domain.errors import DomainError
from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.rating.load_search import BracketEffect, SearchEnd, effect_of, probe_of
from tailroom.domain.verdicts.verdict import Verdict
from tailroom.evidence.load_search import HIGHEST_LOAD, LoadSearch
from tailroom.evidence.stored_load_search import end_of_run, search_of_run
from tailroom.storage.run import Run
from tailroom.storage.watch import Watch, WatchResult
from tailroom.watches.finding import WatchFinding

SEARCHES = "highest-load"
"""Budget name of a watch on searches."""
BEFORE_PROBE = " · probe "
"""Text between the title of a search and the number of a probe, as in `agent/crates/agent/src/job.rs`."""
_MORE, _SAME, _LESS, _FIRST = "more than before", "not shown to be less", "less than before", "first search"
_WORDS = {BracketEffect.LOWER: _LESS, BracketEffect.HIGHER: _MORE, BracketEffect.NOT_SHOWN: _SAME}
_UNFINISHED = {SearchEnd.STOPPED, SearchEnd.FAILED, None}
"""Ends after which a search has no finding; None: no end is stated."""


def search_finding(session: Session, watch: Watch, run: Run) -> WatchFinding | None:
    """Return the finding about the search whose last probe is this run: FAIL if it shows less load than the
    reference, else PASS. None if the run is no last probe, the search was stopped or failed, or no load was
    shown to pass or to fail.
    """
    search = _search_of(session, run)
    if search is None or (search.bracket.passed_per_s is None and search.bracket.failed_per_s is None):
        return None
    reference = _reference(session, watch, run, search.objective)
    words = _FIRST if reference is None else _WORDS[effect_of(reference.bracket, search.bracket)]
    verdict = Verdict.FAIL if words == _LESS else Verdict.PASS
    return WatchFinding(SEARCHES, HIGHEST_LOAD, verdict.value, None, words, METHOD_VERSION, search.text)


def _search_of(session: Session, run: Run) -> LoadSearch[Run] | None:
    """Return the search whose last probe is this run.

    None if the run is no last probe, the search was stopped or failed, or its objective is malformed.
    """
    own = probe_of(run.plan)
    if own is None or end_of_run(run) in _UNFINISHED:
        return None
    try:
        budget = budget_of_objective(own.objective)
    except DomainError:
        return None
    return search_of_run(session, run, own, budget, only_public=False)


def _reference(session: Session, watch: Watch, run: Run, objective: str) -> LoadSearch[Run] | None:
    """Return the search to compare with: the latest before, with this objective, that was the first or was
    shown to hold more. None if there is none.
    """
    earlier: Sequence[WatchResult] = session.scalars(
        select(WatchResult)
        .where(
            WatchResult.organisation_id == watch.organisation_id,
            WatchResult.watch_id == watch.watch_id,
            WatchResult.started_at < run.started_at,
        )
        .order_by(WatchResult.started_at.desc())
    ).all()
    more = [result for result in earlier if result.words in {_MORE, _FIRST}]
    for result in more:
        stored = session.get(Run, result.run_id)
        search = None if stored is None else _search_of(session, stored)
        if search is not None and search.objective == objective:
            return search
    return None
