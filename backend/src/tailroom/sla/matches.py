"""Which configurations keep a budget: every record that the organisation may see, each by the judge of
`evaluate`.

The order is that of every list (`domain.verdicts.order`): what passes, proven before only in its run or test;
the undecided, by what would decide them, then the closest first; what is too slow. Among equals the newest
stands first. A page begins
after the place of the last item shown, so a configuration is shown twice only if its verdict has changed in
between. The newest `MATCH_CONFIGURATIONS` are looked at, for `MATCH_SECONDS` at most; how many were not
is said, and one on which the budget takes too much calculation is left out with them.
"""

import base64
import binascii
import math
import struct
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cache
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
from tailroom.sla.answers import Answer, echo, group_of, row_of
from tailroom.sla.configurations import (
    OWN_SOURCES,
    SOURCES,
    ChosenRuns,
    Configuration,
    ConfigurationSource,
    of_kinds,
)
from tailroom.sla.errors import QuestionTooLarge
from tailroom.sla.evaluations import answered, bounded, chosen_budget
from tailroom.sla.schemas import Group, MatchCountsOut, MatchIn, MatchItemOut, MatchOut, SubjectKind
from tailroom.sla.stored import StoredVerdicts
from tailroom.sla.subjects import Subject, SubjectReader

_SECONDS_FOR_ROWS = 0.5
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_CURSOR = struct.Struct(">BBddq16s")
_REASONS = list(Reason)


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where an item stands in the list: by verdict and strength, what would decide it, how close it is, then
    newest first.
    """

    rank: int
    reason: int
    known: Knowledge
    age_us: int
    identifier: int

    @classmethod
    def of(cls, found: "_Found", configuration: Configuration) -> "Place":
        """The place of a configuration of which this is known."""
        moment, identifier = configuration.position
        age_us = (_EPOCH - moment) // timedelta(microseconds=1)
        reason = _REASONS.index(found.reason) if found.reason else 0
        return cls(found.known.rank, reason, found.known, age_us, -identifier.int)

    def encode(self) -> str:
        """As a cursor."""
        packed = _CURSOR.pack(
            self.rank, self.reason, *self.known[1:], self.age_us, UUID(int=-self.identifier).bytes
        )
        return base64.urlsafe_b64encode(packed).decode()

    @classmethod
    def decode(cls, text: str) -> "Place":
        """Reads what `encode` wrote. Raises CursorUnreadable for anything else."""
        try:
            packed = base64.b64decode(text, altchars=b"-_", validate=True)
            rank, reason, share, lower, age_us, identifier = _CURSOR.unpack(packed)
        except (binascii.Error, ValueError, struct.error):
            rank, reason, share, lower, age_us, identifier = RANKS, 0, 0.0, 0.0, 0, b""
        if rank >= RANKS or not (math.isfinite(share) and math.isfinite(lower)):
            raise CursorUnreadable("The cursor cannot be read; begin again without `cursor`.")
        return cls(rank, reason, Knowledge(rank, share, lower), age_us, -UUID(bytes=identifier).int)


@dataclass(frozen=True, slots=True)
class _Found:
    """What was found out about a subject and a budget, small enough to be kept. `figures` cost as much again
    as the verdict, so only rows that were shown have them.
    """

    verdict: Verdict
    reason: Reason | None
    known: Knowledge
    figures: Mapping[str, Any] | None = None

    @property
    def group(self) -> Group:
        """The part of the list that it stands in."""
        return group_of(self.verdict, self.known.rank)


@dataclass(frozen=True, slots=True, order=True)
class _Judged:
    """A configuration in the list; ordered by its place."""

    place: Place
    found: _Found = field(compare=False)
    subject: Subject = field(compare=False)
    answer: Callable[[], Answer] = field(compare=False)

    def item(self, budget: Budget) -> MatchItemOut:
        """As a row of the table."""
        figures = self.found.figures
        if figures is None:
            figures = row_of(self.answer())
            if self.subject.kept is not None and self.subject.stored is None:
                self.subject.kept.keep_answer(budget, replace(self.found, figures=figures))
        return MatchItemOut.model_validate(
            {
                **figures,
                "group": self.found.group,
                "subject": self.subject.out,
                "operations": self.subject.operations,
            }
        )


def match(caller: Caller, kept: KeptRuns, asked: MatchIn) -> MatchOut:
    """Every configuration against a budget, one page of them. Raises BudgetUnknown, CursorUnreadable,
    QuestionTooLarge.
    """
    until = time.monotonic() + MATCH_SECONDS + _SECONDS_FOR_ROWS
    after = None if asked.cursor is None else Place.decode(asked.cursor)
    with caller.session() as session:
        budget = chosen_budget(session, caller.organisation_id, asked.budget)
    sources = SOURCES if asked.published else OWN_SOURCES
    if asked.runs is not None:
        sources = (ChosenRuns(tuple(asked.runs)),)
    judged, kinds, not_looked_at = _judged(caller, kept, budget, sources, asked.kinds)
    judged.sort()
    rest = [one for one in judged if after is None or one.place > after]
    items: list[MatchItemOut] = []
    for one in rest[: asked.limit]:
        # A page that takes too long ends early, and the next one goes on.
        if items and time.monotonic() > until:
            break
        with bounded(budget, QUESTION_POINTS):
            items.append(one.item(budget))
    shown = rest[: len(items)]
    return MatchOut(
        budget=echo(budget),
        method_version=METHOD_VERSION,
        counts=_counts(judged, kinds),
        items=items,
        next_cursor=shown[-1].place.encode() if len(rest) > len(shown) else None,
        not_looked_at=not_looked_at,
    )


def _judged(
    caller: Caller,
    kept: KeptRuns,
    budget: Budget,
    sources: Sequence[ConfigurationSource],
    kinds: Sequence[SubjectKind] | None,
) -> tuple[list[_Judged], Counter[SubjectKind], int]:
    """What is in the list, how many configurations there are of each kind, and how many were left out.

    Each record is read in a transaction of its own, and judged with no connection held; of one that has not
    changed nothing is read.
    """
    begun = time.monotonic()
    owner = caller.organisation_id
    with caller.session() as session:
        reader = SubjectReader(session, kept, budget)
        total = sum(source.count(reader, owner) for source in sources)
        found = [one for source in sources for one in source.newest(reader, owner, MATCH_CONFIGURATIONS)]
        run_ids = [one.run_id for one in found if one.run_id is not None]
        brief = stored.read(session, run_ids, brief=True) if stored.is_stored(session, owner, budget) else {}
    verdicts = StoredVerdicts(owner, brief)
    newest = of_kinds(found, kinds)
    total -= len(found) - len(newest)
    newest.sort(key=lambda one: one.position, reverse=True)
    newest = newest[:MATCH_CONFIGURATIONS]
    judged: list[_Judged] = []
    too_large: QuestionTooLarge | None = None
    for configuration in _in_turn(newest, begun + MATCH_SECONDS / 2):
        if time.monotonic() > begun + MATCH_SECONDS:
            break
        try:
            with bounded(budget, QUESTION_POINTS):
                judged.append(_judge(caller, kept, budget, configuration, verdicts))
        except QuestionTooLarge as error:
            # One large record leaves out itself and no other; a budget too large for every record is refused.
            too_large = error
    if not judged and too_large is not None:
        raise too_large
    return judged, Counter(one.kind for one in found), max(0, total - len(judged))


def _in_turn(newest: Sequence[Configuration], until: float) -> Iterator[Configuration]:
    """Figures of documents until a moment, then runs, then the other documents: neither keeps others out."""
    documents = [one for one in newest if one.answer is not None]
    place = 0
    while place < len(documents) and time.monotonic() <= until:
        yield documents[place]
        place += 1
    yield from (one for one in newest if one.answer is None)
    yield from documents[place:]


def _counts(judged: Sequence[_Judged], kinds: Counter[SubjectKind]) -> MatchCountsOut:
    groups = Counter(one.found.group for one in judged)
    reasons = Counter(one.found.reason.value for one in judged if one.found.reason is not None)
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
    caller: Caller, kept: KeptRuns, budget: Budget, configuration: Configuration, verdicts: StoredVerdicts
) -> _Judged:
    if configuration.answer is not None:
        answer = configuration.answer()
        found, subject = _found(answer), answer.subject
        return _Judged(Place.of(found, configuration), found, subject, configuration.answer)
    with caller.session() as session:
        subject = configuration.subject(SubjectReader(session, kept, budget, stored=verdicts))
    answer_of = cache(lambda: answered(subject, subject.budget))
    if subject.stored is not None:
        found = _found(answer_of())
        return _Judged(Place.of(found, configuration), found, subject, answer_of)
    earlier: _Found | None = None if subject.kept is None else subject.kept.answer(budget)
    found = _found(answer_of()) if earlier is None else earlier
    if subject.kept is not None and earlier is None:
        subject.kept.keep_answer(budget, found)
    return _Judged(Place.of(found, configuration), found, subject, answer_of)


def _found(answer: Answer) -> _Found:
    return _Found(answer.verdict, answer.reason, answer.knowledge)
