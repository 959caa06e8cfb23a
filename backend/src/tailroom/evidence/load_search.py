"""Searches for the highest load: their judged probes, and the bracket of the load.

A probe is a run at one load; the bracket is the highest load that passed and the lowest that failed. A search
has no data of its own: its probes are runs, or result files, whose plans name it. Each is judged by the
objective of the search, and `domain.rating.load_search` computes the bracket. Source: docs/load-search.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Generic, TypeVar

from tailroom.domain.latency.distribution import TimeBounds
from tailroom.domain.rating.load_search import (
    BracketEffect,
    LateCounts,
    LoadBracket,
    LoadProbe,
    ProbePlan,
    SearchEnd,
    bracket_of,
    probe_of,
    word_of_judgement,
)
from tailroom.domain.transactions.plan_sums import FULL_BINS
from tailroom.domain.units import count_text, latency_text
from tailroom.domain.verdicts.assessment import BudgetAssessment
from tailroom.domain.verdicts.budget_kinds import PercentileBudget
from tailroom.domain.verdicts.evidence import RunEvidence
from tailroom.domain.verdicts.judge_budget import judge_budget
from tailroom.domain.verdicts.objective_text import objective_of
from tailroom.evidence.file import SeriesAmbiguous, SeriesMissing, evidence_of, own_operations_of
from tailroom.evidence.source import OperationOpen, about_own, unjudged
from tailroom.importers.parsed_run import EndState, ParsedRun

MOST_PROBES = 100
"""Most probes of a search that are judged; later probes are left out. A search has some dozen."""
HIGHEST_LOAD = "Highest load that holds"
_END_TEXTS: Mapping[str, str] = {
    SearchEnd.PRECISION: "It ended because the bracket is as narrow as was asked.",
    SearchEnd.GENERATOR: "It ended because the load generator makes no more.",
    SearchEnd.PROBES: "It ended because all probes are used up.",
    SearchEnd.TIME: "It ended because its time is used up.",
    SearchEnd.TOP: "It ended because the highest load that may be tried holds.",
    SearchEnd.NO_PASS: "It ended because no load holds, however low.",
    SearchEnd.STOPPED: "It was stopped; the same command continues it.",
    SearchEnd.FAILED: "It ended because its last probe failed or measured too little.",
}
EFFECT_TEXTS: Mapping[BracketEffect, str] = {
    BracketEffect.LOWER: "the bracket lies wholly below the baseline's: less load holds",
    BracketEffect.HIGHER: "the bracket lies wholly above the baseline's: more load holds",
    BracketEffect.NOT_SHOWN: (
        "no difference is shown: the stated brackets overlap, or an end of them is open"
    ),
}
_Record = TypeVar("_Record")


@dataclass(frozen=True, slots=True)
class JudgedProbe(Generic[_Record]):
    """A probe with its record (a stored run or a run of a file), its verdict, None while it runs, and the
    bounds of the latency at the objective's quantile. `probe` is its contribution to the bracket, None if it
    did not end or its verdict is not about the load.
    """

    plan: ProbePlan
    record: _Record
    assessment: BudgetAssessment | None = None
    quantile: TimeBounds | None = None
    probe: LoadProbe | None = None


@dataclass(frozen=True, slots=True)
class LoadSearch(Generic[_Record]):
    """A search with its probes in order, the objective as text and as budget, and the bracket of the load."""

    search_id: str
    budget: PercentileBudget
    objective: str
    probes: tuple[JudgedProbe[_Record], ...]
    bracket: LoadBracket

    @property
    def text(self) -> str:
        """Result of all probes, as one sentence."""
        return bracket_text(self.objective, self.bracket)


def searches_of_files(runs: Sequence[ParsedRun]) -> list[LoadSearch[ParsedRun]]:
    """Return the searches whose probes are among the runs of result files, in order of their first probe; of
    each the first `MOST_PROBES` are judged. Raise DomainError if an objective cannot be read.
    """
    grouped: dict[tuple[str, str], list[tuple[ProbePlan, ParsedRun]]] = {}
    for run in runs:
        probe = probe_of({"ladder": run.ladder})
        if probe is not None:
            grouped.setdefault((probe.search_id, probe.objective), []).append((probe, run))
    searches = []
    for planned in grouped.values():
        planned.sort(key=lambda pair: pair[0].step)
        budget = objective_of(planned[0][0].objective)
        probes = [_judge_file(budget, probe, run) for probe, run in planned[:MOST_PROBES]]
        searches.append(search_with_bracket(planned[0][0], budget, probes))
    return searches


def search_with_bracket(
    own: ProbePlan, budget: PercentileBudget, probes: Sequence[JudgedProbe[_Record]]
) -> LoadSearch[_Record]:
    """Return a search with the id and objective of `own`, and the bracket of the probes that contribute."""
    # Decimal, because 1.0 - 0.99 is not the float nearest to 0.01.
    allowed_share = float(1 - Decimal(repr(budget.limits[0].quantile)))
    bracket = bracket_of(allowed_share, [judged.probe for judged in probes if judged.probe is not None])
    return LoadSearch(own.search_id, budget, own.objective, tuple(probes), bracket)


def judge_probe(
    budget: PercentileBudget, plan: ProbePlan, record: _Record, evidence: RunEvidence, *, is_complete: bool
) -> JudgedProbe[_Record]:
    """Return a probe with its verdict, the bounds of its quantile, and its contribution to the bracket, if it
    was measured to its end (`is_complete`) and its verdict is about the load.
    """
    assessment = judge_budget(budget, evidence)
    row = assessment.limits.rows[0] if assessment.limits is not None else None
    operation = None if row is None else evidence.of(row.operation, row.clock)
    if operation is None:
        return JudgedProbe(plan, record, assessment)
    limit = budget.limits[0]
    quantile = operation.record.quantile_bounds(limit.quantile)
    word, course = word_of_judgement(assessment.judgement), operation.course
    # The agent repeats a probe that was cut off, and leaves it out of its own bracket.
    if word is None or course is None or not is_complete:
        return JudgedProbe(plan, record, assessment, quantile)
    slices = [
        LateCounts(late, total)
        for late, total in zip(course.over(limit.below_ns)[1].tolist(), course.totals.tolist(), strict=True)
    ]
    return JudgedProbe(
        plan, record, assessment, quantile, LoadProbe.from_slices(plan.load_per_s, word, slices)
    )


def bracket_text(objective: str, bracket: LoadBracket) -> str:
    """Return the bracket and the objective, as one sentence."""
    passed, failed, limited = bracket.passed_per_s, bracket.failed_per_s, bracket.limited_per_s
    if passed is None and failed is None:
        return f"{objective}: no load is decided"
    if passed is None:
        return f"{objective}: no load holds; {load_text(failed or 0.0)} fails"
    if failed is None:
        above = "no load is shown to fail"
        if limited is not None:
            above = f"{load_text(limited)} is more than the load generator makes"
        return f"{objective}: holds at {load_text(passed)} at least; {above}"
    again = ", both measured again" if bracket.is_repeated else ""
    apart = f"{100.0 * (failed / passed - 1.0):.1f} % apart{again}"
    return f"{objective}: holds at {load_text(passed)}, fails at {load_text(failed)} ({apart})"


def end_text(ended: str) -> str:
    """Return why a search ended as a sentence, or “It ended.” for a reason that is not known here."""
    return _END_TEXTS.get(ended, "It ended.")


def load_text(per_s: float) -> str:
    """Return operations per second as text: `12,000/s`, whole from 100 on, else with four digits."""
    return f"{count_text(round(per_s))}/s" if per_s >= 100 else f"{per_s:.4g}/s"


def quantile_text(bounds: TimeBounds | None) -> str:
    """Return the bounds of a quantile as `1.2 ms to 1.3 ms`, `at least 1.2 ms` if open, or empty for None."""
    if bounds is None:
        return ""
    if bounds.upper_ns is None:
        return f"at least {latency_text(bounds.lower_ns)}"
    return f"{latency_text(bounds.lower_ns)} to {latency_text(bounds.upper_ns)}"


def _judge_file(budget: PercentileBudget, plan: ProbePlan, run: ParsedRun) -> JudgedProbe[ParsedRun]:
    try:
        about = about_own(budget, own_operations_of([run]))
        evidence, _ = evidence_of([run], about)
    except (OperationOpen, SeriesMissing, SeriesAmbiguous) as error:
        return JudgedProbe(plan, run, unjudged(budget, error, run.duration_ns or 0, FULL_BINS))
    return judge_probe(about, plan, run, evidence, is_complete=run.state is EndState.FINISHED)
