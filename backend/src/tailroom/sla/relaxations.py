"""How little a question has to ask less for a record to pass it: a lower share, more time, fewer operations,
or looser limits.

Every relaxation was judged by the judge of `evaluate`, so what is offered passes when it is asked. Related
questions get related answers (docs/method.md section 10), so the least change is searched for by halving.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from tailroom.access.caller import Caller
from tailroom.budgets.documents import document_of
from tailroom.domain.transactions.plan import RandomCount
from tailroom.domain.transactions.work import WorkExceeded, at_most
from tailroom.domain.units import count_text, latency_text, percent_text
from tailroom.domain.verdicts.budget_kinds import (
    Budget,
    ExceedanceBudget,
    Limit,
    TransactionBudget,
)
from tailroom.domain.verdicts.verdict import Verdict
from tailroom.evidence.reader import KeptRuns
from tailroom.kit.limits import QUESTION_POINTS, RELAXATION_SECONDS
from tailroom.sla.answers import echo
from tailroom.sla.evaluations import answered, chosen_budget
from tailroom.sla.schemas import RelaxationOut, RelaxationsOut, RelaxIn
from tailroom.sla.subjects import Subject, SubjectReader

_LONGER = 20
"""A window so many times as long is another question."""
_LEAST_OBJECTIVE = 0.9
"""Below this share of transactions nobody calls it an SLA."""
_SHARES = tuple(round(digit * 10.0**power, 9) for power in range(-6, 0) for digit in (1, 2, 5))
"""Shares of slow ones that people ask for, ascending."""

_Asked = TypeVar("_Asked", TransactionBudget, ExceedanceBudget)
Judge = Callable[[Budget], bool]


@dataclass(frozen=True, slots=True)
class Relaxation:
    """A question that passes, and in which words it differs from the one that was asked."""

    kind: str
    text: str
    budget: Budget


def relax(caller: Caller, kept: KeptRuns, asked: RelaxIn) -> RelaxationsOut:
    """The least changes with which the record passes; none where it passes as asked. Raises BudgetUnknown,
    BudgetInvalid, RunUnknown, SubjectInvalid.
    """
    with caller.session() as session:
        budget = chosen_budget(session, caller.organisation_id, asked.budget)
        subject = SubjectReader(session, kept, budget).asked(
            caller.organisation_id, asked.subject, coarse=True
        )
    found, complete = _found(subject)
    return RelaxationsOut(
        budget=echo(budget),
        relaxations=[
            RelaxationOut.model_validate(
                {"kind": one.kind, "text": one.text, "document": document_of(_renamed(one.budget))}
            )
            for one in found
        ],
        complete=complete,
    )


def _renamed(budget: Budget) -> Budget:
    """Without the words of the question that it came from, which it does not ask any more."""
    return replace(budget, name="relaxed", version=1, title="", question="")


def _found(subject: Subject) -> tuple[list[Relaxation], bool]:
    """What passes, and whether everything was tried."""
    until = time.monotonic() + RELAXATION_SECONDS

    def passes(question: Budget) -> bool:
        if time.monotonic() > until:
            raise WorkExceeded
        return answered(subject, question).verdict is Verdict.PASS

    found: list[Relaxation] = []
    try:
        with at_most(QUESTION_POINTS):
            if subject.undecided is None and not passes(subject.budget):
                found.extend(_relaxations(subject.budget, passes))
    except WorkExceeded:
        # What was found until here passes; what would have to be searched for longer is left out.
        return found, False
    return found, True


def _relaxations(budget: Budget, passes: Judge) -> Iterator[Relaxation]:
    match budget:
        case TransactionBudget():
            yield from _of_objective(budget, passes)
            yield from _of_window(budget, passes)
            yield from _of_count(budget, passes)
        case ExceedanceBudget():
            yield from _of_limits(budget, passes)
        case _:
            return


def _of_objective(budget: TransactionBudget, passes: Judge) -> Iterator[Relaxation]:
    allowed = 1.0 - budget.objective_ratio
    questions = [
        replace(budget, objective_ratio=round(1.0 - share, 9))
        for share in _SHARES
        if allowed * (1.0 + 1e-9) < share <= 1.0 - _LEAST_OBJECTIVE
    ]
    if (found := _first(questions, passes)) is not None:
        yield Relaxation("objective", f"{percent_text(found.objective_ratio)} of transactions", found)


def _of_window(budget: TransactionBudget, passes: Judge) -> Iterator[Relaxation]:
    windows = [one for one in _two_figures(budget.window_ns * _LONGER) if one > budget.window_ns]
    found = _first([replace(budget, window_ns=one) for one in windows], passes)
    if found is not None:
        yield Relaxation("window", f"a window of {latency_text(found.window_ns)}", found)


def _of_count(budget: TransactionBudget, passes: Judge) -> Iterator[Relaxation]:
    plan = budget.plan
    if len(plan.stages) != 1 or isinstance(plan.only_stage.count, RandomCount):
        return
    stage, asked = plan.only_stage, plan.only_stage.largest_count
    least = stage.fan_out if 1 < stage.fan_out < asked else 1
    counts = [one for one in _two_figures(asked - 1) if one >= least]
    found = _first([replace(budget, plan=plan.with_count(one)) for one in reversed(counts)], passes)
    if found is not None:
        count = found.plan.only_stage.largest_count
        yield Relaxation(
            "count", f"{count_text(count)} {stage.operation}{'' if count == 1 else 's'} instead", found
        )


def _of_limits(budget: ExceedanceBudget, passes: Judge) -> Iterator[Relaxation]:
    """Each limit that is not kept gets the least one that is; all of them are changed at once."""
    if budget.certification is not None and budget.certification.decides:
        return
    limits, changed = [], []
    for limit in budget.limits:
        alone = replace(budget, limits=(limit,))
        loosest = _first(
            [alone, *(replace(alone, limits=(one,)) for one in _looser(limit))],
            passes,
        )
        if loosest is None:
            return
        limits.append(loosest.limits[0])
        if loosest is not alone:
            changed.append(loosest.limits[0])
    relaxed = replace(budget, limits=tuple(limits))
    if changed and passes(relaxed):
        shares = " and ".join(
            f"{percent_text(one.ratio)} over {latency_text(one.threshold_ns)}" for one in changed
        )
        yield Relaxation("limits", f"limits of {shares}", relaxed)


def _looser(limit: Limit) -> Iterator[Limit]:
    return (replace(limit, ratio=share) for share in _SHARES if limit.ratio * (1.0 + 1e-9) < share)


def _two_figures(most: int) -> list[int]:
    """Whole numbers up to `most` with two figures at most, ascending."""
    small = list(range(1, 10))
    large = [digits * 10**power for power in range(len(str(max(most, 1)))) for digits in range(10, 100)]
    return [one for one in (*small, *large) if one <= most]


def _first(questions: Sequence[_Asked], passes: Judge) -> _Asked | None:
    """The first that passes, of questions each of which asks less than the one before; else none."""
    if not questions or not passes(questions[-1]):
        return None
    fails, holds = -1, len(questions) - 1
    while holds - fails > 1:
        middle = (fails + holds) // 2
        if passes(questions[middle]):
            holds = middle
        else:
            fails = middle
    return questions[holds]
