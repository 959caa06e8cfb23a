"""Evidence of the offline page about transactions: operations in groups of slices, as counts.

From it the page calculates the model of independent operations (`frontend/src/offline/plan-model.ts`), as
`plan_model` does. Calculated here from every slice, because they depend only on which operations a
transaction has: groups, design effects of blocks (as many operations as a transaction has), and whether
measured transactions refute the model.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.transactions.group_distributions import GroupDistributions, Masses
from tailroom.domain.transactions.plan import RandomCount, Stage
from tailroom.domain.verdicts.block_counts import BlockCounts
from tailroom.domain.verdicts.budget_kinds import TransactionBudget
from tailroom.domain.verdicts.evidence import TRANSACTION, OperationEvidence, RunEvidence
from tailroom.domain.verdicts.other_tools import READ
from tailroom.domain.verdicts.plan_groups import PlanGroups, prepared
from tailroom.domain.verdicts.refutation import refutation_of


def model_document(used: Mapping[str, OperationEvidence]) -> dict[str, Any] | None:
    """Return the groups of slices of a transaction's operations, and the figures of each operation (`parts`).

    None if any operation has no counts. Lists are in the order of `used`, which has the operations by name.
    `groups` is null if the slices cannot be grouped, `shorter` if there are no groups of shorter slices.
    """
    if not all(isinstance(used[name].record, LatencyDist) and used[name].record.total for name in used):
        return None
    joined = prepared(used)
    return {
        "most_steps": joined.most_steps,
        "parts": [_part(used[name], joined.blocks[name]) for name in used],
        "groups": None if joined.groups is None else _groups(joined.groups, list(used)),
        "shorter": None if joined.shorter is None else _groups(joined.shorter, list(used)),
    }


def _part(operation: OperationEvidence, blocks: BlockCounts) -> dict[str, Any]:
    """Return the figures of one operation that do not depend on groups; null if not known.

    `slice_totals` has the distinct numbers of operations in a slice, ascending, and how often each occurs.
    `block_factors` has the design effect for each block size.
    """
    record = operation.record
    assert isinstance(record, LatencyDist)  # noqa: S101 - `model_document` lets no other record in
    sizes, number = np.unique(blocks.totals, return_counts=True)
    mean = record.mean_ns
    return {
        "mean_upper_ns": None if mean is None else mean[1],
        "sum_ns": record.sum_ns,
        "slice_totals": [sizes.tolist(), number.tolist()],
        "block_factors": list(blocks.factors),
    }


def measured_document(
    transactions: OperationEvidence, reads: OperationEvidence | None
) -> dict[str, Any] | None:
    """Return the plan of measured transactions, and whether they refute the model by `reads` (false if None).

    None if `transactions` are another operation, or their plan is not known.
    """
    if transactions.operation != TRANSACTION or transactions.issued is None:
        return None
    operations = (transactions,) if reads is None else (reads, transactions)
    refutation = refutation_of(RunEvidence(operations)) if reads and reads.operation == READ else None
    return stage_document(transactions.issued.only_stage) | {
        "contradicts": refutation is not None and refutation.is_refuted
    }


def transactions_document(budget: TransactionBudget) -> dict[str, Any]:
    """Return the question of a transaction budget in the form that the page reads."""
    return {
        "kind": "transactions",
        "plan": [stage_document(stage) for stage in budget.plan.stages],
        "window_ns": budget.reads_window_ns,
        "objective": budget.objective_ratio,
    }


def stage_document(stage: Stage) -> dict[str, Any]:
    """Return a stage of a plan for the page; a random count is a list of pairs of number and probability."""
    count = stage.count
    return {
        "operation": stage.operation,
        "count": [list(pair) for pair in count.weights.items()] if isinstance(count, RandomCount) else count,
        "fan_out": stage.fan_out,
        "scheduling": stage.scheduling.value,
        "overhead_ns": stage.overhead_ns,
    }


def _groups(groups: PlanGroups, names: Sequence[str]) -> dict[str, Any]:
    """Return groups of slices with their weights and, for each of `names` in order, the buckets by group."""
    coarser = groups.coarser
    return {
        "pieces": groups.slice_count,
        "outside": groups.outside_ratio,
        "operations_of_a_piece": groups.operations_per_slice,
        "weights": groups.weights.tolist(),
        "cells": [_cells(groups.distributions[name]) for name in names],
        "coarser": None if coarser is None else [_cells(coarser.distributions[name]) for name in names],
    }


def _cells(distributions: GroupDistributions) -> list[dict[str, Any]]:
    """Return for each group its buckets; raise ValueError if the distributions have no counts."""
    if distributions.totals is None:
        raise ValueError("these bounds are no counts")
    return [
        _cells_of(distributions.early, distributions.late, group, int(total))
        for group, total in enumerate(distributions.totals)
    ]


def _cells_of(early: Masses, late: Masses, group: int, total: int) -> dict[str, Any]:
    """Return the buckets of one group: gap to the previous bucket, width (None: open), both in ns, and count.

    These differences compress well. `early` and `late` have the counts at the lower and upper ends of
    buckets.
    """
    low, ratio = early.group_masses(group)
    high, _ = late.group_masses(group)
    lower = low.astype(np.int64)
    upper = high.astype(np.int64)
    # A cell without an upper end is the last of its group.
    ends = np.concatenate((np.zeros(1, np.int64), upper))[: lower.size]
    widths: list[int | None] = (upper - lower[: upper.size]).tolist()
    widths += [None] * (lower.size - upper.size)
    return {
        "total": total,
        "gaps": (lower - ends).tolist(),
        "widths": widths,
        "counts": np.rint(ratio * total).astype(np.int64).tolist(),
    }
