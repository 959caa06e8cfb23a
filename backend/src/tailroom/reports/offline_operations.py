"""Operations of a run by the names that questions use, for the page that works without a server."""

from tailroom.domain.errors import DomainError
from tailroom.domain.latency.distribution import LatencyDist
from tailroom.domain.units import NS_PER_S
from tailroom.domain.verdicts.budget_kinds import EVERY_OPERATION, PercentileBudget, QuantileLimit
from tailroom.domain.verdicts.evidence import OperationEvidence
from tailroom.domain.verdicts.other_tools import READ, is_machine_log
from tailroom.evidence.file import OperationCache, evidence_of, own_operations_of
from tailroom.importers.parsed_run import ParsedRun


class OperationsOfRun:
    """The operations of a run, each once, by the names that questions use.

    A look-up appends an operation to `operations` if it is new; the index of an operation never changes.
    """

    def __init__(self, run: ParsedRun) -> None:
        self.operations: list[OperationEvidence] = []
        self._run = run
        self._known: OperationCache = {}
        self._is_judged = not is_machine_log(run.tool)

    def evidence(self, operation: str) -> tuple[OperationEvidence, ...]:
        """Return the evidence of the operations that a name means; raise DomainError for an unclear name."""
        budget = PercentileBudget("page", 1, "", "", operation, (QuantileLimit(0.5, NS_PER_S),))
        evidence, _ = evidence_of([self._run], budget, cache=self._known)
        return evidence.operations

    def are_counted(self, operation: str) -> bool:
        """Return whether every operation that a name means has counts, so that the page can judge it.

        True for an unclear name too, because the page refuses it by the names alone.
        """
        try:
            operations = self.evidence(operation)
        except DomainError:
            return True
        return all(isinstance(entry.record, LatencyDist) for entry in operations)

    def of(self, name: str) -> int | str | None:
        """Return the index in `operations` of the operation that a name means, added if new.

        None if there is none, the run is a machine's log, or `read` is unclear. A text with the reason if
        another name is unclear, or the operation has no counts.
        """
        if not self._is_judged:
            return None
        try:
            named = next(entry for entry in self.evidence(name) if entry.operation == name)
        except StopIteration:
            return None
        except DomainError as error:
            return None if name == READ else str(error)
        return self._index_of(named)

    def every(self) -> list[int]:
        """Return the indices of the operations that a question about all operations means, by name, added if
        new.

        Operations without counts are left out. Empty for a machine's log, and if no series is of requests.
        """
        try:
            meant = self.evidence(EVERY_OPERATION) if self._is_judged else ()
        except DomainError:
            return []
        operations = sorted(meant, key=lambda operation: operation.operation)
        indices = (self._index_of(operation) for operation in operations)
        return [index for index in indices if isinstance(index, int)]

    @property
    def reads(self) -> OperationEvidence | None:
        """Reads that measured transactions are compared with; None without reads or without their counts."""
        index = self.of(READ)
        return self.operations[index] if isinstance(index, int) else None

    def _index_of(self, operation: OperationEvidence) -> int | str:
        """Return the index of an operation, added if new; the reason as a text if it has no counts."""
        if not isinstance(operation.record, LatencyDist):
            return f"{operation.operation} is known by percentiles, not by counts: this page cannot judge it"
        for index, earlier in enumerate(self.operations):
            is_same_name = (earlier.operation, earlier.clock) == (operation.operation, operation.clock)
            if is_same_name and earlier.record is operation.record:
                return index
        self.operations.append(operation)
        return len(self.operations) - 1


def own_operations(run: ParsedRun) -> list[str]:
    """Return the operations that a question without an operation may mean; empty if that is unclear."""
    try:
        return list(own_operations_of([run]))
    except DomainError:
        return []
