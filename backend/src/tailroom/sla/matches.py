"""Matching of configurations against a budget, by the judge of `evaluate`.

The order is that of every list (`domain.verdicts.order`): passes, proven before observed; undecided, by the
data that would decide them, then the closest first; too slow. Among equals the newest is first. A page begins
after the sort key of the last item shown, so a configuration appears twice only if its verdict changed in
between. The newest `MATCH_CONFIGURATIONS` are judged, for `MATCH_SECONDS` at most; the answer has the number
of the others, among them those for which the budget takes too much calculation.
"""

import base64
import binascii
import math
import struct
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from tailroom.access.caller import Caller
from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.verdicts.budget_kinds import Budget
from tailroom.domain.verdicts.order import RANKS, Knowledge
from tailroom.domain.verdicts.verdict import Reason, Verdict
from tailroom.evidence.reader import KeptRuns
from tailroom.kit.limits import MATCH_CONFIGURATIONS, MATCH_SECONDS, QUESTION_POINTS
from tailroom.runs.errors import CursorUnreadable
from tailroom.sla import stored
from tailroom.sla.answers import echo, group_of, row_of
from tailroom.sla.configurations import (
    OWN_SOURCES,
    SOURCES,
    Candidate,
    CandidateSource,
    ChosenRuns,
    of_kinds,
)
from tailroom.sla.errors import QuestionTooLarge
from tailroom.sla.evaluations import chosen_budget, judge_subject, limited_work
from tailroom.sla.schemas import Group, MatchCountsOut, MatchIn, MatchItemOut, MatchOut, SubjectKind
from tailroom.sla.stored import StoredVerdicts
from tailroom.sla.subjects import QuestionSubject, SubjectReader

_SECONDS_FOR_ROWS = 0.5
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_CURSOR = struct.Struct(">BBddq16s")
_REASONS = list(Reason)


@dataclass(frozen=True, slots=True, order=True)
class MatchKey:
    """Sort key of an item: verdict and strength, what would decide it, how close it is, then newest first."""

    rank: int
    reason: int
    knowledge: Knowledge
    age_us: int
    identifier: int

    @classmethod
    def of(cls, outcome: "_Outcome", candidate: Candidate) -> "MatchKey":
        """Return the key of a candidate with this outcome."""
        moment, identifier = candidate.position
        age_us = (_EPOCH - moment) // timedelta(microseconds=1)
        reason = _REASONS.index(outcome.reason) if outcome.reason else 0
        return cls(outcome.knowledge.rank, reason, outcome.knowledge, age_us, -identifier.int)

    def encode(self) -> str:
        """Return the key as a cursor."""
        packed = _CURSOR.pack(
            self.rank, self.reason, *self.knowledge[1:], self.age_us, UUID(int=-self.identifier).bytes
        )
        return base64.urlsafe_b64encode(packed).decode()

    @classmethod
    def decode(cls, text: str) -> "MatchKey":
        """Return the key of a cursor. Raise CursorUnreadable."""
        try:
            packed = base64.b64decode(text, altchars=b"-_", validate=True)
            rank, reason, share, lower, age_us, identifier = _CURSOR.unpack(packed)
        except (binascii.Error, ValueError, struct.error):
            rank, reason, share, lower, age_us, identifier = RANKS, 0, 0.0, 0.0, 0, b""
        if rank >= RANKS or not (math.isfinite(share) and math.isfinite(lower)):
            raise CursorUnreadable("The cursor cannot be read; begin again without `cursor`.")
        return cls(rank, reason, Knowledge(rank, share, lower), age_us, -UUID(bytes=identifier).int)


@dataclass(frozen=True, slots=True)
class _Outcome:
    """Outcome for a subject and a budget, small enough to be cached.

    `figures` cost several times as much as the verdict, so only rows that were shown have them.
    """

    verdict: Verdict
    reason: Reason | None
    knowledge: Knowledge
    figures: Mapping[str, Any] | None = None

    @property
    def group(self) -> Group:
        """Group of the list."""
        return group_of(self.verdict, self.knowledge.rank)


@dataclass(frozen=True, slots=True, order=True)
class _Match:
    """A judged candidate; ordered by its key."""

    key: MatchKey
    outcome: _Outcome = field(compare=False)
    subject: QuestionSubject = field(compare=False)

    def item(self, budget: Budget) -> MatchItemOut:
        """Return the row of the table.

        Its subject is judged again: the sums behind all answers of a match would take gigabytes.
        """
        figures = self.outcome.figures
        if figures is None:
            figures = row_of(judge_subject(self.subject, self.subject.budget))
            _keep(self.subject, budget, replace(self.outcome, figures=figures))
        return MatchItemOut.model_validate(
            {
                **figures,
                "group": self.outcome.group,
                "subject": self.subject.out,
                "operations": self.subject.operations,
            }
        )


