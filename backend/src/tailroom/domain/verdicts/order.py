"""Order by knowledge: PASS before undecided before FAIL, proven outermost, whatever is ranked.

Inside undecided it counts how close the case is: the share of the needed evidence first, then the lower end
of what was asked about. A drive that provably misses never stands above one that is merely unknown.
Source: docs/method.md section 10, C6.
"""

from collections.abc import Iterable
from typing import NamedTuple

from tailroom.domain.verdicts.assessment import BudgetAssessment
from tailroom.domain.verdicts.headline import headline
from tailroom.domain.verdicts.own_question import OWN_QUESTION
from tailroom.domain.verdicts.verdict import Strength, Verdict

_ANSWERED = {"act-storage": ("exceedance",)}
"""Kinds of budgets that a workload is made to answer; of any other workload those about transactions."""

ORDER = (Verdict.PASS, Verdict.INDETERMINATE, Verdict.FAIL)
"""The three verdicts, best first."""
_FINE_ORDER = (
    (Verdict.PASS, Strength.PROVEN),
    (Verdict.PASS, Strength.OBSERVED),
    (Verdict.INDETERMINATE, None),
    (Verdict.FAIL, Strength.OBSERVED),
    (Verdict.FAIL, Strength.PROVEN),
)
"""Verdicts with their strength, best first: the order of every list."""
RANKS = len(_FINE_ORDER)
"""How many ranks there are."""
FIRST_FAIL = _FINE_ORDER.index((Verdict.FAIL, Strength.OBSERVED))
"""The rank of the best FAIL."""


class Knowledge(NamedTuple):
    """A key to sort by, ascending; equal keys are equal in knowledge."""

    rank: int
    missing_share: float
    missing_lower: float


def rank_of(verdict: Verdict, strength: Strength | None) -> int:
    """Return the place in every list: PASS proven, PASS observed, undecided, FAIL observed, FAIL proven."""
    return _FINE_ORDER.index((verdict, strength))


def knowledge(
    verdict: Verdict,
    strength: Strength | None,
    evidence_share: float | None = None,
    lower: float | None = None,
) -> Knowledge:
    """Of a verdict with the share of the needed evidence (none: not known) and the lower end (none: 0)."""
    rank = rank_of(verdict, strength)
    share = (evidence_share or 0.0) if verdict is Verdict.INDETERMINATE else 0.0
    return Knowledge(rank, -share, -(lower or 0.0))


def knowledge_of(assessment: BudgetAssessment) -> Knowledge:
    """Of an assessment."""
    judgement = assessment.judgement
    share = judgement.meter.share if judgement.meter else None
    found = headline(assessment)
    # A headline about slow operations is the better the smaller, so only shares in time are compared.
    in_time = found.basis in ("measured", "model") or assessment.kind == "percentile"
    return knowledge(judgement.verdict, judgement.strength, share, found.lower if in_time else None)


def worst_rank(verdicts: Iterable[tuple[Verdict | str, Strength | str | None]]) -> int | None:
    """Return the place of the worst of these verdicts in every list; None of no verdict.

    Verdicts by a method before 8 have no strength; they rank as observed.
    """
    ranks = []
    for verdict, strength in verdicts:
        default = None if verdict == Verdict.INDETERMINATE else Strength.OBSERVED
        ranks.append(rank_of(Verdict(verdict), Strength(strength) if strength else default))
    return max(ranks, default=None)


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
