"""Cached evidence of stored runs for interactive answers.

It is the evidence of the stored verdicts, reduced to the results that questions need
(`domain.verdicts.compaction`), so that a question has the same answer on every page.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Lock
from typing import Any
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.domain.errors import DomainError
from tailroom.domain.verdicts.compaction import compact_evidence
from tailroom.domain.verdicts.evidence import RunEvidence
from tailroom.evidence.run import evidence_of, measured_ns
from tailroom.records import repository
from tailroom.records.cache import RecordCache
from tailroom.records.run_record import RunRecord, load_record
from tailroom.storage.run import FINISHED, Run

_BYTES_PER_BUCKET = 32
_BYTES_PER_RECORD = 4096
_BUCKETS_PER_RECORD = 4096
_BYTES_PER_SLICE_BUCKET = 64
"""Three masses (lower, upper, middle) in the coarser buckets of two digits, half as many or fewer."""
_GROUPS_MAX = 2 * 24


@dataclass(eq=False)
class StoredEvidence:
    """Evidence of a stored run: compact, for the cache, or with its slices. `is_final`: the run was finished
    and its data completely aggregated.
    """

    read: RunEvidence
    """The evidence with its slices over time, or after the first use of `evidence` its compact form."""
    is_final: bool
    contradiction: DomainError | None = None
    """The contradiction between series, None without any; with it the evidence has no operations."""
    plans: frozenset[tuple[str, ...]] | None = None
    """Plans that may be asked about before compaction, as operations in order; any other plan raises KeyError
    after it. None: the evidence is not compacted, or already compact.
    """
    _lock: Any = field(default_factory=Lock)

    @property
    def evidence(self) -> RunEvidence:
        """The evidence for the judge. With `plans` it is compact; the first use then takes long: hold no
        database connection meanwhile.
        """
        with self._lock:
            if self.plans is not None:
                self.read, self.plans = compact_evidence(self.read, self.plans), None
            return self.read


EvidenceCache = RecordCache[StoredEvidence]


@dataclass(frozen=True, slots=True)
class OperationChoice:
    """Operations (None: all) and clock (None: chosen by each verdict) that a question is about. The operation
    `named` by the question replaces the budget's operation `stands_for`.
    """

    names: frozenset[str] | None
    clock: str | None = None
    named: str | None = None
    stands_for: str | None = None
    plans: frozenset[tuple[str, ...]] = frozenset()


def cached_evidence(
    session: Session, cache: EvidenceCache, run: Run, choice: OperationChoice, state: Hashable = None
) -> StoredEvidence:
    """Return a run's evidence from the cache, or loaded; `state`, if known, is its entry of `states_of`."""
    current = states_of(session, [run])[run.run_id] if state is None else state
    return cache.get((run.run_id, choice), current, partial(_load, session, run, choice))


def full_evidence(session: Session, run: Run, choice: OperationChoice) -> StoredEvidence:
    """Return the evidence that a run's stored verdicts rest on; of an unfinished run with coarse slices.
    Slices are read on first use, so the session must stay open until then.
    """
    record = load_record(session, run, coarse=run.state != FINISHED, only=choice.names)
    try:
        return StoredEvidence(_select_evidence(record, choice), record.is_final)
    except DomainError as error:
        return _contradicting(record, error)


def _load(session: Session, run: Run, choice: OperationChoice) -> tuple[StoredEvidence, int]:
    record = load_record(session, run, coarse=run.state != FINISHED, only=choice.names)
    try:
        evidence = _select_evidence(record, choice)
        for operation in evidence.operations:
            # The slices are read here, while the session is open.
            operation.course  # noqa: B018
    except DomainError as error:
        return _contradicting(record, error), _BYTES_PER_RECORD
    return StoredEvidence(evidence, record.is_final, plans=choice.plans), _size(evidence)


def _contradicting(record: RunRecord, error: DomainError) -> StoredEvidence:
    return StoredEvidence(RunEvidence((), measured_ns=measured_ns(record)), record.is_final, error)


def _select_evidence(record: RunRecord, choice: OperationChoice) -> RunEvidence:
    """Return the evidence of the chosen operations and clock, under the names that the budget uses."""
    evidence = evidence_of(record, choice.names)
    chosen = [operation for operation in evidence.operations if choice.clock in (None, operation.clock)]
    if choice.stands_for is not None:
        chosen = [
            replace(operation, operation=choice.stands_for)
            if operation.operation == choice.named
            else operation
            for operation in chosen
        ]
    return replace(evidence, operations=tuple(chosen))


def states_of(session: Session, runs: Sequence[Run]) -> Mapping[UUID, Hashable]:
    """Return by run id a value that changes whenever the run's evidence does, by one query for all."""
    ends = repository.ends_of_series(session, [run.run_id for run in runs])
    return {
        run.run_id: (
            *(run.state, run.outcome, run.content_sha256, tuple(run.missing)),
            tuple(sorted((name, str(answer)) for name, answer in run.disclosed.items())),
            tuple(ends.get(run.run_id, ())),
        )
        for run in runs
    }


def _size(evidence: RunEvidence) -> int:
    """Return the estimated size of the compact evidence in bytes. Slices that were not read yet are read."""
    size = _BYTES_PER_RECORD
    for operation in evidence.operations:
        size += _BYTES_PER_RECORD + _BYTES_PER_BUCKET * _BUCKETS_PER_RECORD
        if operation.course is not None and operation.course.size:
            slices = min(operation.course.size, _GROUPS_MAX)
            buckets = operation.course.indices.size // operation.course.size
            # Evidence with unreliable slices is held twice: as recorded, and with these counted as fast.
            size += _BYTES_PER_SLICE_BUCKET * buckets * slices * (1 if operation.load_at_best is None else 2)
    return size
