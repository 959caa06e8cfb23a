"""Matching of configurations against a budget, by the judge of `evaluate`.

The order is that of every list (`domain.verdicts.order`): passes, proven before observed; undecided, by the
data that would decide them, then the closest first; too slow. Among equals the newest is first. A page begins
after the sort key of the last item shown, so a configuration appears twice only if its verdict changed in
between. The newest `MATCH_CONFIGURATIONS` are judged, for about `MATCH_SECONDS`; the answer has the number of
those that were not judged, also because the budget takes too much calculation.
"""

import base64
import binascii
import math
import struct
import time
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from threading import Lock
from uuid import UUID

from cachetools import LRUCache

from tailroom.access.caller import Caller
from tailroom.domain.method import METHOD_VERSION
from tailroom.domain.verdicts.budget_kinds import Budget
from tailroom.domain.verdicts.order import RANKS, VerdictSortKey
from tailroom.domain.verdicts.verdict import Reason
from tailroom.evidence.reader import EvidenceCache
from tailroom.kit.limits import MATCH_CONFIGURATIONS, MATCH_SECONDS
from tailroom.runs.errors import CursorUnreadable
from tailroom.sla import stored
from tailroom.sla.answers import GROUPS, Answer, budget_echo, row_fields
from tailroom.sla.configurations import Candidate, read_candidates
from tailroom.sla.costs import costs_of
from tailroom.sla.errors import QuestionTooLarge
from tailroom.sla.evaluations import chosen_budget, judge_subject, limited_work
from tailroom.sla.question_schemas import MatchIn, SubjectKind
from tailroom.sla.question_subject import QuestionSubject
from tailroom.sla.schemas import Group, MatchCountsOut, MatchItemOut, MatchOut
from tailroom.sla.stored import StoredVerdicts
from tailroom.sla.subjects import SubjectReader

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_CURSOR = struct.Struct(">BBddq16s")
_REASONS = list(Reason)
_MOST_OUTCOMES = 8_192


@dataclass(frozen=True, slots=True, order=True)
class MatchKey:
    """Ascending sort key: verdict and strength, reason, closeness to the budget, then the newest first.
    `age_us` counts µs from the candidate to 1970, negative for later times; `identifier` is the negated id.
    """

    rank: int
    reason: int
    sort_key: VerdictSortKey
    age_us: int
    identifier: int

    @classmethod
    def of(cls, outcome: "MatchOutcome", candidate: Candidate) -> "MatchKey":
        """Return the key of a candidate with its outcome."""
        moment, identifier = candidate.position
        age_us = (_EPOCH - moment) // timedelta(microseconds=1)
        reason = _REASONS.index(outcome.reason) if outcome.reason else 0
        return cls(outcome.sort_key.rank, reason, outcome.sort_key, age_us, -identifier.int)

    def encode(self) -> str:
        """Return the key as a cursor in URL-safe Base64."""
        packed = _CURSOR.pack(
            self.rank, self.reason, *self.sort_key[1:], self.age_us, UUID(int=-self.identifier).bytes
        )
        return base64.urlsafe_b64encode(packed).decode()

    @classmethod
    def decode(cls, text: str) -> "MatchKey":
        """Return the key in a cursor. Raise CursorUnreadable if it is malformed."""
        try:
            packed = base64.b64decode(text, altchars=b"-_", validate=True)
            rank, reason, share, lower, age_us, identifier = _CURSOR.unpack(packed)
        except (binascii.Error, ValueError, struct.error):
            rank, reason, share, lower, age_us, identifier = RANKS, 0, 0.0, 0.0, 0, b""
        if rank >= RANKS or not (math.isfinite(share) and math.isfinite(lower)):
            raise CursorUnreadable("The cursor cannot be read; begin again without `cursor`.")
        return cls(rank, reason, VerdictSortKey(rank, share, lower), age_us, -UUID(bytes=identifier).int)


@dataclass(frozen=True, slots=True)
class MatchOutcome:
    """Reason and sort key of a candidate's verdict. `item`, its row of a list, is None until it is shown."""

    reason: Reason | None
    sort_key: VerdictSortKey
    item: MatchItemOut | None = None

    @property
    def group(self) -> Group:
        """Group of the list that the configuration belongs to."""
        return GROUPS[self.sort_key.rank]


class MatchOutcomeCache:
    """A process's thread-safe cache of the latest outcomes, by state of the configuration and budget."""

    def __init__(self) -> None:
        self._outcomes: LRUCache[tuple[Hashable, Budget], MatchOutcome] = LRUCache(_MOST_OUTCOMES)
        self._lock = Lock()

    def find(self, state: Hashable, budget: Budget) -> MatchOutcome | None:
        """Return the cached outcome of a configuration's state by a budget; None if not cached."""
        with self._lock:
            return self._outcomes.get((state, budget))

    def store(self, state: Hashable, budget: Budget, outcome: MatchOutcome) -> None:
        """Store the outcome of a configuration in this state by a budget, replacing an earlier outcome."""
        with self._lock:
            self._outcomes[state, budget] = outcome


_SECONDS_FOR_ROWS = 0.5
"""Seconds beyond `MATCH_SECONDS` after which a page gets no further row."""


@dataclass(frozen=True, slots=True, order=True)
class _Match:
    """A judged candidate with its outcome, ordered by its key."""

    key: MatchKey
    outcome: MatchOutcome = field(compare=False)
    candidate: Candidate = field(compare=False)


