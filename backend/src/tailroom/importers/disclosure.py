"""The required facts that a result file of another tool does not state, of a drive and of a server.

Names are those of `catalogue.disclosure`; facts about the agent do not apply, because another tool measured.
`run.started_at` and `tool.version` are required as well: some files have no clock or no version.
"""

from collections.abc import Container

from tailroom.catalogue.disclosure import ACT_STORAGE, STARTED_AT, required_fields, required_of_other_tools
from tailroom.domain.verdicts.unknown_conditions import LATENCY_UNIT, LOOP, OPERATION

TOOL_VERSION = "tool.version"
_OWN = {
    "started_at": STARTED_AT,
    "tool_version": TOOL_VERSION,
    "latency_unit": LATENCY_UNIT,
    "operation": OPERATION,
    "loop": LOOP,
}
_STATED_BY_TOOLS = {
    "address": "plan.fraud.address",
    "connections": "plan.fraud.connections",
    "keys": "plan.fraud.keys",
    "value_bytes": "plan.fraud.value_bytes",
    "rate": "plan.fraud.transactions_per_s",
}


def open_device_fields(stated: Container[str]) -> list[str]:
    """Return the names of required fields of a drive's run, except those in `stated` and about an agent."""
    names = [field.field for field in required_fields(ACT_STORAGE)]
    return [name for name in names if not name.startswith("agent.") and name not in stated]


def not_stated(*facts: str, workload: str = "") -> tuple[str, ...]:
    """Return the disclosure fields of missing `facts`, and those that no tool states: host, and drive or
    server and network, by the `workload` of the run.

    `facts` are short names: `started_at`, `tool_version`, `latency_unit`, `operation`, `loop`, `address`,
    `connections`, `keys`, `value_bytes`, `rate`.
    """
    names = {(_OWN | _STATED_BY_TOOLS)[fact] for fact in facts}
    given_by_some = set(_STATED_BY_TOOLS.values())
    general = [
        field.field
        for field in required_of_other_tools(workload)
        if field.field not in _OWN.values() and (field.field not in given_by_some or field.field in names)
    ]
    return (*(name for name in _OWN.values() if name in names), *general)


def workload_of_tool(tool: str, form: str) -> str:
    """Return the workload of a result of a tool: its format for ACT, else the name of the tool."""
    return form if tool == "act" else tool
