"""Order by knowledge: proven PASS before not shown before proven FAIL, whatever is ranked and by which door.

Inside "not shown" it counts how close the case is: the share of the needed evidence first, then the lower end
of what was asked about. A drive that provably misses never stands above one that is merely unknown.
Source: docs/method.md section 10, C6.
"""

from collections.abc import Iterable
from typing import NamedTuple

from tailroom.domain.verdicts.assessment import BudgetAssessment
from tailroom.domain.verdicts.headline import headline
from tailroom.domain.verdicts.own_question import OWN_QUESTION
from tailroom.domain.verdicts.verdict import Verdict

_ANSWERED = {"act-storage": ("exceedance",)}
"""Kinds of budgets that a workload is made to answer; of any other workload those about transactions."""

ORDER = (Verdict.PASS, Verdict.INDETERMINATE, Verdict.FAIL)
"""The three words, best known first."""


class Knowledge(NamedTuple):
    """A key to sort by, ascending; equal keys are equal in knowledge."""

    rank: int
    missing_share: float
    missing_lower: float


def knowledge(verdict: Verdict, evidence_share: float | None = None, lower: float | None = None) -> Knowledge:
    """Of a verdict with the share of the needed evidence (none: not known) and the lower end (none: 0)."""
    rank = ORDER.index(verdict)
    share = (evidence_share or 0.0) if verdict is Verdict.INDETERMINATE else 0.0
    return Knowledge(rank, -share, -(lower or 0.0))


def knowledge_of(assessment: BudgetAssessment) -> Knowledge:
    """Of an assessment."""
    judgement = assessment.judgement
    share = judgement.meter.share if judgement.meter else None
    found = headline(assessment)
    # A headline about slow operations is the better the smaller, so only shares in time are compared.
    in_time = found.basis in ("measured", "model") or assessment.kind == "percentile"
    return knowledge(judgement.verdict, share, found.lower if in_time else None)


def worst_rank(verdicts: Iterable[Verdict | str]) -> int | None:
    """The place in `ORDER` of the worst of these; none of no verdict."""
    return max((ORDER.index(Verdict(one)) for one in verdicts), default=None)


class Lead(NamedTuple):
    """A key to sort the verdicts of one run by, ascending: the first is the answer of the run."""

    is_undecided: bool
    is_built_in: bool
    is_not_of_the_plan: bool
    is_beside_the_workload: bool
    budget_name: str


def lead(verdict: Verdict | str, budget_name: str, kind: str, *, workload: str, is_built_in: bool) -> Lead:
    """Of a verdict on a budget of this kind: what is decided before what is not, an organisation's own
    question before a built-in one, what the run's own plan asks before others, and what the workload is made
    to answer before what is asked besides. The question of the plan counts as decided: that it is not, is the
    answer of the run.
    """
    of_the_plan = budget_name == OWN_QUESTION
    undecided = Verdict(verdict) is Verdict.INDETERMINATE and not of_the_plan
    beside = kind not in _ANSWERED.get(workload, ("transaction",))
    return Lead(undecided, is_built_in, not of_the_plan, beside, budget_name)
