"""Comparison of a run with the baseline of a branch: the runs of the watch that has the branch's name.

The base is the latest run of the watch. If there are enough runs, their variation decides instead of that
single run. The calculation is that of `tailroom compare --baseline`.
"""

from dataclasses import asdict
from uuid import UUID

from sqlalchemy import func, select

from tailroom.access.caller import Caller
from tailroom.comparison.query import ComparisonQuery
from tailroom.comparison.service import compare_subjects
from tailroom.comparison.stored_subjects import run_subject
from tailroom.domain.comparison.answer import headline
from tailroom.domain.comparison.figures import Figure
from tailroom.domain.comparison.history import HistoryComparison, compare_with_history
from tailroom.storage.watch import Watch
from tailroom.watches.errors import WatchInvalid, WatchUnknown
from tailroom.watches.schemas import BaselineComparisonOut
from tailroom.watches.service import trend_of


def compare_with_branch(
    caller: Caller, branch: str, run_id: UUID, operation: str | None
) -> BaselineComparisonOut:
    """Return the comparison of a run with the other runs of a branch, by default of reads, else of the first
    operation. Raise WatchUnknown for no or several watches of the name; WatchInvalid if the watch has no
    other finished run; SubjectsInvalid, RunUnknown or RunRetracted if a run cannot be compared.
    """
    watch_id, name = _watch_of(caller, branch)
    trend = trend_of(caller.session, caller.organisation_id, watch_id, operation)
    points = [point for point in trend.points if point.run_id != run_id]
    if not points:
        raise WatchInvalid(f"The watch “{name}” has no finished run yet: there is no baseline.")
    subjects = [f"run:{points[-1].run_id}", f"run:{run_id}"]
    compared = compare_subjects(
        caller, ComparisonQuery.model_validate({"subject": subjects, "operation": operation})
    )
    (pair,) = compared.pairs
    new = compared.subjects[-1]
    verdict, sentence, against, basis = pair.verdict, pair.headline, list[HistoryComparison](), "latest_run"
    if (trend.operation, trend.clock) == (new.operation, new.clock):
        latest, added = (
            run_subject(caller, f"run:{each}", each).choose(new.operation, new.clock).measured
            for each in (points[-1].run_id, run_id)
        )
        history = [
            [Figure(figure.quantity, figure.lower, figure.upper) for figure in point.figures]
            for point in points
        ]
        comparison, against = compare_with_history(latest, history, [added])
        verdict, sentence = comparison.outcome, headline(comparison, against)
        basis = "history" if against else "runs" if len(points) > 1 else "latest_run"
    return BaselineComparisonOut.model_validate(
        {
            "branch": name,
            "watch_id": watch_id,
            "base_run_id": points[-1].run_id,
            "verdict": verdict,
            "headline": sentence,
            "basis": basis,
            "history": [asdict(difference) for difference in against],
            "comparison": compared,
        }
    )


def _watch_of(caller: Caller, branch: str) -> tuple[UUID, str]:
    """Return id and name of the watch with the branch's name; raise WatchUnknown for none or several."""
    with caller.session() as session:
        query = select(Watch.watch_id, Watch.name).where(Watch.organisation_id == caller.organisation_id)
        watches = session.execute(query.order_by(func.lower(Watch.name))).all()
    named = [watch for watch in watches if watch.name.casefold() == branch.casefold()]
    if len(named) != 1:
        names = ", ".join(watch.name for watch in watches) or "none"
        raise WatchUnknown(f"There is no single watch called “{branch}”; there is: {names}.")
    return named[0].watch_id, named[0].name
