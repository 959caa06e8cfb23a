"""Findings of watches about runs: the verdict of a budget, or that of a search for the highest load.

The finding about a search says whether a server still holds as much as before. It belongs to the last probe
(measurement of one load) of a search. It is a FAIL if the bounds of the highest load are wholly below those
of the reference, else a PASS. The reference is the first search of the watch, or the latest that was shown to
hold more. Source: docs/load-search.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.orm import Session

from tailroom.budgets.service import budget_of_objective
from tailroom.domain.errors import DomainError
from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.rating.load_search import BracketEffect, SearchEnd, effect_of, probe_of
from tailroom.domain.verdicts.headline import words_of_document
from tailroom.domain.verdicts.verdict import Verdict
from tailroom.evidence.load_search import HIGHEST_LOAD, LoadSearch
from tailroom.evidence.stored_load_search import end_of_run, search_of_run
from tailroom.runs.verdict_schemas import VerdictOut
from tailroom.storage.run import Run
from tailroom.storage.watch import Watch, WatchResult

SEARCHES = "highest-load"
"""Budget name of a watch on searches."""
BEFORE_PROBE = " · probe "
"""Text between the title of a search and the number of a probe, as in `agent/crates/agent/src/job.rs`."""
_MORE, _SAME, _LESS, _FIRST = "more than before", "not shown to be less", "less than before", "first search"
_WORDS = {BracketEffect.LOWER: _LESS, BracketEffect.HIGHER: _MORE, BracketEffect.NOT_SHOWN: _SAME}
_UNFINISHED = {SearchEnd.STOPPED, SearchEnd.FAILED, None}
"""Ends after which a search has no finding; None: no end is stated."""


@dataclass(frozen=True, slots=True)
class WatchFinding:
    """Verdict of a watch on a run. `words` is verdict and strength as text, `statement` is the result or the
    reason in one sentence. `strength` is None for undecided verdicts and for searches.
    """

    budget_name: str
    budget_title: str
    verdict: str
    strength: str | None
    words: str
    method_version: int
    statement: str


def finding_of(verdict: VerdictOut) -> WatchFinding:
    """Return the finding that a budget's verdict on a run gives."""
    return WatchFinding(
        budget_name=verdict.budget.name,
        budget_title=verdict.budget.title or verdict.budget.name,
        verdict=verdict.verdict,
        strength=verdict.strength,
        words=verdict.words or words_of_document(verdict.model_dump()),
        method_version=verdict.method_version,
        statement=statement_of(verdict),
    )


def statement_of(verdict: VerdictOut) -> str:
    """Return the headline of a verdict, else its reason, else the verdict itself."""
    return verdict.headline.text if verdict.headline is not None else verdict.reason_text or verdict.verdict


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
    """Return the search whose last probe is this run; None if there is none, or it was stopped or failed."""
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
