"""Facts that a run must disclose before it may be compared, and which of them it lacks.

The list follows docs/method.md 8.2, for a run of one agent. Null means that the agent could not determine the
fact, which is then not disclosed.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from tailroom.domain.tools.drives import DRIVES, FILE_SYSTEMS
from tailroom.domain.tools.tool import Measures

ACT_STORAGE = "act-storage"
FRAUD_TRANSACTION = "fraud-transaction"
SYNC_WRITE = "sync-write"
QUALIFY = "qualify"
PHASES = ("fraud", "keyvalue", "ycsb")
"""Workloads of plans with several phases; each run is one phase."""


class RequiredField(NamedTuple):
    """A fact to disclose: its label for people, and its stable name.

    The name is a dotted path inside `{agent, host, plan}`; `*` means any element of a list.
    """

    label: str
    field: str


_GENERAL = (
    RequiredField("version of the agent", "agent.version"),
    RequiredField("commit the agent was built from", "agent.commit"),
    RequiredField("processor model", "host.cpu.model"),
    RequiredField("processor sockets", "host.cpu.sockets"),
    RequiredField("processor cores", "host.cpu.cores"),
    RequiredField("frequency governor", "host.cpu.governor"),
    RequiredField("simultaneous multithreading on or off", "host.cpu.smt_active"),
    RequiredField("processor mitigations", "host.cpu.mitigations"),
    RequiredField("memory", "host.memory.total_bytes"),
    RequiredField("NUMA nodes", "host.numa.nodes"),
    RequiredField("kernel", "host.os.kernel"),
    RequiredField("operating system", "host.os.name"),
)

_DEVICE = (
    RequiredField("drive model", "host.block_devices.*.model"),
    RequiredField("drive serial number (hashed)", "host.block_devices.*.serial_sha256"),
    RequiredField("drive firmware", "host.block_devices.*.firmware"),
    RequiredField("drive capacity", "host.block_devices.*.size_bytes"),
    RequiredField("logical block size", "host.block_devices.*.logical_block_bytes"),
    RequiredField("negotiated link speed", "host.block_devices.*.link_speed"),
    RequiredField("I/O scheduler", "host.block_devices.*.scheduler"),
    RequiredField("file system under the file", "host.file_systems.*.type"),
    RequiredField("direct I/O on or off", "plan.act_storage.direct_io"),
    RequiredField("record size", "plan.act_storage.record_bytes"),
    RequiredField("working set", "plan.act_storage.file_size_bytes"),
    RequiredField("load multiple", "plan.act_storage.load_multiple"),
    RequiredField("preconditioning of the drive", "plan.act_storage.preconditioning"),
    RequiredField("over-provisioned share", "plan.act_storage.over_provisioning"),
)

_DATABASE = (
    RequiredField("server address", "plan.fraud.address"),
    RequiredField("server software and version", "plan.fraud.server"),
    RequiredField("reads per transaction", "plan.fraud.reads_per_transaction"),
    RequiredField("transactions per second", "plan.fraud.transactions_per_s"),
    RequiredField("connections", "plan.fraud.connections"),
    RequiredField("number of keys", "plan.fraud.keys"),
    RequiredField("size of a value", "plan.fraud.value_bytes"),
    RequiredField("network interface speed", "host.network_interfaces.*.speed_mbit_per_s"),
)


_PHASE = (
    RequiredField("server address", "plan.target.address"),
    RequiredField("server software and version", "plan.server.version"),
    RequiredField("open or closed load", "plan.phase.loop"),
    RequiredField("connections", "plan.phase.connections"),
    RequiredField("requests under way on a connection", "plan.phase.pipeline"),
    RequiredField("number of keys", "plan.objects.count"),
    RequiredField("size of a value", "plan.objects.bytes"),
    RequiredField("network interface speed", "host.network_interfaces.*.speed_mbit_per_s"),
)
"""Facts of one phase of a plan for a database."""

_SYNC_WRITE = (
    *(field for field in _DEVICE if field.field.startswith("host.")),
    RequiredField("size of a write", "plan.sync_write.block_bytes"),
    RequiredField("part that is written over", "plan.sync_write.span_bytes"),
)
_QUALIFY = (
    *(field for field in _DEVICE if field.field.startswith("host.") and "file_systems" not in field.field),
    RequiredField("size of an operation", "plan.qualify.load.block_bytes"),
    RequiredField("share of reads", "plan.qualify.load.read_pct"),
    RequiredField("operations under way", "plan.qualify.load.depth"),
    RequiredField("whether the drive has settled", "plan.qualify.preparation.steady_state.answer"),
)

DRIVE_MODEL = "host.block_devices.*.model"
STARTED_AT = "run.started_at"

_OF_OTHER_TOOLS = (
    RequiredField("when the run began", STARTED_AT),
    RequiredField("version of the tool", "tool.version"),
)
_FURTHER = (
    RequiredField("unit of the latencies", "tool.latency_unit"),
    RequiredField("operation that was timed", "tool.operation"),
    RequiredField("open or closed load", "tool.loop"),
)
"""Facts of results of other tools that are not required but have a label."""

_TOOLS_OF_DRIVES = frozenset(
    tool.name for tool in (*DRIVES, *FILE_SYSTEMS) if tool.measures is not Measures.MACHINE
)
"""Workloads of uploaded runs about a drive, beside those of ACT: the names of their tools."""
_TOOLS_OF_MACHINES = frozenset(tool.name for tool in DRIVES if tool.measures is Measures.MACHINE)
_LOAD_OF_ACT = "plan.act_storage.load_multiple"
_LOAD_OF_FRAUD_CHECK = frozenset({"plan.fraud.reads_per_transaction", "plan.fraud.transactions_per_s"})


def is_closed_loop(plan: Mapping[str, Any]) -> bool:
    """Return whether the plan's load is closed: each operation waits for the answer to the previous one."""
    phase = plan.get("phase")
    return isinstance(phase, Mapping) and phase.get("loop") == "closed"


