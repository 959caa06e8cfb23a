"""What somebody wants met, as named and versioned budgets; a changed rule is a new version, never an edit.

Verdicts keep name and version of the budget they judged, so that older ones stay true to their words.
Sources: METHOD.md section 6.1 (limits of the Aerospike Certification Tool) and PRODUCT.md (the fraud check).
"""

from dataclasses import dataclass

from tailroom.domain.errors import DomainError
from tailroom.domain.transactions.sequential import check_question
from tailroom.domain.units import NS_PER_HOUR, NS_PER_MS, NS_PER_S

CLOCKS = ("response", "service", "operation", "queue")
"""Clocks in the order in which a verdict prefers them: what a user waits, then what the device takes."""


@dataclass(frozen=True, slots=True)
class Limit:
    """Strictly less than `ratio` of the operations may take `threshold_ns` or longer."""

    threshold_ns: int
    ratio: float


@dataclass(frozen=True, slots=True)
class ExceedanceBudget:
    """Limits on the share of slow operations, during a run and, to certify, in every full hour of a day."""

    name: str
    version: int
    title: str
    question: str
    operation: str
    limits: tuple[Limit, ...]
    certification_duration_ns: int
    certification_slice_ns: int = NS_PER_HOUR


@dataclass(frozen=True, slots=True)
class TransactionBudget:
    """A share `objective_ratio` of transactions must end their reads within the window less the reserve."""

    name: str
    version: int
    title: str
    question: str
    reads: int
    window_ns: int
    objective_ratio: float
    reserve_ns: int = 0
    read_operation: str = "read"
    transaction_operation: str = "transaction"

    def __post_init__(self) -> None:
        check_question(self.reads, self.reads_window_ns, self.objective_ratio)

    @property
    def reads_window_ns(self) -> int:
        """What the reserve leaves of the window for the reads."""
        return self.window_ns - self.reserve_ns


Budget = ExceedanceBudget | TransactionBudget


class BudgetUnknown(DomainError):
    """No budget of this name and version."""


ACT_LIMITS_1 = ExceedanceBudget(
    name="act-limits",
    version=1,
    title="ACT limits",
    question="Do fewer than 5 % of the reads take 1 ms or longer, 1 % 8 ms, and 0.1 % 64 ms?",
    operation="read",
    limits=(Limit(NS_PER_MS, 0.05), Limit(8 * NS_PER_MS, 0.01), Limit(64 * NS_PER_MS, 0.001)),
    certification_duration_ns=24 * NS_PER_HOUR,
)

FRAUD_250_SEQUENTIAL_1 = TransactionBudget(
    name="fraud-250-sequential",
    version=1,
    title="250 reads in 1 s",
    question="Do 99.9 % of transactions finish 250 reads, one after another, within 1 s?",
    reads=250,
    window_ns=NS_PER_S,
    objective_ratio=0.999,
)

BUDGETS: tuple[Budget, ...] = (ACT_LIMITS_1, FRAUD_250_SEQUENTIAL_1)

_OF_WORKLOAD: dict[str, tuple[Budget, ...]] = {
    "act-storage": (ACT_LIMITS_1, FRAUD_250_SEQUENTIAL_1),
    "fraud-transaction": (FRAUD_250_SEQUENTIAL_1,),
}


def budget_of(name: str, version: int) -> Budget:
    """The budget of this name and version."""
    for budget in BUDGETS:
        if (budget.name, budget.version) == (name, version):
            return budget
    raise BudgetUnknown(f"there is no budget {name} version {version}")


def budgets_for(workload: str) -> tuple[Budget, ...]:
    """Budgets that a run of this workload is judged by."""
    return _OF_WORKLOAD.get(workload, ())
