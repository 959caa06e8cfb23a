"""How budgets apply to runs of other tools: the budgets of a workload, its read, and its requests.
docs/importers.md has the table. A budget's `read` fetches a record by its key; tools have other names for it.
No operation is derived from another: if no name below fits, the run has no read, and no verdict about reads.
"""

from collections.abc import Collection, Mapping

from tailroom.domain.tools import TOOLS, Measures
from tailroom.domain.verdicts.budget import (
    ACT_LIMITS_1,
    ACT_PERFORMANCE_1,
    FRAUD_250_PARALLEL_1,
    FRAUD_250_SEQUENTIAL_1,
    M2G2_1,
    SYNC_WRITE_1,
)
from tailroom.domain.verdicts.budget_kinds import Budget
from tailroom.domain.verdicts.evidence import TRANSACTION

READ = "read"
READ_NAMES = (READ, "get", "select")
"""Names of a read, `read` (YCSB, asbench, Aerospike's Java benchmark, fio, ACT) before `get` (others)."""
READ_STAND_INS = (*READ_NAMES, "transaction", "event")
"""Every operation that may be a read. pgbench and sysbench state in their parameters or counts whether a
transaction or event is one.
"""
TOTALS = frozenset({"total", "all"})
"""Names of sums of all operations, which some tools record besides single operations."""
_PARTS_OF_COMPOSED = {"read-modify-write": frozenset({"read", "update"})}
"""Operations that YCSB also counts under their parts."""
_NO_REQUESTS = frozenset({"cleanup"})
"""Operations that are no requests: YCSB's clients close their connections."""
_FAILED_SUFFIX = "-failed"
"""Suffix of YCSB's names for failed calls; they count as failed operations of the name without it."""

_FRAUD: tuple[Budget, ...] = (FRAUD_250_SEQUENTIAL_1, FRAUD_250_PARALLEL_1)
_BY_MEASURES: Mapping[Measures, tuple[Budget, ...]] = {
    Measures.KEY_VALUE: (*_FRAUD, M2G2_1),
    Measures.RECORDS: _FRAUD,
}
_OF_UPLOADS: Mapping[str, tuple[Budget, ...]] = {
    "act-storage": (ACT_LIMITS_1, ACT_PERFORMANCE_1, *_FRAUD),
    "fraud": (FRAUD_250_SEQUENTIAL_1,),
    "fraud-transaction": (FRAUD_250_SEQUENTIAL_1,),
    "sync-write": (SYNC_WRITE_1,),
    **{tool.name: _BY_MEASURES[tool.measures] for tool in TOOLS if tool.measures in _BY_MEASURES},
}
"""Built-in budgets by workload of uploaded runs, from the table of tools.

ACT's rules are for ACT's own load on a drive: they judge no other tool, and no budget judges its test of an
index, whose reads are no reads of records. The stress test is not about latencies and is judged on demand.
M2G2 is about a single server of key-value requests.
"""
UPLOADED_WORKLOADS = tuple(_OF_UPLOADS)

_PGBENCH_SELECT_ONLY = "<builtin: select only>"

_PRODUCTION = frozenset(tool.name for tool in TOOLS if tool.measures is Measures.PRODUCTION)


def is_production(tool: str | None) -> bool:
    """Return whether runs of this tool count requests of real clients, whose load is unknown."""
    return tool in _PRODUCTION


def load_text(tool: str | None, *, closed_loop: bool) -> str:
    """Return how the load of a run was generated, in words."""
    if is_production(tool):
        return "requests of real clients; how they came is not on record"
    return "closed loop: no response times" if closed_loop else "open loop"


def budgets_for_uploads(workload: str) -> tuple[Budget, ...]:
    """Return the built-in budgets for uploaded runs of a workload; empty for other workloads."""
    return _OF_UPLOADS.get(workload, ())


_OF_MACHINES = frozenset(tool.name for tool in TOOLS if tool.measures is Measures.MACHINE)


def is_machine_log(tool: str | None) -> bool:
    """Return whether a tool logs averages of a machine, which prove nothing about operations."""
    return tool in _OF_MACHINES


def read_operation(
    tool: str | None,
    operations: Collection[str],
    parameters: Mapping[str, object],
    counts: Mapping[str, float],
) -> str | None:
    """Return the name of the operation of a run that reads one record; None if there is none or if that is
    not certain. `counts` are numbers of operations by the tool's own names.
    """
    for name in READ_NAMES:
        if name in operations:
            # Each `get` of memtier_benchmark may fetch several keys at once.
            keys = parameters.get("multi_key_get")
            fetches_several = name != READ and isinstance(keys, int) and keys > 1
            return None if fetches_several else name
    if tool == "pgbench" and "transaction" in operations:
        # Each transaction is one SELECT by primary key.
        return "transaction" if parameters.get("transaction_type") == _PGBENCH_SELECT_ONLY else None
    if tool == "sysbench" and "event" in operations:
        events, reads = counts.get("event"), counts.get("read query")
        others = (counts.get("write query"), counts.get("other query"))
        return "event" if events and events == reads and others == (0, 0) else None
    return None


def requests(operations: Collection[str]) -> list[str]:
    """Return the operations that are requests. Left out are closed connections, failures, operations that are
    also counted by their parts, and sums of others unless there are only sums.
    """
    names = [name for name in operations if name not in _NO_REQUESTS and not name.endswith(_FAILED_SUFFIX)]
    names = [
        name for name in names if name not in _PARTS_OF_COMPOSED or not _PARTS_OF_COMPOSED[name] & set(names)
    ]
    single = [name for name in names if name not in TOTALS]
    return single or names


def own_operations(operations: Collection[str], read: str | None) -> tuple[str, ...]:
    """Return the operations that a question about a record's own operation may mean: `READ` if there is a
    read, by whatever name, else every request. Whole transactions count only if nothing else was measured.
    """
    if read is not None:
        return (READ,)
    names = requests(list(dict.fromkeys(operations)))
    return tuple(name for name in names if name != TRANSACTION) or tuple(names)
