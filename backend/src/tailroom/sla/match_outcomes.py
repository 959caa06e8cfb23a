"""Outcomes of configurations by a budget: their order in `sla.matches`, and their cache."""

import base64
import binascii
import math
import struct
from collections.abc import Hashable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from threading import Lock
from uuid import UUID

from cachetools import LRUCache

from tailroom.domain.verdicts.budget_kinds import Budget
from tailroom.domain.verdicts.order import RANKS, VerdictSortKey
from tailroom.domain.verdicts.verdict import Reason, Verdict
from tailroom.runs.errors import CursorUnreadable
from tailroom.sla.answers import group_of
from tailroom.sla.configurations import Candidate
from tailroom.sla.schemas import Group, MatchItemOut

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_CURSOR = struct.Struct(">BBddq16s")
_REASONS = list(Reason)
_MOST_OUTCOMES = 8_192
"""Maximum number of cached outcomes."""


@dataclass(frozen=True, slots=True, order=True)
class MatchKey:
    """Ascending sort key of an outcome: verdict and strength, reason, closeness to the budget, then newest
    first.

    `age_us` is the time from the candidate's position to 1970 in microseconds, negative for later times;
    `identifier` is the negated id of the candidate.
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
    """Verdict, reason and sort key of a configuration by a budget, small enough to be cached.

    `item` is None until a page has shown the configuration, because it costs several times as much as the
    verdict.
    """

    verdict: Verdict
    reason: Reason | None
    sort_key: VerdictSortKey
    item: MatchItemOut | None = None

    @property
    def group(self) -> Group:
        """Group of the list that the configuration belongs to."""
        return group_of(self.verdict, self.sort_key.rank)


class MatchOutcomeCache:
    """A process's cache of outcomes by the state of a configuration and the budget, for the most recently
    used. Thread-safe.
    """

    def __init__(self) -> None:
        self._outcomes: LRUCache[tuple[Hashable, Budget], MatchOutcome] = LRUCache(_MOST_OUTCOMES)
        self._lock = Lock()

    def find(self, state: Hashable, budget: Budget) -> MatchOutcome | None:
        """Return the cached outcome of a configuration in this state (`Candidate.state`) by a budget.

        None if there is none.
        """
        with self._lock:
            return self._outcomes.get((state, budget))

    def store(self, state: Hashable, budget: Budget, outcome: MatchOutcome) -> None:
        """Store the outcome of a configuration in this state by a budget, replacing an earlier outcome."""
        with self._lock:
            self._outcomes[state, budget] = outcome
