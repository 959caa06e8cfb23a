"""Relaxations: for each part of a question (share, time, count, limits), the least change with which a record
passes.

Every relaxation returned was judged as `evaluate` judges, so it passes if it is asked as a question. A weaker
question never has a worse answer (docs/method.md section 10), so the least change is located by bisection.
"""

import time
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

from tailroom.access.caller import Caller
from tailroom.domain.transactions.plan import RandomCount
from tailroom.domain.transactions.work import WorkExceeded, at_most
from tailroom.domain.units import count_text, exact_percent, latency_text
from tailroom.domain.verdicts.budget_kinds import (
    Budget,
    ExceedanceBudget,
    TransactionBudget,
    document_of,
)
from tailroom.domain.verdicts.verdict import Verdict
from tailroom.evidence.reader import EvidenceCache
from tailroom.kit.limits import QUESTION_POINTS, RELAXATION_SECONDS
from tailroom.sla.answers import budget_echo
from tailroom.sla.evaluations import judge_subject, read_subject
from tailroom.sla.question_schemas import RelaxIn
from tailroom.sla.schemas import RelaxationOut, RelaxationsOut

_MAX_WINDOW_FACTOR = 20
_MIN_OBJECTIVE = 0.9
_SHARES = tuple(round(digit * 10.0**power, 9) for power in range(-6, 0) for digit in (1, 2, 5))
"""Shares of slow operations that are tried, ascending: 1, 2 and 5 times powers of ten, below 1."""

_Relaxable = TypeVar("_Relaxable", TransactionBudget, ExceedanceBudget)
Judge = Callable[[Budget], bool]


def relax(caller: Caller, cache: EvidenceCache, question: RelaxIn) -> RelaxationsOut:
    """Return for each part of a question the least change with which it passes. Raise as `read_subject`."""
    with caller.session() as session:
        budget, subject = read_subject(session, caller, cache, question, coarse=True)
    until = time.monotonic() + RELAXATION_SECONDS

    def passes(question: Budget) -> bool:
        if time.monotonic() > until:
            raise WorkExceeded
        return judge_subject(subject, question).verdict is Verdict.PASS

    passing: list[RelaxationOut] = []
    # The relaxations found before the limit of work pass; the rest of the search is then skipped.
    complete = False
    with suppress(WorkExceeded), at_most(QUESTION_POINTS):
        if subject.undecided is None and not passes(subject.budget):
            passing.extend(_relaxations(subject.budget, passes))
        complete = True
    return RelaxationsOut(budget=budget_echo(budget), relaxations=passing, complete=complete)


def _relaxation(kind: str, text: str, budget: Budget) -> RelaxationOut:
    """Return a weaker question that passes: the `kind` of the changed part, and its new value as text."""
    # The budget's own title and question do not apply to it.
    relaxed = replace(budget, name="relaxed", version=1, title="", question="")
    return RelaxationOut.model_validate({"kind": kind, "text": text, "document": document_of(relaxed)})


def _relaxations(budget: Budget, passes: Judge) -> Iterator[RelaxationOut]:
    match budget:
        case TransactionBudget():
            yield from _relaxed_objective(budget, passes)
            yield from _relaxed_window(budget, passes)
            yield from _relaxed_count(budget, passes)
        case ExceedanceBudget():
            yield from _relaxed_limits(budget, passes)


def _relaxed_objective(budget: TransactionBudget, passes: Judge) -> Iterator[RelaxationOut]:
    """Yield the budget with the highest share of transactions in time with which it passes, by `_SHARES`."""
    allowed = 1.0 - budget.objective_ratio
    questions = [
        replace(budget, objective_ratio=round(1.0 - share, 9))
        for share in _SHARES
        if allowed * (1.0 + 1e-9) < share <= 1.0 - _MIN_OBJECTIVE
    ]
    if (passing := _first_passing(questions, passes)) is not None:
        yield _relaxation("objective", f"{exact_percent(passing.objective_ratio)} of transactions", passing)


def _relaxed_window(budget: TransactionBudget, passes: Judge) -> Iterator[RelaxationOut]:
    windows = [
        window
        for window in _round_numbers(budget.window_ns * _MAX_WINDOW_FACTOR)
        if window > budget.window_ns
    ]
    passing = _first_passing([replace(budget, window_ns=window) for window in windows], passes)
    if passing is not None:
        yield _relaxation("window", f"a window of {latency_text(passing.window_ns)}", passing)


def _relaxed_count(budget: TransactionBudget, passes: Judge) -> Iterator[RelaxationOut]:
    """Yield the budget with the largest lower number of operations with which it passes."""
    plan = budget.plan
    if len(plan.stages) != 1 or isinstance(plan.only_stage.count, RandomCount):
        return
    stage, count_now = plan.only_stage, plan.only_stage.largest_count
    least = stage.fan_out if stage.fan_out < count_now else 1
    counts = [count for count in _round_numbers(count_now - 1) if count >= least]
    passing = _first_passing(
        [replace(budget, plan=plan.with_count(count)) for count in reversed(counts)], passes
    )
    if passing is not None:
        count = passing.plan.only_stage.largest_count
        yield _relaxation(
            "count", f"{count_text(count)} {stage.operation}{'' if count == 1 else 's'} instead", passing
        )


def _relaxed_limits(budget: ExceedanceBudget, passes: Judge) -> Iterator[RelaxationOut]:
    """Yield the budget with each failing limit raised to the least share that passes."""
    if budget.certification is not None and budget.certification.decides:
        return
    limits, changed = [], []
    for limit in budget.limits:
        alone = replace(budget, limits=(limit,))
        larger = [share for share in _SHARES if limit.ratio * (1.0 + 1e-9) < share]
        weaker = (replace(alone, limits=(replace(limit, ratio=share),)) for share in larger)
        loosest = _first_passing([alone, *weaker], passes)
        if loosest is None:
            return
        limits.append(loosest.limits[0])
        if loosest is not alone:
            changed.append(loosest.limits[0])
    relaxed = replace(budget, limits=tuple(limits))
    if changed and passes(relaxed):
        shares = " and ".join(
            f"{exact_percent(limit.ratio)} over {latency_text(limit.threshold_ns)}" for limit in changed
        )
        yield _relaxation("limits", f"limits of {shares}", relaxed)


def _round_numbers(most: int) -> list[int]:
    """Return the whole numbers up to `most` with at most two significant figures, ascending."""
    small = list(range(1, 10))
    large = [digits * 10**power for power in range(len(str(max(most, 1)))) for digits in range(10, 100)]
    return [number for number in (*small, *large) if number <= most]


def _first_passing(questions: Sequence[_Relaxable], passes: Judge) -> _Relaxable | None:
    """Return the first question that passes, by bisection from strict to weak questions; None without any."""
    if not questions or not passes(questions[-1]):
        return None
    return questions[bisect_left(questions, True, hi=len(questions) - 1, key=passes)]
