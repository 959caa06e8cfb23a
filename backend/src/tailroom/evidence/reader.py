"""Evidence of stored runs for answers that are wanted at once, kept until the run has changed.

It is that of the stored verdicts: of a run that goes on the coarse record, of a finished one the whole. Only
what questions need of it is kept (`domain.verdicts.settled`). So the same question has the same answer on
every page. What was answered may be kept with it.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Lock
from typing import Any
from uuid import UUID

from sqlalchemy.orm import Session

from tailroom.domain.errors import DomainError
from tailroom.domain.verdicts.evidence import RunEvidence
from tailroom.domain.verdicts.settled import settled
from tailroom.evidence.run import evidence_of, measured_ns
from tailroom.records import repository
from tailroom.records.cache import RecordCache
from tailroom.records.run_record import RunRecord, load_record
from tailroom.storage.run import FINISHED, Run

_BYTES_PER_BUCKET = 32
_BYTES_PER_RECORD = 4096
_BUCKETS_OF_WHOLE = 4096
_BYTES_PER_MASS = 64
"""Late, early and middle, in the buckets of two digits, of which there are about half as many or fewer."""
_GROUPS = 2 * 24
_ANSWERS_KEPT = 32


@dataclass(eq=False)
class KeptEvidence:
    """Evidence that needs no database any more, and whether it is all that there will be."""

    read: RunEvidence
    """As it was read, with its course over time, until somebody asks for `evidence`."""
    is_final: bool
    contradiction: DomainError | None = None
    """Instead of evidence: how its series contradict themselves or each other."""
    plans: frozenset[tuple[str, ...]] = frozenset()
    _is_settled: bool = False
    _lock: Any = field(default_factory=Lock)
    _answers: dict[Hashable, Any] = field(default_factory=dict)

    @property
    def evidence(self) -> RunEvidence:
        """What questions are answered from. Calculates the first time, so no connection should be held.

        Raises DomainError where its series contradict themselves.
        """
        with self._lock:
            if not self._is_settled:
                self.read, self._is_settled = settled(self.read, self.plans), True
            return self.read

    def answer(self, question: Hashable) -> Any:
        """What was answered to this question before; None where it was not asked."""
        return self._answers.get(question)

    def keep_answer(self, question: Hashable, answer: object) -> None:
        """Keeps something small that follows from the evidence and the question alone."""
        if len(self._answers) >= _ANSWERS_KEPT:
            self._answers.clear()
        self._answers[question] = answer


KeptRuns = RecordCache[KeptEvidence]


@dataclass(frozen=True, slots=True)
class Choice:
    """Operations of a run (none: all) and clock (none: each verdict's own choice); the series that was named,
    and the operation of the budget that it stands for where that has another name.
    """

    names: frozenset[str] | None
    clock: str | None = None
    named: str | None = None
    stands_for: str | None = None
    plans: frozenset[tuple[str, ...]] = frozenset()
    """Operations of the plans that are asked about."""


def kept_evidence(
    session: Session, kept: KeptRuns, run: Run, choice: Choice, state: Hashable = None
) -> KeptEvidence:
    """Evidence of a run for an answer at once. `state` is the run's of `states_of`, where that was read
    already: then nothing is read of a run that is kept.
    """
    load = partial(_load, session, run, choice)
    now = states_of(session, [run])[run.run_id] if state is None else state
    return kept.get((run.run_id, choice), now, load)


@dataclass(frozen=True, slots=True)
class WholeEvidence:
    """Evidence with everything in it; needs its session as long as it is used."""

    evidence: RunEvidence
    is_final: bool
    contradiction: DomainError | None = None

    @property
    def read(self) -> RunEvidence:
        """See `KeptEvidence`."""
        return self.evidence


def whole_evidence(session: Session, run: Run, choice: Choice) -> WholeEvidence:
    """Evidence of a run as its stored verdicts see it."""
    record = load_record(session, run, coarse=run.state != FINISHED, only=choice.names)
    try:
        return WholeEvidence(_chosen(record, choice), record.is_final)
    except DomainError as error:
        return WholeEvidence(_nothing(record), record.is_final, error)


def _load(session: Session, run: Run, choice: Choice) -> tuple[KeptEvidence, int]:
    record = load_record(session, run, coarse=run.state != FINISHED, only=choice.names)
    try:
        evidence = _chosen(record, choice)
        for one in evidence.operations:
            # Read now, while there is a session.
            one.course  # noqa: B018
    except DomainError as error:
        return KeptEvidence(_nothing(record), record.is_final, error), _BYTES_PER_RECORD
    return KeptEvidence(evidence, record.is_final, plans=choice.plans), _size(evidence)


def _chosen(record: RunRecord, choice: Choice) -> RunEvidence:
    evidence = evidence_of(record, choice.names)
    chosen = [one for one in evidence.operations if choice.clock in (None, one.clock)]
    if choice.stands_for is not None:
        chosen = [
            replace(one, operation=choice.stands_for) if one.operation == choice.named else one
            for one in chosen
        ]
    return replace(evidence, operations=tuple(chosen))


def _nothing(record: RunRecord) -> RunEvidence:
    return RunEvidence((), measured_ns=measured_ns(record))


def states_of(session: Session, runs: Sequence[Run]) -> Mapping[UUID, Hashable]:
    """Of each run what is different as soon as anything that its evidence rests on is; one statement."""
    ends = repository.ends_of_series(session, [one.run_id for one in runs])
    return {
        one.run_id: (
            *(one.state, one.outcome, one.content_sha256, tuple(one.missing)),
            tuple(sorted((name, str(answer)) for name, answer in one.disclosed.items())),
            tuple(ends.get(one.run_id, ())),
        )
        for one in runs
    }


def _size(evidence: RunEvidence) -> int:
    """What will be kept of it: groups of its pieces, in long and in short ones, and its hours."""
    size = _BYTES_PER_RECORD
    for one in evidence.operations:
        size += _BYTES_PER_RECORD + _BYTES_PER_BUCKET * _BUCKETS_OF_WHOLE
        if one.course is not None and one.course.size:
            pieces = min(one.course.size, _GROUPS)
            buckets = one.course.indices.size // one.course.size
            # With slices in doubt it is kept twice: as recorded, and with these at their best.
            size += _BYTES_PER_MASS * buckets * pieces * (1 if one.load_at_best is None else 2)
    return size