def match(caller: Caller, cache: KeptRuns, question: MatchIn) -> MatchOut:
    """Return a page of all configurations against a budget.

    Raise BudgetUnknown, CursorUnreadable, QuestionTooLarge.
    """
    until = time.monotonic() + MATCH_SECONDS + _SECONDS_FOR_ROWS
    after = None if question.cursor is None else MatchKey.decode(question.cursor)
    with caller.session() as session:
        budget = chosen_budget(session, caller.organisation_id, question.budget)
    sources = SOURCES if question.published else OWN_SOURCES
    if question.runs is not None:
        sources = (ChosenRuns(tuple(question.runs)),)
    matches, kinds, unjudged = _judge_all(caller, cache, budget, sources, question.kinds)
    matches.sort()
    rest = [row for row in matches if after is None or row.key > after]
    items: list[MatchItemOut] = []
    for row in rest[: question.limit]:
        # A page that takes too long ends early; its cursor continues from there.
        if items and time.monotonic() > until:
            break
        with limited_work(budget, QUESTION_POINTS):
            items.append(row.item(budget))
    page = rest[: len(items)]
    return MatchOut(
        budget=echo(budget),
        method_version=METHOD_VERSION,
        counts=_counts(matches, kinds),
        items=items,
        next_cursor=page[-1].key.encode() if len(rest) > len(page) else None,
        not_looked_at=unjudged,
    )


def _judge_all(
    caller: Caller,
    cache: KeptRuns,
    budget: Budget,
    sources: Sequence[CandidateSource],
    kinds: Sequence[SubjectKind] | None,
) -> tuple[list[_Match], Counter[SubjectKind], int]:
    """Return the judged candidates, the number of configurations by kind, and how many were not judged.

    Each record is read in a transaction of its own and judged without a connection; an unchanged record comes
    from the cache.
    """
    started_s = time.monotonic()
    owner = caller.organisation_id
    with caller.session() as session:
        reader = SubjectReader(session, cache, budget)
        total = sum(source.count(reader, owner) for source in sources)
        candidates = [
            candidate
            for source in sources
            for candidate in source.newest(reader, owner, MATCH_CONFIGURATIONS)
        ]
        run_ids = [candidate.run_id for candidate in candidates if candidate.run_id is not None]
        brief = stored.read(session, run_ids, brief=True) if stored.is_stored(session, owner, budget) else {}
    verdicts = StoredVerdicts(owner, brief)
    newest = of_kinds(candidates, kinds)
    total -= len(candidates) - len(newest)
    newest.sort(key=lambda candidate: candidate.position, reverse=True)
    newest = newest[:MATCH_CONFIGURATIONS]
    matches: list[_Match] = []
    too_large: QuestionTooLarge | None = None
    for number, candidate in enumerate(_judging_order(newest, started_s + MATCH_SECONDS / 2)):
        # At least one is judged, so that a slow machine gets on with each request.
        if number and time.monotonic() > started_s + MATCH_SECONDS:
            break
        try:
            with limited_work(budget, QUESTION_POINTS):
                matches.append(_judge(caller, cache, budget, candidate, verdicts))
        except QuestionTooLarge as error:
            # A record that is too large is left out alone; a budget too large for every record is refused.
            too_large = error
    if not matches and too_large is not None:
        raise too_large
    return matches, Counter(candidate.kind for candidate in candidates), max(0, total - len(matches))


def _judging_order(newest: Sequence[Candidate], until_s: float) -> Iterator[Candidate]:
    """Yield documents until a time, then runs, then the other documents, so that neither crowds the other
    out.
    """
    documents = [candidate for candidate in newest if candidate.run_id is None]
    index = 0
    while index < len(documents) and time.monotonic() <= until_s:
        yield documents[index]
        index += 1
    yield from (candidate for candidate in newest if candidate.run_id is not None)
    yield from documents[index:]


def _counts(matches: Sequence[_Match], kinds: Counter[SubjectKind]) -> MatchCountsOut:
    groups = Counter(row.outcome.group for row in matches)
    reasons = Counter(row.outcome.reason.value for row in matches if row.outcome.reason is not None)
    return MatchCountsOut(
        meets=groups["proven"] + groups["observed"],
        misses=groups["too_slow"],
        undecided=groups["undecided"],
        proven=groups["proven"],
        observed=groups["observed"],
        undecided_by=dict(reasons),
        kinds=dict(kinds),
    )


def _judge(
    caller: Caller, cache: KeptRuns, budget: Budget, candidate: Candidate, verdicts: StoredVerdicts
) -> _Match:
    if isinstance(candidate.subject, QuestionSubject):
        subject = candidate.subject
    else:
        with caller.session() as session:
            subject = candidate.subject(SubjectReader(session, cache, budget, stored=verdicts))
    outcome: _Outcome | None = None
    if subject.answers is not None and subject.stored is None:
        outcome = subject.answers.get(budget)
    if outcome is None:
        answer = judge_subject(subject, subject.budget)
        outcome = _Outcome(answer.verdict, answer.reason, answer.knowledge)
        _keep(subject, budget, outcome)
    return _Match(MatchKey.of(outcome, candidate), outcome, subject)


def _keep(subject: QuestionSubject, budget: Budget, outcome: _Outcome) -> None:
    if subject.answers is not None and subject.stored is None:
        subject.answers.put(budget, outcome)
