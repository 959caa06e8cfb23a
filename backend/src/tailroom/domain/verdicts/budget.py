"""The built-in budgets, named and versioned; a changed rule is a new version, never an edit.

Verdicts store name and version of their budget, so that older verdicts remain valid; a test pins the
fingerprint of every document. Sources: docs/method.md section 6.1 (rules of the Aerospike Certification
Tool), the fraud check, and the Redis/Samsung paper on the PM1725 (M2G2).
"""

from tailroom.domain import act
from tailroom.domain.errors import DomainError
from tailroom.domain.transactions.plan import Plan, Scheduling, Stage
from tailroom.domain.units import NS_PER_MS, NS_PER_S
from tailroom.domain.verdicts.budget_kinds import (
    DISK_BYTES_PER_S,
    EVERY_OPERATION,
    NETWORK_BITS_PER_S,
    OPERATIONS_PER_S,
    Budget,
    Certification,
    CompletionBudget,
    ExceedanceBudget,
    Floor,
    Limit,
    PercentileBudget,
    QuantileLimit,
    RuleSet,
    ThroughputBudget,
    TransactionBudget,
)


class BudgetUnknown(DomainError):
    """No budget of this name and version."""


_ACT_LIMITS = tuple(Limit(at_ns, ratio) for at_ns, ratio in act.LIMITS.items())

ACT_LIMITS_1 = ExceedanceBudget(
    name="act-limits",
    version=1,
    title="ACT limits",
    question="Do fewer than 5 % of the reads take 1 ms or longer, 1 % 8 ms, and 0.1 % 64 ms?",
    operation="read",
    limits=_ACT_LIMITS,
    certification=Certification(act.LENGTH_NS),
)

ACT_PERFORMANCE_1 = ExceedanceBudget(
    name="act-performance",
    version=1,
    title="ACT performance test",
    question="In every full hour of a day, do fewer than 5 % of the reads take 1 ms or longer, 1 % 8 ms, "
    "and 0.1 % 64 ms?",
    operation="read",
    limits=_ACT_LIMITS,
    certification=Certification(act.LENGTH_NS, decides=True),
)

ACT_STRESS_1 = CompletionBudget(
    name="act-stress",
    version=1,
    title="ACT stress test",
    question="Does the run reach its end after a day at its load, however slow single reads are?",
    duration_ns=act.LENGTH_NS,
)

FRAUD_250_SEQUENTIAL_1 = TransactionBudget(
    name="fraud-250-sequential",
    version=1,
    title="250 reads in 1 s",
    question="Do 99.9 % of transactions finish 250 reads, one after another, within 1 s?",
    plan=Plan.sequential("read", 250),
    window_ns=NS_PER_S,
    objective_ratio=0.999,
)

FRAUD_250_PARALLEL_1 = TransactionBudget(
    name="fraud-250-parallel",
    version=1,
    title="250 reads at once in 1 s",
    question="Do 99.9 % of transactions finish 250 reads, all at once, within 1 s?",
    plan=Plan((Stage("read", 250, fan_out=250, scheduling=Scheduling.PARALLEL),)),
    window_ns=NS_PER_S,
    objective_ratio=0.999,
)

M2G2_1 = RuleSet(
    name="m2g2",
    version=1,
    title="M2G2, with 99.99 % of requests under 1 ms",
    question="Does one server do more than 1 million operations per second, 99.99 % of them in less than "
    "1 ms, with more than 1 GB/s of disk and 1 Gbit/s of network throughput?",
    criteria=(
        ThroughputBudget(
            name="m2g2-throughput",
            version=1,
            title="More than 1 million operations, 1 GB and 1 Gbit per second",
            question="Are operations over 1 million, disk bytes and network bits over 10⁹ per second?",
            floors=(
                Floor(OPERATIONS_PER_S, 1e6),
                Floor(DISK_BYTES_PER_S, 1e9),
                Floor(NETWORK_BITS_PER_S, 1e9),
            ),
        ),
        PercentileBudget(
            name="m2g2-latency",
            version=1,
            title="99.99 % of requests under 1 ms",
            question="Do 99.99 % of the requests of every operation take less than 1 ms?",
            operation=EVERY_OPERATION,
            limits=(QuantileLimit(0.9999, NS_PER_MS),),
        ),
    ),
)
"""The paper requires "sub-millisecond" latency without a statistic. It prints means (0.82 and 0.91 ms) and
the share of requests below 1 ms (99.99 %). A mean does not bound any request, so the budget uses the share.
"""

SYNC_WRITE_1 = PercentileBudget(
    name="sync-write",
    version=1,
    title="Synchronous writes in 10 ms",
    question="Do 99 % of the writes become durable in less than 10 ms, each with an fdatasync of its own?",
    operation="sync-write",
    limits=(QuantileLimit(0.99, 10 * NS_PER_MS),),
    clock="service",
)
"""What etcd asks of the drive under its log: the 99th percentile of fdatasync below 10 ms. Each write waits
for the write before, so the service time is the waiting time.
"""

BUDGETS: tuple[Budget, ...] = (
    ACT_LIMITS_1,
    ACT_PERFORMANCE_1,
    ACT_STRESS_1,
    FRAUD_250_SEQUENTIAL_1,
    FRAUD_250_PARALLEL_1,
    M2G2_1,
    SYNC_WRITE_1,
)

_BY_WORKLOAD: dict[str, tuple[Budget, ...]] = {
    "act-storage": (ACT_LIMITS_1, FRAUD_250_SEQUENTIAL_1),
    "fraud-transaction": (FRAUD_250_SEQUENTIAL_1,),
    "fraud": (FRAUD_250_SEQUENTIAL_1,),
    "sync-write": (SYNC_WRITE_1,),
}


def budget_of(name: str, version: int | None = None) -> Budget:
    """Return a built-in budget, without a version the newest of its name. Raise BudgetUnknown."""
    matches = [budget for budget in BUDGETS if budget.name == name and version in (None, budget.version)]
    if matches:
        return max(matches, key=lambda budget: budget.version)
    if version is not None and any(budget.name == name for budget in BUDGETS):
        versions = ", ".join(str(budget.version) for budget in BUDGETS if budget.name == name)
        raise BudgetUnknown(f"there is no version {version} of the budget {name!r}; there is {versions}")
    names = ", ".join(sorted({budget.name for budget in BUDGETS}))
    raise BudgetUnknown(f"there is no budget {name!r}; there are {names}")


def budgets_for(workload: str) -> tuple[Budget, ...]:
    """Return the built-in budgets by which a run of this workload is judged; empty for other workloads."""
    return _BY_WORKLOAD.get(workload, ())
