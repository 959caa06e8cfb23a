"""Which operation is a read, for each tool, and which is no request."""

import pytest

from tailroom.domain.verdicts.budget import BUDGETS, budgets_for
from tailroom.domain.verdicts.other_tools import (
    UPLOADED_WORKLOADS,
    budgets_for_uploads,
    read_operation,
    requests,
)


@pytest.mark.parametrize("workload", ["act-storage", "fraud-transaction", "fraud"])
def test_a_file_of_the_agent_is_asked_what_its_stream_is_asked(workload: str) -> None:
    assert set(budgets_for(workload)) <= set(budgets_for_uploads(workload))


@pytest.mark.parametrize(
    ("tool", "operations", "parameters", "counts", "read"),
    [
        ("ycsb", ["read", "update", "cleanup"], {}, {}, "read"),
        ("memtier_benchmark", ["set", "get"], {"multi_key_get": 0}, {}, "get"),
        ("memtier_benchmark", ["set", "get"], {"multi_key_get": 16}, {}, None),
        ("redis-benchmark", ["get", "set", "incr"], {}, {}, "get"),
        ("memtier_benchmark", ["hset", "hgetall"], {}, {}, None),
        ("memtier_benchmark", ["total"], {}, {}, None),
        ("pgbench", ["transaction"], {"transaction_type": "<builtin: select only>"}, {}, "transaction"),
        ("pgbench", ["transaction"], {"transaction_type": "<builtin: TPC-B (sort of)>"}, {}, None),
        ("pgbench", ["transaction"], {}, {}, None),
        ("tailroom-agent", ["transaction"], {}, {}, None),
        (
            "sysbench",
            ["event"],
            {},
            {"event": 9.0, "read query": 9.0, "write query": 0.0, "other query": 0.0},
            "event",
        ),
        (
            "sysbench",
            ["event"],
            {},
            {"event": 9.0, "read query": 90.0, "write query": 0.0, "other query": 0.0},
            None,
        ),
        ("sysbench", ["event"], {}, {"event": 9.0, "read query": 9.0}, None),
        ("sysbench", ["event"], {}, {}, None),
        (None, ["select", "update"], {}, {}, "select"),
    ],
)
def test_reads(
    tool: str | None,
    operations: list[str],
    parameters: dict[str, object],
    counts: dict[str, float],
    read: str | None,
) -> None:
    assert read_operation(tool, operations, parameters, counts) == read


@pytest.mark.parametrize(
    ("operations", "kept"),
    [
        (["read", "update", "cleanup", "read-failed"], ["read", "update"]),
        (["read", "update", "read-modify-write"], ["read", "update"]),
        (["read-modify-write"], ["read-modify-write"]),
        (["total", "get", "set"], ["get", "set"]),
        (["total"], ["total"]),
        (["cleanup"], []),
    ],
)
def test_requests(operations: list[str], kept: list[str]) -> None:
    assert requests(operations) == kept


def test_uploads_are_judged_by_built_in_budgets() -> None:
    for workload in UPLOADED_WORKLOADS:
        assert set(budgets_for_uploads(workload)) <= set(BUDGETS)
    assert budgets_for_uploads("jhiccup") == ()
