"""The plan that measured whole transactions followed, from what a run says of itself."""

from collections.abc import Mapping
from typing import Any

from tailroom.domain.transactions.plan import COUNT_LIMIT, Plan, Scheduling, Stage
from tailroom.domain.verdicts.other_tools import READ

_SCHEDULING = {"barrier": Scheduling.WAVES, "pool": Scheduling.POOL}
"""Words of the agent's plans for reads of which several are under way."""


def issued_plan(parameters: Mapping[str, Any]) -> Plan | None:
    """Reads of each transaction and how they followed each other; none where that is not stated.

    `reads_per_transaction` are reads one after another. `keys_per_transaction` come with `scheduling`,
    `fan_out` and `batch`: reads by multi-gets are another operation, and no plan of reads.
    """
    in_a_row = _positive(parameters.get("reads_per_transaction"))
    if in_a_row is not None:
        return Plan.sequential(READ, in_a_row)
    keys, fan_out = _positive(parameters.get("keys_per_transaction")), _positive(parameters.get("fan_out"))
    scheduling = _SCHEDULING.get(str(parameters.get("scheduling")))
    if keys is None or fan_out is None or scheduling is None or parameters.get("batch") != 1:
        return None
    return Plan((Stage(READ, keys, fan_out, scheduling),))


def _positive(value: object) -> int | None:
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 1 <= value <= COUNT_LIMIT else None
