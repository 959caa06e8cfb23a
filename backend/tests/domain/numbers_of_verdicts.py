"""Each budget by each kind of evidence, and by the publications and some result files."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from backend.tests.domain.verdicts.judging import explicit, published, record, run_of
from backend.tests.importers.reading import runs_of

from tailroom.catalogue.publications.dataset import read_all
from tailroom.domain.errors import DomainError
from tailroom.domain.latency.intervals import IntervalRecords
from tailroom.domain.transactions.plan import Plan, RandomCount, Scheduling, Stage
from tailroom.domain.units import NS_PER_HOUR, NS_PER_MS, NS_PER_S
from tailroom.domain.verdicts.budget import (
    ACT_LIMITS_1,
    ACT_STRESS_1,
    BUDGETS,
    FRAUD_250_SEQUENTIAL_1,
    M2G2_1,
)
from tailroom.domain.verdicts.budget_kinds import OPERATIONS_PER_S, QUANTITIES, Budget, TransactionBudget
from tailroom.domain.verdicts.evidence import (
    TRANSACTION,
    OperationEvidence,
    RateBounds,
    RunEvidence,
    with_reliability,
)
from tailroom.domain.verdicts.generator import GeneratedLoad
from tailroom.domain.verdicts.headline import scope_text
from tailroom.domain.verdicts.judge_budget import judge_budget
from tailroom.domain.verdicts.verdict import Judgement
from tailroom.evidence.file import evidence_of, judge_runs
from tailroom.evidence.publication import published_of
from tailroom.importers.parsed_run import ParsedRun

EDGES = explicit((0, NS_PER_MS, 8 * NS_PER_MS, 64 * NS_PER_MS), [970_000, 25_000, 5_000])


_FAST = RateBounds(2e9, 2e9)


def slices_of(scale: float = 1.0, usual: float = 0.001) -> IntervalRecords:
    """Slices of 10 s whose latencies are near 3 ms and now and then slow, some late, some with errors."""
    rng, pieces, slices, each = np.random.default_rng(7), [], 40, 300
    for number in range(slices):
        slow = 1.0 + 11.0 * (rng.random(each) < (0.2 if number % 10 == 9 else usual))
        at_ns = (rng.normal(3e6, 5e5, each).clip(1e5) * slow * scale).astype(np.int64) // 100_000 * 100_000
        values, amounts = np.unique(at_ns, return_counts=True)
        pieces.append(
            record(
                dict(zip(values.tolist(), amounts.tolist(), strict=True)), int(number == 20), (8 * NS_PER_MS,)
            )
        )
    length_ns = 10 * NS_PER_S
    records = IntervalRecords.of(pieces, np.arange(slices) * length_ns, np.full(slices, length_ns))
    late = {
        "lateness_p99_ns": np.where(np.arange(slices) % 10 == 9, 2 * NS_PER_MS, 50_000),
        "busy_ns": np.where(np.arange(slices) == 5, length_ns * 97 // 100, length_ns // 2),
    }
    return replace(records, optional_columns={**records.optional_columns, **late})


def _runs() -> dict[str, RunEvidence]:
    """One run of each kind of evidence."""
    slices, slow = (
        OperationEvidence("read", "response", slices.total(), slices, measured_ns=slices.end_ns)
        for slices in (slices_of(), slices_of(0.25))
    )
    late = slices_of(0.05, usual=0.0)
    fast = OperationEvidence("read", "response", late.total(), late, measured_ns=late.end_ns)
    plan = FRAUD_250_SEQUENTIAL_1.plan
    sums = record({700 * NS_PER_MS: 39_990, 950 * NS_PER_MS: 5, 1_200 * NS_PER_MS: 5})
    whole = OperationEvidence(TRANSACTION, "response", sums, issued=plan)
    single = OperationEvidence("read", "response", record({2_800_000: 10**7, 20_000_000: 3_000}, misses=7))
    stated = published(n=100_000, mean_ns=70_930, percentiles=[[0.95, 129_000], [0.9999, 900_000]])
    rates = {OPERATIONS_PER_S: RateBounds(9e5, 1.1e6)}
    return {
        "slices": RunEvidence((slices,)),
        "unreliable": RunEvidence((with_reliability(slow),)),
        "fast, late": RunEvidence((with_reliability(fast),), rates=dict.fromkeys(QUANTITIES, _FAST)),
        "constant": run_of([record({NS_PER_MS: 1_000})] * 30),
        "refuted": RunEvidence(
            (single, replace(whole, record=record({700 * NS_PER_MS: 390, 2 * NS_PER_S: 9})))
        ),
        "longer": RunEvidence((single, replace(whole, issued=Plan.sequential("read", 300)))),
        "transactions": RunEvidence((single, whole), measured_ns=30 * NS_PER_HOUR, completed=True),
        "edges": run_of(EDGES, generation=GeneratedLoad(10**6, 985_000)),
        "published": replace(run_of(stated), rates=rates, completed=False, is_published=True),
        "closed loop": run_of(EDGES, closed_loop=True),
    }


_FEW_BUDGETS = (FRAUD_250_SEQUENTIAL_1, M2G2_1)
_RUNS_OF_ALL = ("slices", "unreliable", "transactions", "edges", "published", "closed loop")
_RUNS_OF_OWN = ("slices", "transactions")


def of_verdicts() -> Any:
    """Each budget by each kind of evidence."""
    plan = Plan(
        (
            Stage("read", RandomCount({20: 0.5, 60: 0.5}), overhead_ns=NS_PER_MS),
            Stage("read", 40, 8, Scheduling.POOL),
            Stage("read", 10, 10, Scheduling.PARALLEL),
        )
    )
    own = TransactionBudget("own", 1, "", "", plan, 300 * NS_PER_MS, 0.99, reserve_ns=20 * NS_PER_MS)
    return {
        f"{name}, {budget.name}": {
            **document,
            **{scope: [document[scope], scope_text(document, scope)] for scope in ("observed", "proven")},
            "budget": None,
            "criteria": None,
        }
        for name, run in _runs().items()
        for budget in (*BUDGETS, own)
        if budget in _FEW_BUDGETS or (name in _RUNS_OF_ALL and (budget is not own or name in _RUNS_OF_OWN))
        for document in (judge_budget(budget, run, bins=1 << 10).document(),)
    }


_FILES = (
    *("fio/psync.json", "fio/normal_two.txt", "memtier/given2.stdout.txt", "ycsb/y5.stdout.txt"),
    *("wrk/wrk2.txt", "redis_benchmark/r3_quiet.txt", "hdr_log/memtier_SET_command_run_1.hgrm"),
    *("sysbench/s2_fileio_rndrw_report.txt", "agent/fraud-null-4s.ndjson", "pgbench/mix.txt"),
)
"""Samples of result files."""


def of_result_files() -> Any:
    """The verdicts on samples of result files by some built-in budgets, or why there is none."""

    def verdict(runs: Sequence[ParsedRun], budget: Budget) -> Any:
        try:
            found, used = judge_runs(runs, budget)
            evidence, _ = evidence_of(runs, budget)
        except DomainError as error:
            return str(error)
        facts = (evidence.rates, evidence.completed, evidence.completion_text, evidence.unknown)
        return [[each.line for each in used], _brief(found.judgement), found.data_through_ns, facts]

    return {
        name: [verdict(runs, budget) for budget in (ACT_LIMITS_1, M2G2_1, ACT_STRESS_1)]
        for name in _FILES
        for runs in (runs_of(name),)
    }


def _brief(judgement: Judgement) -> Any:
    scopes = (judgement.observed, judgement.proven)
    return [judgement.verdict, judgement.strength, judgement.reason, judgement.unproven, *scopes]


def of_published_configurations() -> Any:
    """What each configuration of the publications is, and its verdict by two budgets."""
    found = {}
    for each in (part for document in read_all() for part in published_of(document)):
        verdicts = [judge_budget(budget, each.evidence(budget)) for budget in (ACT_LIMITS_1, M2G2_1)]
        operations = [[part.operation, part.clock, part.record.mean_ns] for part in each.operations_for(None)]
        facts = [each.row, each.workload, each.tool, each.rates, each.note, each.parameters, each.measured_ns]
        found[each.label] = [facts, operations, [_brief(verdict.judgement) for verdict in verdicts]]
    return found
