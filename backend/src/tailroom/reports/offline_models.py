"""What the page for later holds to answer about transactions: an operation in groups of slices, as counts.

The page works out the model of single operations from it (`frontend/src/offline/plan-model.ts`), as
`plan_model` does. Groups, design effects of blocks and whether measured transactions refute the model are
computed here, from every slice: they depend on no question. Plans of several operations are not in it.
"""

from typing import Any

import numpy as np

from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.transactions.group_laws import GroupLaws, Masses
from tailroom.domain.transactions.plan import Plan
from tailroom.domain.verdicts.evidence import TRANSACTION, OperationEvidence, RunEvidence
from tailroom.domain.verdicts.other_tools import READ
from tailroom.domain.verdicts.plan_groups import Groups, prepared
from tailroom.domain.verdicts.refutation import refutation_of


def model_document(operation: OperationEvidence) -> dict[str, Any] | None:
    """Return the groups and blocks of an operation's record; None without operations."""
    record = operation.record
    if not isinstance(record, LatencyDist) or not record.total:
        return None
    name = operation.operation
    groups = prepared({name: operation})
    blocks = groups.blocks[name]
    sizes, number = np.unique(blocks.totals, return_counts=True)
    mean = record.mean_ns
    return {
        "most_steps": groups.most_steps,
        "mean_upper_ns": None if mean is None else mean[1],
        "sum_ns": record.sum_ns,
        "slice_totals": [sizes.tolist(), number.tolist()],
        "block_factors": list(blocks.factors),
        "groups": None if isinstance(groups.groups, str) else _groups(groups.groups, name),
        "shorter": None if groups.shorter is None else _groups(groups.shorter, name),
    }


def measured_document(
    transactions: OperationEvidence, reads: OperationEvidence | None
) -> dict[str, Any] | None:
    """Return the plan of measured transactions, and whether they refute the model of their reads.

    None where their plan is not on record.
    """
    if transactions.operation != TRANSACTION or transactions.issued is None:
        return None
    operations = (transactions,) if reads is None else (reads, transactions)
    refutation = refutation_of(RunEvidence(operations)) if reads and reads.operation == READ else None
    return stage_document(transactions.issued) | {
        "contradicts": refutation is not None and refutation.is_refuted
    }


def stage_document(plan: Plan) -> dict[str, Any]:
    """Return the single stage of a plan."""
    stage = plan.only_stage
    return {
        "count": stage.largest_count,
        "fan_out": stage.fan_out,
        "scheduling": stage.scheduling.value,
        "overhead_ns": stage.overhead_ns,
    }


def _groups(groups: Groups, name: str) -> dict[str, Any]:
    coarser = groups.coarser
    return {
        "pieces": groups.pieces,
        "outside": groups.outside,
        "operations_of_a_piece": groups.operations_of_a_piece,
        "weights": groups.weights.tolist(),
        "cells": _cells(groups.laws[name]),
        "coarser": None if coarser is None else _cells(coarser.laws[name]),
    }


def _cells(laws: GroupLaws) -> list[dict[str, Any]]:
    """Return the cells of each group: gap to the cell before, width (None: open), count: these pack well."""
    if laws.totals is None:
        raise ValueError("these bounds are no counts")
    return [_cells_of(laws.early, laws.late, group, int(total)) for group, total in enumerate(laws.totals)]


def _cells_of(early: Masses, late: Masses, group: int, total: int) -> dict[str, Any]:
    low, ratio = early.of_group(group)
    high, _ = late.of_group(group)
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
