"""The budget of a run's own transactions: its own reads, with their scheduling, in its own window.

A built-in budget about other transactions (250 reads one after another) is also judged for a run whose
transactions read in waves, but does not lead its verdicts (`order.lead`, docs/adr/0009). The plan comes from
the run's parameters.
"""

from collections.abc import Mapping
from typing import Any

from tailroom.domain.transactions.plan import COUNT_LIMIT, Plan, Scheduling, Stage
from tailroom.domain.units import NS_PER_HOUR, exact_percent, is_whole, latency_text
from tailroom.domain.verdicts.budget import BUDGETS, FRAUD_250_SEQUENTIAL_1
from tailroom.domain.verdicts.budget_kinds import TransactionBudget
from tailroom.domain.verdicts.other_tools import READ
from tailroom.domain.verdicts.plan_words import reads_text

OWN_QUESTION = "own-transactions"
"""Name of the budget of a run's own transactions; it identifies no single budget, because documents differ
from run to run.
"""
BUILT_IN_NAMES = (*dict.fromkeys(budget.name for budget in BUDGETS), OWN_QUESTION)
"""Names of the built-in budgets, and of the question of the run's own plan: other readers of a published run
see the verdicts on these alone.
"""
OWN_QUESTION_VERSION = 1
OBJECTIVE_RATIO = FRAUD_250_SEQUENTIAL_1.objective_ratio
"""Required share of transactions in time: that of the fraud check, because plans state none."""
TRANSACTION_WORKLOADS = ("fraud", "fraud-transaction")
"""Workloads whose runs measure whole transactions."""

_SCHEDULING = {"barrier": Scheduling.WAVES, "pool": Scheduling.POOL}
"""Scheduling by its name in the agent's plans, for reads of which several are under way."""
_LONGEST_WINDOW_NS = NS_PER_HOUR
"""Longest window in ns of a stated plan."""


def own_question(workload: str, parameters: Mapping[str, Any]) -> TransactionBudget | None:
    """Return the run's own budget, the equal built-in budget, or None for other workloads and without a plan
    of reads or a window.
    """
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
    """Return the section of a plan with the run's parameters, or the plan itself without such a section;
    empty if it is no object.
    """
    parameters = plan.get("fraud") or plan.get("parameters") or plan
    return parameters if isinstance(parameters, Mapping) else {}


def issued_plan(parameters: Mapping[str, Any]) -> Plan | None:
    """Return the reads of each transaction and their scheduling as a plan; None if not stated.

    `reads_per_transaction` are sequential reads. `keys_per_transaction` are read by `scheduling` and
    `fan_out`; None unless `batch` is 1, because multi-gets are another operation.
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
    """Return a stated whole number from 1 to `most`; None for other values."""
    return value if is_whole(value) and 1 <= value <= most else None
