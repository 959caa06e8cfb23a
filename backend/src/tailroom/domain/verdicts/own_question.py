"""The question that a run of transactions was made to answer: its own reads, as they followed each other, in
its own window.

A built-in question about other transactions (250 reads one after another) is beside the point of a run whose
transactions read in waves: it is asked all the same, but is not the answer of the run (`order.lead`,
docs/adr/0009). The plan is taken from what the run says of itself.
"""

from collections.abc import Mapping
from typing import Any

from tailroom.domain.transactions.plan import COUNT_LIMIT, Plan, Scheduling, Stage
from tailroom.domain.units import NS_PER_HOUR, latency_text, percent_text
from tailroom.domain.verdicts.budget import FRAUD_250_SEQUENTIAL_1
from tailroom.domain.verdicts.budget_kinds import TransactionBudget
from tailroom.domain.verdicts.other_tools import READ
from tailroom.domain.verdicts.plan_words import reads_text

OWN_QUESTION = "own-transactions"
"""Name of the question. Its document differs from run to run, so no budget can be found by it."""
OWN_QUESTION_VERSION = 1
OBJECTIVE_RATIO = FRAUD_250_SEQUENTIAL_1.objective_ratio
"""Plans state no share; it is that of the fraud check."""
ASKED_OF = ("fraud", "fraud-transaction")
"""Workloads whose runs measure whole transactions."""

_SCHEDULING = {"barrier": Scheduling.WAVES, "pool": Scheduling.POOL}
"""Words of the agent's plans for reads of which several are under way."""
_LONGEST_WINDOW_NS = NS_PER_HOUR


def own_question(workload: str, parameters: Mapping[str, Any]) -> TransactionBudget | None:
    """What the run itself asks, by the built-in question where that asks the same; none where the run states
    no plan of reads or no window.
    """
    plan, window_ns = issued_plan(parameters), _whole(parameters.get("window_ns"), _LONGEST_WINDOW_NS)
    if workload not in ASKED_OF or plan is None or window_ns is None:
        return None
    if (plan, window_ns) == (FRAUD_250_SEQUENTIAL_1.plan, FRAUD_250_SEQUENTIAL_1.window_ns):
        return FRAUD_250_SEQUENTIAL_1
    stage, window = plan.stages[0], latency_text(window_ns)
    follow = {Scheduling.SEQUENTIAL: ", one after another,", Scheduling.POOL: ","}.get(stage.effective, "")
    return TransactionBudget(
        name=OWN_QUESTION,
        version=OWN_QUESTION_VERSION,
        title=f"{reads_text(stage)}, in {window}",
        question=f"Do {percent_text(OBJECTIVE_RATIO)} of transactions finish {reads_text(stage)}{follow} "
        f"within {window}?",
        plan=plan,
        window_ns=window_ns,
        objective_ratio=OBJECTIVE_RATIO,
    )


def parameters_in(plan: Mapping[str, Any]) -> Mapping[str, Any]:
    """Where a plan, announced by an agent or stored with an uploaded file, has what `own_question` reads."""
    found = plan.get("fraud") or plan.get("parameters") or plan
    return found if isinstance(found, Mapping) else {}


def issued_plan(parameters: Mapping[str, Any]) -> Plan | None:
    """Reads of each transaction and how they followed each other; none where that is not stated.

    `reads_per_transaction` are reads one after another. `keys_per_transaction` come with `scheduling`,
    `fan_out` and `batch`: reads by multi-gets are another operation, and no plan of reads.
    """
    in_a_row = _whole(parameters.get("reads_per_transaction"), COUNT_LIMIT)
    if in_a_row is not None:
        return Plan.sequential(READ, in_a_row)
    keys = _whole(parameters.get("keys_per_transaction"), COUNT_LIMIT)
    fan_out = _whole(parameters.get("fan_out"), COUNT_LIMIT)
    scheduling = _SCHEDULING.get(str(parameters.get("scheduling")))
    if keys is None or fan_out is None or scheduling is None or parameters.get("batch") != 1:
        return None
    return Plan((Stage(READ, keys, fan_out, scheduling),))


def _whole(value: object, most: int) -> int | None:
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 1 <= value <= most else None