def required_of_other_tools(workload: str) -> tuple[RequiredField, ...]:
    """Return the facts that a result of another tool must state, in the file or by its uploader."""
    is_act = workload.startswith("act-")
    general = tuple(field for field in _GENERAL if not field.field.startswith("agent."))
    if is_act or workload in _TOOLS_OF_DRIVES:
        specific = tuple(field for field in _DEVICE if is_act or field.field != _LOAD_OF_ACT)
    elif workload in _TOOLS_OF_MACHINES:
        specific = ()
    else:
        is_ours = workload == FRAUD_TRANSACTION
        specific = tuple(field for field in _DATABASE if is_ours or field.field not in _LOAD_OF_FRAUD_CHECK)
    return _OF_OTHER_TOOLS + general + specific


def label_of(field: str) -> str:
    """Return the label of a fact; its name if the list does not have it."""
    return _LABELS.get(field, field)


def is_known(field: str) -> bool:
    """Return whether there is a fact of this name to disclose, required or not, for any workload."""
    return field in _LABELS


def required_fields(workload: str) -> tuple[RequiredField, ...]:
    """Return the facts that a run of the workload must state; for an unknown workload the general facts."""
    specific = {
        ACT_STORAGE: _DEVICE,
        FRAUD_TRANSACTION: _DATABASE,
        SYNC_WRITE: _SYNC_WRITE,
        QUALIFY: _QUALIFY,
        **dict.fromkeys(PHASES, _PHASE),
    }
    return _GENERAL + specific.get(workload, ())


def missing_fields(workload: str, facts: Mapping[str, Any]) -> list[RequiredField]:
    """Return the required facts that are absent, null or empty in `{agent, host, plan}`, in order."""
    return [field for field in required_fields(workload) if not _is_given(facts, field.field.split("."))]


def _is_given(value: Any, path: Sequence[str]) -> bool:
    """Return whether any value at the path, with `*` for any element of a list, is neither null nor empty."""
    if not path:
        return value is not None and value not in ("", [], {})
    head, rest = path[0], path[1:]
    if head == "*":
        return isinstance(value, list) and any(_is_given(element, rest) for element in value)
    return isinstance(value, Mapping) and head in value and _is_given(value[head], rest)


_LABELS = {
    field.field: field.label
    for field in (
        *_OF_OTHER_TOOLS,
        *_FURTHER,
        *_GENERAL,
        *_DEVICE,
        *_DATABASE,
        *_PHASE,
        *_SYNC_WRITE,
        *_QUALIFY,
    )
}
"""Labels of all facts by name."""
