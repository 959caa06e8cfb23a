"""Order of verdicts in every list: PASS before undecided before FAIL, with proven verdicts at both ends.

Undecided cases are ordered by the share of the needed evidence, then by the lower bound of the result. A
drive with a proven FAIL never ranks above a drive that is merely undecided. Source: docs/method.md section
10, C6.
"""

from collections.abc import Iterable
from typing import NamedTuple

from tailroom.domain.verdicts.assessment import BudgetAssessment
from tailroom.domain.verdicts.headline import headline
from tailroom.domain.verdicts.own_question import OWN_QUESTION
from tailroom.domain.verdicts.verdict import Strength, Verdict

_KINDS_OF_WORKLOAD = {"act-storage": ("exceedance",)}
"""Kinds of budgets that lead for a workload; for other workloads transactions do."""

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
"""Number of ranks of verdicts."""
FIRST_FAIL = _FINE_ORDER.index((Verdict.FAIL, Strength.OBSERVED))
"""The rank of an observed FAIL, the first rank of a FAIL."""


class VerdictSortKey(NamedTuple):
    """A key to sort verdicts by, best first in ascending order; equal keys rank equally. `missing_share` and
    `missing_lower` are the share of the needed evidence and the lower bound, both negated.
    """

    rank: int
    missing_share: float
    missing_lower: float


def rank_of(verdict: Verdict, strength: Strength | None) -> int:
    """Return the rank in lists, from 0: PASS proven, PASS observed, undecided, FAIL observed, FAIL proven.
    Raise ValueError for another combination.
    """
    return _FINE_ORDER.index((verdict, strength))


def sort_key(
    verdict: Verdict,
    strength: Strength | None,
    evidence_share: float | None = None,
    lower: float | None = None,
) -> VerdictSortKey:
    """Return the sort key of a verdict; its share of the needed evidence counts only if it is undecided. None
    counts as 0.
    """
    rank = rank_of(verdict, strength)
    share = (evidence_share or 0.0) if verdict is Verdict.INDETERMINATE else 0.0
    return VerdictSortKey(rank, -share, -(lower or 0.0))


def sort_key_of(assessment: BudgetAssessment) -> VerdictSortKey:
    """Return the sort key of an assessment. The lower bound counts only if its headline is a
    share in time.
    """
    judgement = assessment.judgement
    share = judgement.meter.share if judgement.meter else None
    shown = headline(assessment)
    # A headline about slow operations is the better the smaller, so only shares in time are compared.
    in_time = shown.basis in ("measured", "model") or assessment.kind == "percentile"
    return sort_key(judgement.verdict, judgement.strength, share, shown.lower if in_time else None)


def worst_rank(verdicts: Iterable[tuple[Verdict | str, Strength | str | None]]) -> int | None:
    """Return the rank of the worst of these verdicts in lists; None without verdicts.

    Decided verdicts by a method before 8 have no strength; they rank as observed.
    """
    ranks = []
    for verdict, strength in verdicts:
        default = None if verdict == Verdict.INDETERMINATE else Strength.OBSERVED
        ranks.append(rank_of(Verdict(verdict), Strength(strength) if strength else default))
    return max(ranks, default=None)


class Lead(NamedTuple):
    """A key to sort the verdicts of a run by, ascending: the first is the answer of the run."""

    is_undecided: bool
    is_built_in: bool
    is_other_plan: bool
    is_other_kind: bool
    budget_name: str


def lead(verdict: Verdict | str, budget_name: str, kind: str, *, workload: str, is_built_in: bool) -> Lead:
    """Return the key of a verdict: decided before undecided, an organisation's own budgets before built-in
    ones, the run's own plan before other plans, and the kind that the workload is for before other kinds.

    The budget of the run's own plan counts as decided, because an undecided answer to it is the run's answer.
    """
    is_own_plan = budget_name == OWN_QUESTION
    undecided = Verdict(verdict) is Verdict.INDETERMINATE and not is_own_plan
    is_other_kind = kind not in _KINDS_OF_WORKLOAD.get(workload, ("transaction",))
    return Lead(undecided, is_built_in, not is_own_plan, is_other_kind, budget_name)
