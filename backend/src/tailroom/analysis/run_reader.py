"""Read access of an organisation to a run, in short transactions.

Pictures are computed without a connection: their data are read in short transactions first.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.budgets.service import budgets_shown
from tailroom.domain.verdicts.budget_kinds import Budget
from tailroom.kit.deadlines import check
from tailroom.kit.transactions import Transactions
from tailroom.records.repository import measured_series
from tailroom.records.run_record import RunRecord, load_record
from tailroom.runs.service import get_run
from tailroom.storage.run import Run


@dataclass(frozen=True, slots=True)
class RunReader:
    """A run that the organisation may read, its own or a public one, with access to its data."""

    organisation_id: UUID
    run: Run
    _transactions: Transactions

    @classmethod
    def of(cls, transactions: Transactions, organisation_id: UUID, run_id: UUID) -> "RunReader":
        """Return the reader of a run. Raise RunUnknown, RunRetracted or RunDeleted if it may not be read."""
        with transactions() as session:
            return cls(organisation_id, get_run(session, organisation_id, run_id), transactions)

    @property
    def run_id(self) -> UUID:
        """Id of the run."""
        return self.run.run_id

    @contextmanager
    def transactions(self) -> Iterator[Session]:
        """Open a transaction; of another organisation's run, check first as `get_run` that it may be read."""
        check()
        with self._transactions() as session:
            if self.run.organisation_id != self.organisation_id:
                get_run(session, self.organisation_id, self.run_id)
            yield session

    def devices(self) -> list[str]:
        """Return the sorted names of devices that have series of their own; empty if there are none."""
        with self.transactions() as session:
            series = measured_series(session, self.run_id)
        return sorted({row.device for row, _ in series if row.device is not None})

    def record_of_device(self, device: str) -> RunRecord:
        """Return the data of the series of a single device; without operations if it has none."""
        with self.transactions() as session:
            return load_record(session, self.run, device=device, transactions=self.transactions)

    def record(self) -> tuple[RunRecord, tuple[Budget, ...]]:
        """Return the stored data of the run, and the budgets of the run that the organisation may see."""
        with self.transactions() as session:
            record = load_record(session, self.run, transactions=self.transactions)
            return record, budgets_shown(session, self.run, self.organisation_id)
