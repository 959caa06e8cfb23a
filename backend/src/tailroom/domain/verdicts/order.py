"""Order of verdicts in every list: PASS before undecided before FAIL, with proven verdicts at both ends.

Undecided cases are ordered by the share of the needed evidence, then by the lower bound of the result. A
drive with a proven FAIL never ranks above a drive that is merely undecided. Source: docs/method.md section
10, C6.

The budget of a run's own transactions is its own reads, with their scheduling, in its own window, from the
run's parameters. A built-in budget about other transactions is judged too, but does not lead its verdicts
(`lead`, docs/adr/0009).
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from tailroom.domain.transactions.plan import COUNT_LIMIT, Plan, Scheduling, Stage
from tailroom.domain.units import NS_PER_HOUR, exact_percent, is_whole, latency_text
from tailroom.domain.verdicts.budget import BUDGETS, FRAUD_250_SEQUENTIAL_1
from tailroom.domain.verdicts.budget_kinds import TransactionBudget
from tailroom.domain.verdicts.other_tools import READ
from tailroom.domain.verdicts.plan_words import reads_text
from tailroom.domain.verdicts.verdict import Strength, Verdict

OWN_QUESTION = "own-transactions"
"""Name of the budget of a run's own transactions; its document differs from run to run."""
BUILT_IN_NAMES = (*dict.fromkeys(budget.name for budget in BUDGETS), OWN_QUESTION)
"""Names of the built-in budgets and of the run's own plan; other readers of a published run see only these.
"""
OWN_QUESTION_VERSION = 1
OBJECTIVE_RATIO = FRAUD_250_SEQUENTIAL_1.objective_ratio
"""Required share of transactions in time: that of the fraud check, because plans state none."""
TRANSACTION_WORKLOADS = ("fraud", "fraud-transaction")

_SCHEDULING = {"barrier": Scheduling.WAVES, "pool": Scheduling.POOL}
"""Scheduling by its name in the agent's plans, for reads of which several are under way."""
_LONGEST_WINDOW_NS = NS_PER_HOUR


def own_question(workload: str, parameters: Mapping[str, Any]) -> TransactionBudget | None:
    """Return the budget of a run's own transactions, or the equal built-in budget; None if it states none."""
    plan, window_ns = issued_plan(parameters), _stated_number(parameters.get("window_ns"), _LONGEST_WINDOW_NS)
    if workload not in TRANSACTION_WORKLOADS or plan is None or window_ns is None:
        return None
    if (plan, window_ns) == (FRAUD_250_SEQUENTIAL_1.plan, FRAUD_250_SEQUENTIAL_1.window_ns):
        return FRAUD_250_SEQUENTIAL_1
    stage, window = plan.stages[0], latency_text(window_ns)
    follow = {Scheduling.SEQUENTIAL: ", one after another,", Scheduling.POOL: ","}.get(stage.effective, "")
    return TransactionBudget(
        name=OWN_QUESTION,
        version=OWN_QUESTION_VERSION,
        title=f"{reads_text(stage)}, in {window}",
        question=f"Do {exact_percent(OBJECTIVE_RATIO)} of transactions finish {reads_text(stage)}{follow} "
        f"within {window}?",
        plan=plan,
        window_ns=window_ns,
        objective_ratio=OBJECTIVE_RATIO,
    )


def parameters_in(plan: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a plan's section with the run's parameters, without it the plan itself; empty if no object."""
    parameters = plan.get("fraud") or plan.get("parameters") or plan
    return parameters if isinstance(parameters, Mapping) else {}


def issued_plan(parameters: Mapping[str, Any]) -> Plan | None:
    """Return the reads of each transaction as a plan; None if they are not stated. `reads_per_transaction`
    are sequential reads, `keys_per_transaction` follow `scheduling` and `fan_out`. Multi-gets (`batch` is not
    1) are another operation and give None.
    """
    in_a_row = _stated_number(parameters.get("reads_per_transaction"), COUNT_LIMIT)
    if in_a_row is not None:
        return Plan.sequential(READ, in_a_row)
    keys = _stated_number(parameters.get("keys_per_transaction"), COUNT_LIMIT)
    fan_out = _stated_number(parameters.get("fan_out"), COUNT_LIMIT)
    scheduling = _SCHEDULING.get(str(parameters.get("scheduling")))
    if keys is None or fan_out is None or scheduling is None or parameters.get("batch") != 1:
        return None
    return Plan((Stage(READ, keys, fan_out, scheduling),))


def _stated_number(value: object, most: int) -> int | None:
    return value if is_whole(value) and 1 <= value <= most else None


_KINDS_OF_WORKLOAD = {"act-storage": ("exceedance",)}
"""Kinds of budgets that lead for a workload; for other workloads transactions do."""

ORDER = (Verdict.PASS, Verdict.INDETERMINATE, Verdict.FAIL)
_FINE_ORDER = (
    (Verdict.PASS, Strength.PROVEN),
    (Verdict.PASS, Strength.OBSERVED),
    (Verdict.INDETERMINATE, None),
    (Verdict.FAIL, Strength.OBSERVED),
    (Verdict.FAIL, Strength.PROVEN),
)
"""Verdicts with their strength, best first: the order of every list."""
RANKS = len(_FINE_ORDER)
FIRST_FAIL = _FINE_ORDER.index((Verdict.FAIL, Strength.OBSERVED))
"""The rank of an observed FAIL, the first rank of a FAIL."""


class VerdictSortKey(NamedTuple):
    """A key to sort verdicts by, best first in ascending order. `missing_share` is the negated share of the
    needed evidence, `missing_lower` the negated lower bound.
    """

    rank: int
    missing_share: float
    missing_lower: float


def rank_of(verdict: Verdict, strength: Strength | None) -> int:
    """Return the rank in lists, from 0 for a proven PASS; raise ValueError for another combination."""
    return _FINE_ORDER.index((verdict, strength))


def sort_key(
    verdict: Verdict,
    strength: Strength | None,
    evidence_share: float | None = None,
    lower: float | None = None,
) -> VerdictSortKey:
    """Return the sort key of a verdict. Its share of evidence counts only if undecided; None counts as 0."""
    rank = rank_of(verdict, strength)
    share = (evidence_share or 0.0) if verdict is Verdict.INDETERMINATE else 0.0
    return VerdictSortKey(rank, -share, -(lower or 0.0))


def worst_rank(verdicts: Iterable[tuple[Verdict | str, Strength | str | None]]) -> int | None:
    """Return the rank of the worst verdict; None without verdicts. Before method 8 there was no strength."""
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
    """Return the key of a verdict: decided before undecided, then an organisation's own budgets, the run's
    own plan and the kind that the workload is for, each before others. The run's own plan counts as decided,
    because it is the run's answer in any case.
    """
    is_own_plan = budget_name == OWN_QUESTION
    undecided = Verdict(verdict) is Verdict.INDETERMINATE and not is_own_plan
    is_other_kind = kind not in _KINDS_OF_WORKLOAD.get(workload, ("transaction",))
    return Lead(undecided, is_built_in, not is_own_plan, is_other_kind, budget_name)