@dataclass(frozen=True, slots=True)
class _Judge:
    """Judge of candidates by a budget. `runs` caches the evidence of runs, `verdicts` are stored verdicts."""

    caller: Caller
    runs: EvidenceCache
    outcomes: MatchOutcomeCache
    budget: Budget
    verdicts: StoredVerdicts

    def cached(self, candidate: Candidate) -> MatchOutcome | None:
        return self.outcomes.find(self._state(candidate), self.budget)

    def outcome(self, candidate: Candidate) -> MatchOutcome:
        """Judge a candidate, cached or not; cache and return its outcome. Raise QuestionTooLarge."""
        outcome, _ = self._judge_uncached(candidate)
        self.outcomes.store(self._state(candidate), self.budget, outcome)
        return outcome

    def item(self, match: _Match) -> MatchItemOut:
        """Return the row of a list for a match. If its outcome has none yet, the subject is judged again and
        the row is cached, because the sums behind all answers would take gigabytes.
        """
        if match.outcome.item is not None:
            return match.outcome.item
        outcome, answer = self._judge_uncached(match.candidate)
        item = MatchItemOut.model_validate(
            {
                **row_fields(answer),
                "group": outcome.group,
                "subject": answer.subject.out,
                "operations": answer.subject.operations,
            }
        )
        self.outcomes.store(self._state(match.candidate), self.budget, replace(outcome, item=item))
        return item

    def _judge_uncached(self, candidate: Candidate) -> tuple[MatchOutcome, Answer]:
        if isinstance(candidate.subject, QuestionSubject):
            subject = candidate.subject
        else:
            with self.caller.session() as session:
                subject = candidate.subject(
                    SubjectReader(session, self.runs, self.budget, stored=self.verdicts)
                )
        with limited_work(self.budget):
            answer = judge_subject(subject, subject.budget)
            return MatchOutcome(answer.reason, answer.sort_key), answer

    def _state(self, candidate: Candidate) -> Hashable:
        """Return the cache key of a candidate: its record's state, and the budgets with stored verdicts."""
        stored_rows = (self.verdicts.brief or {}).get(candidate.run_id, ()) if candidate.run_id else ()
        return candidate.state, tuple((row.budget_name, row.budget_version) for row in stored_rows)


def match(caller: Caller, runs: EvidenceCache, outcomes: MatchOutcomeCache, question: MatchIn) -> MatchOut:
    """Return a page of configurations judged by a budget, with counts over all that were judged. Raise as
    `chosen_budget` does, CursorUnreadable, or QuestionTooLarge if every candidate is too large.
    """
    until = time.monotonic() + MATCH_SECONDS + _SECONDS_FOR_ROWS
    after = None if question.cursor is None else MatchKey.decode(question.cursor)
    owner = caller.organisation_id
    with caller.session() as session:
        budget = chosen_budget(session, owner, question.budget)
        reader = SubjectReader(session, runs, budget)
        every, total = read_candidates(
            reader, owner, MATCH_CONFIGURATIONS, run_ids=question.runs, with_published=question.published
        )
        run_ids = [candidate.run_id for candidate in every if candidate.run_id is not None]
        brief = (
            stored.read_verdicts(session, run_ids, brief=True)
            if stored.is_stored(session, owner, budget)
            else {}
        )
    candidates = [row for row in every if question.kinds is None or row.kind in question.kinds]
    judge = _Judge(caller, runs, outcomes, budget, StoredVerdicts(owner, brief))
    matches = _judge_all(judge, candidates)
    matches.sort()
    rest = [row for row in matches if after is None or row.key > after]
    items: list[MatchItemOut] = []
    for row in rest[: question.limit]:
        # A page that takes too long ends early; its cursor continues from there.
        if items and time.monotonic() > until:
            break
        items.append(judge.item(row))
    page = rest[: len(items)]
    with caller.session() as session:
        record_costs = costs_of(session, owner, budget, items)
    return MatchOut(
        budget=budget_echo(budget),
        method_version=METHOD_VERSION,
        counts=_counts(matches, Counter(candidate.kind for candidate in every)),
        items=items,
        costs=record_costs,
        next_cursor=page[-1].key.encode() if len(rest) > len(page) else None,
        not_looked_at=max(0, total - len(every) + len(candidates) - len(matches)),
    )


def _judge_all(judge: _Judge, candidates: Sequence[Candidate]) -> list[_Match]:
    """Return the newest candidates with their outcomes, unordered, without those that are too large or for
    which there is no time. Each is read in a transaction of its own and judged without a connection. Raise
    QuestionTooLarge if only too large candidates are left.
    """
    started_s = time.monotonic()
    newest = sorted(candidates, key=lambda candidate: candidate.position, reverse=True)[:MATCH_CONFIGURATIONS]
    matches: list[_Match] = []
    too_large: QuestionTooLarge | None = None
    judged = 0
    for candidate in _judging_order(newest, started_s + MATCH_SECONDS / 2):
        outcome = judge.cached(candidate)
        if outcome is None:
            # At least one is judged, so that each request gets further, on a slow machine too.
            if judged and time.monotonic() > started_s + MATCH_SECONDS:
                continue
            judged += 1
            try:
                outcome = judge.outcome(candidate)
            except QuestionTooLarge as error:
                # A record that is too large is left out alone; only what is too large for all is refused.
                too_large = error
                continue
        matches.append(_Match(MatchKey.of(outcome, candidate), outcome, candidate))
    if not matches and too_large is not None:
        raise too_large
    return matches


def _judging_order(newest: Sequence[Candidate], until_s: float) -> Iterator[Candidate]:
    """Yield publications until `until_s` (`time.monotonic`), then runs, so that both kinds get time."""
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
