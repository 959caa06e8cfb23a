"""Which configurations keep a budget: every one of the organisation's and every published one, each by the
judge of `evaluate`.

Those that meet it come first, then the undecided, the closest first, then those that miss it
(`domain.verdicts.order`); among equals the newest. A page begins
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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any
from uuid import UUID

from tailroom.access.caller import Caller
from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.verdicts.budget_kinds import Budget
from tailroom.domain.verdicts.order import ORDER, Knowledge, knowledge_of
from tailroom.domain.verdicts.verdict import Verdict
from tailroom.evidence.reader import KeptRuns
from tailroom.kit.limits import MATCH_CONFIGURATIONS, MATCH_SECONDS, QUESTION_POINTS
from tailroom.runs.errors import CursorUnreadable
from tailroom.sla.answers import Answer, echo, row_of
from tailroom.sla.configurations import (
    OWN_SOURCES,
    SOURCES,
    ChosenRuns,
    Configuration,
    ConfigurationSource,
)
from tailroom.sla.errors import QuestionTooLarge
from tailroom.sla.evaluations import answered, bounded, chosen_budget
from tailroom.sla.schemas import MatchCountsOut, MatchIn, MatchItemOut, MatchOut
from tailroom.sla.subjects import Subject, SubjectReader

_SECONDS_FOR_ROWS = 0.5
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_CURSOR = struct.Struct(">Bddq16s")


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where an item stands in the list: by what is known, then newest first."""

    known: Knowledge
    age_us: int
    identifier: int

    @classmethod
    def of(cls, known: Knowledge, configuration: Configuration) -> "Place":
        """The place of a configuration of which this is known."""
        moment, identifier = configuration.position
        age_us = (_EPOCH - moment) // timedelta(microseconds=1)
        return cls(known, age_us, -identifier.int)

    def encode(self) -> str:
        """As a cursor."""
        packed = _CURSOR.pack(*self.known, self.age_us, UUID(int=-self.identifier).bytes)
        return base64.urlsafe_b64encode(packed).decode()

    @classmethod
    def decode(cls, text: str) -> "Place":
        """Reads what `encode` wrote. Raises CursorUnreadable for anything else."""
        try:
            packed = base64.b64decode(text, altchars=b"-_", validate=True)
            rank, share, lower, age_us, identifier = _CURSOR.unpack(packed)
        except (binascii.Error, ValueError, struct.error):
            rank, share, lower, age_us, identifier = len(ORDER), 0.0, 0.0, 0, b""
        if rank >= len(ORDER) or not (math.isfinite(share) and math.isfinite(lower)):
            raise CursorUnreadable("The cursor cannot be read; begin again without `cursor`.")
        return cls(Knowledge(rank, share, lower), age_us, -UUID(bytes=identifier).int)


@dataclass(frozen=True, slots=True)
class _Found:
    """What was found out about a subject and a budget, small enough to be kept. `figures` cost as much again
    as the verdict, so only rows that were shown have them.
    """

    verdict: Verdict
    known: Knowledge
    figures: Mapping[str, Any] | None = None


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
            if self.subject.kept is not None:
                self.subject.kept.keep_answer(budget, replace(self.found, figures=figures))
        return MatchItemOut.model_validate({**figures, "subject": self.subject.out})


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
    judged, not_looked_at = _judged(caller, kept, budget, sources)
    counts = Counter(one.found.verdict for one in judged)
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
        counts=MatchCountsOut(
            meets=counts[Verdict.PASS], misses=counts[Verdict.FAIL], undecided=counts[Verdict.INDETERMINATE]
        ),
        items=items,
        next_cursor=shown[-1].place.encode() if len(rest) > len(shown) else None,
        not_looked_at=not_looked_at,
    )


def _judged(
    caller: Caller, kept: KeptRuns, budget: Budget, sources: Sequence[ConfigurationSource]
) -> tuple[list[_Judged], int]:
    """What is in the list, and how many configurations were left out. Each record is read in a transaction of
    its own, and judged with no connection held; of one that has not changed nothing is read.
    """
    until = time.monotonic() + MATCH_SECONDS
    owner = caller.organisation_id
    with caller.session() as session:
        reader = SubjectReader(session, kept, budget)
        total = sum(source.count(reader, owner) for source in sources)
        newest = [one for source in sources for one in source.newest(reader, owner, MATCH_CONFIGURATIONS)]
    newest.sort(key=lambda one: one.position, reverse=True)
    judged: list[_Judged] = []
    too_large: QuestionTooLarge | None = None
    for configuration in newest[:MATCH_CONFIGURATIONS]:
        if time.monotonic() > until:
            break
        try:
            with bounded(budget, QUESTION_POINTS):
                judged.append(_judge(caller, kept, budget, configuration))
        except QuestionTooLarge as error:
            # One large record leaves out itself and no other; a budget too large for every record is refused.
            too_large = error
    if not judged and too_large is not None:
        raise too_large
    return judged, max(0, total - len(judged))


def _judge(caller: Caller, kept: KeptRuns, budget: Budget, configuration: Configuration) -> _Judged:
    if configuration.answer is not None:
        answer = configuration.answer()
        found, subject = _found(answer), answer.subject
        return _Judged(Place.of(found.known, configuration), found, subject, configuration.answer)
    with caller.session() as session:
        subject = configuration.subject(SubjectReader(session, kept, budget))
    answer_of = cache(lambda: answered(subject, budget))
    earlier: _Found | None = None if subject.kept is None else subject.kept.answer(budget)
    found = _found(answer_of()) if earlier is None else earlier
    if subject.kept is not None and earlier is None:
        subject.kept.keep_answer(budget, found)
    return _Judged(Place.of(found.known, configuration), found, subject, answer_of)


def _found(answer: Answer) -> _Found:
    return _Found(answer.verdict, knowledge_of(answer.assessment))
